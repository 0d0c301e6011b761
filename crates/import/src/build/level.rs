use serde_json::Value as Json;
use worldview_core::{Path, field_name};
use worldview_edit::account::{Account, Column};
use worldview_edit::{Change, Changes, EditError, Planned, Position, Result, Value, wwd};
use worldview_export::Encoding;
use worldview_inspect::Root;
use worldview_wwd::raw::{AttributeHead, LevelHeader, PlaneHeader};
use worldview_wwd::{Level, LevelDescription, Rule, Unpacked, unpack};
use zerocopy::FromBytes as _;

use super::{Built, compared, fields_of};
use crate::doc::{Doc, Members, parse, whole};
use crate::planner::objects::plane_paths;
use crate::planner::rows::{KIND, frame};
use crate::planner::{Mode, Owner, Planner, layout};
use crate::tiled;

/// Makes a level from a document, as `level.json` and the full JSON of `show` have it; `encoding` is the code page of its texts.
///
/// It is packed unless `packed` is false, and has the checksum of the first of its `checksum_rules`, or of the editors. A plane has
/// as many columns and rows as `tiles`. An object without `id` gets the next free one.
///
/// # Errors
///
/// Returns an error if the text is not such a document, or if what it says is no level.
pub fn level(document: &[u8], encoding: Encoding) -> Result<Built> {
    let members = || {
        let mut members = parse(document, None)?;
        members.check_whole("wwd").map(|()| members)
    };
    let first = members()?;
    let planes = first.objects_of("planes")?;
    let mut count = 0_usize;
    for plane in &planes {
        count = count.saturating_add(plane.list_of("objects")?.len());
    }
    if count > MAX_OBJECTS {
        let why = format!(
            "the document has {count} objects, and a new level gets at most {MAX_OBJECTS}; add others to the level itself"
        );
        return Err(EditError::malformed(None, why));
    }
    let parts = wwd::apply(&wwd::empty(), &skeleton(&first, &planes, encoding)?)?.to_vec();
    let Planned { changes, mut account } = opened(&parts, |file, level| {
        let described = LevelDescription::new(file, level);
        let mut planner = Planner::new(Mode::Fill, encoding).level(Some(level));
        planner.old(&described, Owner::at(&Path::new()), None, &mut members()?);
        Ok(planner.finish())
    })?;
    let plain = wwd::apply(&parts, &changes)?.to_vec();
    let file = stored(&plain, &first)?;
    account.done = changes.len() as u64;
    if account.refused() == 0 {
        account.append(opened(&file, |file, level| {
            let described = LevelDescription::new(file, level);
            Ok(compared(&Root::new("wwd", level.image(), &described), members()?, encoding, Some(level)))
        })?);
    }
    Ok(Built { file, account })
}

/// The most objects of a new level. Each takes 16 kB of memory, as a change of all its fields.
const MAX_OBJECTS: usize = 40_000;

/// Opens a level.
fn opened<T>(file: &[u8], with: impl FnOnce(&Unpacked<'_>, &Level<'_>) -> Result<T>) -> Result<T> {
    let unpacked = unpack(file)?;
    with(&unpacked, &Level::parse(&unpacked)?)
}

/// Packs a level as a document says.
fn stored(plain: &[u8], document: &Members<'_>) -> Result<Vec<u8>> {
    let is_packed = document.get("packed").and_then(|packed| packed.json().ok()).as_deref() != Some(&Json::Bool(false));
    let rule = document.list_of("checksum_rules")?.into_iter().next().and_then(Doc::text);
    let rule = Rule::ALL.into_iter().find(|known| rule.as_deref() == Some(known.name())).unwrap_or(Rule::Editor);
    let inside = |name: &str| document.get(name).and_then(|inner| inner.members().ok());
    let mut trailing = document.bytes_of("trailing_bytes")?.unwrap_or_default();
    if let Some(trailer) = inside("trailer") {
        let bytes = trailer.bytes_of("bytes")?;
        trailing.extend(bytes.ok_or_else(|| EditError::malformed(None, "the `trailer` lacks its `bytes`"))?);
    }
    let mut plain = plain.to_vec();
    // Of a plain level it means nothing, and programs write different things.
    let length = inside("header").filter(|_| !is_packed).and_then(|header| number(&header, MAIN_BLOCK_LENGTH));
    if let Some(length) = length.and_then(|length| u32::try_from(length).ok())
        && let Ok((header, _)) = LevelHeader::mut_from_prefix(&mut plain)
    {
        header.main_block_length.set(length);
    }
    wwd::store(&plain, &trailing, is_packed, rule)
}

const MAIN_BLOCK_LENGTH: &str = field_name!(LevelHeader, main_block_length);

