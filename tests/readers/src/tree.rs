//! One comparison for all formats: the description of a file against the result of its naive reader.

use std::collections::{HashMap, VecDeque};

use worldview_core::describe::{
    self, Array, Describe, Elements, FieldName, FieldValue, Flow, Link, List, Part, PartKey, PartList, Role, Span,
    Visit,
};

/// A value as plain data, without references into a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// No value.
    Absent,
    /// An integer, or a Boolean as 0 or 1.
    Int(i128),
    /// The bits of a float.
    Float(u32),
    /// All stored bytes of a text, or other bytes.
    Bytes(Vec<u8>),
    /// Several values.
    List(Vec<Leaf>),
    /// The elements of an array, with floats as bits.
    Words(Vec<u32>),
    /// A keyword of the format.
    Word(String),
}

/// The contents of a part, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    leaves: Vec<(String, Leaf, bool)>,
    lists: Vec<(String, Vec<Tree>)>,
    /// Values that the naive reader does not provide.
    unjudged: &'static [&'static str],
    /// Lists that the naive reader does not provide.
    unchecked: Vec<&'static str>,
    /// Whether something in the part could not be read.
    pub broken: bool,
}

impl Tree {
    /// Adds a value.
    #[must_use]
    pub fn with(mut self, name: &str, leaf: impl Into<Leaf>) -> Self {
        self.leaves.push((name.to_owned(), leaf.into(), true));
        self
    }

    /// Adds values.
    #[must_use]
    pub fn with_all<L: Into<Leaf>>(mut self, leaves: impl IntoIterator<Item = (String, L)>) -> Self {
        self.leaves.extend(leaves.into_iter().map(|(name, leaf)| (name, leaf.into(), true)));
        self
    }

    /// Adds a list of parts.
    #[must_use]
    pub fn list(mut self, name: &str, parts: impl IntoIterator<Item = Self>) -> Self {
        self.lists.push((name.to_owned(), parts.into_iter().collect()));
        self
    }

    /// Names values that the naive reader does not provide.
    #[must_use]
    pub const fn unjudged(mut self, names: &'static [&'static str]) -> Self {
        self.unjudged = names;
        self
    }

    /// Names a list that the naive reader does not provide.
    #[must_use]
    pub fn unchecked(mut self, name: &'static str) -> Self {
        self.unchecked.push(name);
        self
    }

    /// Returns the tree of something that could not be read.
    pub fn unread() -> Self {
        Self { broken: true, ..Self::default() }
    }

    /// Returns the tree of a description.
    pub fn of(described: &dyn Describe) -> Self {
        Self::record(described, true)
    }

    /// Records a description, without the elements of its lists unless `deep` is set.
    fn record(described: &dyn Describe, deep: bool) -> Self {
        let mut recorder = Recorder { tree: Self::default(), deep };
        let _ = described.describe(&mut recorder);
        recorder.tree
    }

    /// Compares a description with the tree of the naive reader. Everything in the naive tree must be in the
    /// description. Everything in the description that is neither about storage nor derived must be in the naive tree.
    pub fn same(&self, naive: &Self) -> Result<(), String> {
        self.same_at("", naive)
    }

    /// Returns `true` if this part, or one below it, could not be read.
    fn is_broken(&self) -> bool {
        self.broken || self.lists.iter().flat_map(|(_, parts)| parts).any(Self::is_broken)
    }

    fn same_at(&self, at: &str, naive: &Self) -> Result<(), String> {
        if naive.broken || self.broken {
            // For broken parts, the naive reader has no further details.
            let both = naive.broken && self.is_broken();
            return if both { Ok(()) } else { Err(format!("{at}: is broken for only one reader")) };
        }
        let mut used = vec![false; self.leaves.len()];
        // Fields of a table may share a name, so each is matched only once, in order.
        let mut places: HashMap<&str, VecDeque<usize>> = HashMap::new();
        for (index, (name, ..)) in self.leaves.iter().enumerate() {
            places.entry(name).or_default().push_back(index);
        }
        for (name, leaf, _) in &naive.leaves {
            let Some(found) = places.get_mut(&**name).and_then(VecDeque::pop_front) else {
                return Err(format!("{at}/{name}: is not in the description, but {leaf:?}"));
            };
            used[found] = true;
            if self.leaves[found].1 != *leaf {
                let ours = &self.leaves[found].1;
                return Err(format!("{at}/{name}: {ours:?} in the description, {leaf:?} for the naive reader"));
            }
        }
        let is_unjudged = |name: &str| naive.unjudged.contains(&name);
        let mut extra = self.leaves.iter().zip(used);
        let extra = extra.find(|((name, _, needed), used)| *needed && !used && !is_unjudged(name));
        if let Some(((name, leaf, _), _)) = extra {
            return Err(format!("{at}/{name}: {leaf:?} in the description, unknown to the naive reader"));
        }
        for (name, parts) in &naive.lists {
            let ours = self.lists.iter().find(|(ours, _)| ours == name);
            let Some((_, ours)) = ours else { return Err(format!("{at}/{name}: the description has no such list")) };
            if ours.len() != parts.len() {
                return Err(format!(
                    "{at}/{name}: {} parts in the description, {} for the naive reader",
                    ours.len(),
                    parts.len()
                ));
            }
            for (index, (ours, naive)) in ours.iter().zip(parts).enumerate() {
                ours.same_at(&format!("{at}/{name}#{index}"), naive)?;
            }
        }
        let is_unchecked = |name: &str| naive.unchecked.contains(&name);
        let unknown = self.lists.iter().find(|(name, parts)| {
            !parts.is_empty() && !naive.lists.iter().any(|(known, _)| known == name) && !is_unchecked(name)
        });
        unknown.map_or(Ok(()), |(name, _)| Err(format!("{at}/{name}: the naive reader has no such list")))
    }
}

