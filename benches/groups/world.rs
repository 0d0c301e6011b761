//! WORLD.WDB: its directory, the structure of every blob, every payload byte, every mesh, and everything exported as
//! GLB and PNG.
#![allow(missing_docs, reason = "criterion's macros generate undocumented functions")]
#![allow(clippy::unwrap_used, clippy::arithmetic_side_effects, reason = "a benchmark of files that it generated")]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use worldview::island::{Content, Contents, Counts, Database, Geometry, Image, Library, Lod, Mesh, Scope};
use worldview_benches::Row;
use worldview_benches::inputs::{self, LARGE, MIDDLE, SMALL, WHOLE, id, sizes};
use worldview_benches::limits::read_pass;
use worldview_benches::limits::world::{Gather, Glb, directory};
use worldview_benches::readers::world;
use worldview_corpus::island::naive;
use worldview_export::model::glb::{self, Cache, Options};
use worldview_export::model::png;

fn open(criterion: &mut Criterion) {
    for size in sizes(&[SMALL, MIDDLE, WHOLE, LARGE]) {
        let file = inputs::database(size.bytes);
        let naive = naive::directory(&file).unwrap();
        let references = naive.worlds.iter().map(|world| world.models.len() + world.parts.len()).sum::<usize>();
        let blobs = naive.blobs().len();
        let (mut listed, mut distinct) = (Vec::new(), Vec::new());
        Row::new(criterion, "WORLD.WDB: directory", id(size.name), file.len(), (references, blobs))
            .least("chain of names, 64 bytes per reference, distinct blobs", || {
                directory(black_box(&file), &mut listed, &mut distinct).unwrap()
            })
            .ours(|| {
                let database = Database::parse(black_box(&file)).unwrap();
                (database.model_refs().len() + database.part_refs().len(), database.blobs().len())
            });
        Row::new(criterion, "WORLD.WDB: structure checked", id(size.name), file.len(), (blobs, false))
            .limit("read pass", || read_pass(black_box(&file)))
            .ours(|| {
                let contents = Contents::read(&Database::parse(black_box(&file)).unwrap());
                (contents.blobs.len(), contents.is_broken())
            });
        let expected = if size.bytes <= WHOLE.bytes { world::naive::digest(&file) } else { world::ours::digest(&file) };
        Row::new(criterion, "WORLD.WDB: every payload byte", id(size.name), file.len(), expected.unwrap())
            .limit("read pass", || read_pass(black_box(&file)))
            .ours(|| world::ours::digest(black_box(&file)).unwrap());
    }
}

/// Returns every mesh of a file, and the level of detail that has it.
fn meshes<'a>(contents: &Contents<'a>) -> Vec<(Lod<'a>, Mesh<'a>)> {
    contents.lods().flatten().flat_map(|lod| lod.meshes.iter().map(move |mesh| (lod, mesh))).collect()
}

fn written(geometry: &Geometry) -> usize {
    size_of_val(geometry.positions.as_slice())
        + size_of_val(geometry.normals.as_slice())
        + size_of_val(geometry.uvs.as_slice())
        + size_of_val(geometry.indices.as_slice())
}

/// Rebuilds every mesh, against gathering the vertices by ready lists.
fn decode(criterion: &mut Criterion) {
    for size in sizes(&[SMALL, MIDDLE, WHOLE, LARGE]) {
        let file = inputs::database(size.bytes);
        let contents = Contents::read(&Database::parse(&file).unwrap());
        let meshes = meshes(&contents);
        let mut geometry = Geometry::default();
        let mut all = || {
            meshes.iter().fold((0, 0_u64), |(bytes, vertices), (_, mesh)| {
                black_box(mesh).decode_into(&mut geometry).unwrap();
                (bytes + written(black_box(&geometry)), vertices + geometry.positions.len() as u64)
            })
        };
        let expected = all();
        assert_eq!(expected.1, meshes.iter().map(|(_, mesh)| u64::from(mesh.vertices)).sum::<u64>());
        let ready: Vec<_> = meshes.iter().map(|(lod, mesh)| Gather::new(*lod, mesh)).collect();
        let mut gathered = Geometry::default();
        let mut gather = |reads: bool| {
            ready.iter().fold((0, 0), |(bytes, vertices), mesh| {
                if reads {
                    black_box(mesh.read_corners());
                }
                black_box(mesh).gather(&mut gathered);
                (bytes + written(black_box(&gathered)), vertices + gathered.positions.len() as u64)
            })
        };
        Row::new(criterion, "every mesh rebuilt", id(size.name), expected.0, expected)
            .least("gather by ready lists", || gather(false))
            .least("read the corners, gather by ready lists", || gather(true))
            .ours(&mut all);
    }
}

