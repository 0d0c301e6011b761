//! Conditions of rows that are read from many files.

use std::cmp::Ordering;

use arrow_array::cast::AsArray as _;
use arrow_array::types::{Float32Type, Float64Type, Int32Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type};
use arrow_array::{ArrayRef, BooleanArray, RecordBatch, RecordBatchReader};
use arrow_schema::DataType;
use arrow_select::filter::filter_record_batch;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::bulk::Batches;

/// A value of a condition.
#[derive(Clone, FromPyObject)]
enum Value {
    #[pyo3(transparent)]
    Text(String),
    #[pyo3(transparent)]
    Integer(i128),
    #[pyo3(transparent)]
    Float(f64),
}

/// A condition, which Python writes as `(column, operator, value)`.
#[derive(Clone)]
pub(crate) struct Filter {
    pub(crate) column: String,
    holds: fn(Ordering) -> bool,
    /// Whether the comparison must hold for none of the values, instead of for one.
    is_negated: bool,
    values: Vec<Value>,
}

impl<'py> FromPyObject<'_, 'py> for Filter {
    type Error = PyErr;

    fn extract(filter: pyo3::Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let parts = filter.extract::<(String, String, Bound<'py, PyAny>)>();
        let what = "a filter is (column, operator, value), such as (\"x\", \">\", 800)";
        let (column, operator, value) = parts.map_err(|_| PyTypeError::new_err(what))?;
        let (holds, is_negated): (fn(Ordering) -> bool, bool) = match operator.as_str() {
            "==" | "in" => (Ordering::is_eq, false),
            "!=" | "not in" => (Ordering::is_eq, true),
            "<" => (Ordering::is_lt, false),
            "<=" => (Ordering::is_le, false),
            ">" => (Ordering::is_gt, false),
            ">=" => (Ordering::is_ge, false),
            other => {
                let why =
                    format!("{other:?} is no operator of a filter; there are ==, !=, <, <=, >, >=, in and not in");
                return Err(PyValueError::new_err(why));
            }
        };
        let values = if operator.ends_with("in") { value.extract() } else { value.extract().map(|value| vec![value]) };
        let values = values.map_err(|_| {
            PyTypeError::new_err(format!(
                "{column:?} is compared with a number or a text, or by `in` with a list of them"
            ))
        })?;
        Ok(Self { column, holds, is_negated, values })
    }
}

/// Reads the rows for which all conditions hold.
pub(crate) fn rows(rows: impl RecordBatchReader, filters: &[Filter]) -> Result<Batches, String> {
    let schema = rows.schema();
    let batches = rows.map(|batch| {
        let batch = batch.map_err(|error| error.to_string())?;
        filters.iter().try_fold(batch, |batch, filter| filter.rows(&batch))
    });
    Ok((schema, batches.collect::<Result<_, _>>()?))
}

impl Filter {
    /// Returns the rows for which the condition holds. It holds for no missing value.
    fn rows(&self, rows: &RecordBatch) -> Result<RecordBatch, String> {
        let no_column = || format!("there is no column {:?} in these rows", self.column);
        let column = rows.column_by_name(&self.column).ok_or_else(no_column)?;
        let wanted = (0..rows.num_rows()).map(|row| Some(!column.is_null(row) && self.is_met(column, row)?));
        let wanted: Option<Vec<bool>> = wanted.collect();
        let refused = || {
            let (name, kind) = (&self.column, column.data_type());
            format!("the column {name:?}, {kind}, cannot be compared with this value")
        };
        filter_record_batch(rows, &BooleanArray::from(wanted.ok_or_else(refused)?)).map_err(|error| error.to_string())
    }

    /// Returns whether the condition holds for a value, or `None` if they cannot be compared.
    fn is_met(&self, column: &ArrayRef, row: usize) -> Option<bool> {
        let cell = match column.data_type() {
            DataType::Boolean => Cell::Integer(column.as_boolean().value(row).into()),
            DataType::Int32 => Cell::Integer(column.as_primitive::<Int32Type>().value(row).into()),
            DataType::UInt8 => Cell::Integer(column.as_primitive::<UInt8Type>().value(row).into()),
            DataType::UInt16 => Cell::Integer(column.as_primitive::<UInt16Type>().value(row).into()),
            DataType::UInt32 => Cell::Integer(column.as_primitive::<UInt32Type>().value(row).into()),
            DataType::UInt64 => Cell::Integer(column.as_primitive::<UInt64Type>().value(row).into()),
            DataType::Float32 => Cell::Float(column.as_primitive::<Float32Type>().value(row).into()),
            DataType::Float64 => Cell::Float(column.as_primitive::<Float64Type>().value(row)),
            DataType::Utf8 => Cell::Text(column.as_string::<i32>().value(row)),
            _ => return None,
        };
        let mut is_met = false;
        for value in &self.values {
            // Numbers are compared as in Python. NaN has no order.
            #[expect(clippy::cast_precision_loss, reason = "an integer beside a float")]
            let order = match (&cell, value) {
                (Cell::Text(cell), Value::Text(value)) => Some((*cell).cmp(value)),
                (Cell::Integer(cell), Value::Integer(value)) => Some(cell.cmp(value)),
                (Cell::Integer(cell), Value::Float(value)) => (*cell as f64).partial_cmp(value),
                (Cell::Float(cell), Value::Integer(value)) => cell.partial_cmp(&(*value as f64)),
                (Cell::Float(cell), Value::Float(value)) => cell.partial_cmp(value),
                _ => return None,
            };
            is_met |= order.is_some_and(self.holds);
        }
        Some(is_met != self.is_negated)
    }
}

/// A value of a row.
enum Cell<'a> {
    Text(&'a str),
    Integer(i128),
    Float(f64),
}
