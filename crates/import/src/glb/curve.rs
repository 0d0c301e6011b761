//! Keys of edited animations, and the keys of the game that say the same.
//!
//! Values count as equal if no component differs by more than 1e-4 (of the value, if that is more than 1). Times count as equal within
//! 0.4 ms, and those of samples within 0.6 ms. Blender samples each curve at the frames of its film, 24 a second, and keys of the game
//! may lie on no frame: such a key stays if the samples before and after it, each less than a frame away, lie on the original's curve.

use worldview_core::Path;
use worldview_export::model::glb::Track;

use worldview_edit::{EditError, Result, Value};

/// How far a value may be off before it counts as changed.
const NEAR: f64 = 1e-4;
/// Keys that are closer together than this, in seconds, and at equal distances were made by sampling.
const SAMPLED: f32 = 0.11;
/// The longest frame of a film, in seconds: 20 a second.
const FRAME: f32 = 0.0501;
/// The last time of a key in milliseconds.
const LATEST: f32 = 16_777_215.0;
/// The most keys of a list.
const MAX: usize = 0xFFFF;

/// A property that an animation can move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Property {
    Translation,
    Rotation,
    Scale,
}

/// The keys of a property of a node in an animation of a GLB.
#[derive(Clone, Debug)]
pub(super) struct Curve {
    pub(super) times: Vec<f32>,
    /// Three or four numbers a key.
    pub(super) values: Vec<f32>,
    pub(super) interpolation: Interpolation,
}

/// The interpolation of a curve between two keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Interpolation {
    Linear,
    Step,
    Smooth,
}

/// A key as the game stores it: time and flags, and the value.
pub(super) type Key<const N: usize> = (u32, [f32; N]);

/// A time in milliseconds, and the value that a key has there in glTF.
pub(super) type Moment<const N: usize> = (u32, [f32; N]);

impl Curve {
    /// Returns the keys if each has `N` numbers, and none if they are smooth.
    pub(super) fn track<const N: usize>(&self) -> Option<Track<N>> {
        let values = self.values.as_chunks::<N>().0.to_vec();
        let track = Track { times: self.times.clone(), values, is_step: self.interpolation == Interpolation::Step };
        let is_step = track.is_step && !is_constant(&track);
        (self.interpolation != Interpolation::Smooth).then_some(Track { is_step, ..track })
    }
}

/// Returns the value of a list of keys without the first key's time: all are held, as glTF does.
fn value_at<const N: usize>(track: &Track<N>, time: f32, is_round: bool) -> [f32; N] {
    let next = track.times.partition_point(|other| *other <= time);
    let before = next.checked_sub(1).and_then(|before| track.values.get(before).zip(track.times.get(before)));
    match (before, track.values.get(next).zip(track.times.get(next))) {
        (Some((a, from)), Some((b, to))) if !track.is_step => {
            mix(a, b, (f64::from(time) - f64::from(*from)) / (f64::from(*to) - f64::from(*from)), is_round)
        }
        (Some((value, _)), _) | (None, Some((value, _))) => *value,
        (None, None) => [0.0; N],
    }
}

/// Returns the value between two others. Rotations go along the shorter arc, or, as in Blender, straight below it.
#[expect(clippy::cast_possible_truncation, reason = "values are floats of 32 bits")]
fn mix<const N: usize>(a: &[f32; N], b: &[f32; N], part: f64, is_round: bool) -> [f32; N] {
    let dot: f64 = a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum();
    let (mut p, mut q) = (1.0 - part, part);
    if N == 4 {
        let angle = dot.abs().min(1.0).acos();
        if is_round && angle > 1e-4 {
            (p, q) = ((p * angle).sin() / angle.sin(), (q * angle).sin() / angle.sin());
        }
        if dot < 0.0 {
            q = -q;
        }
    }
    let mut out = [0.0; N];
    for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
        *out = (p * f64::from(*a) + q * f64::from(*b)) as f32;
    }
    if N == 4 { unit(out) } else { out }
}

fn unit<const N: usize>(value: [f32; N]) -> [f32; N] {
    let length = value.iter().map(|part| part * part).sum::<f32>().sqrt();
    if length > 0.0 { value.map(|part| part / length) } else { value }
}

/// How far two values are apart, where 1 is the most that does not count. Quaternions and their opposites are equal.
fn apart<const N: usize>(a: &[f32; N], b: &[f32; N]) -> f64 {
    let far = |sign: f64| {
        let parts = a.iter().zip(b).map(|(a, b)| {
            let (a, b) = (f64::from(*a), f64::from(*b));
            (a - sign * b).abs() / (NEAR * a.abs().max(1.0))
        });
        parts.fold(0.0, f64::max)
    };
    if N == 4 { far(1.0).min(far(-1.0)) } else { far(1.0) }
}

