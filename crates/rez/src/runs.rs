/// How to read the two tokens that the engine and the editors read differently. No known file has either.
/// See [PID](crate::format#pid).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tokens {
    /// As the engine: 0xC0 and the byte after it are no pixels, 0x80 is a run of no skipped pixels.
    Engine,
    /// As editors: 0xC0 is one literal pixel, 0x80 is followed by 128 literals.
    Editor,
}

/// A run of pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Run<'a> {
    /// A number of transparent pixels.
    Skipped(usize),
    /// A number of pixels with the same index.
    Repeated(usize, u8),
    /// Pixels with these indices.
    Literals(&'a [u8]),
}

impl Run<'_> {
    /// Returns the number of pixels.
    #[inline]
    pub const fn len(&self) -> usize {
        match self {
            Self::Skipped(count) | Self::Repeated(count, _) => *count,
            Self::Literals(pixels) => pixels.len(),
        }
    }

    /// Returns whether there are no pixels.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// An iterator over the runs of a [`Pid`](crate::Pid). It ends with the stream; a truncated last run is as long as the
/// bytes that are left.
#[derive(Clone, Debug)]
pub struct Runs<'a> {
    rest: &'a [u8],
    has_skips: bool,
    tokens: Tokens,
}

impl<'a> Runs<'a> {
    pub(crate) const fn new(stream: &'a [u8], has_skips: bool, tokens: Tokens) -> Self {
        Self { rest: stream, has_skips, tokens }
    }

    /// Returns the bytes of the stream after the runs so far.
    #[inline]
    pub const fn rest(&self) -> &'a [u8] {
        self.rest
    }

    fn take(&mut self, len: usize) -> &'a [u8] {
        let (taken, rest) = self.rest.split_at_checked(len).unwrap_or((self.rest, &[]));
        self.rest = rest;
        taken
    }
}

impl<'a> Iterator for Runs<'a> {
    type Item = Run<'a>;

    #[inline]
    fn next(&mut self) -> Option<Run<'a>> {
        let (&token, rest) = self.rest.split_first()?;
        if self.has_skips {
            self.rest = rest;
            return Some(match (token, self.tokens) {
                (0x80, Tokens::Editor) => Run::Literals(self.take(0x80)),
                (0x80.., _) => Run::Skipped(usize::from(token & 0x7F)),
                _ => Run::Literals(self.take(token.into())),
            });
        }
        if token < 0xC0 {
            let len = literals(self.rest);
            return Some(Run::Literals(self.take(len)));
        }
        if token == 0xC0 && self.tokens == Tokens::Editor {
            return Some(Run::Literals(self.take(1)));
        }
        let Some((&index, rest)) = rest.split_first() else {
            // A run without its index. Without pixels, it may still be the last pixel of an editor.
            self.rest = &[];
            return (token == 0xC0).then_some(Run::Repeated(0, 0));
        };
        self.rest = rest;
        Some(Run::Repeated(usize::from(token & 0x3F), index))
    }
}

/// Decodes runs of skipped and literal pixels with the engine's tokens, until the stream or the picture is nearly at its
/// end. Returns how many bytes were read and how many pixels set.
///
/// A fixed number of pixels is set for each run, which is faster than the exact number. The next runs set the others again.
pub(crate) fn decode_skips(
    stream: &[u8],
    key: u8,
    mut pixels: &mut [u8],
    mut opacity: Option<&mut [u8]>,
) -> (usize, usize) {
    /// The maximum length of a run.
    const MAX: usize = 128;

    let (mut rest, len) = (stream, pixels.len());
    while let (Some([token, from @ ..]), Some(to)) =
        (rest.first_chunk::<{ 1 + MAX }>(), pixels.first_chunk_mut::<MAX>())
    {
        let count = usize::from(token & 0x7F);
        let is_skipped = *token >= 0x80;
        if is_skipped {
            set(to, &[key; MAX], count);
        } else {
            set(to, from, count);
        }
        if let Some(rest) = &mut opacity {
            let Some(to) = rest.first_chunk_mut::<MAX>() else { break };
            set(to, &[if is_skipped { 0 } else { 0xFF }; MAX], count);
            *rest = core::mem::take(rest).get_mut(count..).unwrap_or_default();
        }
        let bytes = if is_skipped { 1 } else { count.saturating_add(1) };
        rest = rest.get(bytes..).unwrap_or_default();
        pixels = pixels.get_mut(count..).unwrap_or_default();
    }
    (stream.len().saturating_sub(rest.len()), len.saturating_sub(pixels.len()))
}

/// Sets at least the first `count` pixels.
#[inline]
fn set(to: &mut [u8; 128], from: &[u8; 128], count: usize) {
    let ((to, more_to), (from, more)) = (to.split_at_mut(64), from.split_at(64));
    to.copy_from_slice(from);
    if count > 64 {
        more_to.copy_from_slice(more);
    }
}

/// Decodes runs of repeated pixels and single literals as [`decode_skips`] does.
pub(crate) fn decode_repeats(stream: &[u8], mut pixels: &mut [u8]) -> (usize, usize) {
    const WORD: usize = 8;
    /// The maximum length of a run, and one more.
    const MAX: usize = 64;

    let (mut rest, len) = (stream, pixels.len());
    while let (Some(from), Some(to)) = (rest.first_chunk::<{ WORD + 1 }>(), pixels.first_chunk_mut::<{ WORD + MAX }>())
    {
        let Some(word) = from.first_chunk::<WORD>() else { break };
        // Those before the first run are literals.
        if let Some(to) = to.first_chunk_mut() {
            *to = *word;
        }
        let (mut bytes, mut count) = (WORD, WORD);
        if let Some(first) = first_run(*word)
            && let (Some(token), Some(index)) = (from.get(first), from.get(first.saturating_add(1)))
            && let Some(to) = to.get_mut(first..).and_then(|to| to.first_chunk_mut())
        {
            *to = [*index; MAX];
            (bytes, count) = (first.saturating_add(2), first.saturating_add(usize::from(token & 0x3F)));
        }
        rest = rest.get(bytes..).unwrap_or_default();
        pixels = pixels.get_mut(count..).unwrap_or_default();
    }
    (stream.len().saturating_sub(rest.len()), len.saturating_sub(pixels.len()))
}

/// Returns the index of the first byte that is at least 0xC0.
#[inline]
const fn first_run(bytes: [u8; 8]) -> Option<usize> {
    const HIGHS: u64 = u64::from_le_bytes([0x80; 8]);
    let word = u64::from_le_bytes(bytes);
    // The two highest bits of such a byte are set.
    let found = word & (word << 1) & HIGHS;
    if found == 0 { None } else { Some((found.trailing_zeros() / 8) as usize) }
}

/// Returns the number of bytes before the first that is at least 0xC0.
#[inline]
fn literals(bytes: &[u8]) -> usize {
    let (words, rest) = bytes.as_chunks::<8>();
    let mut at = 0_usize;
    for word in words {
        if let Some(first) = first_run(*word) {
            return at.saturating_add(first);
        }
        at = at.saturating_add(8);
    }
    at.saturating_add(rest.iter().position(|&byte| byte >= 0xC0).unwrap_or(rest.len()))
}

#[cfg(test)]
mod tests {
    use super::literals;

    #[test]
    fn literals_end_at_the_first_run() {
        for len in 0..40 {
            for at in 0..=len {
                for run in [0xC0, 0xFF] {
                    let mut bytes = vec![0xBF; len];
                    bytes[at..].fill(run);
                    assert_eq!(literals(&bytes), at);
                }
            }
        }
    }
}
