use std::fs;
use std::path::{Path, PathBuf};

use worldview_corpus::wwd::build::build;
use worldview_corpus::wwd::spec::{LevelSpec, ObjectSpec, PlaneSpec};
use worldview_export::Result;
use worldview_export::level::palette;
use worldview_wwd::{Level, unpack};

pub(crate) const EMPTY: u32 = 0xFFFF_FFFF;
pub(crate) const FILLED: u32 = 0xEEEE_EEEE;
/// The outline of a mark.
pub(crate) const OUTLINE: [u8; 4] = [14, 12, 20, 255];
pub(crate) const MARK: [u8; 4] = rgba(palette::MARK);

pub(crate) const fn rgba([red, green, blue]: [u8; 3]) -> [u8; 4] {
    [red, green, blue, 255]
}

/// The color of a tile word in a picture without real pictures.
pub(crate) fn color(word: u32) -> [u8; 4] {
    rgba(match word {
        EMPTY => palette::EMPTY,
        FILLED => palette::FILLED,
        word => palette::tile(word),
    })
}

/// A plane of square tiles.
pub(crate) fn plane(flags: u32, tile: i32, wide: i32, words: &[u32]) -> PlaneSpec {
    let high = i32::try_from(words.len()).unwrap() / wide;
    PlaneSpec { flags, tiles: words.to_vec(), ..PlaneSpec::empty(b"plane", tile, wide, high) }
}

pub(crate) fn object(x: i32, y: i32) -> ObjectSpec {
    ObjectSpec { x, y, ..ObjectSpec::default() }
}

pub(crate) fn level(planes: Vec<PlaneSpec>) -> LevelSpec {
    LevelSpec { planes, ..LevelSpec::default() }
}

/// Calls `look` with the views of a generated level.
pub(crate) fn open<T>(level: &LevelSpec, look: impl FnOnce(&Level<'_>) -> T) -> T {
    let file = build(level).bytes;
    let image = unpack(&file).unwrap();
    look(&Level::parse(&image).unwrap())
}

/// A decoded picture.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Picture {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) color: png::ColorType,
    pub(crate) trns: Option<Vec<u8>>,
    pixels: Vec<[u8; 4]>,
}

impl Picture {
    pub(crate) fn decode(bytes: &[u8]) -> Self {
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        let mut data = vec![0; reader.output_buffer_size().unwrap()];
        let frame = reader.next_frame(&mut data).unwrap();
        reader.finish().unwrap();
        assert_eq!(frame.bit_depth, png::BitDepth::Eight);
        let info = reader.info();
        let trns = info.trns.as_ref().map(|trns| trns.to_vec());
        let pixels = match frame.color_type {
            png::ColorType::Indexed => {
                let palette = info.palette.as_ref().unwrap();
                let color = |&index: &u8| {
                    let at = usize::from(index);
                    let opacity = trns.as_ref().and_then(|trns| trns.get(at)).copied().unwrap_or(255);
                    [palette[3 * at], palette[3 * at + 1], palette[3 * at + 2], opacity]
                };
                data.iter().map(color).collect()
            }
            png::ColorType::Rgb => data.chunks(3).map(|part| [part[0], part[1], part[2], 255]).collect(),
            png::ColorType::Rgba => data.chunks(4).map(|part| part.try_into().unwrap()).collect(),
            other => panic!("{other:?}"),
        };
        Self { width: frame.width, height: frame.height, color: frame.color_type, trns, pixels }
    }

    /// Decodes the picture that a function writes.
    pub(crate) fn of(draw: impl FnOnce(&mut Vec<u8>) -> Result<()>) -> Self {
        let mut bytes = Vec::new();
        draw(&mut bytes).unwrap();
        Self::decode(&bytes)
    }

    pub(crate) fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    pub(crate) fn at(&self, x: u32, y: u32) -> [u8; 4] {
        assert!(x < self.width && y < self.height, "{x}, {y} lies outside of {:?}", self.size());
        self.pixels[y as usize * self.width as usize + x as usize]
    }

    /// Checks the whole picture, given the tile word of each pixel.
    #[track_caller]
    pub(crate) fn shows(&self, words: &[&[u32]]) {
        assert_eq!(self.size(), (u32::try_from(words[0].len()).unwrap(), u32::try_from(words.len()).unwrap()));
        for (y, row) in (0..).zip(words) {
            for (x, &word) in (0..).zip(*row) {
                assert_eq!(self.at(x, y), color(word), "at {x}, {y}: expected the color of {word:#x}");
            }
        }
    }
}

/// A temporary folder that is removed after the test.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("worldview-png-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn file(&self, name: &str, bytes: &[u8]) {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// Writes a picture with the given color type and raw data.
    pub(crate) fn picture(&self, name: &str, (width, height): (u32, u32), color: png::ColorType, data: &[u8]) {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(color);
        if color == png::ColorType::Indexed {
            encoder.set_palette(vec![10, 20, 30, 40, 50, 60]);
            encoder.set_trns(vec![255, 0]);
        }
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(data).unwrap();
        writer.finish().unwrap();
        self.file(name, &bytes);
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
