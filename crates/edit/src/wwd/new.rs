use worldview_core::Path;
use worldview_wwd::edit::seal;
use worldview_wwd::raw::LevelHeader;
use worldview_wwd::{Rule, unpack};
use zerocopy::IntoBytes as _;

use super::too_large;
use crate::{EditError, Result};

/// Returns a plain level without planes and tile attributes, to which changes add everything else.
pub fn empty() -> Vec<u8> {
    LevelHeader::empty().as_bytes().to_vec()
}

/// Returns a plain level with the checksum of a rule, packed if `is_packed`, and with bytes behind its main block.
///
/// ```
/// use worldview_edit::{Editor, wwd};
/// use worldview_wwd::{Level, Rule, unpack};
///
/// let plain = wwd::empty();
/// let level = Editor::new(&&plain[..])
///     .set("header", "name", "Level 1")?
///     .add("plane:Action", [("tiles_wide", 2.into()), ("tiles_high", 1.into())])?
///     .set("plane:Action", "tile:1,0", 7)?
///     .finish()?;
/// let file = wwd::store(&level.to_vec(), &[], true, Rule::Editor)?;
///
/// let unpacked = unpack(&file)?;
/// assert!(unpacked.is_packed() && unpacked.checksum().satisfies(Rule::Editor));
/// assert_eq!(Level::parse(&unpacked)?.planes()[0].tile(1, 0).map(|tile| tile.get()), Some(7));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Returns an error if the file is not a level, is packed already, or has nothing to pack.
pub fn store(level: &[u8], trailing: &[u8], is_packed: bool, rule: Rule) -> Result<Vec<u8>> {
    let file = unpack(level)?;
    let here = Path::new();
    if file.is_packed() {
        return Err(EditError::unsupported(&here, "the level is packed already"));
    }
    let (mut header, block) = (*file.header(), file.stored_block());
    if is_packed && block.is_empty() {
        let why = "a level without planes and tile attributes has nothing to pack";
        return Err(EditError::unsupported(&here, why));
    }
    let block = seal(&mut header, block.to_vec(), is_packed, rule).ok_or_else(too_large)?;
    Ok([header.as_bytes(), &block, trailing].concat())
}
