//! Arrow IPC and Parquet files, read by their own crates.

use arrow_array::cast::AsArray as _;
use arrow_array::types::{Float32Type, Int32Type, UInt32Type, UInt64Type};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, SchemaRef};
use worldview_corpus::ff13::generate::{Shape, table_of_rows};
use worldview_corpus::ff13::naive::{self, NaiveTable, NaiveType, NaiveValue};
use worldview_export::table::Selection;
use worldview_export::table::arrow::{BatchOptions, TableBatches as _};
use worldview_wpd::Table;

use super::support::{Data, each_table, shown, table};

type Read = (SchemaRef, Vec<RecordBatch>);
type Write = fn(&Table<'_>, &Selection<'_>, &mut Vec<u8>) -> worldview_export::Result<()>;

type Format = (Write, Write, fn(Vec<u8>) -> Read);

/// The maximum number of fields in a columnar table.
const MAX: usize = 4096;

/// Returns the formats: each has its writers for records and arrays, and its reader.
fn formats() -> Vec<Format> {
    vec![
        (
            |table, selection, out| worldview_export::table::arrow::records(table, selection, out),
            |table, _, out| worldview_export::table::arrow::arrays(table, out),
            |file| {
                let reader = arrow_ipc::reader::FileReader::try_new(std::io::Cursor::new(file), None).unwrap();
                (reader.schema(), reader.map(Result::unwrap).collect())
            },
        ),
        #[cfg(feature = "parquet")]
        (
            |table, selection, out| worldview_export::table::parquet::records(table, selection, out),
            |table, _, out| worldview_export::table::parquet::arrays(table, out),
            |file| {
                use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
                let reader = ParquetRecordBatchReaderBuilder::try_new(bytes::Bytes::from(file)).unwrap();
                let packed = reader.schema().fields().len() <= 1024;
                for column in reader.metadata().row_groups().iter().flat_map(|group| group.columns()) {
                    assert_eq!(column.compression() != parquet::basic::Compression::UNCOMPRESSED, packed);
                }
                (reader.schema().clone(), reader.build().unwrap().map(Result::unwrap).collect())
            },
        ),
    ]
}

fn write(write: Write, table: &Table<'_>) -> Vec<u8> {
    let mut out = Vec::new();
    write(table, &Selection::ALL, &mut out).unwrap();
    out
}

fn check_metadata(name: &str, schema: &SchemaRef, naive: &NaiveTable) {
    let metadata = schema.metadata();
    let get = |key: &str| metadata.get(&format!("worldview.{key}")).cloned();
    assert_eq!(get("format").as_deref(), Some("wdb"), "{name}");
    assert_eq!(get("sheet_name"), naive.sheet_name.as_deref().map(shown), "{name}");
    assert_eq!(get("layout_version"), naive.version.map(|version| format!("0x{version:08x}")), "{name}");
    let generation = get("generation").unwrap().replace('\'', "Prime");
    assert_eq!(generation, format!("{:?}", naive.generation), "{name}");
}

fn value(column: &dyn Array, row: usize) -> NaiveValue {
    match column.data_type() {
        DataType::Int32 => NaiveValue::I32(column.as_primitive::<Int32Type>().value(row)),
        DataType::UInt32 => NaiveValue::U32(column.as_primitive::<UInt32Type>().value(row)),
        DataType::Float32 => NaiveValue::F32(column.as_primitive::<Float32Type>().value(row).to_bits()),
        DataType::UInt64 => NaiveValue::U64(column.as_primitive::<UInt64Type>().value(row)),
        DataType::Utf8 => {
            let texts = column.as_string::<i32>();
            NaiveValue::Text(texts.is_valid(row).then(|| texts.value(row).into()))
        }
        other => panic!("a column of {other}"),
    }
}

