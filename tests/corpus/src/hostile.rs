//! Names that must not be used as file names unchanged, and files of all formats that contain them.
//!
//! The formats allow names such as `..`, names that an operating system reserves, and pairs of names that a file system
//! treats as equal. Each name in a file has different content, so that a test can tell which one was lost.
//!
//! Workbooks can ask for more than there is as well.

use crate::ff13::build::build_archive;
use crate::ff13::spec::{ArchiveSpec, MemberSpec};
use crate::ff13::{EXTENSION_SIZE, NAME_SIZE};
use crate::island;
use crate::island::spec::{
    BlobSpec, DatabaseSpec, ImageSpec, LodSpec, MeshSpec, ModelRefSpec, ModelSpec, PartSpec, PartsSpec, TextureSpec,
    WorldSpec, with_nul,
};
use crate::rez;
use crate::rez::spec::{ArchiveSpec as RezSpec, DirectorySpec, EntrySpec, FileSpec};
use crate::workbook::workbook_with;
use crate::wwd;
use crate::wwd::spec::{LevelSpec, ObjectSpec, Packing, PlaneSpec};

/// A hostile name and the reason it is hostile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hostile {
    /// The name as stored in a file.
    pub bytes: Vec<u8>,
    /// What it would do.
    pub why: &'static str,
}

/// Names that lead out of the output folder, or to another place in it.
const WAYS_OUT: &[(&[u8], &str)] = &[
    (b"..", "the folder above"),
    (b".", "the folder itself"),
    (b"...", "the folder two above on old Windows"),
    (b"../../x", "two folders above"),
    (b"..\\..\\x", "two folders above on Windows"),
    (b"x/../../../y", "above by way of a folder inside"),
    (b"/etc/passwd", "a path from the root"),
    (b"//server/share", "a share, with slashes"),
    (b"C:\\x", "a path on a drive"),
    (b"C:x", "a path on a drive, from where that one is"),
    (b"\\\\server\\share", "a share"),
    (b"\\\\?\\C:\\x", "a path that Windows takes as it is"),
    (b"\\\\.\\PhysicalDrive0", "a device"),
    (b"\\x", "the root of the drive"),
    (b"a/b", "a folder and a file"),
    (b"a\\b", "a folder and a file on Windows"),
    (b"a/", "a folder"),
    (b"a:b", "another stream of a file on NTFS, a folder on old macOS"),
    (b"a::$DATA", "the contents of a file on NTFS"),
    (b"~", "the home folder, to a shell"),
    (b"~root", "somebody's home folder, to a shell"),
    (b"-rf", "an option, to most commands"),
    (b"$(reboot)", "a command, to a shell"),
    (b"%2e%2e%2fx", "a way out once it is decoded"),
    (b"a\xEF\xBC\x8Fb", "a full-width slash, which some normalise"),
    (b"\xE2\x80\xA5", "a two-dot leader, which some normalise"),
    (b"a\xC0\xAFb", "a slash in overlong UTF-8"),
];

/// Names reserved by operating systems or programs.
const RESERVED: &[(&[u8], &str)] = &[
    (b"CON", "the console of Windows"),
    (b"con.txt", "the console of Windows, whatever the extension"),
    (b"PRN", "a printer of Windows"),
    (b"AUX.wdb", "a port of Windows, whatever the extension"),
    (b"NUL", "nothing, on Windows"),
    (b"NUL.", "nothing, on Windows, which drops the dot"),
    (b"nul .txt", "nothing, on Windows, which drops the blank"),
    (b"nul.tar.gz", "nothing, on Windows, up to the first dot"),
    (b"COM1", "a port of Windows"),
    (b"com9.clb", "the last port of Windows, whatever the extension"),
    (b"COM\xC2\xB9", "a port of Windows, with a raised digit in UTF-8"),
    (b"COM\xB9", "a port of Windows, with a raised digit in Windows-1252"),
    (b"LPT0", "a port that some Windows have"),
    (b"CONIN$", "the keyboard of Windows"),
    (b"CONOUT$.txt", "the screen of Windows"),
    (b"CLOCK$", "the clock of old Windows"),
    (b"desktop.ini", "how Windows shows the folder"),
    (b".git", "a repository"),
    (b".htaccess", "a hidden file that a server heeds"),
    (b"manifest.ndjson", "the list that the tool itself writes"),
    (b"MANIFEST.NDJSON", "the same in capitals"),
    (b"members", "a folder that the tool itself makes"),
    (b"worlds", "another folder of the tool's own"),
    (b".worldview-x.tmp", "the tool's own temporary files"),
];

