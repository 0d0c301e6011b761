use core::fmt;
use core::hash::Hasher;

use worldview_core::describe::{
    Describe, Each, Field, FieldValue, Flow, Int, Items, Link, List, ListFlag, MatchRule, Notation, Part, PartKey,
    Role, Span, Stored, Visit,
};
use worldview_core::{Cursor, Source};
use zerocopy::{Immutable, IntoBytes};

use super::field::{NameForm, count, end_of, has, integer, number, offset, offset_from, visit_name, visit_point, word};
use super::list::{Element, ElementList, by_name, feed};
use super::parts::visit_textures;
use super::shape::visit_lods;
use crate::animation::{Actor, Animation, Node};
use crate::model::Model;
use crate::name::Name;
use crate::raw::{MorphKey, RotationKey, TimeFlags, VectorKey};
use crate::roi::Roi;
use crate::tree::{Branch, Tree};

impl Describe for Model<'_> {
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        visitor.field(&Field::new("model_version", FieldValue::Uint(Self::VERSION.into())))?;
        let (source, base) = (self.source(), self.source().base());
        let textures = base.saturating_add(self.texture_offset.into());
        visitor.field(&offset_from("textures_offset", self.texture_offset, base.saturating_add(4), source))?;
        let roi_count = word(base.saturating_add(8), source);
        visitor.field(&integer("roi_count", FieldValue::Uint(self.roi_count.into()), roi_count))?;
        visit_actors(&self.animation, visitor)?;
        // The root node follows the duration.
        let root = self.animation.nodes.span(0).map_or(0, |root| root.at);
        let (duration, _) = word(root.saturating_sub(4), source);
        let value = FieldValue::Int(self.animation.duration.into());
        visitor.field(&integer("duration", value, (duration, Int::word(4, true))))?;
        visit_tree(&self.animation.nodes, visitor)?;
        visitor.field(&offset("nodes_end", self.animation.nodes.end()))?;
        visit_tree(&self.rois, visitor)?;
        visitor.field(&offset("rois_end", self.rois.end()))?;
        let skip = FieldValue::Uint(self.skip_textures.into());
        match self.no_textures() {
            Some(error) => {
                visitor.field(&Field::new("skip", skip))?;
                visitor.broken(&error)
            }
            None => {
                visitor.field(&integer("skip", skip, word(textures.saturating_add(4), source)))?;
                visit_textures(&self.textures, word(textures, source), visitor)
            }
        }
    }
}

fn visit_actors(animation: &Animation<'_>, visitor: &mut dyn Visit) -> Flow {
    let source = animation.actor_source();
    let mut c = Cursor::new(source);
    let items = (0..animation.actor_count()).map_while(move |_| actor(&mut c).map(Ok));
    let get = |index, at: u64| {
        let mut c = source.cursor(at.checked_sub(source.base())?, "actor").ok()?;
        actor(&mut c).filter(|_| has(animation.actor_count(), index))
    };
    let part = |index, item, visit: Each<'_>| one_actor(index, item, source, visit);
    let list = List::new("actors", "actor").with(&[ListFlag::Compact, ListFlag::Inside]);
    let places = ElementList::counted(Element::Actor, word(source.base().saturating_sub(4), source), "name");
    visitor.parts(&by_name(Items::walked(list, items, get, part)).editable(&places))
}

/// Passes on an actor.
pub(crate) fn one_actor(index: u32, (actor, at): (Actor<'_>, Span), source: Source<'_>, visit: Each<'_>) -> Flow {
    let body = |visitor: &mut dyn Visit| {
        visit_name("name", actor.name, NameForm::Inside, source, visitor)?;
        visitor.field(&match actor.kind {
            Some(kind) => integer("type", FieldValue::Uint(kind.into()), word(end_of(actor.name, source), source)),
            None => Field::new("type", FieldValue::Absent),
        })
    };
    visit(Ok(&Part::new(index, PartKey::Name(actor.name.text()), &body).at(at)))
}

/// Reads an actor, and returns it with its span.
pub(crate) fn actor<'a>(c: &mut Cursor<'a>) -> Option<(Actor<'a>, Span)> {
    let before = c.rest();
    let actor = Actor::read(c).ok()?;
    Some((actor, Span::new(before.base(), c.position().saturating_sub(before.base()), before.space())))
}

/// A named element of a tree.
pub(crate) trait Named<'a>: Branch<'a> + Clone {
    const LIST: List;
    const ELEMENT: Element;

    fn name(&self) -> Name<'a>;

    /// Visits everything except the name.
    fn content(&self, source: Source<'a>, child_count: &Field<'_>, visitor: &mut dyn Visit) -> Flow;
}

