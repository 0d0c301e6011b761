//! A model with thousands of references. Files with heavily overlapping parts are among the bombs of
//! `worldview-tools`.

use worldview_corpus::island::build::build;
use worldview_corpus::island::spec::{BlobSpec, DatabaseSpec, ModelRefSpec, ModelSpec, WorldSpec};
use worldview_inspect::find::Pattern;

use super::support::in_database;

#[test]
fn a_shared_blob_is_searched_once() {
    let models = vec![ModelRefSpec::new("same", 0); 20_000];
    let blobs = vec![BlobSpec::model(ModelSpec::new("object", Vec::new()))];
    let worlds = vec![WorldSpec { models, ..WorldSpec::new("W") }];
    let bytes = build(&DatabaseSpec { worlds, blobs, ..DatabaseSpec::default() }).bytes;
    assert_eq!(in_database(&bytes, &Pattern::new("same")).len(), 20_000);
    // The object, and the node of the same name.
    assert_eq!(in_database(&bytes, &Pattern::new("object")).len(), 2);
}
