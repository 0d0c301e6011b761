//! The pictures that a game has for a level: which picture the engine shows for a tile or object, and its pixels.
//!
//! [`Assets`] is where pictures come from: REZ archives and folders. [`LevelPictures`] finds those of one level, and
//!
//! [`LevelPictures::resolve`] reports what is missing, without drawing anything. See
//! [Image sets](worldview_rez::format#image-sets).
//!
//! ```no_run
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let (file, rez) = (Vec::new(), Vec::new());
//! use worldview_export::level::game::{Assets, LevelPictures};
//! use worldview_export::level::png::{self, Allowance, Options};
//! use worldview_rez::Rez;
//! use worldview_wwd::{Level, unpack};
//!
//! let (image, archive) = (unpack(&file)?, Rez::parse(&rez)?);
//! let level = Level::parse(&image)?;
//!
//! let assets = Assets::new().folder("Assets").archive(&archive); // what is added first wins
//! let pictures = LevelPictures::of(&assets, &level, None)?;
//! for (name, set) in &pictures.resolve(&level)?.sets {
//!     println!("{}: {} frames are missing", String::from_utf8_lossy(name), set.frames.len());
//! }
//! let options = Options::default().game(&pictures);
//! png::level(&level, &options, &mut Allowance::new(&options), std::fs::File::create("level.png")?)?;
//! # Ok(())
//! # }
//! ```

mod assets;
mod mounts;
mod paths;
mod pictures;
mod report;
mod sounds;
mod sprite;

pub use assets::{Assets, Frame};
pub use paths::GamePaths;
pub use pictures::LevelPictures;
pub use report::{PictureReport, PictureUse, SetReport, SizeReport, Uses};
pub use sounds::{missing_logics, missing_sounds};
pub use sprite::{Palette, Pixels, Sprite};
