use std::fmt;

use worldview_core::{Budget, Error, OffsetBase, Source};
use worldview_island::Database;
use worldview_rez::{self as rez, PictureKind};
use worldview_wpd::{Archive, Finding, FindingKind, Member, NameOrigin, Nesting, Schemas, Table, TableOptions};
use worldview_wwd::{Level, Unpacker};

use crate::asset::{Failed, Findings, Opened, SchemaNote, label};
use crate::{Asset, Container, Format, OpenError};

/// Opens files of any kind, including everything nested in them, according to its options.
///
/// The `worldview` command opens its files with it, so a program sees exactly what the command sees.
///
/// ```
/// use worldview::{Asset, Findings, FindingCode as _, OpenError, Opener, Severity};
///
/// let mut file = include_bytes!("../../../samples/items.wdb").to_vec();
/// file[..8].copy_from_slice(b"garbage!"); // as a common extractor leaves the header
/// file.truncate(file.len() - 4); // cuts the last record
///
/// let mut scratch = Vec::new(); // for packed levels; reused for the next file
/// Opener::new().open(&file, "items.wdb", &mut scratch, &mut |opened| {
///     let failed = opened.unwrap_err();
///     assert!(matches!(failed.error, OpenError::Overwritten { is_known: true, .. }));
/// });
///
/// let opener = Opener::new().recover(true).lossy(true);
/// opener.open(&file, "items.wdb", &mut scratch, &mut |opened| match opened {
///     Ok(part) => {
///         let Asset::Table(table) = part.asset else { unreachable!("the sample is a table") };
///         let Findings::Archive(findings) = part.findings else { unreachable!("tables are archives") };
///         let fatal = findings.iter().filter(|finding| finding.kind.severity() == Severity::Fatal);
///         println!("{:?}: {} records", part.path_in_file(), table.len());
///         fatal.for_each(|finding| println!("  without {finding}"));
///     }
///     Err(failed) => eprintln!("{:?}: {}", failed.path_in_file(), failed.error),
/// });
/// ```
#[derive(Clone, Copy)]
pub struct Opener<'s> {
    unpacker: Unpacker,
    deepest: u32,
    schemas: Option<&'s Schemas>,
    tables: Option<&'s (dyn Fn(&str) -> bool + Sync)>,
    path: Option<&'s [u8]>,
    lossy: bool,
    recover: bool,
    outline: bool,
    nested: bool,
}

/// The callback for the parts of a file.
type Visit<'v> = &'v mut dyn FnMut(Result<Opened<'_, '_>, Failed<'_, '_>>);

impl Default for Opener<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'s> Opener<'s> {
    /// Creates a strict opener with the limits of [`Unpacker::new`] and [`Nesting::MAX_DEPTH`], and the built-in field
    /// names.
    pub const fn new() -> Self {
        Self {
            unpacker: Unpacker::new(),
            deepest: Nesting::MAX_DEPTH,
            schemas: None,
            tables: None,
            path: None,
            lossy: false,
            recover: false,
            outline: false,
            nested: true,
        }
    }

    /// Sets how levels are unpacked, including the limit on their inflated size.
    #[must_use]
    pub const fn unpacker(self, unpacker: Unpacker) -> Self {
        Self { unpacker, ..self }
    }

    /// Sets how deeply nested archives are opened. With 0 only the outermost is opened, and the others are errors.
    #[must_use]
    pub const fn max_depth(self, deepest: u32) -> Self {
        Self { deepest, ..self }
    }

    /// Sets field names for tables that have none, which take precedence over the built-in ones.
    #[must_use]
    pub const fn schemas(self, schemas: &'s Schemas) -> Self {
        Self { schemas: Some(schemas), ..self }
    }

    /// Sets whether to open as much as possible and report what is left out. Only a broken header or directory is an
    /// error then, and a member that is out of bounds is empty.
    #[must_use]
    pub const fn lossy(self, lossy: bool) -> Self {
        Self { lossy, ..self }
    }

    /// Opens WPD archives whose header was overwritten, by where the data of their first entry lies:
    /// [`Archive::recover_in`]. Without it they are [`OpenError::Overwritten`].
    #[must_use]
    pub const fn recover(self, recover: bool) -> Self {
        Self { recover, ..self }
    }

