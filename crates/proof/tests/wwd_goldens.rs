//! Committed dumps and findings: what is shown of a level stays what it is until somebody means to change it.

use std::fmt::Write as _;

use worldview::wwd::{self, Level, Unpacker};
use worldview_corpus::wwd::build::build;
use worldview_corpus::wwd::generate::{Shape, edge_cases, level};
use worldview_corpus::wwd::samples::samples;
use worldview_export::{Encoding, csv, json, text};
use worldview_proof::golden;

fn dump(file: &[u8]) -> String {
    let image = wwd::unpack(file).unwrap();
    let level = Level::parse(&image).unwrap();
    let mut out = Vec::new();
    text::level(&image, &level, Encoding::Windows1252, &[], &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn dumps_of_the_samples() {
    for (name, file) in samples() {
        golden::compare(&format!("dump/{name}.txt"), &dump(&file)).unwrap();
    }
}

#[test]
fn tables_and_json_of_a_sample() {
    let (_, file) = samples().into_iter().find(|(name, _)| *name == "cellar.wwd").unwrap();
    let image = wwd::unpack(&file).unwrap();
    let level = Level::parse(&image).unwrap();
    let texts = [
        ("cellar.objects.csv", written(|out| csv::objects(&level, Encoding::Windows1252, out))),
        ("cellar.attributes.csv", written(|out| csv::attributes(&level, out))),
        ("cellar.objects.ndjson", written(|out| json::objects(&level, Encoding::Windows1252, out))),
        ("cellar.json", written(|out| json::level(&image, &level, Encoding::Windows1252, out))),
    ];
    for (name, text) in texts {
        golden::compare(&format!("export/{name}"), &text).unwrap();
    }
}

fn written(write: impl FnOnce(&mut Vec<u8>) -> worldview_export::Result<()>) -> String {
    let mut out = Vec::new();
    write(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn findings_of_every_legal_oddity() {
    // What the level has that they are all made from is not what is odd about them.
    let ordinary: Vec<_> = findings(&build(&level(1, &Shape::small())).bytes).iter().map(|line| head(line)).collect();
    let mut table = String::new();
    for (name, spec) in edge_cases() {
        writeln!(table, "{name}").unwrap();
        for line in findings(&build(&spec).bytes) {
            if !ordinary.contains(&head(&line)) {
                writeln!(table, "  {line}").unwrap();
            }
        }
    }
    golden::compare("wwd_findings.txt", &table).unwrap();
}

/// Severity, code and place of a finding.
fn head(line: &str) -> String {
    line.split(" at offset").next().unwrap().to_owned()
}

#[test]
fn samples_have_nothing_worse_than_curiosities() {
    for (name, file) in samples() {
        let bad: Vec<_> = findings(&file).into_iter().filter(|line| !line.starts_with("curious")).collect();
        assert_eq!(bad, Vec::<String>::new(), "{name}");
    }
}

fn findings(file: &[u8]) -> Vec<String> {
    let mut lines = Vec::new();
    let image = Unpacker::new().unpack_lossy(file, &mut |finding| lines.push(finding.to_string())).unwrap();
    let level = Level::parse_lossy(&image, &mut |finding| lines.push(finding.to_string())).unwrap();
    wwd::check(&image, &level, &mut |finding| lines.push(finding.to_string()));
    lines
}
