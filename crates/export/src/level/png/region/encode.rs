use std::io::Write;

use crate::Result;
use crate::level::png::colors::{Colors, rgba};
use crate::picture::{self, Ink, Size};

/// Writes a picture: with a palette if it has few colors, which is smaller and as fast.
pub(super) fn write(inks: &[Ink], size: Size, out: &mut dyn Write) -> Result<()> {
    match indexed(inks) {
        Some((palette, indices)) => {
            picture::numbered(out, (size.width, size.height), palette, indices.chunks_exact(size.width as usize))
        }
        None => {
            let bytes: Vec<u8> = inks.iter().flat_map(|&ink| rgba(ink)).collect();
            picture::quick(out, size, &bytes)
        }
    }
}

/// Returns a palette and the index of each pixel, or `None` if there are more than 256 colors.
fn indexed(inks: &[Ink]) -> Option<(Vec<[u8; 4]>, Vec<u8>)> {
    let mut colors = Colors::default();
    let mut indices = Vec::with_capacity(inks.len());
    let mut last = None;
    for &ink in inks {
        let index = match last {
            Some((known, index)) if known == ink => index,
            _ => colors.add(ink)?,
        };
        last = Some((ink, index));
        indices.push(index);
    }
    Some((colors.palette(), indices))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn up_to_256_colors_are_indexed() {
        let inks: Vec<Ink> = (0..300).map(|at| at % 256 * 0x0040_0000).collect();
        let (palette, indices) = indexed(&inks).unwrap();
        let colors: Vec<_> = indices.iter().map(|&index| palette[usize::from(index)]).collect();
        assert_eq!(colors, inks.iter().map(|&ink| rgba(ink)).collect::<Vec<_>>());
        assert_eq!(indexed(&(0..257).collect::<Vec<_>>()), None);
    }
}
