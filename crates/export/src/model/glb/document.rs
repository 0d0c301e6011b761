//! A file in the making, and the bound on its size.

use std::io::Write;

use worldview_core::{Budget, Error, ErrorKind, Limit, Space};
use worldview_island::TextureAt;

use super::binary::Binary;
use super::report::Report;
use super::schema::{Node, Root};
use crate::{Encoding, Result};

/// What is written so far.
pub(super) struct Document {
    pub(super) root: Root,
    pub(super) binary: Binary,
    pub(super) report: Report,
    /// Where the texture of each number comes from.
    pub(super) textures: Vec<TextureAt>,
    /// Whether textures become pictures in the file: not if nobody will read them there.
    pub(super) embeds: bool,
    encoding: Encoding,
    budget: Budget,
}

impl Document {
    /// Bytes that the JSON of a node takes, about.
    const NODE: usize = 160;

    /// A file that is made of so many bytes.
    ///
    /// Meshes and textures are written once however often they are used, but each placing of a model is nodes of its
    /// own. A sane database is smaller as a GLB than as itself; a sample of few bytes may be larger.
    pub(super) fn new(bytes: u64, encoding: Encoding) -> Self {
        let limit = bytes.saturating_mul(16).saturating_add(16 << 20);
        let budget = Budget::new(limit, Limit::Overlap, "GLB of parts that overlap or are used again and again");
        Self {
            root: Root::default(),
            binary: Binary::default(),
            report: Report::default(),
            textures: Vec::new(),
            embeds: true,
            encoding,
            budget,
        }
    }

    /// Takes the bytes, about, that something takes that is at this offset in the file.
    pub(super) fn spend(&mut self, bytes: usize, at: u64) -> Result<()> {
        Ok(self.budget.spend(bytes as u64, at, Space::File)?)
    }

    /// Nodes that a file has at most, and meshes of a level of detail. A node is fifty bytes of a database and here half a
    /// thousand, a mesh twenty-seven and a quarter of that; the largest world of the game has some thousands of them.
    const MOST: usize = 1 << 16;

    /// Whether there may be so many nodes more.
    pub(super) fn room_for(&self, nodes: usize, at: u64) -> Result<()> {
        Self::within(self.root.nodes.len().saturating_add(nodes), "number of nodes of a GLB", at)
    }

    /// Whether a level of detail may have so many meshes.
    pub(super) fn room_for_meshes(meshes: usize, at: u64) -> Result<()> {
        Self::within(meshes, "number of meshes of a level of detail in a GLB", at)
    }

    fn within(need: usize, what: &'static str, at: u64) -> Result<()> {
        if need > Self::MOST {
            let kind = ErrorKind::Limit { of: Limit::Capacity, need: need as u64, limit: Self::MOST as u64 };
            return Err(Error::new(kind, what, at, Space::File).into());
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

    /// Text of the file.
    pub(super) fn text(&self, bytes: &[u8]) -> String {
        self.encoding.decode(bytes).into_owned()
    }

    /// Writes the file.
    pub(super) fn write(mut self, out: impl Write) -> Result<Report> {
        self.count();
        self.binary.write(self.root, out)?;
        Ok(self.report)
    }

    /// Puts into the report how much there is of what.
    pub(super) fn count(&mut self) {
        let root = &self.root;
        self.report.nodes = root.nodes.len();
        self.report.meshes = root.meshes.len();
        self.report.materials = root.materials.len();
        self.report.textures = root.textures.len();
        self.report.animations = root.animations.len();
    }
}
