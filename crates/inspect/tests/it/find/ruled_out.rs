//! What the bytes of a file rule out is nowhere in its texts.

use std::collections::BTreeSet;

use worldview_core::Source;
use worldview_core::describe::Describe;
use worldview_corpus::ff13::generate::generic;
use worldview_corpus::samples;
use worldview_corpus::wwd::build::build;
use worldview_corpus::wwd::generate::edge_cases;
use worldview_inspect::find::{Pattern, search};
use worldview_inspect::{Options, Root};
use worldview_wpd::Table;
use worldview_wwd::{Level, LevelDescription, unpack};

use super::support::Found;

fn found(format: &str, source: Source<'_>, body: &dyn Describe, pattern: &Pattern) -> Vec<Found> {
    let mut all = Vec::new();
    let root = Root::new(format, source, body);
    let unread = search(&root, pattern, &Options::default(), &mut |hit| all.push(Found::from(hit))).unwrap();
    assert_eq!(unread, None);
    all
}

/// Searches for parts of all texts and names, as they are and changed, and without a look at the bytes, as in files of
/// other formats. Returns the number of patterns with and without a match.
fn check(format: &str, source: Source<'_>, body: &dyn Describe) -> [usize; 2] {
    let texts = found("", source, body, &Pattern::new("").names());
    let mut patterns = BTreeSet::from(["potion".to_owned(), "\u{212a}ey".to_owned(), "\\x8".to_owned()]);
    for text in texts.iter().step_by(texts.len() / 12 + 1).map(|found| found.text.as_str()) {
        let half: String = text.chars().skip(text.chars().count() / 3).take(6).collect();
        let changed = text.replacen(|char: char| char.is_ascii_lowercase(), "q", 1);
        let glob = format!("*{}?", text.chars().take(5).collect::<String>());
        patterns.extend([text.to_owned(), text.to_uppercase(), half, changed, glob]);
    }
    let mut counts = [0; 2];
    for text in patterns {
        for pattern in [Pattern::new(&text), Pattern::new(&text).exact_case(), Pattern::new(&text).names()] {
            let all = found("", source, body, &pattern);
            assert_eq!(found(format, source, body, &pattern), all, "{text:?}");
            counts[usize::from(all.is_empty())] += 1;
        }
    }
    counts
}

#[test]
fn bytes_without_the_pattern_have_no_text_with_it() {
    let mut files: Vec<_> = samples().into_iter().map(|(_, file)| file).collect();
    files.extend(edge_cases().into_iter().step_by(3).map(|(_, spec)| build(&spec).bytes));
    files.extend((0..6).map(|seed| generic(seed, 8)));
    let mut counts = [0; 2];
    for file in files {
        let [with, without] = if let Ok(table) = Table::parse(&file) {
            check("wdb", table.archive().source(), &table)
        } else if let Ok(image) = unpack(&file) {
            let Ok(level) = Level::parse(&image) else { continue };
            check("wwd", level.image(), &LevelDescription::new(&image, &level))
        } else {
            continue;
        };
        counts = [counts[0] + with, counts[1] + without];
    }
    assert!(counts.iter().all(|count| *count > 200), "{counts:?}");
}
