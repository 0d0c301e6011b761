//! Fields of fixed-layout structures have their names in their declarations only.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use worldview::FieldInfo;
use worldview::describe::{Int, Stored};
use worldview::wwd::raw::{
    AttributeHead, AttributesHeader, DoubleRecord, LevelHeader, ObjectRecord, PlaneHeader, SingleRecord,
};

fn all_fields() -> impl Iterator<Item = &'static FieldInfo> {
    use worldview::wpd::raw as wpd;
    use worldview_rez::raw as rez;
    [
        LevelHeader::FIELDS,
        PlaneHeader::FIELDS,
        ObjectRecord::FIELDS,
        AttributesHeader::FIELDS,
        AttributeHead::FIELDS,
        SingleRecord::FIELDS,
        DoubleRecord::FIELDS,
        worldview::wwd::Guide::FIELDS,
        rez::RezHeader::FIELDS,
        rez::EntryHeader::FIELDS,
        rez::FileHeader::FIELDS,
        rez::PidHeader::FIELDS,
        rez::PcxHeader::FIELDS,
        rez::BmpHeader::FIELDS,
        wpd::ArchiveHeader::FIELDS,
        wpd::Entry::FIELDS,
    ]
    .into_iter()
    .flatten()
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// Documents begin with these members, and a header's fields may be beside them.
#[test]
fn no_field_has_the_name_of_a_member_of_documents() {
    let taken = ["format", "version", "full"];
    let fields: Vec<_> = all_fields().map(|info| info.name).filter(|name| taken.contains(name)).collect();
    assert!(fields.is_empty(), "{fields:?} would be twice in the JSON of a file");
}

/// One-word names, such as `x` or `name`, are words of other things, too. The bits of flags have names of their own, some of
/// which are those of the fields that they are about; properties of pictures in a map are not fields of the level.
#[test]
fn product_code_does_not_repeat_names() {
    let is_compound = |name: &&str| name.contains(|char: char| char == '_' || char.is_ascii_digit());
    let names: HashSet<_> = all_fields().map(|info| info.name).filter(is_compound).collect();
    assert!(names.len() > 90, "{}", names.len());
    let is_other = |file: &str| {
        ["wwd/src/flags.rs", "tiled/collection.rs", "tiled/pictures.rs", "tiled/attributes.rs", "/island/"]
            .iter()
            .any(|other| file.contains(other))
    };
    let repeated = literals(|file| !is_other(file), |text| names.contains(text));
    assert!(repeated.is_empty(), "use `field_name!`, or take the name from `FIELDS`:\n{}", repeated.join("\n"));
}

/// Most names of structures in WORLD.WDB are words of other things elsewhere.
#[test]
fn code_for_models_does_not_repeat_names() {
    use worldview::island::raw as island;
    let names: HashSet<_> = [
        island::Range::NAMES,
        island::Placement::NAMES,
        island::ImageHeader::NAMES,
        island::Bounds::NAMES,
        island::PoolCounts::NAMES,
        island::MeshCounts::NAMES,
        island::Surface::NAMES,
    ]
    .concat()
    .into_iter()
    .collect();
    assert!(names.contains("visible") && names.len() > 20, "{names:?}");
    let is_of_models = |file: &str| {
        ["edit/src/", "import/src/", "export/src/"].iter().any(|part| file.contains(part))
            && ["/island/", "/glb", "/model"].iter().any(|part| file.contains(part))
    };
    let repeated = literals(is_of_models, |text| names.contains(text));
    assert!(repeated.is_empty(), "use `field_name!`:\n{}", repeated.join("\n"));
}

/// A field may have another name in a map.
#[test]
fn names_of_properties_are_made_in_one_place() {
    use worldview_export::level::tiled::{bytes_name, property_name};
    let texts = [LevelHeader::FIELDS, PlaneHeader::FIELDS].concat();
    let texts = texts.iter().filter(|info| matches!(info.stored, Stored::Text(_))).map(|info| bytes_name(info.name));
    let others = all_fields().map(|info| (info.name, property_name(info.name)));
    let others = others.filter(|(name, property)| name != property).map(|(_, property)| property.into_owned());
    let names: HashSet<_> = texts.chain(others).collect();
    assert!(names.contains("name_bytes") && names.contains("wwd_name"), "{names:?}");
    let repeated = literals(|_| true, |text| names.contains(text));
    assert!(repeated.is_empty(), "use `property_name` or `bytes_name`:\n{}", repeated.join("\n"));
}

