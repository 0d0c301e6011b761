use worldview_core::{Cursor, ErrorKind, Result, Source};

use crate::lod::Lods;
use crate::name::Name;
use crate::raw::Bounds;
use crate::read;
use crate::tree::Branch;

/// An object of a model, a "real-time object instance": bounds, its own or shared levels of detail, and child
/// objects. See [ROI](crate::format#roi).
#[non_exhaustive]
#[derive(Clone, Copy, Debug)]
pub struct Roi<'a> {
    /// Offset in the file.
    pub at: u64,
    /// The object's name, by which nodes find it.
    pub name: Name<'a>,
    /// The bounding sphere and box.
    pub bounds: &'a Bounds,
    /// The name of a color, or `t_` and the name of a texture, for meshes that inherit it; absent in most objects.
    pub color: Name<'a>,
    /// Whether the object uses the levels of a list elsewhere: any value except 0.
    pub shared: u8,
    /// Offset of the end of the object's own levels, relative to the start of the blob; `None` if it has no levels of
    /// its own.
    pub end_offset: Option<u32>,
    /// The object's own levels of detail; empty if they are shared.
    pub lods: Lods<'a>,
    /// The number of direct children.
    pub child_count: u32,
}

impl<'a> Roi<'a> {
    /// Returns whether the levels are those of a list elsewhere, which is named [`list_name`](Self::list_name).
    #[inline]
    pub const fn is_shared(&self) -> bool {
        self.shared != 0
    }

    /// Returns whether the game draws the object's levels, which is only the case for objects without children.
    #[inline]
    pub const fn is_drawn(&self) -> bool {
        self.child_count == 0
    }

    /// Returns the name of the list of levels that a shared object uses: its own name without trailing digits.
    pub fn list_name(&self) -> &'a [u8] {
        let mut text = self.name.text();
        while let [rest @ .., b'0'..=b'9'] = text {
            text = rest;
        }
        text
    }
}

impl<'a> Branch<'a> for Roi<'a> {
    #[inline]
    fn read(c: &mut Cursor<'a>, blob: Source<'a>) -> Result<Self> {
        let at = c.position();
        let name = read::name(c, "name of ROI")?;
        let bounds = c.view("bounds of ROI")?;
        let color = read::name(c, "color name of ROI")?;
        let shared = *c.view::<u8>("shared flag of ROI")?;
        let (mut end_offset, mut lods) = (None, Lods::none(c.rest()));
        if shared == 0 {
            let field = *c;
            let count = read::word(c, "LOD count of ROI")?;
            lods = Lods::none(c.rest());
            if count != 0 {
                let (offset, own) = until(c, blob, "end offset of ROI")?;
                read::fits(&field, &Cursor::new(own), count, Lods::MIN, "LOD count of ROI")?;
                (end_offset, lods) = (Some(offset), Lods::unchecked(own, count));
            }
        }
        let child_count = read::count(c, 53, "child count of ROI")?;
        Ok(Self { at, name, bounds, color, shared, end_offset, lods, child_count })
    }

    fn check(self) -> Result<()> {
        self.lods.check()
    }

    fn children(&self) -> u32 {
        self.child_count
    }
}

/// Reads an end offset, and takes the bytes up to that end. The end must not be before the cursor or past the end of
/// the blob.
pub(crate) fn until<'a>(c: &mut Cursor<'a>, blob: Source<'a>, what: &'static str) -> Result<(u32, Source<'a>)> {
    let field = *c;
    let offset = read::word(c, what)?;
    let here = c.position().saturating_sub(blob.base());
    let Some(len) = u64::from(offset).checked_sub(here).filter(|&len| len <= c.rest().len()) else {
        let min = u32::try_from(here).unwrap_or(u32::MAX);
        return Err(field.error(ErrorKind::NotWithin { found: offset, min, max: blob.len() }, what));
    };
    let own = c.rest().window(0, len, what)?;
    c.slice(len, what)?;
    Ok((offset, own))
}

worldview_core::assert_send_sync!(Roi<'_>);
