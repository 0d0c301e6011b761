use core::mem::offset_of;

use serde_json::{Map, Value as Json};
use worldview_core::FieldInfo;
use worldview_core::describe::{Elements, Stored};
use worldview_edit::account::Account;
use worldview_edit::{EditError, Result, Value};
use worldview_export::Encoding;
use worldview_inspect::Root;
use worldview_rez::edit::PidPixel;
use worldview_rez::raw::{BmpHeader, PcxHeader, PidHeader};
use worldview_rez::{Bmp, Palette, Pcx, Picture, Pid, flags};
use zerocopy::{FromBytes as _, FromZeros as _, IntoBytes as _};

use super::{Built, check_format, compared, fields, tree};
use crate::doc::{Members, word};
use crate::given::Grid;

/// Makes a PID, RID, PCX or BMP picture from a document, as the full JSON of `show` has it, with the header, the `palette` if the header
/// says that there is one, the `pixels`, and the `opacity` of a picture with skipped runs.
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
    let document = tree(document)?;
    match document.get("format").and_then(Json::as_str) {
        Some("pcx") => pcx(document),
        Some("bmp") => bmp(document),
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
        Some(number) => word(number).map_err(|why| malformed(format!("`{name}`: {why}"))),
        None => Ok(0),
    };
    let [wide, high, kind] = [number("width")?, number("height")?, number("flags")?];
    let row = usize::try_from(wide).unwrap_or(usize::MAX);
    let grid = |name: &str| array(&document, name, Elements::Bytes(&[]), row);
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
        one.extend(palette(&document, 256)?);
    }
    let open = |file| if is_raw { Pid::parse_rid(file) } else { Pid::parse(file) };
    let picture = open(&one[..])?;
    let pixels = indices.iter().zip(&opacity);
    let pixels: Vec<PidPixel> =
        pixels.map(|(index, opacity)| (*opacity > 0 || !picture.has_skip_runs()).then_some(*index)).collect();
    let file = picture.with_pixels(wide, &pixels);
    let file = file.ok_or_else(|| malformed(format!("no picture has {wide} x {high} pixels")))?;
    let pid = open(&file[..])?;
    let account = account(format, &Picture::Pid(pid), &document)?;
    Ok(Built { file, account })
}

fn pcx(mut document: Map<String, Json>) -> Result<Built> {
    check_format(&mut document, "pcx")?;
    let mut header = PcxHeader::new_zeroed();
    put(PcxHeader::FIELDS, header.as_mut_bytes(), &document)?;
    let pixels = array(&document, "pixels", Elements::Bytes(&[]), 1)?.unwrap_or_default();
    let palette = document.contains_key("palette").then(|| palette(&document, 256)).transpose()?;
    let palette = palette.as_deref().and_then(|palette| Palette::ref_from_bytes(palette).ok());
    let file = Pcx::encode(&header, palette, &pixels);
    let file =
        file.ok_or_else(|| malformed("the header is not that of a picture with these `pixels` and this `palette`"))?;
    let pcx = Pcx::parse(&file[..])?;
    let account = account("pcx", &Picture::Pcx(pcx), &document)?;
    Ok(Built { file, account })
}

fn bmp(mut document: Map<String, Json>) -> Result<Built> {
    check_format(&mut document, "bmp")?;
    let mut header = BmpHeader::new_zeroed();
    put(BmpHeader::FIELDS, header.as_mut_bytes(), &document)?;
    let (width, height) = (header.width.get().unsigned_abs(), header.height.get());
    let row = usize::try_from(width).unwrap_or(usize::MAX);
    let pixels = array(&document, "pixels", Elements::Bytes(&[]), row)?.unwrap_or_default();
    if u64::from(width).checked_mul(height.unsigned_abs().into()) != Some(pixels.len() as u64) {
        return Err(malformed(format!("expected `pixels` in {} rows of {width} bytes", height.unsigned_abs())));
    }
    let count = match header.color_count.get() {
        0 => 256,
        count => usize::try_from(count).unwrap_or(usize::MAX),
    };
    let palette = palette(&document, count)?;
    let stored = palette.as_chunks().0.iter().flat_map(|&[red, green, blue]| [blue, green, red, 0]);
    let stored: Vec<u8> = stored.collect();
    // A picture of one pixel, which becomes all of them. Its row has the order of the new ones.
    [header.width, header.height] = [1.into(), height.signum().into()];
    let info = BmpHeader::SIZE.saturating_sub(offset_of!(BmpHeader, header_size) as u64);
    let pixels_pos = BmpHeader::SIZE.saturating_add(stored.len() as u64);
    let row = [0; 4];
    let row_len = row.len() as u64;
    let size = |len: u64| u32::try_from(len).unwrap_or(u32::MAX).into();
    [header.header_size, header.pixels_pos] = [info, pixels_pos].map(size);
    [header.file_size, header.pixels_size] = [pixels_pos.saturating_add(row_len), row_len].map(size);
    let mut one = [header.as_bytes(), &stored, &row].concat();
    if let Some(signature) = one.first_chunk_mut() {
        *signature = *b"BM";
    }
    let file = Bmp::parse(&one[..])?.with_pixels(width, &pixels);
    let file = file.ok_or_else(|| malformed(format!("no picture has {width} x {height} pixels")))?;
    let bmp = Bmp::parse(&file[..])?;
    let account = account("bmp", &Picture::Bmp(bmp), &document)?;
    Ok(Built { file, account })
}

/// Says what a new picture does not have of its document.
fn account(format: &str, picture: &Picture<'_>, document: &Map<String, Json>) -> Result<Account> {
    let root = Root::new(format, picture.source(), picture);
    let mut account = compared(&root, Members::of(document), Encoding::default(), None);
    account.done = 1;
    Ok(account)
}

/// Reads an array of a document, or returns `None` if it is missing.
fn array(document: &Map<String, Json>, name: &str, like: Elements<'_>, columns: usize) -> Result<Option<Vec<u8>>> {
    let read = document.get(name).map(|json| Grid::json(json, like, columns));
    read.transpose().map_err(|why| malformed(format!("`{name}`: {why}")))
}

/// Reads the palette of a document, which must have `count` colors.
fn palette(document: &Map<String, Json>, count: usize) -> Result<Vec<u8>> {
    let palette = array(document, "palette", Elements::Colors(&[]), 0)?.unwrap_or_default();
    match palette.as_chunks::<3>().0.len() {
        found if found == count => Ok(palette),
        found => Err(malformed(format!("`palette`: expected {count} colors, found {found}"))),
    }
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
