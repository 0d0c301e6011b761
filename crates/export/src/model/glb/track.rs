//! Resamples keys of translation, rotation and scale to glTF keys.
//!
//! glTF interpolates between keys with ascending times, holds the first one before its time, and rotates along the
//! shorter arc. Rotations that are all held are steps. Elsewhere, keys are added where the game differs: a jump becomes two
//! adjacent keys, and a longer arc gets intermediate keys.

use worldview_island::raw::{RotationKey, TimeFlags, VectorKey};

use super::frame::{Trs, finite, point, scale, turn};
use super::moments::{ActiveKeys, Moment, moments, part_of_way, seconds};

/// The minimum duration of a jump in seconds; longer where floats are less precise.
const INSTANT: f32 = 1e-6;

/// glTF keys: ascending times in seconds, and their values.
#[derive(Clone, Debug, PartialEq)]
pub struct Track<const N: usize> {
    /// The times in seconds.
    pub times: Vec<f32>,
    /// The value at each time.
    pub values: Vec<[f32; N]>,
    /// Whether each value is held until the next key (`STEP`), instead of moving toward it (`LINEAR`).
    pub is_step: bool,
}

impl<const N: usize> Track<N> {
    /// A track without keys.
    pub const EMPTY: Self = Self { times: Vec::new(), values: Vec::new(), is_step: false };

    /// Returns the value at time 0, or `other` if there are no keys.
    pub fn rest(&self, other: [f32; N]) -> [f32; N] {
        // The first key is either at time 0 or also applies before its time.
        self.values.first().copied().unwrap_or(other)
    }

    /// Returns whether the value changes over time.
    pub fn moves(&self) -> bool {
        self.values.iter().any(|value| Some(value) != self.values.first())
    }

    /// Adds a key. If its time is not after that of the last key in 32-bit precision, it is placed directly after that
    /// key. If that would be the third such key, it replaces the second.
    fn push(&mut self, time: f32, value: [f32; N]) {
        let mut time = time;
        if let Some(&last) = self.times.last().filter(|&&last| time <= last) {
            time = last.next_up();
            if self.times.len().checked_sub(2).is_some_and(|i| self.times[i].next_up() == last) {
                self.times.pop();
                self.values.pop();
                time = last;
            }
        }
        self.times.push(time);
        self.values.push(value);
    }

    /// Adds the keys for a moment: a single one unless the value jumps.
    fn moment(
        &mut self,
        moment: &Moment,
        value: impl Fn(ActiveKeys) -> [f32; N],
        is_same: impl Fn(&[f32; N], &[f32; N]) -> bool,
    ) {
        let time = seconds(moment.time);
        let [before, at, after] = [moment.before, moment.at, moment.after].map(value);
        if moment.time > 0 && self.times.is_empty() {
            self.push(0.0, before);
        }
        let earlier = time.next_down().min(time - INSTANT);
        if moment.time > 0 && !is_same(&before, &at) && self.times.last().is_some_and(|&last| earlier > last) {
            self.push(earlier, before);
        }
        self.push(time, at);
        if !is_same(&at, &after) {
            self.push(later(time), after);
        }
    }
}

/// Returns the time directly after `time`.
pub(super) fn later(time: f32) -> f32 {
    time.next_up().max(time + INSTANT)
}

/// Converts translation keys.
pub(super) fn translations(keys: &[VectorKey]) -> Track<3> {
    vectors(keys, [0.0; 3], VectorKey::is_active, point)
}

/// Converts scale keys.
pub(super) fn scales(keys: &[VectorKey]) -> Track<3> {
    vectors(keys, [1.0; 3], |_| true, scale)
}

