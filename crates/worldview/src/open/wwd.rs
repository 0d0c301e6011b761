//! Levels.

use worldview_core::{Error, Source};
use worldview_wwd::{Finding, FindingKind, Level, Unpacker};

use super::{Options, with_findings};
use crate::asset::{Asset, Failed, Findings, Opened};

/// Opens a level, or its headers.
pub(super) fn level<'a>(
    bytes: &'a [u8],
    image: &'a mut Vec<u8>,
    options: &Options,
    unpacker: Unpacker,
) -> Result<Opened<'a>, Failed<'a>> {
    if options.outline {
        return Ok(Asset::Outline(unpacker.outline(bytes, image)?).into());
    }
    let mut findings = Vec::new();
    let mut note = |finding| findings.push(finding);
    let filled =
        if options.lossy { unpacker.fill(bytes, image, Some(&mut note)) } else { unpacker.fill(bytes, image, None) };
    let file = match filled {
        Ok(filled) => filled.over(image),
        Err(error) => return with_findings(Err(error), Findings::Level(findings)),
    };
    let source = Source::new(file.image().unwrap_or_default(), file.space());
    let level = if options.lossy {
        Level::parse_lossy(source, &mut |finding| findings.push(finding))
    } else {
        Level::parse(source)
    };
    with_findings(level.map(|level| Asset::Level(level, file)), Findings::Level(findings))
}

/// Returns what is broken before a level cannot be opened: the end of its compressed data explains more than what is missing after it.
pub(crate) fn cause(findings: &[Finding<'_>]) -> Option<Error> {
    findings.iter().find_map(|finding| match finding.kind {
        FindingKind::Broken { kind } => Some(super::as_error(finding, kind)),
        _ => None,
    })
}
