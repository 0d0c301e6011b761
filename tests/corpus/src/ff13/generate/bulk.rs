//! Generates tables of any size straight into one buffer.

use crate::builder::count;
use crate::ff13::build::{Arrays, Layout, Pool, layout, sections};
use crate::ff13::spec::{ArraysSpec, Generation, PoolSpec, TableSpec};
use crate::ff13::{ENTRY_SIZE, HEADER_SIZE, MAGIC, NAME_SIZE};
use crate::rng::Rng;

/// Maximum size of a string pool, however large the table.
const MAX_POOL_LEN: usize = 4 << 20;

/// The fields of a table and the source of their names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Which sections the table has.
    pub generation: Generation,
    /// Name of the sheet, for tables that store one.
    pub sheet: &'static str,
    /// Names of the fields.
    pub fields: Vec<String>,
}

impl Shape {
    fn new(generation: Generation, sheet: &'static str, fields: &[&str]) -> Self {
        Self { generation, sheet, fields: fields.iter().map(|&name| name.into()).collect() }
    }

    /// Records of 4 bytes: a single number.
    pub fn flag() -> Self {
        Self::new(Generation::G2, "EventFlag", &["iFlagIndex"])
    }

    /// Records of 16 bytes: a string, a float and packed numbers.
    pub fn zone() -> Self {
        let packed = ["u8RefZone0", "u8RefZone1", "u8RefZone2", "u1OnDisk0", "u1OnDisk1", "i12Offset", "u20Count"];
        let fields = [&["sTitle", "fTotalSec"][..], &packed].concat();
        Self::new(Generation::G2, "ZoneList", &fields)
    }

    /// Records of 32 bytes, with string arrays.
    pub fn monster() -> Self {
        let full = ["sSpecId", "sOpenItem", "fScale", "fYaw", "iLeafId", "uNodeFlags"];
        let packed = ["u7Race", "u9SortId", "s4CountToSpec", "s8Link", "u1IsBoss", "u3MemorySize", "i16Threshold"];
        Self::new(
            Generation::G3,
            "MonsterBook",
            &[&full[..], &packed, &["f10Angle", "i5Attribute", "u1Quick"]].concat(),
        )
    }

    /// Records of 84 bytes: 21 full words.
    pub fn battle_scene() -> Self {
        let mut shape = Self::new(Generation::G2, "btsc", &[]);
        shape.fields.extend((0..12).map(|i| format!("sParty{i}")));
        shape.fields.extend((0..3).map(|i| format!("fPosition{i}")));
        shape.fields.extend((0..6).map(|i| format!("iOption{i}")));
        shape
    }

    /// Records of 268 bytes: 66 full words and a few flags.
    pub fn chara_set() -> Self {
        let mut shape = Self::new(Generation::G2, "CharaSet", &["iMemorySizeLimit", "iVideoMemorySizeLimit"]);
        shape.fields.extend((0..64).map(|i| format!("sCharaSpecId{i}")));
        shape.fields.extend((0..6).map(|i| format!("u1PartyLoadRequestIndex{i}")));
        shape
    }

    /// Returns the same fields with their names embedded in the file.
    #[must_use]
    pub fn embedded(self) -> Self {
        Self { generation: Generation::G3, ..self }
    }

    /// Returns all shapes.
    pub fn all() -> [Self; 5] {
        [Self::flag(), Self::zone(), Self::monster(), Self::battle_scene(), Self::chara_set()]
    }

    /// Returns the record size in bytes.
    pub fn record_size(&self) -> usize {
        layout(&self.fields).size
    }
}

/// Returns sizes of tables as a game has them, from the smallest: half of them are at most 832 bytes, and of
/// 882, the largest has some 19,000 records.
pub fn sizes(count: usize) -> impl Iterator<Item = usize> {
    // How many there are below one and above it.
    (0..count).map(move |at| 300 + 532 * (2 * at + 1) / (2 * (count - at) - 1))
}

/// Generates a table of about `target_bytes` with at least one record.
pub fn table(seed: u64, target_bytes: usize, shape: &Shape) -> Vec<u8> {
    let pool = (target_bytes / 8).min(MAX_POOL_LEN);
    let head = 600 + if shape.fields.iter().any(|name| name.starts_with('s')) { pool } else { 0 };
    let rows = target_bytes.saturating_sub(head) / (ENTRY_SIZE + shape.record_size());
    table_of_rows(seed, rows.max(1), pool, shape)
}

