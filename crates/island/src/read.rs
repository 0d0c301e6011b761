//! The two building blocks of all variable-length structures: counts, which are validated before use, and names.

use worldview_core::{Cursor, ErrorKind, Result};
use zerocopy::little_endian::U32;

use crate::name::Name;

/// Reads a 32-bit word.
#[inline]
pub(crate) fn word(c: &mut Cursor<'_>, what: &'static str) -> Result<u32> {
    Ok(c.view::<U32>(what)?.get())
}

/// Reads a count of elements of at least `least` bytes each. Returns an error at the count if the remaining bytes
/// cannot hold that many elements.
#[inline]
pub(crate) fn count(c: &mut Cursor<'_>, least: u32, what: &'static str) -> Result<u32> {
    let mut after = *c;
    let count = word(&mut after, what)?;
    fits(c, &after, count, least, what)?;
    *c = after;
    Ok(count)
}

/// Like [`count`], but also returns an error if the sign bit is set.
pub(crate) fn signed_count(c: &mut Cursor<'_>, least: u32, what: &'static str) -> Result<u32> {
    let before = *c;
    let count = count(c, 0, what)?;
    if count.cast_signed() < 0 {
        let kind = ErrorKind::OutOfRange { found: count.cast_signed().into(), max: i32::MAX.unsigned_abs().into() };
        return Err(before.error(kind, what));
    }
    fits(&before, c, count, least, what)?;
    Ok(count)
}

/// Returns an error at `field` if the bytes from `c` on cannot hold `count` elements.
#[inline]
pub(crate) fn fits(field: &Cursor<'_>, c: &Cursor<'_>, count: u32, least: u32, what: &'static str) -> Result<()> {
    let (need, have) = (u64::from(count).saturating_mul(least.into()), c.rest().len());
    if need > have {
        // With elements of one byte, the count is a length.
        let kind = if least == 1 {
            ErrorKind::Truncated { need, have }
        } else {
            ErrorKind::TooMany { count, unit: least, have }
        };
        return Err(field.error(kind, what));
    }
    Ok(())
}

/// Reads a counted name.
#[inline]
pub(crate) fn name<'a>(c: &mut Cursor<'a>, what: &'static str) -> Result<Name<'a>> {
    let len = count(c, 1, what)?;
    Ok(Name::new(c.slice(len.into(), what)?))
}
