use std::collections::HashMap;

use worldview_core::Path;
use worldview_edit::account::{Column, Entry, SourcePlace};
use worldview_export::rez;
use worldview_rez::edit::PidPixel;
use worldview_rez::{Palette, Picture, Pid, flags};

use crate::codes::{COLORS_MATCHED, NOT_IN_FORMAT};
use crate::png::{decoded, leave_out_colors};
use worldview_edit::{Change, EditError, Planned, Result, Value};

/// Returns the changes that give a picture the pixels of a PNG: one that replaces the file.
///
/// Header, offset and palette stay, and so does the way in which pixels are packed. Pixels that look as before keep their index; others
/// get the index of their color, or of the nearest one, which an entry says. `palette` is for pictures without their own, as for
/// [`rez::png`](worldview_export::rez::png()). In a picture of light, the opacity of a pixel is the strength of the light.
///
/// Refused, by an entry with the number of pixels, is what the format cannot store:
///
/// - pixels that are partly transparent, or transparent in a picture without transparency
/// - another color than white in a picture of light
/// - a new width that is no multiple of four, in a PID without skipped runs: the engine refuses such files
///
/// # Errors
///
/// Returns an error if the pixels of the original cannot be read, or if the file is not a PNG or has more than 16,777,216 pixels.
pub fn picture(original: &Picture<'_>, palette: Option<&Palette>, edited: &[u8]) -> Result<Planned> {
    let (new, mut planned) = decoded(edited)?;
    let (channels, width) = (original.channels(), new.width);
    let (mut old, mut opacity) = (vec![0; original.pixels().saturating_mul(channels)], vec![0; original.pixels()]);
    original.decode_with_opacity(rez::color_key(original), &mut old, &mut opacity)?;
    if (width, new.height) != (original.width(), original.height()) {
        (old, opacity) = (Vec::new(), Vec::new());
    }
    let mut refused = Refused { width, found: Vec::new() };
    let mut ink = Ink::of(original, palette);
    let colors = ink.colors.map(|[red, green, blue, _]| [red, green, blue]);
    leave_out_colors(&new, &colors, &mut planned);
    let (is_same, bytes) = if channels == 1 {
        let (is_same, pixels) = ink.pixels(&new.colors(), &old, &opacity, &mut refused);
        let indices = || pixels.iter().map(|pixel| pixel.unwrap_or_default()).collect::<Vec<_>>();
        let bytes = match original {
            Picture::Pid(pid) => pid.with_pixels(width, &pixels),
            Picture::Pcx(pcx) => pcx.with_pixels(width, &indices()),
            Picture::Bmp(bmp) => bmp.with_pixels(width, &indices()),
            _ => None,
        };
        (is_same, bytes)
    } else {
        let pixels = opaque(&new.colors(), &mut refused);
        let Picture::Pcx(pcx) = original else { return Err(EditError::unsupported(&Path::new(), "has no palette")) };
        (pixels == old && refused.found.is_empty(), pcx.with_pixels(width, &pixels))
    };
    if is_same {
        return Ok(planned);
    }
    if let Picture::Pid(pid) = original
        && !pid.has_skip_runs()
        && width % 4 != 0
        && width != pid.width()
    {
        let why = format!("the engine only draws pictures of this kind whose width is a multiple of 4, not {width}");
        planned.refuse(&EditError::refused(&Path::new(), NOT_IN_FORMAT, why), SourcePlace::default());
    }
    refused.tell(&mut planned);
    if planned.account.refused() > 0 {
        return Ok(planned);
    }
    if ink.matched > 0 {
        let pixels = if ink.matched == 1 { "pixel has a color" } else { "pixels have colors" };
        let why = format!("{} {pixels} that the palette lacks, and got the nearest", ink.matched);
        planned.account.push(Entry::new(Column::Done, COLORS_MATCHED, &Path::new(), why));
    }
    let bytes = bytes.ok_or_else(|| EditError::unsupported(&Path::new(), "a PNG of this size fits into no picture"))?;
    let from = Some(Value::Bytes(original.source().bytes().to_vec()));
    planned.changes.push(Change::Set { path: Path::new(), from, to: Value::Bytes(bytes) });
    Ok(planned)
}

const NOT_TRANSPARENT: &str = "transparent, but this picture has no transparency";

/// Returns red, green and blue of opaque pixels.
fn opaque(colors: &[[u8; 4]], refused: &mut Refused) -> Vec<u8> {
    let pixel = |(&[red, green, blue, alpha], at): (&[u8; 4], u64)| {
        if alpha != u8::MAX {
            refused.add(NOT_TRANSPARENT, at);
        }
        [red, green, blue]
    };
    colors.iter().zip(0..).flat_map(pixel).collect()
}

/// The meaning of colors in a picture.
struct Ink {
    colors: [[u8; 4]; 256],
    /// The number of indices that have a color.
    count: usize,
    is_light: bool,
    has_skip_runs: bool,
    /// Whether each index is transparent wherever it is.
    transparent: [bool; 256],
    /// The index of each opaque color that was asked for, and whether it has that color.
    found: HashMap<[u8; 3], (u8, bool)>,
    /// The number of pixels that got another color than theirs.
    matched: u64,
}

