//! The meshes of WORLD.WDB as rows.

use std::collections::HashSet;
use std::sync::Arc;

use arrow_array::builder::{
    BooleanBuilder, Float32Builder, ListBuilder, StringBuilder, UInt8Builder, UInt16Builder, UInt32Builder,
};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, SchemaRef};
use worldview::inspect::Encoding;
use worldview::island::{Content, Contents, Database, Geometry, Library, LodsAt, Model, Scope, WorldNames};

/// The number of bytes after which a batch ends.
const BATCH_BYTES: usize = 4 << 20;

/// Returns the meshes of all models, one row each. A model that cannot be read is passed to `fail`, with its name.
pub(crate) fn rows(
    (database, contents): (&Database<'_>, &Contents<'_>),
    encoding: Encoding,
    fail: &mut dyn FnMut(&str, &worldview::Error),
) -> Result<(SchemaRef, Vec<RecordBatch>), ArrowError> {
    let library = Library::new(database, contents);
    let (mut columns, mut batches) = (Columns::new(encoding), Vec::new());
    let mut seen = HashSet::new();
    for world in database.worlds() {
        let mut names = None;
        for (index, reference) in world.models.iter().enumerate() {
            let Some(blob) = reference.blob().filter(|blob| seen.insert(*blob)) else { continue };
            let name = encoding.decode(reference.name.text());
            let model = match model_of(&library, blob) {
                Ok(Some(model)) => model,
                Ok(None) => continue,
                Err(error) => {
                    fail(&name, error);
                    continue;
                }
            };
            let names: &WorldNames<'_> = names.get_or_insert_with(|| library.world_names(world.index));
            let scope = Scope::Model { world: world.index, model: index };
            if let Err(error) = columns.push(&library, (scope, names), (&name, blob, model), &mut batches)? {
                fail(&name, &error);
            }
        }
    }
    let last = columns.finish()?;
    let schema = last.schema();
    batches.extend((last.num_rows() > 0).then_some(last));
    Ok((schema, batches))
}

fn model_of<'d, 'a>(library: &Library<'d, 'a>, blob: usize) -> Result<Option<&'d Model<'a>>, &'d worldview::Error> {
    match library.contents().blobs.get(blob) {
        Some(Ok(Content::Model(model))) => Ok(Some(model)),
        Some(Err(error)) => Err(error),
        _ => Ok(None),
    }
}

struct Columns {
    encoding: Encoding,
    /// `model`, `roi`, `material`, `texture` and `shading`.
    texts: [StringBuilder; 5],
    /// `roi_index`, `lod` and `mesh`.
    numbers: [UInt32Builder; 3],
    /// `is_shared` and `shines`.
    flags: [BooleanBuilder; 2],
    color: [UInt8Builder; 3],
    opacity: Float32Builder,
    /// `positions`, `normals` and `uvs`.
    floats: [ListBuilder<Float32Builder>; 3],
    indices: ListBuilder<UInt16Builder>,
    bytes: usize,
}

impl Columns {
    fn new(encoding: Encoding) -> Self {
        let item = |of| Field::new_list_field(of, false);
        let floats = || ListBuilder::new(Float32Builder::new()).with_field(item(DataType::Float32));
        Self {
            encoding,
            texts: Default::default(),
            numbers: Default::default(),
            flags: Default::default(),
            color: Default::default(),
            opacity: Float32Builder::new(),
            floats: [floats(), floats(), floats()],
            indices: ListBuilder::new(UInt16Builder::new()).with_field(item(DataType::UInt16)),
            bytes: 0,
        }
    }