    /// Sets whether to open only the headers of a level, as a catalog needs: [`Asset::Outline`].
    #[must_use]
    pub const fn outline(self, outline: bool) -> Self {
        Self { outline, ..self }
    }

    /// Sets whether to open what is nested in an archive, which is the default.
    #[must_use]
    pub const fn nested(self, nested: bool) -> Self {
        Self { nested, ..self }
    }

    /// Opens only tables whose name `wanted` accepts: that of the file, or that of the member with its extension.
    #[must_use]
    pub const fn tables(self, wanted: &'s (dyn Fn(&str) -> bool + Sync)) -> Self {
        Self { tables: Some(wanted), ..self }
    }

    /// Opens only the part that a path of member names leads to, down to a record: [`Archive::locate`].
    #[must_use]
    pub const fn select(self, path: &'s [u8]) -> Self {
        Self { path: Some(path), ..self }
    }

    /// Returns the format to open a file as: by its bytes, else by its name, else by whether it can be recovered.
    ///
    /// # Errors
    ///
    /// Returns an error if the format is unknown, or if the file is an archive with an overwritten header and recovery
    /// is off.
    pub fn format(&self, bytes: &[u8], file_name: &str) -> Result<Format, OpenError> {
        if let Some(format) = Format::sniff(bytes) {
            return Ok(format);
        }
        // Other archives have the extensions of ours, too.
        let container = Container::of_file(file_name, bytes);
        if let Some(container) = container.filter(|container| !matches!(container, Container::FileList)) {
            return Err(OpenError::Container(container));
        }
        let source = Source::new(bytes, OffsetBase::File);
        match promised(bytes, file_name) {
            // A file with the name of a known format is opened as that, so that the error says what is wrong with it.
            Some(Format::Wpd) if !self.recover => match overwritten(source) {
                Some(error) => Err(OpenError::Overwritten { error, is_known: true }),
                None => Ok(Format::Wpd),
            },
            Some(format) => Ok(format),
            None => match container {
                Some(container) => Err(OpenError::Container(container)),
                None if bytes.is_empty() => Err(OpenError::Empty),
                None => match overwritten(source) {
                    Some(_) if self.recover => Ok(Format::Wpd),
                    Some(error) => Err(OpenError::Overwritten { error, is_known: false }),
                    None => Err(OpenError::Unknown),
                },
            },
        }
    }

    /// Opens a file and hands it to `visit`, and after an archive all tables and archives in it, however deep.
    ///
    /// A part that cannot be opened is handed over as [`Failed`] and ends nothing else. `file_name` decides where the
    /// bytes do not, and some tables get their field names by it. `scratch` is what a packed level is inflated into,
    /// except by the lossy door, which takes memory of its own, and the copy of an archive whose entries are rebuilt.
    pub fn open(&self, bytes: &[u8], file_name: &str, scratch: &mut Vec<u8>, visit: Visit<'_>) {
        let whole = |error| Failed::new(error, &[], Findings::NONE);
        match self.format(bytes, file_name) {
            Ok(Format::Wpd) => self.archive(bytes, file_name, scratch, visit),
            Ok(Format::Rez) => self.rez(bytes, scratch, visit),
            Ok(format) if self.path.is_some() => visit(Err(whole(OpenError::NoMembers(format)))),
            Ok(Format::Wwd) => self.level(bytes, None, scratch, visit),
            Ok(Format::Island) => self.database(bytes, visit),
            Ok(format) => self.view(format, bytes, visit),
            Err(error) => visit(Err(whole(error))),
        }
    }

