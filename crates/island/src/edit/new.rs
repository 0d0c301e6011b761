//! Files without contents. Everything else is added to them by edits.

use crate::Element;

/// Returns a database of worlds without names, parts and models, whose global textures are a chunk. It has no global parts.
///
/// `None` if it would be too large.
///
/// ```
/// use worldview_island::{Database, edit::new};
///
/// let file = new::database(2, &new::textures(&[])).unwrap();
/// let database = Database::parse(&file[..])?;
/// assert_eq!((database.worlds().len(), database.blobs().len()), (2, 0));
/// # Ok::<(), worldview_island::Error>(())
/// ```
pub fn database(worlds: usize, textures: &[u8]) -> Option<Vec<u8>> {
    // A name that is only a NUL, and the numbers of parts and models.
    const WORLD: [u8; 13] = [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let parts = Element::Parts.blank(&|_| Some(0))?;
    let mut file = i32::try_from(worlds).ok()?.to_le_bytes().to_vec();
    file.resize(WORLD.len().checked_mul(worlds)?.checked_add(file.len())?, 0);
    file.get_mut(4..)?.chunks_exact_mut(WORLD.len()).for_each(|world| world.copy_from_slice(&WORLD));
    for chunk in [textures, &parts] {
        file.extend(u32::try_from(chunk.len()).ok()?.to_le_bytes());
        file.extend_from_slice(chunk);
    }
    Some(file)
}

/// Returns a list of no textures, as a `.tex` file or a chunk of a database, and bytes behind it.
pub fn textures(trailing: &[u8]) -> Vec<u8> {
    [&[0; 4], trailing].concat()
}
