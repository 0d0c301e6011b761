use worldview_corpus::wwd::spec::{LevelSpec, ObjectSpec, PlaneSpec};

use super::levels::level;
use super::support::{edited, levels};

/// Returns the differences that an edit of the objects causes.
fn differences(edit: impl FnOnce(&mut Vec<ObjectSpec>)) -> Vec<String> {
    let level = level();
    levels(&level, &edited(&level, |level| edit(&mut level.planes[1].objects)))
}

#[test]
fn fields_of_every_kind() {
    type Edit = fn(&mut ObjectSpec);
    let fields: [(Edit, &str); 6] = [
        (|o| o.i = 5, "i: -1 -> 5"),
        (|o| o.add_flags = 3, "add_flags: 0x0 -> 0x3 difficult eye-candy"),
        (|o| o.move_rect = [1, 2, 3, 4], "move_rect: 0 0 0 0 -> 1 2 3 4"),
        (|o| o.user[7] = 8, "user8: 0 -> 8"),
        (|o| o.hit_type_flags = 2, "hit_type_flags: 0x0 -> 0x2 player"),
        (|o| o.logic = b"Crate".to_vec(), "logic: \"Chest\" -> \"Crate\""),
    ];
    for (edit, field) in fields {
        let expected = format!("~ plane:Action/object:11: {field}");
        assert_eq!(differences(|objects| edit(&mut objects[1])), [expected]);
    }
    let metadata = differences(|objects| objects[1].append_metadata(258));
    assert_eq!(metadata, ["~ plane:Action/object:11: metadata: none -> 0400000002010000"]);
}

#[test]
fn an_id_of_its_own_stays_the_same_object() {
    assert_eq!(differences(|objects| objects[1].id = 99), ["~ plane:Action/object:11: id: 11 -> 99"]);
    assert_eq!(differences(|objects| _ = objects.remove(0)), ["- plane:Action/object:10: \"Rat\" at 1,0"]);
    let chest = ObjectSpec { id: 99, logic: b"Chest".to_vec(), x: 8, y: 9, ..ObjectSpec::default() };
    assert_eq!(differences(|objects| objects.insert(1, chest)), ["+ plane:Action/object:99: \"Chest\" at 8,9"]);
    assert_eq!(differences(|objects| objects.swap(0, 2)), ["~ plane:Action/objects: order: object:10 -> object:12"]);
    // Two objects that swapped their contents, but not their ids.
    let crossed = differences(|objects| (objects[0].x, objects[2].x) = (3, 1));
    assert_eq!(crossed, ["~ plane:Action/object:10: x: 1 -> 3", "~ plane:Action/object:12: x: 3 -> 1",]);
}

/// A level with `count` objects that all have the same id.
fn twins(count: i32) -> LevelSpec {
    let mut plane = PlaneSpec::empty(b"Action", 64, 1, 1);
    plane.objects =
        (0..count).map(|x| ObjectSpec { x, id: 5, logic: b"Coin".to_vec(), ..ObjectSpec::default() }).collect();
    LevelSpec { planes: vec![plane], ..LevelSpec::default() }
}

#[test]
fn an_inserted_object_makes_no_others_of_those_behind_it() {
    let level = twins(50);
    let edit =
        |edit: fn(&mut Vec<ObjectSpec>)| levels(&level, &edited(&level, |level| edit(&mut level.planes[0].objects)));
    assert_eq!(
        edit(|objects| objects
            .insert(3, ObjectSpec { id: 5, x: 900, y: 7, logic: b"Coin".to_vec(), ..ObjectSpec::default() })),
        ["+ plane:Action/object:5#3: \"Coin\" at 900,7"]
    );
    assert_eq!(edit(|objects| _ = objects.remove(30)), ["- plane:Action/object:5#30: \"Coin\" at 30,0"]);
    assert_eq!(edit(|objects| objects[9].score = 4), ["~ plane:Action/object:5#9: score: 0 -> 4"]);
    // One object was removed and one was changed; the changed one is matched with the most similar one.
    let both = edit(|objects| {
        objects[9].score = 4;
        objects.remove(2);
    });
    assert_eq!(both, ["- plane:Action/object:5#2: \"Coin\" at 2,0", "~ plane:Action/object:5#9: score: 0 -> 4",]);
    assert_eq!(edit(|objects| objects[9].id = 8), ["~ plane:Action/object:5#9: id: 5 -> 8"]);
}

#[test]
fn equal_twins_are_counted() {
    let mut level = twins(1);
    let one = level.planes[0].objects[0].clone();
    level.planes[0].objects = vec![one; 4];
    let three = edited(&level, |level| _ = level.planes[0].objects.pop());
    assert_eq!(levels(&level, &three), ["- plane:Action/object:5#3: \"Coin\" at 0,0"]);
}
