//! Edits: an assignment is a change of the file, which everything opened from it shares.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use pyo3::exceptions::{PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt, PyString};
use worldview::wpd::TableOptions;
use worldview::{Asset as View, File, Handle, Options, Path};
use worldview_edit::order::numbers;
use worldview_edit::{Change, Changes, EditError, EditErrorKind, Editable as _, FileOptions, Float, Value};

use crate::asset::Context;
use crate::error;

/// The place of a field in its part: the list and the item in it, such as a plane and an object, and a number of the field.
pub(crate) type Place = (usize, usize, usize);

/// The edits of a file.
#[derive(Debug, Default)]
pub(crate) struct Edits(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    /// The file that the changes refer to; none before the first one.
    original: Option<Arc<File>>,
    /// The last change of each field, by its path.
    changes: BTreeMap<String, Change>,
    /// What fields got since the file was opened, by the offset of their part and their place in it. These outlive `changes`, which
    /// end when they are saved in place.
    assigned: HashMap<(usize, Place), Value>,
    /// The file with the changes, unless it has to be made again.
    edited: Option<Arc<File>>,
    /// How often the whole file was read for edits: to try one, or to make it again.
    reads: u64,
}

impl Edits {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether there are edits that were not written to the original.
    pub(crate) fn is_empty(&self) -> bool {
        self.lock().changes.is_empty()
    }

    pub(crate) fn reads(&self) -> u64 {
        self.lock().reads
    }

    /// Returns the file with all edits, or `None` if there never were any.
    fn edited(&self, py: Python<'_>, context: &Context) -> PyResult<Option<Arc<File>>> {
        let mut state = self.lock();
        let Some(original) = &state.original else { return Ok(None) };
        if state.edited.is_none() {
            let format = Options::new().format(original.bytes(), original.name());
            let format = format.map_err(|error| error::raised(py, &context.path, &error))?;
            let changes = state.changes.values().cloned().collect();
            let mut tables = TableOptions::new().file_name(original.name());
            if let Some(schemas) = &context.options.schemas {
                tables = tables.schemas(schemas);
            }
            let options = FileOptions { tables, unpacker: context.options.unpacker(), follow: false };
            let patches = worldview_edit::apply(format, original.bytes(), &changes, &options);
            let bytes = patches.map_err(|error| refused(py, &context.path, &error))?.to_vec();
            state.edited = Some(File::from_bytes(bytes, original.name()));
            state.reads += 1;
        }
        Ok(state.edited.clone())
    }
}

/// A part of a file, as it was opened and as it is with the edits.
pub(crate) struct Opened {
    base: Handle,
    pub(crate) context: Arc<Context>,
    now: Mutex<Option<Handle>>,
    /// Whether the path of the part is known to lead to it.
    is_named: OnceLock<()>,
    /// The numbers of the elements that edits name, the records of a table or the planes of a level, among those with the same name.
    nths: OnceLock<Vec<Option<u32>>>,
}

impl Opened {
    pub(crate) fn new(base: Handle, context: Arc<Context>) -> Arc<Self> {
        Arc::new(Self { base, context, now: Mutex::default(), is_named: OnceLock::new(), nths: OnceLock::new() })
    }

    /// Returns the part as it was opened. Names, kinds and numbers of elements do not change by edits.
    pub(crate) const fn base(&self) -> &Handle {
        &self.base
    }

