//! Boxes, lathes, balls and sheets.

use super::{Corner, Shape, Vector, cross, minus, sin_cos, unit};

impl Shape {
    /// Adds a flat quadrilateral. Its corners are clockwise as seen from the side that its normal points to; the axes
    /// are left-handed.
    pub(in crate::island) fn quad(&mut self, paint: usize, corners: [Vector; 4], uvs: [[f64; 2]; 4]) -> &mut Self {
        let normal = unit(cross(minus(corners[1], corners[0]), minus(corners[2], corners[0])));
        let corner = |i: usize| Corner { position: corners[i], normal, uv: uvs[i] };
        self.face(paint, [corner(0), corner(1), corner(2)]);
        self.face(paint, [corner(0), corner(2), corner(3)]);
        self
    }

    /// Returns a box; each side shows the texture once.
    pub(in crate::island) fn cuboid(low: Vector, high: Vector, paint: usize) -> Self {
        let mut out = Self::default();
        let uvs = [[0.0, 1.0], [0.0, 0.0], [1.0, 0.0], [1.0, 1.0]];
        for axis in 0..3 {
            // The other two axes, in cyclic order.
            let (a, b) = ((axis + 1) % 3, (axis + 2) % 3);
            for (side, at) in [(0, low[axis]), (1, high[axis])] {
                let point = |u: f64, v: f64| {
                    let mut out = [at; 3];
                    (out[a], out[b]) = (u, v);
                    out
                };
                let ring =
                    [point(low[a], low[b]), point(high[a], low[b]), point(high[a], high[b]), point(low[a], high[b])];
                // The reversed ring faces the opposite way.
                let [p, q, r, s] = ring;
                let ring = if side == 1 { [p, q, r, s] } else { [p, s, r, q] };
                // Start at a bottom corner whose successor is above it, so that the texture is upright.
                let start = (0..4).find(|&i| ring[i][1] < ring[(i + 1) % 4][1]).unwrap_or(0);
                out.quad(paint, [0, 1, 2, 3].map(|i| ring[(start + i) % 4]), uvs);
            }
        }
        out
    }

    /// Returns a profile of radii and heights, listed from bottom to top, rotated about the vertical axis.
    pub(in crate::island) fn lathe(profile: &[(f64, f64)], segments: u32, smooth: bool, paint: usize) -> Self {
        let mut out = Self::default();
        let rings = f64::from(u32::try_from(profile.len()).unwrap_or(2)) - 1.0;
        let point = |(radius, height): (f64, f64), turns: f64| {
            let (sin, cos) = sin_cos(turns);
            [radius * sin, height, radius * cos]
        };
        for (i, pair) in (0_u32..).zip(profile.windows(2)) {
            let (low, high) = (pair[0], pair[1]);
            // Perpendicular to the profile, away from the axis.
            let (across, up) = (high.1 - low.1, low.0 - high.0);
            let normal = |turns: f64| {
                let (sin, cos) = sin_cos(turns);
                unit([across * sin, up, across * cos])
            };
            for segment in 0..segments {
                let turn = |k: u32| f64::from(k) / f64::from(segments);
                let (a, b) = (turn(segment), turn(segment + 1));
                let v = |k: u32| 1.0 - f64::from(k) / rings;
                let corner = |turns: f64, end: (f64, f64), k: u32| Corner {
                    position: point(end, turns),
                    normal: if smooth { normal(turns) } else { normal((a + b) / 2.0) },
                    uv: [turns, v(k)],
                };
                let ring = [corner(a, low, i), corner(b, low, i), corner(b, high, i + 1), corner(a, high, i + 1)];
                if low.0 > 0.0 {
                    out.face(paint, [ring[0], ring[1], ring[2]]);
                }
                if high.0 > 0.0 {
                    out.face(paint, [ring[0], ring[2], ring[3]]);
                }
            }
        }
        out
    }

    /// Returns a smooth ball of radius 1.
    pub(in crate::island) fn ball(rings: u32, segments: u32, paint: usize) -> Self {
        let mut out = Self::default();
        let corner = |ring: u32, segment: u32| {
            let (v, u) = (f64::from(ring) / f64::from(rings), f64::from(segment) / f64::from(segments));
            let ((radius, height), (sin, cos)) = (sin_cos(v / 2.0), sin_cos(u));
            let position = [radius * sin, -height, radius * cos];
            Corner { position, normal: position, uv: [u, 1.0 - v] }
        };
        for ring in 0..rings {
            for segment in 0..segments {
                let [a, b] = [corner(ring, segment), corner(ring, segment + 1)];
                let [c, d] = [corner(ring + 1, segment + 1), corner(ring + 1, segment)];
                if ring > 0 {
                    out.face(paint, [a, b, c]);
                }
                if ring + 1 < rings {
                    out.face(paint, [a, c, d]);
                }
            }
        }
        out
    }

    /// Returns a sheet of `wide` by `long` cells between 0 and 1, whose height is given by a closure. The texture
    /// repeats `repeat` times.
    pub(in crate::island) fn sheet(
        (wide, long): (u32, u32),
        repeat: f64,
        paint: impl Fn(f64, f64) -> usize,
        height: impl Fn(f64, f64) -> f64,
    ) -> Self {
        let mut out = Self::default();
        let corner = |i: u32, k: u32| {
            let (x, z) = (f64::from(i) / f64::from(wide), f64::from(k) / f64::from(long));
            let step = 0.5 / f64::from(wide.max(long));
            let slope = |dx: f64, dz: f64| (height(x + dx, z + dz) - height(x - dx, z - dz)) / (2.0 * step);
            let normal = unit([-slope(step, 0.0), 1.0, -slope(0.0, step)]);
            Corner { position: [x, height(x, z), z], normal, uv: [x * repeat, (1.0 - z) * repeat] }
        };
        for i in 0..wide {
            for k in 0..long {
                let middle = ((f64::from(i) + 0.5) / f64::from(wide), (f64::from(k) + 0.5) / f64::from(long));
                let paint = paint(middle.0, middle.1);
                let [a, b, c, d] = [corner(i, k), corner(i, k + 1), corner(i + 1, k + 1), corner(i + 1, k)];
                out.face(paint, [a, b, c]);
                out.face(paint, [a, c, d]);
            }
        }
        out
    }
}
