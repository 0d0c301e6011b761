//! Processing many parts: the same results on one thread and on many, in file order, each part once.

use std::collections::BTreeSet;
use std::panic::catch_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Barrier, Mutex};

use worldview::bulk::Bulk;
use worldview::island::{BlobKind, Contents, Database, Geometry};
use worldview::parallel::{DatabasePart, Decoded, Parallel, ParallelProgress, Scratch};
use worldview::{Asset, Entry, Failed, Loader, Opened, Options, Walk, open};
use worldview_corpus::island::{generate, naive};

/// Returns a file that is too large to be processed on one thread.
fn large() -> Vec<u8> {
    generate::database(7, 1 << 20)
}

/// Returns a description of an item, and everything that it decodes to.
fn digest(item: worldview::Result<DatabasePart<'_>>, scratch: &mut Scratch) -> (String, Vec<u8>) {
    let item = match item {
        Ok(item) => item,
        Err(error) => return (error.to_string(), Vec::new()),
    };
    let what = match &item {
        DatabasePart::Textures(_) => "textures".to_owned(),
        DatabasePart::Parts(_) => "parts".to_owned(),
        DatabasePart::Blob(blob, _) => format!("blob {}", blob.index()),
    };
    let mut bytes = Vec::new();
    item.each(scratch, |decoded| match decoded {
        Decoded::Image(_, pixels) => bytes.extend_from_slice(pixels),
        Decoded::Mesh(_, Ok(geometry)) => {
            bytes.extend(geometry.positions.iter().flatten().flat_map(|number| number.to_le_bytes()));
            bytes.extend(geometry.normals.iter().flatten().flat_map(|number| number.to_le_bytes()));
            bytes.extend(geometry.uvs.iter().flatten().flat_map(|number| number.to_le_bytes()));
            bytes.extend(geometry.indices.iter().flat_map(|index| index.to_le_bytes()));
        }
        Decoded::Mesh(_, Err(error)) => bytes.extend(error.to_string().into_bytes()),
    });
    (what, bytes)
}

#[test]
fn any_number_of_threads_makes_the_same() {
    let file = large();
    let database = Database::parse(&file).unwrap();
    let alone = Parallel::new().threads(1).decode(&database, digest);
    assert_eq!(alone.len(), 2 + database.blobs().len());
    let names = alone.iter().map(|(name, _)| name.clone());
    let expected = ["textures".to_owned(), "parts".to_owned()].into_iter();
    let expected = expected.chain((0..database.blobs().len()).map(|blob| format!("blob {blob}")));
    assert!(names.eq(expected), "in the order of the file");
    for threads in [0, 2, 3, 8] {
        assert!(Parallel::new().threads(threads).decode(&database, digest) == alone, "{threads} threads");
    }
}

#[test]
fn what_is_decoded_is_what_the_naive_reader_decodes() {
    let file = large();
    let database = Database::parse(&file).unwrap();
    let expected = naive::database(&file).unwrap();
    let vertices = Parallel::new().decode(&database, |item, scratch| {
        let mut vertices = Vec::new();
        item.unwrap().each(scratch, |decoded| {
            if let Decoded::Mesh(_, Ok(geometry)) = decoded {
                vertices.extend(geometry.positions.iter().flatten().map(|number| number.to_bits()));
            }
        });
        vertices
    });
    for (blob, vertices) in expected.blobs.iter().zip(&vertices[2..]) {
        let lods = blob.content.as_ref().unwrap().lods();
        let meshes = lods.iter().flat_map(|lod| lod.meshes.iter().map(|mesh| naive::decode(lod, mesh).unwrap()));
        let expected = meshes.flat_map(|mesh| mesh.positions).flatten().map(|number| number.0);
        assert!(vertices.iter().copied().eq(expected));
    }
}

