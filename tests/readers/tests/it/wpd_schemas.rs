//! The built-in schemas: all of them parse, and each accepts its own table and no other.

use worldview_corpus::ff13::build::build_table;
use worldview_corpus::ff13::spec::{Generation, TableSpec};
use worldview_wpd::{Archive, NameOrigin, Schema, Schemas, Table, TableOptions};

/// Sheet, version, words per record, and number of fields, as measured on real tables.
const MEASURED: [(&str, u32, usize, usize); 33] = [
    ("ActionEffect", 0xBD7B_50BF, 3, 3),
    ("AttributeEffectResource", 0xB686_B7FC, 54, 54),
    ("AttributeEffectStateResource", 0xDA22_3CA1, 9, 9),
    ("AutoClip", 0x62FF_0554, 6, 8),
    ("BattleAbility", 0x4E8A_B9C4, 72, 114),
    ("BattleAutoAbility", 0x71E0_B3E7, 10, 19),
    ("bt_chainbonus", 0x7CEA_95E5, 3, 10),
    ("BattleCharaProp", 0xA28B_D56B, 4, 9),
    ("bt_summon", 0xCD87_7F1D, 41, 58),
    ("CharaSet", 0x8A84_55F7, 67, 72),
    ("EmotionVoice", 0x4D37_F003, 3, 20),
    ("EventFlag", 0xAF66_2E98, 1, 1),
    ("FieldCamera", 0x15DB_BD02, 39, 47),
    ("Item", 0x85E6_2C73, 9, 21),
    ("item_consume", 0xC0B4_A2DD, 3, 5),
    ("ItemWeapon", 0x624D_34AC, 26, 51),
    ("MapSet", 0xCC27_4050, 18, 40),
    ("mission", 0xB190_FD3A, 21, 27),
    ("MonsterBook", 0x1E7D_93EB, 1, 4),
    ("movie", 0x0255_CBA8, 2, 2),
    ("movie_items", 0x54A9_B965, 4, 4),
    ("Party", 0xCDC1_35CE, 23, 28),
    ("savepoint", 0xB623_A7B2, 3, 4),
    ("Script", 0x2CFF_A508, 11, 11),
    ("Shop", 0x176B_14CF, 39, 40),
    ("SoundFileIdDic", 0x3656_E7E2, 1, 2),
    ("SoundFileNameDic", 0x6702_C062, 1, 1),
    ("SpecialAbility", 0x98F1_77AC, 2, 3),
    ("Succession", 0x08B0_FFF7, 3, 18),
    ("TreasureBox", 0xA9CB_15CA, 3, 3),
    ("Resident", 0x1C3C_F3E1, 6, 6),
    ("Zone", 0x567E_12C5, 3, 3),
    ("ZoneList", 0xD997_E656, 5, 19),
];

/// Sheets whose tables have not been measured, with the words and fields that their names require.
const UNMEASURED: [(&str, usize, usize); 3] = [("BattleConstants", 3, 3), ("crystal", 3, 6), ("movie_items_ps3", 3, 3)];

/// File patterns in the built-in schemas, with examples of matching names.
const PATTERNS: [(&str, &[&str]); 3] =
    [("z*", &["z000", "z255"]), ("script*", &["script00001"]), ("mapset_loc*", &["mapset_loc002", "mapset_loc107"])];

/// Returns the file names of a sheet.
pub(crate) fn files(sheet: &'static Schema) -> Vec<&'static str> {
    let of = |file: &'static str| match PATTERNS.iter().find(|(pattern, _)| *pattern == file) {
        Some((_, files)) => files.to_vec(),
        None => vec![file],
    };
    sheet.files().iter().flat_map(|file| of(file)).collect()
}

fn sheet(name: &str) -> &'static Schema {
    let mut sheets = Schemas::builtin().sheets().iter().filter(|sheet| sheet.name() == name);
    let found = sheets.next().unwrap_or_else(|| panic!("there is no sheet {name}"));
    assert!(sheets.next().is_none(), "{name} is there twice");
    found
}

/// Returns a table with the fields of a sheet and one record of zeros.
fn table_of(sheet: &Schema, version: u32) -> TableSpec {
    let fields: Vec<&str> = sheet.fields().iter().map(String::as_str).collect();
    TableSpec { version: Some(version), ..TableSpec::new(Generation::G2, &fields) }.row("record", [])
}

/// A version that no known table has.
const OTHER: u32 = 0x0102_0304;

fn opened<'a>(file: &'a [u8], name: Option<&'a str>) -> Table<'a> {
    let options = name.map_or(TableOptions::new(), |name| TableOptions::new().file_name(name));
    options.table(Archive::parse(file).unwrap()).unwrap()
}

