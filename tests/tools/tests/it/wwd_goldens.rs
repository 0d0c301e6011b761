//! Committed dumps, so that the output for a level changes only on purpose.

use worldview::wwd::{self, Level, LevelDescription};
use worldview_corpus::sample;
use worldview_export::Encoding;
use worldview_export::level::csv;
use worldview_inspect::{Options, Root, json, text};
use worldview_readers::golden;

fn dump(file: &[u8]) -> String {
    dump_with(file, &Options::default())
}

fn dump_fully(file: &[u8]) -> String {
    dump_with(file, &Options { full: true, ..Options::default() })
}

fn dump_with(file: &[u8], options: &Options<'_>) -> String {
    let image = wwd::unpack(file).unwrap();
    let level = Level::parse(&image).unwrap();
    let mut out = Vec::new();
    let described = LevelDescription::new(&image, &level);
    let root = Root::new("wwd", level.image(), &described).besides(image.trailing().len() as u64);
    text::write(&root, options, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn all_bytes_after_a_packed_level_are_dumped() {
    let mut file = sample("cellar.wwd");
    let before = dump_fully(&file);
    // Far more than the budget of a walk over the level alone.
    file.extend(vec![7; 4 << 20]);
    let behind = dump_fully(&file);
    assert!(behind.len() > before.len() + (8 << 20), "two digits for each byte: {}", behind.len());
}

#[test]
fn text_and_tables_of_a_sample() {
    let file = sample("cellar.wwd");
    let image = wwd::unpack(&file).unwrap();
    let level = Level::parse(&image).unwrap();
    let described = LevelDescription::new(&image, &level);
    let (root, options) = (Root::new("wwd", level.image(), &described), Options::default());
    let texts = [
        ("cellar.objects.csv", written(|out| csv::objects(&level, Encoding::WINDOWS_1252, out))),
        ("cellar.attributes.csv", written(|out| csv::attributes(&level, out))),
        ("cellar.objects.ndjson", written(|out| Ok(json::lines(&root, &["planes", "objects"], &options, out)?))),
        ("cellar.txt", dump(&file)),
    ];
    for (name, text) in texts {
        golden::compare(&format!("export/{name}"), &text).unwrap();
    }
}

fn written(write: impl FnOnce(&mut Vec<u8>) -> worldview_export::Result<()>) -> String {
    let mut out = Vec::new();
    write(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}