/// Returns the literals of product code that a test is about, and where they are.
fn literals(is_about: impl Fn(&str) -> bool, is_found: impl Fn(&str) -> bool) -> Vec<String> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates");
    let mut files = Vec::new();
    for entry in std::fs::read_dir(crates).unwrap() {
        let folder = entry.unwrap().path().join("src");
        if folder.is_dir() {
            sources(&folder, &mut files);
        }
    }
    let mut found = Vec::new();
    for file in files {
        let name = file.to_string_lossy().replace('\\', "/");
        if !is_about(&name) {
            continue;
        }
        let text = std::fs::read_to_string(&file).unwrap();
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim_start().starts_with("//")) {
            let literals = line.split('"').skip(1).step_by(2).filter(|text| is_found(text));
            found.extend(literals.map(|text| format!("{name}:{number}: {text}")));
        }
    }
    found
}

fn text_of(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)).unwrap()
}

/// The name that a table of a format page has for how a field is stored.
fn type_of(stored: Stored<'_>) -> String {
    let int = |int: Int| format!("{}{}", if int.signed { 'i' } else { 'u' }, u32::from(int.bytes) * 8);
    match stored {
        Stored::Int(word) => int(word),
        Stored::Ints(_, 4) => "rect".into(),
        Stored::Text(2..=3) => format!("{} bytes", stored.size().unwrap()),
        Stored::Text(size) | Stored::Padded(size) => format!("text[{size}]"),
        other => panic!("{other:?}"),
    }
}

/// The tables of the format pages have one or several fields in a row: `| 104 | i32 × 2 | scroll_x, scroll_y |`.
#[test]
fn format_pages_have_the_fields_as_declared() {
    let tables = [
        ("wwd", "## Header", LevelHeader::FIELDS),
        ("wwd", "## Plane header", PlaneHeader::FIELDS),
        ("wwd", "## Objects", ObjectRecord::FIELDS),
        ("rez", "## Header", worldview_rez::raw::RezHeader::FIELDS),
        ("rez", "## PID", worldview_rez::raw::PidHeader::FIELDS),
        ("rez", "## BMP", worldview_rez::raw::BmpHeader::FIELDS),
        ("wpd", "`count` entries of 32 bytes", worldview::wpd::raw::Entry::FIELDS),
    ];
    for (name, heading, fields) in tables {
        let page = text_of(&format!("crates/{name}/FORMAT.md"));
        let section = page.split_once(&format!("\n{heading}")).unwrap_or_else(|| panic!("{name}: {heading}")).1;
        let rows = section.lines().skip_while(|line| !line.starts_with("| offset")).skip(2);
        let mut fields = fields.iter();
        for row in rows.take_while(|line| line.starts_with('|')) {
            let cells: Vec<_> = row.split('|').map(str::trim).collect();
            let names = cells[3];
            for (place, (kind, count)) in cells[2]
                .split(", ")
                .map(|cell| {
                    cell.split_once(" × ").map_or((cell, 1), |(kind, count)| (kind, count.parse().unwrap_or(0)))
                })
                .enumerate()
            {
                for nth in 0..count {
                    // Rows behind the structure are about what follows it.
                    let Some(info) = fields.next() else { break };
                    assert_eq!(type_of(info.stored), kind, "{name}: {row}");
                    if place == 0 && nth == 0 {
                        assert_eq!(info.offset.to_string(), cells[1], "{name}: {row}");
                        assert!(names.starts_with(info.name), "{name}: {row}: {}", info.name);
                    }
                }
            }
        }
        assert_eq!(fields.len(), 0, "{name}: {heading}: fields are missing");
    }
}
