//! Where changes come from: changes files, and edited exports.

mod export;
mod pack;
mod pictures;
mod workbook;
mod world;

use std::borrow::Cow;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;
use worldview::wpd::TableOptions;
use worldview::{Asset, At, Entry as Part, Format, Kind as FormatKind, OpenError, Options, open};
use worldview_edit::account::{self, Account, Column};
use worldview_edit::codes;
use worldview_edit::{Change, Changes, EditError, Planned, Position, Value, fields};
use worldview_export::Encoding;
use worldview_export::rez;
use worldview_import::build::MEMBER_ADDED;
use worldview_import::xlsx::{self, Workbook};
use worldview_import::{csv, json, members, picture, tiled};
use worldview_inspect::Root;

use crate::inputs::{self, Input};
use crate::mods::{Head, Mod, ModFile, SUFFIX, archive_of, for_input, is_side_file, read_changes};
use crate::open::{names_of, place_of};
use crate::output::{Entry, MEMBERS, Manifest, With};
use crate::read::{self, Room, SourceKind, digest_of, digest_of_option};
use crate::table;
use crate::verbs::edit::{Original, options};
use export::Export;
use pack::Pack;
use pictures::Drawn;
use workbook::Worksheets;
pub(crate) use world::plan as edited_model;
use worldview_export::outputs::OutputKind as Kind;

codes! {
    /// The codes of files of an edited export.
    pub(crate) SOURCES {
        NOT_APPLICABLE = "not-applicable": "the file only shows the input or a part of it; edits to it cannot be applied",
        NOT_OF_EXPORT = "not-of-the-export": "the export did not write this file; it is applied only if it is named",
        OTHER_VERSION = "other-version": "a mod was made for another version of the file",
        PNG_ADDED = "png-added": "a PNG was added to a game archive unchanged; the games only show PID and PCX pictures",
        LEADS_OUT = "leads-out": "a link in the folder of an export or of a mod leads out of it",
    }
}

/// How edited exports are applied.
#[derive(Clone, Copy)]
pub(super) struct Rules<'r> {
    /// Whether records and objects that a sheet does not mention are removed.
    pub(super) remove_missing: bool,
    /// Whether any file becomes a new member of an archive, because it is named.
    pub(super) adds_all: bool,
    /// The memory for what is read.
    pub(super) room: &'r Room,
}

/// A source of changes for one file.
pub(super) enum Source {
    /// A changes file.
    Changes(PathBuf),
    /// The export of the file.
    Export(Export),
    /// An edited export without a manifest.
    Alone(PathBuf),
    /// A member of an archive, in a mod, and whether it is named.
    Member(PathBuf, bool),
    /// A member of an archive, in a packed mod.
    Unpacked(PathBuf, Vec<u8>),
    /// The changes of one file in a mod.
    Listed(PathBuf, ModFile),
    /// Worksheets of a workbook of several files.
    Worksheets(Worksheets),
}

/// An edited export.
struct Edited<'e> {
    kind: Kind,
    /// The name of the file, or of the archive member that it holds.
    name: String,
    bytes: Vec<u8>,
    /// The options that the manifest records.
    with: &'e With,
    /// The entry of the file in the manifest.
    entry: Option<&'e Entry>,
    rules: Rules<'e>,
    /// How tables that are members get their field names.
    tables: TableOptions<'e, 'e>,
}

/// Returns the kind of an export that can be applied, by its name.
fn kind_of(path: &Path) -> Option<Kind> {
    let folder = path.parent().and_then(Path::file_name);
    if folder.is_some_and(|folder| folder == MEMBERS) {
        return Some(Kind::Members);
    }
    let kind = Kind::named(&path.extension()?.to_ascii_lowercase().to_string_lossy());
    kind.filter(|kind| {
        use Kind::{Csv, Glb, Json, Ndjson, Png, Tmj, Tmx, Xlsx};
        matches!(kind, Csv | Xlsx | Json | Ndjson | Tmx | Tmj | Png | Glb)
    })
}

