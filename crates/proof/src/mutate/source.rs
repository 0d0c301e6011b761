//! Whole files to break: samples, odd ones, generated ones of every kind, and those that a caller has.

use worldview_corpus::builder::Built;
use worldview_corpus::ff13::build::{build_archive, build_table};
use worldview_corpus::ff13::generate as tables;
use worldview_corpus::ff13::spec::{ArchiveSpec, MemberSpec};
use worldview_corpus::rng::Rng;
use worldview_corpus::wwd::build::build;
use worldview_corpus::wwd::generate::{Game, Shape, level};
use worldview_corpus::wwd::spec::{ChecksumHabit, Packing};
use worldview_corpus::{ff13, island, wwd};

use super::family::Family;
use super::labels::labels;

/// A whole file.
#[derive(Clone, Debug)]
pub struct Source {
    /// What it is.
    pub name: String,
    /// What is in it.
    pub bytes: Vec<u8>,
    /// Where its words are that count, point or measure. Of a packed level only those of the header: the others
    /// belong to its image.
    pub labels: Vec<usize>,
}

impl Source {
    fn new(family: Family, name: impl Into<String>, bytes: Vec<u8>) -> Self {
        let labels = labels(family, &bytes);
        Self { name: name.into(), bytes, labels }
    }

    fn built(family: Family, name: impl Into<String>, built: Built) -> Self {
        let mut source = Self::new(family, name, built.bytes);
        source.labels.extend(built.labels.values());
        source
    }
}

/// Odd files of so many bytes have their turn less often: a few of them would take most of the time.
const LARGE: usize = 1 << 16;

/// The files of a family, of which each number has its own.
#[derive(Clone, Debug)]
pub struct Sources {
    family: Family,
    samples: Vec<Source>,
    odd: Vec<(String, Vec<u8>)>,
    given: Vec<Source>,
}

impl Sources {
    /// All that there are of a family, and files of the caller's with their names.
    pub fn new(family: Family, given: impl IntoIterator<Item = (String, Vec<u8>)>) -> Self {
        let own = |name: &str, bytes| Source::new(family, format!("sample {name}"), bytes);
        let (samples, odd) = match family {
            Family::Ff13 => (ff13::samples::samples(), tables::edge_cases()),
            Family::Wwd => {
                let odd = wwd::generate::edge_cases();
                (
                    wwd::samples::samples(),
                    odd.iter().map(|(name, spec)| ((*name).to_owned(), build(spec).bytes)).collect(),
                )
            }
            Family::Island => (island::samples::samples(), island::generate::edge_cases()),
        };
        Self {
            family,
            samples: samples.into_iter().map(|(name, bytes)| own(name, bytes)).collect(),
            odd,
            given: given.into_iter().map(|(name, bytes)| Source::new(family, name, bytes)).collect(),
        }
    }

    /// The formats that the files are of.
    pub const fn family(&self) -> Family {
        self.family
    }

    /// A file.
    pub fn pick(&self, rng: &mut Rng) -> Source {
        let family = self.family;
        if !self.given.is_empty() && rng.one_in(4) {
            return rng.pick(&self.given).cloned().unwrap_or_else(|| self.generated(rng));
        }
        // Large files say no more than small ones, and take longer: the samples of each family have their share by that.
        let samples = match family {
            Family::Ff13 => 15,
            Family::Wwd => 10,
            Family::Island => 2,
        };
        match rng.below(100) {
            roll if roll < samples => rng.pick(&self.samples).cloned().unwrap_or_else(|| self.generated(rng)),
            60.. => match rng.pick(&self.odd) {
                Some((name, bytes)) if bytes.len() < LARGE || rng.one_in(16) => {
                    Source::new(family, format!("odd: {name}"), bytes.clone())
                }
                _ => self.generated(rng),
            },
            _ => self.generated(rng),
        }
    }

    fn generated(&self, rng: &mut Rng) -> Source {
        match self.family {
            Family::Ff13 => table_or_archive(rng),
            Family::Wwd => {
                let (seed, shape) = (rng.next_u64(), shape(rng));
                let built = build(&level(seed, &shape));
                let name = format!("level {seed}, {shape:?}");
                if shape.packing == Packing::Raw {
                    return Source::built(self.family, name, built);
                }
                // The labels count in the image.
                Source::new(self.family, name, built.bytes)
            }
            Family::Island => {
                let seed = rng.next_u64();
                let built = island::build::build(&island::generate::small(seed));
                Source::built(self.family, format!("database {seed}"), built)
            }
        }
    }
}

fn table_or_archive(rng: &mut Rng) -> Source {
    let seed = rng.next_u64();
    let size = |rng: &mut Rng| 600 + usize::try_from(rng.below(3000)).unwrap_or(0);
    match rng.below(10) {
        0..6 => Source::built(Family::Ff13, format!("table {seed}"), build_table(&tables::small_table(seed))),
        6 | 7 => {
            let shapes = tables::Shape::all();
            let (at, size) = (rng.below(5), size(rng));
            let shape = &shapes[usize::try_from(at).unwrap_or(0) % shapes.len()];
            Source::new(Family::Ff13, format!("table {seed} of shape {at}"), tables::table(seed, size, shape))
        }
        8 => Source::new(Family::Ff13, format!("archive of data {seed}"), tables::generic(seed, 2)),
        _ => {
            let mut spec = ArchiveSpec::default();
            let mut rng = Rng::new(seed);
            for member in 0..=rng.below(4) {
                let table = build_table(&tables::small_table(rng.next_u64())).bytes;
                let nested =
                    ArchiveSpec { members: vec![MemberSpec::new("inner", table.clone())], ..ArchiveSpec::default() };
                let data = if rng.one_in(4) { build_archive(&nested).bytes } else { table };
                spec.members.push(MemberSpec::new(format!("r_{member}.wdb"), data));
            }
            Source::built(Family::Ff13, format!("archive of tables {seed}"), build_archive(&spec))
        }
    }
}

/// A small level of any game, packed or not.
fn shape(rng: &mut Rng) -> Shape {
    let packing = match rng.below(8) {
        0..3 => Packing::Raw,
        3 => Packing::Zlib { level: 0 },
        4 => Packing::Zlib { level: 1 },
        _ => Packing::Zlib { level: 6 },
    };
    let checksums = [ChecksumHabit::Editor, ChecksumHabit::WapMap, ChecksumHabit::Libwap32, ChecksumHabit::Zero];
    Shape {
        game: *rng.pick(&[Game::Claw, Game::Gruntz, Game::GetMedieval]).unwrap_or(&Game::Claw),
        planes: 1 + rng.below(4),
        tiles_wide: 1 + rng.below(24),
        tiles_high: 1 + rng.below(16),
        tile_px: *rng.pick(&[8, 16, 32, 64]).unwrap_or(&64),
        objects: rng.below(12),
        image_sets: rng.below(4),
        attributes: rng.below(24),
        masks: rng.below(2),
        packing,
        checksum: *rng.pick(&checksums).unwrap_or(&ChecksumHabit::Editor),
        trailer: rng.one_in(3),
    }
}
