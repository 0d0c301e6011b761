use std::cell::LazyCell;
use std::time::{Duration, UNIX_EPOCH};

use super::{About, Audience as A, counted, fact};
use crate::rez::{Directory, DirectoryEntry, File, Picture, PictureKind, flags};

/// States the facts about a directory of a REZ archive, with everything below it.
pub(super) fn directory(facts: &mut About<'_, ()>, directory: Directory<'_, '_>) {
    let source = directory.archive().source();
    let contents = LazyCell::new(|| directory.all_files().map(|file| content(&file)).collect::<Vec<_>>());
    let count = |kind| contents.iter().filter(|content| **content == kind).count();
    facts.add(fact("format", A::TEXT), |()| "REZ archive");
    facts.length(source.len(), A::TEXT);
    facts.add(fact("created", A::TEXT), |()| {
        let seconds = directory.archive().header().time.get();
        let time = UNIX_EPOCH + Duration::from_secs(seconds.into());
        if seconds == 0 { "unknown".to_owned() } else { humantime::format_rfc3339_seconds(time).to_string() }
    });
    facts.add(fact("offset", A::JSON), |()| source.base());
    let files = fact("count", A::JSON | A::SHEET | A::CARD).column("members").label("files");
    facts.add(files, |()| contents.len());
    facts.add(fact("entries", A::BRIEF).unit("entry"), |()| directory.len());
    facts.add(fact("tables", A::JSON), |()| 0_u64);
    facts.add(fact("archives", A::JSON), |()| 0_u64);
    facts.add(fact("levels", A::JSON | A::SHEET), |()| count("level"));
    facts.add(fact("pictures", A::JSON | A::SHEET), |()| count("picture"));
    facts.add(fact("files", A::TEXT), |()| {
        let nested = ["level", "picture"].map(|kind| counted(count(kind) as u64, kind)).join(", ");
        format!("{} ({nested})", contents.len())
    });
    facts.add(fact("recovered", A::JSON), |()| false);
    facts.each(fact("members", A::INFO), || directory.all_files(), about_file);
    facts.each(fact("entries", A::TEXT), || directory.entries(), about_entry);
}

fn about_file(facts: &mut About<'_, File<'_, '_>>) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    facts.add(fact("index", A::INFO), |file| file.index());
    facts.add(fact("path", A::INFO), |file| file.path().to_string());
    facts.add(fact("name", A::INFO), |file| text(file.name()));
    facts.add(fact("extension", A::INFO), |file| text(file.extension().as_bytes()));
    facts.add(fact("offset", A::INFO), |file| file.source().base());
    facts.add(fact("size", A::INFO), |file| file.data().len());
    facts.add(fact("content", A::INFO), content);
}

fn about_entry(facts: &mut About<'_, DirectoryEntry<'_, '_>>) {
    facts.add(fact("entry", A::TEXT), |entry| match entry {
        DirectoryEntry::Directory(directory) => String::from_utf8_lossy(directory.name()).into_owned() + "/",
        DirectoryEntry::File(file) => String::from_utf8_lossy(&file.file_name()).into_owned(),
    });
    facts.add(fact("content", A::TEXT), |entry| match entry {
        DirectoryEntry::Directory(_) => "directory",
        DirectoryEntry::File(file) => content(file),
    });
    facts.add(fact("files", A::TEXT).label(">files"), |entry| match entry {
        DirectoryEntry::Directory(directory) => Some(directory.all_files().count()),
        DirectoryEntry::File(_) => None,
    });
    facts.add(fact("bytes", A::TEXT).label(">bytes"), |entry| match entry {
        DirectoryEntry::Directory(directory) => directory.all_files().map(|file| file.data().len() as u64).sum(),
        DirectoryEntry::File(file) => file.data().len() as u64,
    });
}

/// Returns the kind of a file in a REZ archive: `level`, `picture`, `palette` or `data`.
fn content(file: &File<'_, '_>) -> &'static str {
    let extension = file.extension();
    if file.is_level() {
        "level"
    } else if PictureKind::of_extension(extension).is_some() {
        "picture"
    } else if extension.is("PAL") {
        "palette"
    } else {
        "data"
    }
}

/// States the facts about a picture.
pub(super) fn picture(facts: &mut About<'_, ()>, picture: &Picture<'_>) {
    let (width, height) = (picture.width(), picture.height());
    facts.add(fact("format", A::TEXT), |()| format!("{} picture", picture.kind()));
    facts.length(picture.source().len(), A::TEXT);
    facts.add(fact("width", A::JSON | A::SHEET), |()| width);
    facts.add(fact("height", A::JSON | A::SHEET), |()| height);
    facts.add(fact("pixels", A::TEXT | A::BRIEF), |()| format!("{width} x {height}"));
    // Distance from an object's position to the center of the picture.
    facts.add(fact("offset", A::JSON | A::TEXT), |()| vec![picture.offset().0, picture.offset().1]);
    // A picture without palette indices has none.
    let palette = |own, of_level| match (picture.channels(), picture.palette()) {
        (1, Some(_)) => Some(own),
        (1, None) => Some(of_level),
        _ => None,
    };
    facts.add(fact("palette", A::TEXT), |()| {
        palette("its own", "that of its level").unwrap_or("none: red, green and blue")
    });
    facts.add(fact("flags", A::JSON | A::TEXT), |()| match picture {
        Picture::Pid(pid) => {
            let set = pid.header().flags.get();
            flags::NAMES.iter().filter(|(bit, _)| set & bit != 0).map(|(_, name)| *name).collect()
        }
        _ => Vec::new(),
    });
    facts.add(fact("palette", A::JSON), |()| palette("own", "level"));
}
