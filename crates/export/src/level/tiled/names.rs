use std::collections::{HashMap, HashSet};

/// Names of devices, which Windows does not allow as file names.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];

/// Maximum length of a name without the suffix that makes it unique; with the suffix it stays below 80.
const MAX_LEN: usize = 60;

/// Assigns file names that are valid on every system, and unique even if case is ignored.
#[derive(Debug, Default)]
pub(super) struct Names {
    taken: HashSet<String>,
    // The last suffix used for each name, so that many equal names do not need a search.
    suffixes: HashMap<String, u32>,
}

impl Names {
    /// Returns the file name for `name` with `suffix`, without an extension.
    pub(super) fn unique(&mut self, name: &[u8], suffix: &str) -> String {
        let safe = |&byte: &u8| if byte.is_ascii_alphanumeric() || byte == b'-' { char::from(byte) } else { '_' };
        let mut stem: String = name.iter().take(MAX_LEN).map(safe).collect();
        // A shell would treat a leading `-` as an option.
        if stem.starts_with('-') {
            stem.replace_range(..1, "_");
        }
        if stem.is_empty() || is_device(&stem.to_ascii_lowercase()) {
            stem.push('_');
        }
        stem.push_str(suffix);
        let mut unique = stem.clone();
        while !self.taken.insert(unique.to_ascii_lowercase()) {
            let last = self.suffixes.entry(stem.to_ascii_lowercase()).or_insert(1);
            *last += 1;
            unique = format!("{stem}-{last}");
        }
        unique
    }
}

fn is_device(stem: &str) -> bool {
    let numbered = |port| stem.strip_prefix(port).is_some_and(|rest| matches!(rest.as_bytes(), [b'0'..=b'9']));
    DEVICES.contains(&stem) || numbered("com") || numbered("lpt")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe_and_unique() {
        let mut names = Names::default();
        assert_eq!(names.unique(b"ACTION", ""), "ACTION");
        assert_eq!(names.unique(b"Action", ""), "Action-2");
        assert_eq!(names.unique(b"ACTION", "-32x16"), "ACTION-32x16");
        assert_eq!(names.unique(b"action-2", ""), "action-2-2");
        assert_eq!(names.unique(b"ACTION", ""), "ACTION-3");
        assert_eq!(names.unique(b"../\\a b\x00\xb3.png", ""), "____a_b___png");
        assert_eq!(names.unique(b"", ""), "_");
        assert_eq!(names.unique(b"\xff", ""), "_-2");
        assert_eq!(names.unique(b"-rf", ""), "_rf");
        assert_eq!(names.unique(b"Nul", ""), "Nul_");
        assert_eq!(names.unique(b"lpt1", ""), "lpt1_");
        assert_eq!(names.unique(b"lpt10", ""), "lpt10");
        assert_eq!(names.unique(&[b'x'; 1000], "").len(), 60);
        assert_eq!(names.unique(&[b'x'; 999], ""), format!("{}-2", "x".repeat(60)));
    }
}
