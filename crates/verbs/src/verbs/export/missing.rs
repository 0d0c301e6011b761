//! Parts missing from the outputs of one file, reported once per cause, no matter how many outputs they affect.

use std::collections::HashSet;
use std::fmt;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::Path;

use worldview::Error;
use worldview::island::labels::MODEL_REFERENCE;
use worldview_export::model::glb::{ReferenceKind, Report, Unresolved};

use crate::outcome::{Outcome, Why as _};
use crate::report::{self, Failure};
use crate::world::World;

/// Names of each kind that a message has; the others are counted.
const MAX_NAMES: usize = 3;

/// Letters of a name in a message.
const MAX_NAME_LEN: usize = 64;

#[derive(Debug, Default)]
pub(super) struct Missing {
    levels: References,
    textures: References,
    meshes: Meshes,
    /// Worlds without any of their models.
    empty: Files,
    /// Worlds without some of their models.
    partial: Files,
    worlds: usize,
    /// Why the first model cannot be opened.
    cause: Option<Error>,
}

/// The names of one kind that lead nowhere.
#[derive(Debug, Default)]
struct References {
    /// Where what has such a name lies in the file.
    all: HashSet<u64>,
    /// Hashes of the different names, whatever their case.
    names: HashSet<u64>,
    first: Vec<String>,
    /// Whether reports count more than they have, and so there may be more names.
    more: bool,
    files: Files,
}

/// Meshes that cannot be decoded.
#[derive(Debug, Default)]
struct Meshes {
    all: HashSet<u64>,
    first: Option<Error>,
    /// Those that reports count and do not have.
    more: bool,
    files: Files,
}

/// Outputs: the first few, and how many.
#[derive(Debug, Default)]
struct Files {
    first: Vec<String>,
    count: usize,
}

impl Missing {
    /// Adds what is missing from one output.
    pub(super) fn add(&mut self, file: &str, report: &Report, is_world: bool, opened: Option<World<'_, '_>>) {
        let is_reported = |error: &Error| {
            let mut blobs = opened.iter().flat_map(|world| &world.contents.blobs);
            error.what == MODEL_REFERENCE || blobs.any(|blob| blob.as_ref().err() == Some(error))
        };
        if is_world {
            self.worlds += 1;
            if report.unopened > 0 && self.cause.is_none() {
                self.cause = report.left_out.iter().copied().find(&is_reported);
            }
            match report.unopened {
                0 => {}
                all if all == report.references => self.empty.add(file.to_owned()),
                some => self.partial.add(format!("{file} ({some} of {})", report.references)),
            }
        }
        // The rest of what is left out was said when the file was opened.
        let mut count = 0;
        for error in report.left_out.iter().filter(|error| !is_reported(error)) {
            count += 1;
            self.meshes.all.insert(error.at);
            self.meshes.first.get_or_insert(*error);
        }
        if count > 0 {
            self.meshes.files.add(file.to_owned());
        }
        self.meshes.more |= report.left_out_count.saturating_sub(report.unopened) > count;
        for kind in [ReferenceKind::Levels, ReferenceKind::Texture] {
            let of_kind = report.unresolved.iter().filter(|unresolved| unresolved.kind == kind);
            let references = if kind == ReferenceKind::Levels { &mut self.levels } else { &mut self.textures };
            references.add(file, of_kind, report.unresolved_at().filter(|(of, _)| *of == kind).map(|(_, at)| at));
        }
    }

    /// Reports everything. A missing texture is a note, because the mesh is drawn white; the rest are failures.
    pub(super) fn report(&self, path: &Path, outcome: &mut Outcome) {
        let Self { levels, textures, meshes, empty, partial, worlds, cause } = self;
        let code = cause.map_or(report::DAMAGED, |error| error.failure().code);
        if empty.count > 0 {
            let of = format!("{} of {worlds} {}", empty.count, plural(*worlds, "world", "worlds"));
            let are = plural(empty.count, "is", "are");
            let what = format!("{of} {are} empty, because none of the models can be opened: {empty}");
            outcome.input_failed(path, &Failure::coded(code, what));
        }
        if partial.count > 0 {
            let what = format!("worlds from which models are missing, because they cannot be opened: {partial}");
            outcome.input_failed(path, &Failure::coded(code, what));
        }
        if let Some(error) = &meshes.first {
            let count = meshes.all.len();
            let or_more = if meshes.more { " or more" } else { "" };
            let files = &meshes.files;
            let text = match (count, meshes.more) {
                (1, false) => format!("a mesh is missing from {files}: {error}"),
                _ => format!("{count}{or_more} meshes are missing from {files}; the first: {error}"),
            };
            outcome.input_failed(path, &Failure { hint: None, ..Failure::of(error, text) });
        }
        if !levels.all.is_empty() {
            let what = format!(
                "no part or object is named {levels}; {} without levels of detail, missing from {}",
                levels.things("object"),
                levels.files
            );
            outcome.input_failed(path, &what);
        }
        if !textures.all.is_empty() {
            let (things, files) = (textures.things("mesh"), &textures.files);
            let what = format!("no texture is named {textures}; {things} without a texture, white in {files}");
            outcome.note(path, &what);
        }
    }
}

impl References {
    fn add<'r>(&mut self, file: &str, named: impl Iterator<Item = &'r Unresolved>, all: impl Iterator<Item = u64>) {
        let mut count = 0;
        for Unresolved { name, .. } in named {
            count += 1;
            let mut hasher = DefaultHasher::new();
            name.to_ascii_lowercase().hash(&mut hasher);
            if self.names.insert(hasher.finish()) && self.first.len() < MAX_NAMES {
                self.first.push(name.chars().take(MAX_NAME_LEN).collect());
            }
        }
        if count > 0 {
            self.files.add(file.to_owned());
        }
        self.more |= all.inspect(|at| _ = self.all.insert(*at)).count() > count;
    }

    /// The elements with the names: one by its offset, several by their number.
    fn things(&self, what: &str) -> String {
        match self.all.len() {
            1 => format!("1 {what} (at offset {} of the file)", self.all.iter().next().copied().unwrap_or_default()),
            count => format!("{count} {what}{}", if what == "mesh" { "es" } else { "s" }),
        }
    }
}

impl fmt::Display for References {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.first.iter().map(|name| format!("{name:?}")).collect();
        f.write_str(&names.join(", "))?;
        let more = self.names.len().saturating_sub(names.len());
        match (more, self.more) {
            (0, false) => Ok(()),
            (more, false) => write!(f, ", … {more} more"),
            (more, true) => write!(f, ", … {more} or more others"),
        }
    }
}

impl Files {
    fn add(&mut self, file: String) {
        self.count += 1;
        if self.first.len() < MAX_NAMES {
            self.first.push(file);
        }
    }
}

impl fmt::Display for Files {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.first.join(", "))?;
        match self.count.saturating_sub(self.first.len()) {
            0 => Ok(()),
            more => write!(f, ", … {more} more"),
        }
    }
}

const fn plural<'t>(count: usize, one: &'t str, many: &'t str) -> &'t str {
    if count == 1 { one } else { many }
}
