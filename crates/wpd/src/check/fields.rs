//! Checks the names of the fields against the table.

use std::collections::HashSet;

use worldview_core::Place;

use super::Walk;
use crate::finding::FindingKind;
use crate::plan;
use crate::table::{FieldNames, Table};

pub(super) fn check<'t>(table: &'t Table<'_>, walk: &mut Walk<'_, 't>) {
    let sections = table.sections();
    let base = walk.source.base();
    let start =
        |member: Option<crate::Member<'_>>| member.map_or(0, |member| member.source().base().saturating_sub(base));
    match table.refused() {
        Some((None, why)) => {
            walk.say(FindingKind::NamesRefused { why }, start(sections.structitem), Place::of("field names"));
        }
        Some((Some(schema), why)) => {
            let place = Place::one("schema", None).with_name(schema.name().as_bytes());
            walk.say(FindingKind::SchemaRefused { why }, 0, place);
        }
        None => {}
    }
    let Some(names) = sections.item_names() else { return };
    let (mut count, mut seen) = (0_usize, HashSet::new());
    for name in names {
        if !seen.insert(name) {
            let place = Place::one("field", None).with_name(name);
            walk.say(FindingKind::FieldNameDuplicate { index: count }, start(sections.structitem), place);
        }
        count = count.saturating_add(1);
    }
    if let Some(found) = sections.announced_fields()
        && found as usize != count
    {
        let kind = FindingKind::FieldCount { found, names: count };
        walk.say(kind, start(sections.structitemnum), Place::of("field names"));
    }
    if table.names() == FieldNames::Embedded {
        for field in table.fields().iter().filter(|field| !field.kind().is_packed()) {
            let found = usize::try_from(field.word()).ok().and_then(|word| table.words().get(word));
            if let Some(found) = found
                && plan::expected_type(field.name()).is_some_and(|expected| expected != found)
            {
                let place = Place::one("field", None).with_name(field.name());
                let kind = FindingKind::FieldType { word: field.word(), found };
                walk.say(kind, start(sections.structitem), place);
            }
        }
    }
}
