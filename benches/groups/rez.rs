//! Archives of the games and their pictures: a directory of 21,000 entries, the pixels of PID pictures, a level drawn with
//! the pictures of its game, and a whole archive.
#![allow(missing_docs, reason = "criterion's macros generate undocumented functions")]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a benchmark of files that it generated"
)]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use worldview::parallel::Parallel;
use worldview::wwd::Object;
use worldview::{Asset, Failed, Opened, Options as OpenOptions, open};
use worldview_benches::inputs::{self, id, is_trial, sizes};
use worldview_benches::limits::rez as rez_limits;
use worldview_benches::{Row, by_threads};
use worldview_corpus::rez::build::build;
use worldview_corpus::rez::generate::{large, large_pid};
use worldview_corpus::rez::naive;
use worldview_corpus::rez::spec::{ArchiveSpec, DirectorySpec};
use worldview_corpus::sample;
use worldview_corpus::wwd::spec::{HeaderSpec, LevelSpec, ObjectSpec, PlaneSpec};
use worldview_export::level::game::{Assets, LevelPictures};
use worldview_export::level::png::region::{Layer, PlanePainter, Region};
use worldview_export::level::png::{self, Allowance, Options, Row as PictureRow};
use worldview_export::rez;
use worldview_rez::raw::PidHeader;
use worldview_rez::{Picture, Pid, Rez};

/// The number of files in the archive of Gruntz.
const FILES: u32 = 21_303;

fn directory(criterion: &mut Criterion) {
    let files = if is_trial() { 500 } else { FILES };
    let file = build(&large(inputs::SEED, files)).bytes;
    let first = naive::archive(&file).unwrap();
    let expected = (first.files().len(), first.directories.len());
    let payloads = first.header.iter().find(|(name, _)| *name == "next_write_pos").unwrap().1 as usize;
    let mut kept = Vec::new();
    assert_eq!(rez_limits::directory(&file, &mut kept), Some(expected), "the limit lists other entries");
    let archive = Rez::parse(&file).unwrap();
    let (mut count, mut open) = (1, vec![archive.root()]);
    while let Some(directory) = open.pop() {
        open.extend(directory.directories());
        count += directory.directories().count();
    }
    assert_eq!((archive.files().count(), count), expected, "the archive has other entries");
    // To count all entries again would be a third of the time.
    Row::new(criterion, "directory of a REZ archive", id(&format!("{files} files")), file.len() - payloads, true)
        .least("follow the names, 64 bytes per entry", || rez_limits::directory(black_box(&file), &mut kept).is_some())
        .ours(|| Rez::parse(black_box(&file)).is_ok());
}

fn pixels(criterion: &mut Criterion) {
    type Plain = fn(&[u8], &mut [u8]) -> Option<()>;
    let kinds: [(_, _, Plain); 2] = [("repeats", 0, rez_limits::repeats), ("skips", 0x20, rez_limits::skips)];
    for (name, flags, plain) in kinds {
        for &(size, side) in sizes(&[("64x64", 64), ("1024x1024", 1024)]) {
            let file = large_pid(inputs::SEED, flags, side, side);
            let expected = naive::pid(&file).unwrap().pixels;
            let (mut pixels, mut plainly) = (vec![0; expected.len()], vec![0; expected.len()]);
            let stream = file.get(size_of::<PidHeader>()..).unwrap();
            let group = format!("PID of {name}");
            Row::new(criterion, &group, id(size), expected.len(), true)
                .least("the plain loop", || {
                    plain(black_box(stream), &mut plainly).unwrap();
                    plainly.first() == expected.first()
                })
                .ours(|| {
                    Pid::parse(black_box(&file)).unwrap().decode_into(&mut pixels).unwrap();
                    pixels.first() == expected.first()
                });
            assert!(pixels == expected && plainly == expected, "the picture is decoded incorrectly");
        }
    }
}