    /// Opens a file, or the part of it that [`select`](Self::select) leads to, and returns what `look` returns. What is
    /// nested in it is not opened.
    ///
    /// ```
    /// use worldview::{Asset, Opener};
    ///
    /// # fn main() -> Result<(), worldview::OpenError> {
    /// let file = include_bytes!("../../../samples/items.wdb");
    /// let records = Opener::new().look(file, "items.wdb", |opened| match opened.asset {
    ///     Asset::Table(table) => table.len(),
    ///     _ => 0,
    /// })?;
    /// assert_eq!(records, 40);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the file, or the part, cannot be opened.
    pub fn look<R>(
        &self,
        bytes: &[u8],
        file_name: &str,
        look: impl FnOnce(&Opened<'_, '_>) -> R,
    ) -> Result<R, OpenError> {
        let (mut look, mut looked) = (Some(look), None);
        self.nested(false).open(bytes, file_name, &mut Vec::new(), &mut |opened| {
            if let Some(look) = look.take() {
                looked = Some(opened.map(|opened| look(&opened)).map_err(|failed| failed.error));
            }
        });
        looked.unwrap_or(Err(OpenError::NotFound))
    }

    fn level(&self, bytes: &[u8], holder: Option<rez::File<'_, '_>>, scratch: &mut Vec<u8>, visit: Visit<'_>) {
        if self.outline {
            let outline = self.unpacker.outline(bytes, scratch);
            return hand_over(outline.as_ref().map(Asset::Outline), holder, Findings::Level(&[]), visit);
        }
        let mut findings = Vec::new();
        let mut note = |finding| findings.push(finding);
        let file = if self.lossy {
            self.unpacker.unpack_lossy(bytes, &mut note)
        } else {
            self.unpacker.unpack_in(bytes, scratch)
        };
        match &file {
            Ok(file) => {
                // The level's own findings live as long as the image, the others as long as the file.
                let mut findings = findings.clone();
                let mut note = |finding| findings.push(finding);
                let level = if self.lossy { Level::parse_lossy(file, &mut note) } else { Level::parse(file) };
                let asset = level.as_ref().map(|level| Asset::Level(level, file));
                hand_over(asset, holder, Findings::Level(&findings), visit);
            }
            Err(error) => hand_over(Err(error), holder, Findings::Level(&findings), visit),
        }
    }

    fn database(&self, bytes: &[u8], visit: Visit<'_>) {
        let mut findings = Vec::new();
        let mut note = |finding| findings.push(finding);
        let database = if self.lossy { Database::parse_lossy(bytes, &mut note) } else { Database::parse(bytes) };
        hand_over(database.as_ref().map(Asset::Database), None, Findings::Database(&findings), visit);
    }

    /// Passes on a file whose view needs nothing but its bytes.
    fn view(&self, format: Format, bytes: &[u8], visit: Visit<'_>) {
        let mut findings = Vec::new();
        let mut note = |finding| findings.push(finding);
        let source = Source::new(bytes, OffsetBase::File);
        let asset = Asset::parse(format, source, if self.lossy { Some(&mut note) } else { None });
        if let Some(asset) = asset {
            hand_over(asset.as_ref().copied(), None, Findings::Database(&findings), visit);
        }
    }

    fn rez(&self, bytes: &[u8], scratch: &mut Vec<u8>, visit: Visit<'_>) {
        let mut findings = Vec::new();
        let mut note = |finding| findings.push(finding);
        let archive = if self.lossy { rez::Rez::parse_lossy(bytes, &mut note) } else { rez::Rez::parse(bytes) };
        let archive = match &archive {
            Ok(archive) => archive,
            Err(error) => return visit(Err(Failed::new(*error, &[], Findings::Rez(&findings)))),
        };
        let Some(path) = self.path else {
            return self.directory(archive.root(), Findings::Rez(&findings), scratch, visit);
        };
        if let Some(file) = archive.by_path(path) {
            if !self.file(file, scratch, visit) {
                hand_over(Ok(Asset::Data(file.source())), Some(file), Findings::NONE, visit);
            }
            return;
        }
        match archive.directory(path) {
            Some(directory) => self.directory(directory, Findings::NONE, scratch, visit),
            None => visit(Err(Failed::new(OpenError::NotFound, &[], Findings::NONE))),
        }
    }

    /// Passes on a directory of a REZ archive, and the levels and pictures below it.
    fn directory(
        &self,
        directory: rez::Directory<'_, '_>,
        findings: Findings<'_, '_>,
        scratch: &mut Vec<u8>,
        visit: Visit<'_>,
    ) {
        hand_over(Ok(Asset::Rez(directory)), None, findings, visit);
        if !self.nested {
            return;
        }
        let mut left = Self::most_inflated(directory);
        for file in affordable(directory) {
            match file {
                Ok(file) => self.file_within(file, &mut left, scratch, visit),
                Err(error) => return visit(Err(unaffordable(error))),
            }
        }
    }

