//! Levels.
#![expect(unsafe_code, reason = "exported functions, and buffers of the caller")]

use std::mem::MaybeUninit;

use formats::wwd::{Attribute, Game, Plane};
use zerocopy::IntoBytes as _;

use crate::error::{Answer, Fault, WvError, WvStatus};
use crate::ffi::{self, Grown, WvSpan, answer, fill, growable};
use crate::file::{WvHandle, given};
use crate::object::WvRect;

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

/// The header of a level, and how much there is of everything. Texts are bytes up to the first NUL, in a code page that
/// the file does not declare.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WvLevel {
    /// Size of this structure. The caller sets it.
    pub size: usize,
    /// The game, if the tile directory identifies it.
    pub game: WvGame,
    /// Whether the file is packed.
    pub packed: bool,
    /// Flags of the file's own header.
    pub flags: u32,
    /// The level number, the first run of digits in the name; UINT32_MAX if there is none.
    pub level_number: u32,
    /// Start position in pixels.
    pub start_x: i32,
    /// Start position in pixels.
    pub start_y: i32,
    /// The checksum as stored.
    pub checksum: u32,
    /// Number of planes.
    pub plane_count: usize,
    /// Index of the plane on which the game is played, or `WV_NONE`.
    pub main_plane: usize,
    /// Number of tile attributes.
    pub attribute_count: usize,
    /// Name.
    pub name: WvSpan,
    /// Author.
    pub author: WvSpan,
    /// Date of creation.
    pub birth: WvSpan,
    /// The editor's resource file.
    pub rez_file: WvSpan,
    /// Tile directory.
    pub image_dir: WvSpan,
    /// Palette resource.
    pub pal_rez: WvSpan,
    /// Program that the editor starts for a test run.
    pub launch_app: WvSpan,
    /// Directories of image sets.
    pub image_set_dirs: [WvSpan; 4],
    /// Prefixes of the image-set names of objects, one for each directory.
    pub image_set_prefixes: [WvSpan; 4],
    /// The 1524 bytes of the header as stored, little-endian.
    pub header: WvSpan,
    /// The unpacked level, in which all offsets count. Of a plain file, this is the file.
    pub image: WvSpan,
    /// The bytes after the level.
    pub trailing: WvSpan,
}

growable!(WvLevel);

/// A plane of a level.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WvPlane {
    /// Size of this structure. The caller sets it.
    pub size: usize,
    /// Name; need not be unique.
    pub name: WvSpan,
    /// Flags as stored: 1 main, 2 no draw, 4 wrap x, 8 wrap y, 16 auto tile size.
    pub flags: u32,
    /// Width in pixels as stored; the game computes it instead.
    pub width_px: i32,
    /// Height in pixels as stored; the game computes it instead.
    pub height_px: i32,
    /// Tile width in pixels.
    pub tile_width: i32,
    /// Tile height in pixels.
    pub tile_height: i32,
    /// Scroll origin in pixels.
    pub scroll_x: i32,
    /// Scroll origin in pixels.
    pub scroll_y: i32,
    /// Parallax: horizontal movement in percent of the main camera's.
    pub movement_x_percent: i32,
    /// Parallax: vertical movement in percent of the main camera's.
    pub movement_y_percent: i32,
    /// Palette index of filled tiles.
    pub fill_color: i32,
    /// Depth of the plane among the objects.
    pub z_coord: i32,
    /// Number of image-set names.
    pub image_set_count: u32,
    /// Number of objects.
    pub object_count: u32,
    /// Number of tiles in a row.
    pub columns: usize,
    /// Number of rows.
    pub rows: usize,
    /// The tiles as stored: 32-bit little-endian words, row by row from the top left. They need not be aligned. A word is
    /// 0xFFFFFFFF for an empty tile, 0xEEEEEEEE for a filled one; else its low half is the frame number, which is also
    /// the index of the attribute, and its high half the index of the image set.
    pub tiles: WvSpan,
    /// Offset of the plane header in the image.
    pub offset: u64,
    /// The 160 bytes of the plane header as stored, little-endian.
    pub header: WvSpan,
}

growable!(WvPlane);

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

growable!(WvAttribute);

