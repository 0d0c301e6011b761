//! Exports a folder with a progress bar of its own: `cargo run -p worldview-verbs --example export -- samples out`.

use std::env::args_os;
use std::path::PathBuf;

use indicatif::ProgressBar;
use worldview_verbs::options::ExportOptions;
use worldview_verbs::{Error, Observer, Run, Totals, export};

struct Bar(ProgressBar);

impl Observer for Bar {
    fn begin(&mut self, files: u64) {
        self.0.set_length(files);
    }

    fn progress(&mut self, totals: &Totals) {
        self.0.set_position(totals.files.saturating_add(totals.skipped));
    }
}

fn main() -> Result<(), Error> {
    let paths: Vec<_> = args_os().skip(1).map(PathBuf::from).collect();
    let [input, out] = &paths[..] else { return Err(Error::new("usage", &"export INPUT OUT")) };
    let options = ExportOptions { out: out.clone(), ..ExportOptions::default() };
    let report = export(std::slice::from_ref(input), &options, &mut Run::new(&mut Bar(ProgressBar::new(0))))?;
    report.inputs.iter().for_each(|input| println!("{:?} {}", input.status, input.path));
    Ok(())
}
