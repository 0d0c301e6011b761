use worldview_corpus::wwd::build::{build, build_image};
use worldview_corpus::wwd::spec::{LevelSpec, ObjectSpec, Packing, PlaneSpec, TrailerBlockSpec, TrailerSpec};
use worldview_export::find::Pattern;

use crate::support::{in_level, only};

/// A level whose every text is another.
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

/// What each text is found as.
const ALL: [(&str, &str, &str); 26] = [
    ("name01", "header, name", "header text"),
    ("author02", "header, author", "header text"),
    ("birth03", "header, birth", "header text"),
    ("rez04", "header, rez_file", "header text"),
    ("dir05", "header, image_dir", "header text"),
    ("pal06", "header, pal_rez", "header text"),
    ("app07", "header, launch_app", "header text"),
    ("dir08", "header, image_set_dir_1", "header text"),
    ("dir09", "header, image_set_dir_2", "header text"),
    ("dir10", "header, image_set_dir_3", "header text"),
    ("dir11", "header, image_set_dir_4", "header text"),
    ("pre12", "header, image_set_prefix_1", "header text"),
    ("pre13", "header, image_set_prefix_2", "header text"),
    ("pre14", "header, image_set_prefix_3", "header text"),
    ("pre15", "header, image_set_prefix_4", "header text"),
    ("plane16", "plane 1 \"plane16\"", "plane name"),
    ("set17", "plane 1 \"plane16\", image set 0", "image set"),
    ("set18", "plane 1 \"plane16\", image set 2", "image set"),
    ("object19", "plane 1 \"plane16\", object 1 (id 4)", "object name"),
    ("logic20", "plane 1 \"plane16\", object 1 (id 4)", "logic"),
    ("set21", "plane 1 \"plane16\", object 1 (id 4)", "image set"),
    ("anim22", "plane 1 \"plane16\", object 1 (id 4)", "animation"),
    ("wapmap23", "trailer, wapmap_version", "trailer text"),
    ("map24", "trailer, map_version", "trailer text"),
    ("text25", "trailer, description", "trailer text"),
    ("place26", "trailer, favourite 1", "trailer text"),
];

#[test]
fn every_text_once() {
    let level = level();
    let file = build(&level).bytes;
    for (text, place, what) in ALL {
        // The digits alone, so that it is a part that is found.
        let digits = &text[text.len() - 2..];
        let found = in_level(&level, &Pattern::new(digits));
        assert_eq!(only(&found, &file), (place.into(), what.into()));
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
    for (text, place, what) in ALL {
        let found = in_level(&level, &Pattern::new(text));
        let is_file = what == "header text" || what == "trailer text";
        let bytes = if is_file { &file } else { &image };
        assert_eq!(only(&found, bytes), (place.into(), what.into()));
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
