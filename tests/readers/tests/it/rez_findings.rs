//! The findings of archives and pictures: the golden table of the edge cases, a file for every finding, and no problems
//! in clean files.

use worldview_corpus::rez::generate::{edge_cases, edge_pictures, large};
use worldview_corpus::rez::samples;
use worldview_readers::golden;
use worldview_rez::{Finding, FindingKind, Picture, PictureKind, Rez, check_archive, check_picture};

use crate::findings::{self, Line};
use crate::rez_errors::broken_archives;

/// Returns the findings of lossy parsing and of the check.
fn of_archive(file: &[u8]) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut note = |finding: Finding<'_>| lines.push(Line::of(&finding));
    match Rez::parse_lossy(file, &mut note) {
        Ok(archive) => check_archive(&archive, &mut note),
        Err(error) => lines.push(Line::end("no archive", &error)),
    }
    lines
}

fn of_picture(kind: PictureKind, file: &[u8]) -> Vec<Line> {
    let mut lines = Vec::new();
    match Picture::parse(kind, file) {
        Ok(picture) => check_picture(&picture, &mut |finding| lines.push(Line::of(&finding))),
        Err(error) => lines.push(Line::end("no picture", &error)),
    }
    lines
}

fn all() -> Vec<(String, Vec<Line>)> {
    let archives = edge_cases().into_iter().map(|(name, file)| (name.to_owned(), of_archive(&file)));
    let pictures = edge_pictures().into_iter().map(|(kind, name, file)| {
        (format!("{kind}: {name}"), of_picture(PictureKind::of_extension(kind).unwrap(), &file))
    });
    archives.chain(pictures).collect()
}

#[test]
fn findings_of_every_edge_case() {
    findings::hold("rez_findings.txt", all().into_iter());
}

#[test]
fn every_finding_occurs_in_some_file() {
    let broken = broken_archives().into_iter().map(|(name, file)| (name, of_archive(&file)));
    let first = findings::first_of_each(FindingKind::CODES, all().into_iter().chain(broken));
    golden::compare("rez_messages.txt", &format!("{}\n", first.join("\n"))).unwrap();
}

#[test]
fn clean_files_have_no_findings() {
    let mut files = samples();
    files.push(("a large archive", worldview_corpus::rez::build::build(&large(3, 3000)).bytes));
    for (name, file) in files {
        assert_eq!(of_archive(&file), [], "{name}");
        for file in Rez::parse(&file[..]).unwrap().files() {
            // The pictures of the large archive are not pictures.
            if name == "harbour.rez"
                && let Some(kind) = PictureKind::of_extension(file.extension())
            {
                assert_eq!(of_picture(kind, file.data()), [], "{}", file.path());
            }
        }
    }
}
