use std::io::{self, Write};

use worldview_corpus::island::build::build;
use worldview_corpus::island::generate::{deep_nodes, deep_rois};
use worldview_corpus::island::spec::{
    BlobSpec, CornerSpec, DatabaseSpec, LodSpec, MeshSpec, ModelRefSpec, ModelSpec, NodeSpec, RoiSpec, WorldSpec,
};
use worldview_export::Error;
use worldview_export::model::glb::{self, LodChoice, Options, ReferenceKind};
use worldview_island::{ErrorKind, Limit, LodsAt, Scope};

use super::gltf::{Glb, list, number};
use super::support::{model, options, part, sample, with, world};

fn lod() -> LodSpec {
    let corner = |vertex| CornerSpec::New { vertex, normal: 0, uv: 0 };
    LodSpec {
        vertices: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        normals: vec![[0.0, 0.0, 1.0]],
        meshes: vec![MeshSpec::colored(vec![corner(0), corner(1), corner(2)], [1, 2, 3], "metal")],
        ..LodSpec::default()
    }
}

fn of(model: ModelSpec, references: usize) -> Vec<u8> {
    let mut world = WorldSpec::new("WORLD");
    world.models = vec![ModelRefSpec::new("one", 0); references];
    build(&DatabaseSpec { worlds: vec![world], blobs: vec![BlobSpec::model(model)], ..DatabaseSpec::default() }).bytes
}

/// A model with very many placements is stored once; only its nodes are repeated.
#[test]
fn many_references() {
    let few = of(ModelSpec::new("one", vec![lod(), lod()]), 20_000);
    with(&few, |library, _| {
        let (glb, _) = world(library, 0, LodChoice::All);
        // Two levels with the same appearance, which are stored separately.
        assert_eq!((glb.list("meshes").len(), glb.list("materials").len()), (2, 1));
        assert_eq!(glb.roots().len(), 20_000);
    });
    let mut root = RoiSpec::new("root", Vec::new());
    root.children = vec![RoiSpec::new("child", Vec::new()); 300];
    let many = of(ModelSpec::of(root, NodeSpec::new("root")), 30_000);
    with(&many, |library, _| {
        let mut out = Vec::new();
        let error = glb::world(library, 0, &library.world_names(0), &Options::default(), &mut out).unwrap_err();
        assert!(matches!(error, Error::Format(error) if matches!(error.kind, ErrorKind::Limit { .. })), "{error}");
        assert!(out.is_empty());
    });
}

/// Trees may be as deep as the file says, as long as there are not too many nodes.
#[test]
fn deep_trees() {
    for bytes in [deep_nodes(60_000), deep_rois(60_000)] {
        with(&bytes, |library, _| {
            let mut out = Vec::new();
            let names = library.world_names(0);
            assert!(glb::world(library, 0, &names, &Options::default(), &mut out).unwrap().nodes > 0);
            assert!(glb::model(library, 0, Scope::Blob(0), None, &Options::default(), &mut out).unwrap().nodes > 0);
        });
    }
}

#[test]
fn more_nodes_than_there_may_be() {
    with(&deep_rois(100_000), |library, _| {
        let error = glb::model(library, 0, Scope::Blob(0), None, &Options::default(), &mut Vec::new()).unwrap_err();
        let limit = ErrorKind::Limit { of: Limit::Capacity, need: 100_000, limit: 65_536 };
        assert!(matches!(error, Error::Format(error) if error.kind == limit), "{error}");
    });
}

/// The number of keys does not grow much, however unusual they are.
#[test]
fn odd_keys() {
    let mut node = NodeSpec::new("one");
    for i in 0..20_000_u32 {
        let sign = if i % 2 == 0 { 1.0 } else { -1.0 };
        node = node.rotation(i * 100, [0.1 * sign, 2.0, -0.7 * sign, 0.0]);
    }
    let bytes = of(ModelSpec::of(RoiSpec::new("one", vec![lod()]), node), 1);
    with(&bytes, |library, _| {
        let (glb, _) = world(library, 0, LodChoice::All);
        let accessors = glb.list("accessors").iter().map(|accessor| number(&accessor["count"]));
        assert!(accessors.max().unwrap() <= 3 * 20_000 + 4 * 20_000 + 256);
    });
}

/// A mesh that cannot be decoded is omitted, and reported once for all placements.
#[test]
fn broken_meshes() {
    let mut lod = lod();
    let broken = MeshSpec::colored(vec![CornerSpec::Back(7), CornerSpec::Back(7), CornerSpec::Back(7)], [0; 3], "");
    lod.meshes.push(broken.clone());
    let alone = LodSpec { meshes: vec![broken], ..lod.clone() };
    with(&of(ModelSpec::new("one", vec![lod, alone]), 3), |library, _| {
        let (glb, report) = world(library, 0, LodChoice::All);
        assert_eq!((report.left_out_count, report.left_out.len()), (2, 2));
        assert_eq!(report.meshes, 1);
        // Nothing of the better level is left, so the other level is the best one.
        assert!(glb.list("nodes").iter().all(|node| node["mesh"] == 0));
    });
}

