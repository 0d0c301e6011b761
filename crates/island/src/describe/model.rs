use core::fmt;
use core::hash::Hasher;

use worldview_core::describe::{
    Describe, Field, FieldValue, Flow, Int, Link, List, MatchRule, Notation, Part, PartKey, Role, Slots, Span, Stored,
    Visit,
};
use worldview_core::{Cursor, Error, Source};
use zerocopy::{Immutable, IntoBytes};

use super::element::Element;
use super::field::{
    NameForm, count, end_of, has, integer, number, offset, offset_from, slots, visit_name, visit_point, word,
};
use super::list::{DatabaseList, Listed, feed};
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
        visitor.parts(&Listed(Actors(&self.animation)))?;
        // The root node follows the duration.
        let root = self.animation.nodes.span(0).map_or(0, |root| root.at);
        let (duration, _) = word(root.saturating_sub(4), source);
        let value = FieldValue::Int(self.animation.duration.into());
        visitor.field(&integer("duration", value, (duration, Int::word(4, true))))?;
        visitor.parts(&Listed(Branches(&self.animation.nodes)))?;
        visitor.field(&offset("nodes_end", self.animation.nodes.end()))?;
        visitor.parts(&Listed(Branches(&self.rois)))?;
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

struct Actors<'s, 'a>(&'s Animation<'a>);

impl<'a> DatabaseList for Actors<'_, 'a> {
    /// An actor and its span.
    type Item = (Actor<'a>, Span);
    const LIST: List = List { compact: true, inside: true, ..List::new("actors", "actor") };

    fn iter(&self) -> impl Iterator<Item = Self::Item> {
        let mut c = Cursor::new(self.0.actor_source());
        (0..self.0.actor_count()).map_while(move |_| actor(&mut c))
    }

    fn get(&self, index: u32, at: u64) -> Option<Self::Item> {
        let source = self.0.actor_source();
        let mut c = source.cursor(at.checked_sub(source.base())?, "actor").ok()?;
        actor(&mut c).filter(|_| has(self.0.actor_count(), index))
    }

    fn part<R>(&self, index: u32, (actor, at): &Self::Item, then: impl FnOnce(&Part<'_>) -> R) -> R {
        actor_part(index, (actor, *at), self.0.actor_source(), then)
    }

    fn slots(&self) -> Option<Slots> {
        let start = self.0.actor_source().base();
        Some(slots(start, word(start.saturating_sub(4), self.0.actor_source()), "name"))
    }

    fn element(&self) -> Option<Element> {
        Some(Element::Actor)
    }
}

/// Passes an actor to `then` as a part.
pub(super) fn actor_part<R>(
    index: u32,
    (actor, at): (&Actor<'_>, Span),
    source: Source<'_>,
    then: impl FnOnce(&Part<'_>) -> R,
) -> R {
    then(&Part::new(index, PartKey::Name(actor.name.text()), &ActorBody { actor, source }).at(at))
}

pub(super) fn actor<'a>(c: &mut Cursor<'a>) -> Option<(Actor<'a>, Span)> {
    let before = c.rest();
    let actor = Actor::read(c).ok()?;
    Some((actor, Span::new(before.base(), c.position().saturating_sub(before.base()), before.space())))
}

struct ActorBody<'s, 'a> {
    actor: &'s Actor<'a>,
    source: Source<'a>,
}

impl Describe for ActorBody<'_, '_> {
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        let Self { actor, source } = *self;
        visit_name("name", actor.name, NameForm::Inside, source, visitor)?;
        visitor.field(&match actor.kind {
            Some(kind) => integer("type", FieldValue::Uint(kind.into()), word(end_of(actor.name, source), source)),
            None => Field::new("type", FieldValue::Absent),
        })
    }
}

/// A named element of a tree.
pub(super) trait Named<'a>: Branch<'a> {
    const LIST: List;
    const ELEMENT: Element;

    fn name(&self) -> Name<'a>;

    /// Visits everything except the name.
    fn content(&self, source: Source<'a>, child_count: &Field<'_>, visitor: &mut dyn Visit) -> Flow;
}

/// A tree as a flat list whose elements refer to their parents.
pub(super) struct Branches<'s, 'a, T>(pub(super) &'s Tree<'a, T>);

impl<'a, T: Named<'a>> DatabaseList for Branches<'_, 'a, T> {
    type Item = T;
    const LIST: List = T::LIST;

    fn iter(&self) -> impl Iterator<Item = T> {
        self.0.iter()
    }

    fn broken(&self) -> Option<Error> {
        self.0.broken()
    }

    fn get(&self, index: u32, _: u64) -> Option<T> {
        self.0.get(index.try_into().ok()?)
    }

    fn part<R>(&self, index: u32, item: &T, then: impl FnOnce(&Part<'_>) -> R) -> R {
        self.keyed(index, PartKey::Name(item.name().text()), item, then)
    }

    /// Matches by the names of the element and its parent first, then by the element's name alone.
    fn match_rule(&self, part: &Part<'_>, round: u32, hasher: &mut dyn Hasher) -> MatchRule {
        let PartKey::Name(text) = part.key else { return MatchRule::None };
        match round {
            0 => {
                feed(text, hasher);
                let above = self.above(part.index).map(|(_, above)| start(above.name()));
                hasher.write_u8(above.is_some().into());
                feed(above.unwrap_or_default(), hasher);
            }
            1 => feed(text, hasher),
            _ => return MatchRule::None,
        }
        MatchRule::Any
    }

    /// The numbers of children are in the elements.
    fn slots(&self) -> Option<Slots> {
        Some(Slots { start: self.0.span(0)?.at, count: None, key: Some("name"), shape: &[] })
    }

    fn element(&self) -> Option<Element> {
        Some(T::ELEMENT)
    }
}

/// The number of bytes of a parent's name that are read for each child. The game has buffers of 128 bytes. Reading
/// the whole of a name that is as long as the file for each of a hundred thousand children would take minutes.
const START: usize = 128;

/// Returns the text of the first [`START`] bytes of a name.
fn start(name: Name<'_>) -> &[u8] {
    Name::new(name.counted().get(..START).unwrap_or(name.counted())).text()
}

impl<'a, T: Named<'a>> Branches<'_, 'a, T> {
    fn keyed<R>(&self, index: u32, key: PartKey<'_>, item: &T, then: impl FnOnce(&Part<'_>) -> R) -> R {
        let body = BranchBody { branches: self, index, item };
        let at = index.try_into().ok().and_then(|index| self.0.span(index));
        then(&Part { at, ..Part::new(index, key, &body) })
    }

    /// Returns the index of the parent and the parent itself.
    fn above(&self, index: u32) -> Option<(u32, T)> {
        let above = self.0.parent(index.try_into().ok()?)?;
        Some((number(above), self.0.get(above)?))
    }
}

struct BranchBody<'s, 'a, T> {
    branches: &'s Branches<'s, 'a, T>,
    index: u32,
    item: &'s T,
}

impl<'a, T: Named<'a>> Describe for BranchBody<'_, 'a, T> {
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        let Self { branches, index, item } = *self;
        let link = |target: Option<&Part<'_>>, visitor: &mut dyn Visit| {
            visitor.link(&Link { name: "parent", kind: T::LIST.kind, target, content: false })
        };
        match branches.above(index) {
            Some((index, above)) => {
                let short = above.name().counted().len() <= START;
                let key = if short { PartKey::Name(start(above.name())) } else { PartKey::Index };
                branches.keyed(index, key, &above, |part| link(Some(part), visitor))?;
            }
            None => link(None, visitor)?,
        }
        let source = branches.0.blob();
        visit_name("name", item.name(), NameForm::Inside, source, visitor)?;
        // The number of children is the last word.
        let end = index.try_into().ok().and_then(|index| branches.0.span(index));
        let (at, int) = word(end.map_or(0, |at| at.at.saturating_add(at.len).saturating_sub(4)), source);
        let child_count = count("child_count", item.children().into()).at(at).stored(Stored::Int(int));
        item.content(source, &child_count, visitor)
    }
}

