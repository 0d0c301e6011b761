//! The export of REZ archives: their files as they are, their pictures as PNG, and their levels.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use worldview::parallel::Parallel;
use worldview::rez::{Directory, File, Picture, RezDescription};
use worldview::{Budget, Limit};
use worldview_export::{Error, rez};
use worldview_inspect::{Encoding, Options, Root, json};

use super::failed_write::report_failed_write;
use super::{Done, Shared, Task};
use crate::args::Kind;
use crate::interrupt;
use crate::open::Visit;
use crate::outcome::Outcome;
use crate::output::{Label, MEMBERS, Origin, Output, Taken, file_name};
use crate::verbs::ARCHIVE;

/// The export of a directory of a REZ archive, or of a picture that was named by its path.
pub(super) struct Job<'j, 'v, 'a, 't> {
    pub(super) visit: &'j Visit<'v, 'a>,
    pub(super) output: &'j mut Output<'t>,
    pub(super) threads: usize,
    pub(super) max_pixels: u64,
    pub(super) encoding: Encoding,
    /// The budget for the files of the archive, which may overlap.
    pub(super) members: &'j mut Budget,
    pub(super) outcome: &'j mut Outcome,
}

/// A picture as PNG, and what was wrong with it.
type EncodedPicture = (Vec<u8>, Result<Option<worldview::Error>, Error>);

impl<'a> Job<'_, '_, 'a, '_> {
    pub(super) fn directory(&mut self, directory: Directory<'_, 'a>, to: &[Kind]) {
        // Pictures and levels keep the path that they have in the archive, next to the folder of its files.
        self.output.folder_of(Path::new(""));
        if to.contains(&Kind::Members) {
            self.files(directory);
        }
        if to.contains(&Kind::Png) {
            self.pictures(directory);
        }
    }

    /// Writes every selected file unchanged, and what they lack: titles, order, times, numbers, comments and keys.
    fn files(&mut self, directory: Directory<'_, 'a>) {
        let archive = directory.archive();
        let described = RezDescription::new(archive).directory(directory).opens_files(false);
        let root = Root::new("rez", archive.source(), &described);
        let from = Origin { length: Some(archive.source().len()), ..Origin::default() };
        let label = Label { kind: "archive", name: b"", text: String::new(), from: vec![from] };
        let options = Options { encoding: self.encoding, ..Options::default() };
        let written = self.output.write(ARCHIVE, label, |out| Ok(json::write(&root, &options, out)?));
        report_failed_write(self.visit.path, ARCHIVE, &self.output.path_of(ARCHIVE), written, self.outcome);
        let mut taken = Taken::default();
        for file in directory.all_files() {
            if self.output.is_full() {
                return;
            }
            // Files that are not selected are also assigned names, so that the names of the others do not depend on the
            // selection.
            let names: Vec<_> = file.path().names().iter().map(|name| file_name(name)).collect();
            let name = format!("{MEMBERS}/{}", taken.take(names.join("/")));
            if !self.visit.wants_file(&file) || file.is_missing() {
                continue;
            }
            let data = file.source();
            if let Err(error) = self.members.spend(data.len(), data.base(), data.space()) {
                return self.outcome.input_failed(self.visit.path, &error);
            }
            let (raw, label) = self.label(&file, "member");
            let label = Label { name: &raw, ..label };
            let written = self.output.write(&name, label, |out| Ok(out.write_all(data.bytes())?));
            report_failed_write(self.visit.path, &name, &self.output.path_of(&name), written, self.outcome);
        }
    }

    /// Writes every selected picture as PNG.
    fn pictures(&mut self, directory: Directory<'_, 'a>) {
        /// Number of pictures that are held in memory at a time.
        const AT_ONCE: usize = 256;

        let archive = directory.archive();
        // A few bytes can be a picture of millions of pixels, and entries can share them.
        let most = archive.source().len().saturating_mul(16).saturating_add(self.max_pixels);
        let mut budget = Budget::new(most, Limit::Pixels, "pixels of all pictures");
        let mut jobs = Vec::new();
        for file in directory.all_files().filter(|file| self.visit.wants_file(file) && !file.is_missing()) {
            let Some(picture) = Picture::of_file(&file) else { continue };
            match picture {
                Ok(picture) => {
                    let data = file.source();
                    if let Err(error) = budget.spend(picture.pixels() as u64, data.base(), data.space()) {
                        self.outcome.input_failed(self.visit.path, &error);
                        break;
                    }
                    jobs.push((file, picture));
                }
                Err(error) => self.outcome.input_failed(&self.shown(&file), &error),
            }
        }
        let mut taken = Taken::default();
        let max_pixels = self.max_pixels;
        for jobs in jobs.chunks(AT_ONCE) {
            if self.output.is_full() {
                return;
            }
            let parallel = Parallel::new().threads(self.threads);
            let size = |(_, picture): &(File<'_, '_>, Picture<'_>)| picture.pixels() as u64;
            let made = parallel.run(jobs, size, || (), |(file, picture), ()| draw(file, picture, max_pixels));
            for ((file, _), made) in jobs.iter().zip(made) {
                self.put(file, made, &mut taken);
            }
        }
    }

    /// Writes a picture that was named by its path, or a file of its own.
    pub(super) fn picture(&mut self, picture: &Picture<'a>) {
        match self.visit.file {
            Some(file) => {
                let made = draw(&file, picture, self.max_pixels);
                self.put(&file, made, &mut Taken::default());
            }
            None => {
                let mut png = Vec::new();
                let drawn = rez::png(picture, None, self.max_pixels, &mut png);
                let from = Origin { length: Some(self.output.length()), ..Origin::default() };
                let label = Label { kind: "picture", name: b"", text: String::new(), from: vec![from] };
                self.write("picture.png", label, (png, drawn), &self.visit.input.path.clone());
            }
        }
    }

    fn put(&mut self, file: &File<'_, '_>, made: EncodedPicture, taken: &mut Taken) {
        let names: Vec<_> = file.path().names().iter().map(|name| file_name(name)).collect();
        let Some((name, directories)) = names.split_last() else { return };
        let folder = self.output.folder_of(&directories.iter().collect::<PathBuf>());
        let stem = name.rsplit_once('.').map_or(&name[..], |(stem, _)| stem);
        let name = taken.take(format!("{folder}{stem}.png"));
        let (raw, label) = self.label(file, "picture");
        self.write(&name, Label { name: &raw, ..label }, made, &self.shown(file));
    }

    fn write(&mut self, name: &str, label: Label<'_>, (png, drawn): EncodedPicture, path: &Path) {
        let written = match drawn {
            Ok(broken) => {
                if let Some(error) = broken {
                    self.outcome.input_failed(path, &error);
                }
                self.output.write(name, label, |out| Ok(out.write_all(&png)?))
            }
            Err(error) => Err(error),
        };
        report_failed_write(path, name, &self.output.path_of(name), written, self.outcome);
    }

    /// Returns the path of a file in the archive, for messages.
    fn shown(&self, file: &File<'_, '_>) -> PathBuf {
        let mut path = self.visit.input.path.as_os_str().to_owned();
        path.push("/");
        path.push(file.path().to_string());
        path.into()
    }

    fn label(&self, file: &File<'_, '_>, kind: &'static str) -> (Vec<u8>, Label<'static>) {
        let data = file.source();
        let (inside, index) = (file.path().to_string(), Some(file.index()));
        let from = Origin { inside, index, offset: data.base(), length: Some(data.len()), ..Origin::default() };
        let raw = file.file_name();
        let text = String::from_utf8_lossy(&raw).into_owned();
        (raw, Label { kind, name: b"", text, from: vec![from] })
    }
}

