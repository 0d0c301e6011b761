//! A change whose new value may still be a text that the user typed.

use worldview::Path;
use worldview_edit::{Change, Changes, EditError, EditErrorKind, Patches, Value};

use super::Original;
use crate::answer::Failed;
use crate::work::CancelToken;

/// A change that gives a value to a field.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    /// The path from the outermost file.
    pub(super) path: Path,
    /// The value that the file must have.
    pub(super) from: Option<Value>,
    /// What the given value can mean. The type of the field decides.
    values: Vec<Value>,
    choice: usize,
}

/// Changes that were applied.
pub(super) struct Applied<'o> {
    pub(super) drafts: Vec<Draft>,
    pub(super) patches: Patches<'o>,
}

impl Draft {
    pub(super) fn new(path: Path, from: Option<Value>, to: Value) -> Self {
        Self { path, from, values: values(to), choice: 0 }
    }

    /// Returns the new value.
    pub(super) fn to(&self) -> &Value {
        &self.values[self.choice]
    }

    pub(super) fn change(&self) -> Change {
        Change::Set { path: self.path.clone(), from: self.from.clone(), to: self.to().clone() }
    }

    /// Reads a value in another way if it has the wrong type. Returns whether there is one.
    fn reread(&mut self, kind: &EditErrorKind) -> bool {
        match kind {
            EditErrorKind::WrongType { .. } if self.choice + 1 < self.values.len() => {
                self.choice += 1;
                true
            }
            // The page has large integers as texts.
            EditErrorKind::Differs { expected: Value::Text(text), found: found @ Value::Integer(integer) }
                if *text == integer.to_string() =>
            {
                self.from = Some(found.clone());
                true
            }
            _ => false,
        }
    }
}

/// Returns what a value can mean: a text as it is, or what the command reads it as. Lists may be in brackets.
fn values(given: Value) -> Vec<Value> {
    let Value::Text(text) = &given else { return vec![given] };
    let text = text.trim().trim_start_matches('[').trim_end_matches(']');
    let meant = worldview_verbs::values(text).unwrap_or_default();
    let others: Vec<_> = meant.into_iter().filter(|value| !matches!(value, Value::Text(_))).collect();
    [vec![given], others].concat()
}

/// Applies changes, and reads each value as the type that its field has. Returns an error if nobody waits any more; the inner error
/// says why a change cannot be applied.
pub(super) fn apply_drafts<'o>(
    original: &'o Original<'_>,
    mut drafts: Vec<Draft>,
    cancel: &CancelToken,
) -> Result<Result<Applied<'o>, EditError>, Failed> {
    loop {
        cancel.check()?;
        let changes: Changes = drafts.iter().map(Draft::change).collect();
        let error = match original.apply(&changes) {
            Ok(patches) => return Ok(Ok(Applied { drafts, patches })),
            Err(error) => error,
        };
        let is_alone = drafts.len() == 1;
        let wrong = drafts.iter_mut().find(|draft| is_alone || draft.path == error.path);
        if !wrong.is_some_and(|draft| draft.reread(&error.kind)) {
            return Ok(Err(error));
        }
    }
}

/// Returns the value of a field, as changes express it. Returns an error if there is no such field, or if it cannot be set.
pub(super) fn value_at(original: &Original<'_>, path: &Path) -> Result<Value, EditError> {
    let (mut equal, mut failed) = (None, None);
    // A field of any type has another value than one of these, and the error says which.
    for guess in
        [Value::Integer(0), Value::Integer(1), Value::Bytes(b"\0\xFFno value\xFF\0".into()), Value::Integers(vec![])]
    {
        let change = Change::Set { path: path.clone(), from: Some(guess.clone()), to: guess.clone() };
        match original.apply(&[change].into_iter().collect()) {
            Err(EditError { kind: EditErrorKind::Differs { found, .. }, .. }) => return Ok(found),
            Ok(_) => equal = equal.or(Some(guess)),
            Err(error) => failed = failed.or(Some(error)),
        }
    }
    let unknown = || EditError { path: path.clone(), kind: EditErrorKind::NotFound };
    equal.ok_or_else(|| failed.unwrap_or_else(unknown))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_can_mean_numbers() {
        let text = |text: &str| Value::from(text);
        for (given, all) in [
            ("10", vec![text("10"), 10.into(), 10.0_f32.into()]),
            (" .5", vec![text(" .5"), 0.5_f32.into()]),
            ("1, -2", vec![text("1, -2"), Value::Integers(vec![1, -2]), Value::from(&[1.0, -2.0][..])]),
            ("[.5,1]", vec![text("[.5,1]"), Value::from(&[0.5, 1.0][..])]),
            (r#"{"bytes":"ff"}"#, vec![text(r#"{"bytes":"ff"}"#), Value::Bytes(vec![255])]),
            ("{", vec![text("{")]),
        ] {
            assert_eq!(values(text(given)), all, "{given}");
        }
        assert_eq!(values(3.into()), [3.into()]);
    }
}
