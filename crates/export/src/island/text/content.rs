use std::io::Write;

use worldview_island::raw::TimeFlags;
use worldview_island::{Image, Model, Node, Parts, Roi, Texture, Textures, Tree};

use super::Dump;
use crate::{Result, hex};

/// The deepest indentation of trees, which may be of any depth.
const DEEPEST: u8 = 16;

impl<W: Write> Dump<W> {
    pub(super) fn textures(&mut self, textures: &Textures<'_>, indent: usize) -> Result<()> {
        for (index, texture) in textures.iter().enumerate() {
            self.texture(index, &texture, indent)?;
        }
        self.line(indent, format_args!("textures end {:#x}", textures.end()))
    }

    fn texture(&mut self, index: usize, texture: &Texture<'_>, indent: usize) -> Result<()> {
        self.indent(indent);
        write!(self.out, "texture {index}")?;
        self.plain(texture.name)?;
        write!(self.out, " at {:#x} ", texture.at)?;
        match texture.second {
            Some(second) => {
                self.out.put(b"low ");
                self.size(texture.image)?;
                self.out.put(b" high ");
                self.size(second)?;
            }
            None => self.size(texture.image)?,
        }
        self.end_line()?;
        if self.full {
            for image in [Some(texture.image), texture.second].into_iter().flatten() {
                self.pixels(image, indent + 1)?;
            }
        }
        Ok(())
    }

    fn size(&mut self, image: Image<'_>) -> Result<()> {
        Ok(write!(self.out, "{}x{} colors {}", image.width, image.height, image.palette.len())?)
    }

    fn pixels(&mut self, image: Image<'_>, indent: usize) -> Result<()> {
        self.line(indent, format_args!("image at {:#x}", image.at))?;
        for colors in image.palette.chunks(16) {
            self.indent(indent + 1);
            self.out.put(b"palette");
            for color in colors {
                write!(self.out, " #{}", hex(&color.get()))?;
            }
            self.end_line()?;
        }
        // Nothing of an image without pixels, however many rows of none it has.
        self.hex_lines(indent + 1, image.pixels, usize::try_from(image.width).unwrap_or(usize::MAX))
    }

    pub(super) fn parts(&mut self, parts: &Parts<'_>, indent: usize) -> Result<()> {
        self.line(indent, format_args!("textures_offset {:#x}", parts.texture_offset))?;
        for (index, part) in parts.iter().enumerate() {
            self.indent(indent);
            write!(self.out, "part {index}")?;
            self.plain(part.name)?;
            write!(self.out, " at {:#x} end {:#x} ", part.at, part.end_offset)?;
            self.lods(part.lods, indent)?;
        }
        self.line(indent, format_args!("parts end {:#x}", parts.end()))?;
        self.textures(&parts.textures, indent)
    }

    pub(super) fn model(&mut self, model: &Model<'_>, indent: usize) -> Result<()> {
        let animation = &model.animation;
        self.line(
            indent,
            format_args!(
                "version {} textures_offset {:#x} roi_count {} skip {}",
                Model::VERSION,
                model.texture_offset,
                model.roi_count,
                model.skip_textures
            ),
        )?;
        self.line(
            indent,
            format_args!("animation actors {} duration {}", animation.actor_count(), animation.duration),
        )?;
        for (index, actor) in animation.actors().enumerate() {
            self.indent(indent + 1);
            write!(self.out, "actor {index}")?;
            self.plain(actor.name)?;
            if let Some(kind) = actor.kind {
                write!(self.out, " type {kind}")?;
            }
            self.end_line()?;
        }
        let depths = depths(animation.nodes.len(), |number| animation.nodes.parent(number));
        for ((number, node), depth) in animation.nodes.iter().enumerate().zip(depths) {
            self.branch("node", number, animation.nodes.parent(number), indent + usize::from(depth))?;
            self.node(&node, indent + usize::from(depth))?;
        }
        self.line(indent, format_args!("nodes end {:#x}", animation.nodes.end()))?;
        self.rois(&model.rois, indent)?;
        self.textures(&model.textures, indent)
    }

    /// The beginning of the line of an element of a tree.
    fn branch(&mut self, what: &str, number: usize, parent: Option<usize>, indent: usize) -> Result<()> {
        self.indent(indent);
        write!(self.out, "{what} {number}")?;
        if let Some(parent) = parent {
            write!(self.out, " of {parent}")?;
        }
        Ok(())
    }

    fn node(&mut self, node: &Node<'_>, indent: usize) -> Result<()> {
        self.plain(node.name)?;
        write!(self.out, " at {:#x} children {}", node.at, node.child_count)?;
        self.end_line()?;
        for (index, key) in node.translations.iter().enumerate() {
            self.key("translation", index, key.when, &key.value.get(), indent + 1)?;
        }
        for (index, key) in node.rotations.iter().enumerate() {
            self.key("rotation", index, key.when, &key.get(), indent + 1)?;
        }
        for (index, key) in node.scales.iter().enumerate() {
            self.key("scale", index, key.when, &key.value.get(), indent + 1)?;
        }
        for (index, key) in node.morphs.iter().enumerate() {
            let (time, flags) = (key.when.time(), key.when.flags());
            let visible = key.visible;
            self.line(indent + 1, format_args!("morph {index} time {time} flags {flags:#x} visible {visible}"))?;
        }
        Ok(())
    }

    fn key(&mut self, what: &str, index: usize, when: TimeFlags, value: &[f32], indent: usize) -> Result<()> {
        self.indent(indent);
        write!(self.out, "{what} {index} time {} flags {:#x} value", when.time(), when.flags())?;
        self.floats(value);
        self.end_line()
    }

    fn rois(&mut self, rois: &Tree<'_, Roi<'_>>, indent: usize) -> Result<()> {
        let depths = depths(rois.len(), |number| rois.parent(number));
        for ((number, roi), depth) in rois.iter().enumerate().zip(depths) {
            let indent = indent + usize::from(depth);
            self.branch("roi", number, rois.parent(number), indent)?;
            self.plain(roi.name)?;
            write!(self.out, " at {:#x} children {}", roi.at, roi.child_count)?;
            self.end_line()?;
            self.indent(indent + 1);
            let bounds = roi.bounds;
            self.out.put(b"sphere");
            self.point(bounds.centre);
            self.floats(&[bounds.radius.get()]);
            self.out.put(b"  box");
            self.point(bounds.minimum);
            self.point(bounds.maximum);
            self.end_line()?;
            self.indent(indent + 1);
            self.out.put(b"color_name");
            self.plain(roi.color)?;
            write!(self.out, " shared {} ", roi.shared)?;
            if let Some(end) = roi.end_offset {
                write!(self.out, "end {end:#x} ")?;
            }
            self.lods(roi.lods, indent + 1)?;
        }
        self.line(indent, format_args!("rois end {:#x}", rois.end()))
    }
}

/// How deep each element of a tree is shown.
fn depths(len: usize, parent: impl Fn(usize) -> Option<usize>) -> Vec<u8> {
    let mut depths: Vec<u8> = Vec::new();
    for number in 0..len {
        let above = parent(number).and_then(|parent| depths.get(parent));
        depths.push(above.map_or(0, |&above| above.saturating_add(1).min(DEEPEST)));
    }
    depths
}
