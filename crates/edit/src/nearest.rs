//! The known text that a mistyped one may stand for.

/// The number of characters of a text that are compared.
const MAX_LENGTH: usize = 64;

/// The number of texts that are compared.
const MAX_COMPARED: usize = 10_000;

/// Returns the text that differs least from another, and in how many characters: added, missing, wrong or swapped ones.
///
/// At most 10,000 texts are compared, and 64 characters of each.
pub fn nearest<T: AsRef<str>>(text: &str, others: impl IntoIterator<Item = T>) -> Option<(usize, T)> {
    let short = |text: &str| text.chars().take(MAX_LENGTH).collect::<String>();
    let text = short(text);
    let distance = |other: T| (strsim::damerau_levenshtein(&text, &short(other.as_ref())), other);
    let others = others.into_iter().take(MAX_COMPARED).map(distance);
    others.min_by(|(one, left), (two, right)| one.cmp(two).then_with(|| left.as_ref().cmp(right.as_ref())))
}

/// Returns the name that somebody may have meant by `text`: the same name in another case, a file name whose extension is left out, the
/// only name that begins with the text or contains it, or a name with a typing error. A single letter only means a name in another case.
pub fn meant<'n>(text: &str, names: impl Iterator<Item = &'n str> + Clone) -> Option<&'n str> {
    let is_start = |name: &&str| name.get(..text.len()).is_some_and(|start| start.eq_ignore_ascii_case(text));
    let stem = |name: &&str| name.rsplit_once('.').is_some_and(|(stem, _)| stem.eq_ignore_ascii_case(text));
    let exact = names.clone().find(|name| name.eq_ignore_ascii_case(text)).or_else(|| names.clone().find(stem));
    if text.chars().count() < 2 {
        return exact;
    }
    let mut starts = names.clone().filter(is_start);
    let only_start = starts.next().filter(|first| starts.all(|other| other == *first));
    // A longer part of a name is enough if no other name has it.
    let is_part = |name: &&str| text.len() > 3 && contains(name, text);
    let mut parts = names.clone().filter(is_part);
    let only_part = parts.next().filter(|first| parts.all(|other| other == *first));
    let limit = if text.len() < 4 { 1 } else { 2 };
    let typed = || nearest(text, names).filter(|(distance, _)| *distance <= limit).map(|(_, name)| name);
    exact.or(only_start).or_else(typed).or(only_part)
}

fn contains(name: &str, part: &str) -> bool {
    name.as_bytes().windows(part.len()).any(|window| window.eq_ignore_ascii_case(part.as_bytes()))
}
