//! The export of WORLD.WDB: worlds, models, parts and textures.

mod jobs;

use std::io;

use worldview::island::Library;
use worldview_export::glb::{self, Report, Unresolved, Wanted};
use worldview_export::{Encoding, Result, island};

use super::settle;
use crate::args::Kind;
use crate::databases::{Opened, parallel};
use crate::inputs::Input;
use crate::only::Only;
use crate::outcome::Outcome;
use crate::output::{Label, Origin, Output, Taken, file_name};
use jobs::{Job, Plan};

/// The export of one file.
pub(super) struct Export<'e, 'a, 't> {
    pub(super) opened: &'e Opened<'e, 'a>,
    pub(super) only: &'e Only<'a>,
    pub(super) options: &'e glb::Options,
    pub(super) encoding: Encoding,
    pub(super) input: &'e Input,
    pub(super) threads: usize,
    pub(super) output: &'e mut Output<'t>,
    pub(super) outcome: &'e mut Outcome,
}

/// Bytes of input whose outputs are in memory together.
const WINDOW: u64 = 16 << 20;

impl Export<'_, '_, '_> {
    pub(super) fn write(&mut self, kinds: &[Kind]) {
        let Opened { database, contents, .. } = *self.opened;
        if !kinds.iter().any(|kind| matches!(kind, Kind::Glb | Kind::Png | Kind::Json | Kind::Text)) {
            return self
                .outcome
                .note(&self.input.path, &"nothing to write: of WORLD.WDB there are glb, png, json and text");
        }
        let (models, textures) = (kinds.contains(&Kind::Glb), kinds.contains(&Kind::Png));
        if models || textures {
            self.assets(models, textures);
        }
        // What is wanted of the file, as `show` has it; an export is complete.
        let (only, full) = (self.only, true);
        let selection = island::Selection {
            worlds: &|world| database.world(world).is_some_and(|view| only.wants_world(world, view.name.text())),
            blobs: &|blob| only.touches(blob),
            globals: only.touches_globals(),
        };
        if kinds.contains(&Kind::Json) {
            let encoding = self.encoding;
            self.put("world.json", |out| island::json::database(database, contents, &selection, full, encoding, out));
        }
        if kinds.contains(&Kind::Text) {
            let encoding = self.encoding;
            self.put("world.txt", |out| island::text::database(database, contents, &selection, full, encoding, out));
        }
    }

    fn put(&mut self, name: &str, fill: impl FnOnce(&mut dyn io::Write) -> Result<()>) {
        let length = Some(self.output.length());
        let from = vec![Origin { length, ..Origin::default() }];
        let label = Label { kind: "database", name: b"", text: String::new(), from };
        let written = self.output.write(name, label, |out| fill(out));
        settle(&self.input.path, name, &self.output.folder().join(name), written, self.outcome);
    }

    /// Makes worlds, models, parts and textures side by side, and writes them in the order of the file.
    fn assets(&mut self, models: bool, textures: bool) {
        let library = Library::new(self.opened.database, self.opened.contents);
        let plan = Plan::new(&library, self.only, models, textures);
        for error in &plan.refused {
            self.outcome.input_failed(&self.input.path, error);
        }
        let mut taken = Taken::default();
        let mut rest = plan.jobs.as_slice();
        while !rest.is_empty() {
            let mut window = 0;
            let fits = |job: &&Job<'_>| {
                // A file that is made of next to nothing is some hundred bytes all the same.
                window += job.size + 1024;
                window <= WINDOW
            };
            // One at the least, however large.
            let count = rest.iter().take_while(fits).count().max(1);
            let (now, later) = rest.split_at(count);
            rest = later;
            let made = parallel(self.threads).run(
                now,
                |job| job.size,
                || (),
                |job, ()| job.make(&library, &plan, self.options),
            );
            for (job, (made, bytes)) in now.iter().zip(made) {
                self.settle(job, made, &bytes, &mut taken);
            }
        }
    }

    /// Writes what was made, and says what is not in it.
    fn settle(&mut self, job: &Job<'_>, made: Result<Report>, bytes: &[u8], taken: &mut Taken) {
        let stem = job.suffixed(&file_name(job.name));
        let name = taken.take(format!("{}/{stem}.{}", job.what.folder(), job.what.extension()));
        let written = made.and_then(|report| {
            self.tell(&name, &report);
            let text = self.encoding.decode(job.name).into_owned();
            let label = Label { kind: job.what.name(), name: job.name, text, from: job.from.clone() };
            self.output.write(&name, label, |out| Ok(out.write_all(bytes)?))
        });
        settle(&self.input.path, &name, &self.output.folder().join(&name), written, self.outcome);
    }

    fn tell(&mut self, name: &str, report: &Report) {
        // A broken file can have thousands; `check` has them all.
        const SAID: usize = 3;
        for error in report.left_out.iter().take(SAID) {
            self.outcome.input_failed(&self.input.path, &format_args!("{name} is without something: {error}"));
        }
        if report.left_out_count > SAID as u64 {
            let more = report.left_out_count - SAID as u64;
            let what = format_args!("{name} is without {more} more, see `worldview check`");
            self.outcome.input_failed(&self.input.path, &what);
        }
        for Unresolved { wanted, name: of, at, .. } in report.unresolved.iter().take(SAID) {
            match wanted {
                // It is white then; nothing of its shape is missing.
                Wanted::Texture => {
                    let what =
                        format_args!("{name}: there is no texture {of:?}, which offset {at} of the file asks for");
                    self.outcome.note(&self.input.path, &what);
                }
                Wanted::Levels => {
                    let what = format_args!(
                        "{name} is without something: no part or object is called {of:?}, whose levels of detail the object at offset {at} of the file shares"
                    );
                    self.outcome.input_failed(&self.input.path, &what);
                }
            }
        }
    }
}
