//! Tests with small files that ask for enormous amounts of work or memory, under limits that would kill a runaway
//! process.

use std::os::unix::process::ExitStatusExt as _;

use crate::support::Folder;
use worldview_corpus::bombs;

/// The size of each file in bytes.
const SIZE: usize = 10_000;
/// Maximum size of the address space of a run, in KiB for the shell: the stacks and arenas of all threads, the
/// program itself, and the data of one or two files.
const SPACE: u64 = 3 << 20;
/// Maximum CPU time of a run over all files in seconds, a hundred times the usual.
const SECONDS: u64 = 300;

/// Returns a folder with all bombs in `left` and, at another size, in `right`, and the total size of `left`.
fn folder() -> (Folder, u64) {
    let folder = Folder::in_memory();
    let mut all = 0;
    for (number, (file, bomb)) in bombs::all().enumerate() {
        for (side, size) in [("left", SIZE), ("right", SIZE + 1000)] {
            let bytes = bomb.bytes(size);
            all += if side == "left" { bytes.len() as u64 } else { 0 };
            folder.put(&format!("{side}/{number:02}/{file}"), &bytes);
        }
    }
    (folder, all)
}

/// Checks that every document is one, and that lines and rows are whole, whatever limit ended them.
fn is_complete(args: &str, said: &[u8]) {
    let format = args.split("--format ").nth(1).unwrap_or_default().split(' ').next();
    assert!(said.is_empty() || said.ends_with(b"\n"), "{args}");
    match format {
        Some("json" | "ndjson") => {
            let documents = serde_json::Deserializer::from_slice(said).into_iter::<serde::de::IgnoredAny>();
            documents.for_each(|document| assert!(document.is_ok(), "{args}: {document:?}"));
        }
        Some("csv") => {
            let mut rows = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(said);
            let mut columns = 0;
            for row in rows.byte_records().map(Result::unwrap) {
                // Parts of other kinds have other columns.
                columns = if columns == 0 || &row[0] == b"path" { row.len() } else { columns };
                assert_eq!(row.len(), columns, "{args}: {row:?}");
            }
        }
        _ => {}
    }
}

/// Runs the command on the folder. Checks the exit code, the maximum length of the output, and that it is complete.
fn run(folder: &Folder, args: &str, codes: &[i32], most: u64) {
    let output = folder.shell(&format!("ulimit -v {SPACE}; ulimit -t {SECONDS}; exec \"$0\" {args} --quiet > said"));
    let printed = String::from_utf8_lossy(&output.stderr);
    let last: String = printed.lines().rev().take(5).collect::<Vec<_>>().join(" | ");
    assert_eq!(output.status.signal(), None, "{args}: {last}");
    assert!(output.status.code().is_some_and(|code| codes.contains(&code)), "{args}: {:?}, {last}", output.status);
    assert!(!printed.contains("panicked"), "{args}: {printed}");
    let said = std::fs::metadata(folder.path("said")).unwrap().len();
    assert!(said <= most, "{args}: {said} bytes said");
    is_complete(args, &folder.bytes("said"));
}

#[test]
fn every_verb_ends() {
    let (folder, all) = folder();
    let count = bombs::all().count() as u64;
    // The maximum for a file as text, and as a list of findings, hits or differences of about a hundred bytes each.
    let most = 32 * all + count * (4 << 20);
    // 3 means that some inputs failed, as expected; 1 means that something was found.
    for (format, other) in [("json", "json"), ("ndjson", "csv")] {
        run(&folder, &format!("list left --format {format}"), &[0, 3], most);
        run(&folder, &format!("info left --format {other}"), &[0, 3], most);
        run(&folder, &format!("check left --format {format}"), &[1, 3], most);
        run(&folder, &format!("show left --format {other}"), &[3], most);
        run(&folder, &format!("find '*' left --format {format}"), &[3], 100_000 * 300 * count);
        run(&folder, &format!("diff left right --format {other}"), &[3], 300 * 5 * all + count * (64 << 20));
    }
    run(&folder, "show left", &[3], most);
    run(&folder, "show left --format json --full", &[3], most);
}

/// What only says how many more there are must not be allowed together with failures that nobody has seen.
#[test]
fn what_sums_up_has_the_code_of_its_cause() {
    let (folder, _) = folder();
    let export = |more: &str, codes: &[i32]| {
        run(&folder, &format!("export left -o out --to json,glb --report said.json {more}"), codes, 0);
        let report: serde_json::Value = serde_json::from_slice(&folder.bytes("said.json")).unwrap();
        std::fs::remove_dir_all(folder.path("out")).unwrap();
        report
    };
    let report = export("", &[3]);
    let failed = crate::support::failed(&report);
    let entries = || failed.iter().filter_map(|input| input["account"]["entries"].as_array()).flatten();
    let sums: Vec<_> = entries().filter(|entry| entry["count"] != 1).collect();
    assert!(!sums.is_empty(), "{failed:?}");
    let says = |entry: &&serde_json::Value| entry["message"].as_str().unwrap().starts_with("opened only in part: ");
    assert!(sums.into_iter().chain(entries().filter(says)).all(|entry| entry["code"] != "failed"));
    let codes: std::collections::BTreeSet<_> =
        entries().chain(failed.iter().copied()).filter_map(|failed| failed["code"].as_str()).collect();
    export(&format!("--allow {}", codes.into_iter().collect::<Vec<_>>().join(",")), &[0]);
}