    /// Returns how many bytes all levels below a directory may inflate to together.
    pub(crate) const fn most_inflated(directory: rez::Directory<'_, '_>) -> u64 {
        directory.archive().source().len().saturating_mul(16).saturating_add(1 << 30)
    }

    /// Passes on a file of a REZ archive, which may inflate to not more than `left` bytes. They are subtracted.
    pub(crate) fn file_within(&self, file: rez::File<'_, '_>, left: &mut u64, scratch: &mut Vec<u8>, visit: Visit<'_>) {
        let limit = self.unpacker.limit(file.data().len()).min(*left);
        self.unpacker(self.unpacker.max_inflate(limit)).file(file, scratch, &mut |opened| {
            if let Ok(Opened { asset: Asset::Level(level, _), .. }) = &opened {
                *left = left.saturating_sub(level.image().len());
            }
            visit(opened);
        });
    }

    /// Returns the limit on what a file may inflate to, if there were no others.
    #[cfg(feature = "bulk")]
    pub(crate) fn own_limit(&self, file: rez::File<'_, '_>) -> u64 {
        self.unpacker.limit(file.data().len())
    }

    /// Passes on a file of a REZ archive. Returns whether it is in a known format.
    fn file(&self, file: rez::File<'_, '_>, scratch: &mut Vec<u8>, visit: Visit<'_>) -> bool {
        if is_level(file) {
            self.level(file.data(), Some(file), scratch, visit);
            return true;
        }
        let Some(kind) = PictureKind::of_extension(file.extension()) else { return false };
        let picture = rez::Picture::parse(kind, file.data());
        hand_over(picture.as_ref().map(|picture| Asset::Picture(*picture)), Some(file), Findings::NONE, visit);
        true
    }

    fn archive(&self, bytes: &[u8], file_name: &str, scratch: &mut Vec<u8>, visit: Visit<'_>) {
        let mut findings = Vec::new();
        let outermost = match self.outermost(bytes, scratch, &mut findings) {
            Ok(archive) => archive,
            Err(error) => return visit(Err(Failed::new(error, &[], Findings::Archive(&findings)))),
        };
        let nesting = Nesting::new(&outermost).deepest(self.deepest);
        let mut nesting = if self.lossy { nesting } else { nesting.strict() };
        let Some(path) = self.path else {
            let found = FoundArchive { archive: &outermost, members: &[], name: file_name, findings: &findings };
            return self.found(&found, outermost.is_table(), nesting, visit);
        };
        let mut members = Vec::new();
        let located = match outermost.follow(path, &mut |member| members.push(member)) {
            Ok(Some(located)) => Ok(located),
            Ok(None) => Err(OpenError::NotFound),
            Err(error) => Err(inside(&outermost, &members, error)),
        };
        let (holder, member) = match located {
            Ok(located) => located,
            Err(error) => return visit(Err(Failed::new(error, &members, Findings::NONE))),
        };
        let mut findings = Vec::new();
        match nesting.enter(&member, 0, &mut |finding| findings.push(finding)) {
            Ok(Some(archive)) => {
                let name = label(&member);
                let found = FoundArchive { archive: &archive, members: &members, name: &name, findings: &findings };
                self.found(&found, archive.is_table(), nesting, visit);
            }
            Ok(None) => self.leaf(&holder, member, &members, visit),
            Err(error) => visit(Err(Failed::new(error, &members, Findings::Archive(&findings)))),
        }
    }

