//! Texture files: a list of textures on its own.

use worldview_corpus::island::naive::{self, NaiveImage, Place};
use worldview_island::{TextureFile, check_textures};

use super::same;
use crate::{Verdict, equal, inside};

/// Reads a `.tex` file with both readers.
pub fn textures_agree(bytes: &[u8]) -> Result<Verdict, String> {
    let naive = naive::textures(bytes, Place::whole(bytes));
    let end = naive.as_ref().map_or(0, |textures| textures.last().map_or(4, |last| end(&last.image)));
    let is_exact = naive.is_ok() && bytes.len() as u64 <= end + 1;
    let strict = TextureFile::parse(bytes);
    equal("a .tex file is one", &strict.is_ok(), &is_exact)?;
    let mut findings = 0;
    if let Err(error) = strict {
        inside(bytes, error.at, error)?;
    }
    let mut outside = Ok(());
    let lossy = TextureFile::parse_lossy(bytes, &mut |finding| {
        findings += 1;
        outside = outside.clone().and(inside(bytes, finding.at, finding));
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
    check_textures(&file, &mut |finding| outside = outside.clone().and(inside(bytes, finding.at, finding)));
    outside?;
    // What is read of a broken list is the same list with a smaller count.
    let count = u32::try_from(file.textures().len()).unwrap_or(u32::MAX);
    let mut cut = bytes.to_vec();
    cut[..4].copy_from_slice(&count.to_le_bytes());
    let kept = naive::textures(&cut, Place::whole(&cut)).map_err(|error| format!("{error:?}"))?;
    same::textures(file.textures(), &kept)?;
    Ok(if naive.is_ok() { Verdict::Same } else { Verdict::Refused })
}

fn end(image: &NaiveImage) -> u64 {
    image.at + 12 + 3 * image.palette.len() as u64 + image.pixels.len() as u64
}
