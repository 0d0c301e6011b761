//! Writes pictures with an alpha channel as PNG, with a palette where possible.

use std::collections::HashMap;
use std::io::Write;

use crate::Result;
use crate::picture::{colored, numbered};

/// Red, green, blue and opacity.
type Color = [u8; 4];

/// The size of a palette.
const MOST: usize = 256;

/// Writes a picture. It has a palette if it contains few colors or if `few` is set, which allows similar colors to
/// be merged.
pub(super) fn write(pixels: &[Color], (wide, high): (usize, usize), few: bool, out: &mut dyn Write) -> Result<()> {
    let size = [wide, high].map(|side| u32::try_from(side).unwrap_or(u32::MAX));
    let mut counts: HashMap<Color, u64> = HashMap::new();
    // Most pixels are equal to the one before, or transparent.
    for run in pixels.chunk_by(PartialEq::eq) {
        *counts.entry(run[0]).or_default() += run.len() as u64;
    }
    if counts.len() > MOST && !few {
        return colored(out, size.into(), pixels.chunks(wide));
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    // Transparent pixels first; sorting also makes the result independent of the order of the hash map.
    counts.sort_unstable_by_key(|&([red, green, blue, opacity], _)| [opacity, red, green, blue]);
    let (palette, numbers) = reduce(&counts);
    let rows = pixels.chunks(wide).map(|row| {
        let mut out = Vec::with_capacity(row.len());
        for run in row.chunk_by(PartialEq::eq) {
            let number = numbers.get(&run[0]).copied().unwrap_or_default();
            out.resize(out.len() + run.len(), number);
        }
        out
    });
    numbered(out, size.into(), palette, rows)
}

/// Returns a palette for these colors, and the index of each color in it.
fn reduce(counts: &[(Color, u64)]) -> (Vec<Color>, HashMap<Color, u8>) {
    let boxes = if counts.len() <= MOST { each(counts) } else { split(counts) };
    let mut numbers = HashMap::new();
    for (number, (_, colors)) in (0..=u8::MAX).zip(&boxes) {
        numbers.extend(colors.iter().map(|&color| (color, number)));
    }
    (boxes.into_iter().map(|(mean, _)| mean).collect(), numbers)
}

fn each(counts: &[(Color, u64)]) -> Vec<(Color, Vec<Color>)> {
    counts.iter().map(|&(color, _)| (color, vec![color])).collect()
}

/// Similar colors, and their variation around the mean.
struct Cluster {
    colors: Vec<(Color, u64)>,
    mean: [f64; 4],
    /// The sum of squared differences from the mean, for each component.
    spread: [f64; 4],
}

impl Cluster {
    #[expect(clippy::cast_precision_loss, reason = "pictures are small")]
    fn of(colors: Vec<(Color, u64)>) -> Self {
        let count: f64 = colors.iter().map(|&(_, count)| count as f64).sum();
        let sum = |value: &dyn Fn(f64, usize) -> f64| -> [f64; 4] {
            std::array::from_fn(|i| {
                colors.iter().map(|&(color, count)| value(color[i].into(), i) * count as f64).sum::<f64>()
            })
        };
        let mean = sum(&|part, _| part).map(|sum| sum / count.max(1.0));
        let spread = sum(&|part, i| (part - mean[i]) * (part - mean[i]));
        Self { colors, mean, spread }
    }

    /// Returns the component with the largest variation.
    fn widest(&self) -> usize {
        (0..4).max_by(|&a, &b| self.spread[a].total_cmp(&self.spread[b])).unwrap_or(0)
    }

    fn error(&self) -> f64 {
        self.spread.iter().sum()
    }
}

/// Repeatedly splits the cluster with the largest variation at its mean.
fn split(counts: &[(Color, u64)]) -> Vec<(Color, Vec<Color>)> {
    // Transparent pixels stay fully transparent.
    let (nothing, colors): (Vec<_>, Vec<_>) = counts.iter().copied().partition(|(color, _)| color[3] == 0);
    let mut clusters = vec![Cluster::of(colors)];
    while clusters.len() + usize::from(!nothing.is_empty()) < MOST {
        let errors = clusters.iter().map(Cluster::error).enumerate();
        let Some((worst, error)) = errors.max_by(|a, b| a.1.total_cmp(&b.1)) else { break };
        if error <= 0.0 {
            break;
        }
        let Cluster { colors, mean, spread } = clusters.swap_remove(worst);
        let part = Cluster { colors: Vec::new(), mean, spread }.widest();
        let (low, high): (Vec<_>, Vec<_>) =
            colors.into_iter().partition(|(color, _)| f64::from(color[part]) <= mean[part]);
        clusters.extend([low, high].map(Cluster::of));
    }
    let mut out = each(&nothing);
    out.extend(clusters.into_iter().map(|cluster| {
        let colors = cluster.colors.into_iter().map(|(color, _)| color).collect();
        (cluster.mean.map(nearest), colors)
    }));
    out
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a mean of bytes is one")]
fn nearest(value: f64) -> u8 {
    value.round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A plane of 4,096 colors with equal numbers of pixels. 256 of them can be 16 apart.
    #[test]
    fn few_colors_are_near_many() {
        let steps = || (0..64_u8).map(|step| step * 4);
        let plane = steps().flat_map(|red| steps().map(move |green| ([red, green, 255 - red, 255], 3)));
        let counts: Vec<_> = std::iter::once(([0; 4], 1_000_000)).chain(plane).collect();
        let (palette, numbers) = reduce(&counts);
        assert_eq!((palette.len(), numbers.len()), (MOST, 4097));
        let near = |color: &Color| palette[usize::from(numbers[color])];
        assert_eq!(near(&[0; 4]), [0; 4]);
        for (color, _) in &counts[1..] {
            assert!(color.iter().zip(near(color)).all(|(a, b)| a.abs_diff(b) <= 24), "{color:?} {:?}", near(color));
        }
    }

    #[test]
    fn few_colors_stay() {
        let counts: Vec<_> = (0..=255).map(|part| ([part, 7, 255 - part, part], 1)).collect();
        let (palette, numbers) = reduce(&counts);
        assert!(counts.iter().all(|(color, _)| palette[usize::from(numbers[color])] == *color));
    }
}
