/// What to look for: a part of a text, or with `*` and `?` the shape of all of it.
///
/// Upper and lower case are the same, unless [`exact_case`](Self::exact_case) says otherwise. Where the pattern has `*`
/// (anything, also nothing) or `?` (one character), all of a text must match; [`literal`](Self::literal) takes them as
/// they are.
#[derive(Clone, Debug)]
pub struct Pattern {
    given: String,
    exact_case: bool,
    literal: bool,
    /// What is looked for, its case gone unless it matters.
    folded: String,
}

impl Pattern {
    /// A pattern of this text.
    pub fn new(text: &str) -> Self {
        Self { given: text.to_owned(), exact_case: false, literal: false, folded: fold(text) }
    }

    /// The same pattern, to which upper and lower case are different.
    #[must_use]
    pub fn exact_case(mut self) -> Self {
        self.exact_case = true;
        self.folded.clone_from(&self.given);
        self
    }

    /// The same pattern, whose `*` and `?` are no more than that.
    #[must_use]
    pub const fn literal(mut self) -> Self {
        self.literal = true;
        self
    }

    /// Whether all of a text must match, since the pattern has `*` or `?`.
    pub fn is_glob(&self) -> bool {
        !self.literal && self.given.contains(['*', '?'])
    }

    /// Whether the pattern matches a text.
    pub fn matches(&self, text: &str) -> bool {
        let folded;
        let text = if self.exact_case {
            text
        } else {
            folded = fold(text);
            &folded
        };
        if self.is_glob() { glob(&self.folded, text) } else { text.contains(&self.folded) }
    }
}

/// The text without its case.
fn fold(text: &str) -> String {
    if text.is_ascii() { text.to_ascii_lowercase() } else { text.chars().flat_map(char::to_lowercase).collect() }
}

/// Whether all of a text has the shape of a pattern; only the last `*` is ever taken back, so the time is the product of
/// the lengths at the most.
fn glob(pattern: &str, text: &str) -> bool {
    let (mut pattern, mut text) = (pattern.chars(), text.chars());
    // Behind the last `*`, and what it has not taken of the text.
    let mut last_star = None;
    loop {
        let rest_of_text = text.clone();
        match (pattern.next(), text.next()) {
            (Some('*'), _) => {
                text = rest_of_text;
                last_star = Some((pattern.clone(), text.clone()));
                continue;
            }
            (None, None) => return true,
            (Some('?'), Some(_)) => continue,
            (Some(wanted), Some(found)) if wanted == found => continue,
            _ => {}
        }
        // One character more for the star.
        let Some((behind, taken)) = &mut last_star else { return false };
        if taken.next().is_none() {
            return false;
        }
        (pattern, text) = (behind.clone(), taken.clone());
    }
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

    #[test]
    fn a_glob_matches_all_of_a_text() {
        for (pattern, text, matches) in [
            ("gold*", "GOLDBAR", true),
            ("gold*", "a goldbar", false),
            ("*bar", "goldbar", true),
            ("*bar", "bars", false),
            ("g?ld", "gäld", true),
            ("g?ld", "gld", false),
            ("*a*b*", "xxaxxbxx", true),
            ("*a*b*", "xxbxxa", false),
            ("*ab", "aab", true),
            ("*ab*ab", "abxab", true),
            ("*ab*ab", "ab", false),
            ("*", "", true),
            ("?", "", false),
            ("**", "x", true),
            ("a*?", "a", false),
        ] {
            let found = Pattern::new(pattern).matches(text);
            assert_eq!(found, matches, "{pattern} in {text}");
        }
        assert!(!Pattern::new("a*b").literal().matches("axb"));
        assert!(Pattern::new("a*b").literal().matches("xA*Bx"));
    }
}
