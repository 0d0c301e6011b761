//! Small pictures of models, as PNG, drawn without a graphics card.
//!
//! A model is drawn as its [GLB](crate::model::glb) would be: the best level of detail of each object, posed as at time 0, with
//! its materials and textures. It is seen from the front, somewhat from above and from the side, and fills the picture;
//! behind it is nothing. Turned pictures are side by side, all of one scale, so that it can be turned by showing
//! one after the other.
//!
//! What is drawn is bounded, whatever the file holds: past a bound the rest is left out, and [`Report`] tells how much.

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
    /// Width and height of one picture in pixels, at most [`Options::MOST_SIZE`].
    pub size: u32,
    /// The number of pictures side by side, each turned about the vertical by an equal share of a full turn.
    ///
    /// From picture to picture what is in front moves to the right. All together have at most [`Options::MOST_PIXELS`].
    pub views: u32,
    /// The code page of names, for the report.
    pub encoding: Encoding,
}

impl Options {
    /// The largest width and height of one picture.
    pub const MOST_SIZE: u32 = 1024;
    /// How many pixels all pictures side by side have at most.
    pub const MOST_PIXELS: u64 = 1 << 22;

    /// Sets the width and height of one picture in pixels.
    #[must_use]
    pub const fn size(mut self, pixels: u32) -> Self {
        self.size = pixels;
        self
    }

    /// Sets how many turned pictures there are side by side.
    #[must_use]
    pub const fn views(mut self, count: u32) -> Self {
        self.views = count;
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
        Self { size: 256, views: 1, encoding: Encoding::default() }
    }
}

/// What became of a picture.
#[non_exhaustive]
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// What became of the models: what there is of them, what is left out, names that lead nowhere.
    pub models: glb::Report,
    /// Triangles and lines that one picture shows from one side or the other.
    pub triangles: u64,
    /// How many are left out, of all pictures, since they would take too long.
    pub left_out: u64,
}

/// Draws a model alone; the parameters are those of [`glb::model`](crate::model::glb::model()).
///
/// What the animation hides at time 0 is not drawn, unless that is everything.
///
/// # Errors
///
/// Returns an error as [`glb::model`](crate::model::glb::model()) does, [`Error::Nothing`](crate::Error::Nothing) if there is
/// nothing to draw, and [`Error::Limit`](crate::Error::Limit) if the picture is too large or nothing can be drawn in time.
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

/// Draws a part alone; the parameters are those of [`glb::part`](crate::model::glb::part()).
///
/// # Errors
///
/// Returns an error as [`model()`] does.
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

/// Draws a world, from higher above; the parameters are those of [`glb::world`](crate::model::glb::world()).
///
/// Models that the game does not show at first are not drawn, unless these are all.
///
/// # Errors
///
/// Returns an error as [`model()`] does.
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
    colors::write(&drawn.pixels, view.sheet(), view.views > 1, out)?;
    Ok(Report { models: draft.report, triangles: drawn.triangles, left_out: drawn.left_out })
}
