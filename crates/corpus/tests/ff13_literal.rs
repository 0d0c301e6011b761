//! Bytes written out by hand from the notes, against the builder and the naive reader.
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, reason = "a slip fails the test")]

use worldview_corpus::ff13::build::{build_archive, build_table};
use worldview_corpus::ff13::naive::{NaiveNames, NaiveType, NaiveValue, archive, recover, table};
use worldview_corpus::ff13::spec::{ArchiveSpec, ArraysSpec, CellSpec, Generation, MemberSpec, PoolSpec, TableSpec};

/// Two members: five bytes at 80, and nothing at 88; the name of the first fills its field.
fn archive_by_hand() -> Vec<u8> {
    let mut b = b"WPD\0\0\0\0\x02\0\0\0\0\0\0\0\0".to_vec();
    b.extend(b"0123456789abcdef\0\0\0\x50\0\0\0\x05clb\0\0\0\0\0");
    b.extend(b"empty\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x58\0\0\0\0\0\0\0\0\0\0\0\0");
    b.extend(b"hello\0\0\0");
    b
}

#[test]
fn an_archive() {
    let first = MemberSpec { extension: b"clb".to_vec(), ..MemberSpec::new("0123456789abcdef", "hello") };
    let spec = ArchiveSpec { members: vec![first, MemberSpec::new("empty", "")], align: 8, ..ArchiveSpec::default() };
    let built = build_archive(&ArchiveSpec { pad_end: true, ..spec });
    assert_eq!(built.bytes, archive_by_hand());
    assert_eq!(built.at("entry 1 offset"), Some(16 + 32 + 16));
    assert_eq!(built.at("entry 1 size"), Some(16 + 32 + 20));
    assert_eq!((built.at("count"), built.at("data 0")), (Some(4), Some(80)));

    let found = archive(&archive_by_hand()).unwrap();
    assert_eq!(found.reserved, [0; 8]);
    let [first, empty] = &found.members[..] else { panic!("two members") };
    assert_eq!((&first.name[..], &first.extension[..]), (&b"0123456789abcdef"[..], &b"clb"[..]));
    assert_eq!((first.offset, first.size, &first.data[..]), (80, 5, &b"hello"[..]));
    assert_eq!((&empty.name[..], empty.offset, empty.data.len()), (&b"empty"[..], 88, 0));
}

#[test]
fn a_damaged_archive() {
    let mut file = archive_by_hand();
    assert!(!recover(&file).unwrap().recovered);
    file[..8].copy_from_slice(b"garbage!");
    assert_eq!(archive(&file).unwrap_err().offset, 0);
    let found = recover(&file).unwrap();
    assert!(found.recovered && found.lost.is_empty());
    assert_eq!(found.members, archive(&archive_by_hand()).unwrap().members);

    let cut = recover(&file[..83]).unwrap();
    assert_eq!((cut.members.len(), cut.lost), (2, vec![0]));
    assert_eq!((cut.members[0].size, cut.members[0].data.len()), (5, 0));
    assert!(recover(&file[..79]).is_err(), "the table does not fit");
    file[35] = 0x51;
    assert!(recover(&file).is_err(), "81 ends no table");
    file[35] = 16;
    assert!(recover(&file).is_err(), "a table of no entry");
}

/// One record with one word of each type and the packed word of section 5: role 1, stage 9, type 1, value 0xC3.
fn table_by_hand() -> Vec<u8> {
    let mut b = b"WPD\0\0\0\0\x05\0\0\0\0\0\0\0\0".to_vec();
    for (name, offset, size) in [
        (b"!!string\0\0\0\0\0\0\0\0", 176, 7_u32),
        (b"!!strtypelist\0\0\0", 184, 20),
        (b"!!typelist\0\0\0\0\0\0", 204, 32),
        (b"!!version\0\0\0\0\0\0\0", 236, 4),
        (b"node\0\0\0\0\0\0\0\0\0\0\0\0", 240, 20_u32),
    ] {
        b.extend(name);
        b.extend(u32::to_be_bytes(offset));
        b.extend(size.to_be_bytes());
        b.extend([0; 8]);
    }
    b.extend(b"ab\0cde\0\0");
    b.extend(b"\0\0\0\x02\0\0\0\0\0\0\0\x01\0\0\0\x03\0\0\0\0");
    b.extend(b"\0\0\0\x02\0\0\0\0\0\0\0\x01\0\0\0\x03\0\0\0\x03\0\0\0\x03\0\0\0\x03\0\0\0\x03");
    b.extend(b"\xCA\xFE\x12\x34");
    b.extend(b"\0\0\0\x04\xFF\xFF\xFF\xFE\x3F\x80\0\0\xFF\xFF\xFF\xFE\0\xC3\x01\x91");
    b
}

