//! Every width of every kind of packed field, at every bit that it can begin at: the views give the values that the
//! bits spell. The test writes a record's bits as text and cuts the field out of that.
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, reason = "a slip fails the test")]

use worldview::wpd::{ColumnType, Element, Field, FieldKind, Table, TableOptions, Value};
use worldview_corpus::ff13::build::build_table;
use worldview_corpus::ff13::spec::{Generation, TableSpec};
use worldview_corpus::rng::Rng;

/// The strings of the array that `s#` fields point into, for as many elements as it has.
const ELEMENTS: [&str; 4] = ["a", "bc", "d", ""];

/// A record of four words, as the bits of a number.
#[derive(Clone, Copy)]
struct Record(u128);

impl Record {
    /// The `width` bits of word `word` from bit `low` on, bit 0 being the lowest, as text: the highest first.
    fn bits(self, word: usize, low: usize, width: usize) -> String {
        let all = format!("{:0128b}", self.0);
        let word: String = all.chars().skip(32 * word).take(32).collect();
        word.chars().skip(32 - low - width).take(width).collect()
    }

    fn unsigned(self, word: usize, low: usize, width: usize) -> u32 {
        u32::from_str_radix(&self.bits(word, low, width), 2).unwrap()
    }

    fn signed(self, word: usize, low: usize, width: usize) -> i32 {
        let bits = self.bits(word, low, width);
        let weight = 2_i64.pow(u32::try_from(width).unwrap());
        let value = i64::from_str_radix(&bits, 2).unwrap();
        i32::try_from(if bits.starts_with('1') { value - weight } else { value }).unwrap()
    }

    /// Words of one record after another, one word each or four.
    fn bytes(self, one_word: bool) -> Vec<u8> {
        let all = self.0.to_be_bytes();
        if one_word { all[4..8].to_vec() } else { all.to_vec() }
    }
}

/// Records whose second word has the field at its ends: nothing but it, all but it, its first and last bit.
fn records(rng: &mut Rng, low: usize, width: usize) -> Vec<Record> {
    let spelled = |above: char, field: &str, below: char| {
        let word: String = std::iter::repeat_n(above, 32 - low - width)
            .chain(field.chars())
            .chain(std::iter::repeat_n(below, low))
            .collect();
        u32::from_str_radix(&word, 2).unwrap()
    };
    let (zeros, ones) = ("0".repeat(width), "1".repeat(width));
    let (first, last) = (format!("1{}", &zeros[1..]), format!("{}1", &zeros[1..]));
    let all_but_first = format!("0{}", &ones[1..]);
    let mut words = vec![0, u32::MAX, 0x5555_5555, 0xAAAA_AAAA];
    for field in [zeros, ones, first, last, all_but_first] {
        words.push(spelled('0', &field, '0'));
        words.push(spelled('1', &field, '1'));
    }
    words.extend((0..6).map(|_| rng.below(u32::MAX)));
    let mut around = || u128::from(rng.below(u32::MAX));
    words.into_iter().map(|word| Record(around() << 96 | u128::from(word) << 64 | around() << 32 | around())).collect()
}

/// A table whose field `Looked` has this kind letter, width and lowest bit; of one word or of four.
fn table(letter: char, low: usize, width: usize, one_word: bool, records: &[Record], align: usize) -> Vec<u8> {
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
        // One element a word, whose lowest 8 bits are its offset.
        spec = spec.section("!!string", Some(b"a\0bc\0d\0")).section("!!strArrayInfo", Some(&[0, 0, 1, 8]));
        spec = spec.words("!!strArrayList", &[0]).words("!!strArray", &[0, 0xFF00 + 2, 5, 6]);
    }
    for (number, record) in records.iter().enumerate() {
        spec = spec.raw_row(&format!("row{number:02}"), &record.bytes(one_word));
    }
    build_table(&spec).bytes
}

/// Reads a field in every way, and compares.
fn reads<'a, T>(table: &Table<'a>, field: &Field<'_>, expected: &[T], value: impl Fn(&T) -> Value<'a>, about: &str)
where
    T: ColumnType<'a> + PartialEq + std::fmt::Debug,
{
    let column = table.column_of::<T>(field).unwrap();
    assert_eq!(column.iter().collect::<Vec<_>>(), expected, "{about}");
    let mut copied = vec![expected[0]; expected.len()];
    assert_eq!(column.copy_to(&mut copied), expected.len(), "{about}");
    assert_eq!(copied, expected, "{about}");
    for (row, expected) in table.rows().zip(expected) {
        assert_eq!(column.get(row.index()), Some(*expected), "{about}");
        assert_eq!(row.value(field), Some(value(expected)), "{about}");
    }
}

