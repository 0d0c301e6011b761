use worldview_core::{Cursor, Result, Source};
use zerocopy::little_endian::{I32, U16};

use crate::name::Name;
use crate::raw::{MorphKey, RotationKey, VectorKey};
use crate::read;
use crate::tree::{Branch, Tree};

/// The animation of a model. See [Animation](crate::format#animation).
#[non_exhaustive]
#[derive(Clone, Debug)]
pub struct Animation<'a> {
    actors: Source<'a>,
    actor_count: u32,
    /// Duration in milliseconds.
    pub duration: i32,
    /// The tree of nodes; each node moves the object with the same name.
    pub nodes: Tree<'a, Node<'a>>,
}

impl<'a> Animation<'a> {
    pub(crate) fn read(c: &mut Cursor<'a>, blob: Source<'a>) -> Result<Self> {
        let actor_count = read::count(c, 4, "actor count")?;
        let actors = c.rest();
        for index in 0..actor_count {
            Actor::read(c).map_err(|error| error.with_index(index))?;
        }
        let duration = c.view::<I32>("duration of the animation")?.get();
        // The objects start after the last node, so a broken node tree makes the whole model unreadable.
        let nodes = Tree::read(c, blob, &mut Err)?;
        Ok(Self { actors, actor_count, duration, nodes })
    }

    /// Returns the actors in file order.
    pub fn actors(&self) -> impl Iterator<Item = Actor<'a>> + use<'a> {
        let mut c = Cursor::new(self.actors);
        // `Animation::read` has already parsed every actor, so this cannot fail.
        (0..self.actor_count).map_while(move |_| Actor::read(&mut c).ok())
    }

    /// Returns the number of actors.
    pub const fn actor_count(&self) -> usize {
        self.actor_count as usize
    }

    /// Returns the window that starts at the first actor.
    pub(crate) const fn actor_source(&self) -> Source<'a> {
        self.actors
    }

    /// Returns whether any node has keys.
    pub fn has_keys(&self) -> bool {
        self.nodes.iter().any(|node| node.key_count() > 0)
    }
}

/// An actor of an animation. See [Animation](crate::format#animation).
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Actor<'a> {
    /// The actor's name.
    pub name: Name<'a>,
    /// The actor's type; `None` if the name is absent, because then the file stores no type.
    pub kind: Option<u32>,
}

impl<'a> Actor<'a> {
    /// Parses an actor that starts at the beginning of `source`.
    ///
    /// # Errors
    ///
    /// Returns an error if the actor is truncated.
    pub fn parse(source: impl Into<Source<'a>>) -> Result<Self> {
        Self::read(&mut Cursor::new(source.into()))
    }

    pub(crate) fn read(c: &mut Cursor<'a>) -> Result<Self> {
        let name = read::name(c, "actor name")?;
        let kind = if name.is_absent() { None } else { Some(read::word(c, "actor type")?) };
        Ok(Self { name, kind })
    }
}

/// A node of an animation, with the keys for the object of the same name. See [Animation](crate::format#animation).
#[non_exhaustive]
#[derive(Clone, Copy)]
pub struct Node<'a> {
    /// Offset in the file.
    pub at: u64,
    /// The name of the object that the node moves.
    pub name: Name<'a>,
    /// The translation keys.
    pub translations: &'a [VectorKey],
    /// The rotation keys.
    pub rotations: &'a [RotationKey],
    /// The scale keys.
    pub scales: &'a [VectorKey],
    /// The morph keys, which show and hide the object.
    pub morphs: &'a [MorphKey],
    /// The number of direct children.
    pub child_count: u32,
}

worldview_core::debug_summary!("Node", Node<'_>, |this| at: this.at, name: this.name, keys: this.key_count(), child_count: this.child_count);

impl Node<'_> {
    /// Returns the total number of keys in all four lists.
    pub const fn key_count(&self) -> usize {
        let moves = self.translations.len().saturating_add(self.rotations.len());
        moves.saturating_add(self.scales.len()).saturating_add(self.morphs.len())
    }
}

impl<'a> Branch<'a> for Node<'a> {
    #[inline]
    fn read(c: &mut Cursor<'a>, _: Source<'a>) -> Result<Self> {
        Ok(Self {
            at: c.position(),
            name: read::name(c, "name of node")?,
            translations: keys(c, "translation keys of node")?,
            rotations: keys(c, "rotation keys of node")?,
            scales: keys(c, "scale keys of node")?,
            morphs: keys(c, "morph keys of node")?,
            child_count: read::count(c, 16, "child count of node")?,
        })
    }

    fn check(self) -> Result<()> {
        Ok(())
    }

    fn children(&self) -> u32 {
        self.child_count
    }
}

#[inline]
fn keys<'a, T>(c: &mut Cursor<'a>, what: &'static str) -> Result<&'a [T]>
where
    T: zerocopy::FromBytes + zerocopy::KnownLayout + zerocopy::Immutable + zerocopy::Unaligned,
{
    let mut after = *c;
    let count = after.view::<U16>(what)?.get();
    read::fits(c, &after, count.into(), u32::try_from(size_of::<T>()).unwrap_or(u32::MAX), what)?;
    let keys = after.array(count.into(), what)?;
    *c = after;
    Ok(keys)
}

worldview_core::assert_send_sync!(Animation<'_>, Node<'_>, Actor<'_>);
