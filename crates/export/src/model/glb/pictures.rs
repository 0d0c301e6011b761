//! Textures packed once for all the files that show them.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use worldview_island::{Contents, Image};

use crate::Result;

/// The pictures of one file that were packed already, as PNG.
///
/// A texture is embedded in each GLB that shows it, and packing it takes longer than all else of a small one. What
/// exports many of a file, on any threads, makes one of these and gives it to each.
pub struct Pictures<'c> {
    contents: &'c Contents<'c>,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    /// By the offset of the image in the file: an image says itself how long it is, so there is one at most.
    pictures: HashMap<u64, Arc<[u8]>>,
    bytes: usize,
}

impl<'c> Pictures<'c> {
    /// Bytes of pictures that are kept at most; what goes past them is packed anew each time.
    pub const MOST: usize = 32 << 20;

    /// None yet, of a file that these are the contents of.
    pub fn new(contents: &'c Contents<'c>) -> Self {
        Self { contents, kept: Mutex::default() }
    }

    /// Whether these are the pictures of that very file.
    pub(super) fn are_of(&self, contents: &Contents<'_>) -> bool {
        std::ptr::addr_eq(self.contents, contents)
    }

    /// An image of the file as PNG, packed if it was not yet: the same as [`image`](crate::model::png::image) writes.
    ///
    /// # Errors
    ///
    /// Returns an error as [`image`](crate::model::png::image) does.
    pub fn png(&self, image: Image<'_>) -> Result<Arc<[u8]>> {
        if let Some(known) = self.kept().pictures.get(&image.at) {
            return Ok(Arc::clone(known));
        }
        // Not under the lock: other threads pack others meanwhile.
        let mut packed = Vec::new();
        crate::model::png::image(image, &mut packed)?;
        let packed: Arc<[u8]> = packed.into();
        let mut kept = self.kept();
        let fits = packed.len() <= Self::MOST.saturating_sub(kept.bytes);
        if fits && kept.pictures.insert(image.at, Arc::clone(&packed)).is_none() {
            kept.bytes += packed.len();
        }
        Ok(packed)
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Pictures<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pictures").field("kept", &self.kept().pictures.len()).finish_non_exhaustive()
    }
}
