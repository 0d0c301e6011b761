//! What is done to a file: the same for a seed and a number, for ever.

use std::fmt;

use worldview_corpus::ff13::build::build_archive;
use worldview_corpus::ff13::spec::{ArchiveSpec, MemberSpec};
use worldview_corpus::rng::Rng;
use worldview_corpus::wwd::HEADER_SIZE;
use worldview_corpus::wwd::build::pack;
use worldview_corpus::wwd::naive::unpack;
use worldview_corpus::wwd::spec::{LevelSpec, Packing};

use super::Change;
use super::family::Family;
use super::labels::labels;
use super::source::{Source, Sources};

/// Where changes are made, and what is done afterwards so that they are found.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Layer {
    /// In the file.
    File,
    /// In a level that is stored plain, whose checksum is then made right again.
    Summed,
    /// In the image of a packed level, which is packed anew.
    Image {
        /// How.
        packing: Packing,
        /// Whether the header says how long the image is now.
        says_length: bool,
    },
    /// In the packed bytes of a level.
    Packed,
    /// In a table or archive that is then put into an archive.
    Member,
}

/// How the file of a number is made.
#[derive(Clone, Debug)]
pub struct Recipe {
    seed: u64,
    number: u64,
    source: Source,
    layer: Layer,
    changes: Vec<Change>,
}

/// A file before and after it was broken.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Broken {
    /// Before.
    pub whole: Vec<u8>,
    /// After.
    pub broken: Vec<u8>,
}

/// Where a packed level's header has the flags, and the length of its image behind the header.
const FLAGS_AT: usize = 8;
const LENGTH_AT: usize = 744;

impl Recipe {
    /// The one that belongs to a seed and a number.
    pub fn new(sources: &Sources, seed: u64, number: u64) -> Self {
        let mut rng = Rng::new(seed.rotate_left(32) ^ number);
        let source = sources.pick(&mut rng);
        let layer = layer(sources.family(), &source, &mut rng);
        let count = match rng.below(20) {
            0..9 => 1,
            9..13 => 2,
            13..16 => 3,
            _ => 4 + rng.below(5),
        };
        let len = source.bytes.len();
        let changes = (0..count).map(|_| Change::random(&mut rng, len)).collect();
        Self { seed, number, source, layer, changes }
    }

    /// The file before and after.
    pub fn make(self, family: Family) -> Broken {
        let Self { source, layer, changes, .. } = self;
        let apply = |bytes: &mut Vec<u8>, labels: &[usize]| {
            changes.iter().for_each(|change| change.apply(bytes, labels, family.word()));
        };
        let whole = source.bytes;
        let broken = match layer {
            Layer::File => {
                let mut file = whole.clone();
                apply(&mut file, &source.labels);
                file
            }
            Layer::Summed => {
                let mut file = whole.clone();
                apply(&mut file, &source.labels);
                pack(&file, &LevelSpec { packing: Packing::Raw, ..LevelSpec::default() })
            }
            Layer::Image { packing, says_length } => {
                let naive = unpack(&whole).ok();
                let (mut image, trailing) = naive.map_or_else(Default::default, |naive| (naive.image, naive.trailing));
                let labels = labels(family, &image);
                apply(&mut image, &labels);
                if says_length {
                    let length = u32::try_from(image.len().saturating_sub(HEADER_SIZE)).unwrap_or(u32::MAX);
                    super::put(&mut image, LENGTH_AT, &length.to_le_bytes());
                }
                pack(&image, &LevelSpec { packing, trailing, ..LevelSpec::default() })
            }
            Layer::Packed => {
                // Its head, its tail and whatever is between; the tail's place is only known here.
                let mut file = whole.clone();
                let packed = file.split_off(HEADER_SIZE.min(file.len()));
                let mut labels = vec![0, 0, 1, 2, 3];
                labels.extend((1..9).filter_map(|back| packed.len().checked_sub(back)));
                let mut packed = packed;
                apply(&mut packed, &labels);
                file.extend(packed);
                file
            }
            Layer::Member => {
                let mut data = whole.clone();
                apply(&mut data, &source.labels);
                let members = |data| vec![MemberSpec::new("first", Vec::new()), MemberSpec::new("second", data)];
                let inside =
                    |data| build_archive(&ArchiveSpec { members: members(data), ..ArchiveSpec::default() }).bytes;
                return Broken { whole: inside(whole), broken: inside(data) };
            }
        };
        Broken { whole, broken }
    }
}

fn layer(family: Family, source: &Source, rng: &mut Rng) -> Layer {
    let is_packed = || source.bytes.get(FLAGS_AT).is_some_and(|flags| flags & 2 != 0) && unpack(&source.bytes).is_ok();
    match family {
        Family::Ff13 if rng.one_in(8) => Layer::Member,
        Family::Wwd if is_packed() => match rng.below(8) {
            0 | 1 => Layer::File,
            2 => Layer::Packed,
            _ => {
                let packing = Packing::Zlib { level: if rng.one_in(4) { 0 } else { 6 } };
                Layer::Image { packing, says_length: !rng.one_in(5) }
            }
        },
        Family::Wwd if rng.one_in(2) => Layer::Summed,
        _ => Layer::File,
    }
}

impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seed, number, source, layer, changes } = self;
        let (name, len) = (&source.name, source.bytes.len());
        write!(f, "seed {seed}, number {number}: {name} ({len} bytes), {layer:?}, {changes:?}")
    }
}
