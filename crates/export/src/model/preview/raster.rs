//! Rasterization of triangles and lines.

/// A projected vertex, in pixels from the top left.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Corner {
    pub(super) x: f64,
    pub(super) y: f64,
    /// The reciprocal of the distance.
    pub(super) near: f64,
    /// The brightness.
    pub(super) light: f64,
    pub(super) uv: [f64; 2],
}

/// The material of a triangle.
#[derive(Clone, Copy)]
pub(super) struct Paint<'p> {
    pub(super) color: [u8; 3],
    pub(super) opacity: f32,
    pub(super) texture: Option<Texture<'p>>,
}

/// A texture with repeat wrapping.
#[derive(Clone, Copy)]
pub(super) struct Texture<'p> {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) pixels: &'p [u8],
    pub(super) colors: &'p [[u8; 3]; 256],
}

impl Texture<'_> {
    fn color(&self, u: f32, v: f32) -> [u8; 3] {
        let (x, y) = (place(u, self.width), place(v, self.height));
        self.colors[usize::from(self.pixels.get(y * self.width + x).copied().unwrap_or_default())]
    }
}

/// Returns the pixel at a texture coordinate, where 1 is the length of the side.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "the cast to an integer saturates, and makes 0 of what is no number"
)]
fn place(coordinate: f32, side: usize) -> usize {
    let part = (coordinate - coordinate.floor()) * side as f32;
    (part as usize).min(side.saturating_sub(1))
}

/// A square canvas.
pub(super) struct Canvas {
    side: usize,
    /// Premultiplied red, green and blue, and the opacity.
    pub(super) pixels: Vec<[u8; 4]>,
    near: Vec<f32>,
    /// The number of pixels that may still be painted.
    left: u64,
}

impl Canvas {
    /// The minimum cost of a triangle or line, in pixels.
    const SETUP: u64 = 8;

    /// Creates an empty canvas, which can be painted over this often.
    pub(super) fn new(side: usize, layers: u64) -> Self {
        let count = side * side;
        Self { side, pixels: vec![[0; 4]; count], near: vec![0.0; count], left: count as u64 * layers }
    }

    pub(super) fn side(&self) -> usize {
        self.side
    }

    fn spend(&mut self, pixels: u64) -> bool {
        match self.left.checked_sub(pixels) {
            Some(left) => {
                self.left = left;
                true
            }
            None => false,
        }
    }

    /// Paints a triangle, in front of anything farther away. Returns false if the budget is exhausted.
    ///
    /// Blended triangles do not hide anything behind them.
    pub(super) fn triangle(&mut self, corners: &[Corner; 3], paint: &Paint<'_>) -> bool {
        if !self.spend(Self::SETUP) {
            return false;
        }
        let Some(plane) = Plane::of(corners) else { return true };
        let mut order = *corners;
        order.sort_by(|a, b| a.y.total_cmp(&b.y));
        let [top, middle, bottom] = order;
        for y in first(top.y)..first(bottom.y).min(self.side) {
            let at = center(y);
            let long = crossing(&top, &bottom, at);
            let short = if at < middle.y { crossing(&top, &middle, at) } else { crossing(&middle, &bottom, at) };
            let (start, end) = (first(long.min(short)), first(long.max(short)).min(self.side));
            let Some(length) = end.checked_sub(start).filter(|&length| length > 0) else {
                if !self.spend(1) {
                    return false;
                }
                continue;
            };
            if !self.spend(1 + length as u64) {
                return false;
            }
            self.span(y, start..end, &plane, paint);
        }
        true
    }

    #[expect(clippy::cast_possible_truncation, reason = "a picture has colors of 8 bits and depths of 32")]
    fn span(&mut self, y: usize, columns: std::ops::Range<usize>, plane: &Plane, paint: &Paint<'_>) {
        let row = y * self.side;
        let mut at = plane.at(center(columns.start), center(y));
        let opaque = paint.opacity >= 1.0;
        for i in row + columns.start..row + columns.end {
            let near = at[0].clamp(plane.nearest.0, plane.nearest.1);
            if near as f32 > self.near[i] {
                // A single division; drawing spends most of its time here.
                let far = 1.0 / near;
                let base = match &paint.texture {
                    Some(texture) => texture.color((at[2] * far) as f32, (at[3] * far) as f32),
                    None => paint.color,
                };
                let light = ((at[1] * far) as f32).clamp(0.0, 2.0);
                let color = base.map(|part| f32::from(part) * light);
                if opaque {
                    self.near[i] = near as f32;
                    let [red, green, blue] = color.map(byte);
                    self.pixels[i] = [red, green, blue, 0xFF];
                } else {
                    blend(&mut self.pixels[i], color.map(|part| part.min(255.0)), paint.opacity);
                }
            }
            for (value, step) in at.iter_mut().zip(plane.across) {
                *value += step;
            }
        }
    }

