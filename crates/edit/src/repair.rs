use std::ops::Range;

use crate::account::{Account, Code, Column, Entry};
use worldview_core::Path;

use crate::codes;
use worldview_format::Format;
#[cfg(feature = "wpd")]
use worldview_wpd::{Archive, FindingKind};
#[cfg(feature = "wwd")]
use worldview_wwd::{Level, Rule, Unpacker, raw::LevelHeader};
#[cfg(feature = "wwd")]
use zerocopy::IntoBytes as _;

use crate::checked::{Checked as _, Number as _};
use crate::{EditError, Patches, Result};

codes! {
    /// The codes of what a repair guessed.
    pub REPAIRS {
        HEADER_REBUILT = "header-rebuilt": "the header of an archive was overwritten, and is written again",
        ENTRY_REBUILT = "entry-rebuilt": "an entry of an archive was overwritten, and is rebuilt from the others",
        CHECKSUM_SET = "checksum-set": "the checksum of a level matched no rule, and is computed by the rule of the editors",
    }
}

/// Writes again what is missing or wrong in a file and follows from the rest of it: the header and the first entries of an archive that an
/// extractor has overwritten, and the checksum of a level. The account says what was guessed.
///
/// A file with nothing to repair stays as it is.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let file: &[u8] = include_bytes!("../../../samples/wdbpack.bin");
/// let mut damaged = file.to_vec();
/// damaged[..8].fill(0xFF); // as a common extractor leaves it
/// let (repaired, account) = worldview_edit::repair(worldview_edit::Format::Wpd, &damaged)?;
/// assert_eq!(repaired.to_vec(), file);
/// assert_eq!(account.entries().next().map(|entry| entry.code.name), Some("header-rebuilt"));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// Returns an error if the file cannot be read, not even as far as a repair needs.
pub fn repair(format: Format, file: &[u8]) -> Result<(Patches<'_>, Account)> {
    match format {
        #[cfg(feature = "wpd")]
        Format::Wpd => archive(file),
        #[cfg(feature = "wwd")]
        Format::Wwd => level(file),
        _ => Ok((Patches::new(file), Account::default())),
    }
}

#[cfg(feature = "wpd")]
fn archive(file: &[u8]) -> Result<(Patches<'_>, Account)> {
    let (mut patches, mut account) = (Patches::new(file), Account::default());
    let mut copy = Vec::new();
    let mut note = |code: Code, path: &Path, why: String| account.push(Entry::new(Column::Done, code, path, why));
    let mut rebuilt = Vec::new();
    let archive = Archive::recover_in(file, &mut copy, &mut |finding| {
        if let FindingKind::EntryRebuilt { what } = finding.kind {
            rebuilt.push((finding.place.part.name.to_vec(), what));
        }
    })?;
    let count = archive.len();
    let Some(repaired) = worldview_wpd::repair(file) else { return Ok((patches, account)) };
    note(HEADER_REBUILT, &Path::new(), format!("the header is written again, with {count} entries"));
    for (name, what) in rebuilt {
        note(ENTRY_REBUILT, &Path::new().with(|path| path.push_name(&name)), format!("{what} is written again"));
    }
    let done = account.entries().len();
    account.done = done as u64;
    let differs = |at: usize| file.get(at) != repaired.get(at);
    let end = repaired.len().minus((0..repaired.len()).rev().take_while(|at| !differs(*at)).count())?;
    replace(&mut patches, 0..end, repaired.get(..end).checked()?)?;
    Ok((patches, account))
}

#[cfg(feature = "wwd")]
fn level(file: &[u8]) -> Result<(Patches<'_>, Account)> {
    let (mut patches, mut account) = (Patches::new(file), Account::default());
    let unpacked = Unpacker::new().unpack(file)?;
    Level::parse(&unpacked)?;
    if !unpacked.checksum().is_unexplained() {
        return Ok((patches, account));
    }
    let inflated = unpacked.is_packed().then(|| unpacked.get(size_of::<LevelHeader>()..).checked()).transpose()?;
    let mut header = *unpacked.header();
    let found = header.checksum.get();
    header.checksum.set(Rule::Editor.compute(unpacked.stored_block(), inflated));
    let mut path = Path::new();
    path.push_name(b"header");
    path.push_name(b"checksum");
    let why = format!("{found:#010x} matches no rule, and becomes {:#010x}", header.checksum.get());
    account.push(Entry::new(Column::Done, CHECKSUM_SET, &path, why));
    account.done = 1;
    replace(&mut patches, 0..size_of::<LevelHeader>(), header.as_bytes())?;
    Ok((patches, account))
}

fn replace(patches: &mut Patches<'_>, range: Range<usize>, bytes: &[u8]) -> Result<()> {
    let is_done = patches.replace(range, bytes.to_vec());
    is_done
        .then_some(())
        .ok_or_else(|| EditError::unsupported(&Path::new(), "the repaired part is outside of the file"))
}
