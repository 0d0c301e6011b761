//! Pictures of Claw, Gruntz and Get Medieval.

use wasm_bindgen::prelude::*;
use worldview::rez;

use crate::asset::{Asset, asset, picture_of};
use crate::error::format_error;
use crate::options::{self, MAX_PIXELS};

/// A picture: PID, PCX, RID or BMP.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Picture {
    pub(crate) asset: Asset,
}

asset!(Picture, r#""picture""#);

#[wasm_bindgen]
impl Picture {
    /// The width in pixels.
    #[wasm_bindgen(getter)]
    pub fn width(&self) -> u32 {
        picture_of(&self.asset.handle).width()
    }

    /// The height in pixels.
    #[wasm_bindgen(getter)]
    pub fn height(&self) -> u32 {
        picture_of(&self.asset.handle).height()
    }

    /// The x and y from the position of an object to the center of its picture, in pixels.
    #[wasm_bindgen(getter, js_name = centerOffset, unchecked_return_type = "[x: number, y: number]")]
    pub fn center_offset(&self) -> JsValue {
        let (x, y) = picture_of(&self.asset.handle).offset();
        crate::types::numbers([x, y])
    }

    /// The 768 bytes of the picture's own palette: red, green and blue of each index; `undefined` if it has none.
    #[wasm_bindgen(getter, unchecked_return_type = "Uint8Array<ArrayBuffer> | undefined")]
    pub fn palette(&self) -> Option<js_sys::Uint8Array> {
        picture_of(&self.asset.handle).palette().map(|palette| js_sys::Uint8Array::from(palette.colors.as_flattened()))
    }

    /// Returns the pixels as red, green, blue and opacity.
    ///
    /// `palette` is for pictures without their own: the 768 bytes of a PAL file. Without any, indices are shades of gray.
    ///
    /// If the pixels end early, this throws a `WorldviewError`; or, if the file was opened with `lossy`, the rest is transparent.
    /// The same applies to `toPng`.
    #[wasm_bindgen(unchecked_return_type = "Pixels")]
    pub fn pixels(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "Uint8Array")] palette: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let palette = given(palette)?;
        let palette = parsed(palette.as_deref())?;
        let decoded = worldview_export::rez::rgba(picture_of(&self.asset.handle), palette, MAX_PIXELS);
        let (colors, broken) = decoded.map_err(|error| self.asset.error(error))?;
        broken.map_or(Ok(()), |error| self.asset.unless_lossy(&error))?;
        Ok(crate::types::pixels(self.width(), self.height(), colors.as_flattened()))
    }
}

#[cfg(feature = "outputs")]
#[wasm_bindgen]
impl Picture {
    /// Returns the picture as PNG. `palette` is as for `pixels`.
    #[wasm_bindgen(js_name = toPng, unchecked_return_type = "Uint8Array<ArrayBuffer>")]
    pub fn to_png(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "Uint8Array")] palette: &JsValue,
    ) -> Result<js_sys::Uint8Array, JsValue> {
        let palette = given(palette)?;
        let palette = parsed(palette.as_deref())?;
        let mut out = Vec::new();
        let written = worldview_export::rez::png(picture_of(&self.asset.handle), palette, MAX_PIXELS, &mut out);
        let broken = written.map_err(|error| self.asset.error(error))?;
        broken.map_or(Ok(()), |error| self.asset.unless_lossy(&error))?;
        Ok(js_sys::Uint8Array::from(&*out))
    }
}

fn given(palette: &JsValue) -> Result<Option<Vec<u8>>, JsValue> {
    if palette.is_undefined() || palette.is_null() { Ok(None) } else { options::bytes(palette).map(Some) }
}

fn parsed(bytes: Option<&[u8]>) -> Result<Option<&rez::Palette>, JsValue> {
    bytes.map(rez::Palette::parse).transpose().map_err(|error| format_error("palette", &error))
}
