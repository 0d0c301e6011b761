use core::fmt;
use core::str::FromStr;

use worldview_core::Result;

use crate::object::{Object, Objects};

/// What paths call an object of a plane: its id and, if several objects of the plane have this id, which of them.
///
/// It is printed as in paths and exports: `1471`, or `1471#1`.
///
/// ```
/// use worldview_wwd::{Level, unpack};
///
/// # fn main() -> worldview_core::Result<()> {
/// # let file: &[u8] = include_bytes!("../../../samples/harbour.wwd");
/// let image = unpack(file)?;
/// let level = Level::parse(&image)?;
/// let keys = level.planes()[1].objects().keys();
/// assert_eq!(keys[0].to_string(), "1");
/// # Ok(())
/// # }
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ObjectKey {
    /// The id.
    pub id: i32,
    /// The index among the objects with this id, counted from 0; `None` if no other object has it.
    pub nth: Option<u32>,
}

impl ObjectKey {
    /// Creates the key of an object that is the `nth` of several with its id, or the only one.
    pub const fn new(id: i32, nth: Option<u32>) -> Self {
        Self { id, nth }
    }
}

impl fmt::Display for ObjectKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.id)?;
        self.nth.map_or(Ok(()), |nth| write!(f, "#{nth}"))
    }
}

impl FromStr for ObjectKey {
    type Err = core::num::ParseIntError;

    fn from_str(text: &str) -> core::result::Result<Self, Self::Err> {
        match text.split_once('#') {
            Some((id, nth)) => Ok(Self { id: id.parse()?, nth: Some(nth.parse()?) }),
            None => Ok(Self { id: text.parse()?, nth: None }),
        }
    }
}

impl<'a> Objects<'a> {
    /// Returns an iterator over the objects and their keys, in file order.
    pub fn with_keys(&self) -> impl Iterator<Item = Result<(ObjectKey, Object<'a>)>> + use<'a> {
        let mut keys = self.keys().into_iter();
        self.iter().map(move |object| {
            let object = object?;
            let id = object.record.id.get();
            Ok((keys.next().unwrap_or(ObjectKey { id, nth: None }), object))
        })
    }

    /// Returns the keys of the objects in file order, up to the first object that cannot be read.
    pub fn keys(&self) -> Vec<ObjectKey> {
        let ids = self.iter().map_while(core::result::Result::ok).map(|object| object.record.id.get());
        let mut order: Vec<(i32, usize)> = ids.zip(0..).collect();
        let mut keys: Vec<_> = order.iter().map(|&(id, _)| ObjectKey { id, nth: None }).collect();
        order.sort_unstable();
        for same in order.chunk_by(|(left, _), (right, _)| left == right).filter(|same| same.len() > 1) {
            for (nth, (_, index)) in (0..).zip(same) {
                keys.get_mut(*index).into_iter().for_each(|key| key.nth = Some(nth));
            }
        }
        keys
    }
}
