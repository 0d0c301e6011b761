use worldview_corpus::wwd::naive;
use worldview_corpus::wwd::samples;
use worldview_inspect::{Options, Root, json};

use super::dump;
use crate::open::{self, Described};

#[test]
fn the_objects_of_a_level_are_lines() {
    for (name, file) in samples() {
        let (mut out, options) = (Vec::new(), Options::default());
        let mut write = |(source, body): Described<'_>| {
            json::lines(&Root::new("wwd", source, body), &["planes", "objects"], &options, &mut out).unwrap();
        };
        open::level(&file, &mut write).unwrap();
        let out = String::from_utf8(out).unwrap();
        let mut lines = out.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        let expected = naive::read(&file).unwrap();
        for (number, plane) in expected.planes.iter().enumerate() {
            for (object, key) in plane.objects.iter().zip(plane.keys()) {
                let line = lines.next().unwrap();
                assert_eq!((&line["plane"], &line["object"]), (&number.into(), &key.into()), "{name}");
                assert_eq!(line["logic"].as_str().unwrap().as_bytes(), object.logic, "{name}");
                assert_eq!(line["x"].as_i64(), naive::int(&object.fields, "x"), "{name}");
            }
        }
        assert_eq!(lines.next(), None, "{name}");
    }
}

#[test]
fn attributes_of_gruntz_have_names_in_its_levels_only() {
    let dump = |file: &[u8]| dump(&open::level, file, "wwd", false);
    let (_, mut garden) = samples().into_iter().find(|(name, _)| name.starts_with("garden")).unwrap();
    assert!(dump(&garden).contains("attribute 10 water"));
    // The game follows from the tile directory.
    let at = garden.windows(4).position(|bytes| bytes.eq_ignore_ascii_case(b"AREA")).unwrap();
    garden[at..at + 4].copy_from_slice(b"NONE");
    let shown = dump(&garden);
    assert!(shown.contains("attribute 10") && !shown.contains("water"));
    assert!(shown.contains("attribute 1 solid"));
}
