//! The seeds of the fuzzers: small files of every kind, written by the generators of the corpus.
#![allow(clippy::cast_possible_truncation, reason = "the numbers come from small files")]

use miniz_oxide::deflate::compress_to_vec_zlib;
use worldview_corpus::drawn::scene;
use worldview_corpus::ff13::build::build_table;
use worldview_corpus::ff13::generate as ff13;
use worldview_corpus::hostile;
use worldview_corpus::island::build::{build as build_database, build_textures};
use worldview_corpus::island::generate as databases;
use worldview_corpus::island::naive::{self, Kind};
use worldview_corpus::island::spec::{ImageSpec, TextureSpec};
use worldview_corpus::rez::build::build as build_archive;
use worldview_corpus::rez::generate as rez;
use worldview_corpus::rng::Rng;
use worldview_corpus::wwd::HEADER_SIZE;
use worldview_corpus::wwd::build::{build, build_image, pack};
use worldview_corpus::wwd::generate::{Game, Shape, edge_cases, level};
use worldview_corpus::wwd::spec::{LevelSpec, Packing};

use super::wwd::packed;

/// A seed: its target, its file name, and its bytes.
pub type Seed = (&'static str, String, Vec<u8>);

/// A file with its name.
type Named = (String, Vec<u8>);

/// Returns the seeds of every target. They are committed; each has a few kilobytes at most.
pub fn seeds() -> Vec<Seed> {
    // Picks every `step`-th small file of a list.
    let choose = |list: Vec<Named>, step| {
        list.into_iter().filter(|(_, bytes)| bytes.len() < 4000).step_by(step).collect::<Vec<_>>()
    };
    // The same levels are used three times with different packing, so the name includes the kind.
    let of_kind = |kind: &str, list: Vec<Named>| -> Vec<Named> {
        list.into_iter().map(|(name, bytes)| (format!("{name} {kind}"), bytes)).collect()
    };
    let images = of_kind("plain", choose(levels(Packing::Raw), 1));
    let packed_levels = of_kind("packed", choose(levels(Packing::Zlib { level: 6 }), 4));
    let stored_levels = of_kind("stored", choose(levels(Packing::Zlib { level: 0 }), 9));
    let (archives, tables) = (choose(archives(), 14), choose(tables(), 10));
    let islands = choose(islands(), 18);
    let blobs = choose(blobs(), 24);
    let mut seeds: Vec<Seed> = Vec::new();
    let mut add = |target, lists: &[&[Named]], step: usize| {
        let all = lists.iter().copied().flatten().step_by(step);
        seeds.extend(all.map(|(name, bytes)| (target, file_name(name), bytes.clone())));
    };
    add("diff_naive", &[&images, &packed_levels, &archives, &tables, &islands], 4);
    add("edit_apply", &[&edits(&images), &edits(&tables), &edits(&archives), &edits(&islands)], 1);
    add("edit_diff", &[&pairs(&images), &pairs(&tables), &pairs(&archives), &pairs(&islands)], 3);
    add("edit_plan", &[&super::plan::exports()], 1);
    add("export_names", &[&names()], 1);
    add("inflate_agree", &[&streams()], 1);
    add("island", &[&islands], 1);
    add("island_blob", &[&blobs], 1);
    add("level_draw", &[&scenes()], 1);
    add("pid_decode", &[&pictures()], 1);
    add("png_decode", &[&super::png::pictures()], 1);
    let game_archives = choose(game_archives(), 1);
    add("rez_archive", &[&game_archives], 1);
    add("roundtrip", &[&descriptions()], 1);
    add("sniff", &[&images, &packed_levels, &archives, &tables, &islands], 5);
    add("textures", &[&texture_files()], 1);
    add("view_archive", &[&choose(self::archives(), 2)], 1);
    add("view_island", &[&islands], 1);
    add("view_level", &[&images], 1);
    add("view_rez", &[&game_archives], 1);
    add("view_table", &[&tables], 1);
    add("wdb_table", &[&tables], 1);
    add("wpd_archive", &[&archives, &tables], 1);
    add("wwd_level", &[&images], 1);
    add("wwd_outline", &[&packed_levels, &stored_levels], 1);
    add("wwd_unpack", &[&packed_levels, &stored_levels], 1);
    seeds
}

/// Returns files before changes that make them the next file of the list, as the target `edit_apply` reads them.
fn edits(files: &[Named]) -> Vec<Named> {
    let edit = |(left, right): (&Named, &Named)| {
        let kind = super::edit::Kind::of(&left.1)?;
        let changes = kind.diff(&left.1, &right.1).ok().filter(|changes| !changes.is_empty())?;
        Some((left.0.clone(), [changes.to_json().ok()?.as_bytes(), &[0], &left.1].concat()))
    };
    let edits = files.iter().zip(files.iter().skip(1)).filter_map(edit);
    edits.filter(|(_, bytes)| bytes.len() < 8000).collect()
}

/// Returns files before the next file of the list, as the target `edit_diff` reads them.
fn pairs(files: &[Named]) -> Vec<Named> {
    let pair = |((name, left), (_, right)): (&Named, &Named)| {
        (name.clone(), [&(left.len() as u16).to_le_bytes(), &left[..], right].concat())
    };
    files.iter().zip(files.iter().skip(1)).map(pair).collect()
}

/// Reduces a name to one that is valid on every system.
fn file_name(name: &str) -> String {
    let letters = name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' });
    letters.take(80).collect()
}

/// Prefixes a name with its file number, so that no two are equal.
fn numbered(number: usize, name: &str) -> String {
    format!("{number:03}-{name}")
}

fn levels(packing: Packing) -> Vec<Named> {
    let mut specs: Vec<(String, LevelSpec)> = Vec::new();
    for seed in 0..6 {
        let game = [Game::Claw, Game::Gruntz, Game::GetMedieval][seed % 3];
        let small = Shape { tiles_wide: 5, tiles_high: 3, tile_px: 4, objects: 2, attributes: 4, ..Shape::small() };
        let shape =
            Shape { game, planes: [1, 2, 3][seed % 3], masks: 1, image_sets: 2, trailer: seed % 2 == 0, ..small };
        specs.push((format!("small {seed}"), level(seed as u64, &shape)));
    }
    specs.extend(edge_cases().into_iter().map(|(name, spec)| (name.to_owned(), spec)));
    let mut levels = Vec::new();
    for (number, (name, mut spec)) in specs.into_iter().enumerate() {
        spec.packing = packing;
        let mut file = build(&spec).bytes;
        if packing == (Packing::Zlib { level: 0 }) {
            // Stored blocks, so that a fuzzer's changes to the file are changes to the image.
            let image = build_image(&spec).bytes;
            file = if image.len() > HEADER_SIZE { pack(&image, &spec) } else { file };
        }
        levels.push((numbered(number, &name), file));
    }
    levels
}

fn archives() -> Vec<Named> {
    let is_table = |file: &[u8]| file.windows(8).any(|name| name == b"typelist");
    let mut files = vec![("pack".to_owned(), ff13::pack(1, 2)), ("members".to_owned(), ff13::generic(1, 6))];
    files.extend(ff13::edge_cases().into_iter().filter(|(_, file)| !is_table(file)));
    files.push(("names".to_owned(), hostile::archive(&hostile::names()[..20])));
    number(files)
}

fn tables() -> Vec<Named> {
    let mut files: Vec<Named> =
        (0..60).map(|seed| (format!("table {seed}"), build_table(&ff13::small_table(seed)).bytes)).collect();
    files.extend(ff13::edge_cases());
    number(files)
}

fn islands() -> Vec<Named> {
    let mut files = databases::edge_cases();
    files.extend((0..8).map(|seed| (format!("small {seed}"), build_database(&databases::small(seed)).bytes)));
    number(files)
}

fn texture_files() -> Vec<Named> {
    let image = |colors| ImageSpec::drawn(8, 4, vec![[7, 8, 9]; colors], |x, y| u8::try_from(x * y).unwrap_or(0));
    let list =
        |count| -> Vec<_> { (0..count).map(|index| TextureSpec::new("wing.gif", image(1 + index * 40))).collect() };
    let mut files: Vec<Named> =
        (0..4).map(|count| (format!("textures {count}"), build_textures(&list(count), b"\0").bytes)).collect();
    let mut tail = list(1);
    tail[0].name = b"wing.gif\0rest of a buffer".to_vec();
    files.push(("a name with a tail".to_owned(), build_textures(&tail, b"\0").bytes));
    number(files)
}

/// Returns the blobs of the databases, each after a byte that gives its kind.
fn blobs() -> Vec<Named> {
    let mut blobs = Vec::new();
    for (name, file) in islands() {
        let Ok(database) = naive::database(&file) else { continue };
        for (index, blob) in database.blobs.iter().enumerate().take(6) {
            let [at, len] = [blob.place.offset, blob.place.length].map(|number| usize::try_from(number).unwrap_or(0));
            let Some(bytes) = file.get(at..at + len).filter(|bytes| bytes.len() > 8) else { continue };
            let kind = u8::from(blob.kind == Kind::Parts);
            blobs.push((format!("{name} {index}"), [&[kind], bytes].concat()));
        }
    }
    // Most databases have the same few blobs.
    let mut seen = std::collections::BTreeSet::new();
    blobs.retain(|(_, bytes)| seen.insert(bytes.clone()));
    blobs
}

/// Returns lists of names, each name after its length.
fn names() -> Vec<Named> {
    let all: Vec<_> = hostile::names().into_iter().filter(|name| name.bytes.len() < 256).collect();
    let lists = all.chunks(24).map(|names| {
        let entry =
            |name: &hostile::Hostile| [&[u8::try_from(name.bytes.len()).unwrap_or(0)], &name.bytes[..]].concat();
        names.iter().flat_map(entry).collect()
    });
    lists.enumerate().map(|(number, list)| (format!("{number:03}-names"), list)).collect()
}

/// Returns streams with every kind of block.
fn streams() -> Vec<Named> {
    let mut rng = Rng::new(11);
    let noise: Vec<u8> = (0..300).map(|_| rng.next_u64().to_le_bytes()[0]).collect();
    let few: Vec<u8> = (0..1500).map(|_| b"abcd"[rng.below(4) as usize]).collect();
    let text = b"the same words and again the same words, and again ".repeat(20);
    let inputs: [(&str, &[u8]); 6] = [
        ("byte", b"a"),
        ("noise", &noise),
        ("few letters", &few),
        ("text", &text),
        ("zeros", &[0; 2000]),
        ("word", b"ab"),
    ];
    let mut streams = Vec::new();
    for (name, input) in inputs {
        for level in [0, 1, 6, 9] {
            streams.push((format!("{name} {level}"), compress_to_vec_zlib(input, level)));
        }
    }
    // A hand-made stream: a literal, and a match of length 258 at distance 1.
    streams.push(("fixed".to_owned(), vec![0x78, 0x9C, 0x4B, 0x04, 0x00, 0x00, 0x62, 0x00, 0x62]));
    let block = packed(&build_image(&edge_cases().swap_remove(0).1).bytes);
    streams.extend(block.map(|file| ("level".to_owned(), file[HEADER_SIZE..].to_vec())));
    number(streams)
}

/// Returns small archives of each kind.
fn game_archives() -> Vec<Named> {
    let small = (0..12).map(|seed| (format!("small {seed}"), build_archive(&rez::small(seed)).bytes));
    let odd = rez::edge_cases().into_iter().map(|(name, bytes)| (name.to_owned(), bytes));
    number(small.chain(odd).collect())
}

/// Returns small pictures of each kind.
fn pictures() -> Vec<Named> {
    let mut rng = Rng::new(5);
    let mut all: Vec<Named> = Vec::new();
    for seed in 0..4 {
        all.push((format!("PID {seed}"), rez::pid(&mut rng).build()));
        all.push((format!("PCX {seed}"), rez::pcx(&mut rng).build()));
        all.push((format!("BMP {seed}"), rez::bmp(&mut rng).build()));
    }
    all.extend(rez::edge_pictures().into_iter().map(|(kind, name, bytes)| (format!("{kind} {name}"), bytes)));
    let all = number(all);
    all.into_iter().filter(|(_, bytes)| bytes.len() < 4000).collect()
}

/// Returns bytes that decode to descriptions of each kind.
fn descriptions() -> Vec<Named> {
    let mut rng = Rng::new(12);
    let mut bytes = |number: u8| {
        let len = [300, 900][usize::from(number / 12)];
        std::iter::once(number).chain((1..len).map(|_| rng.next_u64().to_le_bytes()[0])).collect()
    };
    (0..24).map(|number| (format!("{number:03}-description"), bytes(number))).collect()
}

fn number(files: Vec<Named>) -> Vec<Named> {
    files.into_iter().enumerate().map(|(number, (name, file))| (numbered(number, &name), file)).collect()
}

/// Levels with the archives that have their pictures; the smallest of many.
fn scenes() -> Vec<Named> {
    let file = |seed| {
        let scene = scene(seed);
        let len = u32::try_from(scene.level.len()).unwrap_or(0).to_le_bytes();
        (format!("scene {seed}"), [&len[..], &scene.level, &scene.archive].concat())
    };
    let mut scenes: Vec<_> = (0..60).map(file).collect();
    scenes.sort_by_key(|(_, bytes)| bytes.len());
    scenes.truncate(6);
    scenes
}
