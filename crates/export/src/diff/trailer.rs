use worldview_wwd::{Guide, TrailerBlock, TrailerContent, Unpacked};

use super::pairs::Pairs;
use super::report::Report;

/// Compares what lies behind the main blocks.
pub(super) fn compare(left: &Unpacked<'_>, right: &Unpacked<'_>, report: &mut Report<'_>) {
    if left.is_packed() && right.is_packed() {
        // In a plain file nobody can tell such bytes from those of the main block that no part has.
        report.within(format_args!("trailing bytes"), |report| report.bytes(behind(left), behind(right)));
    }
    let (left, right) = match (left.trailer(), right.trailer()) {
        (None, None) => return,
        (Some(_), None) => return report.removed(format_args!("trailer"), None),
        (None, Some(_)) => return report.added(format_args!("trailer"), None),
        (Some(left), Some(right)) => (left, right),
    };
    // A block that breaks off is the last, and not there.
    let left: Vec<_> = left.blocks().flatten().collect();
    let right: Vec<_> = right.blocks().flatten().collect();
    let ids = |blocks: &[TrailerBlock<'_>]| blocks.iter().map(|block| block.id).collect::<Vec<_>>();
    let pairs = Pairs::keyed(&ids(&left), &ids(&right));
    report.within(format_args!("trailer"), |report| {
        for pair in pairs.iter() {
            match pair {
                (Some(first), Some(second)) => block(&left[first], &right[second], report),
                (Some(first), None) => report.removed(format_args!("block {first} (id {})", left[first].id), None),
                (None, Some(second)) => report.added(format_args!("block {second} (id {})", right[second].id), None),
                (None, None) => {}
            }
        }
    });
}

/// What lies between the main block and the trailer.
fn behind<'a>(file: &Unpacked<'a>) -> &'a [u8] {
    let trailer = file.trailer().map_or(0, |trailer| trailer.bytes().len());
    &file.trailing()[..file.trailing().len().saturating_sub(trailer)]
}

fn block(left: &TrailerBlock<'_>, right: &TrailerBlock<'_>, report: &mut Report<'_>) {
    match (left.content(), right.content()) {
        // The size of the trailer, which follows from the other blocks.
        (
            Ok(TrailerContent::MetaInfo { .. } | TrailerContent::MetaEndInfo { .. }),
            Ok(TrailerContent::MetaInfo { .. } | TrailerContent::MetaEndInfo { .. }),
        ) => {}
        (Ok(TrailerContent::Header(left)), Ok(TrailerContent::Header(right))) => {
            report.value("wapmap_build", left.wapmap_build, right.wapmap_build);
            report.text("wapmap_version", left.wapmap_version, right.wapmap_version);
            report.value("map_build", left.map_build, right.map_build);
            report.text("map_version", left.map_version, right.map_version);
            report.text("description", left.description, right.description);
        }
        (Ok(TrailerContent::Guides(left)), Ok(TrailerContent::Guides(right))) => guides(left, right, report),
        (Ok(TrailerContent::Favourites(left)), Ok(TrailerContent::Favourites(right))) => {
            favourites(&left.flatten().collect::<Vec<_>>(), &right.flatten().collect::<Vec<_>>(), report);
        }
        _ => report.within(format_args!("block id {}", left.id), |report| report.bytes(left.bytes(), right.bytes())),
    }
}

fn guides(left: &[Guide], right: &[Guide], report: &mut Report<'_>) {
    let key = |guide: &Guide| (guide.orientation.0, guide.position.get());
    let keys = |guides: &[Guide]| guides.iter().map(key).collect::<Vec<_>>();
    // A guide has no name: one that was moved is another.
    for pair in Pairs::keyed(&keys(left), &keys(right)).iter() {
        let shown = |guide: &Guide| format!("orientation {} position {}", guide.orientation.0, guide.position);
        match pair {
            (Some(first), None) => report.removed(format_args!("guide {first}"), Some(&shown(&left[first]))),
            (None, Some(second)) => report.added(format_args!("guide {second}"), Some(&shown(&right[second]))),
            _ => {}
        }
    }
}

/// Name, x and y.
type Favourite<'a> = (&'a [u8], u32, u32);

fn favourites(left: &[Favourite<'_>], right: &[Favourite<'_>], report: &mut Report<'_>) {
    let mut pairs = Pairs::new(left.len(), right.len());
    pairs.by(|index| Some(left[index].0), |index| Some(right[index].0));
    for pair in pairs.iter() {
        let place =
            |index: usize, name: &[u8], report: &Report<'_>| format!("favourite {index} {}", report.short(name));
        match pair {
            (Some(first), Some(second)) => {
                let ((name, x, y), (_, other_x, other_y)) = (left[first], right[second]);
                let place = place(first, name, report);
                report.within(format_args!("{place}"), |report| {
                    report.value("x", x, other_x);
                    report.value("y", y, other_y);
                });
            }
            (Some(first), None) => report.removed(format_args!("{}", place(first, left[first].0, report)), None),
            (None, Some(second)) => report.added(format_args!("{}", place(second, right[second].0, report)), None),
            (None, None) => {}
        }
    }
}