impl Shared<'_> {
    /// Exports the levels in an archive, on all threads.
    pub(super) fn levels(&self, visit: &Visit<'_, '_>, Task { output, to, done, outcome }: Task<'_, '_>) {
        let Some(directory) = visit.directory() else { return };
        let branch = output.branch();
        let output = RefCell::new(output);
        self.files.levels(
            visit,
            directory,
            |inside| level_folder(&mut output.borrow_mut(), inside),
            |prefix, visit, outcome| {
                let (mut branch, mut done) = (branch.branch(), Done::default());
                if interrupt::is_interrupted() {
                    outcome.cut();
                } else {
                    self.level(visit, prefix, Task { output: &mut branch, to, done: &mut done, outcome });
                }
                (branch, done)
            },
            |part, made, once| {
                let output = &mut **output.borrow_mut();
                let Some((prefix, (branch, part_done))) = made else { return outcome.append(part) };
                if let Some(failed) = output.join(branch) {
                    done.add(&part_done);
                    outcome.append(part);
                    failed.iter().for_each(|(path, error)| outcome.cannot_write(path, error));
                    return;
                }
                outcome.append(once(&mut |visit, outcome| {
                    self.level(visit, prefix, Task { output, to, done, outcome });
                    Ok(())
                }));
            },
        );
    }
}

/// Assigns a folder to a level in an archive.
pub(super) fn level_folder(output: &mut Output<'_>, inside: &Path) -> String {
    if let Some(directory) = inside.parent() {
        output.folder_of(directory);
    }
    output.below(inside)
}

fn draw(file: &File<'_, '_>, picture: &Picture<'_>, max_pixels: u64) -> EncodedPicture {
    let mut png = Vec::new();
    let palette = rez::palette_of(file.parent().archive(), file);
    let drawn = rez::png(picture, palette, max_pixels, &mut png);
    (png, drawn)
}
