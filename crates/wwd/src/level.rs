use worldview_core::{Budget, Error, ErrorKind, OnProblem, Place, Result, Source, field_name};

use crate::attributes::Attributes;
use crate::finding::{Finding, FindingKind};
use crate::game::Game;
use crate::object::Objects;
use crate::plane::{ImageSets, Plane};
use crate::raw::{LevelHeader, PlaneHeader};
use crate::tile::Tile;

/// A level: views into its image. [`parse`](Self::parse) has checked every part of fixed size.
#[derive(Clone)]
pub struct Level<'a> {
    image: Source<'a>,
    header: &'a LevelHeader,
    planes: Vec<Plane<'a>>,
    attributes: Attributes<'a>,
}

worldview_core::debug_summary!("Level", Level<'_>, |this| name: worldview_core::quoted(this.header.name.as_bytes()), planes: this.planes.len(), attributes: this.attributes, image: this.image);

impl<'a> Level<'a> {
    /// Opens a level, and checks that every part of fixed size lies inside the image.
    ///
    /// Accepts an [`Unpacked`](crate::Unpacked) file, or the bytes of a plain one. The sizes of objects and image-set
    /// names are only known as they are read, so their iterators return results.
    ///
    /// # Errors
    ///
    /// Returns an error if the file is packed (call [`unpack`](crate::unpack) first), if a part is truncated or has
    /// an impossible size, or if the planes share so many bytes that all grids, names and objects together are more than
    /// four times the image (and a megabyte). So whatever reads each of them once is done in time.
    ///
    /// ```
    /// # fn main() -> worldview_wwd::Result<()> {
    /// # let file: &[u8] = include_bytes!("../../../samples/harbour.wwd");
    /// use worldview_wwd::{Level, unpack};
    ///
    /// let image = unpack(file)?;
    /// let level = Level::parse(&image)?;
    /// let main = level.main_plane().expect("the sample has a main plane");
    /// assert_eq!(main.tiles().len(), main.columns() * main.rows().len());
    /// # Ok(())
    /// # }
    /// ```
    pub fn parse(image: impl Into<Source<'a>>) -> Result<Self> {
        let level = Self::open(image.into(), &mut Err)?;
        let most = level.planes.iter().fold(0, |sum: u64, plane| sum.saturating_add(plane.most(level.image)));
        // Only lists that could be too long are walked.
        if level.budget().spend(most, 0, level.image.space()).is_err() {
            let mut limit = |error: Error| match error.kind {
                ErrorKind::Limit { .. } => Err(error),
                // The iterators say it.
                _ => Ok(()),
            };
            let mut budget = level.budget();
            level.planes.clone().iter_mut().try_for_each(|plane| plane.end_before_broken(&mut budget, &mut limit))?;
        }
        Ok(level)
    }

    /// Returns the budget of a walk over all planes.
    const fn budget(&self) -> Budget {
        Budget::for_bytes(self.image.len(), "walk over overlapping parts")
    }

    /// Opens as much of a level as possible: a part that is out of bounds is empty and reported. A grid that is cut keeps its whole rows.
    ///
    /// This also walks objects and image-set names, and ends both before the first broken one, so that iterating over
    /// them does not fail. If planes share so many bytes that the walk is longer than four times the image, their lists end
    /// there, and that is reported, too.
    ///
    /// # Errors
    ///
    /// Returns an error if the header is broken or the plane headers are truncated.
    ///
    /// ```
    /// # fn main() -> worldview_wwd::Result<()> {
    /// # let file: &[u8] = include_bytes!("../../../samples/harbour.wwd");
    /// use worldview_wwd::{Level, unpack};
    ///
    /// let image = unpack(file)?;
    /// let mut findings = Vec::new();
    /// let level = Level::parse_lossy(&image, &mut |finding| findings.push(finding))?;
    /// assert!(findings.is_empty());
    /// # let _ = level;
    /// # Ok(())
    /// # }
    /// ```
    pub fn parse_lossy(image: impl Into<Source<'a>>, report: &mut dyn FnMut(Finding<'a>)) -> Result<Self> {
        let mut on_problem = |error: Error| {
            report(Finding {
                kind: FindingKind::Broken { kind: error.kind },
                at: error.at,
                space: error.space(),
                place: place(&error),
            });
            Ok(())
        };
        let mut level = Self::open(image.into(), &mut on_problem)?;
        let mut budget = level.budget();
        for plane in &mut level.planes {
            plane.end_before_broken(&mut budget, &mut on_problem)?;
        }
        Ok(level)
    }

    fn open(image: Source<'a>, on_problem: OnProblem<'_>) -> Result<Self> {
        let header = LevelHeader::of(image)?;
        if header.is_packed() {
            return Err(image.error(ErrorKind::Packed, "level", 0));
        }
        let headers: &[PlaneHeader] = match header.num_planes.get() {
            // If the count is 0, the offset may point anywhere.
            0 => &[],
            count => image.counted(header.planes_start(image)?, count, "plane headers")?,
        };
        let mut planes = Vec::with_capacity(headers.len());
        for (index, plane) in (0_u32..).zip(headers) {
            planes.push(open_plane(image, header, index, plane, on_problem)?);
        }
        let attributes = match header.tile_attribs_offset.get() {
            0 => Attributes::none(),
            at => {
                let field = core::mem::offset_of!(LevelHeader, tile_attribs_offset) as u64;
                match start(image, at, field_name!(LevelHeader, tile_attribs_offset), field) {
                    Ok(at) => {
                        let (table, done) = Attributes::read(image, at);
                        done.or_else(on_problem)?;
                        table
                    }
                    Err(error) => {
                        on_problem(error)?;
                        Attributes::none()
                    }
                }
            }
        };
        Ok(Self { image, header, planes, attributes })
    }

    /// Returns the header. For a packed file, the packed flag is cleared.
    #[inline]
    pub const fn header(&self) -> &'a LevelHeader {
        self.header
    }

    /// Returns the planes, in file order.
    #[inline]
    pub fn planes(&self) -> &[Plane<'a>] {
        &self.planes
    }

    /// Returns the plane on which the game is played: the last one with the main flag, as in the engine.
    ///
    /// ```
    /// # fn main() -> worldview_wwd::Result<()> {
    /// # let file: &[u8] = include_bytes!("../../../samples/harbour.wwd");
    /// let image = worldview_wwd::unpack(file)?;
    /// let level = worldview_wwd::Level::parse(&image)?;
    /// assert_eq!(level.main_plane().map(|plane| plane.name()), Some(&b"Action"[..]));
    /// # Ok(())
    /// # }
    /// ```
    pub fn main_plane(&self) -> Option<&Plane<'a>> {
        self.planes.iter().rfind(|plane| plane.is_main())
    }

    /// Returns the tile attributes.
    #[inline]
    pub const fn attributes(&self) -> &Attributes<'a> {
        &self.attributes
    }

    /// Returns the game, if the tile directory identifies it.
    pub fn game(&self) -> Option<Game> {
        Game::of_image_dir(self.header.image_dir.as_bytes())
    }

    /// Returns the image that all offsets count in.
    #[inline]
    pub const fn image(&self) -> Source<'a> {
        self.image
    }
}

