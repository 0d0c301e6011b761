//! A cache of compressed textures, shared by several GLB files.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use worldview_island::{Contents, Image};

use crate::Result;

/// Textures of one database that have been compressed to PNG.
///
/// A texture is embedded in each GLB that shows it, and compressing it takes longer than everything else for a small
/// GLB. When exporting many models of a database, on any number of threads, create one cache and pass it to each
/// export.
pub struct Pictures<'c> {
    contents: &'c Contents<'c>,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    /// The pictures by offset of the image in the file. An image stores its own length, so the offset identifies it.
    pictures: HashMap<u64, Arc<[u8]>>,
    bytes: usize,
}

impl<'c> Pictures<'c> {
    /// Maximum size in bytes of the cached pictures; further ones are compressed again each time.
    pub const MAX: usize = 32 << 20;

    /// Creates an empty cache for the database with these contents.
    pub fn new(contents: &'c Contents<'c>) -> Self {
        Self { contents, kept: Mutex::default() }
    }

    /// Returns whether the cache belongs to these contents.
    pub(super) fn are_of(&self, contents: &Contents<'_>) -> bool {
        std::ptr::addr_eq(self.contents, contents)
    }

    /// Returns an image of the file as PNG, compressing it if necessary. The bytes are the same as written by
    /// [`image`](crate::model::png::image).
    ///
    /// # Errors
    ///
    /// Returns an error under the same conditions as [`image`](crate::model::png::image).
    pub fn png(&self, image: Image<'_>) -> Result<Arc<[u8]>> {
        if let Some(known) = self.kept().pictures.get(&image.at) {
            return Ok(Arc::clone(known));
        }
        // The lock is not held here, so that other threads can compress other images.
        let mut packed = Vec::new();
        crate::model::png::image(image, &mut packed)?;
        let packed: Arc<[u8]> = packed.into();
        let mut kept = self.kept();
        let fits = packed.len() <= Self::MAX.saturating_sub(kept.bytes);
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
