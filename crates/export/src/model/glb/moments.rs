//! The times at which the keys used by the game change.

/// The keys that apply at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ActiveKeys {
    /// No key: nothing is animated.
    None,
    /// Exactly this key.
    One(usize),
    /// Interpolation between this key and the next.
    Two(usize),
}

/// A time in milliseconds, and the keys that apply just before it, at it and just after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment {
    pub(super) time: u32,
    pub(super) before: ActiveKeys,
    pub(super) at: ActiveKeys,
    pub(super) after: ActiveKeys,
}

/// Returns all times at which the applicable keys can change, in ascending order.
///
/// The game processes the keys in file order, regardless of their times. The first key with a later time is the
/// second of the pair, and after the time of the last key, that key is held.
pub(super) fn moments(times: &[u32]) -> Vec<Moment> {
    let (Some(&first), Some(&last)) = (times.first(), times.last()) else {
        return Vec::new();
    };
    let held = ActiveKeys::One(times.len() - 1);
    let mut all: Vec<u32> = times.iter().copied().filter(|&time| time >= first).collect();
    all.sort_unstable();
    all.dedup();
    let mut out = Vec::new();
    let mut before = ActiveKeys::None;
    // The key before the first one with a later time. It never decreases, because the times are ascending.
    let mut i = 0;
    for time in all {
        while times.get(i + 1).is_some_and(|&next| time >= next) {
            i += 1;
        }
        let pair = if i + 1 < times.len() { ActiveKeys::Two(i) } else { held };
        let (at, after) = if time > last {
            (held, held)
        } else {
            (if times[i] == time { ActiveKeys::One(i) } else { pair }, if time == last { held } else { pair })
        };
        if before != at || at != after {
            out.push(Moment { time, before, at, after });
        }
        before = after;
    }
    out
}

/// Returns the position of a time between key `i` and the next, from 0 to 1.
pub(super) fn part_of_way(times: &[u32], i: usize, time: f64) -> f64 {
    let (from, to) = (f64::from(times[i]), f64::from(times[i + 1]));
    (time - from) / (to - from)
}

/// Converts milliseconds to seconds, the unit of glTF.
#[expect(clippy::cast_possible_truncation, reason = "glTF has times of 32 bits")]
pub(super) fn seconds(milliseconds: u32) -> f32 {
    (f64::from(milliseconds) / 1000.0) as f32
}