/// Finds the changes between an export of the original and its edited form. Their paths begin at the part of the original that was
/// exported.
fn plan(original: Exported<'_>, edited: &Edited<'_>) -> Result<Planned, EditError> {
    let Edited { kind, name, bytes, with, entry, rules, tables } = edited;
    let encoding = with.encoding.as_deref().map_or(Some(Encoding::default()), Encoding::for_label);
    let encoding = encoding.ok_or_else(|| unsupported("was exported with an unknown code page"))?;
    if *kind == Kind::Members
        && let Some(planned) = game_file(original, edited, encoding)?
    {
        return Ok(planned);
    }
    let removes = rules.remove_missing;
    let sheet = csv::Options::default().safe(with.csv_safe).encoding(encoding).remove_missing(removes);
    let is_attributes = has_columns(*kind, bytes, "frame", "object");
    match (*kind, original.asset) {
        (Kind::Members, Asset::Archive(archive)) => {
            let options = members::Options::default().adds_all(rules.adds_all).tables(*tables);
            members::members(archive, [(name.as_bytes(), bytes.as_slice())], &options)
        }
        (Kind::Csv | Kind::Ndjson, Asset::Table(_)) if has_columns(*kind, bytes, "field", "record") => {
            Err(unsupported("arrays of texts are edited through the fields of records, in records.csv"))
        }
        (Kind::Csv, Asset::Table(table)) => csv::records(table, bytes, &sheet),
        (Kind::Xlsx, Asset::Table(table)) => xlsx::table(table, &Workbook::open(bytes)?, &sheet),
        (Kind::Xlsx, Asset::Level(level, _)) => xlsx::level(level, &Workbook::open(bytes)?, &sheet),
        (Kind::Ndjson, Asset::Table(table)) => json::records(table, bytes, removes),
        (Kind::Csv, Asset::Level(level, _)) if is_attributes => csv::attributes(level, bytes, &sheet),
        (Kind::Csv, Asset::Level(level, _)) => csv::objects(level, bytes, &sheet),
        (Kind::Json, Asset::Picture(old)) => json::picture(old, bytes),
        (Kind::Json, asset) => {
            // The objects of a level are found by keys.
            let level = if let Asset::Level(level, _) = asset { Some(level) } else { None };
            let at = original.trail.last().and_then(Part::at).unwrap_or(At::Whole);
            let plan = |root: &Root<'_>| json::document(root, level, bytes, encoding, removes);
            asset.describe(at, plan).unwrap_or_else(|| Err(not_applicable()))
        }
        (Kind::Ndjson, Asset::Level(level, _)) if is_attributes => json::attributes(level, bytes, encoding),
        (Kind::Ndjson, Asset::Level(level, _)) => json::objects(level, bytes, encoding, removes),
        (Kind::Tmx | Kind::Tmj, Asset::Level(level, _)) => tiled::level(level, bytes, encoding),
        (Kind::Png, Asset::Picture(old)) => {
            let palette = original.file().and_then(|file| rez::palette_of(file.parent().archive(), &file));
            picture(old, palette, bytes)
        }
        (Kind::Png | Kind::Glb, asset) => world::plan(asset, *entry, bytes),
        _ => Err(not_applicable()),
    }
}

/// Whether a sheet or a file of lines has one column and not the other: tile attributes have a `frame` and objects an `object`, string
/// arrays have a `field` and records a `record`.
fn has_columns(kind: Kind, bytes: &[u8], one: &str, other: &str) -> bool {
    let text = read::decode(bytes.get(..1 << 12).unwrap_or(bytes));
    let Some(first) = text.lines().find(|line| !line.trim().is_empty() && !line.starts_with("sep=")) else {
        return false;
    };
    let names: Vec<&str> = match kind {
        Kind::Csv => first.split([',', ';', '\t']).map(|name| name.trim_matches('"')).collect(),
        Kind::Ndjson => first.split('"').collect(),
        _ => return false,
    };
    names.contains(&one) && !names.contains(&other)
}

