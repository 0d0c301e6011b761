//! Tests of the command, as a process unless stated otherwise.
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, reason = "a slip fails the test")]

mod archives;
#[cfg(unix)]
mod bombs;
mod build;
mod bulk;
mod cases;
mod cli;
mod compare;
mod damaged;
mod documented;
mod edits;
mod find;
mod hostile;
#[cfg(unix)]
mod interrupted;
mod jobs;
mod layout;
mod messages;
mod missing;
mod mods;
mod options;
#[cfg(all(unix, debug_assertions))]
mod outputs;
mod paths;
mod references;
mod reports;
mod restore;
mod rez;
mod set_many;
#[cfg(unix)]
mod signals;
mod support;
#[cfg(unix)]
mod surroundings;
mod tables;
#[cfg(windows)]
mod windows;
mod workbooks;
mod world;
