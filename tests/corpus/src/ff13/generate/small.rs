//! Small tables of random fields, with values at the limits of their ranges.

use crate::ff13::spec::{ArchiveSpec, CellSpec, Generation, MemberSpec, PoolSpec, RowSpec, TableSpec};
use crate::rng::Rng;

/// Strings that share tails, are empty, or are not ASCII.
const TEXTS: [&str; 12] = [
    "",
    "lamp_m300",
    "m300",
    "0",
    "$key_000_005h",
    "\u{706b}\u{306e}\u{304b}\u{3051}\u{3089}",
    "\u{6c34}\u{306e}\u{304b}\u{3051}\u{3089}",
    "\u{304b}\u{3051}\u{3089}",
    "Stra\u{df}enl\u{e4}rm",
    "with a space ",
    "a, \"quoted\" one",
    "a_key_that_is_as_long_as_the_longest_ones_that_were_seen_in_any_pool_and_then_a_bit_longer_than_all_of_them_0",
];

/// Generates a table of any generation with random fields, records and options. An XIII-1 table can only be read with
/// its fields as a schema.
pub fn small_table(seed: u64) -> TableSpec {
    any_table(&mut Rng::new(seed))
}

/// Generates a table of the fields and values that a generator chooses, as [`small_table`] does.
pub fn any_table(rng: &mut Rng) -> TableSpec {
    let all = [Generation::G3, Generation::G2, Generation::G3Prime, Generation::G1, Generation::G0];
    let generation = *rng.pick(&all).unwrap_or(&Generation::G3);
    let mut spec = TableSpec { fields: fields(rng, generation), ..TableSpec::new(generation, &[]) };
    if matches!(generation, Generation::G3 | Generation::G3Prime) && !rng.one_in(5) {
        spec.sheet_name = Some(b"Sheet".to_vec());
    }
    if generation != Generation::G0 {
        let [.., a, b, c, d] = rng.next_u64().to_be_bytes();
        spec.version = Some(u32::from_be_bytes([a, b, c, d]));
    }
    spec.pool = PoolSpec {
        leading_nul: rng.one_in(5),
        share_tails: !rng.one_in(4),
        empties: usize::try_from(rng.below(4)).unwrap_or(0),
        first: if rng.one_in(3) { vec![b"never used".to_vec()] } else { Vec::new() },
        open_end: false,
    };
    for i in 0..rng.below(12) {
        let name = format!("{:02x}row_{i}", rng.below(256)).into_bytes();
        let values = spec.fields.iter().map(|field| cell(rng, field)).collect();
        spec.rows.push(RowSpec { name, values, data: None });
    }
    spec
}

/// Generates an archive of any names and alignments.
pub fn small_archive(rng: &mut Rng) -> ArchiveSpec {
    let bytes = |rng: &mut Rng, most| (0..rng.below(most)).map(|_| rng.next_u64().to_le_bytes()[0]).collect::<Vec<_>>();
    let size = |rng: &mut Rng| if rng.one_in(2) { 1 } else { rng.below(256) as usize };
    let member = |rng: &mut Rng| MemberSpec {
        name: bytes(rng, 20),
        extension: bytes(rng, 10),
        data: bytes(rng, 100),
        slot: size(rng),
    };
    ArchiveSpec {
        members: (0..rng.below(12)).map(|_| member(rng)).collect(),
        reserved: rng.next_u64().to_le_bytes(),
        align: size(rng),
        first_align: size(rng),
        pad_end: rng.one_in(2),
    }
}

fn fields(rng: &mut Rng, generation: Generation) -> Vec<String> {
    let one_word_a_field = matches!(generation, Generation::G0 | Generation::G1);
    let with_arrays = matches!(generation, Generation::G3 | Generation::G3Prime);
    let mut fields: Vec<String> = Vec::new();
    for _ in 0..=rng.below(6) {
        let letter = *rng.pick(&["i", "u", "f", "s"]).unwrap_or(&"i");
        fields.push(format!("{letter}Full{}", fields.len()));
    }
    if !one_word_a_field {
        let letters: &[&str] = if with_arrays { &["i", "u", "f", "s"] } else { &["i", "u", "f"] };
        for _ in 0..rng.below(14) {
            let letter = *rng.pick(letters).unwrap_or(&"i");
            let width = if rng.one_in(4) { *rng.pick(&[1, 2, 31, 32]).unwrap_or(&1) } else { rng.range(1, 33) };
            fields.push(format!("{letter}{width}Bits{}", fields.len()));
        }
        // Real tables put full words first, but nothing in the format except the greedy rule requires it.
        if rng.one_in(4) {
            let at = usize::try_from(rng.below(3)).unwrap_or(0);
            let at = at.min(fields.len());
            fields.rotate_left(at);
        }
    }
    if rng.one_in(6) {
        fields.push("u64Start".into());
    }
    fields
}

/// Returns a value that the field can hold, with an even chance of being a limit of its range.
pub fn cell(rng: &mut Rng, field: &str) -> CellSpec {
    let mut letters = field.chars();
    let letter = letters.next().unwrap_or('i');
    let digits: String = letters.take(2).take_while(char::is_ascii_digit).collect();
    let width = digits.parse::<u32>().unwrap_or(0);
    let bits = if width == 0 { 32 } else { width };
    let random = rng.next_u64();
    match (letter, width) {
        ('s', 0) => CellSpec::from(*rng.pick(&TEXTS).unwrap_or(&"")),
        ('s', _) => {
            // A field cannot refer to more strings than it has indices.
            let count = if width >= 3 { 6 } else { 1 << width };
            let at = usize::try_from(random % count).unwrap_or(0) + field.len() % 5;
            CellSpec::from(TEXTS[at])
        }
        ('f', 0) => {
            let finite = rng.below(0x7F80_0000);
            let odd = [0, 0x8000_0000, 0x3F80_0000, 0xC248_0000, 0x7F80_0000, 0xFF80_0000, 0x7FC0_0001, 0x7FA0_0001, 1];
            CellSpec::Float(*rng.pick(&[&odd[..], &[0x7F7F_FFFF, 0x3DCC_CCCD, finite, finite]].concat()).unwrap_or(&0))
        }
        ('u', 64) => CellSpec::Int(*rng.pick(&[0, 1, -1, i64::MAX, i64::MIN, 1 << 32]).unwrap_or(&0)),
        ('u', _) => {
            let highest = (1_i64 << bits) - 1;
            let random = i64::try_from(random >> (64 - bits)).unwrap_or(0);
            CellSpec::Int(*rng.pick(&[0, 1, highest, highest / 2, random, random]).unwrap_or(&0))
        }
        _ => {
            let lowest = -(1_i64 << (bits - 1));
            let random = lowest + i64::try_from(random >> (64 - bits)).unwrap_or(0);
            CellSpec::Int(*rng.pick(&[0, -1, lowest, -lowest - 1, random, random]).unwrap_or(&0))
        }
    }
}
