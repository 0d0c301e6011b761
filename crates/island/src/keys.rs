//! Evaluation of the keys of a node at a given time. See [Animation](crate::format#animation).

use core::f64::consts::FRAC_PI_2;

use crate::Node;
use crate::matrix::Matrix;
use crate::raw::{MorphKey, RotationKey, TimeFlags, VectorKey};

/// A translation key without the flag is active if any of its components has a larger absolute value than this.
const REST: f32 = 1e-5;
/// The tolerance within which two quaternions count as equal or opposite, so that they are not interpolated by
/// angle.
const CLOSE: f64 = 1e-5;

impl Node<'_> {
    /// Returns the translation of the node relative to its parent at `t` milliseconds, or `None` if no key moves it.
    /// See [Animation](crate::format#animation).
    pub fn translation(&self, t: f32) -> Option<[f64; 3]> {
        match ActiveKeys::find(self.translations, t) {
            ActiveKeys::One(key) if key.is_active() => Some(vector(key)),
            ActiveKeys::Between(from, to, part) if from.is_active() || to.is_active() => {
                Some(mix(vector(from), vector(to), part))
            }
            _ => None,
        }
    }

    /// Returns the rotation of the node relative to its parent at `t` milliseconds, or `None` if no key turns it. The
    /// quaternion has its scalar first and may have any length. See [Animation](crate::format#animation).
    pub fn rotation(&self, t: f32) -> Option<[f64; 4]> {
        match ActiveKeys::find(self.rotations, t) {
            ActiveKeys::One(key) if key.is_active() => Some(quaternion(key)),
            ActiveKeys::Between(from, to, part) if from.is_active() || to.is_active() => Some(from.toward(to, part)),
            _ => None,
        }
    }

    /// Returns the scale factors of the node along its axes at `t` milliseconds, or `None` if it has no key at or
    /// before that time. See [Animation](crate::format#animation).
    pub fn scale(&self, t: f32) -> Option<[f64; 3]> {
        match ActiveKeys::find(self.scales, t) {
            ActiveKeys::Nothing => None,
            ActiveKeys::One(key) => Some(vector(key)),
            ActiveKeys::Between(from, to, part) => Some(mix(vector(from), vector(to), part)),
        }
    }

    /// Returns whether the node's object is visible at `t` milliseconds, according to the last key up to then.
    /// See [Animation](crate::format#animation).
    pub fn is_visible(&self, t: f32) -> bool {
        match ActiveKeys::find(self.morphs, t) {
            ActiveKeys::Nothing => true,
            ActiveKeys::One(key) | ActiveKeys::Between(key, ..) => key.visible != 0,
        }
    }

    /// Returns the transformation from the node to its parent at `t` milliseconds: scale, then rotation, then
    /// translation. See [Placement](crate::format#placement).
    pub fn local(&self, t: f32) -> Matrix {
        let scale = self.scale(t).map_or(Matrix::IDENTITY, Matrix::scale);
        let turned = match self.rotation(t).and_then(Matrix::from_quaternion) {
            Some(rotation) => scale.then(&rotation),
            None => scale,
        };
        // The origin is set rather than added, so that scale factors that are NaN only affect the axes.
        turned.with_origin(self.translation(t).unwrap_or_default())
    }
}

/// A key with a time.
trait Timed {
    fn when(&self) -> TimeFlags;

    fn time(&self) -> f64 {
        self.when().time().into()
    }

    fn has(&self, flag: u8) -> bool {
        self.when().flags() & flag != 0
    }
}

impl Timed for VectorKey {
    fn when(&self) -> TimeFlags {
        self.when
    }
}

impl Timed for RotationKey {
    fn when(&self) -> TimeFlags {
        self.when
    }
}

impl Timed for MorphKey {
    fn when(&self) -> TimeFlags {
        self.when
    }
}

