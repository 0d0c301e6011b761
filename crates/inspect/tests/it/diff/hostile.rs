//! Lists of thousands of elements with the same name. Files with heavily overlapping parts are among the bombs of
//! `worldview-tools`.

use worldview_corpus::ff13::build::build_table;
use worldview_corpus::ff13::spec::{Generation, RowSpec, TableSpec};
use worldview_corpus::island::spec::{BlobSpec, DatabaseSpec, ModelRefSpec, ModelSpec, WorldSpec};
use worldview_corpus::wwd::spec::{LevelSpec, ObjectSpec, PlaneSpec};

use super::support::{databases, edited, levels, tables_of};

#[test]
fn thousands_of_one_name() {
    let plane = PlaneSpec { name: b"same".to_vec(), ..PlaneSpec::default() };
    let left = LevelSpec { planes: vec![plane; 20_000], ..LevelSpec::default() };
    let right = edited(&left, |level| level.planes[19_000].z_coord = 1);
    assert_eq!(levels(&left, &right).len(), 1);

    let mut plane = PlaneSpec::empty(b"same", 64, 1, 1);
    plane.objects = (0..40_000).map(|x| ObjectSpec { x, ..ObjectSpec::default() }).collect();
    let left = LevelSpec { planes: vec![plane], ..LevelSpec::default() };
    // Every object differs, so they are matched by position.
    let right = edited(&left, |level| level.planes[0].objects.iter_mut().for_each(|object| object.score = 1));
    assert_eq!(levels(&left, &right).len(), 40_000);

    let row = RowSpec { name: b"same".to_vec(), values: vec![1.into()], data: None };
    let left = TableSpec { rows: vec![row; 40_000], keep_order: true, ..TableSpec::new(Generation::G3, &["iCount"]) };
    let right = edited(&left, |table| table.rows[39_000].values = vec![2.into()]);
    let (left, right) = (build_table(&left).bytes, build_table(&right).bytes);
    assert_eq!(tables_of(&left, &right), ["~ same#39000: iCount: 1 -> 2"]);

    let world = WorldSpec { models: vec![ModelRefSpec::new("same", 0); 20_000], ..WorldSpec::new("W") };
    let blobs = vec![BlobSpec::model(ModelSpec::new("one", Vec::new()))];
    let left = DatabaseSpec { worlds: vec![world], blobs, ..DatabaseSpec::default() };
    let right = edited(&left, |database| database.worlds[0].models[19_000].visible = 0);
    assert_eq!(databases(&left, &right).len(), 1);
}