fn check((schema, batches): Read, name: &str, naive: &NaiveTable) {
    check_metadata(name, &schema, naive);
    assert_eq!(schema.fields().len(), 1 + naive.fields.len(), "{name}");
    let record = schema.field(0);
    assert_eq!((record.name().as_str(), record.data_type(), record.is_nullable()), ("record", &DataType::Utf8, false));
    for (column, field) in schema.fields()[1..].iter().zip(&naive.fields) {
        assert_eq!(*column.name(), shown(&field.name), "{name}");
        let types = match field.value {
            NaiveType::I32 => DataType::Int32,
            NaiveType::U32 => DataType::UInt32,
            NaiveType::F32 => DataType::Float32,
            NaiveType::U64 => DataType::UInt64,
            NaiveType::Text => DataType::Utf8,
        };
        assert_eq!(column.is_nullable(), types == DataType::Utf8, "{name}");
        assert_eq!(*column.data_type(), types, "{name}");
    }
    let mut rows = naive.rows.iter();
    for batch in &batches {
        assert!(batch.num_rows() <= 8192);
        for index in 0..batch.num_rows() {
            let row = rows.next().unwrap();
            assert_eq!(value(batch.column(0), index), NaiveValue::Text(Some(shown(&row.name).into())), "{name}");
            for (column, expected) in batch.columns()[1..].iter().zip(&row.values) {
                let expected = match expected {
                    NaiveValue::Text(Some(text)) => &NaiveValue::Text(Some(shown(text).into())),
                    other => other,
                };
                assert_eq!(value(column, index), *expected, "{name}");
            }
        }
    }
    assert_eq!(rows.len(), 0, "{name}");
}

#[test]
fn every_value_is_in_its_column() {
    each_table(|name, table, naive| {
        for (records, _, read) in formats() {
            if naive.fields.len() <= MAX {
                check(read(write(records, table)), name, naive);
            } else {
                let error = records(table, &Selection::ALL, &mut Vec::new()).unwrap_err();
                assert!(error.to_string().starts_with("number of columns at offset 0"), "{name}: {error}");
            }
        }
    });
}

#[test]
fn every_array_is_a_list() {
    each_table(|name, table, naive| {
        if naive.arrays.is_empty() && !name.starts_with("small 1") {
            return;
        }
        for (_, arrays, read) in formats() {
            let (schema, batches) = read(write(arrays, table));
            check_metadata(name, &schema, naive);
            let mut found = Vec::new();
            for batch in &batches {
                let (fields, lists) = (batch.column(0).as_string::<i32>(), batch.column(1).as_list::<i32>());
                for row in 0..batch.num_rows() {
                    let list = lists.value(row);
                    let values: Vec<_> = (0..list.len()).map(|index| value(&list, index)).collect();
                    found.push((fields.value(row).to_owned(), values));
                }
            }
            let expected = naive.fields.iter().filter_map(|field| {
                let values = naive.arrays.get(field.array?)?.iter();
                let values = values.map(|text| NaiveValue::Text(text.as_deref().map(|text| shown(text).into())));
                Some((shown(&field.name), values.collect::<Vec<_>>()))
            });
            assert_eq!(found, expected.collect::<Vec<_>>(), "{name}");
        }
    });
}

#[test]
fn one_batch_is_all_batches() {
    each_table(|name, table, naive| {
        if naive.fields.len() > MAX {
            return;
        }
        let options = BatchOptions::default();
        let one = table.record_batch(&options).unwrap();
        for rows in [1, 7, 8192] {
            let batches = table.record_batches(&options.max_rows(rows)).unwrap();
            let (schema, batches) = batches.read_all().unwrap();
            assert!(batches.iter().all(|batch| (1..=rows).contains(&batch.num_rows())), "{name}");
            assert_eq!(arrow_select::concat::concat_batches(&schema, &batches).unwrap(), one, "{name}");
        }
        check((one.schema(), vec![one]), name, naive);
        let (one, batches) = (table.array_batch().unwrap(), table.array_batches());
        let (schema, batches) = batches.read_all().unwrap();
        assert_eq!(arrow_select::concat::concat_batches(&schema, &batches).unwrap(), one, "{name}");
    });
}

