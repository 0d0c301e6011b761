//! The export of WORLD.WDB: worlds, models, parts and textures.

mod jobs;
mod lacks;

use std::collections::HashSet;
use std::io;

use worldview::Error;
use worldview::island::labels::MODEL_REFERENCE;
use worldview::island::{DatabaseDescription, Library};
use worldview::parallel::Parallel;
use worldview_export::html::Model;
use worldview_export::model::glb::{self, Report};
use worldview_export::model::preview;
use worldview_export::{Encoding, Result};
use worldview_inspect::{Options, Root, json, text};

use super::cards::{self, Card};
use super::settle::settle;
use crate::args::Kind;
use crate::describe::world::DatabaseEntry;
use crate::inputs::Input;
use crate::outcome::Outcome;
use crate::output::{Label, Origin, Output};
use crate::selected::Worlds;
use crate::table;
use crate::world::{Only, World};
use jobs::{Job, Plan, Sorts, What};
use lacks::Lacks;

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

/// The size of the picture of a model on the page, where the model itself is shown only when its entry is opened.
const CARD: u32 = 256;

/// Bytes that a small picture of a model takes while it is drawn and packed.
const DRAWING: u64 = 256 << 10;

/// The size of an exported preview.
const PREVIEW: u32 = 512;

/// One preview may be drawn per this many bytes of the file, plus 64 in any case. Each preview takes a few
/// hundredths of a second, however small its model is. The game's own file has one blob per forty thousand bytes.
const DRAWN: u64 = 1024;
const TOO_MANY_PREVIEWS: &str =
    "previews are limited to 64 worlds, models and parts, plus one per KiB of the file; use --only to select them";

/// The outputs to create for each world, model, part and texture.
#[derive(Clone, Copy)]
struct Wants {
    glb: bool,
    png: bool,
    bmp: bool,
    preview: bool,
    cards: bool,
}

/// The outputs of one job.
struct Made {
    asset: Option<Result<(Report, Vec<u8>)>>,
    preview: Option<Result<(Report, Vec<u8>)>>,
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
        let ours = [Kind::Glb, Kind::Preview, Kind::Png, Kind::Bmp, Kind::Json, Kind::Text];
        if !kinds.is_empty() && !kinds.iter().any(|kind| ours.contains(kind)) && self.cards.is_none() {
            let why = "nothing to write: WORLD.WDB can be exported as glb, preview, png, bmp, json and text";
            return self.outcome.note(&self.input.path, &why);
        }
        let has = |kind| kinds.contains(&kind);
        self.assets(Wants {
            glb: has(Kind::Glb),
            png: has(Kind::Png),
            bmp: has(Kind::Bmp),
            preview: has(Kind::Preview),
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
        all.insert(0, cards::database(&entry, worlds.collect(), self.output));
    }

    fn put(&mut self, name: &str, fill: impl FnOnce(&mut dyn io::Write) -> Result<()>) {
        let length = Some(self.output.length());
        let from = vec![Origin { length, ..Origin::default() }];
        let label = Label { kind: "database", name: b"", text: String::new(), from };
        let written = self.output.write(name, label, |out| fill(out));
        settle(&self.input.path, name, &self.output.folder().join(name), written, self.outcome);
    }

    /// Creates worlds, models, parts and textures in parallel, and writes them in file order.
    fn assets(&mut self, mut wants: Wants) {
        let sorts = Sorts {
            models: wants.glb || wants.preview || wants.cards,
            textures: wants.png || wants.cards,
            pack: wants.bmp,
        };
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
        let pictures = glb::Pictures::new(self.opened.contents);
        let options = self.options.pictures(&pictures);
        let mut lacks = Lacks::default();
        let mut rest = plan.jobs.as_slice();
        let mut to_draw = usize::try_from(64 + self.output.length() / DRAWN).unwrap_or(usize::MAX);
        // Outputs that exceed the limit need not be created.
        while !rest.is_empty() && !self.output.is_spent() {
            if to_draw == 0 && wants.preview {
                self.outcome.input_failed(&self.input.path, &TOO_MANY_PREVIEWS);
                wants.preview = false;
            }
            let mut window = 0;
            let fits = |job: &&Job<'_>| {
                // Even an almost empty file takes some hundred bytes, and a picture takes many.
                window += job.size + if wants.preview || wants.cards { DRAWING } else { 1024 };
                window <= WINDOW
            };
            // At least one, however large it is.
            let most = if to_draw == 0 { usize::MAX } else { to_draw };
            let count = rest.iter().take(most).take_while(fits).count().max(1);
            let (now, later) = rest.split_at(count);
            rest = later;
            let draws = to_draw > 0;
            to_draw = to_draw.saturating_sub(count);
            let (options, pictures, encoding) = (&options, &pictures, self.encoding);
            let shown = wants.cards && self.cards.as_ref().is_some_and(|cards| cards.len() < cards::MOST);
            let packs = self.packed < Model::MOST_IN_PAGE;
            let make = Make { options, pictures, encoding, wants: Wants { cards: shown, ..wants }, draws, packs };
            let made = Parallel::new().threads(self.threads).run(
                now,
                |job| job.size,
                || (),
                |job, ()| make.one(job, &library, &plan),
            );
            for (job, made) in now.iter().zip(made) {
                self.settle(job, made, &mut lacks);
            }
        }
        lacks.say(&self.input.path, self.outcome);
    }

