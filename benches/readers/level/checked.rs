use worldview_core::zerocopy::little_endian::U32;
use worldview_core::{OffsetBase, Result, Source};

use crate::readers::Digest;

pub(super) fn digest(bytes: &[u8]) -> Digest {
    Ok(level(Source::new(bytes, OffsetBase::Image))?)
}

/// Reads one word with a bounds check.
fn word(image: Source<'_>, at: u64) -> Result<u32> {
    Ok(image.view::<U32>(at, "word")?.get())
}

/// Sums `count` words starting at `at`.
fn words(image: Source<'_>, at: u64, count: u64) -> Result<u32> {
    let mut sum = 0_u32;
    for i in 0..count {
        sum = sum.wrapping_add(word(image, at + 4 * i)?);
    }
    Ok(sum)
}

fn level(image: Source<'_>) -> Result<u32> {
    let mut sum = 0_u32;
    let start = u64::from(word(image, 736)?);
    for i in 0..u64::from(word(image, 732)?) {
        sum = sum.wrapping_add(plane(image, start + 160 * i)?);
    }
    let table = word(image, 740)?;
    if table != 0 {
        sum = sum.wrapping_add(attributes(image, table.into())?);
    }
    Ok(sum)
}

fn plane(image: Source<'_>, header: u64) -> Result<u32> {
    let (columns, rows) = (word(image, header + 96)?, word(image, header + 100)?);
    let mut sum = words(image, word(image, header + 132)?.into(), u64::from(columns) * u64::from(rows))?;
    let mut at = u64::from(word(image, header + 140)?);
    let count = if at == 0 { 0 } else { word(image, header + 128)? };
    for _ in 0..count {
        sum = sum.wrapping_add(words(image, at, 71)?);
        let mut size = 284;
        for length in 1..5 {
            size += u64::from(word(image, at + 4 * length)?);
        }
        at += size;
    }
    Ok(sum)
}

fn attributes(image: Source<'_>, table: u64) -> Result<u32> {
    let mut sum = 0_u32;
    let mut at = table + 32;
    for _ in 0..word(image, table + 8)? {
        let (count, pixels) = match word(image, at)? {
            1 => (5, 0),
            2 => (10, 0),
            _ => (4, u64::from(word(image, at + 8)?) * u64::from(word(image, at + 12)?)),
        };
        sum = sum.wrapping_add(words(image, at, count)?);
        at += 4 * count;
        for i in 0..pixels {
            sum = sum.wrapping_add((*image.view::<u8>(at + i, "pixel")?).into());
        }
        at += pixels;
    }
    Ok(sum)
}