/// Returns the start of a part from the offset in a header, or an error about that field if it points past the end.
fn start(image: Source<'_>, offset: u32, what: &'static str, field: u64) -> Result<u64> {
    if u64::from(offset) > image.len() {
        return Err(image.error(ErrorKind::Outside { found: offset.into(), end: image.len() }, what, field));
    }
    Ok(offset.into())
}

/// Returns a place derived from an error alone.
fn place<'a>(error: &Error) -> Place<'a> {
    match error.enclosing() {
        Some((label, number)) => Place::numbered(label, number, &[]).with(error.what, error.index(), &[]),
        None => Place::one(error.what, error.index()),
    }
}

impl LevelHeader {
    /// The first bytes of a level: the size of its header, as stored in the file.
    pub const SIGNATURE: [u8; 4] = Self::SIZE_U32.to_le_bytes();

    /// Returns the header at the start of a file or image. Returns an error if there are too few bytes, or if the signature is
    /// wrong.
    pub(crate) fn of<'a>(source: Source<'a>) -> Result<&'a Self> {
        const WHAT: &str = "header of a WWD level";
        // Check the signature first: for a short file of another kind, that is the more useful error.
        if let Ok(&found) = source.view::<[u8; 4]>(0, WHAT)
            && found != Self::SIGNATURE
        {
            let kind = ErrorKind::Magic { want: Self::SIGNATURE, found };
            return Err(source.error(kind, "start of a WWD level (its header size, 1524)", 0));
        }
        source.view(0, WHAT)
    }

    /// Returns the offset of the plane headers.
    pub(crate) fn planes_start(&self, image: Source<'_>) -> Result<u64> {
        let field = core::mem::offset_of!(Self, planes_offset) as u64;
        start(image, self.planes_offset.get(), field_name!(LevelHeader, planes_offset), field)
    }
}

fn open_plane<'a>(
    image: Source<'a>,
    level: &LevelHeader,
    index: u32,
    header: &'a PlaneHeader,
    on_problem: OnProblem<'_>,
) -> Result<Plane<'a>> {
    let at = u64::from(level.planes_offset.get()).saturating_add(u64::from(index).saturating_mul(PlaneHeader::SIZE));
    let mut plane = Plane {
        header,
        index,
        at,
        columns: 0,
        tiles: &[],
        image_sets: ImageSets::new(Source::new(&[], image.space()), 0, index),
        objects: Objects::none(Source::new(&[], image.space()), index),
    };
    let mut on_plane_problem = |error: Error| on_problem(error.within(&"plane", index));
    let size = u64::from(header.header_size.get());
    if size != PlaneHeader::SIZE {
        on_plane_problem(image.error(
            ErrorKind::Mismatch { want: PlaneHeader::SIZE, found: size },
            "plane header size",
            at,
        ))?;
    }
    match tiles(image, header, at) {
        Ok((columns, tiles, done)) => {
            (plane.columns, plane.tiles) = (columns, tiles);
            done.or_else(&mut on_plane_problem)?;
        }
        Err(error) => on_plane_problem(error)?,
    }
    match image_sets(image, header, index, at) {
        Ok(image_sets) => plane.image_sets = image_sets,
        Err(error) => on_plane_problem(error)?,
    }
    let done;
    (plane.objects, done) = objects(image, header, index, at);
    done.or_else(on_plane_problem)?;
    Ok(plane)
}

