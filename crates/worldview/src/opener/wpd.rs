use worldview_core::{Error, OffsetBase, Source};
use worldview_wpd::{Archive, Finding, FindingKind, Member, NameOrigin, Nesting, Schemas, Table, TableOptions};

use super::{Opener, Visit};
use crate::OpenError;
use crate::asset::{Asset, Failed, Findings, Opened, SchemaNote, label};

impl<'s> Opener<'s> {
    pub(super) fn archive(&self, bytes: &[u8], file_name: &str, scratch: &mut Vec<u8>, visit: Visit<'_>) {
        let mut findings = Vec::new();
        let outermost = match self.outermost(bytes, scratch, &mut findings) {
            Ok(archive) => archive,
            Err(error) => return visit(Err(Failed::new(error, Findings::Archive(&findings)))),
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
            Err(error) => return visit(Err(failed(error, &members, Findings::None))),
        };
        let mut findings = Vec::new();
        match nesting.enter(&member, 0, &mut |finding| findings.push(finding)) {
            Ok(Some(archive)) => {
                let name = label(&member);
                let found = FoundArchive { archive: &archive, members: &members, name: &name, findings: &findings };
                self.found(&found, archive.is_table(), nesting, visit);
            }
            Ok(None) => self.leaf(&holder, member, &members, visit),
            Err(error) => visit(Err(failed(error, &members, Findings::Archive(&findings)))),
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
                Err(error) => visit(Err(failed(*error, members, Findings::Archive(findings)))),
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
                Ok(Opened { members: found.members, schema, ..Opened::new(Asset::Table(table), findings) })
            }
            Err(error) => Err(failed(*error, found.members, findings)),
        });
    }

    /// Passes on the target of a path that is not an archive.
    fn leaf(&self, holder: &Archive<'_>, member: Member<'_>, members: &[Member<'_>], visit: Visit<'_>) {
        let mut hand = |asset| visit(Ok(Opened { members, ..Opened::new(asset, Findings::None) }));
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
            Err(error) => visit(Err(failed(*error, members, Findings::None))),
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

    /// Returns how deeply nested archives are opened, and the field names for tables in them.
    pub(crate) const fn nesting(&self) -> (u32, Option<&'s Schemas>) {
        (self.deepest, self.schemas)
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
        Opened { members: self.members, ..Opened::new(asset, Findings::Archive(self.findings)) }
    }
}

/// Returns what is passed on for a member.
fn failed<'v, 'a>(
    error: impl Into<OpenError>,
    members: &'v [Member<'a>],
    findings: Findings<'v, 'a>,
) -> Failed<'v, 'a> {
    Failed { members, ..Failed::new(error, findings) }
}

/// Why a path cannot continue inside the last of these members.
fn inside<'a>(outermost: &Archive<'a>, members: &[Member<'a>], error: Error) -> OpenError {
    let Some((_, before)) = members.split_last().filter(|(last, _)| !last.is_archive()) else { return error.into() };
    let holder = before.last().map_or(Ok(*outermost), Member::archive);
    if holder.is_ok_and(|holder| holder.is_table()) { OpenError::InsideRecord } else { OpenError::InsideData }
}

/// Returns what is wrong with the header of an archive, if the archive can be opened without it.
pub(super) fn overwritten(source: Source<'_>) -> Option<Error> {
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
