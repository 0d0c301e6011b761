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
mod pages;
mod repair;
mod restore;
mod schema;
mod set;
mod show;
#[cfg(feature = "view")]
mod view;

pub(crate) use apply::{SOURCES, apply};
pub(crate) use build::{BUILT, build};
pub(crate) use changes::changes;
pub(crate) use check::check;
pub(crate) use diff::diff;
pub(crate) use export::export;
pub(crate) use facts::{info, list};
pub(crate) use find::find;
pub(crate) use pages::{completions, man};
pub(crate) use repair::{LOSSES, repair};
pub(crate) use restore::restore;
pub(crate) use schema::schema;
pub(crate) use set::{NOTES as SET_NOTES, set};
pub(crate) use show::show;
#[cfg(feature = "view")]
pub(crate) use view::view;
