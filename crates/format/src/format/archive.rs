//! The signature of REZ archives.

/// Returns whether the bytes begin like a REZ archive.
pub(super) fn sniff(bytes: &[u8]) -> bool {
    /// Offsets of the bytes that the engine checks, and of the version.
    const CHECKED: [(usize, &[u8]); 4] = [(0, b"\r\n"), (63, b"\n"), (126, &[0x1A]), (127, &[1, 0, 0, 0])];

    // Two bytes alone could be the start of any text.
    bytes.len() > 63
        && CHECKED.iter().all(|(at, expected)| {
            let found = bytes.get(*at..).unwrap_or(&[]);
            let found = found.get(..expected.len()).unwrap_or(found);
            expected.starts_with(found)
        })
}