impl Ink {
    fn of(picture: &Picture<'_>, palette: Option<&Palette>) -> Self {
        let (pid, count) = match picture {
            Picture::Pid(pid) => (Some(pid), 256),
            Picture::Bmp(bmp) => (None, bmp.colors().len()),
            _ => (None, 256),
        };
        let has_key = pid.is_some_and(|pid| pid.header().flags.get() & flags::TRANSPARENT != 0);
        let transparent = rez::color_key(picture).transparent(picture.palette().as_deref());
        Self {
            colors: rez::colors(picture, palette),
            count,
            is_light: pid.is_some_and(Pid::is_light),
            has_skip_runs: pid.is_some_and(Pid::has_skip_runs),
            transparent: if has_key { transparent } else { [false; 256] },
            found: HashMap::new(),
            matched: 0,
        }
    }

    /// Returns the pixels of new colors, and whether all of them are shown as the old ones.
    fn pixels(
        &mut self,
        colors: &[[u8; 4]],
        old: &[u8],
        opacity: &[u8],
        refused: &mut Refused,
    ) -> (bool, Vec<PidPixel>) {
        let (mut is_same, mut pixels) = (old.len() == colors.len(), Vec::with_capacity(colors.len()));
        let mut old = old.iter().zip(opacity);
        for (&color, at) in colors.iter().zip(0..) {
            if let Some((&index, &opacity)) = old.next()
                && self.shows(index, opacity, color)
            {
                let is_skipped = self.has_skip_runs && opacity == 0;
                pixels.push((!is_skipped).then_some(index));
                continue;
            }
            is_same = false;
            match self.pixel(color) {
                Ok(pixel) => pixels.push(pixel),
                Err(why) => refused.add(why, at),
            }
        }
        (is_same, pixels)
    }

    /// Whether an index of this opacity is shown as this color.
    fn shows(&self, index: u8, opacity: u8, [red, green, blue, alpha]: [u8; 4]) -> bool {
        let [old_red, old_green, old_blue, shown] = self.colors.get(usize::from(index)).copied().unwrap_or_default();
        let shown = shown.min(opacity);
        // Programs give any color to what nobody sees.
        shown == alpha && (alpha == 0 || [old_red, old_green, old_blue] == [red, green, blue])
    }

    /// Returns the pixel of a new color, or why there is none.
    fn pixel(&mut self, [red, green, blue, alpha]: [u8; 4]) -> std::result::Result<PidPixel, &'static str> {
        match alpha {
            0 if self.has_skip_runs => Ok(None),
            _ if self.is_light && (alpha == 0 || [red, green, blue] == [u8::MAX; 3]) => Ok(Some(alpha)),
            _ if self.is_light => {
                Err("a color, but in a picture of light all pixels are white, and the opacity is the strength")
            }
            0 => {
                let key = self.transparent.iter().position(|is| *is).and_then(|key| u8::try_from(key).ok());
                key.map(Some).ok_or(NOT_TRANSPARENT)
            }
            u8::MAX => Ok(Some(self.index([red, green, blue]))),
            _ => Err("partly transparent, but a pixel is either opaque or transparent"),
        }
    }

    /// Returns the index of an opaque color, or of the nearest one.
    fn index(&mut self, color: [u8; 3]) -> u8 {
        let (colors, transparent) = (&self.colors, &self.transparent);
        let (index, is_exact) = *self.found.entry(color).or_insert_with(|| {
            let distance = |[red, green, blue, _]: &[u8; 4]| {
                let parts = [red, green, blue].into_iter().zip(color);
                parts.map(|(one, other)| u32::from(one.abs_diff(other)).pow(2)).fold(0_u32, u32::saturating_add)
            };
            let opaque = (0..=u8::MAX)
                .zip(colors)
                .take(self.count)
                .zip(transparent)
                .filter(|(_, is_transparent)| !**is_transparent);
            let nearest = opaque.map(|((index, color), _)| (distance(color), index)).min();
            nearest.map_or((0, false), |(distance, index)| (index, distance == 0))
        });
        self.matched = self.matched.saturating_add(u64::from(!is_exact));
        index
    }
}

/// The pixels that are refused.
struct Refused {
    /// The width of the picture.
    width: u32,
    /// How many there are for each reason, and the first row.
    found: Vec<(&'static str, u64, u64)>,
}

impl Refused {
    fn add(&mut self, why: &'static str, at: u64) {
        match self.found.iter_mut().find(|(other, ..)| *other == why) {
            Some((_, count, _)) => *count = count.saturating_add(1),
            None => self.found.push((why, 1, at.checked_div(self.width.into()).unwrap_or(0))),
        }
    }

    fn tell(self, planned: &mut Planned) {
        for (why, count, row) in self.found {
            let pixels = if count == 1 { "pixel" } else { "pixels" };
            let error = EditError::refused(&Path::new(), NOT_IN_FORMAT, format!("{count} {pixels}: {why}"));
            planned.refuse(&error, SourcePlace::pointer(format!("pixel row {row}")));
        }
    }
}