#[test]
fn one_batch_has_a_limit() {
    // A string of 4 MiB, two hundred times.
    let mut pool = vec![b'x'; 4 << 20];
    pool.push(0);
    // Unused bytes that increase the size of the file, and with it the limits.
    pool.resize(56 << 20, 0);
    let bytes = table(&pool, &[2], "sOne\0", (0..200).map(|_| Data::Own(vec![0; 4])));
    let table = Table::parse(&bytes).unwrap();
    let error = table.record_batch(&BatchOptions::default()).unwrap_err();
    assert!(error.to_string().starts_with("strings of one row of columns"), "{error}");
    let few = Selection::ALL.records(&[b"r000001", b"r000100"]);
    assert_eq!(table.record_batch(&few.into()).unwrap().num_rows(), 2);
    let unknown = table.record_batches(&Selection::ALL.fields(&[b"sTwo"]).into()).unwrap_err();
    assert_eq!(unknown.to_string(), "the table has no field \"sTwo\"");
    let rows = table.record_batches(&BatchOptions::default()).unwrap().map(|batch| batch.unwrap().num_rows());
    assert_eq!(rows.sum::<usize>(), 200);
}

#[test]
fn more_rows_than_a_batch_has() {
    let shape = Shape::monster();
    let bytes = table_of_rows(3, 20_000, 3000, &shape);
    let (table, naive) = (Table::parse(&bytes).unwrap(), naive::table(&bytes, None).unwrap());
    for (records, _, read) in formats() {
        let file = write(records, &table);
        assert!(file == write(records, &table), "the same table gives the same bytes");
        let read = read(file);
        assert!(read.1.len() >= 3);
        check(read, "monster", &naive);
    }
}

#[test]
fn every_nan_keeps_its_bits() {
    let bits = [0x7fc0_0000_u32, 0x7fa0_0001, 0xffc0_0000, 0xff80_0001, 0x7fff_ffff, 0x7f80_0000, 0x8000_0000];
    // Enough values for every encoding, including references to earlier values.
    let bits: Vec<_> = bits.iter().copied().cycle().take(3000).collect();
    let bytes = table(b"", &[1], "fOne\0", bits.iter().map(|bits| Data::Own(bits.to_be_bytes().to_vec())));
    let table = Table::parse(&bytes).unwrap();
    for (records, _, read) in formats() {
        let (_, batches) = read(write(records, &table));
        let found = batches.iter().flat_map(|batch| batch.column(1).as_primitive::<Float32Type>().values());
        assert_eq!(found.map(|float| float.to_bits()).collect::<Vec<_>>(), bits);
    }
}

#[test]
fn rows_and_columns_can_be_chosen() {
    let records = [1_u8, 2, 3].map(|value| Data::Own(vec![0, 0, 0, value, 0, 0, 0, 10 * value]));
    let bytes = table(b"", &[0, 3], "iA\0uB\0", records);
    let table = Table::parse(&bytes).unwrap();
    for (records, _, read) in formats() {
        let mut out = Vec::new();
        let selection = Selection::ALL.records(&[b"r000002", b"r000000"]).fields(&[b"uB"]);
        records(&table, &selection, &mut out).unwrap();
        let (schema, batches) = read(out);
        assert_eq!(schema.fields().iter().map(|field| field.name().as_str()).collect::<Vec<_>>(), ["record", "uB"]);
        assert_eq!(*batches[0].column(1).as_primitive::<UInt32Type>().values(), [30, 10]);
        let unknown = records(&table, &Selection::ALL.fields(&[b"uC"]), &mut Vec::new());
        assert_eq!(unknown.unwrap_err().to_string(), "the table has no field \"uC\"");
    }
}

