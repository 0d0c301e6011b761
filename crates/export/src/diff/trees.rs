use std::collections::HashMap;

use worldview_island::raw::{MorphKey, RotationKey, TimeFlags, VectorKey};
use worldview_island::{Actor, Animation, Model, Name, Node, Roi};

use super::blob::textures;
use super::pairs::Pairs;
use super::report::{Report, floats};
use super::{mesh, named};
use crate::Result;

/// Compares two models.
pub(super) fn model(left: &Model<'_>, right: &Model<'_>, report: &mut Report<'_>) -> Result<()> {
    report.value("roi_count", left.roi_count, right.roi_count);
    report.value("skip_textures", left.skip_textures, right.skip_textures);
    animation(&left.animation, &right.animation, report)?;
    let (of_left, of_right): (Vec<_>, Vec<_>) = (left.rois.iter().collect(), right.rois.iter().collect());
    let tree = Tree {
        what: "ROI",
        left: (&of_left.iter().map(|roi| roi.name).collect::<Vec<_>>(), &|index| left.rois.parent(index)),
        right: (&of_right.iter().map(|roi| roi.name).collect::<Vec<_>>(), &|index| right.rois.parent(index)),
    };
    tree.compare(report, &mut |first, second, report| roi(&of_left[first], &of_right[second], report))?;
    textures(&left.textures, &right.textures, report)
}

fn animation(left: &Animation<'_>, right: &Animation<'_>, report: &mut Report<'_>) -> Result<()> {
    report.within(format_args!("animation"), |report| report.value("duration", left.duration, right.duration));
    actors(&left.actors().collect::<Vec<_>>(), &right.actors().collect::<Vec<_>>(), report)?;
    let (of_left, of_right): (Vec<_>, Vec<_>) = (left.nodes.iter().collect(), right.nodes.iter().collect());
    let tree = Tree {
        what: "animation node",
        left: (&of_left.iter().map(|node| node.name).collect::<Vec<_>>(), &|index| left.nodes.parent(index)),
        right: (&of_right.iter().map(|node| node.name).collect::<Vec<_>>(), &|index| right.nodes.parent(index)),
    };
    tree.compare(report, &mut |first, second, report| node(&of_left[first], &of_right[second], report))
}

fn actors(left: &[Actor<'_>], right: &[Actor<'_>], report: &mut Report<'_>) -> Result<()> {
    let of_left: Vec<_> = left.iter().map(|actor| actor.name).collect();
    let of_right: Vec<_> = right.iter().map(|actor| actor.name).collect();
    named::compare("actor", &of_left, &of_right, report, &mut |first, second, report| {
        let kind = |actor: &Actor<'_>| actor.kind.map_or("none".into(), |kind| kind.to_string());
        report.value("type", kind(&left[first]), kind(&right[second]));
        Ok(())
    })
}

/// The names of a tree's elements, and the number of the one above each.
type Branches<'t> = (&'t [Name<'t>], &'t dyn Fn(usize) -> Option<usize>);

/// Two trees whose elements have names.
struct Tree<'t> {
    what: &'static str,
    left: Branches<'t>,
    right: Branches<'t>,
}

