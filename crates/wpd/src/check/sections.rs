//! Checks the sections of a table.

use worldview_core::Place;

use super::Checker;
use crate::archive::Member;
use crate::finding::FindingKind;
use crate::plan::{self, FieldKind};
use crate::sections::{Generation, WordTypes, longs};
use crate::table::Table;

pub(super) fn check<'t>(table: &'t Table<'_>, checker: &mut Checker<'_, 't>) {
    missing(table, checker);
    sizes(table, checker);
    types(table, checker);
    strings(table, checker);
    arrays(table, checker);
}

fn offset_of(checker: &Checker<'_, '_>, member: &Member<'_>) -> u64 {
    member.source().base().saturating_sub(checker.source.base())
}

fn place<'a>(member: &Member<'a>) -> Place<'a> {
    Place::one("section", None).with_name(member.name())
}

fn missing<'t>(table: &'t Table<'_>, checker: &mut Checker<'_, 't>) {
    let sections = table.sections();
    // The second section of a name is reported as a duplicate.
    let known: Vec<_> = sections.members().map(|member| member.name()).collect();
    for member in table.archive().members().filter(|member| table.is_section(member.entry())) {
        if !known.contains(&member.name()) {
            let kind = FindingKind::SectionUnknown { size: member.entry().size.get() };
            checker.say_of(kind, member.number(), member.entry());
        }
    }
    let generation = table.generation();
    let has_strings = table.fields().iter().any(|field| matches!(field.kind(), FieldKind::String | FieldKind::Element));
    for (section, is_there, is_needed) in [
        // XIII-1 tables have this section even if it is empty.
        (
            if generation == Generation::G0 { "__string" } else { "!!string" },
            sections.string().is_some(),
            has_strings || generation == Generation::G2,
        ),
        ("!!version", sections.version().is_some(), generation != Generation::G0),
        ("!!typelist", sections.typelist().is_some(), matches!(generation, Generation::G2 | Generation::G3Prime)),
        ("!structitem", sections.structitem().is_some(), generation == Generation::G3),
        ("!structitemnum", sections.structitemnum().is_some(), sections.structitem().is_some()),
    ] {
        if is_needed && !is_there {
            checker.report(FindingKind::SectionMissing { section }, 0, Place::of("table"));
        }
    }
}

fn sizes<'t>(table: &'t Table<'_>, checker: &mut Checker<'_, 't>) {
    let sections = table.sections();
    for member in [sections.version(), sections.structitemnum(), sections.str_array_info()].into_iter().flatten() {
        let found = member.entry().size.get();
        if found != 4 {
            checker.say_of(FindingKind::SectionSize { found, expected: 4 }, member.number(), member.entry());
        }
    }
    if let Some(names) = sections.structitem()
        && !names.data().is_empty()
        && names.data().last() != Some(&0)
    {
        checker.report(FindingKind::FieldNameUnterminated, offset_of(checker, &names), place(&names));
    }
}

fn types<'t>(table: &'t Table<'_>, checker: &mut Checker<'_, 't>) {
    let sections = table.sections();
    let types = table.words();
    let list = sections.type_list();
    let (start, whose) = list.map_or((0, Place::of("table")), |member| (offset_of(checker, &member), place(&member)));
    for (word, found) in (0..).zip(types.iter()) {
        if found > WordTypes::UINT {
            checker.report(FindingKind::TypeUnknown { word, found }, start, whose);
        }
    }
    if let (Some(bytes), Some(words)) = (sections.strtypelistb(), sections.strtypelist()) {
        let words_of = longs(words.data()).iter().map(|word| word.get());
        if !words_of.eq(bytes.data().iter().map(|&byte| byte.into())) {
            checker.report(FindingKind::TypeListsDiffer, offset_of(checker, &words), place(&words));
        }
    }
    let Some((kinds, member)) = sections.kinds().zip(sections.typelist()) else { return };
    for (index, kind) in (0..).zip(kinds) {
        if kind.get() > 3 {
            let at = offset_of(checker, &member).saturating_add(u64::from(index).saturating_mul(4));
            checker.report(FindingKind::KindUnknown { index, found: kind.get() }, at, place(&member));
        }
    }
    // A schema was only accepted if the kinds match, so this can only concern the table's own names.
    if let Some(names) = sections.item_names()
        && table.schema_mismatch().is_none()
        && let Err(why) = plan::same_kinds(names, sections)
    {
        checker.report(FindingKind::KindsDiffer { why }, offset_of(checker, &member), place(&member));
    }
}

fn strings<'t>(table: &'t Table<'_>, checker: &mut Checker<'_, 't>) {
    let Some(member) = table.sections().string() else { return };
    let pool = member.data();
    if pool.last().is_some_and(|&byte| byte != 0) {
        checker.report(FindingKind::StringsUnterminated, offset_of(checker, &member), place(&member));
    }
    if let Err(error) = core::str::from_utf8(pool) {
        let offset = error.valid_up_to();
        let here = offset_of(checker, &member).saturating_add(offset as u64);
        checker.report(FindingKind::StringsNotUtf8 { offset }, here, place(&member));
    }
}

fn arrays<'t>(table: &'t Table<'_>, checker: &mut Checker<'_, 't>) {
    let sections = table.sections();
    if let Some(why) = table.arrays_refused() {
        let member = sections.str_array_info().or(sections.str_array_list()).or(sections.str_array());
        let (start, whose) =
            member.map_or((0, Place::of("table")), |member| (offset_of(checker, &member), place(&member)));
        checker.report(FindingKind::ArraysRefused { why }, start, whose);
    }
    if let Some(member) = sections.str_array_info()
        && let Some(info) = longs(member.data()).first()
        && info.get() >> 16 != 0
    {
        checker.report(FindingKind::ArraysInfo { value: info.get() }, offset_of(checker, &member), place(&member));
    }
    let arrays = table.string_arrays();
    let len = arrays.bytes().len();
    let Some(list) = sections.str_array_list() else { return };
    let mut next = arrays.starts().iter().skip(1);
    for (index, start) in (0_u32..).zip(arrays.starts()) {
        let end = next.next().map_or(len, |next| usize::try_from(next.get()).unwrap_or(usize::MAX));
        let start_at = usize::try_from(start.get()).unwrap_or(usize::MAX);
        if start_at > end.min(len) {
            let at = offset_of(checker, &list).saturating_add(u64::from(index).saturating_mul(4));
            let name = Place::numbered("array", index, list.name());
            checker.report(FindingKind::ArrayStart { start: start.get(), len }, at, name);
        }
    }
}
