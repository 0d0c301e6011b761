//! Arrays by the buffer protocol.
#![expect(unsafe_code, reason = "the buffer protocol hands out pointers")]

use std::any::Any;
use std::ffi::{CStr, c_int, c_void};
use std::ptr;
use std::sync::Arc;

use pyo3::exceptions::PyBufferError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMemoryView};
use worldview::zerocopy::{Immutable, IntoBytes};

/// The type of an element, in the notation of the module `struct`.
#[derive(Clone, Copy)]
pub(crate) enum Element {
    U8,
    U16,
    U32,
    I32,
    U64,
    F32,
    F64,
}

impl Element {
    const fn size(self) -> usize {
        match self {
            Self::U8 => 1,
            Self::U16 => 2,
            Self::U32 | Self::I32 | Self::F32 => 4,
            Self::U64 | Self::F64 => 8,
        }
    }

    /// The format, for little-endian bytes. Without a prefix it is that of this machine, which `memoryview` can index.
    const fn format(self) -> &'static CStr {
        if cfg!(target_endian = "little") {
            match self {
                Self::U8 => c"B",
                Self::U16 => c"H",
                Self::U32 => c"I",
                Self::I32 => c"i",
                Self::U64 => c"Q",
                Self::F32 => c"f",
                Self::F64 => c"d",
            }
        } else {
            match self {
                Self::U8 => c"B",
                Self::U16 => c"<H",
                Self::U32 => c"<I",
                Self::I32 => c"<i",
                Self::U64 => c"<Q",
                Self::F32 => c"<f",
                Self::F64 => c"<d",
            }
        }
    }
}

/// Bytes exposed to Python through the buffer protocol, and their shape.
#[pyclass(frozen, module = "worldview", name = "_Buffer")]
struct Buffer {
    /// Keeps the bytes where they are.
    _owner: Arc<dyn Any + Send + Sync>,
    data: *const u8,
    len: usize,
    element: Element,
    shape: Vec<ffi::Py_ssize_t>,
    strides: Vec<ffi::Py_ssize_t>,
}

// SAFETY: The bytes belong to the owner, which can be sent, and are never written.
unsafe impl Send for Buffer {}
// SAFETY: The bytes belong to the owner, which can be shared, and are never written.
unsafe impl Sync for Buffer {}

#[pymethods]
impl Buffer {
    /// # Safety
    ///
    /// Python calls this with a valid `view`.
    unsafe fn __getbuffer__(this: Bound<'_, Self>, view: *mut ffi::Py_buffer, flags: c_int) -> PyResult<()> {
        if view.is_null() {
            return Err(PyBufferError::new_err("there is no view to fill"));
        }
        // SAFETY: Python passes a view that it owns and that nothing else refers to.
        let view = unsafe { &mut *view };
        view.obj = ptr::null_mut();
        if flags & ffi::PyBUF_WRITABLE == ffi::PyBUF_WRITABLE {
            return Err(PyBufferError::new_err("files are read-only"));
        }
        let buffer = this.get();
        let shaped = flags & ffi::PyBUF_ND == ffi::PyBUF_ND;
        view.buf = buffer.data.cast_mut().cast::<c_void>();
        view.len = ffi::Py_ssize_t::try_from(buffer.len)?;
        view.readonly = 1;
        view.itemsize = ffi::Py_ssize_t::try_from(buffer.element.size())?;
        let wants_format = flags & ffi::PyBUF_FORMAT == ffi::PyBUF_FORMAT;
        view.format = if wants_format { buffer.element.format().as_ptr().cast_mut() } else { ptr::null_mut() };
        view.ndim = if shaped { c_int::try_from(buffer.shape.len())? } else { 1 };
        view.shape = if shaped { buffer.shape.as_ptr().cast_mut() } else { ptr::null_mut() };
        let wants_strides = flags & ffi::PyBUF_STRIDES == ffi::PyBUF_STRIDES;
        view.strides = if wants_strides { buffer.strides.as_ptr().cast_mut() } else { ptr::null_mut() };
        view.suboffsets = ptr::null_mut();
        view.internal = ptr::null_mut();
        // The view now holds a reference to this object, which holds the owner.
        view.obj = this.into_any().into_ptr();
        Ok(())
    }
}

