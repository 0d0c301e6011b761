//! Conversion of objects, tile attributes and planes of levels to Arrow record batches.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::{BinaryBuilder, Int32Builder, ListBuilder, StringBuilder, UInt32Builder};
use arrow_schema::{DataType, Field, Schema};
use worldview_core::zerocopy::FromZeros as _;
use worldview_core::{Budget, ErrorKind, Limit, RecordValue};
use worldview_wwd::raw::{ObjectRecord, PlaneHeader};
use worldview_wwd::{Attribute, Level, Object, Plane};

use crate::columns::{Division, ROW_BYTES, Rows, divide, within};
use crate::{Encoding, RecordBatches, Result};

/// Maximum size in bytes of the tiles of a plane, which are copied into the column.
const PLANE_BYTES: u64 = 1 << 30;

/// Returns the schema metadata that describes the level.
fn metadata(level: &Level<'_>, encoding: Encoding) -> HashMap<String, String> {
    let name = encoding.decode(level.header().name.as_bytes()).into_owned();
    let game = level.game().map(|game| ("game", game.name().to_owned()));
    let all = [Some(("format", "wwd".to_owned())), Some(("name", name)), game];
    all.into_iter().flatten().map(|(key, value)| (format!("worldview.{key}"), value)).collect()
}

/// Returns the error for rows that are too large for a column.
fn too_long(level: &Level<'_>, what: &'static str) -> worldview_core::Error {
    level.image().error(ErrorKind::Limit { of: Limit::Capacity, need: 0, limit: 0 }, what, 0)
}

/// Returns the objects of all planes, one per row.
pub(super) fn objects<'l>(level: &'l Level<'_>, encoding: Encoding, division: Division) -> RecordBatches<'l> {
    let too_long = too_long(level, "strings of one row of objects");
    let space = level.image().space();
    let mut budget = Budget::for_bytes(level.image().len(), "objects of overlapping planes");
    let objects = level.planes().iter().flat_map(|plane| plane.objects().iter().map(move |object| (plane, object)));
    let rows = objects.map(move |(plane, object)| {
        let object = object?;
        budget.spend(object.size(), object.at, space)?;
        within(object.size(), ROW_BYTES, too_long)?;
        Ok(((plane, object), object.size()))
    });
    let mut fields = vec![
        Field::new("plane", DataType::UInt32, false),
        Field::new("plane_name", DataType::Utf8, false),
        Field::new("object", DataType::UInt32, false),
        Field::new("name", DataType::Utf8, false),
        Field::new("logic", DataType::Utf8, false),
        Field::new("image_set", DataType::Utf8, false),
        Field::new("animation", DataType::Utf8, false),
        Field::new("metadata", DataType::Binary, true),
    ];
    let record = ObjectRecord::new_zeroed();
    fields.extend(record.fields().flat_map(|(name, value)| of_field(name, value)));
    let schema = Schema::new_with_metadata(fields, metadata(level, encoding));
    divide(Arc::new(schema), division, rows, Objects::new(encoding), too_long)
}

/// Returns the columns for a field of a record: four for a rectangle, one for everything else.
fn of_field(name: &str, value: RecordValue<'_>) -> Vec<Field> {
    let one = |data_type| vec![Field::new(name, data_type, false)];
    match value {
        RecordValue::Int(_) => one(DataType::Int32),
        RecordValue::Uint(_) => one(DataType::UInt32),
        RecordValue::Ints(_) => SIDES.map(|side| Field::new(format!("{name}_{side}"), DataType::Int32, false)).into(),
        _ => one(DataType::Utf8),
    }
}

const SIDES: [&str; 4] = ["left", "top", "right", "bottom"];

/// The columns for the fields of a record.
struct Record {
    columns: Vec<Column>,
    encoding: Encoding,
}

enum Column {
    Int(Int32Builder),
    Uint(UInt32Builder),
    Text(StringBuilder),
}

