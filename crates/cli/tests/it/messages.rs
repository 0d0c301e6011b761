//! The messages of the command for broken files: each can be understood without knowing the code and, if the user
//! can do something, is followed by a hint.

use std::fmt::Write as _;
use std::fs;

use crate::support::{Folder, code, golden, stderr};
use worldview_corpus::builder::Built;
use worldview_corpus::ff13::build::{build_archive, build_table};
use worldview_corpus::ff13::spec::{ArchiveSpec, CellSpec, Generation, MemberSpec, TableSpec};
use worldview_corpus::island::build::build as build_world;
use worldview_corpus::island::spec::{
    BlobSpec, DatabaseSpec, ImageSpec, LodSpec, MeshSpec, ModelRefSpec, ModelSpec, NodeSpec, PartSpec, PartsSpec,
    RoiSpec, TextureSpec, WorldSpec,
};
use worldview_corpus::wwd::build::build as build_level;
use worldview_corpus::wwd::generate::{Shape, level};
use worldview_corpus::wwd::spec::Packing;

/// A broken file: a description, its name, its bytes, and the options to open it with.
struct Case {
    what: &'static str,
    name: &'static str,
    bytes: Vec<u8>,
    /// The rest of the path, inside the file.
    inside: &'static str,
    options: &'static [&'static str],
}

fn case(what: &'static str, name: &'static str, bytes: impl Into<Vec<u8>>) -> Case {
    Case { what, name, bytes: bytes.into(), inside: "", options: &[] }
}

impl Case {
    const fn with(mut self, options: &'static [&'static str]) -> Self {
        self.options = options;
        self
    }

    const fn inside(mut self, inside: &'static str) -> Self {
        self.inside = inside;
        self
    }
}

const PACKED: Packing = Packing::Zlib { level: 6 };

fn a_level(packing: Packing, change: impl FnOnce(&mut Built)) -> Vec<u8> {
    let mut spec = level(3, &Shape::small());
    spec.packing = packing;
    let mut built = build_level(&spec);
    change(&mut built);
    built.bytes
}

fn level_word(label: &str, value: u32) -> Vec<u8> {
    a_level(Packing::Raw, |built| built.words_le(&[(label, value)]))
}

fn levels() -> Vec<Case> {
    let plain = a_level(Packing::Raw, |_| {});
    let packed = a_level(PACKED, |_| {});
    let changed = |change: fn(&mut Vec<u8>)| {
        let mut file = packed.clone();
        change(&mut file);
        file
    };
    vec![
        case("nothing", "empty.wwd", b""),
        case("a text", "text.wwd", b"This is no level, and says so in words."),
        case("a header cut in half", "header.wwd", &plain[..700]),
        case("the end missing", "cut.wwd", &plain[..5000]),
        case("a word of 4 G in place of an offset", "offset.wwd", level_word("plane[1].tiles_offset", u32::MAX)),
        case("a negative width", "width.wwd", level_word("plane[1].tiles_wide", u32::MAX)),
        case("too many objects", "objects.wwd", level_word("plane[1].num_objects", 1000)),
        case("a name longer than the file", "name.wwd", level_word("object[1][3].name_len", 100_000)),
        case("an attribute of no known kind", "kind.wwd", level_word("attribute[2].type", 9)),
        case("as many planes as there can be", "planes.wwd", level_word("header.num_planes", u32::MAX)),
        case("half of the packed block", "half.wwd", &packed[..usize::midpoint(1524, packed.len())]),
        case("a damaged packed block", "block.wwd", changed(|file| file[1700] ^= 0x55)),
        case("another Adler-32", "adler.wwd", changed(|file| *file.last_mut().unwrap() ^= 1)),
        case("no zlib stream", "zlib.wwd", changed(|file| file[1524..1530].fill(0))),
        case("packed, and says that it is plain", "flags.wwd", changed(|file| file[8] &= !2)),
        case("packed to no length", "length.wwd", changed(|file| file[744..748].fill(0))),
        case("packed to 4 G", "long.wwd", changed(|file| file[744..748].fill(0xFF))),
        case("more than is allowed", "large.wwd", packed.clone()).with(&["--limits", "0.000015"]),
        case("a path that goes on inside a level", "within.wwd", plain).inside("/ACTION"),
    ]
}

