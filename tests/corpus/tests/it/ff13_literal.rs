//! Compares the output of the builder with bytes written by hand from the format notes.

use worldview_corpus::ff13::build::{build_archive, build_table};
use worldview_corpus::ff13::naive::{NaiveValue, table};
use worldview_corpus::ff13::spec::{ArchiveSpec, ArraysSpec, CellSpec, Generation, MemberSpec, PoolSpec, TableSpec};

/// Two members: five bytes at 80, and none at 88. The name of the first fills its field.
fn archive_by_hand() -> Vec<u8> {
    let mut b = b"WPD\0\0\0\0\x02\0\0\0\0\0\0\0\0".to_vec();
    b.extend(b"0123456789abcdef\0\0\0\x50\0\0\0\x05clb\0\0\0\0\0");
    b.extend(b"empty\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x58\0\0\0\0\0\0\0\0\0\0\0\0");
    b.extend(b"hello\0\0\0");
    b
}

#[test]
fn the_builder_writes_an_archive_by_the_notes() {
    let first = MemberSpec { extension: b"clb".to_vec(), ..MemberSpec::new("0123456789abcdef", "hello") };
    let spec = ArchiveSpec { members: vec![first, MemberSpec::new("empty", "")], align: 8, ..ArchiveSpec::default() };
    let built = build_archive(&ArchiveSpec { pad_end: true, ..spec });
    assert_eq!(built.bytes, archive_by_hand());
    assert_eq!((built.at("entry 1 offset"), built.at("entry 1 size")), (Some(16 + 32 + 16), Some(16 + 32 + 20)));
    assert_eq!((built.at("count"), built.at("data 0")), (Some(4), Some(80)));
}

/// One record with a word of each type, and the packed word of section 5: role 1, stage 9, type 1, value 0xC3.
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
}

#[test]
fn the_builder_packs_offsets_as_in_the_example() {
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
    // 0, 78, 254 and 275, 389, 0: nine bits each, starting at the low end.
    let words = [254_u32 << 18 | 78 << 9, 389 << 9 | 275].map(u32::to_be_bytes).concat();
    assert_eq!(section("section !!strArray", 8), words);
}

#[test]
fn sign_extension_down_to_one_bit() {
    let names = ["i1A", "f1B", "i2C", "f2D", "i5E", "i8F", "f13G", "i31H", "u1I", "i32J", "f32K", "i1L"];
    // The first word from its lowest bit: 1, 0, 01, 10, 00000, 11111111, 1000000000000.
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
