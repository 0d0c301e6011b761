//! Builders of pictures: PID with both kinds of runs, RID, PCX and PAL.

use super::Palette;
use crate::builder::Builder;

/// Flag of a PID picture: pixels of the key color are transparent.
pub const TRANSPARENT: u32 = 1;
/// Flag of a PID picture: runs of skipped and literal pixels.
pub const SKIP_RUNS: u32 = 0x20;
/// Flag of a PID picture: a palette at the end.
pub const PALETTE: u32 = 0x80;
/// Flag of a PID picture: the key is valid.
pub const KEY: u32 = 0x100;

/// A PID picture; its header follows from the fields, and the runs from the pixels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PidSpec {
    /// 10 in every known file.
    pub id: u32,
    /// The flags; those of runs and palette choose how the picture is written.
    pub flags: u32,
    /// Width in pixels.
    pub width: i32,
    /// Height in pixels.
    pub height: i32,
    /// Distance from the object's position to the center.
    pub offset: (i32, i32),
    /// The index of skipped pixels.
    pub key: u32,
    /// The last word of the header.
    pub user_2: u32,
    /// The pixels in rows from the top; `None` is a skipped pixel.
    pub pixels: Vec<Option<u8>>,
    /// The palette, written if the flags say so.
    pub palette: Palette,
    /// Bytes between the last run and the palette or the end of the file.
    pub trailing: Vec<u8>,
}

impl PidSpec {
    /// Creates an opaque picture with these indices, without an offset and a palette.
    ///
    /// # Panics
    ///
    /// Panics if `pixels` does not have a multiple of `width` pixels.
    pub fn new(width: usize, pixels: &[u8]) -> Self {
        assert!(pixels.len().is_multiple_of(width), "whole rows");
        let side = |side: usize| i32::try_from(side).unwrap_or(0);
        Self {
            id: 10,
            flags: 0,
            width: side(width),
            height: side(pixels.len() / width),
            offset: (0, 0),
            key: 0,
            user_2: 0,
            pixels: pixels.iter().copied().map(Some).collect(),
            palette: [[0; 3]; 256],
            trailing: Vec::new(),
        }
    }

    /// Writes the picture as a PID file.
    pub fn build(&self) -> Vec<u8> {
        let width = usize::try_from(self.width).unwrap_or(0).max(1);
        let stream: Vec<u8> = if self.flags & SKIP_RUNS == 0 {
            let key = if self.flags & KEY == 0 { 0 } else { self.key.to_le_bytes()[0] };
            let pixels: Vec<_> = self.pixels.iter().map(|pixel| pixel.unwrap_or(key)).collect();
            pixels.chunks(width).flat_map(repeats).collect()
        } else {
            self.pixels.chunks(width).flat_map(skips).collect()
        };
        self.build_with(&stream)
    }

    /// Writes the picture with a stream of your own.
    pub fn build_with(&self, stream: &[u8]) -> Vec<u8> {
        let mut b = Builder::new();
        b.u32_le(self.id).u32_le(self.flags).i32_le(self.width).i32_le(self.height);
        b.i32_le(self.offset.0).i32_le(self.offset.1).u32_le(self.key).u32_le(self.user_2);
        b.bytes(stream).bytes(&self.trailing);
        if self.flags & PALETTE != 0 {
            b.bytes(self.palette.as_flattened());
        }
        b.finish().bytes
    }

    /// Writes the picture as a RID file: the same header, and the pixels as they are.
    pub fn build_rid(&self) -> Vec<u8> {
        let pixels: Vec<_> = self.pixels.iter().map(|pixel| pixel.unwrap_or(0)).collect();
        Self { flags: self.flags & !PALETTE, ..self.clone() }.build_with(&pixels)
    }
}

