//! Parts of databases, and matrices that are nearly equal.

use worldview_core::{OffsetBase, Source};
use worldview_corpus::island::build::{build, build_parts};
use worldview_corpus::island::spec::{
    BlobSpec, DatabaseSpec, LodSpec, ModelRefSpec, ModelSpec, PartSpec, PartsSpec, WorldSpec,
};
use worldview_island::raw::Placement;
use worldview_island::{Database, Lod, Matrix, Model, Parts};

/// Calls `look` with a level of detail, parsed from a generated chunk of parts.
pub(crate) fn with_lod<R>(lod: LodSpec, look: impl FnOnce(Lod<'_>) -> R) -> R {
    let spec = PartsSpec { parts: vec![PartSpec::new("part", vec![lod])], ..PartsSpec::default() };
    let bytes = build_parts(&spec).bytes;
    let parts = Parts::parse(Source::new(&bytes, OffsetBase::File)).unwrap();
    look(parts.lods().flatten().next().unwrap())
}

/// Calls `look` with a model and a reference to it, parsed from a generated file.
pub(crate) fn with_model<R>(model: ModelSpec, at: ModelRefSpec, look: impl FnOnce(&Model<'_>, &Placement) -> R) -> R {
    let (worlds, blobs) = (vec![WorldSpec::new("W").model(at)], vec![BlobSpec::model(model)]);
    let bytes = build(&DatabaseSpec { worlds, blobs, ..DatabaseSpec::default() }).bytes;
    let database = Database::parse(&bytes).unwrap();
    let content = database.blobs()[0].read().unwrap();
    look(content.model().unwrap(), database.world(0).unwrap().models[0].placement)
}

pub(crate) const AXES: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

#[track_caller]
pub(crate) fn near(found: Matrix, expected: [[f64; 3]; 4]) {
    for (row, (found, expected)) in found.rows().iter().zip(expected).enumerate() {
        for axis in 0..3 {
            assert!((found[axis] - expected[axis]).abs() < 1e-6, "row {row}: {found:?} instead of {expected:?}");
        }
        assert_eq!(found[3], if row == 3 { 1.0 } else { 0.0 });
    }
}

/// Returns the rows of a matrix with the axes unchanged and this origin.
pub(crate) fn there(origin: [f64; 3]) -> [[f64; 3]; 4] {
    let [x, y, z] = AXES;
    [x, y, z, origin]
}
