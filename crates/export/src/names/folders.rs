//! Assigns a folder to each input, or a name for files beside those of other inputs.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::{Component, Path, PathBuf};

use super::{fold, source_name};

/// Outputs that are all that there is of an input in one format: `records.csv` of `item.wdb` is `item.csv` beside other files.
const WHOLE: [&str; 6] = ["level", "picture", "records", "table", "textures", "world"];
/// Outputs that are a part of an input, and keep their name: `item.arrays.csv`.
const PARTS: [&str; 5] = ["arrays", "attributes", "objects", "planes", "preview"];
const EXTENSIONS: [&str; 8] = ["arrow", "csv", "json", "ndjson", "parquet", "png", "txt", "xlsx"];

/// Returns the name of an output beside those of other inputs, given the [name](Folders::flat) of its input there. Returns `None` if
/// it needs a folder, because it is in one or refers to other files.
///
/// ```
/// use worldview_export::names::flat_name;
///
/// assert_eq!(flat_name("item", "records.csv").as_deref(), Some("item.csv"));
/// assert_eq!(flat_name("item", "arrays.csv").as_deref(), Some("item.arrays.csv"));
/// assert_eq!(flat_name("item", "members/a.bin"), None);
/// ```
pub fn flat_name(input: &str, output: &str) -> Option<String> {
    let (name, extension) = output.split_once('.').filter(|(_, extension)| EXTENSIONS.contains(extension))?;
    match name {
        _ if WHOLE.contains(&name) => Some(format!("{input}.{extension}")),
        _ if PARTS.contains(&name) => Some(format!("{input}.{output}")),
        _ => None,
    }
}

/// Returns the key of all files whose names may begin with that of an input. `item.arrays` has the key of `item`, because both
/// may have a file `item.arrays.csv`. No name contains `*`.
fn files_of(mut name: &str) -> String {
    while let Some((before, part)) = name.rsplit_once('.')
        && PARTS.contains(&part)
    {
        name = before;
    }
    format!("{name}.*")
}

/// Returns the key of the files among which there may be one with the name of a folder.
fn files_like(folder: &str) -> Option<String> {
    let (before, _) = folder.rsplit_once('.').filter(|(_, extension)| EXTENSIONS.contains(extension))?;
    Some(files_of(before))
}

/// Assigns a folder to each input, in the order of the inputs. No folder is inside that of another input, whose
/// files may have any names.
#[derive(Debug)]
pub struct Folders {
    /// The existing folders by folded name.
    made: HashMap<String, Made>,
}

#[derive(Clone, Copy, Debug)]
struct Made {
    /// Whether the folder belongs to an input, or only contains other folders.
    is_input: bool,
    /// The next number to try for another folder of this name.
    next: u64,
}

impl Default for Folders {
    fn default() -> Self {
        // The manifest at the top level, beside which no file is `manifest.ndjson`.
        let taken = Made { is_input: true, next: 2 };
        let manifest = Made { is_input: false, next: 2 };
        let names = [("manifest.ndjson", taken), ("manifest.*", manifest)];
        Self { made: names.map(|(name, made)| (name.to_owned(), made)).into() }
    }
}

impl Folders {
    /// Returns the folder for an input, given its source path. If the name is already in use, it gets `~2` and so on at
    /// its end.
    pub fn folder(&mut self, source: &Path) -> PathBuf {
        let names: Vec<_> = source
            .components()
            .filter_map(|part| if let Component::Normal(name) = part { Some(source_name(name)) } else { None })
            .collect();
        let mut folder = String::new();
        for (at, name) in names.iter().enumerate() {
            if at > 0 {
                folder.push('/');
            }
            folder.push_str(name);
            folder = self.one(folder, at + 1 == names.len());
        }
        PathBuf::from(folder)
    }

    /// Returns the name of an input in the folder above its own: its files are there, each with a [`flat_name`]. `folder` is
    /// [its own](Self::folder), for its other files. If the name is already in use, it gets `~2` and so on at its end.
    pub fn flat(&mut self, source: &Path, folder: &Path) -> String {
        let name = source_name(source.file_stem().unwrap_or_default());
        let above = folder.parent().filter(|above| !above.as_os_str().is_empty());
        let name = above.map_or_else(|| name.clone(), |above| format!("{}/{name}", above.display()));
        let mut number = self.made.get(&files_of(&fold(&name))).map_or(0, |made| made.next);
        loop {
            let numbered = if number > 0 { format!("{name}~{number}") } else { name.clone() };
            number = number.max(1) + 1;
            if let Entry::Vacant(vacant) = self.made.entry(files_of(&fold(&numbered))) {
                vacant.insert(Made { is_input: true, next: 2 });
                self.made.entry(files_of(&fold(&name))).and_modify(|made| made.next = number);
                return numbered;
            }
        }
    }

