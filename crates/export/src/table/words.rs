use std::collections::{HashMap, HashSet};

use worldview_wpd::Value;

use super::cells::{Cells, Rows};
use worldview_inspect::utf8;

/// What separates a key from its words.
const SEPARATOR: &str = "|:|";

/// The words for keys such as `$atar_ttl_010`, which tables have instead of texts.
///
/// ```
/// use worldview_export::table::Words;
///
/// let words = Words::parse("$potion |:| Potion\n$ether |:| Ether\n");
/// assert_eq!(words.get("$potion"), Some("Potion"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Words {
    by_key: HashMap<String, String>,
    /// The number of lines that are neither empty nor have words.
    pub unread: u64,
    /// The number of lines with a key that an earlier line has. The last words of a key count.
    pub repeated: u64,
}

impl Words {
    /// Reads lines `key |:| words`, as ZTRtool and chronostasis write them.
    pub fn parse(text: &str) -> Self {
        let mut all = Self::default();
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            match line.split_once(SEPARATOR) {
                Some((key, words)) => {
                    let old = all.by_key.insert(key.trim().to_owned(), words.trim().to_owned());
                    all.repeated = all.repeated.saturating_add(u64::from(old.is_some()));
                }
                None => all.unread = all.unread.saturating_add(1),
            }
        }
        all
    }

    /// Returns whether no key has words.
    pub fn is_empty(&self) -> bool {
        self.by_key.is_empty()
    }

    /// Returns the words for a key.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.by_key.get(key).map(String::as_str)
    }

    /// Returns the words for a key as tables store it.
    pub fn of(&self, key: &[u8]) -> Option<&str> {
        self.get(&utf8(key))
    }

    /// Returns the keys whose words match.
    pub fn keys(&self, matches: impl Fn(&str) -> bool) -> HashSet<String> {
        self.by_key.iter().filter(|(_, words)| matches(words)).map(|(key, _)| key.clone()).collect()
    }

    /// Returns whether a column has a key.
    #[cfg_attr(not(feature = "csv"), allow(dead_code, reason = "only sheets have columns"))]
    pub(super) fn is_of(&self, cells: &Cells<'_, '_>, rows: &Rows) -> bool {
        rows.iter().any(|row| matches!(cells.get(row), Some(Value::Text(Some(text))) if self.of(text).is_some()))
    }
}
