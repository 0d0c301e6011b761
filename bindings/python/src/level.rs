//! Levels and their planes.

use std::sync::Arc;

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyMappingProxy, PyMemoryView, PyTuple};
use worldview::zerocopy::IntoBytes as _;
use worldview::{Handle, wwd};
use worldview_export::level::arrow::{BatchOptions, LevelBatches as _};
use worldview_export::level::png::{self, Allowance};

use crate::array::{self, Element};
use crate::arrow::Rows;
use crate::asset::{self, Asset, Context, Step, fields};
use crate::edit::Opened;
use crate::error;
use crate::objects::Objects;

/// A level of Claw, Gruntz or Get Medieval (WWD).
#[pyclass(frozen, extends = Asset, module = "worldview")]
pub(crate) struct Level;

pub(crate) fn level_of(handle: &Handle) -> &wwd::Level<'_> {
    let Some(level) = handle.level() else { unreachable!("made from a level") };
    level
}

fn unpacked_of(handle: &Handle) -> &wwd::Unpacked<'_> {
    let Some(unpacked) = handle.unpacked() else { unreachable!("made from a level") };
    unpacked
}

/// Returns the level as it was opened. Its names, planes and tiles are those of the edited one.
fn base<'l>(this: &'l PyRef<'_, Level>) -> (&'l wwd::Level<'l>, &'l Arc<Context>) {
    let asset = this.as_super();
    (level_of(asset.opened.base()), asset.context())
}

#[pymethods]
impl Level {
    /// The name of the level.
    #[getter]
    fn name(this: PyRef<'_, Self>) -> String {
        let (level, context) = base(&this);
        context.text(level.header().name.as_bytes())
    }

    /// The author of the level.
    #[getter]
    fn author(this: PyRef<'_, Self>) -> String {
        let (level, context) = base(&this);
        context.text(level.header().author.as_bytes())
    }

    /// The game that the level is for: `Claw`, `Gruntz` or `Get Medieval`, or None if it is unknown.
    #[getter]
    fn game(this: PyRef<'_, Self>) -> Option<&'static str> {
        base(&this).0.game().map(wwd::Game::name)
    }

    /// Whether the file is compressed.
    #[getter]
    fn is_packed(this: PyRef<'_, Self>) -> bool {
        unpacked_of(this.as_super().opened.base()).is_packed()
    }

    /// The header of the file: a read-only mapping of all its fields.
    #[getter]
    fn header<'py>(this: PyRef<'py, Self>) -> PyResult<Bound<'py, PyMappingProxy>> {
        let asset = this.as_super();
        fields(this.py(), unpacked_of(asset.opened.base()).header().fields(), asset.context())
    }

    /// The unpacked level, without a copy. Offsets in errors of packed levels count in it.
    #[getter]
    fn image<'py>(this: PyRef<'py, Self>) -> PyResult<Bound<'py, PyMemoryView>> {
        let now = Arc::new(this.as_super().opened.now(this.py())?);
        array::view(this.py(), &now, |now| unpacked_of(now), Element::U8, &[usize::MAX])
    }

    /// The planes, in file order.
    #[getter]
    fn planes<'py>(this: PyRef<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let plane = |index| Plane { level: Arc::clone(&this.as_super().opened), index };
        let count = base(&this).0.planes().len();
        PyTuple::new(this.py(), (0..count).map(plane).collect::<Vec<_>>())
    }

    /// The plane on which the action takes place, or None.
    #[getter]
    fn main_plane(this: PyRef<'_, Self>) -> Option<Plane> {
        let index = base(&this).0.main_plane()?.index();
        Some(Plane { level: Arc::clone(&this.as_super().opened), index })
    }

    /// Returns the objects of all planes, one row each: `polars.DataFrame(level.objects())`. The column `object` is the key
    /// of the object in paths, and `row` its index in the plane. Fields can be assigned:
    /// `level.objects()[3]["x"] = 800`.
    fn objects(this: PyRef<'_, Self>) -> PyResult<Rows> {
        Rows::of_objects(this.py(), Objects::new(Arc::clone(&this.as_super().opened), None))
    }

    /// Returns the tile attributes (collision data), one row for each frame.
    fn tile_attributes(this: PyRef<'_, Self>) -> PyResult<Rows> {
        let (level, context) = base(&this);
        let options = BatchOptions::default().encoding(context.encoding);
        let steps = vec![Step::Name("tile_attributes"), Step::Call(vec![])];
        Rows::new(this.py(), &this.as_super().opened, steps, || level.attribute_batches(&options).read_all())
    }

    /// Returns a picture of the level as PNG: what each tile does, in colors, with objects as marks.
    ///
    /// `scale` is the number of pixels for each tile. With `plane`, only that plane is drawn.
    ///
    /// `worldview.export(..., game=...)` draws levels with the pictures of their game.
    #[pyo3(signature = (*, plane = None, scale = None, marks = true))]
    fn to_png(
        this: PyRef<'_, Self>,
        plane: Option<usize>,
        scale: Option<u32>,
        marks: bool,
    ) -> PyResult<std::borrow::Cow<'static, [u8]>> {
        let now = this.as_super().opened.now(this.py())?;
        let level = level_of(&now);
        let found = |index| {
            let why =
                || PyIndexError::new_err(format!("there is no plane {index}; the level has {}", level.planes().len()));
            level.planes().get(index).ok_or_else(why)
        };
        let plane = plane.map(found).transpose()?;
        let done = this.py().detach(|| {
            let options = png::Options::default().scale(scale).marks(marks);
            let (mut out, mut allowance) = (Vec::new(), Allowance::new(&options));
            match plane {
                Some(plane) => png::plane(level, plane, &options, &mut allowance, &mut out),
                None => png::level(level, &options, &mut allowance, &mut out),
            }
            .map(|()| out.into())
        });
        done.map_err(|error| error::raised(this.py(), &this.as_super().place(), &error))
    }
}

