//! A process that does a part of a run, and says on standard output where it is and what it found.

use std::io::{self, Write as _};

use worldview_proof::mutate::drive::Driver;
use worldview_proof::mutate::{Recipe, Sources};

use crate::options::Options;

/// Does the files of some numbers. Each line says one thing: `at NUMBER` before a file, so that it is known if the process
/// dies; `fault NUMBER<TAB>VERB<TAB>WHAT`; and at the end `cost VERB<TAB>` and five numbers.
pub(crate) fn run(options: &Options, from: u64, to: u64) -> io::Result<()> {
    let mut out = io::stdout();
    for &family in &options.families {
        let sources = Sources::new(family, options.given(family)?);
        let mut driver = Driver::new(family)?;
        for number in from..to {
            writeln!(out, "at {number}")?;
            out.flush()?;
            let file = Recipe::new(&sources, options.seed, number).make(family);
            driver.run(number, &file, &mut |verb, fault| println!("fault {number}\t{verb}\t{fault}"))?;
        }
        for (verb, cost) in driver.costs() {
            let (time, memory) = (cost.time, cost.memory);
            writeln!(
                out,
                "cost {verb}\t{}\t{}\t{}\t{}\t{}",
                cost.runs,
                time.0.as_micros(),
                time.1,
                memory.0,
                memory.1
            )?;
        }
    }
    out.flush()
}
