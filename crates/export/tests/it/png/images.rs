use ::png::ColorType::{Grayscale, GrayscaleAlpha, Indexed, Rgb, Rgba};
use worldview_corpus::wwd::spec::{LevelSpec, PlaneSpec};
use worldview_export::Error;
use worldview_export::level::palette;
use worldview_export::level::png::{self, Allowance, Options, TileImages};

use super::support::{EMPTY, Folder, Picture, color, level, open, plane};

const RED: [u8; 4] = [255, 0, 0, 255];
const BLUE: [u8; 4] = [0, 0, 255, 255];

fn in_set(set: &[u8], plane: PlaneSpec) -> PlaneSpec {
    PlaneSpec { image_sets: vec![set.to_vec()], ..plane }
}

fn draw(spec: &LevelSpec, folder: &Folder, scale: Option<u32>) -> Result<Picture, Error> {
    let tiles = TileImages::open(folder.path())?;
    let options = Options::default().scale(scale).tiles(&tiles);
    let mut bytes = Vec::new();
    open(spec, |level| png::level(level, &options, &mut Allowance::new(&options), &mut bytes))?;
    Ok(Picture::decode(&bytes))
}

#[test]
fn real_pictures_take_the_place_of_colors() {
    let folder = Folder::new("place");
    // The first run of digits is the number. Other files, and numbers that no tile has, do not matter.
    folder.picture("tile_003_v2.png", (2, 2), Rgb, &[255, 0, 0, 0, 0, 255, 0, 0, 255, 255, 0, 0]);
    folder.file("readme4.txt", b"no picture");
    folder.file("99999999999.png", b"no number of a frame");
    let picture = draw(&level(vec![plane(1, 2, 3, &[3, 4, EMPTY])]), &folder, Some(2)).unwrap();
    assert_eq!(picture.color, Rgb);
    assert_eq!([0, 1, 2, 3, 4].map(|x| picture.at(x, 0)), [RED, BLUE, color(4), color(4), color(EMPTY)]);
    assert_eq!([0, 1].map(|x| picture.at(x, 1)), [BLUE, RED]);
}

#[test]
fn the_folder_of_the_image_set_comes_first() {
    let folder = Folder::new("set");
    folder.picture("1.png", (1, 1), Rgb, &RED[..3]);
    folder.picture("2.png", (1, 1), Rgb, &RED[..3]);
    folder.picture("Action/001.PNG", (1, 1), Rgb, &BLUE[..3]);
    let planes = vec![in_set(b"ACTION", plane(1, 64, 3, &[1, 2, 0x0001_0001]))];
    let picture = draw(&level(planes), &folder, Some(1)).unwrap();
    // Tile 2 has no picture in the folder of its image set, and the image set of the third tile has no name.
    assert_eq!([0, 1, 2].map(|x| picture.at(x, 0)), [BLUE, RED, RED]);
    let other = draw(&level(vec![in_set(b"BACK", plane(1, 64, 1, &[1]))]), &folder, Some(1)).unwrap();
    assert_eq!(other.at(0, 0), RED);
}

#[test]
fn all_kinds_of_png_are_read() {
    let folder = Folder::new("kinds");
    folder.picture("0.png", (1, 1), Grayscale, &[90]);
    folder.picture("1.png", (1, 1), GrayscaleAlpha, &[90, 255]);
    folder.picture("2.png", (1, 1), Rgba, &[1, 2, 3, 255]);
    folder.picture("3.png", (1, 1), Indexed, &[0]);
    folder.picture("4.png", (1, 1), Indexed, &[1]);
    let picture = draw(&level(vec![plane(1, 64, 5, &[0, 1, 2, 3, 4])]), &folder, Some(1)).unwrap();
    let expected = [[90, 90, 90, 255], [90, 90, 90, 255], [1, 2, 3, 255], [10, 20, 30, 255], color(EMPTY)];
    assert_eq!([0, 1, 2, 3, 4].map(|x| picture.at(x, 0)), expected);
}

#[test]
fn what_is_transparent_shows_what_is_below() {
    let folder = Folder::new("below");
    folder.picture("1.png", (2, 1), Rgba, &[255, 255, 255, 0, 255, 255, 255, 128]);
    let spec = level(vec![plane(0, 2, 1, &[9]), plane(1, 2, 1, &[1])]);
    let picture = draw(&spec, &folder, Some(2)).unwrap();
    let below = palette::tile(9);
    // (255 · 128 + below · 127) / 255, rounded.
    let half = below.map(|part| u8::try_from((255 * 128 + u32::from(part) * 127 + 127) / 255).unwrap());
    assert_eq!(picture.at(0, 0), color(9));
    assert_eq!(picture.at(1, 1), [half[0], half[1], half[2], 255]);
}

