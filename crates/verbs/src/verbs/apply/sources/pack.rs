//! Packs of Nova Chrysalia, the mod manager of Final Fantasy XIII: as `.ncmp`, which is a ZIP, or unpacked.
//!
//! A pack has `modconfig.ini` and the folders `Data`, `EN-Data` and `JP-Data`, each of which stands for the game's data. `Data` is always
//! meant, and one of the others by choice.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;
use worldview::excerpt;
use worldview_import::zip;

use super::{InFolder, Source};
use crate::inputs::has_extension;
use crate::mods::archive_of;
use crate::read::{Room, SourceKind, check_inside, decode};
use crate::table;
use crate::table::{counted, some};

const CONFIG: &str = "modconfig.ini";

const DATA: &str = "Data";

/// The folders for one language of the voices.
const LANGUAGES: [&str; 2] = ["EN-Data", "JP-Data"];

/// The folders with programs, and with patches of the game's program.
const PROGRAMS: [&str; 2] = ["External", "Code"];

/// Maximum size of the members in a ZIP, unpacked. All are in memory while the game's files are edited.
const MAX_UNPACKED: u64 = 1 << 26;

/// Where a pack is.
pub(super) struct Pack {
    root: PathBuf,
    /// The folder of a language that is applied, too.
    language: Option<&'static str>,
    is_zip: bool,
}

/// The files of a pack.
#[derive(Default)]
struct Files {
    about: Option<(PathBuf, String)>,
    /// Members by the names below the folder: of [`DATA`], and of the language.
    members: [Vec<(PathBuf, Source)>; 2],
    languages: BTreeSet<&'static str>,
    programs: BTreeSet<&'static str>,
    /// Files that replace whole files of the game, and all others that are not applied: how many, and the first of them.
    left: [(u64, Option<PathBuf>); 2],
}

/// What a file of a pack is, by its path.
#[derive(PartialEq)]
enum Role {
    Config,
    /// A member, with the number of its folder and the path below that.
    Member(usize, PathBuf),
    Other,
}

