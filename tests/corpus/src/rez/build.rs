//! Builds archives: data of the files, then the directories, those below a directory before it.

use std::collections::HashMap;

use super::spec::{ArchiveSpec, DirectorySpec, EntrySpec, FileSpec};
use crate::builder::{Builder, Built, count};

/// An archive with more entries gets no labels, since they would take more memory than the archive itself.
const LABELED_ENTRIES: usize = 2_000;

/// Builds an archive.
///
/// The labels are `header.FIELD`, `body[PATH]` for the entries of a directory, and `entry[PATH]` and `data[PATH]` for
/// an entry. The path of the root is empty; `.PID` is a part of a file's path.
pub fn build(spec: &ArchiveSpec) -> Built {
    let (mut directories, mut files) = (Vec::new(), Vec::new());
    list(&spec.root, &mut directories, &mut files);
    let mut archive = Archive { b: Builder::new(), spec, places: HashMap::new() };
    archive.b.within("header", |b| _ = b.put(spec));
    archive.b.silent = directories.len() + files.len() > LABELED_ENTRIES;
    archive.data(&spec.root, "");
    archive.b.label("data-end");
    let (pos, size) = archive.bodies(&spec.root, "");
    archive.b.bytes(&spec.trailing);
    let mut built = archive.b.finish();
    let of_files = |len: fn(&FileSpec) -> usize| files.iter().map(|file| count(len(file))).max().unwrap_or(0);
    let end = built.at("data-end").unwrap_or(0);
    built.words_le(&[
        ("header.root_dir_pos", pos),
        ("header.root_dir_size", size),
        ("header.next_write_pos", count(end)),
        ("header.largest_key_ary", of_files(|file| file.keys.len())),
        ("header.largest_dir_name", directories.iter().map(|child| count(child.name.len() + 1)).max().unwrap_or(0)),
        ("header.largest_rez_name", of_files(|file| file.name.len() + 1)),
        ("header.largest_comment", of_files(|file| file.comment.len() + usize::from(!file.comment.is_empty()))),
    ]);
    built
}

/// Lists all directories and files below a directory.
fn list<'s>(directory: &'s DirectorySpec, directories: &mut Vec<&'s DirectorySpec>, files: &mut Vec<&'s FileSpec>) {
    files.extend(directory.files());
    for child in directory.directories() {
        directories.push(child);
        list(child, directories, files);
    }
}

struct Archive<'s> {
    b: Builder,
    spec: &'s ArchiveSpec,
    /// The position of the data of each file.
    places: HashMap<*const FileSpec, u32>,
}

impl Archive<'_> {
    /// Writes the data of all files below a directory.
    fn data(&mut self, directory: &DirectorySpec, path: &str) {
        for entry in &directory.entries {
            let path = join(path, entry);
            match entry {
                EntrySpec::Directory(child) => self.data(child, &path),
                EntrySpec::File(file) => {
                    self.b.zeros(self.spec.gap).field(&format!("data[{path}]"));
                    self.places.insert(file, count(self.b.len()));
                    self.b.bytes(&file.data);
                }
            }
        }
    }

    /// Writes the entries of all directories below a directory and its own, and returns their position and size.
    fn bodies(&mut self, directory: &DirectorySpec, path: &str) -> (u32, u32) {
        let mut places = Vec::new();
        for entry in &directory.entries {
            places.push(match entry {
                EntrySpec::File(file) => (self.places[&std::ptr::from_ref(file)], count(file.data.len())),
                EntrySpec::Directory(child) => {
                    let (pos, size) = self.bodies(child, &join(path, entry));
                    self.b.zeros(if self.spec.holes { size as usize } else { 0 });
                    (pos, size)
                }
            });
        }
        self.b.field(&format!("body[{path}]"));
        let start = self.b.len();
        for (entry, (pos, size)) in directory.entries.iter().zip(places) {
            entry.store(pos, size, self.b.field(&format!("entry[{}]", join(path, entry))));
        }
        (count(start), count(self.b.len() - start))
    }
}

fn join(path: &str, entry: &EntrySpec) -> String {
    let name = match entry {
        EntrySpec::Directory(directory) => String::from_utf8_lossy(&directory.name).into_owned(),
        EntrySpec::File(file) => {
            let name = [&file.name[..], &file.extension].join(&b'.');
            String::from_utf8_lossy(if file.extension.is_empty() { &file.name } else { &name }).into_owned()
        }
    };
    if path.is_empty() { name } else { format!("{path}/{name}") }
}
