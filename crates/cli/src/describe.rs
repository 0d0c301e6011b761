//! Descriptions of files for `info` and `list`, in the shape of the JSON output.
//!
//! The shape is part of the command's public interface: `version` in the output is raised when a member changes or
//! is removed.

pub(crate) mod catalogue;
pub(crate) mod document;
pub(crate) mod rez;
pub(crate) mod world;

use serde::Serialize;
use worldview::Budget;
use worldview::wpd::{Archive, Generation, Member, NameOrigin, Table};
use worldview::wwd::{Game, Level, Unpacked, flags};
use worldview_export::{Encoding, utf8};

use self::catalogue::Counts;

/// The fields common to `info` and `list`.
#[derive(Debug, Serialize)]
pub(crate) struct Heading {
    pub(crate) path: String,
    pub(crate) format: &'static str,
    pub(crate) game: Option<&'static str>,
    pub(crate) name: String,
    pub(crate) author: String,
    pub(crate) birth: String,
    pub(crate) length: usize,
    pub(crate) packed: bool,
}

impl Heading {
    pub(crate) fn of(path: String, bytes: &[u8], file: &Unpacked<'_>, encoding: Encoding) -> Self {
        let text = |bytes: &[u8]| encoding.decode(bytes).into_owned();
        let header = file.header();
        Self {
            path,
            format: "wwd",
            game: Game::of_image_dir(header.image_dir.as_bytes()).map(Game::name),
            name: text(header.name.as_bytes()),
            author: text(header.author.as_bytes()),
            birth: text(header.birth.as_bytes()),
            length: bytes.len(),
            packed: file.is_packed(),
        }
    }
}

#[derive(Debug, Serialize)]
pub(crate) struct LevelInfo {
    #[serde(flatten)]
    pub(crate) heading: Heading,
    pub(crate) level_number: Option<u32>,
    pub(crate) image_length: usize,
    pub(crate) image_dir: String,
    pub(crate) palette: String,
    pub(crate) start: [i32; 2],
    pub(crate) checksum: ChecksumInfo,
    pub(crate) planes: Vec<PlaneInfo>,
    pub(crate) tile_attributes: Option<AttributesInfo>,
    pub(crate) trailing_bytes: usize,
    pub(crate) trailer: bool,
}

#[derive(Debug, Serialize)]
pub(crate) struct ChecksumInfo {
    pub(crate) stored: u32,
    pub(crate) rules: Vec<&'static str>,
}

#[derive(Debug, Serialize)]
pub(crate) struct PlaneInfo {
    pub(crate) index: usize,
    pub(crate) name: String,
    pub(crate) flags: Vec<&'static str>,
    pub(crate) unknown_flags: u32,
    pub(crate) columns: i32,
    pub(crate) rows: i32,
    pub(crate) tile_width: i32,
    pub(crate) tile_height: i32,
    pub(crate) movement_percent: [i32; 2],
    pub(crate) z_coord: i32,
    pub(crate) num_image_sets: u32,
    pub(crate) image_sets: Vec<String>,
    pub(crate) objects: u32,
}

#[derive(Debug, Serialize)]
pub(crate) struct AttributesInfo {
    pub(crate) single: usize,
    pub(crate) double: usize,
    pub(crate) mask: usize,
}

impl LevelInfo {
    pub(crate) fn of(path: String, bytes: &[u8], file: &Unpacked<'_>, level: &Level<'_>, encoding: Encoding) -> Self {
        let text = |bytes: &[u8]| encoding.decode(bytes).into_owned();
        let header = file.header();
        let checksum = file.checksum();
        Self {
            heading: Heading::of(path, bytes, file, encoding),
            level_number: header.level_number(),
            image_length: file.len(),
            image_dir: text(header.image_dir.as_bytes()),
            palette: text(header.pal_rez.as_bytes()),
            start: [header.start_x.get(), header.start_y.get()],
            checksum: ChecksumInfo {
                stored: checksum.stored(),
                rules: checksum.rules().map(|rule| rule.name()).collect(),
            },
            planes: level.planes().iter().map(|plane| PlaneInfo::of(plane, encoding)).collect(),
            tile_attributes: level.attributes().header().map(|_| AttributesInfo::of(level)),
            trailing_bytes: file.trailing().len(),
            trailer: file.trailer().is_some(),
        }
    }
}

