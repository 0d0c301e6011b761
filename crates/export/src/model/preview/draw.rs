//! Draws a scene.

use std::collections::HashMap;
use std::f64::consts::FRAC_PI_6;

use worldview_core::Limit;
use worldview_island::{Library, TextureAt};

use super::Options;
use super::camera::{Camera, Extent, Seen, Vector, cross, dot, minus, unit};
use super::raster::{Canvas, Corner, Paint, Texture, doubled_area};
use crate::model::glb::draft::{Draft, Look, Piece, Placed, Shape};
use crate::{Error, Result};

/// Maximum number of vertices, triangles and lines. Those of a shape count each time it is drawn.
const MOST_WORK: u64 = 1 << 20;
/// How often the picture may be painted over.
const LAYERS: u64 = 32;
/// Pixels of the canvas per pixel of the picture, in each direction.
const SAMPLES: usize = 2;
/// Points farther from the origin are ignored, because nothing else would be visible next to them.
const FAR: f64 = 1e15;

/// The elevation of the camera.
#[derive(Clone, Copy, Debug)]
pub(super) enum Tilt {
    /// Seen like an object on a table.
    Object,
    /// Seen like a landscape.
    World,
}

impl Tilt {
    const fn radians(self) -> f64 {
        match self {
            Self::Object => 0.40,
            Self::World => 0.62,
        }
    }
}

/// Validated options.
pub(super) struct View {
    /// Width and height in pixels.
    pub(super) size: usize,
    tilt: Tilt,
}

impl View {
    pub(super) fn checked(options: &Options, tilt: Tilt) -> Result<Self> {
        let (need, limit) = (options.size.into(), Options::MOST_SIZE.into());
        if need == 0 {
            return Err(Error::Nothing { what: "pixels in a preview of that size" });
        }
        if need > limit {
            return Err(Error::Limit { of: Limit::Capacity, what: "the size of a preview", need, limit });
        }
        Ok(Self { size: usize::try_from(options.size).unwrap_or(usize::MAX), tilt })
    }

    /// Returns the camera, to the right of the front.
    fn camera(&self, extent: &Extent) -> Camera {
        Camera::new(extent.middle(), extent.radius(), (FRAC_PI_6, self.tilt.radians()))
    }
}

/// A finished picture.
pub(super) struct Drawn {
    /// Red, green, blue and opacity in row order.
    pub(super) pixels: Vec<[u8; 4]>,
    pub(super) triangles: u64,
    pub(super) left_out: u64,
}

/// A placed shape and its material.
struct Instance<'s> {
    shape: &'s Shape,
    placed: &'s Placed,
    look: &'s Look,
}

impl Instance<'_> {
    /// Returns the number of triangles or lines.
    fn count(&self) -> u64 {
        (self.shape.indices.len() / if self.shape.lines { 2 } else { 3 }) as u64
    }

    /// Returns the cost of drawing the instance.
    fn work(&self) -> u64 {
        self.count() + self.shape.positions.len() as u64
    }

    /// Returns the positions of the vertices; `None` for those that are ignored.
    fn places(&self) -> impl Iterator<Item = Option<Vector>> {
        self.shape.positions.iter().map(|position| {
            let at = self.placed.pose.apply(position.map(f64::from));
            at.iter().all(|part| part.abs() < FAR).then_some(at)
        })
    }
}

/// Draws the scene.
pub(super) fn draw(library: &Library<'_, '_>, draft: &Draft, view: &View) -> Result<Drawn> {
    let (instances, too_many) = instances(draft);
    if instances.is_empty() && too_many > 0 {
        let what = "the triangles of a preview";
        return Err(Error::Limit { of: Limit::Work, what, need: too_many, limit: MOST_WORK });
    }
    let triangles = instances.iter().map(Instance::count).sum();
    let mut extent = Extent::NONE;
    instances.iter().flat_map(Instance::places).flatten().for_each(|place| extent.add(place));
    // Without any vertex, the extent is not finite.
    if !extent.radius().is_finite() || triangles == 0 {
        return Err(Error::Nothing { what: "triangle to draw" });
    }
    let camera = view.camera(&extent);
    let textures = Textures::of(library, &instances);
    let mut canvas = Canvas::new(view.size * SAMPLES, LAYERS);
    let lens = Lens::around(&instances, &camera, canvas.side());
    let left_out = too_many.saturating_add(paint(&instances, &textures, (&camera, &lens), &mut canvas));
    Ok(Drawn { pixels: shrink(&canvas, view.size), triangles, left_out })
}

