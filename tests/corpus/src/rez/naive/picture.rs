//! Pictures: one pixel at a time.

use super::{NaiveError, Result, byte, bytes_at, i32_at, u16_at, u32_at, wide};
use crate::rez::Palette;

/// The most pixels of a picture.
const MAX_PIXELS: i64 = 1 << 26;

/// A picture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NaivePicture {
    /// Names and values of the header's fields.
    pub header: Vec<(&'static str, i64)>,
    /// Width in pixels.
    pub width: usize,
    /// Height in pixels.
    pub height: usize,
    /// Bytes of a pixel.
    pub channels: usize,
    /// The pixels that the file has, in rows from the top.
    pub pixels: Vec<u8>,
    /// Whether each of them was skipped.
    pub skipped: Vec<bool>,
    /// The picture's own palette.
    pub palette: Option<Vec<[u8; 3]>>,
    /// The pixels by which the last run exceeds the picture.
    pub overrun: usize,
    /// The bytes after the last run.
    pub left: usize,
    /// Whether it had to be read as editors do.
    pub editor: bool,
}

/// What is transparent in a picture without skipped pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NaiveTransparency {
    /// A palette index.
    Index(u8),
    /// A color of the picture's own palette.
    Color([u8; 3]),
}

impl NaivePicture {
    /// Returns whether all pixels are there.
    pub fn is_complete(&self) -> bool {
        self.pixels.len() == self.width * self.height * self.channels
    }

    fn flags(&self) -> i64 {
        self.header.iter().find(|(name, _)| *name == "flags").map_or(0, |(_, flags)| *flags)
    }

    /// Returns 255 or 0 for each pixel.
    pub fn opacity(&self, key: NaiveTransparency) -> Vec<u8> {
        let mut out = Vec::new();
        for (&pixel, &skipped) in self.pixels.iter().zip(&self.skipped) {
            let is_key = match (key, &self.palette) {
                (NaiveTransparency::Index(index), _) => pixel == index,
                (NaiveTransparency::Color(color), Some(palette)) => palette[usize::from(pixel)] == color,
                (NaiveTransparency::Color(_), None) => false,
            };
            let keyed = self.flags() & 1 != 0 && self.flags() & 0x20 == 0;
            out.push(if skipped || keyed && is_key { 0 } else { 255 });
        }
        out
    }
}

/// Reads the colors of a PAL file.
pub fn palette(bytes: &[u8]) -> Result<Palette> {
    if bytes.len() != 768 {
        return Err(NaiveError::new(0, "not 768 bytes"));
    }
    let mut out = [[0; 3]; 256];
    for (index, color) in (0..).zip(&mut out) {
        *color = [byte(bytes, 3 * index)?, byte(bytes, 3 * index + 1)?, byte(bytes, 3 * index + 2)?];
    }
    Ok(out)
}

/// Reads a PID picture; its pixels may be fewer than its size says.
pub fn pid(bytes: &[u8]) -> Result<NaivePicture> {
    let mut picture = header(bytes)?;
    let flags = picture.flags();
    let len = wide(bytes.len());
    let end = if flags & 0x80 == 0 { len } else { len.saturating_sub(768) };
    if flags & 0x80 != 0 {
        if end < 32 {
            return Err(NaiveError::new(32, "no room for the palette"));
        }
        picture.palette = Some(palette(&bytes_at(bytes, end, 768)?)?.to_vec());
    }
    let stream = bytes_at(bytes, 32, end - 32)?;
    // No byte yields more than 127 pixels.
    if wide(stream.len()) * 127 < wide(picture.width * picture.height) {
        return Err(NaiveError::new(32, "too few bytes for the pixels"));
    }
    let key = match flags & 0x100 {
        0 => 0,
        _ => byte(bytes, 24)?,
    };
    let engine = decode(&picture, &stream, key, false);
    if is_exact(&engine) {
        return Ok(engine);
    }
    let editor = decode(&picture, &stream, key, true);
    Ok(if is_exact(&editor) && editor != engine { NaivePicture { editor: true, ..editor } } else { engine })
}