#[test]
fn long_strings_make_small_batches() {
    // A string of 3 MiB, twenty times: 60 MiB, which is within the budget but takes several batches.
    let mut pool = vec![b'x'; 3 << 20];
    pool.push(0);
    let bytes = table(&pool, &[2], "sOne\0", (0..20).map(|_| Data::Own(vec![0; 4])));
    let table = Table::parse(&bytes).unwrap();
    for (records, _, read) in formats() {
        let (_, batches) = read(write(records, &table));
        let lengths = batches.iter().flat_map(|batch| batch.column(1).as_string::<i32>().iter());
        let lengths: Vec<_> = lengths.map(|text| text.unwrap().len()).collect();
        assert_eq!(lengths, [3 << 20; 20]);
    }
    {
        let (_, _, read) = formats()[0];
        let (_, batches) = read(write(formats()[0].0, &table));
        assert!(batches.len() > 1 && batches.iter().all(|batch| batch.num_rows() <= 10));
    }
}

#[test]
fn strings_that_begin_in_a_character() {
    // Together these are valid text, but the second string starts inside a character.
    let pool = "aé\0b火\0".as_bytes();
    for offsets in [&[0_u32, 4, 5][..], &[2, 0], &[6, 7, 99, 0]] {
        let bytes = table(pool, &[2], "sOne\0", offsets.iter().map(|at| Data::Own(at.to_be_bytes().to_vec())));
        let (table, naive) = (Table::parse(&bytes).unwrap(), naive::table(&bytes, None).unwrap());
        for (records, _, read) in formats() {
            check(read(write(records, &table)), "strings", &naive);
        }
    }
    // Two strings that are invalid on their own, but valid text together.
    let bytes = table(b"\xe7\0\x81\xab\0", &[2], "sOne\0", [0_u32, 2].map(|at| Data::Own(at.to_be_bytes().to_vec())));
    let table = Table::parse(&bytes).unwrap();
    for (records, _, read) in formats() {
        let (_, batches) = read(write(records, &table));
        let found: Vec<_> = batches[0].column(1).as_string::<i32>().iter().flatten().collect();
        assert_eq!(found, ["\\xe7", "\\x81\\xab"]);
    }
}

/// An item table of XIII-1: `!!version` tells the schema.
#[test]
fn columns_know_their_schema_and_have_the_sheet_on_request() {
    let file = worldview_corpus::sample("items.wdb");
    let table = Table::parse(&file).unwrap();
    assert!(table.sheet_name().is_none());
    for (records, _, read) in formats() {
        let mut out = Vec::new();
        records(&table, &Selection::ALL.sheet(true), &mut out).unwrap();
        let (schema, batches) = read(out);
        assert_eq!(schema.metadata()["worldview.schema"], "Item");
        assert_eq!((schema.field(1).name().as_str(), schema.field(1).data_type()), ("sheet", &DataType::Utf8));
        let sheets: Vec<_> = batches.iter().flat_map(|batch| batch.column(1).as_string::<i32>().iter()).collect();
        assert_eq!(sheets, [Some("Item"); 40]);
        let (plain, _) = read(write(records, &table));
        assert_eq!(plain.fields().len() + 1, schema.fields().len());
    }
}

/// Dictionaries cost more than they save in a column of a small table.
#[cfg(feature = "parquet")]
#[test]
fn all_tables_are_compressed_and_large_ones_have_dictionaries() {
    use parquet::basic::Compression;
    use parquet::file::reader::{FileReader as _, SerializedFileReader};
    for (rows, is_large) in [(10, false), (20_000, true)] {
        let file = table_of_rows(7, rows, 3000, &Shape::flag());
        let mut out = Vec::new();
        let table = Table::parse(&file).unwrap();
        worldview_export::table::parquet::records(&table, &Selection::ALL, &mut out).unwrap();
        let reader = SerializedFileReader::new(bytes::Bytes::from(out)).unwrap();
        for column in reader.metadata().row_groups().iter().flat_map(|group| group.columns()) {
            assert_eq!(column.compression(), Compression::LZ4_RAW, "{rows} rows");
            assert_eq!(column.dictionary_page_offset().is_some(), is_large, "{rows} rows");
        }
    }
}
