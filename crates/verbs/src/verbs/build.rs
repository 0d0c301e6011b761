//! New files: from what `export` writes, or empty levels.

mod blank;
mod models;
mod pictures;

use std::collections::HashSet;
use std::fs;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;
use serde::de::IgnoredAny;
use walkdir::WalkDir;
use worldview::Format;
use worldview::wpd::{Generation, Schemas};
use worldview_edit::account::{self, Account, Column};
use worldview_edit::codes;
use worldview_export::Encoding;
use worldview_export::outputs::ARCHIVE;
pub use worldview_import::build::Blank;
use worldview_import::build::{self, Beside, Built, Layout, NOT_A_MEMBER, NewMember};
use worldview_import::csv;

use super::apply::png_added;
use super::edit::{findings_of_new, is_same_or_inside, put};
use crate::game::GameFiles;
use crate::inputs::{self, has_extension};
use crate::open::{path_of, schemas};
use crate::options::{BuildOptions, Mmap};
use crate::outcome::Outcome;
use crate::output::{MEMBERS, Manifest, With};
use crate::read::{Room, SourceKind, decode};
use crate::report::{Error, Report, Result};
use crate::run::Run;
use crate::table;

codes! {
    /// The codes of sources of new files.
    pub(crate) BUILT {
        EDIT_NOT_READ = "edit-not-read": "an edited file of an export was not read, because the new file is made from another one",
    }
}

/// Documents and sheets in a folder, the first of which says what it is the source of.
const DOCUMENTS: [&str; 8] =
    [ARCHIVE, "table.json", "level.json", pictures::WORLD, pictures::TEXTURES, RECORDS, "map.tmx", "map.tmj"];
const RECORDS: &str = "records.csv";

/// Makes a new file from a document, a sheet, a folder, or a text such as `blank:claw:40x20`. Returns the size of the file, if it was
/// written or would be.
///
/// # Errors
///
/// Returns an error if the options cannot be used.
pub fn build(source: &Path, args: &BuildOptions, run: &mut Run<'_>) -> Result<Report<Option<u64>>> {
    let named = args.schema.as_deref().map(schemas).transpose()?;
    let mut outcome = Outcome::default();
    let game = GameFiles::open(args.game.as_deref(), run.loader_for(Mmap::Auto))?;
    let built = match Blank::of_source(source) {
        Some(blank) => {
            let archives = args.game.as_ref().map(|_| game.opened());
            blank::made((source, blank), archives.as_deref(), &mut outcome)
        }
        None if args.game.is_some() => {
            return Err(Error::refused("--game", &"only an empty level, such as blank:claw:40x20, takes a game"));
        }
        None => made(args, source, named.as_ref(), &Room::default(), &mut outcome),
    };
    let mut written = None;
    if let Some(Built { file, account }) = built {
        let is_refused = account.refused() > 0 && !args.skip_refused;
        append(account, source, &mut outcome);
        if !is_refused {
            for finding in findings_of_new(&file, &inputs::last_name(&args.out), named.as_ref()) {
                outcome.note(source, &format_args!("the new file has a problem: {finding}"));
            }
            let len = Some(file.len() as u64);
            written = match (args.preview.dry_run, is_same_or_inside(&args.out, source)) {
                (true, _) => len,
                (false, true) => {
                    let why = format!("the output would be part of the source {}", table::path(source));
                    outcome.nothing(&args.out, &why)
                }
                _ => put((&args.out, &args.out), &[source], args.overwrite, &file, &mut outcome).and(len),
            };
        }
    }
    if written.is_none() {
        outcome.nothing_done = true;
    }
    game.still_there(run);
    run.count_done(written.is_some());
    run.absorb(&table::path(source), outcome, written.unwrap_or(0));
    Ok(run.end("build", written))
}

/// Adds the account of what was made from a source.
fn append(mut account: Account, source: &Path, outcome: &mut Outcome) {
    for entry in account.entries_mut().filter(|entry| entry.place.file.is_empty()) {
        entry.place.file = table::path(source);
    }
    outcome.account.append(account);
}

/// The document or sheet in a folder that it is the source of.
fn document_in(folder: &Path) -> Option<PathBuf> {
    DOCUMENTS.into_iter().map(|name| folder.join(name)).find(|path| path.is_file())
}

