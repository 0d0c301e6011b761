use std::borrow::Cow;
use std::collections::HashSet;

use memchr::memchr2_iter;

use super::bytes::longest_run;
#[cfg(feature = "regex")]
use super::literals;
use crate::glob::{self, Atom};

/// A search pattern: a substring, a glob with `*` and `?` that must match the whole text, or (with the feature `regex`) a
/// regular expression.
///
/// Matching ignores case unless [`exact_case`](Self::exact_case) is set. `*` matches any number of characters,
/// including none, and `?` matches exactly one. With [`literal`](Self::literal), both stand for themselves.
#[derive(Clone, Debug)]
pub struct Pattern {
    given: String,
    exact_case: bool,
    literal: bool,
    /// Whether the pattern contains `*` or `?`.
    has_wildcards: bool,
    names: bool,
    /// Texts that match, whatever the pattern is.
    others: HashSet<String>,
    #[cfg(feature = "regex")]
    regex: Option<regex::Regex>,
    /// The literals of which every text with a match contains at least one.
    #[cfg(feature = "regex")]
    literals: Option<Vec<String>>,
    /// The pattern to compare with, case-folded unless case matters.
    folded: String,
}

impl Pattern {
    /// Creates a pattern from a text.
    pub fn new(text: &str) -> Self {
        Self {
            given: text.to_owned(),
            exact_case: false,
            literal: false,
            has_wildcards: text.contains(['*', '?']),
            names: false,
            others: HashSet::new(),
            #[cfg(feature = "regex")]
            regex: None,
            #[cfg(feature = "regex")]
            literals: None,
            folded: fold(text),
        }
    }

    /// Creates a pattern from regular expressions, any of which may match anywhere in a text. Case is ignored unless
    /// `exact_case` is set.
    ///
    /// # Errors
    ///
    /// Returns the message of the error if one of them is malformed, or if all together are too large.
    #[cfg(feature = "regex")]
    pub fn regex(expressions: &[impl AsRef<str>], exact_case: bool) -> Result<Self, String> {
        let build = |text: &str| regex::RegexBuilder::new(text).case_insensitive(!exact_case).build();
        // Each is checked alone, since the parts of a malformed one could be well-formed together with others.
        for text in expressions {
            build(text.as_ref()).map_err(|error| error.to_string())?;
        }
        let all: Vec<_> = expressions.iter().map(|text| format!("(?:{})", text.as_ref())).collect();
        let regex = build(&all.join("|")).map_err(|error| error.to_string())?;
        let literals = expressions.iter().map(|text| literals::required(text.as_ref(), exact_case));
        let literals = literals.collect::<Option<Vec<_>>>().map(|literals| literals.concat());
        Ok(Self { regex: Some(regex), literals, ..Self::new("") })
    }

    /// Makes searches find names of fields, too, each once for each kind of element, at its first place.
    #[must_use]
    pub const fn names(mut self) -> Self {
        self.names = true;
        self
    }

    /// Makes the pattern match these texts as well, with exactly these letters: keys, for example, whose words match it.
    #[must_use]
    pub fn or_any_of(self, others: HashSet<String>) -> Self {
        Self { others, ..self }
    }

    pub(super) const fn finds_names(&self) -> bool {
        self.names
    }

    /// Returns what a text must contain if it matches, or `None` if that is not known.
    pub(super) fn required(&self) -> Option<Required<'_>> {
        if !self.others.is_empty() {
            return None;
        }
        #[cfg(feature = "regex")]
        if self.regex.is_some() {
            let texts = self.literals.as_ref()?.iter().map(String::as_str).collect();
            return Some(Required { texts, others: literals::OTHERS, is_exact: false });
        }
        let len = |text: &&str| longest_run(text).map_or(0, <[u8]>::len);
        let text = match self.is_glob() {
            true => self.folded.split(['*', '?']).max_by_key(len)?,
            false => &self.folded,
        };
        // Of these characters, i and k are the lower case.
        let others: &[char] = if self.exact_case { &[] } else { &['\u{130}', '\u{212a}'] };
        let has_others = text.contains(['i', 'k']);
        Some(Required { texts: vec![text], others: if has_others { others } else { &[] }, is_exact: self.exact_case })
    }

    /// Makes the pattern case-sensitive.
    #[must_use]
    pub fn exact_case(mut self) -> Self {
        self.exact_case = true;
        self.folded.clone_from(&self.given);
        self
    }

    /// Treats `*` and `?` as ordinary characters.
    #[must_use]
    pub const fn literal(mut self) -> Self {
        self.literal = true;
        self
    }

    /// Returns whether the pattern must match the whole text, because it contains `*` or `?`.
    pub const fn is_glob(&self) -> bool {
        !self.literal && self.has_wildcards
    }

    /// Returns whether the pattern matches a text.
    pub fn matches(&self, text: &str) -> bool {
        if self.others.contains(text) {
            return true;
        }
        #[cfg(feature = "regex")]
        if let Some(regex) = &self.regex {
            return regex.is_match(text);
        }
        let is_glob = self.is_glob();
        if !is_glob && !self.exact_case && text.is_ascii() {
            return contains_folded(text.as_bytes(), self.folded.as_bytes());
        }
        let text = if self.exact_case { Cow::Borrowed(text) } else { fold(text).into() };
        match is_glob {
            true => glob::matches(self.folded.bytes().map(Atom::of), text.as_bytes(), |wanted, found| wanted == found),
            false => text.contains(&self.folded),
        }
    }
}