/// Names that are displayed as something else, or that are not valid file names at all.
const SIGNS: &[(&[u8], &str)] = &[
    (b"", "no name"),
    (b" ", "a blank"),
    (b"a\0b", "a NUL, at which a name ends"),
    (b"a\nb", "a new line"),
    (b"a\rb", "back to the start of the line"),
    (b"a\tb", "a tab"),
    (b"a\x1B[31mb", "colors of a terminal"),
    (b"a\x08\x08b", "two steps back"),
    (b"a\x7Fb", "DEL"),
    (b"a\xC2\x9Bb", "a control character of C1 in UTF-8"),
    (b"a\x9B31mb", "colors of a terminal by one byte of C1"),
    (b"a*b", "a wildcard"),
    (b"a?b", "another wildcard"),
    (b"a<b>c", "redirections"),
    (b"a|b", "a pipe"),
    (b"a\"b", "a quote"),
    (b"a'b", "a quote of shells"),
    (b"<img src=x onerror=alert(1)>", "a script, to a page"),
    (b"=1+1", "a formula, to a spreadsheet"),
    (b"a,b;c", "several cells"),
    (b"trailing.", "a dot at the end, which Windows drops"),
    (b"trailing..", "two dots at the end"),
    (b"trailing ", "a blank at the end, which Windows drops"),
    (b" leading", "a blank at the start"),
    (b"\xE2\x80\xAEfdp.exe", "written from right to left"),
    (b"a\xE2\x80\x8Bb", "a blank of no width"),
    (b"\xEF\xBB\xBFa", "a byte-order mark"),
    (b"a\xFF\xFEb", "no UTF-8"),
    (b"a\xE2\x82", "UTF-8 that was cut"),
    (b"a\xED\xA0\x80b", "half a surrogate pair"),
    (b"\x93\xFA\x96{", "Shift-JIS, with a brace inside a letter"),
];

/// Names that are equal on some file system or under some escaping rule, and different elsewhere.
const COLLISIONS: &[(&[u8], &str)] = &[
    (b"A", "what %41 escapes"),
    (b"%41", "what escapes A"),
    (b"%2541", "what escapes %41"),
    (b"%", "an escape of nothing"),
    (b"_", "what replaces much"),
    (b"trailing", "a name without the dots and blanks of others"),
    (b"trailing~2", "the name that the second of two might get"),
    (b"Foo", "a name with a capital"),
    (b"foo", "the same without"),
    (b"FOO", "the same in capitals alone"),
    (b"\xC3\x84b", "a name with a capital beyond ASCII"),
    (b"\xC3\xA4b", "the same without that capital"),
    (b"\xC5\xBFoo", "a long s, whose capital is S"),
    (b"soo", "the short s that becomes"),
    (b"\xE2\x84\xAAey", "the sign of Kelvin, whose small letter is k"),
    (b"key", "the k that it becomes"),
    (b"caf\xC3\xA9", "a letter with its accent"),
    (b"cafe\xCC\x81", "a letter and an accent, which macOS takes for one"),
    (b"stra\xC3\x9Fe", "a sharp s, whose capitals are two"),
    (b"strasse", "what it becomes in capitals"),
    (b"\xEF\xAC\x81x", "a ligature, which some normalise"),
    (b"fix", "what it becomes"),
];

/// Returns distinct names of every kind known to cause harm on Linux, macOS or Windows.
pub fn names() -> Vec<Hostile> {
    let mut names = Vec::new();
    for &(bytes, why) in [WAYS_OUT, RESERVED, SIGNS, COLLISIONS].into_iter().flatten() {
        names.push(Hostile { bytes: bytes.to_vec(), why });
    }
    for (len, why) in [
        (255, "the longest name of most systems, without an extension of ours"),
        (256, "one letter more"),
        (5000, "more than a path may have"),
    ] {
        names.push(Hostile { bytes: vec![b'x'; len], why });
    }
    // 100 characters, 300 bytes.
    names.push(Hostile { bytes: "\u{6f22}".repeat(100).into_bytes(), why: "few letters, but too many bytes" });
    names.push(Hostile { bytes: b"../".repeat(40), why: "forty folders above" });
    names.push(Hostile { bytes: b"d/".repeat(120), why: "a hundred folders deep" });
    names
}

/// Returns the content stored under a name in the files below: its number and why it is hostile.
pub fn content(number: usize, name: &Hostile) -> Vec<u8> {
    format!("{number}: {}", name.why).into_bytes()
}

