//! The reader of `tests/corpus`, which favors obviousness over speed.
use worldview_corpus::wwd::naive::{Fields, NaiveImage, NaiveLevel, NaiveValue, read, read_image};

use crate::readers::{Digest, Sum as _, bytes};

/// Returns the digest of an image.
pub fn digest(bytes: &[u8]) -> Digest {
    Ok(sum(&read_image(bytes)?))
}

/// Returns the digest of a file, which is unpacked first if necessary.
pub fn of_file(bytes: &[u8]) -> Digest {
    let NaiveLevel { header, planes, attribute_table, .. } = read(bytes)?;
    Ok(sum(&NaiveImage { header, planes, attribute_table }))
}

fn sum(level: &NaiveImage) -> u32 {
    let mut sum = 0_u32;
    for plane in &level.planes {
        sum = sum.wrapping_add(plane.tiles.sum());
        for object in &plane.objects {
            sum = sum.wrapping_add(words(&object.fields));
        }
    }
    for attribute in level.attribute_table.iter().flat_map(|table| &table.records) {
        sum = sum.wrapping_add(words(&attribute.fields)).wrapping_add(bytes(&attribute.mask));
    }
    sum
}

fn words(fields: &Fields) -> u32 {
    fields.iter().fold(0, |sum, (_, value)| match value {
        // The word is the low half, whether the number is signed or not.
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "only the low half counts")]
        NaiveValue::Int(value) => sum.wrapping_add(*value as u32),
        NaiveValue::Rect(sides) => sides.iter().fold(sum, |sum, side| sum.wrapping_add(side.cast_unsigned())),
        NaiveValue::Text(_) => sum,
    })
}
