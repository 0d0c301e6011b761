//! The export of WORLD.WDB: worlds, models, parts and textures.

mod jobs;
mod missing;

use std::io;

use worldview::island::labels::MODEL_REFERENCE;
use worldview::island::{DatabaseDescription, Library};
use worldview::parallel::Parallel;
use worldview::{Error, Format};
use worldview_export::model::glb::{self, Report};
use worldview_export::{Encoding, Result};
use worldview_inspect::{Options, Root, json, text};

use super::failed_write::{report_failed_write, writes_nothing};
use crate::args::Kind;
use crate::inputs::Input;
use crate::outcome::Outcome;
use crate::output::{Label, Origin, Output};
use crate::selected::Worlds;
use crate::world::{Only, World};
use jobs::{Job, Plan, Sorts, What};
use missing::Missing;

/// The export of one file.
pub(super) struct Export<'e, 'a, 't> {
    pub(super) opened: World<'e, 'a>,
    pub(super) only: &'e Only<'a>,
    pub(super) options: &'e glb::Options<'e>,
    pub(super) encoding: Encoding,
    pub(super) input: &'e Input,
    pub(super) threads: usize,
    pub(super) output: &'e mut Output<'t>,
    pub(super) outcome: &'e mut Outcome,
}

/// Maximum size in bytes of the inputs whose outputs are in memory at the same time.
const WINDOW: u64 = 16 << 20;

impl Export<'_, '_, '_> {
    /// Writes the requested kinds.
    pub(super) fn write(&mut self, kinds: &[Kind]) {
        let World { database, contents } = self.opened;
        if let Some(why) = writes_nothing(Format::Island, kinds) {
            return self.outcome.note(&self.input.path, &why);
        }
        let has = |kind| kinds.contains(&kind);
        self.assets(Sorts { models: has(Kind::Glb), textures: has(Kind::Png), pack: has(Kind::Bmp) });
        // The same selection as in `show`, but always complete.
        let select = Worlds { only: self.only, database };
        let options = Options { encoding: self.encoding, full: true, select: &select };
        let described = DatabaseDescription::new(database, contents);
        let root = Root::new("world", database.source(), &described);
        if has(Kind::Json) {
            self.put("world.json", |out| Ok(json::write(&root, &options, out)?));
        }
        if has(Kind::Text) {
            self.put("world.txt", |out| Ok(text::write(&root, &options, out)?));
        }
    }

    fn put(&mut self, name: &str, fill: impl FnOnce(&mut dyn io::Write) -> Result<()>) {
        let length = Some(self.output.length());
        let from = vec![Origin { length, ..Origin::default() }];
        let label = Label { kind: "database", name: b"", text: String::new(), from };
        let written = self.output.write(name, label, |out| fill(out));
        report_failed_write(&self.input.path, name, &self.output.path_of(name), written, self.outcome);
    }

    /// Creates worlds, models, parts and textures in parallel, and writes them in file order.
    fn assets(&mut self, sorts: Sorts) {
        if sorts == Sorts::default() {
            return;
        }
        let library = Library::new(self.opened.database, self.opened.contents);
        let room = usize::try_from(self.output.room()).unwrap_or(usize::MAX);
        let plan = Plan::new(&library, self.only, sorts, room);
        for error in &plan.refused {
            self.outcome.input_failed(&self.input.path, error);
        }
        // The outputs within the limit are still created.
        let too_many = if plan.is_cut { self.output.refuse() } else { None };
        if let Some(error) = too_many {
            self.outcome.input_failed(&self.input.path, &error);
        }
        if plan.shadowed > 0 {
            let what = format!(
                "textures missing from the pack, because an earlier texture has the same name: {}",
                plan.shadowed
            );
            self.outcome.note(&self.input.path, &what);
        }
        let cache = glb::Cache::new(self.opened.contents);
        let options = self.options.cache(&cache);
        let mut missing = Missing::default();
        let mut rest = plan.jobs.as_slice();
        // Outputs that exceed the limit need not be created.
        while !rest.is_empty() && !self.output.is_spent() {
            let mut window = 0;
            let fits = |job: &&Job<'_>| {
                // Even an almost empty file takes some hundred bytes.
                window += job.size + 1024;
                window <= WINDOW
            };
            // At least one, however large it is.
            let count = rest.iter().take_while(fits).count().max(1);
            let (now, later) = rest.split_at(count);
            rest = later;
            let made = Parallel::new().threads(self.threads).run(
                now,
                |job| job.size,
                || (),
                |job, ()| job.make(&library, &plan, &options, &cache),
            );
            for (job, made) in now.iter().zip(made) {
                self.write_output(job, made, &mut missing);
            }
        }
        missing.report(&self.input.path, self.outcome);
    }

    /// Writes the output of a job, and reports what is missing from it.
    fn write_output(&mut self, job: &Job<'_>, made: Result<(Report, Vec<u8>)>, missing: &mut Missing) {
        let name = &job.file;
        let written = made.and_then(|(report, bytes)| {
            let blobs = &self.opened.contents.blobs;
            let is_reported = |error: &Error| {
                error.what == MODEL_REFERENCE || blobs.iter().any(|blob| blob.as_ref().err() == Some(error))
            };
            missing.add(name, &report, matches!(job.what, What::World(_)), is_reported);
            let text = self.encoding.decode(job.name).into_owned();
            let label = Label { kind: job.what.name(), name: job.name, text, from: job.from.clone() };
            self.output.write(name, label, |out| Ok(out.write_all(&bytes)?))
        });
        report_failed_write(&self.input.path, name, &self.output.path_of(name), written, self.outcome);
    }
}
