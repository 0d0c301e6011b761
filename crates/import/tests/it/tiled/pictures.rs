//! Maps whose objects show their pictures.

use worldview_corpus::drawn::{Scene, scene};
use worldview_edit::{Change, Changes, Value};
use worldview_export::Encoding;
use worldview_export::level::game::{Assets, LevelPictures};
use worldview_export::level::tiled::plan_with_game;
use worldview_rez::Rez;
use worldview_wwd::{Level, unpack};

use super::plan;

/// Returns all maps of a level with the pictures of an archive, in both forms.
fn maps(scene: &Scene) -> Vec<[String; 2]> {
    let (image, archive) = (unpack(&scene.level).unwrap(), Rez::parse(&scene.archive).unwrap());
    let level = Level::parse(&image).unwrap();
    let pictures = LevelPictures::of(&Assets::new().archive(&archive), &level, None).unwrap();
    let maps = plan_with_game(&level, Encoding::default(), &pictures).unwrap();
    let text = |write: &dyn Fn(&mut Vec<u8>)| {
        let mut out = Vec::new();
        write(&mut out);
        String::from_utf8(out).unwrap()
    };
    let forms =
        maps.iter().map(|map| [text(&|out| map.write_tmx(out).unwrap()), text(&|out| map.write_tmj(out).unwrap())]);
    forms.collect()
}

fn sample() -> (Scene, String) {
    let scene =
        Scene { level: worldview_corpus::sample("harbour.wwd"), archive: worldview_corpus::sample("harbour.rez") };
    let tmx = maps(&scene)[0][0].clone();
    (scene, tmx)
}

/// The fields that are set, by the last part of their paths.
fn set(changes: &Changes) -> Vec<(String, Value)> {
    let sets = changes.iter().map(|change| match change {
        Change::Set { path, to, .. } => (path.to_string().rsplit('/').next().unwrap().to_owned(), to.clone()),
        other => panic!("{other:?}"),
    });
    sets.collect()
}

#[test]
fn maps_that_nobody_edited_are_no_changes() {
    let (harbour, _) = sample();
    let mut shown = 0;
    for scene in (0..80).map(scene).chain([harbour]) {
        for map in maps(&scene).iter().flatten() {
            shown += map.matches("gid").count();
            let changes = plan(&scene.level, map.as_bytes()).unwrap();
            assert!(changes.is_empty(), "{changes:?}");
        }
    }
    assert!(shown > 500, "only {shown} objects show pictures");
}

/// The element of the second object, a treasure of 32 by 32 pixels, and what the tests make of it.
fn edited(edit: impl Fn(&str) -> String) -> Changes {
    let (scene, tmx) = sample();
    let start = tmx.find("<object id=\"2\"").unwrap();
    let end = start + tmx[start..].find("</object>").unwrap() + "</object>".len();
    let edited = format!("{}{}{}", &tmx[..start], edit(&tmx[start..end]), &tmx[end..]);
    plan(&scene.level, edited.as_bytes()).unwrap()
}

fn attribute(object: &str, name: &str) -> i64 {
    let start = object.find(&format!(" {name}=\"")).unwrap() + name.len() + 3;
    object[start..].split('"').next().unwrap().parse().unwrap()
}

fn with(object: &str, name: &str, value: i64) -> String {
    let old = attribute(object, name);
    object.replacen(&format!(" {name}=\"{old}\""), &format!(" {name}=\"{value}\""), 1)
}

#[test]
fn a_moved_object_has_moved_that_far() {
    // The picture has 32 by 32 pixels, and its center is 8 pixels below the treasure.
    let changes = edited(|object| with(&with(object, "x", 1000), "y", 500));
    assert_eq!(set(&changes), [("x".to_owned(), Value::from(1016)), ("y".to_owned(), Value::from(476))]);
}

#[test]
fn a_flipped_object_has_other_flags_and_the_same_place() {
    for (bits, flags) in [(1_i64 << 31, 2), (1 << 30, 4), (3 << 30, 6)] {
        let changes = edited(|object| with(object, "gid", attribute(object, "gid") | bits));
        assert_eq!(set(&changes), [("draw_flags".to_owned(), Value::from(flags))]);
    }
}

#[test]
fn a_deleted_object_is_gone() {
    let changes = edited(|_| String::new());
    assert!(matches!(&changes.iter().collect::<Vec<_>>()[..], [Change::Remove { .. }]), "{changes:?}");
}

#[test]
fn another_picture_is_another_image_set() {
    let changes = edited(|object| with(object, "gid", attribute(object, "gid") - 1));
    // The picture stays where it is, its center at 1384. That of a chest is 64 pixels below the object.
    let expected = [("image_set".to_owned(), Value::from("GAME_CHEST")), ("y".to_owned(), Value::from(1320))];
    assert_eq!(set(&changes), expected);
}

#[test]
fn a_picture_from_the_tileset_is_a_new_object() {
    let changes = edited(|object| {
        let gid = attribute(object, "gid");
        format!("{object}<object id=\"5000\" gid=\"{gid}\" x=\"100\" y=\"232\" width=\"32\" height=\"32\"/>")
    });
    let [Change::Add { fields, .. }] = &changes.iter().collect::<Vec<_>>()[..] else { panic!("{changes:?}") };
    let field = |name: &str| fields.iter().find(|(field, _)| field == name).map(|(_, value)| value.clone());
    assert_eq!(field("image_set"), Some(Value::from("GAME_COINS")));
    assert_eq!([field("x"), field("y"), field("i")], [116, 208, -1].map(|value| Some(Value::from(value))));
}

#[test]
fn a_rotated_picture_is_refused() {
    let (scene, tmx) = sample();
    let map = tmx.replacen("<object id=\"2\"", "<object id=\"2\" rotation=\"45\"", 1);
    let error = plan(&scene.level, map.as_bytes()).unwrap_err();
    assert!(error.to_string().contains("rotated"), "{error}");
}