/// Returns an integer of an object.
fn number(members: &Members<'_>, name: &str) -> Option<i128> {
    whole(&*members.get(name)?.json().ok()?)
}

/// Returns the changes that add the planes with their sizes, and tile attributes of the right kinds.
fn skeleton(document: &Members<'_>, planes: &[Members<'_>], encoding: Encoding) -> Result<Changes> {
    /// The most tiles of a plane that does not list them.
    const MAX_EMPTY: i128 = 1 << 24;

    let mut changes = Changes::new();
    let mut add = |path: Path, fields: Vec<(String, Value)>| {
        changes.push(Change::Add { path, like: None, position: Position::Natural, fields, data: None });
    };
    let names = planes.iter().map(|plane| {
        let stored = plane.text_of(field_name!(PlaneHeader, name), encoding)?;
        Ok(stored.split(|byte| *byte == 0).next().map(<[u8]>::to_vec).unwrap_or_default())
    });
    let names = names.collect::<Result<Vec<_>>>()?;
    for (plane, path) in planes.iter().zip(plane_paths(names.into_iter())) {
        let malformed = |why: String| EditError::malformed(None, format!("{path}: {why}"));
        let rows = plane.list_of("tiles")?;
        let first = rows.first().map_or(Ok(Vec::new()), |row| row.list());
        let first = first.map_err(|why| malformed(format!("rows of tiles: {why}")))?;
        let sides =
            [(field_name!(PlaneHeader, tiles_wide), first.len()), (field_name!(PlaneHeader, tiles_high), rows.len())];
        let fields = sides.map(|(name, len)| (name, number(plane, name).unwrap_or(len as i128)));
        let [(_, wide), (_, high)] = fields;
        // The rows are compared with the size where they are read.
        if rows.is_empty() && wide.saturating_mul(high) > MAX_EMPTY {
            return Err(malformed(format!("expected {high} rows of {wide} tiles")));
        }
        add(path, fields.map(|(name, side)| (name.to_owned(), Value::Integer(side))).into());
    }
    let attributes = document.get("tile_attributes").and_then(|table| table.members().ok());
    let records = attributes.map_or(Ok(Vec::new()), |attributes| attributes.objects_of("records"))?;
    for (index, record) in records.iter().enumerate() {
        // Its kind and size decide what else it has.
        let mut shape = fields_of(AttributeHead::FIELDS, record, encoding)?;
        if record.get(KIND).is_none() {
            shape.push((KIND.to_owned(), Value::from(1)));
        }
        add(frame(index), shape);
    }
    Ok(changes)
}

/// Makes a level from a Tiled map, as `map.tmx` and `map.tmj` have it; `encoding` is the code page of its texts.
///
/// Each tile layer is a plane with tiles of the map's size. The level is packed, with the checksum of the editors. A map has the tile
/// attributes only of the frames in its tilesets; all others do nothing.
///
/// # Errors
///
/// Returns an error if the text is not a map, or if what it says is no level.
pub fn map(map: &[u8], encoding: Encoding) -> Result<Built> {
    /// Tile attributes are known by the tiles that show them, which have to be there.
    const ROUNDS: usize = 3;
    const WHY: &str = "the map says two things about this; apply it to the level that it was exported from";

    let mut plain = wwd::apply(&wwd::empty(), &tiled::skeleton(map, encoding)?)?.to_vec();
    let (mut account, mut done) = (Account::new(), 0_u64);
    for _ in 0..ROUNDS {
        let Planned { changes, account: said } = opened(&plain, |_, level| tiled::of_new(level, map, encoding))?;
        if changes.is_empty() {
            break;
        }
        let chosen = said.entries().filter(|entry| entry.column == Column::Done).cloned();
        chosen.for_each(|entry| account.push(entry));
        done = done.saturating_add(changes.len() as u64);
        plain = wwd::apply(&plain, &changes)?.to_vec();
    }
    let planned = opened(&plain, |_, level| tiled::of_new(level, map, encoding))?;
    if let Some(change) = planned.changes.iter().next() {
        return Err(EditError::unsupported(change.path(), WHY));
    }
    // The checksum and the places of another level.
    let (derived, others): (Vec<_>, Vec<_>) = planned
        .account
        .entries()
        .cloned()
        .partition(|entry| entry.code == tiled::DERIVED && entry.column == Column::LeftOut);
    (account.done, account.equal) = (done, planned.account.equal);
    others.into_iter().for_each(|entry| account.push(entry));
    account.append(layout(derived.len() as u64));
    Ok(Built { file: wwd::store(&plain, &[], true, Rule::Editor)?, account })
}