/// A plane of a level: a grid of tiles, and objects.
#[pyclass(frozen, module = "worldview")]
pub(crate) struct Plane {
    level: Arc<Opened>,
    index: usize,
}

impl Plane {
    fn level(&self) -> &wwd::Level<'_> {
        level_of(self.level.base())
    }

    fn plane(&self) -> &wwd::Plane<'_> {
        // Made from the planes of this level, which never change.
        &self.level().planes()[self.index]
    }
}

#[pymethods]
impl Plane {
    /// The index of the plane in its level.
    #[getter]
    const fn index(&self) -> usize {
        self.index
    }

    /// The name of the plane.
    #[getter]
    fn name(&self) -> String {
        self.level.context.text(self.plane().name())
    }

    /// The header of the plane: a read-only mapping of all its fields.
    #[getter]
    fn header<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMappingProxy>> {
        fields(py, self.plane().header().fields(), &self.level.context)
    }

    /// Whether this is the plane on which the action takes place.
    #[getter]
    fn is_main(&self) -> bool {
        self.plane().is_main()
    }

    /// Whether the game draws the plane.
    #[getter]
    fn is_drawn(&self) -> bool {
        self.plane().is_drawn()
    }

    /// The number of tiles in a row.
    #[getter]
    fn columns(&self) -> usize {
        self.plane().columns()
    }

    /// The number of rows of tiles.
    #[getter]
    fn rows(&self) -> usize {
        self.plane().rows().len()
    }

    /// The tiles as stored: a uint32 array of rows and columns, without a copy. A tile is its image set in the high 16
    /// bits and its frame in the low 16 bits; 0xFFFFFFFF is empty, and 0xEEEEEEEE is filled with the fill color.
    #[getter]
    fn tiles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMemoryView>> {
        let index = self.index;
        let shape = [self.rows(), self.columns()];
        let level = &self.level;
        array::view(py, level, |level| level_of(level.base()).planes()[index].tiles().as_bytes(), Element::U32, &shape)
    }

    /// The names of the image sets that tiles refer to, by number.
    #[getter]
    fn image_sets<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let context = &self.level.context;
        let path = || context.place(self.level.base());
        let names: Result<Vec<_>, _> = self.plane().image_sets().iter().map(|name| Ok(context.text(name?))).collect();
        PyTuple::new(py, names.map_err(|error: worldview::Error| error::raised(py, &path(), &error))?)
    }

    /// Returns the objects of this plane, in file order, with the columns of `level.objects()`.
    fn objects(&self, py: Python<'_>) -> PyResult<Rows> {
        Rows::of_objects(py, Objects::new(Arc::clone(&self.level), Some(self.index)))
    }

    /// Pickles the level, as it does itself, and the index of the plane.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        asset::pickled(py, &self.level, vec![Step::Name("planes"), Step::Index(self.index)])
    }

    /// Two planes are equal if they are the same one of the same opened level.
    fn __eq__(&self, other: &Self) -> bool {
        std::ptr::eq(self.level(), other.level()) && self.index == other.index
    }

    fn __hash__(&self) -> usize {
        std::ptr::from_ref(self.level()).addr() ^ self.index
    }

    fn __repr__(&self) -> String {
        format!("<worldview plane {}: {}, {} x {} tiles>", self.index, self.name(), self.columns(), self.rows())
    }
}
