//! Checks every value of every record.

use worldview_core::Place;

use super::{Checker, Seen};
use crate::column::{Bits, Column};
use crate::finding::FindingKind;
use crate::plan::{Field, FieldKind};
use crate::table::Table;

pub(super) fn check<'t>(table: &'t Table<'_>, checker: &mut Checker<'_, 't>) {
    let archive = table.archive();
    let records = archive.entries().iter().filter(|entry| !table.is_section(entry)).count();
    let count = records.saturating_sub(table.len());
    if count > 0 {
        checker.report(FindingKind::RecordsLeftOut { count }, 0, Place::of("records"));
    }
    if records == 0 {
        checker.report(FindingKind::NoRecords, 0, Place::of("table"));
    }
    if table.is_empty() {
        return;
    }
    let mut misaligned = Seen::NONE;
    for row in table.rows().filter(|row| !row.data().is_empty() && row.entry().offset.get() % 4 != 0) {
        misaligned.note(row.entry().offset.get());
    }
    if let Seen { count, first: Some(offset) } = misaligned {
        checker.report(FindingKind::Misaligned { count, offset }, offset.into(), Place::of("records"));
    }
    let all = u64::from(table.record_size()).saturating_mul(table.len() as u64);
    if !checker.may_visit(all, 0, Place::of("records")) {
        return;
    }
    for field in table.fields() {
        let Some(column) = Column::<Bits>::of(table, field) else { continue };
        match field.kind() {
            FieldKind::String => strings(table, field, &column, checker),
            FieldKind::Element => elements(table, field, &column, checker),
            FieldKind::Float => floats(table, field, &column, checker),
            _ => {}
        }
    }
    unused_bits(table, checker);
    overwritten(table, checker);
}

/// The bytes that a common extractor writes over the start of a file, and over records of some.
const OVERWRITTEN: [u8; 4] = [0xD8, 0xAD, 0xFF, 0x00];

pub(super) fn overwritten<'t>(table: &'t Table<'_>, checker: &mut Checker<'_, 't>) {
    let mut found = Seen::NONE;
    for row in table.rows() {
        // A record may span the whole file, as may every other.
        let (data, at) = (row.data(), row.entry().offset.get());
        if !checker.may_visit(data.len() as u64, at.into(), Place::of("records")) {
            break;
        }
        if data.windows(4).any(|bytes| bytes == OVERWRITTEN) {
            found.note(row);
        }
    }
    if let Seen { count, first: Some(row) } = found {
        let kind = FindingKind::RecordsOverwritten { count, row: row.index() };
        checker.report(kind, row.entry().offset.get().into(), Place::of("records"));
    }
}

/// Reports a finding about a field of one row, at the offset of that field.
fn report<'t>(checker: &mut Checker<'_, 't>, kind: FindingKind, table: &Table<'_>, row: usize, field: &'t Field<'_>) {
    let record = table.get(row).map_or(0, |row| u64::from(row.entry().offset.get()));
    let at = record.saturating_add(field.byte() as u64);
    checker.report(kind, at, Place::one("field", None).with_name(field.name()));
}

fn strings<'t>(table: &Table<'_>, field: &'t Field<'_>, column: &Column<'_, '_, Bits>, checker: &mut Checker<'_, 't>) {
    let (pool, mut outside) = (table.strings(), Seen::NONE);
    for (row, Bits(offset)) in column.iter().enumerate() {
        if !pool.has(offset) {
            outside.note((row, offset));
        }
    }
    if let Seen { count, first: Some((row, offset)) } = outside {
        let kind = FindingKind::StringOutside { count, row, offset, pool: pool.bytes().len() };
        report(checker, kind, table, row, field);
    }
}

fn elements<'t>(table: &Table<'_>, field: &'t Field<'_>, column: &Column<'_, '_, Bits>, checker: &mut Checker<'_, 't>) {
    let Some(array) = field.array().and_then(|array| table.string_arrays().get(array)) else { return };
    let (len, mut outside) = (array.len(), Seen::NONE);
    for (row, Bits(index)) in column.iter().enumerate() {
        if usize::try_from(index).map_or(true, |index| index >= len) {
            outside.note((row, index));
        }
    }
    if let Seen { count, first: Some((row, index)) } = outside {
        report(checker, FindingKind::ElementOutside { count, row, index, len }, table, row, field);
    }
    let place = Place::one("array", field.array().and_then(|array| u32::try_from(array).ok())).with_name(field.name());
    if !checker.may_visit((len as u64).saturating_mul(4), 0, place) {
        return;
    }
    let mut astray = Seen::NONE;
    for index in 0..len {
        if let Some(offset) = array.offset(index).filter(|&offset| !array.reaches(offset)) {
            astray.note((index, offset));
        }
    }
    if let Seen { count, first: Some((index, offset)) } = astray {
        let at = table.sections().str_array().map_or(0, |member| member.entry().offset.get().into());
        checker.report(FindingKind::ElementStringOutside { count, index, offset }, at, place);
    }
}

fn floats<'t>(table: &Table<'_>, field: &'t Field<'_>, column: &Column<'_, '_, Bits>, checker: &mut Checker<'_, 't>) {
    let mut strange = Seen::NONE;
    for (row, Bits(bits)) in column.iter().enumerate() {
        if !f32::from_bits(bits).is_finite() {
            strange.note(row);
        }
    }
    if let Seen { count, first: Some(row) } = strange {
        report(checker, FindingKind::FloatNotFinite { count, row }, table, row, field);
    }
}

/// The high bits of packed words that no field owns.
fn unused_bits<'t>(table: &'t Table<'_>, checker: &mut Checker<'_, 't>) {
    for field in table.unowned_bits() {
        let Some(column) = Column::<Bits>::of(table, &field) else { continue };
        let (mut set, mut bits) = (Seen::NONE, 0);
        for (row, Bits(found)) in column.iter().enumerate().filter(|(_, Bits(found))| *found != 0) {
            bits |= found.unbounded_shl(field.bit().into());
            set.note(row);
        }
        if let Seen { count, first: Some(row) } = set {
            let kind = FindingKind::BitsUnused { word: field.word(), bits, count, row };
            let entry = table.get(row).map_or(0, |row| u64::from(row.entry().offset.get()));
            checker.report(kind, entry.saturating_add(field.byte() as u64), Place::of("records"));
        }
    }
}
