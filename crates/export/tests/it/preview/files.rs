use std::fs;
use std::path::PathBuf;

use worldview_corpus::island::generate::{edge_cases, small};
use worldview_corpus::island::{build::build, samples};
use worldview_export::model::preview::{self, Options};
use worldview_island::{Contents, Database, Library, LodsAt, Scope};

/// Everything that can be opened can also be drawn, unless it is empty.
///
/// If `WORLDVIEW_PREVIEW_OUT` is set, the pictures are also written to that folder for inspection.
#[test]
fn everything() {
    let folder = std::env::var_os("WORLDVIEW_PREVIEW_OUT").map(PathBuf::from);
    let look = |name: &str, what: &str, bytes: &[u8]| {
        let name: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        if let Some(folder) = &folder {
            fs::create_dir_all(folder).unwrap();
            fs::write(folder.join(format!("{name}.{what}.png")), bytes).unwrap();
        }
    };
    let mut files: Vec<(String, Vec<u8>)> = samples().into_iter().map(|(name, bytes)| (name.into(), bytes)).collect();
    files.extend(edge_cases());
    // Large enough for inspection, if requested.
    let size = if folder.is_some() { 256 } else { 32 };
    files.extend((0..40).map(|seed| (format!("small {seed}"), build(&small(seed)).bytes)));
    let (mut drawn, mut empty) = (0, 0);
    for (name, bytes) in &files {
        let Ok(database) = Database::parse(bytes) else { continue };
        let contents = Contents::read(&database);
        let library = Library::new(&database, &contents);
        let mut shown =
            |what: String, draw: &dyn Fn(&Options, &mut Vec<u8>) -> worldview_export::Result<preview::Report>| {
                let mut out = Vec::new();
                match draw(&Options::default().size(size), &mut out) {
                    Ok(report) => {
                        assert!(report.triangles > 0);
                        drawn += 1;
                        look(name, &what, &out);
                    }
                    Err(worldview_export::Error::Nothing { .. } | worldview_export::Error::Format(_)) => empty += 1,
                    Err(error) => panic!("{name}: {error}"),
                }
            };
        for world in 0..database.worlds().len() {
            let names = library.world_names(world);
            shown(format!("world{world}"), &|options, out| preview::world(&library, world, &names, options, out));
        }
        for blob in 0..database.blobs().len() {
            shown(format!("model{blob}"), &|options, out| {
                preview::model(&library, blob, Scope::Blob(blob), None, options, out)
            });
            for part in 0..library.parts(blob).map_or(0, |parts| parts.iter().count()) {
                let at = LodsAt::Part { blob, part };
                shown(format!("part{blob}.{part}"), &|options, out| preview::part(&library, at, None, options, out));
            }
        }
    }
    assert!(drawn > 100 && empty > 0, "{drawn} {empty}");
}