/// Reads a RID picture: pixels that are not packed.
pub fn rid(bytes: &[u8]) -> Result<NaivePicture> {
    let mut picture = header(bytes)?;
    let count = wide(picture.width * picture.height);
    picture.pixels = bytes_at(bytes, 32, count)?;
    picture.skipped = vec![false; picture.pixels.len()];
    picture.left = bytes.len() - 32 - picture.pixels.len();
    Ok(picture)
}

fn header(bytes: &[u8]) -> Result<NaivePicture> {
    let words = [
        ("id", i64::from(u32_at(bytes, 0)?)),
        ("flags", i64::from(u32_at(bytes, 4)?)),
        ("width", i64::from(i32_at(bytes, 8)?)),
        ("height", i64::from(i32_at(bytes, 12)?)),
        ("offset_x", i64::from(i32_at(bytes, 16)?)),
        ("offset_y", i64::from(i32_at(bytes, 20)?)),
        ("key", i64::from(u32_at(bytes, 24)?)),
        ("user_2", i64::from(u32_at(bytes, 28)?)),
    ];
    let (width, height) = (words[2].1, words[3].1);
    if width <= 0 || height <= 0 || width * height > MAX_PIXELS {
        return Err(NaiveError::new(8, "no picture has this size"));
    }
    let side = |side: i64| usize::try_from(side).unwrap_or(0);
    Ok(NaivePicture {
        header: words.to_vec(),
        width: side(width),
        height: side(height),
        channels: 1,
        ..NaivePicture::default()
    })
}

fn is_exact(picture: &NaivePicture) -> bool {
    picture.is_complete() && picture.overrun == 0 && picture.left <= 1
}

/// Decodes a stream from its first byte until the picture is full. Runs may cross the ends of rows.
fn decode(picture: &NaivePicture, stream: &[u8], key: u8, editor: bool) -> NaivePicture {
    let mut out = picture.clone();
    let len = out.width * out.height;
    let has_skips = out.flags() & 0x20 != 0;
    let mut at = 0;
    while out.pixels.len() < len && at < stream.len() {
        let token = stream[at];
        at += 1;
        let mut run = Vec::new();
        if has_skips && token >= 0x80 && !(editor && token == 0x80) {
            run.resize(usize::from(token - 0x80), (key, true));
        } else if has_skips {
            for _ in 0..token {
                if at < stream.len() {
                    run.push((stream[at], false));
                    at += 1;
                }
            }
        } else if token > 0xC0 || token == 0xC0 && !editor {
            if at < stream.len() {
                run.resize(usize::from(token & 0x3F), (stream[at], false));
                at += 1;
            }
        } else {
            run.push((token, false));
        }
        for (pixel, skipped) in run {
            if out.pixels.len() < len {
                out.pixels.push(pixel);
                out.skipped.push(skipped);
            } else {
                out.overrun += 1;
            }
        }
    }
    out.left = stream.len() - at;
    out
}