/// Makes the file that a source describes. Reports why that is impossible.
fn made(
    args: &BuildOptions,
    source: &Path,
    schemas: Option<&Arc<Schemas>>,
    room: &Room,
    outcome: &mut Outcome,
) -> Option<Built> {
    let read_text = |path: &Path, outcome: &mut Outcome| read((source, path), SourceKind::of(path), room, outcome);
    let path = if source.is_dir() { document_in(source) } else { Some(source.to_path_buf()) };
    let encoding = path.as_deref().and_then(with_of).and_then(|with| Encoding::for_label(&with.encoding?));
    let encoding = encoding.unwrap_or(args.encoding);
    let sheet = if source.is_dir() { source.join(RECORDS) } else { source.to_path_buf() };
    let with = with_of(&sheet).unwrap_or_default();
    if !with.parts.is_empty() {
        let parts = with.parts.join(", ");
        let why = format!("has only what {parts} selects of a table; export the whole table to build it");
        return outcome.nothing(&sheet, &why);
    }
    let options = csv::Options::default().safe(with.csv_safe);
    let text = path.as_deref().map(|path| read_text(path, outcome)).transpose().ok()?;
    // A document with records is whole.
    let is_sheet_read = source.is_dir() && sheet.is_file() && !text.as_deref().is_some_and(has_records);
    let built = match (&path, &text) {
        (None, _) if Manifest::read(source).is_some() && !source.join(MEMBERS).is_dir() => {
            let why = "is an export without a document; `export --to json` writes it";
            return outcome.nothing(source, &why);
        }
        (Some(path), Some(text)) if has_extension(path, "csv") => {
            let layout = layout(args, schemas).map_err(|why| outcome.input_failed(source, &why)).ok()?;
            if layout.version == 0 {
                outcome.note(
                    path,
                    &"no schema has the number in !!version, so it is 0; `worldview set` can change @layout_version",
                );
            }
            build::sheet(text, &layout, &options)
        }
        (Some(path), Some(text)) if has_extension(path, "tmx") || has_extension(path, "tmj") => {
            build::map(text, encoding)
        }
        _ if source.is_dir() => {
            let sheet = is_sheet_read.then(|| read_text(&sheet, outcome)).transpose().ok()?;
            let files = members(args, (source, path.as_deref()), schemas, room, outcome)?;
            let members: Vec<_> = files.iter().map(|(path, data)| NewMember { path, data }).collect();
            let beside = Beside { sheet: sheet.as_deref().map(|sheet| (sheet, &options)), members: &members };
            let built = match &text {
                Some(text) => build::document(text, &beside, encoding),
                None if has_extension(&args.out, "rez") => build::rez(None, &members, encoding),
                None => build::archive(None, &members),
            };
            let mut built =
                built.map_err(|error| outcome.input_failed(path.as_deref().unwrap_or(source), &error)).ok()?;
            if Format::sniff(&built.file) == Some(Format::Rez) {
                let pictures = members.iter().filter(|member| has_extension(Path::new(member.path), "png"));
                let paths = pictures.map(|member| path_of(member.path.split('/')));
                let is_left_out = |path: &worldview::Path| {
                    built.account.entries().any(|one| one.code == NOT_A_MEMBER && one.path == *path)
                };
                let added: Vec<_> = paths.filter(|path| !is_left_out(path)).collect();
                added.iter().for_each(|path| built.account.push(png_added(path)));
            }
            match &path {
                Some(path) if path.ends_with(pictures::WORLD) => {
                    Ok(models::edited(source, path, built, room, outcome)?)
                }
                _ => Ok(built),
            }
        }
        (_, text) => build::document(text.as_deref().unwrap_or_default(), &Beside::default(), encoding),
    };
    if source.is_dir() {
        say_unread(source, path.as_deref(), is_sheet_read, outcome);
    }
    built.map_err(|error| outcome.input_failed(path.as_deref().unwrap_or(source), &error)).ok()
}

/// Returns how a file was exported, as the manifest beside it says.
fn with_of(path: &Path) -> Option<With> {
    let name = inputs::last_name(path);
    let files = Manifest::read(path.parent()?)?.files;
    files.into_iter().find(|entry| entry.file == name).map(|entry| entry.with)
}

/// Returns whether a document has the records of a table.
fn has_records(document: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Document {
        records: Option<IgnoredAny>,
    }
    serde_json::from_str(&decode(document)).is_ok_and(|document: Document| document.records.is_some())
}

/// Names what lies beside the document of a folder, or beside the members of an archive, and is not read. Edited files among them are
/// left out, with a message.
fn say_unread(source: &Path, document: Option<&Path>, is_sheet_read: bool, outcome: &mut Outcome) {
    let is_archive = document.is_none_or(|document| document.ends_with(ARCHIVE));
    if is_archive && !source.join(MEMBERS).is_dir() {
        return;
    }
    let is_of = |name: &str| document.is_some_and(|document| document.ends_with(name));
    let is_folder_or = |file: &str, extension: &str| !file.contains('/') || has_extension(Path::new(file), extension);
    let is_read = |file: &str| match file.split('/').next().unwrap_or_default() {
        MEMBERS => is_archive,
        pictures::FOLDER => document.is_some_and(pictures::has_pictures) && is_folder_or(file, "png"),
        RECORDS => is_sheet_read && is_of("table.json") || is_of(RECORDS),
        name if models::FOLDERS.contains(&name) => is_of(pictures::WORLD) && is_folder_or(file, "glb"),
        name => name == Manifest::NAME || is_of(name),
    };
    let of = document.filter(|_| !is_archive).map_or_else(|| MEMBERS.to_owned(), inputs::last_name);
    let files = Manifest::read(source).into_iter().flat_map(|manifest| manifest.files);
    let mut edited = HashSet::new();
    for file in files.filter(|file| !is_read(&file.file) && file.is_edited(source)) {
        let why = format!("was edited, but the file is made from {of}, and this edit is not read");
        let mut entry = account::Entry::new(Column::LeftOut, EDIT_NOT_READ, &worldview::Path::new(), why);
        entry.place.file = table::path(&source.join(&file.file));
        outcome.account.push(entry);
        edited.insert(file.file);
    }
    let names = fs::read_dir(source).into_iter().flatten().flatten().map(|entry| entry.file_name());
    let mut names: Vec<_> = names.map(|name| name.to_string_lossy().into_owned()).collect();
    names.retain(|name| !is_read(name) && !edited.contains(name));
    names.sort_unstable();
    if !names.is_empty() {
        let text = format!("the file is made from {of}; not read: {}", table::some(names.into_iter(), 5));
        outcome.note(source, &text);
    }
}

