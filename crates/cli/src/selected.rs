//! The descriptions of parts, and the selection of their contents.

use std::collections::HashSet;

use worldview::Source;
use worldview::describe::{
    Array, Child, ChildKey, Describe, Flow, Leaf, LeafName, List, Single, Span, Visit as Visitor,
};
use worldview::wpd::{ArchiveDescription, FieldNames, Table, TableDescription};
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
        (Part::Table(left), Part::Table(right)) => {
            let is_nameless = |table: &Table<'_>| table.names() == FieldNames::Generated;
            let (mut left_body, mut right_body) = (TableDescription::new(left), TableDescription::new(right));
            if is_nameless(left) != is_nameless(right) {
                // The tables have different field names, so their fields are matched by their words.
                (left_body, right_body) = (left_body.by_words(), right_body.by_words());
            }
            let (left, right) = (left.archive().source(), right.archive().source());
            Some(then(&whole("wdb", left, &left_body), &whole("wdb", right, &right_body)))
        }
        (Part::Archive(left), Part::Archive(right)) => {
            let mut left_body = ArchiveDescription::new(left).max_depth(files.max_depth());
            let mut right_body = ArchiveDescription::new(right).max_depth(files.max_depth());
            if let Some(schemas) = files.schemas() {
                (left_body, right_body) = (left_body.schemas(schemas), right_body.schemas(schemas));
            }
            let (left, right) = (left.source(), right.source());
            Some(then(&whole("wpd", left, &left_body), &whole("wpd", right, &right_body)))
        }
        (Part::Rez(left), Part::Rez(right)) => {
            let (left_source, right_source) = (left.archive().source(), right.archive().source());
            let left_body = rez::RezDescription::new(left.archive()).directory(*left).contents(&level_in);
            let right_body = rez::RezDescription::new(right.archive()).directory(*right).contents(&level_in);
            let (left_besides, right_besides) = (besides(*left), besides(*right));
            Some(then(
                &Root::new("rez", left_source, &left_body).besides(left_besides),
                &Root::new("rez", right_source, &right_body).besides(right_besides),
            ))
        }
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

/// Returns the number of bytes that the levels and pictures below a directory have when they are unpacked.
fn besides(directory: rez::Directory<'_, '_>) -> u64 {
    let unpacked = |file: rez::File<'_, '_>| {
        if file.extension().is("WWD") {
            let header = file.source().view::<wwd::raw::LevelHeader>(0, "header");
            let claimed = header.map_or(0, |header| u64::from(header.main_block_length.get()));
            return claimed.min(wwd::Unpacker::new().limit(file.data().len()));
        }
        match rez::Picture::of_file(&file) {
            // Pixels and their opacity.
            Some(Ok(picture)) => (picture.pixels() as u64).saturating_mul(4),
            _ => 0,
        }
    };
    directory.all_files().map(unpacked).fold(0, u64::saturating_add)
}

/// Describes a level in a REZ archive.
fn level_in(file: &rez::File<'_, '_>, visitor: &mut dyn Visitor) -> Option<Flow> {
    if !file.extension().is("WWD") {
        return None;
    }
    let data = file.source();
    let unpacked = wwd::Unpacker::new().unpack_lossy(file.data(), &mut |_| {}).ok()?;
    let level = wwd::Level::parse_lossy(&unpacked, &mut |_| {}).ok()?;
    let described = wwd::LevelDescription::new(&unpacked, &level);
    let at = Some(Span::new(data.base(), data.len(), data.space()));
    Some(visitor.children(&Single { name: "level", body: Some(&described), at }))
}

/// Returns the root of a description that depends only on the bytes of `source`.
const fn whole<'r>(format: &'r str, source: Source<'r>, body: &'r dyn Describe) -> Root<'r> {
    Root::new(format, source, body).file(source.bytes())
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

    fn field(&self, list: Option<&List>, _: &Leaf<'_>) -> bool {
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

    fn part(&self, list: &List, part: &Child<'_>) -> bool {
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

    fn part(&self, _: &List, part: &Child<'_>) -> bool {
        let is_named = |names: &HashSet<&[u8]>| matches!(part.key, ChildKey::Name(name) if names.contains(name));
        self.index.is_none_or(|index| index == part.index as usize) && self.names.is_none_or(is_named)
    }

    fn field(&self, list: Option<&List>, field: &Leaf<'_>) -> bool {
        let Some(fields) = self.fields else { return list.is_some() };
        match field.name {
            LeafName::Bytes(name) => fields.contains(&name),
            LeafName::Static(name) => list.is_some() && name == "record",
            LeafName::Bits { .. } => fields.contains(&field_name(&field.name).as_bytes()),
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
    fn part(&self, list: &List, part: &Child<'_>) -> bool {
        let Part::Archive(archive) = self.0.part else { return true };
        list.name != "members" || archive.get(part.index as usize).is_some_and(|member| self.0.wants(&member))
    }
}