impl PlaneInfo {
    fn of(plane: &worldview::wwd::Plane<'_>, encoding: Encoding) -> Self {
        let header = plane.header();
        // Planes may share names, so the same names could be repeated thousands of times. A few are enough.
        const NAMES: usize = 8;
        const BYTES: usize = 64;
        let image_sets = plane.image_sets().iter().flatten().take(NAMES);
        let image_sets = image_sets.map(|name| name.get(..BYTES).unwrap_or(name));
        Self {
            index: plane.index(),
            name: encoding.decode(plane.name()).into_owned(),
            flags: flags::names_of(header.flags.get(), flags::PLANE_FLAGS).collect(),
            unknown_flags: flags::unknown(header.flags.get(), flags::PLANE_FLAGS),
            columns: header.tiles_wide.get(),
            rows: header.tiles_high.get(),
            tile_width: header.tile_width.get(),
            tile_height: header.tile_height.get(),
            movement_percent: [header.movement_x_percent.get(), header.movement_y_percent.get()],
            z_coord: header.z_coord.get(),
            num_image_sets: plane.image_sets().count(),
            image_sets: image_sets.map(|name| encoding.decode(name).into_owned()).collect(),
            objects: plane.objects().count(),
        }
    }
}

impl AttributesInfo {
    fn of(level: &Level<'_>) -> Self {
        use worldview::wwd::Attribute;
        let mut info = Self { single: 0, double: 0, mask: 0 };
        for record in level.attributes().records() {
            match record {
                Attribute::Single(_) => info.single += 1,
                Attribute::Double(_) => info.double += 1,
                Attribute::Mask { .. } => info.mask += 1,
            }
        }
        info
    }
}

/// Returns the number of objects per thousand tiles, rounded to two decimal places, or `None` if there are no tiles.
pub(crate) fn density(objects: u64, tiles: u64) -> Option<f64> {
    (tiles > 0).then(|| (objects as f64 * 100_000.0 / tiles as f64).round() / 100.0)
}

#[derive(Debug, Serialize)]
pub(crate) struct ListEntry {
    #[serde(flatten)]
    pub(crate) heading: Heading,
    pub(crate) planes: usize,
    /// The size of the main plane, in tiles.
    pub(crate) columns: Option<i32>,
    pub(crate) rows: Option<i32>,
    pub(crate) tiles: u64,
    pub(crate) objects: u64,
    /// Objects per thousand tiles.
    pub(crate) density: Option<f64>,
    /// The code of what is wrong, if only a part of the level could be opened.
    pub(crate) problem: Option<&'static str>,
}

impl ListEntry {
    pub(crate) fn of(heading: Heading, counts: &Counts, problem: Option<&'static str>) -> Self {
        let Counts { planes, grid, tiles, objects } = *counts;
        let [columns, rows] = [0, 1].map(|side| grid.map(|grid| grid[side]));
        Self { heading, planes, columns, rows, tiles, objects, density: density(objects, tiles), problem }
    }
}

/// The description of a table for `info` and `list`.
#[derive(Debug, Serialize)]
pub(crate) struct TableInfo {
    pub(crate) path: String,
    pub(crate) format: &'static str,
    /// The game, or the games that share a generation.
    pub(crate) game: &'static str,
    pub(crate) generation: &'static str,
    pub(crate) sheet_name: Option<String>,
    pub(crate) layout_version: Option<u32>,
    pub(crate) names: &'static str,
    pub(crate) schema: Option<String>,
    pub(crate) length: u64,
    pub(crate) offset: u64,
    pub(crate) records: usize,
    pub(crate) record_size: u32,
    pub(crate) fields: usize,
    pub(crate) string_bytes: usize,
    pub(crate) string_arrays: usize,
    pub(crate) recovered: bool,
}

