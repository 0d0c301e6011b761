//! What the bytes of a file rule out is nowhere in its texts.

use worldview_corpus::ff13::build::build_table;
use worldview_corpus::ff13::generate::{generic, small_table};
use worldview_corpus::rng::Rng;
use worldview_corpus::samples;
use worldview_corpus::wwd::build::build;
use worldview_corpus::wwd::generate::edge_cases;
use worldview_corpus::wwd::spec::{LevelSpec, ObjectSpec, PlaneSpec};
use worldview_inspect::find::{self, Pattern};
use worldview_inspect::{Encoding, Options, Root};
use worldview_wpd::Table;

use super::support::{Found, in_table};
use crate::open::{self, Described};

/// Searches with a code page.
fn found_in((source, body): Described<'_>, pattern: &Pattern, encoding: Encoding) -> Vec<Found> {
    let mut all = Vec::new();
    let (root, options) = (Root::new("", source, body), Options { encoding, ..Options::default() });
    find::search(&root, pattern, &options, &mut |hit| all.push(Found::from(hit))).unwrap();
    all
}

/// Returns an expression that matches a text as it is.
#[cfg(feature = "regex")]
fn escaped(text: &str) -> String {
    text.chars().flat_map(|char| char.is_ascii_punctuation().then_some('\\').into_iter().chain([char])).collect()
}

/// Returns patterns that match a text, and some that do not.
fn patterns_for(text: &str, rng: &mut Rng) -> Vec<Pattern> {
    let len = u32::try_from(text.chars().count()).unwrap();
    let mut part = |most: u32| -> String {
        let start = rng.below(len) as usize;
        text.chars().skip(start).take(1 + rng.below(most) as usize).collect()
    };
    let half: String = text.chars().skip(text.chars().count() / 3).take(6).collect();
    let changed = text.replacen(|char: char| char.is_ascii_lowercase(), "q", 1);
    let glob = format!("*{}?", text.chars().take(5).collect::<String>());
    let parts = [text.to_owned(), text.to_uppercase(), half, changed, glob, part(8), part(8), format!("*{}*", part(6))];
    let mut patterns = Vec::new();
    patterns.extend(parts.iter().flat_map(|text| [Pattern::new(text), Pattern::new(text).exact_case()]));
    #[cfg(feature = "regex")]
    let [one, other] = [escaped(&part(8)), escaped(&part(8))];
    #[cfg(feature = "regex")]
    for expression in [
        format!("^{}", escaped(text)),
        format!("{one}|{other}x"),
        format!(".*{one}.?"),
        format!("(?i:{one})[a-c]?"),
        format!("({one})+|[^a]{other}$"),
    ] {
        patterns.extend([false, true].map(|exact_case| Pattern::regex(&[&expression], exact_case).unwrap()));
    }
    patterns
}

