//! After `parse`, reading allocates nothing. Parsing allocates the field plan, independently of the number of records.

use worldview_corpus::builder::Built;
use worldview_corpus::ff13::build::build_table;
use worldview_corpus::ff13::generate::{Shape, generic, pack, table_of_rows};
use worldview_corpus::ff13::spec::{CellSpec, Generation, RowSpec, TableSpec};
use worldview_readers::wpd::visit;
use worldview_wpd::{Archive, ColumnType, Element, FieldKind, Nesting, Schemas, Table, TableOptions, Value};

/// Returns the number of allocations, and the maximum number of bytes held at once.
fn measured(work: impl FnOnce()) -> (u64, u64) {
    let counted = allocation_counter::measure(work);
    (counted.count_total, counted.bytes_max)
}

/// Returns a table with a field of every named kind, and a raw one of an unknown type.
fn every_kind(rows: usize, align: usize) -> Built {
    let fields = ["iInt", "uUint", "fFloat", "sString", "uRaw", "i5A", "u7B", "f9C", "s3D", "s8E", "u64Last"];
    let mut spec = TableSpec { align, ..TableSpec::new(Generation::G3, &fields) };
    spec = spec.section("!!strtypelistb", Some(&[0, 3, 1, 2, 7, 0, 3]));
    for row in 0..rows {
        let number = i64::try_from(row).unwrap();
        let text = ["lamp_oil", "oil", "", "rope"][row % 4];
        let values = fields.iter().map(|name| match &name[..1] {
            "f" if !name[1..].starts_with('9') => CellSpec::from(0.5_f32),
            "s" => CellSpec::from(text),
            _ => CellSpec::Int(number * 77),
        });
        let values = values.collect();
        spec.rows.push(RowSpec { name: format!("row_{row:06}").into_bytes(), values, data: None });
    }
    build_table(&spec)
}

/// Reads a column in every way, and returns the number of values.
fn column<'a, T: ColumnType<'a>>(table: &Table<'a>, name: &str, blank: T) -> usize {
    let column = table.column::<T>(name).unwrap();
    let mut buffer = [blank; 64];
    let mut count = column.copy_to(&mut buffer);
    for _ in column {
        count += 1;
    }
    count += column.iter().fold(0, |count, _| count + 1);
    count + (0..column.len()).filter_map(|row| column.get(row)).count()
}

fn columns(table: &Table<'_>) -> usize {
    column(table, "iInt", 0_i32)
        + column(table, "uUint", 0_u32)
        + column(table, "fFloat", 0_f32)
        + column(table, "sString", &b""[..])
        + column(table, "sString", None::<&[u8]>)
        + column(table, "uRaw", 0_u32)
        + column(table, "i5A", 0_i32)
        + column(table, "u7B", 0_u32)
        + column(table, "f9C", 0_i32)
        + column(table, "s3D", Element { index: 0, text: None })
        + column(table, "s8E", Element { index: 0, text: None })
        + column(table, "u64Last", 0_u64)
}

/// Looks up every row by its name, and some names that no row has.
fn names(table: &Table<'_>) -> usize {
    let found = table.rows().filter(|row| table.by_name(row.name()).is_some_and(|same| same.index() == row.index()));
    let found = found.count() + table.archive().members().filter_map(|one| table.archive().by_name(one.name())).count();
    let missing = [&b""[..], b"row", b"row_999999", b"a name that is longer than 16 bytes", b"!!string\0"];
    assert!(missing.iter().all(|name| table.by_name(name).is_none()));
    assert!(table.archive().by_name(b"nothing").is_none());
    found
}

#[test]
fn reading_allocates_nothing_after_parse() {
    // Contiguous, spread over the file, and unsorted.
    let mut unsorted = every_kind(500, 4);
    unsorted.patch("record row_000499 name", b"a row");
    for (file, sorted) in [(every_kind(500, 4), true), (every_kind(500, 64), true), (unsorted, false)] {
        let table = Table::parse(&file.bytes).unwrap();
        assert_eq!(table.archive().is_sorted(), sorted);
        let kinds: Vec<_> = table.fields().iter().map(|field| field.kind()).collect();
        assert!(kinds.contains(&FieldKind::Raw) && kinds.contains(&FieldKind::Uint64), "{kinds:?}");
        let mut read = 0;
        assert_eq!(measured(|| read = columns(&table)).0, 0);
        assert_eq!(read, 12 * (64 + 3 * 500));
        let mut found = 0;
        assert_eq!(measured(|| found = names(&table)).0, 0);
        assert_eq!(found, 500 + table.archive().entries().len());
        let mut sum = 0;
        assert_eq!(measured(|| sum = visit(&table)).0, 0);
        assert!(sum > 1_000_000, "the walk visits the table: {sum}");
        let (allocations, _) = measured(|| {
            let row = table.get(7).unwrap();
            assert_eq!(row.get("iInt"), Some(Value::I32(539)));
            assert_eq!(row.words().len(), 8);
            assert!(table.column_of::<u32>(table.field(b"u7B").unwrap()).is_some());
        });
        assert_eq!(allocations, 0);
    }
}

