/// The maximum number of texts that one text may stand for.
const MAX_TEXTS: usize = 1024;

/// Returns the texts that a text with alternatives in braces stands for: `a{b,c}` is `ab` and `ac`.
///
/// Braces without a comma stand for themselves, as in a shell. If `has_escapes` is true, a backslash escapes a brace or a comma. It remains in
/// the text, since the parser of paths removes it.
///
/// # Errors
///
/// Returns an error if the text stands for more than 1,024.
pub fn expand_braces(text: &str, has_escapes: bool) -> Result<Vec<String>, String> {
    let (mut done, mut open) = (Vec::new(), vec![(String::new(), text.to_owned())]);
    while let Some((before, rest)) = open.pop() {
        if done.len() + open.len() >= MAX_TEXTS {
            return Err(format!("the braces stand for more than {MAX_TEXTS} paths"));
        }
        let Some(Group { start, end, parts }) = Group::first(&rest, has_escapes) else {
            done.push(before + &rest);
            continue;
        };
        let before = before + &rest[..start];
        // The alternatives may contain braces themselves. The last text is expanded first.
        open.extend(parts.iter().rev().map(|part| (before.clone(), format!("{part}{}", &rest[end..]))));
    }
    Ok(done)
}

/// Alternatives in braces.
struct Group<'t> {
    start: usize,
    end: usize,
    parts: Vec<&'t str>,
}

impl<'t> Group<'t> {
    /// Returns the first braces with a comma that are not inside of others.
    fn first(text: &'t str, has_escapes: bool) -> Option<Self> {
        // For each open brace: its position, and where its alternatives begin.
        let mut open: Vec<(usize, Vec<usize>)> = Vec::new();
        let (mut found, mut is_escaped) = (None::<Self>, false);
        for (at, char) in text.char_indices() {
            match (char, open.last_mut()) {
                _ if is_escaped => {}
                ('{', _) => open.push((at, vec![at + 1])),
                (',', Some((_, parts))) => parts.push(at + 1),
                ('}', Some(_)) => {
                    let (start, parts) = open.pop()?;
                    if parts.len() > 1 && found.as_ref().is_none_or(|found| start < found.start) {
                        let ends = parts[1..].iter().map(|next| next - 1).chain([at]);
                        let parts = parts.iter().zip(ends).map(|(&from, to)| &text[from..to]).collect();
                        found = Some(Self { start, end: at + 1, parts });
                    }
                    if open.is_empty() && found.is_some() {
                        break;
                    }
                }
                _ => {}
            }
            is_escaped = has_escapes && char == '\\' && !is_escaped;
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::expand_braces;

    #[test]
    fn braces_are_expanded_as_in_a_shell() {
        for (text, expected) in [
            ("a", &["a"][..]),
            ("a{b,c}d", &["abd", "acd"]),
            ("{a,b}{1,2}", &["a1", "a2", "b1", "b2"]),
            ("{a,{b,c}x}", &["a", "bx", "cx"]),
            ("x{,y}", &["x", "xy"]),
            ("a{b}c", &["a{b}c"]),
            ("a{b,c", &["a{b,c"]),
            ("{{a,b}", &["{a", "{b"]),
            ("a}{b,c}", &["a}b", "a}c"]),
            (r"\{a,b\}", &[r"\{a,b\}"]),
            (r"{a\,b,c}", &[r"a\,b", "c"]),
            (r"{a\\,b}", &[r"a\\", "b"]),
        ] {
            assert_eq!(expand_braces(text, true).unwrap(), expected, "{text}");
        }
        assert_eq!(expand_braces(r"a\{b,c}", false).unwrap(), [r"a\b", r"a\c"]);
        assert_eq!(expand_braces(&"{0,1}".repeat(10), true).unwrap().len(), 1024);
        assert!(expand_braces(&"{0,1}".repeat(11), true).is_err());
        assert!(expand_braces(&"{0,1}".repeat(5000), true).is_err());
    }
}
