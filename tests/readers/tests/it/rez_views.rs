//! Compares the views of REZ archives and pictures with the naive readers on generated files, edge cases, the sample and
//! changed files.

use worldview_corpus::rez::build::build;
use worldview_corpus::rez::generate::{bmp, edge_cases, edge_pictures, large, pcx, pid, small};
use worldview_corpus::rez::samples;
use worldview_corpus::rng::Rng;
use worldview_readers::Verdict;
use worldview_readers::change::{changed, changes};
use worldview_readers::rez::{archives_agree, palettes_agree, pictures_agree};
use worldview_rez::{PictureKind, Rez};

use crate::rez_errors::{broken_archives, broken_pictures};

/// Reads every picture of an archive with both readers, and returns their number.
fn pictures_of(name: &str, file: &[u8]) -> usize {
    let archive = Rez::parse(file).unwrap();
    let mut count = 0;
    for file in archive.files() {
        if let Some(kind) = PictureKind::of_extension(file.extension()) {
            pictures_agree(kind, file.data()).unwrap_or_else(|why| panic!("{name}: {}: {why}", file.path()));
            count += 1;
        }
        palettes_agree(file.data()).unwrap();
    }
    count
}

#[test]
fn generated_archives_read_alike() {
    let mut pictures = 0;
    for seed in 0..400 {
        let file = build(&small(seed)).bytes;
        assert_eq!(archives_agree(&file), Ok(Verdict::Same), "seed {seed}");
        pictures += pictures_of(&format!("seed {seed}"), &file);
    }
    assert!(pictures > 500, "{pictures}");
}

#[test]
fn a_large_archive_reads_alike() {
    let file = build(&large(1, 21_303)).bytes;
    assert_eq!(archives_agree(&file), Ok(Verdict::Same));
    assert_eq!(Rez::parse(&file).unwrap().files().count(), 21_303);
}

#[test]
fn the_sample_reads_alike() {
    for (name, file) in samples() {
        assert_eq!(archives_agree(&file), Ok(Verdict::Same), "{name}");
        assert!(pictures_of(name, &file) > 150, "{name}");
        for len in (0..file.len()).step_by(1 + file.len() / 500) {
            assert_eq!(archives_agree(&file[..len]).err(), None, "{name}, {len} bytes");
        }
    }
}

#[test]
fn every_edge_case_and_every_broken_file_reads_alike() {
    for (name, file) in edge_cases() {
        assert_eq!(archives_agree(&file), Ok(Verdict::Same), "{name}");
    }
    for (kind, name, file) in edge_pictures() {
        let kind = PictureKind::of_extension(kind).unwrap();
        assert_eq!(pictures_agree(kind, &file), Ok(Verdict::Same), "{name}");
    }
    for (name, file) in broken_archives() {
        assert_eq!(archives_agree(&file).err(), None, "{name}");
    }
    for (name, kind, file) in broken_pictures() {
        assert_eq!(pictures_agree(kind, &file).err(), None, "{name}");
    }
}

#[test]
fn changed_archives_read_alike() {
    changed(600, 5, |seed, seeds| {
        let seed = seed % 4000;
        let built = build(&small(seed));
        let mut labels: Vec<usize> = Vec::new();
        for (label, at) in built.labels {
            // Each word of an entry, and each of the header.
            labels.extend(
                (0..7).map(|word| at + 4 * word).filter(|_| label.starts_with("entry") || label.starts_with("header")),
            );
        }
        let mut file = built.bytes;
        changes(seeds, &mut file, &labels, u32::to_le_bytes);
        archives_agree(&file)?;
        Ok(())
    });
}

#[test]
fn changed_pictures_read_alike() {
    changed(600, 4, |seed, seeds| {
        let mut rng = Rng::new(seed);
        let (kind, mut file) = match seed % 5 {
            4 => (PictureKind::Bmp, bmp(&mut rng).build()),
            0 => (PictureKind::Pcx, pcx(&mut rng).build()),
            1 => (PictureKind::Rid, pid(&mut rng).build_rid()),
            _ => (PictureKind::Pid, pid(&mut rng).build()),
        };
        let labels: Vec<usize> = (0..32).step_by(4).chain([65, 66, 68]).collect();
        changes(seeds, &mut file, &labels, u32::to_le_bytes);
        pictures_agree(kind, &file)?;
        Ok(())
    });
}