    /// Returns what has the name of a folder: another folder, or files.
    fn in_the_way(&self, key: &str) -> Option<Made> {
        let files = || files_like(key).and_then(|files| self.made.get(&files)).filter(|made| made.is_input);
        self.made.get(key).or_else(files).copied()
    }

    /// Returns the name of a folder, or a numbered one if a folder of this name exists that cannot be used.
    fn one(&mut self, name: String, is_input: bool) -> String {
        let key = fold(&name);
        let mut number = match self.in_the_way(&key) {
            None => 0,
            Some(made) if !is_input && !made.is_input => return name,
            // The search for a parent folder starts from the beginning, so that an existing one is reused.
            Some(made) if is_input => made.next,
            Some(_) => 2,
        };
        let mut folder = name.clone();
        if number > 0 {
            loop {
                folder = format!("{name}~{number}");
                number += 1;
                match self.in_the_way(&fold(&folder)) {
                    Some(made) if is_input || made.is_input => {}
                    _ => break,
                }
            }
            if let Some(made) = self.made.get_mut(&key).filter(|_| is_input) {
                made.next = number;
            }
        }
        let key = fold(&folder);
        if let Some(files) = files_like(&key) {
            self.made.entry(files).or_insert(Made { is_input: false, next: 2 });
        }
        self.made.entry(key).or_insert(Made { is_input, next: 2 });
        folder
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_inputs_of_one_source_path_get_two_folders() {
        let mut folders = Folders::default();
        assert_eq!(folders.folder(Path::new("a/LEVEL.WWD")), Path::new("a/LEVEL.WWD"));
        assert_eq!(folders.folder(Path::new("a/level.wwd")), Path::new("a/level.wwd~2"));
        assert_eq!(folders.folder(Path::new("a/LEVEL.WWD")), Path::new("a/LEVEL.WWD~3"));
    }

    #[test]
    fn files_beside_each_other_have_names_of_their_own() {
        let mut folders = Folders::default();
        let mut flat = |source: &str| {
            let folder = folders.folder(Path::new(source));
            (folder.display().to_string(), folders.flat(Path::new(source), &folder))
        };
        for (source, folder, name) in [
            ("x/item.bin", "x/item.bin", "x/item"),
            ("x/item.wdb", "x/item.wdb", "x/item~2"),
            ("x/ITEM.bin", "x/ITEM.bin~2", "x/ITEM~3"),
            // Both may have `item.arrays.csv`.
            ("x/item.arrays.wdb", "x/item.arrays.wdb", "x/item.arrays~4"),
            ("x/item.ps3.wdb", "x/item.ps3.wdb", "x/item.ps3"),
            // A folder of the name of a file, before and after it.
            ("x/item.csv/a.wdb", "x/item.csv~2/a.wdb", "x/item.csv~2/a"),
            ("x/other.csv/a.wdb", "x/other.csv/a.wdb", "x/other.csv/a"),
            ("x/other.wdb", "x/other.wdb", "x/other~2"),
            ("x/item/a.wdb", "x/item/a.wdb", "x/item/a"),
            ("manifest.wdb", "manifest.wdb", "manifest~2"),
            (".wdb", "%2Ewdb", "%2Ewdb"),
        ] {
            assert_eq!(flat(source), (folder.to_owned(), name.to_owned()), "{source}");
        }
    }

    #[test]
    fn no_input_lies_in_another() {
        let mut folders = Folders::default();
        for (source, folder) in [
            ("x/a", "x/a"),
            ("X", "X~2"),
            ("x/a/b", "x/a~2/b"),
            ("x/A/c", "x/A~2/c"),
            ("x/a", "x/a~3"),
            ("x~2/d", "x~2~2/d"),
            ("manifest.ndjson", "manifest.ndjson~2"),
        ] {
            assert_eq!(folders.folder(Path::new(source)), Path::new(folder), "{source}");
        }
    }
}
