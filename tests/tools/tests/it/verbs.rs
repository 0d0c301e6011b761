//! Runs broken files of every format through every verb of the command in this process. No verb may panic; each must
//! exit with one of its exit codes, write valid output, and stay within its memory limit. `ROUNDS=100` breaks a hundred
//! times as many files.

use std::fs;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use worldview::Loader;
use worldview_cli::{Command, Streams};
use worldview_corpus::builder::Built;
use worldview_corpus::ff13::build::{build_archive, build_table};
use worldview_corpus::ff13::generate as tables;
use worldview_corpus::ff13::spec::{ArchiveSpec, MemberSpec};
use worldview_corpus::island::{self, generate as databases};
use worldview_corpus::rng::Rng;
use worldview_corpus::trial::Trial;
use worldview_corpus::trial::rounds;
use worldview_corpus::wwd::build::{build, build_image, pack};
use worldview_corpus::wwd::generate::{self as levels, Game, Shape, level};
use worldview_corpus::wwd::spec::{LevelSpec, Packing};
use worldview_readers::change::change;

/// Number of files per format; for three out of four, the builder provides the positions of important words.
const FILES: u64 = 100;

/// Maximum memory that a verb may hold: this multiple of its files and its output, plus what writers reserve in any
/// case.
const HELD: (u64, u64) = (4, 64 << 20);

/// The kind of output that a verb writes to standard output.
#[derive(Clone, Copy)]
enum Answer {
    /// Text for people, including CSV.
    Text,
    /// A complete document, whatever the file.
    Document,
    /// A document that ends where the file becomes unreadable, which the exit code reports.
    Dump,
    /// One document per line.
    Lines,
}

