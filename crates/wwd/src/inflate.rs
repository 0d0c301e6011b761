//! Inflates the zlib stream of a packed main block, which is untrusted: with bounds, and to the exact length.

use flate2::{Decompress, FlushDecompress, Status};
use worldview_core::{Error, ErrorKind, Limit, OffsetBase, Result};

use crate::labels;
use crate::raw::LevelHeader;

/// Returns the maximum number of bytes that `stored` bytes of a zlib stream can inflate to: deflate's limit of 1032 to
/// 1, plus slack for the framing of the stream.
pub(crate) const fn ceiling(stored: usize) -> u64 {
    (stored as u64).saturating_mul(1032).saturating_add(64)
}

/// The result of inflating a stream.
pub(crate) struct Inflated {
    /// Number of bytes written.
    pub(crate) len: u64,
    /// Number of bytes of the stream consumed.
    pub(crate) taken: u64,
    /// Whether the stream holds more data than was requested.
    pub(crate) overran: bool,
    /// Whether the end of the stream was reached and its checksum is correct.
    pub(crate) end: Result<()>,
}

/// Reserves room for `total` bytes in all. Returns an error instead of aborting if there is not enough memory.
pub(crate) fn reserve(out: &mut Vec<u8>, total: u64) -> Result<()> {
    let wanted = usize::try_from(total).ok().and_then(|total| {
        let more = total.saturating_sub(out.len());
        out.try_reserve_exact(more).ok()
    });
    wanted.ok_or_else(|| {
        let kind = ErrorKind::Limit { of: Limit::Memory, need: total, limit: isize::MAX.unsigned_abs() as u64 };
        Error::new(kind, "memory for the inflated main block", LevelHeader::SIZE, OffsetBase::File)
    })
}

/// Appends the inflated `stream` to `out`, at most `max` bytes.
///
/// The capacity of `out` is used up first and then doubled, so a caller that knows the length should reserve it.
pub(crate) fn inflate_up_to(stream: &[u8], out: &mut Vec<u8>, max: u64) -> Result<Inflated> {
    let start = out.len();
    let mut zlib = Decompress::new(true);
    let end = loop {
        let room = out.capacity().saturating_sub(out.len());
        if room == 0 {
            let have = out.len().saturating_sub(start) as u64;
            let next = have.saturating_mul(2).max(1 << 16).min(max.saturating_add(1));
            if have >= next {
                break Ok(());
            }
            reserve(out, (start as u64).saturating_add(next))?;
        }
        let before = (zlib.total_in(), zlib.total_out());
        let rest = usize::try_from(zlib.total_in()).ok().and_then(|taken| stream.get(taken..)).unwrap_or(&[]);
        match zlib.decompress_vec(rest, out, FlushDecompress::Finish) {
            // If the Adler-32 is truncated, flate2 returns `Ok` or `BufError` after all bytes. Only `StreamEnd` is the
            // end.
            Ok(Status::StreamEnd) => break Ok(()),
            Ok(_) if (zlib.total_in(), zlib.total_out()) != before => {}
            // There was room, but no progress.
            Ok(_) => break Err(damaged(&zlib, BREAKS_OFF)),
            Err(error) => break Err(refused(&zlib, &error)),
        }
        if zlib.total_out() > max {
            break Ok(());
        }
    };
    let len = zlib.total_out().min(max);
    let overran = zlib.total_out() > max;
    out.truncate(start.saturating_add(usize::try_from(len).unwrap_or(usize::MAX)));
    Ok(Inflated { len, taken: zlib.total_in(), overran, end })
}

/// Inflates the first `len` bytes of `stream`, or fewer if it ends before, and passes them to `piece`. Returns the
/// length of the stream if its end was reached.
///
/// Inflates no more than that: the rest is not needed, and it may be damaged.
pub(crate) fn inflate_through(stream: &[u8], len: u64, mut piece: impl FnMut(&[u8])) -> Result<Option<u64>> {
    let mut buffer = [0_u8; 1 << 14];
    let mut zlib = Decompress::new(true);
    loop {
        let (taken, made) = (zlib.total_in(), zlib.total_out());
        let wanted = usize::try_from(len.saturating_sub(made)).unwrap_or(usize::MAX);
        let wanted = wanted.min(buffer.len());
        if wanted == 0 {
            return Ok(None);
        }
        let rest = usize::try_from(taken).ok().and_then(|taken| stream.get(taken..)).unwrap_or(&[]);
        let status = zlib
            .decompress(rest, buffer.get_mut(..wanted).unwrap_or(&mut []), FlushDecompress::None)
            .map_err(|error| refused(&zlib, &error))?;
        let len = usize::try_from(zlib.total_out().saturating_sub(made)).unwrap_or(0);
        piece(buffer.get(..len).unwrap_or(&[]));
        if status == Status::StreamEnd {
            return Ok(Some(zlib.total_in()));
        }
        if len == 0 && zlib.total_in() == taken {
            return Err(damaged(&zlib, BREAKS_OFF));
        }
    }
}

const BREAKS_OFF: &str = "expected the end of the zlib stream, found the end of the data";

/// Returns an error at the position in the stream that was reached.
fn damaged(zlib: &Decompress, why: &'static str) -> Error {
    error_at(zlib.total_in(), why)
}

fn error_at(taken: u64, why: &'static str) -> Error {
    Error::new(
        ErrorKind::Corrupt { why },
        labels::PACKED_BLOCK,
        LevelHeader::SIZE.saturating_add(taken),
        OffsetBase::File,
    )
}

/// Translates an error of the inflater. Errors about the first two bytes of the stream are reported at their offset.
fn refused(zlib: &Decompress, error: &flate2::DecompressError) -> Error {
    match error.message() {
        Some("incorrect data check") => {
            damaged(zlib, "expected the Adler-32 checksum of the inflated data, found a different one")
        }
        Some("incorrect header check") => {
            error_at(0, "expected a zlib stream, as the header's flags say, found something else")
        }
        Some("unknown compression method") => {
            error_at(0, "expected a zlib stream with the deflate method, found another method")
        }
        Some("invalid window size") => error_at(0, "expected a zlib window of at most 32 KiB, found a larger one"),
        _ if error.needs_dictionary().is_some() => {
            error_at(0, "expected a self-contained zlib stream, found one that needs a preset dictionary")
        }
        _ => damaged(zlib, "expected a valid continuation of the zlib stream, found invalid data"),
    }
}
