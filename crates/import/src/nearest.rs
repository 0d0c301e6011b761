//! The known text that a mistyped one may stand for.

/// The number of characters of a text that are compared, and that messages show.
pub(crate) const MAX_SHOWN: usize = 64;

/// The number of texts that are compared.
const MAX_COMPARED: usize = 10_000;

/// Returns the text that differs least from another, and in how many characters: added, missing, wrong or swapped ones.
pub(crate) fn nearest<T: AsRef<str>>(text: &str, others: impl IntoIterator<Item = T>) -> Option<(usize, T)> {
    let short = |text: &str| text.chars().take(MAX_SHOWN).collect::<String>();
    let text = short(text);
    let distance = |other: T| (strsim::damerau_levenshtein(&text, &short(other.as_ref())), other);
    let others = others.into_iter().take(MAX_COMPARED).map(distance);
    others.min_by(|(one, left), (two, right)| one.cmp(two).then_with(|| left.as_ref().cmp(right.as_ref())))
}
