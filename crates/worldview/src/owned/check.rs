//! Full checks.

use crate::{island, rez, wpd, wwd};

use super::{Handle, Note};

impl Handle {
    /// Checks everything and passes each finding to `report`: what is broken, suspicious or unusual.
    ///
    /// What was left out when the file was opened is not reported again; see [`findings`](Self::findings). An archive
    /// is checked without its members, and a record as its whole table. A broken file can have millions of findings.
    pub fn check(&self, report: &mut dyn FnMut(Note)) {
        match self {
            Self::Level(handle) => {
                wwd::check(handle.unpacked(), handle.level(), &mut |finding| report(Note::from(&finding)));
            }
            Self::Table(handle) | Self::Record(handle, _) => {
                wpd::check_table(handle.table(), &mut |finding| report(Note::from(&finding)));
            }
            Self::Archive(handle) => {
                wpd::check_archive(handle.archive(), &mut |finding| report(Note::from(&finding)));
            }
            Self::Directory(handle) => {
                rez::check_archive(handle.rez(), &mut |finding| report(Note::from(&finding)));
            }
            Self::Picture(handle) => {
                rez::check_picture(handle.picture(), &mut |finding| report(Note::from(&finding)));
            }
            Self::Database(handle) => {
                island::check(handle.database(), handle.contents(), &mut |finding| report(Note::from(&finding)));
            }
            Self::Data(_) => {}
        }
    }
}
