//! Textures.

use std::borrow::Cow;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyMemoryView;
use worldview::island::{Image, TextureAt};
use worldview::zerocopy::IntoBytes as _;

use super::NameScope;
use crate::array;
use crate::error;

/// A texture with 8-bit pixels and a palette. Of a texture with two images, it is the better one, which the game shows.
#[pyclass(frozen, module = "worldview")]
pub(crate) struct Texture {
    scoped: Arc<NameScope>,
    at: TextureAt,
}

impl Texture {
    pub(crate) const fn new(scoped: Arc<NameScope>, at: TextureAt) -> Self {
        Self { scoped, at }
    }

    fn with<T>(&self, look: impl FnOnce(Image<'_>, &[u8]) -> T) -> Option<T> {
        self.scoped.database.with_names(|library| {
            let texture = library.texture_at(self.at)?;
            Some(look(texture.high(), texture.real_name()))
        })
    }
}

#[pymethods]
impl Texture {
    /// The name of the texture.
    #[getter]
    fn name(&self) -> String {
        self.with(|_, name| self.scoped.text(name)).unwrap_or_default()
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
        let found = self.with(|image, _| {
            let mut out = Vec::new();
            image.rgb_into(&mut out);
            (out, image.height as usize, image.width as usize)
        });
        let (pixels, rows, columns) = found.unwrap_or_default();
        array::owned(py, pixels, &[rows, columns, 3])
    }

    /// Returns the texture as PNG, with its palette.
    fn to_png(&self, py: Python<'_>) -> PyResult<Cow<'static, [u8]>> {
        let mut out = Vec::new();
        let done = py.detach(|| self.with(|image, _| worldview_export::model::png::image(image, &mut out)));
        if let Some(Err(error)) = done {
            return Err(error::plain(py, &format!("{}: {}", self.scoped.context.path, self.name()), error));
        }
        Ok(out.into())
    }

    fn __repr__(&self) -> String {
        format!("<worldview texture: {}, {} x {} pixels>", self.name(), self.width(), self.height())
    }
}
