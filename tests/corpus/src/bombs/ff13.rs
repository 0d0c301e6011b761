//! Tables and archives that cost a reader far more than their size suggests.

use super::{Bomb, long};
use crate::ff13::{ENTRY_SIZE, HEADER_SIZE, MAGIC};

/// All table bombs.
pub const TABLES: &[Bomb] = &[
    Bomb { name: "records that share bytes", attacks: "code that walks over all records", make: same_records },
    Bomb { name: "records of one word", attacks: "output per record", make: small_records },
    Bomb { name: "empty records", attacks: "output per record without fields", make: no_records },
    Bomb { name: "one long string for all records", attacks: "strings by reference", make: one_string },
    Bomb { name: "one string of control characters for all records", attacks: "escapes of six bytes", make: controls },
    Bomb { name: "one invalid string for all records", attacks: "bytes written as four", make: no_text },
    Bomb { name: "strings that start at every byte", attacks: "the search for each end", make: every_byte },
    Bomb { name: "a pool without a terminator", attacks: "the search for a missing end", make: open_pool },
    Bomb { name: "empty strings", attacks: "a text column for each field", make: empty_strings },
    Bomb { name: "string arrays that share bytes", attacks: "code that lists all arrays", make: same_arrays },
    Bomb { name: "array elements that share a string", attacks: "arrays of one long string", make: same_elements },
    Bomb { name: "records of array elements", attacks: "strings referenced through an array", make: elements },
    Bomb { name: "65,536 fields in one record", attacks: "per-column memory of an output format", make: wide },
    Bomb { name: "65,536 fields in records that share bytes", attacks: "columns times rows", make: wide_and_same },
    Bomb { name: "65,536 one-bit fields", attacks: "a name for each bit", make: bits },
    Bomb { name: "one-bit fields in small records", attacks: "a name for each bit of many records", make: narrow_bits },
    Bomb {
        name: "one long field name",
        attacks: "names that are escaped and written with each record",
        make: long_name,
    },
    Bomb { name: "sections that span the file", attacks: "decoding of each section", make: whole_sections },
    Bomb { name: "records that cover the directory", attacks: "offsets that point backward", make: directory },
];

/// All bombs that are archives but not tables.
pub const ARCHIVES: &[Bomb] = &[
    Bomb { name: "an archive inside itself", attacks: "nesting depth times width", make: own_members },
    Bomb { name: "maximally nested archives", attacks: "recursion", make: nested },
    Bomb { name: "archives with shared members", attacks: "sixteen levels of shared members", make: fan },
    Bomb { name: "members that share bytes", attacks: "copies of members", make: same_members },
    Bomb { name: "empty members", attacks: "a file for each member", make: no_members },
    Bomb { name: "members with the same name", attacks: "a unique name for each member", make: same_names },
    Bomb { name: "members that are the same table", attacks: "a folder of files for each table", make: same_tables },
    Bomb {
        name: "members that are the same archive",
        attacks: "directories that are read to identify members",
        make: same_archives,
    },
    Bomb { name: "members with the same broken directory", attacks: "a message for each member", make: broken },
];

/// The data of a hand-built member.
enum Data<'d> {
    /// Data of its own, stored after that of the previous member.
    Own(&'d [u8]),
    /// A range of the archive (offset, size), whatever it contains.
    At(usize, usize),
    /// The same range as the member with this index.
    Of(usize),
}