    fn outermost<'a>(
        &self,
        bytes: &'a [u8],
        scratch: &'a mut Vec<u8>,
        findings: &mut Vec<Finding<'a>>,
    ) -> Result<Archive<'a>, OpenError> {
        let source = Source::new(bytes, OffsetBase::File);
        let mut note = |finding| findings.push(finding);
        if !self.recover {
            let archive = if self.lossy { Archive::parse_lossy(source, &mut note) } else { Archive::parse(source) };
            return archive.map_err(|error| match overwritten(source) {
                Some(_) => OpenError::Overwritten { error, is_known: true },
                None => OpenError::Format(error),
            });
        }
        let archive = Archive::recover_in(bytes, scratch, &mut note).map_err(OpenError::Unrecoverable)?;
        match findings.iter().filter(|_| !self.lossy).find_map(as_error) {
            Some(error) => Err(OpenError::Format(error)),
            None => Ok(archive),
        }
    }

    /// Passes on an archive and what is nested in it.
    fn found(&self, found: &FoundArchive<'_, '_>, is_table: bool, nesting: Nesting, visit: Visit<'_>) {
        if is_table {
            return self.table(found, visit);
        }
        visit(Ok(found.part(Asset::Archive(found.archive))));
        if !self.nested {
            return;
        }
        for nested in nesting.walk(found.archive, found.members.to_vec()) {
            let (members, findings) = (&nested.path[..], &nested.findings[..]);
            match &nested.archive {
                Ok(archive) => {
                    let name = members.last().map(label).unwrap_or_default();
                    let found = FoundArchive { archive, members, name: &name, findings };
                    if nested.is_table {
                        self.table(&found, visit);
                    } else {
                        visit(Ok(found.part(Asset::Archive(archive))));
                    }
                }
                Err(error) => visit(Err(Failed::new(*error, members, Findings::Archive(findings)))),
            }
        }
    }

    fn table(&self, found: &FoundArchive<'_, '_>, visit: Visit<'_>) {
        if self.tables.is_some_and(|wanted| !wanted(found.name)) {
            return;
        }
        let options = self.options(found.name);
        let mut findings = found.findings.to_vec();
        let table = if self.lossy {
            options.table_lossy(*found.archive, &mut |finding| findings.push(finding))
        } else {
            options.table(*found.archive)
        };
        let findings = Findings::Archive(&findings);
        visit(match &table {
            Ok(table) => {
                let schema = self.schema_note(table, found.name);
                Ok(Opened { asset: Asset::Table(table), members: found.members, file: None, findings, schema })
            }
            Err(error) => Err(Failed::new(*error, found.members, findings)),
        });
    }

    /// Passes on the target of a path that is not an archive.
    fn leaf(&self, holder: &Archive<'_>, member: Member<'_>, members: &[Member<'_>], visit: Visit<'_>) {
        let mut hand = |asset| visit(Ok(Opened { asset, members, file: None, findings: Findings::NONE, schema: None }));
        if !holder.is_table() {
            return hand(Asset::Data(member.source()));
        }
        let options = self.options("");
        let table = if self.lossy { options.table_lossy(*holder, &mut |_| {}) } else { options.table(*holder) };
        match &table {
            Ok(table) => match table.by_name(member.name()) {
                Some(row) => hand(Asset::Record(table, row)),
                None => hand(Asset::Data(member.source())),
            },
            Err(error) => visit(Err(Failed::new(*error, members, Findings::NONE))),
        }
    }

    fn options<'t>(&'t self, name: &'t str) -> TableOptions<'t> {
        let options = TableOptions::new().file_name(name);
        match self.schemas {
            Some(schemas) => options.schemas(schemas),
            None => options,
        }
    }

    fn schema_note<'t>(&self, table: &Table<'t>, name: &str) -> Option<SchemaNote<'t>> {
        let given = self.schemas?;
        if let Some((Some(schema), why)) = table.schema_mismatch()
            && given.sheets().iter().any(|sheet| std::ptr::eq(sheet, schema))
        {
            return Some(SchemaNote::Refused { schema, why });
        }
        let layout_version = table.layout_version();
        let is_nameless = matches!(table.name_origin(), NameOrigin::Generated) && !table.fields().is_empty();
        let is_listed = || given.candidates(layout_version, Some(name)).next().is_some();
        (is_nameless && !is_listed()).then_some(SchemaNote::Unlisted { layout_version })
    }
}

impl fmt::Debug for Opener<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Opener")
            .field("unpacker", &self.unpacker)
            .field("max_depth", &self.deepest)
            .field("lossy", &self.lossy)
            .field("recover", &self.recover)
            .finish_non_exhaustive()
    }
}

