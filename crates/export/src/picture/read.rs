//! Reads PNG pictures that other programs wrote. The chunks are checked before the library sees them, and it gets only those that
//! have pixels: it panics on a broken palette, and inflates color profiles and texts of any size.

use std::io::Cursor;

use png::{BitDepth, ColorType, Decoder, Limits, Transformations};

/// The chunks that editors write for themselves, with the reason why they are not read.
pub const NOT_READ: &[([u8; 4], &str)] = &[
    (*b"bKGD", "a background that viewers show"),
    (*b"cHRM", COLOR),
    (*b"cICP", COLOR),
    (*b"eXIf", "facts about the program and the camera"),
    (*b"gAMA", COLOR),
    (*b"hIST", "how often each color occurs"),
    (*b"iCCP", COLOR),
    (*b"iTXt", "a text"),
    (*b"pHYs", "the size on paper"),
    (*b"sBIT", "the number of bits before they were converted"),
    (*b"sPLT", "a palette for other screens"),
    (*b"sRGB", COLOR),
    (*b"tEXt", "a text"),
    (*b"tIME", "the time of the last change"),
    (*b"zTXt", "a text"),
];

const COLOR: &str = "how screens should show the colors; pixel values are used as they are, as in the games";

/// The most memory that the library may use besides the pixels.
const LIBRARY: usize = 8 << 20;
/// The number of unknown chunks that are named.
const MAX_NAMED: usize = 32;

/// The pixels of a PNG.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pixels {
    /// Indices into a palette of red, green, blue and opacity.
    Indexed {
        /// The palette.
        palette: Vec<[u8; 4]>,
        /// The index of each pixel, row by row. [`Picture::decode`] refuses those outside the palette.
        indices: Vec<u8>,
    },
    /// Red, green, blue and opacity of each pixel, row by row.
    Rgba(Vec<[u8; 4]>),
}

/// A decoded PNG.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
    /// The pixels.
    pub pixels: Pixels,
    /// What was not read and is not in [`NOT_READ`], in words.
    pub left_out: Vec<String>,
}

impl Picture {
    /// Decodes a PNG of any color type. Colors of 16 bits become colors of 8 bits.
    ///
    /// # Errors
    ///
    /// Returns the reason if the file is not a PNG, has more than `max_pixels` pixels, or has pixels without a color.
    pub fn decode(bytes: &[u8], max_pixels: usize) -> Result<Self, String> {
        let mut chunks = Chunks::read(bytes)?;
        let (width, height) = (chunks.width, chunks.height);
        let count = u64::from(width) * u64::from(height);
        let count = usize::try_from(count).ok().filter(|count| *count <= max_pixels);
        let count = count.ok_or_else(|| format!("{width} x {height} pixels, the limit is {max_pixels} pixels"))?;
        // The library reads a row at a time, and up to eight bytes a pixel.
        let row = usize::try_from(width).unwrap_or(usize::MAX).saturating_mul(32);
        let bytes = chunks.plain.len().saturating_add(row).saturating_add(LIBRARY);
        let mut decoder = Decoder::new_with_limits(Cursor::new(&chunks.plain), Limits { bytes });
        let is_indexed = chunks.color == ColorType::Indexed;
        let transformations = if is_indexed { Transformations::IDENTITY } else { Transformations::EXPAND };
        decoder.set_transformations(transformations);
        let mut reader = decoder.read_info().map_err(|error| error.to_string())?;
        let size = reader.output_buffer_size().filter(|size| *size <= count.saturating_mul(8));
        let mut buffer = vec![0; size.ok_or("its size is not that of its pixels")?];
        let frame = reader.next_frame(&mut buffer).map_err(|error| error.to_string())?;
        // What follows the last row has checksums, too.
        reader.finish().map_err(|error| error.to_string())?;
        buffer.truncate(frame.buffer_size());
        if is_indexed {
            let indices = unpacked(&buffer, frame.line_size, (width, frame.bit_depth));
            let colors = chunks.palette.len();
            let outside = indices.iter().filter(|&&index| usize::from(index) >= colors).count();
            if outside > 0 {
                return Err(format!("pixels whose index is outside its palette of {colors} colors: {outside}"));
            }
            let pixels = Pixels::Indexed { palette: chunks.palette, indices };
            return Ok(Self { width, height, pixels, left_out: chunks.left_out });
        }
        let samples: Vec<u8> = match frame.bit_depth {
            BitDepth::Sixteen => {
                let pairs = buffer.as_chunks::<2>().0;
                if pairs.iter().any(|[high, low]| high != low) {
                    chunks.left_out.push("the lower 8 bits of 16-bit colors".to_owned());
                }
                pairs.iter().map(|[high, _]| *high).collect()
            }
            _ => buffer,
        };
        let pixels = match frame.color_type {
            ColorType::Grayscale => samples.into_iter().map(|gray| [gray, gray, gray, u8::MAX]).collect(),
            ColorType::GrayscaleAlpha => {
                samples.as_chunks().0.iter().map(|&[gray, opacity]| [gray, gray, gray, opacity]).collect()
            }
            ColorType::Rgb => {
                samples.as_chunks().0.iter().map(|&[red, green, blue]| [red, green, blue, u8::MAX]).collect()
            }
            _ => samples.as_chunks().0.to_vec(),
        };
        Ok(Self { width, height, pixels: Pixels::Rgba(pixels), left_out: chunks.left_out })
    }

