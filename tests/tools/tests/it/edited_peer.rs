//! Edited tables, as read by `ff13-formats`.

use ff13_formats::wdb::to_json;
use worldview::wpd::Schemas;
use worldview_corpus::rng::Rng;
use worldview_edit::wpd;
use worldview_readers::wpd::random_table;

/// A table that was made another one by changes has the other's values for the peer, too.
#[test]
fn the_peer_reads_edited_tables_as_intended() {
    let mut rng = Rng::new(41);
    let mut values = 0;
    for sheet in Schemas::builtin().sheets() {
        let [left, right] = [(); 2].map(|()| random_table(sheet, &mut rng, 0x0102_0304));
        let changes = wpd::diff(&left, &right).unwrap().changes;
        values += changes.len();
        let edited = wpd::apply(&left, &changes).unwrap().to_vec();
        let [edited, right] = [edited, right].map(|file| to_json(&file, None).unwrap()["records"].clone());
        assert_eq!(edited, right, "{}", sheet.name());
    }
    assert!(values > 5000, "{values}");
}
