//! A viewer for the files that [`worldview`] reads: a server for one person on one machine, and the page that it serves.
//!
//! Files are mapped and opened when the page asks for them, and only what is on the screen is decoded. Nothing is
//! written, and nothing outside the given paths is served. The server listens on 127.0.0.1 only; a random token in the
//! address, which works once, keeps other users and other pages out.
//!
//! ```no_run
//! use std::sync::atomic::AtomicBool;
//! use std::sync::Arc;
//! use worldview_verbs::Run;
//! use worldview_verbs::options::ViewOptions;
//! use worldview_view::Server;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let server = Server::bind(["samples".into()], &ViewOptions::default(), &mut Run::new(&mut ()))?;
//! println!("{}", server.address()?);
//! server.run(&Arc::new(AtomicBool::new(false)))?;
//! # Ok(())
//! # }
//! ```
#![forbid(unsafe_code)]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "works on parsed views and on sizes bounded by them; the format crates keep the lints"
)]

mod answer;
mod api;
mod catalog;
mod connections;
mod files;
mod levels;
mod library;
mod names;
mod page;
mod places;
mod security;
mod server;
mod state;
#[cfg(test)]
mod types;
mod work;

pub use server::Server;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