/// The keys that apply at a time.
enum ActiveKeys<'k, K> {
    /// The time is before the first key, so the node is at rest.
    Nothing,
    One(&'k K),
    /// The previous key, the next key, and the position between them, from 0 to 1.
    Between(&'k K, &'k K, f64),
}

impl<'k, K: Timed> ActiveKeys<'k, K> {
    /// Finds the keys that apply at `t`, the way the game does, which also gives a result for unsorted keys. It takes
    /// the first key whose successor has a later time, so a binary search could give a different result.
    fn find(keys: &'k [K], t: f32) -> Self {
        let t = f64::from(t);
        let (Some(first), Some(last)) = (keys.first(), keys.last()) else { return Self::Nothing };
        if t < first.time() {
            return Self::Nothing;
        }
        if t > last.time() {
            return Self::One(last);
        }
        match keys.iter().zip(keys.iter().skip(1)).find(|(_, next)| t < next.time()) {
            Some((key, next)) if key.time() < t => {
                Self::Between(key, next, (t - key.time()) / (next.time() - key.time()))
            }
            Some((key, _)) => Self::One(key),
            None => Self::One(last),
        }
    }
}

impl VectorKey {
    /// Returns whether a translation key is active: either its flag is set, or its value is not near the origin. As in
    /// the game, NaN counts as near. Scale keys are always active. See [Animation](crate::format#animation).
    pub fn is_active(&self) -> bool {
        self.has(TimeFlags::ACTIVE) || self.value.get().iter().any(|part| part.abs() > REST)
    }
}

impl RotationKey {
    /// Returns whether the key is active: either its flag is set, or its scalar is not exactly 1. Like the game, this
    /// ignores the other three components. See [Animation](crate::format#animation).
    pub fn is_active(&self) -> bool {
        self.has(TimeFlags::ACTIVE) || self.w.get() != 1.0
    }

    /// Returns the interpolated quaternion at `part` (0 to 1) of the way to the next key, with its scalar first and of
    /// any length. The flags of the next key control the interpolation. See [Animation](crate::format#animation).
    pub fn toward(&self, next: &Self, part: f64) -> [f64; 4] {
        let a = quaternion(self);
        if next.has(TimeFlags::HOLD) {
            return a;
        }
        let b = quaternion(next);
        slerp(a, if next.has(TimeFlags::NEGATE) { b.map(|part| -part) } else { b }, part)
    }
}

fn vector(key: &VectorKey) -> [f64; 3] {
    key.value.get().map(f64::from)
}

fn quaternion(key: &RotationKey) -> [f64; 4] {
    key.get().map(f64::from)
}

const fn mix([ax, ay, az]: [f64; 3], [bx, by, bz]: [f64; 3], part: f64) -> [f64; 3] {
    [ax + (bx - ax) * part, ay + (by - ay) * part, az + (bz - az) * part]
}

/// Interpolates between two quaternions the way the game does. It does not necessarily take the shorter arc, and
/// does not normalize lengths.
fn slerp(a: [f64; 4], b: [f64; 4], part: f64) -> [f64; 4] {
    let ([aw, ax, ay, az], [bw, bx, by, bz]) = (a, b);
    let cosine = aw * bw + ax * bx + ay * by + az * bz;
    let rest = 1.0 - part;
    if cosine + 1.0 > CLOSE {
        let (p, q) = if 1.0 - cosine > CLOSE {
            let angle = cosine.acos();
            ((rest * angle).sin() / angle.sin(), (part * angle).sin() / angle.sin())
        } else {
            (rest, part)
        };
        return [aw * p + bw * q, ax * p + bx * q, ay * p + by * q, az * p + bz * q];
    }
    // Opposite quaternions have no unique arc between them, so the game replaces the second with one perpendicular to
    // the first. Its loop skips the last component, the scalar, which stays that of the replacement: the z of the
    // first.
    let (p, q) = ((rest * FRAC_PI_2).sin(), (part * FRAC_PI_2).sin());
    [az, ax * p - ay * q, ay * p + ax * q, az * p - aw * q]
}