/// Returns the changes of a file in a REZ archive, or of a new one in a directory of it.
fn game_file(original: Exported<'_>, edited: &Edited<'_>, encoding: Encoding) -> Result<Option<Planned>, EditError> {
    let mut account = Account::default();
    let change = match (original.file(), original.asset) {
        (Some(file), _) if file.data() == edited.bytes => return Ok(Some(Planned::default())),
        (Some(file), _) => {
            let from = Some(Value::Bytes(file.data().to_vec()));
            Change::Set { path: worldview::Path::new(), from, to: Value::Bytes(edited.bytes.clone()) }
        }
        (None, Asset::Rez(archive)) => {
            let (mut name, mut data, mut said) =
                (edited.name.clone(), edited.bytes.clone(), "is a new member".to_owned());
            let is_png = inputs::has_extension(Path::new(&name), "png");
            // A picture is one whatever the archive has, but for backups and copies.
            let is_left_out = !edited.rules.adds_all
                && members::not_a_member(Format::Rez, name.as_bytes(), &data, Some(&|_| true), &|_| false).is_some();
            let directory = match original.trail.last() {
                Some(Part::Directory(directory)) => *directory,
                _ => archive.root(),
            };
            let drawn = if is_png && !is_left_out { pictures::of_png(directory, &name, &data)? } else { None };
            let is_drawn = drawn.is_some();
            let path_of = |name: &str| {
                let mut path = worldview::Path::new();
                path.push_name(&fields::encode_in(encoding, name, &path)?);
                Ok::<_, EditError>(path)
            };
            match drawn {
                Some(Drawn::Changes(planned)) => return Ok(Some(planned)),
                Some(Drawn::New { name: new, data: pixels, like, planned }) => {
                    let planned = planned.prefixed(&path_of(&new)?);
                    if planned.account.refused() > 0 {
                        return Ok(Some(planned));
                    }
                    account = planned.account;
                    said = format!("is a new picture, with the flags, offset and palette of {like}");
                    (name, data) = (new, pixels);
                }
                None => {}
            }
            let path = path_of(&name)?;
            let has = |extension: &[u8]| {
                let extension = String::from_utf8_lossy(extension);
                archive.root().all_files().any(|file| file.extension().is(&*extension))
            };
            let why = members::not_a_member(Format::Rez, name.as_bytes(), &data, Some(&has), &|_| false);
            if let Some(why) = why.filter(|_| !edited.rules.adds_all) {
                account.push(members::left_out(&path, why));
                return Ok(Some(Planned { changes: Changes::new(), account }));
            }
            account.push(match is_png && !is_drawn {
                true => png_added(&path),
                false => account::Entry::new(Column::Done, MEMBER_ADDED, &path, said),
            });
            let (position, data) = (Position::Natural, Some(Value::Bytes(data)));
            Change::Add { path, like: None, position, fields: Vec::new(), data }
        }
        _ => return Ok(None),
    };
    Ok(Some(Planned { changes: [change].into_iter().collect(), account }))
}

/// Says that a PNG becomes a file of a game archive.
pub(crate) fn png_added(path: &worldview::Path) -> account::Entry {
    let why =
        "is added as a PNG, which the games do not show; beside PID or PCX pictures, `apply` makes it one of them";
    account::Entry::new(Column::Done, PNG_ADDED, path, why)
}

/// Returns an error if a link leads from a folder of sources to somewhere else.
fn check_link(path: &Path, folder: &Path) -> Result<(), EditError> {
    let refused = || EditError::refused(&worldview::Path::new(), LEADS_OUT, read::LEADS_OUT);
    if read::leads_out(path, folder) { Err(refused()) } else { Ok(()) }
}

/// The error about a file that shows something of the input.
fn not_applicable() -> EditError {
    let why = "cannot be applied to this input: tables take CSV, XLSX, NDJSON and JSON, levels also TMX and TMJ, pictures \
               PNG and JSON, WORLD.WDB JSON, PNG and GLB, archives files in members/";
    EditError::refused(&worldview::Path::new(), NOT_APPLICABLE, why)
}