const NODE: [&str; 8] =
    ["sName", "iSigned", "fFloat", "uUnsigned", "u4Role", "u4CrystalStage", "u8NodeType", "u16NodeVal"];

#[test]
fn a_table_of_xiii_1() {
    let text = |text: &str| CellSpec::from(text);
    let numbers = [-2, 0x3F80_0000, 0xFFFF_FFFE, 1, 9, 1, 0xC3].map(CellSpec::Int);
    let spec = TableSpec {
        version: Some(0xCAFE_1234),
        pool: PoolSpec { first: vec![b"ab".to_vec(), b"cde".to_vec()], ..PoolSpec::default() },
        ..TableSpec::new(Generation::G2, &NODE)
    };
    let built = build_table(&spec.row("node", [text("de")].into_iter().chain(numbers)));
    assert_eq!(built.bytes, table_by_hand());
    assert_eq!(built.at("section !!strtypelist"), Some(184));
    assert_eq!(built.at("section !!strtypelist entry"), Some(48));
    assert_eq!(built.at("record node"), Some(240));
    assert_eq!(built.at("record node size"), Some(16 + 4 * 32 + 20));

    let found = table(&table_by_hand(), Some(&NODE)).unwrap();
    assert_eq!((found.generation, found.names, found.version), (Generation::G2, NaiveNames::Schema, Some(0xCAFE_1234)));
    assert_eq!((found.record_size, &found.word_types[..]), (20, &[2, 0, 1, 3, 0][..]));
    let places: Vec<_> = found.fields.iter().map(|f| (f.word, f.shift, f.width, f.packed)).collect();
    let full = [(0, 0, 32, false), (1, 0, 32, false), (2, 0, 32, false), (3, 0, 32, false)];
    assert_eq!(places, [&full[..], &[(4, 0, 4, true), (4, 4, 4, true), (4, 8, 8, true), (4, 16, 16, true)]].concat());
    let packed = [1, 9, 1, 0xC3].map(NaiveValue::U32);
    let values = [
        NaiveValue::Text(Some(b"de".to_vec())),
        NaiveValue::I32(-2),
        NaiveValue::F32(0x3F80_0000),
        NaiveValue::U32(0xFFFF_FFFE),
    ];
    assert_eq!(found.rows.len(), 1);
    assert_eq!((&found.rows[0].name[..], &found.rows[0].values), (&b"node"[..], &[values, packed].concat()));

    // Without a schema the packed word stays what it is, and so does the other one of type 0.
    let raw = table(&table_by_hand(), None).unwrap();
    assert_eq!(raw.names, NaiveNames::Generated);
    assert_eq!((&raw.fields[4].name[..], raw.fields[4].value), (&b"word4"[..], NaiveType::U32));
    assert_eq!(raw.rows[0].values[1], NaiveValue::U32(0xFFFF_FFFE));
    assert_eq!(raw.rows[0].values[4], NaiveValue::U32(0x00C3_0191));
}

/// A table of one array, whose elements the records name one by one.
fn one_array(words: &[u32], per_word: u8, bits: u8, pool: &[u8]) -> Vec<Option<Vec<u8>>> {
    let spec = TableSpec::new(Generation::G3, &["s4Link"]).words("!!strArray", words).words("!!strArrayList", &[0]);
    let spec = spec.section("!!strArrayInfo", Some(&[0, 0, per_word, bits])).section("!!string", Some(pool));
    let rows = usize::from(per_word) * words.len();
    let spec = (0..rows).fold(spec, |spec, i| {
        let index = i64::try_from(i).unwrap();
        spec.row(&format!("row{i}"), [CellSpec::Int(index)])
    });
    let found = table(&build_table(&spec).bytes, None).unwrap();
    let [array] = &found.arrays[..] else { panic!("one array") };
    let values: Vec<_> = found.rows.iter().flat_map(|row| row.values.clone()).collect();
    assert_eq!(values, array.iter().cloned().map(NaiveValue::Text).collect::<Vec<_>>());
    array.clone()
}

/// A pool in which every offset is a text of its own; `at` gives what is there.
fn numbered_pool(size: usize) -> Vec<u8> {
    (0..size).map(|i| b"0123456789abcdefghijklmnopqrstu"[i % 31]).chain([0]).collect()
}

#[test]
fn the_word_of_two_offsets() {
    // 285212676 is 0x11000004: the low 15 bits are 4, the next ones 8704.
    let pool = numbered_pool(9000);
    let at = |offset: usize| Some(pool[offset..9000].to_vec());
    assert_eq!(one_array(&[285_212_676], 2, 15, &pool), [at(4), at(8704)]);
}

