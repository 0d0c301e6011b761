//! Which folder each input gets.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

use super::{fold, source_name};

/// Gives each input a folder of its own, in the order of the inputs; none lies in that of another, whose files may be
/// called anything.
#[derive(Debug)]
pub struct Folders {
    /// The folders there are, folded.
    made: HashMap<String, Made>,
}

#[derive(Clone, Copy, Debug)]
struct Made {
    /// Whether it is an input's, or only leads to some.
    is_input: bool,
    /// The next number to try for another of that name.
    next: u64,
}

impl Default for Folders {
    fn default() -> Self {
        // What may lie at the top itself.
        let page = Made { is_input: true, next: 2 };
        Self { made: HashMap::from([("index.html".to_owned(), page)]) }
    }
}

impl Folders {
    /// The folder for an input, by its source path; where the name is taken it gets `~2` behind it, and so on.
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

    /// The folder itself, or another if there is one of that name already that it must not be.
    fn one(&mut self, name: String, is_input: bool) -> String {
        let key = fold(&name);
        let mut number = match self.made.get(&key) {
            None => 0,
            Some(made) if !is_input && !made.is_input => return name,
            // A way is looked for from the start: the one that was made before is taken again.
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
