//! `--record` and `--field`: the records and fields of tables that are printed.

use std::collections::{BTreeSet, HashSet};

use worldview_import::nearest;

use crate::only::Pattern;
use crate::run::Run;

/// The patterns of an option, and which of them matched anything in any table.
#[derive(Debug)]
pub(crate) struct Chosen {
    option: &'static str,
    patterns: Vec<(String, Pattern, bool)>,
    /// Names that were there instead, to say what may be meant.
    names: BTreeSet<String>,
}

impl Chosen {
    /// How many names are kept.
    const MAX_NAMES: usize = 10_000;

    pub(crate) fn new(option: &'static str, patterns: &[String]) -> Self {
        let pattern = |text: &String| (text.clone(), Pattern::plain(text), false);
        Self { option, patterns: patterns.iter().map(pattern).collect(), names: BTreeSet::new() }
    }

    /// Returns the names that the patterns match, in the order of the patterns, or `None` if there are none, so that everything
    /// is chosen.
    pub(crate) fn of<'t>(&mut self, names: impl FnOnce() -> Vec<&'t [u8]>) -> Option<Vec<&'t [u8]>> {
        if self.patterns.is_empty() {
            return None;
        }
        let names = names();
        let (mut chosen, mut known) = (Vec::new(), HashSet::new());
        for (_, pattern, is_found) in &mut self.patterns {
            for &name in names.iter().filter(|name| pattern.matches(name)) {
                *is_found = true;
                if known.insert(name) {
                    chosen.push(name);
                }
            }
        }
        let room = Self::MAX_NAMES.saturating_sub(self.names.len());
        self.names.extend(names.iter().take(room).map(|name| String::from_utf8_lossy(name).into_owned()));
        Some(chosen)
    }

    /// Reports the patterns that nothing matched.
    pub(crate) fn say_unmatched(&self, run: &mut Run<'_>) {
        for (text, ..) in self.patterns.iter().filter(|(_, _, found)| !found) {
            let meant = nearest::meant(text, self.names.iter().map(String::as_str));
            let meant = meant.map_or(String::new(), |name| format!("; did you mean {name}?"));
            run.refused(self.option, &format_args!("nothing in these tables matches {text}{meant}"));
        }
    }
}
