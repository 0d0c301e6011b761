//! The export of WORLD.WDB: worlds, models, parts and textures.

mod jobs;
mod missing;

use std::collections::HashSet;
use std::io;

use worldview::island::labels::MODEL_REFERENCE;
use worldview::island::{DatabaseDescription, Library};
use worldview::parallel::Parallel;
use worldview::{Error, Format, World};
use worldview_export::html::Model;
use worldview_export::model::glb::{self, Report};
use worldview_export::{Encoding, Result};
use worldview_inspect::{Options, Root, json, text};

use super::failed_write::{report_failed_write, writes_nothing};
use super::html_index::{self, Card};
use crate::args::Kind;
use crate::describe::world::DatabaseEntry;
use crate::inputs::Input;
use crate::outcome::Outcome;
use crate::output::{Label, Origin, Output};
use crate::selected::Worlds;
use crate::table;
use crate::world::Only;
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
    /// The entries for the page, if there is one.
    pub(super) cards: Option<&'e mut Vec<Card>>,
    /// The size of the models in them.
    pub(super) packed: u64,
    /// The files that already exist, for links on the page.
    pub(super) listed: HashSet<String>,
}

/// Maximum size in bytes of the inputs whose outputs are in memory at the same time.
const WINDOW: u64 = 16 << 20;

/// Bytes that an entry of the page takes while its model is packed.
const PACKING: u64 = 256 << 10;

/// The page may contain one model or texture per this many bytes of the file, plus 64 in any case. Models are packed even
/// if no other output has them. The game's own file has one blob per forty thousand bytes.
const PACKED: u64 = 1024;

/// The outputs to create for each world, model, part and texture.
#[derive(Clone, Copy)]
struct Wants {
    glb: bool,
    png: bool,
    bmp: bool,
    cards: bool,
}

/// The outputs of one job.
struct JobOutput {
    asset: Option<Result<(Report, Vec<u8>)>>,
    card: Option<Shown>,
}

/// What the page shows of a job.
#[derive(Default)]
struct Shown {
    picture: Option<Vec<u8>>,
    model: Option<Model>,
}

