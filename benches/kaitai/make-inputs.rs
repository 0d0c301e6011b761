//! Writes the input files for Kaitai's readers, each with its digest in a second file, and prints the result of our
//! reader for each.

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use worldview_benches::inputs::{self, MIDDLE, SEED, SMALL, WHOLE};
use worldview_benches::readers::{Reader, level, table, world};
use worldview_corpus::ff13::generate::{self as ff13, Shape};
use worldview_corpus::wwd::spec::Packing;

/// Number of timed runs, after one that is not timed.
const RUNS: usize = 20;

fn main() -> std::io::Result<()> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "target/kaitai/inputs".into());
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder)?;
    // The only generated shape that has strings but no packed fields.
    let shape = Shape::battle_scene().embedded();
    for size in [SMALL, MIDDLE] {
        let name = size.name.replace(' ', "");
        write(folder, &format!("{name}.wwd"), &inputs::level(size.bytes, Packing::Raw), level::ALL)?;
        write(folder, &format!("{name}.wdb"), &ff13::table(SEED, size.bytes, &shape), table::ALL)?;
    }
    for size in [SMALL, MIDDLE, WHOLE] {
        let name = size.name.replace(' ', "");
        write(folder, &format!("{name}.world"), &inputs::database(size.bytes), world::ALL)?;
    }
    Ok(())
}

fn write(folder: &Path, name: &str, file: &[u8], readers: &[(&str, Reader)]) -> std::io::Result<()> {
    let digests: Vec<_> = readers.iter().map(|(_, read)| read(file).ok()).collect();
    let ([(reader, read), ..], [Some(digest), ..]) = (readers, digests.as_slice()) else {
        return Err(std::io::Error::other(format!("{name} cannot be read")));
    };
    if digests.iter().any(|other| *other != Some(*digest)) {
        return Err(std::io::Error::other(format!("{name}: the readers differ: {digests:?}")));
    }
    std::fs::write(folder.join(name), file)?;
    std::fs::write(folder.join(format!("{name}.digest")), format!("{digest}\n"))?;
    let mut seconds = Vec::new();
    for _ in 0..RUNS {
        let start = Instant::now();
        _ = black_box(read(black_box(file)));
        seconds.push(start.elapsed().as_secs_f64());
    }
    seconds.sort_by(f64::total_cmp);
    let (_, format) = name.split_once('.').unwrap_or_default();
    let (least, median) = (seconds.first().unwrap_or(&0.0), seconds.get(RUNS / 2).unwrap_or(&0.0));
    let of = format!(r#""reader":"{reader}","format":"{format}","bytes":{},"digest":{digest}"#, file.len());
    println!(r#"{{{of},"seconds_min":{least:?},"seconds_median":{median:?}}}"#);
    Ok(())
}
