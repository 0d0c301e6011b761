//! The views alone, as a program uses them: open what can be opened, read everything, check. Nothing else is linked into
//! these targets, since a fuzzer looks at the counters of all linked code after each input.

use worldview::island::{self, Contents, Database};
use worldview::wpd::{Archive, Nesting, TableOptions, check_archive, check_table};
use worldview::wwd::{self, Level, Unpacker};
use worldview::{OffsetBase, Source};
use worldview_rez::{self as rez, Rez};

use crate::paths::{self, Tally};
use worldview_readers::MAX_LEN;

/// Reads the image of a level. A packed level is not inflated.
pub fn view_level(data: &[u8]) {
    if data.len() > MAX_LEN {
        return;
    }
    let Ok(file) = Unpacker::new().max_inflate(0).unpack_lossy(data, &mut |_| {}) else { return };
    let Ok(level) = Level::parse_lossy(&file, &mut |_| {}) else { return };
    paths::wwd::look(&level, &mut Tally::default());
    wwd::check(&file, &level, &mut |_| {});
}

/// Reads a table.
pub fn view_table(data: &[u8]) {
    let Some(archive) = archive(data).filter(Archive::is_table) else { return };
    let Ok(table) = TableOptions::new().table_lossy(archive, &mut |_| {}) else { return };
    paths::wpd::look(data, &table, &mut Tally::default());
    check_table(&table, &mut |_| {});
}

/// Reads an archive and those in it.
pub fn view_archive(data: &[u8]) {
    let Some(archive) = archive(data) else { return };
    let _ = paths::wpd::enter(&mut Nesting::new(&archive), &archive, 0, &mut Tally::default());
    check_archive(&archive, &mut |_| {});
}

fn archive(data: &[u8]) -> Option<Archive<'_>> {
    if data.len() > MAX_LEN {
        return None;
    }
    Archive::parse_lossy(Source::new(data, OffsetBase::File), &mut |_| {}).ok()
}

/// Reads a WORLD.WDB with all its meshes.
pub fn view_island(data: &[u8]) {
    if data.len() > MAX_LEN {
        return;
    }
    let Ok(database) = Database::parse_lossy(data, &mut |_| {}) else { return };
    let contents = Contents::read_lossy(&database, &mut |_| {});
    paths::island::decode(&contents, &mut Tally::default());
    island::check(&database, &contents, &mut |_| {});
}

/// Reads the directories of a REZ archive.
pub fn view_rez(data: &[u8]) {
    if data.len() > MAX_LEN {
        return;
    }
    let Ok(archive) = Rez::parse_lossy(data, &mut |_| {}) else { return };
    paths::rez::look(&archive, &mut Tally::default());
    rez::check_archive(&archive, &mut |_| {});
}
