//! Models in a page.

use std::fmt;
use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;

/// A model, packed for a page.
///
/// Packing takes much longer than writing, so it is done before, on any thread.
///
/// ```
/// use worldview_export::html::{Entry, Model, Page};
///
/// # let glb = b"glTF".as_slice();
/// let model = Model::pack(glb);
/// let mut page = Page::new(Vec::new(), "My files")?;
/// page.entry(&Entry::new("model", "car", "WORLD.WDB").model(&model))?;
/// # page.finish(&[])?;
/// # Ok::<(), worldview_export::Error>(())
/// ```
#[derive(Clone)]
pub struct Model(Contents);

/// What a page has of a model.
#[derive(Clone)]
pub(super) enum Contents {
    /// The GLB as a zlib stream.
    Packed(Vec<u8>),
    /// Nothing, and the reason as a sentence.
    LeftOut(&'static str),
}

/// Tells why a model is not in a page.
const TOO_LARGE: &str = "The model is larger than 16 MiB, so this page does not contain it.";
const NO_ROOM: &str = "This page has no more room for models, so it does not contain this one.";

impl Model {
    /// Maximum size in bytes of a GLB in a page. The page does not contain a larger model, and says so.
    pub const MAX_BYTES: u64 = 16 << 20;
    /// Maximum size in bytes of all models in a page, packed. The page does not contain further models,
    /// and says so.
    pub const MAX_IN_PAGE: u64 = 96 << 20;

    /// Packs a GLB.
    pub fn pack(glb: &[u8]) -> Self {
        if glb.len() as u64 > Self::MAX_BYTES {
            return Self(Contents::LeftOut(TOO_LARGE));
        }
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
        // Writing to memory cannot fail.
        let packed = encoder.write_all(glb).and_then(|()| encoder.finish()).unwrap_or_default();
        Self(Contents::Packed(packed))
    }

    /// Returns a model that is left out, for the page or its writer has no room for it.
    pub const fn no_room() -> Self {
        Self(Contents::LeftOut(NO_ROOM))
    }

    /// Returns the size in bytes of the packed model, which is 0 if the model is left out.
    pub const fn packed_size(&self) -> u64 {
        match &self.0 {
            Contents::Packed(packed) => packed.len() as u64,
            Contents::LeftOut(_) => 0,
        }
    }

    /// Returns what a page has of the model, and adds its size to that of all models in the page.
    pub(super) const fn within(&self, all: &mut u64) -> &Contents {
        *all += self.packed_size();
        if *all > Self::MAX_IN_PAGE { &Contents::LeftOut(NO_ROOM) } else { &self.0 }
    }
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("Model");
        match &self.0 {
            Contents::Packed(packed) => out.field("bytes", &packed.len()),
            Contents::LeftOut(why) => out.field("left_out", why),
        };
        out.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// After the first model that has no room, none has.
    #[test]
    fn room() {
        let packed = |size| Model(Contents::Packed(vec![0; size]));
        let mut all = Model::MAX_IN_PAGE - 10;
        let mut is_in = |model: &Model| matches!(model.within(&mut all), Contents::Packed(_));
        assert!(is_in(&packed(4)));
        assert!(!is_in(&Model::no_room()));
        assert!(is_in(&packed(6)));
        assert!(!is_in(&packed(1)));
        assert!(!is_in(&packed(1)));
    }
}