/// Returns the width of a grid in tiles, the whole rows that there are bytes for, and whether these are all that the header announces.
fn tiles<'a>(image: Source<'a>, header: &PlaneHeader, at: u64) -> Result<(usize, &'a [Tile], Result<()>)> {
    let measure = |value: i32, what, field: usize| {
        u64::try_from(value).map_err(|_| {
            let kind = ErrorKind::OutOfRange { found: value.into(), max: i32::MAX.unsigned_abs().into() };
            image.error(kind, what, at.saturating_add(field as u64))
        })
    };
    let wide = measure(
        header.tiles_wide.get(),
        field_name!(PlaneHeader, tiles_wide),
        core::mem::offset_of!(PlaneHeader, tiles_wide),
    )?;
    let high = measure(
        header.tiles_high.get(),
        field_name!(PlaneHeader, tiles_high),
        core::mem::offset_of!(PlaneHeader, tiles_high),
    )?;
    match wide.saturating_mul(high) {
        // Editors store an offset for a plane without a grid, but it is never used.
        0 => Ok((0, &[], Ok(()))),
        count => {
            let field = at.saturating_add(core::mem::offset_of!(PlaneHeader, tiles_offset) as u64);
            let at = start(image, header.tiles_offset.get(), field_name!(PlaneHeader, tiles_offset), field)?;
            // The grid lies in memory, so the length of a row fits into `usize`.
            let columns = usize::try_from(wide).unwrap_or(usize::MAX);
            let mut error = match image.array(at, count, "tile grid") {
                Ok(tiles) => return Ok((columns, tiles, Ok(()))),
                Err(error) => error,
            };
            let have = image.len().saturating_sub(at);
            // Neither is negative, as checked above.
            let (width, height) = (header.tiles_wide.get().unsigned_abs(), header.tiles_high.get().unsigned_abs());
            error.kind = ErrorKind::Product { counts: [width, height], unit: 4, have };
            let rows = have.checked_div(wide.saturating_mul(4)).unwrap_or(0);
            let tiles: &[Tile] = image.array(at, rows.saturating_mul(wide), "tile grid")?;
            Ok((if rows == 0 { 0 } else { columns }, tiles, Err(error)))
        }
    }
}

fn image_sets<'a>(image: Source<'a>, header: &PlaneHeader, index: u32, at: u64) -> Result<ImageSets<'a>> {
    const WHAT: &str = "image-set names";
    let count = header.num_image_sets.get();
    if count == 0 {
        return Ok(ImageSets::new(Source::new(&[], image.space()), 0, index));
    }
    let field = at.saturating_add(core::mem::offset_of!(PlaneHeader, image_sets_offset) as u64);
    let offset = start(image, header.image_sets_offset.get(), field_name!(PlaneHeader, image_sets_offset), field)?;
    // The shortest names are empty, with one byte for the NUL.
    image.holds(offset, count, 1, WHAT)?;
    Ok(ImageSets::new(image.tail(offset, WHAT)?, count, index))
}

/// The objects of a plane, as many as there are bytes for, and whether these are all that the header announces.
fn objects<'a>(image: Source<'a>, header: &PlaneHeader, index: u32, at: u64) -> (Objects<'a>, Result<()>) {
    const WHAT: &str = "objects";
    let none = Objects::none(Source::new(&[], image.space()), index);
    let count = header.num_objects.get();
    // At offset 0 the engine reads no objects, whatever the count.
    if count == 0 || header.objects_offset.get() == 0 {
        return (none, Ok(()));
    }
    let field = at.saturating_add(core::mem::offset_of!(PlaneHeader, objects_offset) as u64);
    let found = start(image, header.objects_offset.get(), field_name!(PlaneHeader, objects_offset), field);
    match found.and_then(|offset| Ok((offset, image.tail(offset, WHAT)?))) {
        Err(error) => (none, Err(error)),
        Ok((offset, rest)) => {
            // The shortest objects have no strings, so at least the fixed parts must fit.
            let least = crate::raw::ObjectRecord::SIZE_U32;
            let held = image.holds(offset, count, least, WHAT);
            let whole = rest.len().checked_div(least.into()).and_then(|whole| u32::try_from(whole).ok());
            let whole = whole.unwrap_or(u32::MAX);
            (Objects::new(rest, count.min(whole), index), held)
        }
    }
}

worldview_core::assert_send_sync!(Level<'_>);
