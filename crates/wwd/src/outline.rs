use worldview_core::{Error, ErrorKind, Result, Source, Space};

use crate::game::Game;
use crate::inflate;
use crate::raw::{LevelHeader, PlaneHeader};
use crate::unpack::{Unpacker, over_limit};

/// The headers of a level: all that a catalogue of many needs.
#[non_exhaustive]
#[derive(Clone, Copy)]
pub struct Outline<'a> {
    /// The header, as it stands in the file.
    pub header: &'a LevelHeader,
    /// The plane headers.
    pub planes: &'a [PlaneHeader],
}

worldview_core::debug_summary!("Outline", Outline<'_>, |this| name: worldview_core::quoted(this.header.name.as_bytes()), planes: this.planes.len());

impl Outline<'_> {
    /// The game, as far as the tile directory tells.
    pub fn game(&self) -> Option<Game> {
        Game::of_image_dir(self.header.image_dir.as_bytes())
    }

    /// Tiles of all planes, by their headers.
    pub fn tiles(&self) -> u64 {
        let grid = |plane: &PlaneHeader| {
            let wide = u64::try_from(plane.tiles_wide.get()).unwrap_or(0);
            wide.saturating_mul(u64::try_from(plane.tiles_high.get()).unwrap_or(0))
        };
        self.planes.iter().map(grid).fold(0, u64::saturating_add)
    }

    /// Objects of all planes, by their headers.
    pub fn objects(&self) -> u64 {
        self.planes.iter().map(|plane| plane.num_objects.get().into()).fold(0, u64::saturating_add)
    }
}

/// Reads the headers of a level, with the default limit: [`Unpacker::outline`].
///
/// ```
/// # fn main() -> worldview_wwd::Result<()> {
/// # let file: &[u8] = include_bytes!("../../../samples/harbour.wwd");
/// let mut scratch = Vec::new();
/// let outline = worldview_wwd::outline(file, &mut scratch)?;
/// assert_eq!((outline.planes.len(), outline.objects()), (3, 41));
/// # Ok(())
/// # }
/// ```
pub fn outline<'a>(file: &'a [u8], scratch: &'a mut Vec<u8>) -> Result<Outline<'a>> {
    Unpacker::new().outline(file, scratch)
}

impl Unpacker {
    /// Reads the headers of a level, inflating no more of a packed one than they take: 160 bytes a plane.
    ///
    /// `scratch` holds what was inflated. The rest of the file may be damaged or missing: a few kilobytes of its beginning
    /// are enough, such as `worldview_map::Loader::prefix` reads. 4,096 were for every level tried, and are an error only
    /// where the headers take more: then the whole file tells.
    ///
    /// # Errors
    ///
    /// No header; plane headers that are not all there, or that lie further behind in a packed level than the limit.
    pub fn outline<'a>(self, file: &'a [u8], scratch: &'a mut Vec<u8>) -> Result<Outline<'a>> {
        const WHAT: &str = "plane headers";
        let source = Source::new(file, Space::File);
        let header = LevelHeader::of(source)?;
        let (at, count) = (u64::from(header.planes_offset.get()), u64::from(header.num_planes.get()));
        if count == 0 {
            return Ok(Outline { header, planes: &[] });
        }
        if !header.is_packed() {
            return Ok(Outline {
                header,
                planes: source.counted(header.planes_start(source)?, header.num_planes.get(), WHAT)?,
            });
        }
        let Some(skip) = at.checked_sub(LevelHeader::SIZE) else {
            // Plane headers inside the file header: legal in a plain file, and in a packed one not worth an image.
            let why = "expected 1524 at least in a packed level, found plane headers inside the file header";
            return Err(Error::new(ErrorKind::Corrupt { why }, WHAT, at, Space::Image));
        };
        let stream = source.tail(LevelHeader::SIZE, "main block")?.bytes();
        let need = skip.saturating_add(count.saturating_mul(PlaneHeader::SIZE));
        let limit = self.limit(stream);
        if need > limit {
            return Err(over_limit(need, limit));
        }
        scratch.clear();
        let mut skipped = 0_u64;
        inflate::inflate_through(stream, need, |piece| {
            let skipping = usize::try_from(skip.saturating_sub(skipped)).unwrap_or(usize::MAX).min(piece.len());
            skipped = skipped.saturating_add(skipping as u64);
            // Grows with the bytes that are there, never by the count.
            scratch.extend_from_slice(piece.get(skipping..).unwrap_or(&[]));
        })?;
        let planes =
            Source::new(scratch, Space::Image).counted(0, header.num_planes.get(), WHAT).map_err(|mut error| {
                // What is in the buffer is the image from where the headers begin, or should.
                error.at = skipped.saturating_add(LevelHeader::SIZE);
                error
            })?;
        Ok(Outline { header, planes })
    }
}

worldview_core::assert_send_sync!(Outline<'_>);
