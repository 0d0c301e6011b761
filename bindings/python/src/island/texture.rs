//! Textures of WORLD.WDB and of texture files.

use std::borrow::Cow;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMemoryView, PyTuple};
use worldview::Handle;
use worldview::island::{Image, Texture as TextureView, TextureAt, TextureFile};
use worldview::zerocopy::IntoBytes as _;

use super::NameScope;
use crate::array;
use crate::asset::{Asset, Context};
use crate::error;

/// A texture file of LEGO Island (`.tex`): a list of textures.
#[pyclass(frozen, extends = Asset, module = "worldview")]
pub(crate) struct Textures;

fn file_of(handle: &Handle) -> &TextureFile<'_> {
    let Some(file) = handle.textures() else { unreachable!("made from a texture file") };
    file
}

#[pymethods]
impl Textures {
    /// The textures, in the order of the file.
    #[getter]
    fn textures<'py>(this: PyRef<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let opened = &this.as_super().opened;
        let now = opened.now(this.py())?;
        let texture = |index| Texture(Place::File(now.clone(), Arc::clone(&opened.context), index));
        PyTuple::new(this.py(), (0..file_of(&now).textures().len()).map(texture).collect::<Vec<_>>())
    }
}

/// Where a texture is.
enum Place {
    Database(Arc<NameScope>, TextureAt),
    File(Handle, Arc<Context>, usize),
}

/// A texture with 8-bit pixels and a palette. Of a texture with two images, it is the better one, which the game shows.
#[pyclass(frozen, module = "worldview")]
pub(crate) struct Texture(Place);

impl Texture {
    pub(crate) const fn new(scoped: Arc<NameScope>, at: TextureAt) -> Self {
        Self(Place::Database(scoped, at))
    }

    fn with<T>(&self, look: impl FnOnce(Image<'_>, &[u8]) -> T) -> Option<T> {
        let look = |texture: TextureView<'_>| look(texture.high(), texture.real_name());
        match &self.0 {
            Place::Database(scoped, at) => {
                scoped.database.with_names(|library| library.texture_at(*at).map(look)).flatten()
            }
            Place::File(handle, _, index) => file_of(handle).textures().iter().nth(*index).map(look),
        }
    }

    fn context(&self) -> &Context {
        match &self.0 {
            Place::Database(scoped, _) => &scoped.context,
            Place::File(_, context, _) => context,
        }
    }
}

#[pymethods]
impl Texture {
    /// The name of the texture.
    #[getter]
    fn name(&self) -> String {
        self.with(|_, name| self.context().text(name)).unwrap_or_default()
    }

    /// The width in pixels.
    #[getter]
    fn width(&self) -> u32 {
        self.with(|image, _| image.width).unwrap_or_default()
    }

    /// The height in pixels.
    #[getter]
    fn height(&self) -> u32 {
        self.with(|image, _| image.height).unwrap_or_default()
    }

    /// The palette: a uint8 array of red, green and blue, one row for each of up to 256 colors.
    #[getter]
    fn palette<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMemoryView>> {
        let colors = self.with(|image, _| image.palette.as_bytes().to_vec()).unwrap_or_default();
        let rows = colors.len() / 3;
        array::owned(py, colors, &[rows, 3])
    }

    /// Returns the pixels: a uint8 array of palette indices, in rows from the top.
    fn pixels<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMemoryView>> {
        let found = self.with(|image, _| (image.pixels.to_vec(), image.height as usize, image.width as usize));
        let (pixels, rows, columns) = found.unwrap_or_default();
        array::owned(py, pixels, &[rows, columns])
    }

    /// Returns the pixels as red, green and blue.
    fn rgb<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMemoryView>> {
        let found = self.with(|image, _| (image.rgb(), image.height as usize, image.width as usize));
        let (pixels, rows, columns) = found.unwrap_or_default();
        array::owned(py, pixels, &[rows, columns, 3])
    }

    /// The pixels as `rgb` returns them: `numpy.asarray` and `PIL.Image.fromarray` take it.
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        array::interface(&self.rgb(py)?)
    }

    /// Returns the bytes of the pixels as `rgb` returns them.
    fn tobytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.rgb(py)?.call_method0("tobytes")
    }

    /// Returns the texture as PNG, with its palette.
    fn to_png(&self, py: Python<'_>) -> PyResult<Cow<'static, [u8]>> {
        let mut out = Vec::new();
        let done = py.detach(|| self.with(|image, _| worldview_export::model::png::image(image, &mut out)));
        if let Some(Err(error)) = done {
            return Err(error::raised(py, &format!("{}: {}", self.context().path, self.name()), &error));
        }
        Ok(out.into())
    }

    fn __repr__(&self) -> String {
        format!("<worldview texture: {}, {} x {} pixels>", self.name(), self.width(), self.height())
    }
}
