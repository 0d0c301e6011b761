use crate::Result;
use crate::picture::{Ink, Size};

/// The fully transparent ink.
const CLEAR: Ink = 0;

/// Makes a picture smaller: each of its pixels is the average of those whose place it takes, weighted by opacity.
///
/// In nearly all rows, pixels are either opaque or [`CLEAR`]. The parts of these are added up column by column
/// without weights, in 16 bits each, which is many times as fast.
pub(super) struct Reduced {
    height: u64,
    size: Size,
    /// The first column of each pixel, and the end of the last.
    columns: Vec<usize>,
    /// The least number of columns of a pixel. Others have one more.
    least: usize,
    /// The row that is summed, and the number of rows that were added to it.
    row: u32,
    rows: u64,
    /// For each column and one behind them, the sums as [`Lanes`].
    plain: Vec<Lanes>,
    /// The number of rows in `plain`, and the maximum.
    plain_rows: usize,
    most_plain: usize,
    /// For each pixel of the row: the sum of the opacities, and of red, green and blue multiplied by it; without the rows
    /// in `plain`.
    weighted: Vec<[u64; 4]>,
    is_weighted: bool,
    out: Vec<Ink>,
}

/// Blue, red, green and opacity, or sums of them, in 16 bits each.
type Lanes = u64;

type Push<'p> = &'p mut dyn FnMut(u32, &mut [Ink]) -> Result<()>;

/// The number of bytes whose sum fits into 16 bits.
const MAX: usize = 257;

/// 2^16 divided by each number and rounded up, for divisions of sums of that many bytes.
const RECIPROCALS: [Lanes; 16] = {
    let mut reciprocals = [0; 16];
    let mut number = 1;
    while number < reciprocals.len() {
        reciprocals[number] = (1_u64 << 16).div_ceil(number as u64);
        number += 1;
    }
    reciprocals
};

impl Reduced {
    pub(super) fn new((wide, height): (u64, u64), size: Size) -> Self {
        let width = u128::from(size.width);
        // Pixel `x` of the large picture belongs to pixel `x * width / wide`.
        let column =
            |at: u32| usize::try_from((u128::from(at) * u128::from(wide)).div_ceil(width)).unwrap_or(usize::MAX);
        let wide = usize::try_from(wide).unwrap_or(usize::MAX);
        let least = wide / size.width.max(1) as usize;
        Self {
            height,
            size,
            columns: (0..=size.width).map(column).collect(),
            least,
            row: 0,
            rows: 0,
            plain: vec![0; wide + 1],
            plain_rows: 0,
            most_plain: MAX / (least + 1),
            weighted: vec![[0; 4]; size.width as usize],
            is_weighted: false,
            out: Vec::new(),
        }
    }

    /// Adds a row of the large picture, and passes on the rows of the small one that end before it.
    pub(super) fn add(&mut self, y: u64, row: &[Ink], push: Push<'_>) -> Result<()> {
        let line = u128::from(y) * u128::from(self.size.height) / u128::from(self.height);
        while u128::from(self.row) < line {
            self.end_row(push)?;
        }
        self.rows += 1;
        if self.most_plain == 0 || !is_plain(row) {
            self.add_weighted(row);
            return Ok(());
        }
        if self.plain_rows == self.most_plain {
            self.weigh();
        }
        if self.plain_rows == 0 {
            for (sums, ink) in self.plain.iter_mut().zip(row) {
                *sums = lanes(*ink);
            }
        } else {
            for (sums, ink) in self.plain.iter_mut().zip(row) {
                *sums += lanes(*ink);
            }
        }
        self.plain_rows += 1;
        Ok(())
    }

    /// Passes on the rest of the small picture.
    pub(super) fn finish(mut self, push: Push<'_>) -> Result<()> {
        while self.row < self.size.height {
            self.end_row(push)?;
        }
        Ok(())
    }