impl Export<'_, '_, '_> {
    /// Writes the requested kinds, which are none if all outputs already exist, and adds everything to the page.
    pub(super) fn write(&mut self, kinds: &[Kind]) {
        let World { database, contents } = self.opened;
        if self.cards.is_none()
            && let Some(why) = writes_nothing(Format::Island, kinds)
        {
            return self.outcome.note(&self.input.path, &why);
        }
        let has = |kind| kinds.contains(&kind);
        self.assets(Wants {
            glb: has(Kind::Glb),
            png: has(Kind::Png),
            bmp: has(Kind::Bmp),
            cards: self.cards.is_some(),
        });
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
        self.card();
    }

    /// Adds the file itself to the page.
    fn card(&mut self) {
        let Some(all) = &mut self.cards else { return };
        let worlds = self.opened.database.worlds().map(|world| {
            let visible = world.models.iter().filter(|model| model.placement.is_visible()).count();
            let counts = [world.parts.len(), world.models.len(), visible];
            let name = self.encoding.decode(world.name.text()).into_owned();
            std::iter::once(name).chain(counts.map(|count| count.to_string())).collect()
        });
        let entry = DatabaseEntry::of(String::new(), self.opened);
        all.insert(0, html_index::database(&entry, worlds.collect(), self.output));
    }

    fn put(&mut self, name: &str, fill: impl FnOnce(&mut dyn io::Write) -> Result<()>) {
        let length = Some(self.output.length());
        let from = vec![Origin { length, ..Origin::default() }];
        let label = Label { kind: "database", name: b"", text: String::new(), from };
        let written = self.output.write(name, label, |out| fill(out));
        report_failed_write(&self.input.path, name, &self.output.path_of(name), written, self.outcome);
    }

    /// Creates worlds, models, parts and textures in parallel, and writes them in file order.
    fn assets(&mut self, wants: Wants) {
        let sorts = Sorts { models: wants.glb || wants.cards, textures: wants.png || wants.cards, pack: wants.bmp };
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
        let mut to_pack = usize::try_from(64 + self.output.length() / PACKED).unwrap_or(usize::MAX);
        // Outputs that exceed the limit need not be created.
        while !rest.is_empty() && !self.output.is_spent() {
            let mut window = 0;
            let fits = |job: &&Job<'_>| {
                // Even an almost empty file takes some hundred bytes, and a packed model takes many.
                window += job.size + if wants.cards { PACKING } else { 1024 };
                window <= WINDOW
            };
            // At least one, however large it is.
            let most = if to_pack == 0 { usize::MAX } else { to_pack };
            let count = rest.iter().take(most).take_while(fits).count().max(1);
            let (now, later) = rest.split_at(count);
            rest = later;
            let packs = to_pack > 0 && self.packed < Model::MAX_IN_PAGE;
            to_pack = to_pack.saturating_sub(count);
            let (options, cache) = (&options, &cache);
            let shown = wants.cards && self.cards.as_ref().is_some_and(|cards| cards.len() < html_index::MAX_CARDS);
            let make = Make { options, cache, wants: Wants { cards: shown, ..wants }, packs };
            let made = Parallel::new().threads(self.threads).run(
                now,
                |job| job.size,
                || (),
                |job, ()| make.one(job, &library, &plan),
            );
            for (job, made) in now.iter().zip(made) {
                self.write_outputs(job, made, &mut missing);
            }
        }
        missing.report(&self.input.path, self.outcome);
    }

    /// Writes the outputs of a job, and reports what is missing from them.
    fn write_outputs(&mut self, job: &Job<'_>, made: JobOutput, missing: &mut Missing) {
        let name = job.file.clone();
        if let Some(made) = made.asset {
            let written = made.and_then(|(report, bytes)| {
                let blobs = &self.opened.contents.blobs;
                let is_reported = |error: &Error| {
                    error.what == MODEL_REFERENCE || blobs.iter().any(|blob| blob.as_ref().err() == Some(error))
                };
                missing.add(&name, &report, matches!(job.what, What::World(_)), is_reported);
                let text = self.encoding.decode(job.name).into_owned();
                let label = Label { kind: job.what.name(), name: job.name, text, from: job.from.clone() };
                self.output.write(&name, label, |out| Ok(out.write_all(&bytes)?))
            });
            if written.is_ok() && self.cards.is_some() {
                self.listed.insert(name.clone());
            }
            report_failed_write(&self.input.path, &name, &self.output.path_of(&name), written, self.outcome);
        }
        let (Some(cards), Some(Shown { picture, mut model })) = (&mut self.cards, made.card) else { return };
        self.packed += model.as_ref().map_or(0, Model::packed_size);
        if self.packed > Model::MAX_IN_PAGE {
            model = model.map(|_| Model::no_room());
        }
        let origin = job.from.first().cloned().unwrap_or_default();
        let mut facts = vec![("bytes in the file", job.size.to_string()), ("offset", origin.offset.to_string())];
        if let Some(blob) = origin.blob {
            facts.push(("blob", blob.to_string()));
        }
        if let What::Texture(image, _) = job.what {
            facts[0] = ("size", format!("{} x {}", image.width, image.height));
        }
        cards.push(Card {
            kind: job.what.name(),
            title: self.encoding.decode(job.name).into_owned(),
            source: table::path(&self.input.path),
            facts,
            picture,
            model,
            links: self.listed.contains(&name).then(|| html_index::link_to(self.output, &name)).into_iter().collect(),
            ..Card::default()
        });
    }
}

/// The context for executing a job, on any thread.
struct Make<'m> {
    options: &'m glb::Options<'m>,
    cache: &'m glb::Cache<'m>,
    wants: Wants,
    /// Whether the page has room for models and textures.
    packs: bool,
}

impl Make<'_> {
    fn one<'a>(&self, job: &Job<'a>, library: &Library<'_, 'a>, plan: &Plan<'a>) -> JobOutput {
        let wants = self.wants;
        let is_asset = match job.what {
            What::Texture(..) => wants.png,
            What::Bmp(_) => wants.bmp,
            _ => wants.glb,
        };
        let make = || job.make(library, plan, self.options, self.cache);
        let asset = is_asset.then(make);
        let card = (wants.cards && !matches!(job.what, What::Bmp(_))).then(|| {
            if !self.packs {
                let is_texture = matches!(job.what, What::Texture(..));
                return Shown { picture: None, model: (!is_texture).then(Model::no_room) };
            }
            let made = asset.is_none().then(make);
            // What cannot be made has neither.
            let Some(Ok((_, bytes))) = asset.as_ref().or(made.as_ref()) else { return Shown::default() };
            match job.what {
                What::Texture(..) => Shown { picture: Some(bytes.clone()), model: None },
                _ => Shown { picture: None, model: Some(Model::pack(bytes)) },
            }
        });
        JobOutput { asset, card }
    }
}
