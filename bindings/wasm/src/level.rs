//! Levels and their planes.

use wasm_bindgen::prelude::*;
use worldview::wwd;
use worldview::zerocopy::IntoBytes as _;
use worldview_export::level::csv;
use worldview_export::level::png::{self, Allowance};

use crate::asset::{Asset, asset, level_of, unpacked_of};
use crate::options::Given;
use crate::{types, values};

/// A level of Claw, Gruntz or Get Medieval (WWD).
#[wasm_bindgen]
#[derive(Debug)]
pub struct Level {
    pub(crate) asset: Asset,
}

asset!(Level, r#""level""#);

#[wasm_bindgen]
impl Level {
    /// The name of the level.
    #[wasm_bindgen(getter)]
    pub fn name(&self) -> String {
        self.asset.context.text(level_of(&self.asset.handle).header().name.as_bytes())
    }

    /// The author of the level.
    #[wasm_bindgen(getter)]
    pub fn author(&self) -> String {
        self.asset.context.text(level_of(&self.asset.handle).header().author.as_bytes())
    }

    /// The game that the level is for, or `undefined` if it is unknown.
    #[wasm_bindgen(getter, unchecked_return_type = r#""Claw" | "Gruntz" | "Get Medieval" | undefined"#)]
    pub fn game(&self) -> Option<String> {
        level_of(&self.asset.handle).game().map(|game| game.name().to_owned())
    }

    /// Whether the file is compressed.
    #[wasm_bindgen(getter, js_name = isPacked)]
    pub fn is_packed(&self) -> bool {
        unpacked_of(&self.asset.handle).is_packed()
    }

    /// All fields of the header of the file.
    #[wasm_bindgen(getter, unchecked_return_type = "LevelHeader")]
    pub fn header(&self) -> js_sys::Object {
        let object = js_sys::Object::new();
        types::fields(&object, unpacked_of(&self.asset.handle).header().fields(), &self.asset.context);
        object
    }

    /// The planes, in file order.
    #[wasm_bindgen(getter)]
    pub fn planes(&self) -> Vec<Plane> {
        let plane = |index| Plane { asset: self.asset.clone(), index };
        (0..level_of(&self.asset.handle).planes().len()).map(plane).collect()
    }

    /// The plane on which the action takes place, or `undefined`.
    #[wasm_bindgen(getter, js_name = mainPlane)]
    pub fn main_plane(&self) -> Option<Plane> {
        let index = level_of(&self.asset.handle).main_plane()?.index();
        Some(Plane { asset: self.asset.clone(), index })
    }

    /// Returns what each tile does to whoever touches it. The index is the number of the frame, the low 16 bits of a tile.
    #[wasm_bindgen(js_name = tileAttributes, unchecked_return_type = "TileAttribute[]")]
    pub fn tile_attributes(&self) -> js_sys::Array {
        values::attributes(level_of(&self.asset.handle).attributes().records())
    }
}

#[cfg(feature = "outputs")]
#[wasm_bindgen]
impl Level {
    /// Returns the objects of all planes as CSV, as `worldview export --to csv` writes them.
    #[wasm_bindgen(js_name = objectsToCsv)]
    pub fn objects_to_csv(&self) -> Result<String, JsValue> {
        let (level, encoding) = (level_of(&self.asset.handle), self.asset.context.encoding);
        self.asset.csv(|out| csv::objects(level, encoding, out))
    }

    /// Returns the tile attributes as CSV, as `worldview export --to csv` writes them.
    #[wasm_bindgen(js_name = attributesToCsv)]
    pub fn attributes_to_csv(&self) -> Result<String, JsValue> {
        self.asset.csv(|out| csv::attributes(level_of(&self.asset.handle), out))
    }

    /// Returns a picture of the level as PNG: what each tile does, in colors, with objects as marks.
    ///
    /// Throws a `WorldviewError` if the picture would be too large.
    #[wasm_bindgen(js_name = toPng, unchecked_return_type = "Uint8Array<ArrayBuffer>")]
    pub fn to_png(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "PngOptions")] options: Option<js_sys::Object>,
    ) -> Result<js_sys::Uint8Array, JsValue> {
        let level = level_of(&self.asset.handle);
        drawn(&self.asset, options.as_ref(), |options, allowance, out| png::level(level, options, allowance, out))
    }
}

fn drawn(
    asset: &Asset,
    options: Option<&js_sys::Object>,
    draw: impl FnOnce(&png::Options<'_>, &mut Allowance, &mut Vec<u8>) -> worldview_export::Result<()>,
) -> Result<js_sys::Uint8Array, JsValue> {
    let options = Given::png(options)?;
    let (mut out, mut allowance) = (Vec::new(), Allowance::new(&options));
    draw(&options, &mut allowance, &mut out).map_err(|error| asset.error(error))?;
    Ok(js_sys::Uint8Array::from(&*out))
}

/// A plane of a level: a grid of tiles, and objects.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Plane {
    asset: Asset,
    index: usize,
}

