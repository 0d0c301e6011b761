//! Archives of the games and their pictures: a directory of 21,000 entries, the pixels of PID pictures, and a level drawn
//! with the pictures of its game.
#![allow(missing_docs, reason = "criterion's macros generate undocumented functions")]
#![allow(clippy::unwrap_used, clippy::arithmetic_side_effects, reason = "a benchmark of files that it generated")]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use worldview_benches::Row;
use worldview_benches::inputs::{self, id, is_trial, sizes};
use worldview_benches::limits::read_pass;
use worldview_corpus::rez::build::build;
use worldview_corpus::rez::generate::{large, large_pid};
use worldview_corpus::rez::{naive, samples};
use worldview_export::level::game::{Assets, LevelPictures};
use worldview_export::level::png::{self, Allowance, Options, Row as PictureRow};
use worldview_rez::{Pid, Rez};

/// The number of files in the archive of Gruntz.
const FILES: u32 = 21_303;

fn directory(criterion: &mut Criterion) {
    let files = if is_trial() { 500 } else { FILES };
    let file = build(&large(inputs::SEED, files)).bytes;
    let first = naive::archive(&file).unwrap();
    let expected = (first.files().len(), first.directories.len());
    // The entries alone, with the holes between them.
    let entries =
        file.get(first.header.iter().find(|(name, _)| *name == "next_write_pos").unwrap().1 as usize..).unwrap();
    Row::new(criterion, "directory of a REZ archive", id(&format!("{files} files")), entries.len(), expected)
        .limit("read pass", || read_pass(black_box(entries)))
        .ours(|| {
            let archive = Rez::parse(black_box(&file)).unwrap();
            let (mut count, mut open) = (1, vec![archive.root()]);
            while let Some(directory) = open.pop() {
                open.extend(directory.directories());
                count += directory.directories().count();
            }
            (archive.files().count(), count)
        });
}

fn pixels(criterion: &mut Criterion) {
    for (name, flags) in [("repeats", 0), ("skips", 0x20)] {
        for &(size, side) in sizes(&[("64x64", 64), ("1024x1024", 1024)]) {
            let file = large_pid(inputs::SEED, flags, side, side);
            let expected = naive::pid(&file).unwrap().pixels;
            let (mut pixels, mut copy) = (vec![0; expected.len()], vec![0; expected.len()]);
            let group = format!("PID of {name}");
            Row::new(criterion, &group, id(size), expected.len(), true)
                .limit("memcpy of the pixels", || copy.copy_from_slice(black_box(&expected)))
                .ours(|| {
                    Pid::parse(black_box(&file)).unwrap().decode_into(&mut pixels).unwrap();
                    pixels.first() == expected.first()
                });
            assert!(pixels == expected, "the picture is decoded incorrectly");
        }
    }
}

/// Draws the sample level, 160 by 60 tiles of 64 by 64 pixels, row by row. All pictures were decoded beforehand.
fn drawn(criterion: &mut Criterion) {
    let file = samples::samples().remove(0).1;
    let archive = Rez::parse(&file).unwrap();
    let image = worldview::wwd::unpack(archive.by_path("LEVEL1/WORLDS/WORLD.WWD").unwrap().data()).unwrap();
    let level = worldview::wwd::Level::parse(&image).unwrap();
    let pictures = LevelPictures::of(&Assets::new().archive(&archive), &level, None).unwrap();
    let options = Options::default().game(&pictures).marks(false);
    let draw = || {
        let mut pixels = 0;
        png::rows(&level, &options, &mut Allowance::of(&level, &options), &mut |row| {
            pixels += match black_box(row) {
                PictureRow::Indices(row) => row.len(),
                PictureRow::Colors(row) => row.len() * 4,
            };
            Ok(())
        })
        .unwrap();
        pixels
    };
    let len = 160 * 64 * 60 * 64;
    assert_eq!(draw(), len, "one palette, so a byte for each pixel");
    let (from, mut to) = (vec![7_u8; len], vec![0_u8; len]);
    Row::new(criterion, "level drawn with its game", id("160x60 tiles"), len, len)
        .limit("memcpy of the picture", || {
            to.copy_from_slice(black_box(&from));
            to.len()
        })
        .ours(draw);
}

criterion_group!(benches, directory, pixels, drawn);
criterion_main!(benches);