    /// Paints a line with a width of two pixels. Returns false if the budget is exhausted.
    pub(super) fn line(&mut self, [from, to]: &[Corner; 2], paint: &Paint<'_>) -> bool {
        let (dx, dy) = (to.x - from.x, to.y - from.y);
        let steps = index(dx.abs().max(dy.abs()).ceil()).clamp(1, 4 * self.side);
        if !self.spend(Self::SETUP + 4 * steps as u64) {
            return false;
        }
        for step in 0..=steps {
            let part = ratio(step, steps);
            let near = narrow(from.near + (to.near - from.near) * part);
            let (x, y) = (from.x + dx * part - 0.5, from.y + dy * part - 0.5);
            for (x, y) in [(x, y), (x + 1.0, y), (x, y + 1.0), (x + 1.0, y + 1.0)] {
                let (x, y) = (index(x), index(y));
                let i = y * self.side + x;
                if x < self.side && y < self.side && near > self.near[i] {
                    if paint.opacity >= 1.0 {
                        self.near[i] = near;
                        let [red, green, blue] = paint.color;
                        self.pixels[i] = [red, green, blue, 0xFF];
                    } else {
                        blend(&mut self.pixels[i], paint.color.map(f32::from), paint.opacity);
                    }
                }
            }
        }
        true
    }
}

/// The values that are linear over a triangle: the reciprocal distance, and its products with the brightness and the
/// texture coordinates.
struct Plane {
    across: [f64; 4],
    down: [f64; 4],
    origin: [f64; 4],
    from: (f64, f64),
    /// The range of the reciprocal distance, which rounding must not exceed for thin triangles.
    nearest: (f64, f64),
}

impl Plane {
    /// Returns `None` for a triangle without an area.
    fn of(corners: &[Corner; 3]) -> Option<Self> {
        let [a, b, c] = corners;
        let area = doubled_area(corners);
        if area.abs() < 1e-9 || !area.is_finite() {
            return None;
        }
        let values =
            corners.map(|corner| [1.0, corner.light, corner.uv[0], corner.uv[1]].map(|value| value * corner.near));
        let ([to_b, to_c], [values, ..]) = ([1, 2].map(|to| difference(values[to], values[0])), values);
        let across = std::array::from_fn(|i| (to_b[i] * (c.y - a.y) - to_c[i] * (b.y - a.y)) / area);
        let down = std::array::from_fn(|i| (to_c[i] * (b.x - a.x) - to_b[i] * (c.x - a.x)) / area);
        let (least, most) = (a.near.min(b.near).min(c.near), a.near.max(b.near).max(c.near));
        Some(Self { across, down, origin: values, from: (a.x, a.y), nearest: (least, most) })
    }

    fn at(&self, x: f64, y: f64) -> [f64; 4] {
        let (x, y) = (x - self.from.0, y - self.from.1);
        std::array::from_fn(|i| self.origin[i] + self.across[i] * x + self.down[i] * y)
    }
}

fn difference(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    std::array::from_fn(|i| a[i] - b[i])
}

/// Returns twice the signed area, which is negative for counterclockwise vertices as seen on the screen.
pub(super) fn doubled_area([a, b, c]: &[Corner; 3]) -> f64 {
    (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y)
}

/// Returns where a line from an upper to a lower vertex crosses a row.
fn crossing(above: &Corner, below: &Corner, y: f64) -> f64 {
    let height = below.y - above.y;
    if height > 0.0 { above.x + (below.x - above.x) * ((y - above.y) / height) } else { above.x }
}

/// Returns the first pixel whose center is not before `at`. Triangles that share an edge therefore neither overlap
/// nor leave a gap.
fn first(at: f64) -> usize {
    index((at - 0.5).ceil())
}

#[expect(clippy::cast_precision_loss, reason = "pictures are small")]
fn center(pixel: usize) -> f64 {
    pixel as f64 + 0.5
}

#[expect(clippy::cast_precision_loss, reason = "pictures are small")]
fn ratio(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the cast to an integer saturates")]
fn index(at: f64) -> usize {
    at as usize
}

#[expect(clippy::cast_possible_truncation, reason = "a depth has 32 bits")]
fn narrow(value: f64) -> f32 {
    value as f32
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the cast to an integer saturates")]
fn byte(value: f32) -> u8 {
    (value + 0.5) as u8
}

/// Blends a color over a pixel.
fn blend(pixel: &mut [u8; 4], color: [f32; 3], opacity: f32) {
    let above = [color[0], color[1], color[2], 255.0].map(|part| part * opacity);
    for (below, above) in pixel.iter_mut().zip(above) {
        *below = byte(f32::from(*below) * (1.0 - opacity) + above);
    }
}
