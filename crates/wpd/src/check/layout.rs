//! Checks the names of the members and their layout.

use std::collections::HashMap;

use worldview_core::Place;
use worldview_core::describe::{FieldValue, Role};

use super::{Checker, Seen};
use crate::archive::{Archive, Member, entry_at};
use crate::finding::FindingKind;
use crate::raw::Entry;

/// The largest known alignment of members. A shorter gap of zeros is padding.
const COARSEST: u64 = 128;

/// The ASCII characters that no file name may contain, one bit for each: control characters, and those that separate
/// folders or that Windows refuses.
const UNSAFE: u128 = {
    const fn bit(byte: u8) -> u128 {
        1 << byte
    }
    let control = 0xFFFF_FFFF | bit(0x7F);
    let separators = bit(b'/') | bit(b'\\') | bit(b':');
    control | separators | bit(b'*') | bit(b'?') | bit(b'"') | bit(b'<') | bit(b'>') | bit(b'|')
};

pub(super) fn check<'a>(archive: &Archive<'a>, is_table: bool, checker: &mut Checker<'_, 'a>) {
    let header = archive.header();
    if archive.is_recovered() {
        let count = u32::try_from(archive.entries().len()).unwrap_or(u32::MAX);
        checker.report(FindingKind::HeaderDamaged { count }, 0, Place::of("header"));
    }
    for (info, value) in header.fields().filter(|(info, _)| info.role == Role::Reserved) {
        if let FieldValue::Uint(value @ 1..) = value {
            let (field, value) = (info.name, u32::try_from(value).unwrap_or(u32::MAX));
            checker.report(FindingKind::Reserved { field, value }, info.offset as u64, Place::of("header"));
        }
    }
    names(archive, is_table, checker);
    places(archive, checker);
}

fn names<'a>(archive: &Archive<'a>, is_table: bool, checker: &mut Checker<'_, 'a>) {
    let mut first_of = HashMap::new();
    let mut unsorted = Seen::NONE;
    let mut before: &[u8] = &[];
    for (index, entry) in (0_u32..).zip(archive.entries()) {
        let name = entry.name.as_bytes();
        for (field, tail) in [("name", entry.name.tail()), ("extension", entry.extension.tail())] {
            if tail.iter().any(|&byte| byte != 0) {
                checker.say_of(FindingKind::TextTail { field }, index, entry);
            }
        }
        if name.is_empty() {
            checker.say_of(FindingKind::NameEmpty, index, entry);
        }
        let leads_out = matches!(name, b"." | b"..").then_some(&b'.');
        let unsafe_byte = |byte: &&u8| byte.is_ascii() && UNSAFE >> **byte & 1 != 0;
        if let Some(&byte) = leads_out.or_else(|| name.iter().find(unsafe_byte)) {
            checker.say_of(FindingKind::NameUnsafe { byte }, index, entry);
        }
        // Members that differ in their extensions are different files. Sorted names have no duplicates.
        if !archive.is_sorted() {
            let first = *first_of.entry((name, entry.extension.as_bytes())).or_insert(index);
            if first != index {
                checker.say_of(FindingKind::NameDuplicate { first }, index, entry);
            }
        }
        if index > 0 && name < before {
            unsorted.note((index, entry));
        }
        before = name;
        if is_table && !entry.extension.is_empty() {
            checker.say_of(FindingKind::Extension, index, entry);
        }
    }
    if let (true, Some((index, entry))) = (is_table, unsorted.first) {
        checker.say_of(FindingKind::Unsorted { count: unsorted.count }, index, entry);
    }
}

/// Checks the members in the order of their data for gaps, overlaps and trailing bytes.
fn places<'a>(archive: &Archive<'a>, checker: &mut Checker<'_, 'a>) {
    let source = archive.source();
    let entries_end = entry_at(u32::try_from(archive.entries().len()).unwrap_or(u32::MAX));
    let members = || archive.members().filter(|member| !member.data().is_empty());
    let mut order = Seen::NONE;
    for (one, next) in members().zip(members().skip(1)) {
        if next.entry().offset.get() < one.entry().offset.get() {
            order.note((next.number(), next.entry()));
        }
    }
    if let Some((index, entry)) = order.first {
        checker.say_of(FindingKind::Order { count: order.count }, index, entry);
    }
    let mut end = entries_end;
    let mut place = |member: Member<'a>| {
        let (index, entry): (u32, &'a Entry) = (member.number(), member.entry());
        let offset = u64::from(entry.offset.get());
        if offset < entries_end {
            checker.say_of(FindingKind::DataInEntries { offset: entry.offset.get() }, index, entry);
        } else if offset < end {
            let len = end.saturating_sub(offset).min(entry.size.get().into());
            checker.say_of(FindingKind::Overlap { len }, index, entry);
        } else if let Ok(gap) = source.slice(end, offset.saturating_sub(end), "gap") {
            let len = gap.len() as u64;
            if gap.iter().any(|&byte| byte != 0) {
                checker.report(
                    FindingKind::Padding { len },
                    end,
                    Place::numbered("entry", index, entry.name.as_bytes()),
                );
            } else if len >= COARSEST {
                checker.report(FindingKind::Gap { len }, end, Place::numbered("entry", index, entry.name.as_bytes()));
            }
        }
        end = end.max(offset.saturating_add(entry.size.get().into()));
    };
    if order.count == 0 {
        // Tables of millions of records need no memory for their order.
        members().for_each(&mut place);
    } else {
        let mut sorted: Vec<_> = members().map(|member| (member.entry().offset.get(), member.number())).collect();
        sorted.sort_unstable();
        sorted.into_iter().filter_map(|(_, index)| archive.get(index as usize)).for_each(&mut place);
    }
    if let Ok(rest) = source.slice(end, source.len().saturating_sub(end), "rest") {
        let count = rest.len() as u64;
        if count >= COARSEST || rest.iter().any(|&byte| byte != 0) {
            checker.report(FindingKind::TrailingBytes { count }, end, Place::of("archive"));
        }
    }
}
