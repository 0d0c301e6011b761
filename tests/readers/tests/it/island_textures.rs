//! Texture files: views against the naive reader, and what is said about broken files.

use worldview_corpus::island::build::build_textures;
use worldview_corpus::island::spec::{ImageSpec, TextureSpec};
use worldview_corpus::island::texture_files;
use worldview_island::{TextureFile, check_textures};
use worldview_readers::Verdict;
use worldview_readers::change::{at_random, changed};
use worldview_readers::island::textures_agree;

/// A name as the game's files have it: its text, a NUL, and what was in the buffer before.
const NAME: &[u8] = b"dbfrfn.gif\0x\x02\0\0\0h\xF6h";

fn texture(name: &[u8], width: u32, height: u32) -> TextureSpec {
    let palette = vec![[250, 250, 250], [0, 84, 140], [255, 185, 0]];
    let image = ImageSpec::drawn(width, height, palette, |x, y| u8::try_from((x + y) % 3).unwrap_or(0));
    TextureSpec { name: name.to_vec(), image, second: None }
}

fn list() -> Vec<TextureSpec> {
    vec![texture(NAME, 4, 2), texture(b"^pair.gif", 2, 2), texture(b"", 1, 1)]
}

#[test]
fn both_readers_agree_on_files_of_any_length() {
    for (name, file) in texture_files() {
        assert_eq!(textures_agree(&file), Ok(Verdict::Same), "{name}");
    }
    for trailing in [&b""[..], b"\0", b"\xFF"] {
        let file = build_textures(&list(), trailing).bytes;
        assert_eq!(textures_agree(&file), Ok(Verdict::Same));
        for len in 0..file.len() - trailing.len() {
            assert_eq!(textures_agree(&file[..len]), Ok(Verdict::Refused), "{len}");
        }
    }
}

#[test]
fn both_readers_agree_on_changed_files() {
    let built = build_textures(&list(), b"\0");
    let labels: Vec<_> = built.labels.values().copied().collect();
    at_random(2000, 3, |_, seeds| {
        changed(seeds, &built.bytes, &labels, u32::to_le_bytes, |bytes| textures_agree(bytes).map(drop))
    });
}

#[test]
fn textures_have_one_image_each_and_text_up_to_the_nul() {
    let file = build_textures(&list(), b"\0").bytes;
    let textures = TextureFile::parse(&file).unwrap().textures();
    let names: Vec<_> = textures.iter().map(|texture| texture.real_name().to_vec()).collect();
    assert_eq!(names, [b"dbfrfn.gif".to_vec(), b"^pair.gif".to_vec(), Vec::new()]);
    assert_eq!(textures.iter().next().unwrap().name.counted(), NAME);
    assert!(textures.iter().all(|texture| texture.second.is_none()));
    assert_eq!(textures.iter().next().unwrap().image.pixels, [0, 1, 2, 0, 1, 2, 0, 1]);
}

/// Returns the errors of strict and lossy parsing after one labeled word was changed.
fn broken(label: &str, value: u32) -> [String; 2] {
    let mut built = build_textures(&list(), b"\0");
    built.patch(label, &value.to_le_bytes());
    errors(&built.bytes)
}

fn errors(bytes: &[u8]) -> [String; 2] {
    let strict = TextureFile::parse(bytes).map_or_else(|error| error.to_string(), |_| "none".to_owned());
    let mut findings = Vec::new();
    let lossy = TextureFile::parse_lossy(bytes, &mut |finding| findings.push(finding.to_string()));
    let lossy = match lossy {
        Ok(file) => {
            check_textures(&file, &mut |finding| findings.push(finding.to_string()));
            format!("{} of 3: {}", file.textures().len(), findings.join("; "))
        }
        Err(error) => error.to_string(),
    };
    [strict, lossy]
}

#[test]
fn errors_say_which_texture_is_wrong_and_where() {
    let max = u32::MAX;
    let told: Vec<String> = [
        ("texture_count", max),
        ("texture[0].name_len", max),
        ("texture[1].width", max),
        ("texture[1].height", 100),
        ("texture[1].color_count", 257),
        ("texture[2].color_count", 200),
    ]
    .into_iter()
    .map(|(label, value)| format!("{label} = {value}\n  {}", broken(label, value).join("\n  ")))
    .collect();
    let trailing = errors(&build_textures(&list(), b"\0\0").bytes);
    let told = format!("{}\ntwo bytes after the list\n  {}\n", told.join("\n"), trailing.join("\n  "));
    worldview_readers::golden::compare("island_textures.txt", &told).unwrap();
}
