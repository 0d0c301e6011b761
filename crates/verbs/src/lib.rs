//! The verbs of the `worldview` command as functions, which list, show, check, search, compare, export and edit whole files and folders.
//!
//! Each verb is a function of inputs, options and a [`Run`], and returns a [`Report`]. A run has an [`Observer`], which receives its
//! progress, each finished input and all messages, in the order of the inputs. A file that cannot be read is a failure in the report; the
//! run continues. Nothing is printed.
//!
//! ```
//! use worldview_verbs::options::ExportOptions;
//! use worldview_verbs::{Observer, Run, Totals, export};
//!
//! struct Counter;
//!
//! impl Observer for Counter {
//!     fn progress(&mut self, totals: &Totals) {
//!         println!("{} files", totals.files);
//!     }
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # std::fs::write(folder.path().join("broken.wwd"), b"x")?;
//! # let (inputs, out) = ([folder.path().join("broken.wwd")], folder.path().join("out"));
//! let options = ExportOptions { out, ..ExportOptions::default() };
//! let report = export(&inputs, &options, &mut Run::new(&mut Counter))?;
//! for input in &report.inputs {
//!     println!("{}: {:?}", input.path, input.status);
//! }
//! # assert_eq!(report.totals.failed, 1);
//! # Ok(())
//! # }
//! ```
#![forbid(unsafe_code)]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "counts files and formats tables; the format crates keep the lints"
)]

mod assignment;
mod game;
mod grid;
mod hint;
mod inputs;
pub mod interrupt;
mod mods;
pub mod only;
mod open;
pub mod options;
mod outcome;
mod output;
mod path_prefix;
mod read;
pub mod references;
mod report;
mod run;
mod selected;
pub mod sheet;
pub mod table;
mod texts;
mod update;
mod verbs;
mod world;

pub use assignment::{Assignment, values};
pub use inputs::{folder, leads, leads_nowhere, level_folder, places};
pub use open::schemas as read_schemas;
pub use output::write_file;
pub use report::{Error, Failure, FailureKind, InputReport, OutputReport, Report, ReportFile, Result, Status};
pub use run::{Message, Observer, Run, Totals};
pub use texts::read as read_words;
pub use verbs::*;
