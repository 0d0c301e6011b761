//! A GLB under construction, and the limit on its size.

use std::io::Write;

use worldview_core::{Budget, Error, ErrorKind, Limit, OffsetBase};

use super::binary::Binary;
use super::report::Report;
use super::schema::{Node, Root};
use crate::{Encoding, Result};

/// The contents so far.
pub(super) struct Document {
    pub(super) root: Root,
    pub(super) binary: Binary,
    pub(super) report: Report,
    encoding: Encoding,
    budget: Budget,
}

impl Document {
    /// Approximate size in bytes of a node's JSON.
    const NODE: usize = 160;

    /// Creates a document for an input of this size.
    ///
    /// Meshes and textures are written once, however often they are used, but each placement of a model has its own
    /// nodes. A valid database is usually larger than its GLBs; only very small ones may be smaller.
    pub(super) fn new(bytes: u64, encoding: Encoding) -> Self {
        let limit = bytes.saturating_mul(16).saturating_add(16 << 20);
        let budget = Budget::new(limit, Limit::Overlap, "GLB of parts that overlap or are used repeatedly");
        Self { root: Root::default(), binary: Binary::default(), report: Report::default(), encoding, budget }
    }

    /// Charges for an item of this approximate size. `at` is its offset in the input.
    pub(super) fn spend(&mut self, bytes: usize, at: u64) -> Result<()> {
        Ok(self.budget.spend(bytes as u64, at, OffsetBase::File)?)
    }

    /// Maximum number of nodes in a file, and of meshes in a level of detail. A node takes fifty bytes in a database
    /// and about five hundred here; a mesh takes 27 bytes there and about 125 here. The largest world of the game has a
    /// few thousand nodes.
    const MAX: usize = 1 << 16;

    /// Returns an error if `nodes` more nodes would be too many.
    pub(super) fn room_for(&self, nodes: usize, at: u64) -> Result<()> {
        Self::within(self.root.nodes.len().saturating_add(nodes), "number of nodes of a GLB", at)
    }

    /// Returns an error if a level of detail has too many meshes.
    pub(super) fn room_for_meshes(meshes: usize, at: u64) -> Result<()> {
        Self::within(meshes, "number of meshes of a level of detail in a GLB", at)
    }

    fn within(need: usize, what: &'static str, at: u64) -> Result<()> {
        if need > Self::MAX {
            let kind = ErrorKind::Limit { of: Limit::Capacity, need: need as u64, limit: Self::MAX as u64 };
            return Err(Error::new(kind, what, at, OffsetBase::File).into());
        }
        Ok(())
    }

    /// Adds a node.
    pub(super) fn node(&mut self, node: Node, at: u64) -> Result<usize> {
        self.room_for(1, at)?;
        let extras = node.extras.as_ref().map_or(0, |extras| extras.size());
        self.spend(Self::NODE + node.name.len() + extras, at)?;
        self.root.nodes.push(node);
        Ok(self.root.nodes.len() - 1)
    }

    /// Decodes text of the input.
    pub(super) fn text(&self, bytes: &[u8]) -> String {
        self.encoding.decode(bytes).into_owned()
    }

    /// Writes the file.
    pub(super) fn write(mut self, out: impl Write) -> Result<Report> {
        let root = &self.root;
        self.report.nodes = root.nodes.len();
        self.report.meshes = root.meshes.len();
        self.report.materials = root.materials.len();
        self.report.textures = root.textures.len();
        self.report.animations = root.animations.len();
        self.binary.write(self.root, out)?;
        Ok(self.report)
    }
}
