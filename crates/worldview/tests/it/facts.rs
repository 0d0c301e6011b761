//! Facts: `docs/json.md` has exactly those that documents and sheets have.

use std::collections::BTreeSet;
use std::time::{Duration, UNIX_EPOCH};

use worldview::facts::{Audience, COLUMNS, Facts, Subject};
use worldview::{Asset, At, Options, open};

/// The table that has a member, the verb that prints it, and its name.
type Member = (String, &'static str, String);

const VERBS: [(&str, Audience); 2] = [("info", Audience::INFO), ("list", Audience::LIST)];

/// Opens a sample of each kind.
fn each_kind(mut then: impl FnMut(&Asset<'_>)) {
    let (options, mut image, mut inner) = (Options::new(), Vec::new(), Vec::new());
    for (name, file) in worldview_corpus::samples() {
        let opened = open(&file, name, &mut image, &options).unwrap();
        then(&opened.asset);
        if let Ok(trail) = opened.asset.follow(At::Whole, b"CLAW/SCREENS/TITLE.PCX") {
            then(&trail.last().unwrap().open(&mut inner, &options).unwrap().asset);
        }
    }
}

fn facts(asset: &Asset<'_>, audience: Audience) -> Facts {
    Subject::new(asset, At::Whole).facts(audience)
}

/// Reads the tables of the section.
fn documented(section: &str) -> BTreeSet<Member> {
    let (mut of, mut members) = ("", BTreeSet::new());
    for line in section.lines().filter_map(|line| line.strip_prefix("| ")) {
        let (cell, _) = line.split_once(" | ").unwrap();
        if let Some(table) = cell.strip_prefix("of ") {
            of = table;
            continue;
        }
        let names: Vec<_> = cell.split('`').skip(1).step_by(2).collect();
        let (verb, names) = names.split_first().filter(|_| cell.contains(": ")).unwrap_or((&"", &names));
        for (printing, _) in VERBS.into_iter().filter(|(printing, _)| verb.is_empty() || verb == printing) {
            members.extend(names.iter().map(|name| (of.to_owned(), printing, (*name).to_owned())));
        }
    }
    members
}

#[test]
fn the_documentation_has_every_fact_and_no_other() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let page = std::fs::read_to_string(format!("{root}/docs/json.md")).unwrap();
    let (_, section) = page.split_once("\n## info and list\n").unwrap();
    let (section, _) = section.split_once("\n## ").unwrap();
    let mut stated = BTreeSet::new();
    each_kind(|asset| {
        for (verb, audience) in VERBS {
            let facts = facts(asset, audience);
            for (list, name) in facts.names() {
                let of = match (list, name, facts.kind()) {
                    ("", "path" | "format", _) => "all kinds".to_owned(),
                    ("", _, "archive") => "an archive".to_owned(),
                    ("", _, "textures") => "a texture file".to_owned(),
                    ("", _, kind) => format!("a {kind}"),
                    (list, ..) => format!("`{list}`"),
                };
                stated.insert((of, verb, name.to_owned()));
            }
        }
    });
    assert_eq!(documented(section), stated);
    let words = section.split_whitespace().collect::<Vec<_>>().join(" ");
    let columns = COLUMNS.iter().map(|column| format!("`{column}`")).collect::<Vec<_>>().join(", ");
    assert!(words.replace(" (where those of fields come from)", "").contains(&columns), "columns are {columns}");
}

#[test]
fn every_column_belongs_to_a_fact_of_some_kind() {
    let mut filled = BTreeSet::new();
    each_kind(|asset| {
        let cells = facts(asset, Audience::SHEET).sheet();
        assert_eq!(cells.len(), COLUMNS.len());
        filled.extend(COLUMNS.iter().zip(cells).filter(|(_, cell)| !cell.is_empty()).map(|(column, _)| *column));
    });
    let empty: Vec<_> = COLUMNS.iter().copied().filter(|column| !filled.contains(column)).collect();
    assert_eq!(empty, ["path", "modified", "problem"], "these only the caller knows");
}

#[test]
fn dates_outside_of_1970_to_9999_are_left_out() {
    let dates = |asset: &Asset<'_>, modified| {
        let subject = Subject { modified: Some(modified), ..Subject::new(asset, At::Whole) };
        COLUMNS.iter().zip(subject.facts(Audience::SHEET).sheet()).find(|(column, _)| **column == "modified").unwrap().1
    };
    let days = |days: u64| Duration::from_secs(days * 86_400);
    each_kind(|asset| {
        assert_eq!(dates(asset, UNIX_EPOCH + days(366)), "1971-01-02T00:00:00Z");
        assert_eq!(dates(asset, UNIX_EPOCH - days(1)), "");
        assert_eq!(dates(asset, UNIX_EPOCH + days(4_000_000)), "");
    });
}

#[test]
fn sizes_are_given_in_a_few_words() {
    let mut sizes = BTreeSet::new();
    each_kind(|asset| sizes.extend([facts(asset, Audience::BRIEF).brief()]));
    for size in ["3 planes", "40 records", "4 entries", "2 textures"] {
        assert!(sizes.contains(size), "{size} in {sizes:?}");
    }
}