impl From<i128> for Leaf {
    fn from(int: i128) -> Self {
        Self::Int(int)
    }
}

macro_rules! ints {
    ($($int:ty),+) => {$(
        impl From<$int> for Leaf {
            fn from(int: $int) -> Self {
                Self::Int(int.into())
            }
        }
    )+};
}

ints!(i32, u32, i64, u64, u16, u8);

impl From<&[u8]> for Leaf {
    fn from(bytes: &[u8]) -> Self {
        Self::Bytes(bytes.to_vec())
    }
}

impl From<&str> for Leaf {
    fn from(word: &str) -> Self {
        Self::Word(word.to_owned())
    }
}

impl<L: Into<Leaf>> From<Option<L>> for Leaf {
    fn from(leaf: Option<L>) -> Self {
        leaf.map_or(Self::Absent, Into::into)
    }
}

impl<L: Into<Leaf>> FromIterator<L> for Leaf {
    fn from_iter<I: IntoIterator<Item = L>>(leaves: I) -> Self {
        Self::List(leaves.into_iter().map(Into::into).collect())
    }
}

struct Recorder {
    tree: Tree,
    deep: bool,
}

impl Visit for Recorder {
    fn field(&mut self, field: &describe::Field<'_>) -> Flow {
        let name = match field.name {
            FieldName::Static(name) => name.to_owned(),
            FieldName::Bytes(name) => name.escape_ascii().to_string(),
            FieldName::Bits { word, low, high } => format!("word{word}_bits{low}_{high}"),
        };
        self.tree.leaves.push((name, leaf(&field.value), is_needed(field.role)));
        Flow::Continue(())
    }

    fn array(&mut self, array: &Array<'_>) -> Flow {
        let leaf = match array.elements {
            Elements::Bytes(bytes) => Leaf::Bytes(bytes.to_vec()),
            elements => Leaf::Words((0..elements.len()).filter_map(|index| elements.bits(index)).collect()),
        };
        self.tree.leaves.push((array.name.to_owned(), leaf, is_needed(array.role)));
        self.place(&format!("{} at", array.name), array.at);
        Flow::Continue(())
    }

    fn parts(&mut self, parts: &dyn PartList) -> Flow {
        let (list, mut all, mut broken) = (parts.list(), Vec::new(), false);
        let _ = parts.each(&mut |part| {
            match part {
                Ok(part) if self.deep => all.push(Self::part(parts, list, part)),
                Ok(_) => {}
                Err(_) => broken = true,
            }
            Flow::Continue(())
        });
        self.tree.broken |= broken;
        self.tree.lists.push((list.name.to_owned(), all));
        Flow::Continue(())
    }

    fn link(&mut self, link: &Link<'_>) -> Flow {
        let target = link.target.map(|target| target.index);
        self.tree.leaves.push((link.name.to_owned(), target.into(), true));
        Flow::Continue(())
    }

    fn broken(&mut self, _: &worldview_core::Error) -> Flow {
        self.tree.broken = true;
        Flow::Continue(())
    }
}

impl Recorder {
    /// Records the offset of a part, which the other reader need not know.
    fn place(&mut self, name: &str, at: Option<Span>) {
        if let Some(at) = at {
            self.tree.leaves.push((name.to_owned(), at.at.into(), false));
        }
    }

    /// Records an element, and compares it with the same element looked up by index.
    fn part(parts: &dyn PartList, list: List, part: &Part<'_>) -> Tree {
        let mut recorder = Self { tree: Tree::of(part.body), deep: false };
        let mut again: Option<(u32, Option<Vec<u8>>, Tree)> = None;
        parts.get(part.index, part.offset(), &mut |found| {
            again = Some((found.index, key(found.key), Tree::record(found.body, false)));
        });
        let same = again.is_some_and(|(index, found, again)| {
            let fields = again.leaves == recorder.tree.leaves && again.broken <= recorder.tree.broken;
            index == part.index && found == key(part.key) && fields
        });
        recorder.place("at", part.at);
        if !same {
            // Adds a value that no naive tree has, so that the comparison fails.
            let what = format!("{} {} differs when it is looked up by index", list.kind, part.index);
            return recorder.tree.with(&what, 0);
        }
        recorder.tree
    }
}

/// Returns `true` if every reader must provide values with this role.
const fn is_needed(role: Role) -> bool {
    matches!(role, Role::Data | Role::Reserved)
}

fn key(key: PartKey<'_>) -> Option<Vec<u8>> {
    match key {
        PartKey::Index => None,
        PartKey::Name(name) => Some(name.to_vec()),
        PartKey::Number(number) => Some(number.to_string().into_bytes()),
    }
}

pub(crate) fn leaf(value: &FieldValue<'_>) -> Leaf {
    match *value {
        FieldValue::Int(int) => int.into(),
        FieldValue::Uint(uint) => uint.into(),
        FieldValue::Float(float) => Leaf::Float(float.to_bits()),
        FieldValue::Ints(ints) => ints.iter().map(|int| int.get()).collect(),
        FieldValue::Floats(floats) => Leaf::List(floats.iter().map(|float| Leaf::Float(float.to_bits())).collect()),
        FieldValue::Text(text) => text.stored.into(),
        FieldValue::Bool(bool) => u8::from(bool).into(),
        FieldValue::Word(word) => word.into(),
        FieldValue::Words(words) => words.iter().copied().collect(),
        FieldValue::Bytes(bytes) => bytes.into(),
        FieldValue::Color(color) => color.as_slice().into(),
        // Absent and dangling values.
        _ => Leaf::Absent,
    }
}