/// Sources by the relative paths of the files that they are for, and messages about other files and mods.
type InFolder = (Vec<(PathBuf, Source)>, Vec<(PathBuf, Cow<'static, str>)>);

/// Returns what is said about a file that is neither a changes file nor an edited export.
fn not_a_source(path: &Path) -> &'static str {
    if inputs::has_extension(path, "gltf") {
        "is glTF with its data in other files: export it as GLB"
    } else if inputs::has_extension(path, "tsx") {
        "is a tileset of its own: embed it in the map, and apply that"
    } else {
        "is neither a changes file nor an edited export that can be applied (CSV, XLSX, NDJSON, JSON, TMX, TMJ, PNG, GLB)"
    }
}

impl Source {
    /// Returns the source that a path is for a file.
    pub(super) fn of_file(path: &Path, input: &Input) -> Result<Self, String> {
        if path.as_os_str() == "-" {
            return Ok(Self::Changes(path.into()));
        }
        if Pack::at(path).is_some() {
            return Err("is a pack of mods, which can only be applied to the folder of a game".to_owned());
        }
        if !path.is_dir() {
            let head = read::start(path, 4096).map_err(|error| error.to_string())?;
            if read::decode(&head).contains("\"worldview_changes\"") {
                return Ok(Self::Changes(path.into()));
            }
            if archive_of(path).is_some_and(|archive| archive.file_name() == input.path.file_name()) {
                return Ok(Self::Member(path.into(), true));
            }
            if Mod::is_named(path)
                && let Some(found) = Mod::read(path, &Room::default())
            {
                let found = found.map_err(|error| error.to_string())?;
                let file = for_input(found.files, input)?;
                return Ok(Self::Listed(path.into(), ModFile { head: found.head, ..file }));
            }
            if let Some(found) = workbook::of_input(path, input) {
                return Ok(Self::Worksheets(found?));
            }
            // Members have any name.
            if let Some(export) = Export::of(path, input) {
                return Ok(Self::Export(export));
            }
            kind_of(path).ok_or_else(|| not_a_source(path))?;
            return Ok(Self::Alone(path.into()));
        }
        if let Some(export) = Export::of(path, input) {
            return Ok(Self::Export(export));
        }
        let name = inputs::last_name(&input.path);
        let beside = path.join(format!("{name}{SUFFIX}"));
        if beside.is_file() {
            return Ok(Self::Changes(beside));
        }
        for folder in [path.to_path_buf(), path.join(&name)] {
            if let Some(manifest) = Manifest::read(&folder) {
                return Ok(Self::Export(Export::whole(folder, manifest)));
            }
            let list = folder.join(Manifest::NAME);
            if list.exists() {
                return Err(match Manifest::read_all(&folder).is_empty() {
                    true => {
                        let why = "is not one of this version, or is damaged; export the file again";
                        format!("{} {why}", table::path(&list))
                    }
                    false => format!("{} has no line of this version of the file", table::path(&list)),
                });
            }
        }
        Err(format!("has neither {name}{SUFFIX} nor a folder {name} with an export"))
    }

    /// Returns the sources in a folder.
    pub(super) fn in_folder(folder: &Path) -> io::Result<InFolder> {
        if let Some(pack) = Pack::at(&inputs::spelled(folder)) {
            return pack.sources();
        }
        if folder.as_os_str() == "-" || !fs::metadata(folder)?.is_dir() {
            if let Some(found) = Mod::read(folder, &Room::default()) {
                let found = found.map_err(io::Error::other)?;
                let head = found.head.map(|head| (folder.into(), Cow::Owned(head.to_string())));
                let listed = found.files.into_iter().map(|(path, file)| (path, Self::Listed(folder.into(), file)));
                return Ok((listed.collect(), head.into_iter().collect()));
            }
            let why = "is a file; to edit a folder, give a folder of changes or exports, a mod, or a workbook of all its tables";
            let files = workbook::of_folder(folder).ok_or_else(|| io::Error::other(why))?.map_err(io::Error::other)?;
            let others = files.first().map(|(_, sheets)| sheets.others()).unwrap_or_default();
            let others = others.into_iter().map(|why| (folder.into(), why.into())).collect();
            return Ok((files.into_iter().map(|(file, sheets)| (file, Self::Worksheets(sheets))).collect(), others));
        }
        let (mut found, mut others) = export::beside(folder);
        let is_flat = folder.join(Manifest::NAME).exists() && Manifest::read(folder).is_none();
        let mut entries = WalkDir::new(folder).sort_by_file_name().into_iter();
        while let Some(entry) = entries.next() {
            let entry = entry?;
            let below = entry.path().strip_prefix(folder).unwrap_or(entry.path());
            if entry.file_type().is_dir() {
                if entry.depth() > 0
                    && let Some(manifest) = Manifest::read(entry.path())
                {
                    found.push((below.into(), Self::Export(Export::whole(entry.path().into(), manifest))));
                    entries.skip_current_dir();
                }
            } else if let Some(key) = below.to_str().and_then(|below| below.strip_suffix(SUFFIX)) {
                found.push((key.into(), Self::Changes(entry.path().into())));
            } else if let Some(archive) = archive_of(below) {
                found.push((archive, Self::Member(entry.path().into(), false)));
            } else if !is_flat && !is_side_file(below) {
                others.push((entry.path().into(), not_a_source(entry.path()).into()));
            }
        }
        if found.is_empty() {
            return Err(io::Error::other(format!(
                "contains neither NAME{SUFFIX}, nor exports, nor folders _NAME with members"
            )));
        }
        Ok((found, others))
    }

    /// Returns the path of the source.
    pub(super) fn path(&self) -> &Path {
        match self {
            Self::Changes(path)
            | Self::Alone(path)
            | Self::Member(path, _)
            | Self::Unpacked(path, _)
            | Self::Listed(path, _) => path,
            Self::Export(export) => &export.folder,
            Self::Worksheets(sheets) => &sheets.path,
        }
    }

    /// Returns what the mod says about itself.
    pub(super) fn about(&self) -> Option<&Head> {
        match self {
            Self::Listed(_, file) => file.head.as_ref(),
            _ => None,
        }
    }

    /// Returns the first path that a source changes outside of a part of the file. The paths of changes files begin at the part.
    pub(super) fn outside<'p>(&self, part: &worldview::Path, planned: &'p Planned) -> Option<&'p worldview::Path> {
        let is_relative = matches!(self, Self::Changes(_) | Self::Listed(..));
        planned.changes.iter().map(Change::path).find(|path| !is_relative && !path.is_within(part))
    }

    /// Passes the changes of each file of the source to `pass`, with paths that begin at the original.
    pub(super) fn changes(
        &self,
        original: &Original<'_>,
        rules: Rules<'_>,
        pass: &mut dyn FnMut(&Path, Result<Planned, EditError>),
    ) {
        match self {
            Self::Changes(path) => {
                pass(path, read_changes(path, rules.room).map(|list| list.prefixed(original.prefix).into()));
            }
            Self::Listed(path, file) => pass(path, Ok(listed(file, original))),
            Self::Alone(path) => {
                let inside = names_of(original.prefix);
                let rules = Rules { adds_all: true, ..rules };
                pass(path, edited((path, None), &inside, (None, None, None), rules, original));
            }
            Self::Member(path, is_named) => {
                let rules = Rules { adds_all: *is_named, ..rules };
                let link = if *is_named { Ok(()) } else { check_link(path, path.parent().unwrap_or(path)) };
                let kind = Some(Kind::Members);
                pass(path, link.and_then(|()| edited((path, None), b"", (None, None, kind), rules, original)));
            }
            Self::Unpacked(path, bytes) => {
                pass(path, edited((path, Some(bytes)), b"", (None, None, Some(Kind::Members)), rules, original));
            }
            Self::Export(export) => export.changes(rules, original, pass),
            Self::Worksheets(sheets) => sheets.changes(original, rules, pass),
        }
    }
}

