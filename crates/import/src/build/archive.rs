use std::collections::HashSet;

use serde_json::{Map, Value as Json};
use worldview_core::{Path, Text};
use worldview_edit::{EditError, Format, Result, wpd};
use worldview_export::Encoding;
use worldview_inspect::Root;
use worldview_wpd::edit::new;
use worldview_wpd::raw::{ArchiveHeader, Entry};
use worldview_wpd::{Archive, ArchiveDescription};
use zerocopy::{FromBytes as _, FromZeros as _};

use super::{
    Built, Files, NewMember, added, check_format, compared, not_a_member, object, own_fields, text_bytes, tree,
};
use crate::doc::Members;

/// The alignment of members, in bytes, if nothing says another one: that of the only archive of the games that is public.
const ALIGNMENT: usize = 128;

/// Makes a WPD archive from its members, in the order of a document as `archive.json` and the JSON of `show` have it.
///
/// The document says their names and extensions, and the alignment by their offsets; members that it lacks come last. Without a
/// document, members are in the order of `members`, and up to eight characters behind the last dot of a name are the extension.
/// Members that the document has with their bytes need not be given.
///
/// # Errors
///
/// Returns an error if the text is not such a document, if a member of it is missing, or if a name is too long.
pub fn archive(document: Option<&[u8]>, members: &[NewMember<'_>]) -> Result<Built> {
    let mut document = document.map_or_else(|| Ok(Map::new()), tree)?;
    check_format(&mut document, "wpd")?;
    let mut files = Files::of(members)?;
    let (mut all, mut offsets) = (Vec::new(), 0_u32);
    let described = document.get_mut("members").and_then(Json::as_array_mut).map(std::mem::take).unwrap_or_default();
    let mut kept = Vec::with_capacity(described.len());
    for member in described {
        let mut own = object(&member, "a member")?.clone();
        let entry = entry(&own)?;
        let data = files.take(&[entry.label().into_owned()], &mut own)?;
        if !data.is_empty() {
            let offset = own.get("offset").and_then(Json::as_u64).and_then(|offset| u32::try_from(offset).ok());
            offsets |= offset.unwrap_or(0);
        }
        kept.push(Json::Object(own));
        all.push((entry, data));
    }
    let mut built = Built::default();
    let rest = files.rest(Encoding::UTF_8)?;
    let names = rest.iter().map(|(names, _)| names.clone()).collect();
    let extensions: HashSet<_> = all.iter().map(|(entry, _)| entry.extension.as_bytes().to_vec()).collect();
    for file in rest {
        let is_flat = file.0.len() == 1 || file.0.iter().any(|name| name.starts_with(b"."));
        let entry = not_a_member(Format::Wpd, &file, &names, (!kept.is_empty()).then_some(&extensions));
        if let Some(entry) = entry.filter(|_| is_flat) {
            built.account.push(entry);
            continue;
        }
        let (path, data) = file;
        let [name] = &path[..] else {
            let why = format!(
                "{} is in a folder, which archives of this format do not have",
                path.join(&b'/').escape_ascii()
            );
            return Err(EditError::malformed(None, why));
        };
        if !kept.is_empty() {
            let path = Path::new().with(|path| path.push_name(name));
            built.account.push(added(&path));
        }
        all.push((named(name)?, data.into()));
    }
    let align = if offsets == 0 { ALIGNMENT } else { 1 << offsets.trailing_zeros().min(12) };
    let entries: Vec<_> = all.iter().map(|(entry, data)| (*entry, &**data)).collect();
    built.account.done = entries.len() as u64;
    let file = new::archive(&entries, align).ok_or_else(too_large)?;
    let own = own_fields(ArchiveHeader::FIELDS, &document, Encoding::UTF_8)?;
    built.file = wpd::apply(&file, &own)?.to_vec();
    document.shift_remove("member_count");
    document.shift_remove("members");
    // Without additions the members are those of the document.
    if all.len() == kept.len() {
        document.insert("members".to_owned(), kept.into());
    }
    let archive = Archive::parse(&built.file[..])?;
    let described = ArchiveDescription::new(&archive).max_depth(0);
    let root = Root::new("wpd", archive.source(), &described);
    built.account.append(compared(&root, Members::of(&document), Encoding::UTF_8, None));
    Ok(built)
}

pub(super) fn too_large() -> EditError {
    EditError::unsupported(&Path::new(), "the file would be larger than its 32-bit offsets can express")
}

/// Returns a field of `N` bytes with a text; `None` if it is too long.
pub(super) fn padded<const N: usize>(text: &[u8]) -> Option<Text<N>> {
    let mut field = [0; N];
    field.get_mut(..text.len())?.copy_from_slice(text);
    Text::read_from_bytes(&field).ok()
}

/// Returns the entry of a member of a document.
fn entry(member: &Map<String, Json>) -> Result<Entry> {
    let [name, extension] = ["name", "extension"].map(|name| text_bytes(member, name, Encoding::UTF_8));
    new_entry(&name?, &extension?)
}

/// Returns the entry of a file that no document has.
fn named(label: &[u8]) -> Result<Entry> {
    let dot =
        label.iter().rposition(|byte| *byte == b'.').filter(|dot| *dot > 0 && label.len().saturating_sub(*dot) <= 9);
    match dot.and_then(|dot| Some((label.get(..dot)?, label.get(dot.checked_add(1)?..)?))) {
        Some((name, extension)) => new_entry(name, extension),
        None => new_entry(label, b""),
    }
}

fn new_entry(name: &[u8], extension: &[u8]) -> Result<Entry> {
    let mut entry = Entry::new_zeroed();
    let too_long = |what: &str, text: &[u8], most: usize| {
        let text = text.escape_ascii();
        EditError::malformed(None, format!("the {what} {text} of a member has more than {most} bytes"))
    };
    entry.name = padded(name).ok_or_else(|| too_long("name", name, 16))?;
    entry.extension = padded(extension).ok_or_else(|| too_long("extension", extension, 8))?;
    Ok(entry)
}