    fn add_weighted(&mut self, row: &[Ink]) {
        self.is_weighted = true;
        for (sums, columns) in self.weighted.iter_mut().zip(self.columns.windows(2)) {
            row[columns[0]..columns[1]].iter().for_each(|&ink| add(sums, ink));
        }
    }

    /// Moves the sums of `plain` to `weighted`.
    fn weigh(&mut self) {
        self.is_weighted = true;
        if self.plain_rows == 0 {
            return;
        }
        self.plain_rows = 0;
        let Self { columns, least, plain, weighted, .. } = self;
        for (sums, columns) in weighted.iter_mut().zip(columns.windows(2)) {
            let [blue, red, green, opacity] = parts(of_columns(plain, columns, *least)).map(u64::from);
            for (sum, add) in sums.iter_mut().zip([opacity, red * 0xFF, green * 0xFF, blue * 0xFF]) {
                *sum += add;
            }
        }
    }

    fn end_row(&mut self, push: Push<'_>) -> Result<()> {
        if self.is_weighted {
            self.weigh();
        }
        let Self { columns, least, rows, plain, plain_rows, weighted, out, .. } = self;
        out.clear();
        if self.is_weighted {
            out.extend(weighted.iter().zip(columns.windows(2)).map(|(&[opacity, red, green, blue], columns)| {
                let count = (columns[1] - columns[0]) as u64 * *rows;
                let [red, green, blue] = [red, green, blue].map(|sum| mean(sum, opacity));
                Ink::from_be_bytes([mean(opacity, count), red, green, blue])
            }));
            weighted.fill([0; 4]);
        } else if *plain_rows == 0 {
            out.resize(weighted.len(), CLEAR);
        } else {
            out.extend(columns.windows(2).map(|columns| {
                let (sums, count) = (of_columns(plain, columns, *least), (columns[1] - columns[0]) * *plain_rows);
                let [blue, red, green, opacity] = parts(sums).map(u64::from);
                match RECIPROCALS.get(count) {
                    _ if sums == 0 => CLEAR,
                    Some(reciprocal) if opacity == 0xFF * count as u64 => opaque_mean(sums, count, *reciprocal),
                    _ => {
                        // The weights cancel out: some of the pixels have the same one, and the others none.
                        let [red, green, blue] = [red, green, blue].map(|sum| mean(sum, opacity / 0xFF));
                        Ink::from_be_bytes([mean(opacity, count as u64), red, green, blue])
                    }
                }
            }));
        }
        push(self.row, &mut self.out)?;
        self.row += 1;
        (self.rows, self.plain_rows, self.is_weighted) = (0, 0, false);
        Ok(())
    }
}

/// Returns whether all pixels are opaque or clear.
fn is_plain(row: &[Ink]) -> bool {
    const STEP: Ink = 1 << 24;
    // Opaque inks become less than that, and the clear one becomes equal to it. All are looked at, since a loop without
    // exits is faster.
    row.iter().fold(true, |all, ink| all & (ink.wrapping_add(STEP) <= STEP))
}

#[inline]
fn lanes(ink: Ink) -> Lanes {
    const EVERY_OTHER: Ink = 0x00FF_00FF;
    Lanes::from(ink & EVERY_OTHER) | (Lanes::from((ink >> 8) & EVERY_OTHER) << 32)
}

#[inline]
fn parts(lanes: Lanes) -> [u16; 4] {
    let [b, c, d, e, f, g, h, i] = lanes.to_le_bytes();
    [[b, c], [d, e], [f, g], [h, i]].map(u16::from_le_bytes)
}

/// Returns the sums of the columns of a pixel.
#[inline]
fn of_columns(plain: &[Lanes], columns: &[usize], least: usize) -> Lanes {
    let (start, count) = (columns[0], columns[1] - columns[0]);
    let (first, rest) = plain[start..].split_at(least);
    // A factor, because the branch is unpredictable.
    first.iter().sum::<Lanes>() + rest[0] * Lanes::from(count > least)
}