/// The content that every match of a pattern requires: one of these texts, or one of some characters.
#[derive(Debug)]
pub(super) struct Required<'p> {
    /// The texts, in lower case unless case matters.
    pub(super) texts: Vec<&'p str>,
    /// Characters outside of ASCII that can stand for one of a text.
    pub(super) others: &'static [char],
    /// Whether case matters.
    pub(super) is_exact: bool,
}

/// Returns the text in lower case.
fn fold(text: &str) -> String {
    if text.is_ascii() { text.to_ascii_lowercase() } else { text.chars().flat_map(char::to_lowercase).collect() }
}

/// Returns whether a text of ASCII characters contains another one, which is in lower case.
fn contains_folded(text: &[u8], folded: &[u8]) -> bool {
    let Some(&first) = folded.first() else { return true };
    // Most names of fields are shorter than what is searched for.
    let Some(last) = text.len().checked_sub(folded.len()) else { return false };
    let starts = text.get(..=last).unwrap_or_default();
    let is_at = |at: usize| {
        text.get(at..).and_then(|rest| rest.get(..folded.len())).is_some_and(|here| here.eq_ignore_ascii_case(folded))
    };
    memchr2_iter(first, first.to_ascii_uppercase(), starts).any(is_at)
}

#[cfg(test)]
mod tests {
    use super::Pattern;

    #[test]
    fn a_part_of_a_text_matches_whatever_its_case() {
        for (pattern, text, matches) in [
            ("gold", "TreasureGOLDbar", true),
            ("gold", "gol d", false),
            ("", "anything", true),
            ("ÄRM", "Straßenlärm", true),
            ("Ж", "жук", true),
            ("[a", "x[A]", true),
        ] {
            assert_eq!(Pattern::new(pattern).matches(text), matches, "{pattern} in {text}");
        }
        assert!(Pattern::new("Gold").exact_case().matches("a Gold b"));
        assert!(!Pattern::new("Gold").exact_case().matches("a gold b"));
    }

    #[cfg(feature = "regex")]
    #[test]
    fn expressions_match_anywhere() {
        let matches = |expressions: &[&str], text| Pattern::regex(expressions, false).unwrap().matches(text);
        assert!(matches(&["^it_.*potion$"], "IT_hi_potion") && !matches(&["^it_.*potion$"], "it_potions"));
        assert!(matches(&["nothing", "gr.ß"], "GRÜSSE, Grüße") && !matches(&["a", "b"], "c"));
        assert!(!Pattern::regex(&["IT"], true).unwrap().matches("it"));
        // Neither is an expression, though both together would be one.
        assert!(Pattern::regex(&["a)", "(b"], false).is_err());
    }

    #[test]
    fn a_glob_matches_all_of_a_text() {
        for (pattern, text, matches) in
            [("gold*", "GOLDBAR", true), ("gold*", "a goldbar", false), ("G?LD", "gÄld", true), ("Ä*", "äh", true)]
        {
            assert_eq!(Pattern::new(pattern).matches(text), matches, "{pattern} in {text}");
        }
        assert!(
            Pattern::new("G?ld").exact_case().matches("Gäld") && !Pattern::new("g?ld").exact_case().matches("Gold")
        );
        assert!(!Pattern::new("a*b").literal().matches("axb"));
        assert!(Pattern::new("a*b").literal().matches("xA*Bx"));
    }
}
