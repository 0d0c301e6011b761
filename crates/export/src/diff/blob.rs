use worldview_island::{Content, Error, Image, Key, Parts, Textures};

use super::pairs::Pairs;
use super::report::Report;
use super::{mesh, named, trees};
use crate::Result;

/// Compares what two blobs hold.
pub(super) fn compare(left: &Content<'_>, right: &Content<'_>, report: &mut Report<'_>) -> Result<()> {
    match (left, right) {
        (Content::Parts(left), Content::Parts(right)) => parts(left, right, report),
        (Content::Model(left), Content::Model(right)) => trees::model(left, right, report),
        // References of one list are never compared with those of the other.
        _ => Ok(()),
    }
}

/// Compares what did not open, of which the errors are all there is.
pub(super) fn unopened(left: Option<&Error>, right: Option<&Error>, report: &mut Report<'_>) -> Result<()> {
    // Where something lies is no difference.
    let shown = |error: Option<&Error>| {
        error.map_or_else(|| "whole".into(), |error| format!("broken: {}: {}", error.what, error.kind))
    };
    report.value("content", shown(left), shown(right));
    Ok(())
}

/// Compares parts and their textures.
pub(super) fn parts(left: &Parts<'_>, right: &Parts<'_>, report: &mut Report<'_>) -> Result<()> {
    let (of_left, of_right): (Vec<_>, Vec<_>) = (left.iter().collect(), right.iter().collect());
    let left_names: Vec<_> = of_left.iter().map(|part| part.name).collect();
    let right_names: Vec<_> = of_right.iter().map(|part| part.name).collect();
    named::compare("part", &left_names, &right_names, report, &mut |first, second, report| {
        mesh::lods(of_left[first].lods, of_right[second].lods, report);
        Ok(())
    })?;
    textures(&left.textures, &right.textures, report)
}

/// Compares textures, by the names that meshes ask for.
pub(super) fn textures(left: &Textures<'_>, right: &Textures<'_>, report: &mut Report<'_>) -> Result<()> {
    let (left, right): (Vec<_>, Vec<_>) = (left.iter().collect(), right.iter().collect());
    let mut pairs = Pairs::new(left.len(), right.len());
    pairs.by(|index| Some(Key(left[index].real_name())), |index| Some(Key(right[index].real_name())));
    let left_names: Vec<_> = left.iter().map(|texture| texture.name).collect();
    let right_names: Vec<_> = right.iter().map(|texture| texture.name).collect();
    named::matched("texture", (&left_names, &right_names), &pairs, report, &mut |first, second, report| {
        let (first, second) = (&left[first], &right[second]);
        match (first.second, second.second) {
            (None, None) => image(first.image, second.image, report),
            (Some(high), Some(other)) => {
                report.within(format_args!("low quality"), |report| image(first.image, second.image, report));
                report.within(format_args!("high quality"), |report| image(high, other, report));
            }
            // The name says it, and what is shown is the one of high quality.
            _ => image(first.high(), second.high(), report),
        }
        Ok(())
    })
}

fn image(left: Image<'_>, right: Image<'_>, report: &mut Report<'_>) {
    let size = |image: Image<'_>| format!("{}x{}", image.width, image.height);
    report.value("size", size(left), size(right));
    report.value("colors", left.palette.len(), right.palette.len());
    report.elements("palette", (left.palette, right.palette), PartialEq::eq, |index, color| {
        format!("#{} at {index}", crate::hex(&color.get()))
    });
    if left.width == right.width {
        let width = usize::try_from(left.width).unwrap_or(usize::MAX).max(1);
        let show = |index, pixel: &u8| format!("{pixel} at {},{}", index % width, index / width);
        report.elements("pixels", (left.pixels, right.pixels), PartialEq::eq, show);
    }
}
