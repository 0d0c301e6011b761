//! Where outputs go that nobody reads.

use worldview::Space;
use worldview_corpus::sink::Count;
use worldview_export::Error;

/// Bytes that an output may take for each of its input, and besides: what the bounds of the walks and of repeated
/// strings come to when everything is escaped.
const PER_BYTE: u64 = 400;
const BESIDES: u64 = 96 << 20;

/// Runs an export into nowhere, which must stay in proportion to `input` bytes and fail only as exports may.
///
/// `spaces` are the lengths of the file and of its image, in which an error's offset must lie.
pub(super) fn export<T>(
    what: &str,
    input: usize,
    spaces: (usize, usize),
    run: impl FnOnce(&mut Count) -> worldview_export::Result<T>,
) -> Option<T> {
    let mut count = Count(0);
    let result = run(&mut count);
    let bound = PER_BYTE * input as u64 + BESIDES;
    assert!(count.0 <= bound, "{what}: {} bytes of {input}", count.0);
    match result {
        Ok(value) => Some(value),
        Err(Error::Format(error)) => {
            let space = if error.space() == Space::File { spaces.0 } else { spaces.1 };
            assert!(error.at <= space as u64, "{what}: outside {space} bytes: {error}");
            None
        }
        Err(Error::Limit { .. } | Error::Nothing { .. }) => None,
        Err(error) => {
            let error = Some(error.to_string());
            assert_eq!(error, None, "{what}");
            None
        }
    }
}