    /// Returns the number of an element among those with the same name, if there are several. The names are read once.
    pub(crate) fn nth<'n>(&self, index: usize, names: impl Iterator<Item = &'n [u8]> + Clone) -> Option<u32> {
        self.nths.get_or_init(|| numbers(&names.collect::<Vec<_>>())).get(index).copied().flatten()
    }

    /// Returns the part with all edits.
    pub(crate) fn now(&self, py: Python<'_>) -> PyResult<Handle> {
        let Some(file) = self.context.edits.edited(py, &self.context)? else { return Ok(self.base.clone()) };
        let is_of = |handle: &Handle| Arc::ptr_eq(handle.part().file(), &file);
        if is_of(&self.base) {
            return Ok(self.base.clone());
        }
        let mut now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(handle) = now.as_ref().filter(|handle| is_of(handle)) {
            return Ok(handle.clone());
        }
        self.named(py)?;
        let handle = self.open_in(py, &file)?;
        *now = Some(handle.clone());
        Ok(handle)
    }

    /// Returns the part as it is where no edit matters but that of a field: as it was opened, unless the field was edited.
    /// Reading and assigning in turns would otherwise make the file again each time.
    pub(crate) fn field(&self, py: Python<'_>, place: Place) -> PyResult<Handle> {
        if self.assigned(place).is_some() { self.now(py) } else { Ok(self.base.clone()) }
    }

    /// Returns what a field of this part got, if it was ever assigned.
    pub(crate) fn assigned(&self, place: Place) -> Option<Value> {
        self.context.edits.lock().assigned.get(&(self.base.part().offset(), place)).cloned()
    }

    /// Checks that the path of the part leads to it.
    fn named(&self, py: Python<'_>) -> PyResult<()> {
        let part = self.base.part();
        let is_known = self.is_named.get().is_some() || self.base.path_in_file().is_empty();
        if !is_known && self.open_in(py, part.file())?.part().offset() != part.offset() {
            let why = "several members have this name, so no path of an edit leads here";
            return Err(error::plain(py, &self.context.place(&self.base), why));
        }
        let _ = self.is_named.set(());
        Ok(())
    }

    fn open_in(&self, py: Python<'_>, file: &Arc<File>) -> PyResult<Handle> {
        let inside = self.base.path_in_file().join("/");
        let opened = Handle::of(file, inside.as_bytes(), &self.context.options);
        opened.map_err(|failure| error::failure(py, &self.context.path, &failure))
    }

    /// Returns the path of something in this part from the start of the file.
    fn full(&self, path: &Path) -> Path {
        let mut full = Path::new();
        for name in self.base.path_in_file() {
            full.push_name(name.as_bytes());
        }
        full.append(path);
        full
    }

    /// Records that a field, whose path begins here, gets a value. `alone` checks values for which the field alone decides; everything
    /// else is tried on the whole part.
    pub(crate) fn set(
        &self,
        py: Python<'_>,
        (at, path): (Place, &Path),
        value: &Bound<'_, PyAny>,
        alone: impl FnOnce(&Value) -> Option<Result<(), EditError>>,
    ) -> PyResult<()> {
        let place = self.context.place(&self.base);
        if self.context.options.recover {
            let why = "what was opened with recover=True cannot be edited in place; use worldview.apply";
            return Err(PyTypeError::new_err(format!("{place}: {why}")));
        }
        let to = self.value(value)?;
        let change = || Changes::from_iter([Change::set(path.clone(), to.clone())]);
        // The error comes where the mistake is.
        let checked = alone(&to);
        self.context.edits.lock().reads += u64::from(checked.is_none());
        let tried = match (checked, self.base.asset()) {
            (Some(checked), _) => checked,
            (None, View::Table(table)) => table.apply(&change()).map(|_| ()),
            (None, View::Level(_, unpacked)) => (&**unpacked).apply(&change()).map(|_| ()),
            (None, View::Database(database)) => database.apply(&change()).map(|_| ()),
            _ => return Err(PyTypeError::new_err(format!("{place}: only tables, levels and WORLD.WDB can be edited"))),
        };
        tried.map_err(|error| refused(py, &place, &error))?;
        self.named(py)?;
        let file = self.base.part().file();
        let full = self.full(path);
        let mut state = self.context.edits.lock();
        state.original.get_or_insert_with(|| Arc::clone(file));
        state.assigned.insert((self.base.part().offset(), at), to.clone());
        state.changes.insert(full.as_str().to_owned(), Change::set(full, to));
        state.edited = None;
        Ok(())
    }

    /// Converts a value to what changes have.
    fn value(&self, value: &Bound<'_, PyAny>) -> PyResult<Value> {
        if let Ok(text) = value.cast::<PyString>() {
            let text = text.to_cow()?;
            if self.base.table().is_some() {
                return Ok(Value::Text(text.into_owned()));
            }
            let encoding = self.context.encoding;
            let bytes = encoding.encode(&text).ok_or_else(|| {
                PyValueError::new_err(format!("{text:?} cannot be written in the code page {}", encoding.name()))
            })?;
            return Ok(Value::from_bytes(&bytes));
        }
        if let Ok(bytes) = value.cast::<PyBytes>() {
            return Ok(Value::Bytes(bytes.as_bytes().to_vec()));
        }
        let kind = value.get_type().name()?;
        let Ok(items) = value.try_iter() else {
            return number(value)?.ok_or_else(|| PyTypeError::new_err(format!("a field cannot be {kind}")));
        };
        let no_number = || PyTypeError::new_err("a field with several values takes numbers");
        let numbers = items.map(|item| number(&item?)?.ok_or_else(no_number)).collect::<PyResult<Vec<_>>>()?;
        let integer = |number: &Value| if let Value::Integer(integer) = number { Some(*integer) } else { None };
        if let Some(integers) = numbers.iter().map(integer).collect() {
            return Ok(Value::Integers(integers));
        }
        let floats = numbers.into_iter().map(|number| match number {
            #[expect(clippy::cast_precision_loss, reason = "such as 0 beside 0.5; a float has no more digits")]
            Value::Integer(integer) => Ok(Float(integer as f32)),
            Value::Float(float) if float.0.is_finite() => Ok(float),
            Value::Float(float) => Err(PyValueError::new_err(format!("{} is no place or direction", float.0))),
            _ => Err(no_number()),
        });
        Ok(Value::Floats(floats.collect::<PyResult<_>>()?))
    }

    /// Returns the original, and the changes as JSON.
    pub(crate) fn changes<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyBytes>, String)> {
        let state = self.context.edits.lock();
        let original = state.original.as_ref().unwrap_or_else(|| self.base.part().file());
        let changes: Changes = state.changes.values().cloned().collect();
        let json = changes.to_json().map_err(|error| refused(py, &self.context.path, &error))?;
        Ok((PyBytes::new(py, original.bytes()), json))
    }

    /// Takes the edited file for the original, which it has replaced.
    pub(crate) fn saved_in_place(&self, py: Python<'_>) -> PyResult<()> {
        let edited = self.context.edits.edited(py, &self.context)?;
        let mut state = self.context.edits.lock();
        if edited.is_some() {
            state.original.clone_from(&edited);
            state.changes.clear();
        }
        Ok(())
    }
}

