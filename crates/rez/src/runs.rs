/// How to read the two tokens that the engine and the editors read differently. No known file has either.
/// `docs/formats/rez.md`, PID.
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
            // A run without its index.
            self.rest = &[];
            return None;
        };
        self.rest = rest;
        Some(Run::Repeated(usize::from(token & 0x3F), index))
    }
}

/// Returns the number of bytes before the first that is at least 0xC0.
#[inline]
fn literals(bytes: &[u8]) -> usize {
    const HIGHS: u64 = u64::from_le_bytes([0x80; 8]);
    let (words, rest) = bytes.as_chunks::<8>();
    let mut at = 0_usize;
    for word in words {
        let word = u64::from_le_bytes(*word);
        // The two highest bits of such a byte are set.
        let found = word & (word << 1) & HIGHS;
        if found != 0 {
            return at.saturating_add((found.trailing_zeros() / 8) as usize);
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