/// Every mesh is where the one before it ends, and one that is broken hides none.
#[test]
fn whole_files_are_decoded_into_the_callers_buffers() {
    let mut broken = large();
    let at = {
        let database = Database::parse(&broken).unwrap();
        let contents = Contents::read(&database);
        let meshes: Vec<_> = contents.lods().flatten().flat_map(|lod| lod.meshes).collect();
        usize::try_from(meshes[meshes.len() / 2].corners_at).unwrap()
    };
    // No earlier vertex.
    broken[at..at + 4].fill(0);
    for (file, failures) in [(large(), 0), (broken, 1)] {
        let contents = Contents::read(&Database::parse(&file).unwrap());
        let (expected, starts) = naive::database(&file).unwrap().geometry();
        assert_eq!(starts.iter().filter(|start| start.is_none()).count(), failures);
        for threads in [1, 3] {
            let mut buffers = Geometry::default();
            buffers.resize(contents.counts());
            let decoded = Parallel::new().threads(threads).decode_meshes(&contents, buffers.target()).unwrap();
            let found = decoded.iter().map(|first| first.ok().map(|first| (first.vertices, first.indices)));
            assert!(found.eq(starts.iter().copied()));
            let bits =
                |vectors: &[[f32; 3]]| vectors.iter().map(|vector| vector.map(|x| naive::Real(x.to_bits()))).collect();
            let ours = naive::NaiveGeometry {
                positions: bits(&buffers.positions),
                normals: bits(&buffers.normals),
                uvs: buffers.uvs.iter().map(|uv| uv.map(|x| naive::Real(x.to_bits()))).collect(),
                indices: buffers.indices.iter().map(|index| u32::from(*index)).collect(),
            };
            assert!(ours == expected, "{threads} threads");
            buffers.positions.pop();
            let before = buffers.clone();
            assert!(Parallel::new().threads(threads).decode_meshes(&contents, buffers.target()).is_err());
            assert!(buffers == before, "nothing is written");
        }
    }
}

#[test]
fn contents_are_those_of_one_thread_even_where_blobs_are_broken() {
    let mut files = vec![large()];
    files.extend(generate::edge_cases().into_iter().map(|(_, file)| file));
    for file in files {
        let Ok(database) = Database::parse(&file) else { continue };
        let (alone, many) = (Contents::read(&database), Parallel::new().threads(3).contents(&database));
        assert_eq!(alone.textures.as_ref().map(|list| list.len()), many.textures.as_ref().map(|list| list.len()));
        assert_eq!(alone.parts.as_ref().map(|parts| parts.len()), many.parts.as_ref().map(|parts| parts.len()));
        assert_eq!(alone.blobs.len(), many.blobs.len());
        for (alone, many) in alone.blobs.iter().zip(&many.blobs) {
            assert_eq!(alone.as_ref().err(), many.as_ref().err());
            assert_eq!(format!("{alone:?}"), format!("{many:?}"));
        }
    }
}

#[test]
fn the_lossy_door_opens_what_it_opens_on_one_thread() {
    let mut files: Vec<_> = generate::edge_cases().into_iter().map(|(_, file)| file).collect();
    let whole = large();
    // The last blobs are cut off in one file, and one byte in a thousand is changed in another.
    files.push(whole[..whole.len() * 3 / 4].to_vec());
    let directory = usize::try_from(Database::parse(&whole).unwrap().directory_end()).unwrap();
    let mut bent = whole;
    bent[directory..].iter_mut().step_by(1009).for_each(|byte| *byte ^= 0x55);
    files.push(bent);
    let (mut recovered, mut found) = (0, 0);
    for file in files {
        let Ok(database) = Database::parse_lossy(&file, &mut |_| {}) else { continue };
        let mut expected = Vec::new();
        let contents = Contents::read_lossy(&database, &mut |finding| expected.push(finding));
        let mut findings = Vec::new();
        let parallel = Parallel::new().threads(3);
        let opened = parallel.decode_lossy(&database, &mut |finding| findings.push(finding), |item, _| match item {
            Ok(DatabasePart::Textures(list)) => Ok(format!("{list:?}")),
            Ok(DatabasePart::Parts(list)) => Ok(format!("{list:?}")),
            Ok(DatabasePart::Blob(_, content)) => Ok(format!("{content:?}")),
            Err(error) => Err(error),
        });
        assert_eq!(findings, expected);
        let blobs = contents.blobs.into_iter().map(|blob| blob.map(|content| format!("{content:?}")));
        let globals =
            [contents.textures.map(|list| format!("{list:?}")), contents.parts.map(|list| format!("{list:?}"))];
        assert!(globals.into_iter().chain(blobs).eq(opened.iter().cloned()));
        let strict = parallel.decode(&database, |item, _| item.is_ok());
        recovered += opened.iter().zip(strict).filter(|(opened, strict)| opened.is_ok() && !strict).count();
        found += findings.len();
    }
    assert!(recovered > 0 && found > 0, "{recovered} {found}");
}

