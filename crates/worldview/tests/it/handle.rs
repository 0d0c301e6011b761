//! Handles of the samples, whose files are dropped before anything is read.

#![allow(clippy::unwrap_used, reason = "a failure ends the test")]

use std::path::{Path, PathBuf};

use worldview::island::LodsAt;
use worldview::{Failure, File, Handle, Kind, Loader, OpenError, Options, OwnedLods, split_path};
use worldview_corpus::ff13::build::build_archive;
use worldview_corpus::ff13::spec::{ArchiveSpec, MemberSpec};

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples")
}

fn opened(path: &str) -> Handle {
    Handle::open(samples().join(path)).unwrap()
}

#[test]
fn a_handle_outlives_its_file_and_moves_to_other_threads() {
    let handle = opened("harbour.wwd");
    let tiles = std::thread::spawn(move || {
        handle.level().unwrap().planes().iter().map(|plane| plane.tiles().len()).collect::<Vec<_>>()
    });
    assert_eq!(tiles.join().unwrap().len(), 3, "samples/README.md lists three planes");
}

#[test]
fn paths_continue_inside_archives() {
    let names = |path: &str| opened(path).path_in_file().join("/");
    assert_eq!(opened("harbour.rez/LEVEL1/WORLDS/WORLD.WWD").kind(), Kind::Level);
    assert_eq!(names("harbour.rez/LEVEL1/WORLDS/WORLD.WWD"), "LEVEL1/WORLDS/WORLD.WWD");
    assert_eq!(opened("harbour.rez/LEVEL1").kind(), Kind::Archive);
    assert_eq!(opened("items.wdb/apple_dried").kind(), Kind::Record);
    let (file, inside) = split_path(&samples().join("items.wdb/no_such_record"));
    let file = File::load(Loader::read(), &file).unwrap();
    let error = Handle::of(&file, &inside, &Options::new()).unwrap_err();
    assert_eq!(error.to_string(), "no_such_record: no member or record has this name");
}

#[test]
fn a_directory_of_an_archive_describes_itself_only() {
    let (root, level) = (opened("harbour.rez"), opened("harbour.rez/level1"));
    let entries = level.directory().unwrap().len();
    assert!(entries > 0 && entries < root.rez().unwrap().files().count());
}

#[test]
fn a_texture_file_is_a_view_of_its_own() {
    let file = opened("pennant.tex");
    assert_eq!((file.kind(), file.format()), (Kind::Textures, Some("tex")));
    let copy = file.clone();
    drop(file);
    let sizes = std::thread::spawn(move || {
        copy.textures()
            .unwrap()
            .textures()
            .iter()
            .map(|texture| (texture.image.width, texture.image.height))
            .collect::<Vec<_>>()
    });
    assert_eq!(sizes.join().unwrap(), [(32, 16), (16, 16)]);
    let mut bytes = std::fs::read(samples().join("pennant.tex")).unwrap();
    bytes.truncate(600);
    let cut = File::from_bytes(bytes, "pennant.tex");
    assert!(Handle::of(&cut, b"", &Options::new()).is_err());
    let lossy = Handle::of(&cut, b"", &Options { lossy: true, ..Options::new() }).unwrap();
    assert_eq!(lossy.findings().len(), 1);
}

#[test]
fn every_part_has_its_bytes_at_its_offset() {
    for name in ["wdbpack.bin", "harbour.rez"] {
        let whole = opened(name);
        let (file, mut parts) = (whole.part().file(), 0);
        for handle in whole.walk() {
            let handle = handle.unwrap();
            let part = handle.part();
            assert_eq!(part.bytes(), &file.bytes()[part.offset()..][..part.bytes().len()]);
            // Opening the part by its path gives the same bytes.
            let again = Handle::of(file, handle.path_in_file().join("/").as_bytes(), &Options::new()).unwrap();
            assert_eq!(again.part().bytes(), part.bytes(), "{}", part.name());
            parts += 1;
        }
        assert!(parts > 2, "{name} has members");
    }
}

#[test]
fn a_broken_file_names_the_part_and_the_offset() {
    let mut bytes = std::fs::read(samples().join("harbour.wwd")).unwrap();
    bytes.truncate(3000);
    let file = File::from_bytes(bytes, "harbour.wwd");
    let error = Handle::of(&file, b"", &Options::new()).unwrap_err();
    assert!(error.error().is_some(), "{error}");
    let lossy = Options { lossy: true, ..Options::new() };
    assert!(!Handle::of(&file, b"", &lossy).unwrap().findings().is_empty());
}

#[test]
fn entries_open_as_their_paths_do() {
    for name in ["wdbpack.bin", "harbour.rez", "harbour.rez/LEVEL1", "items.wdb"] {
        let archive = opened(name);
        let names: Vec<_> = archive.entries().map(|entry| entry.name().into_owned()).collect();
        for (index, name) in names.iter().enumerate() {
            let entry = archive.entry(index).unwrap().unwrap();
            let mut path = archive.path_in_file().join("/").into_bytes();
            if !path.is_empty() {
                path.push(b'/');
            }
            path.extend_from_slice(name);
            let in_file = Handle::of(archive.part().file(), &path, &Options::new()).unwrap();
            for again in [in_file, archive.path(name).unwrap()] {
                assert_eq!(
                    (again.kind(), again.at(), again.part().bytes()),
                    (entry.kind(), entry.at(), entry.part().bytes())
                );
                assert_eq!(again.path_in_file(), entry.path_in_file());
            }
        }
        assert!(names.len() > 1, "{name} has entries");
        assert!(archive.entry(names.len()).is_none());
    }
}

