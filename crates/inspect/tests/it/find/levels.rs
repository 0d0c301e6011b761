use worldview_corpus::wwd::build::{build, build_image};
use worldview_corpus::wwd::spec::{LevelSpec, ObjectSpec, Packing, PlaneSpec, TrailerBlockSpec, TrailerSpec};
use worldview_inspect::find::Pattern;

use super::support::{in_level, only};

/// A level in which every text is different.
fn level() -> LevelSpec {
    let mut level = LevelSpec::default();
    let header = &mut level.header;
    header.name = b"name01".to_vec();
    header.author = b"author02".to_vec();
    header.birth = b"birth03".to_vec();
    header.rez_file = b"rez04".to_vec();
    header.image_dir = b"dir05".to_vec();
    header.pal_rez = b"pal06".to_vec();
    header.launch_app = b"app07".to_vec();
    header.image_set_dirs = [b"dir08".to_vec(), b"dir09".to_vec(), b"dir10".to_vec(), b"dir11".to_vec()];
    header.image_set_prefixes = [b"pre12".to_vec(), b"pre13".to_vec(), b"pre14".to_vec(), b"pre15".to_vec()];
    let mut plane = PlaneSpec::empty(b"plane16", 64, 2, 2);
    plane.image_sets = vec![b"set17".to_vec(), Vec::new(), b"set18".to_vec()];
    let mut object = ObjectSpec {
        id: 4,
        name: b"object19".to_vec(),
        logic: b"logic20".to_vec(),
        image_set: b"set21".to_vec(),
        animation: b"anim22".to_vec(),
        ..ObjectSpec::default()
    };
    object.append_metadata(7);
    plane.objects = vec![ObjectSpec::default(), object];
    level.planes = vec![PlaneSpec::empty(b"", 64, 2, 2), plane];
    let header = TrailerBlockSpec::Header {
        wapmap_build: 1,
        wapmap_version: b"wapmap23".to_vec(),
        map_build: 1,
        map_version: b"map24".to_vec(),
        description: b"text25".to_vec(),
    };
    let places = TrailerBlockSpec::Favourites(vec![(Vec::new(), 1, 2), (b"place26".to_vec(), 3, 4)]);
    level.trailer = Some(TrailerSpec { blocks: vec![header, places] });
    level
}

/// The path and kind of the hit for each text.
const ALL: [(&str, &str, &str); 26] = [
    ("name01", "header/name", "name"),
    ("author02", "header/author", "author"),
    ("birth03", "header/birth", "birth"),
    ("rez04", "header/rez_file", "rez_file"),
    ("dir05", "header/image_dir", "image_dir"),
    ("pal06", "header/pal_rez", "pal_rez"),
    ("app07", "header/launch_app", "launch_app"),
    ("dir08", "header/image_set_dir_1", "image_set_dir_1"),
    ("dir09", "header/image_set_dir_2", "image_set_dir_2"),
    ("dir10", "header/image_set_dir_3", "image_set_dir_3"),
    ("dir11", "header/image_set_dir_4", "image_set_dir_4"),
    ("pre12", "header/image_set_prefix_1", "image_set_prefix_1"),
    ("pre13", "header/image_set_prefix_2", "image_set_prefix_2"),
    ("pre14", "header/image_set_prefix_3", "image_set_prefix_3"),
    ("pre15", "header/image_set_prefix_4", "image_set_prefix_4"),
    ("plane16", "plane:plane16/name", "plane"),
    ("set17", "plane:plane16/image_set#0", "image_set"),
    ("set18", "plane:plane16/image_set#2", "image_set"),
    ("object19", "plane:plane16/object:4/name", "object"),
    ("logic20", "plane:plane16/object:4/logic", "logic"),
    ("set21", "plane:plane16/object:4/image_set", "image_set"),
    ("anim22", "plane:plane16/object:4/animation", "animation"),
    ("wapmap23", "trailer/block:2/wapmap_version", "wapmap_version"),
    ("map24", "trailer/block:2/map_version", "map_version"),
    ("text25", "trailer/block:2/description", "description"),
    ("place26", "trailer/block:4/favourite:place26/name", "favourite"),
];

#[test]
fn every_text_once() {
    let level = level();
    let file = build(&level).bytes;
    for (text, path, what) in ALL {
        // Search for the digits alone, so that the pattern is a substring.
        let digits = &text[text.len() - 2..];
        let found = in_level(&level, &Pattern::new(digits));
        assert_eq!(only(&found, &file), (path.into(), what.into()));
        assert_eq!((found[0].text.as_str(), found[0].space), (text, "file"));
        let found = in_level(&level, &Pattern::new(&text.to_uppercase()));
        assert_eq!(found.len(), 1, "{text}");
        assert!(in_level(&level, &Pattern::new(&text.to_uppercase()).exact_case()).is_empty());
    }
    assert_eq!(in_level(&level, &Pattern::new("*")).len(), ALL.len());
}

#[test]
fn offsets_in_a_packed_level_are_of_the_image() {
    let level = LevelSpec { packing: Packing::Zlib { level: 6 }, ..level() };
    let (file, image) = (build(&level).bytes, build_image(&level).bytes);
    for (text, path, what) in ALL {
        let found = in_level(&level, &Pattern::new(text));
        let is_file = path.starts_with("header/") || path.starts_with("trailer/");
        let bytes = if is_file { &file } else { &image };
        assert_eq!(only(&found, bytes), (path.into(), what.into()));
        assert_eq!(found[0].space, if is_file { "file" } else { "image" }, "{text}");
    }
}

#[test]
fn text_is_in_a_code_page() {
    let mut plane = PlaneSpec::empty(b"Stra\xdfe", 64, 1, 1);
    plane.objects = vec![ObjectSpec { logic: b"\xc4RGER".to_vec(), ..ObjectSpec::default() }];
    let level = LevelSpec { planes: vec![plane], ..LevelSpec::default() };
    let found = in_level(&level, &Pattern::new("ärger"));
    assert_eq!((found.len(), found[0].text.as_str()), (1, "ÄRGER"));
    assert_eq!(in_level(&level, &Pattern::new("stra?e")).len(), 1);
}

#[test]
fn what_lies_behind_a_nul_is_no_text() {
    let mut level = LevelSpec::default();
    level.header.author = b"me\0secret".to_vec();
    level.planes = vec![PlaneSpec::empty(b"p\0secret", 64, 1, 1)];
    assert!(in_level(&level, &Pattern::new("secret")).is_empty());
    assert_eq!(in_level(&level, &Pattern::new("me")).len(), 1);
}
