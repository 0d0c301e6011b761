//! Builds archives: data of the files, then the directories, those below a directory before it.

use super::spec::{ArchiveSpec, DirectorySpec, EntrySpec, FileSpec};
use crate::builder::{Builder, Built};

/// An archive with more entries gets no labels, since they would take more memory than the archive itself.
const LABELLED_ENTRIES: usize = 2_000;

/// Builds an archive.
///
/// The labels are `header.FIELD`, `body[PATH]` for the entries of a directory, and `entry[PATH]` and `data[PATH]` for
/// an entry. The path of the root is empty; `.PID` is a part of a file's path.
pub fn build(spec: &ArchiveSpec) -> Built {
    let mut archive = Archive { b: Builder::new(), spec, labels: count(&spec.root) <= LABELLED_ENTRIES };
    header(&mut archive.b, spec);
    let root = archive.data(&spec.root, "");
    archive.b.label("data-end");
    let at = archive.bodies(&spec.root, root, "");
    archive.b.bytes(&spec.trailing);
    let mut built = archive.b.finish();
    let end = built.at("data-end").unwrap_or(0);
    for (label, value) in [
        ("header.root_dir_pos", at.pos),
        ("header.root_dir_size", at.size),
        ("header.next_write_pos", u32(end)),
        ("header.largest_key_ary", longest(&spec.root, &|_| 0, &|file| file.keys.len())),
        ("header.largest_dir_name", longest(&spec.root, &|directory| directory.name.len() + 1, &|_| 0)),
        ("header.largest_rez_name", longest(&spec.root, &|_| 0, &|file| file.name.len() + 1)),
        (
            "header.largest_comment",
            longest(&spec.root, &|_| 0, &|file| match file.comment.len() {
                0 => 0,
                len => len + 1,
            }),
        ),
    ] {
        assert!(built.patch_u32_le(label, value), "{label}");
    }
    built
}

fn u32(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

fn count(directory: &DirectorySpec) -> usize {
    directory.entries.len() + directory.directories().map(count).sum::<usize>()
}

/// Returns the largest of what two closures return for all directories below one and for all files.
fn longest(
    directory: &DirectorySpec,
    of_directory: &dyn Fn(&DirectorySpec) -> usize,
    of_file: &dyn Fn(&FileSpec) -> usize,
) -> u32 {
    let entry = |entry: &EntrySpec| match entry {
        EntrySpec::File(file) => u32(of_file(file)),
        EntrySpec::Directory(child) => u32(of_directory(child)).max(longest(child, of_directory, of_file)),
    };
    directory.entries.iter().map(entry).max().unwrap_or(0)
}

fn header(b: &mut Builder, spec: &ArchiveSpec) {
    let padded = |text: &[u8]| {
        let mut field = [b' '; 60];
        for (to, from) in field.iter_mut().zip(text) {
            *to = *from;
        }
        field
    };
    b.label("header.line_1").bytes(b"\r\n");
    b.label("header.file_type").bytes(&padded(b"RezMgr Version 1 Copyright (C) 1995 MONOLITH INC."));
    b.label("header.line_2").bytes(b"\r\n");
    b.label("header.user_title").bytes(&padded(&spec.user_title));
    b.label("header.line_3").bytes(b"\r\n\x1A");
    b.label("header.version").u32_le(1);
    b.label("header.root_dir_pos").u32_le(0);
    b.label("header.root_dir_size").u32_le(0);
    b.label("header.root_dir_time").u32_le(spec.root_dir_time);
    b.label("header.next_write_pos").u32_le(0);
    b.label("header.time").u32_le(spec.time);
    b.label("header.largest_key_ary").u32_le(0);
    b.label("header.largest_dir_name").u32_le(0);
    b.label("header.largest_rez_name").u32_le(0);
    b.label("header.largest_comment").u32_le(0);
    b.label("header.is_sorted").u8(1);
}

struct Archive<'s> {
    b: Builder,
    spec: &'s ArchiveSpec,
    labels: bool,
}

/// The position and size of the data of an entry.
#[derive(Clone, Debug, Default)]
struct At {
    pos: u32,
    size: u32,
    /// The same of the entries of a directory.
    entries: Vec<At>,
}

impl Archive<'_> {
    fn label(&mut self, kind: &str, path: &str) {
        if self.labels {
            self.b.label(format!("{kind}[{path}]"));
        }
    }

    /// Writes the data of all files below a directory.
    fn data(&mut self, directory: &DirectorySpec, path: &str) -> Vec<At> {
        let mut out = Vec::new();
        for entry in &directory.entries {
            let path = join(path, entry);
            out.push(match entry {
                EntrySpec::Directory(child) => At { entries: self.data(child, &path), ..At::default() },
                EntrySpec::File(file) => {
                    self.b.zeros(self.spec.gap);
                    self.label("data", &path);
                    let pos = u32(self.b.len());
                    self.b.bytes(&file.data);
                    At { pos, size: u32(file.data.len()), entries: Vec::new() }
                }
            });
        }
        out
    }

    /// Writes the entries of all directories below a directory, and its own.
    fn bodies(&mut self, directory: &DirectorySpec, mut entries: Vec<At>, path: &str) -> At {
        for (at, entry) in entries.iter_mut().zip(&directory.entries) {
            if let EntrySpec::Directory(child) = entry {
                *at = self.bodies(child, std::mem::take(&mut at.entries), &join(path, entry));
                if self.spec.holes {
                    self.b.zeros(at.size as usize);
                }
            }
        }
        self.label("body", path);
        let pos = self.b.len();
        for (at, entry) in entries.iter().zip(&directory.entries) {
            self.label("entry", &join(path, entry));
            self.entry(entry, at);
        }
        At { pos: u32(pos), size: u32(self.b.len() - pos), entries: Vec::new() }
    }

    fn entry(&mut self, entry: &EntrySpec, at: &At) {
        let b = &mut self.b;
        match entry {
            EntrySpec::Directory(directory) => {
                b.u32_le(1).u32_le(at.pos).u32_le(at.size).u32_le(directory.time).bytes(&directory.name).u8(0);
            }
            EntrySpec::File(file) => {
                let mut extension = [0; 4];
                for (to, from) in extension.iter_mut().zip(file.extension.iter().rev()) {
                    *to = *from;
                }
                b.u32_le(0).u32_le(at.pos).u32_le(at.size).u32_le(file.time);
                b.u32_le(file.id).bytes(&extension).u32_le(u32(file.keys.len()));
                b.bytes(&file.name).u8(0).bytes(&file.comment).u8(0);
                for &key in &file.keys {
                    b.u32_le(key);
                }
            }
        }
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
