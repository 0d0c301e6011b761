//! Compares record batches of levels with the CSV and the views, and reads back the files written from them.

use arrow_array::cast::AsArray as _;
use arrow_array::types::{Int32Type, UInt32Type};
use arrow_array::{Array, RecordBatch, RecordBatchReader as _};
use arrow_schema::DataType;
use worldview_core::describe::FieldValue;
use worldview_corpus::wwd::build::build;
use worldview_corpus::wwd::generate::{Shape, edge_cases, level};
use worldview_corpus::wwd::samples;
use worldview_export::arrow::RecordBatches;
use worldview_export::level::arrow::{BatchOptions, LevelBatches as _};
use worldview_export::level::{arrow, csv};
use worldview_export::{Encoding, hex};
use worldview_wwd::{Level, unpack};

/// Calls `look` with every level of the corpus that can be opened.
fn each_level(mut look: impl FnMut(&str, &Level<'_>)) {
    let edge_cases = edge_cases().into_iter().map(|(name, spec)| (name.to_owned(), build(&spec).bytes));
    let generated = (0..20).map(|seed| (format!("level {seed}"), build(&level(seed, &Shape::sized(50_000))).bytes));
    let samples = samples().into_iter().map(|(name, bytes)| (name.to_owned(), bytes));
    let mut count = 0;
    for (name, bytes) in edge_cases.chain(generated).chain(samples) {
        let Ok(image) = unpack(&bytes) else { continue };
        let Ok(level) = Level::parse(&image) else { continue };
        look(&name, &level);
        count += 1;
    }
    assert!(count > 25, "only {count} levels were looked at");
}

/// Returns a cell in the form used by CSV.
fn shown(column: &dyn Array, row: usize) -> String {
    if column.is_null(row) {
        return String::new();
    }
    match column.data_type() {
        DataType::Int32 => column.as_primitive::<Int32Type>().value(row).to_string(),
        DataType::UInt32 => column.as_primitive::<UInt32Type>().value(row).to_string(),
        DataType::Utf8 => column.as_string::<i32>().value(row).to_owned(),
        DataType::Binary => hex(column.as_binary::<i32>().value(row)),
        other => panic!("a column of {other}"),
    }
}

/// Compares a batch with a CSV file.
fn assert_same(name: &str, batch: &RecordBatch, file: &[u8]) {
    let mut reader = ::csv::Reader::from_reader(file);
    let schema = batch.schema();
    let names: Vec<_> = schema.fields().iter().map(|field| field.name().as_str()).collect();
    assert_eq!(reader.headers().unwrap().iter().collect::<Vec<_>>(), names, "{name}");
    let mut rows = 0;
    for (row, record) in reader.records().enumerate() {
        let record = record.unwrap();
        for (column, cell) in batch.columns().iter().zip(&record) {
            assert_eq!(shown(column, row), cell, "{name}: row {row}");
        }
        rows += 1;
    }
    assert_eq!(batch.num_rows(), rows, "{name}");
}

/// Returns all batches as one.
fn joined(batches: RecordBatches<'_>) -> RecordBatch {
    let (schema, batches) = batches.read_all().unwrap();
    arrow_select::concat::concat_batches(&schema, &batches).unwrap()
}

fn read(file: Vec<u8>) -> (arrow_schema::SchemaRef, Vec<RecordBatch>) {
    let reader = arrow_ipc::reader::FileReader::try_new(std::io::Cursor::new(file), None).unwrap();
    (reader.schema(), reader.map(Result::unwrap).collect())
}

#[test]
fn objects_and_attributes_are_those_of_the_csv_and_objects_have_rows() {
    each_level(|name, level| {
        let options = BatchOptions::default().encoding(Encoding::WINDOWS_1250);
        let mut objects = Vec::new();
        let mut attributes = Vec::new();
        csv::attributes(level, &mut attributes).unwrap();
        assert_same(name, &level.attribute_batch(&options).unwrap(), &attributes);
        match csv::objects(level, Encoding::WINDOWS_1250, &mut objects) {
            Ok(()) => {
                let mut batch = level.object_batch(&options).unwrap();
                let rows = batch.remove_column(batch.schema().index_of("row").unwrap());
                let expected = level.planes().iter().flat_map(|plane| 0..plane.objects().count());
                assert!(rows.as_primitive::<UInt32Type>().values().iter().copied().eq(expected), "{name}");
                assert_same(name, &batch, &objects);
            }
            Err(_) => assert!(level.object_batch(&options).is_err(), "{name}"),
        }
    });
}

#[test]
fn planes_have_their_headers_tiles_and_image_sets() {
    each_level(|name, level| {
        let names = level.planes().iter().map(|plane| plane.image_sets().iter().collect::<Result<Vec<_>, _>>());
        let Ok(names) = names.collect::<Result<Vec<_>, _>>() else { return };
        let batch = level.plane_batch(&BatchOptions::default()).unwrap();
        assert_eq!(batch.num_rows(), level.planes().len(), "{name}");
        for (row, (plane, names)) in level.planes().iter().zip(names).enumerate() {
            assert_eq!(shown(&batch["plane"], row), plane.index().to_string(), "{name}");
            for (info, value) in plane.header().fields() {
                let field = info.name;
                let value = match value {
                    FieldValue::Int(value) => value.to_string(),
                    FieldValue::Uint(value) => value.to_string(),
                    FieldValue::Text(text) => Encoding::default().decode(text.text).into_owned(),
                    _ => panic!("{field}"),
                };
                assert_eq!(shown(&batch[field], row), value, "{name}: {field}");
            }
            let tiles = batch["tiles"].as_list::<i32>().value(row);
            let expected: Vec<u32> = plane.tiles().iter().map(|tile| tile.get()).collect();
            assert_eq!(*tiles.as_primitive::<UInt32Type>().values(), expected, "{name}");
            let found = batch["image_sets"].as_list::<i32>().value(row);
            let found: Vec<_> = found.as_string::<i32>().iter().flatten().map(str::to_owned).collect();
            let names: Vec<_> = names.into_iter().map(|name| Encoding::default().decode(name).into_owned()).collect();
            assert_eq!(found, names, "{name}");
        }
    });
}

#[test]
fn files_have_the_batches() {
    each_level(|name, level| {
        let (options, encoding) = (BatchOptions::default(), Encoding::default());
        let Ok(one) = level.object_batch(&options) else { return };
        assert_eq!(joined(level.object_batches(&options.max_rows(3))), one, "{name}");
        assert!(level.object_batches(&options.max_rows(3)).all(|batch| (1..=3).contains(&batch.unwrap().num_rows())));
        let mut files = [Vec::new(), Vec::new(), Vec::new()];
        arrow::objects(level, encoding, &mut files[0]).unwrap();
        arrow::attributes(level, encoding, &mut files[1]).unwrap();
        arrow::planes(level, encoding, &mut files[2]).unwrap();
        let batches =
            [level.object_batches(&options), level.attribute_batches(&options), level.plane_batches(&options)];
        for (file, batches) in files.into_iter().zip(batches) {
            let (schema, found) = read(file);
            assert_eq!(schema, batches.schema(), "{name}");
            assert_eq!(schema.metadata()["worldview.format"], "wwd");
            assert_eq!(found, batches.map(Result::unwrap).collect::<Vec<_>>(), "{name}");
        }
        #[cfg(feature = "parquet")]
        {
            use ::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
            use worldview_export::level::parquet;
            let mut file = Vec::new();
            parquet::planes(level, encoding, &mut file).unwrap();
            let reader = ParquetRecordBatchReaderBuilder::try_new(bytes::Bytes::from(file)).unwrap();
            let schema = reader.schema().clone();
            let found: Vec<_> = reader.build().unwrap().map(Result::unwrap).collect();
            let found = arrow_select::concat::concat_batches(&schema, &found).unwrap();
            assert_eq!(found.columns(), level.plane_batch(&options).unwrap().columns(), "{name}");
        }
    });
}
