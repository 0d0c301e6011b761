use worldview_corpus::island::build::build;
use worldview_corpus::island::spec::{
    BlobSpec, CornerSpec, DatabaseSpec, LodSpec, MeshSpec, ModelRefSpec, ModelSpec, WorldSpec,
};
use worldview_export::Result;
use worldview_export::model::preview::{self, Options, Report};
use worldview_island::{Contents, Database, Library, Scope};

/// A decoded picture of models.
pub(crate) struct Picture {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) color: png::ColorType,
    pixels: Vec<[u8; 4]>,
}

impl Picture {
    pub(crate) fn decode(bytes: &[u8]) -> Self {
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        let mut data = vec![0; reader.output_buffer_size().unwrap()];
        let frame = reader.next_frame(&mut data).unwrap();
        reader.finish().unwrap();
        let info = reader.info();
        let pixels = match frame.color_type {
            png::ColorType::Indexed => {
                let (palette, trns) = (info.palette.as_ref().unwrap(), info.trns.as_ref());
                let color = |&index: &u8| {
                    let at = usize::from(index);
                    let opacity = trns.and_then(|trns| trns.get(at)).copied().unwrap_or(255);
                    [palette[3 * at], palette[3 * at + 1], palette[3 * at + 2], opacity]
                };
                data.iter().map(color).collect()
            }
            png::ColorType::Rgba => data.chunks(4).map(|part| part.try_into().unwrap()).collect(),
            png::ColorType::Rgb => data.chunks(3).map(|part| [part[0], part[1], part[2], 255]).collect(),
            other => panic!("{other:?}"),
        };
        let (width, height) = (frame.width as usize, frame.height as usize);
        Self { width, height, color: frame.color_type, pixels }
    }

    pub(crate) fn at(&self, x: usize, y: usize) -> [u8; 4] {
        assert!(x < self.width && y < self.height);
        self.pixels[y * self.width + x]
    }

    /// Returns the pixel at fractions of the width and height.
    pub(crate) fn part(&self, x: f64, y: f64) -> [u8; 4] {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "small"
        )]
        let scaled = |part: f64| (part * self.height as f64) as usize;
        self.at(scaled(x), scaled(y))
    }

    /// Returns the number of pixels that are not fully transparent.
    pub(crate) fn filled(&self) -> usize {
        self.pixels.iter().filter(|pixel| pixel[3] > 0).count()
    }

    /// Returns the first and last column and row that are not empty.
    pub(crate) fn bounds(&self) -> [usize; 4] {
        let all = (0..self.height).flat_map(|y| (0..self.width).map(move |x| (x, y)));
        let filled: Vec<_> = all.filter(|&(x, y)| self.at(x, y)[3] > 0).collect();
        let range = |side: &dyn Fn(&(usize, usize)) -> usize| {
            [filled.iter().map(side).min().unwrap(), filled.iter().map(side).max().unwrap()]
        };
        let ([left, right], [top, bottom]) = (range(&|at| at.0), range(&|at| at.1));
        [left, right, top, bottom]
    }
}

/// Returns which of the test colors a lit pixel has.
pub(crate) fn hue([red, green, blue, opacity]: [u8; 4]) -> &'static str {
    if opacity == 0 {
        return "nothing";
    }
    match [red, green, blue].map(|part| part > 70) {
        [true, false, false] => "red",
        [false, true, false] => "green",
        [false, false, true] => "blue",
        [true, true, false] => "yellow",
        [true, true, true] => "white",
        _ => "other",
    }
}

pub(crate) const RED: [u8; 3] = [230, 10, 10];
pub(crate) const GREEN: [u8; 3] = [10, 230, 10];
pub(crate) const BLUE: [u8; 3] = [10, 10, 230];
pub(crate) const YELLOW: [u8; 3] = [230, 230, 10];
pub(crate) const WHITE: [u8; 3] = [230, 230, 230];

/// Adds a flat-shaded square that faces +z, given its center, half its side, and its color.
pub(crate) fn square(lod: &mut LodSpec, [x, y, z]: [f32; 3], half: f32, color: [u8; 3]) {
    let corners = [[-half, -half], [half, -half], [half, half], [-half, half]];
    face(lod, corners.map(|[dx, dy]| [x + dx, y + dy, z]), color);
}

/// Adds a face with four corners. Its normal follows from the first three by the right-hand rule in the coordinates
/// of the file, and points outward.
pub(crate) fn face(lod: &mut LodSpec, corners: [[f32; 3]; 4], color: [u8; 3]) {
    if lod.normals.is_empty() {
        lod.normals.push([0.0, 0.0, 1.0]);
        lod.uvs.push([0.0, 0.0]);
    }
    let start = u16::try_from(lod.vertices.len()).unwrap();
    lod.vertices.extend(corners);
    let corners = MeshSpec::pack([0, 1, 2, 0, 2, 3].map(|corner| (start + corner, 0, 0)));
    lod.meshes.push(MeshSpec { shading: 0, ..MeshSpec::colored(corners, color, "plastic") });
}

/// A cube: +z is red, −z blue, +x green, −x yellow, +y white, −y black.
pub(crate) fn cube() -> LodSpec {
    let mut lod = LodSpec::default();
    let mut side = |a: [f32; 3], b: [f32; 3], color| {
        let normal = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
        let corner = |u: f32, v: f32| std::array::from_fn(|i| normal[i] + u * a[i] + v * b[i]);
        face(&mut lod, [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)], color);
    };
    let (x, y, z) = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]);
    side(x, y, RED);
    side(y, x, BLUE);
    side(y, z, GREEN);
    side(z, y, YELLOW);
    side(z, x, WHITE);
    side(x, z, [0; 3]);
    lod
}

/// A file with one model that has several placements in a world.
pub(crate) fn file(model: ModelSpec, references: Vec<ModelRefSpec>) -> Vec<u8> {
    let mut world = WorldSpec::new("WORLD");
    world.models = references;
    build(&DatabaseSpec { worlds: vec![world], blobs: vec![BlobSpec::model(model)], ..DatabaseSpec::default() }).bytes
}

pub(crate) fn corner(vertex: u16, normal: u16, uv: u32) -> CornerSpec {
    CornerSpec::New { vertex, normal, uv }
}

/// Draws the model of the first blob.
pub(crate) fn try_model(model: ModelSpec, size: u32) -> Result<(Picture, Report)> {
    let bytes = file(model, vec![ModelRefSpec::new("thing", 0)]);
    open(&bytes, |library| {
        let mut out = Vec::new();
        let options = Options::default().size(size);
        let report = preview::model(library, 0, Scope::Blob(0), None, &options, &mut out)?;
        Ok((Picture::decode(&out), report))
    })
}

/// Draws a model with a single object.
pub(crate) fn shown(lod: LodSpec, size: u32) -> Picture {
    try_model(ModelSpec::new("thing", vec![lod]), size).unwrap().0
}

/// Draws the first world.
pub(crate) fn world(bytes: &[u8], size: u32) -> Result<(Picture, Report)> {
    open(bytes, |library| {
        let mut out = Vec::new();
        let options = Options::default().size(size);
        let report = preview::world(library, 0, &library.world_names(0), &options, &mut out)?;
        Ok((Picture::decode(&out), report))
    })
}

pub(crate) fn open<T>(bytes: &[u8], look: impl FnOnce(&Library<'_, '_>) -> T) -> T {
    let database = Database::parse(bytes).unwrap();
    let contents = Contents::read(&database);
    look(&Library::new(&database, &contents))
}