pub(super) fn is_near<const N: usize>(a: &[f32; N], b: &[f32; N]) -> bool {
    apart(a, b) <= 1.0
}

/// How far a value is from a curve at a time, however rotations are interpolated.
fn off<const N: usize>(track: &Track<N>, time: f32, value: &[f32; N]) -> f64 {
    apart(&value_at(track, time, false), value).min(apart(&value_at(track, time, true), value))
}

/// Returns the time and value of each key that says the same as an edited curve; `None` if it says what the original
/// does. `times` are those of the original's keys in milliseconds.
pub(super) fn edited<const N: usize>(
    times: &[u32],
    track: &Track<N>,
    edited: &Track<N>,
    path: &Path,
) -> Result<Option<Vec<Moment<N>>>> {
    if is_equal(track, edited) {
        return Ok(None);
    }
    // Where the game and glTF move differently, there are more keys in the export than in the file.
    let is_plain = times.len() == track.times.len()
        && times.iter().zip(&track.times).all(|(time, exported)| rounded(*exported) == *time);
    let has_samples = has_samples(track, edited);
    if (!is_plain || track.is_step || edited.is_step) && is_same(track, edited) {
        return Ok(None);
    }
    let why = match (is_plain, track.is_step, edited.is_step) {
        (_, _, true) if N == 3 => {
            "its keys jump (STEP), which in the game only rotations do: positions and scales change evenly between keys; make the keys linear, or put two of them a millisecond apart"
        }
        (true, true, false) if has_samples => {
            "its keys jump (STEP), and samples do not show where; export the keys themselves, without sampling"
        }
        (false, _, false) => "these keys jump or turn in a way that a GLB only approximates; edit them by their paths",
        _ => "",
    };
    if !why.is_empty() {
        return Err(EditError::unsupported(path, why));
    }
    let fitted = match has_samples {
        _ if edited.is_step => steps(track, edited, has_samples),
        true => fit(track, edited),
        false => edited.clone(),
    };
    if fitted == *track {
        return Ok(None);
    }
    let mut out: Vec<Moment<N>> = Vec::new();
    for (time, value) in fitted.times.iter().zip(&fitted.values) {
        if !(0.0..=LATEST).contains(&(time * 1000.0)) {
            let limit = "keys are at 0 to 16777.215 seconds".to_owned();
            return Err(EditError::does_not_fit(path, *time, limit));
        }
        if out.last().is_some_and(|(last, _)| *last >= rounded(*time)) {
            let limit = "times are whole milliseconds, and this key has the one of another".to_owned();
            return Err(EditError::does_not_fit(path, *time, limit));
        }
        out.push((rounded(*time), *value));
    }
    if out.len() > MAX {
        let value = Value::from(u64::try_from(out.len()).unwrap_or(u64::MAX));
        let limit = format!("a node has at most {MAX} keys of a kind");
        return Err(EditError::does_not_fit(path, value, limit));
    }
    // glTF holds the first key before its time, the game does not.
    if let Some(&(time, value)) = out.first()
        && time > 0
    {
        out.insert(0, (0, value));
    }
    Ok(Some(out))
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the cast to an integer saturates")]
fn rounded(seconds: f32) -> u32 {
    (f64::from(seconds) * 1000.0).round() as u32
}

fn is_equal<const N: usize>(track: &Track<N>, edited: &Track<N>) -> bool {
    let mut times = track.times.iter().zip(&edited.times);
    let mut values = track.values.iter().zip(&edited.values);
    track.times.len() == edited.times.len()
        && track.is_step == edited.is_step
        && times.all(|(a, b)| (a - b).abs() < 4e-4)
        && values.all(|(a, b)| is_near(a, b))
}

/// Whether a curve says what the original does, with the same keys, samples, or others that lie on it.
pub(super) fn is_same<const N: usize>(track: &Track<N>, edited: &Track<N>) -> bool {
    // Programs move the two keys of a jump apart or together.
    let near = |track: &Track<N>, time: f32, value: &[f32; N]| {
        [-1e-3, 0.0, 1e-3].iter().any(|by| off(track, time + by, value) <= 1.0)
    };
    let covers = |a: &Track<N>, b: &Track<N>| b.times.iter().zip(&b.values).all(|(time, value)| near(a, *time, value));
    // The keys of a line that is made a step are still on it, and what is between them is not.
    let follows = |a: &Track<N>, b: &Track<N>| {
        let mut pairs = b.times.iter().zip(b.times.iter().skip(1)).filter(|(from, to)| *to - *from > 2e-3);
        let middle = |(from, to): (&f32, &f32)| f32::midpoint(*from, *to);
        pairs.all(|pair| near(a, middle(pair), &value_at(b, middle(pair), false)))
    };
    is_equal(track, edited)
        || covers(track, edited)
            && ((track.is_step || !edited.is_step) && has_samples(track, edited)
                || covers(edited, track)
                    && (track.is_step == edited.is_step || follows(track, edited) && follows(edited, track)))
}

/// Whether all values of a curve are the same.
pub(super) fn is_constant<const N: usize>(track: &Track<N>) -> bool {
    track.values.iter().all(|value| track.values.first().is_some_and(|first| is_near(first, value)))
}

/// Whether a value is between the least and the most of a curve: programs leave a node where the frame that is shown has it.
pub(super) fn holds(curve: &[f32], value: &[f32]) -> bool {
    let width = value.len();
    let is_between = |sign: f32| {
        value.iter().enumerate().all(|(axis, part)| {
            let (part, slack) = (part * sign, 1e-3 * part.abs().max(1.0));
            let all = || curve.iter().skip(axis).step_by(width.max(1)).copied();
            let (least, most) = (all().fold(f32::MAX, f32::min), all().fold(f32::MIN, f32::max));
            (least - slack..=most + slack).contains(&part)
        })
    };
    is_between(1.0) || (width == 4 && is_between(-1.0))
}

/// Whether the edited keys are samples: many, or at the frames of a film, of which the original has keys between.
fn has_samples<const N: usize>(track: &Track<N>, edited: &Track<N>) -> bool {
    let is_frame = |time: &f32| {
        let next = edited.times.partition_point(|other| other < time);
        let around = [next.checked_sub(1), Some(next)].into_iter().flatten();
        around.filter_map(|at| edited.times.get(at)).any(|other| (other - time).abs() < 6e-4)
    };
    let step = edited.times.first().zip(edited.times.get(1)).map_or(f32::MAX, |(first, second)| second - first);
    let is_many = edited.times.len() > track.times.len().saturating_mul(2);
    is_sampled(&edited.times) && (is_many || (step <= FRAME && !track.times.iter().all(is_frame)))
}

/// Whether times have equal and short distances.
fn is_sampled(times: &[f32]) -> bool {
    let (Some(first), Some(last)) = (times.first(), times.last()) else { return false };
    #[expect(clippy::cast_precision_loss, reason = "an average need not be exact")]
    let step = (last - first) / times.len().saturating_sub(1) as f32;
    let near = |pair: &[f32]| matches!(pair, [a, b] if (b - a - step).abs() < step * 0.1);
    times.len() > 2 && step <= SAMPLED && times.windows(2).all(near)
}

/// Returns the keys of a curve that jumps, at the times of the original's keys where samples say no better, and without those that
/// only repeat the one before: samples, and the first of two keys of a jump.
fn steps<const N: usize>(track: &Track<N>, edited: &Track<N>, has_samples: bool) -> Track<N> {
    let mut out = Track { is_step: true, ..Track::EMPTY };
    let mut before = f32::MIN;
    for (at, (&time, value)) in edited.times.iter().zip(&edited.values).enumerate() {
        let from = std::mem::replace(&mut before, time);
        let next = edited.times.get(at.saturating_add(1));
        let is_needless = has_samples || next.is_some_and(|next| rounded(*next) == rounded(time));
        if is_needless && out.values.last().is_some_and(|last| is_near(last, value)) {
            continue;
        }
        let own = track.times.partition_point(|own| *own < from + 6e-4);
        let own = track.times.get(own).zip(track.values.get(own)).filter(|_| has_samples);
        let own = own.filter(|(own, is)| **own <= time + 6e-4 && is_near(is, value));
        out.times.push(own.map_or(time, |(own, _)| *own));
        out.values.push(*value);
    }
    out
}

/// Returns the keys between which the samples lie: those of the original that still are right, and as many others as are
/// needed.
fn fit<const N: usize>(track: &Track<N>, samples: &Track<N>) -> Track<N> {
    let mut knots: Vec<(f32, [f32; N])> = Vec::new();
    for (time, value) in track.times.iter().zip(&track.values) {
        let next = samples.times.partition_point(|other| other < time);
        let around = [next.checked_sub(1), Some(next)].into_iter().flatten();
        let around = || around.clone().filter_map(|at| samples.times.get(at).zip(samples.values.get(at)));
        if let Some((_, sample)) = around().find(|(other, _)| (*other - time).abs() < 6e-4) {
            knots.push((*time, if is_near(value, sample) { *value } else { *sample }));
        } else if around().all(|(other, sample)| off(track, *other, sample) <= 1.0) {
            // Between two samples, the key is right if they are what it gives.
            knots.push((*time, *value));
        }
    }
    let ends = [samples.times.first().zip(samples.values.first()), samples.times.last().zip(samples.values.last())];
    for (time, value) in ends.into_iter().flatten() {
        let outside = |(knot, _): &(f32, [f32; N])| (*knot - *time).abs() < 6e-4;
        let is_needed = match (knots.first(), knots.last()) {
            (Some((first, _)), Some((last, _))) => *time < *first - 6e-4 || *time > *last + 6e-4,
            _ => true,
        };
        // Before the first and after the last key, their values are held.
        let held = knots.first().filter(|(first, _)| time < first).or(knots.last());
        if is_needed && !knots.iter().any(outside) && !held.is_some_and(|(_, held)| is_near(held, value)) {
            knots.push((*time, *value));
            knots.sort_by(|a, b| a.0.total_cmp(&b.0));
        }
    }
    let mut out = Track::EMPTY;
    let mut open: Vec<(f32, [f32; N])> = knots.into_iter().rev().collect();
    while let Some((time, value)) = open.pop() {
        out.times.push(time);
        out.values.push(value);
        while let Some(&(to, next)) = open.last() {
            if out.times.len() > MAX {
                break;
            }
            // The sample that is farthest from the line to the next key becomes a key.
            let line = Track { times: vec![time, to], values: vec![value, next], is_step: false };
            let from = samples.times.partition_point(|other| *other <= time + 6e-4);
            let end = samples.times.partition_point(|other| *other < to - 6e-4);
            let between = (from..end).filter_map(|at| Some((*samples.times.get(at)?, *samples.values.get(at)?)));
            // Where the line is off by most, whatever is allowed there, the curve bends.
            let far = between.filter(|(time, value)| off(&line, *time, value) > 1.0).map(|(time, value)| {
                let parts = value_at(&line, time, false).into_iter().zip(value).map(|(a, b)| (a - b).abs());
                (parts.fold(0.0, f32::max), time, value)
            });
            match far.max_by(|a, b| a.0.total_cmp(&b.0)) {
                Some((_, time, value)) if open.len() <= MAX => open.push((time, value)),
                _ => break,
            }
        }
    }
    out
}

/// Returns the keys of the game with edited values, which may be steps. Keys whose value is near the old one stay as they were.
pub(super) fn keys<const N: usize>(
    old: &[Key<N>],
    track: &Track<N>,
    (new, is_step): (Vec<Moment<N>>, bool),
    convert: fn([f32; N]) -> [f32; N],
) -> Vec<Key<N>> {
    let mut out: Vec<(Key<N>, bool)> = Vec::new();
    let mut before = None;
    for (time, value) in new {
        #[expect(clippy::cast_possible_truncation, reason = "glTF has times of 32 bits")]
        let seconds = (f64::from(time) / 1000.0) as f32;
        let known = old.iter().find(|(when, _)| when & 0xFF_FFFF == time);
        let (mut key, stays) = match known.map(|key| (key, value_at(track, seconds, false))) {
            Some((key, shown)) if is_near(&shown, &value) => (*key, true),
            Some(((when, _), shown)) if N == 3 => {
                // A component that is near stays as it was.
                let mut snapped = value;
                for (new, old) in snapped.iter_mut().zip(shown) {
                    *new = if is_near(&[old], &[*new]) { old } else { *new };
                }
                ((*when, convert(snapped)), false)
            }
            Some(((when, _), _)) => ((*when, convert(value)), false),
            None => ((time | ACTIVE, convert(value)), false),
        };
        let when = key.0;
        if N == 4 && before.is_some_and(|before| is_step || !is_near(&before, &value)) {
            key.0 = if is_step { when | HOLD } else { when & !HOLD };
        }
        before = Some(value);
        out.push((key, stays && key.0 == when));
    }
    if N == 4 && !is_step {
        follow(&mut out);
    }
    out.into_iter().map(|(key, _)| key).collect()
}

/// The flag of a key that counts whatever its value is.
const ACTIVE: u32 = 0x0100_0000;
/// The flag of a rotation key that is negated when it is approached.
const NEGATE: u32 = 0x0200_0000;

/// The flag of a rotation key that is not approached: the one before is held.
const HOLD: u32 = 0x0400_0000;

/// Gives quaternions the sign of the one before: the game does not take the shorter arc.
fn follow<const N: usize>(keys: &mut [(Key<N>, bool)]) {
    let mut before: Option<([f32; N], bool)> = None;
    for ((when, value), stays) in keys {
        if let Some((other, _)) = before.filter(|(_, stays_too)| !(*stays && *stays_too)) {
            let dot: f32 = other.iter().zip(value.iter()).map(|(a, b)| a * b).sum();
            if (dot < 0.0) != (*when & NEGATE != 0) && dot != 0.0 {
                *value = value.map(|part| 0.0 - part);
                *stays = false;
            }
        }
        before = Some((*value, *stays));
    }
}