/// Returns the changes of a mod, and says so if the file is another version than the mod was made for. One that has them already is none.
fn listed(file: &ModFile, original: &Original<'_>) -> Planned {
    let mut planned = Planned::from(file.changes.clone().prefixed(original.prefix));
    let found = || digest_of(original.bytes);
    let is_other = file.original.as_ref().is_some_and(|made_for| *made_for != found());
    if is_other && !original.apply(&planned.changes).is_ok_and(|patches| patches.is_empty()) {
        let name = inputs::last_name(&original.input.path);
        let why = format!("was made for another version of {name}; changes whose old values differ are refused");
        planned.account.push(account::Entry::new(Column::Done, OTHER_VERSION, &worldview::Path::new(), why));
    }
    planned
}

/// Compares an edited export, of which the bytes may be in memory, with what the original says.
fn edited(
    (path, held): (&Path, Option<&[u8]>),
    inside: &[u8],
    (entry, with, kind): (Option<&Entry>, Option<&With>, Option<Kind>),
    rules: Rules<'_>,
    original: &Original<'_>,
) -> Result<Planned, EditError> {
    let default = With { encoding: Some(original.open.encoding.name().to_owned()), ..With::default() };
    let with = with.unwrap_or(&default);
    let kind = kind.or_else(|| kind_of(path)).ok_or_else(not_applicable)?;
    if rules.remove_missing && !with.parts.is_empty() {
        let parts = with.parts.join(", ");
        let why = format!("has only what {parts} selects, so --remove-missing would remove the rest");
        return Err(EditError::malformed(None, why));
    }
    let schema = original.open.schema.as_ref().and_then(|path| digest_of_option(path).ok());
    if with.schema.is_some() && with.schema != schema {
        return Err(unsupported("was exported with another schema file; give the same one with --schema"));
    }
    let read_as = if kind == Kind::Members { SourceKind::Data } else { SourceKind::of(path) };
    let bytes = match held {
        Some(bytes) => rules.room.hold(bytes, read_as),
        None => rules.room.read(path, read_as),
    };
    let bytes = bytes.map_err(|error| EditError::malformed(None, error.to_string()))?;
    let member = entry.filter(|entry| entry.kind == "member").map(|entry| entry.name.clone());
    let name = member.unwrap_or_else(|| inputs::last_name(path));
    let tables = options(original.schemas, "");
    let edited = Edited { kind, name, bytes, with, entry, rules, tables };
    part(inside, original, |opened| plan(opened, &edited))
}

