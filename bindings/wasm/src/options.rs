//! Arguments. Whoever writes JavaScript has no types, so each is checked.

use wasm_bindgen::prelude::*;
use worldview::inspect::Encoding;
#[cfg(feature = "levels")]
use worldview_export::level::png;
#[cfg(feature = "island")]
use worldview_export::model::glb::{self, LodChoice};
#[cfg(feature = "export")]
use worldview_export::outputs::{self, OutputKind};

use crate::asset::Context;
use crate::error::argument;

/// The most pixels of a picture. They need several bytes each, and a module has at most 4 GiB.
#[cfg(feature = "levels")]
pub(crate) const MAX_PIXELS: u64 = 1 << 26;

/// An object of options that the caller may have given.
pub(crate) struct Given<'o>(Option<&'o js_sys::Object>);

impl<'o> Given<'o> {
    /// Takes the object, in which only these options may be.
    pub(crate) fn of(options: Option<&'o js_sys::Object>, known: &[&str]) -> Result<Self, JsValue> {
        let names = options.map(js_sys::Object::keys).unwrap_or_default();
        match names.iter().filter_map(|name| name.as_string()).find(|name| !known.contains(&&**name)) {
            Some(name) => Err(argument(format_args!("there is no option {name}; there are {}", known.join(", ")))),
            None => Ok(Self(options)),
        }
    }

    fn get(&self, name: &str) -> Option<JsValue> {
        let value = self.0.and_then(|options| js_sys::Reflect::get(options, &name.into()).ok());
        value.filter(|value| !value.is_undefined() && !value.is_null())
    }

    fn flag(&self, name: &str, default: bool) -> Result<bool, JsValue> {
        match self.get(name) {
            None => Ok(default),
            Some(value) => value.as_bool().ok_or_else(|| wrong(name, "true or false")),
        }
    }

    fn text(&self, name: &str) -> Result<Option<String>, JsValue> {
        match self.get(name) {
            None => Ok(None),
            Some(value) => value.as_string().map(Some).ok_or_else(|| wrong(name, "a string")),
        }
    }

    fn integer(&self, name: &str, most: f64) -> Result<Option<u64>, JsValue> {
        self.get(name).map(|value| integer(&value, most).ok_or_else(|| wrong(name, "a whole number"))).transpose()
    }

    /// Reads a number of 32 bits.
    fn short(&self, name: &str) -> Result<Option<u32>, JsValue> {
        Ok(self.integer(name, f64::from(u32::MAX))?.and_then(|value| u32::try_from(value).ok()))
    }

    /// Reads the options of `open`.
    pub(crate) fn context(options: Option<&'o js_sys::Object>) -> Result<Context, JsValue> {
        let given = Self::of(options, &["name", "lossy", "schemas", "recover", "encoding", "maxInflate"])?;
        let name = given.text("name")?.unwrap_or_default();
        let label = given.text("encoding")?;
        let encoding = label.as_deref().map_or(Some(Encoding::default()), Encoding::for_label);
        let encoding = encoding.ok_or_else(|| wrong("encoding", "a label of the Encoding Standard"))?;
        #[cfg_attr(not(feature = "tables"), expect(unused_variables, reason = "other files have no schemas"))]
        let schemas = given.text("schemas")?;
        let options = worldview::Options {
            lossy: given.flag("lossy", false)?,
            recover: given.flag("recover", false)?,
            // 2^53
            max_inflate: given.integer("maxInflate", 9_007_199_254_740_992.0)?,
            #[cfg(feature = "tables")]
            schemas: schemas.as_deref().map(parse_schemas).transpose()?,
            ..worldview::Options::default()
        };
        Ok(Context { name, encoding, options })
    }

