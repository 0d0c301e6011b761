//! Levels: what they are, pictures of their parts, and what is where.

mod objects;
mod places;

use serde::{Deserialize, Serialize};
use worldview::wwd::{TileKind, flags};
use worldview_export::level::png::region::{self, Layer, Region};

use super::edit;
use crate::answer::{Answer, Failed};
use crate::levels::Session;
use crate::places::Place;
use crate::state::State;
use crate::work::CancelToken;

pub(super) use objects::objects;
#[cfg(test)]
pub(super) use places::{CellDocument, ObjectDocument, Part, PictureName, Target};
pub(super) use places::{at, cell, object};

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Level", optional_fields))]
pub(super) struct Document {
    name: String,
    author: String,
    created: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    main: Option<usize>,
    planes: Vec<PlaneInfo>,
    attributes: bool,
    pictures: Pictures,
    legend: Vec<(&'static str, String)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<(i32, i32)>,
    zooms: u32,
    /// The planes directly after which the game draws objects of the main plane.
    after: Vec<usize>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Plane", optional_fields))]
pub(super) struct PlaneInfo {
    index: usize,
    path: String,
    name: String,
    main: bool,
    drawn: bool,
    columns: usize,
    rows: usize,
    tile: (u32, u32),
    width: u64,
    height: u64,
    wrap: (bool, bool),
    #[serde(rename = "move")]
    movement: (i32, i32),
    z: i32,
    objects: u32,
    /// The color of filled cells, if the level's palette is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    fill: Option<String>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub(super) struct Pictures {
    found: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<String>,
    missing: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// What a level consists of.
pub(super) fn level(state: &State, place: &Place, cancel: &CancelToken) -> Result<Answer, Failed> {
    let session = state.level(&place.at)?;
    let level = session.level();
    let (header, main) = (level.header(), level.main_plane().map(worldview::wwd::Plane::index));
    let text = |bytes: &[u8]| state.encoding.visible(bytes).into_owned();
    let mut planes = Vec::with_capacity(level.planes().len());
    let mut zooms = 1;
    for index in 0..level.planes().len() {
        cancel.check()?;
        let (plane, plane_zooms) = plane(state, &session, index)?;
        zooms = zooms.max(plane_zooms);
        planes.push(plane);
    }
    let after = main.map_or(Ok(Vec::new()), |main| session.paint(main, |painter| Ok(painter.objects_after())))?;
    let start = (header.start_x.get(), header.start_y.get());
    Answer::json(&Document {
        name: text(header.name.as_bytes()),
        author: text(header.author.as_bytes()),
        created: text(header.birth.as_bytes()),
        game: level.game().map(|game| game.name()),
        main,
        planes,
        attributes: level.attributes().header().is_some(),
        pictures: Pictures {
            found: session.pictures().is_some(),
            from: session.pictures().map(|_| session.places().join(", ")),
            missing: session.missing(),
            error: session.error().map(str::to_owned),
        },
        legend: region::legend(level.game()).map(|(name, color)| (name, hex(color))).collect(),
        start: (start != (0, 0)).then_some(start),
        zooms,
        after,
    })
}

/// Returns what is said about a plane, and the number of its zooms.
fn plane(state: &State, session: &Session, index: usize) -> Result<(PlaneInfo, u32), Failed> {
    let plane = session.plane(index)?;
    let header = plane.header();
    session.paint(index, |painter| {
        let (width, height) = painter.size();
        let palette = session.pictures().and_then(|pictures| pictures.palette());
        let [fill, ..] = header.fill_color.get().to_le_bytes();
        let info = PlaneInfo {
            index,
            path: places::plane_path(session.level(), plane).to_string(),
            name: state.encoding.visible(plane.name()).into_owned(),
            main: header.flags.get() & flags::MAIN != 0,
            drawn: plane.is_drawn(),
            columns: plane.columns(),
            rows: plane.rows().len(),
            tile: painter.tile(),
            width,
            height,
            wrap: (plane.wraps_x(), plane.wraps_y()),
            movement: (header.movement_x_percent.get(), header.movement_y_percent.get()),
            z: header.z_coord.get(),
            objects: plane.objects().count(),
            fill: palette.map(|palette| hex(palette[usize::from(fill)])),
        };
        Ok((info, painter.zooms()))
    })
}

fn hex(color: [u8; 3]) -> String {
    format!("#{}", worldview_inspect::hex(&color))
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "EditedLevel"))]
pub(super) struct Edited {
    /// The name of the edits, for pictures and objects of the edited level.
    edits: String,
}

/// Edits a level in memory, so that it can be drawn with the changes that the page keeps.
pub(super) fn edits(state: &State, body: &edit::Body, cancel: &CancelToken) -> Result<Answer, Failed> {
    let (edits, bytes) = edit::edited(state, body, cancel)?;
    if state.edited_level(&body.at, Some(&edits)).is_err() {
        state.keep_edited_level(&body.at, &edits, bytes)?;
    }
    Answer::json(&Edited { edits })
}

#[derive(Deserialize)]
pub(super) struct TileQuery {
    at: String,
    plane: usize,
    layer: String,
    zoom: u32,
    x: u64,
    y: u64,
    /// Only objects that are drawn directly after this plane.
    after: Option<i64>,
    /// The name of edits of the level.
    edits: Option<String>,
}

/// A picture of the pyramid of a plane.
pub(super) fn tile(state: &State, query: &TileQuery, cancel: &CancelToken) -> Result<Answer, Failed> {
    let session = state.edited_level(&query.at, query.edits.as_deref())?;
    let layer = match (&*query.layer, query.after) {
        ("tiles", _) => Layer::Tiles,
        ("attributes", _) => Layer::Attributes,
        ("objects", None) => Layer::Objects,
        // Before all planes, there is nothing.
        ("objects", Some(plane)) => Layer::ObjectsAfter(usize::try_from(plane).unwrap_or(usize::MAX)),
        _ => return Err(Failed::invalid("there is no such layer")),
    };
    session.paint(query.plane, |painter| {
        let mut out = cancel.buffer();
        let is_any = painter.png(Region::of_pyramid(query.x, query.y, query.zoom), layer, &mut out)?;
        Ok(if is_any { Answer::new("image/png", out.into_bytes()) } else { Answer::empty() })
    })
}

/// The longest side of a small picture, in pixels: that of the pictures of the pyramid.
const THUMBNAIL: u64 = 256;

/// A small picture of the main plane, as far as it has tiles; nothing if the level cannot be read.
pub(super) fn thumbnail(state: &State, place: &Place, cancel: &CancelToken) -> Result<Answer, Failed> {
    let Ok(session) = state.level(&place.at) else { return Ok(Answer::empty()) };
    let level = session.level();
    let Some(plane) = level.main_plane().or(level.planes().first()) else { return Ok(Answer::empty()) };
    let is_tile =
        |column: usize, row: usize| plane.tile(column, row).is_some_and(|tile| tile.kind() != TileKind::Empty);
    let (mut columns, mut rows) = ((usize::MAX, 0), (usize::MAX, 0));
    for row in 0..plane.rows().len() {
        cancel.check()?;
        for column in (0..plane.columns()).filter(|&column| is_tile(column, row)) {
            columns = (columns.0.min(column), columns.1.max(column + 1));
            rows = (rows.0.min(row), rows.1.max(row + 1));
        }
    }
    if columns.0 >= columns.1 {
        return Ok(Answer::empty());
    }
    session.paint(plane.index(), |painter| {
        let (wide, high) = painter.tile();
        let pixels =
            |(from, to): (usize, usize), size: u32| (from as u64 * u64::from(size), to as u64 * u64::from(size));
        let ((left, right), (top, bottom)) = (pixels(columns, wide), pixels(rows, high));
        let longest = (right - left).max(bottom - top);
        let zoom = (0..painter.zooms().saturating_sub(1)).find(|zoom| longest >> zoom <= THUMBNAIL);
        let zoom = zoom.unwrap_or(painter.zooms().saturating_sub(1));
        let side = |from: u64, to: u64| u32::try_from((to - from) >> zoom).unwrap_or(u32::MAX).max(1);
        let (width, height) = (side(left, right), side(top, bottom));
        let region = Region { x: left >> zoom, y: top >> zoom, width, height, zoom };
        let mut out = cancel.buffer();
        let is_any = painter.png(region, Layer::Tiles, &mut out)?;
        Ok(if is_any { Answer::new("image/png", out.into_bytes()) } else { Answer::empty() })
    })
}
