use std::collections::HashMap;

use worldview_core::Place;

use super::Checker;
use crate::finding::FindingKind;
use crate::name::NameKey;
use crate::texture::{Image, Textures};

/// Checks a list of textures and their images.
pub(super) fn check<'a>(textures: Textures<'a>, place: Place<'a>, checker: &mut Checker<'_, 'a>) {
    let mut seen = HashMap::new();
    for (number, (index, texture)) in (0_u32..).zip(textures.iter()).enumerate() {
        let place = place.with("texture", Some(index), texture.name.text());
        checker.blob_name(texture.name, "its name", texture.at, place);
        let first = *seen.entry(NameKey(texture.real_name())).or_insert(number);
        if first != number {
            checker.report(FindingKind::TextureDuplicate { first }, texture.at, place);
        }
        image(texture.image, place, checker);
        if let Some(second) = texture.second {
            image(second, place, checker);
        }
    }
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
