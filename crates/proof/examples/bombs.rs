//! Takes the bombs, or files, through every path, and prints what each path took.
//!
//! `cargo run --release -p worldview-proof --example bombs -- SIZE [NAME]`, where the name is a part of that of a bomb or of a
//! path, or a file. A line: milliseconds of the processor, milliseconds a 10 MB of input and image, bytes written a byte,
//! peak of memory a byte, items, bomb, path, and why the path stopped. Only what is out of the ordinary, unless a name is given.
#![allow(clippy::arithmetic_side_effects, clippy::cast_precision_loss, reason = "a tool of the tests")]

use std::time::Instant;

use worldview::Format;
use worldview_corpus::bombs;
use worldview_proof::paths::{self, Tally};

/// Nanoseconds that this thread has been on a processor.
fn on_processor() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok()
}

fn main() {
    let mut args = std::env::args().skip(1);
    let size = args.next().and_then(|size| size.parse().ok()).unwrap_or(1 << 20);
    let wanted = args.next().unwrap_or_default();
    if let Ok(bytes) = std::fs::read(&wanted) {
        return show(&wanted, &wanted, &bytes, "");
    }
    for (file, bomb) in bombs::all() {
        if bomb.name.contains(&wanted) {
            show(file, bomb.name, &bomb.bytes(size), "");
        } else {
            show_if(file, bomb, size, &wanted);
        }
    }
}

fn show_if(file: &str, bomb: &bombs::Bomb, size: usize, path: &str) {
    let of = if file.ends_with("wwd") {
        "wwd"
    } else if file.starts_with("WORLD") {
        "island"
    } else {
        "w"
    };
    if path.starts_with(of) {
        show(file, bomb.name, &bomb.bytes(size), path);
    }
}

fn show(file: &str, name: &str, bytes: &[u8], wanted: &str) {
    let lower = file.to_ascii_lowercase();
    let format = match () {
        () if lower.ends_with(".wwd") => Format::Wwd,
        () if lower.contains("world") => Format::Island,
        () => Format::Wpd,
    };
    let all = std::env::var_os("ALL").is_some();
    let mut rows = Vec::new();
    let image = paths::all(format, bytes, 1 << 30, &mut |path, run| {
        let mut tally = Tally::default();
        let (start, before) = (Instant::now(), on_processor());
        let memory = allocation_counter::measure(|| run(&mut tally));
        let wall = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        let spent = on_processor().zip(before).map_or(wall, |(after, before)| after - before);
        rows.push((path, spent, memory.bytes_max, tally));
    });
    let size = (bytes.len() as u64 + image).max(1) as f64;
    for (path, spent, memory, tally) in rows {
        let ms = spent as f64 / 1e6;
        let (each, written, peak) = (ms * 1e7 / size, tally.written as f64 / size, memory as f64 / size);
        let large = (memory as f64 - (16 << 20) as f64) / size;
        if path.contains(wanted) && (all || ms > 100.0 && each > 500.0 || written > 20.0 || large > 4.0) {
            let stopped = tally.stopped.unwrap_or_default();
            let stopped: String = stopped.chars().take(70).collect();
            println!(
                "{ms:8.0} ms {each:7.0} ms/10MB {written:6.1}x out {peak:6.1}x mem {:9} items  {name}: {path}  {stopped}",
                tally.items
            );
        }
    }
}
