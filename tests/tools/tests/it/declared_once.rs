//! Fields of fixed-layout structures have their names in their declarations only.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use worldview::FieldInfo;
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

/// One-word names, such as `x` or `name`, are words of other things, too. The bits of flags have names of their own, some of
/// which are those of the fields that they are about; properties of pictures in a map are not fields of the level.
#[test]
fn product_code_does_not_repeat_names() {
    let is_compound = |name: &&str| name.contains(|char: char| char == '_' || char.is_ascii_digit());
    let names: HashSet<_> = all_fields().map(|info| info.name).filter(is_compound).collect();
    assert!(names.len() > 90, "{}", names.len());
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates");
    let mut files = Vec::new();
    for entry in std::fs::read_dir(crates).unwrap() {
        let folder = entry.unwrap().path().join("src");
        if folder.is_dir() {
            sources(&folder, &mut files);
        }
    }
    let is_other = |file: &&PathBuf| {
        ["wwd/src/flags.rs", "tiled/collection.rs", "tiled/pictures.rs"].iter().any(|other| file.ends_with(other))
            || file.to_string_lossy().replace('\\', "/").contains("/island/")
    };
    let mut repeated = Vec::new();
    for file in files.iter().filter(|file| !is_other(file)) {
        let text = std::fs::read_to_string(file).unwrap();
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim_start().starts_with("//")) {
            let literals = line.split('"').skip(1).step_by(2);
            repeated.extend(
                literals.filter(|text| names.contains(text)).map(|text| format!("{}:{number}: {text}", file.display())),
            );
        }
    }
    assert!(repeated.is_empty(), "use `field_name!`, or take the name from `FIELDS`:\n{}", repeated.join("\n"));
}