/// Builds an archive by hand.
fn archive<'d>(members: impl IntoIterator<Item = (Vec<u8>, Data<'d>)>) -> Vec<u8> {
    let members: Vec<_> = members.into_iter().collect();
    let mut data: Vec<u8> = Vec::new();
    let mut places: Vec<(usize, usize)> = Vec::with_capacity(members.len());
    for (_, member) in &members {
        places.push(match *member {
            Data::Own(bytes) => {
                let start = HEADER_SIZE + ENTRY_SIZE * members.len() + data.len();
                data.extend(bytes);
                (start, bytes.len())
            }
            Data::At(start, size) => (start, size),
            Data::Of(other) => places[other],
        });
    }
    let mut out = MAGIC.to_vec();
    out.extend(long(members.len()).to_be_bytes());
    out.extend([0; 8]);
    for ((name, _), (start, size)) in members.iter().zip(places) {
        let end = out.len() + 16;
        out.extend(name.iter().take(16));
        out.resize(end, 0);
        out.extend(long(start).to_be_bytes());
        out.extend(long(size).to_be_bytes());
        out.extend([0; 8]);
    }
    out.extend(data);
    out
}

/// Builds a table by hand with embedded names, from the string pool, the type of each word, the NUL-terminated names,
/// and the records.
fn table<'d>(pool: &'d [u8], types: &'d [u8], names: &'d str, records: impl Iterator<Item = Data<'d>>) -> Vec<u8> {
    let sections = [
        ("!!string", pool),
        ("!!strtypelistb", types),
        ("!!version", &[0, 0, 1, 2]),
        ("!structitem", names.as_bytes()),
    ];
    let sections = sections.map(|(name, bytes)| (name.as_bytes().to_vec(), Data::Own(bytes)));
    let records = (0..).zip(records).map(|(i, data)| {
        let data = match data {
            // The index counts records here, and `archive` counts members: four sections come first.
            Data::Of(record) => Data::Of(record + 4),
            other => other,
        };
        (record_name(i), data)
    });
    archive(sections.into_iter().chain(records))
}

fn record_name(i: usize) -> Vec<u8> {
    format!("r{i:08}").into_bytes()
}

/// Returns `count` short, distinct, NUL-terminated field names.
fn names(letters: &str, count: usize) -> String {
    (0..count).map(|i| format!("{letters}_{i:x}\0")).collect()
}

/// Returns `count` records that share the bytes of the first.
fn same<'d>(record: &'d [u8], count: usize) -> impl Iterator<Item = Data<'d>> {
    (0..count).map(move |i| if i == 0 { Data::Own(record) } else { Data::Of(0) })
}

fn same_records(size: usize) -> Vec<u8> {
    let words = (size / 64).clamp(4, 1024);
    let record = vec![0x11; 4 * words];
    let count = (size.saturating_sub(20 * words) / ENTRY_SIZE).clamp(2, 65_535);
    table(b"", &vec![0; words], &names("i", words), same(&record, count))
}

fn small_records(size: usize) -> Vec<u8> {
    table(b"", &[0], "iX\0", (0..size / 36).map(|_| Data::Own(&[0x80, 0, 0, 1])))
}

fn no_records(size: usize) -> Vec<u8> {
    table(b"", &[], "", (0..size / 32).map(|_| Data::Own(&[])))
}

/// Builds a table whose records all refer to one long string of the given byte.
fn strings(size: usize, byte: u8) -> Vec<u8> {
    let pool = [&vec![byte; size / 2][..], &[0]].concat();
    table(&pool, &[2], "sX\0", (0..size / 2 / 36).map(|_| Data::Own(&[0; 4])))
}

fn one_string(size: usize) -> Vec<u8> {
    strings(size, b'x')
}

fn controls(size: usize) -> Vec<u8> {
    strings(size, 1)
}

fn no_text(size: usize) -> Vec<u8> {
    strings(size, 0xFF)
}

/// Builds a table of one string per record, each starting one byte further into the pool.
fn entered(size: usize, pool: &[u8]) -> Vec<u8> {
    let words: Vec<_> = (0..long(size / 2 / 36)).map(u32::to_be_bytes).collect();
    table(pool, &[2], "sX\0", words.iter().map(|word| Data::Own(word)))
}

fn every_byte(size: usize) -> Vec<u8> {
    entered(size, &[&vec![b'x'; size / 2][..], &[0]].concat())
}