#[track_caller]
fn takes(table: &Table<'_>, sheet: &Schema) {
    let NameOrigin::Schema(found) = table.name_origin() else {
        panic!("{}: {:?}", sheet.name(), table.schema_mismatch())
    };
    assert_eq!(found.name(), sheet.name());
    let names: Vec<_> = table.fields().iter().map(|field| String::from_utf8_lossy(field.name()).into_owned()).collect();
    assert_eq!(names, sheet.fields());
    assert_eq!(table.schema_mismatch(), None);
}

#[test]
fn the_built_in_schemas_parse_and_have_36_sheets_with_728_fields() {
    let sheets = Schemas::builtin().sheets();
    assert_eq!(sheets.len(), 36);
    assert_eq!(sheets.iter().map(|sheet| sheet.fields().len()).sum::<usize>(), 728);
    let text = include_str!("../../../../crates/wpd/src/schemas.txt");
    assert_eq!(&Schemas::parse(text).unwrap(), Schemas::builtin());
}

#[test]
fn versions_words_and_fields_match_the_measurements() {
    for (name, version, words, fields) in MEASURED {
        let sheet = sheet(name);
        assert_eq!(sheet.versions(), [version], "{name}");
        let file = build_table(&table_of(sheet, version)).bytes;
        let table = Table::parse(&file).unwrap();
        takes(&table, sheet);
        assert_eq!((table.words().len(), table.fields().len()), (words, fields), "{name}");
        assert_eq!(table.record_size() as usize, 4 * words, "{name}");
    }
    for (name, words, fields) in UNMEASURED {
        let sheet = sheet(name);
        assert!(sheet.versions().is_empty(), "{name}");
        let file = build_table(&table_of(sheet, OTHER)).bytes;
        let table = Table::parse_with(&file, sheet).unwrap();
        takes(&table, sheet);
        assert_eq!((table.words().len(), table.fields().len()), (words, fields), "{name}");
    }
    assert_eq!(MEASURED.len() + UNMEASURED.len(), Schemas::builtin().sheets().len());
}

#[test]
fn no_version_and_no_file_belongs_to_two_sheets() {
    let sheets = Schemas::builtin().sheets();
    let mut versions: Vec<_> = sheets.iter().flat_map(Schema::versions).collect();
    versions.sort_unstable();
    assert!(versions.is_sorted_by(|one, next| one < next));
    for sheet in sheets {
        for file in files(sheet) {
            let found: Vec<_> = Schemas::builtin().candidates(None, Some(file)).map(Schema::name).collect();
            assert_eq!(found, [sheet.name()], "{file}");
        }
    }
}

#[test]
fn a_file_name_selects_the_sheet_of_a_table_with_another_version() {
    for sheet in Schemas::builtin().sheets() {
        let files = files(sheet);
        let file = build_table(&table_of(sheet, OTHER)).bytes;
        assert_eq!(opened(&file, None).name_origin(), NameOrigin::Generated, "{}", sheet.name());
        for stem in &files {
            let full = format!("db/resident/{stem}.wdb");
            let windows = format!("db\\Resident\\{}.WDB", stem.to_uppercase());
            for hint in [stem, &*full, &*windows] {
                takes(&opened(&file, Some(hint)), sheet);
            }
            for other in [format!("x{stem}"), format!("{stem}_"), format!("{stem}.bin"), format!("{stem}/x.wdb")] {
                assert_eq!(opened(&file, Some(&other)).name_origin(), NameOrigin::Generated, "{other}");
            }
        }
        // A missing version gives the same result.
        let file = build_table(&table_of(sheet, 0).section("!!version", None)).bytes;
        takes(&opened(&file, files.first().copied()), sheet);
    }
}

#[test]
fn a_version_takes_precedence_over_a_file_name() {
    let file = build_table(&table_of(sheet("Item"), 0x85E6_2C73)).bytes;
    takes(&opened(&file, Some("shop.wdb")), sheet("Item"));
    // A wrong version is detected, and then the file name is used.
    let file = build_table(&table_of(sheet("Item"), 0x176B_14CF)).bytes;
    let table = opened(&file, Some("item.wdb"));
    assert!(
        matches!(table.name_origin(), NameOrigin::Schema(found) if found.name() == "Item"),
        "{:?}",
        table.name_origin()
    );
    let (refused, why) = table.schema_mismatch().unwrap();
    assert_eq!(refused.map(Schema::name), Some("Shop"));
    assert_eq!(why.to_string(), "name 3 requires type 2, but word 3 has type 3");
}

/// Checks that the names are generated, and that the sheet is reported as rejected.
#[track_caller]
fn refuses(spec: &TableSpec, sheet: &Schema, why: &str) {
    let file = build_table(spec).bytes;
    let table = Table::parse(&file).unwrap();
    assert_eq!(table.name_origin(), NameOrigin::Generated, "{}", sheet.name());
    let names: Vec<_> = table.fields().iter().map(|field| String::from_utf8_lossy(field.name()).into_owned()).collect();
    let words: Vec<_> = (0..table.words().len()).map(|word| format!("word{word}")).collect();
    assert_eq!(names, words, "{}", sheet.name());
    let (refused, found) = table.schema_mismatch().unwrap();
    assert_eq!(refused.map(Schema::name), Some(sheet.name()));
    assert_eq!(found.to_string(), why, "{}", sheet.name());
    assert!(Table::parse_with(&file, sheet).is_err());
}