    /// Writes the outputs of a job, and reports what is missing from them.
    fn settle(&mut self, job: &Job<'_>, made: Made, lacks: &mut Lacks) {
        let name = job.file.clone();
        let preview = format!("previews/{}.png", name.strip_suffix(".glb").unwrap_or(&name));
        for (name, kind, made) in [(&name, job.what.name(), made.asset), (&preview, "preview", made.preview)] {
            let Some(made) = made else { continue };
            if let (true, Err(worldview_export::Error::Nothing { .. })) = (kind == "preview", &made) {
                lacks.not_drawn(name);
                continue;
            }
            let written = made.and_then(|(report, bytes)| {
                // The report of a preview would repeat the same messages.
                if kind != "preview" {
                    let blobs = &self.opened.contents.blobs;
                    let is_reported = |error: &Error| {
                        error.what == MODEL_REFERENCE || blobs.iter().any(|blob| blob.as_ref().err() == Some(error))
                    };
                    lacks.add(name, &report, matches!(job.what, What::World(_)), is_reported);
                }
                let text = self.encoding.decode(job.name).into_owned();
                let label = Label { kind, name: job.name, text, from: job.from.clone() };
                self.output.write(name, label, |out| Ok(out.write_all(&bytes)?))
            });
            if written.is_ok() && self.cards.is_some() {
                self.listed.insert(name.clone());
            }
            settle(&self.input.path, name, &self.output.folder().join(name), written, self.outcome);
        }
        let (Some(cards), Some(Shown { picture, mut model })) = (&mut self.cards, made.card) else { return };
        self.packed += model.as_ref().map_or(0, Model::packed_size);
        if self.packed > Model::MOST_IN_PAGE {
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
            links: cards::links_to(
                self.output,
                [&name, &preview].into_iter().filter(|name| self.listed.contains(*name)),
            ),
            ..Card::default()
        });
    }
}

/// The context for executing a job, on any thread.
struct Make<'m> {
    options: &'m glb::Options<'m>,
    pictures: &'m glb::Pictures<'m>,
    encoding: Encoding,
    wants: Wants,
    /// Whether pictures may be drawn.
    draws: bool,
    /// Whether the page has room for models.
    packs: bool,
}

impl Make<'_> {
    fn one<'a>(&self, job: &Job<'a>, library: &Library<'_, 'a>, plan: &Plan<'a>) -> Made {
        let wants = self.wants;
        let (is_asset, is_drawn) = match job.what {
            What::Texture(..) => (wants.png, false),
            What::Bmp(_) => (wants.bmp, false),
            _ => (wants.glb, wants.preview),
        };
        let asset = is_asset.then(|| job.make(library, plan, self.options, self.pictures));
        let has_card = wants.cards && !matches!(job.what, What::Bmp(_));
        Made {
            preview: is_drawn.then(|| self.draw(job, library, plan, PREVIEW)),
            card: has_card.then(|| self.card(job, library, plan, asset.as_ref())),
            asset,
        }
    }

    fn draw<'a>(
        &self,
        job: &Job<'a>,
        library: &Library<'_, 'a>,
        plan: &Plan<'a>,
        size: u32,
    ) -> Result<(Report, Vec<u8>)> {
        job.draw(library, plan, &preview::Options::default().size(size).encoding(self.encoding))
    }

    /// Draws and packs what the page shows. Items that cannot be drawn have no picture.
    fn card<'a>(
        &self,
        job: &Job<'a>,
        library: &Library<'_, 'a>,
        plan: &Plan<'a>,
        asset: Option<&Result<(Report, Vec<u8>)>>,
    ) -> Shown {
        if !self.draws {
            return Shown::default();
        }
        let drawn = self.draw(job, library, plan, CARD);
        let is_model = !matches!(job.what, What::Texture(..));
        let is_empty = matches!(drawn, Err(worldview_export::Error::Nothing { .. }));
        let pack = || {
            if !self.packs {
                return Some(Model::no_room());
            }
            match asset {
                Some(asset) => asset.as_ref().ok().map(|(_, glb)| Model::pack(glb)),
                None => job.make(library, plan, self.options, self.pictures).ok().map(|(_, glb)| Model::pack(&glb)),
            }
        };
        let model = if is_model && !is_empty { pack() } else { None };
        Shown { picture: drawn.ok().map(|(_, png)| png), model }
    }
}