fn vectors(
    keys: &[VectorKey],
    none: [f64; 3],
    is_active: impl Fn(&VectorKey) -> bool,
    convert: impl Fn([f64; 3]) -> [f32; 3],
) -> Track<3> {
    let times: Vec<u32> = keys.iter().map(|key| key.when.time()).collect();
    let key = |i: usize| keys[i].value.get().map(f64::from);
    let value = |found, time: u32| match found {
        ActiveKeys::One(i) if is_active(&keys[i]) => key(i),
        ActiveKeys::Two(i) if is_active(&keys[i]) || is_active(&keys[i + 1]) => {
            match part_of_way(&times, i, time.into()) {
                // At the end of the interval, the value is exactly that of the key.
                1.0 => key(i + 1),
                part => {
                    let (from, to) = (key(i), key(i + 1));
                    std::array::from_fn(|axis| from[axis] + (to[axis] - from[axis]) * part)
                }
            }
        }
        _ => none,
    };
    let mut out = Track::EMPTY;
    for moment in moments(&times) {
        out.moment(&moment, |found| convert(value(found, moment.time)), |a, b| a == b);
    }
    out
}

/// Converts rotation keys.
pub(super) fn rotations(keys: &[RotationKey]) -> Track<4> {
    let turns = Turns::new(keys);
    let moments = moments(&turns.times);
    if let Some(steps) = turns.steps(&moments) {
        return steps;
    }
    let mut out = Track::EMPTY;
    // Where glTF differs from the game, up to four additional keys per key are allowed, plus a constant number.
    let mut spare = 4 * keys.len() + SPARE;
    for (i, moment) in moments.iter().enumerate() {
        out.moment(moment, |found| turns.value_at(found, moment.time.into()), |a, b| apart(a, b) < SAME);
        let ActiveKeys::Two(pair) = moment.after else { continue };
        if let Some(next) = moments.get(i + 1).filter(|_| !turns.is_plain(pair)) {
            turns.refine(pair, moment.time, next.time, &mut spare, &mut out);
        }
    }
    out
}

/// The constant number of additional keys, for short lists whose keys need many each.
const SPARE: usize = 256;
/// Maximum number of keys added between two keys.
const MAX: usize = 64;
/// The largest distance between quaternions that only differ by rounding.
const SAME: f64 = 2e-6;
/// The largest error compared with the game before another key is added.
const CLOSE: f64 = 1e-4;

struct Turns<'k> {
    keys: &'k [RotationKey],
    times: Vec<u32>,
}

impl<'k> Turns<'k> {
    fn new(keys: &'k [RotationKey]) -> Self {
        Self { keys, times: keys.iter().map(|key| key.when.time()).collect() }
    }

    /// Returns the rotation at a time, converted to glTF.
    fn value_at(&self, found: ActiveKeys, time: f64) -> [f32; 4] {
        let one = |i: usize| if self.is_active(i) { turn(self.value(i)) } else { Trs::IDENTITY.rotation };
        match found {
            ActiveKeys::None => Trs::IDENTITY.rotation,
            ActiveKeys::One(i) => one(i),
            ActiveKeys::Two(i) if self.is_active(i) || self.is_active(i + 1) => {
                turn(self.keys[i].toward(&self.keys[i + 1], part_of_way(&self.times, i, time)))
            }
            ActiveKeys::Two(_) => Trs::IDENTITY.rotation,
        }
    }

    fn value(&self, i: usize) -> [f64; 4] {
        self.keys[i].get().map(f64::from)
    }

    /// Returns the quaternion that the interpolation from key `i` approaches.
    fn aim(&self, i: usize) -> [f64; 4] {
        let is_negated = self.keys[i + 1].when.flags() & TimeFlags::NEGATE != 0;
        self.value(i + 1).map(|part| if is_negated { -part } else { part })
    }

    fn is_held(&self, i: usize) -> bool {
        self.keys[i + 1].when.flags() & TimeFlags::HOLD != 0
    }

    fn is_active(&self, i: usize) -> bool {
        self.keys[i].is_active()
    }

    /// Returns the keys as steps, if one rotation is held, and no other is approached.
    fn steps(&self, moments: &[Moment]) -> Option<Track<4>> {
        let mut out = Track { is_step: true, ..Track::EMPTY };
        let mut has_held = false;
        for moment in moments {
            let value = |found| self.value_at(found, moment.time.into());
            let (at, after) = (value(moment.at), value(moment.after));
            let pair = if let ActiveKeys::Two(pair) = moment.after { Some(pair) } else { None };
            if apart(&at, &after) >= SAME || pair.is_some_and(|pair| !self.is_still(pair)) {
                return None;
            }
            has_held |= pair.is_some_and(|pair| self.is_held(pair));
            if moment.time > 0 && out.times.is_empty() {
                out.push(0.0, value(moment.before));
            }
            out.push(seconds(moment.time), at);
        }
        has_held.then_some(out)
    }