#[test]
fn a_table_that_does_not_fit_its_sheet_has_generated_names() {
    for (name, version, words, fields) in MEASURED {
        let sheet = sheet(name);
        let whole = table_of(sheet, version);
        let more = TableSpec { fields: [&whole.fields[..], &["uMore".into()]].concat(), ..whole.clone() };
        refuses(&more, sheet, &format!("the names use only {words} of the {} words", words + 1));
        let letters: Vec<u8> = whole.fields.iter().map(|field| field.as_bytes()[0]).collect();
        let kinds: Vec<u32> = letters
            .iter()
            .map(|letter| u32::try_from(b"ifsu".iter().position(|one| one == letter).unwrap()).unwrap())
            .collect();
        // One more field of the same kind as the first.
        let one_more = [&kinds[..], &kinds[..1]].concat();
        let letter = char::from(letters[0]);
        let count = letters.iter().filter(|&&one| one == letters[0]).count();
        let wanted = count + 1;
        let why = format!("{count} names begin with {letter}, but the list of types has {wanted} fields of that kind");
        refuses(&whole.clone().words("!!typelist", &one_more), sheet, &why);
        // The order of the kinds does not matter.
        let turned: Vec<u32> = kinds.iter().rev().copied().collect();
        let file = build_table(&whole.clone().words("!!typelist", &turned)).bytes;
        takes(&Table::parse(&file).unwrap(), sheet);
        assert_eq!(kinds.len(), fields, "{name}");
        // With one word less, the last name has no word.
        if words > 1 {
            let types: Vec<u32> = Table::parse(&file).unwrap().words().iter().take(words - 1).collect();
            let less = whole.clone().words("!!strtypelist", &types);
            let file = build_table(&TableSpec { rows: Vec::new(), ..less }).bytes;
            let table = Table::parse(&file).unwrap();
            assert_eq!(table.name_origin(), NameOrigin::Generated, "{name}");
            let why = table.schema_mismatch().unwrap().1.to_string();
            assert!(why.ends_with(&format!("has no word left: a record has {}", words - 1)), "{name}: {why}");
        }
    }
}

#[test]
fn own_schemas_take_precedence_over_built_in_ones() {
    let text = "\u{FEFF}# mine\nsheet Mine # of two\n version 0x85e62c73 0xDDC386E8\n file mine mine_*\n sA uB\n uC\nsheet More\niD\n";
    let own = Schemas::parse(text).unwrap();
    let [mine, more] = own.sheets() else { panic!("{own:?}") };
    assert_eq!(
        (mine.name(), mine.versions(), mine.files()),
        ("Mine", &[0x85E6_2C73, 0xDDC3_86E8][..], &["mine".into(), "mine_*".into()][..])
    );
    assert_eq!((mine.fields(), more.fields()), (&["sA".into(), "uB".into(), "uC".into()][..], &["iD".into()][..]));
    let candidates = |version, file| own.candidates(version, file).map(Schema::name).collect::<Vec<_>>();
    assert_eq!(candidates(Some(0xDDC3_86E8), None), ["Mine"]);
    assert_eq!(candidates(Some(1), Some("a/mine_07.wdb")), ["Mine"]);
    assert_eq!(candidates(Some(1), Some("mine_x.wdb")), [""; 0]);

    let spec = table_of(mine, 0x85E6_2C73);
    let file = build_table(&spec).bytes;
    let archive = Archive::parse(&file).unwrap();
    takes(&TableOptions::new().schemas(&own).table(archive).unwrap(), mine);
    // The own schema does not fit the real `Item`, so the built-in one is used.
    let item = build_table(&table_of(sheet("Item"), 0x85E6_2C73)).bytes;
    let archive = Archive::parse(&item).unwrap();
    let table = TableOptions::new().schemas(&own).table(archive).unwrap();
    assert!(
        matches!(table.name_origin(), NameOrigin::Schema(found) if found.name() == "Item"),
        "{:?}",
        table.name_origin()
    );
    // A single schema without conditions applies to all tables, and an explicitly given schema takes precedence over
    // everything.
    let any = Schemas::parse("sX uY uZ").unwrap();
    let archive = Archive::parse(&file).unwrap();
    takes(&TableOptions::new().schemas(&any).table(archive).unwrap(), &any.sheets()[0]);
    takes(&TableOptions::new().schemas(&any).schema(mine).table(archive).unwrap(), mine);
}