impl Plane {
    /// Calls `look` with the view. Planes are made only for indices that exist.
    fn with<T>(&self, look: impl FnOnce(&wwd::Plane<'_>) -> T) -> Option<T> {
        level_of(&self.asset.handle).planes().get(self.index).map(look)
    }
}

#[wasm_bindgen]
impl Plane {
    /// The index of the plane in its level.
    #[wasm_bindgen(getter)]
    pub fn index(&self) -> usize {
        self.index
    }

    /// The name of the plane.
    #[wasm_bindgen(getter)]
    pub fn name(&self) -> String {
        self.with(|plane| self.asset.context.text(plane.name())).unwrap_or_default()
    }

    /// All fields of the header of the plane.
    #[wasm_bindgen(getter, unchecked_return_type = "PlaneHeader")]
    pub fn header(&self) -> js_sys::Object {
        let object = js_sys::Object::new();
        self.with(|plane| types::fields(&object, plane.header().fields(), &self.asset.context));
        object
    }

    /// Whether this is the plane on which the action takes place.
    #[wasm_bindgen(getter, js_name = isMain)]
    pub fn is_main(&self) -> bool {
        self.with(|plane| plane.is_main()).unwrap_or_default()
    }

    /// Whether the game draws the plane.
    #[wasm_bindgen(getter, js_name = isDrawn)]
    pub fn is_drawn(&self) -> bool {
        self.with(|plane| plane.is_drawn()).unwrap_or_default()
    }

    /// The number of tiles in a row.
    #[wasm_bindgen(getter)]
    pub fn columns(&self) -> usize {
        self.with(|plane| plane.columns()).unwrap_or_default()
    }

    /// The number of rows of tiles.
    #[wasm_bindgen(getter)]
    pub fn rows(&self) -> usize {
        self.with(|plane| plane.rows().len()).unwrap_or_default()
    }

    /// The width of a tile, in pixels.
    #[wasm_bindgen(getter, js_name = tileWidth)]
    pub fn tile_width(&self) -> i32 {
        self.with(|plane| plane.header().tile_width.get()).unwrap_or_default()
    }

    /// The height of a tile, in pixels.
    #[wasm_bindgen(getter, js_name = tileHeight)]
    pub fn tile_height(&self) -> i32 {
        self.with(|plane| plane.header().tile_height.get()).unwrap_or_default()
    }

    /// Returns the tiles as stored, row by row. A tile is its image set in the high 16 bits and its frame in the low 16 bits;
    /// 0xFFFFFFFF is empty, and 0xEEEEEEEE is filled with the fill color.
    pub fn tiles(&self) -> js_sys::Uint32Array {
        // Both the file and WebAssembly are little-endian.
        let bytes = self.with(|plane| js_sys::Uint8Array::from(plane.tiles().as_bytes())).unwrap_or_default();
        js_sys::Uint32Array::new(&bytes.buffer())
    }

    /// Returns the names of the image sets that tiles refer to, by number.
    #[wasm_bindgen(js_name = imageSets)]
    pub fn image_sets(&self) -> Result<Vec<String>, JsValue> {
        let mut names = Vec::new();
        let done = self.with(|plane| {
            plane.image_sets().iter().try_for_each(|name| {
                names.push(self.asset.context.text(name?));
                Ok(())
            })
        });
        self.unless_broken(done)?;
        Ok(names)
    }

    /// Returns the objects of the plane, in file order.
    ///
    /// If an object is truncated, this throws a `WorldviewError`; or, if the file was opened with `lossy`, it returns those
    /// before it. The same applies to `imageSets`.
    #[wasm_bindgen(unchecked_return_type = "LevelObject[]")]
    pub fn objects(&self) -> Result<js_sys::Array, JsValue> {
        let mut objects = values::Objects::default();
        if let Some(plane) = level_of(&self.asset.handle).planes().get(self.index) {
            let done = plane.objects().iter().try_for_each(|object| {
                objects.push(&object?, &self.asset.context);
                Ok(())
            });
            self.unless_broken(Some(done))?;
        }
        objects.array()
    }
}

#[cfg(feature = "outputs")]
#[wasm_bindgen]
impl Plane {
    /// Returns a picture of the plane as PNG, with a color for each tile and objects as marks.
    ///
    /// Throws a `WorldviewError` if the picture would be too large.
    #[wasm_bindgen(js_name = toPng, unchecked_return_type = "Uint8Array<ArrayBuffer>")]
    pub fn to_png(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "PngOptions")] options: Option<js_sys::Object>,
    ) -> Result<js_sys::Uint8Array, JsValue> {
        let level = level_of(&self.asset.handle);
        let draw = |options: &png::Options<'_>, allowance: &mut Allowance, out: &mut Vec<u8>| {
            self.with(|plane| png::plane(level, plane, options, allowance, out)).unwrap_or(Ok(()))
        };
        drawn(&self.asset, options.as_ref(), draw)
    }
}

impl Plane {
    fn unless_broken(&self, done: Option<worldview::Result<()>>) -> Result<(), JsValue> {
        match done {
            Some(Err(error)) => self.asset.unless_lossy(&error),
            _ => Ok(()),
        }
    }
}
