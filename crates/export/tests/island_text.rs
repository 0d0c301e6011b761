//! Dumps of databases as text: one to the letter, and all against what the naive reader counts.
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, reason = "a slip fails the test")]

use worldview_corpus::island::build::build;
use worldview_corpus::island::generate::{deep_rois, edge_cases, small};
use worldview_corpus::island::naive::{self, NaiveContent, NaiveDatabase, NaiveLod};
use worldview_corpus::island::samples::samples;
use worldview_corpus::island::spec::{
    ActorSpec, BlobSpec, CornerSpec, DatabaseSpec, ImageSpec, LodSpec, MeshSpec, ModelRefSpec, ModelSpec, NodeSpec,
    PartSpec, PartsSpec, RoiSpec, TextureSpec, WorldSpec,
};
use worldview_export::{Encoding, Error, island};
use worldview_island::{Content, Contents, Database};

fn written(write: impl FnOnce(&mut Vec<u8>) -> worldview_export::Result<()>) -> String {
    let mut out = Vec::new();
    write(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn dump(bytes: &[u8], full: bool) -> String {
    let database = Database::parse(bytes).unwrap();
    let contents = Contents::read(&database);
    written(|out| {
        island::text::database(&database, &contents, &island::Selection::ALL, full, Encoding::Windows1252, out)
    })
}

/// Something of everything.
fn few() -> DatabaseSpec {
    let corners = vec![
        CornerSpec::New { vertex: 1, normal: 0, uv: 0 },
        CornerSpec::New { vertex: 0, normal: 0, uv: 0 },
        CornerSpec::Back(0),
    ];
    let lod = |meshes| LodSpec {
        flags: 8,
        vertices: vec![[0.0, 0.1, -1.0], [1.0, f32::NAN, 1e30]],
        normals: vec![[0.0, 1.0, 0.0]],
        uvs: vec![[0.5, 0.25]],
        meshes,
        ..LodSpec::default()
    };
    let broken = MeshSpec { corners: vec![CornerSpec::Back(5); 3], ..MeshSpec::default() };
    let plain = MeshSpec { alpha: 0.6, material: b"caf\xe9".to_vec(), ..MeshSpec::coloured(vec![], [1, 2, 255], "") };
    let textured = MeshSpec::textured(corners, "sky.gif");
    let image = |width| ImageSpec::drawn(width, 2, vec![[0; 3], [255, 0, 1]], |x, y| u8::try_from(x + y).unwrap() % 2);
    let node = NodeSpec::new("root")
        .translation(0, [1.0, 2.0, 3.5])
        .rotation(70_000, [1.0, 0.0, 0.0, -0.0])
        .scale(5, [1.0; 3])
        .morph(9, 1)
        .child(NodeSpec::new("arm"));
    let roi = RoiSpec { texture: b"t_x".to_vec(), ..RoiSpec::new("root", vec![LodSpec::empty(4)]) };
    let mut model = ModelSpec::of(roi.child(RoiSpec::shared("leg1")), node);
    model.animation.actors = vec![ActorSpec { name: b"pepper".to_vec(), kind: 2 }, ActorSpec::default()];
    model.textures = vec![TextureSpec::pair("sky.gif", image(1), image(2))];
    let parts = PartsSpec {
        parts: vec![PartSpec::new("leg\0x", vec![lod(vec![plain, textured, broken])]), PartSpec::new("", vec![])],
        ..PartsSpec::default()
    };
    let mut world = WorldSpec::new("ISLE").part("Leg", 0).part("LEG", 0).model(ModelRefSpec::new("man", 1));
    world.models.push(ModelRefSpec { name: Vec::new(), presenter: b"no".to_vec(), ..ModelRefSpec::new("", 2) });
    DatabaseSpec {
        worlds: vec![world],
        textures: vec![TextureSpec::new("a.gif", image(2))],
        textures_trailing: vec![7, 8],
        blobs: vec![BlobSpec::parts(parts), BlobSpec::model(model), BlobSpec::raw([18, 0, 0, 0])],
        ..DatabaseSpec::default()
    }
}

/// A dump without the messages of errors, which are not its own.
fn without_messages(dump: &str) -> String {
    let lines = dump.lines().map(|line| match line.split_once("error: ") {
        Some((indent, _)) => format!("{indent}error\n"),
        None => format!("{line}\n"),
    });
    lines.collect()
}

#[test]
fn a_dump_to_the_letter() {
    let bytes = build(&few()).bytes;
    assert_eq!(without_messages(&dump(&bytes, true)), FULL);
    // Without `full` lines are left out, and no line is another.
    let geometry = ["position", "normal", "uv", "corners", "vertex", "triangle", "image", "palette"];
    let is_geometry = |line: &str| {
        let is_hex = line.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_hex || geometry.iter().any(|word| line.starts_with(word))
    };
    let mesh_error = "        error";
    let few: String =
        FULL.split_inclusive('\n').filter(|line| !is_geometry(line.trim()) && !line.starts_with(mesh_error)).collect();
    assert_eq!(without_messages(&dump(&bytes, false)), few);
}

const FULL: &str = r##"WORLD.WDB
  length 800
  worlds 1
  part references 2
  model references 2
  blobs 3
  directory end 0xb9
world 0 "ISLE" at 0x4
  part 0 "Leg" at 0x11 blob 0
  part 1 "LEG" at 0x21 blob 0
  model 0 "man" at 0x35 blob 1 presenter "LegoEntityPresenter"
    location 0.0 0.0 0.0  direction 0.0 0.0 1.0  up 0.0 1.0 0.0  visible 1
  model 1 absent at 0x82 blob 2 presenter "no" without NUL
    location 0.0 0.0 0.0  direction 0.0 0.0 1.0  up 0.0 1.0 0.0  visible 1
global textures at 0xbd size 37
  texture 0 "a.gif" at 0xc1 2x2 colors 2
    image at 0xca
      palette #000000 #ff0001
      0001
      0100
  textures end 0xe0
  trailing bytes 2
    0708
global parts at 0xe6 size 12
  textures_offset 0x8
  parts end 0xee
  textures end 0xf2
blob 0 parts at 0xf2 size 229 references 2 names "LEG" "Leg"
  textures_offset 0xe1
  part 0 "leg" behind NUL 78 at 0xfa end 0xd5 lods 1 to 0x1c7
    lod 0 at 0x10b flags 0x8 extra meshes 3 triangles 2 vertices 2 positions 2 normals 1 uvs 1
      position 0 0.0 0.1 -1.0
      position 1 1.0 NaN 1e+30
      normal 0 0.0 1.0 0.0
      uv 0 0.5 0.25
      mesh 0 at 0x147 triangles 0 vertices 0 uv_indices 0 color #0102ff alpha 0.6 shading 1 specular 0 unknown 0 alias 0 texture absent material "café" bytes 636166e9
      mesh 1 at 0x166 triangles 1 vertices 2 uv_indices 3 color #ffffff alpha 0.0 shading 1 specular 0 unknown 0 alias 0 texture "sky.gif" material absent
        corners 0 0x80000001 0x80000000 0x00000000 uv 0 0 0
        vertex 0 1.0 NaN 1e+30  normal 0.0 1.0 0.0  uv 0.5 0.25
        vertex 1 0.0 0.1 -1.0  normal 0.0 1.0 0.0  uv 0.5 0.25
        triangle 0 0 1 0
      mesh 2 at 0x1a0 triangles 1 vertices 0 uv_indices 0 color #808080 alpha 0.0 shading 1 specular 0 unknown 0 alias 0 texture absent material absent
        corners 0 0x00050005 0x00050005 0x00050005
        error
  part 1 absent at 0x1c7 end 0xe1 lods 0 to 0x1d3
  parts end 0x1d3
  textures end 0x1d7
blob 1 model at 0x1d7 size 325 references 1 names "man"
  version 19 textures_offset 0x107 roi_count 1 skip 0
  animation actors 2 duration 0
    actor 0 "pepper" type 2
    actor 1 absent
  node 0 "root" at 0x1fd children 1
    translation 0 time 0 flags 0x0 value 1.0 2.0 3.5
    rotation 0 time 70000 flags 0x0 value 1.0 0.0 0.0 -0.0
    scale 0 time 5 flags 0x0 value 1.0 1.0 1.0
    morph 0 time 9 flags 0x0 visible 1
    node 1 of 0 "arm" at 0x24a children 0
  nodes end 0x25d
  roi 0 "root" at 0x25d children 1
    sphere 0.0 0.0 0.0 0.0  box 0.0 0.0 0.0 0.0 0.0 0.0
    color_name "t_x" shared 0 end 0xca lods 1 to 0x2a1
      lod 0 at 0x29d flags 0x4 empty meshes 0
    roi 1 of 0 "leg1" at 0x2a5 children 0
      sphere 0.0 0.0 0.0 0.0  box 0.0 0.0 0.0 0.0 0.0 0.0
      color_name absent shared 1 lods 0 to 0x2da
  rois end 0x2de
  texture 0 "^sky.gif" at 0x2e6 low 1x2 colors 2 high 2x2 colors 2
    image at 0x2f2
      palette #000000 #ff0001
      00
      01
    image at 0x306
      palette #000000 #ff0001
      0001
      0100
  textures end 0x31c
blob 2 model at 0x31c size 4 references 1 names ""
  error
"##;

/// Lines of a dump that begin with a word and a number.
fn count(dump: &str, word: &str) -> usize {
    let is_it = |line: &&str| {
        let rest = line.trim_start().strip_prefix(word).and_then(|rest| rest.strip_prefix(' '));
        rest.is_some_and(|rest| rest.starts_with(|char: char| char.is_ascii_digit()))
    };
    dump.lines().filter(is_it).count()
}

/// Everything that is a level of detail.
fn lods(naive: &NaiveDatabase) -> Vec<&NaiveLod> {
    let mut lods = Vec::new();
    let contents = || naive.blobs.iter().filter_map(|blob| blob.content.as_ref().ok());
    let of_blobs = contents().filter_map(|content| match content {
        NaiveContent::Parts(parts) => Some(parts),
        NaiveContent::Model(_) => None,
    });
    for parts in of_blobs.chain(naive.parts.as_ref().ok()) {
        lods.extend(parts.parts.iter().flat_map(|part| &part.lods));
    }
    for content in contents() {
        if let NaiveContent::Model(model) = content {
            lods.extend(model.rois.iter().flat_map(|roi| &roi.lods));
        }
    }
    lods
}

#[test]
fn every_thing_has_its_lines() {
    let mut files = edge_cases();
    files.extend(samples().into_iter().map(|(name, bytes)| (name.to_owned(), bytes)));
    files.extend((0..40).map(|seed| (format!("small {seed}"), build(&small(seed)).bytes)));
    for (name, bytes) in files {
        let Ok(naive) = naive::database(&bytes) else { continue };
        let models: Vec<_> = (0..naive.blobs.len()).filter_map(|blob| naive.model_of(blob)).collect();
        let parts: Vec<_> = (0..naive.blobs.len()).filter_map(|blob| naive.parts_of(blob)).collect();
        let parts: Vec<_> = parts.into_iter().chain(naive.parts.as_ref().ok()).collect();
        let textures = naive.textures.as_ref().map_or(0, Vec::len)
            + models.iter().map(|model| model.textures.len()).sum::<usize>()
            + parts.iter().map(|parts| parts.textures.len()).sum::<usize>();
        let lods = lods(&naive);
        let meshes: Vec<_> = lods.iter().flat_map(|lod| lod.meshes.iter().map(move |mesh| (*lod, mesh))).collect();
        let decoded: Vec<_> = meshes.iter().map(|(lod, mesh)| naive::decode(lod, mesh)).collect();
        let geometries = || decoded.iter().flatten();
        let broken = naive.blobs.iter().filter(|blob| blob.content.is_err()).count()
            + usize::from(naive.textures.is_err())
            + usize::from(naive.parts.is_err());
        let worlds = &naive.directory.worlds;
        for full in [false, true] {
            let dump = dump(&bytes, full);
            let given = |count: usize| if full { count } else { 0 };
            let sum = |of: &dyn Fn(&NaiveLod) -> usize| given(lods.iter().map(|lod| of(lod)).sum());
            let keys = |of: &dyn Fn(&naive::NaiveNode) -> usize| models.iter().flat_map(|m| &m.nodes).map(of).sum();
            for (word, expected) in [
                ("world", worlds.len()),
                ("blob", naive.blobs.len()),
                ("part", {
                    let references = worlds.iter().map(|world| world.parts.len()).sum::<usize>();
                    references + parts.iter().map(|parts| parts.parts.len()).sum::<usize>()
                }),
                ("model", worlds.iter().map(|world| world.models.len()).sum()),
                ("texture", textures),
                ("actor", models.iter().map(|model| model.actors.len()).sum()),
                ("node", models.iter().map(|model| model.nodes.len()).sum()),
                ("roi", models.iter().map(|model| model.rois.len()).sum()),
                ("translation", keys(&|node| node.translations.len())),
                ("rotation", keys(&|node| node.rotations.len())),
                ("scale", keys(&|node| node.scales.len())),
                ("morph", keys(&|node| node.morphs.len())),
                ("lod", lods.len()),
                ("mesh", meshes.len()),
                ("position", sum(&|lod| lod.vertices.len())),
                ("normal", sum(&|lod| lod.normals.len())),
                ("uv", sum(&|lod| lod.uvs.len())),
                ("corners", given(meshes.iter().map(|(_, mesh)| usize::from(mesh.triangles)).sum())),
                ("vertex", given(geometries().map(|geometry| geometry.positions.len()).sum())),
                ("triangle", given(geometries().map(|geometry| geometry.indices.len() / 3).sum())),
            ] {
                assert_eq!(count(&dump, word), expected, "{name}: {word}");
            }
            let errors = dump.lines().filter(|line| line.trim_start().starts_with("error: ")).count();
            let undecoded = decoded.iter().filter(|geometry| geometry.is_err()).count();
            assert_eq!(errors, broken + given(undecoded), "{name}");
        }
    }
}

#[test]
fn a_broken_blob_has_its_error_and_hides_nothing() {
    let mut spec = few();
    let whole = dump(&build(&spec).bytes, true);
    spec.blobs[1] = BlobSpec::raw([]);
    let broken = dump(&build(&spec).bytes, true);
    assert!(broken.contains("\n  error: blob 1, version of the model at offset "));
    let parts = |dump: &str| {
        let from = dump.find("  part 0 \"leg\"").unwrap();
        let length = dump[from..].find("blob 1 ").unwrap();
        dump[from..from + length].lines().map(|line| line.split(" at ").next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(parts(&broken)[1], parts(&whole)[1]);
    assert_eq!(parts(&broken).len(), parts(&whole).len());
}

#[test]
fn one_blob_alone_is_what_it_is_among_the_others() {
    let bytes = build(&small(8)).bytes;
    let whole = dump(&bytes, true);
    let database = Database::parse(&bytes).unwrap();
    let encoding = Encoding::Windows1252;
    for blob in database.blobs() {
        let alone = match blob.read().unwrap() {
            Content::Parts(parts) => written(|out| island::text::parts(&parts, true, encoding, out)),
            Content::Model(model) => written(|out| island::text::model(&model, true, encoding, out)),
        };
        let (head, rest) = alone.split_once('\n').unwrap();
        assert_eq!(head, format!("{} at {:#x} size {}", blob.kind.name(), blob.source.base(), blob.source.len()));
        assert!(whole.contains(rest));
    }
    let textures = database.textures().unwrap();
    let alone = written(|out| island::text::textures(&textures, true, encoding, out));
    let (head, rest) = alone.split_once('\n').unwrap();
    assert_eq!(head, format!("textures {}", textures.len()));
    assert!(whole.contains(rest));
}

#[test]
fn deep_trees_are_indented_so_far_and_no_further() {
    let dump = dump(&deep_rois(5000), false);
    let deepest = dump.lines().map(|line| line.len() - line.trim_start().len()).max();
    // The blob's own indentation, sixteen levels, and the line below.
    assert_eq!(deepest, Some(2 * (1 + 16 + 1)));
    assert_eq!(count(&dump, "roi"), dump.lines().filter(|line| line.contains("sphere ")).count());
    assert!(dump.contains(" of 4900 "));
}

#[test]
fn overlapping_blobs_are_a_limit() {
    let mut world = WorldSpec::new("MANY");
    for _ in 0..200 {
        world = world.part("same", 0);
    }
    let parts = PartsSpec { trailing: vec![7; 300_000], ..PartsSpec::default() };
    let spec = DatabaseSpec { worlds: vec![world], blobs: vec![BlobSpec::parts(parts)], ..DatabaseSpec::default() };
    let mut built = build(&spec);
    for shorter in 0..200 {
        let label = format!("world[0].part[{shorter}].length");
        let length = built.read_u32_le(&label).unwrap();
        assert!(built.patch_u32_le(&label, length - shorter));
    }
    let database = Database::parse(&built.bytes).unwrap();
    let blobs = database.blobs().iter().map(|blob| blob.read()).collect();
    let contents = Contents { textures: database.textures(), parts: database.parts(), blobs };
    let mut out = Vec::new();
    let error =
        island::text::database(&database, &contents, &island::Selection::ALL, false, Encoding::Windows1252, &mut out)
            .unwrap_err();
    assert!(matches!(error, Error::Format(error) if error.what == "dump of overlapping blobs"));
    assert_eq!(out, b"", "nothing is written before the limit is known");
    // Read within the limit, the rest of the blobs is told to be past it.
    let dump = dump(&built.bytes, false);
    assert!(dump.contains("  error: blob 199, walk over overlapping blobs at offset "));
}
