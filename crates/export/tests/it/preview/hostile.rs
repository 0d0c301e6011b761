use worldview_corpus::island::generate::{deep_nodes, deep_rois};
use worldview_corpus::island::spec::{
    CornerSpec, ImageSpec, LodSpec, MeshSpec, ModelRefSpec, ModelSpec, NodeSpec, RoiSpec, TextureSpec,
};
use worldview_export::Error;
use worldview_export::model::preview::{self, Options};
use worldview_island::{LodsAt, Scope};

use super::support::{RED, corner, cube, file, hue, open, shown, square, try_model, world};

/// A mesh with very many identical triangles.
fn stack(triangles: u16) -> LodSpec {
    let mut lod = LodSpec::default();
    square(&mut lod, [0.0; 3], 1.0, RED);
    let first = lod.meshes[0].corners[..3].to_vec();
    let again = [0, 1, 2].map(CornerSpec::Back);
    let more = std::iter::repeat_n(again, usize::from(triangles) - 1).flatten();
    lod.meshes[0].corners = first.into_iter().chain(more).collect();
    lod
}

/// A triangle that fills the picture, many times: the painting limit applies, and the omitted triangles are
/// reported.
#[test]
fn painted_over() {
    let (picture, report) = try_model(ModelSpec::new("thing", vec![stack(21_000)]), 64).unwrap();
    assert_eq!(report.triangles, 21_000);
    // Each covers at least a sixth of the canvas, which is painted over at most 32 times.
    assert!(report.left_out > 20_000, "{}", report.left_out);
    assert_eq!(hue(picture.at(40, 50)), "red");
}

/// A model with so many placements that there are millions of triangles: some are drawn, and the rest is reported.
#[test]
fn multiplied() {
    let references = (0..200_u8).map(|i| ModelRefSpec::new("thing", 0).at([f32::from(i), 0.0, 0.0])).collect();
    let bytes = file(ModelSpec::new("thing", vec![stack(21_000)]), references);
    let (_, report) = world(&bytes, 16).unwrap();
    assert!(report.triangles <= 1 << 20, "{}", report.triangles);
    assert!(report.left_out >= 200 * 21_000 - (1 << 20), "{}", report.left_out);
}

/// Coordinates that are not finite, or too large, do not hide anything else.
#[test]
fn odd_numbers() {
    for odd in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN, 1e30, f32::MIN_POSITIVE, 1e-40] {
        for part in 0..3 {
            let mut lod = cube();
            let normals = lod.normals.len();
            lod.normals.push([odd, 0.0, odd]);
            let start = u16::try_from(lod.vertices.len()).unwrap();
            lod.vertices.extend([[0.5; 3], [0.0; 3], [0.0, 0.5, 0.0]]);
            lod.vertices.last_mut().unwrap()[part] = odd;
            lod.uvs.push([odd, -odd]);
            let normal = u16::try_from(normals).unwrap();
            lod.meshes.push(MeshSpec {
                texture: b"two.gif".to_vec(),
                has_uvs: true,
                ..MeshSpec::colored((0..3).map(|i| corner(start + i, normal, 1)).collect(), RED, "plastic")
            });
            let textures = vec![TextureSpec::new("two.gif", ImageSpec::plain(2, 2, RED))];
            let model = ModelSpec { textures, ..ModelSpec::new("thing", vec![lod]) };
            let (picture, _) = try_model(model, 32).unwrap();
            assert!(picture.filled() > 100, "{odd} {part}");
            assert_eq!(hue(picture.part(0.35, 0.6)), "red", "{odd} {part}");
        }
    }
    // Scales whose product exceeds the range of floats.
    for factor in [1e38, -1e38, 1e-38, 0.0, f32::NAN] {
        let mut node = NodeSpec::new("leaf").scale(0, [factor; 3]);
        let mut roi = RoiSpec::new("leaf", vec![cube()]);
        for i in 0..20 {
            let name = format!("n{i}");
            node = NodeSpec { children: vec![node], ..NodeSpec::new(&name) }.scale(0, [factor; 3]);
            roi = RoiSpec::new(&name, Vec::new()).child(roi);
        }
        match try_model(ModelSpec::of(roi, node), 16) {
            Ok((_, report)) => assert_eq!(report.triangles, 12),
            Err(error) => assert!(matches!(error, Error::Nothing { .. }), "{error}"),
        }
    }
}

/// A thin triangle, a single point, and a triangle across everything.
#[test]
fn slivers() {
    let mut lod = cube();
    let start = u16::try_from(lod.vertices.len()).unwrap();
    lod.vertices.extend([[1.0, 1.0, 1.0], [-1.0, -1.0, 1.000_001], [-1.0, -1.0, 1.0]]);
    for corners in [[0, 1, 2], [0, 0, 0], [0, 1, 1], [2, 1, 0]] {
        let corners = MeshSpec::pack(corners.map(|i| (start + i, 0, 0)));
        lod.meshes.push(MeshSpec { shading: 0, ..MeshSpec::colored(corners, RED, "plastic") });
    }
    let picture = shown(lod, 64);
    assert_eq!(hue(picture.part(0.8, 0.6)), "yellow");
}

/// Models that are missing or have nothing to draw.
#[test]
fn nothing() {
    let is_nothing = |model| matches!(try_model(model, 16), Err(Error::Nothing { .. }));
    assert!(is_nothing(ModelSpec::new("thing", Vec::new())));
    assert!(is_nothing(ModelSpec::new("thing", vec![LodSpec::empty(4)])));
    // Everything is past the maximum distance.
    let mut lod = cube();
    lod.vertices.iter_mut().flatten().for_each(|part| *part += 1e20);
    assert!(is_nothing(ModelSpec::new("thing", vec![lod])));
    let bytes = file(ModelSpec::new("thing", vec![cube()]), Vec::new());
    open(&bytes, |library| {
        let (options, mut out) = (Options::default(), Vec::new());
        let model = preview::model(library, 7, Scope::Blob(7), None, &options, &mut out);
        assert!(matches!(model, Err(Error::Nothing { .. })));
        let part = preview::part(library, LodsAt::Global { part: 7 }, None, &options, &mut out);
        assert!(matches!(part, Err(Error::Nothing { .. })));
        let world = preview::world(library, 7, &library.world_names(7), &options, &mut out);
        assert!(matches!(world, Err(Error::Nothing { .. })));
        assert!(out.is_empty());
    });
}

/// Trees may be as deep as the file says.
#[test]
fn deep_trees() {
    for bytes in [deep_nodes(60_000), deep_rois(60_000)] {
        match world(&bytes, 16) {
            Ok((_, report)) => assert!(report.triangles > 0),
            Err(error) => assert!(matches!(error, Error::Nothing { .. }), "{error}"),
        }
    }
}