/// Returns the header of a level.
///
/// # Safety
///
/// `out` must be NULL or have `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wv_level(
    level: Option<&WvHandle>,
    out: *mut WvLevel,
    error: Option<&mut MaybeUninit<WvError>>,
) -> WvStatus {
    // SAFETY: the caller guarantees NULL or `size` bytes.
    let out = unsafe { Grown::new(out, 1) };
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
        flags: header.flags.get(),
        level_number: header.level_number().unwrap_or(u32::MAX),
        start_x: header.start_x.get(),
        start_y: header.start_y.get(),
        checksum: header.checksum.get(),
        plane_count: level.planes().len(),
        main_plane: level.main_plane().map_or(usize::MAX, Plane::index),
        attribute_count: level.attributes().records().len(),
        name: header.name.as_bytes().into(),
        author: header.author.as_bytes().into(),
        birth: header.birth.as_bytes().into(),
        rez_file: header.rez_file.as_bytes().into(),
        image_dir: header.image_dir.as_bytes().into(),
        pal_rez: header.pal_rez.as_bytes().into(),
        launch_app: header.launch_app.as_bytes().into(),
        image_set_dirs: [
            header.image_set_dir_1.as_bytes().into(),
            header.image_set_dir_2.as_bytes().into(),
            header.image_set_dir_3.as_bytes().into(),
            header.image_set_dir_4.as_bytes().into(),
        ],
        image_set_prefixes: [
            header.image_set_prefix_1.as_bytes().into(),
            header.image_set_prefix_2.as_bytes().into(),
            header.image_set_prefix_3.as_bytes().into(),
            header.image_set_prefix_4.as_bytes().into(),
        ],
        header: header.as_bytes().into(),
        image: level.image().bytes().into(),
        trailing: file.trailing().into(),
    })
}

fn plane_of<'h>(level: Option<&'h WvHandle>, index: usize) -> Answer<&'h Plane<'h>> {
    let planes = given(level)?.level()?.planes();
    planes.get(index).ok_or_else(|| Fault::index("plane", index, planes.len()))
}

/// Returns a plane of a level.
///
/// # Safety
///
/// `out` must be NULL or have `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wv_plane(
    level: Option<&WvHandle>,
    index: usize,
    out: *mut WvPlane,
    error: Option<&mut MaybeUninit<WvError>>,
) -> WvStatus {
    // SAFETY: the caller guarantees NULL or `size` bytes.
    let out = unsafe { Grown::new(out, 1) };
    answer(out, error, || {
        let plane = plane_of(level, index)?;
        let header = plane.header();
        Ok(WvPlane {
            size: size_of::<WvPlane>(),
            name: plane.name().into(),
            flags: header.flags.get(),
            width_px: header.width_px.get(),
            height_px: header.height_px.get(),
            tile_width: header.tile_width.get(),
            tile_height: header.tile_height.get(),
            scroll_x: header.scroll_x.get(),
            scroll_y: header.scroll_y.get(),
            movement_x_percent: header.movement_x_percent.get(),
            movement_y_percent: header.movement_y_percent.get(),
            fill_color: header.fill_color.get(),
            z_coord: header.z_coord.get(),
            image_set_count: plane.image_sets().count(),
            object_count: plane.objects().count(),
            columns: plane.columns(),
            rows: plane.rows().len(),
            tiles: plane.tiles().as_bytes().into(),
            offset: plane.offset(),
            header: header.as_bytes().into(),
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
    count: Option<&mut MaybeUninit<usize>>,
    error: Option<&mut MaybeUninit<WvError>>,
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
    count: Option<&mut MaybeUninit<usize>>,
    error: Option<&mut MaybeUninit<WvError>>,
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
///
/// # Safety
///
/// `out` must be NULL or have `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wv_attribute(
    level: Option<&WvHandle>,
    frame: usize,
    out: *mut WvAttribute,
    error: Option<&mut MaybeUninit<WvError>>,
) -> WvStatus {
    // SAFETY: the caller guarantees NULL or `size` bytes.
    let out = unsafe { Grown::new(out, 1) };
    answer(out, error, || {
        let records = given(level)?.level()?.attributes().records();
        let found = records.get(frame).ok_or_else(|| Fault::index("tile attribute", frame, records.len()))?;
        let (inside, outside, [left, top, right, bottom]) = match found {
            Attribute::Single(record) => (record.attribute.get(), record.attribute.get(), [0; 4]),
            Attribute::Double(record) => (record.inside.get(), record.outside.get(), record.rect.get()),
            Attribute::Mask { .. } => (0, 0, [0; 4]),
        };
        Ok(WvAttribute {
            size: size_of::<WvAttribute>(),
            kind: match found {
                Attribute::Single(_) => WvAttributeKind::Single,
                Attribute::Double(_) => WvAttributeKind::Double,
                Attribute::Mask { .. } => WvAttributeKind::Mask,
            },
            width: found.width(),
            height: found.height(),
            inside,
            outside,
            rect: WvRect { left, top, right, bottom },
            mask: if let Attribute::Mask { pixels, .. } = found { (*pixels).into() } else { WvSpan::NONE },
        })
    })
}