    /// Appends the meshes of a model. The inner error is the model's; rows before it stay.
    fn push<'a>(
        &mut self,
        library: &Library<'_, 'a>,
        (scope, names): (Scope, &WorldNames<'a>),
        (name, blob, model): (&str, usize, &Model<'_>),
        batches: &mut Vec<RecordBatch>,
    ) -> Result<Result<(), worldview::Error>, ArrowError> {
        let mut geometry = Geometry::default();
        let encoding = self.encoding;
        let text = |bytes: &[u8]| encoding.decode(bytes).into_owned();
        for (index, roi) in model.rois.iter().enumerate() {
            let at = if roi.is_shared() {
                library.names(scope, Some(names)).lods(index, roi.list_name())
            } else {
                Some(LodsAt::Roi { blob, roi: index })
            };
            let lods = at.and_then(|at| library.lods_at(at));
            let roi_name = text(roi.name.text());
            let index = u32::try_from(index).unwrap_or(u32::MAX);
            for (level, lod) in (0_u32..).zip(lods.into_iter().flat_map(|lods| lods.into_iter())) {
                for (number, mesh) in (0_u32..).zip(lod.meshes) {
                    if let Err(error) = mesh.decode_into(&mut geometry) {
                        return Ok(Err(error));
                    }
                    let look = mesh.material(roi.color);
                    let texture = look.texture.map(&text);
                    let texts = [
                        Some(name),
                        Some(&roi_name),
                        Some(&text(mesh.material.text())),
                        texture.as_deref(),
                        Some(look.shading.name()),
                    ];
                    for (column, text) in self.texts.iter_mut().zip(texts) {
                        column.append_option(text);
                        self.bytes = self.bytes.saturating_add(text.map_or(0, str::len));
                    }
                    for (column, number) in self.numbers.iter_mut().zip([index, level, number]) {
                        column.append_value(number);
                    }
                    for (column, flag) in self.flags.iter_mut().zip([roi.is_shared(), look.shines]) {
                        column.append_value(flag);
                    }
                    for (column, part) in self.color.iter_mut().zip(look.color) {
                        column.append_value(part);
                    }
                    self.opacity.append_value(look.opacity);
                    let Geometry { positions, normals, uvs, indices, .. } = &geometry;
                    let lists = [positions.as_flattened(), normals.as_flattened(), uvs.as_flattened()];
                    for (column, list) in self.floats.iter_mut().zip(lists) {
                        column.values().append_slice(list);
                        column.append(true);
                        self.bytes = self.bytes.saturating_add(size_of_val(list));
                    }
                    self.indices.values().append_slice(indices);
                    self.indices.append(true);
                    self.bytes = self.bytes.saturating_add(size_of_val(indices.as_slice()));
                    if self.bytes >= BATCH_BYTES {
                        batches.push(self.finish()?);
                    }
                }
            }
        }
        Ok(Ok(()))
    }

    /// Returns the rows since the last batch. A texture may be missing.
    fn finish(&mut self) -> Result<RecordBatch, ArrowError> {
        const NAMES: &str = "model roi roi_index is_shared lod mesh material red green blue opacity texture shading shines \
                             positions normals uvs indices";
        self.bytes = 0;
        let [model, roi, material, texture, shading] =
            self.texts.each_mut().map(|column| Arc::new(column.finish()) as ArrayRef);
        let [roi_index, lod, mesh] = self.numbers.each_mut().map(|column| Arc::new(column.finish()) as ArrayRef);
        let [is_shared, shines] = self.flags.each_mut().map(|column| Arc::new(column.finish()) as ArrayRef);
        let [red, green, blue] = self.color.each_mut().map(|column| Arc::new(column.finish()) as ArrayRef);
        let [positions, normals, uvs] = self.floats.each_mut().map(|column| Arc::new(column.finish()) as ArrayRef);
        let (opacity, indices) = (Arc::new(self.opacity.finish()), Arc::new(self.indices.finish()));
        let columns: [ArrayRef; 18] = [
            model, roi, roi_index, is_shared, lod, mesh, material, red, green, blue, opacity, texture, shading, shines,
            positions, normals, uvs, indices,
        ];
        let columns = NAMES.split_whitespace().zip(columns);
        RecordBatch::try_from_iter_with_nullable(columns.map(|(name, column)| (name, column, name == "texture")))
    }
}
