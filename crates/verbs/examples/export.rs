//! Exports a folder with a progress bar of its own: `cargo run -p worldview-verbs --example export -- samples out`.

use std::env::args_os;
use std::path::PathBuf;

use worldview_verbs::options::ExportOptions;
use worldview_verbs::{Error, Observer, Run, Totals, export};

struct Bar(u64);

impl Observer for Bar {
    fn begin(&mut self, count: &mut dyn FnMut() -> u64) {
        self.0 = count().max(1);
    }

    fn progress(&mut self, totals: &Totals) {
        let done = totals.files + totals.skipped;
        eprint!("\r[{:<40}] {done} of {}", "#".repeat((40 * done / self.0) as usize), self.0);
    }
}

fn main() -> Result<(), Error> {
    let paths: Vec<_> = args_os().skip(1).map(PathBuf::from).collect();
    let [input, out] = &paths[..] else { return Err(Error::option("INPUT OUT", &"two paths are needed")) };
    let options = ExportOptions { out: out.clone(), ..ExportOptions::default() };
    let report = export(std::slice::from_ref(input), &options, &mut Run::new(&mut Bar(1)))?;
    eprintln!("\n{} files, {} failed", report.totals.files, report.totals.failed);
    report.inputs.iter().for_each(|input| println!("{:?} {}", input.status, input.path));
    Ok(())
}
