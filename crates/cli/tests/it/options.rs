//! The command line: what a first word means, which options a verb has, help and tips.

use std::fs;

use crate::support::Folder;

#[test]
fn a_file_without_a_verb_is_summarized() {
    let folder = Folder::samples();
    for path in ["game/items.wdb", "game", "game/effects.bin/sparks.wdb", "game/*.wwd", "./game/../game/items.wdb"] {
        let [alone, info] = ["", "info "].map(|verb| folder.said(&format!("{verb}{path} --format json")));
        assert_eq!((alone.0, &alone.1), (info.0, &info.1), "{path}: {}", alone.2);
        assert!(alone.1.starts_with('{'), "{path}: {}", alone.2);
    }
    let items = folder.bytes("game/items.wdb");
    assert_eq!(folder.run_with("-", &items).stdout, folder.run_with("info -", &items).stdout);
    // A verb comes first, and what leads nowhere is a mistyped verb.
    folder.put("list", b"no list");
    assert!(folder.ok("list game").contains("items.wdb"));
    for wrong in ["lst", "lst/items.wdb", "lst*/x"] {
        folder.says(2, wrong, &[wrong]);
    }
    folder.says(2, "lst", &["a similar subcommand exists: 'list'"]);
}

#[test]
fn options_are_only_where_they_mean_something() {
    let folder = Folder::samples();
    for args in [
        "completions bash --report x.json",
        "restore game/items.wdb --threads 2",
        "check game --group-by code --format json",
        "repair game -o out --encoding windows-1250",
        "repair game -o out --recover",
        "schema game --encoding windows-1250",
        "man --threads 2",
        "view --threads 2 --no-open",
        "build game -o new.wpd --threads 2",
        "set game/items.wdb a/b=1 --format table -o new",
    ] {
        folder.fails(2, args);
    }
    for (args, tip) in [
        ("list --json", "--format json"),
        ("list --ndjson", "--format ndjson"),
        ("export game -o out --csv", "--to csv"),
        ("list game --kind level", "--only kind=KIND"),
        ("check game --type=level", "--only kind=KIND"),
    ] {
        let err = folder.fails(2, args);
        assert!(err.contains(tip) && !err.contains("as a value"), "{args}: {err}");
    }
    // Similar names are still suggested.
    folder.says(2, "list game --onyl a", &["'--only'"]);
}

#[test]
fn shared_options_are_explained_on_a_page_and_in_the_manual() {
    let folder = Folder::new();
    folder.prints(
        0,
        "help options",
        &["--threads <COUNT>", "--limits <FACTOR>", "--only <WHAT>", "4 GiB", "\n  130  "],
    );
    folder.prints(0, "help paths", &["{a,b}", "world:ACT1"]);
    for help in ["-h", "--help"] {
        let list = folder.ok(&format!("list {help}"));
        assert!(list.contains("--sort <COLUMN>") && list.contains("`worldview help options`"), "{list}");
        assert!(list.contains(" --threads,") && !list.contains("--threads <COUNT>"), "{list}");
        let verbs = folder.ok(help);
        assert!(verbs.contains("\n  export ") && verbs.contains("help paths"), "{verbs}");
        assert!(!verbs.contains("\n  man ") && !verbs.contains("\n  completions "), "{verbs}");
    }
    folder.ok("man --out pages");
    let page = folder.text("pages/worldview-list.1");
    for (option, text) in
        [("threads", "0 uses all processors"), ("allow", "Failure and refusal codes"), ("report", "JSON report")]
    {
        let (_, below) =
            page.split_once(&format!(".TP\n\\fB\\-\\-{option}\\fR")).unwrap_or_else(|| panic!("{option}: {page}"));
        assert!(below.lines().take(3).any(|line| line.contains(text)), "{option}: {below}");
    }
    assert_eq!(folder.ok("man --out -"), folder.ok("man"));
}

#[test]
fn a_dash_is_standard_output_or_refused() {
    let folder = Folder::samples();
    fs::create_dir(folder.path("mine")).unwrap();
    folder.ok("set game/items.wdb apple_dried/uPurchasePrice=1 -o mine/items.wdb");
    for args in [
        "export game -o -",
        "set game apple_dried/uPurchasePrice=1 -o -",
        "apply game mine -o -",
        "repair game mine -o -",
    ] {
        folder.says(2, args, &["`-` is standard output"]);
    }
    let diff = "diff game mine --format changes --about Cheap";
    let changes = folder.said(diff).1;
    assert!(changes.starts_with("{\"worldview_mod\":1,\"about\":\"Cheap\"}\n"), "{changes}");
    assert_eq!(folder.said(&format!("{diff} -o -")).1, changes);
    folder.put("cheap.ndjson", changes.as_bytes());
    assert_eq!(folder.ok("changes invert cheap.ndjson -o -"), folder.ok("changes invert cheap.ndjson"));
    let [piped, set] = ["-", "set.wdb"].map(|out| {
        let args = ["set", "game/items.wdb", "apple_dried/uPurchasePrice=1", "-o", out];
        folder.run(&args).stdout
    });
    assert_eq!((piped, set), (folder.bytes("set.wdb"), Vec::new()));
    folder.put("lamps.csv", b"record,sName\nlamp,Gate\n");
    folder.ok("build lamps.csv -o lamps.wdb");
    assert_eq!(folder.run("build lamps.csv -o -").stdout, folder.bytes("lamps.wdb"));
    assert!(!folder.path("-").exists());
}

#[test]
fn the_version_of_a_layout_that_a_sheet_does_not_have_is_set() {
    let folder = Folder::new();
    folder.put("lamps.csv", b"record,sName\nlamp,Gate\n");
    folder.says(0, "build lamps.csv -o lamps.wdb", &["@layout_version"]);
    folder.ok("set lamps.wdb @layout_version=7 --in-place");
    assert_eq!(folder.json("info lamps.wdb --format json")["tables"][0]["layout_version"], 7);
}
