//! Checks the names of the fields against the table.

use std::collections::HashSet;

use worldview_core::Place;

use super::Checker;
use crate::finding::FindingKind;
use crate::plan;
use crate::table::{NameOrigin, Table};

pub(super) fn check<'t>(table: &'t Table<'_>, checker: &mut Checker<'_, 't>) {
    let sections = table.sections();
    let base = checker.source.base();
    let start =
        |member: Option<crate::Member<'_>>| member.map_or(0, |member| member.source().base().saturating_sub(base));
    match table.schema_mismatch() {
        Some((None, why)) => {
            checker.report(FindingKind::NamesRefused { why }, start(sections.structitem()), Place::of("field names"));
        }
        Some((Some(schema), why)) => {
            let place = Place::one("schema", None).with_name(schema.name().as_bytes());
            checker.report(FindingKind::SchemaRefused { why }, 0, place);
        }
        None => {}
    }
    let Some(names) = sections.item_names() else { return };
    let (mut count, mut seen) = (0_usize, HashSet::new());
    for name in names {
        if !seen.insert(name) {
            let place = Place::one("field", None).with_name(name);
            checker.report(FindingKind::FieldNameDuplicate { index: count }, start(sections.structitem()), place);
        }
        count = count.saturating_add(1);
    }
    if let Some(found) = sections.announced_fields()
        && found as usize != count
    {
        let kind = FindingKind::FieldCount { found, names: count };
        checker.report(kind, start(sections.structitemnum()), Place::of("field names"));
    }
    if table.name_origin() == NameOrigin::Embedded {
        for field in table.fields().iter().filter(|field| !field.kind().is_packed()) {
            let found = usize::try_from(field.word()).ok().and_then(|word| table.words().get(word));
            if let Some(found) = found
                && plan::expected_type(field.name()).is_some_and(|expected| expected != found)
            {
                let place = Place::one("field", None).with_name(field.name());
                let kind = FindingKind::FieldType { word: field.word(), found };
                checker.report(kind, start(sections.structitem()), place);
            }
        }
    }
}
