//! What the keys of a node say at a time. `docs/formats/island.md`, Animation.

use core::f64::consts::FRAC_PI_2;

use crate::Node;
use crate::matrix::Matrix;
use crate::raw::{MorphKey, RotationKey, TimeFlags, VectorKey};

/// A translation key without the flag does something if it goes farther than this along an axis.
const REST: f32 = 1e-5;
/// Quaternions that are closer to equal or to opposite than this are not weighted by their angle.
const CLOSE: f64 = 1e-5;

impl Node<'_> {
    /// Where the node is from its parent at a time in milliseconds; `None` if no key moves it.
    /// `docs/formats/island.md`, Animation.
    pub fn translation(&self, t: f32) -> Option<[f64; 3]> {
        match Found::at(self.translations, t) {
            Found::One(key) if key.is_active() => Some(vector(key)),
            Found::Between(from, to, part) if from.is_active() || to.is_active() => {
                Some(mix(vector(from), vector(to), part))
            }
            _ => None,
        }
    }

    /// How the node is turned from its parent at a time in milliseconds: a quaternion of any length, its scalar first;
    /// `None` if no key turns it. `docs/formats/island.md`, Animation.
    pub fn rotation(&self, t: f32) -> Option<[f64; 4]> {
        match Found::at(self.rotations, t) {
            Found::One(key) if key.is_active() => Some(quaternion(key)),
            Found::Between(from, to, part) if from.is_active() || to.is_active() => Some(from.toward(to, part)),
            _ => None,
        }
    }

    /// The factors that the node is stretched by along its axes at a time in milliseconds; `None` if it has no key by
    /// then. `docs/formats/island.md`, Animation.
    pub fn scale(&self, t: f32) -> Option<[f64; 3]> {
        match Found::at(self.scales, t) {
            Found::Nothing => None,
            Found::One(key) => Some(vector(key)),
            Found::Between(from, to, part) => Some(mix(vector(from), vector(to), part)),
        }
    }

    /// Whether the node's object is seen at a time in milliseconds, as the last key by then says.
    /// `docs/formats/island.md`, Animation.
    pub fn is_visible(&self, t: f32) -> bool {
        match Found::at(self.morphs, t) {
            Found::Nothing => true,
            Found::One(key) | Found::Between(key, ..) => key.visible != 0,
        }
    }

    /// From the node to its parent at a time in milliseconds: stretched, then turned, then moved.
    /// `docs/formats/island.md`, Placement.
    pub fn local(&self, t: f32) -> Matrix {
        let scale = self.scale(t).map_or(Matrix::IDENTITY, Matrix::scale);
        let turned = match self.rotation(t).and_then(Matrix::from_quaternion) {
            Some(rotation) => scale.then(&rotation),
            None => scale,
        };
        // Put there and not added: factors that are no number spoil the axes alone.
        turned.with_origin(self.translation(t).unwrap_or_default())
    }
}

/// What has a time.
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

/// The keys that matter at a time.
enum Found<'k, K> {
    /// Before the first key a node is at rest.
    Nothing,
    One(&'k K),
    /// The first, the second, and how much of the way between them is gone: between 0 and 1.
    Between(&'k K, &'k K, f64),
}

impl<'k, K: Timed> Found<'k, K> {
    /// The game's own search, which finds something among keys that are out of order, too: the order of times decides
    /// nothing, but which key is the first to be followed by a later time. So there is no halving here.
    fn at(keys: &'k [K], t: f32) -> Self {
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
    /// Whether a key of a translation does something, by its flag or because it is not near the origin; a number that
    /// is none is not far from 0 for the game. Keys of a scale always do. `docs/formats/island.md`, Animation.
    pub fn is_active(&self) -> bool {
        self.has(TimeFlags::ACTIVE) || self.value.get().iter().any(|part| part.abs() > REST)
    }
}

impl RotationKey {
    /// Whether the key does something, by its flag or its value, of which the game looks at the scalar alone, and for 1
    /// exactly. `docs/formats/island.md`, Animation.
    pub fn is_active(&self) -> bool {
        self.has(TimeFlags::ACTIVE) || self.w.get() != 1.0
    }

    /// The quaternion on the way to the next key, its scalar first and of any length, when `part` of the way is gone; the
    /// flags of the next key say how to get there. `docs/formats/island.md`, Animation.
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

/// The way of the game from one quaternion to another, which need not be the shorter one, nor of one length.
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
    // Between opposite ones there is no shortest way, so the game takes a third, at right angles to the first, for the
    // second; its loop forgets the last part, the scalar, which stays that of the third: the z of the first.
    let (p, q) = ((rest * FRAC_PI_2).sin(), (part * FRAC_PI_2).sin());
    [az, ax * p - ay * q, ay * p + ax * q, az * p - aw * q]
}
