//! Tests every width of every kind of packed field at every possible bit, and every packing of arrays. The views must
//! agree with the naive reader, and with values that others have worked out by hand.

use worldview_corpus::ff13::build::build_table;
use worldview_corpus::ff13::spec::{Generation, TableSpec};
use worldview_corpus::rng::Rng;
use worldview_readers::Verdict;
use worldview_readers::wpd::tables_agree;
use worldview_wpd::{Table, TableOptions, Value};

/// Returns a table with a field of this kind, width and lowest bit, in the second of four words or in the only one.
fn table(letter: char, low: usize, width: usize, one_word: bool, align: usize) -> TableSpec {
    let mut fields = Vec::new();
    if !one_word {
        fields.push("uBefore".to_owned());
    }
    if low > 0 {
        fields.push(format!("u{low}Below"));
    }
    fields.push(format!("{letter}{width}Looked"));
    if low + width < 32 {
        fields.push(format!("u{}Above", 32 - low - width));
    }
    if !one_word {
        fields.extend(["fBehind".to_owned(), "i32Behind".to_owned()]);
    }
    let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
    let mut spec = TableSpec { align, ..TableSpec::new(Generation::G3, &fields) };
    if letter == 's' {
        // One element per word, with its offset in the lowest 8 bits.
        spec = spec.section("!!string", Some(b"a\0bc\0d\0")).section("!!strArrayInfo", Some(&[0, 0, 1, 8]));
        spec = spec.words("!!strArrayList", &[0]).words("!!strArray", &[0, 0xFF00 + 2, 5, 6]);
    }
    spec
}

#[test]
fn every_width_at_every_bit_matches_the_naive_reader() {
    let mut rng = Rng::new(32);
    let mut places = 0;
    for letter in ['i', 'u', 'f', 's'] {
        for width in 1..=32 {
            for low in 0..=32 - width {
                // The field with all bits set, with none, and with only its first or last bit, inside the same and
                // inverted surroundings.
                let own = u32::MAX >> (32 - width) << low;
                let (first, last) = (1 << (low + width - 1), 1 << low);
                let mut words = vec![0, u32::MAX, own, !own, first, !first, last, !last, 0x5555_5555, 0xAAAA_AAAA];
                words.extend((0..4).map(|_| rng.below(u32::MAX)));
                // Records of one word form an array, those of four words have a fixed stride, and padded ones are read
                // individually.
                for (one_word, align) in [(true, 4), (false, 4), (low % 2 == 0, 32)] {
                    let mut spec = table(letter, low, width, one_word, align);
                    for (number, word) in words.iter().enumerate() {
                        let record = [rng.below(u32::MAX), *word, rng.below(u32::MAX), rng.below(u32::MAX)];
                        let record = if one_word { &record[1..2] } else { &record[..] };
                        let record: Vec<u8> = record.iter().flat_map(|word| word.to_be_bytes()).collect();
                        spec = spec.raw_row(&format!("row{number:02}"), &record);
                    }
                    let verdict = tables_agree(&build_table(&spec).bytes, None);
                    assert_eq!(verdict, Ok(Verdict::Same), "{letter}{width} from bit {low}, {one_word}, {align}");
                }
                places += 1;
            }
        }
    }
    assert_eq!(places, 4 * 528);
}

#[test]
fn a_signed_bit_is_zero_or_minus_one() {
    let spec = TableSpec::new(Generation::G3, &["i1One", "f1Two", "u1Three"]);
    let file = build_table(&spec.raw_row("off", &[0; 4]).raw_row("on", &[0, 0, 0, 7])).bytes;
    let table = Table::parse(&file).unwrap();
    assert_eq!(table.column::<i32>("i1One").unwrap().iter().collect::<Vec<_>>(), [0, -1]);
    assert_eq!(table.column::<i32>("f1Two").unwrap().iter().collect::<Vec<_>>(), [0, -1]);
    assert_eq!(table.column::<u32>("u1Three").unwrap().iter().collect::<Vec<_>>(), [0, 1]);
}

/// A word of a real crystal table, decoded by others by hand: 0xC3, 1, 9, 1 from the highest bits down.
#[test]
fn a_word_of_a_crystal_table() {
    let fields = ["uCPCost", "sAbilityID", "u4Role", "u4CrystalStage", "u8NodeType", "u16NodeVal"];
    let word = [0x00, 0xC3, 0x01, 0x91];
    let record = [[0, 0, 0, 60], [0; 4], word].concat();
    let spec = TableSpec::new(Generation::G2, &fields).section("!!string", Some(b"ability\0"));
    let file = build_table(&spec.raw_row("cr_node", &record)).bytes;
    let archive = worldview_wpd::Archive::parse(&file).unwrap();
    let table = TableOptions::new().file_name("db/crystal/crystal_lightning.wdb").table(archive).unwrap();
    let row = table.by_name(b"cr_node").unwrap();
    assert_eq!(row.get("uCPCost"), Some(Value::U32(60)));
    assert_eq!(row.get("sAbilityID"), Some(Value::Text(Some(b"ability"))));
    assert_eq!(row.get("u4Role"), Some(Value::U32(1)));
    assert_eq!(row.get("u4CrystalStage"), Some(Value::U32(9)));
    assert_eq!(row.get("u8NodeType"), Some(Value::U32(1)));
    assert_eq!(row.get("u16NodeVal"), Some(Value::U32(0xC3)));
}

/// Returns the offsets in the array of a table's only field.
fn offsets(per_word: u8, bits: u8, words: &[u32]) -> Vec<u32> {
    let spec = TableSpec::new(Generation::G3, &["s8Link"]).section("!!strArrayInfo", Some(&[0, 0, per_word, bits]));
    let spec = spec.words("!!strArrayList", &[0]).words("!!strArray", words).section("!!string", Some(b"text\0"));
    let file = build_table(&spec.raw_row("row", &[0; 4])).bytes;
    let table = Table::parse(&file).unwrap();
    assert_eq!(table.arrays_refused(), None);
    let array = table.string_arrays().get(0).unwrap();
    assert_eq!(array.len(), words.len() * usize::from(per_word));
    assert_eq!(array.offset(array.len()), None);
    (0..array.len()).map(|index| array.offset(index).unwrap()).collect()
}

#[test]
fn the_worked_examples_of_arrays() {
    assert_eq!(offsets(2, 15, &[285_212_676]), [4, 8704]);
    assert_eq!(offsets(3, 9, &[0x0408_A400, 0x0003_1317]), [0, 82, 258, 279, 393, 0]);
}

#[test]
fn every_packing_of_arrays_decodes_correctly() {
    let mut rng = Rng::new(15);
    for bits in 1..=32_u8 {
        for per_word in 1..=32 / bits {
            let words = [0, u32::MAX, 0x5555_5555, rng.below(u32::MAX), rng.below(u32::MAX)];
            // Starting at the low end.
            let parts = |word: u32| {
                (0..per_word).map(move |index| (word >> (index * bits)) & (u32::MAX >> (32 - bits))).collect::<Vec<_>>()
            };
            let expected: Vec<_> = words.into_iter().flat_map(parts).collect();
            assert_eq!(offsets(per_word, bits, &words), expected, "{per_word} of {bits} bits");
        }
    }
}