fn open_pool(size: usize) -> Vec<u8> {
    entered(size, &vec![b'x'; size / 2])
}

fn empty_strings(size: usize) -> Vec<u8> {
    let words = (size / 64).clamp(1, 4096);
    let record = vec![0; 4 * words];
    let count = size.saturating_sub(20 * words) / (ENTRY_SIZE + 4 * words);
    table(b"\0", &vec![2; words], &names("s", words), (0..count.max(1)).map(|_| Data::Own(&record)))
}

/// Builds a table with `fields` string arrays, every other one of which spans the whole `!!strArray` section of `words`
/// words.
fn arrays(fields: usize, words: usize, pool: &[u8], records: usize) -> Vec<u8> {
    let names: String = (0..fields).map(|i| format!("s8a{i:x}\0")).collect();
    let starts: Vec<u8> = (0..fields).flat_map(|i| if i % 2 == 0 { 0 } else { u32::MAX }.to_be_bytes()).collect();
    let types = vec![0; fields.div_ceil(4)];
    let (list, record) = (vec![0; 4 * words], vec![0x55; 4 * fields.div_ceil(4)]);
    let sections: [(&str, &[u8]); 6] = [
        ("!!strArray", &list),
        ("!!strArrayInfo", &[0, 0, 2, 16]),
        ("!!strArrayList", &starts),
        ("!!string", pool),
        ("!!strtypelistb", &types),
        ("!structitem", names.as_bytes()),
    ];
    let sections = sections.map(|(name, bytes)| (name.as_bytes().to_vec(), Data::Own(bytes)));
    archive(sections.into_iter().chain((0..records).map(|i| (record_name(i), Data::Own(&record)))))
}

fn same_arrays(size: usize) -> Vec<u8> {
    arrays(size / 40, size / 2 / 4, b"a\0", 0)
}

fn same_elements(size: usize) -> Vec<u8> {
    arrays(1, size / 2 / 4, &[&vec![b'x'; size / 2][..], &[0]].concat(), 0)
}

fn elements(size: usize) -> Vec<u8> {
    arrays(4, 1024, &[&vec![b'x'; size / 4][..], &[0]].concat(), size / 2 / 36)
}

/// Returns the number of one-word fields: the maximum, or fewer if the file is small.
fn columns(size: usize) -> usize {
    (size / 16).clamp(4, 65_536)
}

fn wide(size: usize) -> Vec<u8> {
    let words = columns(size);
    table(b"", &vec![0; words], &names("i", words), same(&vec![0x11; 4 * words], 1))
}

fn wide_and_same(size: usize) -> Vec<u8> {
    let words = columns(size / 2);
    table(b"", &vec![0; words], &names("i", words), same(&vec![0x11; 4 * words], (size / 2 / ENTRY_SIZE).min(65_535)))
}

/// Builds a table of one-bit fields that fill `words` words, with enough records to reach the size.
fn of_bits(size: usize, words: usize) -> Vec<u8> {
    let names: String = (0..32 * words).map(|i| format!("u1_{i:x}\0")).collect();
    let record = vec![0; 4 * words];
    let left = size.saturating_sub(names.len() + words);
    let count = (left / (ENTRY_SIZE + 4 * words)).max(1);
    table(b"", &vec![0; words], &names, (0..count).map(|_| Data::Own(&record)))
}

fn bits(size: usize) -> Vec<u8> {
    of_bits(size, (size / 1024).clamp(1, 2048))
}

fn narrow_bits(size: usize) -> Vec<u8> {
    of_bits(size, 8)
}

fn long_name(size: usize) -> Vec<u8> {
    let name = format!("i{}\0", "\u{1}".repeat(size / 2));
    table(b"", &[0], &name, (0..size / 2 / 36).map(|_| Data::Own(&[0; 4])))
}

