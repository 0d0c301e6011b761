use std::collections::HashMap;

use worldview_core::zerocopy::IntoBytes as _;
use worldview_wwd::Object;

use super::pairs::Pairs;
use super::report::Report;

/// What follows from the strings.
const STORAGE: &[&str] = &["name_len", "logic_len", "image_set_len", "animation_len"];

/// All that an object is.
type Content<'a> = (&'a [u8], [&'a [u8]; 4]);

fn content<'a>(object: &Object<'a>) -> Content<'a> {
    (object.record.as_bytes(), [object.name, object.logic, object.image_set, object.animation])
}

/// Compares the objects of two planes. Ids are often not unique: an object that was inserted must not make others of all
/// that are behind it.
pub(super) fn compare(left: &[Object<'_>], right: &[Object<'_>], report: &mut Report<'_>) {
    let pairs = pairs(left, right);
    for pair in pairs.iter() {
        match pair {
            (Some(first), Some(second)) => one(&left[first], &right[second], report),
            (Some(first), None) => {
                let shown = summary(&left[first], report);
                report.removed(format_args!("{}", name(&left[first])), Some(&shown));
            }
            (None, Some(second)) => {
                let shown = summary(&right[second], report);
                report.added(format_args!("{}", name(&right[second])), Some(&shown));
            }
            (None, None) => {}
        }
    }
    report.order("objects", &pairs, |index| name(&left[index]), |index| name(&right[index]));
}

/// The same objects first, then those of a unique id, then those that have the most in common.
fn pairs(left: &[Object<'_>], right: &[Object<'_>]) -> Pairs {
    let mut pairs = Pairs::new(left.len(), right.len());
    pairs.by(|index| Some(content(&left[index])), |index| Some(content(&right[index])));
    let (of_left, of_right) = (ids(left), ids(right));
    let unique = |object: &Object<'_>| {
        let id = object.id.get();
        (of_left.get(&id) == Some(&1) && of_right.get(&id) == Some(&1)).then_some(id)
    };
    pairs.by(|index| unique(&left[index]), |index| unique(&right[index]));
    // An id alone that is another.
    pairs.by(|index| Some(rest(&left[index])), |index| Some(rest(&right[index])));
    let place = |object: &Object<'_>| (object.id.get(), object.x.get(), object.y.get());
    pairs.by(
        |index| Some((left[index].logic, place(&left[index]))),
        |index| Some((right[index].logic, place(&right[index]))),
    );
    pairs.by(
        |index| Some((left[index].id.get(), left[index].logic, left[index].name)),
        |index| Some((right[index].id.get(), right[index].logic, right[index].name)),
    );
    pairs.by(|index| Some(left[index].id.get()), |index| Some(right[index].id.get()));
    pairs
}

/// All of an object but its id, which comes first.
fn rest<'a>(object: &Object<'a>) -> Content<'a> {
    let (record, strings) = content(object);
    (record.get(4..).unwrap_or(&[]), strings)
}

/// How often each id occurs.
fn ids(objects: &[Object<'_>]) -> HashMap<i32, usize> {
    let mut ids = HashMap::new();
    for object in objects {
        *ids.entry(object.id.get()).or_insert(0) += 1;
    }
    ids
}

fn one(left: &Object<'_>, right: &Object<'_>, report: &mut Report<'_>) {
    if content(left) == content(right) {
        return;
    }
    report.within(format_args!("{}", name(left)), |report| {
        report.text("name", left.display_name(), right.display_name());
        match (left.metadata(), right.metadata()) {
            (left, right) if left == right => {}
            (left, right) => {
                let shown = |stored: Option<worldview_wwd::Metadata<'_>>| {
                    stored.map_or_else(|| "none".into(), |stored| crate::hex(stored.stored))
                };
                report.value("metadata", shown(left), shown(right));
            }
        }
        report.text("logic", left.logic, right.logic);
        report.text("image_set", left.image_set, right.image_set);
        report.text("animation", left.animation, right.animation);
        report.fields(left.record.fields(), right.record.fields(), false, STORAGE);
    });
}

/// An object as part of a place.
fn name(object: &Object<'_>) -> String {
    format!("object {} (id {})", object.index, object.id)
}

/// An object in a few words.
fn summary(object: &Object<'_>, report: &Report<'_>) -> String {
    format!("{} at {},{}", report.shown(object.logic), object.x, object.y)
}