fn spec() -> TableSpec {
    let fields = ["iOne", "fTwo", "sThree", "u5Four", "i27Five"];
    let row = |n: i64, text: &str| [CellSpec::Int(n), 0.5_f32.into(), text.into(), CellSpec::Int(n), CellSpec::Int(-n)];
    let spec = TableSpec::new(Generation::G2, &fields);
    spec.row("a_row", row(1, "lamp")).row("b_row", row(2, "")).row("c_row", row(3, "oil"))
}

fn table(words: &[(&str, u32)]) -> Vec<u8> {
    let mut built = build_table(&spec());
    built.words_be(words);
    built.bytes
}

fn archive(inner: Vec<u8>) -> Vec<u8> {
    let members = [("a_text", b"no archive".to_vec()), ("r_inner.wdb", inner), ("z_text", b"12".to_vec())];
    let members = members.map(|(name, data)| MemberSpec::new(name, data)).to_vec();
    build_archive(&ArchiveSpec { members, ..ArchiveSpec::default() }).bytes
}

fn tables() -> Vec<Case> {
    const GONE: [(&str, u32); 2] = [("magic", 0xDEDE_DEDE), ("count", 0xDEDE_DEDE)];
    let odd = build_table(&spec().section("!!strtypelist", Some(&[0; 15]))).bytes;
    vec![
        case("nothing", "empty.wdb", b""),
        case("a text", "text.wdb", b"This is no table, and says so in words."),
        case("a header overwritten by an extractor", "header.wdb", table(&GONE)),
        case("the same in a file of no known name", "header.dat", table(&GONE)),
        case("a number of entries that was overwritten", "count.wdb", table(&GONE[1..])),
        case("the same, and opened", "opened.wdb", table(&GONE)).with(&["--recover"]),
        case("nothing to recover", "none.wdb", [&[0xDE_u8; 16][..], &[1; 64]].concat()).with(&["--recover"]),
        case("entries cut", "entries.wdb", &table(&[])[..100]),
        case("the last record cut", "record.wdb", &table(&[])[..330]),
        case("a record behind the end", "behind.wdb", table(&[("record b_row offset", 0x0010_0000)])),
        case("a record of another size", "size.wdb", table(&[("record b_row size", 12)])),
        case("a list of types that ends inside a number", "types.wdb", odd),
        case("a broken table in an archive", "inner.bin", archive(table(&[("count", 1000)]))),
        case("the same, by its path", "path.bin", archive(table(&[("count", 1000)]))).inside("/r_inner.wdb"),
        case("a member that is not there", "member.bin", archive(table(&[]))).inside("/r_other.wdb"),
        case("a member of a member that is no archive", "text.bin", archive(table(&[]))).inside("/a_text/more"),
        case("archives deeper than is allowed", "deep.bin", archive(archive(table(&[])))).with(&["--max-depth", "1"]),
        case("a field list with commas", "commas.wdb", table(&[])).with(&["--schema", "commas.txt"]),
        case("a field list without names", "bare.wdb", table(&[])).with(&["--schema", "bare.txt"]),
        case("a field list with a bad version", "version.wdb", table(&[])).with(&["--schema", "version.txt"]),
        case("a field list that is not there", "lost.wdb", table(&[])).with(&["--schema", "lost.txt"]),
        case("a field too few", "few.wdb", table(&[])).with(&["--schema", "few.txt"]),
        case("a field too many", "many.wdb", table(&[])).with(&["--schema", "many.txt"]),
        case("a field that is too wide", "wide.wdb", table(&[])).with(&["--schema", "wide.txt"]),
        case("a field on a word of another type", "type.wdb", table(&[])).with(&["--schema", "type.txt"]),
    ]
}