#[test]
fn the_words_of_three_offsets() {
    let pool = numbered_pool(400);
    let at = |offset: usize| Some(pool[offset..400].to_vec());
    let expected = [0, 82, 258, 279, 393, 0].map(at);
    assert_eq!(one_array(&[0x0408_A400, 0x0003_1317], 3, 9, &pool), expected);
}

#[test]
fn the_builder_packs_offsets_the_same() {
    // Strings at 0, 82, 258, 279 and 393: the pool of the example, with others in between.
    let filler = |length: usize, name: &str| format!("{name:->length$}").into_bytes();
    let first = vec![vec![], filler(76, "x"), b"m327".to_vec(), filler(170, "y"), b"m303".to_vec()];
    let more = vec![filler(15, "z"), b"m306".to_vec(), filler(108, "w"), b"m896".to_vec()];
    let pool = PoolSpec { first: [first, more].concat(), share_tails: false, ..PoolSpec::default() };
    let elements = ["", "m327", "m303", "m306", "m896", ""].map(|text| text.as_bytes().to_vec()).to_vec();
    let arrays = ArraysSpec { first: vec![elements], ..ArraysSpec::default() };
    let built = build_table(&TableSpec { pool, arrays, ..TableSpec::new(Generation::G3, &["s4Link"]) });
    let offset = |text: &[u8]| {
        let pool = built.at("section !!string").unwrap();
        built.bytes[pool..].windows(text.len()).position(|window| window == text).unwrap()
    };
    assert_eq!([b"m327", b"m303", b"m306", b"m896"].map(|text| offset(text)), [78, 254, 275, 389]);
    let section = |name: &str, size| &built.bytes[built.at(name).unwrap()..][..size];
    assert_eq!(section("section !!strArrayInfo", 4), [0, 0, 3, 9]);
    assert_eq!(section("section !!strArrayList", 4), [0, 0, 0, 0]);
    // 0, 78, 254 and 275, 389, 0: nine bits each from the low end.
    let words = [254_u32 << 18 | 78 << 9, 389 << 9 | 275].map(u32::to_be_bytes).concat();
    assert_eq!(section("section !!strArray", 8), words);
}

#[test]
fn signs_down_to_one_bit() {
    let names = ["i1A", "f1B", "i2C", "f2D", "i5E", "i8F", "f13G", "i31H", "u1I", "i32J", "f32K", "i1L"];
    // The first word, upward: 1, 0, 01, 10, 00000, 11111111, 1000000000000.
    let words = [0x8007_F825_u32, 0xC000_0000, 0x8000_0000, 0x7FFF_FFFF, 0xFFFF_FFFF].map(u32::to_be_bytes);
    let spec = TableSpec::new(Generation::G3, &names).raw_row("row", &words.concat());
    let found = table(&build_table(&spec).bytes, None).unwrap();
    let row = found.rows[0].values.clone();
    let signed = [-1, 0, 1, -2, 0, -1, -4096, -0x4000_0000].map(NaiveValue::I32);
    assert_eq!(row[..8], signed);
    assert_eq!(
        row[8..],
        [NaiveValue::U32(1), NaiveValue::I32(i32::MIN), NaiveValue::I32(i32::MAX), NaiveValue::I32(-1)]
    );
    let places: Vec<_> = found.fields.iter().map(|field| (field.word, field.shift)).collect();
    let first = [(0, 0), (0, 1), (0, 2), (0, 4), (0, 6), (0, 11), (0, 19)];
    assert_eq!(places, [&first[..], &[(1, 0), (1, 31), (2, 0), (3, 0), (4, 0)]].concat());
}

#[test]
fn the_ps3_table_of_two_words() {
    let names = ["sZoneNumber", "uCinemaSize", "u64CinemaStart"];
    let record = b"\0\0\0\x01\0\0\0\x07\x01\x02\x03\x04\x05\x06\x07\x08";
    let spec = TableSpec::new(Generation::G2, &names).section("!!string", Some(b"\0zone\0"));
    let built = build_table(&spec.clone().raw_row("a", record));
    let values = [CellSpec::Int(1), CellSpec::Int(7), CellSpec::Int(0x0102_0304_0506_0708)];
    assert_eq!(built, build_table(&spec.row("a", values)), "the builder writes these bytes");
    let expected =
        [NaiveValue::Text(Some(b"zone".to_vec())), NaiveValue::U32(7), NaiveValue::U64(0x0102_0304_0506_0708)];
    let found = table(&built.bytes, Some(&names)).unwrap();
    assert_eq!((found.names, &found.rows[0].values[..]), (NaiveNames::Schema, &expected[..]));
    let found = table(&built.bytes, None).unwrap();
    assert_eq!((found.names, &found.rows[0].values[..]), (NaiveNames::Generated, &expected[..]));
    assert_eq!((found.word_types.len(), found.record_size, found.fields[2].width), (3, 16, 64));
}
