use worldview_core::{Error, ErrorKind, OffsetBase, Result, Source};

use crate::game::Game;
use crate::inflate;
use crate::raw::{LevelHeader, PlaneHeader};
use crate::unpack::{Unpacker, over_limit};

/// The headers of a level, which is all that a catalog of many levels needs.
#[non_exhaustive]
#[derive(Clone, Copy)]
pub struct Outline<'a> {
    /// The header as stored in the file.
    pub header: &'a LevelHeader,
    /// The plane headers.
    pub planes: &'a [PlaneHeader],
}

worldview_core::debug_summary!("Outline", Outline<'_>, |this| name: worldview_core::quoted(this.header.name.as_bytes()), planes: this.planes.len());

impl Outline<'_> {
    /// Returns the game, if the tile directory identifies it.
    pub fn game(&self) -> Option<Game> {
        Game::of_image_dir(self.header.image_dir.as_bytes())
    }

    /// Returns the total number of tiles according to the plane headers.
    pub fn tiles(&self) -> u64 {
        let grid = |plane: &PlaneHeader| {
            let wide = u64::try_from(plane.tiles_wide.get()).unwrap_or(0);
            wide.saturating_mul(u64::try_from(plane.tiles_high.get()).unwrap_or(0))
        };
        self.planes.iter().map(grid).fold(0, u64::saturating_add)
    }

    /// Returns the total number of objects according to the plane headers.
    pub fn objects(&self) -> u64 {
        self.planes.iter().map(|plane| plane.num_objects.get().into()).fold(0, u64::saturating_add)
    }
}

/// Reads the headers of a level with the default limit, like [`Unpacker::outline`].
///
/// # Errors
///
/// Returns an error in the same cases as [`Unpacker::outline`].
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
    /// Reads the headers of a level. A packed level is inflated only as far as necessary; each plane header has 160
    /// bytes.
    ///
    /// The inflated bytes are stored in `scratch`. The rest of the file may be damaged or missing, so the first few
    /// kilobytes are enough, such as those read by `worldview_map::Loader::prefix`. 4,096 bytes were enough for every
    /// level tried. If they are not, this returns an error, and the whole file is needed.
    ///
    /// # Errors
    ///
    /// Returns an error if the file has no header, or if the plane headers are truncated or, in a packed level, lie
    /// beyond the limit.
    pub fn outline<'a>(self, file: &'a [u8], scratch: &'a mut Vec<u8>) -> Result<Outline<'a>> {
        const WHAT: &str = "plane headers";
        let source = Source::new(file, OffsetBase::File);
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
            // Legal in a plain file, but in a packed one not worth building an image.
            let why = "expected at least 1524 in a packed level, found plane headers inside the file header";
            return Err(Error::new(ErrorKind::Corrupt { why }, WHAT, at, OffsetBase::Image));
        };
        let stream = source.tail(LevelHeader::SIZE, "main block")?.bytes();
        let need = skip.saturating_add(count.saturating_mul(PlaneHeader::SIZE));
        let limit = self.limit(stream.len());
        if need > limit {
            return Err(over_limit(need, limit));
        }
        scratch.clear();
        let mut skipped = 0_u64;
        inflate::inflate_through(stream, need, |piece| {
            let skipping = usize::try_from(skip.saturating_sub(skipped)).unwrap_or(usize::MAX).min(piece.len());
            skipped = skipped.saturating_add(skipping as u64);
            // Grows with the bytes that exist, not with the stored count.
            scratch.extend_from_slice(piece.get(skipping..).unwrap_or(&[]));
        })?;
        let planes = Source::new(scratch, OffsetBase::Image).counted(0, header.num_planes.get(), WHAT).map_err(
            |mut error| {
                // The buffer has the image from the start of the plane headers, as far as the stream goes.
                error.at = skipped.saturating_add(LevelHeader::SIZE);
                error
            },
        )?;
        Ok(Outline { header, planes })
    }
}

worldview_core::assert_send_sync!(Outline<'_>);