#[test]
fn entries_are_found_by_their_index_whatever_their_names() {
    let case = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases/80-rez-directories/dirs.rez");
    let archive = Handle::open(case).unwrap();
    for (index, name) in ["ONE.TXT", "TWO.TXT", "THREE.TXT", "FOUR.TXT"].into_iter().enumerate() {
        let directory = archive.entry(index).unwrap().unwrap();
        let files: Vec<_> = directory.directory().unwrap().files().map(|file| file.file_name()).collect();
        assert_eq!(files, [name.as_bytes()]);
        let by_path = directory.path(name.as_bytes()).unwrap();
        assert_eq!(by_path.part().bytes(), directory.entry(0).unwrap().unwrap().part().bytes(), "{name}");
        assert!(directory.entry(1).is_none(), "{name}");
    }
    assert!(archive.entry(4).is_none());
}

#[test]
fn records_and_missing_members_open_by_their_paths() {
    let archive = opened("wdbpack.bin");
    let table = archive.path(b"r_lamps.wdb").unwrap();
    let first = String::from_utf8(table.table().unwrap().get(0).unwrap().name().to_vec()).unwrap();
    for (from, path) in [(&archive, format!("r_lamps.wdb/{first}")), (&table, first)] {
        let record = from.path(path.as_bytes()).unwrap();
        assert_eq!((record.kind(), record.row().unwrap().index()), (Kind::Record, 0), "{path}");
        assert_eq!(record.path_in_file(), ["r_lamps.wdb"], "as its table");
    }
    for (name, path) in [("wdbpack.bin", "r_lamp.wdb"), ("harbour.rez/LEVEL1", "WORLDS/NONE.WWD")] {
        let error = opened(name).path(path.as_bytes()).unwrap_err();
        assert!(matches!(error, Failure::Open(OpenError::NotFound, _)), "{error}");
    }
}

#[test]
fn rebuilt_entries_are_findings_and_what_is_in_them_can_be_opened() {
    // A table of XIII-1, whose first two entries are lost with the header.
    let words = |words: &[u32]| words.iter().flat_map(|word| word.to_be_bytes()).collect::<Vec<_>>();
    let members = [
        ("!!string", b"\0oil\0\0\0\0".to_vec()),
        ("!!strtypelist", words(&[2, 0, 0])),
        ("!!typelist", words(&[2, 3, 3, 0])),
        ("!!version", words(&[0x0102_0304])),
        ("lamp", words(&[1, 5, 6])),
        ("wick", words(&[0, 7, 8])),
    ];
    let members = members.map(|(name, data)| MemberSpec::new(name, data)).to_vec();
    let whole = build_archive(&ArchiveSpec { members, ..ArchiveSpec::default() }).bytes;
    let mut damaged = whole.clone();
    damaged[..80].copy_from_slice(&b"\xd8\xad\xff\0".repeat(20));
    let options = Options { recover: true, lossy: true, ..Options::new() };
    let handle = Handle::of(&File::from_bytes(damaged, "monster.wdb"), b"", &options).unwrap();
    let findings = handle.findings();
    assert_eq!(findings.iter().filter(|note| note.code == "entry-rebuilt").count(), 2, "{findings:?}");
    let original = Handle::of(&File::from_bytes(whole, "monster.wdb"), b"", &options).unwrap();
    let (left, right) = (handle.table().unwrap(), original.table().unwrap());
    assert_eq!(left.len(), right.len());
    for (left, right) in left.rows().zip(right.rows()) {
        assert_eq!((left.name(), left.data()), (right.name(), right.data()));
    }
    // A section of the table is in the copy with the rebuilt entries, which outlives the table.
    let pool = handle.path(b"!!string").unwrap();
    drop(handle);
    assert_eq!(pool.asset().source().bytes(), original.path(b"!!string").unwrap().asset().source().bytes());
}

#[test]
fn lists_of_levels_are_those_of_their_objects() {
    let database = opened("world.wdb");
    let mut meshes = 0;
    for (blob, content) in database.contents().unwrap().blobs.iter().enumerate() {
        let Some(model) = content.as_ref().unwrap().model() else { continue };
        for (roi, found) in model.rois.iter().enumerate() {
            let lods = OwnedLods::of(&database, LodsAt::Roi { blob, roi }).unwrap();
            assert_eq!(lods.len(), found.lods.len());
            for (i, lod) in found.lods.iter().enumerate() {
                assert_eq!(lods.lod(i).unwrap().at, lod.at);
                for (k, mesh) in lod.meshes.iter().enumerate() {
                    assert_eq!(lods.mesh(i, k).unwrap().at, mesh.at);
                    meshes += 1;
                }
                assert!(lods.mesh(i, lod.meshes.len()).is_none());
            }
        }
    }
    assert!(meshes > 0);
    assert!(OwnedLods::of(&database, LodsAt::Global { part: 9999 }).is_none());
}

#[test]
fn a_level_whose_data_ends_early_says_what_ends_it() {
    let mut bytes = include_bytes!("../../../../samples/harbour.wwd").to_vec();
    for place in 1..40 {
        let at = bytes.len() * place / 40;
        bytes[at] ^= 0x41;
    }
    let strict = worldview::wwd::unpack(&bytes).unwrap_err();
    let options = Options { lossy: true, ..Options::new() };
    let failure = Handle::of(&File::from_bytes(bytes, "harbour.wwd"), b"", &options).unwrap_err();
    assert_eq!(failure.error(), Some(&strict));
}