impl TableInfo {
    pub(crate) fn of(path: String, table: &Table<'_>) -> Self {
        let source = table.archive().source();
        Self {
            path,
            format: "wdb",
            game: match table.generation() {
                Generation::G3 | Generation::G3Prime => "Final Fantasy XIII-2 or Lightning Returns",
                _ => "Final Fantasy XIII",
            },
            generation: table.generation().name(),
            sheet_name: table.sheet_name().map(|name| utf8(name).into_owned()),
            layout_version: table.layout_version(),
            names: table.name_origin().name(),
            schema: match table.name_origin() {
                NameOrigin::Schema(schema) if !schema.name().is_empty() => Some(schema.name().to_owned()),
                _ => None,
            },
            length: source.len(),
            offset: source.base(),
            records: table.len(),
            record_size: table.record_size(),
            fields: table.fields().len(),
            string_bytes: table.strings().bytes().len(),
            string_arrays: table.string_arrays().len(),
            recovered: table.archive().is_recovered(),
        }
    }
}

/// The description of an archive that is not a table, for `info` and `list`.
#[derive(Debug, Serialize)]
pub(crate) struct ArchiveInfo {
    pub(crate) path: String,
    pub(crate) format: &'static str,
    pub(crate) length: u64,
    pub(crate) offset: u64,
    pub(crate) count: usize,
    pub(crate) tables: usize,
    pub(crate) archives: usize,
    /// Levels and pictures in a REZ archive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) levels: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) pictures: Option<usize>,
    pub(crate) recovered: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) members: Option<Vec<MemberInfo>>,
}

#[derive(Debug, Serialize)]
pub(crate) struct MemberInfo {
    pub(crate) index: usize,
    /// The path in a REZ archive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) path: Option<String>,
    pub(crate) name: String,
    pub(crate) extension: String,
    pub(crate) offset: u64,
    pub(crate) size: usize,
    pub(crate) content: &'static str,
}

impl ArchiveInfo {
    pub(crate) fn of(path: String, archive: &Archive<'_>, with_members: bool) -> Self {
        let source = archive.source();
        // Thousands of members may share one archive whose directory is as long as the file.
        let mut budget = Budget::for_bytes(source.len(), "directories of nested archives");
        let members: Vec<_> = archive.members().map(|member| MemberInfo::of(&member, &mut budget)).collect();
        let count = |content| members.iter().filter(|member| member.content == content).count();
        Self {
            path,
            format: "wpd",
            length: source.len(),
            offset: source.base(),
            count: members.len(),
            tables: count("table"),
            archives: count("archive"),
            levels: None,
            pictures: None,
            recovered: archive.is_recovered(),
            members: with_members.then_some(members),
        }
    }
}

impl MemberInfo {
    pub(crate) fn of(member: &Member<'_>, budget: &mut Budget) -> Self {
        Self {
            index: member.index(),
            path: None,
            name: utf8(member.name()).into_owned(),
            extension: utf8(member.extension()).into_owned(),
            offset: member.source().base(),
            size: member.data().len(),
            content: content(member, budget),
        }
    }
}

/// Returns the kind of a member: `table`, `archive` or `data`. Once the budget is exhausted, nested archives are not
/// inspected.
fn content(member: &Member<'_>, budget: &mut Budget) -> &'static str {
    if !member.is_archive() {
        return "data";
    }
    let source = member.source();
    let is_table = |archive: Archive<'_>| archive.is_table();
    let looked_into = budget.spend(source.len(), source.base(), source.space()).is_ok();
    if looked_into && Archive::parse_lossy(source, &mut |_| {}).is_ok_and(is_table) { "table" } else { "archive" }
}