    /// Reads the options of `toGlb`.
    #[cfg(feature = "island")]
    pub(crate) fn glb(
        options: Option<&'o js_sys::Object>,
        context: &Context,
    ) -> Result<glb::Options<'static>, JsValue> {
        Self::of(options, &["lod", "visibleOnly"])?.models(context)
    }

    #[cfg(feature = "island")]
    fn models(&self, context: &Context) -> Result<glb::Options<'static>, JsValue> {
        let lod = self.get("lod").unwrap_or_default();
        let lods = match (lod.as_string().as_deref(), integer(&lod, f64::from(u32::MAX))) {
            (Some("all"), _) => LodChoice::All,
            (Some("best"), _) => LodChoice::Best,
            (None, Some(level)) => LodChoice::Level(u32::try_from(level).unwrap_or(u32::MAX)),
            _ if lod.is_undefined() => LodChoice::All,
            _ => return Err(wrong("lod", "\"all\", \"best\" or the number of a level of detail")),
        };
        let visible_only = self.flag("visibleOnly", false)?;
        Ok(glb::Options::default().lods(lods).visible_only(visible_only).encoding(context.encoding))
    }

    /// Reads the options of `toPng` of levels and planes.
    #[cfg(feature = "levels")]
    pub(crate) fn png(options: Option<&'o js_sys::Object>) -> Result<png::Options<'static>, JsValue> {
        Self::of(options, &["scale", "objects"])?.pictures()
    }

    #[cfg(feature = "levels")]
    fn pictures(&self) -> Result<png::Options<'static>, JsValue> {
        let marks = match self.text("objects")?.as_deref() {
            None | Some("marks") => true,
            Some("none") => false,
            // The pictures of a game are not at hand.
            _ => return Err(wrong("objects", "\"marks\" or \"none\"")),
        };
        Ok(png::Options::default().max_pixels(MAX_PIXELS).scale(self.short("scale")?).marks(marks))
    }

    /// Reads the options of `outputs`.
    #[cfg(feature = "export")]
    pub(crate) fn outputs(
        options: Option<&'o js_sys::Object>,
        context: &Context,
    ) -> Result<outputs::Options<'static>, JsValue> {
        let given = Self::of(options, &["scale", "objects", "lod", "visibleOnly", "full"])?;
        Ok(outputs::Options {
            encoding: context.encoding,
            full: given.flag("full", false)?,
            #[cfg(feature = "levels")]
            pictures: given.pictures()?,
            #[cfg(feature = "island")]
            models: given.models(context)?,
            ..outputs::Options::default()
        })
    }
}

#[cfg(feature = "tables")]
fn parse_schemas(text: &str) -> Result<std::sync::Arc<worldview::wpd::Schemas>, JsValue> {
    let schemas = worldview::wpd::Schemas::parse(text).map_err(|error| crate::error::plain("schemas", error))?;
    Ok(std::sync::Arc::new(schemas))
}

fn wrong(name: &str, what: &str) -> JsValue {
    argument(format_args!("the option {name} is {what}"))
}

/// Reads a whole number.
fn integer(value: &JsValue, most: f64) -> Option<u64> {
    let value = value.as_f64().filter(|value| (0.0..=most).contains(value) && value.trunc() == *value)?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is whole, and at most 2^53")]
    Some(value as u64)
}

/// Reads the names of kinds of outputs.
#[cfg(feature = "export")]
pub(crate) fn kinds(value: &JsValue) -> Result<Vec<OutputKind>, JsValue> {
    let Some(list) = value.dyn_ref::<js_sys::Array>() else { return Err(argument("kinds is an array of strings")) };
    let name = |name: JsValue| name.as_string().ok_or_else(|| argument("a kind of output is a string"));
    list.iter().map(|kind| name(kind)?.parse().map_err(argument)).collect()
}

/// Reads an index.
pub(crate) fn index(value: &JsValue) -> Option<usize> {
    integer(value, f64::from(u32::MAX)).and_then(|index| usize::try_from(index).ok())
}

/// Copies bytes of the caller.
pub(crate) fn bytes(value: &JsValue) -> Result<Vec<u8>, JsValue> {
    let array = match value.dyn_ref::<js_sys::Uint8Array>() {
        Some(array) => array.clone(),
        None if value.has_type::<js_sys::ArrayBuffer>() => js_sys::Uint8Array::new(value),
        None => return Err(argument("bytes is a Uint8Array or an ArrayBuffer")),
    };
    let (mut out, len) = (Vec::new(), array.length() as usize);
    // A module has at most 4 GiB.
    out.try_reserve_exact(len).map_err(|_| argument(format_args!("{len} bytes do not fit into the memory")))?;
    out.resize(len, 0);
    array.copy_to(&mut out);
    Ok(out)
}