fn whole_sections(size: usize) -> Vec<u8> {
    let sections =
        ["!!sheetname", "!!strArray", "!!strArrayInfo", "!!strArrayList", "!!string", "!!strtypelistb", "!structitem"];
    let count = (size / ENTRY_SIZE).max(8) - sections.len();
    let whole = HEADER_SIZE + ENTRY_SIZE * (sections.len() + count);
    // The type list has a maximum length; every other section covers the whole file.
    let section = |name: &str| Data::At(0, if name == "!!strtypelistb" { whole.min(65_536) } else { whole });
    let sections = sections.into_iter().map(|name| (name.as_bytes().to_vec(), section(name)));
    archive(sections.chain((0..count).map(|i| (record_name(i), Data::At(0, whole)))))
}

fn directory(size: usize) -> Vec<u8> {
    let whole = size / 64 * 32;
    table(b"", &[0; 8], &names("i", 8), (0..size / 32).map(move |_| Data::At(0, whole)))
}

fn own_members(size: usize) -> Vec<u8> {
    let count = size / ENTRY_SIZE;
    let whole = HEADER_SIZE + ENTRY_SIZE * count;
    archive((0..count).map(|i| (record_name(i), Data::At(0, whole))))
}

fn nested(size: usize) -> Vec<u8> {
    let depth = size / (HEADER_SIZE + ENTRY_SIZE);
    let mut out = Vec::new();
    for left in (0..depth).rev() {
        out.extend(MAGIC);
        out.extend([0, 0, 0, 1]);
        out.extend([0; 8]);
        out.extend(*b"inner\0\0\0\0\0\0\0\0\0\0\0");
        out.extend(48_u32.to_be_bytes());
        out.extend(long(48 * left).to_be_bytes());
        out.extend([0; 8]);
    }
    out
}

fn fan(size: usize) -> Vec<u8> {
    // At each level, all members share one data range, which holds the next level.
    let count = (size / 20 / ENTRY_SIZE).max(2);
    (0..20).fold(archive([(b"leaf".to_vec(), Data::Own(b"leaf"))]), |inner, _| {
        archive((0..count).map(|i| (record_name(i), if i == 0 { Data::Own(&inner) } else { Data::Of(0) })))
    })
}

fn same_members(size: usize) -> Vec<u8> {
    let data = vec![7; size / 2];
    let count = (size / 2 / ENTRY_SIZE).clamp(2, 65_535);
    archive((0..count).map(|i| (record_name(i), if i == 0 { Data::Own(&data) } else { Data::Of(0) })))
}

fn no_members(size: usize) -> Vec<u8> {
    archive((0..size / ENTRY_SIZE).map(|i| (record_name(i), Data::Own(&[]))))
}

fn same_names(size: usize) -> Vec<u8> {
    archive((0..size / ENTRY_SIZE).map(|_| (b"same".to_vec(), Data::Own(&[]))))
}

/// Returns the smallest table that has a record.
fn tiny_table() -> Vec<u8> {
    table(b"\0", &[0], "iX\0", std::iter::once(Data::Own(&[0; 4])))
}

fn same_tables(size: usize) -> Vec<u8> {
    let tiny = tiny_table();
    archive((0..size / ENTRY_SIZE).map(|i| (record_name(i), if i == 0 { Data::Own(&tiny) } else { Data::Of(0) })))
}

fn same_archives(size: usize) -> Vec<u8> {
    let inner = no_members(size / 2);
    let count = (size / 2 / ENTRY_SIZE).max(2);
    archive((0..count).map(|i| (record_name(i), if i == 0 { Data::Own(&inner) } else { Data::Of(0) })))
}

fn broken(size: usize) -> Vec<u8> {
    // An archive whose header claims more entries than there are bytes.
    let inner = [&MAGIC[..], &[0xFF; 12]].concat();
    let count = size / ENTRY_SIZE;
    archive((0..count).map(|i| (record_name(i), if i == 0 { Data::Own(&inner) } else { Data::Of(0) })))
}