/// Searches for parts of all texts and names, as they are and changed, and compares the hits with all texts that match. Returns
/// the number of patterns with and without a match.
fn check(described: Described<'_>, encoding: Encoding) -> [usize; 2] {
    // Nothing is ruled out for a pattern that every text matches.
    let texts = [Pattern::new(""), Pattern::new("").names()].map(|every| found_in(described, &every, encoding));
    let mut rng = Rng::new(texts[1].len() as u64);
    let mut patterns: Vec<_> = ["potion", "\u{212a}ey", "\\x8", "x8f"].map(Pattern::new).into();
    for text in texts[1].iter().step_by(texts[1].len() / 6 + 1) {
        patterns.extend(patterns_for(&text.text, &mut rng));
    }
    let mut counts = [0; 2];
    for pattern in patterns {
        for (texts, pattern) in texts.iter().zip([pattern.clone(), pattern.clone().names()]) {
            let is_match = |hit: &&Found| pattern.matches(&hit.text);
            let expected: Vec<_> = texts.iter().filter(is_match).cloned().collect();
            assert_eq!(found_in(described, &pattern, encoding), expected, "{pattern:?}");
            counts[usize::from(expected.is_empty())] += 1;
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
    for name in &names[1..] {
        let hits = in_table(&file, &Pattern::new(std::str::from_utf8(name).unwrap()));
        assert!(hits.len() >= 2, "{hits:?}");
    }
}

/// Returns whether a search finds the name of an object.
fn is_found(name: &[u8], pattern: &Pattern, label: &str) -> bool {
    let mut plane = PlaneSpec::empty(b"plane", 64, 2, 2);
    plane.objects = vec![ObjectSpec::default(), ObjectSpec { name: name.to_vec(), ..ObjectSpec::default() }];
    let file = build(&LevelSpec { planes: vec![plane], ..LevelSpec::default() }).bytes;
    let (encoding, mut found) = (Encoding::for_label(label).unwrap(), Vec::new());
    open::level(&file, &mut |level| found = found_in(level, pattern, encoding)).unwrap();
    !found.is_empty()
}

#[test]
fn ascii_may_be_stored_as_something_else() {
    // The lower case of the dotted I begins with i.
    assert!(is_found(b"MOL\xdd", &Pattern::new("moli"), "windows-1254"));
    assert!(!is_found(b"MOL\xdd", &Pattern::new("moli"), "windows-1252"));
    // An escape to the characters that the text has anyway.
    assert!(is_found(b"gold\x1b(Bbar", &Pattern::new("goldbar"), "iso-2022-jp"));
}

#[cfg(feature = "regex")]
#[test]
fn expressions_need_not_have_all_that_they_name() {
    for (expression, text) in [
        ("(goldbar)*mine", "mine"),
        ("goldbar|mine", "mine"),
        ("(?:goldbar|[0-9])mine", "7mine"),
        ("(?i)gold(?-i)MINE", "GoLdMINE"),
        ("gold{0}mine", "golmine"),
        ("^$|goldbar", "goldbar"),
    ] {
        let pattern = Pattern::regex(&[expression], false).unwrap();
        assert!(is_found(text.as_bytes(), &pattern, "windows-1252"), "{expression} in {text}");
        assert!(!is_found(b"nothing", &pattern, "windows-1252"), "{expression}");
    }
    // The Kelvin sign is a k, and the long s an s.
    let pattern = Pattern::regex(&["kings"], false).unwrap();
    assert!(is_found("\u{212a}ING\u{17f}".as_bytes(), &pattern, "utf-8"));
}

#[test]
fn bytes_without_the_pattern_have_no_text_with_it() {
    let mut files: Vec<_> = samples().into_iter().map(|(_, file)| file).collect();
    files.extend(edge_cases().into_iter().step_by(3).map(|(_, spec)| build(&spec).bytes));
    files.extend((0..6).map(|seed| generic(seed, 8)));
    files.extend((0..12).map(|seed| build_table(&small_table(seed)).bytes));
    // Bytes that are no UTF-8, and letters of code pages that are one in ASCII if case does not matter.
    let mut rng = Rng::new(41);
    for number in 0..files.len() {
        let mut file = files[number].clone();
        for _ in 0..file.len() / 40 {
            let at = rng.below(u32::try_from(file.len()).unwrap()) as usize;
            if file[at].is_ascii_alphanumeric() {
                file[at] = *rng.pick(b"\x8f\xdd\xa9\xfd\x1b\xe2").unwrap();
            }
        }
        files.push(file);
    }
    let encodings = ["windows-1252", "windows-1254", "shift_jis", "iso-2022-jp", "gb18030"].map(|label| {
        let encoding = Encoding::for_label(label).unwrap();
        (label, encoding)
    });
    let mut counts = [0; 2];
    for (number, file) in files.into_iter().enumerate() {
        let (_, encoding) = encodings[number % encodings.len()];
        let mut check = |described: Described<'_>| {
            let [with, without] = check(described, encoding);
            counts = [counts[0] + with, counts[1] + without];
        };
        let _ = open::table(&file, &mut check).or_else(|| open::level(&file, &mut check));
    }
    assert!(counts.iter().all(|count| *count > 2000), "{counts:?}");
}
