//! Draws small pictures of models as PNG, rendered in software.
//!
//! A picture shows the same as the model's [GLB](crate::model::glb): the best level of detail of each object, posed
//! at time 0, with its materials and textures. The model is seen from the front, slightly from above and from one
//! side, and fills the picture; the background is transparent.
//!
//! The amount of drawing is limited, whatever the file contains. Anything past a limit is omitted, and [`Report`]
//! says how much.

mod camera;
mod colors;
mod draw;
mod raster;

use std::io::Write;

use worldview_island::{Library, LodsAt, Scope, WorldNames};

use crate::model::glb::{self, draft::Draft};
use crate::{Encoding, Result};

/// Options for a preview of a model.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Width and height in pixels, at most [`Options::MOST_SIZE`].
    pub size: u32,
    /// The code page of names in the report.
    pub encoding: Encoding,
}

impl Options {
    /// Maximum width and height in pixels.
    pub const MOST_SIZE: u32 = 1024;

    /// Sets the width and height in pixels.
    #[must_use]
    pub const fn size(mut self, pixels: u32) -> Self {
        self.size = pixels;
        self
    }

    /// Sets the code page of names.
    #[must_use]
    pub const fn encoding(mut self, encoding: Encoding) -> Self {
        self.encoding = encoding;
        self
    }
}

impl Default for Options {
    fn default() -> Self {
        Self { size: 256, encoding: Encoding::default() }
    }
}

/// The result of drawing a preview.
#[non_exhaustive]
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The report on the models: what they contain, what is omitted, and unresolved names.
    pub models: glb::Report,
    /// The number of triangles and lines in the picture, seen from either side.
    pub triangles: u64,
    /// The number of triangles and lines that are omitted because drawing them would take too long.
    pub left_out: u64,
}

/// Draws a single model. The parameters are those of [`glb::model`](crate::model::glb::model()).
///
/// Objects that the animation hides at time 0 are not drawn, unless it hides everything.
///
/// # Errors
///
/// Returns an error under the same conditions as [`glb::model`](crate::model::glb::model()), and also:
///
/// - [`Error::Nothing`](crate::Error::Nothing) if there is nothing to draw
/// - [`Error::Limit`](crate::Error::Limit) if the picture is too large or drawing anything would take too long
pub fn model<'a>(
    library: &Library<'_, 'a>,
    blob: usize,
    scope: Scope,
    names: Option<&WorldNames<'a>>,
    options: &Options,
    out: &mut dyn Write,
) -> Result<Report> {
    let view = draw::View::checked(options, draw::Tilt::Object)?;
    let draft = Draft::model(library, (blob, scope), names, options.encoding)?;
    paint(library, draft, &view, out)
}

/// Draws a single part. The parameters are those of [`glb::part`](crate::model::glb::part()).
///
/// # Errors
///
/// Returns an error under the same conditions as [`model()`].
pub fn part<'a>(
    library: &Library<'_, 'a>,
    at: LodsAt,
    names: Option<&WorldNames<'a>>,
    options: &Options,
    out: &mut dyn Write,
) -> Result<Report> {
    let view = draw::View::checked(options, draw::Tilt::Object)?;
    let draft = Draft::part(library, at, names, options.encoding)?;
    paint(library, draft, &view, out)
}

/// Draws a world, seen from a higher angle. The parameters are those of [`glb::world`](crate::model::glb::world()).
///
/// Models that the game initially hides are not drawn, unless all of them are hidden.
///
/// # Errors
///
/// Returns an error under the same conditions as [`model()`].
pub fn world<'a>(
    library: &Library<'_, 'a>,
    world: usize,
    names: &WorldNames<'a>,
    options: &Options,
    out: &mut dyn Write,
) -> Result<Report> {
    let view = draw::View::checked(options, draw::Tilt::World)?;
    let draft = Draft::world(library, world, names, options.encoding)?;
    paint(library, draft, &view, out)
}

fn paint(library: &Library<'_, '_>, draft: Draft, view: &draw::View, out: &mut dyn Write) -> Result<Report> {
    let drawn = draw::draw(library, &draft, view)?;
    colors::write(&drawn.pixels, view.size, out)?;
    Ok(Report { models: draft.report, triangles: drawn.triangles, left_out: drawn.left_out })
}