#[test]
fn strings_and_arrays_allocate_nothing() {
    let file = every_kind(500, 4).bytes;
    let table = Table::parse(&file).unwrap();
    let (allocations, _) = measured(|| {
        let pool = table.strings();
        let pool_len = u32::try_from(pool.bytes().len()).unwrap();
        assert_eq!((0..pool_len).filter_map(|offset| pool.get(offset)).count(), pool.bytes().len());
        let arrays = table.string_arrays();
        assert_eq!(arrays.len(), 2);
        for array in (0..2).map(|array| arrays.get(array).unwrap()) {
            assert!(array.iter().flatten().map(<[u8]>::len).sum::<usize>() > 10);
            assert!(array.get(3).is_some() && array.get(1 << 20).is_none());
        }
        assert_eq!(table.sections().item_names().unwrap().count(), 11);
        assert_eq!(table.layout_version(), Some(0x0102_0304));
        assert_eq!(table.words().iter().sum::<u32>(), 16);
    });
    assert_eq!(allocations, 0);
}

#[test]
fn archives_allocate_nothing_at_all() {
    let (pack, generic) = (pack(1, 6), generic(1, 60));
    let (allocations, _) = measured(|| {
        let archive = Archive::parse(&generic).unwrap();
        assert!(!archive.is_sorted() && !archive.is_table());
        for member in archive.members() {
            assert_eq!(archive.by_name(member.name()).map(|found| found.index()), Some(member.index()));
        }
        let archive = Archive::parse(&pack).unwrap();
        let mut nesting = Nesting::new(&archive);
        for member in archive.members() {
            let nested = nesting.enter(&member, 0, &mut |_| {}).unwrap().unwrap();
            assert!(nested.is_table());
        }
        let (holder, section) = archive.locate(b"r_table0003.wdb/!!version").unwrap().unwrap();
        assert!(holder.is_table() && section.data().len() == 4);
    });
    assert_eq!(allocations, 0);
}

/// Returns the allocations made by opening a table.
fn parsing(file: &[u8]) -> (u64, u64) {
    measured(|| {
        Table::parse(file).unwrap();
    })
}

#[test]
fn parsing_allocates_for_fields_but_not_for_records() {
    // The first use of the built-in schemas parses them.
    assert_eq!(Schemas::builtin().sheets().len(), 36);
    for shape in Shape::all() {
        let [few, many] = [100, 100_000].map(|rows| table_of_rows(1, rows, 1000, &shape));
        assert_eq!(Table::parse(&many).unwrap().len(), 100_000);
        assert_eq!(parsing(&few), parsing(&many), "{}", shape.sheet);
        let (allocations, bytes) = parsing(&many);
        let fields = shape.fields.len() as u64;
        assert!(allocations < 16 + 2 * fields && bytes < 1000 + 256 * fields, "{}: {bytes} bytes", shape.sheet);
    }
}

#[test]
fn parsing_records_with_gaps_allocates_no_more() {
    let [few, many] = [100, 20_000].map(|rows| every_kind(rows, 64).bytes);
    assert_eq!(Table::parse(&many).unwrap().len(), 20_000);
    assert_eq!(parsing(&few), parsing(&many));
}

#[test]
fn parsing_with_a_schema_allocates_no_more() {
    let sheet = Schemas::builtin().sheets().iter().find(|sheet| sheet.name() == "Item").unwrap();
    let fields: Vec<&str> = sheet.fields().iter().map(String::as_str).collect();
    let spec = TableSpec { version: Some(0x85E6_2C73), ..TableSpec::new(Generation::G2, &fields) };
    let files = [100, 20_000].map(|rows| {
        let rows = (0..rows).map(|row| RowSpec { name: format!("it_{row:06}").into(), ..RowSpec::default() });
        build_table(&TableSpec { rows: rows.collect(), ..spec.clone() }).bytes
    });
    for file in &files {
        assert_eq!(Table::parse(file).unwrap().name_origin().name(), "schema");
    }
    assert_eq!(parsing(&files[0]), parsing(&files[1]));
    let given = |file: &[u8]| {
        measured(|| {
            TableOptions::new().schema(sheet).table(Archive::parse(file).unwrap()).unwrap();
        })
    };
    assert_eq!(given(&files[0]), given(&files[1]));
}
