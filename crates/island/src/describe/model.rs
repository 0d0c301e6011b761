use core::fmt;
use core::hash::Hasher;

use worldview_core::describe::{
    Describe, Field, FieldValue, Flow, Link, List, MatchRule, Notation, Part, PartKey, Role, Span, Visit,
};
use worldview_core::{Cursor, Error, Source};
use zerocopy::{Immutable, IntoBytes};

use super::field::{NameForm, count, has, name, number, offset, visit_point};
use super::list::{DatabaseList, Listed, feed};
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
        visitor.field(&offset("textures_offset", self.texture_offset.into()))?;
        visitor.field(&Field::new("roi_count", FieldValue::Uint(self.roi_count.into())))?;
        visitor.parts(&Listed(Actors(&self.animation)))?;
        visitor.field(&Field::new("duration", FieldValue::Int(self.animation.duration.into())))?;
        visitor.parts(&Listed(Branches(&self.animation.nodes)))?;
        visitor.field(&offset("nodes_end", self.animation.nodes.end()))?;
        visitor.parts(&Listed(Branches(&self.rois)))?;
        visitor.field(&offset("rois_end", self.rois.end()))?;
        visitor.field(&Field::new("skip", FieldValue::Uint(self.skip_textures.into())))?;
        match self.no_textures() {
            Some(error) => visitor.broken(&error),
            None => self.textures.describe(visitor),
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
        let body = ActorBody { actor, source: self.0.actor_source() };
        then(&Part::new(index, PartKey::Name(actor.name.text()), &body).at(*at))
    }
}

fn actor<'a>(c: &mut Cursor<'a>) -> Option<(Actor<'a>, Span)> {
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
        visitor.field(&name("name", actor.name, NameForm::Inside, source))?;
        let kind = actor.kind.map_or(FieldValue::Absent, |kind| FieldValue::Uint(kind.into()));
        visitor.field(&Field::new("type", kind))
    }
}

/// A named element of a tree.
trait Named<'a>: Branch<'a> {
    const LIST: List;

    fn name(&self) -> Name<'a>;

    /// Visits everything except the name.
    fn content(&self, source: Source<'a>, visitor: &mut dyn Visit) -> Flow;
}

/// A tree as a flat list whose elements refer to their parents.
struct Branches<'s, 'a, T>(&'s Tree<'a, T>);

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
        visitor.field(&name("name", item.name(), NameForm::Inside, source))?;
        item.content(source, visitor)
    }
}

impl<'a> Named<'a> for Node<'a> {
    const LIST: List = List { inside: true, ..List::new("nodes", "node") };

    fn name(&self) -> Name<'a> {
        self.name
    }

    fn content(&self, source: Source<'a>, visitor: &mut dyn Visit) -> Flow {
        visitor.field(&count("translation_count", self.translations.len() as u64))?;
        visitor.field(&count("rotation_count", self.rotations.len() as u64))?;
        visitor.field(&count("scale_count", self.scales.len() as u64))?;
        visitor.field(&count("morph_count", self.morphs.len() as u64))?;
        visitor.field(&count("child_count", self.child_count.into()))?;
        visitor.parts(&Listed(Keys { all: self.translations, names: ("translations", "translation"), source }))?;
        visitor.parts(&Listed(Keys { all: self.rotations, names: ("rotations", "rotation"), source }))?;
        visitor.parts(&Listed(Keys { all: self.scales, names: ("scales", "scale"), source }))?;
        visitor.parts(&Listed(Keys { all: self.morphs, names: ("morphs", "morph"), source }))
    }
}

impl<'a> Named<'a> for Roi<'a> {
    const LIST: List = List { inside: true, ..List::new("rois", "roi") };

    fn name(&self) -> Name<'a> {
        self.name
    }

    fn content(&self, source: Source<'a>, visitor: &mut dyn Visit) -> Flow {
        let bounds = self.bounds;
        visit_point("center", &bounds.center, source, visitor)?;
        let radius = Field::new("radius", FieldValue::Float(bounds.radius.get()));
        visitor.field(&radius.at(Span::of(bounds.radius.as_bytes(), source)))?;
        visit_point("minimum", &bounds.minimum, source, visitor)?;
        visit_point("maximum", &bounds.maximum, source, visitor)?;
        visitor.field(&name("color_name", self.color, NameForm::Inside, source))?;
        visitor.field(&Field::new("shared", FieldValue::Uint(self.shared.into())))?;
        let end = self.end_offset.map_or(FieldValue::Absent, |end| FieldValue::Uint(end.into()));
        visitor.field(&Field::new("end", end).role(Role::Storage).notation(Notation::Hex))?;
        visit_lods(self.lods, visitor)?;
        visitor.field(&count("child_count", self.child_count.into()))
    }
}

/// An animation key with a time.
trait Timed: IntoBytes + Immutable {
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

/// The keys of one kind in a node.
struct Keys<'a, K> {
    all: &'a [K],
    names: (&'static str, &'static str),
    source: Source<'a>,
}

impl<'a, K: Timed> DatabaseList for Keys<'a, K> {
    type Item = &'a K;
    const LIST: List = List { bulk: true, compact: true, inside: true, ..List::new("keys", "key") };

    fn list(&self) -> List {
        let (name, kind) = self.names;
        List { name, kind, ..Self::LIST }
    }

    fn iter(&self) -> impl Iterator<Item = Self::Item> {
        self.all.iter()
    }

    fn get(&self, index: u32, _: u64) -> Option<Self::Item> {
        self.all.get(usize::try_from(index).ok()?)
    }

    fn part<R>(&self, index: u32, key: &&'a K, then: impl FnOnce(&Part<'_>) -> R) -> R {
        let (time, source) = (PartKey::Number(key.when().time().into()), self.source);
        let body = KeyBody { key: *key, source };
        then(&Part::new(index, time, &body).at(Span::of(key.as_bytes(), source)).summary(&body))
    }
}

struct KeyBody<'a, K> {
    key: &'a K,
    source: Source<'a>,
}

impl<K: Timed> fmt::Display for KeyBody<'_, K> {
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

impl<K: Timed> Describe for KeyBody<'_, K> {
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        let Self { key, source } = *self;
        let when = key.when();
        let at = Span::of(when.as_bytes(), source);
        visitor.field(&Field::new("time", FieldValue::Uint(when.time().into())).at(at))?;
        let flags = Field::new("flags", FieldValue::Uint(when.flags().into())).notation(Notation::Hex);
        visitor.field(&flags.at(Span::new(at.at.saturating_add(3), 1, at.space)))?;
        key.value(&mut |value, bytes| visitor.field(&Field::new("value", value).at(Span::of(bytes, source))))
    }
}