/// Visits a tree as a flat list whose elements refer to their parents.
fn visit_tree<'a, T: Named<'a>>(tree: &Tree<'a, T>, visitor: &mut dyn Visit) -> Flow {
    let get = |index: u32, _| tree.get(index.try_into().ok()?);
    let part = |index, item: T, visit: Each<'_>| branch(tree, index, None, &item, visit);
    let list = Items::walked(T::LIST, tree.iter().map(Ok).chain(tree.broken().map(Err)), get, part);
    // By the names of the element and its parent first, then by the element's name alone.
    let rule = |part: &Part<'_>, round, hasher: &mut dyn Hasher| {
        let PartKey::Name(text) = part.key else { return MatchRule::None };
        match round {
            0 => {
                feed(text, hasher);
                let above = above(tree, part.index).map(|(_, above)| start(above.name()));
                hasher.write_u8(above.is_some().into());
                feed(above.unwrap_or_default(), hasher);
            }
            1 => feed(text, hasher),
            _ => return MatchRule::None,
        }
        MatchRule::Any
    };
    // The numbers of children are in the elements.
    let (element, start) = (T::ELEMENT, tree.span(0).map(|at| at.at));
    let places = ElementList { element, start, count: None, key: Some("name") };
    visitor.parts(&by_name(list).matched(&rule).editable(&places))
}

/// The number of bytes of a parent's name that are read for each child. The game has buffers of 128 bytes. Reading
/// the whole of a name that is as long as the file for each of a hundred thousand children would take minutes.
const START: usize = 128;

/// Returns the text of the first [`START`] bytes of a name.
fn start(name: Name<'_>) -> &[u8] {
    Name::new(name.counted().get(..START).unwrap_or(name.counted())).text()
}

/// Returns the index of the parent and the parent itself.
fn above<'a, T: Named<'a>>(tree: &Tree<'a, T>, index: u32) -> Option<(u32, T)> {
    let above = tree.parent(index.try_into().ok()?)?;
    Some((number(above), tree.get(above)?))
}

/// Passes on an element of a tree, by its name or another key.
pub(crate) fn branch<'a, T: Named<'a>>(
    tree: &Tree<'a, T>,
    index: u32,
    key: Option<PartKey<'_>>,
    item: &T,
    visit: Each<'_>,
) -> Flow {
    let span = index.try_into().ok().and_then(|index| tree.span(index));
    let body = |visitor: &mut dyn Visit| {
        let mut link = |target: Option<&Part<'_>>| {
            visitor.link(&Link { name: "parent", kind: T::LIST.kind, target, content: false })
        };
        match above(tree, index) {
            Some((index, above)) => {
                let short = above.name().counted().len() <= START;
                let key = if short { PartKey::Name(start(above.name())) } else { PartKey::Index };
                branch(tree, index, Some(key), &above, &mut |part| link(part.ok()))?;
            }
            None => link(None)?,
        }
        let source = tree.blob();
        visit_name("name", item.name(), NameForm::Inside, source, visitor)?;
        // The number of children is the last word.
        let (at, int) = word(span.map_or(0, |at| at.at.saturating_add(at.len).saturating_sub(4)), source);
        let child_count = count("child_count", item.children().into()).at(at).stored(Stored::Int(int));
        item.content(source, &child_count, visitor)
    };
    let key = key.unwrap_or_else(|| PartKey::Name(item.name().text()));
    visit(Ok(&Part::new(index, key, &body).at(span)))
}

impl<'a> Named<'a> for Node<'a> {
    const LIST: List = List::new("nodes", "node").with(&[ListFlag::Inside]);
    const ELEMENT: Element = Element::Node;

    fn name(&self) -> Name<'a> {
        self.name
    }

    fn content(&self, source: Source<'a>, child_count: &Field<'_>, visitor: &mut dyn Visit) -> Flow {
        visitor.field(&count("translation_count", self.translations.len() as u64))?;
        visitor.field(&count("rotation_count", self.rotations.len() as u64))?;
        visitor.field(&count("scale_count", self.scales.len() as u64))?;
        visitor.field(&count("morph_count", self.morphs.len() as u64))?;
        visitor.field(child_count)?;
        let at = end_of(self.name, source);
        let at = visit_keys(self.translations, Element::Translation, at, source, visitor)?;
        let at = visit_keys(self.rotations, Element::Rotation, at, source, visitor)?;
        let at = visit_keys(self.scales, Element::Scale, at, source, visitor)?;
        visit_keys(self.morphs, Element::Morph, at, source, visitor)?;
        Flow::Continue(())
    }
}

impl<'a> Named<'a> for Roi<'a> {
    const LIST: List = List::new("rois", "roi").with(&[ListFlag::Inside]);
    const ELEMENT: Element = Element::Roi;

    fn name(&self) -> Name<'a> {
        self.name
    }

    fn content(&self, source: Source<'a>, child_count: &Field<'_>, visitor: &mut dyn Visit) -> Flow {
        let bounds = self.bounds;
        visit_point("center", &bounds.center, source, visitor)?;
        let radius = Field::new("radius", FieldValue::Float(bounds.radius.get())).stored(Stored::Float { big: false });
        visitor.field(&radius.at(Span::of(bounds.radius.as_bytes(), source)))?;
        visit_point("minimum", &bounds.minimum, source, visitor)?;
        visit_point("maximum", &bounds.maximum, source, visitor)?;
        visit_name("color_name", self.color, NameForm::Inside, source, visitor)?;
        // A byte, then the number of levels and the end offset, if there are any.
        let at = end_of(self.color, source);
        let shared = (Span::new(at, 1, source.space()), Int::word(1, false));
        visitor.field(&integer("shared", FieldValue::Uint(self.shared.into()), shared))?;
        visitor.field(&match self.end_offset {
            Some(end) => offset_from("end", end, at.saturating_add(5), source),
            None => Field::new("end", FieldValue::Absent).role(Role::Storage).notation(Notation::Hex),
        })?;
        // Without levels there is no end offset either, so that one cannot be added alone.
        let lod_count = self.end_offset.map(|_| word(at.saturating_add(1), source));
        visit_lods(self.lods, lod_count, visitor)?;
        visitor.field(child_count)
    }
}

