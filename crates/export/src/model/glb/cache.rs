//! What the GLB files of a database have in common.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use worldview_island::{Contents, Image};

use super::shape::Shapes;
use crate::Result;

/// Textures of one database that have been compressed to PNG, and meshes that have been decoded.
///
/// A texture is embedded in each GLB that shows it, and compressing it takes longer than everything else for a small
/// GLB. Most meshes are part of several GLBs, too. When exporting many models of a database, on any number of threads,
/// create one cache and pass it to each export.
pub struct Cache<'c> {
    contents: &'c Contents<'c>,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    /// The pictures by offset of the image in the file. An image stores its own length, so the offset identifies it.
    pictures: HashMap<u64, Arc<[u8]>>,
    /// The meshes of each level, by its offset in the file.
    shapes: HashMap<u64, Arc<Shapes>>,
    bytes: usize,
}

impl<'c> Cache<'c> {
    /// Maximum size in bytes of everything that is kept; the rest is made again each time.
    pub const MAX: usize = 64 << 20;

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
        let png = compressed(image)?;
        let mut kept = self.kept();
        if kept.has_room(png.len()) && kept.pictures.insert(image.at, Arc::clone(&png)).is_none() {
            kept.bytes += png.len();
        }
        Ok(png)
    }

    /// Returns the meshes of the level at an offset, making them if necessary.
    pub(super) fn shapes(&self, level: u64, make: impl FnOnce() -> Shapes) -> Arc<Shapes> {
        if let Some(known) = self.kept().shapes.get(&level) {
            return Arc::clone(known);
        }
        let shapes = Arc::new(make());
        let size = shapes.size();
        let mut kept = self.kept();
        if kept.has_room(size) && kept.shapes.insert(level, Arc::clone(&shapes)).is_none() {
            kept.bytes += size;
        }
        shapes
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    const fn has_room(&self, bytes: usize) -> bool {
        bytes <= Cache::MAX.saturating_sub(self.bytes)
    }
}

/// Compresses an image to PNG.
pub(super) fn compressed(image: Image<'_>) -> Result<Arc<[u8]>> {
    let mut png = Vec::new();
    crate::model::png::image(image, &mut png)?;
    Ok(png.into())
}

worldview_core::debug_summary!("Cache", Cache<'_>, |this| bytes: this.kept().bytes);
