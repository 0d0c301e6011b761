//! Pictures of game archives that a PNG makes, by its name alone.

use worldview::rez::{Directory, File, Picture, PictureKind, frame_number};
use worldview_edit::{Change, EditError, Planned, Value};
use worldview_export::rez;
use worldview_import::picture;

/// What a PNG makes of a directory.
pub(super) enum Drawn {
    /// The changes of a picture that is there.
    Changes(Planned),
    /// A new picture, the name of the one that it is like, and what else there is to say.
    New { name: String, data: Vec<u8>, like: String, planned: Planned },
}

/// Returns what a PNG makes of a directory: the picture of its name with other pixels, or a new one that has everything but the size and
/// the pixels of a neighbor, with paths that begin in the directory. `None` if it has no pictures.
///
/// The neighbor is the picture with the nearest lower number, because frames of one image set differ little. Colors that its palette
/// lacks, and what its format cannot store, are treated as in a picture that is there.
pub(super) fn of_png(directory: Directory<'_, '_>, name: &str, png: &[u8]) -> Result<Option<Drawn>, EditError> {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let pictures = directory.files().filter_map(|file| Some((file, Picture::of_file(&file)?.ok()?)));
    let pictures: Vec<_> = pictures.collect();
    let drawn =
        |(file, old): &(File<'_, '_>, Picture<'_>)| picture(old, rez::palette_of(directory.archive(), file), png);
    let path_of = |name: &[u8]| worldview::Path::new().with(|path| path.push_name(name));
    if let Some(there) = pictures.iter().find(|(file, _)| file.name().eq_ignore_ascii_case(stem.as_bytes())) {
        return Ok(Some(Drawn::Changes(drawn(there)?.prefixed(&path_of(&there.0.file_name())))));
    }
    // Other kinds are rare beside PID pictures.
    let has_pid = pictures.iter().any(|(_, picture)| picture.kind() == PictureKind::Pid);
    let of_kind = pictures.iter().filter(|(_, picture)| !has_pid || picture.kind() == PictureKind::Pid);
    let number = frame_number(stem.as_bytes());
    let nearest = of_kind.min_by_key(|(file, _)| {
        let of_file = frame_number(file.name());
        (of_file > number, if of_file > number { of_file } else { u32::MAX.saturating_sub(of_file) })
    });
    let Some(neighbor) = nearest else { return Ok(None) };
    let has_lower_case = neighbor.0.name().iter().any(u8::is_ascii_lowercase);
    let stem = if has_lower_case { stem.to_owned() } else { stem.to_ascii_uppercase() };
    let name = format!("{stem}.{}", String::from_utf8_lossy(neighbor.0.extension().as_bytes()));
    let mut planned = drawn(neighbor)?;
    let set = std::mem::take(&mut planned.changes).into_iter().next();
    let data = match set {
        Some(Change::Set { to: Value::Bytes(bytes), .. }) => bytes,
        _ => neighbor.1.source().bytes().to_vec(),
    };
    let like = String::from_utf8_lossy(&neighbor.0.file_name()).into_owned();
    Ok(Some(Drawn::New { name, data, like, planned }))
}
