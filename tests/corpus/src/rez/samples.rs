//! `harbour.rez`: the level of `harbour.wwd` as a game stores it, with a palette, tiles, sprites and a screen that are
//! drawn by code.

use super::build::build;
use super::picture::{PALETTE, PcxSpec, PidSpec, SKIP_RUNS, TRANSPARENT};
use super::spec::{ArchiveSpec, DirectorySpec};
use crate::wwd::samples::harbour;
use crate::wwd::{EMPTY_TILE, build as level};

mod colors;
mod materials;
mod paint;
mod people;
mod screen;
mod sky;
mod things;
mod tiles;

use paint::Picture;

/// October 28, 1997, as the level.
const TIME: u32 = 878_000_400;

/// Returns the name and bytes of the sample.
pub fn samples() -> Vec<(&'static str, Vec<u8>)> {
    vec![("harbour.rez", build(&archive()).bytes)]
}

/// Returns the sample as a spec.
pub fn archive() -> ArchiveSpec {
    let mut root = DirectorySpec::default();
    let world = harbour();
    root.add("LEVEL1/WORLDS/WORLD.WWD", level::build(&world).bytes);
    root.add("LEVEL1/PALETTES/MAIN.PAL", colors::palette().as_flattened().to_vec());
    for plane in &world.planes {
        let set = String::from_utf8_lossy(&plane.image_sets[0]).into_owned();
        let mut frames: Vec<_> = plane.tiles.iter().copied().filter(|&tile| tile != EMPTY_TILE).collect();
        frames.sort_unstable();
        frames.dedup();
        for frame in frames {
            let picture = if set == "BACK" { sky::tile(frame) } else { tiles::tile(&set, frame) };
            let flags = if picture.has_holes() { TRANSPARENT } else { 0 };
            root.add(&format!("LEVEL1/TILES/{set}/{frame:03}.PID"), pid(&picture, flags));
        }
    }
    for (folder, frames) in [things::sets(), people::sets()].concat() {
        for (number, picture) in (1..).zip(frames) {
            // Both kinds of runs occur, and a palette that is the level's.
            let flags = match folder {
                "GAME/IMAGES/COINS" => TRANSPARENT,
                "GAME/IMAGES/CHEST" => TRANSPARENT | PALETTE,
                _ => TRANSPARENT | SKIP_RUNS,
            };
            root.add(&format!("{folder}/FRAME{number:03}.PID"), pid(&picture, flags));
        }
    }
    let screen = screen::title();
    let pcx = PcxSpec {
        width: u16::try_from(screen.width).unwrap_or(0),
        height: u16::try_from(screen.height).unwrap_or(0),
        planes: 1,
        pixels: screen.indices(),
        palette: colors::palette(),
        padding: 0,
    };
    root.add("CLAW/SCREENS/TITLE.PCX", pcx.build());
    root.add("GAME/SOUNDS/BELL.WAV", bell());
    root.add("README.TXT", b"A small archive for trying worldview. All its pictures are drawn by code.\r\n".to_vec());
    root.child("LEVEL1").child("SOUNDS");
    stamp(&mut root);
    ArchiveSpec { user_title: b"Harbour, a sample of worldview".to_vec(), time: TIME, root, ..ArchiveSpec::default() }
}

fn pid(picture: &Picture, flags: u32) -> Vec<u8> {
    let (width, height) = (picture.width, picture.height);
    PidSpec {
        flags,
        width,
        height,
        offset: picture.offset,
        pixels: picture.pixels.clone(),
        palette: colors::palette(),
        ..PidSpec::new(1, &[0])
    }
    .build()
}

/// Sets the time of everything.
fn stamp(directory: &mut DirectorySpec) {
    use super::spec::EntrySpec;
    directory.time = TIME;
    for entry in &mut directory.entries {
        match entry {
            EntrySpec::Directory(child) => stamp(child),
            EntrySpec::File(file) => file.time = TIME,
        }
    }
}

/// Returns the sound of the ship's bell: 8 bits, 8 kHz, a tenth of a second of a fading square wave.
fn bell() -> Vec<u8> {
    let samples: Vec<u8> = (0..800_u32)
        .map(|at| {
            let loud = u8::try_from(100 - at / 8).unwrap_or(0);
            if at / 5 % 2 == 0 { 128 + loud } else { 128 - loud }
        })
        .collect();
    let len = u32::try_from(samples.len()).unwrap_or(0);
    let mut b = crate::builder::Builder::new();
    b.bytes(b"RIFF").put(36 + len).bytes(b"WAVEfmt ").put((16_u32, 1_u16, 1_u16));
    b.put((8000_u32, 8000_u32, 1_u16, 8_u16)).bytes(b"data").put(len).bytes(&samples);
    b.finish().bytes
}
