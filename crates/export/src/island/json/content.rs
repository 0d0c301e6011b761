use serde::ser::SerializeMap;
use worldview_island::raw::{MorphKey, RotationKey, VectorKey};
use worldview_island::{Actor, Image, Model, Node, Part, Parts, Roi, Texture, Textures};

use super::shape::put_lods;
use super::value::{Color, Float, Habit, How, List, Members, Object, Of, floats, point, put_name};
use crate::hex;

impl Members for Of<'_, Textures<'_>> {
    fn members<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        let Self(textures, how) = *self;
        map.serialize_entry("textures", &List(|| textures.iter().map(|texture| Object(TextureJson(texture, how)))))?;
        map.serialize_entry("textures_end", &textures.end())
    }
}

struct TextureJson<'a>(Texture<'a>, How);

impl Members for TextureJson<'_> {
    fn members<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        let Self(texture, how) = *self;
        map.serialize_entry("at", &texture.at)?;
        put_name(map, "name", texture.name, Habit::Inside, how.encoding)?;
        map.serialize_entry("real_name", &how.encoding.decode(texture.real_name()))?;
        let images = || [Some(texture.image), texture.second].into_iter().flatten();
        map.serialize_entry("images", &List(|| images().map(|image| Object(ImageJson(image, how)))))
    }
}

struct ImageJson<'a>(Image<'a>, How);

impl Members for ImageJson<'_> {
    fn members<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        let Self(image, how) = *self;
        map.serialize_entry("at", &image.at)?;
        map.serialize_entry("width", &image.width)?;
        map.serialize_entry("height", &image.height)?;
        map.serialize_entry("palette", &List(|| image.palette.iter().map(|&color| Color(color))))?;
        if how.full {
            // Nothing of an image without pixels, however many rows of none it has.
            let width = usize::try_from(image.width).unwrap_or(usize::MAX).max(1);
            map.serialize_entry("pixels", &List(|| image.pixels.chunks(width).map(hex)))?;
        }
        Ok(())
    }
}

impl Members for Of<'_, Parts<'_>> {
    fn members<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        let Self(parts, how) = *self;
        map.serialize_entry("textures_offset", &parts.texture_offset)?;
        map.serialize_entry("parts", &List(|| parts.iter().map(|part| Object(PartJson(part, how)))))?;
        map.serialize_entry("parts_end", &parts.end())?;
        Of(&parts.textures, how).members(map)
    }
}

struct PartJson<'a>(Part<'a>, How);

impl Members for PartJson<'_> {
    fn members<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        let Self(part, how) = *self;
        map.serialize_entry("at", &part.at)?;
        put_name(map, "name", part.name, Habit::Inside, how.encoding)?;
        map.serialize_entry("end", &part.end_offset)?;
        put_lods(map, part.lods, how)
    }
}

impl Members for Of<'_, Model<'_>> {
    fn members<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        let Self(model, how) = *self;
        let (nodes, rois) = (&model.animation.nodes, &model.rois);
        map.serialize_entry("model_version", &Model::VERSION)?;
        map.serialize_entry("textures_offset", &model.texture_offset)?;
        map.serialize_entry("roi_count", &model.roi_count)?;
        map.serialize_entry("actors", &List(|| model.animation.actors().map(|actor| Object(ActorJson(actor, how)))))?;
        map.serialize_entry("duration", &model.animation.duration)?;
        let node = |(number, node)| Object(NodeJson { node, parent: nodes.parent(number), how });
        map.serialize_entry("nodes", &List(|| nodes.iter().enumerate().map(node)))?;
        map.serialize_entry("nodes_end", &nodes.end())?;
        let roi = |(number, roi)| Object(RoiJson { roi, parent: rois.parent(number), how });
        map.serialize_entry("rois", &List(|| rois.iter().enumerate().map(roi)))?;
        map.serialize_entry("rois_end", &rois.end())?;
        map.serialize_entry("skip", &model.skip_textures)?;
        Of(&model.textures, how).members(map)
    }
}

struct ActorJson<'a>(Actor<'a>, How);

impl Members for ActorJson<'_> {
    fn members<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        put_name(map, "name", self.0.name, Habit::Inside, self.1.encoding)?;
        map.serialize_entry("type", &self.0.kind)
    }
}

struct NodeJson<'a> {
    node: Node<'a>,
    parent: Option<usize>,
    how: How,
}

impl Members for NodeJson<'_> {
    fn members<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        let Self { node, parent, how } = *self;
        map.serialize_entry("at", &node.at)?;
        map.serialize_entry("parent", &parent)?;
        put_name(map, "name", node.name, Habit::Inside, how.encoding)?;
        map.serialize_entry("translation_count", &node.translations.len())?;
        map.serialize_entry("rotation_count", &node.rotations.len())?;
        map.serialize_entry("scale_count", &node.scales.len())?;
        map.serialize_entry("morph_count", &node.morphs.len())?;
        map.serialize_entry("child_count", &node.child_count)?;
        if how.full {
            map.serialize_entry("translations", &List(|| node.translations.iter().map(Object)))?;
            map.serialize_entry("rotations", &List(|| node.rotations.iter().map(Object)))?;
            map.serialize_entry("scales", &List(|| node.scales.iter().map(Object)))?;
            map.serialize_entry("morphs", &List(|| node.morphs.iter().map(Object)))?;
        }
        Ok(())
    }
}

impl Members for &VectorKey {
    fn members<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        map.serialize_entry("time", &self.when.time())?;
        map.serialize_entry("flags", &self.when.flags())?;
        map.serialize_entry("value", &point(self.value))
    }
}

impl Members for &RotationKey {
    fn members<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        map.serialize_entry("time", &self.when.time())?;
        map.serialize_entry("flags", &self.when.flags())?;
        map.serialize_entry("value", &floats(self.get()))
    }
}

impl Members for &MorphKey {
    fn members<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        map.serialize_entry("time", &self.when.time())?;
        map.serialize_entry("flags", &self.when.flags())?;
        map.serialize_entry("value", &self.visible)
    }
}

struct RoiJson<'a> {
    roi: Roi<'a>,
    parent: Option<usize>,
    how: How,
}

impl Members for RoiJson<'_> {
    fn members<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        let Self { roi, parent, how } = *self;
        map.serialize_entry("at", &roi.at)?;
        map.serialize_entry("parent", &parent)?;
        put_name(map, "name", roi.name, Habit::Inside, how.encoding)?;
        map.serialize_entry("centre", &point(roi.bounds.centre))?;
        map.serialize_entry("radius", &Float(roi.bounds.radius.get()))?;
        map.serialize_entry("minimum", &point(roi.bounds.minimum))?;
        map.serialize_entry("maximum", &point(roi.bounds.maximum))?;
        put_name(map, "color_name", roi.color, Habit::Inside, how.encoding)?;
        map.serialize_entry("shared", &roi.shared)?;
        map.serialize_entry("end", &roi.end_offset)?;
        put_lods(map, roi.lods, how)?;
        map.serialize_entry("child_count", &roi.child_count)
    }
}
