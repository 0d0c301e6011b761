use std::cell::LazyCell;

use worldview_core::Budget;
use worldview_inspect::utf8;

use super::forms::TABLE_GAMES;
use super::{About, Audience as A, Facts, Value, counted, fact};
use crate::wpd::{Archive, Generation, Member, NameOrigin, Row, Table};

/// States the facts about a table.
pub(super) fn table(facts: &mut About<'_, ()>, table: &Table<'_>) {
    let source = table.archive().source();
    let name = || table.sheet_name().map(|name| utf8(name).into_owned());
    let schema = match table.name_origin() {
        NameOrigin::Schema(schema) if !schema.name().is_empty() => Some(schema.name()),
        _ => None,
    };
    let schema = || schema.map(str::to_owned);
    // The games that share a generation.
    facts.add(fact("game", A::JSON | A::SHEET), |()| match table.generation() {
        Generation::G3 | Generation::G3Prime => TABLE_GAMES[1].0,
        _ => TABLE_GAMES[0].0,
    });
    facts.add(fact("generation", A::JSON | A::SHEET), |()| table.generation().name());
    facts.add(fact("format", A::TEXT), |()| format!("WDB table, {}", table.generation().name()));
    facts.add(fact("sheet_name", A::JSON), |()| name());
    // A schema names the sheet of tables that do not.
    facts.add(fact("sheet", A::SHEET | A::TEXT).column("name"), |()| name().or_else(schema));
    facts.add(fact("layout_version", A::JSON), |()| table.layout_version());
    facts.add(fact("layout version", A::TEXT), |()| table.layout_version().map(|version| format!("{version:#010x}")));
    // Where the names of fields come from.
    facts.add(fact("names", A::JSON | A::SHEET), |()| table.name_origin().name());
    facts.add(fact("schema", A::JSON), |()| schema());
    facts.length(source.len(), A::TEXT);
    facts.add(fact("offset", A::JSON), |()| source.base());
    facts.add(fact("records", A::JSON | A::SHEET | A::CARD | A::BRIEF).unit("record"), |()| table.len());
    facts.add(fact("records", A::TEXT), |()| format!("{} of {} bytes", table.len(), table.record_size()));
    facts.add(fact("record_size", A::JSON | A::SHEET), |()| table.record_size());
    facts.add(fact("fields", A::JSON | A::SHEET | A::CARD), |()| table.fields().len());
    facts.add(fact("fields", A::TEXT), |()| {
        let schema = schema().map_or(String::new(), |schema| format!(", {schema}"));
        format!("{} ({} names{schema})", table.fields().len(), table.name_origin().name())
    });
    facts
        .add(fact("string_bytes", A::JSON | A::TEXT).label("strings").unit("byte"), |()| table.strings().bytes().len());
    facts.add(fact("string_arrays", A::JSON | A::TEXT).label("string arrays"), |()| table.string_arrays().len());
    recovered(facts, &table.archive());
}

/// States whether the header of an archive was overwritten.
fn recovered(facts: &mut About<'_, ()>, archive: &Archive<'_>) {
    let is_recovered = archive.is_recovered();
    facts.add(fact("recovered", A::JSON), |()| is_recovered);
    let text = "overwritten; the entries were recovered";
    facts.add(fact("header", A::TEXT), |()| Value::if_any(is_recovered.then_some(text)));
}

/// States the facts about a record.
pub(super) fn record(facts: &mut About<'_, ()>, table: &Table<'_>, row: &Row<'_, '_>) {
    facts.add(fact("format", A::TEXT), |()| "record of a WDB table");
    facts.add(fact("row", A::TEXT), |()| format!("{} of {}", row.index(), table.len()));
    facts.add(fact("size", A::TEXT).unit("byte"), |()| row.data().len());
}

/// States the facts about an archive that is not a table.
pub(super) fn archive(facts: &mut About<'_, ()>, archive: &Archive<'_>) {
    let source = archive.source();
    let contents = LazyCell::new(|| {
        // Thousands of members may share one archive whose directory is as long as the file.
        let mut budget = Budget::for_bytes(source.len(), "directories of nested archives");
        archive.members().map(|member| content(&member, &mut budget)).collect::<Vec<_>>()
    });
    let count = |kind| contents.iter().filter(|content| **content == kind).count();
    facts.add(fact("format", A::TEXT), |()| "WPD archive");
    facts.length(source.len(), A::TEXT);
    facts.add(fact("offset", A::JSON), |()| source.base());
    let members = fact("count", A::JSON | A::SHEET | A::CARD | A::BRIEF).column("members").label("members");
    facts.add(members.unit("member"), |()| archive.len());
    facts.add(fact("tables", A::JSON | A::SHEET), |()| count("table"));
    facts.add(fact("archives", A::JSON | A::SHEET), |()| count("archive"));
    facts.add(fact("members", A::TEXT), |()| {
        let nested = ["table", "archive"].map(|kind| counted(count(kind) as u64, kind)).join(", ");
        format!("{} ({nested})", archive.len())
    });
    recovered(facts, archive);
    let list = || archive.members().zip(contents.iter().copied());
    facts.each(fact("members", A::INFO | A::TEXT), list, about_member);
}

/// Returns the facts about a member, as `show` prints them.
pub fn member(member: &Member<'_>) -> Facts {
    let mut budget = Budget::for_bytes(member.source().len(), "directory of a member");
    Facts::new("", A::INFO, [(*member, content(member, &mut budget))], about_member)
}

fn about_member(facts: &mut About<'_, (Member<'_>, &'static str)>) {
    facts.add(fact("index", A::INFO | A::TEXT).label(">member"), |(member, _)| member.index());
    facts.add(fact("name", A::INFO | A::TEXT), |(member, _)| utf8(member.name()).into_owned());
    facts.add(fact("extension", A::INFO | A::TEXT), |(member, _)| utf8(member.extension()).into_owned());
    facts.add(fact("offset", A::INFO | A::TEXT).label(">offset"), |(member, _)| member.source().base());
    facts.add(fact("size", A::INFO | A::TEXT).label(">bytes"), |(member, _)| member.data().len());
    facts.add(fact("content", A::INFO | A::TEXT), |(_, content)| *content);
}

/// Returns the kind of a member: `table`, `archive` or `data`. Once the budget is exhausted, nested archives are not
/// inspected.
fn content(member: &Member<'_>, budget: &mut Budget) -> &'static str {
    if !member.is_archive() {
        return "data";
    }
    let source = member.source();
    let is_table = |archive: Archive<'_>| archive.is_table();
    let looked_into = budget.spend(source.len(), source.base(), source.space()).is_ok();
    if looked_into && Archive::parse_lossy(source, &mut |_| {}).is_ok_and(is_table) { "table" } else { "archive" }
}
