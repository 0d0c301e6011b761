//! Colors and pixels of textures, from pictures.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::{Map, Value as Json};
use worldview_core::describe::Elements;
use worldview_core::{Path, field_name};
use worldview_edit::account::{Account, Column, Entry, SourcePlace};
use worldview_edit::{EditError, Result};
use worldview_export::Encoding;
use worldview_export::names::{Taken, file_name, texture_stem};
use worldview_inspect::hex;
use worldview_island::raw::ImageHeader;

use super::super::{NewMember, PICTURE_NOT_USED, by_path, text_bytes};
use crate::doc::word;
use crate::given::Grid;
use crate::png::{Indexed, painted};

/// The most pixels that the pictures of a source may have together.
const MAX_PIXELS: usize = 1 << 27;

const WIDTH: &str = field_name!(ImageHeader, width);
const HEIGHT: &str = field_name!(ImageHeader, height);

/// Gives the images of a document the colors and pixels of pictures.
pub(super) fn painted_by(
    document: &mut Map<String, Json>,
    pictures: &[NewMember<'_>],
    encoding: Encoding,
) -> Result<Account> {
    let mut painter = Painter {
        files: by_path(pictures)?,
        is_used: HashSet::new(),
        taken: Taken::default(),
        known: HashMap::new(),
        has_no_pixels: false,
        left: MAX_PIXELS,
        account: Account::new(),
        encoding,
    };
    // The order in which `export` names pictures.
    let is_file = document.contains_key("textures");
    painter.list(document, String::new(), !is_file)?;
    for name in ["global_textures", "global_parts"] {
        if let Some(Json::Object(part)) = document.get_mut(name) {
            painter.list(part, format!("/{name}"), true)?;
        }
    }
    if let Some(Json::Array(blobs)) = document.get_mut("blobs") {
        for (number, blob) in blobs.iter_mut().enumerate() {
            if let Json::Object(blob) = blob {
                painter.list(blob, format!("/blobs/{number}"), true)?;
            }
        }
    }
    Ok(painter.finish())
}

/// The file of a picture by its name, its quality, and all that the document says of the image.
type Known = HashMap<(Vec<u8>, bool, [Json; 4]), String>;

struct Painter<'f> {
    files: BTreeMap<&'f str, &'f [u8]>,
    is_used: HashSet<String>,
    taken: Taken,
    known: Known,
    /// Whether an image has no pixels but those of a picture.
    has_no_pixels: bool,
    /// The number of pixels that pictures may still have.
    left: usize,
    account: Account,
    encoding: Encoding,
}