/// An animation key with a time.
pub(crate) trait Timed: IntoBytes + Immutable {
    fn when(&self) -> &TimeFlags;

    /// Passes the value and its bytes to `visit`.
    fn value(&self, visit: &mut dyn FnMut(FieldValue<'_>, &[u8]) -> Flow) -> Flow;
}

impl Timed for VectorKey {
    fn when(&self) -> &TimeFlags {
        &self.when
    }

    fn value(&self, visit: &mut dyn FnMut(FieldValue<'_>, &[u8]) -> Flow) -> Flow {
        visit(FieldValue::Floats(&self.value.get()), self.value.as_bytes())
    }
}

impl Timed for RotationKey {
    fn when(&self) -> &TimeFlags {
        &self.when
    }

    fn value(&self, visit: &mut dyn FnMut(FieldValue<'_>, &[u8]) -> Flow) -> Flow {
        // The value follows the 4 bytes of the time.
        visit(FieldValue::Floats(&self.get()), self.as_bytes().get(4..).unwrap_or(&[]))
    }
}

impl Timed for MorphKey {
    fn when(&self) -> &TimeFlags {
        &self.when
    }

    fn value(&self, visit: &mut dyn FnMut(FieldValue<'_>, &[u8]) -> Flow) -> Flow {
        visit(FieldValue::Uint(self.visible.into()), core::slice::from_ref(&self.visible))
    }
}

/// Visits the keys of one kind, whose number is at an offset. Returns the offset just past them.
fn visit_keys<K: Timed>(
    all: &[K],
    element: Element,
    at: u64,
    source: Source<'_>,
    visitor: &mut dyn Visit,
) -> core::ops::ControlFlow<(), u64> {
    let (name, kind) = match element {
        Element::Rotation => ("rotations", "rotation"),
        Element::Scale => ("scales", "scale"),
        Element::Morph => ("morphs", "morph"),
        _ => ("translations", "translation"),
    };
    let list = List::new(name, kind).with(&[ListFlag::Bulk, ListFlag::Compact, ListFlag::Inside]);
    let part = |index, key, visit: Each<'_>| one_key(index, key, source, visit);
    let count = (Span::new(at, 2, source.space()), Int::word(2, false));
    let places = ElementList::counted(element, count, "time");
    visitor.parts(&by_name(Items::slice(list, all, part)).editable(&places))?;
    core::ops::ControlFlow::Continue(at.saturating_add(2).saturating_add(size_of_val(all) as u64))
}

/// Passes on a key.
pub(crate) fn one_key<K: Timed>(index: u32, key: &K, source: Source<'_>, visit: Each<'_>) -> Flow {
    let (time, body) = (PartKey::Number(key.when().time().into()), KeyBody { key, source });
    visit(Ok(&Part::new(index, time, &body).at(Span::of(key.as_bytes(), source)).summary(&body)))
}

struct KeyBody<'s, 'a, K> {
    key: &'s K,
    source: Source<'a>,
}

impl<K: Timed> fmt::Display for KeyBody<'_, '_, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut written = Ok(());
        let _ = self.key.value(&mut |value, _| {
            written = match value {
                FieldValue::Floats([first, rest @ ..]) => {
                    write!(f, "{first}").and_then(|()| rest.iter().try_for_each(|float| write!(f, " {float}")))
                }
                FieldValue::Uint(byte) => write!(f, "{byte}"),
                _ => Ok(()),
            };
            Flow::Continue(())
        });
        written
    }
}

impl<K: Timed> Describe for KeyBody<'_, '_, K> {
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        let Self { key, source } = *self;
        let when = key.when();
        // Both share a word, of which the flags have the highest byte.
        let at = Span::of(when.as_bytes(), source);
        let time = Int::word(4, false).bits(0, 24);
        visitor.field(&integer("time", FieldValue::Uint(when.time().into()), (at, time)))?;
        let flags = (Span::new(at.at.saturating_add(3), 1, at.space), Int::word(1, false));
        visitor.field(&integer("flags", FieldValue::Uint(when.flags().into()), flags).notation(Notation::Hex))?;
        key.value(&mut |value, bytes| {
            let stored = match value {
                FieldValue::Floats(floats) => Stored::Floats(u16::try_from(floats.len()).unwrap_or(0)),
                _ => Stored::Int(Int::word(1, false)),
            };
            visitor.field(&Field::new("value", value).at(Span::of(bytes, source)).stored(stored))
        })
    }
}