impl<'a> Named<'a> for Node<'a> {
    const LIST: List = List { inside: true, ..List::new("nodes", "node") };
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
    const LIST: List = List { inside: true, ..List::new("rois", "roi") };
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
pub(super) trait Timed: IntoBytes + Immutable {
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
    visitor.parts(&Listed(Keys { all, element, at, source }))?;
    core::ops::ControlFlow::Continue(at.saturating_add(2).saturating_add(size_of_val(all) as u64))
}

/// The keys of one kind in a node.
pub(super) struct Keys<'s, 'a, K> {
    pub(super) all: &'s [K],
    pub(super) element: Element,
    /// The offset of their number.
    pub(super) at: u64,
    pub(super) source: Source<'a>,
}

impl<'s, K: Timed> DatabaseList for Keys<'s, '_, K> {
    type Item = &'s K;
    const LIST: List = List { bulk: true, compact: true, inside: true, ..List::new("keys", "key") };

    fn list(&self) -> List {
        let (name, kind) = match self.element {
            Element::Rotation => ("rotations", "rotation"),
            Element::Scale => ("scales", "scale"),
            Element::Morph => ("morphs", "morph"),
            _ => ("translations", "translation"),
        };
        List { name, kind, ..Self::LIST }
    }

    fn iter(&self) -> impl Iterator<Item = Self::Item> {
        self.all.iter()
    }

    fn get(&self, index: u32, _: u64) -> Option<Self::Item> {
        self.all.get(usize::try_from(index).ok()?)
    }

    fn part<R>(&self, index: u32, key: &&'s K, then: impl FnOnce(&Part<'_>) -> R) -> R {
        let (time, source) = (PartKey::Number(key.when().time().into()), self.source);
        let body = KeyBody { key: *key, source };
        then(&Part::new(index, time, &body).at(Span::of(key.as_bytes(), source)).summary(&body))
    }

    fn slots(&self) -> Option<Slots> {
        let count = (Span::new(self.at, 2, self.source.space()), Int::word(2, false));
        Some(slots(self.at.saturating_add(2), count, "time"))
    }

    fn element(&self) -> Option<Element> {
        Some(self.element)
    }
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