/// Returns the instances that can be drawn, and the number of triangles that are omitted.
fn instances(draft: &Draft) -> (Vec<Instance<'_>>, u64) {
    let any_seen = draft.placed.iter().any(|placed| placed.seen);
    let instance = |placed, piece: &Piece| {
        let (shape, look) = (&draft.shapes[piece.shape], &draft.looks[piece.look]);
        Instance { shape, placed, look }
    };
    let (mut out, mut work, mut left_out) = (Vec::new(), 0, 0_u64);
    // A mesh that is too large once is too large for each of its placements, of which there can be many.
    let mut too_large: HashMap<usize, u64> = HashMap::new();
    for placed in draft.placed.iter().filter(|placed| placed.seen || !any_seen) {
        if let Some(count) = too_large.get(&placed.mesh) {
            left_out = left_out.saturating_add(*count);
            continue;
        }
        let mut left = 0;
        for instance in draft.meshes[placed.mesh].iter().map(|piece| instance(placed, piece)) {
            if work + instance.work() > MOST_WORK {
                left += instance.count();
                continue;
            }
            work += instance.work();
            out.push(instance);
        }
        if left > 0 {
            left_out = left_out.saturating_add(left);
            let all = draft.meshes[placed.mesh].iter().map(|piece| instance(placed, piece).count());
            too_large.insert(placed.mesh, all.sum());
        }
    }
    (out, left_out)
}

/// The textures of all instances.
struct Textures<'a>(HashMap<TextureAt, Image<'a>>);

struct Image<'a> {
    width: usize,
    height: usize,
    pixels: &'a [u8],
    /// One color for every possible index, so that no pixel needs a bounds check.
    colors: Box<[[u8; 3]; 256]>,
}

impl<'a> Textures<'a> {
    fn of(library: &Library<'_, 'a>, instances: &[Instance<'_>]) -> Self {
        let mut all = HashMap::new();
        for at in instances.iter().filter_map(|instance| instance.look.texture) {
            if all.contains_key(&at) {
                continue;
            }
            let Some(image) = library.texture_at(at).map(|texture| texture.high()) else { continue };
            let mut colors = Box::new([[0; 3]; 256]);
            for (color, index) in colors.iter_mut().zip(0..=u8::MAX) {
                *color = image.color(index);
            }
            let side = |side| usize::try_from(side).unwrap_or(0);
            let (width, height) = (side(image.width), side(image.height));
            all.insert(at, Image { width, height, pixels: image.pixels, colors });
        }
        Self(all)
    }

    fn paint(&self, look: &Look) -> Paint<'_> {
        let texture = look.texture.and_then(|at| self.0.get(&at)).map(|image| {
            let Image { width, height, pixels, colors } = image;
            Texture { width: *width, height: *height, pixels, colors }
        });
        Paint { color: look.color, opacity: look.opacity, texture }
    }
}

/// The conversion from projected points to pixels.
struct Lens {
    scale: f64,
    /// The projected point at the center of the picture.
    middle: (f64, f64),
    half: f64,
}

impl Lens {
    /// Creates a lens with which the picture shows everything, with a small margin.
    fn around(instances: &[Instance<'_>], camera: &Camera, side: usize) -> Self {
        const FILLED: f64 = 0.94;

        let mut extent = Extent::NONE;
        for place in instances.iter().flat_map(Instance::places).flatten() {
            let seen = camera.see(place);
            extent.add([seen.x, seen.y, 0.0]);
        }
        let [x, y, _] = extent.middle();
        let [wide, high, _] = extent.corner();
        let larger = wide.max(high);
        let half = f64::from(u32::try_from(side).unwrap_or(0)) / 2.0;
        Self { scale: if larger > 0.0 { half * FILLED / larger } else { 1.0 }, middle: (x, y), half }
    }

    fn corner(&self, seen: &Seen, light: f64, uv: [f32; 2]) -> Corner {
        let x = self.half + (seen.x - self.middle.0) * self.scale;
        let y = self.half - (seen.y - self.middle.1) * self.scale;
        Corner { x, y, near: seen.near, light, uv: uv.map(f64::from) }
    }
}

/// Lights near the camera.
struct Lamps {
    sun: Vector,
    up: Vector,
}

impl Lamps {
    fn of(camera: &Camera) -> Self {
        Self { sun: camera.direction(unit([-0.5, 0.75, 0.65])), up: [0.0, 1.0, 0.0] }
    }

