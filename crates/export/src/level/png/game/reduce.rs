use super::plan::Extent;
use crate::Result;
use crate::picture::{Ink, Size};

/// Makes a picture smaller: each of its pixels is the average of those whose place it takes, weighted by opacity.
pub(super) struct Reduced {
    extent: Extent,
    size: Size,
    /// The first column of each pixel, and the end of the last.
    columns: Vec<usize>,
    /// For each pixel of the row: the number of pixels, the sum of their opacities, and their colors multiplied by it.
    sums: Vec<[u64; 5]>,
    /// The row that is summed.
    row: u32,
    out: Vec<Ink>,
}

type Push<'p> = &'p mut dyn FnMut(u32, &mut [Ink]) -> Result<()>;

impl Reduced {
    pub(super) fn new(extent: Extent, size: Size) -> Self {
        let width = u128::from(size.width);
        // Pixel `x` of the large picture belongs to pixel `x * width / extent.width`.
        let column = |at: u32| {
            usize::try_from((u128::from(at) * u128::from(extent.width)).div_ceil(width)).unwrap_or(usize::MAX)
        };
        Self {
            extent,
            size,
            columns: (0..=size.width).map(column).collect(),
            sums: vec![[0; 5]; size.width as usize],
            row: 0,
            out: Vec::new(),
        }
    }

    /// Adds a row of the large picture, and passes on the rows of the small one that end before it.
    pub(super) fn add(&mut self, y: u64, row: &[Ink], push: Push<'_>) -> Result<()> {
        let line = u128::from(y) * u128::from(self.size.height) / u128::from(self.extent.height);
        while u128::from(self.row) < line {
            self.pass_on(push)?;
        }
        for (sum, columns) in self.sums.iter_mut().zip(self.columns.windows(2)) {
            for ink in &row[columns[0]..columns[1]] {
                let [opacity, color @ ..] = ink.to_be_bytes().map(u64::from);
                sum[0] += 1;
                sum[1] += opacity;
                for (sum, part) in sum[2..].iter_mut().zip(color) {
                    *sum += part * opacity;
                }
            }
        }
        Ok(())
    }

    /// Passes on the rest of the small picture.
    pub(super) fn finish(mut self, push: Push<'_>) -> Result<()> {
        while self.row < self.size.height {
            self.pass_on(push)?;
        }
        Ok(())
    }

    fn pass_on(&mut self, push: Push<'_>) -> Result<()> {
        let mean =
            |sum: u64, count: u64| u8::try_from((sum + count / 2).checked_div(count).unwrap_or(0)).unwrap_or(u8::MAX);
        self.out.clear();
        self.out.extend(self.sums.iter().map(|&[count, opacity, red, green, blue]| {
            let [red, green, blue] = [red, green, blue].map(|sum| mean(sum, opacity));
            Ink::from_be_bytes([mean(opacity, count), red, green, blue])
        }));
        push(self.row, &mut self.out)?;
        self.row += 1;
        self.sums.fill([0; 5]);
        Ok(())
    }
}
