//! A second reader for databases: reads one value at a time, returns owned values, and shares no code with the real
//! reader.
//!
//! Trees are returned flat, in file order, so that neither reading nor dropping a deep one needs a deep stack.

use std::fmt;

mod animation;
mod cursor;
mod database;
mod directory;
mod geometry;
mod lod;
mod material;
mod matrix;
mod model;
mod parts;
mod pose;
mod resolve;
mod roi;
mod textures;

pub use crate::naive::NaiveError;
pub use animation::{NaiveActor, NaiveKey, NaiveNode};
pub use database::{NaiveBlob, NaiveContent, NaiveDatabase, database};
pub use directory::{Kind, NaiveDirectory, NaiveModelRef, NaivePartRef, NaiveWorld, directory};
pub use geometry::{NaiveGeometry, decode};
pub use lod::{NaiveLod, NaiveMesh};
pub use material::{ALIASES, NaiveMaterial, Surface, is_inherited, material, mesh_order};
pub use matrix::{IDENTITY, Matrix, inverse, product};
pub use model::{NaiveModel, model};
pub use parts::{NaivePart, NaiveParts, parts};
pub use pose::{NaivePose, local, place, placed, pose};
pub use resolve::{LodSource, Scope, TextureSource, Unresolved, lods_of, texture_of, unresolved};
pub use roi::NaiveRoi;
pub use textures::{NaiveImage, NaiveTexture, textures};

use crate::naive::{Budget, Result, until_nul, wide};
use cursor::{Cursor, Load, naive};

/// A byte range of the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// Absolute offset.
    pub offset: u64,
    /// Length.
    pub length: u64,
}

/// The counted bytes of a name, unchanged.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NaiveName(pub Vec<u8>);

/// A float stored as bits, so that a NaN equals itself.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Real(pub u32);

impl Place {
    /// Returns the range that covers all of `bytes`.
    pub fn whole(bytes: &[u8]) -> Self {
        Self { offset: 0, length: wide(bytes.len()) }
    }
}

impl NaiveName {
    /// Returns the bytes before the first NUL, or all bytes.
    pub fn text(&self) -> Vec<u8> {
        until_nul(&self.0)
    }

    /// Returns the text in ASCII lowercase, by which names are compared.
    pub fn key(&self) -> Vec<u8> {
        let mut out = self.text();
        out.make_ascii_lowercase();
        out
    }

    /// Returns `true` if the stored length is 0.
    pub fn is_absent(&self) -> bool {
        self.0.is_empty()
    }
}

impl Real {
    /// Returns the value.
    pub fn value(self) -> f32 {
        f32::from_bits(self.0)
    }

    /// Returns the value as an `f64`.
    pub fn wide(self) -> f64 {
        f64::from(self.value())
    }
}

impl From<f32> for Real {
    fn from(value: f32) -> Self {
        Self(value.to_bits())
    }
}

impl fmt::Debug for Real {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.value())
    }
}
