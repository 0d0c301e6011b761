//! The generated folder, file by file: the good ones open without an error, the broken ones do not, and nobody's are left
//! alone.
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, reason = "a slip fails the test")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use worldview::island::{Contents, Database};
use worldview::wpd::{Archive, Nesting};
use worldview::wwd::Level;
use worldview::{Container, Error, Finding, Format, Kind, Severity, Source, Space, island, wpd, wwd};
use worldview_corpus::hostile;
use worldview_corpus::tree::{self, Options, Planted};

fn plant(files: usize, broken_per_mille: u32, seed: u64) -> (tempfile::TempDir, Planted) {
    let folder = tempfile::tempdir().unwrap();
    let planted = tree::write(folder.path(), &Options { files, broken_per_mille, seed }).unwrap();
    (folder, planted)
}

fn extension(path: &Path) -> Option<Format> {
    Format::of_extension(path.extension()?.to_str()?)
}

/// Opens all of an archive by the strict door.
fn archive(archive: &Archive<'_>) -> Result<usize, Error> {
    if archive.is_table() {
        archive.table()?;
        return Ok(1);
    }
    let nested = archive.members().filter(wpd::Member::is_archive);
    nested.map(|member| self::archive(&member.archive()?)).sum()
}

/// How many levels, tables or blobs there are, by the strict doors; or the first error.
fn strictly(format: Format, bytes: &[u8]) -> Result<usize, Error> {
    match format {
        Format::Wpd => archive(&Archive::parse(bytes)?),
        Format::Wwd => {
            let image = wwd::unpack(bytes)?;
            let level = Level::parse(&image)?;
            for plane in level.planes() {
                plane.objects().iter().try_for_each(|object| object.map(drop))?;
                plane.image_sets().iter().try_for_each(|name| name.map(drop))?;
            }
            Ok(1)
        }
        Format::Island => {
            let database = Database::parse(bytes)?;
            database.textures()?;
            database.parts()?;
            let blobs = database.blobs();
            blobs.iter().try_for_each(|blob| blob.read().map(drop))?;
            Ok(blobs.len())
        }
        _ => unreachable!("{format:?}"),
    }
}

/// How many findings that are fatal the other door and the checks have, or an error.
fn leniently(format: Format, bytes: &[u8]) -> Result<usize, Error> {
    fn count<K: Kind>(fatal: &mut usize) -> impl FnMut(Finding<'_, K>) {
        |finding| *fatal += usize::from(finding.kind.severity() == Severity::Fatal)
    }
    let mut fatal = 0;
    match format {
        Format::Wpd => {
            let outer = Archive::parse_lossy(Source::new(bytes, Space::File), &mut count(&mut fatal))?;
            let mut nesting = Nesting::new(&outer);
            let mut open = vec![(outer, 0)];
            while let Some((archive, depth)) = open.pop() {
                if archive.is_table() {
                    wpd::check_table(&archive.table()?, &mut count(&mut fatal));
                    continue;
                }
                wpd::check_archive(&archive, &mut count(&mut fatal));
                for member in archive.members() {
                    let nested = nesting.enter(&member, depth, &mut count(&mut fatal))?;
                    open.extend(nested.map(|nested| (nested, depth + 1)));
                }
            }
        }
        Format::Wwd => {
            let image = wwd::Unpacker::new().unpack_lossy(bytes, &mut count(&mut fatal))?;
            let level = Level::parse_lossy(&image, &mut count(&mut fatal))?;
            wwd::check(&image, &level, &mut count(&mut fatal));
        }
        Format::Island => {
            let database = Database::parse_lossy(bytes, &mut count(&mut fatal))?;
            let contents = Contents::read_lossy(&database, &mut count(&mut fatal));
            island::check(&database, &contents, &mut count(&mut fatal));
        }
        _ => unreachable!("{format:?}"),
    }
    Ok(fatal)
}

#[test]
fn good_files_open_without_an_error() {
    let (_folder, planted) = plant(1500, 10, 1);
    let mut kinds = BTreeMap::new();
    for path in &planted.good {
        let bytes = fs::read(path).unwrap();
        let format = Format::sniff(&bytes).unwrap_or_else(|| panic!("{}", path.display()));
        assert_eq!(Format::sniff(&bytes[..bytes.len().min(Format::SNIFF_LEN)]), Some(format), "{}", path.display());
        let inside = strictly(format, &bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(inside > 0, "{}", path.display());
        assert_eq!(leniently(format, &bytes), Ok(0), "{}", path.display());
        *kinds.entry(format.name()).or_insert(0) += 1;
    }
    assert_eq!(kinds.keys().copied().collect::<Vec<_>>(), ["world", "wpd", "wwd"]);
    assert!(kinds.values().all(|&count| count >= 5), "{kinds:?}");
}

#[test]
fn broken_files_are_reported_by_both_doors() {
    let (_folder, planted) = plant(900, 1000, 2);
    assert_eq!((planted.good.len(), planted.broken.len()), (0, 900));
    let mut unknown = BTreeMap::new();
    for (path, what) in &planted.broken {
        let bytes = fs::read(path).unwrap();
        // A walk over folders opens what is ours by content or by name.
        let format = Format::sniff(&bytes).or_else(|| {
            *unknown.entry(*what).or_insert(0) += 1;
            extension(path)
        });
        let format = format.unwrap_or_else(|| panic!("{}: {what}", path.display()));
        assert!(strictly(format, &bytes).is_err(), "{}: {what}", path.display());
        assert!(leniently(format, &bytes) != Ok(0), "{}: {what}", path.display());
    }
    // Only these need their name.
    assert_eq!(unknown.keys().copied().collect::<Vec<_>>(), ["empty", "signature"]);
}

#[test]
fn nothing_of_nobody_is_claimed() {
    let (_folder, planted) = plant(1500, 0, 3);
    assert!(planted.foreign.len() > 50 && planted.containers.len() > 10 && planted.broken.is_empty());
    for path in &planted.foreign {
        let bytes = fs::read(path).unwrap();
        assert_eq!((Format::sniff(&bytes), Container::sniff(&bytes)), (None, None), "{}", path.display());
        assert_eq!(extension(path), None, "{}", path.display());
    }
    for path in &planted.containers {
        let bytes = fs::read(path).unwrap();
        assert_eq!(Format::sniff(&bytes), None, "{}", path.display());
        let name = path.extension().and_then(|extension| extension.to_str()).unwrap().to_lowercase();
        assert_eq!(Container::sniff(&bytes).map(Container::name), Some(&*name), "{}", path.display());
    }
}

/// Whatever a name is, the file around it is in order.
#[test]
fn files_of_hostile_names_open() {
    let names = hostile::names();
    for (format, bytes, inside) in [
        (Format::Wpd, hostile::archive(&names), 0),
        (Format::Island, hostile::world(&names), names.len() + 1),
        (Format::Wwd, hostile::level(&names), 1),
    ] {
        assert_eq!(Format::sniff(&bytes[..Format::SNIFF_LEN]), Some(format));
        assert_eq!(Format::sniff(&bytes), Some(format));
        assert_eq!(strictly(format, &bytes), Ok(inside), "{format:?}");
    }
    let file = hostile::archive(&names);
    let archive = Archive::parse(&file).unwrap();
    for (number, (member, name)) in archive.members().zip(&names).enumerate() {
        assert_eq!(member.data(), hostile::content(number, name));
    }
}