/// Builds an archive with one member per name: the first 16 bytes are the name, the next 8 the extension. The data is
/// the [`content`].
pub fn archive(names: &[Hostile]) -> Vec<u8> {
    let member = |(number, name): (usize, &Hostile)| {
        let (start, rest) = name.bytes.split_at(name.bytes.len().min(NAME_SIZE));
        let extension = rest[..rest.len().min(EXTENSION_SIZE)].to_vec();
        MemberSpec { extension, ..MemberSpec::new(start, content(number, name)) }
    };
    let members = names.iter().enumerate().map(member).collect();
    build_archive(&ArchiveSpec { members, ..ArchiveSpec::default() }).bytes
}

/// Builds a REZ archive with a file per name, or with a directory per name that has one file, `IT.TXT`. The data is the [`content`].
/// Names end at a NUL.
pub fn rez(names: &[Hostile], are_directories: bool) -> Vec<u8> {
    let mut root = DirectorySpec::default();
    for (number, name) in names.iter().enumerate() {
        let text: Vec<u8> = name.bytes.iter().copied().take_while(|&byte| byte != 0).collect();
        let data = content(number, name);
        root.entries.push(if are_directories {
            let mut directory = DirectorySpec::new(text);
            directory.add("IT.TXT", data);
            EntrySpec::Directory(directory)
        } else {
            EntrySpec::File(FileSpec { name: text, data, ..FileSpec::default() })
        });
    }
    rez::build::build(&RezSpec { root, ..RezSpec::default() }).bytes
}

/// Builds a database with a world, a model, a part, two textures, a material and a presenter for each name. Names end
/// at a NUL.
///
/// The first world, `HARMLESS`, has enough references for the file to be recognized. The red and green of each global
/// texture, and of each model's mesh, hold the number of the name, low byte first.
pub fn world(names: &[Hostile]) -> Vec<u8> {
    let mut worlds = vec![WorldSpec::new("HARMLESS")];
    let mut parts = PartsSpec::default();
    let mut models = Vec::new();
    let mut textures = Vec::new();
    for (number, name) in names.iter().enumerate() {
        let [red, green, ..] = number.to_le_bytes();
        let color = [red, green, 0x40];
        let texture = TextureSpec { name: name.bytes.clone(), ..TextureSpec::new("", ImageSpec::plain(2, 2, color)) };
        let [material, texture_name] = [(); 2].map(|()| name.bytes.clone());
        let mesh = MeshSpec { color, material, texture: texture_name, ..MeshSpec::textured(Vec::new(), "") };
        let lods = vec![LodSpec::triangle(mesh)];
        parts.parts.push(PartSpec { name: name.bytes.clone(), ..PartSpec::new("", lods.clone()) });
        parts.textures.push(texture.clone());
        textures.push(texture);
        let mut model = ModelSpec::new("", lods);
        model.roi.name.clone_from(&name.bytes);
        model.animation.root.name.clone_from(&name.bytes);
        models.push(BlobSpec::model(model));
        let counted = with_nul(&name.bytes);
        // Blob 0 holds the parts.
        let reference = ModelRefSpec { name: counted.clone(), ..ModelRefSpec::new("", number + 1) };
        let mut world = WorldSpec { name: counted.clone(), ..WorldSpec::default() }.part("", 0);
        world.parts[0].name.clone_from(&counted);
        worlds.push(world.model(ModelRefSpec { presenter: counted, ..reference }));
    }
    if !models.is_empty() {
        worlds[0].models.resize(64, ModelRefSpec::new("harmless", 1));
    }
    let mut blobs = vec![BlobSpec::parts(parts.clone())];
    blobs.extend(models);
    let spec = DatabaseSpec { worlds, textures, parts, blobs, ..DatabaseSpec::default() };
    island::build::build(&spec).bytes
}

/// Builds a level with one plane per name, truncated to 64 bytes. The plane's only tile and its fill color are the
/// number of the name. Each plane also has an object and an image set with the name, which end at a NUL or after 200
/// bytes, as do the names of the level and its author.
pub fn level(names: &[Hostile]) -> Vec<u8> {
    let mut level = LevelSpec { packing: Packing::Zlib { level: 6 }, ..LevelSpec::default() };
    for (number, name) in names.iter().enumerate() {
        let text: Vec<u8> = name.bytes.iter().copied().take_while(|&byte| byte != 0).take(200).collect();
        let mut plane = PlaneSpec::empty(&name.bytes, 32, 1, 1);
        plane.flags = u32::from(number == 0);
        plane.fill_color = i32::try_from(number).unwrap_or(0);
        plane.tiles = vec![u32::try_from(number).unwrap_or(0)];
        plane.objects.push(ObjectSpec {
            id: i32::try_from(number).unwrap_or(0),
            name: text.clone(),
            logic: text.clone(),
            image_set: text.clone(),
            animation: text.clone(),
            ..ObjectSpec::default()
        });
        plane.image_sets.push(text);
        level.planes.push(plane);
    }
    if let [first, second, ..] = names {
        level.header.name.clone_from(&first.bytes);
        level.header.author.clone_from(&second.bytes);
    }
    wwd::build::build(&level).bytes
}

