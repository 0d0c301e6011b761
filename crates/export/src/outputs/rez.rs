//! The files of REZ archives, and pictures as PNG.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use worldview_core::Budget;
use worldview_format::Kind;
use worldview_inspect::{self as inspect, Root, json};
use worldview_rez::{Directory, File, Picture, PictureKind, RezDescription};

use super::{ARCHIVE, MEMBERS, Note, Options, Origin, Output, OutputKind, Report, Sink};
use crate::names::{PartFolders, Taken, file_name, fold};
use crate::{Limit, rez};

/// Passes the files of a directory of an archive that `wants` selects to a sink: unchanged, with what they lack, and pictures as PNG.
/// `folders` assigns their folders to pictures.
pub fn directory(
    directory: Directory<'_, '_>,
    wants: &dyn Fn(&File<'_, '_>) -> bool,
    kinds: &[OutputKind],
    options: &Options<'_>,
    folders: &mut PartFolders,
    sink: &mut dyn Sink,
) {
    // Pictures and levels keep the path that they have in the archive, next to the folder of its files.
    folders.folder_of(Path::new(""));
    let is_wanted = |file: &File<'_, '_>| wants(file) && !file.is_missing();
    if kinds.contains(&OutputKind::Members) {
        files(directory, &is_wanted, options, sink);
    }
    if kinds.contains(&OutputKind::Png) {
        pictures(directory, &is_wanted, options, folders, sink);
    }
}

/// Returns what an archive says that a file is, by its extension: a level, a picture or data.
pub fn kind_of(file: &File<'_, '_>) -> Kind {
    if file.is_level() {
        Kind::Level
    } else {
        PictureKind::of_extension(file.extension()).map_or(Kind::Data, |_| Kind::Picture)
    }
}

/// Passes on files, and what they lack: titles, order, times, numbers, comments and keys.
fn files(
    directory: Directory<'_, '_>,
    is_wanted: &dyn Fn(&File<'_, '_>) -> bool,
    options: &Options<'_>,
    sink: &mut dyn Sink,
) {
    let kind = OutputKind::Members;
    let archive = directory.archive();
    let described = RezDescription::new(archive).directory(directory).opens_files(false);
    let root = Root::new("rez", archive.source(), &described);
    let documents = inspect::Options { encoding: options.encoding, ..inspect::Options::default() };
    let from = Origin { length: Some(archive.source().len()), ..Origin::default() };
    let output = Output::new(kind, ARCHIVE, "archive", from);
    let mut goes_on = sink.one(output, &mut |out| Ok(json::write(&root, &documents, out)?));
    let names = |file: &File<'_, '_>| file.path().names().iter().map(|name| file_name(name)).collect::<Vec<_>>();
    let mut taken = Taken::default();
    // A file and a directory can have one name. The directory keeps it.
    let mut above = HashSet::new();
    for file in directory.all_files() {
        let names = names(&file);
        for folder in (1..names.len()).rev().map(|depth| names[..depth].join("/")) {
            if !above.insert(fold(&folder)) {
                break;
            }
            taken.take_whole(folder);
        }
    }
    for file in directory.all_files() {
        if !goes_on {
            return;
        }
        // Files that are not selected are also assigned names, so that the names of the others do not depend on the
        // selection.
        let names = names(&file);
        let name = format!("{MEMBERS}/{}", taken.take(names.join("/")));
        if is_wanted(&file) {
            goes_on = sink.one(output_of(&file, kind, name, "member"), &mut |out| Ok(out.write_all(file.data())?));
        }
    }
}

fn pictures(
    directory: Directory<'_, '_>,
    is_wanted: &dyn Fn(&File<'_, '_>) -> bool,
    options: &Options<'_>,
    folders: &mut PartFolders,
    sink: &mut dyn Sink,
) {
    // A few bytes can be a picture of millions of pixels, and entries can share them.
    let most = directory.archive().source().len().saturating_mul(16).saturating_add(options.pictures.max_pixels);
    let mut budget = Budget::new(most, Limit::Pixels, "pixels of all pictures");
    let (mut jobs, mut outputs, mut taken) = (Vec::new(), Vec::new(), Taken::default());
    for file in directory.all_files().filter(|file| is_wanted(file)) {
        match Picture::of_file(&file) {
            None => {}
            Some(Ok(picture)) => {
                let data = file.source();
                if let Err(error) = budget.spend(picture.pixels() as u64, data.base(), data.space()) {
                    sink.note(Note::Failed("", error.into()));
                    break;
                }
                outputs.push(Output { size: picture.pixels() as u64, ..picture_of(&file, folders, &mut taken) });
                jobs.push((Some(file), picture));
            }
            Some(Err(error)) => sink.note(Note::Failed(&file.path().to_string(), error.into())),
        }
    }
    draw(&jobs, outputs, options, sink);
}

/// Passes a picture as PNG to a sink. `file` is where it is in an archive; a picture in a file of its own has `length` bytes.
pub fn picture(
    picture: Picture<'_>,
    file: Option<File<'_, '_>>,
    length: u64,
    options: &Options<'_>,
    folders: &mut PartFolders,
    sink: &mut dyn Sink,
) {
    let from = Origin { length: Some(length), ..Origin::default() };
    let alone = || Output::new(OutputKind::Png, "picture.png", "picture", from);
    let output = file.map_or_else(alone, |file| picture_of(&file, folders, &mut Taken::default()));
    draw(&[(file, picture)], vec![output], options, sink);
}

fn draw(
    pictures: &[(Option<File<'_, '_>>, Picture<'_>)],
    outputs: Vec<Output<'_>>,
    options: &Options<'_>,
    sink: &mut dyn Sink,
) {
    sink.many(outputs, &|index, out| {
        let (file, picture) = &pictures[index];
        let palette = file.as_ref().and_then(|file| rez::palette_of(file.parent().archive(), file));
        Ok(Report { cut: rez::png(picture, palette, options.pictures.max_pixels, out)?, ..Report::default() })
    });
}

/// Returns the output of a picture, next to where it is in the archive.
fn picture_of(file: &File<'_, '_>, folders: &mut PartFolders, taken: &mut Taken) -> Output<'static> {
    let names: Vec<_> = file.path().names().iter().map(|name| file_name(name)).collect();
    let (name, directories) = names.split_last().map_or(("", &[][..]), |(name, above)| (&**name, above));
    let folder = folders.folder_of(&directories.iter().collect::<PathBuf>());
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    output_of(file, OutputKind::Png, taken.take(format!("{folder}{stem}.png")), "picture")
}

/// Returns an output of a file.
fn output_of(file: &File<'_, '_>, kind: OutputKind, name: String, of: &'static str) -> Output<'static> {
    let (data, raw) = (file.source(), file.file_name());
    let (inside, index, length) = (file.path().to_string(), Some(file.index()), Some(data.len()));
    let from = Origin { inside, index, offset: data.base(), length, ..Origin::default() };
    let text = String::from_utf8_lossy(&raw).into_owned();
    Output { size: data.len(), ..Output::new(kind, name, of, from).called(raw, text) }
}
