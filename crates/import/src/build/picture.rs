use serde_json::{Map, Value as Json};
use worldview_core::account::Account;
use worldview_core::describe::Stored;
use worldview_core::{FieldInfo, Source};
use worldview_edit::{EditError, Result, Value};
use worldview_export::Encoding;
use worldview_inspect::Root;
use worldview_rez::raw::{PcxHeader, PidHeader};
use worldview_rez::{Palette, Pcx, Picture, Pid, PidPixel, flags};
use zerocopy::{FromBytes as _, FromZeros as _, IntoBytes as _};

use super::island::{bytes, colors};
use super::{Built, Comparison, fields};
use crate::json::{check_format, parse, whole};

/// Makes a PID, RID or PCX picture from a document, as the full JSON of `show` has it, with the header, the `palette` if the header says
/// that there is one, the `pixels`, and the `opacity` of a picture with skipped runs.
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
/// let file = build::picture(document)?.complete()?;
/// assert_eq!(file[32..], [0x81, 2, 5, 6, 0x81]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn picture(document: &[u8]) -> Result<Built> {
    described(parse(document, None)?)
}

/// Makes a picture from the members of a document.
pub(super) fn described(document: Map<String, Json>) -> Result<Built> {
    match document.get("format").and_then(Json::as_str) {
        Some("pcx") => pcx(document),
        format => pid(format == Some("rid"), document),
    }
}

fn malformed(why: impl Into<String>) -> EditError {
    EditError::malformed(None, why)
}

fn pid(is_raw: bool, mut document: Map<String, Json>) -> Result<Built> {
    let format = if is_raw { "rid" } else { "pid" };
    check_format(&mut document, format)?;
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
    put(PidHeader::FIELDS, header.as_mut_bytes(), &document)?;
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
    let account = account(format, &Picture::Pid(pid), pid.source(), &document)?;
    Ok(Built { file, account })
}

fn pcx(mut document: Map<String, Json>) -> Result<Built> {
    check_format(&mut document, "pcx")?;
    let mut header = PcxHeader::new_zeroed();
    put(PcxHeader::FIELDS, header.as_mut_bytes(), &document)?;
    let pixels = document.get("pixels").map_or(Ok(Vec::new()), |rows| bytes(rows, 0));
    let pixels = pixels.map_err(|why| malformed(format!("`pixels`: {why}")))?;
    let palette =
        document.get("palette").map(colors).transpose().map_err(|why| malformed(format!("`palette`: {why}")))?;
    let palette = palette.as_deref().map(Palette::ref_from_bytes).transpose();
    let palette = palette.map_err(|_| malformed("`palette`: expected 256 colors"))?;
    let file = Pcx::encode(&header, palette, &pixels);
    let file =
        file.ok_or_else(|| malformed("the header is not that of a picture with these `pixels` and this `palette`"))?;
    let pcx = Pcx::parse(&file[..])?;
    let account = account("pcx", &Picture::Pcx(pcx), pcx.source(), &document)?;
    Ok(Built { file, account })
}

/// Says what a new picture does not have of its document.
fn account(format: &str, picture: &Picture<'_>, source: Source<'_>, document: &Map<String, Json>) -> Result<Account> {
    let mut account = Comparison::of(&Root::new(format, source, picture), document, Encoding::default())?;
    account.done = 1;
    Ok(account)
}

/// Writes what a document has of the fields of a structure.
fn put(infos: &[FieldInfo], record: &mut [u8], document: &Map<String, Json>) -> Result<()> {
    for (name, value) in fields(infos, document, Encoding::default())? {
        let does_not_fit = || malformed(format!("`{name}` does not fit"));
        let info = infos.iter().find(|info| info.name == name).ok_or_else(does_not_fit)?;
        let record = record.get_mut(info.offset..).ok_or_else(does_not_fit)?;
        match (info.stored, value) {
            (Stored::Int(int), Value::Integer(value)) if int.write(record, value) => {}
            (Stored::Bytes(room), Value::Bytes(bytes)) if bytes.len() == usize::from(room) => {
                record.iter_mut().zip(bytes).for_each(|(to, from)| *to = from);
            }
            _ => return Err(does_not_fit()),
        }
    }
    Ok(())
}
