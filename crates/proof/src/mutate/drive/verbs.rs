//! Which verbs, in which forms, at which numbers.

use std::io;
use std::path::Path;

use worldview_cli::Command;

use super::{Family, MAX_INFLATE};

/// A verb in one of its forms.
#[derive(Debug)]
pub(super) struct Verb {
    pub(super) name: &'static str,
    pub(super) command: Command,
    pub(super) answer: Answer,
    /// Whether it reads the whole file as well.
    pub(super) of_two: bool,
    /// Whether it compares a file with itself, and must find nothing.
    is_same: bool,
    /// Every how many numbers it has its turn, and at which of them.
    every: (u64, u64),
}

/// What a verb writes to standard output.
#[derive(Clone, Copy, Debug)]
pub(super) enum Answer {
    /// Text for people, CSV among it.
    Text,
    /// A document, whatever the file.
    Document,
    /// A document of what could be read, or many of them.
    Dump,
    /// A document a line.
    Lines,
}

impl Verb {
    pub(super) const fn is_turn(&self, number: u64) -> bool {
        number % self.every.0 == self.every.1
    }

    /// Whether an exit code is one of a broken file.
    pub(super) const fn may_end(&self, code: u8) -> bool {
        matches!(code, 0 | 3) || (code == 1 && !self.is_same)
    }
}

/// The line of a verb: its name, every how many numbers and at which, what it writes, and its words. `F` is the broken file, `W`
/// the whole one, `O` the folder for exports.
type Line = (&'static str, (u64, u64), Answer, &'static str);

const ALL: &[Line] = &[
    ("info", (2, 0), Answer::Text, "info F"),
    ("info json", (4, 1), Answer::Document, "info F --format json"),
    ("info csv", (4, 3), Answer::Text, "info F --format csv"),
    ("list", (4, 0), Answer::Text, "list F"),
    ("list json", (4, 1), Answer::Document, "list F --format json"),
    ("list ndjson", (4, 2), Answer::Lines, "list F --format ndjson"),
    ("list csv", (4, 3), Answer::Text, "list F --format csv"),
    ("show", (1, 0), Answer::Text, "show F"),
    ("show json", (1, 0), Answer::Dump, "show F --format json"),
    ("check", (4, 0), Answer::Text, "check F"),
    ("check json", (4, 1), Answer::Document, "check F --format json"),
    ("check ndjson", (4, 2), Answer::Lines, "check F --format ndjson --fail-on curious"),
    ("check csv", (4, 3), Answer::Text, "check F --format csv --fail-on never"),
    ("find", (2, 0), Answer::Text, "find e F"),
    ("find json", (2, 1), Answer::Document, "find *a* F --format json"),
    ("diff", (2, 0), Answer::Text, "diff W F"),
    ("diff json", (2, 1), Answer::Document, "diff F W --format json"),
    ("diff same", (4, 2), Answer::Text, "diff F F"),
    ("export large", (64, 63), Answer::Text, "export F -o O --to png,tmx --encoding windows-1250"),
    ("export dry", (16, 7), Answer::Document, "export F -o O --dry-run --format json --lod best"),
];

const FF13: &[Line] = &[
    ("export", (1, 0), Answer::Text, "export F -o O --html --to csv,ndjson,parquet,arrow,json,text,members"),
    ("schema", (4, 0), Answer::Text, "schema F"),
    ("schema json", (4, 1), Answer::Lines, "schema F --format json"),
    ("schema schema", (4, 2), Answer::Text, "schema F --format schema"),
    ("show ndjson", (2, 0), Answer::Lines, "show F --format ndjson"),
    ("show csv", (2, 1), Answer::Text, "show F --format csv"),
    ("show member", (4, 3), Answer::Text, "show F/second"),
    ("info recover", (8, 4), Answer::Text, "info F --recover"),
    ("check recover", (8, 5), Answer::Text, "check F --recover --max-depth 64"),
    ("export recover", (32, 6), Answer::Text, "export F -o O --recover --to csv,members,json"),
];

const WWD: &[Line] = &[
    (
        "export",
        (1, 0),
        Answer::Text,
        "export F -o O --html --max-pixels 262144 --to tmx,tmj,preview,png,csv,ndjson,json,text",
    ),
    ("show ndjson", (4, 0), Answer::Lines, "show F --format ndjson"),
    ("show csv", (4, 1), Answer::Text, "show F --format csv"),
    ("schema", (64, 2), Answer::Text, "schema F"),
];

const ISLAND: &[Line] = &[
    ("export", (1, 0), Answer::Text, "export F -o O --to glb,png,json,text"),
    // Drawing models takes a hundred times as long as all the rest.
    ("export previews", (256, 255), Answer::Text, "export F -o O --html --to preview"),
    ("show full", (4, 0), Answer::Text, "show F --full"),
    ("show json full", (4, 1), Answer::Dump, "show F --full --format json"),
    ("export best", (16, 2), Answer::Text, "export F -o O --to glb --lod best"),
    ("export lowest", (16, 3), Answer::Text, "export F -o O --to glb --lod 0"),
    ("schema", (64, 4), Answer::Text, "schema F"),
];

/// The verbs for files of a family in a folder.
pub(super) fn verbs(family: Family, folder: &Path) -> io::Result<Vec<Verb>> {
    let own = match family {
        Family::Ff13 => FF13,
        Family::Wwd => WWD,
        Family::Island => ISLAND,
    };
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let file = |name: &str| path(&format!("{name}.{}", family.extension()));
    let word = |word: &str| match word {
        "F" => file("broken"),
        "W" => file("whole"),
        "O" => path("out"),
        "F/second" => file("broken") + "/second",
        other => other.to_owned(),
    };
    let max_inflate = MAX_INFLATE.to_string();
    let rest = ["--threads", "1", "--mmap", "never", "--max-inflate", &max_inflate];
    let verb = |&(name, every, answer, line): &Line| {
        let words = ["worldview"].into_iter().chain(line.split(' ')).chain(rest).map(word);
        let command = Command::new(words).map_err(|error| io::Error::other(format!("{line}: {error}")))?;
        Ok(Verb { name, command, answer, of_two: line.contains('W'), is_same: name == "diff same", every })
    };
    ALL.iter().chain(own).map(verb).collect()
}
