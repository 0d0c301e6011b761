//! Assigns a folder to each input.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

use super::{fold, source_name};

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
        // The page at the top level.
        let page = Made { is_input: true, next: 2 };
        Self { made: HashMap::from([("index.html".to_owned(), page)]) }
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

    /// Returns the name of a folder, or a numbered one if a folder of this name exists that cannot be used.
    fn one(&mut self, name: String, is_input: bool) -> String {
        let key = fold(&name);
        let mut number = match self.made.get(&key) {
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
                match self.made.get(&fold(&folder)) {
                    Some(made) if is_input || made.is_input => {}
                    _ => break,
                }
            }
            if let Some(made) = self.made.get_mut(&key).filter(|_| is_input) {
                made.next = number;
            }
        }
        self.made.entry(fold(&folder)).or_insert(Made { is_input, next: 2 });
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
    fn no_input_lies_in_another() {
        let mut folders = Folders::default();
        for (source, folder) in [
            ("x/a", "x/a"),
            ("X", "X~2"),
            ("x/a/b", "x/a~2/b"),
            ("x/A/c", "x/A~2/c"),
            ("x/a", "x/a~3"),
            ("x~2/d", "x~2~2/d"),
            ("index.html", "index.html~2"),
        ] {
            assert_eq!(folders.folder(Path::new(source)), Path::new(folder), "{source}");
        }
    }
}
