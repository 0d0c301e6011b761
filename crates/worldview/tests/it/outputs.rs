//! Which outputs opened files have.

use worldview::export::outputs::{Options as OutputOptions, OutputKind};
use worldview::{File, Handle, Options};
use worldview_corpus::ff13::build::build_archive;
use worldview_corpus::ff13::spec::{ArchiveSpec, MemberSpec};
use worldview_corpus::sample;

/// Returns the outputs of all kinds, or of some.
fn outputs(handle: &Handle, kinds: &[OutputKind]) -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    handle.outputs_in_memory(kinds, &OutputOptions::default(), |made| {
        let (output, bytes) = made.unwrap();
        all.push((output.name, bytes));
        true
    });
    all
}

fn opened(name: &str, inside: &str) -> Handle {
    Handle::of(&File::from_bytes(sample(name).to_vec(), name), inside.as_bytes(), &Options::new()).unwrap()
}

#[test]
fn members_are_those_of_the_archive() {
    let members = [("lamp.txt", &b"bright"[..]), ("wick", b"burns")];
    let members = members.map(|(name, data)| MemberSpec::new(name, data.to_vec())).to_vec();
    let bytes = build_archive(&ArchiveSpec { members, ..ArchiveSpec::default() }).bytes;
    let handle = Handle::of(&File::from_bytes(bytes, "pack.bin"), b"", &Options::new()).unwrap();
    let all = outputs(&handle, &OutputKind::ALL);
    assert_eq!(all[0].0, "archive.json");
    let expected = [("members/lamp.txt", &b"bright"[..]), ("members/wick", b"burns")];
    assert_eq!(all[1..], expected.map(|(name, data)| (name.to_owned(), data.to_vec())));
    assert!(outputs(&handle, &[OutputKind::Csv]).is_empty());
}

#[test]
fn each_kind_of_file_has_its_outputs() {
    // The first bytes are what the formats of the outputs begin with.
    let png = b"\x89PNG\r\n\x1a\n";
    for (name, inside, kind, first, start) in [
        ("harbour.wwd", "", OutputKind::Tmx, "level.tiled-project", &b"{"[..]),
        ("harbour.rez", "LEVEL1/WORLDS/WORLD.WWD", OutputKind::Png, "level.png", png),
        ("harbour.rez", "CLAW/SCREENS/TITLE.PCX", OutputKind::Png, "picture.png", png),
        ("harbour.rez", "CLAW/SCREENS", OutputKind::Png, "CLAW/SCREENS/TITLE.png", png),
        ("items.wdb", "", OutputKind::Csv, "records.csv", b"record,"),
        ("world.wdb", "", OutputKind::Glb, "worlds/", b"glTF"),
        ("pennant.tex", "", OutputKind::Bmp, "textures/", b"BM"),
    ] {
        let all = outputs(&opened(name, inside), &[kind]);
        assert!(all[0].0.starts_with(first) && all[0].1.starts_with(start), "{name} {inside}: {}", all[0].0);
    }
}

#[test]
fn records_and_data_have_no_outputs() {
    assert!(outputs(&opened("items.wdb", "apple_dried"), &OutputKind::ALL).is_empty());
    assert!(outputs(&opened("effects.bin", "dust"), &OutputKind::ALL).is_empty());
}
