//! Reads one value after another inside a window of the file.

use super::{NaiveError, NaiveName, Place, Real, wide};

/// A position in the file, and the end of the enclosing part.
#[derive(Clone)]
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    /// File offset of the next byte.
    pub(super) at: u64,
    /// File offset of the end.
    pub(super) end: u64,
}

impl<'a> Cursor<'a> {
    /// Creates a cursor at the start of a part, which must be inside the file.
    pub(super) fn new(bytes: &'a [u8], place: Place) -> Result<Self, NaiveError> {
        let end = place.offset.checked_add(place.length).filter(|&end| end <= wide(bytes.len()));
        let end = end
            .ok_or_else(|| NaiveError::new(place.offset, format!("{} bytes are not inside the file", place.length)))?;
        Ok(Self { bytes, at: place.offset, end })
    }

    /// Returns the same window, starting at another file offset.
    pub(super) fn seek(&self, at: u64) -> Self {
        Self { at, ..self.clone() }
    }

    /// Returns the same position with an earlier end.
    pub(super) fn until(&self, end: u64) -> Self {
        Self { end, ..self.clone() }
    }

    /// Returns the number of bytes before the end.
    pub(super) fn left(&self) -> u64 {
        self.end.saturating_sub(self.at)
    }

    pub(super) fn u8(&mut self) -> Result<u8, NaiveError> {
        let inside = self.at < self.end;
        let found = usize::try_from(self.at).ok().filter(|_| inside).and_then(|at| self.bytes.get(at));
        let byte = found.copied().ok_or_else(|| NaiveError::new(self.at, "ends in the middle"))?;
        self.at += 1;
        Ok(byte)
    }

    pub(super) fn u16(&mut self) -> Result<u16, NaiveError> {
        let low = self.u8()?;
        Ok(u16::from(self.u8()?) << 8 | u16::from(low))
    }

    pub(super) fn u32(&mut self) -> Result<u32, NaiveError> {
        let low = self.u16()?;
        Ok(u32::from(self.u16()?) << 16 | u32::from(low))
    }

    pub(super) fn i32(&mut self) -> Result<i32, NaiveError> {
        Ok(self.u32()?.cast_signed())
    }

    pub(super) fn real(&mut self) -> Result<Real, NaiveError> {
        Ok(Real(self.u32()?))
    }

    pub(super) fn reals<const N: usize>(&mut self) -> Result<[Real; N], NaiveError> {
        let mut out = [Real(0); N];
        for value in &mut out {
            *value = self.real()?;
        }
        Ok(out)
    }

    /// Reads `count` bytes.
    pub(super) fn bytes(&mut self, count: u64) -> Result<Vec<u8>, NaiveError> {
        self.needs(self.at, count, 1)?;
        let mut out = Vec::new();
        for _ in 0..count {
            out.push(self.u8()?);
        }
        Ok(out)
    }

    /// Reads a counted name.
    pub(super) fn name(&mut self) -> Result<NaiveName, NaiveError> {
        let count = self.count(1)?;
        Ok(NaiveName(self.bytes(count.into())?))
    }

    /// Reads a `u32` count of elements that take at least `least` bytes each, and checks that all
    /// of them fit.
    pub(super) fn count(&mut self, least: u64) -> Result<u32, NaiveError> {
        let at = self.at;
        let count = self.u32()?;
        self.needs(at, count.into(), least)?;
        Ok(count)
    }

    /// Reads and checks an `i32` count, which must not be negative.
    pub(super) fn signed_count(&mut self, least: u64) -> Result<u32, NaiveError> {
        let at = self.at;
        let count = self.i32()?;
        let count = u32::try_from(count).map_err(|_| NaiveError::new(at, format!("a count of {count}")))?;
        self.needs(at, count.into(), least)?;
        Ok(count)
    }

    /// Reads and checks a `u16` count.
    pub(super) fn short_count(&mut self, least: u64) -> Result<u16, NaiveError> {
        let at = self.at;
        let count = self.u16()?;
        self.needs(at, count.into(), least)?;
        Ok(count)
    }

    /// Returns an error if `count` elements cannot fit; `at` is the offset of the count.
    pub(super) fn needs(&self, at: u64, count: u64, least: u64) -> Result<(), NaiveError> {
        if count.saturating_mul(least) > self.left() {
            let left = self.left();
            return Err(NaiveError::new(at, format!("{count} times {least} bytes, but only {left} are left")));
        }
        Ok(())
    }
}
