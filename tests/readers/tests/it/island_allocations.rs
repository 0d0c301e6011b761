//! After `parse` and `read`, reading everything allocates nothing. Decoding allocates what a mesh needs, once.

use worldview_corpus::island::generate::database;
use worldview_island::{Content, Database, Geometry, Lods, Textures};
use worldview_readers::island::meshes;

fn file() -> Vec<u8> {
    database(5, 400_000)
}

fn visit_textures(textures: Textures<'_>) -> u64 {
    let visit = |texture: worldview_island::Texture<'_>| {
        let image = texture.high();
        let colors = image.pixels.iter().map(|&pixel| u64::from(image.color(pixel)[0])).sum::<u64>();
        texture.real_name().len() as u64 + texture.low().palette.len() as u64 + colors
    };
    textures.iter().map(visit).sum()
}

fn visit_lods(lods: Lods<'_>) -> u64 {
    let mut sum = lods.len() as u64;
    for lod in lods.iter() {
        sum += u64::from(lod.flags) + lod.triangles() + u64::from(lod.is_extra());
        sum += (lod.positions.len() + lod.normals.len() + lod.uvs.len()) as u64;
        for mesh in lod.meshes.iter() {
            sum += mesh.corners.iter().map(|corner| u64::from(corner.get())).sum::<u64>();
            sum += mesh.uv_indices.iter().map(|index| u64::from(index.get())).sum::<u64>();
            sum += u64::from(mesh.surface.red) + mesh.texture.text().len() as u64 + mesh.material.text().len() as u64;
        }
    }
    sum
}

fn visit_content(content: &Content<'_>) -> u64 {
    match content {
        Content::Parts(parts) => {
            parts.iter().map(|part| visit_lods(part.lods)).sum::<u64>() + visit_textures(parts.textures)
        }
        Content::Model(model) => {
            let nodes = &model.animation.nodes;
            let keys: u64 = nodes.iter().map(|node| node.key_count() as u64 + u64::from(node.name.is(b"c1"))).sum();
            let parents: usize = (0..nodes.len()).filter_map(|index| nodes.parent(index)).sum();
            let rois: u64 = model.rois.iter().map(|roi| roi.list_name().len() as u64 + visit_lods(roi.lods)).sum();
            let actors = model.animation.actors().count() as u64;
            visit_textures(model.own_textures()) + keys + parents as u64 + rois + actors
        }
    }
}

/// Reads the whole directory, and returns a digest of it.
fn visit(database: &Database<'_>) -> u64 {
    let mut sum = database.directory_end();
    for world in database.worlds() {
        sum += world.name.text().len() as u64;
        sum += world.parts.iter().map(|part| part.blob().unwrap_or(0) as u64 + part.at).sum::<u64>();
        for model in world.models {
            sum += model.presenter.text().len() as u64 + u64::from(model.placement.visible) + model.range.end();
            sum += model.blob().map_or(0, |blob| u64::from(database.blobs()[blob].references));
        }
    }
    sum
}

#[test]
fn reading_allocates_nothing() {
    let file = file();
    let database = Database::parse(&file).unwrap();
    let contents: Vec<_> = database.blobs().iter().map(|blob| blob.read().unwrap()).collect();
    let mut sum = 0;
    let counted = allocation_counter::measure(|| {
        sum = visit(&database) + contents.iter().map(visit_content).sum::<u64>();
        sum += visit_textures(database.textures().unwrap());
        sum += visit_content(&Content::Parts(database.parts().unwrap()));
    });
    assert!(sum > 1_000_000_000, "the walk must cover the database: {sum}");
    assert_eq!(counted.count_total, 0);
}

#[test]
fn decoding_into_warm_buffers_allocates_nothing() {
    let file = file();
    let database = Database::parse(&file).unwrap();
    let contents: Vec<_> = database.blobs().iter().map(|blob| blob.read().unwrap()).collect();
    let all: Vec<_> = contents.iter().flat_map(meshes).collect();
    let mut geometry = Geometry::default();
    all.iter().for_each(|mesh| mesh.decode_into(&mut geometry).unwrap());
    let mut indices = 0;
    let counted = allocation_counter::measure(|| {
        for mesh in &all {
            mesh.decode_into(&mut geometry).unwrap();
            indices += geometry.indices.len();
        }
    });
    assert!(indices > 10_000, "{indices}");
    assert_eq!(counted.count_total, 0);
}

#[test]
fn opening_allocates_only_the_indexes() {
    let file = file();
    let counted = allocation_counter::measure(|| {
        let database = Database::parse(&file).unwrap();
        assert!(database.blobs().iter().all(|blob| blob.read().is_ok()));
    });
    assert!(counted.bytes_max < 200_000, "{counted:?}");
}
