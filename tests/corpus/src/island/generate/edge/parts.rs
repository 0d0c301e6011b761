//! Images, texture lists, and parts.

use super::{Cases, base, image, lod, model, padded};
use crate::island::build::build;
use crate::island::spec::{ImageSpec, LodSpec, PartSpec, PartsSpec, TextureSpec};

fn of(parts: Vec<PartSpec>) -> PartsSpec {
    PartsSpec { parts, ..PartsSpec::default() }
}

pub(super) fn images(cases: &mut Cases) {
    let mut images = |name: &str, image: ImageSpec| {
        let mut spec = base();
        spec.textures.push(TextureSpec::new("odd.gif", image.clone()));
        cases.database(&format!("{name} among the global textures"), &spec);
        cases.model(&format!("{name} in a model"), model().texture(TextureSpec::new("odd.gif", image)));
    };
    let gray = |count: usize| (0..count).map(|i| [i.to_le_bytes()[0]; 3]).collect::<Vec<_>>();
    images("an image without colors", ImageSpec { palette: Vec::new(), ..image() });
    images("an image of 256 colors", ImageSpec { palette: gray(256), ..image() });
    images("an image of 257 colors", ImageSpec { palette: gray(257), ..image() });
    images("an image of no width", ImageSpec { width: 0, height: 9, palette: gray(2), pixels: Vec::new() });
    images("an image of no size", ImageSpec::default());
    images("an image that is no square", ImageSpec::drawn(16, 3, gray(4), |x, y| (x + y).to_le_bytes()[0] % 4));
    images("an image with indices that have no color", ImageSpec::drawn(4, 4, gray(2), |x, _| x.to_le_bytes()[0]));
    images("an image that lacks a row", ImageSpec { height: 3, ..image() });
    let largest = ImageSpec { width: u32::MAX, height: u32::MAX, ..image() };
    images("an image of the largest size", largest);
    images("an image whose size is 0 in 32 bits", ImageSpec { width: 0x1_0000, height: 0x1_0000, ..image() });
    pairs(cases);
}

fn pairs(cases: &mut Cases) {
    let small = || ImageSpec::plain(1, 1, [1, 2, 3]);
    let pair = || TextureSpec::pair("Pair.GIF", small(), image());
    let mut spec = model().texture(pair());
    cases.model("a pair of images in a model", spec.clone());
    let with =
        |texture: TextureSpec| PartsSpec { textures: vec![texture], ..of(vec![PartSpec::new("leg", vec![lod()])]) };
    cases.parts("a pair of images in parts", with(pair()));
    let mut global = base();
    global.textures.push(TextureSpec { second: None, ..pair() });
    cases.database("a global texture that is no pair for all its name", &global);
    global.textures[1] = pair();
    cases.database("a pair of images among the global textures", &global);
    let mut parts = base();
    parts.parts.textures.push(pair());
    cases.database("a pair of images in the global parts", &parts);
    cases.parts("a pair that lacks its second image", with(TextureSpec { second: None, ..pair() }));
    cases.parts("a second image without a caret", with(TextureSpec { name: b"plain.gif".to_vec(), ..pair() }));
    cases.parts("a pair of no name", with(TextureSpec { name: b"^".to_vec(), ..pair() }));
    cases.parts("a pair of two carets", with(TextureSpec { name: b"^^x".to_vec(), ..pair() }));
    cases.parts("a texture of no name", with(TextureSpec { name: Vec::new(), ..TextureSpec::new("", small()) }));
    cases.parts("a NUL before a caret", with(TextureSpec { name: b"\0^x".to_vec(), second: None, image: image() }));
    let nul = TextureSpec { name: b"Brick.gif\0and what was there before".to_vec(), ..TextureSpec::new("", image()) };
    spec.textures = vec![nul, TextureSpec::new("BRICK.GIF", small())];
    cases.model("a texture with a NUL and one of the same name", spec.clone());
    spec.skip_textures = 1;
    cases.model("textures that are skipped", spec.clone());
    spec.skip_textures = 0xFFFF_FF00;
    cases.model("textures that are skipped by another value", spec);
}

pub(super) fn parts(cases: &mut Cases) {
    let part = |name: &str, lods: Vec<LodSpec>| PartSpec::new(name, lods);
    cases.parts("no parts", PartsSpec::default());
    cases.parts("a part without levels", of(vec![part("leg", Vec::new()), part("arm", vec![lod()])]));
    cases.parts("parts of one name", of(vec![part("LEG", vec![lod()]), part("leg", vec![lod(), lod()])]));
    cases.parts("a part of no name", of(vec![part("", vec![lod()])]));
    cases.parts(
        "bytes before the end of a part",
        of(vec![PartSpec { before_end: vec![9; 7], ..part("leg", vec![lod()]) }]),
    );
    let hollow = PartSpec { before_end: vec![9; 5], ..part("leg", Vec::new()) };
    cases.parts("bytes before the end of a part without levels", of(vec![hollow, part("arm", vec![lod()])]));
    let gaps = PartsSpec { before_textures: vec![5; 9], trailing: vec![6; 3], ..of(vec![part("leg", vec![lod()])]) };
    cases.parts("bytes around the textures of parts", gaps);
    // The zeros at the end can be read as an empty texture list, so an offset may point to them.
    let padded = padded();
    let built = build(&padded);
    let length = u32::try_from(built.at("blob[1]").unwrap_or(0) - built.at("blob[0]").unwrap_or(0)).unwrap_or(0);
    let end = built.read_u32_le("blob[0].part[0].end_offset").unwrap_or(0);
    // Offset of the end of the first part's name; the three words before its levels follow from
    // there.
    let levels = 8 + 4 + 3 + 8;
    for (name, label, value) in [
        ("a part with a level too few", "part[0].lod_count", 0),
        ("a part that ends at its levels", "part[0].end_offset", levels),
        ("a part that ends before its levels", "part[0].end_offset", levels - 1),
        ("a part that ends at 0", "part[0].end_offset", 0),
        ("a part that ends inside its levels", "part[0].end_offset", end - 1),
        ("a part that ends at the end of the blob", "part[0].end_offset", length),
        ("a part that ends behind the blob", "part[0].end_offset", length + 1),
        ("textures of parts at 8", "texture_offset", 8),
        ("textures of parts at 7", "texture_offset", 7),
        ("textures of parts at the last word", "texture_offset", length - 4),
        ("textures of parts behind the last word", "texture_offset", length - 3),
    ] {
        cases.patched(name, &padded, &[(&format!("blob[0].{label}"), value)]);
    }
}
