//! Everyday jobs in a few commands each, and the output of these commands: tests/golden/jobs.md. Between the commands, people edit
//! what was exported.

use std::fmt::Write as _;
use std::fs;
use std::io::Cursor;

use calamine::{Data, Reader as _, Xlsx};
use serde_json::json;
use worldview_corpus::ff13::build::build_table;
use worldview_corpus::ff13::spec::{CellSpec, Generation, TableSpec};
use worldview_corpus::sample;
use worldview_corpus::workbook::{rows, workbook};
use worldview_corpus::wwd::build::build;
use worldview_corpus::wwd::generate::{Shape, level};
use worldview_corpus::wwd::spec::ChecksumRule;

use crate::support::{Folder, golden, json_of, with_json, without_times};

enum Step {
    /// A command, and its exit code.
    Run(&'static str, i32),
    /// An edit of a file in another program.
    Edit(&'static str, &'static str, fn(&[u8]) -> Vec<u8>),
}

use Step::{Edit, Run};

struct Job {
    title: &'static str,
    prepare: fn(&Folder),
    steps: &'static [Step],
}

const JOBS: [Job; 4] = [
    Job {
        title: "A modder: prices in 121 tables",
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
            Edit("in a spreadsheet: potions at half the price in three shops", "sheets/tables.xlsx", cheaper),
            Run("worldview apply db sheets/tables.xlsx -o mine", 0),
            Run("worldview diff db mine", 1),
            Run("worldview diff db mine --format changes -o mine.ndjson", 1),
            Run("worldview apply db mine.ndjson friend.ndjson --in-place", 0),
            Run("worldview restore db", 0),
        ],
    },
    Job {
        title: "A level designer: 52 levels",
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
            Edit("in Tiled: the last object moved by 32 pixels", "map/level03.wwd/map.tmx", pushed),
            Run("worldview apply levels/level03.wwd map/level03.wwd/map.tmx -o new/level03.wwd", 0),
        ],
    },
    Job {
        title: "A data engineer: a folder of 1,851 files",
        prepare: |folder| {
            for number in 0..1851 {
                let good = shop(number % 531);
                let bytes = match number {
                    0..531 => &good[..],
                    531..1231 => &[],
                    _ => &good[..good.len() / 2],
                };
                folder.put(&format!("db/{number:04}.wdb"), bytes);
            }
        },
        steps: &[
            Run("worldview export db -o lake --to parquet --merge sheet --report report.json", 3),
            Run("worldview check db --group-by code", 3),
            Edit("the next day: a new table", "db/new.wdb", |_| shop(1000)),
            Run("worldview export db -o lake --to parquet --merge sheet", 3),
        ],
    },
    Job {
        title: "A modeler: WORLD.WDB in Blender",
        prepare: |folder| folder.put("world.wdb", &sample("world.wdb")),
        steps: &[
            Run("worldview export world.wdb/world:BAY -o blender --to glb --lod best", 0),
            Edit("in Blender: the first model moved by a unit", "blender/world.wdb/worlds/BAY.glb", moved),
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
    spec.header.image_dir = format!("LEVEL{number}\\TILES").into_bytes();
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
    let mut document = json_of(glb);
    let nodes = document["nodes"].as_array_mut().unwrap();
    let node = nodes.iter_mut().find(|node| node["translation"].is_array()).unwrap();
    node["translation"][0] = json!(node["translation"][0].as_f64().unwrap() + 1.0);
    with_json(glb, &document)
}

/// A map whose last object was moved by 32 pixels.
fn pushed(map: &[u8]) -> Vec<u8> {
    let map = std::str::from_utf8(map).unwrap();
    let (before, object) = map.rsplit_once(" x=\"").unwrap();
    let (x, behind) = object.split_once('"').unwrap();
    format!("{before} x=\"{}\"{behind}", x.parse::<i32>().unwrap() + 32).into_bytes()
}

#[test]
fn everyday_jobs_print_what_the_page_shows() {
    let mut text = String::from(
        "# Everyday jobs\n\nWhat each command prints; messages come after the output. UPDATE_GOLDEN=1 writes this file.\n",
    );
    for Job { title, prepare, steps } in &JOBS {
        let folder = Folder::new();
        prepare(&folder);
        writeln!(text, "\n## {title}\n\n```console").unwrap();
        for step in *steps {
            match step {
                Run(command, expected) => {
                    // No argument has a space in it.
                    let line = command.strip_prefix("worldview ").unwrap().replace('\'', "");
                    let (code, out, err) = folder.said(&line);
                    assert_eq!(code, *expected, "{command}: {err}");
                    write!(text, "$ {command}\n{out}{}", without_times(&err)).unwrap();
                }
                Edit(what, file, edit) => {
                    folder.put(file, &edit(&fs::read(folder.path(file)).unwrap_or_default()));
                    writeln!(text, "# {what}").unwrap();
                }
            }
        }
        text.push_str("```\n");
    }
    golden("jobs.md", &text);
}