    /// Returns red, green, blue and opacity of each pixel, row by row.
    pub fn colors(&self) -> Vec<[u8; 4]> {
        match &self.pixels {
            Pixels::Indexed { palette, indices } => {
                let color = |index: &u8| palette.get(usize::from(*index)).copied().unwrap_or([0, 0, 0, u8::MAX]);
                indices.iter().map(color).collect()
            }
            Pixels::Rgba(colors) => colors.clone(),
        }
    }
}

/// Returns an index for each pixel of rows that have several in a byte.
fn unpacked(rows: &[u8], line: usize, (width, depth): (u32, BitDepth)) -> Vec<u8> {
    let depth = usize::from(depth as u8);
    let width = usize::try_from(width).unwrap_or(usize::MAX);
    let of_row = |row: &[u8]| -> Vec<u8> {
        let mask = u8::MAX >> (8 - depth);
        (0..width).map(|x| row[x * depth / 8] >> (8 - depth - x * depth % 8) & mask).collect()
    };
    rows.chunks_exact(line.max(1)).flat_map(of_row).collect()
}

/// The chunks of a PNG.
struct Chunks {
    width: u32,
    height: u32,
    color: ColorType,
    palette: Vec<[u8; 4]>,
    left_out: Vec<String>,
    /// A PNG of only the chunks that have pixels.
    plain: Vec<u8>,
}

