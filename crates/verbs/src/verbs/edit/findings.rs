//! The findings of `check` in a file that was edited or built.

use std::collections::BTreeMap;
use std::sync::Arc;

use worldview::wpd::Schemas;
use worldview::{Options, Severity, Walk, open};
use worldview_edit::Patches;

use super::Original;
use crate::inputs;

/// Maximum size of a file that is checked after it was edited: it is in memory twice for that.
const MAX_CHECKED: u64 = 1 << 28;

/// Maximum number of new findings that are printed.
const MAX_LISTED: usize = 20;

/// Returns the suspicious and fatal findings that an edited file has and the original had not.
pub(super) fn new_findings(original: &Original<'_>, patches: &Patches<'_>) -> Vec<String> {
    let name = inputs::last_name(&original.input.path);
    if patches.len() > MAX_CHECKED {
        return vec![not_checked()];
    }
    let options = Options { schemas: original.schemas.cloned(), ..original.open.to_options() };
    let findings = |bytes: &[u8]| findings(&options, bytes, &name, Severity::Suspicious);
    let (before, after) = (findings(original.bytes), findings(&patches.to_vec()));
    // The account may say the same, and more.
    let codes: Vec<_> = patches.account().entries().map(|entry| format!("[{}]", entry.code.name)).collect();
    let is_said = |text: &str| codes.iter().any(|code| text.ends_with(code));
    let new = after.into_iter().filter(|(text, count)| before.get(text).copied().unwrap_or(0) < *count);
    let new = new.filter(|(text, _)| !is_said(text));
    listed(new.map(|(text, _)| text).collect())
}

/// Returns the suspicious and fatal findings of a new file.
pub(in crate::verbs) fn findings_of_new(bytes: &[u8], name: &str, schemas: Option<&Arc<Schemas>>) -> Vec<String> {
    if bytes.len() as u64 > MAX_CHECKED {
        return vec![not_checked()];
    }
    let options = Options { schemas: schemas.cloned(), ..Options::new() };
    listed(findings(&options, bytes, name, Severity::Suspicious).into_keys().collect())
}

/// Shortens a long list, and says by how much.
fn listed(mut findings: Vec<String>) -> Vec<String> {
    let more = findings.len().saturating_sub(MAX_LISTED);
    if more > 0 {
        findings.truncate(MAX_LISTED);
        findings.push(format!("{more} more, which `worldview check` lists"));
    }
    findings
}

fn not_checked() -> String {
    format!("files of more than {MAX_CHECKED} bytes are not checked; `worldview check` does")
}

/// Returns the findings of a file of at least a severity, and how many there are of each.
pub(in crate::verbs) fn findings(
    options: &Options,
    bytes: &[u8],
    name: &str,
    least: Severity,
) -> BTreeMap<String, u64> {
    let mut found = BTreeMap::<String, u64>::new();
    let mut look = |opened: &worldview::Opened<'_>| {
        let mut note = |finding: &worldview::AnyFinding<'_, '_>| {
            if finding.kind.severity() >= least {
                let text = format!("{}: {} [{}]", finding.place, finding.kind, finding.kind.code());
                *found.entry(text).or_default() += 1;
            }
        };
        opened.findings.each(&mut note);
        opened.asset.check(&mut note);
    };
    let (mut image, mut nested, mut unreadable) = (Vec::new(), Vec::new(), Vec::new());
    if let Ok(opened) = open(bytes, name, &mut image, options) {
        look(&opened);
        let mut walk = Walk::new(&opened.asset, opened.at, options);
        while let Some(part) = walk.next(&mut nested) {
            match &part.opened {
                Ok(opened) => look(opened),
                Err(failed) => unreadable.push(format!("{}: {}", part.names().join("/"), failed.error)),
            }
        }
    }
    unreadable.into_iter().for_each(|text| *found.entry(text).or_default() += 1);
    found
}