fn check(letter: char, low: usize, width: usize, one_word: bool, records: &[Record], align: usize) {
    let about = format!("{letter}{width} from bit {low}, one word: {one_word}, align {align}");
    let file = table(letter, low, width, one_word, records, align);
    let table = Table::parse(&file).unwrap();
    assert_eq!(table.len(), records.len(), "{about}");
    let field = table.field(format!("{letter}{width}Looked").as_bytes()).unwrap();
    let word = usize::from(!one_word);
    let place = [field.word() as usize, field.bit().into(), field.width().into()];
    assert_eq!(place, [word, low, width], "{about}");
    let signed = || records.iter().map(|record| record.signed(1, low, width)).collect::<Vec<_>>();
    let unsigned = || records.iter().map(|record| record.unsigned(1, low, width)).collect::<Vec<_>>();
    match letter {
        'u' => {
            assert_eq!(field.kind(), FieldKind::BitsUint);
            reads(&table, field, &unsigned(), |&value| Value::U32(value), &about);
        }
        's' => {
            assert_eq!(field.kind(), FieldKind::Element);
            let text = |index: u32| ELEMENTS.get(index as usize).map(|text| text.as_bytes());
            let elements: Vec<_> = unsigned().into_iter().map(|index| Element { index, text: text(index) }).collect();
            reads(&table, field, &elements, |element| Value::Text(element.text), &about);
        }
        _ => {
            assert_eq!(field.kind(), if letter == 'i' { FieldKind::BitsInt } else { FieldKind::BitsFixed });
            reads(&table, field, &signed(), |&value| Value::I32(value), &about);
        }
    }
}

#[test]
fn every_width_at_every_bit_is_what_its_bits_spell() {
    let mut rng = Rng::new(32);
    let mut places = 0;
    for letter in ['i', 'u', 'f', 's'] {
        for width in 1..=32 {
            for low in 0..=32 - width {
                let records = records(&mut rng, low, width);
                // Records of one word lie as an array, those of four in steps, and spread ones one by one.
                check(letter, low, width, true, &records, 4);
                check(letter, low, width, false, &records, 4);
                check(letter, low, width, low % 2 == 0, &records, 32);
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

/// A word of a real crystal table, decoded by hand by others: 0xC3, 1, 9, 1 from the highest bits down.
#[test]
fn a_word_of_a_crystal_table() {
    let fields = ["uCPCost", "sAbilityID", "u4Role", "u4CrystalStage", "u8NodeType", "u16NodeVal"];
    let word = [0x00, 0xC3, 0x01, 0x91];
    let record = [[0, 0, 0, 60], [0; 4], word].concat();
    let spec = TableSpec::new(Generation::G2, &fields).section("!!string", Some(b"ability\0"));
    let file = build_table(&spec.raw_row("cr_node", &record)).bytes;
    let archive = worldview::wpd::Archive::parse(&file).unwrap();
    let table = TableOptions::new().file_name("db/crystal/crystal_lightning.wdb").table(archive).unwrap();
    let row = table.by_name(b"cr_node").unwrap();
    assert_eq!(row.by_name("uCPCost"), Some(Value::U32(60)));
    assert_eq!(row.by_name("sAbilityID"), Some(Value::Text(Some(b"ability"))));
    assert_eq!(row.by_name("u4Role"), Some(Value::U32(1)));
    assert_eq!(row.by_name("u4CrystalStage"), Some(Value::U32(9)));
    assert_eq!(row.by_name("u8NodeType"), Some(Value::U32(1)));
    assert_eq!(row.by_name("u16NodeVal"), Some(Value::U32(0xC3)));
}

/// The array of the only field of a table, as offsets.
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
fn every_packing_of_arrays_is_what_its_bits_spell() {
    let mut rng = Rng::new(15);
    for bits in 1..=32_u8 {
        for per_word in 1..=32 / bits {
            let words = [0, u32::MAX, 0x5555_5555, rng.below(u32::MAX), rng.below(u32::MAX)];
            let mut expected = Vec::new();
            for word in words {
                let record = Record(word.into());
                let place = |index: u8| usize::from(index) * usize::from(bits);
                expected.extend((0..per_word).map(|index| record.unsigned(3, place(index), bits.into())));
            }
            assert_eq!(offsets(per_word, bits, &words), expected, "{per_word} of {bits} bits");
        }
    }
}
