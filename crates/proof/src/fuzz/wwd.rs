//! Levels.

use miniz_oxide::deflate::compress_to_vec_zlib;
use worldview::wwd::{self, Level, Unpacker};
use worldview::{Error, ErrorKind, Format, Space};
use worldview_corpus::deflate::{adler32, inflate};
use worldview_corpus::wwd::HEADER_SIZE;

use super::{LONGEST, holds, outputs};
use crate::paths;

/// Offset of the flags, and the one that says that the main block is packed.
const FLAGS: (usize, u8) = (8, 2);
/// Offset of the length that the main block inflates to.
const LENGTH: usize = 744;

/// A level that is stored plain: its image is all there is.
pub fn wwd_level(data: &[u8]) {
    if data.len() > LONGEST {
        return;
    }
    let mut file = data.to_vec();
    if let Some(flags) = file.get_mut(FLAGS.0) {
        *flags &= !FLAGS.1;
    }
    holds(crate::wwd::agree(&file));
    holds(crate::wwd::lossy_keeps_its_word(&file));
    outputs(&file, |each| paths::all(Format::Wwd, &file, 0, each));
}

/// A level's file as it is stored: packed, or said to be.
///
/// Few inputs have an Adler-32 and a length that are right, so a stream that inflates is tried with both put right, too.
pub fn wwd_unpack(data: &[u8]) {
    if data.len() > LONGEST {
        return;
    }
    unpacks(data);
    if let Some(file) = repaired(data) {
        unpacks(&file);
        holds(crate::wwd::agree(&file));
        holds(crate::wwd::lossy_keeps_its_word(&file));
    }
}

fn unpacks(file: &[u8]) {
    let owned = wwd::unpack(file);
    let mut scratch = vec![0xA5; 100];
    let lent = wwd::unpack_in(file, &mut scratch);
    match (&owned, &lent) {
        (Ok(owned), Ok(lent)) => {
            assert!(owned[..] == lent[..], "unpack_in gives another image");
            assert_eq!((owned.trailing(), owned.space()), (lent.trailing(), lent.space()));
            assert_eq!(owned.checksum(), lent.checksum());
            // No file is better than the words of its header: what is not packed is borrowed, whatever else it is.
            assert_eq!(owned.is_packed(), owned.header().is_packed());
            assert!(owned.is_packed() || owned.as_ptr() == file.as_ptr(), "a plain file is copied");
            let limit = (owned.len() - HEADER_SIZE) as u64;
            if owned.is_packed() {
                // One byte less than it takes is the limit's error, and exactly so many are enough.
                let less = Unpacker::new().max_inflate(limit - 1).unpack(file).map(drop);
                assert!(matches!(less, Err(Error { kind: ErrorKind::Limit { .. }, .. })), "{less:?}");
                assert!(Unpacker::new().max_inflate(limit).unpack(file).is_ok());
            }
        }
        (Err(one), Err(other)) => assert_eq!(one, other),
        _ => assert_eq!(owned.map(drop), lent.map(drop)),
    }
    holds(crate::wwd::agree(file));
    holds(crate::wwd::lossy_keeps_its_word(file));
}

/// The file with the Adler-32 and the length that its stream should have, if the blocks of that come to their end.
fn repaired(file: &[u8]) -> Option<Vec<u8>> {
    let (_, stream) = file.split_at_checked(HEADER_SIZE)?;
    let found = inflate(stream, 1 << 20);
    let sum_at = HEADER_SIZE + found.sum_at.filter(|_| !found.bytes.is_empty())?;
    let mut fixed = file.to_vec();
    fixed.resize(fixed.len().max(sum_at + 4), 0);
    fixed[sum_at..sum_at + 4].copy_from_slice(&adler32(&found.bytes).to_be_bytes());
    fixed[LENGTH..LENGTH + 4].copy_from_slice(&u32::try_from(found.bytes.len()).ok()?.to_le_bytes());
    fixed[FLAGS.0] |= FLAGS.1;
    (fixed != file).then_some(fixed)
}

/// The image as a packed file.
pub(super) fn packed(image: &[u8]) -> Option<Vec<u8>> {
    let (header, block) = image.split_at_checked(HEADER_SIZE).filter(|(_, block)| !block.is_empty())?;
    let mut file = header.to_vec();
    file[FLAGS.0] |= FLAGS.1;
    file[LENGTH..LENGTH + 4].copy_from_slice(&u32::try_from(block.len()).ok()?.to_le_bytes());
    file.extend(compress_to_vec_zlib(block, 1));
    Some(file)
}

/// The headers alone, of as much of a file as there is.
pub fn wwd_outline(data: &[u8]) {
    if data.len() > LONGEST {
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
                "the header is not the file's"
            );
        }
        Err(error) => {
            let space = match error.space() {
                Space::File => file.len() as u64,
                // More does not come out of so many bytes.
                Space::Image => 1032 * file.len() as u64 + 64 + u64::from(u32::MAX),
            };
            assert!(error.at <= space, "outside {space} bytes: {error}");
        }
    }
    // All of a level that opens; the comparison looks at the outline, too.
    if wwd::unpack(file).is_ok_and(|image| Level::parse(&image).is_ok()) {
        holds(crate::wwd::agree(file));
    }
    // What the beginning tells, the whole tells too.
    for len in [HEADER_SIZE, HEADER_SIZE + 200, 4096, file.len() / 2, file.len().saturating_sub(1)] {
        let Some(start) = file.get(..len) else { continue };
        let mut scratch = Vec::new();
        if let Ok(start) = wwd::outline(start, &mut scratch) {
            match &whole {
                Ok(whole) => {
                    let planes = |outline: &wwd::Outline<'_>| {
                        outline.planes.iter().map(|plane| format!("{plane:?}")).collect::<Vec<_>>()
                    };
                    assert_eq!(planes(&start), planes(whole), "{len} bytes tell other planes");
                }
                Err(error) => assert_eq!(Some(error), None, "{len} bytes tell more than all"),
            }
        }
    }
}