/// A verb: it runs on every n-th file, starting at an offset; then the kind of its output, and its arguments. `F` is
/// the broken file, `W` the intact one, `O` the folder for exports.
type Verb = (u64, u64, Answer, &'static str);

const ALL: &[Verb] = &[
    (2, 0, Answer::Text, "info F"),
    (4, 1, Answer::Document, "info F --format json"),
    (4, 3, Answer::Text, "info F --format csv"),
    (4, 0, Answer::Text, "list F"),
    (4, 1, Answer::Document, "list F --format json"),
    (4, 2, Answer::Lines, "list F --format ndjson"),
    (4, 3, Answer::Text, "list F --format csv"),
    (1, 0, Answer::Text, "show F"),
    (1, 0, Answer::Dump, "show F --format json"),
    (4, 0, Answer::Text, "check F"),
    (4, 1, Answer::Document, "check F --format json"),
    (4, 2, Answer::Lines, "check F --format ndjson --fail-on curious"),
    (4, 3, Answer::Text, "check F --format csv --fail-on never"),
    (2, 0, Answer::Text, "find e F"),
    (2, 1, Answer::Document, "find *a* F --format json"),
    (2, 0, Answer::Text, "diff W F"),
    (2, 1, Answer::Document, "diff F W --format json"),
    (4, 2, Answer::Text, "diff F F"),
    (64, 63, Answer::Text, "export F -o O --to png,tmx --encoding windows-1250"),
    (16, 7, Answer::Document, "export F -o O --dry-run --format json --lod best"),
];

const FF13: &[Verb] = &[
    (1, 0, Answer::Text, "export F -o O --to csv,ndjson,parquet,arrow,json,text,members"),
    (4, 0, Answer::Text, "schema F"),
    (4, 1, Answer::Lines, "schema F --format json"),
    (4, 2, Answer::Text, "schema F --format schema"),
    (2, 0, Answer::Lines, "show F --format ndjson"),
    (2, 1, Answer::Text, "show F --format csv"),
    (4, 3, Answer::Text, "show F/second"),
    (8, 4, Answer::Text, "info F --recover"),
    (8, 5, Answer::Text, "check F --recover --max-depth 64"),
    (32, 6, Answer::Text, "export F -o O --recover --to csv,members,json"),
];

const WWD: &[Verb] = &[
    (1, 0, Answer::Text, "export F -o O --scale 4 --limits 0.05 --to tmx,tmj,preview,png,csv,ndjson,json,text"),
    (4, 0, Answer::Lines, "show F --format ndjson"),
    (4, 1, Answer::Text, "show F --format csv"),
    (64, 2, Answer::Text, "schema F"),
];

const ISLAND: &[Verb] = &[
    (1, 0, Answer::Text, "export F -o O --to glb,png,json,text"),
    (4, 0, Answer::Text, "show F --full"),
    (4, 1, Answer::Dump, "show F --full --format json"),
    (16, 2, Answer::Text, "export F -o O --to glb --lod best"),
    (16, 3, Answer::Text, "export F -o O --to glb --lod 0"),
    (64, 4, Answer::Text, "schema F"),
];

/// The standard output or standard error of a verb.
#[derive(Clone, Default)]
pub(super) struct Said(pub(super) Arc<Mutex<Vec<u8>>>);

impl Write for Said {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns what is wrong with the output of a verb.
fn wrong(answer: Answer, code: u8, out: &[u8], said: &[u8]) -> Option<String> {
    let is_json = |text: &[u8]| serde_json::from_slice::<serde_json::Value>(text).err();
    let lines = || out.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()).find_map(is_json);
    let broken = match answer {
        Answer::Text => std::str::from_utf8(out).err().map(|error| error.to_string()),
        Answer::Document => is_json(out).map(|error| error.to_string()),
        Answer::Dump if code == 3 => None,
        Answer::Dump | Answer::Lines => lines().map(|error| error.to_string()),
    };
    // To `check`, what cannot be read is a finding.
    let is_said = !said.is_empty() || out.starts_with(b"fatal ");
    broken.or((code == 3 && !is_said).then(|| "failed without a message".to_owned()))
}

/// Makes an intact file and a broken copy. The same seed always gives the same files; some are edge cases.
type Make = fn(&mut Rng, &[Vec<u8>]) -> (Vec<u8>, Vec<u8>);

/// Breaks a file in a few places.
fn break_it(rng: &mut Rng, built: Built, word: fn(u32) -> [u8; 4]) -> (Vec<u8>, Vec<u8>) {
    let mut labels: Vec<_> = built.labels.into_values().collect();
    if labels.is_empty() {
        labels.extend((0..built.bytes.len().min(4000)).step_by(4));
    }
    let mut broken = built.bytes.clone();
    for _ in 0..=rng.below(4) {
        change(rng, &mut broken, &labels, word);
    }
    (built.bytes, broken)
}

/// Wraps a file without labels.
fn bare(bytes: Vec<u8>) -> Built {
    Built { bytes, ..Built::default() }
}

fn table_or_archive(rng: &mut Rng, odd: &[Vec<u8>]) -> (Vec<u8>, Vec<u8>) {
    let seed = rng.next_u64();
    let built = match rng.below(8) {
        0 | 1 => bare(rng.pick(odd).unwrap().clone()),
        2 => bare(tables::generic(seed, 2)),
        3 => bare(tables::pack(seed, 3)),
        _ => build_table(&tables::small_table(seed)),
    };
    let (whole, broken) = break_it(rng, built, u32::to_be_bytes);
    if !rng.one_in(8) {
        return (whole, broken);
    }
    let inside = |data| {
        let members = vec![MemberSpec::new("first", Vec::new()), MemberSpec::new("second", data)];
        build_archive(&ArchiveSpec { members, ..ArchiveSpec::default() }).bytes
    };
    (inside(whole), inside(broken))
}

fn a_level(rng: &mut Rng, odd: &[Vec<u8>]) -> (Vec<u8>, Vec<u8>) {
    if rng.one_in(4) {
        let file = rng.pick(odd).unwrap().clone();
        return break_it(rng, bare(file), u32::to_le_bytes);
    }
    let game = *rng.pick(&[Game::Claw, Game::Gruntz, Game::GetMedieval]).unwrap();
    let shape =
        Shape { game, tiles_wide: 9, tiles_high: 7, masks: rng.below(2), trailer: rng.one_in(3), ..Shape::small() };
    let spec = level(rng.next_u64(), &shape);
    if rng.one_in(2) {
        return break_it(rng, build(&spec), u32::to_le_bytes);
    }
    // The image is broken before it is packed.
    let spec = LevelSpec { packing: Packing::Zlib { level: 6 }, ..spec };
    let (whole, broken) = break_it(rng, build_image(&spec), u32::to_le_bytes);
    (pack(&whole, &spec), if broken.len() > 1524 { pack(&broken, &spec) } else { broken })
}

fn a_database(rng: &mut Rng, odd: &[Vec<u8>]) -> (Vec<u8>, Vec<u8>) {
    let seed = rng.next_u64();
    let is_odd = rng.one_in(4);
    let built =
        if is_odd { bare(rng.pick(odd).unwrap().clone()) } else { island::build::build(&databases::small(seed)) };
    break_it(rng, built, u32::to_le_bytes)
}

fn verbs_hold(extension: &str, own: &[Verb], mut odd: Vec<Vec<u8>>, make: Make) {
    odd.retain(|file| file.len() < 1 << 16);
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (whole_path, broken_path) = (path(&format!("whole.{extension}")), path(&format!("broken.{extension}")));
    let file = format!("a broken .{extension} file");
    for number in 0..rounds(FILES) {
        let (whole, broken) = make(&mut Rng::new(number), &odd);
        fs::write(&whole_path, &whole).unwrap();
        fs::write(&broken_path, &broken).unwrap();
        for &(.., answer, words) in ALL.iter().chain(own).filter(|verb| number % verb.0 == verb.1) {
            let word = |word: &str| match word {
                "F" => broken_path.clone(),
                "F/second" => format!("{broken_path}/second"),
                "W" => whole_path.clone(),
                "O" => path("out"),
                other => other.to_owned(),
            };
            let _trial = Trial::new(words, &file, &broken).before(&whole);
            let rest = ["--threads", "1", "--mmap", "never"];
            let command =
                Command::new(["worldview"].into_iter().chain(words.split(' ')).chain(rest).map(word)).unwrap();
            let (out, err) = (Said::default(), Said::default());
            let streams = Streams::new(out.clone(), err.clone());
            let mut code = 0;
            let spent = allocation_counter::measure(|| code = command.run(Loader::read, streams));
            // Exit code 1 is only for files that differ or have findings, and 2 for members that are not there.
            let is_expected = match code {
                1 => words != "diff F F",
                2 => words.contains('/'),
                _ => matches!(code, 0 | 3),
            };
            assert!(is_expected, "exit code {code}");
            let (out, err) = (out.0.lock().unwrap(), err.0.lock().unwrap());
            assert_eq!(wrong(answer, code, &out, &err), None);
            let held = HELD.0 * (whole.len() + broken.len() + out.len()) as u64 + HELD.1;
            assert!(spent.bytes_max <= held, "{} bytes held at once", spent.bytes_max);
            let _ = fs::remove_dir_all(path("out"));
        }
    }
}

#[test]
fn every_verb_survives_broken_tables_and_archives() {
    verbs_hold("wdb", FF13, tables::edge_cases().into_iter().map(|(_, file)| file).collect(), table_or_archive);
}

#[test]
fn every_verb_survives_broken_levels() {
    verbs_hold("wwd", WWD, levels::edge_cases().into_iter().map(|(_, spec)| build(&spec).bytes).collect(), a_level);
}

#[test]
fn every_verb_survives_broken_databases() {
    verbs_hold("wdb", ISLAND, databases::edge_cases().into_iter().map(|(_, file)| file).collect(), a_database);
}

#[test]
fn invalid_json_and_silent_failures_are_reported() {
    let wrong = |answer, code, out: &[u8]| wrong(answer, code, out, b"worldview: why").is_some();
    assert!(
        !wrong(Answer::Document, 3, b"{\n}\n") && wrong(Answer::Document, 3, b"{\n") && wrong(Answer::Document, 0, b"")
    );
    assert!(!wrong(Answer::Lines, 0, b"{}\n{}\n") && wrong(Answer::Lines, 3, b"{}\n{\n"));
    assert!(!wrong(Answer::Dump, 3, b"{") && wrong(Answer::Dump, 0, b"{"));
    assert!(!wrong(Answer::Text, 0, "caf\u{e9}".as_bytes()) && wrong(Answer::Text, 0, b"caf\xE9"));
    assert!(super::verbs::wrong(Answer::Text, 3, b"", b"").is_some());
}