impl Record {
    fn new<'v>(fields: impl Iterator<Item = (&'static str, RecordValue<'v>)>, encoding: Encoding) -> Self {
        let columns = fields.flat_map(|(_, value)| {
            let count = if matches!(value, RecordValue::Ints(_)) { SIDES.len() } else { 1 };
            std::iter::repeat_with(move || match value {
                RecordValue::Int(_) | RecordValue::Ints(_) => Column::Int(Int32Builder::new()),
                RecordValue::Uint(_) => Column::Uint(UInt32Builder::new()),
                _ => Column::Text(StringBuilder::new()),
            })
            .take(count)
        });
        Self { columns: columns.collect(), encoding }
    }

    fn push<'v>(&mut self, fields: impl Iterator<Item = (&'static str, RecordValue<'v>)>) {
        let mut columns = self.columns.iter_mut();
        for (_, value) in fields {
            let sides = if let RecordValue::Ints(sides) = value { sides } else { &[] };
            for side in sides {
                if let Some(Column::Int(column)) = columns.next() {
                    column.append_value(side.get());
                }
            }
            if !sides.is_empty() {
                continue;
            }
            match (columns.next(), value) {
                (Some(Column::Int(column)), RecordValue::Int(value)) => column.append_value(value),
                (Some(Column::Uint(column)), RecordValue::Uint(value)) => column.append_value(value),
                (Some(Column::Text(column)), RecordValue::Text(text)) => {
                    column.append_value(self.encoding.decode(text))
                }
                // The columns were created for these types, so no other type occurs.
                _ => {}
            }
        }
    }

    fn finish(&mut self) -> impl Iterator<Item = ArrayRef> {
        self.columns.iter_mut().map(|column| match column {
            Column::Int(column) => Arc::new(column.finish()) as ArrayRef,
            Column::Uint(column) => Arc::new(column.finish()),
            Column::Text(column) => Arc::new(column.finish()),
        })
    }
}

struct Objects {
    planes: UInt32Builder,
    plane_names: StringBuilder,
    numbers: UInt32Builder,
    texts: [StringBuilder; 4],
    metadata: BinaryBuilder,
    record: Record,
    encoding: Encoding,
}

impl Objects {
    fn new(encoding: Encoding) -> Self {
        Self {
            planes: UInt32Builder::new(),
            plane_names: StringBuilder::new(),
            numbers: UInt32Builder::new(),
            texts: Default::default(),
            metadata: BinaryBuilder::new(),
            record: Record::new(ObjectRecord::new_zeroed().fields(), encoding),
            encoding,
        }
    }
}

impl Rows<(&Plane<'_>, Object<'_>)> for Objects {
    fn push(&mut self, (plane, object): (&Plane<'_>, Object<'_>)) -> Result<()> {
        self.planes.append_value(super::number(plane.index()));
        self.plane_names.append_value(self.encoding.decode(plane.name()));
        self.numbers.append_value(super::number(object.index));
        let texts = [object.display_name(), object.logic, object.image_set, object.animation];
        for (column, text) in self.texts.iter_mut().zip(texts) {
            column.append_value(self.encoding.decode(text));
        }
        self.metadata.append_option(object.metadata().map(|metadata| metadata.stored));
        self.record.push(object.record.fields());
        Ok(())
    }

    fn finish(&mut self) -> Vec<ArrayRef> {
        let mut columns: Vec<ArrayRef> =
            vec![Arc::new(self.planes.finish()), Arc::new(self.plane_names.finish()), Arc::new(self.numbers.finish())];
        columns.extend(self.texts.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef));
        columns.push(Arc::new(self.metadata.finish()));
        columns.extend(self.record.finish());
        columns
    }
}

/// Returns the tile attributes, one per row.
pub(super) fn attributes<'l>(level: &'l Level<'_>, encoding: Encoding, division: Division) -> RecordBatches<'l> {
    let too_long = too_long(level, "mask of a tile attribute in a column");
    let records = level.attributes().records().iter();
    let rows = (0_u32..).zip(records).map(move |(frame, record)| {
        within(record.size(), ROW_BYTES, too_long)?;
        Ok(((frame, *record), record.size()))
    });
    let optional = ["attribute", "outside", "inside", "left", "top", "right", "bottom"];
    let mut fields = vec![Field::new("frame", DataType::UInt32, false), Field::new("kind", DataType::Utf8, false)];
    fields.extend(["reserved", "width", "height"].map(|name| Field::new(name, DataType::UInt32, false)));
    fields.extend(optional.map(|name| Field::new(name, DataType::Int32, true)));
    fields.push(Field::new("mask", DataType::Binary, true));
    let schema = Schema::new_with_metadata(fields, metadata(level, encoding));
    divide(Arc::new(schema), division, rows, Attributes::default(), too_long)
}

#[derive(Default)]
struct Attributes {
    frames: UInt32Builder,
    kinds: StringBuilder,
    /// Reserved word, width and height.
    heads: [UInt32Builder; 3],
    /// Attribute, outside, inside, and the four sides of the rectangle.
    values: [Int32Builder; 7],
    masks: BinaryBuilder,
}

