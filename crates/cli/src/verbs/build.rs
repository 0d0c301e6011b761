//! New files, from the documents and files that `export` writes.

use std::collections::BTreeMap;
use std::io;
use std::path::{Component, Path, PathBuf};

use walkdir::WalkDir;
use worldview::wpd::Schemas;
use worldview_export::csv::CsvStyle;
use worldview_import::build::{self, Beside, Built, Layout, NewMember};
use worldview_import::csv;

use crate::args::{BuildArgs, TableGeneration};
use crate::inputs;
use crate::open::schemas;
use crate::outcome::Outcome;
use crate::output::{Manifest, Target, bounded};
use crate::report::{Head, OutputReport};
use crate::run::{Run, size};
use crate::sheet;
use crate::table;

/// Maximum size of a file of the source, and of all of them together: twice as much does not fit into an archive.
const MAX_SIZE: u64 = 1 << 31;

/// Documents and sheets in a folder, the first of which says what it is the source of.
const DOCUMENTS: [&str; 4] = [ARCHIVE, "table.json", "level.json", RECORDS];
const RECORDS: &str = "records.csv";

/// The document about an archive, beside the folder of its members.
pub(crate) const ARCHIVE: &str = "archive.json";

/// The folder of the members.
const MEMBERS: &str = "members";

pub(crate) fn build(args: &BuildArgs, run: &mut Run) -> io::Result<()> {
    let named = match args.schema.as_deref().map(|path| schemas(path, run)) {
        Some(None) => return Ok(()),
        found => found.flatten(),
    };
    let mut outcome = Outcome::default();
    let built = made(args, named.as_ref(), &mut outcome);
    let mut written = None;
    if let Some(Built { file, mut account }) = built {
        let is_refused = account.refused() > 0;
        account.entries_mut().for_each(|entry| {
            if entry.place.file.is_empty() {
                entry.place.file = table::path(&args.source);
            }
        });
        outcome.account.append(account);
        if is_refused {
            outcome.nothing_done();
        } else if args.dry_run {
            written = Some(file.len() as u64);
        } else {
            written = put(args, &file, &mut outcome);
        }
    }
    if written.is_none() {
        outcome.nothing_done();
    }
    run.absorb(&table::path(&args.source), outcome, written.unwrap_or(0));
    let mut out = run.stdout(CsvStyle::default(), false);
    if args.format.is_some() {
        sheet::json(&mut out, &Head::of("build", run))?;
    }
    let would = if args.dry_run { "would be " } else { "" };
    let out = table::path(&args.out);
    let summary = written.map_or_else(String::new, |len| format!(": {out} ({}) {would}written", size(len)));
    run.sum_up("read", &summary, written.is_some());
    Ok(())
}

/// Writes the file. Returns its size.
fn put(args: &BuildArgs, file: &[u8], outcome: &mut Outcome) -> Option<u64> {
    let written = Target::of(&args.out, &[&args.source], args.overwrite);
    let written = written.and_then(|target| target.write(&mut io::stdout(), |out| out.write_all(file)));
    if let Err(error) = written {
        outcome.cannot_write(&args.out, &error);
        return None;
    }
    outcome.outputs.push(OutputReport { path: table::path(&args.out), size: file.len() as u64 });
    Some(file.len() as u64)
}

/// Makes the file. Reports why that is impossible.
fn made(args: &BuildArgs, schemas: Option<&Schemas>, outcome: &mut Outcome) -> Option<Built> {
    let source = args.source.as_path();
    let found = DOCUMENTS.into_iter().map(|name| source.join(name)).find(|path| path.is_file());
    let path = if source.is_dir() { found } else { Some(source.to_path_buf()) };
    let options = csv::Options::default().encoding(args.encoding);
    let text = path.as_deref().map(|path| read(path, outcome)).transpose().ok()?;
    let built = match (&path, &text) {
        (Some(path), Some(text)) if has_extension(path, "csv") => {
            let layout = layout(args, schemas).map_err(|why| outcome.input_failed(source, &why)).ok()?;
            if layout.version == 0 {
                outcome.note(path, &"nothing says the number in !!version, so it is 0; --layout-version sets it");
            }
            build::sheet(text, &layout, &options)
        }
        _ if source.is_dir() => {
            let sheet = source.join(RECORDS);
            let sheet = sheet.is_file().then(|| read(&sheet, outcome)).transpose().ok()?;
            let files = members(source, path.as_deref(), outcome)?;
            let members: Vec<_> = files.iter().map(|(path, data)| NewMember { path: path.clone(), data }).collect();
            let beside = Beside { sheet: sheet.as_deref().map(|sheet| (sheet, &options)), members: &members };
            match &text {
                Some(text) => build::document(text, &beside, args.encoding),
                None if has_extension(&args.out, "rez") => build::rez(None, &members),
                None => build::archive(None, &members),
            }
        }
        (_, text) => build::document(text.as_deref().unwrap_or_default(), &Beside::default(), args.encoding),
    };
    built.map_err(|error| outcome.input_failed(path.as_deref().unwrap_or(source), &error)).ok()
}