/// Returns workbooks that ask for far more than any spreadsheet has, with what they ask for.
pub fn workbooks() -> Vec<(&'static str, Vec<u8>)> {
    const RECORD: &str = "<row><c t=\"inlineStr\"><is><t>record</t></is></c></row>";
    let rows = |rows: String| workbook_with(&[("records", &format!("{RECORD}{rows}"))], &[]);
    let part = |name: &str, text: String| workbook_with(&[("records", RECORD)], &[(name, text)]);
    let strings = |count: &str, texts: String| {
        part("xl/sharedStrings.xml", format!("<sst uniqueCount=\"{count}\">{texts}</sst>"))
    };
    let styles = |styles: String| part("xl/styles.xml", format!("<styleSheet>{styles}</styleSheet>"));
    let sheets = |sheets: String| part("xl/workbook.xml", format!("<workbook><sheets>{sheets}</sheets></workbook>"));
    let relations = |count: u32, target: &dyn Fn(u32) -> u32| {
        let relation = |id| format!("<Relationship Id=\"s{id}\" Type=\"/worksheet\" Target=\"{}.xml\"/>", target(id));
        let list: String = (0..count).map(relation).collect();
        part("xl/_rels/workbook.xml.rels", format!("<Relationships>{list}</Relationships>"))
    };
    let empty: Vec<_> = (0..20_000).map(|number| (format!("{number}.bin"), String::new())).collect();
    let empty: Vec<_> = empty.iter().map(|(name, text)| (name.as_str(), text.clone())).collect();
    let far = |row| format!("<row r=\"{row}\"><c r=\"XFD{row}\"><v>1</v></c></row>");
    let name = |row| format!("<row><c><v>{row}</v></c></row>");
    let sheet = |id: u32| format!("<sheet name=\"{id}\" r:id=\"s{id}\"/>");
    vec![
        ("memory for texts that are not there", strings("4294967295", String::new())),
        ("millions of texts", strings("1", "<si/>".repeat(2_100_000))),
        ("thousands of styles", styles("<xf/>".repeat(66_000))),
        ("a long format", styles(format!("<numFmt numFmtId=\"9\" formatCode=\"{}\"/>", "0".repeat(2000)))),
        ("thousands of worksheets", sheets((0..5000).map(sheet).collect())),
        ("two worksheets by one relation", sheets(sheet(1).repeat(2))),
        ("two worksheets in one part", relations(2, &|_| 1)),
        ("thousands of relations", relations(66_000, &|id| id)),
        ("a long text", rows(format!("<row><c t=\"inlineStr\"><is><t>{}</t></is></c></row>", "A".repeat(2_000_000)))),
        ("millions of cells", rows(format!("<row>{}</row>", "<c/>".repeat(8_400_000)))),
        ("cells far apart", rows((2..9000).map(far).collect())),
        ("thousands of new records", rows((0..60_000).map(name).collect())),
        ("thousands of parts", workbook_with(&[("records", RECORD)], &empty)),
    ]
}

/// Returns what is wrong with a file name under the rules of Linux, macOS and Windows. The Windows rules are those of
/// Microsoft's "Naming Files, Paths, and Namespaces".
pub fn complaint(name: &str) -> Option<String> {
    let stem = name.split('.').next().unwrap_or_default().trim_end_matches(' ').to_uppercase();
    let raised = ['\u{B9}', '\u{B2}', '\u{B3}'];
    let numbered = |port| {
        let number = stem.strip_prefix(port).map(|number| number.chars().collect::<Vec<_>>());
        number.is_some_and(|number| matches!(number[..], [digit] if digit.is_ascii_digit() || raised.contains(&digit)))
    };
    let is_device = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$"].contains(&stem.as_str());
    if name.is_empty() || name == "." || name == ".." {
        Some("no name of its own".into())
    } else if name.len() > 255 {
        Some(format!("{} bytes", name.len()))
    } else if let Some(bad) = name.chars().find(|&char| char.is_control() || "<>:\"/\\|?*".contains(char)) {
        Some(format!("has {bad:?}"))
    } else if name.ends_with(['.', ' ']) {
        Some("ends in what Windows drops".into())
    } else if is_device || numbered("COM") || numbered("LPT") {
        Some("is a device".into())
    } else if name.starts_with(['-', '~', ' ']) {
        Some("is an option, or something else, to a shell".into())
    } else {
        None
    }
}
