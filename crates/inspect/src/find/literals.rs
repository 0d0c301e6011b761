//! The literals that every text with a match of a regular expression contains.

use regex_syntax::ParserBuilder;
use regex_syntax::hir::literal::Extractor;
use regex_syntax::hir::{Hir, HirKind};

use super::bytes::longest_run;

/// Characters outside of ASCII that expressions treat like a letter of ASCII if case does not matter: the Kelvin sign and the
/// long s.
pub(super) const OTHERS: &[char] = &['\u{212a}', '\u{17f}'];

/// The maximum number of parts of an expression that are looked at together.
const WINDOW: usize = 12;

/// Returns texts in lower case, one of which is in every text that has a match, if case and [others](OTHERS) do not matter. Returns
/// `None` if none are known that are long enough.
pub(super) fn required(expression: &str, exact_case: bool) -> Option<Vec<String>> {
    let hir = ParserBuilder::new().case_insensitive(!exact_case).build().parse(expression).ok()?;
    best(&hir)
}

fn best(hir: &Hir) -> Option<Vec<String>> {
    match hir.kind() {
        HirKind::Capture(capture) => best(&capture.sub),
        HirKind::Repetition(repetition) if repetition.min > 0 => best(&repetition.sub),
        HirKind::Alternation(parts) => Some(parts.iter().map(best).collect::<Option<Vec<_>>>()?.concat()),
        // Each part is required.
        HirKind::Concat(parts) => {
            let runs = (0..parts.len()).filter_map(|from| {
                let part = parts.get(from..)?;
                beginning(&Hir::concat(part.get(..WINDOW).unwrap_or(part).to_vec()))
            });
            let inner = parts.iter().filter(|part| !matches!(part.kind(), HirKind::Literal(_) | HirKind::Class(_)));
            runs.chain(inner.filter_map(best)).max_by_key(|texts| shortest(texts))
        }
        _ => beginning(hir),
    }
}

/// Returns the texts with which a match begins.
fn beginning(hir: &Hir) -> Option<Vec<String>> {
    let seq = Extractor::new().extract(hir);
    let mut texts = Vec::new();
    for literal in seq.literals()? {
        let text = std::str::from_utf8(literal.as_bytes()).ok()?;
        if !text.contains(OTHERS) {
            texts.push(text.to_ascii_lowercase());
        }
    }
    texts.sort_unstable();
    texts.dedup();
    (shortest(&texts) > 0).then_some(texts)
}

/// Returns the length of the shortest run of all texts, or 0 if one has none.
fn shortest(texts: &[String]) -> usize {
    texts.iter().map(|text| longest_run(text).map_or(0, <[u8]>::len)).min().unwrap_or(0)
}
