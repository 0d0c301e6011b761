use worldview_core::{Budget, Error, ErrorKind, Limit, Result};

use crate::archive::{Archive, Member};
use crate::finding::Finding;

/// Descends into nested archives, with bounds on depth and work.
///
/// A member may be the archive that contains it, or a thousand members may be the same archive, so a naive walk would
/// never end. Each archive that is entered is therefore charged to a budget of four times the outermost one.
/// See [Nesting](crate::format#nesting).
#[derive(Debug)]
pub struct Nesting {
    budget: Budget,
    deepest: u32,
    strict: bool,
}

impl Nesting {
    /// Default maximum nesting depth. The deepest known archives are nested two deep.
    pub const MAX_DEPTH: u32 = 16;

    /// Creates the state for descending from the outermost archive of a file.
    pub fn new(outermost: &Archive<'_>) -> Self {
        let budget = Budget::for_bytes(outermost.source().len(), "walk over nested archives");
        Self { budget, deepest: Self::MAX_DEPTH, strict: false }
    }

    worldview_core::setters! {
        /// Sets the maximum depth; 0 enters no member.
        pub const fn deepest(deepest: u32) => deepest = deepest;

        /// Opens archives with [`Archive::parse`]: a truncated member is an error, not a finding.
        pub const fn strict() => strict = true;
    }

    /// Opens a member that is an archive, and reports what had to be left out. Returns `None` if the member is not an
    /// archive.
    ///
    /// `depth` is the depth of the archive that contains the member: 0 for the outermost.
    ///
    /// This is for code that visits members itself. [`walk`](Self::walk) does the same for a whole tree.
    ///
    /// # Errors
    ///
    /// Returns an error if the entries are truncated, or if the archive is nested too deeply or exceeds the budget.
    ///
    /// With [`strict`](Self::strict), a truncated member is an error, too.
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
        if self.strict { Archive::parse(source) } else { Archive::parse_lossy(source, report) }.map(Some)
    }

    /// Iterates over all archives nested in `archive`, depth first and in file order. Does not descend into tables.
    ///
    /// `path` lists the members that lead to `archive`; it is empty for the outermost one. Depth counts from `archive`,
    /// whose own depth is 1 if `path` is not empty and 0 otherwise.
    ///
    /// ```
    /// # fn main() -> worldview_wpd::Result<()> {
    /// # let file: &[u8] = include_bytes!("../../../samples/wdbpack.bin");
    /// use worldview_wpd::{Archive, Nesting};
    ///
    /// let archive = Archive::parse(file)?;
    /// let tables = Nesting::new(&archive).walk(&archive, Vec::new()).filter(|nested| nested.is_table).count();
    /// assert_eq!(tables, 3);
    /// # Ok(())
    /// # }
    /// ```
    pub fn walk<'a>(self, archive: &Archive<'a>, path: Vec<Member<'a>>) -> NestedArchives<'a> {
        NestedArchives { nesting: self, above: u32::from(!path.is_empty()), open: vec![(*archive, 0)], path }
    }
}

/// An archive inside another one, returned by [`Nesting::walk`].
#[non_exhaustive]
#[derive(Debug)]
pub struct Nested<'a> {
    /// The members that lead to the archive, outermost first; the last one contains it.
    pub path: Vec<Member<'a>>,
    /// The archive, or the error from opening it.
    pub archive: Result<Archive<'a>>,
    /// Whether the archive is a table.
    pub is_table: bool,
    /// The findings while opening it.
    pub findings: Vec<Finding<'a>>,
}

/// An iterator over nested archives, returned by [`Nesting::walk`].
#[derive(Debug)]
pub struct NestedArchives<'a> {
    nesting: Nesting,
    /// Depth of the archive where the walk begins.
    above: u32,
    /// The open archives, outermost first, each with the index of its next member. The depth limit bounds their number.
    open: Vec<(Archive<'a>, usize)>,
    /// The members that lead to the innermost open archive.
    path: Vec<Member<'a>>,
}

