//! Paths of planes, objects and tiles, and what they lead to.

use serde::{Deserialize, Serialize};
use worldview::Path;
use worldview::wwd::{Level, Object, Plane, TileKind};
use worldview_inspect::browse::Address;

use crate::answer::{Answer, Failed};
use crate::api::fields::{Row, rows_of};
use crate::levels::Session;
use crate::library;
use crate::places::Place;
use crate::state::State;
use crate::work::CancelToken;

#[derive(Deserialize)]
pub(in crate::api) struct ObjectQuery {
    at: String,
    plane: usize,
    index: usize,
}

#[derive(Deserialize)]
pub(in crate::api) struct CellQuery {
    at: String,
    plane: usize,
    column: usize,
    row: usize,
    /// The name of edits of the level.
    edits: Option<String>,
}

/// A picture of the game.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub(in crate::api) struct PictureName {
    name: String,
    /// Its address, if it is in the archive that contains the level.
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<String>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "ObjectDetails", optional_fields))]
pub(in crate::api) struct ObjectDocument {
    path: String,
    key: String,
    name: String,
    rows: Vec<Row>,
    #[serde(skip_serializing_if = "Option::is_none")]
    picture: Option<PictureName>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "CellDetails", optional_fields))]
pub(in crate::api) struct CellDocument {
    path: String,
    /// The frame of the tile.
    #[serde(skip_serializing_if = "Option::is_none")]
    tile: Option<u16>,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    attribute: Option<Part>,
    #[serde(skip_serializing_if = "Option::is_none")]
    picture: Option<PictureName>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "AttributeDetails"))]
pub(in crate::api) struct Part {
    path: String,
    rows: Vec<Row>,
}

/// What a path leads to.
#[derive(Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub(in crate::api) struct Target {
    #[serde(skip_serializing_if = "Option::is_none")]
    plane: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    row: Option<usize>,
}

/// All fields of an object.
pub(in crate::api) fn object(state: &State, query: &ObjectQuery, _: &CancelToken) -> Result<Answer, Failed> {
    let session = state.level(&query.at)?;
    let plane = session.plane(query.plane)?;
    let missing = || Failed::missing("there is no such object");
    let (key, object) = plane.objects().with_keys().nth(query.index).ok_or_else(missing)??;
    let mut path = plane_path(session.level(), plane);
    path.push("object", key.id.to_string().as_bytes(), key.nth);
    let rows = rows(state, &session, &path)?;
    let picture = session.pictures().and_then(|pictures| pictures.object(&object));
    Answer::json(&ObjectDocument {
        path: path.to_string(),
        key: key.to_string(),
        name: title(state, &object),
        rows,
        picture: picture.map(|frame| picture_name(&session, &query.at, frame.path())),
    })
}

/// A cell of a plane, and the attribute of its tile.
pub(in crate::api) fn cell(state: &State, query: &CellQuery, _: &CancelToken) -> Result<Answer, Failed> {
    let session = state.edited_level(&query.at, query.edits.as_deref())?;
    let (level, plane) = (session.level(), session.plane(query.plane)?);
    let tile = plane.tile(query.column, query.row).ok_or_else(|| Failed::missing("there is no such cell"))?;
    let mut path = plane_path(level, plane);
    path.push("tile", format!("{},{}", query.column, query.row).as_bytes(), None);
    let mut document = CellDocument {
        path: path.to_string(),
        tile: tile.frame(),
        text: String::new(),
        attribute: None,
        picture: None,
    };
    match tile.kind() {
        TileKind::Empty => document.text.push_str("empty"),
        TileKind::Filled => document.text.push_str("fill color"),
        TileKind::Image { image_set, frame } => {
            let set = plane.image_sets().iter().nth(image_set.into()).and_then(Result::ok).unwrap_or_default();
            let name = state.encoding.visible(set);
            document.text = if name.is_empty() { format!("{image_set}:{frame}") } else { format!("{name} {frame}") };
            let found = session.pictures().and_then(|pictures| pictures.tile(set, frame));
            document.picture = found.map(|frame| picture_name(&session, &query.at, frame.path()));
            // Only the main plane has attributes.
            let is_main = level.main_plane().is_some_and(|main| main.index() == plane.index());
            if is_main && level.attributes().get(frame).is_some() {
                let mut path = Path::new();
                path.push_name(b"tile_attributes");
                path.push_nth(b"frame", frame.into());
                let rows = rows(state, &session, &path)?;
                document.attribute = Some(Part { path: path.to_string(), rows });
            }
        }
    }
    Answer::json(&document)
}

/// What a path leads to on the map.
pub(in crate::api) fn at(state: &State, place: &Place, _: &CancelToken) -> Result<Answer, Failed> {
    let session = state.level(&place.at)?;
    let path: Path = place.path.parse().map_err(Failed::invalid)?;
    Answer::json(&target(session.level(), &path))
}

fn target(level: &Level<'_>, path: &Path) -> Target {
    let mut target = Target::default();
    let mut segments = path.segments();
    let Some(segment) = segments.next().filter(|segment| segment.kind == Some("plane")) else { return target };
    let mut same = level.planes().iter().filter(|plane| plane.name() == &*segment.key);
    let Some(plane) = same.nth(segment.nth.unwrap_or(0) as usize) else { return target };
    target.plane = Some(plane.index());
    let Some(segment) = segments.next() else { return target };
    let Ok(key) = std::str::from_utf8(&segment.key) else { return target };
    match segment.kind {
        Some("object") => {
            let objects = plane.objects().into_iter().map_while(Result::ok);
            let mut same = objects.filter(|object| key.parse() == Ok(object.id.get()));
            target.index = same.nth(segment.nth.unwrap_or(0) as usize).map(|object| object.index);
        }
        Some("tile") => {
            let numbers = key.split_once(',').and_then(|(x, y)| x.parse().ok().zip(y.parse().ok()));
            let inside = numbers.filter(|&(column, row)| plane.tile(column, row).is_some());
            (target.column, target.row) = inside.unzip();
        }
        _ => {}
    }
    target
}

/// Returns the path of a plane.
pub(super) fn plane_path(level: &Level<'_>, plane: &Plane<'_>) -> Path {
    let before = level.planes().iter().take(plane.index());
    let same = before.filter(|other| other.name() == plane.name()).count();
    let mut path = Path::new();
    path.push("plane", plane.name(), (same > 0).then(|| u32::try_from(same).unwrap_or(u32::MAX)));
    path
}

/// Returns what people call an object.
fn title(state: &State, object: &Object<'_>) -> String {
    let names = [object.display_name(), object.logic, object.image_set];
    names
        .iter()
        .find(|name| !name.is_empty())
        .map_or_else(String::new, |name| state.encoding.visible(name).into_owned())
}

/// Returns the name of a picture and, if it is in the archive that contains the level, its address.
fn picture_name(session: &Session, at: &str, name: String) -> PictureName {
    let file = session.own_archive().and_then(|archive| archive.by_path(&name));
    let address = file.map(|file| {
        let inside = session.opened().inside.split(|&byte| byte == b'/').count();
        let archive = at.trim_end_matches('/').rsplitn(inside + 1, '/').last().unwrap_or_default();
        let names = file.path().names();
        names.iter().fold(archive.to_owned(), |at, name| library::join(&at, &library::encode(name)))
    });
    PictureName { name, at: address }
}

/// Returns the fields of a part.
fn rows(state: &State, session: &Session, path: &Path) -> Result<Vec<Row>, Failed> {
    let address = Address { path: path.clone(), list: None };
    rows_of(&session.opened().handle, state, &address, 0, u64::MAX)
}