/// Thousands of pictures of one pixel: each took a deflate state that was never used again.
#[test]
fn small_pictures_take_little_memory() {
    let folder = Folder::in_memory();
    let (file, bomb) = bombs::all().find(|(_, bomb)| bomb.name == "textures of one pixel").unwrap();
    folder.put(file, &bomb.bytes(160_000));
    let args = "export . -o out --to png --threads 1 --quiet";
    let output = folder.shell(&format!("ulimit -v {}; exec \"$0\" {args}", 1 << 20));
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(folder.files("out").len(), 8001);
}

/// All kinds of outputs, within the limits on files and bytes.
#[test]
fn every_output_is_bounded() {
    let (folder, all) = folder();
    let kinds = "csv,glb,json,members,ndjson,parquet,arrow,png,text,tmj,tmx";
    // 1/128 of the limits: (1,024 + bytes / 16) / 128 files and 32 MiB per input, and pictures of 2 million pixels.
    run(&folder, &format!("export left -o out --to {kinds} --limits 0.0078125"), &[3], 0);
    let files = folder.files("out");
    let count = bombs::all().count();
    let mut bytes = vec![0; count];
    let mut most = vec![0; count];
    for file in files.iter().filter(|file| !file.ends_with("manifest.ndjson")) {
        let Some(number) = file.split('/').nth(1).and_then(|number| number.parse::<usize>().ok()) else { continue };
        bytes[number] += std::fs::metadata(folder.path("out").join(file)).unwrap().len();
        most[number] += 1;
    }
    assert!(bytes.iter().all(|&bytes| bytes <= 1 << 25), "{bytes:?}");
    let room = |(number, (file, _))| (1024 + folder.bytes(&format!("left/{number:02}/{file}")).len() as u64 / 16) / 128;
    let room: Vec<_> = bombs::all().enumerate().map(room).collect();
    assert!(most.iter().zip(&room).all(|(files, room)| files <= room), "{most:?} of {room:?}");
    assert!(most.iter().zip(&room).any(|(files, room)| files == room), "some stop at the bound: {most:?} of {room:?}");
    assert!(bytes.iter().sum::<u64>() > all, "and most are made: {bytes:?}");
}

/// What a source may take is known before it is parsed: beyond the memory of a run it is refused with advice, below it the run ends.
#[test]
fn sources_take_less_than_a_gigabyte() {
    let folder = Folder::in_memory();
    folder.put("items.wdb", &worldview_corpus::sample("items.wdb"));
    folder.put("game/items.wdb", &worldview_corpus::sample("items.wdb"));
    let lines = |count: usize, line: &dyn Fn(usize) -> String| (0..count).map(line).collect::<Vec<_>>();
    let list = |name: &str, count: usize| {
        let changes = lines(count, &|at| format!("{{\"set\":\"{name}{at:06}/iA\",\"to\":1}}")).join(",\n");
        format!("{{\"worldview_changes\":1,\"changes\":[\n{changes}\n]}}\n").into_bytes()
    };
    folder.put("one.json", &list("a", 160_000));
    folder.put("two.json", &list("b", 160_000));
    folder.put("three.json", &list("c", 160_000));
    folder.put("million.json", &list("d", 1_000_000));
    folder.put("million.ndjson", format!("{{\"path\":\"x\",\"changes\":[{}]}}", "{},".repeat(1_000_000)).as_bytes());
    let rows = |count| format!("record,iA\n{}", lines(count, &|at| format!("r{at:06},1\n")).concat()).into_bytes();
    folder.put("sheet.csv", &rows(1_000_000));
    let tiles = format!("[{}0]", "0,".repeat(999));
    let level = lines(4000, &|_| tiles.clone()).join(",");
    folder.put("tiles.json", format!("{{\"format\":\"wwd\",\"planes\":[{{\"tiles\":[{level}]}}]}}").as_bytes());
    let objects = "{},".repeat(100_000);
    folder
        .put("objects.json", format!("{{\"format\":\"wwd\",\"planes\":[{{\"objects\":[{objects}{{}}]}}]}}").as_bytes());
    std::fs::File::create(folder.path("large.schema")).unwrap().set_len(1 << 40).unwrap();
    let (fewer, beyond) = ("; give fewer or smaller files", "is too large: it may take ");
    for (args, code, why) in [
        ("changes merge one.json two.json -o both.json", 0, ""),
        ("changes merge one.json two.json three.json -o all.json", 3, "; apply the changes in several files"),
        ("apply items.wdb million.json -o new", 3, beyond),
        ("apply game million.ndjson -o new", 3, beyond),
        ("build sheet.csv -o new", 3, "; split the sheet"),
        ("apply items.wdb sheet.csv -o new", 3, beyond),
        ("build tiles.json -o new", 3, "; edit the file itself"),
        ("build objects.json -o new", 3, "100001 objects"),
        ("show items.wdb --schema large.schema", 3, fewer),
        ("export items.wdb --text large.schema -o new --dry-run", 3, fewer),
    ] {
        let threads = if args.starts_with("changes") || args.starts_with("build") { "" } else { "--threads 1" };
        let output = folder.shell(&format!("ulimit -v {}; exec \"$0\" {args} {threads}", 1 << 20));
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{args}: {said}");
        assert!(said.contains(why), "{args}: {said}");
        assert!(!folder.path("new").exists(), "{args}");
    }
}