/// Returns the bytes that `pick` finds in `owner` as a read-only array of this shape, which keeps the owner alive.
///
/// The shape is reduced if there are fewer bytes than it needs; `usize::MAX` stands for all rows.
pub(crate) fn view<'py, O: Send + Sync + 'static>(
    py: Python<'py>,
    owner: &Arc<O>,
    pick: impl for<'o> FnOnce(&'o O) -> &'o [u8],
    element: Element,
    shape: &[usize],
) -> PyResult<Bound<'py, PyMemoryView>> {
    let bytes = pick(owner);
    let row = shape.iter().skip(1).product::<usize>().saturating_mul(element.size());
    let rows = shape.first().copied().unwrap_or(1).min(bytes.len().checked_div(row).unwrap_or(usize::MAX));
    let mut sides = shape.to_vec();
    if let Some(first) = sides.first_mut() {
        *first = rows;
    }
    let len = rows.saturating_mul(row);
    let mut stride = element.size();
    let mut strides = Vec::with_capacity(sides.len());
    for side in sides.iter().rev() {
        strides.push(ffi::Py_ssize_t::try_from(stride)?);
        stride = stride.saturating_mul(*side);
    }
    strides.reverse();
    let shape = sides.into_iter().map(ffi::Py_ssize_t::try_from).collect::<Result<_, _>>()?;
    let data = bytes.as_ptr();
    let owner: Arc<dyn Any + Send + Sync> = Arc::<O>::clone(owner);
    let buffer = Buffer { _owner: owner, data, len, element, shape, strides };
    PyMemoryView::from(Bound::new(py, buffer)?.as_any())
}

/// Returns an array of bytes by the array interface of NumPy, which Pillow takes, too.
pub(crate) fn interface<'py>(bytes: &Bound<'py, PyMemoryView>) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(bytes.py());
    dict.set_item("version", 3)?;
    dict.set_item("typestr", "|u1")?;
    dict.set_item("shape", bytes.getattr("shape")?)?;
    // Not left out: Pillow would look for the bytes in the picture itself, and not in `data`.
    dict.set_item("strides", bytes.getattr("strides")?)?;
    dict.set_item("data", bytes)?;
    Ok(dict)
}

/// Numbers that can be looked at as bytes.
pub(crate) trait Number: IntoBytes + Immutable + Send + Sync + 'static {
    /// The type of the number.
    const ELEMENT: Element;
}

macro_rules! numbers {
    ($($type:ty: $element:ident),+) => {$(
        impl Number for $type {
            const ELEMENT: Element = Element::$element;
        }
    )+};
}
numbers!(u8: U8, u16: U16, u32: U32, i32: I32, u64: U64, f32: F32, f64: F64);

/// Returns decoded numbers as an array, without copying them again.
pub(crate) fn owned<'py, T: Number>(
    py: Python<'py>,
    numbers: Vec<T>,
    shape: &[usize],
) -> PyResult<Bound<'py, PyMemoryView>> {
    view(py, &Arc::new(numbers), |numbers| numbers.as_slice().as_bytes(), T::ELEMENT, shape)
}

/// Returns numbers of an owner as an array, which keeps the owner alive.
pub(crate) fn view_of<'py, O: Send + Sync + 'static, T: Number>(
    py: Python<'py>,
    owner: &Arc<O>,
    pick: impl for<'o> FnOnce(&'o O) -> &'o [T],
    shape: &[usize],
) -> PyResult<Bound<'py, PyMemoryView>> {
    view(py, owner, |owner| pick(owner).as_bytes(), T::ELEMENT, shape)
}