impl NestedArchives<'_> {
    /// Returns to the archive around the innermost one.
    fn leave(&mut self) {
        self.open.pop();
        self.path.pop();
    }
}

impl<'a> Iterator for NestedArchives<'a> {
    type Item = Nested<'a>;

    fn next(&mut self) -> Option<Nested<'a>> {
        loop {
            let inside = self.open.len().saturating_sub(1);
            let (archive, next) = self.open.last_mut()?;
            let Some(member) = archive.get(*next) else {
                self.leave();
                continue;
            };
            *next = next.saturating_add(1);
            let depth = self.above.saturating_add(u32::try_from(inside).unwrap_or(u32::MAX));
            let mut findings = Vec::new();
            let archive = match self.nesting.enter(&member, depth, &mut |finding| findings.push(finding)) {
                Ok(None) => continue,
                Ok(Some(archive)) => Ok(archive),
                Err(error) => Err(error),
            };
            let mut path = self.path.clone();
            path.push(member);
            let is_table = archive.is_ok_and(|archive| archive.is_table());
            match archive {
                Ok(archive) if !is_table => {
                    self.open.push((archive, 0));
                    self.path.push(member);
                }
                // The following members would fail in the same way.
                Err(Error { kind: ErrorKind::Limit { .. }, .. }) => self.leave(),
                _ => {}
            }
            return Some(Nested { path, archive, is_table, findings });
        }
    }
}

impl<'a> Archive<'a> {
    /// Follows a path of member names, separated by `/`, through nested archives. Returns the archive that contains the
    /// last member, and the member, or `None` if a name is not found.
    ///
    /// A name may be given with or without its extension.
    ///
    /// # Errors
    ///
    /// Returns an error if a member before the last one is not an archive or cannot be opened.
    ///
    /// ```
    /// # fn main() -> worldview_wpd::Result<()> {
    /// # let file: &[u8] = include_bytes!("../../../samples/wdbpack.bin");
    /// let archive = worldview_wpd::Archive::parse(file)?;
    /// let (_, member) = archive.locate("r_lamps.wdb")?.expect("the sample has this member");
    /// assert_eq!(member.data().len(), 684);
    /// # Ok(())
    /// # }
    /// ```
    pub fn locate(&self, path: impl AsRef<[u8]>) -> Result<Option<(Self, Member<'a>)>> {
        self.follow(path.as_ref(), &mut |_| {})
    }

    /// Follows a path like [`locate`](Self::locate), and calls `passed` with each member along it, including the last.
    ///
    /// # Errors
    ///
    /// Returns an error in the same cases as [`locate`](Self::locate).
    pub fn follow(&self, path: &[u8], passed: &mut dyn FnMut(Member<'a>)) -> Result<Option<(Self, Member<'a>)>> {
        let (mut archive, mut rest) = (*self, path);
        // Each iteration consumes at least one byte of the path.
        loop {
            let next = archive.members().find_map(|member| Some((member, member.strip(rest)?)));
            let Some((member, behind)) = next else { return Ok(None) };
            passed(member);
            match behind {
                [] => return Ok(Some((archive, member))),
                [_, behind @ ..] => (archive, rest) = (member.archive()?, behind),
            }
        }
    }
}

impl Member<'_> {
    /// Strips the member's name from the start of a path. The rest is empty or begins with `/`.
    fn strip<'p>(&self, path: &'p [u8]) -> Option<&'p [u8]> {
        let ends = |rest: &&[u8]| rest.first().is_none_or(|&byte| byte == b'/');
        let behind = path.strip_prefix(self.name()).filter(|_| !self.name().is_empty())?;
        if ends(&behind) {
            return Some(behind);
        }
        behind.strip_prefix(b".")?.strip_prefix(self.extension()).filter(ends)
    }
}
