//! Levels.

use miniz_oxide::deflate::compress_to_vec_zlib;
use worldview::wwd::{self, Level, Unpacker};
use worldview::{Error, ErrorKind, Format, OffsetBase};
use worldview_corpus::wwd::HEADER_SIZE;

use super::inflate::with_sum;
use super::{outputs, third};
use crate::paths;
use worldview_readers::{MAX_LEN, holds};

/// Offset of the flags, and the flag of a packed main block.
const FLAGS: (usize, u8) = (8, 2);
/// Offset of the inflated length of the main block.
const LENGTH: usize = 744;

/// Reads a plain level, which is its own image.
pub fn wwd_level(data: &[u8]) {
    if data.len() > MAX_LEN {
        return;
    }
    let mut file = data.to_vec();
    if let Some(flags) = file.get_mut(FLAGS.0) {
        *flags &= !FLAGS.1;
    }
    match third(&file) {
        0 => holds(worldview_readers::wwd::agree(&file)),
        1 => holds(worldview_readers::wwd::lossy_keeps_its_word(&file)),
        _ => outputs(&file, |each| paths::all(Format::Wwd, &file, 0, each)),
    }
}

/// Reads a packed level, or one that claims to be.
///
/// Few inputs have a correct Adler-32 and length, so a stream that inflates is also tried with both corrected.
pub fn wwd_unpack(data: &[u8]) {
    if data.len() > MAX_LEN {
        return;
    }
    unpacks(data);
    if let Some(file) = repaired(data) {
        unpacks(&file);
        holds(worldview_readers::wwd::agree(&file));
        holds(worldview_readers::wwd::lossy_keeps_its_word(&file));
    }
}

fn unpacks(file: &[u8]) {
    let owned = wwd::unpack(file);
    let mut scratch = vec![0xA5; 100];
    let lent = wwd::unpack_in(file, &mut scratch);
    match (&owned, &lent) {
        (Ok(owned), Ok(lent)) => {
            assert!(owned[..] == lent[..], "unpack_in returns a different image");
            assert_eq!((owned.trailing(), owned.space()), (lent.trailing(), lent.space()));
            assert_eq!(owned.checksum(), lent.checksum());
            // The header alone decides what is packed, and a plain file is always borrowed.
            assert_eq!(owned.is_packed(), owned.header().is_packed());
            assert!(owned.is_packed() || owned.as_ptr() == file.as_ptr(), "a plain file is copied");
            let limit = (owned.len() - HEADER_SIZE) as u64;
            if owned.is_packed() {
                // A limit of one byte less than required must fail, and the exact size must succeed.
                let less = Unpacker::new().max_inflate(limit - 1).unpack(file).map(drop);
                assert!(matches!(less, Err(Error { kind: ErrorKind::Limit { .. }, .. })), "{less:?}");
                assert!(Unpacker::new().max_inflate(limit).unpack(file).is_ok());
            }
        }
        (Err(one), Err(other)) => assert_eq!(one, other),
        _ => assert_eq!(owned.map(drop), lent.map(drop)),
    }
    holds(worldview_readers::wwd::agree(file));
    holds(worldview_readers::wwd::lossy_keeps_its_word(file));
}

/// Returns the file with a correct Adler-32 and length, if the blocks of its stream are complete.
fn repaired(file: &[u8]) -> Option<Vec<u8>> {
    let (header, stream) = file.split_at_checked(HEADER_SIZE)?;
    let (stream, len) = with_sum(stream).filter(|&(_, len)| len > 0)?;
    let mut fixed = [header, &stream].concat();
    fixed[LENGTH..LENGTH + 4].copy_from_slice(&u32::try_from(len).ok()?.to_le_bytes());
    fixed[FLAGS.0] |= FLAGS.1;
    (fixed != file).then_some(fixed)
}

/// Packs an image into a file.
pub(super) fn packed(image: &[u8]) -> Option<Vec<u8>> {
    let (header, block) = image.split_at_checked(HEADER_SIZE).filter(|(_, block)| !block.is_empty())?;
    let mut file = header.to_vec();
    file[FLAGS.0] |= FLAGS.1;
    file[LENGTH..LENGTH + 4].copy_from_slice(&u32::try_from(block.len()).ok()?.to_le_bytes());
    file.extend(compress_to_vec_zlib(block, 1));
    Some(file)
}

/// Reads only the headers, from files of any length.
pub fn wwd_outline(data: &[u8]) {
    if data.len() > MAX_LEN {
        return;
    }
    outlines(data);
    if let Some(file) = repaired(data) {
        outlines(&file);
    }
    if let Some(file) = packed(data) {
        outlines(&file);
    }
}

fn outlines(file: &[u8]) {
    let mut scratch = Vec::new();
    let whole = wwd::outline(file, &mut scratch);
    match &whole {
        Ok(outline) => {
            assert!(outline.planes.len() <= 1 + file.len() * 1032 / 160, "more planes than bytes");
            let _ = (outline.game(), outline.tiles(), outline.objects());
            assert!(
                std::ptr::eq(std::ptr::from_ref(outline.header).cast(), file.as_ptr()),
                "the header is not borrowed from the file"
            );
        }
        Err(error) => {
            let space = match error.space() {
                OffsetBase::File => file.len() as u64,
                // Deflate cannot expand data further than this.
                OffsetBase::Image => 1032 * file.len() as u64 + 64 + u64::from(u32::MAX),
            };
            assert!(error.at <= space, "outside {space} bytes: {error}");
        }
    }
    // If the level opens, compare everything, which includes the outline.
    if wwd::unpack(file).is_ok_and(|image| Level::parse(&image).is_ok()) {
        holds(worldview_readers::wwd::agree(file));
    }
    // An outline of the first bytes must agree with that of the whole file.
    for len in [HEADER_SIZE, HEADER_SIZE + 200, 4096, file.len() / 2, file.len().saturating_sub(1)] {
        let Some(start) = file.get(..len) else { continue };
        let mut scratch = Vec::new();
        if let Ok(start) = wwd::outline(start, &mut scratch) {
            match &whole {
                Ok(whole) => {
                    let planes = |outline: &wwd::Outline<'_>| {
                        outline.planes.iter().map(|plane| format!("{plane:?}")).collect::<Vec<_>>()
                    };
                    assert_eq!(planes(&start), planes(whole), "{len} bytes give different planes");
                }
                Err(error) => assert_eq!(Some(error), None, "{len} bytes give more than the whole file"),
            }
        }
    }
}
