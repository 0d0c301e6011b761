use worldview_corpus::island::build::build;
use worldview_corpus::island::generate::{edge_cases, small, wide_nodes};
use worldview_corpus::island::naive::{self, NaiveDatabase, NaiveModel, NaiveModelRef};
use worldview_corpus::island::samples;
use worldview_corpus::island::spec::{BlobSpec, DatabaseSpec, ModelRefSpec, ModelSpec, NodeSpec, RoiSpec, WorldSpec};
use worldview_corpus::rng::Rng;
use worldview_export::model::glb::{self, LodChoice, Options, Report};
use worldview_island::{Contents, Database, Library, LodsAt, Scope, WorldNames};

use super::gltf::{Glb, Matrix};

/// Databases of every kind that can be opened: samples, edge cases and random ones.
pub(crate) fn files() -> Vec<(String, Vec<u8>)> {
    let mut out: Vec<(String, Vec<u8>)> = samples().into_iter().map(|(name, bytes)| (name.into(), bytes)).collect();
    out.extend(edge_cases());
    out.extend((0..60).map(|seed| (format!("small {seed}"), build(&small(seed)).bytes)));
    out.extend((0..24).map(|seed| (format!("moving root {seed}"), moving_root(seed))));
    out.push(("wide".into(), wide_nodes(50)));
    out.retain(|(_, bytes)| naive::directory(bytes).is_ok());
    out
}

/// A model whose root is scaled, rotated and translated at the same time, with everything else attached to it. The
/// inverse cannot be expressed as scale, rotation and translation.
fn moving_root(seed: u64) -> Vec<u8> {
    let mut rng = Rng::new(seed);
    let mut part = |range: i32| f32::from(i16::try_from(rng.range(-range, range)).unwrap()) / 16.0;
    let mut key = |node: NodeSpec, time| {
        // Not too flat to be inverted with floats, but mirrored in some cases.
        let mut factor = || if part(16) < 0.0 { -0.5 } else { 1.5 + part(16) / 2.0 };
        let scale = [factor(), factor(), factor()];
        let turn = [part(16), part(16), part(16), 1.0];
        node.scale(time, scale).rotation(time, turn).translation(time, [part(64), part(64), part(64)])
    };
    let leaf = |name: &str| RoiSpec::new(name, Vec::new());
    let objects = leaf("root").child(leaf("arm").child(leaf("hand"))).child(leaf("hat")).child(leaf("still"));
    let mut root = key(NodeSpec::new(if seed % 4 == 3 { "hat" } else { "root" }), 0);
    if seed % 2 == 1 {
        root = key(root, 900);
    }
    let hand = key(NodeSpec::new("hand"), 0);
    let mut arm = key(NodeSpec::new("arm"), 0).child(hand);
    if seed.is_multiple_of(3) {
        // The root again, at a different position.
        let again = key(NodeSpec::new("Root"), 0);
        let again = key(again, 700);
        arm = arm.child(again.child(key(NodeSpec::new("hat"), 0)));
    }
    let model = ModelSpec::of(objects, root.child(arm));
    let reference = ModelRefSpec::new("model", 0).at([1.0, 2.0, 3.0]).facing([0.6, 0.1, -0.8]);
    let worlds = vec![WorldSpec::new("WORLD").model(reference)];
    build(&DatabaseSpec { worlds, blobs: vec![BlobSpec::model(model)], ..DatabaseSpec::default() }).bytes
}

/// Returns the sample.
pub(crate) fn sample() -> Vec<u8> {
    samples().remove(0).1
}

/// Opens a file with both readers.
pub(crate) fn with<T>(bytes: &[u8], look: impl FnOnce(&Library<'_, '_>, &NaiveDatabase) -> T) -> T {
    let database = Database::parse(bytes).unwrap();
    let contents = Contents::read(&database);
    look(&Library::new(&database, &contents), &naive::database(bytes).unwrap())
}

pub(crate) fn options(lods: LodChoice) -> Options<'static> {
    Options::default().lods(lods)
}

