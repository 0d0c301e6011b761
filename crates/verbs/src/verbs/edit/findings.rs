//! The findings of `check` in a file that was edited or built.

use std::collections::BTreeMap;
use std::fmt;
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
    let is_new = |(found, count): &(Found, u64)| before.get(found).is_none_or(|before| before < count);
    let mut new: Vec<_> = after.into_iter().filter(is_new).map(|(found, _)| found).collect();
    // The account says some, with what can be done about them.
    let said: Vec<_> = patches.account().entries().map(|entry| entry.code.name).collect();
    let count = |code: &str, all: &[&str]| all.iter().filter(|other| **other == code).count();
    let codes: Vec<_> = new.iter().map(|found| found.code).collect();
    new.retain(|found| count(found.code, &said) < count(found.code, &codes));
    listed(new)
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
fn listed(findings: Vec<Found>) -> Vec<String> {
    let more = findings.len().saturating_sub(MAX_LISTED);
    let mut listed: Vec<_> = findings.iter().take(MAX_LISTED).map(Found::to_string).collect();
    if more > 0 {
        listed.push(format!("{more} more, which `worldview check` lists"));
    }
    listed
}

fn not_checked() -> String {
    format!("files of more than {MAX_CHECKED} bytes are not checked; `worldview check` does")
}

/// A finding, or a part that cannot be read, which has no code.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::verbs) struct Found {
    text: String,
    code: &'static str,
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.code {
            "" => f.write_str(&self.text),
            code => write!(f, "{} [{code}]", self.text),
        }
    }
}

/// Returns the findings of a file of at least a severity, and how many there are of each.
pub(in crate::verbs) fn findings(options: &Options, bytes: &[u8], name: &str, least: Severity) -> BTreeMap<Found, u64> {
    let mut found = BTreeMap::<Found, u64>::new();
    let mut look = |opened: &worldview::Opened<'_>| {
        let mut note = |finding: &worldview::AnyFinding<'_, '_>| {
            if finding.kind.severity() >= least {
                let text = format!("{}: {}", finding.place, finding.kind);
                *found.entry(Found { text, code: finding.kind.code() }).or_default() += 1;
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
                Err(failed) => {
                    let text = format!("{}: {}", part.names().join("/"), failed.error);
                    unreadable.push(Found { text, code: "" });
                }
            }
        }
    }
    unreadable.into_iter().for_each(|part| *found.entry(part).or_default() += 1);
    found
}
