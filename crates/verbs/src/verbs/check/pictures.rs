//! Resources that a level needs and its game lacks: image sets, frames, sounds, and pictures of the right size.

use std::collections::BTreeMap;

use worldview::Severity;
use worldview::wwd::{Level, Plane};
use worldview_edit::order;
use worldview_export::level::game::{LevelPictures, PictureReport, PictureUse, SetReport, SizeReport, Uses};

use super::{FileReport, FindingReport};
use crate::table::{counted, numbers};

/// Adds what a level lacks in its game to its report.
pub(super) fn check(
    pictures: &LevelPictures<'_>,
    [sounds, logics]: [&BTreeMap<Vec<u8>, Uses>; 2],
    level: &Level<'_>,
    min: Severity,
    text: &dyn Fn(&[u8]) -> String,
    report: &mut FileReport,
) -> worldview_export::Result<()> {
    let found: PictureReport = pictures.resolve(level)?;
    let mut add = |severity: Severity, code: &'static str, first: Option<PictureUse>, message: String| {
        let (part, place, offset) = first.map_or_else(Default::default, |first| locate(level, first, text));
        let space = level.image().space().name();
        report.add(min, FindingReport { severity, code, part, place, offset, space, message });
    };
    for (name, set) in &found.sets {
        let SetReport { is_known, frames, .. } = set;
        let first = frames.values().map(|uses| uses.first).next();
        let (mut tiles, mut objects) = (0, 0);
        for uses in frames.values() {
            (tiles, objects) = (tiles + uses.tiles, objects + uses.objects);
        }
        let (name, used) = (text(name), used(tiles, objects));
        let (code, message) = match is_known {
            true => ("frame-missing", format!("the game has no frame {} of {name} ({used})", numbers(frames.keys()))),
            false => ("image-set-missing", format!("the game has no image set {name} ({used})")),
        };
        add(Severity::Suspicious, code, first, message);
    }
    for (key, Uses { objects, first, .. }) in sounds {
        let objects = counted(*objects, "object");
        let message = format!("the game has no sound or animation {} ({objects} without it)", text(key));
        add(Severity::Curious, "sound-missing", Some(*first), message);
    }
    for (name, Uses { objects, first, .. }) in logics {
        let (path, objects) = (text(name).replace(':', "/"), counted(*objects, "object"));
        let message =
            format!("the level's folder has no LOGICS/{path}.lua, the script of a CustomLogic ({objects} without it)");
        add(Severity::Suspicious, "logic-missing", Some(*first), message);
    }
    for (name, frames) in &found.sizes {
        for (frame, SizeReport { found, expected, uses, .. }) in frames {
            let Uses { tiles, first, .. } = *uses;
            let message = format!(
                "frame {frame} of {} has {} x {} pixels, and the tiles {} x {} ({})",
                text(name),
                found.0,
                found.1,
                expected.0,
                expected.1,
                counted(tiles, "cell")
            );
            add(Severity::Curious, "picture-size", Some(first), message);
        }
    }
    for path in &found.lights {
        let why = "is a picture of light, which has strengths instead of colors; worldview does not draw it";
        add(Severity::Curious, "picture-light", None, format!("{path}: {why}"));
    }
    for (path, why) in &found.broken {
        add(Severity::Fatal, "picture-broken", None, format!("{path}: {why}"));
    }
    Ok(())
}

fn used(tiles: u64, objects: u64) -> String {
    let counts = [(tiles, "cell"), (objects, "object")].into_iter().filter(|(count, _)| *count > 0);
    let counts: Vec<_> = counts.map(|(count, what)| counted(count, what)).collect();
    format!("{} without it", counts.join(" and "))
}

/// Returns the part, the path and the offset of a place where a picture is used.
fn locate(level: &Level<'_>, first: PictureUse, text: &dyn Fn(&[u8]) -> String) -> (String, String, u64) {
    let index = match first {
        PictureUse::Tile { plane, .. } | PictureUse::Object { plane, .. } => plane,
    };
    let Some(plane) = level.planes().get(index) else { return Default::default() };
    let mut path = worldview::Path::new();
    let names: Vec<_> = level.planes().iter().map(Plane::name).collect();
    path.push("plane", plane.name(), order::numbers(&names).get(index).copied().flatten());
    let part = format!("plane {index} \"{}\"", text(plane.name()));
    match first {
        PictureUse::Tile { column, row, .. } => {
            (format!("{part}, tile {column},{row}"), format!("{path}/tile:{column},{row}"), plane.offset())
        }
        PictureUse::Object { index, .. } => {
            let mut offset = plane.offset();
            if let Some(Ok((key, object))) = plane.objects().with_keys().nth(index) {
                path.push("object", key.id.to_string().as_bytes(), key.nth);
                offset = object.at;
            }
            (format!("{part}, object {index}"), path.to_string(), offset)
        }
    }
}
