//! Archives and tables.

use worldview_core::{Error, ErrorKind, Limit, Source};
use worldview_wpd::{Archive, Finding, FindingKind, NameOrigin, Schemas, Table, TableOptions};

use super::Options;
use crate::OpenError;
use crate::asset::{Asset, Failed, Findings, Opened, SchemaNote};

/// Opens an archive or a table that is a file of its own, whose header may be recovered, with a copy in `copy` if entries have
/// to be rebuilt.
pub(super) fn file<'a>(
    source: Source<'a>,
    name: &str,
    copy: &'a mut Vec<u8>,
    options: &'a Options,
) -> Result<Opened<'a>, Failed<'a>> {
    let mut findings = Vec::new();
    match outermost(source, copy, options, &mut findings) {
        Ok(archive) => opened(archive, findings, name, options),
        Err(error) => Err(Failed { error, findings: Findings::Archive(findings) }),
    }
}

fn outermost<'a>(
    source: Source<'a>,
    copy: &'a mut Vec<u8>,
    options: &Options,
    findings: &mut Vec<Finding<'a>>,
) -> Result<Archive<'a>, OpenError> {
    let mut note = |finding| findings.push(finding);
    if !options.recover {
        let archive = if options.lossy { Archive::parse_lossy(source, &mut note) } else { Archive::parse(source) };
        return archive.map_err(|error| match overwritten(source) {
            Some(_) => OpenError::Overwritten { error, is_known: true },
            None => OpenError::Format(error),
        });
    }
    copy.clear();
    let archive = Archive::recover_in(source.bytes(), copy, &mut note).map_err(OpenError::Unrecoverable)?;
    match findings.iter().filter(|_| !options.lossy).find_map(as_error) {
        Some(error) => Err(OpenError::Format(error)),
        None => Ok(archive),
    }
}

/// Opens an archive or a table that is a member of an archive.
pub(super) fn member<'a>(source: Source<'a>, name: &str, options: &'a Options) -> Result<Opened<'a>, Failed<'a>> {
    if options.max_depth == 0 {
        let kind = ErrorKind::Limit { of: Limit::Depth, need: 1, limit: 0 };
        return Err(source.error(kind, "depth of nested archive", 0).into());
    }
    let mut findings = Vec::new();
    let archive = if options.lossy {
        Archive::parse_lossy(source, &mut |finding| findings.push(finding))
    } else {
        Archive::parse(source)
    };
    match archive {
        Ok(archive) => opened(archive, findings, name, options),
        Err(error) => Err(Failed { error: error.into(), findings: Findings::Archive(findings) }),
    }
}

/// Opens what is a table as one.
pub(crate) fn opened<'a>(
    archive: Archive<'a>,
    mut findings: Vec<Finding<'a>>,
    name: &str,
    options: &'a Options,
) -> Result<Opened<'a>, Failed<'a>> {
    if !archive.is_table() {
        return Ok(Opened { findings: Findings::Archive(findings), ..Asset::Archive(archive).into() });
    }
    let schemas = options.schemas.as_deref();
    let tables = TableOptions::new().file_name(name);
    let tables = schemas.map_or(tables, |schemas| tables.schemas(schemas));
    let table = if options.lossy {
        tables.table_lossy(archive, &mut |finding| findings.push(finding))
    } else {
        tables.table(archive)
    };
    let schema = schemas.zip(table.as_ref().ok()).and_then(|(schemas, table)| schema_note(table, name, schemas));
    let opened = super::with_findings(table.map(Asset::Table), Findings::Archive(findings))?;
    Ok(Opened { schema, ..opened })
}

fn schema_note<'a>(table: &Table<'a>, name: &str, given: &'a Schemas) -> Option<SchemaNote<'a>> {
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

/// Returns what is wrong with the header of an archive, if the archive can be opened without it.
pub(super) fn overwritten(source: Source<'_>) -> Option<Error> {
    let error = Archive::parse_lossy(source, &mut |_| {}).err()?;
    let is_recoverable = Archive::recover(source, &mut |_| {}).is_ok() || Archive::can_rebuild(source.bytes());
    is_recoverable.then_some(error)
}

/// Converts a finding of recovery into the corresponding error of strict opening.
fn as_error(finding: &Finding<'_>) -> Option<Error> {
    let FindingKind::Broken { kind } = finding.kind else { return None };
    Some(super::as_error(finding, kind))
}