/// Returns one of some names, regardless of case.
fn one_of(names: &[&'static str], name: &Path) -> Option<&'static str> {
    names.iter().copied().find(|one| name.as_os_str().eq_ignore_ascii_case(one))
}

impl Pack {
    /// Returns the pack that a path leads to, or to a folder in it. `None` if it is that of something else.
    pub(super) fn at(path: &Path) -> Option<Self> {
        let is_zip = |path: &Path| has_extension(path, "ncmp") && path.is_file();
        let has_config = |folder: &Path| {
            let mut entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
            entries.any(|entry| entry.file_name().eq_ignore_ascii_case(CONFIG))
        };
        if is_zip(path) || has_config(path) {
            return Some(Self { root: path.into(), language: None, is_zip: !path.is_dir() });
        }
        let name = Path::new(path.file_name()?);
        let (root, language) = (path.parent()?, one_of(&LANGUAGES, name));
        let shown = if root.as_os_str().is_empty() { Path::new(".") } else { root };
        let is_zip = is_zip(shown);
        let is_part = is_zip && one_of(&[DATA], name).is_some() || language.is_some() && (is_zip || has_config(shown));
        is_part.then(|| Self { root: shown.into(), language, is_zip })
    }

    /// Returns the members of archives that the pack replaces, and messages about the rest.
    pub(super) fn sources(&self) -> io::Result<InFolder> {
        let mut files = Files::default();
        if self.is_zip { self.unpack(&mut files) } else { self.walk(&mut files) }?;
        let Files { about, members: [mut found, of_language], languages, programs, left } = files;
        if let Some(language) = self.language.filter(|language| !languages.contains(language)) {
            return Err(io::Error::other(format!("the pack has no folder {language}")));
        }
        // What a language has instead.
        let folded = |path: &Path| table::path(path).to_ascii_lowercase();
        let replaced: HashSet<_> = of_language.iter().map(|(path, _)| folded(path)).collect();
        found.retain(|(path, _)| !replaced.contains(&folded(path)));
        found.extend(of_language);
        let mut notes: Vec<(PathBuf, Cow<'static, str>)> = Vec::new();
        notes.extend(about.and_then(|(path, text)| Some((path, about_of(&text)?.into()))));
        let mut note = |text: String| notes.push((self.root.clone(), text.into()));
        if self.language.is_none()
            && let Some(first) = languages.first()
        {
            let (all, one) = (names(&languages), table::path(&self.root.join(first)));
            note(format!("has folders for voice languages: {all}; to apply {DATA} and one of them, give {one}"));
        }
        if !programs.is_empty() {
            note(format!("not applied: programs and patches of programs ({})", names(&programs)));
        }
        let hint = "; copy what replaces whole files to the game";
        for ((count, first), (what, hint)) in left.into_iter().zip([("whole file", hint), ("other file", "")]) {
            if let Some(first) = first {
                note(format!("not applied: {}, such as {}{hint}", counted(count, what), table::path(&first)));
            }
        }
        if found.is_empty() {
            let why = format!("the pack has no members of archives: {DATA}/…/_NAME/MEMBER replaces MEMBER of NAME");
            return Err(io::Error::other(why));
        }
        let keyed = found.into_iter().filter_map(|(path, source)| Some((archive_of(&path)?, source)));
        Ok((keyed.collect(), notes))
    }

    /// Returns what a file is, and keeps what is said of it.
    fn role(&self, below: &Path, files: &mut Files) -> Role {
        let mut parts = below.components();
        let Some(first) = parts.next().map(|part| Path::new(part.as_os_str())) else { return Role::Other };
        let rest = parts.as_path();
        let is_in_folder = !rest.as_os_str().is_empty();
        let [language, program] = [&LANGUAGES, &PROGRAMS].map(|names| one_of(names, first).filter(|_| is_in_folder));
        files.languages.extend(language);
        files.programs.extend(program);
        let folder = match language {
            None => one_of(&[DATA], first).filter(|_| is_in_folder).map(|_| 0),
            language => (language == self.language).then_some(1),
        };
        match folder {
            Some(folder) if archive_of(rest).is_some() => return Role::Member(folder, rest.into()),
            None if !is_in_folder && one_of(&[CONFIG], first).is_some() => return Role::Config,
            // The folder is named.
            None if language.is_some() || program.is_some() => return Role::Other,
            _ => {}
        }
        let [whole, others] = &mut files.left;
        let (count, named) = if folder.is_some() { whole } else { others };
        *count += 1;
        named.get_or_insert_with(|| below.into());
        Role::Other
    }

    fn walk(&self, files: &mut Files) -> io::Result<()> {
        for entry in WalkDir::new(&self.root).sort_by_file_name() {
            let entry = entry?;
            let path = entry.path();
            if entry.file_type().is_dir() {
                continue;
            }
            match self.role(path.strip_prefix(&self.root).unwrap_or(path), files) {
                Role::Config => {
                    let text = Room::default().read_in(&self.root, path, SourceKind::List)?;
                    files.about = Some((path.into(), decode(&text).into_owned()));
                }
                Role::Member(folder, rest) => {
                    if let Some(members) = files.members.get_mut(folder) {
                        members.push((rest, Source::Member(path.into(), false)));
                    }
                }
                Role::Other => {}
            }
        }
        Ok(())
    }

    fn unpack(&self, files: &mut Files) -> io::Result<()> {
        let failed = |why: String| {
            io::Error::other(format!("cannot be read as a pack: {why}; a folder with its files can be given, too"))
        };
        let bytes = Room::default().read(&self.root, SourceKind::Data)?;
        // Some programs write the separators of Windows.
        let plain = |name: &str| name.replace('\\', "/");
        let mut roles = BTreeMap::new();
        let mut wants = |name: &str| {
            if name.ends_with(['/', '\\']) {
                return false;
            }
            let path = plain(name);
            let role = self.role(Path::new(&path), files);
            // A path that leads out of the folder is the error of `take`.
            let is_wanted = role != Role::Other || check_inside(&path).is_err();
            roles.insert(name.to_owned(), role);
            is_wanted
        };
        let mut unpacked = Vec::new();
        zip::parts(&bytes, MAX_UNPACKED, &mut wants, &mut |name, bytes| {
            check_inside(&plain(name))?;
            unpacked.push((name.to_owned(), bytes));
            Ok(())
        })
        .map_err(failed)?;
        for (name, bytes) in unpacked {
            let path = self.root.join(plain(&name));
            match roles.remove(&name) {
                Some(Role::Config) => files.about = Some((path, decode(&bytes).into_owned())),
                Some(Role::Member(folder, rest)) => {
                    if let Some(members) = files.members.get_mut(folder) {
                        members.push((rest, Source::Unpacked(path, bytes)));
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }
}

fn names(names: &BTreeSet<&str>) -> String {
    some(names.iter().map(|name| (*name).to_owned()), names.len())
}

/// Returns what `modconfig.ini` says about a pack.
fn about_of(text: &str) -> Option<String> {
    let value = |name: &str| {
        let mut pairs = text.lines().filter_map(|line| line.split_once('='));
        let found = pairs.find(|(key, _)| key.trim().eq_ignore_ascii_case(name));
        found.map(|(_, value)| excerpt(value.trim())).filter(|value| !value.is_empty())
    };
    let game = value("GameEntry").map(|entry| match &*entry {
        "1" => "Final Fantasy XIII".to_owned(),
        "2" => "Final Fantasy XIII-2".to_owned(),
        "3" => "Lightning Returns".to_owned(),
        other => format!("an unknown game ({other})"),
    });
    let parts = [
        value("Name"),
        value("Version").map(|version| format!(" {version}")),
        value("Author").map(|author| format!(" by {author}")),
        game.map(|game| format!(" for {game}")),
        value("Summary").map(|summary| format!(": {summary}")),
    ];
    let all: String = parts.into_iter().flatten().collect();
    let all = all.trim_start_matches([' ', ':']);
    (!all.is_empty()).then(|| all.to_owned())
}