impl Painter<'_> {
    /// Gives the textures of a list the pixels of pictures. Equal images of one name share a picture, except in a `.tex` file.
    fn list(&mut self, owner: &mut Map<String, Json>, pointer: String, are_shared: bool) -> Result<()> {
        let Some(Json::Array(textures)) = owner.get_mut("textures") else { return Ok(()) };
        for (number, texture) in textures.iter_mut().enumerate() {
            let pointer = format!("{pointer}/textures/{number}");
            let Json::Object(texture) = texture else { continue };
            let mut name = text_bytes(texture, "name", self.encoding)?;
            name.truncate(name.iter().position(|byte| *byte == 0).unwrap_or(name.len()));
            let Some(Json::Array(images)) = texture.get_mut("images") else { continue };
            if images.len() > 1 && name.starts_with(b"^") {
                name.remove(0);
            }
            let last = images.len().saturating_sub(1);
            // The high quality comes first.
            for (at, image) in images.iter_mut().enumerate().rev() {
                let pointer = format!("{pointer}/images/{at}");
                if let Json::Object(image) = image {
                    self.image(image, (&name, at < last), are_shared, &pointer)?;
                }
            }
        }
        Ok(())
    }

    fn image(
        &mut self,
        image: &mut Map<String, Json>,
        (name, is_low): (&[u8], bool),
        is_shared: bool,
        pointer: &str,
    ) -> Result<()> {
        let error = |why: String| EditError::malformed(None, format!("{pointer}: {why}"));
        let has_size = |image: &Map<String, Json>| {
            [WIDTH, HEIGHT].iter().all(|side| image.get(*side).and_then(Json::as_u64).is_some_and(|side| side > 0))
        };
        let has_pixels = image.contains_key("pixels");
        // Pictures have pixels.
        let path =
            if has_pixels && !has_size(image) { String::new() } else { self.path(image, name, is_low, is_shared) };
        let Some(file) = self.files.get(&*path).copied() else {
            if !has_pixels && has_size(image) {
                return Err(error(format!("the source has neither `pixels` nor the picture {path}")));
            }
            return Ok(());
        };
        self.is_used.insert(path.clone());
        self.has_no_pixels |= !has_pixels;
        let old = if has_pixels { indexed(image).map_err(error)? } else { Indexed::default() };
        let (new, mut planned) =
            painted(&old, file).map_err(|error| EditError::malformed(None, format!("{path}: {error}")))?;
        planned.account.entries_mut().for_each(|entry| {
            let inside = entry.place.pointer.take().unwrap_or_default();
            entry.place = SourcePlace::pointer(format!("{path} {inside}").trim_end());
        });
        self.account.append(planned.account);
        let Some(mut new) = new else { return Ok(()) };
        // A palette that was too short for its pixels is longer in the picture.
        let count = image.get("color_count").and_then(Json::as_u64).and_then(|count| usize::try_from(count).ok());
        let behind = count.filter(|_| !has_pixels).and_then(|count| new.palette.get(count..));
        if let (Some(count), Some(behind)) = (count, behind)
            && behind.iter().all(|color| *color == [0; 3])
        {
            new.palette.truncate(count);
        }
        let left = self.left.checked_sub(new.pixels.len());
        self.left = left.ok_or_else(|| error(format!("the pictures have more than {MAX_PIXELS} pixels together")))?;
        let width = usize::try_from(new.width).unwrap_or(usize::MAX).max(1);
        let palette = new.palette.iter().map(|color| format!("#{}", hex(color)).into()).collect();
        let pixels = new.pixels.chunks(width).map(|row| hex(row).into()).collect();
        image.shift_remove("color_count");
        image.insert(WIDTH.to_owned(), new.width.into());
        image.insert(HEIGHT.to_owned(), new.height.into());
        image.insert("palette".to_owned(), Json::Array(palette));
        image.insert("pixels".to_owned(), Json::Array(pixels));
        Ok(())
    }

    /// Returns the path that `export` gives the picture of an image.
    fn path(&mut self, image: &Map<String, Json>, name: &[u8], is_low: bool, is_shared: bool) -> String {
        let stem = file_name(name);
        let low = if is_low { ".low" } else { "" };
        let mut new = || self.taken.take(format!("textures/{}{low}.png", texture_stem(&stem)));
        if !is_shared {
            return new();
        }
        let said = [WIDTH, HEIGHT, "palette", "pixels"].map(|name| image.get(name).cloned().unwrap_or_default());
        self.known.entry((name.to_ascii_lowercase(), is_low, said)).or_insert_with(new).clone()
    }

    /// Says which pictures no image has taken.
    fn finish(mut self) -> Account {
        // Equal pictures may be files of one image each, and only pixels say which.
        let column = if self.has_no_pixels { Column::Refused } else { Column::LeftOut };
        for path in self.files.keys().filter(|path| !self.is_used.contains(**path)) {
            let entry =
                Entry::new(column, PICTURE_NOT_USED, &Path::new(), "the document has no image for this picture");
            self.account.push(entry.at(SourcePlace::pointer(*path)));
        }
        self.account
    }
}

/// Returns the image that a document has with its pixels.
fn indexed(image: &Map<String, Json>) -> std::result::Result<Indexed, String> {
    let side = |name: &str| image.get(name).map_or(Ok(0), word);
    let [width, height] = [side(WIDTH)?, side(HEIGHT)?];
    let read =
        |name: &str, like, columns| image.get(name).map_or(Ok(Vec::new()), |json| Grid::json(json, like, columns));
    let (colors, pixels) = (read("palette", Elements::Colors(&[]), 0)?, read("pixels", Elements::Bytes(&[]), 1)?);
    if u64::from(width).checked_mul(height.into()) != Some(pixels.len() as u64) {
        return Err(format!("{} `pixels` are not {width} x {height}", pixels.len()));
    }
    Ok(Indexed { width, height, palette: colors.as_chunks::<3>().0.to_vec(), pixels })
}
