//! However long a text of an edited export is, a message repeats only its start.

use std::collections::BTreeSet;

use serde_json::Value;
use worldview_edit::{Changes, Planned, Result};

use super::{models, sheets, tiled};

/// The most bytes of a message, or of a place.
const MAX: usize = 700;

/// Checks everything that an edit with a very long text says about itself.
fn check(what: &str, planned: &Result<Planned>, refused: &mut usize) {
    let planned = match planned {
        Ok(planned) => planned,
        Err(error) => {
            *refused += 1;
            let text = error.to_string();
            assert!(text.len() <= MAX, "{what}: {} bytes: {text:.1000}", text.len());
            return;
        }
    };
    for entry in planned.account.entries() {
        *refused += 1;
        let place = [&entry.place.column, &entry.place.pointer].into_iter().flatten();
        for text in place.chain([&entry.message]) {
            assert!(text.len() <= MAX, "{what}: {} bytes: {text:.1000}", text.len());
        }
    }
}

#[test]
fn messages_repeat_only_the_start_of_a_long_text() {
    let long = "x".repeat(5000);
    let mut refused = 0;
    for (name, file, export, plan, _) in sheets::sheets() {
        let rows = sheets::rows(&export(&file));
        for (row, column) in (0..2).flat_map(|row| (0..rows[0].len()).map(move |column| (row, column))) {
            let mut new = rows.clone();
            new[row][column].push_str(&long);
            check(&format!("{name}, row {row}, column {column}"), &plan(&file, &sheets::sheet(&new)), &mut refused);
        }
    }
    for (name, file, export, plan) in sheets::documents() {
        let before = export(&file);
        let mut pointers = Vec::new();
        tiled::pointers(&before, "", &mut pointers);
        // One of each kind.
        let mut kinds = BTreeSet::new();
        for pointer in pointers.iter().filter(|pointer| kinds.insert(models::pattern(pointer))) {
            let mut new = before.clone();
            *new.pointer_mut(pointer).unwrap() = Value::String(long.clone());
            check(&format!("{name}: {pointer}"), &plan(&file, &sheets::text(&new)), &mut refused);
            let mut new = before.clone();
            if let Some(Value::Object(members)) = new.pointer_mut(pointer) {
                members.insert(long.clone(), Value::Null);
                check(&format!("{name}: {pointer}: a member"), &plan(&file, &sheets::text(&new)), &mut refused);
            }
        }
    }
    for (file, maps) in tiled::levels() {
        for map in maps {
            let tree = tiled::parsed(&map);
            let mut pointers = Vec::new();
            tiled::pointers(&tree, "", &mut pointers);
            let texts = pointers.iter().filter(|pointer| tree.pointer(pointer).is_some_and(Value::is_string));
            for pointer in texts.step_by(7) {
                let mut new = tree.clone();
                *new.pointer_mut(pointer).unwrap() = Value::String(long.clone());
                check(&format!("a map: {pointer}"), &tiled::plan(&file, &tiled::written(&new)), &mut refused);
            }
        }
    }
    models::with_texts(&long, &mut |pointer, planned| check(&format!("a GLB: {pointer}"), planned, &mut refused));
    for list in [
        format!(r#"{{"worldview_changes": 1, "changes": [{{"set": "{long}=", "to": 1}}]}}"#),
        format!(r#"{{"worldview_changes": 1, "changes": [{{"{long}": "a", "to": 1}}]}}"#),
        format!(r#"{{"worldview_changes": 1, "changes": [{{"set": "a", "to": {{"{long}": 1}}}}]}}"#),
        format!(r#"{{"worldview_changes": "{long}"}}"#),
    ] {
        let error = Changes::from_json(list.as_bytes()).unwrap_err().to_string();
        assert!(error.len() <= MAX, "{} bytes: {error:.1000}", error.len());
    }
    assert!(refused > 300, "{refused}: the texts are not looked at");
}
