//! Writes the rows of a scene as a picture: with a palette if its colors fit one, and reduced in size if asked.

use std::io::Write;

use super::colors::Colors;
use super::compose::{Inks, paint};
use super::legend::Legend;
use super::marks::Marks;
use super::reduce::Reduced;
use super::scene::{Flat, Scene};
use super::stamp::Pixel;
use crate::Result;
use crate::picture::{Format, Ink, Size, write};

/// A row of a drawn level.
#[derive(Clone, Copy, Debug)]
pub enum Row<'r> {
    /// Indices into the palette of the level. An index that no picture uses is transparent.
    Indices(&'r [u8]),
    /// Colors as `0xAARRGGBB`.
    Colors(&'r [u32]),
}

/// Where a picture goes.
pub(super) enum Output<'o> {
    Png(&'o mut dyn Write),
    Rows(&'o mut dyn FnMut(Row<'_>) -> Result<()>),
}

/// Takes the rows of a picture.
type Push<'o, P> = &'o mut dyn FnMut(&[P]) -> Result<()>;

/// A picture of a scene.
pub(super) struct Picture<'s, 'p> {
    pub(super) scene: &'s Scene<'p>,
    pub(super) marks: Marks,
    /// The size of the picture without the legend.
    pub(super) size: Size,
    /// Every how many rows of the scene are painted.
    pub(super) stride: u64,
    pub(super) legend: Option<Legend>,
}

impl Picture<'_, '_> {
    /// Draws the picture.
    pub(super) fn draw(&self, output: Output<'_>) -> Result<()> {
        let Self { scene, size, .. } = self;
        let is_whole = scene.extent() == (size.width.into(), size.height.into());
        if is_whole && matches!(scene.flat, Flat::Nothing) {
            let fills = scene.layers.iter().filter(|layer| layer.is_filled).map(|layer| layer.fill);
            if let Some((clear, colors)) = scene.gallery.indexed(fills) {
                let format = (0..=u8::MAX)
                    .zip(&colors)
                    .map(|(index, &[red, green, blue])| [red, green, blue, if index == clear { 0 } else { 0xFF }]);
                return self.whole(&Inks::indexed(scene, clear, &colors), &Format::Indexed(format.collect()), output);
            }
        }
        if is_whole && let Some(colors) = Colors::of(scene) {
            return self.whole(&Inks::of(&colors, scene), &Format::Indexed(colors.palette()), output);
        }
        self.direct(output)
    }

    /// Draws the picture without a palette.
    pub(super) fn direct(&self, output: Output<'_>) -> Result<()> {
        let Self { scene, size, .. } = self;
        let is_whole = scene.extent() == (size.width.into(), size.height.into());
        let format = if scene.background.to_be_bytes()[0] == 0xFF { Format::Rgb } else { Format::Rgba };
        let inks = Inks::direct(scene);
        if is_whole { self.whole(&inks, &format, output) } else { self.reduced(&inks, &format, output) }
    }

    fn whole<P: Pixel>(&self, inks: &Inks<'_, P>, format: &Format, output: Output<'_>) -> Result<()> {
        self.output(inks, format, output, &mut |push| {
            paint(self.scene, inks, self.stride, &mut |y, row| {
                self.mark(y, inks, row);
                push(row)
            })
        })
    }

    fn reduced(&self, inks: &Inks<'_, Ink>, format: &Format, output: Output<'_>) -> Result<()> {
        self.output(inks, format, output, &mut |push| {
            let mut reduced = Reduced::new(self.scene.extent(), self.size);
            let mut push = |y: u32, row: &mut [Ink]| {
                self.mark(y.into(), inks, row);
                push(row)
            };
            paint(self.scene, inks, self.stride, &mut |y, row| reduced.add(y, row, &mut push))?;
            reduced.finish(&mut push)
        })
    }

    /// Draws the marks in a row.
    fn mark<P: Copy>(&self, y: u64, inks: &Inks<'_, P>, row: &mut [P]) {
        if let Ok(y) = u32::try_from(y) {
            self.marks.draw(y, inks.mark, row);
        }
    }

    /// Writes the rows that `paint` passes on, and the legend.
    fn output<P: Pixel>(
        &self,
        inks: &Inks<'_, P>,
        format: &Format,
        output: Output<'_>,
        paint: &mut dyn FnMut(Push<'_, P>) -> Result<()>,
    ) -> Result<()> {
        let out = match output {
            Output::Rows(push) => return paint(&mut |row| push(P::row(row))),
            Output::Png(out) => out,
        };
        let size = self.legend.as_ref().map_or(self.size, |legend| legend.below(self.size));
        write(out, size, format, |rows| {
            let mut push = |row: &[P]| match P::row(row) {
                Row::Indices(row) => rows.push_indices(row),
                Row::Colors(row) => rows.push(row),
            };
            let Some(legend) = &self.legend else { return paint(&mut push) };
            let mut whole = vec![inks.background; size.width as usize];
            paint(&mut |row| {
                whole[..row.len()].copy_from_slice(row);
                push(&whole)
            })?;
            legend.rows().try_for_each(|line| {
                whole.fill((inks.pixel)(super::legend::PAPER));
                whole.iter_mut().zip(line).for_each(|(to, &color)| *to = (inks.pixel)(color));
                push(&whole)
            })
        })
    }
}
