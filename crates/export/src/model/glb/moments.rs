//! The times at which it changes which keys the game looks at.

/// The keys that matter at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// None: nothing happens.
    None,
    /// This one as it is.
    One(usize),
    /// This one on the way to the next.
    Two(usize),
}

/// A time in milliseconds, and which keys matter right before it, at it and right after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment {
    pub(super) time: u32,
    pub(super) before: Found,
    pub(super) at: Found,
    pub(super) after: Found,
}

/// All times at which something can change, rising; between two of them the same keys matter all the time.
///
/// The game takes the keys in the order of the file, whatever their times are: the first key that is later than the
/// time is the second of the pair, and past the time of the last key that key is held.
pub(super) fn moments(times: &[u32]) -> Vec<Moment> {
    let (Some(&first), Some(&last)) = (times.first(), times.last()) else {
        return Vec::new();
    };
    let held = Found::One(times.len() - 1);
    let mut all: Vec<u32> = times.iter().copied().filter(|&time| time >= first).collect();
    all.sort_unstable();
    all.dedup();
    let mut out = Vec::new();
    let mut before = Found::None;
    // The key before the first that is later; it never goes back, as times rise.
    let mut i = 0;
    for time in all {
        while times.get(i + 1).is_some_and(|&next| time >= next) {
            i += 1;
        }
        let pair = if i + 1 < times.len() { Found::Two(i) } else { held };
        let (at, after) = if time > last {
            (held, held)
        } else {
            (if times[i] == time { Found::One(i) } else { pair }, if time == last { held } else { pair })
        };
        if before != at || at != after {
            out.push(Moment { time, before, at, after });
        }
        before = after;
    }
    out
}

/// How far a time is on the way from key `i` to the next.
pub(super) fn part_of_way(times: &[u32], i: usize, time: f64) -> f64 {
    let (from, to) = (f64::from(times[i]), f64::from(times[i + 1]));
    (time - from) / (to - from)
}

/// The time in seconds that glTF counts in.
#[expect(clippy::cast_possible_truncation, reason = "glTF has times of 32 bits")]
pub(super) fn seconds(milliseconds: u32) -> f32 {
    (f64::from(milliseconds) / 1000.0) as f32
}
