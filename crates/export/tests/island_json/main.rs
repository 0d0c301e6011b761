//! JSON of databases, parsed back and compared with what the naive reader finds.
#![cfg(feature = "json")]
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, reason = "a slip fails the test")]

mod expect;

use serde_json::{Value, json};
use worldview_corpus::island::build::build;
use worldview_corpus::island::generate::{edge_cases, small};
use worldview_corpus::island::naive::{self, NaiveDatabase};
use worldview_corpus::island::samples::samples;
use worldview_export::{Encoding, Error, island};
use worldview_island::{Content, Contents, Database};

use expect::{expected, same};

fn each_file(mut look: impl FnMut(&str, &[u8], &NaiveDatabase)) {
    let mut files = edge_cases();
    files.extend(samples().into_iter().map(|(name, bytes)| (name.to_owned(), bytes)));
    files.extend((0..40).map(|seed| (format!("small {seed}"), build(&small(seed)).bytes)));
    let mut count = 0;
    for (name, bytes) in files {
        let Ok(naive) = naive::database(&bytes) else { continue };
        look(&name, &bytes, &naive);
        count += 1;
    }
    assert!(count > 150, "only {count} files were looked at");
}

fn written(write: impl FnOnce(&mut Vec<u8>) -> worldview_export::Result<()>) -> Value {
    let mut out = Vec::new();
    write(&mut out).unwrap();
    assert_eq!(out.pop(), Some(b'\n'));
    serde_json::from_slice(&out).unwrap()
}

fn database(bytes: &[u8], full: bool) -> Value {
    let database = Database::parse(bytes).unwrap();
    let contents = Contents::read(&database);
    written(|out| {
        island::json::database(&database, &contents, &island::Selection::ALL, full, Encoding::Windows1252, out)
    })
}

#[test]
fn everything_is_in_the_full_json() {
    each_file(|name, bytes, naive| same(name, &database(bytes, true), &expected(bytes, naive, true)));
}

#[test]
fn without_full_counts_stand_for_arrays() {
    each_file(|name, bytes, naive| same(name, &database(bytes, false), &expected(bytes, naive, false)));
}

#[test]
fn a_broken_blob_has_its_error_and_hides_nothing() {
    let mut built = build(&small(3));
    let whole = database(&built.bytes, true);
    let broken = whole["blobs"].as_array().unwrap().iter().find(|blob| blob["kind"] == "model").unwrap().clone();
    let at = usize::try_from(broken["offset"].as_u64().unwrap()).unwrap();
    built.bytes[at] = 18;
    let json = database(&built.bytes, true);
    let number = usize::try_from(broken["blob"].as_u64().unwrap()).unwrap();
    let message =
        format!("blob {number}, version of the model at offset {at} ({at:#x}) of the file: expected 19, found 18");
    assert_eq!(json["blobs"][number]["error"], message);
    assert_eq!(json["blobs"][number].get("content"), None);
    assert_eq!(json["blobs"][number]["names"], broken["names"]);
    let mut mended = json;
    mended["blobs"][number] = broken;
    assert_eq!(mended, whole);
}

#[test]
fn what_a_lossy_reading_leaves_out_is_null_or_an_error() {
    let mut built = build(&small(5));
    assert!(built.patch_u32_le("world[1].model[0].offset", u32::MAX));
    assert!(built.patch_u32_le("parts.size", u32::MAX));
    let mut findings = 0;
    let database = Database::parse_lossy(&built.bytes, &mut |_| findings += 1).unwrap();
    let contents = Contents::read(&database);
    let json = written(|out| {
        island::json::database(&database, &contents, &island::Selection::ALL, true, Encoding::Windows1252, out)
    });
    assert_eq!(findings, 2);
    let reference = &json["worlds"][1]["models"][0];
    assert_eq!((&reference["blob"], &reference["offset"]), (&Value::Null, &json!(u32::MAX)));
    assert!(json["global_parts"]["error"].is_string());
    assert!(json["global_textures"]["textures"].is_array());
}