/// Rebuilds every mesh into four buffers for all of them, against gathering the vertices by ready lists.
fn decode_to(criterion: &mut Criterion) {
    for size in sizes(&[SMALL, MIDDLE, WHOLE, LARGE]) {
        let file = inputs::database(size.bytes);
        let contents = Contents::read(&Database::parse(&file).unwrap());
        let meshes = meshes(&contents);
        let mut buffers = Geometry::default();
        let counts = contents.counts();
        buffers.resize(counts);
        let bytes = written(&buffers);
        let all = |buffers: &mut Geometry| {
            let mut target = buffers.target();
            meshes.iter().for_each(|(_, mesh)| black_box(mesh).decode_to(&mut target).unwrap());
            counts
        };
        let ready: Vec<_> = meshes.iter().map(|(lod, mesh)| Gather::new(*lod, mesh)).collect();
        let gather = |buffers: &mut Geometry| {
            ready.iter().fold(Counts::default(), |first, mesh| black_box(mesh).gather_at(first, buffers))
        };
        all(&mut buffers);
        if size.bytes <= WHOLE.bytes {
            assert!(is_naive(&file, &buffers), "the naive reader decodes other meshes");
        }
        let mut gathered = Geometry::default();
        gathered.resize(counts);
        gather(&mut gathered);
        assert!(gathered == buffers, "the lists give other meshes");
        drop(gathered);
        Row::new(criterion, "meshes into the caller's buffers", id(size.name), bytes, counts)
            .least("gather by ready lists", || gather(black_box(&mut buffers)))
            .ours(|| all(black_box(&mut buffers)));
    }
}

/// Returns whether the naive reader decodes the same meshes.
fn is_naive(file: &[u8], buffers: &Geometry) -> bool {
    let (expected, _) = naive::database(file).unwrap().geometry();
    let is_same =
        |ours: &[f32], naive: &[naive::Real]| ours.iter().map(|x| x.to_bits()).eq(naive.iter().map(|real| real.0));
    is_same(buffers.positions.as_flattened(), expected.positions.as_flattened())
        && is_same(buffers.normals.as_flattened(), expected.normals.as_flattened())
        && is_same(buffers.uvs.as_flattened(), expected.uvs.as_flattened())
        && buffers.indices.iter().map(|index| u32::from(*index)).eq(expected.indices)
}

/// Returns the pictures of a file.
fn images<'a>(contents: &Contents<'a>) -> Vec<Image<'a>> {
    let mut textures = vec![contents.textures.unwrap()];
    textures.extend(contents.blobs.iter().flatten().map(Content::textures));
    textures
        .iter()
        .flat_map(|textures| textures.iter())
        .flat_map(|texture| [Some(texture.image), texture.second])
        .flatten()
        .collect()
}

/// Exports all worlds and models as GLB and all textures as PNG, into memory, on one thread.
fn assets(criterion: &mut Criterion) {
    for size in sizes(&[SMALL, WHOLE]) {
        let file = inputs::database(size.bytes);
        let database = Database::parse(&file).unwrap();
        let contents = Contents::read(&database);
        let images = images(&contents);
        let export = |out: &mut Vec<u8>, each: &mut dyn FnMut(&[u8])| {
            let library = Library::new(&database, &contents);
            // As in the command, a texture is encoded once and a mesh decoded once, however many files contain it.
            let cache = Cache::new(&contents);
            let options = Options::default().cache(&cache);
            let mut bytes = 0;
            for world in 0..database.worlds().len() {
                out.clear();
                glb::world(&library, world, &library.world_names(world), &options, &mut *out).unwrap();
                bytes += out.len();
                each(out);
            }
            for blob in (0..database.blobs().len()).filter(|&blob| library.model(blob).is_some()) {
                out.clear();
                glb::model(&library, blob, Scope::Blob(blob), None, &options, &mut *out).unwrap();
                bytes += out.len();
                each(out);
            }
            let textures = images.iter().map(|image| {
                out.clear();
                out.extend_from_slice(&cache.png(*image).unwrap());
                out.len()
            });
            (bytes, textures.sum())
        };
        let pictures = |out: &mut Vec<u8>| {
            images.iter().fold(0, |bytes, image| {
                out.clear();
                png::image(*image, &mut *out).unwrap();
                bytes + out.len()
            })
        };
        let mut out = Vec::new();
        let mut files = Vec::new();
        let expected = export(&mut out, &mut |file| files.push(Glb::new(file)));
        assert_eq!(expected.1, pictures(&mut out), "the cache gives other pictures");
        let ready: Vec<_> = meshes(&contents).iter().map(|(lod, mesh)| Gather::new(*lod, mesh)).collect();
        let mut geometry = Geometry::default();
        Row::new(criterion, "all GLB and PNG of WORLD.WDB", id(size.name), expected.0 + expected.1, expected)
            .least("decode, copy, JSON, and PNG once per texture", || {
                ready.iter().for_each(|mesh| {
                    black_box(mesh).gather(&mut geometry);
                    black_box(&geometry);
                });
                let models = files.iter().map(|file| black_box(file).write(&mut out)).sum();
                (models, pictures(&mut out))
            })
            .ours(|| export(&mut out, &mut |_| {}));
    }
}

criterion_group!(benches, open, decode, decode_to, assets);
criterion_main!(benches);
