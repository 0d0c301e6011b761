use worldview_core::{Cursor, ErrorKind, Result, Source};

use crate::lod::Lods;
use crate::name::Name;
use crate::raw::Bounds;
use crate::read;
use crate::tree::Branch;

/// An object of a model, a "real-time object instance": bounds, levels of detail of its own or shared, and objects
/// below it. `docs/formats/island.md`, ROI.
#[non_exhaustive]
#[derive(Clone, Copy, Debug)]
pub struct Roi<'a> {
    /// Offset in the file.
    pub at: u64,
    /// Its name, by which nodes find it.
    pub name: Name<'a>,
    /// The sphere and the box around it.
    pub bounds: &'a Bounds,
    /// The name of a colour, or of a texture behind `t_`, for meshes that inherit it; absent in most.
    pub color: Name<'a>,
    /// Whether its levels are elsewhere: any value but 0.
    pub shared: u8,
    /// Where its own levels end, from the beginning of the blob; none without levels of its own.
    pub end_offset: Option<u32>,
    /// Its own levels of detail; none if they are shared.
    pub lods: Lods<'a>,
    /// How many objects are right below.
    pub child_count: u32,
}

impl<'a> Roi<'a> {
    /// Whether its levels are those of a list elsewhere, named [`list_name`](Self::list_name).
    #[inline]
    pub const fn is_shared(&self) -> bool {
        self.shared != 0
    }

    /// Whether the game draws its levels: only those of objects that have none below them.
    #[inline]
    pub const fn is_drawn(&self) -> bool {
        self.child_count == 0
    }

    /// The name of the list of levels that a shared object uses: its own without the digits at the end.
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
        let color = read::name(c, "colour name of ROI")?;
        let shared = *c.view::<u8>("shared flag of ROI")?;
        let (mut end_offset, mut lods) = (None, Lods::none(c.rest()));
        if shared == 0 {
            let field = *c;
            let count = read::word(c, "LOD count of ROI")?;
            lods = Lods::none(c.rest());
            if count != 0 {
                let (offset, own) = until(c, blob, "end offset of ROI")?;
                read::fits(&field, &Cursor::new(own), count, Lods::LEAST, "LOD count of ROI")?;
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

/// Takes an end offset and what lies between it and that end, which must not lead back nor out of the blob.
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
