//! Texture files: changes are applied as to the textures of WORLD.WDB.

use worldview_corpus::island::naive::{NaiveTexture, Place, textures};
use worldview_corpus::sample;
use worldview_edit::Format;
use worldview_edit::{Change, Changes, FileOptions, Position, Result, Value, apply};

fn edit(file: &[u8], changes: &Changes) -> Result<Vec<u8>> {
    apply(Format::Tex, file, changes, &FileOptions::default()).map(|edited| edited.to_vec())
}

fn set(path: &str, to: impl Into<Value>) -> Changes {
    [Change::set(path.parse().unwrap(), to)].into_iter().collect()
}

fn read(file: &[u8]) -> Vec<NaiveTexture> {
    textures(file, Place::whole(file)).unwrap()
}

#[test]
fn a_pixel_is_one_byte_and_a_name_moves_what_follows() {
    let file = sample("pennant.tex");
    assert_eq!(edit(&file, &Changes::new()).unwrap(), file);
    // The image begins behind the count and the name of 21 bytes; its palette has 4 colors.
    let at = 4 + 4 + 21 + 12 + 3 * 4 + 2 * 32 + 5;
    let mut expected = file.clone();
    assert_eq!(expected[at], 1);
    expected[at] = 2;
    assert_eq!(edit(&file, &set("texture:pennant.gif/image#0/pixel:5,2", 2)).unwrap(), expected);
    // What the buffer of the name had behind its NUL stays.
    let renamed = edit(&file, &set("texture:pennant.gif/name", "flag.gif")).unwrap();
    assert_eq!(renamed[..8 + 18], [&[2, 0, 0, 0, 18, 0, 0, 0], &b"flag.gif\0worldview"[..]].concat());
    assert_eq!(renamed[8 + 18..], file[8 + 21..]);
}

#[test]
fn textures_are_added_and_removed() {
    let file = sample("pennant.tex");
    let removed = edit(&file, &[Change::remove("texture:pennant.gif".parse().unwrap())].into_iter().collect()).unwrap();
    assert_eq!(read(&removed).len(), 1);
    assert_eq!(removed[0], 1);
    let like = Some("texture:wall.gif".parse().unwrap());
    let add = Change::Add {
        path: "texture:door.gif".parse().unwrap(),
        like,
        position: Position::Natural,
        fields: Vec::new(),
        data: None,
    };
    let added = edit(&file, &[add].into_iter().collect()).unwrap();
    let (before, after) = (read(&file), read(&added));
    assert_eq!((after.len(), &after[2].name.0[..]), (3, &b"door.gif\0"[..]));
    assert_eq!(after[2].image.pixels, before[1].image.pixels);
}

#[test]
fn errors_have_the_paths_of_the_file() {
    let file = sample("pennant.tex");
    let error = edit(&file, &set("texture:roof.gif/name", "x")).unwrap_err();
    assert_eq!(error.path.as_str(), "texture:roof.gif/name");
    let error = edit(&file[..200], &set("texture:pennant.gif/name", "x")).unwrap_err();
    assert!(error.to_string().contains("pixels of texture 0"), "{error}");
    // What only WORLD.WDB has is not reached.
    assert!(edit(&file, &set("world:x/name", "y")).is_err());
}