#[test]
fn each_part_is_reported_once_and_the_last_call_says_that_all_is_done() {
    let file = large();
    let database = Database::parse(&file).unwrap();
    for threads in [1, 4] {
        let seen = Mutex::new(Vec::new());
        let report = |progress: ParallelProgress| seen.lock().unwrap().push(progress);
        Parallel::new().threads(threads).progress(&report).decode(&database, |_, _| ());
        let seen = seen.into_inner().unwrap();
        let total = 2 + database.blobs().len();
        assert_eq!(seen.len(), total);
        assert_eq!(seen.iter().map(|progress| progress.done).collect::<BTreeSet<_>>().len(), total);
        assert!(seen.is_sorted_by_key(|progress| (progress.done, progress.bytes_done)), "nothing is taken back");
        let last = seen.last().unwrap();
        assert_eq!((last.done, last.total), (total, total));
        let chunks = database.texture_chunk().len() + database.parts_chunk().len();
        let bytes = chunks + database.blobs().iter().map(|blob| blob.source.len()).sum::<u64>();
        assert_eq!(last.bytes_total, bytes);
        assert_eq!(last.bytes_done, bytes);
    }
}

#[test]
fn the_largest_come_first_and_small_work_stays_on_the_thread_that_asks() {
    // Each of the two threads waits in its first job for the other, so both have taken a job before either continues.
    let (first, together) = (Mutex::new(Vec::new()), Barrier::new(2));
    let wait = |job: &u64, is_first: &mut bool| {
        if std::mem::take(is_first) {
            first.lock().unwrap().push(*job);
            together.wait();
        }
    };
    let jobs: Vec<u64> = (1..=100).map(|number| number << 16).collect();
    Parallel::new().threads(2).run(&jobs, |job| *job, || true, wait);
    let mut first = first.into_inner().unwrap();
    first.sort_unstable();
    assert_eq!(first, [99 << 16, 100 << 16]);

    let here = std::thread::current().id();
    let threads = Parallel::new().threads(4).run(&[1_u64; 100], |job| *job, || (), |_, ()| std::thread::current().id());
    assert!(threads.iter().all(|thread| *thread == here));
}

#[test]
fn a_panic_in_a_job_ends_the_run_with_it() {
    let jobs: Vec<u64> = (1..=100).map(|number| number << 16).collect();
    let run = |threads| {
        let work = |job: &u64, (): &mut ()| assert!(*job != 17 << 16, "by design");
        Parallel::new().threads(threads).run(&jobs, |job| *job, || (), work)
    };
    for threads in [0, 1, 4] {
        assert!(catch_unwind(|| run(threads)).is_err(), "{threads}");
    }
    // The same holds if both threads of a pool have runs of their own.
    let both = || Bulk::new(Loader::read()).threads(2).ordered(0..8, || (), |_, ()| run(0).len(), |_| {});
    assert!(catch_unwind(both).is_err());
}

