//! Opens files of every format leniently.

use worldview_core::describe::Describe;
use worldview_core::{OffsetBase, Source};
use worldview_island::{Contents, Database, DatabaseDescription};
use worldview_wpd::{Archive, ArchiveDescription, Nesting, TableOptions};
use worldview_wwd::{Level, LevelDescription, Unpacker};

/// A source and its description.
pub(crate) type Described<'d> = (Source<'d>, &'d dyn Describe);

/// Lends the description of a file, or returns `None` if it cannot be opened at all.
pub(crate) type Open<'o> = &'o dyn Fn(&[u8], &mut dyn FnMut(Described<'_>)) -> Option<()>;

pub(crate) const fn file(bytes: &[u8]) -> Source<'_> {
    Source::new(bytes, OffsetBase::File)
}

pub(crate) fn level(bytes: &[u8], with: &mut dyn FnMut(Described<'_>)) -> Option<()> {
    let image = Unpacker::new().max_inflate(1 << 20).unpack_lossy(bytes, &mut |_| {}).ok()?;
    let level = Level::parse_lossy(&image, &mut |_| {}).ok()?;
    with((level.image(), &LevelDescription::new(&image, &level)));
    Some(())
}

pub(crate) fn table(bytes: &[u8], with: &mut dyn FnMut(Described<'_>)) -> Option<()> {
    let archive = Archive::parse_lossy(file(bytes), &mut |_| {}).ok()?;
    with((file(bytes), &TableOptions::new().table_lossy(archive, &mut |_| {}).ok()?));
    Some(())
}

pub(crate) fn archive(bytes: &[u8], with: &mut dyn FnMut(Described<'_>)) -> Option<()> {
    archive_down_to(Nesting::MAX_DEPTH, bytes, with)
}

pub(crate) fn archive_down_to(depth: u32, bytes: &[u8], with: &mut dyn FnMut(Described<'_>)) -> Option<()> {
    let archive = Archive::parse_lossy(file(bytes), &mut |_| {}).ok()?;
    with((file(bytes), &ArchiveDescription::new(&archive).max_depth(depth)));
    Some(())
}

pub(crate) fn database(bytes: &[u8], with: &mut dyn FnMut(Described<'_>)) -> Option<()> {
    let database = Database::parse_lossy(bytes, &mut |_| {}).ok()?;
    let contents = Contents::read_lossy(&database, &mut |_| {});
    with((database.source(), &DatabaseDescription::new(&database, &contents)));
    Some(())
}