fn has_extension(path: &Path, wanted: &str) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(wanted))
}

/// Reads a file of the source. Reports why that is impossible.
fn read(path: &Path, outcome: &mut Outcome) -> Result<Vec<u8>, ()> {
    bounded(path, MAX_SIZE).map_err(|error| outcome.input_failed(path, &error))
}

/// What the options say of a table that is made from a sheet.
fn layout(args: &BuildArgs, schemas: Option<&Schemas>) -> Result<Layout, String> {
    let sheet = match schemas.map(Schemas::sheets) {
        None => None,
        Some([sheet]) => Some(sheet),
        Some(sheets) => {
            let name = inputs::last_name(&args.out);
            let all = || sheets.iter().map(|sheet| sheet.name()).collect::<Vec<_>>().join(", ");
            let found = schemas.and_then(|schemas| schemas.candidates(args.layout_version, Some(&name)).next());
            let why = || {
                format!(
                    "the schema file has several sheets ({}), and none of them names {name} or the layout version",
                    all()
                )
            };
            Some(found.ok_or_else(why)?)
        }
    };
    let generation = args.generation.unwrap_or(if sheet.is_some() { TableGeneration::G2 } else { TableGeneration::G3 });
    let version = args.layout_version.or_else(|| sheet.and_then(|sheet| sheet.versions().first().copied()));
    Ok(Layout {
        generation: generation.into(),
        version: version.unwrap_or(0),
        sheet_name: args.sheet_name.as_ref().map(|name| name.as_bytes().to_vec()),
        fields: sheet.map(|sheet| sheet.fields().to_vec()).unwrap_or_default(),
    })
}

/// The members of a folder: their paths in the archive, and their data.
type Members = Vec<(Vec<Vec<u8>>, Vec<u8>)>;

/// Reads the members in the folder of an archive, or in the folder `members` in it, as `export` writes them. Reports why that is
/// impossible.
fn members(source: &Path, document: Option<&Path>, outcome: &mut Outcome) -> Option<Members> {
    if document.is_some_and(|document| !document.ends_with(ARCHIVE)) {
        return Some(Members::new());
    }
    let exported = source.join(MEMBERS);
    let folder = if exported.is_dir() { exported.as_path() } else { source };
    // The names that file names stand for.
    let manifest = Manifest::read(source).map(|manifest| manifest.files).unwrap_or_default();
    let named = manifest.iter().filter(|entry| entry.kind == "member");
    let named: BTreeMap<PathBuf, Vec<Vec<u8>>> =
        named.filter_map(|entry| Some((source.join(&entry.file), entry.path_inside()?))).collect();
    let (mut all, mut total) = (Members::new(), 0_u64);
    for entry in WalkDir::new(folder).sort_by_file_name() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                outcome.input_failed(folder, &error.to_string());
                return None;
            }
        };
        let path = entry.path();
        let is_own = path.parent() == Some(source) && (path.ends_with(ARCHIVE) || path.ends_with(Manifest::NAME));
        if entry.file_type().is_dir() || is_own {
            continue;
        }
        if !entry.file_type().is_file() {
            outcome.input_failed(path, &"is neither a file nor a folder");
            return None;
        }
        let names = named.get(path).cloned().unwrap_or_else(|| names_of(path.strip_prefix(folder).unwrap_or(path)));
        let data = read(path, outcome).ok()?;
        total = total.saturating_add(data.len() as u64);
        if total > MAX_SIZE {
            outcome.input_failed(source, &format_args!("has more than {} of files", size(MAX_SIZE)));
            return None;
        }
        all.push((names, data));
    }
    Some(all)
}

/// Returns the names that a path consists of.
fn names_of(path: &Path) -> Vec<Vec<u8>> {
    let names = path.components().filter_map(|part| match part {
        Component::Normal(name) => Some(name.as_encoded_bytes().to_vec()),
        _ => None,
    });
    names.collect()
}