/// Returns the sample level with all planes repeated, so that the main one has this number of columns and rows.
fn large_level((main_wide, main_high): (usize, usize)) -> LevelSpec {
    let file = sample("harbour.wwd");
    let image = worldview::wwd::unpack(&file).unwrap();
    let level = worldview::wwd::Level::parse(&image).unwrap();
    let planes = level.planes().iter().map(|plane| {
        let header = plane.header();
        let [columns, rows] = [header.tiles_wide, header.tiles_high].map(|count| usize::try_from(count.get()).unwrap());
        let (wide, high) = ((columns * main_wide).div_ceil(160), (rows * main_high).div_ceil(60));
        let cells = (0..high).flat_map(|y| (0..wide).map(move |x| (x, y)));
        let [wide, high] = [wide, high].map(|count| i32::try_from(count).unwrap());
        PlaneSpec {
            flags: header.flags.get(),
            z_coord: header.z_coord.get(),
            tiles: cells.map(|(x, y)| plane.tile(x % columns, y % rows).unwrap().get()).collect(),
            image_sets: plane.image_sets().iter().map(|name| name.unwrap().to_vec()).collect(),
            objects: plane.objects().iter().map(|object| drawn_object(&object.unwrap())).collect(),
            ..PlaneSpec::empty(plane.name(), 64, wide, high)
        }
    });
    LevelSpec {
        planes: planes.collect(),
        header: HeaderSpec {
            flags: level.header().flags.get(),
            image_dir: b"\\LEVEL1\\TILES".to_vec(),
            image_set_dirs: ["LEVEL1\\IMAGES", "GAME\\IMAGES", "", ""].map(Into::into),
            image_set_prefixes: ["LEVEL", "GAME", "", ""].map(Into::into),
            ..HeaderSpec::default()
        },
        ..LevelSpec::default()
    }
}

/// Returns what is drawn of an object.
fn drawn_object(object: &Object<'_>) -> ObjectSpec {
    let record = object.record;
    ObjectSpec {
        x: record.x.get(),
        y: record.y.get(),
        z: record.z.get(),
        i: record.i.get(),
        draw_flags: record.draw_flags.get(),
        logic: object.logic.to_vec(),
        image_set: object.image_set.to_vec(),
        ..ObjectSpec::default()
    }
}

/// Draws a level of 384 by 96 tiles of 64 by 64 pixels, row by row and as PNG. All pictures were decoded beforehand.
fn drawn(criterion: &mut Criterion) {
    let file = sample("harbour.rez");
    let archive = Rez::parse(&file).unwrap();
    let file = worldview_corpus::wwd::build::build(&large_level((384, 96))).bytes;
    let image = worldview::wwd::unpack(&file).unwrap();
    let level = worldview::wwd::Level::parse(&image).unwrap();
    let pictures = LevelPictures::of(&Assets::new().archive(&archive), &level, None).unwrap();
    let options = Options::default().game(&pictures).marks(false);
    let draw = |look: &mut dyn FnMut(&[u8])| {
        png::rows(&level, &options, &mut Allowance::new(&options), &mut |row| {
            let PictureRow::Indices(row) = black_box(row) else { panic!("the pictures have one palette") };
            look(row);
            Ok(())
        })
        .unwrap();
    };
    let len = 384 * 64 * 96 * 64;
    let mut picture = Vec::with_capacity(len);
    draw(&mut |row| picture.extend_from_slice(row));
    let mut to = vec![0_u8; len];
    let input = id("384x96 tiles");
    Row::new(criterion, "level drawn with its game", &*input, len, len)
        .limit("memcpy of the picture", || to.copy_from_slice(black_box(&picture)))
        .ours(|| {
            let mut pixels = 0;
            draw(&mut |row| pixels += row.len());
            pixels
        });
    let mut out = Vec::new();
    let encode = |out: &mut Vec<u8>| {
        out.clear();
        png::level(&level, &options, &mut Allowance::new(&options), &mut *out).unwrap();
        out.len()
    };
    let expected = encode(&mut out);
    let mut reader = ::png::Decoder::new(std::io::Cursor::new(&out)).read_info().unwrap();
    assert_eq!(reader.info().palette.as_ref().map(|palette| palette.len()), Some(768));
    reader.next_frame(&mut to).unwrap();
    assert!(to == picture, "the level is encoded incorrectly");
    let mut bare = Vec::new();
    Row::new(criterion, "level drawn with its game, as PNG", &*input, len, expected)
        .limit("PNG encoder with the ready picture", || {
            bare.clear();
            let mut encoder = ::png::Encoder::new(&mut bare, 384 * 64, 96 * 64);
            encoder.set_color(::png::ColorType::Indexed);
            encoder.set_palette(vec![0; 768]);
            encoder.set_compression(::png::Compression::Balanced);
            encoder.set_filter(::png::Filter::NoFilter);
            encoder.write_header().unwrap().write_image_data(black_box(&picture)).unwrap();
        })
        .ours(|| encode(&mut out));
}