/// Converts a number of Python or NumPy; `None` if it is none.
fn number(value: &Bound<'_, PyAny>) -> PyResult<Option<Value>> {
    if let Ok(integer) = value.extract::<i128>() {
        return Ok(Some(Value::Integer(integer)));
    }
    let Ok(wide) = value.extract::<f64>() else { return Ok(None) };
    #[expect(clippy::cast_possible_truncation, reason = "floats of game files have 32 bits")]
    let float = wide as f32;
    if value.is_instance_of::<PyInt>() || wide.is_finite() && !float.is_finite() {
        return Err(PyValueError::new_err(format!("{} is too large for any field", value.str()?)));
    }
    Ok(Some(Value::Float(Float(float))))
}

/// Converts the error of a change.
fn refused(py: Python<'_>, place: &str, error: &EditError) -> PyErr {
    let message = format!("{place}: {error}");
    match error.kind {
        EditErrorKind::NotFound => PyKeyError::new_err(message),
        EditErrorKind::WrongType { .. } => PyTypeError::new_err(message),
        EditErrorKind::DoesNotFit { .. } => PyValueError::new_err(message),
        _ => error::raised(py, place, error),
    }
}

/// Appends an element of a list, by its name and its number among those with the same name.
pub(crate) fn push(path: &mut Path, kind: Option<&'static str>, name: &[u8], nth: Option<u32>) {
    match (kind, nth) {
        (Some(kind), nth) => path.push(kind, name, nth),
        (None, Some(nth)) => path.push_nth(name, nth),
        (None, None) => path.push_name(name),
    }
}
