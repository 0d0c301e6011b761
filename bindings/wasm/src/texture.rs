//! Textures of WORLD.WDB and of texture files.

use wasm_bindgen::prelude::*;
use worldview::island::{Image, Texture as TextureView, TextureAt};

use crate::asset::{Asset, Context, asset, textures_of};
use crate::database::NameScope;
#[cfg(feature = "outputs")]
use crate::error::plain;

/// A texture file of LEGO Island (`.tex`): a list of textures.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Textures {
    pub(crate) asset: Asset,
}

asset!(Textures, r#""textures""#);

#[wasm_bindgen]
impl Textures {
    /// The textures, in the order of the file.
    #[wasm_bindgen(getter)]
    pub fn textures(&self) -> Vec<Texture> {
        let texture = |index| Texture(Place::File(self.asset.clone(), index));
        (0..textures_of(&self.asset.handle).textures().len()).map(texture).collect()
    }
}

/// Where a texture is.
#[derive(Debug)]
enum Place {
    Database(NameScope, TextureAt),
    File(Asset, usize),
}

/// A texture with 8-bit pixels and a palette. Of a texture with two images, it is the better one, which the game shows.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Texture(Place);

impl Texture {
    pub(crate) const fn new(scoped: NameScope, at: TextureAt) -> Self {
        Self(Place::Database(scoped, at))
    }

    /// Calls `look` with the image and the name. Textures are made only for those that exist.
    fn with<T>(&self, look: impl FnOnce(Image<'_>, &[u8]) -> T) -> Option<T> {
        let look = |texture: TextureView<'_>| look(texture.high(), texture.real_name());
        match &self.0 {
            Place::Database(scoped, at) => {
                scoped.database.with_names(|library| library.texture_at(*at).map(look)).flatten()
            }
            Place::File(asset, index) => textures_of(&asset.handle).textures().iter().nth(*index).map(look),
        }
    }

    fn context(&self) -> &Context {
        match &self.0 {
            Place::Database(scoped, _) => &scoped.context,
            Place::File(asset, _) => &asset.context,
        }
    }
}

#[wasm_bindgen]
impl Texture {
    /// The name of the texture.
    #[wasm_bindgen(getter)]
    pub fn name(&self) -> String {
        self.with(|_, name| self.context().text(name)).unwrap_or_default()
    }

    /// The width in pixels.
    #[wasm_bindgen(getter)]
    pub fn width(&self) -> u32 {
        self.with(|image, _| image.width).unwrap_or_default()
    }

    /// The height in pixels.
    #[wasm_bindgen(getter)]
    pub fn height(&self) -> u32 {
        self.with(|image, _| image.height).unwrap_or_default()
    }

    /// Returns the pixels as red, green, blue and opacity.
    #[wasm_bindgen(unchecked_return_type = "Pixels")]
    pub fn pixels(&self) -> JsValue {
        let colors = self.with(|image, _| image.rgba());
        crate::types::pixels(self.width(), self.height(), &colors.unwrap_or_default())
    }
}

#[cfg(feature = "outputs")]
#[wasm_bindgen]
impl Texture {
    /// Returns the texture as PNG, with its palette.
    #[wasm_bindgen(js_name = toPng, unchecked_return_type = "Uint8Array<ArrayBuffer>")]
    pub fn to_png(&self) -> Result<js_sys::Uint8Array, JsValue> {
        let mut out = Vec::new();
        match self.with(|image, _| worldview_export::model::png::image(image, &mut out)) {
            Some(Err(error)) => Err(plain(&self.context().name, error)),
            _ => Ok(js_sys::Uint8Array::from(&*out)),
        }
    }
}
