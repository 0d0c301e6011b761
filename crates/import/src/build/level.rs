use serde_json::{Map, Value as Json};
use worldview_core::Path;
use worldview_edit::account::{Account, Column};
use worldview_edit::order::{numbered, repeated};
use worldview_edit::{Change, Changes, EditError, Position, Result, Value, wwd};
use worldview_export::Encoding;
use worldview_inspect::Root;
use worldview_wwd::raw::{AttributeHead, LevelHeader, ObjectRecord, PlaneHeader};
use worldview_wwd::{Level, LevelDescription, Rule, Unpacked, unpack};
use zerocopy::FromBytes as _;

use super::{Built, Comparison, content_of, fields, hex, layout, list, object, text_bytes};
use crate::json::{check_format, level_of, parse, whole};
use crate::level::{KIND, frame};
use crate::tiled;
use worldview_core::field_name;

/// Makes a level from a document, as `level.json` and the full JSON of `show` have it; `encoding` is the code page of its texts.
///
/// It is packed unless `packed` is false, and has the checksum of the first of its `checksum_rules`, or of the editors. A plane has
/// as many columns and rows as `tiles`. An object without `id` gets the next free one.
///
/// # Errors
///
/// Returns an error if the text is not such a document, or if what it says is no level.
pub fn level(document: &[u8], encoding: Encoding) -> Result<Built> {
    described(parse(document, None)?, encoding)
}

/// The most objects of a new level. Each takes 16 kB of memory, as a change of all its fields.
const MAX_OBJECTS: usize = 40_000;

/// Makes a level from the members of a document.
pub(super) fn described(mut document: Map<String, Json>, encoding: Encoding) -> Result<Built> {
    let version = check_format(&mut document, "wwd")?;
    let planes = document.get("planes").and_then(Json::as_array).into_iter().flatten();
    let objects = planes.filter_map(|plane| plane.get("objects")?.as_array()).map(Vec::len);
    let count = objects.fold(0, usize::saturating_add);
    if count > MAX_OBJECTS {
        let why = format!(
            "the document has {count} objects, and a new level gets at most {MAX_OBJECTS}; add others to the level itself"
        );
        return Err(EditError::malformed(None, why));
    }
    let mut content = document.clone();
    let planes = content.get_mut("planes").and_then(Json::as_array_mut).into_iter().flatten();
    for plane in planes.filter_map(Json::as_object_mut) {
        content_of(PlaneHeader::FIELDS, plane);
        let objects = plane.get_mut("objects").and_then(Json::as_array_mut).into_iter().flatten();
        for object in objects.filter_map(Json::as_object_mut) {
            content_of(ObjectRecord::FIELDS, object);
            // All of them are new.
            object.shift_remove("object");
        }
    }
    if let Some(Json::Object(header)) = content.get_mut("header") {
        content_of(LevelHeader::FIELDS, header);
    }
    let frames = content.get_mut("tile_attributes").and_then(Json::as_object_mut);
    if let Some(table) = frames {
        table.retain(|name, _| name == "records");
        let records = table.get_mut("records").and_then(Json::as_array_mut).into_iter().flatten();
        for (index, record) in (0_u64..).zip(records) {
            let Some(record) = record.as_object_mut() else { continue };
            content_of(AttributeHead::FIELDS, record);
            if let Some(given) = record.shift_remove("frame").filter(|given| given.as_u64() != Some(index)) {
                let why = format!(
                    "record {index} of the tile attributes has the frame {given}: each frame has a record, in order"
                );
                return Err(EditError::malformed(None, why));
            }
        }
    }
    content.retain(|name, json| matches!(name.as_str(), "header" | "planes" | "tile_attributes") && !json.is_null());
    let empty = wwd::empty();
    let parts = wwd::apply(&empty, &skeleton(&content, encoding)?)?.to_vec();
    let planned = opened(&parts, |file, level| level_of(file, level, &content, (version, true), encoding))?;
    let plain = wwd::apply(&parts, &planned.changes)?.to_vec();
    let file = stored(&plain, &document)?;
    let mut account = planned.account;
    account.done = planned.changes.len() as u64;
    if account.refused() == 0 {
        account.append(opened(&file, |file, level| {
            let described = LevelDescription::new(file, level);
            let root = Root::new("wwd", level.image(), &described).besides(file.trailing().len() as u64);
            Comparison::of(&root, &document, encoding)
        })?);
    }
    Ok(Built { file, account })
}

/// Opens a level.
fn opened<T>(file: &[u8], with: impl FnOnce(&Unpacked<'_>, &Level<'_>) -> Result<T>) -> Result<T> {
    let unpacked = unpack(file)?;
    with(&unpacked, &Level::parse(&unpacked)?)
}