/// Generates a table of exactly `rows` records, with a string pool of about `pool_bytes` if it has
/// string fields.
pub fn table_of_rows(seed: u64, rows: usize, pool_bytes: usize, shape: &Shape) -> Vec<u8> {
    let mut rng = Rng::new(seed);
    let layout = layout(&shape.fields);
    let is_named = matches!(shape.generation, Generation::G3 | Generation::G3Prime);
    let spec = TableSpec {
        generation: shape.generation,
        sheet_name: is_named.then(|| shape.sheet.into()),
        fields: shape.fields.clone(),
        ..TableSpec::default()
    };
    let mut pool = Pool::new(&PoolSpec { share_tails: false, ..PoolSpec::default() });
    let mut starts = Vec::new();
    if layout.types.contains(&2) {
        starts = fill(&mut pool, pool_bytes, &mut rng);
    }
    let arrays = arrays(&layout, &mut rng);
    let sections = sections(&spec, &layout, pool, &arrays);

    let count = sections.len() + rows;
    let mut end = HEADER_SIZE + ENTRY_SIZE * count;
    let head_size: usize = sections.iter().map(|s| s.data.len().next_multiple_of(s.slot).next_multiple_of(4)).sum();
    let mut out = Vec::with_capacity(end + head_size + layout.size * rows);
    out.extend(MAGIC);
    out.extend(word(count));
    out.extend([0; 8]);
    for section in &sections {
        entry(&mut out, &section.name, end, section.data.len());
        end += section.data.len().next_multiple_of(section.slot).next_multiple_of(4);
    }
    let mut name = *b"row_00000000_a\0\0";
    for row in 0..rows {
        name_row(&mut name, row, &mut rng);
        entry(&mut out, &name, end + layout.size * row, layout.size);
    }
    for section in &sections {
        out.extend(&section.data);
        let size = section.data.len().next_multiple_of(section.slot).next_multiple_of(4);
        out.resize(out.len() + size - section.data.len(), 0);
    }
    records(&mut out, rows, &layout, &starts, &mut rng);
    out
}

fn word(value: usize) -> [u8; 4] {
    count(value).to_be_bytes()
}

fn entry(out: &mut Vec<u8>, name: &[u8], offset: usize, size: usize) {
    out.extend(name);
    out.resize(out.len() + NAME_SIZE - name.len(), 0);
    out.extend(word(offset));
    out.extend(word(size));
    out.extend([0; 8]);
}

/// Writes a name that increases with the row number, since the game requires sorted names.
fn name_row(name: &mut [u8; NAME_SIZE], row: usize, rng: &mut Rng) {
    let mut rest = row;
    for digit in name[4..12].iter_mut().rev() {
        *digit = b"0123456789"[rest % 10];
        rest /= 10;
    }
    let [.., letter] = rng.next_u64().to_be_bytes();
    name[13] = b'a' + letter % 26;
}

/// Fills the pool with keys and returns their offsets.
fn fill(pool: &mut Pool, bytes: usize, rng: &mut Rng) -> Vec<u32> {
    let mut starts = Vec::new();
    let mut size = 0;
    while size < bytes.max(100) {
        let mut key = format!("${:08x}", rng.next_u64() >> 32);
        for _ in 0..rng.range(1, 31) {
            key.push(char::from(b"abcdefghijklmnopqrstuvwxyz_01234"[usize::try_from(rng.below(32)).unwrap_or(0)]));
        }
        if rng.one_in(40) {
            key.push_str("_\u{795e}\u{8a71}");
        }
        size += key.len() + 1;
        starts.push(pool.offset(key.as_bytes()));
    }
    starts
}

/// Creates an array for each field that needs one, with a string for every possible index.
fn arrays(layout: &Layout, rng: &mut Rng) -> Arrays {
    let mut first = Vec::new();
    for slot in layout.slots.iter().filter(|slot| slot.array.is_some()) {
        let element = |i: u32| if rng.one_in(3) { Vec::new() } else { format!("m{i:03}").into_bytes() };
        first.push((0..1_u32 << slot.width.min(8)).map(element).collect());
    }
    Arrays::new(&ArraysSpec { first, ..ArraysSpec::default() }, layout)
}

fn records(out: &mut Vec<u8>, rows: usize, layout: &Layout, starts: &[u32], rng: &mut Rng) {
    let mut used = vec![0; layout.types.len()];
    for slot in &layout.slots {
        used[slot.at / 4] |= slot.mask();
    }
    let [.., last] = starts else {
        return plain_records(out, rows, layout, &used, &[0], &[0], rng);
    };
    // The byte before a string is the NUL of the previous one.
    let ends: Vec<u32> = starts.iter().skip(1).take(5).map(|start| start - 1).collect();
    let ends = if ends.is_empty() { vec![*last] } else { ends };
    plain_records(out, rows, layout, &used, starts, &ends, rng);
}

fn plain_records(
    out: &mut Vec<u8>,
    rows: usize,
    layout: &Layout,
    used: &[u32],
    starts: &[u32],
    ends: &[u32],
    rng: &mut Rng,
) {
    for _ in 0..rows {
        for (&word_type, &mask) in layout.types.iter().zip(used) {
            let [a, b, c, d, e, f, g, h] = rng.next_u64().to_be_bytes();
            let (chance, random) = (u32::from_be_bytes([a, b, c, d]), u32::from_be_bytes([e, f, g, h]));
            let nth = |list: &[u32]| list[usize::try_from(random).unwrap_or(0) % list.len()];
            let value = match word_type {
                2 if chance % 100 < 64 => nth(ends),
                // Every string is long enough that its fifth byte is still inside it.
                2 if chance % 1000 > 997 => nth(starts) + 4,
                2 => nth(starts),
                1 => (f32::from_bits(0x3F80_0000 | (random & 0x7F_0000)) * 16.0 - 24.0).to_bits(),
                // Full words mostly hold small numbers.
                0 if mask == u32::MAX => random >> (chance % 32),
                _ => random & mask,
            };
            out.extend(value.to_be_bytes());
        }
    }
}