/// Returns the rounded means of `count` opaque inks.
#[inline]
fn opaque_mean(sums: Lanes, count: usize, reciprocal: Lanes) -> Ink {
    const PAIR: Lanes = 0x1_0000_0001;
    // Two of the parts at a time, in 32 bits each.
    let half = count as u64 / 2 * PAIR;
    let quotients = |sums: Lanes| ((((sums & (0xFFFF * PAIR)) + half) * reciprocal) >> 16) & (0xFF * PAIR);
    let (blue_green, red_opacity) = (quotients(sums), quotients(sums >> 16));
    let [blue, _, red, _, green, _, opacity, _] = (blue_green | (red_opacity << 16)).to_le_bytes();
    Ink::from_le_bytes([blue, green, red, opacity])
}

/// Adds the opacity of an ink, and its red, green and blue multiplied by it.
#[inline]
pub(super) fn add(sums: &mut [u64; 4], ink: Ink) {
    let [opacity, color @ ..] = ink.to_be_bytes().map(u64::from);
    sums[0] += opacity;
    for (sum, part) in sums[1..].iter_mut().zip(color) {
        *sum += part * opacity;
    }
}

/// Returns a rounded mean.
pub(super) fn mean(sum: u64, count: u64) -> u8 {
    u8::try_from((sum + count / 2).checked_div(count).unwrap_or(0)).unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the small picture, by adding up the pixels of each of its pixels.
    fn expected(large: &[Ink], (wide, high): (usize, usize), (width, height): (usize, usize)) -> Vec<Ink> {
        let one = |x: usize, y: usize| {
            let mut sums = [0_u64; 5];
            for (at, ink) in large.iter().enumerate() {
                if (at % wide) * width / wide == x && (at / wide) * height / high == y {
                    let [opacity, color @ ..] = ink.to_be_bytes().map(u64::from);
                    let of = [1, opacity, color[0] * opacity, color[1] * opacity, color[2] * opacity];
                    sums.iter_mut().zip(of).for_each(|(sum, part)| *sum += part);
                }
            }
            let rounded = |sum: u64, count: u64| {
                let count = count.max(1);
                u8::try_from((2 * sum + count) / (2 * count)).unwrap()
            };
            let [count, opacity, color @ ..] = sums;
            let [red, green, blue] = color.map(|sum| rounded(sum, opacity));
            Ink::from_be_bytes([rounded(opacity, count), red, green, blue])
        };
        (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).map(|(x, y)| one(x, y)).collect()
    }

    #[test]
    fn pixels_are_weighted_means() {
        let mut state = 7_u32;
        let mut random = || {
            state = state.wrapping_mul(0x0019_660D).wrapping_add(0x3C6E_F35F);
            state >> 8
        };
        let sizes =
            [((40, 30), (27, 19)), ((64, 64), (1, 1)), ((600, 9), (2, 2)), ((20, 300), (19, 1)), ((5, 5), (5, 4))];
        for ((wide, high), (width, height)) in sizes {
            // Of 16 rows, none, one or all have translucent pixels.
            for translucent in [0, 1, 16] {
                let large: Vec<Ink> = (0..wide * high)
                    .map(|at| match random() % 4 {
                        0 => 0,
                        1 if (at / wide) % 16 < translucent => (random() << 8) | (random() % 256),
                        _ => 0xFF00_0000 | random(),
                    })
                    .collect();
                let extent = (wide as u64, high as u64);
                let [width_of, height_of] = [width, height].map(|side| u32::try_from(side).unwrap());
                let size = Size { width: width_of, height: height_of };
                let (mut reduced, mut small) = (Reduced::new(extent, size), Vec::new());
                let mut push = |y: u32, row: &mut [Ink]| {
                    assert_eq!(small.len(), y as usize * width);
                    small.extend_from_slice(row);
                    Ok(())
                };
                for (y, row) in (0..).zip(large.chunks(wide)) {
                    reduced.add(y, row, &mut push).unwrap();
                }
                reduced.finish(&mut push).unwrap();
                assert_eq!(small, expected(&large, (wide, high), (width, height)), "{wide}x{high}, {translucent}");
            }
        }
    }
}
