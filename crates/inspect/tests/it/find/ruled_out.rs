//! What the bytes of a file rule out is nowhere in its texts.

use std::collections::BTreeSet;

use worldview_core::Source;
use worldview_core::describe::Describe;
use worldview_corpus::ff13::generate::generic;
use worldview_corpus::samples;
use worldview_corpus::wwd::build::build;
use worldview_corpus::wwd::generate::edge_cases;
use worldview_inspect::find::Pattern;
use worldview_wpd::Table;
use worldview_wwd::{Level, LevelDescription, unpack};

use super::support::{Found, found};

/// Searches for parts of all texts and names, as they are and changed, and compares the hits with all texts that match. Returns
/// the number of patterns with and without a match.
fn check(source: Source<'_>, body: &dyn Describe) -> [usize; 2] {
    // Nothing is ruled out for a pattern that every text matches.
    let texts = [Pattern::new(""), Pattern::new("").names()].map(|every| found(source, body, &every));
    let mut patterns = BTreeSet::from(["potion".to_owned(), "\u{212a}ey".to_owned(), "\\x8".to_owned()]);
    for text in texts[1].iter().step_by(texts[1].len() / 12 + 1).map(|found| found.text.as_str()) {
        let half: String = text.chars().skip(text.chars().count() / 3).take(6).collect();
        let changed = text.replacen(|char: char| char.is_ascii_lowercase(), "q", 1);
        let glob = format!("*{}?", text.chars().take(5).collect::<String>());
        patterns.extend([text.to_owned(), text.to_uppercase(), half, changed, glob]);
    }
    let mut counts = [0; 2];
    for text in patterns {
        for pattern in [Pattern::new(&text), Pattern::new(&text).exact_case()] {
            for (texts, pattern) in texts.iter().zip([pattern.clone(), pattern.names()]) {
                let is_match = |hit: &&Found| pattern.matches(&hit.text);
                let expected: Vec<_> = texts.iter().filter(is_match).cloned().collect();
                assert_eq!(found(source, body, &pattern), expected, "{text:?}");
                counts[usize::from(expected.is_empty())] += 1;
            }
        }
    }
    counts
}

#[test]
fn strings_may_lie_in_the_bytes_of_records() {
    let (_, mut file) = samples().into_iter().find(|(name, _)| *name == "items.wdb").unwrap();
    // An entry has a name of 16 bytes, offset and size. Now the strings begin at the first entry, and the first field of each record
    // is the name of the next one.
    let offset = |file: &[u8], entry: usize| u32::from_be_bytes(file[entry + 16..entry + 20].try_into().unwrap());
    let entry = |file: &[u8], name: &[u8]| file.windows(name.len()).position(|bytes| bytes == name).unwrap();
    let names: Vec<_> = Table::parse(&file).unwrap().rows().map(|row| row.name().to_vec()).collect();
    for pair in names.windows(2) {
        let [record, next] = [&pair[0], &pair[1]].map(|name| entry(&file, &[name, &b"\0"[..]].concat()));
        let data = offset(&file, record) as usize;
        file[data..data + 4].copy_from_slice(&u32::try_from(next - 16).unwrap().to_be_bytes());
    }
    let (pool, len) = (entry(&file, b"!!string\0"), u32::try_from(file.len() - 16).unwrap());
    // Nothing else has the names.
    let old = offset(&file, pool) as usize;
    let old_len = u32::from_be_bytes(file[pool + 20..pool + 24].try_into().unwrap()) as usize;
    file[old..old + old_len].fill(0);
    file[pool + 16..pool + 24].copy_from_slice(&[16_u32.to_be_bytes(), len.to_be_bytes()].concat());
    let table = Table::parse(&file).unwrap();
    for name in &names[1..] {
        let hits = found(table.archive().source(), &table, &Pattern::new(std::str::from_utf8(name).unwrap()));
        assert!(hits.len() >= 2, "{hits:?}");
    }
}

#[test]
fn bytes_without_the_pattern_have_no_text_with_it() {
    let mut files: Vec<_> = samples().into_iter().map(|(_, file)| file).collect();
    files.extend(edge_cases().into_iter().step_by(3).map(|(_, spec)| build(&spec).bytes));
    files.extend((0..6).map(|seed| generic(seed, 8)));
    let mut counts = [0; 2];
    for file in files {
        let [with, without] = if let Ok(table) = Table::parse(&file) {
            check(table.archive().source(), &table)
        } else if let Ok(image) = unpack(&file) {
            let Ok(level) = Level::parse(&image) else { continue };
            check(level.image(), &LevelDescription::new(&image, &level))
        } else {
            continue;
        };
        counts = [counts[0] + with, counts[1] + without];
    }
    assert!(counts.iter().all(|count| *count > 200), "{counts:?}");
}
