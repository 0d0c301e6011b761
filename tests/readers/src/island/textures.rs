//! Texture files: a list of textures on its own.

use worldview_corpus::island::naive::{self, NaiveImage, NaiveTexture, Place};
use worldview_island::{Image, Texture, TextureFile, check_textures};

use crate::{Verdict, equal};

/// Reads a `.tex` file with both readers.
///
/// # Errors
///
/// Returns an error that says where they differ, or which error or finding lies outside the file.
pub fn textures_agree(bytes: &[u8]) -> Result<Verdict, String> {
    let naive = naive::textures(bytes, Place::whole(bytes));
    let end = naive.as_ref().map_or(0, |textures| textures.last().map_or(4, |last| end(&last.image)));
    let is_exact = naive.is_ok() && bytes.len() as u64 <= end + 1;
    let strict = TextureFile::parse(bytes);
    equal("a .tex file is one", &strict.is_ok(), &is_exact)?;
    let mut findings = 0;
    let inside = |at: u64| if at <= bytes.len() as u64 { Ok(()) } else { Err(format!("{at} is outside the file")) };
    if let Err(error) = strict {
        inside(error.at)?;
    }
    let mut outside = Ok(());
    let lossy = TextureFile::parse_lossy(bytes, &mut |finding| {
        findings += 1;
        outside = outside.clone().and(inside(finding.at));
    });
    outside?;
    let Ok(file) = lossy else {
        return if naive.is_err() {
            Ok(Verdict::Refused)
        } else {
            Err("lossy reading refuses what the naive reader reads".into())
        };
    };
    equal("whole lists without findings", &(findings == 0), &naive.is_ok())?;
    let mut outside = Ok(());
    check_textures(&file, &mut |finding| outside = outside.clone().and(inside(finding.at)));
    outside?;
    // What is read of a broken list is the same list with a smaller count.
    let count = u32::try_from(file.textures().len()).unwrap_or(u32::MAX);
    let mut cut = bytes.to_vec();
    cut[..4].copy_from_slice(&count.to_le_bytes());
    let kept = naive::textures(&cut, Place::whole(&cut)).map_err(|error| format!("{error:?}"))?;
    equal("number of textures", &file.textures().len(), &kept.len())?;
    for (texture, naive) in file.textures().iter().zip(&kept) {
        same(&texture, naive)?;
    }
    Ok(if naive.is_ok() { Verdict::Same } else { Verdict::Refused })
}

fn end(image: &NaiveImage) -> u64 {
    image.at + 12 + 3 * image.palette.len() as u64 + image.pixels.len() as u64
}

fn same(texture: &Texture<'_>, naive: &NaiveTexture) -> Result<(), String> {
    equal("name", texture.name.counted(), &naive.name.0[..])?;
    equal("text", texture.real_name(), &naive.name.text()[..])?;
    equal("pairs", &texture.second.is_some(), &naive.second.is_some())?;
    let Image { at, width, height, palette, pixels, .. } = texture.image;
    let palette: Vec<_> = palette.iter().map(|color| color.get()).collect();
    equal("image", &(at, width, height), &(naive.image.at, naive.image.width, naive.image.height))?;
    equal("palette", &palette, &naive.image.palette)?;
    equal("pixels", pixels, &naive.image.pixels[..])
}
