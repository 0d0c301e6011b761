//! Reads one value after another inside a window of the file.

use super::{NaiveError, NaiveName, Place, Real, Result, wide};
use crate::naive::byte;

/// A position in the file, and the enclosing part.
#[derive(Clone)]
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    /// File offset of the part.
    start: u64,
    /// File offset of the next byte.
    pub(super) at: u64,
    /// File offset of the end.
    pub(super) end: u64,
}

impl<'a> Cursor<'a> {
    /// Creates a cursor at the start of a part, which must be inside the file.
    pub(super) fn new(bytes: &'a [u8], place: Place) -> Result<Self> {
        let end = place.offset.checked_add(place.length).filter(|&end| end <= wide(bytes.len()));
        let outside = || NaiveError::new(place.offset, format!("{} bytes are not inside the file", place.length));
        Ok(Self { bytes, start: place.offset, at: place.offset, end: end.ok_or_else(outside)? })
    }

    /// Reads a value.
    pub(super) fn load<T: Load>(&mut self) -> Result<T> {
        T::load(self)
    }

    /// Reads a value if it is there.
    pub(super) fn when<T: Load>(&mut self, is_there: bool) -> Result<Option<T>> {
        if is_there { self.load().map(Some) } else { Ok(None) }
    }

    /// Reads `count` values.
    pub(super) fn all<T: Load>(&mut self, count: impl Into<u64>) -> Result<Vec<T>> {
        (0..count.into()).map(|_| self.load()).collect()
    }

    /// Reads a value at an offset that counts from the start of the part, and goes on behind it. `room` is how many bytes there
    /// must be, and `before` the least offset.
    pub(super) fn jump(&mut self, offset: u32, before: u64, room: u64) -> Result<()> {
        let (offset, size) = (u64::from(offset), self.end - self.start);
        if offset < before || offset + room > size {
            return Err(NaiveError::new(self.start, format!("a list of textures at {offset} of {size}")));
        }
        self.at = self.start + offset;
        Ok(())
    }

    /// Splits off what is before an offset that counts from the start of the part, which must not point backward.
    pub(super) fn split(&mut self, offset: u32) -> Result<Self> {
        let end = self.start + u64::from(offset);
        if end < self.at || end > self.end {
            return Err(NaiveError::new(self.at - 4, format!("levels of detail that end at {offset}")));
        }
        let inner = Self { end, ..self.clone() };
        self.at = end;
        Ok(inner)
    }
}

