//! What no planner reads: each difference from the export is an entry.

use std::collections::BTreeSet;

use worldview_edit::account::{Column, Entry};

use super::codes::{ABSENT, ATTRIBUTE, DERIVED, UNKNOWN_PROPERTY, default_of, is_ignored, nearest};
use super::draft::Draft;
use super::saved::{CONTENT, Properties, Rest};
use worldview_core::quote;

/// Names the attributes of an element that are not as the export wrote them. `column` is what becomes of attributes that the
/// export has, or of which Tiled has a default; others are left out.
pub(super) fn attributes(draft: &mut Draft, of: &str, saved: &Rest, exported: &Rest, column: Column) {
    let mut seen: Vec<&str> = Vec::new();
    for (name, value) in
        saved.iter().filter(|(name, value)| !is_ignored(of, name) || of == "object" && value == CONTENT)
    {
        let own = exported.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str());
        let default = default_of(name);
        let is_repeated = seen.contains(&name.as_str());
        seen.push(name);
        if is_repeated {
            draft.refuse(ATTRIBUTE, &attribute(name), format!("the attribute {} is there twice", quote(name)));
        } else if !is_same(value, own.unwrap_or(default)) {
            let column = if own.is_some() || !default.is_empty() { column } else { Column::LeftOut };
            let expected = match own.unwrap_or(default) {
                "" => "levels have nothing for it".to_owned(),
                expected => format!("levels only have {}", quote(expected)),
            };
            let message = format!("{} is {}, and {expected}", quote(name), quote(value));
            draft.note(column, ATTRIBUTE, &attribute(name), message);
        }
    }
    for (name, value) in exported.iter().filter(|(name, _)| !is_ignored(of, name)) {
        let is_there = saved.iter().any(|(saved, _)| saved == name);
        if !is_there && !is_same(value, default_of(name)) && !is_ignored(&format!("absent from {of}"), name) {
            draft.leave_out(ABSENT, &attribute(name), format!("the attribute {} is missing", quote(name)));
        }
    }
}

fn attribute(name: &str) -> String {
    format!("attribute {}", quote(name))
}

/// Whether two values are the same: numbers and truth values have several forms.
fn is_same(left: &str, right: &str) -> bool {
    let number = |text: &str| match text {
        "true" => Some(1.0),
        "false" => Some(0.0),
        text => text.parse::<f64>().ok(),
    };
    left == right || number(left).is_some_and(|left| number(right) == Some(left))
}

/// Names the properties of an element that no planner has read, and that are not as the export wrote them. `known` are other
/// names that such elements may have, and `has_default` decides which may be absent.
pub(super) fn properties(
    draft: &mut Draft,
    saved: &Properties,
    exported: &Properties,
    known: &BTreeSet<String>,
    has_default: impl Fn(&str) -> bool,
) {
    let at = |name: &str| format!("property {}", quote(name));
    for (name, what) in &saved.odd {
        draft.refuse(UNKNOWN_PROPERTY, &at(name), format!("the property {} {what}", quote(name)));
    }
    for (name, value) in saved.unread() {
        match exported.peek(name) {
            Some(own) if is_same(value, own) => {}
            Some(own) => {
                let message =
                    format!("{} follows from other values: {} stays {}", quote(name), quote(value), quote(own));
                draft.leave_out(DERIVED, &at(name), message);
            }
            None if known.contains(name) => {
                let message = format!("{} follows from other values, and {} says nothing", quote(name), quote(value));
                draft.leave_out(DERIVED, &at(name), message);
            }
            None => {
                let names = exported.iter().map(|(name, _)| name).chain(known.iter().map(String::as_str));
                let hint = nearest(name, names)
                    .map(|near| format!("; did you mean {near}?", near = quote(near)))
                    .unwrap_or_default();
                let message = format!("there is no property {}, which is {}{hint}", quote(name), quote(value));
                draft.refuse(UNKNOWN_PROPERTY, &at(name), message);
            }
        }
    }
    let absent: Vec<String> = exported
        .iter()
        .filter(|(name, _)| saved.peek(name).is_none() && !has_default(name))
        .map(|(name, _)| name.to_owned())
        .collect();
    if let Some(first) = absent.first() {
        let names = absent.iter().take(3).map(|name| quote(name)).collect::<Vec<_>>().join(", ");
        let message = format!("{} properties are missing, and their values stay: {names}", absent.len());
        let entry = Entry::new(Column::LeftOut, ABSENT, &draft.path, message).at(draft.at(&at(first)));
        draft.planned.account.push(entry.about(absent.len() as u64, absent));
    }
}
