//! Many values at once: they are collected here, and converted by one call.

use wasm_bindgen::prelude::*;
#[cfg(feature = "levels")]
use worldview::wwd::{Attribute, Object};
#[cfg(feature = "levels")]
use worldview::zerocopy::IntoBytes as _;

#[cfg(feature = "levels")]
use crate::asset::Context;
use crate::error::plain;

#[wasm_bindgen(raw_module = "./values.js")]
extern "C" {
    #[wasm_bindgen(js_name = splitTexts)]
    fn split_texts(joined: &str, ends: &js_sys::Uint32Array, array: &js_sys::Array);

    #[wasm_bindgen(js_name = makeEntries)]
    fn make_entries(names: &js_sys::Array, places: &js_sys::Float64Array) -> js_sys::Array;

    #[wasm_bindgen(js_name = makeAttributes)]
    fn make_attributes(words: &js_sys::Int32Array, masks: &js_sys::Uint8Array) -> js_sys::Array;

    #[wasm_bindgen(js_name = makeObjects)]
    fn make_objects(words: &js_sys::Int32Array, texts: &js_sys::Array) -> js_sys::Array;
}

/// The number of bytes that are converted by one call.
const PIECE: usize = 1 << 20;

/// The maximum number of bytes of a list of texts. Records of a broken table can all refer to the same long text.
const MAX_BYTES: usize = 1 << 28;

/// A list of texts.
#[derive(Default)]
pub(crate) struct Texts {
    joined: String,
    /// The number of UTF-16 units in `joined`, in which JavaScript counts.
    units: u32,
    ends: Vec<u32>,
    bytes: usize,
    done: js_sys::Array,
}

impl Texts {
    /// Adds a text, or `null`.
    pub(crate) fn push(&mut self, text: Option<&str>) {
        if let Some(text) = text {
            self.bytes = self.bytes.saturating_add(text.len());
            if self.bytes > MAX_BYTES {
                return;
            }
            let units = if text.is_ascii() { text.len() } else { text.encode_utf16().count() };
            self.units = self.units.saturating_add(u32::try_from(units).unwrap_or(u32::MAX));
            self.joined.push_str(text);
        }
        self.ends.push(if text.is_some() { self.units } else { u32::MAX });
        if self.joined.len() >= PIECE {
            self.convert();
        }
    }

    fn convert(&mut self) {
        split_texts(&self.joined, &js_sys::Uint32Array::from(&*self.ends), &self.done);
        self.joined.clear();
        self.ends.clear();
        self.units = 0;
    }

    /// Returns the texts as an array.
    pub(crate) fn array(mut self) -> Result<js_sys::Array, JsValue> {
        self.convert();
        if self.bytes > MAX_BYTES {
            return Err(plain("", format_args!("the texts need more than {MAX_BYTES} bytes")));
        }
        Ok(self.done)
    }
}

/// The entries of an archive.
#[derive(Default)]
pub(crate) struct Entries {
    names: Texts,
    places: Vec<f64>,
}

impl Entries {
    /// Adds an entry. Directories have no place.
    #[expect(clippy::cast_precision_loss, reason = "files in memory are smaller than 2^53 bytes")]
    pub(crate) fn push(&mut self, name: &str, place: Option<(u64, usize)>) {
        self.names.push(Some(name));
        let (offset, size) = place.map_or((f64::NAN, f64::NAN), |(offset, size)| (offset as f64, size as f64));
        self.places.extend([offset, size]);
    }

    /// Returns the entries as an array.
    pub(crate) fn array(self) -> Result<js_sys::Array, JsValue> {
        Ok(make_entries(&self.names.array()?, &js_sys::Float64Array::from(&*self.places)))
    }
}

/// Converts the attributes of tiles.
#[cfg(feature = "levels")]
pub(crate) fn attributes(records: &[Attribute<'_>]) -> js_sys::Array {
    let (mut words, mut masks) = (Vec::new(), Vec::new());
    for record in records {
        #[expect(clippy::cast_possible_wrap, reason = "they are numbers without a sign in the end")]
        let (width, height) = (record.width() as i32, record.height() as i32);
        words.extend(match record {
            Attribute::Single(single) => [1, width, height, single.attribute.get(), 0, 0, 0, 0, 0],
            Attribute::Double(double) => {
                let [left, top, right, bottom] = double.rect.get();
                [2, width, height, double.outside.get(), double.inside.get(), left, top, right, bottom]
            }
            Attribute::Mask { pixels, .. } => {
                masks.extend_from_slice(pixels);
                [3, width, height, i32::try_from(pixels.len()).unwrap_or(0), 0, 0, 0, 0, 0]
            }
        });
    }
    make_attributes(&js_sys::Int32Array::from(&*words), &js_sys::Uint8Array::from(&*masks))
}

/// The objects of a plane.
#[cfg(feature = "levels")]
#[derive(Default)]
pub(crate) struct Objects {
    records: Vec<u8>,
    texts: Texts,
}

#[cfg(feature = "levels")]
impl Objects {
    /// Adds an object.
    pub(crate) fn push(&mut self, object: &Object<'_>, context: &Context) {
        self.records.extend_from_slice(object.record.as_bytes());
        for text in [object.display_name(), object.logic, object.image_set, object.animation] {
            self.texts.push(Some(&context.encoding.decode(text)));
        }
    }

    /// Returns the objects as an array.
    pub(crate) fn array(self) -> Result<js_sys::Array, JsValue> {
        // Both the file and WebAssembly are little-endian.
        let words = js_sys::Int32Array::new(&js_sys::Uint8Array::from(&*self.records).buffer());
        Ok(make_objects(&words, &self.texts.array()?))
    }
}
