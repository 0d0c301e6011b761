//! A model with thousands of references, and hits with long paths. Files with heavily overlapping parts are among the bombs of
//! `worldview-tools`.

use worldview_corpus::bombs::ff13::ARCHIVES;
use worldview_corpus::island::build::build;
use worldview_corpus::island::spec::{BlobSpec, DatabaseSpec, ModelRefSpec, ModelSpec, WorldSpec};
use worldview_inspect::find::{self, Hit, Pattern};
use worldview_inspect::{Options, Root};
use worldview_wpd::Archive;

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

#[test]
fn the_paths_of_hits_are_bounded() {
    let bomb = ARCHIVES.iter().find(|bomb| bomb.name == "an archive inside itself").unwrap();
    let mut bytes = bomb.bytes(500);
    // Names of 16 bytes, each of which paths show as four characters.
    bytes[16..].chunks_exact_mut(32).for_each(|entry| entry[..16].fill(0xFF));
    let archive = Archive::parse(&bytes[..]).unwrap();
    let (root, mut written) = (Root::new("wpd", archive.source(), &archive), 0);
    let mut add = |hit: &Hit<'_>| written += hit.path.as_str().len();
    let searched = find::search(&root, &Pattern::new("*"), &Options::default(), &mut add);
    assert!(searched.is_err_and(|error| error.to_string().contains("paths, which are far larger than the file,")));
    assert!(written <= 32 * bytes.len() + (4 << 20), "{written} bytes of {}", bytes.len());
}