    /// Returns whether the rotation stays the same from key `i` to the next.
    fn is_still(&self, i: usize) -> bool {
        self.is_held(i) || !(self.is_active(i) || self.is_active(i + 1))
    }

    /// Returns whether glTF's interpolation from key `i` to the next is the same as the game's: either none, or along
    /// the shorter arc between unit quaternions.
    fn is_plain(&self, i: usize) -> bool {
        if self.is_still(i) {
            return true;
        }
        let (from, to) = (self.value(i), self.aim(i));
        let is_unit = |value: [f64; 4]| (dot(value, value) - 1.0).abs() < 1e-4;
        is_unit(from) && is_unit(to) && dot(from, to) >= 0.0
    }

    /// Adds keys between two times, each where the error is largest, until the error is small enough.
    fn refine(&self, pair: usize, from: u32, to: u32, spare: &mut usize, out: &mut Track<4>) {
        let span = |from: u32, to: u32| Span { from, to, error: self.error(pair, from, to) };
        let mut spans = vec![span(from, to)];
        let most = MAX.min(*spare);
        while spans.len() <= most {
            let worst = (0..spans.len()).max_by(|&a, &b| spans[a].error.total_cmp(&spans[b].error));
            let Some(worst) = worst.filter(|&i| spans[i].error > CLOSE) else { break };
            let Span { from, to, .. } = spans[worst];
            let middle = from.midpoint(to);
            spans[worst] = span(from, middle);
            spans.insert(worst + 1, span(middle, to));
        }
        *spare -= spans.len() - 1;
        for span in spans.iter().skip(1) {
            out.push(seconds(span.from), self.value_at(ActiveKeys::Two(pair), span.from.into()));
        }
    }

    /// Returns the largest error of glTF's interpolation between two times, or 0 if there is no time in between.
    fn error(&self, pair: usize, from: u32, to: u32) -> f64 {
        /// The number of intervals between samples.
        const STEPS: u32 = 8;

        if to - from < 2 {
            return 0.0;
        }
        let at = |time: f64| self.value_at(ActiveKeys::Two(pair), time);
        let (first, last) = (at(from.into()), at(to.into()));
        let errors = (1..STEPS).map(|step| {
            let part = f64::from(step) / f64::from(STEPS);
            let time = f64::from(from) + f64::from(to - from) * part;
            apart(&at(time), &shortest(&first, &last, part))
        });
        errors.fold(0.0, f64::max)
    }
}

struct Span {
    from: u32,
    to: u32,
    error: f64,
}

fn dot(a: [f64; 4], b: [f64; 4]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
}

/// Returns approximately half the angle between two rotations. A quaternion and its negation are the same rotation.
fn apart(a: &[f32; 4], b: &[f32; 4]) -> f64 {
    let [a, b] = [a, b].map(|value| value.map(f64::from));
    let distance = |sign: f64| (0..4).map(|i| (a[i] - sign * b[i]).powi(2)).sum::<f64>().sqrt();
    distance(1.0).min(distance(-1.0))
}

/// Returns glTF's interpolation between two keys.
fn shortest(a: &[f32; 4], b: &[f32; 4], part: f64) -> [f32; 4] {
    let [a, mut b] = [a, b].map(|value| value.map(f64::from));
    if dot(a, b) < 0.0 {
        b = b.map(|part| -part);
    }
    let cosine = dot(a, b);
    let (of_a, of_b) = if 1.0 - cosine > 1e-12 {
        let angle = cosine.acos();
        (((1.0 - part) * angle).sin() / angle.sin(), (part * angle).sin() / angle.sin())
    } else {
        (1.0 - part, part)
    };
    std::array::from_fn(|i| finite(a[i] * of_a + b[i] * of_b, 0.0))
}