#[test]
fn a_blob_of_many_references_is_worked_on_once() {
    let file = worldview_corpus::island::samples().remove(0).1;
    let database = Database::parse(&file).unwrap();
    let models = AtomicUsize::new(0);
    Parallel::new().decode(&database, |item, _| {
        if let Ok(DatabasePart::Blob(blob, _)) = item
            && blob.kind == BlobKind::Model
        {
            models.fetch_add(1, Ordering::Relaxed);
        }
    });
    let places: BTreeSet<_> =
        database.model_refs().iter().map(|model| (model.range.offset.get(), model.range.length.get())).collect();
    assert_eq!(models.into_inner(), places.len());
    assert!(database.model_refs().len() > places.len(), "the sample shares blobs");
}

#[test]
fn the_levels_of_an_archive_are_those_of_a_walk() {
    let file = worldview_corpus::sample("harbour.rez");
    for max_inflate in [None, Some(1000)] {
        let (options, mut image, mut nested) = (Options { max_inflate, ..Options::new() }, Vec::new(), Vec::new());
        let archive = open(&file, "harbour.rez", &mut image, &options).unwrap();
        let planes = |opened: Result<Opened<'_>, Failed<'_>>| match opened {
            Ok(Opened { asset: Asset::Level(level, _), .. }) => Some(Ok(level.planes().len())),
            Ok(_) => None,
            Err(failed) => Some(Err(failed.error)),
        };
        let (mut expected, mut walk) = (Vec::new(), Walk::new(&archive.asset, archive.at, &options));
        while let Some(found) = walk.next(&mut nested) {
            let names = found.names();
            expected.extend(planes(found.opened).map(|planes| (names, planes)));
        }
        assert!(!expected.is_empty());
        for threads in [1, 3] {
            let levels = Parallel::new().threads(threads).levels(&archive.asset, archive.at, &options, |_| true);
            let names: Vec<_> = levels.entries().map(|entry| Entry::names(&[entry])).collect();
            let mut found = Vec::new();
            levels.each(
                |_, opened| planes(opened),
                |level| {
                    let again = planes(levels.again(level.index, level.left, &mut nested));
                    assert_eq!(again, level.result);
                    found.extend(level.result.map(|planes| (names[level.index].clone(), planes)));
                },
            );
            assert_eq!(found, expected, "{threads} threads");
        }
    }
}

/// Together, the levels of an archive may inflate to 1 GiB and 16 bytes for each of its own.
#[test]
fn levels_past_the_limit_of_an_archive_are_not_inflated() {
    use worldview_corpus::rez::spec::{ArchiveSpec, DirectorySpec, EntrySpec, FileSpec};
    use worldview_corpus::wwd::spec::{LevelSpec, Packing, PlaneSpec};
    let plane = PlaneSpec { tiles: vec![0; 9_000_000], ..PlaneSpec::empty(b"Action", 64, 3000, 3000) };
    let packing = Packing::Zlib { level: 9 };
    let level =
        worldview_corpus::wwd::build::build(&LevelSpec { planes: vec![plane], packing, ..LevelSpec::default() });
    let file = FileSpec { extension: b"DWW".to_vec(), data: level.bytes, ..FileSpec::default() };
    let entries = (0..80).map(|number: u32| FileSpec { name: format!("L{number}").into_bytes(), ..file.clone() });
    let root = DirectorySpec { entries: entries.map(EntrySpec::File).collect(), ..DirectorySpec::default() };
    let file = worldview_corpus::rez::build::build(&ArchiveSpec { root, ..ArchiveSpec::default() }).bytes;
    let (options, mut image) = (Options::new(), Vec::new());
    let archive = open(&file, "large.rez", &mut image, &options).unwrap();
    let (inflated, mut good) = (AtomicUsize::new(0), 0);
    Parallel::new().threads(2).levels(&archive.asset, archive.at, &options, |_| true).each(
        |_, opened| {
            inflated.fetch_add(opened.is_ok().into(), Ordering::Relaxed);
            opened.is_ok()
        },
        |level| good += usize::from(level.result),
    );
    // Each takes 36 MB.
    assert!((28..=31).contains(&good), "{good}");
    let inflated = inflated.into_inner();
    assert!(inflated <= good + 8, "{inflated} of {good}");
}
