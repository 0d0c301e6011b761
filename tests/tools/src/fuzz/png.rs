//! Pictures that people painted: textures, and pictures of tiles.

use std::io::Cursor;

use png::{BitDepth, ColorType, Decoder, Encoder, Transformations};
use worldview_export::picture::{Picture, Pixels};
use worldview_readers::MAX_LEN;

/// The most pixels of a picture.
const MAX_PIXELS: usize = 1 << 16;

/// Decodes a PNG. Its size is that of its pixels, and its colors are those that `png` expands.
pub fn png_decode(data: &[u8]) {
    if data.len() > MAX_LEN {
        return;
    }
    let Ok(picture) = Picture::decode(data, MAX_PIXELS) else { return };
    let colors = picture.colors();
    let count = u64::from(picture.width) * u64::from(picture.height);
    assert!(colors.len() as u64 == count && colors.len() <= MAX_PIXELS, "{count} pixels have {} colors", colors.len());
    if let Pixels::Indexed { palette, indices } = &picture.pixels {
        // `png` rejects these indices, or shows another color.
        if indices.iter().any(|&index| usize::from(index) >= palette.len()) {
            return;
        }
    }
    if let Some(expanded) = expanded(data) {
        assert!(expanded == colors, "the colors of {} x {} pixels differ", picture.width, picture.height);
    }
}

/// Returns the pixels as `png` expands them, if it does.
fn expanded(data: &[u8]) -> Option<Vec<[u8; 4]>> {
    let mut decoder = Decoder::new(Cursor::new(data));
    decoder.set_transformations(Transformations::EXPAND | Transformations::ALPHA | Transformations::STRIP_16);
    let mut reader = decoder.read_info().ok()?;
    let mut buffer = vec![0; reader.output_buffer_size()?];
    let frame = reader.next_frame(&mut buffer).ok()?;
    buffer.truncate(frame.buffer_size());
    Some(match frame.color_type {
        ColorType::GrayscaleAlpha => {
            buffer.as_chunks().0.iter().map(|&[gray, alpha]| [gray, gray, gray, alpha]).collect()
        }
        _ => buffer.as_chunks().0.to_vec(),
    })
}

/// Returns a picture of 5 x 4 pixels in each color type and depth.
pub(super) fn pictures() -> Vec<(String, Vec<u8>)> {
    use BitDepth::{Eight, Four, One, Sixteen, Two};
    use ColorType::{Grayscale, GrayscaleAlpha, Indexed, Rgb, Rgba};
    let depths: [(ColorType, &[BitDepth]); 5] = [
        (Grayscale, &[One, Two, Four, Eight, Sixteen]),
        (GrayscaleAlpha, &[Eight, Sixteen]),
        (Rgb, &[Eight, Sixteen]),
        (Rgba, &[Eight, Sixteen]),
        (Indexed, &[One, Two, Four, Eight]),
    ];
    let all = depths.iter().flat_map(|(color, depths)| depths.iter().map(|depth| (*color, *depth)));
    all.filter_map(|(color, depth)| Some((format!("{color:?}-{depth:?}"), encoded(color, depth).ok()?))).collect()
}

fn encoded(color: ColorType, depth: BitDepth) -> Result<Vec<u8>, png::EncodingError> {
    let mut out = Vec::new();
    let mut encoder = Encoder::new(&mut out, 5, 4);
    encoder.set_color(color);
    encoder.set_depth(depth);
    let row = (color.samples() * depth as usize * 5).div_ceil(8);
    if color == ColorType::Indexed {
        encoder.set_palette((0..48).collect::<Vec<u8>>());
        encoder.set_trns(vec![0, 128]);
    }
    let mask = if color == ColorType::Indexed && depth == BitDepth::Eight { 15 } else { u8::MAX };
    let pixels: Vec<u8> = (0..row * 4).map(|at| at.wrapping_mul(37).to_le_bytes()[0] & mask).collect();
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&pixels)?;
    writer.finish()?;
    Ok(out)
}
