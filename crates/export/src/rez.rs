//! Pictures of REZ archives as PNG.

use std::io::Write;

use worldview_core::Error as FormatError;
use worldview_rez::{ColorKey, File, Palette, Picture, Rez};

use crate::picture::{self, Format, Ink, Size, opaque};
use crate::{Error, Limit, Result};

/// Writes a picture as PNG: with a palette if 256 colors are enough for its pixels and their opacity, otherwise as RGB
/// or RGBA.
///
/// `palette` is for pictures without their own, usually that of the level: [`palette_of`]. Without any, indices are
/// shades of gray. Pictures of light are white, and their indices the opacity.
///
/// Skipped pixels are transparent, and so are, in a picture with the flag for that, those of the key color: ff0084 if
/// the picture's own palette has that color, as in Gruntz, otherwise index 0.
///
/// If the pixels end early, those that are present are written, and the error is returned as a value.
///
/// # Errors
///
/// Returns an error if the picture has more than `max_pixels` pixels, or if writing to `out` fails.
pub fn png(
    picture: &Picture<'_>,
    palette: Option<&Palette>,
    max_pixels: u64,
    mut out: impl Write,
) -> Result<Option<FormatError>> {
    let size = size_within(picture, max_pixels)?;
    let (channels, (mut pixels, opacity, broken)) = (picture.channels(), decode(picture));
    let width = size.width as usize;
    let mut row: Vec<Ink> = Vec::with_capacity(width);
    if channels == 3 {
        picture::write(&mut out, size, &Format::Rgb, |rows| {
            pixels.as_chunks().0.chunks(width).try_for_each(|colors| {
                row.clear();
                row.extend(colors.iter().map(|color| opaque(*color)));
                rows.push(&row)
            })
        })?;
        return Ok(broken);
    }
    let mut colors = colors(picture, palette);
    let Some(format) = indexed(&mut colors, &mut pixels, &opacity) else {
        picture::write(&mut out, size, &Format::Rgba, |rows| {
            pixels.chunks(width).zip(opacity.chunks(width)).try_for_each(|(indices, opacity)| {
                row.clear();
                row.extend(indices.iter().zip(opacity).map(|(index, opacity)| {
                    let [red, green, blue, _] = colors[usize::from(*index)];
                    Ink::from_be_bytes([*opacity, red, green, blue])
                }));
                rows.push(&row)
            })
        })?;
        return Ok(broken);
    };
    picture::write(&mut out, size, &format, |rows| {
        pixels.chunks(width).try_for_each(|indices| {
            row.clear();
            row.extend(indices.iter().map(|index| Ink::from(*index)));
            rows.push(&row)
        })
    })?;
    Ok(broken)
}

/// Returns the pixels of a picture as red, green, blue and opacity, in rows from the top: the colors that [`png()`] writes.
///
/// If the pixels end early, the error is returned as a value.
///
/// # Errors
///
/// Returns an error if the picture has more than `max_pixels` pixels.
pub fn rgba(
    picture: &Picture<'_>,
    palette: Option<&Palette>,
    max_pixels: u64,
) -> Result<(Vec<[u8; 4]>, Option<FormatError>)> {
    size_within(picture, max_pixels)?;
    let (pixels, opacity, broken) = decode(picture);
    let colors = colors(picture, palette);
    let color = |(pixel, opacity): (&[u8], &u8)| match *pixel {
        [index] => {
            let [red, green, blue, shown] = colors[usize::from(index)];
            [red, green, blue, shown.min(*opacity)]
        }
        [red, green, blue, ..] => [red, green, blue, *opacity],
        _ => [0; 4],
    };
    Ok((pixels.chunks_exact(picture.channels()).zip(&opacity).map(color).collect(), broken))
}

/// Returns the size of a picture, or an error if it has too many pixels.
fn size_within(picture: &Picture<'_>, max_pixels: u64) -> Result<Size> {
    let size = Size { width: picture.width(), height: picture.height() };
    if size.pixels() > max_pixels {
        let what = "the pixels of a picture";
        return Err(Error::Limit { of: Limit::Pixels, what, need: size.pixels(), limit: max_pixels });
    }
    Ok(size)
}

/// Returns the pixels, their opacity, and the error if they end early.
fn decode(picture: &Picture<'_>) -> (Vec<u8>, Vec<u8>, Option<FormatError>) {
    let count = picture.pixels();
    let (mut pixels, mut opacity) = (vec![0; count * picture.channels()], vec![0; count]);
    let broken = picture.decode_with_opacity(color_key(picture), &mut pixels, &mut opacity).err();
    (pixels, opacity, broken)
}

/// Returns the palette that the game shows a file's picture with, if the picture has none of its own: `MAIN.PAL` in the
/// directory `PALETTES` of the nearest directory that has one, or else the first such file in the archive.
pub fn palette_of<'a>(archive: &Rez<'a>, file: &File<'_, 'a>) -> Option<&'a Palette> {
    let main = |directory: worldview_rez::Directory<'_, 'a>| {
        let file = directory.directory("PALETTES")?.file("MAIN.PAL")?;
        Palette::parse(file.data()).ok()
    };
    let above = std::iter::successors(Some(file.parent()), worldview_rez::Directory::parent);
    above.into_iter().find_map(main).or_else(|| archive.root().directories().find_map(main))
}

/// Returns what is transparent in a picture with the flag for that: ff0084 if its own palette has that color, as in Gruntz, otherwise
/// index 0.
pub fn color_key(picture: &Picture<'_>) -> ColorKey {
    let ColorKey::Color(pink) = ColorKey::GRUNTZ else { return ColorKey::CLAW };
    let has_pink = picture.palette().is_some_and(|palette| palette.colors.contains(&pink));
    if has_pink { ColorKey::GRUNTZ } else { ColorKey::CLAW }
}

/// Returns the red, green, blue and opacity that [`png()`] shows for each index, with a palette for pictures without their own.
pub fn colors(picture: &Picture<'_>, palette: Option<&Palette>) -> [[u8; 4]; 256] {
    let is_light = matches!(picture, Picture::Pid(pid) if pid.is_light());
    let own = picture.palette();
    let palette = own.as_deref().or(palette);
    std::array::from_fn(|index| {
        let shade = u8::try_from(index).unwrap_or(u8::MAX);
        let [red, green, blue] = match palette {
            _ if is_light => return [0xFF, 0xFF, 0xFF, shade],
            Some(palette) => palette.color(shade),
            None => [shade; 3],
        };
        [red, green, blue, 0xFF]
    })
}

/// Turns opacity into a palette entry: that of an index which only transparent pixels have, or that no pixel has.
/// Returns `None` if there is none.
fn indexed(colors: &mut [[u8; 4]; 256], pixels: &mut [u8], opacity: &[u8]) -> Option<Format> {
    if opacity.contains(&0) {
        let (mut shown, mut hidden) = ([false; 256], [false; 256]);
        for (index, opacity) in pixels.iter().zip(opacity) {
            let seen = if *opacity == 0 { &mut hidden } else { &mut shown };
            seen[usize::from(*index)] = true;
        }
        let free = |index: &usize| !shown[*index];
        let clear = (0..256).find(|index| free(index) && hidden[*index]).or_else(|| (0..256).find(free))?;
        let index = u8::try_from(clear).ok()?;
        colors[clear][3] = 0;
        for (pixel, _) in pixels.iter_mut().zip(opacity).filter(|(_, opacity)| **opacity == 0) {
            *pixel = index;
        }
    }
    Some(Format::Indexed(colors.to_vec()))
}