/// The part of the original that was exported.
#[derive(Clone, Copy)]
struct Exported<'o> {
    asset: &'o Asset<'o>,
    /// The entries that lead to it.
    trail: &'o [Part<'o, 'o>],
}

impl<'o> Exported<'o> {
    /// Returns the file of a REZ archive that the part is.
    fn file(&self) -> Option<worldview::rez::File<'o, 'o>> {
        if let Some(Part::File(file)) = self.trail.last() { Some(*file) } else { None }
    }
}

/// Plans the changes of a part of the original. Their paths begin at the file.
fn part(
    inside: &[u8],
    original: &Original<'_>,
    plan: impl Fn(Exported<'_>) -> Result<Planned, EditError>,
) -> Result<Planned, EditError> {
    let refused = |error| match error {
        OpenError::Format(error) => error.into(),
        error => EditError::malformed(None, error.to_string()),
    };
    let options = Options { lossy: false, schemas: original.schemas.cloned(), ..original.open.to_options() };
    if !inside.is_empty() && original.format.kind() != FormatKind::Archive {
        return Err(refused(OpenError::NoMembers(original.format)));
    }
    let (name, mut image, mut part_image) = (inputs::last_name(&original.input.path), Vec::new(), Vec::new());
    let whole = open(original.bytes, &name, &mut image, &options).map_err(refused)?;
    let trail = match inside {
        [] => Vec::new(),
        inside => whole.asset.follow(At::Whole, inside).map_err(|(_, error)| refused(error))?,
    };
    let part;
    let asset = match trail.last() {
        Some(Part::Record(_) | Part::RecordIn(..)) => return Err(not_applicable()),
        Some(entry) if entry.at().is_none() => {
            part = entry.open(&mut part_image, &options).map_err(refused)?;
            &part.asset
        }
        _ => &whole.asset,
    };
    let planned = plan(Exported { asset, trail: &trail })?;
    Ok(planned.prefixed(&place_of(&whole.asset, &trail)))
}

fn unsupported(why: &'static str) -> EditError {
    EditError::unsupported(&worldview::Path::new(), why)
}