impl<'t> Tree<'t> {
    /// Matches elements by their names and those of what is above them, then by their names alone.
    fn compare(&self, report: &mut Report<'_>, look: &mut dyn FnMut(usize, usize, &mut Report<'_>)) -> Result<()> {
        let Self { what, left: (left, above_left), right: (right, above_right) } = self;
        // A number for each name: that of what is above would else be looked at once for each that is below.
        let mut numbers = HashMap::new();
        let mut numbered = |names: &[Name<'t>]| -> Vec<usize> {
            let number = |name: &Name<'t>| {
                let next = numbers.len();
                *numbers.entry(name.key()).or_insert(next)
            };
            names.iter().map(number).collect()
        };
        let (of_left, of_right) = (numbered(left), numbered(right));
        let above = |parent: Option<usize>, of: &[usize]| parent.and_then(|parent| of.get(parent).copied());
        let mut pairs = Pairs::new(left.len(), right.len());
        pairs.by(
            |index| Some((of_left[index], above(above_left(index), &of_left))),
            |index| Some((of_right[index], above(above_right(index), &of_right))),
        );
        pairs.by(|index| Some(of_left[index]), |index| Some(of_right[index]));
        named::matched(what, (left, right), &pairs, report, &mut |first, second, report| {
            let parents = (above_left(first), above_right(second));
            let same = match parents {
                (Some(of_left), of_right) => of_right.is_some() && pairs.of_left(of_left) == of_right,
                (None, of_right) => of_right.is_none(),
            };
            if !same {
                let shown = |parent: Option<usize>, names: &[Name<'_>], report: &Report<'_>| match parent {
                    Some(parent) => format!("{parent} {}", report.short(names[parent].text())),
                    None => "none".into(),
                };
                let (of_left, of_right) = (shown(parents.0, left, report), shown(parents.1, right, report));
                report.value("parent", of_left, of_right);
            }
            look(first, second, report);
            Ok(())
        })
    }
}

fn roi(left: &Roi<'_>, right: &Roi<'_>, report: &mut Report<'_>) {
    let (of_left, of_right) = (left.bounds, right.bounds);
    report.floats("centre", &of_left.centre.get(), &of_right.centre.get());
    report.floats("radius", &[of_left.radius.get()], &[of_right.radius.get()]);
    report.floats("minimum", &of_left.minimum.get(), &of_right.minimum.get());
    report.floats("maximum", &of_left.maximum.get(), &of_right.maximum.get());
    named::field("color_name", left.color, right.color, report);
    report.value("shared", left.shared, right.shared);
    mesh::lods(left.lods, right.lods, report);
}

fn node(left: &Node<'_>, right: &Node<'_>, report: &mut Report<'_>) {
    keys("translation", left.translations, right.translations, report);
    keys("rotation", left.rotations, right.rotations, report);
    keys("scale", left.scales, right.scales, report);
    keys("morph", left.morphs, right.morphs, report);
}

/// A key of an animation.
trait Timed {
    fn when(&self) -> TimeFlags;
    fn value(&self) -> String;
}

impl Timed for VectorKey {
    fn when(&self) -> TimeFlags {
        self.when
    }

    fn value(&self) -> String {
        floats(&self.value.get())
    }
}

impl Timed for RotationKey {
    fn when(&self) -> TimeFlags {
        self.when
    }

    fn value(&self) -> String {
        floats(&self.get())
    }
}

impl Timed for MorphKey {
    fn when(&self) -> TimeFlags {
        self.when
    }

    fn value(&self) -> String {
        self.visible.to_string()
    }
}

/// Compares keys, matched by their times.
fn keys<T: Timed>(what: &str, left: &[T], right: &[T], report: &mut Report<'_>) {
    let times = |keys: &[T]| keys.iter().map(|key| key.when().time()).collect::<Vec<_>>();
    let pairs = Pairs::keyed(&times(left), &times(right));
    for pair in pairs.iter() {
        let time = |key: &T| key.when().time();
        match pair {
            (Some(first), Some(second)) => {
                let (first, second) = (&left[first], &right[second]);
                report.within(format_args!("{what} at {} ms", time(first)), |report| {
                    let flags = |key: &T| format!("{:#x}", key.when().flags());
                    report.value("flags", flags(first), flags(second));
                    report.value("value", first.value(), second.value());
                });
            }
            (Some(first), None) => {
                let first = &left[first];
                report.removed(format_args!("{what} at {} ms", time(first)), Some(&first.value()));
            }
            (None, Some(second)) => {
                let second = &right[second];
                report.added(format_args!("{what} at {} ms", time(second)), Some(&second.value()));
            }
            (None, None) => {}
        }
    }
}