impl Chunks {
    fn read(bytes: &[u8]) -> Result<Self, String> {
        const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";
        let mut rest = bytes.strip_prefix(SIGNATURE).ok_or("it does not start with the signature of PNG")?;
        let (mut palette, mut opacity): (Option<&[u8]>, Option<&[u8]>) = (None, None);
        let (mut header, mut left_out, mut plain) = (None, Vec::new(), SIGNATURE.to_vec());
        loop {
            let cut = || "it is cut off".to_owned();
            let (&length, after) = rest.split_first_chunk().ok_or_else(cut)?;
            let (&name, after) = after.split_first_chunk::<4>().ok_or_else(cut)?;
            let length = usize::try_from(u32::from_be_bytes(length)).unwrap_or(usize::MAX);
            let (data, after) = after.split_at_checked(length).ok_or_else(cut)?;
            let (&sum, after) = after.split_first_chunk::<4>().ok_or_else(cut)?;
            let whole = &rest[..rest.len() - after.len()];
            rest = after;
            if header.is_none() != (name == *b"IHDR") {
                return Err("its header is not its first chunk".to_owned());
            }
            match &name {
                b"IHDR" => header = Some(self::header(data)?),
                b"PLTE" if palette.is_some() => return Err("it has two palettes".to_owned()),
                b"PLTE" if data.len() % 3 != 0 || data.is_empty() || data.len() > 768 => {
                    return Err(format!("its palette has {} bytes, not three for each of 1 to 256 colors", data.len()));
                }
                b"PLTE" => palette = Some(data),
                b"tRNS" if opacity.is_some() => return Err("it says twice which colors are transparent".to_owned()),
                b"tRNS" => opacity = Some(data),
                b"IDAT" => {}
                b"IEND" => {
                    plain.extend_from_slice(whole);
                    break;
                }
                _ => {
                    let text = name.escape_ascii().to_string();
                    if name[0].is_ascii_uppercase() {
                        return Err(format!("its chunk {text} is not known"));
                    }
                    let what = match &name {
                        b"acTL" | b"fcTL" | b"fdAT" => "an animation; only its first picture is read".to_owned(),
                        _ => format!("the chunk {text}"),
                    };
                    let is_known = NOT_READ.iter().any(|(known, _)| *known == name);
                    if !is_known && left_out.len() < MAX_NAMED && !left_out.contains(&what) {
                        left_out.push(what);
                    }
                    continue;
                }
            }
            // The library checks the others, and would leave out what is transparent.
            if matches!(&name, b"PLTE" | b"tRNS")
                && crc32fast::hash(&whole[4..whole.len() - 4]) != u32::from_be_bytes(sum)
            {
                return Err(format!("its chunk {} is damaged: the checksum differs", name.escape_ascii()));
            }
            plain.extend_from_slice(whole);
        }
        if !rest.is_empty() {
            left_out.push(format!("{} bytes behind its end", rest.len()));
        }
        let (width, height, color) = header.ok_or("it has no header")?;
        let palette = palette.filter(|_| color == ColorType::Indexed).unwrap_or_default().as_chunks::<3>().0;
        if color == ColorType::Indexed && palette.is_empty() {
            return Err("it has no palette".to_owned());
        }
        let length = opacity.map_or(0, <[u8]>::len);
        let fits = opacity.is_none()
            || match color {
                ColorType::Indexed => (1..=palette.len()).contains(&length),
                ColorType::Grayscale => length == 2,
                ColorType::Rgb => length == 6,
                _ => false,
            };
        if !fits {
            return Err("what it says about transparent colors does not fit its pixels".to_owned());
        }
        let opacity = |at: usize| opacity.and_then(|all| all.get(at)).copied().unwrap_or(u8::MAX);
        let color_of = |(at, &[red, green, blue]): (usize, &[u8; 3])| [red, green, blue, opacity(at)];
        let palette = palette.iter().enumerate().map(color_of).collect();
        Ok(Self { width, height, color, palette, left_out, plain })
    }
}

/// Returns the size and color type of a header.
fn header(data: &[u8]) -> Result<(u32, u32, ColorType), String> {
    let &[a, b, c, d, e, f, g, h, depth, color, 0, 0, 0 | 1] = data else {
        return Err("its header is not one of PNG".to_owned());
    };
    let (width, height) = (u32::from_be_bytes([a, b, c, d]), u32::from_be_bytes([e, f, g, h]));
    if !(1..=1 << 31).contains(&width) || !(1..=1 << 31).contains(&height) {
        return Err(format!("{width} x {height} pixels are no picture"));
    }
    let color = match (color, depth) {
        (0, 1 | 2 | 4 | 8 | 16) => ColorType::Grayscale,
        (2, 8 | 16) => ColorType::Rgb,
        (3, 1 | 2 | 4 | 8) => ColorType::Indexed,
        (4, 8 | 16) => ColorType::GrayscaleAlpha,
        (6, 8 | 16) => ColorType::Rgba,
        _ => return Err(format!("it has color type {color} with {depth} bits")),
    };
    Ok((width, height, color))
}
