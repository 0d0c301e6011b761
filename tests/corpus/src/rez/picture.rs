//! Builders of pictures: PID with both kinds of runs, RID, PCX and PAL.

use super::Palette;
use crate::builder::Builder;
use crate::spec::{elsewhere, spec};

/// Flag of a PID picture: pixels of the key color are transparent.
pub const TRANSPARENT: u32 = 1;
/// Flag of a PID picture: runs of skipped and literal pixels.
pub const SKIP_RUNS: u32 = 0x20;
/// Flag of a PID picture: a palette at the end.
pub const PALETTE: u32 = 0x80;
/// Flag of a PID picture: the key is valid.
pub const KEY: u32 = 0x100;

spec! {
    /// A PID picture; its header follows from the fields, and the runs from the pixels.
    pub struct PidSpec |pid, b| {
        /// 10 in every known file.
        pub id: u32 = 10,
        /// The flags; those of runs and palette choose how the picture is written.
        pub flags: u32,
        /// Dimensions in pixels.
        pub width, height: i32,
        /// Distance from the object's position to the center.
        pub offset: (i32, i32),
        /// The index of skipped pixels.
        pub key: u32,
        /// The last word of the header.
        pub user_2: u32,
        /// The pixels in rows from the top; `None` is a skipped pixel.
        pub pixels: Vec<Option<u8>> => elsewhere,
        /// The palette, written if the flags say so.
        pub palette: Palette = [[0; 3]; 256] => elsewhere,
        /// Bytes between the last run and the palette or the end of the file.
        pub trailing: Vec<u8> => elsewhere,
    }

    /// A PCX picture with 8 bits per color plane.
    pub struct PcxSpec {
        pub width: u16,
        pub height: u16,
        /// Number of color planes: 1 or 3.
        pub planes: u8,
        /// The pixels in rows from the top, each with one byte for each plane.
        pub pixels: Vec<u8>,
        /// The palette of a picture with one plane.
        pub palette: Palette = [[0; 3]; 256],
        /// Bytes at the end of each row of a plane that are not pixels.
        pub padding: u16,
    }

    /// Spec of a BMP picture with 8 bits per pixel.
    pub struct BmpSpec {
        pub width: i32,
        /// Height in pixels; negative for rows from the top.
        pub height: i32,
        /// The pixels in rows from the top.
        pub pixels: Vec<u8>,
        /// The colors, at most 256; red, green and blue each.
        pub colors: Vec<[u8; 3]>,
    }
}

impl PidSpec {
    /// Creates an opaque picture with these indices, without an offset and a palette. Panics if `pixels` does not have a multiple
    /// of `width` pixels.
    pub fn new(width: usize, pixels: &[u8]) -> Self {
        assert!(pixels.len().is_multiple_of(width), "whole rows");
        let side = |side: usize| i32::try_from(side).unwrap_or(0);
        Self {
            width: side(width),
            height: side(pixels.len() / width),
            pixels: pixels.iter().copied().map(Some).collect(),
            ..Self::default()
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
        b.put((self, stream, &self.trailing));
        if self.flags & PALETTE != 0 {
            b.put(self.palette);
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

impl BmpSpec {
    /// Writes the picture as a BMP file.
    pub fn build(&self) -> Vec<u8> {
        let mut b = Builder::new();
        let colors = u32::try_from(self.colors.len()).unwrap_or(0);
        let start = 54 + 4 * colors;
        b.put((b"BM", 0_u32, 0_u32, start)).put((40_u32, self.width, self.height, 1_u16, 8_u16));
        b.put((0_u32, 0_u32, 2835_u32, 2835_u32, if colors == 256 { 0 } else { colors }, 0_u32));
        self.colors.iter().for_each(|[red, green, blue]| _ = b.put([*blue, *green, *red, 0]));
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
        b.put([10_u8, 5, 1, 8]);
        b.put([0, 0, self.width.wrapping_sub(1), self.height.wrapping_sub(1), 72, 72]).zeros(48);
        b.put((0_u8, self.planes, self.width.wrapping_add(self.padding), 1_u16)).zeros(58);
        for row in self.pixels.chunks(width * planes) {
            for plane in 0..planes {
                let mut line: Vec<_> = row.iter().skip(plane).step_by(planes).copied().collect();
                line.resize(line.len() + usize::from(self.padding), 0);
                b.bytes(&repeats(&line));
            }
        }
        if self.planes == 1 {
            b.put((12_u8, self.palette));
        }
        b.finish().bytes
    }
}
