use worldview_core::{Budget, Space};
use worldview_wwd::{Attribute, Attributes, Level, Plane, Unpacked};

use super::pairs::Pairs;
use super::report::Report;
use super::{Options, plane, trailer};
use crate::Result;

/// What follows from how the level is stored.
const STORAGE: &[&str] =
    &["num_planes", "planes_offset", "tile_attribs_offset", "main_block_length", "checksum", "header_size"];

/// How far the walk over both files may still go; their parts may overlap.
pub(super) struct Purse {
    budget: Budget,
    space: Space,
}

impl Purse {
    pub(super) fn spend(&mut self, bytes: u64, at: u64) -> Result<()> {
        Ok(self.budget.spend(bytes, at, self.space)?)
    }
}

pub(super) fn compare(
    left: (&Unpacked<'_>, &Level<'_>),
    right: (&Unpacked<'_>, &Level<'_>),
    options: &Options<'_>,
    report: &mut Report<'_>,
) -> Result<()> {
    let ((left_file, left), (right_file, right)) = (left, right);
    // Of one image with itself there is nothing to say, however much of it overlaps.
    if left.image().bytes() != right.image().bytes() {
        let both = left.image().len().saturating_add(right.image().len());
        let budget = Budget::for_bytes(both, "comparison of overlapping parts");
        let mut purse = Purse { budget, space: left.image().space() };
        report.within(format_args!("header"), |report| {
            report.fields(left.header().fields(), right.header().fields(), false, STORAGE);
        });
        planes(left.planes(), right.planes(), options, &mut purse, report)?;
        attributes(left.attributes(), right.attributes(), report);
    }
    trailer::compare(left_file, right_file, report);
    Ok(())
}

fn planes(
    left: &[Plane<'_>],
    right: &[Plane<'_>],
    options: &Options<'_>,
    purse: &mut Purse,
    report: &mut Report<'_>,
) -> Result<()> {
    let mut pairs = Pairs::new(left.len(), right.len());
    pairs.by(|index| Some(left[index].name()), |index| Some(right[index].name()));
    pairs.by(Some, Some);
    for pair in pairs.iter() {
        match pair {
            (Some(first), Some(second)) => plane::compare(&left[first], &right[second], options, purse, report)?,
            (Some(first), None) => report.removed(format_args!("{}", plane::name(&left[first], report)), None),
            (None, Some(second)) => report.added(format_args!("{}", plane::name(&right[second], report)), None),
            (None, None) => {}
        }
    }
    let encoding = report.encoding;
    let shown = move |plane: &Plane<'_>| plane::shown(plane, encoding);
    report.order("planes", &pairs, |index| shown(&left[index]), |index| shown(&right[index]));
    Ok(())
}

fn attributes(left: &Attributes<'_>, right: &Attributes<'_>, report: &mut Report<'_>) {
    const TABLE: &str = "tile attributes";
    match (left.header(), right.header()) {
        (None, None) => return,
        (Some(_), None) => return report.removed(format_args!("{TABLE}"), None),
        (None, Some(_)) => return report.added(format_args!("{TABLE}"), None),
        (Some(left), Some(right)) => report.within(format_args!("{TABLE}"), |report| {
            report.fields(left.fields(), right.fields(), false, &["count", "header_size"]);
        }),
    }
    let (left, right) = (left.records(), right.records());
    for pair in Pairs::placed(left.len(), right.len()).iter() {
        match pair {
            (Some(first), Some(second)) => {
                report.within(format_args!("tile attribute {first}"), |report| {
                    attribute(&left[first], &right[second], report);
                });
            }
            (Some(first), None) => {
                report.removed(format_args!("tile attribute {first}"), Some(&summary(&left[first])));
            }
            (None, Some(second)) => {
                report.added(format_args!("tile attribute {second}"), Some(&summary(&right[second])));
            }
            (None, None) => {}
        }
    }
}

fn attribute(left: &Attribute<'_>, right: &Attribute<'_>, report: &mut Report<'_>) {
    match (left, right) {
        (Attribute::Single(left), Attribute::Single(right)) => {
            report.fields(left.fields(), right.fields(), false, &[]);
        }
        (Attribute::Double(left), Attribute::Double(right)) => {
            report.fields(left.fields(), right.fields(), false, &[]);
        }
        (Attribute::Mask { head: left, pixels }, Attribute::Mask { head: right, pixels: others }) => {
            report.fields(left.fields(), right.fields(), false, &[]);
            if left.width == right.width {
                let width = usize::try_from(left.width.get()).unwrap_or(usize::MAX).max(1);
                let show = |index, value: &u8| format!("{value} at {},{}", index % width, index / width);
                report.elements("pixels", (pixels, others), PartialEq::eq, show);
            }
        }
        _ => report.value("kind", summary(left), summary(right)),
    }
}

/// An attribute in a few words.
fn summary(attribute: &Attribute<'_>) -> String {
    let size = format!("{}x{}", attribute.width(), attribute.height());
    match attribute {
        Attribute::Single(single) => format!("single {size} {}", single.attribute),
        Attribute::Double(double) => {
            let [left, top, right, bottom] = double.rect.get();
            let (outside, inside) = (double.outside, double.inside);
            format!("double {size} outside {outside} inside {inside} rect {left} {top} {right} {bottom}")
        }
        Attribute::Mask { .. } => format!("mask {size}"),
    }
}