const SCHEMAS: [(&str, &str); 7] = [
    ("commas.txt", "iOne, fTwo, sThree\n"),
    ("bare.txt", "sheet Item\nversion 0x12345678\n"),
    ("version.txt", "sheet Item\nversion 12\niOne\n"),
    ("few.txt", "iOne fTwo sThree\n"),
    ("many.txt", "iOne fTwo sThree u5Four i27Five uSix\n"),
    ("wide.txt", "iOne fTwo sThree u5Four i33Five\n"),
    ("type.txt", "iOne uTwo sThree u5Four i27Five\n"),
];

fn image() -> ImageSpec {
    ImageSpec::drawn(4, 2, vec![[0, 0, 0], [255, 128, 0]], |x, _| u8::from(x > 1))
}

fn world(change: impl FnOnce(&mut Built)) -> Vec<u8> {
    let square = MeshSpec::pack([(0, 0, 0), (1, 0, 1), (2, 0, 2), (0, 0, 0), (2, 0, 2), (3, 0, 3)]);
    let lod = LodSpec {
        vertices: vec![[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0], [1.0, 0.0, 0.0]],
        normals: vec![[0.0, 0.0, -1.0]],
        uvs: vec![[0.0, 1.0], [0.0, 0.0], [1.0, 0.0], [1.0, 1.0]],
        meshes: vec![MeshSpec::textured(square, "brick.gif")],
        ..LodSpec::default()
    };
    let parts = PartsSpec { parts: vec![PartSpec::new("Leg", vec![lod.clone()])], ..PartsSpec::default() };
    let roi = RoiSpec::new("hut", Vec::new()).child(RoiSpec::new("wall", vec![lod]));
    let model = ModelSpec::of(roi, NodeSpec::new("hut").child(NodeSpec::new("wall")));
    let mut built = build_world(&DatabaseSpec {
        worlds: vec![WorldSpec::new("HILL").part("Leg", 0).model(ModelRefSpec::new("hut", 1))],
        textures: vec![TextureSpec::new("grass.gif", image()), TextureSpec::new("brick.gif", image())],
        parts: PartsSpec::default(),
        blobs: vec![BlobSpec::parts(parts), BlobSpec::model(model)],
        ..DatabaseSpec::default()
    });
    change(&mut built);
    built.bytes
}

fn world_word(label: &str, value: u32) -> Vec<u8> {
    world(|built| built.words_le(&[(label, value)]))
}

fn worlds() -> Vec<Case> {
    let corner = "blob[1].roi.child[0].lod[0].mesh[0].corners";
    vec![
        case("nothing", "empty/world.wdb", b""),
        case("a text", "text/world.wdb", b"This is no database, and says so in words."),
        case("the directory cut", "directory/world.wdb", &world(|_| {})[..60]),
        case("the blobs cut off", "blobs/world.wdb", world(|built| built.bytes.truncate(built.at("blob[0]").unwrap()))),
        case("a negative number of worlds", "negative/world.wdb", world_word("world_count", u32::MAX)),
        case("a model of another version", "version/world.wdb", world_word("blob[1].version", 20)),
        case("a name longer than the blob", "name/world.wdb", world_word("blob[1].roi.name_len", 100_000)),
        case("an end that leads back", "end/world.wdb", world_word("blob[0].part[0].end_offset", 3)),
        case("a corner of no vertex", "corner/world.wdb", world_word(corner, 0x8000_0009)),
        case("a palette of too many colors", "palette/world.wdb", world_word("textures.texture[1].color_count", 300)),
        case("a texture larger than the file", "texture/world.wdb", world_word("textures.texture[0].width", 60_000)),
        case("a path that goes on inside", "within/world.wdb", world(|_| {})).inside("/HILL"),
        case("a name that nothing has", "only/world.wdb", world(|_| {})).inside("/world:VALE"),
    ]
}