/// A value that is read from a file: little-endian numbers, and the elements of arrays and of counted lists in order.
pub(super) trait Load: Sized {
    /// Reads the value.
    fn load(c: &mut Cursor<'_>) -> Result<Self>;
}

impl Load for u8 {
    fn load(c: &mut Cursor<'_>) -> Result<Self> {
        if c.at >= c.end {
            return Err(NaiveError::new(c.at, "ends in the middle"));
        }
        c.at += 1;
        byte(c.bytes, c.at - 1)
    }
}

impl Load for u16 {
    fn load(c: &mut Cursor<'_>) -> Result<Self> {
        Ok(Self::from(c.load::<u8>()?) | Self::from(c.load::<u8>()?) << 8)
    }
}

impl Load for u32 {
    fn load(c: &mut Cursor<'_>) -> Result<Self> {
        Ok(Self::from(c.load::<u16>()?) | Self::from(c.load::<u16>()?) << 16)
    }
}

impl Load for i32 {
    fn load(c: &mut Cursor<'_>) -> Result<Self> {
        Ok(c.load::<u32>()?.cast_signed())
    }
}

impl Load for Real {
    fn load(c: &mut Cursor<'_>) -> Result<Self> {
        c.load().map(Self)
    }
}

impl Load for NaiveName {
    fn load(c: &mut Cursor<'_>) -> Result<Self> {
        c.load().map(Self)
    }
}

impl<T: Load + Copy + Default, const N: usize> Load for [T; N] {
    fn load(c: &mut Cursor<'_>) -> Result<Self> {
        let mut out = [T::default(); N];
        for value in &mut out {
            *value = c.load()?;
        }
        Ok(out)
    }
}

impl<T: Load> Load for Vec<T> {
    fn load(c: &mut Cursor<'_>) -> Result<Self> {
        let count: u32 = c.load()?;
        c.all(count)
    }
}

/// Reads a tree in file order, where each element is followed by its children. `read` is given the index of the parent, and
/// `children` returns how many there are.
pub(super) fn tree<'a, T>(
    c: &mut Cursor<'a>,
    read: impl Fn(&mut Cursor<'a>, Option<usize>) -> Result<T>,
    children: impl Fn(&T) -> u32,
) -> Result<Vec<T>> {
    let mut out = vec![read(c, None)?];
    // Elements with the number of their children that are still missing.
    let mut open = vec![(0, children(&out[0]))];
    while let Some((parent, left)) = open.last_mut() {
        if *left == 0 {
            open.pop();
            continue;
        }
        *left -= 1;
        let one = read(c, Some(*parent))?;
        open.push((out.len(), children(&one)));
        out.push(one);
    }
    Ok(out)
}

/// Declares structures, and how they are read from the cursor `c`: field after field, each by its type or by the expression
/// behind it. `@ { ... }` is other code at that position, and what follows the cursor are parameters.
///
/// ```text
/// naive! {
///     /// A list with a name.
///     pub struct NaiveList |c, parent: usize| {
///         at: u64 = c.at,
///         parent: usize = parent,
///         name: NaiveName,
///         @ { let count: u16 = c.load()?; }
///         /// As many as the count says.
///         items: Vec<u32> = c.all(count)?,
///     }
/// }
/// ```
macro_rules! naive {
    ($($(#[$meta:meta])* pub struct $name:ident |$c:ident $(, $arg:ident: $of:ty)?| { $($body:tt)* })+) => {
        $(naive! { @ ([$(#[$meta])*] $name $c [$($arg: $of)?]) {} {} {} $($body)* })+
    };
    (@ $head:tt $fields:tt $names:tt {$($code:tt)*} @ {$($more:tt)*} $($rest:tt)*) => {
        naive! { @ $head $fields $names {$($code)* $($more)*} $($rest)* }
    };
    (
        @ $head:tt {$($fields:tt)*} {$($names:tt)*} {$($code:tt)*}
        $(#[$doc:meta])* $field:ident: $type:ty = $value:expr, $($rest:tt)*
    ) => {
        naive! {
            @ $head {$($fields)* $(#[$doc])* pub $field: $type,} {$($names)* $field,}
            {$($code)* let $field: $type = $value;} $($rest)*
        }
    };
    (
        @ ($meta:tt $name:ident $c:ident $args:tt) {$($fields:tt)*} {$($names:tt)*} {$($code:tt)*}
        $(#[$doc:meta])* $($field:ident),+: $type:ty, $($rest:tt)*
    ) => {
        naive! {
            @ ($meta $name $c $args) {$($fields)* $(#[$doc])* $(pub $field: $type,)+} {$($names)* $($field,)+}
            {$($code)* $(let $field: $type = $c.load()?;)+} $($rest)*
        }
    };
    (@ ([$($meta:tt)*] $name:ident $c:ident $args:tt) {$($fields:tt)*} {$($names:tt)*} {$($code:tt)*}) => {
        $($meta)*
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[allow(missing_docs, reason = "the names of most fields say enough; the format notes have the rest")]
        pub struct $name { $($fields)* }

        naive! { @load $args $name $c { $($code)* Ok(Self { $($names)* }) } }
    };
    (@load [] $name:ident $c:ident $code:block) => {
        impl Load for $name {
            fn load($c: &mut Cursor<'_>) -> Result<Self> $code
        }
    };
    (@load [$arg:ident: $of:ty] $name:ident $c:ident $code:block) => {
        impl $name {
            pub(super) fn read($c: &mut Cursor<'_>, $arg: $of) -> Result<Self> $code
        }
    };
}
pub(super) use naive;