impl Rows<(u32, Attribute<'_>)> for Attributes {
    fn push(&mut self, (frame, record): (u32, Attribute<'_>)) -> Result<()> {
        let mut values = [None; 7];
        let (kind, reserved, mask) = match record {
            Attribute::Single(single) => {
                values[0] = Some(single.attribute.get());
                ("single", single.reserved, None)
            }
            Attribute::Double(double) => {
                let [left, top, right, bottom] = double.rect.get();
                let all = [double.outside.get(), double.inside.get(), left, top, right, bottom];
                for (value, of) in values[1..].iter_mut().zip(all) {
                    *value = Some(of);
                }
                ("double", double.reserved, None)
            }
            Attribute::Mask { head, pixels } => ("mask", head.reserved, Some(pixels)),
        };
        self.frames.append_value(frame);
        self.kinds.append_value(kind);
        for (column, value) in self.heads.iter_mut().zip([reserved.get(), record.width(), record.height()]) {
            column.append_value(value);
        }
        for (column, value) in self.values.iter_mut().zip(values) {
            column.append_option(value);
        }
        self.masks.append_option(mask);
        Ok(())
    }

    fn finish(&mut self) -> Vec<ArrayRef> {
        let mut columns: Vec<ArrayRef> = vec![Arc::new(self.frames.finish()), Arc::new(self.kinds.finish())];
        columns.extend(self.heads.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef));
        columns.extend(self.values.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef));
        columns.push(Arc::new(self.masks.finish()));
        columns
    }
}

/// Returns the planes, one per row.
pub(super) fn planes<'l>(level: &'l Level<'_>, encoding: Encoding, division: Division) -> RecordBatches<'l> {
    let too_long = too_long(level, "tiles and image sets of one row of planes");
    let space = level.image().space();
    let mut budget = Budget::for_bytes(level.image().len(), "planes that overlap");
    let rows = level.planes().iter().map(move |plane| {
        let grid = PlaneHeader::SIZE.saturating_add(size_of_val(plane.tiles()) as u64);
        budget.spend(grid, plane.offset(), space)?;
        let mut names = 0_u64;
        for name in plane.image_sets() {
            // A name takes at least one byte, its NUL.
            let size = name?.len() as u64 + 1;
            budget.spend(size, plane.offset(), space)?;
            names = names.saturating_add(size);
        }
        within(names, ROW_BYTES, too_long)?;
        within(grid, PLANE_BYTES, too_long)?;
        Ok((plane, grid.saturating_add(names)))
    });
    let mut fields = vec![Field::new("plane", DataType::UInt32, false)];
    fields.extend(PlaneHeader::new_zeroed().fields().flat_map(|(name, value)| of_field(name, value)));
    let list = |data_type| DataType::List(Arc::new(Field::new_list_field(data_type, false)));
    fields.push(Field::new("image_sets", list(DataType::Utf8), false));
    fields.push(Field::new("tiles", list(DataType::UInt32), false));
    let schema = Schema::new_with_metadata(fields, metadata(level, encoding));
    divide(Arc::new(schema), division, rows, Planes::new(encoding), too_long)
}

struct Planes {
    numbers: UInt32Builder,
    record: Record,
    image_sets: ListBuilder<StringBuilder>,
    tiles: ListBuilder<UInt32Builder>,
    encoding: Encoding,
}

impl Planes {
    fn new(encoding: Encoding) -> Self {
        let item = |data_type| Field::new_list_field(data_type, false);
        Self {
            numbers: UInt32Builder::new(),
            record: Record::new(PlaneHeader::new_zeroed().fields(), encoding),
            image_sets: ListBuilder::new(StringBuilder::new()).with_field(item(DataType::Utf8)),
            tiles: ListBuilder::new(UInt32Builder::new()).with_field(item(DataType::UInt32)),
            encoding,
        }
    }
}

impl Rows<&Plane<'_>> for Planes {
    fn push(&mut self, plane: &Plane<'_>) -> Result<()> {
        self.numbers.append_value(super::number(plane.index()));
        self.record.push(plane.header().fields());
        for name in plane.image_sets() {
            self.image_sets.values().append_value(self.encoding.decode(name?));
        }
        self.image_sets.append(true);
        let tiles: Vec<u32> = plane.tiles().iter().map(|tile| tile.get()).collect();
        self.tiles.values().append_slice(&tiles);
        self.tiles.append(true);
        Ok(())
    }

    fn finish(&mut self) -> Vec<ArrayRef> {
        let mut columns: Vec<ArrayRef> = vec![Arc::new(self.numbers.finish())];
        columns.extend(self.record.finish());
        columns.push(Arc::new(self.image_sets.finish()));
        columns.push(Arc::new(self.tiles.finish()));
        columns
    }
}
