//! The verbs, one per file.

mod apply;
mod build;
mod changes;
mod check;
mod diff;
mod edit;
mod export;
mod facts;
mod find;
mod repair;
mod restore;
mod schema;
mod set;
mod show;

pub(crate) use apply::SOURCES;
pub use apply::apply;
pub(crate) use build::BUILT;
pub use build::{Blank, build};
pub use changes::{invert, merge};
pub use check::{FileReport, FindingReport, check};
pub use diff::{ChangeCounts, Compared, DiffCounts, DifferenceReport, OneSided, diff, diff_changes};
pub use edit::{EditReport, EditedFile, Take};
pub use export::{Counts, ExportReport, Tally, WrittenFile, export};
pub use facts::{info, list};
pub use find::{FindCounts, Match, Matches, find};
pub(crate) use repair::LOSSES;
pub use repair::{RepairCounts, repair};
pub(crate) use restore::KEPT;
pub use restore::{RestoreCounts, restore};
pub use schema::schema;
pub(crate) use set::NOTES as SET_NOTES;
pub use set::set;
pub use show::show;
