//! The descriptions of parts, and the selection of their contents.

use std::collections::HashSet;

use worldview::describe::{self, Array, Field, FieldName, List, PartKey};
use worldview::owned::compare;
use worldview::wpd::ArchiveDescription;
use worldview::{island, rez, wwd};
use worldview_inspect::{Root, Select, field_name};

use crate::args::PartChoice;
use crate::open::{Files, Part, Visit};
use crate::world::{Only, World};

/// Calls `then` with the description of a part. For an archive, this covers its members but not their contents.
/// Returns `None` for the headers of a level and for data that is not an archive.
pub(crate) fn described<T>(part: &Part<'_, '_>, then: impl FnOnce(&Root<'_>) -> T) -> Option<T> {
    Some(match *part {
        Part::Level(level, file) => {
            let described = wwd::LevelDescription::new(file, level);
            then(&Root::new("wwd", level.image(), &described).besides(file.trailing().len() as u64))
        }
        Part::Table(table) | Part::Record(table, _) => then(&Root::new("wdb", table.archive().source(), table)),
        Part::Archive(archive) => {
            then(&Root::new("wpd", archive.source(), &ArchiveDescription::new(archive).max_depth(0)))
        }
        Part::World(World { database, contents }) => {
            then(&Root::new("world", database.source(), &island::DatabaseDescription::new(database, contents)))
        }
        Part::Rez(directory) => {
            let described = rez::RezDescription::new(directory.archive()).directory(directory).opens_files(false);
            then(&Root::new("rez", directory.archive().source(), &described))
        }
        Part::Picture(picture) => {
            let (format, source) = match &picture {
                rez::Picture::Pcx(pcx) => ("pcx", pcx.source()),
                rez::Picture::Pid(pid) => ("pid", pid.source()),
                rez::Picture::Bmp(bmp) => ("bmp", bmp.source()),
                _ => return None,
            };
            then(&Root::new(format, source, &picture))
        }
        Part::Outline(_) | Part::Data(_) | Part::File(_) => return None,
    })
}

/// Calls `then` with the descriptions of two parts to be compared, if they have the same format. `left_bytes` and
/// `right_bytes` are the bytes of their files.
pub(crate) fn both<T>(
    files: &Files<'_>,
    (left, left_bytes): (&Part<'_, '_>, &[u8]),
    (right, right_bytes): (&Part<'_, '_>, &[u8]),
    then: impl FnOnce(&Root<'_>, &Root<'_>) -> T,
) -> Option<T> {
    match (left, right) {
        (Part::Table(left), Part::Table(right)) => Some(compare::tables(left, right, then)),
        (Part::Archive(left), Part::Archive(right)) => {
            Some(compare::archives(left, right, files.max_depth(), files.schemas(), then))
        }
        (Part::Rez(left), Part::Rez(right)) => Some(compare::directories(*left, *right, then)),
        (Part::Level(..), Part::Level(..))
        | (Part::World(_), Part::World(_))
        | (Part::Picture(_), Part::Picture(_)) => {
            let with_left =
                |left: &Root<'_>| described(right, |right| then(&left.file(left_bytes), &right.file(right_bytes)));
            described(left, with_left).flatten()
        }
        _ => None,
    }
}

/// Selects the parts of a level given by `--part`; all if there are none.
pub(crate) struct LevelParts<'c>(pub(crate) &'c [PartChoice]);

impl LevelParts<'_> {
    fn wants(&self, choices: &[PartChoice]) -> bool {
        self.0.is_empty() || self.0.iter().any(|choice| choices.contains(choice))
    }
}

