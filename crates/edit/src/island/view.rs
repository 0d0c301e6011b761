use std::ops::Range;

use worldview_island::raw::{MorphKey, RotationKey, VectorKey};
use worldview_island::{
    Actor, Image, Lod, Mesh, Model, ModelRef, Node, Part, PartRef, Parts, Roi, Texture, Textures, Tree, World,
};
use zerocopy::IntoBytes as _;

use super::field::{Field, Kind};

/// An element of a file that has fields and lists, as paths name them.
#[derive(Clone)]
pub(super) enum View<'d, 'a> {
    World(World<'d, 'a>),
    PartRef(&'d PartRef<'a>),
    ModelRef(&'d ModelRef<'a>),
    /// The global textures, with the range of their chunk.
    Textures(Textures<'a>, Range<usize>),
    Parts(&'d Parts<'a>),
    Model(&'d Model<'a>),
    /// A texture, with whether a `^` marks two images in its list.
    Texture(Texture<'a>, bool),
    Image(Image<'a>),
    /// A part, with the place from which its offset counts.
    Part(Part<'a>, usize),
    Actor(Actor<'a>),
    Node(&'d Tree<'a, Node<'a>>, usize),
    /// An object, with the place from which its offset counts.
    Roi(&'d Tree<'a, Roi<'a>>, usize, usize),
    Lod(Lod<'a>),
    Mesh(Mesh<'a>),
    Vector(&'a VectorKey),
    Rotation(&'a RotationKey),
    Morph(&'a MorphKey),
}

/// A list of a view.
#[derive(Clone, Debug)]
pub(super) struct List {
    /// The word of paths for an element.
    pub(super) kind: &'static str,
    /// The place of the number of elements, and its length; `None` if the number is fixed, or stored per parent.
    pub(super) count: Option<Range<usize>>,
    /// The end of the last element.
    pub(super) end: usize,
}

/// Returns an offset of the file as an index.
pub(super) fn index(at: u64) -> usize {
    usize::try_from(at).unwrap_or(usize::MAX)
}

/// The range of bytes that lie in a buffer.
pub(super) fn place(buffer: &[u8], bytes: &[u8]) -> Range<usize> {
    let start = bytes.as_ptr().addr().wrapping_sub(buffer.as_ptr().addr());
    start..start.saturating_add(bytes.len())
}

/// The range of a name with its count.
fn counted(buffer: &[u8], name: worldview_island::Name<'_>) -> Range<usize> {
    let range = place(buffer, name.counted());
    range.start.saturating_sub(4)..range.end
}

const fn word(at: usize) -> Range<usize> {
    at..at.saturating_add(4)
}

impl<'d, 'a> View<'d, 'a> {
    /// Returns the name or time by which paths name the element; `None` if they number it.
    pub(super) fn key(&self) -> Option<Vec<u8>> {
        let time = |time: u32| Some(time.to_string().into_bytes());
        let name = match self {
            Self::World(world) => world.name,
            Self::PartRef(part) => part.name,
            Self::ModelRef(model) => model.name,
            Self::Texture(texture, _) => texture.name,
            Self::Part(part, _) => part.name,
            Self::Actor(actor) => actor.name,
            Self::Node(tree, index) => tree.get(*index)?.name,
            Self::Roi(tree, index, _) => tree.get(*index)?.name,
            Self::Vector(key) => return time(key.when.time()),
            Self::Rotation(key) => return time(key.when.time()),
            Self::Morph(key) => return time(key.when.time()),
            Self::Textures(..) | Self::Parts(_) | Self::Model(_) | Self::Image(_) | Self::Lod(_) | Self::Mesh(_) => {
                return None;
            }
        };
        Some(name.text().to_vec())
    }

    /// Returns the bytes of the element; of one of a tree with everything below it.
    pub(super) fn range(&self, buffer: &[u8]) -> Range<usize> {
        match self {
            Self::World(world) => {
                let ends = self.lists(buffer).last().map(|list| list.end);
                index(world.at)..ends.unwrap_or(0)
            }
            Self::PartRef(part) => index(part.at)..place(buffer, part.range.as_bytes()).end,
            Self::ModelRef(model) => index(model.at)..place(buffer, model.placement.as_bytes()).end,
            Self::Textures(_, chunk) => chunk.clone(),
            Self::Parts(parts) => place(buffer, parts.source().bytes()),
            Self::Model(model) => place(buffer, model.source().bytes()),
            Self::Texture(texture, _) => index(texture.at)..place(buffer, texture.high().pixels).end,
            Self::Image(image) => index(image.at)..place(buffer, image.pixels).end,
            Self::Part(part, base) => index(part.at)..base.saturating_add(index(part.end_offset.into())),
            Self::Actor(actor) => {
                let range = counted(buffer, actor.name);
                range.start..range.end.saturating_add(if actor.kind.is_some() { 4 } else { 0 })
            }
            Self::Node(tree, at) => start(tree, *at, |node| node.at)..end_below(tree, *at, |node| node.at),
            Self::Roi(tree, at, _) => start(tree, *at, |roi| roi.at)..end_below(tree, *at, |roi| roi.at),
            Self::Lod(lod) => index(lod.at)..index(lod.end),
            Self::Mesh(mesh) => index(mesh.at)..place(buffer, mesh.material.counted()).end,
            Self::Vector(key) => place(buffer, key.as_bytes()),
            Self::Rotation(key) => place(buffer, key.as_bytes()),
            Self::Morph(key) => place(buffer, key.as_bytes()),
        }
    }

    /// Returns the fields that can be changed.
    pub(super) fn fields(&self, buffer: &[u8]) -> Vec<Field> {
        let field = |name, range, kind| Field { name, range, kind };
        let own = |name, bytes: &[u8], kind| field(name, place(buffer, bytes), kind);
        let named =
            |field_name, name, in_directory| field(field_name, counted(buffer, name), Kind::Name { in_directory });
        let when = |word: &[u8], value: &[u8], kind| {
            let at = place(buffer, word);
            // The time has the lower three bytes of a word.
            let flags = at.start.saturating_add(3)..at.end;
            vec![
                field("time", at.start..flags.start, Kind::Uint),
                field("flags", flags, Kind::Uint),
                own("value", value, kind),
            ]
        };
        match self {
            Self::World(world) => vec![named("name", world.name, true)],
            Self::PartRef(part) => vec![named("name", part.name, true)],
            Self::ModelRef(model) => {
                let placement = model.placement;
                vec![
                    named("name", model.name, true),
                    named("presenter", model.presenter, true),
                    own("location", placement.location.as_bytes(), Kind::Floats),
                    own("direction", placement.direction.as_bytes(), Kind::Floats),
                    own("up", placement.up.as_bytes(), Kind::Floats),
                    own("visible", placement.visible.as_bytes(), Kind::Uint),
                ]
            }
            Self::Textures(..) | Self::Parts(_) => Vec::new(),
            Self::Model(model) => {
                let base = place(buffer, model.source().bytes()).start;
                let duration = start(&model.animation.nodes, 0, |node| node.at).saturating_sub(4);
                let skip = base.saturating_add(index(model.texture_offset.into())).saturating_add(4);
                vec![
                    field("roi_count", word(base.saturating_add(8)), Kind::Uint),
                    field("duration", word(duration), Kind::Int),
                    field("skip", word(skip), Kind::Uint),
                ]
            }
            Self::Texture(texture, _) => vec![named("name", texture.name, false)],
            Self::Image(image) => {
                let at = index(image.at);
                let palette = place(buffer, image.palette.as_bytes());
                vec![
                    field("width", word(at), Kind::Uint),
                    field("height", word(at.saturating_add(4)), Kind::Uint),
                    field("palette", palette.start.saturating_sub(4)..palette.end, Kind::Palette),
                    own("pixels", image.pixels, Kind::Run),
                ]
            }
            Self::Part(part, _) => vec![named("name", part.name, false)],
            Self::Actor(actor) => {
                let name = named("name", actor.name, false);
                let kind = actor.kind.map(|_| field("type", word(name.range.end), Kind::Uint));
                [Some(name), kind].into_iter().flatten().collect()
            }
            Self::Node(tree, at) => tree.get(*at).into_iter().map(|node| named("name", node.name, false)).collect(),
            Self::Roi(tree, at, _) => {
                let Some(roi) = tree.get(*at) else { return Vec::new() };
                let bounds = roi.bounds;
                let color = named("color_name", roi.color, false);
                let shared = color.range.end..color.range.end.saturating_add(1);
                vec![
                    named("name", roi.name, false),
                    own("center", bounds.center.as_bytes(), Kind::Floats),
                    own("radius", bounds.radius.as_bytes(), Kind::Float),
                    own("minimum", bounds.minimum.as_bytes(), Kind::Floats),
                    own("maximum", bounds.maximum.as_bytes(), Kind::Floats),
                    color,
                    field("shared", shared, Kind::Uint),
                ]
            }
            Self::Lod(lod) => {
                let mut fields = vec![field("flags", word(index(lod.at)), Kind::Uint)];
                if let Some(counts) = lod.counts {
                    fields.push(own("unused_bits", counts.counts.as_bytes(), Kind::Bits(0x1_8000)));
                }
                fields
            }
            Self::Mesh(mesh) => {
                let surface = mesh.surface;
                let all = place(buffer, surface.as_bytes()).start;
                vec![
                    field("color", all..all.saturating_add(3), Kind::Color),
                    own("alpha", surface.alpha.as_bytes(), Kind::Float),
                    own("shading", surface.shading.as_bytes(), Kind::Uint),
                    own("specular", surface.specular.as_bytes(), Kind::Uint),
                    own("unknown", surface.unknown.as_bytes(), Kind::Uint),
                    own("alias", surface.alias.as_bytes(), Kind::Uint),
                    named("texture", mesh.texture, false),
                    named("material", mesh.material, false),
                ]
            }
            Self::Vector(key) => when(key.when.as_bytes(), key.value.as_bytes(), Kind::Floats),
            Self::Rotation(key) => when(key.when.as_bytes(), behind(key.as_bytes()), Kind::Floats),
            Self::Morph(key) => when(key.when.as_bytes(), behind(key.as_bytes()), Kind::Uint),
        }
    }

    /// Returns the item of an array that a number or a pair of numbers selects: a pixel, or a point of a pool.
    pub(super) fn item(&self, buffer: &[u8], kind: &str, key: &[u8], nth: Option<u32>) -> Option<Field> {
        let nth = || usize::try_from(nth?).ok();
        let floats = |points: &[u8], size: usize, name| {
            let start = place(buffer, points).start.saturating_add(nth()?.checked_mul(size)?);
            let range = start..start.saturating_add(size);
            (range.end <= place(buffer, points).end).then_some(Field { name, range, kind: Kind::Floats })
        };
        match (self, kind) {
            (Self::Image(image), "pixel") => {
                let (x, y) = std::str::from_utf8(key).ok()?.split_once(',')?;
                let (x, y): (usize, usize) = (x.parse().ok()?, y.parse().ok()?);
                let width = index(image.width.into());
                let at = y.checked_mul(width)?.checked_add(x).filter(|at| x < width && *at < image.pixels.len())?;
                let at = place(buffer, image.pixels).start.saturating_add(at);
                Some(Field { name: "pixel", range: at..at.saturating_add(1), kind: Kind::Uint })
            }
            (Self::Image(image), "color") => {
                let colors = place(buffer, image.palette.as_bytes());
                let start = colors.start.saturating_add(nth()?.checked_mul(3)?);
                let range = start..start.saturating_add(3);
                (range.end <= colors.end).then_some(Field { name: "color", range, kind: Kind::Color })
            }
            (Self::Lod(lod), "position") => floats(lod.positions.as_bytes(), 12, "position"),
            (Self::Lod(lod), "normal") => floats(lod.normals.as_bytes(), 12, "normal"),
            (Self::Lod(lod), "uv") => floats(lod.uvs.as_bytes(), 8, "uv"),
            _ => None,
        }
    }

    /// Returns the lists of the element.
    pub(super) fn lists(&self, buffer: &[u8]) -> Vec<List> {
        let list = |kind, count: usize, end: usize| List { kind, count: Some(word(count)), end };
        match self {
            Self::World(world) => {
                let parts_at = counted(buffer, world.name).end;
                let last = world.parts.last().map(|part| place(buffer, part.range.as_bytes()).end);
                let parts_end = last.unwrap_or(word(parts_at).end);
                let last = world.models.last().map(|model| place(buffer, model.placement.as_bytes()).end);
                let models_end = last.unwrap_or(word(parts_end).end);
                vec![list("part", parts_at, parts_end), list("model", parts_end, models_end)]
            }
            Self::Textures(textures, chunk) => vec![list("texture", chunk.start, index(textures.end()))],
            Self::Parts(parts) => {
                let base = place(buffer, parts.source().bytes()).start;
                let textures = base.saturating_add(index(parts.texture_offset.into()));
                vec![
                    list("part", base.saturating_add(4), index(parts.end())),
                    list("texture", textures, index(parts.textures.end())),
                ]
            }
            Self::Model(model) => {
                let base = place(buffer, model.source().bytes()).start;
                let nodes = &model.animation.nodes;
                let textures = base.saturating_add(index(model.texture_offset.into()));
                vec![
                    list("actor", base.saturating_add(12), start(nodes, 0, |node| node.at).saturating_sub(4)),
                    List { kind: "node", count: None, end: index(nodes.end()) },
                    List { kind: "roi", count: None, end: index(model.rois.end()) },
                    list("texture", textures, index(model.textures.end())),
                ]
            }
            Self::Texture(texture, _) => {
                vec![List { kind: "image", count: None, end: place(buffer, texture.high().pixels).end }]
            }
            Self::Part(part, _) => {
                vec![list("lod", counted(buffer, part.name).end, index(part.lods.end()))]
            }
            Self::Node(tree, at) => {
                let Some(node) = tree.get(*at) else { return Vec::new() };
                let mut end = counted(buffer, node.name).end;
                let sizes = [
                    ("translation", node.translations.as_bytes().len()),
                    ("rotation", node.rotations.as_bytes().len()),
                    ("scale", node.scales.as_bytes().len()),
                    ("morph", node.morphs.as_bytes().len()),
                ];
                let lists = sizes.map(|(kind, size)| {
                    let count = end..end.saturating_add(2);
                    end = count.end.saturating_add(size);
                    List { kind, count: Some(count), end }
                });
                lists.into()
            }
            Self::Roi(tree, at, _) => match tree.get(*at) {
                // Without levels there is no end offset either, so that one cannot be added alone.
                Some(roi) if !roi.lods.is_empty() => {
                    let count = counted(buffer, roi.color).end.saturating_add(1);
                    vec![list("lod", count, index(roi.lods.end()))]
                }
                _ => Vec::new(),
            },
            Self::Lod(lod) if lod.counts.is_some() => {
                vec![list("mesh", index(lod.at).saturating_add(4), index(lod.end))]
            }
            _ => Vec::new(),
        }
    }

    /// Returns the elements of a list.
    pub(super) fn items(&self, buffer: &[u8], kind: &str) -> Vec<View<'d, 'a>> {
        let base = |bytes| place(buffer, bytes).start;
        let textures =
            |list: Textures<'a>, pairs| list.into_iter().map(|texture| View::Texture(texture, pairs)).collect();
        match (self, kind) {
            (Self::World(world), "part") => world.parts.iter().map(View::PartRef).collect(),
            (Self::World(world), "model") => world.models.iter().map(View::ModelRef).collect(),
            (Self::Textures(list, _), "texture") => textures(*list, false),
            (Self::Parts(parts), "texture") => textures(parts.textures, true),
            (Self::Model(model), "texture") => textures(model.textures, true),
            (Self::Parts(parts), "part") => {
                let base = base(parts.source().bytes());
                parts.into_iter().map(|part| View::Part(part, base)).collect()
            }
            (Self::Model(model), "actor") => model.animation.actors().map(View::Actor).collect(),
            (Self::Model(model), "node") => {
                let nodes = &model.animation.nodes;
                (0..nodes.len()).map(|at| View::Node(nodes, at)).collect()
            }
            (Self::Model(model), "roi") => {
                let base = base(model.source().bytes());
                (0..model.rois.len()).map(|at| View::Roi(&model.rois, at, base)).collect()
            }
            (Self::Texture(texture, _), "image") => {
                [Some(texture.image), texture.second].into_iter().flatten().map(View::Image).collect()
            }
            (Self::Part(part, _), "lod") => part.lods.iter().map(View::Lod).collect(),
            (Self::Roi(tree, at, _), "lod") => {
                tree.get(*at).into_iter().flat_map(|roi| roi.lods.iter()).map(View::Lod).collect()
            }
            (Self::Lod(lod), "mesh") => lod.meshes.iter().map(View::Mesh).collect(),
            (Self::Node(tree, at), kind) => {
                let Some(node) = tree.get(*at) else { return Vec::new() };
                match kind {
                    "translation" => node.translations.iter().map(View::Vector).collect(),
                    "rotation" => node.rotations.iter().map(View::Rotation).collect(),
                    "scale" => node.scales.iter().map(View::Vector).collect(),
                    "morph" => node.morphs.iter().map(View::Morph).collect(),
                    _ => Vec::new(),
                }
            }
            _ => Vec::new(),
        }
    }

    /// Returns the index of the parent of an element of a tree.
    pub(super) fn parent(&self) -> Option<usize> {
        match self {
            Self::Node(tree, at) => tree.parent(*at),
            Self::Roi(tree, at, _) => tree.parent(*at),
            _ => None,
        }
    }

    /// Returns the place of the number of children of an element of a tree.
    pub(super) fn child_count(&self) -> Option<Range<usize>> {
        let before = |end: usize| end.saturating_sub(4)..end;
        match self {
            Self::Node(tree, at) => Some(before(own_end(tree, *at, |node| node.at))),
            Self::Roi(tree, at, _) => Some(before(own_end(tree, *at, |roi| roi.at))),
            _ => None,
        }
    }

    /// Returns the place of the end offset of a part or object, and what it points to, both in the buffer.
    pub(super) fn end_offset(&self, buffer: &[u8]) -> Option<(usize, usize)> {
        match self {
            Self::Part(part, base) => {
                let at = counted(buffer, part.name).end.saturating_add(4);
                Some((at, base.saturating_add(index(part.end_offset.into()))))
            }
            Self::Roi(tree, at, base) => {
                let roi = tree.get(*at)?;
                let at = counted(buffer, roi.color).end.saturating_add(5);
                Some((at, base.saturating_add(index(roi.end_offset?.into()))))
            }
            _ => None,
        }
    }
}

/// The bytes of a key behind its time.
fn behind(key: &[u8]) -> &[u8] {
    key.get(4..).unwrap_or(&[])
}

fn start<'a, T: worldview_island::Branch<'a>>(tree: &Tree<'a, T>, at: usize, offset: impl Fn(&T) -> u64) -> usize {
    tree.get(at).map_or(0, |element| index(offset(&element)))
}

/// The end of an element of a tree without what is below it.
fn own_end<'a, T: worldview_island::Branch<'a>>(tree: &Tree<'a, T>, at: usize, offset: impl Fn(&T) -> u64) -> usize {
    tree.get(at.saturating_add(1)).map_or(index(tree.end()), |next| index(offset(&next)))
}

/// The end of an element of a tree with what is below it.
fn end_below<'a, T: worldview_island::Branch<'a>>(tree: &Tree<'a, T>, at: usize, offset: impl Fn(&T) -> u64) -> usize {
    let behind = (at.saturating_add(1)..tree.len()).find(|&other| tree.parent(other).is_none_or(|parent| parent < at));
    behind.map_or(index(tree.end()), |behind| start(tree, behind, offset))
}
