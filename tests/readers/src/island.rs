//! WORLD.WDB: compares the views with the naive reader.

use worldview_core::{Error, ErrorKind, OffsetBase, Source};
use worldview_corpus::island::naive::{self, NaiveBlob, NaiveDatabase, NaiveError};
use worldview_island::{Content, Contents, Database, DatabaseDescription, Geometry};

use crate::tree::Tree;
use crate::{Verdict, equal, judge};

mod lossy;
mod names;
mod poses;
mod same;
mod textures;
mod tree;

pub use lossy::lossy_keeps_its_word;
pub use names::names_agree;
pub use poses::poses_agree;
pub use same::{content as same_content, directory as same_directory, meshes};
pub use textures::textures_agree;

/// Reads a file with the views and with the naive reader, and compares every value of every chunk and blob. An error in
/// one of those must be reported by both, and must not affect the others.
pub fn agree(file: &[u8]) -> Result<Verdict, String> {
    let (views, directory) = (Database::parse(file), naive::directory(file));
    // The views limit how much blobs overlap, and the naive reader of the directory does not.
    if let (Err(Error { kind: ErrorKind::Limit { .. }, .. }), Ok(_)) = (&views, &directory) {
        return Ok(Verdict::TooMuch);
    }
    let refused = |error: &Error| refused(Source::new(file, OffsetBase::File), error);
    match judge(views, directory, refused, |views, naive| same::directory(&views, &naive))? {
        Verdict::Same => judge(Database::parse(file), naive::database(file), refused, |views, naive| {
            let contents = Contents::read(&views);
            Tree::of(&DatabaseDescription::new(&views, &contents)).same(&tree::database(&naive))?;
            same_contents(&views, &naive)
        }),
        verdict => Ok(verdict),
    }
}

/// Opens everything in a file and decodes every mesh.
pub fn read_all(file: &[u8]) -> Result<(), Error> {
    let database = Database::parse(file)?;
    database.textures()?;
    let global = Content::Parts(database.parts()?);
    same::meshes(&global).try_for_each(|mesh| mesh.decode_into(&mut Geometry::default()))?;
    for blob in database.blobs() {
        let content = blob.read()?;
        same::meshes(&content).try_for_each(|mesh| mesh.decode_into(&mut Geometry::default()))?;
    }
    Ok(())
}

fn same_contents(database: &Database<'_>, naive: &NaiveDatabase) -> Result<(), String> {
    let chunk = database.texture_chunk();
    judge(
        database.textures(),
        copy(&naive.textures),
        |error| refused(chunk, error),
        |views, naive| {
            equal("end of the global textures is inside", &inside(chunk, views.end()), &true)?;
            same::textures(views, naive)
        },
    )?;
    let chunk = database.parts_chunk();
    judge(
        database.parts(),
        copy(&naive.parts),
        |error| refused(chunk, error),
        |views, naive| same::parts(&views, naive).map_err(|why| format!("global parts: {why}")),
    )?;
    equal("blobs", &database.blobs().len(), &naive.blobs.len())?;
    for (blob, naive) in database.blobs().iter().zip(&naive.blobs) {
        same_blob(blob, naive).map_err(|why| format!("blob {}: {why}", blob.index()))?;
    }
    Ok(())
}

fn same_blob(blob: &worldview_island::Blob<'_>, naive: &NaiveBlob) -> Result<(), String> {
    let refused = |error: &Error| {
        let index = u32::try_from(blob.index()).unwrap_or(u32::MAX);
        let label = match blob.kind {
            worldview_island::BlobKind::Parts => "part blob",
            worldview_island::BlobKind::Model => "model blob",
        };
        equal("enclosing part of the error", &error.enclosing(), &Some((label, index)))?;
        refused(blob.source, error)
    };
    judge(blob.read(), copy(&naive.content), refused, |views, naive| same_content(&views, naive)).map(drop)
}

/// Borrows what could be read.
fn copy<T>(naive: &Result<T, NaiveError>) -> Result<&T, NaiveError> {
    naive.as_ref().map_err(Clone::clone)
}

/// Returns `true` if a file offset is inside a window or at its end.
fn inside(window: Source<'_>, at: u64) -> bool {
    (window.base()..=window.base() + window.len()).contains(&at)
}

/// Checks that an error lies within the bytes that it is about.
fn refused(window: Source<'_>, error: &Error) -> Result<(), String> {
    if inside(window, error.at) && error.space() == OffsetBase::File {
        return Ok(());
    }
    Err(format!("lies outside its {} bytes from {} on: {error}", window.len(), window.base()))
}

fn wide(length: usize) -> u64 {
    length as u64
}