/// Unresolved names are reported once for each item that has them.
#[test]
fn lost_names() {
    let mut textured = lod();
    textured.meshes[0].texture = b"Nowhere.gif".to_vec();
    let root =
        RoiSpec::new("one", Vec::new()).child(RoiSpec::new("a", vec![textured])).child(RoiSpec::shared("gone12"));
    with(&of(ModelSpec::of(root, NodeSpec::new("one")), 3), |library, _| {
        let (_, report) = world(library, 0, LodChoice::All);
        assert_eq!(report.unresolved_count, 2);
        let names: Vec<_> = report.unresolved.iter().map(|lost| (lost.kind, lost.name.as_str())).collect();
        assert_eq!(names, [(ReferenceKind::Texture, "Nowhere.gif"), (ReferenceKind::Levels, "gone")]);
    });
}

/// The caller chooses the levels to export.
#[test]
fn choice_of_levels() {
    with(&sample(), |library, naive| {
        let blob = (0..naive.blobs.len())
            .find(|&blob| naive.model_of(blob).is_some_and(|model| model.rois[0].name.0 == b"windmill"));
        let blob = blob.unwrap();
        let mill = naive.model_of(blob).unwrap().rois.iter().position(|roi| roi.name.0 == b"mill").unwrap();
        let corners = |lod: &worldview_corpus::island::naive::NaiveLod| {
            lod.meshes.iter().map(|mesh| mesh.corners.len()).sum::<usize>()
        };
        let wanted: Vec<usize> = naive.model_of(blob).unwrap().rois[mill].lods.iter().map(corners).collect();
        assert_eq!(wanted.len(), 3);
        let scope = Scope::Blob(blob);
        let of_part = |lods| {
            let mut bytes = Vec::new();
            glb::part(library, LodsAt::Roi { blob, roi: mill }, None, &options(lods), &mut bytes).unwrap();
            let glb = Glb::parse(&bytes);
            let size = |mesh: usize| -> usize {
                let primitives = list(&glb.list("meshes")[mesh], "primitives").iter();
                primitives.map(|primitive| glb.accessor(number(&primitive["indices"])).len()).sum()
            };
            super::meshes::levels(&glb, glb.roots()[0]).into_iter().map(size).collect::<Vec<_>>()
        };
        assert_eq!(of_part(LodChoice::All), [wanted[2], wanted[1], wanted[0]]);
        assert_eq!(of_part(LodChoice::Best), [wanted[2]]);
        for (level, number) in [(0, 0), (1, 1), (2, 2), (3, 2), (u32::MAX, 2)] {
            assert_eq!(of_part(LodChoice::Level(level)), [wanted[number]]);
        }
        let (glb, _) = part(library, LodsAt::Roi { blob, roi: mill }, scope);
        let coverage = glb.list("nodes").iter().find_map(|node| node["extras"].get("MSFT_screencoverage"));
        assert_eq!(coverage.unwrap().as_array().unwrap(), &[4.0 / 1024.0, 1.0 / 1024.0, 0.0]);
        let (alone, _) = model(library, blob, scope);
        assert_eq!(alone.json["scenes"][0]["name"], "windmill");
    });
}

/// Items used by several models are stored once.
#[test]
fn shared_things() {
    with(&sample(), |library, naive| {
        let (glb, report) = world(library, 0, LodChoice::Best);
        assert_eq!(report.left_out_count + report.unresolved_count, 0);
        let boats: Vec<usize> = naive.directory.worlds[0]
            .models
            .iter()
            .enumerate()
            .filter(|(_, model)| model.name.text() == b"boat")
            .map(|(i, _)| i)
            .collect();
        let meshes = |reference: usize| {
            let root = glb.roots()[reference];
            glb.below(root)
                .iter()
                .filter_map(|path| glb.node(*path.last().unwrap()).get("mesh").map(number))
                .collect::<Vec<_>>()
        };
        assert!(boats.len() == 4 && !meshes(boats[0]).is_empty());
        assert!(boats.iter().all(|&boat| meshes(boat) == meshes(boats[0])));
        // The last of them is hidden, including everything in it.
        let hidden = glb.node(glb.roots()[boats[3]]);
        assert_eq!(hidden["extensions"]["KHR_node_visibility"]["visible"], false);
        let mut names: Vec<_> = glb.list("images").iter().map(|image| image["name"].as_str().unwrap()).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    });
}

/// A failing writer, and missing items.
#[test]
fn failing_writers_and_missing_items_are_errors() {
    struct Full;
    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::Error::other("full"))
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    with(&sample(), |library, naive| {
        let options = Options::default();
        assert!(matches!(glb::world(library, 0, &library.world_names(0), &options, Full), Err(Error::Io(_))));
        assert!(matches!(
            glb::world(library, 99, &library.world_names(99), &options, io::sink()),
            Err(Error::Nothing { .. })
        ));
        let parts = (0..naive.blobs.len()).find(|&blob| naive.parts_of(blob).is_some()).unwrap();
        for blob in [parts, 999] {
            let error = glb::model(library, blob, Scope::Global, None, &options, io::sink());
            assert!(matches!(error, Err(Error::Nothing { .. })));
        }
        let error = glb::part(library, LodsAt::Global { part: 99 }, None, &options, io::sink());
        assert!(matches!(error, Err(Error::Nothing { .. })));
    });
}