impl Select for LevelParts<'_> {
    fn list(&self, list: &List) -> bool {
        match list.name {
            "header" => self.wants(&[PartChoice::Header]),
            "planes" => self.wants(&[PartChoice::Planes, PartChoice::Tiles, PartChoice::Objects]),
            "image_sets" => self.wants(&[PartChoice::Planes]),
            "objects" => self.wants(&[PartChoice::Objects]),
            "tile_attributes" => self.wants(&[PartChoice::Attributes]),
            "trailer" => self.wants(&[PartChoice::Trailer]),
            _ => true,
        }
    }

    fn field(&self, list: Option<&List>, _: &Field<'_>) -> bool {
        match list.map(|list| list.name) {
            None => self.wants(&[PartChoice::Header]),
            Some("planes") => self.wants(&[PartChoice::Planes]),
            Some(_) => true,
        }
    }

    fn array(&self, array: &Array<'_>) -> bool {
        match array.name {
            "tiles" => self.wants(&[PartChoice::Tiles]),
            "trailing_bytes" => self.wants(&[PartChoice::Trailer]),
            _ => true,
        }
    }
}

/// Selects the worlds and blobs given by `--only`.
pub(crate) struct Worlds<'s, 'o> {
    pub(crate) only: &'s Only<'o>,
    pub(crate) database: &'s island::Database<'o>,
}

impl Select for Worlds<'_, '_> {
    fn list(&self, list: &List) -> bool {
        !matches!(list.name, "global_textures" | "global_parts") || self.only.touches_globals()
    }

    fn part(&self, list: &List, part: &describe::Part<'_>) -> bool {
        let index = part.index as usize;
        match list.name {
            "worlds" => self.database.world(index).is_some_and(|world| self.only.wants_world(index, world.name.text())),
            "blobs" => self.only.touches(index),
            _ => true,
        }
    }
}

/// Selects records of a table, and their fields.
#[derive(Default)]
pub(crate) struct Records<'s> {
    /// The index of the only record to select.
    pub(crate) index: Option<usize>,
    /// The names of records, or `None` for all.
    pub(crate) names: Option<&'s HashSet<&'s [u8]>>,
    /// The names of fields, or `None` for all.
    pub(crate) fields: Option<&'s [&'s [u8]]>,
}

impl Select for Records<'_> {
    fn list(&self, list: &List) -> bool {
        list.name == "records"
    }

    fn part(&self, _: &List, part: &describe::Part<'_>) -> bool {
        let is_named = |names: &HashSet<&[u8]>| matches!(part.key, PartKey::Name(name) if names.contains(name));
        self.index.is_none_or(|index| index == part.index as usize) && self.names.is_none_or(is_named)
    }

    fn field(&self, list: Option<&List>, field: &Field<'_>) -> bool {
        let Some(fields) = self.fields else { return list.is_some() };
        match field.name {
            FieldName::Bytes(name) => fields.contains(&name),
            FieldName::Static(name) => list.is_some() && name == "record",
            FieldName::Bits { .. } => fields.contains(&field_name(&field.name).as_bytes()),
        }
    }

    fn array(&self, _: &Array<'_>) -> bool {
        self.fields.is_none()
    }
}

/// Selects everything in a table, except for the bytes of its sections and the string pool, whose values are in the
/// records and arrays.
pub(crate) struct Values;

impl Select for Values {
    fn list(&self, list: &List) -> bool {
        list.name != "strings"
    }

    fn array(&self, array: &Array<'_>) -> bool {
        array.name == "extra"
    }
}

/// Selects the field plan of a table, and the information about the table as a whole.
pub(crate) struct Plan;

impl Select for Plan {
    fn list(&self, list: &List) -> bool {
        list.name == "fields"
    }
}

/// Selects the members of an archive given by `--only`.
pub(crate) struct Members<'v, 'p, 'a>(pub(crate) &'v Visit<'p, 'a>);

impl Select for Members<'_, '_, '_> {
    fn part(&self, list: &List, part: &describe::Part<'_>) -> bool {
        let Part::Archive(archive) = self.0.part else { return true };
        list.name != "members" || archive.get(part.index as usize).is_some_and(|member| self.0.wants(&member))
    }
}
