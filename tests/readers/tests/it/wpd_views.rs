//! Compares the views with the naive reader on generated archives and tables, edge cases and mutated files.

use std::sync::LazyLock;

use worldview_corpus::ff13::build::build_table;
use worldview_corpus::ff13::generate::{Shape, edge_cases, folder, generic, pack, schema_cases, small_table, table};
use worldview_corpus::ff13::samples;
use worldview_corpus::trial::Trial;
use worldview_corpus::trial::rounds;
use worldview_readers::Verdict;
use worldview_readers::change::{at_random, changed};
use worldview_readers::roundtrip;
use worldview_readers::wpd::{archives_agree, lossy_keeps_its_word, recoveries_agree, tables_agree};

use crate::wpd_errors::broken_files;
use crate::wpd_refusals::damaged;

/// Reads a file in every way with both readers, which may refuse it.
fn all_agree(file: &[u8]) -> Result<(), String> {
    archives_agree(file)?;
    recoveries_agree(file)?;
    tables_agree(file, None)?;
    lossy_keeps_its_word(file)
}

#[test]
fn generated_tables_read_alike() {
    for seed in 0..rounds(200) {
        let spec = small_table(seed);
        roundtrip::table(&spec);
        let file = build_table(&spec).bytes;
        let _trial = Trial::new("both readers agree", "a generated table", &file);
        assert_eq!(tables_agree(&file, None), Ok(Verdict::Same));
        assert_eq!(all_agree(&file), Ok(()));
    }
}

#[test]
fn large_tables_and_archives_read_alike() {
    for shape in Shape::all() {
        assert_eq!(tables_agree(&table(3, 1 << 18, &shape), None), Ok(Verdict::Same), "{shape:?}");
    }
    for (name, file) in folder(1, 20) {
        assert_eq!(tables_agree(&file, None), Ok(Verdict::Same), "{name}");
    }
    for file in [pack(1, 12), generic(1, 40)] {
        assert_eq!(archives_agree(&file), Ok(Verdict::Same));
        assert_eq!(all_agree(&file), Ok(()));
    }
}

#[test]
fn every_edge_case_and_every_broken_file_reads_alike() {
    let damaged = damaged().into_iter().map(|(name, file)| (name.to_owned(), file));
    for (name, file) in edge_cases().into_iter().chain(broken_files()).chain(damaged) {
        assert_eq!(all_agree(&file), Ok(()), "{name}");
    }
}

#[test]
fn schemas_are_accepted_and_rejected_alike() {
    let (mut taken, mut refused) = (0, 0);
    for (name, file, schema) in schema_cases() {
        let names: Vec<&str> = schema.iter().map(String::as_str).collect();
        assert_eq!(tables_agree(&file, Some(&names)).err(), None, "{name}");
        let schema = worldview_wpd::Schema::new("given", schema);
        match worldview_wpd::Table::parse_with(&file, &schema) {
            Ok(_) => taken += 1,
            Err(_) => refused += 1,
        }
    }
    assert!(taken > 0 && refused > 0, "{taken} taken, {refused} refused");
}

#[test]
fn samples_read_alike() {
    for (name, file) in samples() {
        assert_eq!(archives_agree(&file), Ok(Verdict::Same), "{name}");
        assert_eq!(lossy_keeps_its_word(&file), Ok(()), "{name}");
    }
}

/// Edge cases of moderate size, since the naive reader is slow with 65,536 names.
static ODDITIES: LazyLock<Vec<(String, Vec<u8>)>> =
    LazyLock::new(|| edge_cases().into_iter().filter(|(_, file)| file.len() < 1 << 16).collect());

#[test]
fn mutated_tables_read_alike() {
    at_random(300, 5, |seed, seeds| {
        let spec = small_table(seed);
        let names: Vec<&str> = spec.fields.iter().map(String::as_str).collect();
        let built = build_table(&spec);
        let labels: Vec<usize> = built.labels.values().copied().collect();
        changed(seeds, &built.bytes, &labels, u32::to_be_bytes, |file| {
            tables_agree(file, Some(&names))?;
            all_agree(file)
        })
    });
}

#[test]
fn mutated_edge_cases_read_alike() {
    at_random(300, 3, |pick, seeds| {
        let file = &ODDITIES[usize::try_from(pick).unwrap() % ODDITIES.len()].1;
        // The header and the entries, which determine most of the rest.
        let labels: Vec<usize> = (0..file.len().min(1000) / 4).map(|word| word * 4).collect();
        changed(seeds, file, &labels, u32::to_be_bytes, all_agree)
    });
}

#[test]
fn every_prefix_of_every_sample_and_edge_case() {
    let files = samples().into_iter().map(|(name, file)| (name.to_owned(), file)).chain(ODDITIES.iter().cloned());
    for (name, file) in files {
        // Every length of small files, and enough lengths of large ones to end in every part.
        let step = 1 + file.len() / 400;
        for len in (0..file.len()).step_by(step) {
            let prefix = &file[..len];
            assert_eq!(archives_agree(prefix).err(), None, "{name}, {len} bytes");
            assert_eq!(lossy_keeps_its_word(prefix).err(), None, "{name}, {len} bytes");
        }
    }
}
