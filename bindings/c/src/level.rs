//! Levels.
#![expect(unsafe_code, reason = "exported functions, and buffers of the caller")]

use formats::wwd::raw::Rect;
use formats::wwd::{Attribute, Game, Plane};
use zerocopy::IntoBytes as _;
use zerocopy::little_endian::I32;

use crate::error::{Answer, Fault, WvStatus};
use crate::ffi::{self, ErrorOut, Grown, Out, WvSpan, answer, fill};
use crate::file::{WvHandle, given};
use crate::object::WvRect;
use crate::records::{WvLevelFields, WvPlaneFields};

/// The game that a level is for.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WvGame {
    /// The level does not say.
    Unknown = 0,
    /// Claw (1997).
    Claw = 1,
    /// Gruntz (1999).
    Gruntz = 2,
    /// Get Medieval (1998).
    GetMedieval = 3,
}

/// A level: its header, and how much there is of everything. Texts are in a code page that the file does not declare.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WvLevel {
    /// Size of this structure. The caller sets it.
    pub size: usize,
    /// The game, if the tile directory identifies it.
    pub game: WvGame,
    /// Whether the file is packed.
    pub packed: bool,
    /// The level number, the first run of digits in the name; UINT32_MAX if there is none.
    pub level_number: u32,
    /// Number of planes.
    pub plane_count: usize,
    /// Index of the plane on which the game is played, or `WV_NONE`.
    pub main_plane: usize,
    /// Number of tile attributes.
    pub attribute_count: usize,
    /// The 1524 bytes of the header as stored, little-endian.
    pub header: WvSpan,
    /// The unpacked level, in which all offsets count. Of a plain file, this is the file.
    pub image: WvSpan,
    /// The bytes after the level.
    pub trailing: WvSpan,
    /// The fields of the file's own header.
    pub fields: WvLevelFields,
}

/// A plane of a level.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WvPlane {
    /// Size of this structure. The caller sets it.
    pub size: usize,
    /// Number of tiles in a row.
    pub columns: usize,
    /// Number of rows.
    pub rows: usize,
    /// Number of image-set names.
    pub image_set_count: u32,
    /// Number of objects.
    pub object_count: u32,
    /// The tiles as stored: 32-bit little-endian words, row by row from the top left. They need not be aligned. A word is
    /// 0xFFFFFFFF for an empty tile, 0xEEEEEEEE for a filled one; else its low half is the frame number, which is also
    /// the index of the attribute, and its high half the index of the image set.
    pub tiles: WvSpan,
    /// Offset of the plane header in the image.
    pub offset: u64,
    /// The 160 bytes of the plane header as stored, little-endian.
    pub header: WvSpan,
    /// The fields of the header.
    pub fields: WvPlaneFields,
}

/// The kind of a tile attribute.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WvAttributeKind {
    /// One attribute for the whole tile: `inside`.
    Single = 1,
    /// One attribute inside a rectangle, another outside.
    Double = 2,
    /// An attribute for each pixel.
    Mask = 3,
}

/// The attribute of a tile, which determines what it does to whoever touches it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WvAttribute {
    /// Size of this structure. The caller sets it.
    pub size: usize,
    /// The kind.
    pub kind: WvAttributeKind,
    /// Tile width in pixels.
    pub width: u32,
    /// Tile height in pixels.
    pub height: u32,
    /// The attribute, inside the rectangle if there is one.
    pub inside: i32,
    /// The attribute outside the rectangle; the same as inside if there is no rectangle.
    pub outside: i32,
    /// The rectangle, in pixels of the tile.
    pub rect: WvRect,
    /// Of a mask: one byte per pixel, in rows from the top.
    pub mask: WvSpan,
}

/// Returns the header of a level.
#[unsafe(no_mangle)]
pub extern "C" fn wv_level(level: Option<&WvHandle>, out: Grown<'_, WvLevel>, error: ErrorOut<'_>) -> WvStatus {
    answer(out, error, || header(given(level)?))
}

