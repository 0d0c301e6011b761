//! What users of the command wait for: whole verbs on folders of thousands of files and on files of 10 MB, with one thread and in
//! this process, and the start of the program.
#![allow(missing_docs, reason = "criterion's macros generate undocumented functions")]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a benchmark of files that it generated"
)]

use std::cell::Cell;
use std::fs;
use std::hint::black_box;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command as Process, Stdio};
use std::sync::{Arc, Mutex};

use criterion::{Criterion, criterion_group, criterion_main};
use worldview::island::Database;
use worldview::wpd::Table;
use worldview::{Walk, open};
use worldview_benches::Row;
use worldview_benches::inputs::{self, Size, id, is_trial, mapping};
use worldview_benches::limits::{open_and_read, walk, walk_and_read};
use worldview_cli::{Command, Streams};
use worldview_corpus::ff13::generate::{Shape, folder, table};
use worldview_corpus::tree::{self, Options};
use worldview_corpus::wwd::spec::Packing;

/// The allocator of the command, whose work this group measures.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Keeps what is written.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<u8>>>);

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Runs a command line, and returns the number of lines that it prints. Panics if the exit code is none of `codes`.
fn run(codes: &[u8], words: &[&str]) -> usize {
    let command = Command::new(["worldview"].iter().chain(words).chain(&["--threads", "1"])).unwrap();
    let (out, err) = (Kept::default(), Kept::default());
    let code = command.run(mapping, Streams::new(out.clone(), err.clone()));
    let [out, err] = [out, err].map(|kept| std::mem::take(&mut *kept.0.lock().unwrap()));
    assert!(codes.contains(&code), "{words:?} exits with {code}: {}", String::from_utf8_lossy(&err));
    out.iter().filter(|byte| **byte == b'\n').count()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Returns the total size of the files below a folder.
fn written(folder: &Path) -> u64 {
    let mut bytes = 0;
    walk(folder, &mut |path| bytes += path.metadata().unwrap().len());
    bytes
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}

/// `list` and `diff` of a folder of mixed files.
fn folders(criterion: &mut Criterion) {
    let home = tempfile::tempdir().unwrap();
    let (left, right) = (home.path().join("left"), home.path().join("right"));
    let files = if is_trial() { 50 } else { 2000 };
    let planted = tree::write(&left, &Options { files, broken_per_mille: 0, ..Options::default() }).unwrap();
    let bytes = usize::try_from(planted.bytes).unwrap();
    let input = id(&format!("{files} files"));
    let (mut file, mut image, mut nested) = (vec![0; bytes + 1], Vec::new(), Vec::new());
    let options = worldview::Options::new();
    let mut opened = |folder: &Path| {
        let mut parts = 0;
        walk_and_read(folder, &mut file, &mut |path, bytes| {
            let name = path.file_name().unwrap().to_str().unwrap();
            if let Ok(opened) = open(bytes, name, &mut image, &options) {
                parts += 1;
                let mut walk = Walk::new(&opened.asset, opened.at, &options);
                while let Some(found) = walk.next(&mut nested) {
                    parts += usize::from(found.opened.is_ok());
                }
            }
        });
        parts
    };
    let parts = opened(&left);
    Row::new(criterion, "list a folder", &*input, bytes, parts)
        .least("walk, read, open in memory", || opened(&left))
        .ours(|| run(&[0], &["list", text(&left), "--format", "ndjson"]));
    copy(&left, &right);
    let mut tables = planted.good.iter().filter(|path| path.extension().is_some_and(|extension| extension == "wdb"));
    let [changed, other] = [(); 2].map(|()| tables.next().unwrap());
    fs::copy(left.join(other), right.join(changed)).unwrap();
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    let mut differ = || {
        let mut count = 0;
        walk(&left, &mut |path| {
            let other = right.join(path.strip_prefix(&left).unwrap());
            for (path, bytes) in [(path, &mut ours), (&*other, &mut theirs)] {
                bytes.resize(usize::try_from(path.metadata().unwrap().len()).unwrap() + 1, 0);
                let read = open_and_read(path, bytes).unwrap();
                bytes.truncate(read);
            }
            count += usize::from(ours != theirs);
        });
        count
    };
    assert_eq!(differ(), 1, "one file was changed");
    Row::new(criterion, "diff of two folders", &*input, 2 * bytes, true)
        .least("walk, read both, compare the bytes", || differ() == 1)
        .ours(|| run(&[1], &["diff", text(&left), text(&right)]) > 0);
}

/// A picture, ready to be compressed.
struct Picture {
    info: png::Info<'static>,
    pixels: Vec<u8>,
}

impl Picture {
    /// Decodes the bytes of a PNG file.
    fn new(bytes: &[u8]) -> Self {
        let mut decoder = png::Decoder::new(io::Cursor::new(bytes));
        decoder.set_transformations(png::Transformations::IDENTITY);
        let mut reader = decoder.read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        let info = reader.info();
        let mut kept = png::Info::with_size(info.width, info.height);
        (kept.bit_depth, kept.color_type) = (info.bit_depth, info.color_type);
        (kept.palette, kept.trns) = (info.palette.clone(), info.trns.clone());
        Self { info: kept, pixels }
    }

    /// Compresses the picture as exports do.
    fn compress(&self, out: &mut Vec<u8>) {
        out.clear();
        let is_indexed = self.info.color_type == png::ColorType::Indexed;
        let mut encoder = png::Encoder::with_info(out, self.info.clone()).unwrap();
        encoder.set_compression(png::Compression::Balanced);
        if is_indexed {
            encoder.set_filter(png::Filter::NoFilter);
        }
        encoder.write_header().unwrap().write_image_data(black_box(&self.pixels)).unwrap();
    }
}

/// The files of an export, with their contents.
fn exported(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    walk(folder, &mut |path| {
        let bytes = fs::read(path).unwrap();
        files.push((path.strip_prefix(folder).unwrap().to_owned(), bytes));
    });
    files
}

/// `export` of small tables and of a folder of mixed files into a new folder, and once more.
fn exports(criterion: &mut Criterion) {
    let home = tempfile::tempdir().unwrap();
    let (tables, mixed) = (home.path().join("tables"), home.path().join("mixed"));
    let (count, files) = if is_trial() { (10, 50) } else { (531, 2000) };
    fs::create_dir(&tables).unwrap();
    for (name, bytes) in folder(inputs::SEED, count) {
        fs::write(tables.join(name), bytes).unwrap();
    }
    tree::write(&mixed, &Options { files, broken_per_mille: 0, ..Options::default() }).unwrap();
    let memory = Path::new("/dev/shm");
    let memory = memory.is_dir().then(|| tempfile::tempdir_in(memory).unwrap());
    let number = Cell::new(0);
    for (what, from, layout, to) in [
        (format!("{count} tables"), &tables, "folders", Some(&home)),
        (format!("{count} tables, flat"), &tables, "flat", Some(&home)),
        (format!("{count} tables, flat, in memory"), &tables, "flat", memory.as_ref()),
        (format!("{files} files"), &mixed, "folders", Some(&home)),
    ] {
        let Some(to) = to else { continue };
        let new = || {
            number.set(number.get() + 1);
            to.path().join(format!("out{}", number.get()))
        };
        let export = |out: &Path| {
            run(&[0, 1, 3], &["export", text(from), "-o", text(out), "--layout", layout, "--quiet"]);
        };
        let first = new();
        export(&first);
        let ready = exported(&first);
        let is_picture = |path: &Path| path.extension().is_some_and(|extension| extension == "png");
        let pictures = ready.iter().filter(|(path, _)| is_picture(path));
        let pictures: Vec<_> = pictures.map(|(_, bytes)| Picture::new(bytes)).collect();
        let mut compressed = Vec::new();
        let bytes: usize = ready.iter().map(|(_, bytes)| bytes.len()).sum();
        let mut buffer = vec![0; usize::try_from(written(from)).unwrap().max(bytes) + 1];
        let mut read = |folder: &Path| {
            let mut bytes = 0;
            walk_and_read(folder, &mut buffer, &mut |_, file| bytes += file.len());
            black_box(bytes)
        };
        let input = id(&what);
        Row::new(criterion, "export", &*input, bytes, ready.len())
            .least("read the inputs, compress the ready pictures, write the ready outputs", || {
                read(from);
                pictures.iter().for_each(|picture| picture.compress(&mut compressed));
                let out = new();
                for (path, bytes) in &ready {
                    let path = out.join(path);
                    fs::create_dir_all(path.parent().unwrap()).unwrap();
                    fs::write(path, bytes).unwrap();
                }
                ready.len()
            })
            .ours(|| {
                let out = new();
                export(&out);
                let mut count = 0;
                walk(&out, &mut |_| count += 1);
                count
            });
        Row::new(criterion, "export once more", &*input, bytes, bytes)
            .least("read the inputs and the outputs", || {
                read(from);
                read(&first)
            })
            .ours(|| {
                export(&first);
                usize::try_from(written(&first)).unwrap()
            });
    }
}

/// One change of a file of 10 MB: `set`, `diff --format changes`, and `apply`.
fn edits(criterion: &mut Criterion) {
    let home = tempfile::tempdir().unwrap();
    let Size { name: of_size, bytes: size } = if is_trial() { inputs::SMALL } else { inputs::WHOLE };
    let records = table(inputs::SEED, size, &Shape::monster().embedded());
    let record = Table::parse(&records).unwrap().rows().next().unwrap().name().escape_ascii().to_string();
    let models = inputs::database(size);
    let database = Database::parse(&models).unwrap();
    let world = database.worlds().find(|world| !world.models.is_empty()).unwrap();
    let [world, model] = [world.name, world.models[0].name].map(|name| name.text().escape_ascii().to_string());
    for (name, file, set) in [
        ("level.wwd", &inputs::level(size, Packing::Raw), "header/start_x=7"),
        ("table.wdb", &records, &format!("{record}/iLeafId=7")),
        ("WORLD.WDB", &models, &format!("world:{world}/model:{model}/location=1 2 3")),
    ] {
        let [input, output, changes] = [name, "edited", "changes"].map(|name| home.path().join(name));
        fs::write(&input, file).unwrap();
        let (input, output, changes) = (text(&input), text(&output), text(&changes));
        run(&[0], &["set", input, set, "-o", output, "--overwrite", "always"]);
        let edited = fs::read(output).unwrap();
        assert!(edited != *file, "{name} is unchanged");
        run(&[1], &["diff", input, output, "--format", "changes", "-o", changes, "--overwrite", "always"]);
        let id = id(&format!("{name} of {of_size}"));
        let same = |path: &str| fs::read(path).unwrap() == edited;
        let copied = || {
            let bytes = fs::read(input).unwrap();
            fs::write(output, black_box(&bytes)).unwrap();
        };
        Row::new(criterion, "set one value, command", &*id, size, 0)
            .limit("read the file, write as many bytes", copied)
            .ours(|| run(&[0], &["set", input, set, "-o", output, "--overwrite", "always"]));
        assert!(same(output), "set writes other bytes");
        Row::new(criterion, "apply one change, command", &*id, size, 0)
            .limit("read the file, write as many bytes", copied)
            .ours(|| run(&[0], &["apply", input, changes, "-o", output, "--overwrite", "always"]));
        assert!(same(output), "apply writes other bytes");
        Row::new(criterion, "diff as changes, command", &*id, 2 * size, true)
            .limit("read both, compare the bytes", || {
                let [left, right] = [input, output].map(|path| fs::read(path).unwrap());
                left.iter().zip(&right).filter(|(left, right)| left != right).count()
            })
            .ours(|| run(&[1], &["diff", input, output, "--format", "changes"]) > 0);
    }
}

/// The program itself, which `record` builds.
fn start(criterion: &mut Criterion) {
    let Some(program) = std::env::var_os("WORLDVIEW") else {
        return eprintln!("start: not measured, because WORLDVIEW does not name the command");
    };
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("items.wdb");
    fs::write(&file, table(inputs::SEED, 10_000, &Shape::monster().embedded())).unwrap();
    let start = |program: &std::ffi::OsStr, words: &[&str]| {
        Process::new(program).args(words).stdout(Stdio::null()).status().unwrap().success()
    };
    for (name, words, bare) in
        [("--version", &["--version"][..], &[][..]), ("info of a table", &["info", text(&file)], &[text(&file)])]
    {
        Row::new(criterion, "start of the program", name, 1, true)
            .least("cat", || start("cat".as_ref(), if bare.is_empty() { &["/dev/null"] } else { bare }))
            .ours(|| start(&program, words));
    }
}

criterion_group!(benches, start, folders, exports, edits);
criterion_main!(benches);