#[test]
fn one_blob_alone_is_what_it_is_among_the_others() {
    for full in [false, true] {
        let bytes = build(&small(8)).bytes;
        let whole = database(&bytes, full);
        let database = Database::parse(&bytes).unwrap();
        let encoding = Encoding::Windows1252;
        let head = |format: &str, content: &Value| {
            let mut json = json!({"format": format, "version": 1, "full": full});
            json.as_object_mut().unwrap().extend(content.as_object().unwrap().clone());
            json
        };
        for blob in database.blobs() {
            let content = &whole["blobs"][blob.index()]["content"];
            let (json, format) = match blob.read().unwrap() {
                Content::Parts(parts) => {
                    (written(|out| island::json::parts(&parts, full, encoding, out)), "world-parts")
                }
                Content::Model(model) => {
                    (written(|out| island::json::model(&model, full, encoding, out)), "world-model")
                }
            };
            assert_eq!(json, head(format, content));
        }
        let textures = database.parts().unwrap().textures;
        let json = written(|out| island::json::textures(&textures, full, encoding, out));
        let parts = &whole["global_parts"];
        let expected = json!({"textures": parts["textures"], "textures_end": parts["textures_end"]});
        assert_eq!(json, head("world-textures", &expected));
    }
}

#[test]
fn names_are_read_in_the_code_page() {
    let mut spec = small(1);
    spec.worlds[1].name = b"\xa3\xf3d\x9f\0".to_vec();
    spec.worlds[2].name = b"BAY\0junk\0".to_vec();
    let bytes = build(&spec).bytes;
    let database = Database::parse(&bytes).unwrap();
    let contents = Contents::read(&database);
    let json = written(|out| {
        island::json::database(&database, &contents, &island::Selection::ALL, false, Encoding::Windows1250, out)
    });
    let world = |number: usize, member: &str| json["worlds"][number][member].clone();
    assert_eq!((world(1, "name"), world(1, "name_bytes")), (json!("Łódź"), json!("a3f3649f00")));
    assert_eq!((world(2, "name"), world(2, "name_bytes")), (json!("BAY"), json!("424159006a756e6b00")));
}

#[test]
fn overlapping_blobs_are_a_limit() {
    let (bytes, count) = overlapping();
    let database = Database::parse(&bytes).unwrap();
    assert_eq!(database.blobs().len(), count);
    let blobs = database.blobs().iter().map(|blob| blob.read()).collect();
    let contents = Contents { textures: database.textures(), parts: database.parts(), blobs };
    for full in [false, true] {
        let mut out = Vec::new();
        let error = island::json::database(
            &database,
            &contents,
            &island::Selection::ALL,
            full,
            Encoding::Windows1252,
            &mut out,
        )
        .unwrap_err();
        assert!(matches!(error, Error::Format(error) if error.what == "JSON of overlapping blobs"));
        assert_eq!(out, b"", "nothing is written before the limit is known");
    }
}

/// A file whose one blob of parts is referred to again and again, each time a byte shorter.
fn overlapping() -> (Vec<u8>, usize) {
    use worldview_corpus::island::spec::{BlobSpec, DatabaseSpec, PartSpec, PartsSpec, WorldSpec};
    const COUNT: usize = 200;
    let mut world = WorldSpec::new("MANY");
    for _ in 0..COUNT {
        world = world.part("same", 0);
    }
    let part = PartSpec::new("long", Vec::new());
    let parts = PartsSpec { parts: vec![part], trailing: vec![7; 300_000], ..PartsSpec::default() };
    let spec = DatabaseSpec { worlds: vec![world], blobs: vec![BlobSpec::parts(parts)], ..DatabaseSpec::default() };
    let mut built = build(&spec);
    for shorter in 0..COUNT {
        let label = format!("world[0].part[{shorter}].length");
        let length = built.read_u32_le(&label).unwrap();
        assert!(built.patch_u32_le(&label, length - u32::try_from(shorter).unwrap()));
    }
    (built.bytes, COUNT)
}

#[test]
fn a_failing_output_is_an_error() {
    struct Full(usize);
    impl std::io::Write for Full {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or(std::io::ErrorKind::StorageFull)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let bytes = build(&small(2)).bytes;
    let database = Database::parse(&bytes).unwrap();
    let contents = Contents::read(&database);
    for room in [0, 10, 1000, 3000] {
        let error = island::json::database(
            &database,
            &contents,
            &island::Selection::ALL,
            true,
            Encoding::Windows1252,
            Full(room),
        )
        .unwrap_err();
        assert!(matches!(error, Error::Io(error) if error.kind() == std::io::ErrorKind::StorageFull));
    }
}
