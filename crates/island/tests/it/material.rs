//! Materials of meshes, compared with values from the format notes.

use crate::support::with_lod;
use worldview_corpus::island::spec::{LodSpec, MeshSpec};
use worldview_island::{ALIASES, Lod, Material, Name, Shading, color_of};

const WHITE: [u8; 3] = [255, 255, 255];
const MAGENTA: [u8; 3] = [255, 0, 255];
const RED: [u8; 3] = [0xCB, 0x12, 0x20];

/// Calls `look` with a level that has these meshes.
fn look<R>(meshes: Vec<MeshSpec>, look: impl FnOnce(Lod<'_>) -> R) -> R {
    with_lod(LodSpec { meshes, ..LodSpec::default() }, look)
}

/// Calls `look_at` with the material of a mesh on an object.
fn on<R>(mesh: &MeshSpec, object: &[u8], look_at: impl FnOnce(Material<'_>) -> R) -> R {
    look(vec![mesh.clone()], |lod| look_at(lod.meshes.iter().next().unwrap().material(Name::new(object))))
}

fn color(mesh: &MeshSpec, object: &[u8]) -> ([u8; 3], f32) {
    on(mesh, object, |material| {
        assert_eq!(material.texture, None);
        (material.color, material.opacity)
    })
}

fn texture(mesh: &MeshSpec, object: &[u8]) -> Vec<u8> {
    on(mesh, object, |material| {
        assert_eq!((material.color, material.opacity), (WHITE, 1.0));
        material.texture.unwrap().to_vec()
    })
}

fn plain(material: &[u8]) -> MeshSpec {
    MeshSpec { color: [1, 2, 3], alpha: 0.6, material: material.into(), ..MeshSpec::default() }
}

#[test]
fn colors_by_name() {
    assert_eq!(color_of(b"lego red"), Some(RED));
    assert_eq!(color_of(b"Lego RED Flat"), Some(RED));
    assert_eq!(color_of(b"LEGO LT GREY FLA"), Some([0x82; 3]));
    assert_eq!(color_of(b"Lego drk GREY"), Some([0x40; 3]));
    assert_eq!(color_of(b"lego yellow flat"), Some([255, 185, 0]));
    for unknown in [&b""[..], b"lego", b"lego red ", b" lego red", b"lego red fla", b"lego red\0"] {
        assert_eq!(color_of(unknown), None);
    }
    assert!(ALIASES.iter().all(|(name, color)| color_of(name.as_bytes()) == Some(*color)));
    assert!(ALIASES.iter().all(|(name, _)| *name == name.to_ascii_lowercase()));
}

#[test]
fn a_mesh_has_its_own_color_or_that_of_its_material() {
    assert_eq!(color(&plain(b"lego red"), b""), ([1, 2, 3], 0.6));
    // 0, negative values and NaN are opaque.
    for (alpha, opacity) in
        [(0.0, 1.0), (-0.0, 1.0), (-1.0, 1.0), (f32::NAN, 1.0), (1.0, 1.0), (2.5, 2.5), (1e-9, 1e-9)]
    {
        assert_eq!(color(&MeshSpec { alpha, ..plain(b"x") }, b""), ([1, 2, 3], opacity), "{alpha}");
    }
    // By the name of the material, and then opaque.
    let alias = |material: &[u8]| color(&MeshSpec { alias: 9, ..plain(material) }, b"");
    assert_eq!(alias(b"LEGO Red"), (RED, 1.0));
    assert_eq!(alias(b"lego red\0blue"), (RED, 1.0));
    assert_eq!(alias(b"somebody's"), (MAGENTA, 1.0));
    assert_eq!(alias(b""), (MAGENTA, 1.0));
}

#[test]
fn textures_are_on_white() {
    let textured = |name: &[u8]| MeshSpec { texture: name.into(), alias: 1, ..plain(b"lego red") };
    assert_eq!(texture(&textured(b"Moss.GIF"), b""), b"Moss.GIF");
    assert_eq!(texture(&textured(b"moss\0junk"), b""), b"moss");
    // The count is not 0, so the name is present, even if its text is empty.
    assert_eq!(texture(&textured(b"\0"), b""), b"");
}

#[test]
fn inherited_from_the_object() {
    let untextured = plain(b"INHerit");
    assert_eq!(color(&untextured, b""), ([1, 2, 3], 0.6));
    assert_eq!(color(&untextured, b"Lego Red"), (RED, 1.0));
    assert_eq!(color(&untextured, b"pink"), (MAGENTA, 1.0));
    // A name that is present but empty is unknown, too.
    assert_eq!(color(&untextured, b"\0"), (MAGENTA, 1.0));
    // The mesh has no coordinates for a texture.
    assert_eq!(color(&untextured, b"T_moss.gif"), (WHITE, 1.0));
    assert_eq!(color(&MeshSpec { alias: 1, ..untextured.clone() }, b"lego red"), (RED, 1.0));
    assert_eq!(color(&MeshSpec { alias: 1, ..untextured }, b""), (MAGENTA, 1.0));

    // Either name is enough.
    for (name, material) in [(&b"inh.gif"[..], &b"x"[..]), (b"x.gif", b"inh"), (b"Inh", b"iNH")] {
        let textured = MeshSpec { texture: name.into(), ..plain(material) };
        assert_eq!(texture(&textured, b""), name);
        assert_eq!(texture(&textured, b"t_Moss.gif"), b"Moss.gif");
        assert_eq!(texture(&textured, b"T_moss\0junk"), b"moss");
        assert_eq!(texture(&textured, b"t_"), b"");
        assert_eq!(texture(&textured, b"lego red"), name);
        assert_eq!(texture(&textured, b"t"), name);
    }
    // Without the prefix, nothing is inherited.
    for own in [&b""[..], b"in", b"in\0h", b" inh", b"xinh"] {
        assert_eq!(color(&plain(own), b"lego red"), ([1, 2, 3], 0.6));
        assert_eq!(texture(&MeshSpec { texture: b"x.gif".to_vec(), ..plain(own) }, b"t_moss.gif"), b"x.gif");
    }
}

#[test]
fn shading_and_shine_are_those_of_the_mesh() {
    let shading = |shading| on(&MeshSpec { shading, ..plain(b"x") }, b"", |material| material.shading);
    assert_eq!(
        [0, 1, 2, 3, 255].map(shading),
        [Shading::Flat, Shading::Smooth, Shading::Wireframe, Shading::Smooth, Shading::Smooth]
    );
    let shines = |specular| on(&MeshSpec { specular, ..plain(b"x") }, b"", |material| material.shines);
    assert_eq!([0, 1, 255].map(shines), [false, true, true]);
    // The object has no influence on either.
    on(&MeshSpec { shading: 2, specular: 1, ..plain(b"inh") }, b"lego red", |material| {
        assert_eq!((material.shading, material.shines), (Shading::Wireframe, true));
    });
}

#[test]
fn meshes_with_inherited_colors_are_drawn_last_and_in_reverse() {
    let order = |names: &[&[u8]]| look(names.iter().map(|name| plain(name)).collect(), |lod| lod.draw_order());
    assert_eq!(order(&[b"a", b"b", b"c"]), [0, 1, 2]);
    assert_eq!(order(&[b"inh", b"a", b"INHx", b"b", b"inh"]), [1, 3, 4, 2, 0]);
    assert_eq!(order(&[b"inh", b"inh"]), [1, 0]);
    assert_eq!(order(&[]), [0_usize; 0]);
}