/// Reads a PCX picture with 8 bits per color plane; its pixels may be fewer than its size says.
pub fn pcx(bytes: &[u8]) -> Result<NaivePicture> {
    // The last byte of the header.
    byte(bytes, 127)?;
    let planes = byte(bytes, 65)?;
    if byte(bytes, 0)? != 10 || byte(bytes, 2)? != 1 || byte(bytes, 3)? != 8 || (planes != 1 && planes != 3) {
        return Err(NaiveError::new(0, "not a PCX file of 8 bits and 1 or 3 planes"));
    }
    let mut out = NaivePicture { channels: planes.into(), ..NaivePicture::default() };
    let corners = [u16_at(bytes, 4)?, u16_at(bytes, 6)?, u16_at(bytes, 8)?, u16_at(bytes, 10)?];
    if corners[2] < corners[0] || corners[3] < corners[1] {
        return Err(NaiveError::new(8, "no picture has this size"));
    }
    out.width = usize::from(corners[2] - corners[0]) + 1;
    out.height = usize::from(corners[3] - corners[1]) + 1;
    let line = usize::from(u16_at(bytes, 66)?);
    if line < out.width || wide(line * out.height) > MAX_PIXELS.unsigned_abs() {
        return Err(NaiveError::new(66, "rows too short, or too many pixels"));
    }
    let mut end = bytes.len();
    if planes == 1 {
        if bytes.len() < 128 + 768 {
            return Err(NaiveError::new(128, "no room for the palette"));
        }
        end -= 768;
        out.palette = Some(palette(&bytes[end..])?.to_vec());
    }
    let total = line * out.height * usize::from(planes);
    if (end - 128) * 63 < total {
        return Err(NaiveError::new(128, "too few bytes for the pixels"));
    }
    // All bytes of all lines first, then the pixels from them.
    let mut lines = Vec::new();
    let mut at = 128;
    while lines.len() < total && at < end {
        let token = bytes[at];
        at += 1;
        if token < 0xC0 {
            lines.push(token);
        } else if at < end {
            for _ in 0..token & 0x3F {
                lines.push(bytes[at]);
            }
            at += 1;
        }
    }
    lines.truncate(total);
    for y in 0..out.height {
        for x in 0..out.width {
            for plane in 0..usize::from(planes) {
                let byte = lines.get((y * usize::from(planes) + plane) * line + x);
                out.pixels.extend(byte);
            }
        }
    }
    out.skipped = vec![false; out.pixels.len()];
    // Padding after the last pixel counts too.
    if lines.len() < total {
        out.pixels.truncate(out.pixels.len().min(out.width * out.height * out.channels - 1));
    }
    Ok(out)
}

/// Reads a BMP picture of 8 bits that is not packed.
pub fn bmp(bytes: &[u8]) -> Result<NaivePicture> {
    // The last byte of the header.
    byte(bytes, 53)?;
    let length = u32_at(bytes, 14)?;
    let is_known = byte(bytes, 0)? == b'B' && byte(bytes, 1)? == b'M' && u16_at(bytes, 26)? == 1;
    if !is_known || u16_at(bytes, 28)? != 8 || u32_at(bytes, 30)? != 0 || !(40..=65_536).contains(&length) {
        return Err(NaiveError::new(0, "not an unpacked BMP file of 8 bits"));
    }
    let (width, height) = (i64::from(i32_at(bytes, 18)?), i64::from(i32_at(bytes, 22)?));
    // The number -2^31 has no positive counterpart.
    if width < 1 || height == 0 || height == i64::from(i32::MIN) || width * height.abs() > MAX_PIXELS {
        return Err(NaiveError::new(18, "no picture has this size"));
    }
    let mut out = NaivePicture { channels: 1, ..NaivePicture::default() };
    let colors = u32_at(bytes, 46)?;
    if colors > 256 {
        return Err(NaiveError::new(46, "more than 256 colors"));
    }
    let mut palette = vec![[0; 3]; 256];
    for index in 0..if colors == 0 { 256 } else { colors } {
        let at = 14 + u64::from(length) + 4 * u64::from(index);
        // The fourth byte means nothing, but must be there.
        byte(bytes, at + 3)?;
        palette[usize::try_from(index).unwrap_or(0)] = [byte(bytes, at + 2)?, byte(bytes, at + 1)?, byte(bytes, at)?];
    }
    out.palette = Some(palette);
    let start = u64::from(u32_at(bytes, 10)?);
    let line = u64::try_from((width + 3) / 4 * 4).unwrap_or(0);
    let rows = height.unsigned_abs();
    // The rows are whole, with the bytes that fill them.
    byte(bytes, start + line * rows - 1)?;
    for y in 0..rows {
        let row = if height < 0 { y } else { rows - 1 - y };
        for x in 0..width.unsigned_abs() {
            out.pixels.push(byte(bytes, start + row * line + x)?);
        }
    }
    (out.width, out.height) = (usize::try_from(width).unwrap_or(0), usize::try_from(rows).unwrap_or(0));
    Ok(out)
}
