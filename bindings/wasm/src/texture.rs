//! Textures of WORLD.WDB.

use wasm_bindgen::prelude::*;
use worldview::island::{Image, TextureAt};

use crate::database::NameScope;
use crate::error::plain;

/// A texture with 8-bit pixels and a palette. Of a texture with two images, it is the better one, which the game shows.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Texture {
    pub(crate) scoped: NameScope,
    pub(crate) at: TextureAt,
}

impl Texture {
    /// Calls `look` with the image and the name. Textures are made only for those that exist.
    fn with<T>(&self, look: impl FnOnce(Image<'_>, &[u8]) -> T) -> Option<T> {
        self.scoped.database.with_names(|library| {
            let texture = library.texture_at(self.at)?;
            Some(look(texture.high(), texture.real_name()))
        })
    }
}

#[wasm_bindgen]
impl Texture {
    /// The name of the texture.
    #[wasm_bindgen(getter)]
    pub fn name(&self) -> String {
        self.with(|_, name| self.scoped.text(name)).unwrap_or_default()
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
        let colors = self.with(|image, _| {
            let mut rgb = Vec::new();
            image.rgb_into(&mut rgb);
            let (colors, _) = rgb.as_chunks();
            colors.iter().flat_map(|[red, green, blue]| [*red, *green, *blue, 255]).collect::<Vec<u8>>()
        });
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
            Some(Err(error)) => Err(plain(&self.scoped.context.name, error)),
            _ => Ok(js_sys::Uint8Array::from(&*out)),
        }
    }
}