/// Packs a level as a document says.
fn stored(plain: &[u8], document: &Map<String, Json>) -> Result<Vec<u8>> {
    let is_packed = document.get("packed") != Some(&Json::Bool(false));
    let rule = list(document, "checksum_rules")?.first().and_then(Json::as_str);
    let rule = Rule::ALL.into_iter().find(|known| rule == Some(known.name())).unwrap_or(Rule::Editor);
    let mut trailing = hex(document, "trailing_bytes")?.unwrap_or_default();
    if let Some(Json::Object(trailer)) = document.get("trailer") {
        let bytes = hex(trailer, "bytes")?;
        trailing.extend(bytes.ok_or_else(|| EditError::malformed(None, "the `trailer` lacks its `bytes`"))?);
    }
    let mut plain = plain.to_vec();
    // Of a plain level it means nothing, and programs write different things.
    let length = field_name!(LevelHeader, main_block_length);
    let given = document.get("header").and_then(|header| header.get(length)).filter(|_| !is_packed);
    if let Some(length) = given.and_then(Json::as_u64).and_then(|length| u32::try_from(length).ok())
        && let Ok((header, _)) = LevelHeader::mut_from_prefix(&mut plain)
    {
        header.main_block_length.set(length);
    }
    wwd::store(&plain, &trailing, is_packed, rule)
}

/// Returns the changes that add the planes with their tiles, and tile attributes of the right kinds.
fn skeleton(document: &Map<String, Json>, encoding: Encoding) -> Result<Changes> {
    let mut changes = Changes::new();
    let planes = list(document, "planes")?.iter().map(|plane| object(plane, "a plane"));
    let planes = planes.collect::<Result<Vec<_>>>()?;
    let names = planes.iter().map(|plane| {
        let stored = text_bytes(plane, field_name!(PlaneHeader, name), encoding)?;
        Ok(stored.split(|byte| *byte == 0).next().map(<[u8]>::to_vec).unwrap_or_default())
    });
    let names = names.collect::<Result<Vec<_>>>()?;
    let names = numbered(names.into_iter());
    let repeated = repeated(&[&names]);
    for (plane, (name, nth)) in planes.iter().zip(&names) {
        let mut path = Path::new();
        path.push("plane", name, repeated.contains(name).then_some(*nth));
        add_plane(&path, plane, &mut changes)?;
    }
    let attributes = document.get("tile_attributes").and_then(Json::as_object);
    let records = attributes.map_or(Ok(&[][..]), |attributes| list(attributes, "records"))?;
    for (index, record) in records.iter().enumerate() {
        let record = object(record, "a tile attribute")?;
        // Its kind and size decide what else it has.
        let mut shape = fields(AttributeHead::FIELDS, record, encoding)?;
        if !record.contains_key(KIND) {
            shape.push((KIND.to_owned(), Value::from(1)));
        }
        changes.push(Change::Add {
            path: frame(index),
            like: None,
            position: Position::Natural,
            fields: shape,
            data: None,
        });
    }
    Ok(changes)
}

/// Adds a plane and its tiles.
fn add_plane(path: &Path, plane: &Map<String, Json>, changes: &mut Changes) -> Result<()> {
    /// The most tiles of a plane that does not list them.
    const MAX_EMPTY: i128 = 1 << 24;

    let malformed = |why: String| EditError::malformed(None, format!("{path}: {why}"));
    let rows = list(plane, "tiles")?.iter().map(|row| row.as_array().map(Vec::as_slice));
    let rows: Vec<&[Json]> =
        rows.collect::<Option<_>>().ok_or_else(|| malformed("expected rows of tiles".to_owned()))?;
    let wide = rows.first().map_or(0, |row| row.len());
    let side = |name: &str, len: usize| match plane.get(name) {
        None => Ok(len as i128),
        Some(json) => whole(json, (0, i32::MAX.into())).map_err(|why| malformed(format!("`{name}`: {why}"))),
    };
    let sides = [(field_name!(PlaneHeader, tiles_wide), wide), (field_name!(PlaneHeader, tiles_high), rows.len())];
    let [(columns, wide), (lines, high)] = sides.map(|(name, len)| (name, side(name, len)));
    let (wide, high) = (wide?, high?);
    let is_size = high == rows.len() as i128 && rows.iter().all(|row| row.len() as i128 == wide);
    let is_empty = rows.is_empty() && wide.saturating_mul(high) <= MAX_EMPTY;
    if !is_size && !is_empty {
        return Err(malformed(format!("expected {high} rows of {wide} tiles")));
    }
    let fields = vec![(columns.to_owned(), Value::Integer(wide)), (lines.to_owned(), Value::Integer(high))];
    changes.push(Change::Add { path: path.clone(), like: None, position: Position::Natural, fields, data: None });
    for (y, row) in rows.iter().enumerate().filter(|(_, row)| !row.is_empty()) {
        let words = row.iter().map(|tile| whole(tile, (0, u32::MAX.into())));
        let words = words.collect::<std::result::Result<Vec<_>, _>>();
        let words = words.map_err(|why| malformed(format!("row {y} of its tiles: {why}")))?;
        let mut place = path.clone();
        place.push("tiles", format!("0,{y},{wide},1").as_bytes(), None);
        changes.push(Change::Set { path: place, from: None, to: Value::Integers(words) });
    }
    Ok(())
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
    let mut done = 0_u64;
    for _ in 0..ROUNDS {
        let changes = opened(&plain, |_, level| tiled::of_new(level, map, encoding))?.changes;
        if changes.is_empty() {
            break;
        }
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
    let mut account = Account::new();
    (account.done, account.equal) = (done, planned.account.equal);
    others.into_iter().for_each(|entry| account.push(entry));
    account.append(layout(derived.len() as u64));
    Ok(Built { file: wwd::store(&plain, &[], true, Rule::Editor)?, account })
}
