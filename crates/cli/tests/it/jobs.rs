//! Everyday jobs, each in a few commands, with what they print: tests/golden/jobs.md. Between the commands, people edit what was exported.

use std::fmt::Write as _;
use std::fs;
use std::io::Cursor;

use calamine::{Data, Reader as _, Xlsx};
use serde_json::{Value, json};
use worldview_corpus::ff13::build::build_table;
use worldview_corpus::ff13::spec::{CellSpec, Generation, TableSpec};
use worldview_corpus::sample;
use worldview_corpus::workbook::{rows, workbook};
use worldview_corpus::wwd::build::build;
use worldview_corpus::wwd::generate::{Shape, level};
use worldview_corpus::wwd::spec::ChecksumRule;

use crate::support::{Folder, without_times};

enum Step {
    /// A command, and its exit code.
    Run(&'static str, i32),
    /// What somebody does in another program.
    Edit(&'static str, fn(&Folder)),
}

use Step::{Edit, Run};

struct Job {
    title: &'static str,
    most: usize,
    prepare: fn(&Folder),
    steps: &'static [Step],
}

const JOBS: [Job; 4] = [
    Job {
        title: "A modder: prices in 121 tables",
        most: 6,
        prepare: |folder| {
            for table in 0..121 {
                folder.put(&format!("db/shop_{table:03}.wdb"), &shop(table));
            }
            let friend = json!({"worldview_mod": 1, "about": "Cheap elixirs"}).to_string();
            let change =
                json!({"path": "db/shop_007.wdb", "changes": [{"set": "it_elixir/iPrice", "from": 507, "to": 1}]});
            folder.put("friend.ndjson", format!("{friend}\n{change}\n").as_bytes());
        },
        steps: &[
            Run("worldview export db -o sheets --to xlsx --merge workbook", 0),
            Edit("in a spreadsheet: potions at half the price in three shops", |folder| {
                let bytes = folder.bytes("sheets/tables.xlsx");
                folder.put("sheets/tables.xlsx", &cheaper(&bytes));
            }),
            Run("worldview apply db sheets/tables.xlsx -o mine", 0),
            Run("worldview diff db mine", 1),
            Run("worldview diff db mine --format changes -o mine.ndjson", 1),
            Run("worldview apply db mine.ndjson friend.ndjson --in-place", 0),
            Run("worldview restore db", 0),
        ],
    },
    Job {
        title: "A level designer: 52 levels",
        most: 5,
        prepare: |folder| {
            for number in 0..52 {
                folder.put(&format!("levels/level{number:02}.wwd"), &designed(number));
            }
        },
        steps: &[
            Run("worldview list levels", 3),
            Run("worldview export levels -o pictures --to preview", 3),
            Run("worldview check levels", 1),
            Run("worldview export levels/level03.wwd -o map --to tmx", 0),
            Edit("in Tiled: the last object moved by 32 pixels", |folder| {
                let map = folder.text("map/level03.wwd/map.tmx");
                let (before, object) = map.rsplit_once(" x=\"").unwrap();
                let (x, behind) = object.split_once('"').unwrap();
                let edited = format!("{before} x=\"{}\"{behind}", x.parse::<i32>().unwrap() + 32);
                folder.put("map/level03.wwd/map.tmx", edited.as_bytes());
            }),
            Run("worldview apply levels/level03.wwd map/level03.wwd/map.tmx -o new/level03.wwd", 0),
        ],
    },
    Job {
        title: "A data engineer: a folder of 1,851 files",
        most: 3,
        prepare: |folder| {
            for number in 0..1851 {
                let good = shop(number % 531);
                let (name, bytes) = match number {
                    0..531 => ("wdb", &good[..]),
                    531..1231 => ("wdb", &[][..]),
                    _ => ("wdb", &good[..good.len() / 2]),
                };
                folder.put(&format!("db/{number:04}.{name}"), bytes);
            }
        },
        steps: &[
            Run("worldview export db -o lake --to parquet --merge sheet --report report.json", 3),
            Run("worldview check db --group-by code", 3),
            Edit("the next day: a new table", |folder| folder.put("db/new.wdb", &shop(1000))),
            Run("worldview export db -o lake --to parquet --merge sheet", 3),
        ],
    },
    Job {
        title: "A modeler: WORLD.WDB in Blender",
        most: 4,
        prepare: |folder| folder.put("world.wdb", &sample("world.wdb")),
        steps: &[
            Run("worldview export world.wdb/world:BAY -o blender --to glb --lod best", 0),
            Edit("in Blender: the first model moved by a unit", |folder| {
                let glb = folder.bytes("blender/world.wdb/worlds/BAY.glb");
                folder.put("blender/world.wdb/worlds/BAY.glb", &moved(&glb));
            }),
            Run("worldview apply world.wdb blender/world.wdb/worlds/BAY.glb -o new/world.wdb", 0),
            Run("worldview diff world.wdb new/world.wdb", 1),
            Run("worldview set new/world.wdb 'blob:*/roi:*/color_name|=s/Red/Blue/' --dry-run --format table", 0),
        ],
    },
];

fn shop(number: usize) -> Vec<u8> {
    let price = i64::try_from(number).unwrap();
    let row = |text: &str, price| [CellSpec::from(text), CellSpec::Int(price)];
    let table = TableSpec::new(Generation::G3, &["sName", "iPrice"])
        .row("it_elixir", row("Elixir", 500 + price))
        .row("it_potion", row("Potion", 50 + price));
    let sheet = [&b"Shop"[..], b"Inn", b"Smith"][number % 3].to_vec();
    build_table(&TableSpec { sheet_name: Some(sheet), ..table }).bytes
}

/// The workbook as a spreadsheet saves it, with other prices.
fn cheaper(bytes: &[u8]) -> Vec<u8> {
    let mut read: Xlsx<_> = Xlsx::new(Cursor::new(bytes)).unwrap();
    let sheets = read.worksheets().into_iter().map(|(name, range)| {
        let is_edited = ["shop_001", "shop_002", "shop_003"].contains(&name.as_str());
        let cell = |cell: &Data, row: &[Data]| match cell {
            Data::Float(price) if is_edited && matches!(&row[0], Data::String(name) if name == "it_potion") => {
                format!("{}", (price / 2.0).round())
            }
            Data::Float(number) => number.to_string(),
            text => format!("'{text}"),
        };
        let cells: Vec<Vec<String>> = range.rows().map(|row| row.iter().map(|one| cell(one, row)).collect()).collect();
        let cells: Vec<Vec<&str>> = cells.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
        (name, rows(cells.iter().map(Vec::as_slice)))
    });
    let sheets: Vec<_> = sheets.collect();
    workbook(&sheets.iter().map(|(name, rows)| (name.as_str(), rows.as_str())).collect::<Vec<_>>())
}

fn designed(number: u8) -> Vec<u8> {
    let mut spec = level(number.into(), &Shape::small());
    spec.header.name = format!("Level {number}").into_bytes();
    match number {
        7 => spec.checksum = ChecksumRule::Value(7),
        20 => spec.planes.clear(),
        _ => {}
    }
    let mut bytes = build(&spec).bytes;
    if matches!(number, 11 | 12) {
        bytes.truncate(bytes.len() / 2);
    }
    bytes
}

/// A GLB whose first node with a place was moved along x.
fn moved(glb: &[u8]) -> Vec<u8> {
    let length = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    let mut document: Value = serde_json::from_slice(&glb[20..20 + length]).unwrap();
    let nodes = document["nodes"].as_array_mut().unwrap();
    let node = nodes.iter_mut().find(|node| node["translation"].is_array()).unwrap();
    node["translation"][0] = json!(node["translation"][0].as_f64().unwrap() + 1.0);
    let mut text = serde_json::to_vec(&document).unwrap();
    text.resize(text.len().next_multiple_of(4), b' ');
    let rest = &glb[20 + length..];
    let size = u32::try_from(20 + text.len() + rest.len()).unwrap();
    let length = u32::try_from(text.len()).unwrap();
    [&glb[..8], &size.to_le_bytes(), &length.to_le_bytes(), &glb[16..20], &text, rest].concat()
}

/// Splits a command line at spaces outside of apostrophes.
fn words(line: &str) -> Vec<String> {
    let parts = line.split('\'').enumerate();
    let mut words = vec![String::new()];
    for (number, part) in parts {
        if number % 2 == 1 {
            words.last_mut().unwrap().push_str(part);
            continue;
        }
        for (number, word) in part.split(' ').enumerate() {
            if number > 0 {
                words.push(String::new());
            }
            words.last_mut().unwrap().push_str(word);
        }
    }
    words
}

#[test]
fn everyday_jobs_take_few_commands() {
    let mut text = String::from(
        "# Everyday jobs\n\nWhat each command prints; messages come after the output. UPDATE_GOLDEN=1 writes this file.\n",
    );
    for Job { title, most, prepare, steps } in &JOBS {
        let folder = Folder::new();
        prepare(&folder);
        writeln!(text, "\n## {title}\n\n```console").unwrap();
        for step in *steps {
            match step {
                Run(command, expected) => {
                    let words = words(command);
                    let args: Vec<_> = words[1..].iter().map(String::as_str).collect();
                    let (code, out, err) = folder.said(&args);
                    assert_eq!(code, *expected, "{command}: {err}");
                    write!(text, "$ {command}\n{out}{}", without_times(&err)).unwrap();
                }
                Edit(what, edit) => {
                    edit(&folder);
                    writeln!(text, "# {what}").unwrap();
                }
            }
        }
        text.push_str("```\n");
        let commands = steps.iter().filter(|step| matches!(step, Run(..))).count();
        assert!(commands <= *most, "{title}: {commands} commands");
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/jobs.md");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(path, &text).unwrap();
    }
    assert!(fs::read_to_string(path).unwrap() == text, "UPDATE_GOLDEN=1 writes what the commands print:\n{text}");
}
