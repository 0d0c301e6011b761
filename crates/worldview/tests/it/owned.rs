//! Handles of the samples, whose files are dropped before anything is read.

#![allow(clippy::unwrap_used, reason = "a failure ends the test")]

use std::path::{Path, PathBuf};

use worldview::island::LodsAt;
use worldview::owned::{
    Failure, File, Handle, LodsHandle, Options, open_all, open_entry, open_in, open_path, split_path,
};
use worldview::{Asset, Kind, Loader, OpenError};

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples")
}

fn opened(path: &str) -> Handle {
    worldview::open(samples().join(path)).unwrap()
}

#[test]
fn a_handle_outlives_its_file_and_moves_to_other_threads() {
    let handle = opened("harbour.wwd");
    let tiles = std::thread::spawn(move || {
        let Handle::Level(level) = handle else { unreachable!("a level") };
        level.level().planes().iter().map(|plane| plane.tiles().len()).collect::<Vec<_>>()
    });
    assert_eq!(tiles.join().unwrap().len(), 3, "samples/README.md lists three planes");
}

#[test]
fn paths_continue_inside_archives() {
    let names = |path: &str| opened(path).part().path_in_file().join("/");
    assert_eq!(opened("harbour.rez/LEVEL1/WORLDS/WORLD.WWD").kind(), Kind::Level);
    assert_eq!(names("harbour.rez/LEVEL1/WORLDS/WORLD.WWD"), "LEVEL1/WORLDS/WORLD.WWD");
    assert_eq!(opened("harbour.rez/LEVEL1").kind(), Kind::Archive);
    assert_eq!(opened("items.wdb/apple_dried").kind(), Kind::Record);
    let (file, inside) = split_path(&samples().join("items.wdb/no_such_record"));
    let file = File::load(Loader::read(), &file).unwrap();
    let error = open_in(&file, &inside, &Options::default()).unwrap_err();
    assert_eq!(error.to_string(), "no_such_record: no member or record has this name");
}

#[test]
fn a_directory_of_an_archive_describes_itself_only() {
    let Handle::Directory(root) = opened("harbour.rez") else { unreachable!("an archive") };
    let Handle::Directory(level) = opened("harbour.rez/level1") else { unreachable!("a directory") };
    assert!(!level.directory().is_empty() && level.directory().len() < root.rez().files().count());
}

#[test]
fn a_texture_file_is_a_view_of_its_own() {
    let file = opened("pennant.tex");
    assert_eq!((file.kind(), file.format()), (Kind::Textures, Some("tex")));
    let copy = file.clone();
    drop(file);
    let sizes = std::thread::spawn(move || {
        let Asset::Textures(file) = copy.asset() else { unreachable!("a texture file") };
        file.textures().iter().map(|texture| (texture.image.width, texture.image.height)).collect::<Vec<_>>()
    });
    assert_eq!(sizes.join().unwrap(), [(32, 16), (16, 16)]);
    let mut bytes = std::fs::read(samples().join("pennant.tex")).unwrap();
    bytes.truncate(600);
    let cut = File::from_bytes(bytes, "pennant.tex");
    assert!(open_in(&cut, b"", &Options::default()).is_err());
    let lossy = open_in(&cut, b"", &Options { lossy: true, ..Options::default() }).unwrap();
    assert_eq!(lossy.findings().len(), 1);
}

#[test]
fn every_part_has_its_bytes_at_its_offset() {
    for name in ["wdbpack.bin", "harbour.rez"] {
        let file = File::load(Loader::read(), &samples().join(name)).unwrap();
        let mut parts = 0;
        open_all(&file, &Options::default(), &mut |handle| {
            let handle = handle.unwrap();
            let part = handle.part();
            assert_eq!(part.bytes(), &file.bytes()[part.offset()..][..part.bytes().len()]);
            // Opening the part by its path gives the same bytes.
            let again = open_in(&file, part.path_in_file().join("/").as_bytes(), &Options::default()).unwrap();
            assert_eq!(again.part().bytes(), part.bytes(), "{}", part.name());
            parts += 1;
        });
        assert!(parts > 2, "{name} has members");
    }
}

