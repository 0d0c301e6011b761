//! Builds an archive or table from its spec, with a label on every field.

use super::NAME_SIZE;
use super::spec::{ArchiveSpec, CellSpec, Generation, LABELED_MEMBERS, MemberSpec, RowSpec, TableSpec};
use crate::builder::{Builder, Built, count};

mod layout;
mod strings;

pub use layout::{Layout, Slot, layout};
pub(super) use strings::{Arrays, Pool};

/// Builds an archive.
pub fn build_archive(spec: &ArchiveSpec) -> Built {
    let mut b = Builder::new();
    b.put(spec);
    b.finish()
}

/// Builds a table. In addition to the archive labels, sections and records are labeled by name.
pub fn build_table(spec: &TableSpec) -> Built {
    let layout = layout(&spec.fields);
    let mut pool = Pool::new(&spec.pool);
    let mut arrays = Arrays::new(&spec.arrays, &layout);
    let records: Vec<_> = spec.rows.iter().map(|row| record(row, &layout, &mut pool, &mut arrays)).collect();
    let mut members = sections(spec, &layout, pool, &arrays);
    let section_count = members.len();
    members.extend(records);
    members.extend(spec.others.iter().cloned());
    let mut order: Vec<usize> = (0..members.len()).collect();
    if !spec.keep_order {
        // The game sorts by the names as stored in the entries.
        order.sort_by_key(|&i| {
            let mut name = members[i].name.clone();
            name.resize(NAME_SIZE, 0);
            name
        });
    }
    let sorted = order.iter().map(|&i| members[i].clone()).collect();
    let TableSpec { align, reserved, .. } = *spec;
    let mut built =
        build_archive(&ArchiveSpec { members: sorted, align, first_align: align, pad_end: false, reserved });
    if members.len() <= LABELED_MEMBERS {
        // Among members with the same name the first gets the label, since readers also use the first.
        for (position, &i) in order.iter().enumerate().rev() {
            let is_section = match spec.generation {
                Generation::G0 => members[i].name.starts_with(b"__"),
                Generation::G1 | Generation::G2 => members[i].name.starts_with(b"!!"),
                Generation::G3 | Generation::G3Prime => members[i].name.starts_with(b"!"),
            };
            let kind = if i < section_count || is_section { "section" } else { "record" };
            name_labels(&mut built, kind, position, &members[i].name);
        }
    }
    built
}

fn name_labels(built: &mut Built, kind: &str, position: usize, name: &[u8]) {
    let name = String::from_utf8_lossy(name);
    for (stored, label) in [
        (format!("data {position}"), ""),
        (format!("entry {position}"), " entry"),
        (format!("entry {position} name"), " name"),
        (format!("entry {position} offset"), " offset"),
        (format!("entry {position} size"), " size"),
    ] {
        let at = built.labels[&stored];
        built.labels.insert(format!("{kind} {name}{label}"), at);
    }
}

/// Builds the sections of a table; the pool already holds all strings.
pub(super) fn sections(spec: &TableSpec, layout: &Layout, mut pool: Pool, arrays: &Arrays) -> Vec<MemberSpec> {
    let generation = spec.generation;
    let with_names = matches!(generation, Generation::G3 | Generation::G3Prime);
    let mut out = Vec::new();
    if let Some(name) = &spec.sheet_name {
        let data = [name.as_slice(), &[0]].concat();
        out.push(MemberSpec { slot: spec.sheet_slot, ..MemberSpec::new("!!sheetname", data) });
    }
    if !arrays.is_empty() {
        let [words, info, list] = arrays.finish(&mut pool);
        out.push(MemberSpec::new("!!strArray", words));
        out.push(MemberSpec::new("!!strArrayInfo", info));
        out.push(MemberSpec::new("!!strArrayList", list));
    }
    let types = be_words(&layout.types);
    let kinds = be_words(&layout.slots.iter().map(Slot::kind).collect::<Vec<_>>());
    let strings = pool.finish();
    match generation {
        Generation::G0 => {
            out.push(MemberSpec::new("__string", strings));
            out.push(MemberSpec::new("__typelist", types));
        }
        Generation::G1 => {
            out.push(MemberSpec::new("!!string", at_least_a_nul(strings)));
            out.push(MemberSpec::new("!!typelist", types));
        }
        Generation::G2 | Generation::G3Prime => {
            if generation == Generation::G2 || !strings.is_empty() {
                out.push(MemberSpec::new("!!string", at_least_a_nul(strings)));
            }
            out.push(MemberSpec::new("!!strtypelist", types));
            out.push(MemberSpec::new("!!typelist", kinds));
        }
        Generation::G3 => {
            if !strings.is_empty() {
                out.push(MemberSpec::new("!!string", strings));
            }
            let types: Vec<u8> = layout.types.iter().map(|word| word.to_be_bytes()[3]).collect();
            out.push(MemberSpec::new("!!strtypelistb", types));
        }
    }
    if let Some(version) = spec.version {
        out.push(MemberSpec::new("!!version", version.to_be_bytes()));
    }
    if with_names {
        let names: Vec<u8> = spec.fields.iter().flat_map(|name| name.bytes().chain([0])).collect();
        out.push(MemberSpec::new("!structitem", names));
        out.push(MemberSpec::new("!structitemnum", count(spec.fields.len()).to_be_bytes()));
    }
    for section in &spec.sections {
        let found = out.iter().position(|member| member.name == section.name);
        match (found, &section.data) {
            (Some(i), Some(data)) => out[i].data = data.clone(),
            (Some(i), None) => _ = out.remove(i),
            (None, Some(data)) => out.push(MemberSpec::new(section.name.clone(), data.clone())),
            (None, None) => {}
        }
    }
    out
}

fn at_least_a_nul(strings: Vec<u8>) -> Vec<u8> {
    if strings.is_empty() { vec![0] } else { strings }
}

fn record(row: &RowSpec, layout: &Layout, pool: &mut Pool, arrays: &mut Arrays) -> MemberSpec {
    if let Some(data) = &row.data {
        return MemberSpec::new(row.name.clone(), data.clone());
    }
    let mut data = vec![0; layout.size];
    for (slot, value) in layout.slots.iter().zip(&row.values) {
        let bits = match value {
            CellSpec::Int(value) => u64::from_be_bytes(value.to_be_bytes()),
            CellSpec::Float(bits) => (*bits).into(),
            CellSpec::Text(text) => match slot.array {
                Some(k) => arrays.index(k, text, pool).into(),
                None => pool.offset(text).into(),
            },
        };
        slot.put(&mut data, bits);
    }
    MemberSpec::new(row.name.clone(), data)
}

fn be_words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_be_bytes()).collect()
}
