use worldview_corpus::wwd::naive;
use worldview_corpus::wwd::samples::samples;
use worldview_inspect::{Options, Root, json};
use worldview_wwd::{Level, LevelDescription, unpack};

#[test]
fn the_objects_of_a_level_are_lines() {
    for (name, file) in samples() {
        let unpacked = unpack(&file).unwrap();
        let level = Level::parse(&unpacked).unwrap();
        let described = LevelDescription::new(&unpacked, &level);
        let root = Root::new("wwd", level.image(), &described);
        let mut out = Vec::new();
        json::lines(&root, &["planes", "objects"], &Options::default(), &mut out).unwrap();
        let out = String::from_utf8(out).unwrap();
        let mut lines = out.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        let expected = naive::read(&file).unwrap();
        for (number, plane) in expected.planes.iter().enumerate() {
            for (index, object) in plane.objects.iter().enumerate() {
                let line = lines.next().unwrap();
                assert_eq!((&line["plane"], &line["object"]), (&number.into(), &index.into()), "{name}");
                assert_eq!(line["logic"].as_str().unwrap().as_bytes(), object.logic, "{name}");
                assert_eq!(line["x"].as_i64(), naive::int(&object.fields, "x"), "{name}");
            }
        }
        assert_eq!(lines.next(), None, "{name}");
    }
}
