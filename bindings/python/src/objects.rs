//! Rows of the objects of levels, which can be edited.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray as _;
use arrow_array::types::UInt32Type;
use arrow_schema::SchemaRef;
use pyo3::IntoPyObjectExt as _;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use worldview::describe::{Field, FieldName, Flow, Span, Visit, visit_fields};
use worldview::wwd::raw::ObjectRecord;
use worldview::wwd::{Object, ObjectKey};
use worldview::{File, OffsetBase, Path};
use worldview_edit::{EditError, Value, fields};
use worldview_export::level::arrow::{BatchOptions, LevelBatches as _};

use crate::arrow::{Batches, at};
use crate::asset::{self, Step};
use crate::edit::{self, Opened, Place};
use crate::error;
use crate::level::level_of;

/// The fields of an object that are no part of its record.
fn others() -> impl Iterator<Item = &'static str> {
    Object::STRINGS.into_iter().chain(["metadata"])
}

/// Where rows of objects come from.
pub(crate) struct Objects {
    level: Arc<Opened>,
    plane: Option<usize>,
    /// The last rows that were read, and the file that they are from.
    last: Mutex<Option<(Arc<File>, Batches)>>,
}

impl Objects {
    /// Returns the objects of a plane, or of all planes.
    pub(crate) const fn new(level: Arc<Opened>, plane: Option<usize>) -> Self {
        Self { level, plane, last: Mutex::new(None) }
    }

    /// Pickles the level and the way to its objects.
    pub(crate) fn pickled<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mut steps = self.plane.map_or_else(Vec::new, |plane| vec![Step::Name("planes"), Step::Index(plane)]);
        steps.extend([Step::Name("objects"), Step::Call(vec![])]);
        asset::pickled(py, &self.level, steps)
    }

    /// Reads the objects with all edits.
    pub(crate) fn read(&self, py: Python<'_>) -> PyResult<(SchemaRef, Batches)> {
        let now = self.level.now(py)?;
        let context = &self.level.context;
        let read = || {
            let options = BatchOptions::default().encoding(context.encoding).plane(self.plane);
            level_of(&now).object_batches(&options).read_all()
        };
        let place = || context.place(&now);
        let (schema, batches) = py.detach(read).map_err(|error| error::raised(py, &place(), &error))?;
        let batches: Batches = batches.into();
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        *last = Some((Arc::clone(now.part().file()), Arc::clone(&batches)));
        Ok((schema, batches))
    }

    /// Returns the objects with all edits.
    pub(crate) fn now(&self, py: Python<'_>) -> PyResult<Batches> {
        let now = self.level.now(py)?;
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match last {
            Some((file, batches)) if Arc::ptr_eq(&file, now.part().file()) => Ok(batches),
            _ => Ok(self.read(py)?.1),
        }
    }

    /// Returns what the field of a column got, if it was ever assigned, and the number of the column among those of the field.
    pub(crate) fn assigned(&self, batches: &[RecordBatch], row: usize, column: &str) -> Option<(Value, usize)> {
        let (_, parts, number) = field(column)?;
        let value = self.level.assigned(place(batches, row, number)?)?;
        Some((value, parts.iter().position(|part| part == column).unwrap_or_default()))
    }

    /// Gives a field another value. `current` returns the values of columns, for fields that have several.
    pub(crate) fn set<'py>(
        &self,
        py: Python<'py>,
        (batches, row): (&[RecordBatch], usize),
        column: &str,
        value: &Bound<'py, PyAny>,
        current: &dyn Fn(&str) -> PyResult<Bound<'py, PyAny>>,
    ) -> PyResult<()> {
        if column == "id" {
            let why = "id is the key of the object in the paths of edits; worldview.apply takes a change with `rename`";
            return Err(PyTypeError::new_err(why));
        }
        let found = field(column).and_then(|(field, parts, number)| {
            Some((field, parts, place(batches, row, number)?, self.path(batches, row, field)?))
        });
        let Some((name, parts, at, path)) = found else {
            return Err(PyTypeError::new_err(format!(
                "{column} is not stored in the object, so it cannot be assigned"
            )));
        };
        if parts.len() < 2 {
            return self.level.set(py, (at, &path), value, |to| check(name, &path, to));
        }
        let whole = parts.iter().map(|part| if part == column { Ok(value.clone()) } else { current(part) });
        let whole = whole.collect::<PyResult<Vec<_>>>()?.into_bound_py_any(py)?;
        self.level.set(py, (at, &path), &whole, |to| check(name, &path, to))
    }

    /// Returns the path of a field of an object.
    fn path(&self, batches: &[RecordBatch], row: usize, field: &str) -> Option<Path> {
        let (batch, row) = at(batches, row)?;
        let plane = batch.column_by_name("plane")?.as_primitive_opt::<UInt32Type>()?.value(row);
        let key: ObjectKey = batch.column_by_name("object")?.as_string_opt::<i32>()?.value(row).parse().ok()?;
        let planes = level_of(self.level.base()).planes();
        let mut path = Path::new();
        let index = usize::try_from(plane).ok()?;
        let nth = self.level.nth(index, planes.iter().map(|plane| plane.name()));
        edit::push(&mut path, Some("plane"), planes.get(index)?.name(), nth);
        path.push("object", key.id.to_string().as_bytes(), key.nth);
        path.push_name(field.as_bytes());
        Some(path)
    }
}

/// Checks a number of an object against its field, without the level; `None` if that does not decide.
fn check(name: &str, path: &Path, to: &Value) -> Option<Result<(), EditError>> {
    struct Check<'c>(&'c str, &'c Path, &'c Value, Option<Result<(), EditError>>);

    impl Visit for Check<'_> {
        fn field(&mut self, field: &Field<'_>) -> Flow {
            let Self(name, path, to, result) = self;
            if matches!(field.name, FieldName::Static(other) if other == *name) && fields::is_said(field) {
                *result = Some(fields::check(field, to, path));
            }
            Flow::Continue(())
        }

        fn broken(&mut self, _: &worldview::Error) -> Flow {
            Flow::Continue(())
        }
    }

    let mut check = Check(name, path, to, None);
    if matches!(to, Value::Integer(_) | Value::Integers(_)) {
        // Which numbers fit does not depend on the one that is there.
        let record = [0; size_of::<ObjectRecord>()];
        let at = Span::new(0, ObjectRecord::SIZE, OffsetBase::Image);
        let _ = visit_fields(&record, ObjectRecord::FIELDS, at, &mut check);
    }
    check.3
}

/// Returns the field of which a column is, the columns that it has, and its number.
fn field(column: &str) -> Option<(&'static str, Vec<Cow<'static, str>>, usize)> {
    let others = others().map(|name| (name, vec![Cow::Borrowed(name)]));
    let record = ObjectRecord::FIELDS.iter().map(|info| (info.name, info.columns().collect::<Vec<_>>()));
    let mut fields = others.chain(record).enumerate();
    fields.find_map(|(at, (name, parts))| parts.contains(&Cow::Borrowed(column)).then_some((name, parts, at)))
}

/// Returns the place of the field with a number.
fn place(batches: &[RecordBatch], row: usize, field: usize) -> Option<Place> {
    let (batch, row) = at(batches, row)?;
    let index = |name| Some(batch.column_by_name(name)?.as_primitive_opt::<UInt32Type>()?.value(row) as usize);
    Some((index("plane")?, index("row")?, field))
}
