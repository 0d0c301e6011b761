//! The visibility of an object over time.

use std::rc::Rc;

use worldview_island::raw::MorphKey;

use super::moments::{ActiveKeys, moments, seconds};
use super::track::later;

/// The times in seconds at which the visibility changes, in ascending order starting at 0, and the visibility from
/// then on.
pub(super) type Switches = Rc<Vec<(f32, bool)>>;

/// Returns the visibility given by the keys of a node; `None` means always visible.
pub(super) fn switches(keys: &[MorphKey]) -> Option<Switches> {
    let times: Vec<u32> = keys.iter().map(|key| key.when.time()).collect();
    let value = |found| match found {
        ActiveKeys::None => true,
        ActiveKeys::One(i) | ActiveKeys::Two(i) => keys[i].visible != 0,
    };
    let mut out = Vec::new();
    for moment in moments(&times) {
        let time = seconds(moment.time);
        if out.is_empty() {
            push(&mut out, 0.0, value(moment.before));
        }
        push(&mut out, time, value(moment.at));
        push(&mut out, later(time), value(moment.after));
    }
    shared(out)
}

/// Returns when both are visible.
pub(super) fn both(a: Option<&Switches>, b: Option<&Switches>) -> Option<Switches> {
    let (Some(a), Some(b)) = (a, b) else {
        return a.or(b).cloned();
    };
    let mut times: Vec<f32> = a.iter().chain(b.iter()).map(|&(time, _)| time).collect();
    times.sort_unstable_by(f32::total_cmp);
    let at = |switches: &Switches, time: f32| {
        let next = switches.partition_point(|&(from, _)| from <= time);
        next.checked_sub(1).and_then(|i| switches.get(i)).is_none_or(|&(_, seen)| seen)
    };
    let mut out = Vec::new();
    for time in times {
        push(&mut out, time, at(a, time) && at(b, time));
    }
    shared(out)
}

/// Returns the visibility at time 0.
pub(super) fn at_first(switches: Option<&Switches>) -> bool {
    switches.and_then(|switches| switches.first()).is_none_or(|&(_, seen)| seen)
}

/// Adds a switch unless it has no effect. A switch at the time of the last one replaces it.
fn push(out: &mut Vec<(f32, bool)>, time: f32, seen: bool) {
    if out.last().is_some_and(|&(last, _)| last >= time) {
        out.pop();
    }
    if out.last().is_none_or(|&(_, last)| last != seen) {
        out.push((time, seen));
    }
}

fn shared(out: Vec<(f32, bool)>) -> Option<Switches> {
    if out.iter().all(|&(_, seen)| seen) { None } else { Some(Rc::new(out)) }
}