#[test]
fn a_broken_file_names_the_part_and_the_offset() {
    let mut bytes = std::fs::read(samples().join("harbour.wwd")).unwrap();
    bytes.truncate(3000);
    let file = File::from_bytes(bytes, "harbour.wwd");
    let error = open_in(&file, b"", &Options::default()).unwrap_err();
    assert!(error.error().is_some(), "{error}");
    let lossy = Options { lossy: true, ..Options::default() };
    assert!(!open_in(&file, b"", &lossy).unwrap().findings().is_empty());
}

#[test]
fn entries_open_as_their_paths_do() {
    for name in ["wdbpack.bin", "harbour.rez", "harbour.rez/LEVEL1"] {
        let archive = opened(name);
        let mut entries = 0;
        while let Ok(entry) = open_entry(&archive, entries, &Options::default()) {
            let file = archive.part().file();
            let path = match &entry {
                Handle::Directory(directory) => directory.path(),
                _ => entry.part().path_in_file().join("/").into_bytes(),
            };
            let from_here =
                path.strip_prefix(&name.as_bytes()[name.find('/').map_or(name.len(), |at| at + 1)..]).unwrap();
            let from_here = from_here.strip_prefix(b"/").unwrap_or(from_here);
            let in_file = open_in(file, &path, &Options::default()).unwrap();
            for again in [in_file, open_path(&archive, from_here, &Options::default()).unwrap()] {
                assert_eq!((again.kind(), again.part().bytes()), (entry.kind(), entry.part().bytes()));
                assert_eq!(again.part().path_in_file(), entry.part().path_in_file());
            }
            entries += 1;
        }
        assert!(entries > 1, "{name} has entries");
    }
}

#[test]
fn entries_are_found_by_their_index_whatever_their_names() {
    let case = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases/80-rez-directories/dirs.rez");
    let archive = worldview::open(case).unwrap();
    let open = |holder: &Handle, index| open_entry(holder, index, &Options::default());
    for (index, name) in ["ONE.TXT", "TWO.TXT", "THREE.TXT", "FOUR.TXT"].into_iter().enumerate() {
        let directory = open(&archive, index).unwrap();
        let files: Vec<_> = directory.directory().unwrap().files().map(|file| file.file_name()).collect();
        assert_eq!(files, [name.as_bytes()]);
        let by_path = open_path(&directory, name.as_bytes(), &Options::default()).unwrap();
        assert_eq!(by_path.part().bytes(), open(&directory, 0).unwrap().part().bytes(), "{name}");
        assert!(open(&directory, 1).is_err(), "{name}");
    }
    assert!(open(&archive, 4).is_err());
}

#[test]
fn records_and_missing_members_open_by_their_paths() {
    let archive = opened("wdbpack.bin");
    let table = open_path(&archive, b"r_lamps.wdb", &Options::default()).unwrap();
    let first = String::from_utf8(table.table().unwrap().get(0).unwrap().name().to_vec()).unwrap();
    for (from, path) in [(&archive, format!("r_lamps.wdb/{first}")), (&table, first)] {
        let record = open_path(from, path.as_bytes(), &Options::default()).unwrap();
        assert!(matches!(record, Handle::Record(_, 0)), "{path}");
    }
    for (name, path) in [("wdbpack.bin", "r_lamp.wdb"), ("harbour.rez/LEVEL1", "WORLDS/NONE.WWD")] {
        let error = open_path(&opened(name), path.as_bytes(), &Options::default()).unwrap_err();
        assert!(matches!(error, Failure::Open(OpenError::NotFound, _)), "{error}");
    }
}

#[test]
fn lists_of_levels_are_those_of_their_objects() {
    let Handle::Database(database) = opened("world.wdb") else { unreachable!("a WORLD.WDB") };
    let mut meshes = 0;
    for (blob, content) in database.contents().blobs.iter().enumerate() {
        let Some(model) = content.as_ref().unwrap().model() else { continue };
        for (roi, found) in model.rois.iter().enumerate() {
            let lods = LodsHandle::of(&database, LodsAt::Roi { blob, roi }).unwrap();
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
    assert!(LodsHandle::of(&database, LodsAt::Global { part: 9999 }).is_none());
}