fn header(handle: &WvHandle) -> Answer<WvLevel> {
    let (level, file) = (handle.level()?, handle.unpacked()?);
    let header = file.header();
    Ok(WvLevel {
        size: size_of::<WvLevel>(),
        game: match level.game() {
            Some(Game::Claw) => WvGame::Claw,
            Some(Game::Gruntz) => WvGame::Gruntz,
            Some(Game::GetMedieval) => WvGame::GetMedieval,
            _ => WvGame::Unknown,
        },
        packed: file.is_packed(),
        level_number: header.level_number().unwrap_or(u32::MAX),
        plane_count: level.planes().len(),
        main_plane: level.main_plane().map_or(usize::MAX, Plane::index),
        attribute_count: level.attributes().records().len(),
        header: header.as_bytes().into(),
        image: level.image().bytes().into(),
        trailing: file.trailing().into(),
        fields: header.into(),
    })
}

fn plane_of<'h>(level: Option<&'h WvHandle>, index: usize) -> Answer<&'h Plane<'h>> {
    let planes = given(level)?.level()?.planes();
    planes.get(index).ok_or_else(|| Fault::index("plane", index, planes.len()))
}

/// Returns a plane of a level.
#[unsafe(no_mangle)]
pub extern "C" fn wv_plane(
    level: Option<&WvHandle>,
    index: usize,
    out: Grown<'_, WvPlane>,
    error: ErrorOut<'_>,
) -> WvStatus {
    answer(out, error, || {
        let plane = plane_of(level, index)?;
        let header = plane.header();
        Ok(WvPlane {
            size: size_of::<WvPlane>(),
            columns: plane.columns(),
            rows: plane.rows().len(),
            image_set_count: plane.image_sets().count(),
            object_count: plane.objects().count(),
            tiles: plane.tiles().as_bytes().into(),
            offset: plane.offset(),
            header: header.as_bytes().into(),
            fields: header.into(),
        })
    })
}

/// Copies the tiles of a plane, in the byte order of the machine, and sets `count` to the number of copied tiles.
///
/// # Safety
///
/// `tiles` must point to `capacity` words.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wv_tiles(
    level: Option<&WvHandle>,
    plane: usize,
    tiles: *mut u32,
    capacity: usize,
    count: Out<'_, usize>,
    error: ErrorOut<'_>,
) -> WvStatus {
    answer(count, error, || {
        let plane = plane_of(level, plane)?;
        // SAFETY: the caller guarantees `capacity` words.
        let tiles = unsafe { ffi::buffer(tiles, capacity) }?;
        Ok(fill(tiles, plane.tiles().iter().map(|tile| tile.get())))
    })
}

/// Returns the first image-set names of a plane, at most `capacity`, and sets `count` to their number.
///
/// # Safety
///
/// `names` must point to `capacity` spans.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wv_image_sets(
    level: Option<&WvHandle>,
    plane: usize,
    names: *mut WvSpan,
    capacity: usize,
    count: Out<'_, usize>,
    error: ErrorOut<'_>,
) -> WvStatus {
    answer(count, error, || {
        let plane = plane_of(level, plane)?;
        // SAFETY: the caller guarantees `capacity` spans.
        let names = unsafe { ffi::buffer(names, capacity) }?;
        let mut count = 0_usize;
        for (to, name) in names.iter_mut().zip(plane.image_sets()) {
            to.write(name?.into());
            count = count.saturating_add(1);
        }
        Ok(count)
    })
}

/// Returns the attribute of the tiles with a frame number.
#[unsafe(no_mangle)]
pub extern "C" fn wv_attribute(
    level: Option<&WvHandle>,
    frame: usize,
    out: Grown<'_, WvAttribute>,
    error: ErrorOut<'_>,
) -> WvStatus {
    answer(out, error, || {
        let records = given(level)?.level()?.attributes().records();
        let found = records.get(frame).ok_or_else(|| Fault::index("tile attribute", frame, records.len()))?;
        let (unset, none) = (Rect::default(), WvSpan::NONE);
        let (kind, inside, outside, rect, mask) = match found {
            Attribute::Single(record) => (WvAttributeKind::Single, record.attribute, record.attribute, unset, none),
            Attribute::Double(record) => (WvAttributeKind::Double, record.inside, record.outside, record.rect, none),
            Attribute::Mask { pixels, .. } => (WvAttributeKind::Mask, I32::ZERO, I32::ZERO, unset, (*pixels).into()),
        };
        Ok(WvAttribute {
            size: size_of::<WvAttribute>(),
            kind,
            width: found.width(),
            height: found.height(),
            inside: inside.get(),
            outside: outside.get(),
            rect: rect.into(),
            mask,
        })
    })
}
