//! Conversion of objects, tile attributes and planes of levels to Arrow record batches.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::Arc;

use arrow_array::builder::{
    BinaryBuilder, Float32Builder, Int32Builder, Int64Builder, ListBuilder, StringBuilder, UInt32Builder, UInt64Builder,
};
use arrow_array::{ArrayRef, NullArray};
use arrow_schema::{DataType, Field, Schema};
use worldview_core::describe::{FieldValue, Stored};
use worldview_core::{ErrorKind, FieldInfo, Limit};
use worldview_wwd::raw::{AttributeHead, ObjectRecord, PlaneHeader};
use worldview_wwd::{Attribute, Level, Object, ObjectKey, Plane};

use super::arrow::BatchOptions;
use crate::arrow::RecordBatches;
use crate::columns::{Division, ROW_BYTES, Rows, divide, within};
use crate::{Encoding, Result};

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

/// Returns the objects of all planes, or of one, one per row.
pub(super) fn objects<'l>(level: &'l Level<'_>, options: &BatchOptions<'_>, division: Division) -> RecordBatches<'l> {
    let BatchOptions { encoding, plane: only, columns, .. } = *options;
    let too_long = too_long(level, "strings of one row of objects");
    let planes = level.planes().iter().filter(move |plane| only.is_none_or(|index| plane.index() == index));
    let objects = planes.flat_map(|plane| plane.objects().with_keys().map(move |object| (plane, object)));
    let rows = objects.map(move |(plane, object)| {
        let (key, object) = object?;
        within(object.size(), ROW_BYTES, too_long)?;
        Ok(((plane, key, object), object.size()))
    });
    let mut fields = vec![
        Field::new("plane", DataType::UInt32, false),
        Field::new("plane_name", DataType::Utf8, false),
        Field::new("object", DataType::Utf8, false),
        Field::new("row", DataType::UInt32, false),
        Field::new("name", DataType::Utf8, false),
        Field::new("logic", DataType::Utf8, false),
        Field::new("image_set", DataType::Utf8, false),
        Field::new("animation", DataType::Utf8, false),
        Field::new("metadata", DataType::Binary, true),
    ];
    let before = fields.len();
    fields.extend(ObjectRecord::FIELDS.iter().flat_map(|info| of_field(info, info.columns(), false)));
    let is_wanted = |field: &Field| columns.is_none_or(|names| names.contains(&field.name().as_str()));
    let wanted: Vec<_> = fields.iter().map(is_wanted).collect();
    fields.retain(is_wanted);
    let schema = Schema::new_with_metadata(fields, metadata(level, encoding));
    divide(Arc::new(schema), division, rows, Objects::new(encoding, wanted, before), too_long)
}

/// Returns the columns for a field of a record: one, or one for each of its parts.
fn of_field(
    info: &FieldInfo,
    names: impl Iterator<Item = Cow<'static, str>>,
    is_optional: bool,
) -> impl Iterator<Item = Field> {
    let column = Column::of(info);
    names.map(move |name| Field::new(name, column.data_type(), is_optional))
}

/// The columns for the fields of a record.
struct Record {
    columns: Vec<Column>,
    encoding: Encoding,
}

enum Column {
    Int(Int32Builder),
    Uint(UInt32Builder),
    Long(Int64Builder),
    Ulong(UInt64Builder),
    Float(Float32Builder),
    Text(StringBuilder),
    Bytes(BinaryBuilder),
    /// Not wanted: it stays empty, and is left out.
    Skipped,
}

impl Column {
    /// Returns a column for a field, or for one of its parts.
    fn of(info: &FieldInfo) -> Self {
        match info.stored {
            Stored::Int(int) | Stored::Ints(int, _) => match (int.bytes > 4, int.signed) {
                (false, true) => Self::Int(Int32Builder::new()),
                (false, false) => Self::Uint(UInt32Builder::new()),
                (true, true) => Self::Long(Int64Builder::new()),
                (true, false) => Self::Ulong(UInt64Builder::new()),
            },
            Stored::Float { .. } => Self::Float(Float32Builder::new()),
            Stored::Text(_) | Stored::Name(_) | Stored::Padded(_) => Self::Text(StringBuilder::new()),
            // Fixed-layout structures have no others but bytes.
            Stored::Bytes(_)
            | Stored::Floats(_)
            | Stored::Color
            | Stored::Masked(..)
            | Stored::Offset(..)
            | Stored::Nowhere
            | Stored::Counted(_)
            | Stored::Terminated(_)
            | Stored::Pooled { .. } => Self::Bytes(BinaryBuilder::new()),
        }
    }