    /// Returns the brightness of a surface with this unit normal.
    fn on(&self, normal: Vector) -> f64 {
        0.58 + 0.12 * dot(normal, self.up) + 0.42 * dot(normal, self.sun).max(0.0)
    }
}

/// A blended triangle, which has to be drawn after all opaque ones.
struct Glass<'i> {
    corners: [Corner; 3],
    paint: Paint<'i>,
}

impl Glass<'_> {
    fn near(&self) -> f64 {
        self.corners.iter().map(|corner| corner.near).sum()
    }
}

/// Draws everything, and returns the number of triangles and lines that exceeded the budget.
fn paint(instances: &[Instance<'_>], textures: &Textures<'_>, eye: (&Camera, &Lens), canvas: &mut Canvas) -> u64 {
    let (camera, lens) = eye;
    let lamps = Lamps::of(camera);
    let mut left_out = 0;
    let mut glass = Vec::new();
    let (mut places, mut corners) = (Vec::new(), Vec::new());
    for instance in instances {
        let shape = instance.shape;
        let paint = textures.paint(instance.look);
        let (normals, flips) = instance.placed.pose.normals();
        places.clear();
        places.extend(instance.places());
        corners.clear();
        corners.extend(places.iter().enumerate().map(|(i, place)| {
            let normal = shape.normals.get(i).map(|normal| unit(normals.apply(normal.map(f64::from))));
            let light = normal.map_or(1.0, |normal| lamps.on(normal));
            let uv = shape.uvs.get(i).copied().unwrap_or_default();
            place.as_ref().map(|place| lens.corner(&camera.see(*place), light, uv))
        }));
        if shape.lines {
            let (lines, _) = shape.indices.as_chunks::<2>();
            for ends in lines {
                let [Some(from), Some(to)] = ends.map(|i| corners[usize::from(i)]) else { continue };
                left_out += u64::from(!canvas.line(&[from, to], &paint));
            }
            continue;
        }
        let (triangles, _) = shape.indices.as_chunks::<3>();
        for triangle in triangles {
            let triangle = triangle.map(usize::from);
            let [Some(a), Some(b), Some(c)] = triangle.map(|i| corners[i]) else { continue };
            let mut seen = [a, b, c];
            if (doubled_area(&seen) > 0.0) != flips {
                continue;
            }
            if shape.normals.is_empty()
                && let [Some(a), Some(b), Some(c)] = triangle.map(|i| places[i])
            {
                let normal = unit(cross(minus(b, a), minus(c, a)));
                let light = lamps.on(if flips { normal.map(|part| -part) } else { normal });
                seen = seen.map(|corner| Corner { light, ..corner });
            }
            if paint.opacity < 1.0 {
                glass.push(Glass { corners: seen, paint });
            } else {
                left_out += u64::from(!canvas.triangle(&seen, &paint));
            }
        }
    }
    glass.sort_by(|a, b| a.near().total_cmp(&b.near()));
    left_out + glass.iter().map(|glass| u64::from(!canvas.triangle(&glass.corners, &glass.paint))).sum::<u64>()
}

/// Returns the pixels of the picture, each the average of several on the canvas.
fn shrink(canvas: &Canvas, size: usize) -> Vec<[u8; 4]> {
    let mut pixels = Vec::with_capacity(size * size);
    for y in 0..size {
        for x in 0..size {
            let (mut sums, mut count) = ([0_u32; 4], 0);
            for row in 0..SAMPLES {
                let start = (y * SAMPLES + row) * canvas.side() + x * SAMPLES;
                for pixel in &canvas.pixels[start..start + SAMPLES] {
                    count += 1;
                    for (sum, part) in sums.iter_mut().zip(pixel) {
                        *sum += u32::from(*part);
                    }
                }
            }
            let [red, green, blue, opacity] = sums;
            // The colors are premultiplied.
            let part = |sum: u32| byte((sum * 255 + opacity / 2).checked_div(opacity).unwrap_or(0));
            pixels.push([part(red), part(green), part(blue), byte((opacity + count / 2) / count)]);
        }
    }
    pixels
}

fn byte(value: u32) -> u8 {
    u8::try_from(value).unwrap_or(u8::MAX)
}