/// Reads a file of the source, out of which no link leads. Reports why that is impossible.
fn read(
    (source, path): (&Path, &Path),
    kind: SourceKind,
    room: &Room,
    outcome: &mut Outcome,
) -> std::result::Result<Vec<u8>, ()> {
    room.read_in(source, path, kind).map_err(|error| outcome.input_failed(path, &error))
}

/// Returns the properties of a table made from a sheet, according to the options.
fn layout(args: &BuildOptions, schemas: Option<&Arc<Schemas>>) -> std::result::Result<Layout, String> {
    let sheet = match schemas.map(|schemas| schemas.sheets()) {
        None => None,
        Some([sheet]) => Some(sheet),
        Some(sheets) => {
            let name = inputs::last_name(&args.out);
            let found = schemas.and_then(|schemas| schemas.candidates(None, Some(&name)).next());
            let why = || {
                let all = sheets.iter().map(|sheet| sheet.name()).collect::<Vec<_>>().join(", ");
                format!("the schema file has several sheets ({all}), and none of them names {name}")
            };
            Some(found.ok_or_else(why)?)
        }
    };
    let generation = args.generation.unwrap_or(if sheet.is_some() { Generation::G2 } else { Generation::G3 });
    let version = sheet.and_then(|sheet| sheet.versions().first().copied());
    Ok(Layout {
        generation,
        version: version.unwrap_or(0),
        sheet_name: args.sheet_name.as_ref().map(|name| name.as_bytes().to_vec()),
        fields: sheet.map(|sheet| sheet.fields().to_vec()).unwrap_or_default(),
    })
}

/// Returns the files in an export that an export of another version of the file has left.
fn stale(source: &Path) -> HashSet<PathBuf> {
    let entries = Manifest::read(source).into_iter().flat_map(|manifest| manifest.stale);
    entries.map(|entry| source.join(entry.file)).collect()
}

/// Reads the members in the folder of an archive, or in the folder `members` in it, as `export` writes them: their paths and data. A
/// folder with a document of its own is the source of a member. Reports why that is impossible.
fn members(
    args: &BuildOptions,
    (source, document): (&Path, Option<&Path>),
    schemas: Option<&Arc<Schemas>>,
    room: &Room,
    outcome: &mut Outcome,
) -> Option<Vec<(String, Vec<u8>)>> {
    let mut all = Vec::new();
    if let Some(document) = document.filter(|document| !document.ends_with(ARCHIVE)) {
        return pictures::read_all(source, document, room, outcome);
    }
    let exported = source.join(MEMBERS);
    let folder = if exported.is_dir() { exported.as_path() } else { source };
    let stale = stale(source);
    let mut entries = WalkDir::new(folder).sort_by_file_name().into_iter();
    while let Some(entry) = entries.next() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => return outcome.nothing(folder, &error.to_string()),
        };
        let path = entry.path();
        let is_own = path.parent() == Some(source) && (path.ends_with(ARCHIVE) || path.ends_with(Manifest::NAME));
        let is_source = entry.depth() > 0 && entry.file_type().is_dir() && document_in(path).is_some();
        if is_own || entry.file_type().is_dir() && !is_source {
            continue;
        }
        if stale.contains(path) {
            outcome.note(path, &"belongs to an export of another archive, as the manifest says, and is not used");
            continue;
        }
        let below = path.strip_prefix(folder).unwrap_or(path);
        let Some(name) = below.to_str().filter(|_| is_source || entry.file_type().is_file()) else {
            return outcome.nothing(path, &"is neither a file nor a folder, or its name is not valid Unicode");
        };
        let data = if is_source {
            entries.skip_current_dir();
            let Built { file, account } = made(args, path, schemas, room, outcome)?;
            let is_refused = account.refused() > 0;
            append(account, path, outcome);
            if is_refused && !args.skip_refused {
                return None;
            }
            file
        } else {
            read((source, path), SourceKind::Data, room, outcome).ok()?
        };
        all.push((name.replace(MAIN_SEPARATOR, "/"), data));
    }
    Some(all)
}