fn others() -> Vec<Case> {
    let rez = b"\r\nRezMgr Version 1 Copyright (C) 1995 MONOLITH INC.           \r\n";
    vec![
        case("a file of nobody", "notes.txt", b"Nothing that anybody here knows."),
        case("a truncated REZ archive", "CLAW.REZ", rez),
        case("a white_img, by its name", "white_img.win32.bin", [7_u8; 100]),
        case("a ZIP archive of another name", "levels.dat", b"PK\x03\x04 and so on"),
    ]
}

/// Returns the messages of each verb about a file, with equal ones combined.
fn printed(folder: &Folder, case: &Case) -> String {
    folder.put(case.name, &case.bytes);
    let path = format!("{}{}", case.name, case.inside);
    let mut printed: Vec<(String, String)> = Vec::new();
    for verb in ["check", "info", "export"] {
        let out: &[&str] = if verb == "export" { &["-o", "out"] } else { &[] };
        let done = folder.run(&[&[verb, &path][..], out, case.options].concat());
        let _ = fs::remove_dir_all(folder.path("out"));
        // Elapsed times differ between runs.
        let said: String = stderr(&done)
            .lines()
            .filter(|line| {
                let starts = [
                    "worldview: exported ",
                    "worldview: nothing exported",
                    "  open first: ",
                    "  to look at the originals: ",
                ];
                !starts.iter().any(|start| line.starts_with(start))
            })
            .fold(String::new(), |mut said, line| {
                // What Wine and Windows call it.
                let line = line.replace("File not found.", "No such file or directory");
                let line = line.replace("The system cannot find the file specified.", "No such file or directory");
                writeln!(said, "  {line}").unwrap();
                said
            });
        let verb = format!("{verb} {}", code(&done));
        match printed.iter_mut().find(|(_, known)| *known == said) {
            Some((verbs, _)) => write!(verbs, ", {verb}").unwrap(),
            None => printed.push((verb, said)),
        }
    }
    let options = case.options.join(" ");
    let mut text = format!("{}: {path} {options}", case.what).trim_end().to_owned();
    text.push('\n');
    for (verbs, said) in printed {
        write!(text, " {verbs}\n{said}").unwrap();
    }
    text
}

#[test]
fn what_is_said_of_broken_files_is_as_in_the_table() {
    let folder = Folder::in_memory();
    for (name, text) in SCHEMAS {
        folder.put(name, text.as_bytes());
    }
    let cases: Vec<_> = [levels(), tables(), worlds(), others()].into_iter().flatten().collect();
    assert!(cases.len() >= 50, "{}", cases.len());
    let actual: String = cases.iter().map(|case| printed(&folder, case)).collect();
    assert!(!actual.contains("panicked"), "{actual}");
    golden("messages.txt", &actual);
}

#[test]
fn a_hint_is_reported_once_and_not_to_those_who_want_quiet() {
    let folder = Folder::new();
    // Every plane is broken in the same way.
    folder.put("cut.wwd", &a_level(Packing::Raw, |built| built.bytes.truncate(built.at("plane[0].tiles").unwrap())));
    let done = folder.run(&["info", "cut.wwd"]);
    let said = stderr(&done);
    // One cause is one line, however much of the file it breaks.
    assert_eq!(said.matches("cut.wwd").count(), 1, "{said}");
    assert!(said.contains("opened only in part") && said.contains(" more for the same reason)"), "{said}");
    assert_eq!(said.matches("\n  the file is truncated").count(), 1, "{said}");
    let quiet = stderr(&folder.run(&["info", "cut.wwd", "--quiet"]));
    assert!(quiet.contains("opened only in part") && !quiet.contains("the file is truncated"), "{quiet}");
    // The JSON output has the hint with each failure.
    let document = crate::support::document(&folder.run(&["info", "cut.wwd", "--format", "json"]));
    assert_eq!(document["inputs"][0]["status"], "partial");
    let failed = document["inputs"][0]["account"]["entries"].as_array().unwrap();
    assert!(failed.len() > 2);
    assert!(failed.iter().all(|failure| failure["hint"].as_str().unwrap().starts_with("the file is truncated")));
}
