use worldview_core::{Budget, ErrorKind, Limit, Result};

use crate::archive::{Archive, Member};
use crate::finding::Finding;

/// The way down into nested archives, bounded in depth and in work.
///
/// A member may be its own archive, or a thousand members the same one: such a file would be walked for ever. So each
/// archive that is entered takes its bytes from a budget of four times the outermost one.
/// `docs/formats/wpd.md`, Nesting.
#[derive(Debug)]
pub struct Nesting {
    budget: Budget,
    deepest: u32,
}

impl Nesting {
    /// Archives in archives that are entered: the deepest known lie two deep.
    pub const DEEPEST: u32 = 16;

    /// The way down from an archive that lies in no other.
    pub fn new(outermost: &Archive<'_>) -> Self {
        let budget = Budget::for_bytes(outermost.source().len(), "walk over nested archives");
        Self { budget, deepest: Self::DEEPEST }
    }

    /// Sets how deep to go; 0 enters no member.
    #[must_use]
    pub const fn deepest(mut self, deepest: u32) -> Self {
        self.deepest = deepest;
        self
    }

    /// Opens what can be opened of a member that is an archive; none if it is something else. `depth` is that of the
    /// archive that holds the member: 0 for the outermost.
    ///
    /// # Errors
    ///
    /// An archive whose entries are not all there; one that lies too deep, or past the budget.
    pub fn enter<'a>(
        &mut self,
        member: &Member<'a>,
        depth: u32,
        report: &mut dyn FnMut(Finding<'a>),
    ) -> Result<Option<Archive<'a>>> {
        if !member.is_archive() {
            return Ok(None);
        }
        let source = member.source();
        if depth >= self.deepest {
            let (need, limit) = (u64::from(depth).saturating_add(1), self.deepest.into());
            let kind = ErrorKind::Limit { of: Limit::Depth, need, limit };
            return Err(source.error(kind, "depth of nested archive", 0));
        }
        self.budget.spend(source.len(), source.base(), source.space())?;
        Archive::parse_lossy(source, report).map(Some)
    }
}

impl<'a> Archive<'a> {
    /// Follows a path of member names, separated by `/`, through nested archives: the archive that holds the last
    /// member, and the member. A name may be given with or without its extension.
    ///
    /// # Errors
    ///
    /// A member on the way that is no archive, or cannot be opened.
    pub fn locate(&self, path: &[u8]) -> Result<Option<(Self, Member<'a>)>> {
        let (mut archive, mut rest) = (*self, path);
        // Each turn takes at least one byte of the path.
        loop {
            let next = archive.members().find_map(|member| Some((member, member.strip(rest)?)));
            let Some((member, behind)) = next else { return Ok(None) };
            match behind {
                [] => return Ok(Some((archive, member))),
                [_, behind @ ..] => (archive, rest) = (member.archive()?, behind),
            }
        }
    }
}

impl Member<'_> {
    /// What follows the member's name in a path: nothing, or something that begins with `/`.
    fn strip<'p>(&self, path: &'p [u8]) -> Option<&'p [u8]> {
        let ends = |rest: &&[u8]| rest.first().is_none_or(|&byte| byte == b'/');
        let behind = path.strip_prefix(self.name()).filter(|_| !self.name().is_empty())?;
        if ends(&behind) {
            return Some(behind);
        }
        behind.strip_prefix(b".")?.strip_prefix(self.extension()).filter(ends)
    }
}
