//! Pictures.

use std::borrow::Cow;

use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMemoryView};
use worldview::rez;

use crate::Maybe;
use crate::array;
use crate::asset::Asset;
use crate::error;

/// The most pixels of a picture that is decoded to colors.
const MAX_PIXELS: u64 = 1 << 28;

/// A picture of Claw, Gruntz or Get Medieval: PID, PCX, RID or BMP.
#[pyclass(frozen, extends = Asset, module = "worldview")]
pub(crate) struct Picture;

fn picture_of<'p>(this: &'p PyRef<'_, Picture>) -> &'p rez::Picture<'p> {
    let Some(picture) = this.as_super().opened.base().picture() else { unreachable!("made from a picture") };
    picture
}

fn shape(picture: &rez::Picture<'_>) -> [usize; 2] {
    [picture.height() as usize, picture.width() as usize]
}

#[pymethods]
impl Picture {
    /// The width in pixels.
    #[getter]
    fn width(this: PyRef<'_, Self>) -> u32 {
        picture_of(&this).width()
    }

    /// The height in pixels.
    #[getter]
    fn height(this: PyRef<'_, Self>) -> u32 {
        picture_of(&this).height()
    }

    /// The offset from the place of an object to the center of the picture, in pixels.
    #[getter]
    fn center_offset(this: PyRef<'_, Self>) -> (i32, i32) {
        picture_of(&this).offset()
    }

    /// The picture's own palette: an array of 256 rows of red, green and blue; or None.
    #[getter]
    fn palette<'py>(this: PyRef<'py, Self>) -> PyResult<Option<Bound<'py, PyMemoryView>>> {
        let palette = picture_of(&this).palette();
        let colors = palette.map(|palette| palette.colors.as_flattened().to_vec());
        colors.map(|colors| array::owned(this.py(), colors, &[256, 3])).transpose()
    }

    /// Returns the pixels: palette indices in rows and columns, or red, green and blue if the picture has no indices.
    fn pixels<'py>(this: PyRef<'py, Self>) -> PyResult<Bound<'py, PyMemoryView>> {
        let picture = picture_of(&this);
        let [rows, columns] = shape(picture);
        let done = this.py().detach(|| {
            let mut pixels = vec![0; picture.pixels() * picture.channels()];
            let mut opacity = vec![0; picture.pixels()];
            picture.decode_with_opacity(rez::ColorKey::CLAW, &mut pixels, &mut opacity).map(|()| pixels)
        });
        let pixels = done.map_err(|error| error::raised(this.py(), &this.as_super().place(), &error))?;
        match picture.channels() {
            1 => array::owned(this.py(), pixels, &[rows, columns]),
            channels => array::owned(this.py(), pixels, &[rows, columns, channels]),
        }
    }

    /// Returns the pixels as red, green, blue and opacity.
    ///
    /// `palette` is for pictures without their own: usually that of the level, such as
    /// `archive["LEVEL1/PALETTES/MAIN.PAL"]`, or any 768 bytes. Without any, indices are shades of gray.
    #[pyo3(signature = (palette = None))]
    fn rgba<'py>(this: PyRef<'py, Self>, palette: Maybe<'_>) -> PyResult<Bound<'py, PyMemoryView>> {
        let [rows, columns] = shape(picture_of(&this));
        let pixels =
            decoded(&this, palette, |picture, palette| worldview_export::rez::rgba(picture, palette, MAX_PIXELS))?;
        array::owned(this.py(), pixels.into_flattened(), &[rows, columns, 4])
    }

    /// The pixels as `rgba` returns them: `numpy.asarray` and `PIL.Image.fromarray` take it.
    #[getter]
    fn __array_interface__<'py>(this: PyRef<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        array::interface(&Self::rgba(this, None)?)
    }

    /// Returns the bytes of the pixels as `rgba` returns them.
    fn tobytes<'py>(this: PyRef<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Self::rgba(this, None)?.call_method0("tobytes")
    }

    /// Returns the picture as PNG. `palette` is as for `rgba`.
    #[pyo3(signature = (palette = None))]
    fn to_png(this: PyRef<'_, Self>, palette: Maybe<'_>) -> PyResult<Cow<'static, [u8]>> {
        decoded(&this, palette, |picture, palette| {
            let mut out = Vec::new();
            worldview_export::rez::png(picture, palette, MAX_PIXELS, &mut out).map(|broken| (out.into(), broken))
        })
    }
}

/// Decodes a picture with a palette. A picture that is broken has been decoded only in part.
fn decoded<T: Send>(
    this: &PyRef<'_, Picture>,
    palette: Maybe<'_>,
    decode: impl FnOnce(&rez::Picture<'_>, Option<&rez::Palette>) -> worldview_export::Result<(T, Option<worldview::Error>)>
    + Send,
) -> PyResult<T> {
    let (py, picture, place) = (this.py(), picture_of(this), this.as_super().place());
    let bytes = palette.as_ref().map(bytes_of).transpose()?;
    let palette = bytes.as_deref().map(rez::Palette::parse).transpose();
    let palette = palette.map_err(|error| error::raised(py, "palette", &error))?;
    match py.detach(|| decode(picture, palette)).map_err(|error| error::raised(py, &place, &error))? {
        (_, Some(broken)) => Err(error::raised(py, &place, &broken)),
        (done, None) => Ok(done),
    }
}

/// Returns the bytes of a palette: of an opened file, or of any buffer.
fn bytes_of(palette: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    if let Ok(asset) = palette.cast::<Asset>() {
        return Ok(asset.get().opened.base().part().bytes().to_vec());
    }
    PyBuffer::<u8>::get(palette)?.to_vec(palette.py())
}
