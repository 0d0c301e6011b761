use std::ops::Range;

use crate::level::palette::Rgb;
use crate::picture::Ink;

/// Red, green and blue multiplied by the opacity, and the opacity, each from 0 to 255; or sums of them.
pub(super) type Color = [f32; 4];

/// Maximum number of pixels in a row or column that are looked at for an average that is not prepared.
const MAX_SAMPLES: u32 = 4;

/// Returns a color.
pub(super) fn color([red, green, blue]: Rgb, opacity: u8) -> Color {
    let part = |part: u8| f32::from(part) * f32::from(opacity) / 255.0;
    [part(red), part(green), part(blue), f32::from(opacity)]
}

/// Returns the ink of a color.
#[expect(clippy::cast_possible_truncation, reason = "such casts saturate")]
pub(super) fn ink([red, green, blue, opacity]: Color) -> Ink {
    let round = |part: f32| (part + 0.5) as u8;
    if round(opacity) == 0 {
        return 0;
    }
    let [red, green, blue] = [red, green, blue].map(|part| round(part * 255.0 / opacity));
    Ink::from_be_bytes([round(opacity), red, green, blue])
}

/// Adds the pixels of one color.
pub(super) fn add(to: &mut Color, color: Color, share: f32) {
    for (to, part) in to.iter_mut().zip(color) {
        *to += part * share;
    }
}

/// Returns the sum of the pixels of a rectangle, by looking at some of them.
pub(super) fn sampled(columns: Range<u32>, rows: Range<u32>, pixel: impl Fn(u32, u32) -> Color) -> Color {
    let samples = |range: &Range<u32>| {
        let (start, length) = (range.start, range.end.saturating_sub(range.start));
        let count = length.min(MAX_SAMPLES);
        let weight = length as f32 / count.max(1) as f32;
        // Those in the middle of equal parts.
        let place = move |at: u32| (2 * u64::from(at) + 1) * u64::from(length) / (2 * u64::from(count));
        ((0..count).map(move |at| start + u32::try_from(place(at)).unwrap_or(0)), weight)
    };
    let ((columns, wide), (rows, high)) = (samples(&columns), samples(&rows));
    let mut sum = [0.0; 4];
    for y in rows {
        for x in columns.clone() {
            add(&mut sum, pixel(x, y), wide * high);
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_pixels_are_all_looked_at_and_many_are_sampled() {
        let pixel = |x: u32, y: u32| [x as f32, y as f32, 0.0, 1.0];
        assert_eq!(sampled(2..5, 7..8, pixel), [9.0, 21.0, 0.0, 3.0]);
        // 1, 3, 5 and 7 stand for two columns each.
        assert_eq!(sampled(0..8, 0..1, pixel), [32.0, 0.0, 0.0, 8.0]);
        assert_eq!(sampled(3..3, 0..1, pixel), [0.0; 4]);
    }

    #[test]
    fn inks_round_and_have_no_color_when_they_are_clear() {
        assert_eq!(ink(color([1, 2, 3], 0xFF)), 0xFF01_0203);
        assert_eq!(ink(color([200, 100, 50], 168)), 0xA8C8_6432);
        assert_eq!(ink([0.2, 0.0, 0.0, 0.4]), 0);
    }
}