#[test]
fn smaller_pictures_are_averages() {
    let folder = Folder::new("average");
    folder.picture("1.png", (2, 2), Grayscale, &[0, 100, 200, 101]);
    // Transparent pixels do not affect the color.
    folder.picture("2.png", (2, 1), Rgba, &[200, 0, 0, 255, 0, 255, 0, 0]);
    let picture = draw(&level(vec![plane(1, 2, 2, &[1, 2])]), &folder, Some(1)).unwrap();
    assert_eq!(picture.at(0, 0), [100, 100, 100, 255]);
    let [red, green, blue] = palette::EMPTY.map(u32::from);
    let half = |above: u32, below: u32| u8::try_from((above * 128 + below * 127 + 127) / 255).unwrap();
    assert_eq!(picture.at(1, 0), [half(200, red), half(0, green), half(0, blue), 255]);
}

#[test]
fn tiles_have_their_own_size_when_no_scale_is_given() {
    let folder = Folder::new("own");
    folder.picture("1.png", (96, 96), Grayscale, &[7; 96 * 96]);
    assert_eq!(draw(&level(vec![plane(1, 96, 2, &[1, 1])]), &folder, None).unwrap().size(), (192, 96));
    assert_eq!(draw(&level(vec![plane(1, 96, 64, &[1; 64])]), &folder, None).unwrap().size(), (4096, 64));
}

#[test]
fn pictures_keep_their_place_in_cells_of_other_sizes() {
    let folder = Folder::new("sizes");
    folder.picture("1.png", (2, 1), Rgb, &[255, 0, 0, 0, 0, 255]);
    // The back plane's cells are three pixels wide, and the picture ends in the middle of a cell.
    let spec = level(vec![plane(4, 3, 1, &[1]), plane(1, 2, 2, &[EMPTY; 2])]);
    let picture = draw(&spec, &folder, Some(2)).unwrap();
    assert_eq!([0, 1, 2, 3].map(|x| picture.at(x, 0)), [RED, RED, BLUE, RED]);
}

#[test]
fn a_broken_or_missing_picture_costs_its_tile_and_is_named() {
    let folder = Folder::new("broken");
    folder.file("1.png", b"not a picture");
    folder.picture("2.png", (1, 1), Rgb, &RED[..3]);
    // An indexed picture whose palette has five bytes.
    let header = b"\0\0\0\x0DIHDR\0\0\0\x01\0\0\0\x01\x08\x03\0\0\0\0\0\0\0";
    folder.file("3.png", &[b"\x89PNG\r\n\x1a\n", &header[..], b"\0\0\0\x05PLTE12345\0\0\0\0"].concat());
    folder.picture("4.png", (1025, 1), Grayscale, &[7; 1025]);
    let tiles = TileImages::open(folder.path()).unwrap();
    let options = Options::default().scale(1).tiles(&tiles);
    let spec = level(vec![in_set(b"ACTION", plane(1, 64, 5, &[1, 2, 3, 4, 5]))]);
    let picture =
        open(&spec, |level| Picture::of(|bytes| png::level(level, &options, &mut Allowance::new(&options), bytes)));
    assert_eq!([0, 1, 2, 3, 4].map(|x| picture.at(x, 0)), [color(1), RED, color(3), color(4), color(5)]);
    let report = tiles.report();
    let broken: Vec<_> = report.broken.values().collect();
    assert!(broken[0].contains("1.png: "), "{broken:?}");
    assert!(broken[1].contains("3.png: its palette has 5 bytes, not three for each of 1 to 256 colors"), "{broken:?}");
    assert!(broken[2].ends_with("4.png: 1025 x 1 pixels, but tiles can have at most 1024 x 1024"), "{broken:?}");
    assert_eq!(report.missing, [(b"ACTION".to_vec(), [5].into())].into());
}

#[test]
fn pictures_are_those_of_the_level() {
    let folder = Folder::new("levels");
    folder.picture("Level1/tiles/ACTION/001.png", (1, 1), Rgb, &RED[..3]);
    let of = |below: &str, image_dir: &[u8]| TileImages::of_level(&folder.path().join(below), image_dir);
    for image_dir in [&b"\\LEVEL1\\TILES"[..], b"LEVEL1\\TILES\\", b"level1/tiles"] {
        for below in ["", "Level1", "Level1/tiles"] {
            assert!(of(below, image_dir).is_ok(), "{below}");
        }
    }
    for below in ["", "Level1", "Level1/tiles"] {
        let error = of(below, b"LEVEL3\\TILES").unwrap_err().to_string();
        assert!(error.ends_with("has pictures of Level1, but the level's pictures are in LEVEL3\\TILES"), "{error}");
    }
}

#[test]
fn a_folder_without_pictures_is_an_error() {
    let folder = Folder::new("none");
    folder.file("cover.png", b"no number");
    folder.file("sub/1.txt", b"no picture");
    let error = TileImages::open(folder.path()).unwrap_err();
    assert!(error.to_string().ends_with("no PNG with a frame number in its name"), "{error}");
    let error = TileImages::open(&folder.path().join("nowhere")).unwrap_err();
    assert!(matches!(error, Error::Io(_)) && error.to_string().contains("nowhere"), "{error}");
}