/// Draws parts of the main plane of a level that is as large as those of Claw, and of one that is too large to be painted
/// whole: from the last zoom, which shows everything, over the one where a tile is a pixel, to one where tiles can be
/// recognized. All pictures were prepared beforehand.
fn regions(criterion: &mut Criterion) {
    const LEN: usize = 256 * 256 * 4;
    let file = sample("harbour.rez");
    let archive = Rez::parse(&file).unwrap();
    let ready = vec![7_u8; LEN];
    let mut to = vec![0; LEN];
    for &(wide, high) in sizes(&[(384, 96), (6000, 2000)]) {
        let file = worldview_corpus::wwd::build::build(&large_level((wide, high))).bytes;
        let image = worldview::wwd::unpack(&file).unwrap();
        let level = worldview::wwd::Level::parse(&image).unwrap();
        let pictures = LevelPictures::of(&Assets::new().archive(&archive), &level, None).unwrap();
        let painter = PlanePainter::new(&level, level.main_plane().unwrap()).game(&pictures);
        for (zoom, layer) in
            [(painter.zooms() - 1, Layer::Tiles), (6, Layer::Tiles), (3, Layer::Tiles), (3, Layer::Objects)]
        {
            let mut out = Vec::new();
            let input = id(&format!("{wide}x{high} tiles, {layer:?}, zoom {zoom}"));
            Row::new(criterion, "region of a level", input, LEN, LEN)
                .limit("memcpy of the region", || to.copy_from_slice(black_box(&ready)))
                .ours(|| {
                    assert!(painter.rgba(Region::of_pyramid(0, 0, zoom), black_box(layer), &mut out).unwrap());
                    out.len()
                });
        }
    }
}

/// Generates an archive: the sample's, with its level four times, and pictures of 64 by 64 pixels.
fn whole_archive(levels: usize, pictures: usize) -> Vec<u8> {
    let sample = sample("harbour.rez");
    let mut root = DirectorySpec::default();
    for (path, file) in naive::archive(&sample).unwrap().files() {
        root.add(str::from_utf8(&path).unwrap(), sample[file.data.clone()].to_vec());
    }
    let level = worldview_corpus::sample("harbour.wwd");
    for number in 2..=levels {
        root.add(&format!("LEVEL{number}/WORLDS/WORLD.WWD"), level.clone());
    }
    let kinds: Vec<_> = (0..32).map(|seed| large_pid(seed, if seed % 2 == 0 { 0x20 } else { 0 }, 64, 64)).collect();
    for index in 0..pictures {
        let set = index / 10;
        let path = format!("GAME/IMAGES{}/SET{set:05}/FRAME{:03}.PID", set % 8, index % 10 + 1);
        root.add(&path, kinds[index % kinds.len()].clone());
    }
    build(&ArchiveSpec { root, ..ArchiveSpec::default() }).bytes
}

/// Draws all levels and pictures of an archive as PNG.
fn archive(criterion: &mut Criterion) {
    let (levels, pictures) = if is_trial() { (2, 100) } else { (4, 30_000) };
    let file = whole_archive(levels, pictures);
    let expected = naive::archive(&file).unwrap();
    let is_picture = |extension: &[u8]| extension == b"PID" || extension == b"PCX";
    let count = expected.files().iter().filter(|(_, file)| is_picture(&file.extension)).count();
    let input = id(&format!("{} MB", file.len() / 1_000_000));
    by_threads(criterion, "two threads: a whole archive", &input, file.len(), |threads| {
        let (options, mut image) = (OpenOptions::new(), Vec::new());
        let opened = open(black_box(&file), "archive.rez", &mut image, &options).unwrap();
        let Asset::Rez(archive) = &opened.asset else { panic!("is no archive") };
        let parallel = Parallel::new().threads(threads);
        let (mut drawn, mut bytes) = (0, 0);
        let draw = |_, opened: Result<Opened<'_>, Failed<'_>>| {
            let Asset::Level(level, _) = opened.unwrap().asset else { panic!("is no level") };
            let pictures = LevelPictures::of(&Assets::new().archive(archive), &level, None).unwrap();
            let options = Options::default().game(&pictures);
            let mut out = Vec::new();
            png::level(&level, &options, &mut Allowance::new(&options), &mut out).unwrap();
            out.len()
        };
        parallel.levels(&opened.asset, opened.at, &options, |_| true).each(draw, |level| {
            drawn += 1;
            bytes += level.result;
        });
        let pictures: Vec<_> =
            archive.files().filter_map(|file| Some((file, Picture::of_file(&file)?.unwrap()))).collect();
        let encode = |(file, picture): &_, out: &mut Vec<u8>| {
            out.clear();
            rez::png(picture, rez::palette_of(archive, file), u64::MAX, &mut *out).unwrap();
            out.len()
        };
        let lens = parallel.run(&pictures, |(_, picture)| picture.pixels() as u64, Vec::new, encode);
        assert_eq!((drawn, lens.len()), (levels, count));
        bytes + lens.iter().sum::<usize>()
    });
}

criterion_group!(benches, directory, pixels, drawn, regions, archive);
criterion_main!(benches);
