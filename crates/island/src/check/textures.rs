use std::collections::HashMap;

use worldview_core::Place;

use super::Checker;
use crate::finding::FindingKind;
use crate::name::NameKey;
use crate::texture::{Image, Texture, Textures};

/// Checks a list of textures and their images. The lists of a file have to come in the order in which the game loads them.
pub(super) fn check<'a>(textures: Textures<'a>, place: Place<'a>, checker: &mut Checker<'_, 'a>) {
    let mut seen = HashMap::new();
    for (number, (index, texture)) in (0_u32..).zip(textures.iter()).enumerate() {
        let place = place.with("texture", Some(index), texture.name.text());
        checker.blob_name(texture.name, "its name", texture.at, place);
        let first = *seen.entry(NameKey(texture.real_name())).or_insert(number);
        if first != number {
            checker.report(FindingKind::TextureDuplicate { first }, texture.at, place);
        }
        let first = *checker.textures.entry(NameKey(texture.real_name())).or_insert(texture);
        if let Some(kind) = other_size(&texture, &first, textures.has_pairs()) {
            checker.report(kind, texture.image.at, place);
        }
        image(texture.image, place, checker);
        if let Some(second) = texture.second {
            image(second, place, checker);
        }
    }
}

/// Returns the finding that the first texture of the same name has no image of the same size.
fn other_size(texture: &Texture<'_>, first: &Texture<'_>, is_of_blob: bool) -> Option<FindingKind> {
    let sizes = |texture: &Texture<'_>| [texture.low(), texture.high()].map(|image| (image.width, image.height));
    let (ours, theirs) = (sizes(texture), sizes(first));
    let [(width, height), _] = ours;
    let [(first_width, first_height), _] = theirs;
    if ours.iter().any(|size| theirs.contains(size)) {
        return None;
    }
    // Only `.tex` files and the global list replace the pixels of a texture that is there; the lists of blobs leave it as it is.
    Some(match is_of_blob {
        true => FindingKind::TextureOtherSize { width, height, first_width, first_height },
        false => FindingKind::TextureSize { width, height, first_width, first_height },
    })
}

fn image<'a>(image: Image<'a>, place: Place<'a>, checker: &mut Checker<'_, 'a>) {
    let Image { at, width, height, palette, pixels } = image;
    if pixels.is_empty() {
        return checker.report(FindingKind::ImageEmpty, at, place);
    }
    if !width.is_power_of_two() || !height.is_power_of_two() {
        checker.report(FindingKind::ImageSize { width, height }, at, place);
    }
    let colors = palette.len();
    // Look at the maximum first: it almost always shows that all pixels are valid.
    if pixels.iter().max().is_some_and(|&pixel| usize::from(pixel) >= colors) {
        let pixels = pixels.iter().filter(|&&pixel| usize::from(pixel) >= colors).count() as u64;
        checker.report(FindingKind::PixelNoColor { pixels, colors }, at, place);
    }
}