pub(crate) fn world(library: &Library<'_, '_>, world: usize, lods: LodChoice) -> (Glb, Report) {
    let mut bytes = Vec::new();
    let report = glb::world(library, world, &library.world_names(world), &options(lods), &mut bytes).unwrap();
    (Glb::parse(&bytes), report)
}

pub(crate) fn model(library: &Library<'_, '_>, blob: usize, scope: Scope) -> (Glb, Report) {
    let mut bytes = Vec::new();
    let names = names_of(library, scope);
    let report = glb::model(library, blob, scope, names.as_ref(), &Options::default(), &mut bytes).unwrap();
    (Glb::parse(&bytes), report)
}

pub(crate) fn part(library: &Library<'_, '_>, part: LodsAt, scope: Scope) -> (Glb, Report) {
    let mut bytes = Vec::new();
    let names = names_of(library, scope);
    let report = glb::part(library, part, names.as_ref(), &Options::default(), &mut bytes).unwrap();
    (Glb::parse(&bytes), report)
}

/// Returns the names of the world of a scope.
fn names_of<'a>(library: &Library<'_, 'a>, scope: Scope) -> Option<WorldNames<'a>> {
    match scope {
        Scope::Global | Scope::Blob(_) => None,
        Scope::Part { world, .. } | Scope::Model { world, .. } => Some(library.world_names(world)),
    }
}

/// Returns the readable models of a world, with the topmost node of each.
pub(crate) fn placed<'n>(
    glb: &Glb,
    naive: &'n NaiveDatabase,
    world: usize,
) -> Vec<(usize, usize, &'n NaiveModelRef, &'n NaiveModel)> {
    let references = &naive.directory.worlds[world].models;
    let readable = references.iter().enumerate().filter_map(|(number, reference)| {
        let blob = naive.find(reference.place, naive::Kind::Model)?;
        Some((number, reference, naive.model_of(blob)?))
    });
    let readable: Vec<_> = readable.collect();
    let roots = glb.roots();
    assert_eq!(roots.len(), readable.len());
    let both = roots.into_iter().zip(readable);
    both.map(|(root, (number, reference, model))| {
        assert_eq!(glb.node(root)["extras"]["reference"], number);
        (root, number, reference, model)
    })
    .collect()
}

/// Returns the path from a root node to the node of each object.
pub(crate) fn objects(glb: &Glb, roots: &[usize], model: &NaiveModel) -> Vec<Vec<usize>> {
    let mut out = vec![Vec::new(); model.rois.len()];
    for path in roots.iter().flat_map(|&root| glb.below(root)) {
        if let Some(object) = glb.node(*path.last().unwrap())["extras"].get("object") {
            let object = super::gltf::number(object);
            assert!(out[object].is_empty(), "object {object} is there twice");
            out[object] = path;
        }
    }
    assert!(out.iter().all(|path| !path.is_empty()), "an object is missing");
    out
}

/// Converts a matrix of the game to glTF: for column vectors, with x negated.
pub(crate) fn mirrored(matrix: &naive::Matrix) -> Matrix {
    let sign = |i: usize| if i == 0 { -1.0 } else { 1.0 };
    std::array::from_fn(|i| std::array::from_fn(|j| sign(i) * sign(j) * matrix[i][j]))
}

/// Returns whether the numbers are small enough for comparisons with 32-bit floats.
pub(crate) fn is_sane(matrix: &Matrix) -> bool {
    matrix.iter().flatten().all(|part| part.abs() < 1e15)
}

/// Returns the largest difference between two matrices, relative to the magnitudes of the numbers involved,
/// separately for axes and origin.
pub(crate) fn distance(found: &Matrix, wanted: &Matrix, sizes: &Matrix) -> f64 {
    [0..3, 3..4].into_iter().fold(0.0, |all, columns| {
        let flat = |matrix: &Matrix| matrix[columns.clone()].concat();
        let largest = flat(sizes).into_iter().fold(1e-3, f64::max);
        let parts = flat(found).into_iter().zip(flat(wanted));
        parts.fold(all, |all, (a, b)| all.max((a - b).abs() / largest))
    })
}
