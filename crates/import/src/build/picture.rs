use serde_json::{Map, Value as Json};
use worldview_core::FieldInfo;
use worldview_core::describe::Stored;
use worldview_edit::{EditError, Result, Value};
use worldview_export::Encoding;
use worldview_inspect::Root;
use worldview_rez::raw::PidHeader;
use worldview_rez::{Picture, Pid, PidPixel, flags};
use zerocopy::{FromZeros as _, IntoBytes as _};

use super::island::{bytes, colors};
use super::{Built, Comparison, fields};
use crate::json::{check_format, parse, whole};

/// Makes a PID or RID picture from a document, as the full JSON of `show` has it, with the header, the `palette` if its flags say that
/// there is one, the `pixels`, and the `opacity` of a picture with skipped runs.
///
/// # Errors
///
/// Returns an error if the text is not such a document, or if its pixels are not those of a picture of its size.
///
/// ```
/// use worldview_import::build;
///
/// let document = br#"{"format": "pid", "id": 10, "flags": 33, "width": 4, "height": 1, "offset_x": -2,
///     "pixels": ["00050600"], "opacity": ["00ffff00"]}"#;
/// let file = build::pid(document)?.complete()?;
/// assert_eq!(file[32..], [0x81, 2, 5, 6, 0x81]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn pid(document: &[u8]) -> Result<Built> {
    described(parse(document, None)?)
}

/// Makes a picture from the members of a document.
pub(super) fn described(mut document: Map<String, Json>) -> Result<Built> {
    let is_raw = document.get("format").and_then(Json::as_str) == Some("rid");
    let format = if is_raw { "rid" } else { "pid" };
    check_format(&mut document, format)?;
    let malformed = |why: String| EditError::malformed(None, why);
    let number = |name: &str| match document.get(name) {
        Some(number) => whole(number, (0, u32::MAX.into())).map_err(|why| malformed(format!("`{name}`: {why}"))),
        None => Ok(0),
    };
    let [wide, high, kind] = [number("width")?, number("height")?, number("flags")?];
    let [wide, high, kind] = [wide, high, kind].map(|number| u32::try_from(number).unwrap_or(u32::MAX));
    let row = usize::try_from(wide).unwrap_or(usize::MAX);
    let grid = |name: &str| match document.get(name) {
        Some(rows) => bytes(rows, row).map(Some).map_err(|why| malformed(format!("`{name}`: {why}"))),
        None => Ok(None),
    };
    let indices = grid("pixels")?.unwrap_or_default();
    let opacity = grid("opacity")?.unwrap_or_else(|| vec![u8::MAX; indices.len()]);
    if u64::from(wide).checked_mul(high.into()) != Some(indices.len() as u64) || opacity.len() != indices.len() {
        return Err(malformed(format!(
            "expected `pixels`, and `opacity` if it is given, in {high} rows of {wide} bytes"
        )));
    }
    // A picture of one pixel, which becomes all of them.
    let mut header = PidHeader::new_zeroed();
    for (name, value) in fields(PidHeader::FIELDS, &document, Encoding::default())? {
        put(PidHeader::FIELDS, header.as_mut_bytes(), &name, &value);
    }
    [header.width, header.height] = [1.into(), 1.into()];
    let one_skipped = 0x81;
    let pixel = if !is_raw && kind & flags::SKIP_RUNS != 0 { one_skipped } else { 0 };
    let mut one = [header.as_bytes(), &[pixel]].concat();
    if !is_raw && kind & flags::PALETTE != 0 {
        let palette = document.get("palette").map_or(Ok(Vec::new()), colors);
        one.extend(palette.map_err(|why| malformed(format!("`palette`: {why}")))?);
    }
    let open = |file| if is_raw { Pid::parse_rid(file) } else { Pid::parse(file) };
    let picture = open(&one[..])?;
    let pixels = indices.iter().zip(&opacity);
    let pixels: Vec<PidPixel> =
        pixels.map(|(index, opacity)| (*opacity > 0 || !picture.has_skip_runs()).then_some(*index)).collect();
    let file = picture.with_pixels(wide, &pixels);
    let file = file.ok_or_else(|| malformed(format!("no picture has {wide} x {high} pixels")))?;
    let pid = open(&file[..])?;
    let mut account =
        Comparison::of(&Root::new(format, pid.source(), &Picture::Pid(pid)), &document, Encoding::default())?;
    account.done = 1;
    Ok(Built { file, account })
}

/// Writes an integer of a structure.
fn put(infos: &[FieldInfo], bytes: &mut [u8], name: &str, value: &Value) {
    let info = infos.iter().find(|info| info.name == name);
    if let (Some(FieldInfo { stored: Stored::Int(int), offset, .. }), Value::Integer(value)) = (info, value) {
        // It was read in this range.
        let _ = bytes.get_mut(*offset..).is_some_and(|bytes| int.write(bytes, *value));
    }
}