    const fn data_type(&self) -> DataType {
        match self {
            Self::Int(_) => DataType::Int32,
            Self::Uint(_) => DataType::UInt32,
            Self::Long(_) => DataType::Int64,
            Self::Ulong(_) => DataType::UInt64,
            Self::Float(_) => DataType::Float32,
            Self::Text(_) => DataType::Utf8,
            Self::Bytes(_) => DataType::Binary,
            Self::Skipped => DataType::Null,
        }
    }

    /// Appends a value; a null if it is none of this type.
    fn push(&mut self, value: FieldValue<'_>, encoding: Encoding) {
        let int = match value {
            FieldValue::Int(int) => Some(i128::from(int)),
            FieldValue::Uint(uint) => Some(uint.into()),
            _ => None,
        };
        match self {
            Self::Int(column) => column.append_option(int.and_then(|int| int.try_into().ok())),
            Self::Uint(column) => column.append_option(int.and_then(|int| int.try_into().ok())),
            Self::Long(column) => column.append_option(int.and_then(|int| int.try_into().ok())),
            Self::Ulong(column) => column.append_option(int.and_then(|int| int.try_into().ok())),
            Self::Float(column) => {
                column.append_option(if let FieldValue::Float(value) = value { Some(value) } else { None });
            }
            Self::Text(column) => {
                column.append_option(if let FieldValue::Text(text) = value {
                    Some(encoding.decode(text.text))
                } else {
                    None
                });
            }
            Self::Bytes(column) => {
                column.append_option(if let FieldValue::Bytes(bytes) = value { Some(bytes) } else { None });
            }
            Self::Skipped => {}
        }
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Self::Int(column) => Arc::new(column.finish()),
            Self::Uint(column) => Arc::new(column.finish()),
            Self::Long(column) => Arc::new(column.finish()),
            Self::Ulong(column) => Arc::new(column.finish()),
            Self::Float(column) => Arc::new(column.finish()),
            Self::Text(column) => Arc::new(column.finish()),
            Self::Bytes(column) => Arc::new(column.finish()),
            Self::Skipped => Arc::new(NullArray::new(0)),
        }
    }
}

impl Record {
    fn new(fields: impl Iterator<Item = &'static FieldInfo>, encoding: Encoding) -> Self {
        let columns = fields.flat_map(|info| info.columns().map(|_| Column::of(info)));
        Self { columns: columns.collect(), encoding }
    }

    /// Appends the values of all fields; one that is absent has nulls.
    fn push<'v>(&mut self, values: impl Iterator<Item = (&'static FieldInfo, FieldValue<'v>)>) {
        let mut columns = self.columns.iter_mut();
        for (info, value) in values {
            match value {
                FieldValue::Ints(parts) => {
                    // The parts come first, so that no column is taken for a part that is not there.
                    for (part, column) in parts.iter().zip(columns.by_ref()) {
                        column.push(FieldValue::Int(part.get().into()), self.encoding);
                    }
                }
                value => {
                    for column in columns.by_ref().take(info.columns().count()) {
                        column.push(value, self.encoding);
                    }
                }
            }
        }
    }

    fn finish(&mut self) -> impl Iterator<Item = ArrayRef> {
        self.columns.iter_mut().map(Column::finish)
    }
}

struct Objects {
    /// Which of the columns are wanted.
    wanted: Vec<bool>,
    planes: UInt32Builder,
    plane_names: StringBuilder,
    keys: StringBuilder,
    numbers: UInt32Builder,
    texts: [StringBuilder; 4],
    metadata: BinaryBuilder,
    record: Record,
    encoding: Encoding,
}

impl Objects {
    /// `before` is the number of columns before those of the record.
    fn new(encoding: Encoding, wanted: Vec<bool>, before: usize) -> Self {
        let mut record = Record::new(ObjectRecord::FIELDS.iter(), encoding);
        let columns = record.columns.iter_mut().zip(wanted.iter().skip(before));
        columns.filter(|(_, wanted)| !**wanted).for_each(|(column, _)| *column = Column::Skipped);
        Self {
            wanted,
            planes: UInt32Builder::new(),
            plane_names: StringBuilder::new(),
            keys: StringBuilder::new(),
            numbers: UInt32Builder::new(),
            texts: Default::default(),
            metadata: BinaryBuilder::new(),
            record,
            encoding,
        }
    }
}

impl Rows<(&Plane<'_>, ObjectKey, Object<'_>)> for Objects {
    fn push(&mut self, (plane, key, object): (&Plane<'_>, ObjectKey, Object<'_>)) -> Result<()> {
        self.planes.append_value(super::number(plane.index()));
        let is_wanted = |column: usize| self.wanted.get(column).is_some_and(|wanted| *wanted);
        if is_wanted(1) {
            self.plane_names.append_value(self.encoding.decode(plane.name()));
        }
        if is_wanted(2) {
            // Ends the text that was written to the column.
            write!(self.keys, "{key}").map_err(std::io::Error::other)?;
            self.keys.append_value("");
        }
        self.numbers.append_value(super::number(object.index));
        for (column, (texts, text)) in (4..).zip(self.texts.iter_mut().zip(object.strings())) {
            if is_wanted(column) {
                texts.append_value(self.encoding.decode(text));
            }
        }
        self.metadata.append_option(object.metadata().map(|metadata| metadata.stored));
        self.record.push(object.record.fields());
        Ok(())
    }