/// Packs bytes as PCX does: runs of up to 63 equal bytes.
pub fn repeats(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = bytes;
    while let Some(&first) = rest.first() {
        let count = rest.iter().take(63).take_while(|&&byte| byte == first).count();
        if count > 1 || first >= 0xC0 {
            out.push(0xC0 + u8::try_from(count).unwrap_or(63));
        }
        out.push(first);
        rest = &rest[count..];
    }
    out
}

/// Packs pixels as runs of up to 127 skipped or literal pixels.
pub fn skips(pixels: &[Option<u8>]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = pixels;
    while let Some(first) = rest.first() {
        let count = rest.iter().take(127).take_while(|pixel| pixel.is_some() == first.is_some()).count();
        let (run, after) = rest.split_at(count);
        let count = u8::try_from(count).unwrap_or(127);
        out.push(if first.is_some() { count } else { 0x80 + count });
        out.extend(run.iter().flatten());
        rest = after;
    }
    out
}

/// A PCX picture with 8 bits per color plane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PcxSpec {
    /// Width in pixels.
    pub width: u16,
    /// Height in pixels.
    pub height: u16,
    /// Number of color planes: 1 or 3.
    pub planes: u8,
    /// The pixels in rows from the top, each with one byte for each plane.
    pub pixels: Vec<u8>,
    /// The palette of a picture with one plane.
    pub palette: Palette,
    /// Bytes at the end of each row of a plane that are not pixels.
    pub padding: u16,
}

/// Spec of a BMP picture with 8 bits per pixel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BmpSpec {
    /// Width in pixels.
    pub width: i32,
    /// Height in pixels; negative for rows from the top.
    pub height: i32,
    /// The pixels in rows from the top.
    pub pixels: Vec<u8>,
    /// The colors, at most 256; red, green and blue each.
    pub colors: Vec<[u8; 3]>,
}

impl BmpSpec {
    /// Writes the picture as a BMP file.
    pub fn build(&self) -> Vec<u8> {
        let mut b = Builder::new();
        let colors = u32::try_from(self.colors.len()).unwrap_or(0);
        let start = 54 + 4 * colors;
        b.bytes(b"BM").u32_le(0).u32_le(0).u32_le(start);
        b.u32_le(40).u32_le(self.width.cast_unsigned()).u32_le(self.height.cast_unsigned());
        b.u16_le(1).u16_le(8).u32_le(0).u32_le(0).u32_le(2835).u32_le(2835);
        b.u32_le(if colors == 256 { 0 } else { colors }).u32_le(0);
        for [red, green, blue] in &self.colors {
            b.u8(*blue).u8(*green).u8(*red).u8(0);
        }
        let width = usize::try_from(self.width).unwrap_or(1).max(1);
        let mut rows: Vec<_> = self.pixels.chunks(width).collect();
        if self.height > 0 {
            rows.reverse();
        }
        for row in rows {
            b.bytes(row).zeros((4 - row.len() % 4) % 4);
        }
        b.finish().bytes
    }
}

impl PcxSpec {
    /// Writes the picture as a PCX file.
    pub fn build(&self) -> Vec<u8> {
        let (width, planes) = (usize::from(self.width).max(1), usize::from(self.planes).max(1));
        let mut b = Builder::new();
        // Version 5 has palettes of 256 colors.
        b.u8(10).u8(5).u8(1).u8(8);
        b.u16_le(0).u16_le(0).u16_le(self.width.wrapping_sub(1)).u16_le(self.height.wrapping_sub(1));
        b.u16_le(72).u16_le(72).zeros(48).u8(0);
        b.u8(self.planes).u16_le(self.width.wrapping_add(self.padding)).u16_le(1).zeros(58);
        for row in self.pixels.chunks(width * planes) {
            for plane in 0..planes {
                let mut line: Vec<_> = row.iter().skip(plane).step_by(planes).copied().collect();
                line.resize(line.len() + usize::from(self.padding), 0);
                b.bytes(&repeats(&line));
            }
        }
        if self.planes == 1 {
            b.u8(12).bytes(self.palette.as_flattened());
        }
        b.finish().bytes
    }
}
