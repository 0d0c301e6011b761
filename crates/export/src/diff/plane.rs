use worldview_wwd::{ImageSetIter, Object, Plane, Tile, TileKind};

use super::level::Purse;
use super::report::Report;
use super::{Options, Side, object};
use crate::place::Short;
use crate::{Encoding, Result};

/// What follows from how the level is stored, and from the parts of the plane.
const STORAGE: &[&str] = &["num_image_sets", "num_objects", "tiles_offset", "image_sets_offset", "objects_offset"];

/// A plane as part of a place.
pub(super) fn name(plane: &Plane<'_>, report: &Report<'_>) -> String {
    format!("plane {}", shown(plane, report.encoding))
}

/// A plane's number and name.
pub(super) fn shown(plane: &Plane<'_>, encoding: Encoding) -> String {
    format!("{} {}", plane.index(), Short(&encoding.decode(plane.name())))
}

pub(super) fn compare(
    left: &Plane<'_>,
    right: &Plane<'_>,
    options: &Options<'_>,
    purse: &mut Purse,
    report: &mut Report<'_>,
) -> Result<()> {
    let place = name(left, report);
    report.within(format_args!("{place}"), |report| {
        report.fields(left.header().fields(), right.header().fields(), true, STORAGE);
        tiles(left, right, options, purse, report)?;
        image_sets(left, right, purse, report)?;
        let (left, right) = (objects(left, purse)?, objects(right, purse)?);
        object::compare(&left, &right, report);
        Ok(())
    })
}

fn tiles(
    left: &Plane<'_>,
    right: &Plane<'_>,
    options: &Options<'_>,
    purse: &mut Purse,
    report: &mut Report<'_>,
) -> Result<()> {
    for plane in [left, right] {
        purse.spend(size_of_val(plane.tiles()) as u64, plane.header().tiles_offset.get().into())?;
    }
    let size = |plane: &Plane<'_>| (plane.columns(), plane.rows().len());
    let told = |plane: &Plane<'_>| (plane.header().tiles_wide, plane.header().tiles_high);
    if told(left) == told(right) && size(left) != size(right) {
        // A grid that is not all there.
        let shown = |(wide, high): (usize, usize)| format!("{wide}x{high}");
        report.value("grid", shown(size(left)), shown(size(right)));
    }
    let mut others = 0_u64;
    let limit = options.cells as u64;
    for (y, (left, right)) in left.rows().zip(right.rows()).enumerate() {
        // Most rows are the same, and whole rows are soon compared.
        if left == right {
            continue;
        }
        for (x, (left, right)) in left.iter().zip(right).enumerate().filter(|(_, (left, right))| left != right) {
            others += 1;
            if others <= limit {
                let (left, right) = (tile(*left), tile(*right));
                report.within(format_args!("tile {x},{y}"), |report| {
                    report.changed("tile", Side::Value(&left), Side::Value(&right));
                });
            }
        }
    }
    if others > limit {
        report.more("tiles", others - limit);
    }
    Ok(())
}

fn tile(tile: Tile) -> String {
    match tile.kind() {
        TileKind::Empty => "empty".into(),
        TileKind::Filled => "filled".into(),
        TileKind::Image { image_set, frame } => format!("{image_set}:{frame}"),
    }
}

fn image_sets(left: &Plane<'_>, right: &Plane<'_>, purse: &mut Purse, report: &mut Report<'_>) -> Result<()> {
    let (mut of_left, mut of_right) = (left.image_sets().iter(), right.image_sets().iter());
    // Not gathered: a name can be one byte, and the list of them many times the file.
    for index in 0_u64.. {
        match (next_name(&mut of_left, left, purse)?, next_name(&mut of_right, right, purse)?) {
            (Some(left), Some(right)) if left == right => {}
            (Some(left), Some(right)) => {
                report.within(format_args!("image set {index}"), |report| report.text("name", left, right));
            }
            (Some(name), None) => {
                let shown = report.shown(name);
                report.removed(format_args!("image set {index}"), Some(&shown));
            }
            (None, Some(name)) => {
                let shown = report.shown(name);
                report.added(format_args!("image set {index}"), Some(&shown));
            }
            (None, None) => break,
        }
    }
    Ok(())
}

fn next_name<'a>(names: &mut ImageSetIter<'a>, plane: &Plane<'a>, purse: &mut Purse) -> Result<Option<&'a [u8]>> {
    let Some(name) = names.next().transpose()? else { return Ok(None) };
    purse.spend(name.len() as u64 + crate::text::NAME, plane.at())?;
    Ok(Some(name))
}

fn objects<'a>(plane: &Plane<'a>, purse: &mut Purse) -> Result<Vec<Object<'a>>> {
    let mut objects = Vec::new();
    for object in plane.objects() {
        let object = object?;
        purse.spend(object.size(), object.at)?;
        objects.push(object);
    }
    Ok(objects)
}