    fn finish(&mut self) -> Vec<ArrayRef> {
        let mut columns: Vec<ArrayRef> = vec![
            Arc::new(self.planes.finish()),
            Arc::new(self.plane_names.finish()),
            Arc::new(self.keys.finish()),
            Arc::new(self.numbers.finish()),
        ];
        columns.extend(self.texts.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef));
        columns.push(Arc::new(self.metadata.finish()));
        columns.extend(self.record.finish());
        let columns = columns.into_iter().zip(&self.wanted);
        columns.filter_map(|(column, wanted)| wanted.then_some(column)).collect()
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
    let columns = super::attribute_columns();
    let mut fields = vec![Field::new("frame", DataType::UInt32, false), Field::new("kind", DataType::Utf8, false)];
    fields.extend(columns.iter().flat_map(|info| {
        of_field(info, super::attribute_cells(info), !AttributeHead::FIELDS.iter().any(|head| head.name == info.name))
    }));
    fields.push(Field::new("mask", DataType::Binary, true));
    let schema = Schema::new_with_metadata(fields, metadata(level, encoding));
    let record = Record::new(columns.iter().copied(), encoding);
    let (frames, kinds, masks) = Default::default();
    divide(Arc::new(schema), division, rows, Attributes { frames, kinds, columns, record, masks }, too_long)
}

struct Attributes {
    frames: UInt32Builder,
    kinds: StringBuilder,
    columns: Vec<&'static FieldInfo>,
    record: Record,
    masks: BinaryBuilder,
}

impl Rows<(u32, Attribute<'_>)> for Attributes {
    fn push(&mut self, (frame, attribute): (u32, Attribute<'_>)) -> Result<()> {
        self.frames.append_value(frame);
        self.kinds.append_value(attribute.kind_name());
        self.record.push(self.columns.iter().map(|info| {
            let found = attribute.fields().find(|(other, _)| other.name == info.name);
            (*info, found.map_or(FieldValue::Absent, |(_, value)| value))
        }));
        self.masks.append_option(match attribute {
            Attribute::Mask { pixels, .. } => Some(pixels),
            Attribute::Single(_) | Attribute::Double(_) => None,
        });
        Ok(())
    }

    fn finish(&mut self) -> Vec<ArrayRef> {
        let mut columns: Vec<ArrayRef> = vec![Arc::new(self.frames.finish()), Arc::new(self.kinds.finish())];
        columns.extend(self.record.finish());
        columns.push(Arc::new(self.masks.finish()));
        columns
    }
}

/// Returns the planes, one per row.
pub(super) fn planes<'l>(level: &'l Level<'_>, encoding: Encoding, division: Division) -> RecordBatches<'l> {
    let too_long = too_long(level, "tiles and image sets of one row of planes");
    let rows = level.planes().iter().map(move |plane| {
        let grid = PlaneHeader::SIZE.saturating_add(size_of_val(plane.tiles()) as u64);
        let mut names = 0_u64;
        for name in plane.image_sets() {
            // A name takes at least one byte, its NUL.
            names = names.saturating_add(name?.len() as u64 + 1);
        }
        within(names, ROW_BYTES, too_long)?;
        within(grid, PLANE_BYTES, too_long)?;
        Ok((plane, grid.saturating_add(names)))
    });
    let mut fields = vec![Field::new("plane", DataType::UInt32, false)];
    fields.extend(PlaneHeader::FIELDS.iter().flat_map(|info| of_field(info, info.columns(), false)));
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
            record: Record::new(PlaneHeader::FIELDS.iter(), encoding),
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

/// Returns the names and types of the columns of a fixed-layout structure, after filling a row.
#[cfg(test)]
pub(super) fn columns<'v>(fields: impl Iterator<Item = (&'static FieldInfo, FieldValue<'v>)>) -> Vec<String> {
    let fields: Vec<_> = fields.collect();
    let mut record = Record::new(fields.iter().map(|(info, _)| *info), Encoding::default());
    record.push(fields.iter().copied());
    assert!(record.finish().all(|column| column.len() == 1 && column.null_count() == 0));
    let columns = fields.iter().flat_map(|(info, _)| of_field(info, info.columns(), false));
    columns.map(|field| format!("{}: {}", field.name(), field.data_type())).collect()
}