/// An archive or table to pass on.
struct FoundArchive<'f, 'a> {
    archive: &'f Archive<'a>,
    members: &'f [Member<'a>],
    name: &'f str,
    findings: &'f [Finding<'a>],
}

impl<'f, 'a> FoundArchive<'f, 'a> {
    const fn part(&self, asset: Asset<'f, 'a>) -> Opened<'f, 'a> {
        Opened { asset, members: self.members, file: None, findings: Findings::Archive(self.findings), schema: None }
    }
}

fn hand_over<'v, 'a>(
    opened: Result<Asset<'v, 'a>, &Error>,
    file: Option<rez::File<'v, 'a>>,
    findings: Findings<'v, 'a>,
    visit: Visit<'_>,
) {
    visit(match opened {
        Ok(asset) => Ok(Opened { asset, members: &[], file, findings, schema: None }),
        Err(error) => Err(Failed { file, ..Failed::new(*error, &[], findings) }),
    });
}

/// Returns the files below a directory whose data is not truncated. Thousands of entries may share the same bytes, so they
/// have a budget, whose error and file are the last item.
pub(crate) fn affordable<'v, 'a>(
    directory: rez::Directory<'v, 'a>,
) -> impl Iterator<Item = Result<rez::File<'v, 'a>, (rez::File<'v, 'a>, Error)>> {
    let mut budget = Budget::for_bytes(directory.archive().source().len(), "walk over the files of an archive");
    let mut is_spent = false;
    directory.all_files().filter(|file| !file.is_missing()).map_while(move |file| {
        if is_spent {
            return None;
        }
        let data = file.source();
        let spent = budget.spend(data.len(), data.base(), data.space());
        is_spent = spent.is_err();
        Some(spent.map(|()| file).map_err(|error| (file, error)))
    })
}

/// Returns how the error of [`affordable`] is passed on.
pub(crate) fn unaffordable<'v, 'a>((file, error): (rez::File<'v, 'a>, Error)) -> Failed<'v, 'a> {
    Failed { file: Some(file), ..Failed::new(error, &[], Findings::NONE) }
}

/// Returns whether a file of a REZ archive is opened as a level.
pub(crate) fn is_level(file: rez::File<'_, '_>) -> bool {
    file.extension().is("WWD") || Format::sniff(file.data()) == Some(Format::Wwd)
}

/// Why a path cannot continue inside the last of these members.
fn inside<'a>(outermost: &Archive<'a>, members: &[Member<'a>], error: Error) -> OpenError {
    let Some((_, before)) = members.split_last().filter(|(last, _)| !last.is_archive()) else { return error.into() };
    let holder = before.last().map_or(Ok(*outermost), Member::archive);
    if holder.is_ok_and(|holder| holder.is_table()) { OpenError::InsideRecord } else { OpenError::InsideData }
}

/// Returns the format suggested by a file's name. For `.wdb`, which suggests two, the bytes decide.
fn promised(bytes: &[u8], file_name: &str) -> Option<Format> {
    let promised = Format::of_file(file_name, bytes)?;
    let is_world = || {
        file_name.eq_ignore_ascii_case("world.wdb")
            || Database::parse(bytes).is_ok_and(|database| database.worlds().len() > 0)
    };
    Some(if promised == Format::Wpd && is_world() { Format::Island } else { promised })
}

/// Returns what is wrong with the header of an archive, if the archive can be opened without it.
fn overwritten(source: Source<'_>) -> Option<Error> {
    let error = Archive::parse_lossy(source, &mut |_| {}).err()?;
    let is_recoverable = Archive::recover(source, &mut |_| {}).is_ok() || Archive::can_rebuild(source.bytes());
    is_recoverable.then_some(error)
}

/// Converts a finding of recovery into the corresponding error of strict opening.
fn as_error(finding: &Finding<'_>) -> Option<Error> {
    let (part, FindingKind::Broken { kind }) = (finding.place.part, finding.kind) else { return None };
    let error = Error::new(kind, part.what, finding.at, finding.space);
    Some(part.index.map_or(error, |index| error.with_index(index)))
}

worldview_core::assert_send_sync!(Opener<'_>);
