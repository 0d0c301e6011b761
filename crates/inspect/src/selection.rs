//! Patterns that select parts and fields of files by their paths.

mod braces;
mod name;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use worldview_core::describe::Array;
use worldview_core::{Path, PathError, Segment, split_at_unescaped};

pub use braces::expand_braces;
pub use name::NamePattern;

/// A path whose segments may be patterns: `plane:*/object:*/x`.
///
/// | segment | matches |
/// |---|---|
/// | `name`, `kind:key`, `@name` | segments of the same kind, whose key may have `*` for any characters and `?` for one |
/// | `*:key` | segments of any kind |
/// | `…#n` | only the nth of several elements with the same key, or the element with this number |
/// | `**` | any number of directories and archives, including none |
///
/// ASCII case is ignored, but an element whose key is written exactly like this takes precedence over the others. A pattern remembers, for
/// all files that are searched, whether anything matched it, and if not, which names were there instead.
///
/// ```
/// use worldview_inspect::{PathPattern, Selection};
///
/// let pattern: PathPattern = "plane:act*/object".parse()?;
/// let level = Selection::of([&pattern]);
/// let path: worldview_core::Path = "plane:Action/object#2".parse()?;
/// let [plane, object] = path.segments().collect::<Vec<_>>().try_into().unwrap();
/// let inside = level.step(&plane, &mut |_| false);
/// assert!(!inside.is_all() && inside.step(&object, &mut |_| false).is_all());
/// assert!(pattern.is_found());
/// # Ok::<(), worldview_core::PathError>(())
/// ```
#[derive(Debug, Default)]
pub struct PathPattern {
    text: String,
    segments: Vec<SegmentPattern>,
    is_found: AtomicBool,
    reached: Mutex<Reached>,
}

#[derive(Clone, Debug)]
enum SegmentPattern {
    /// `**`.
    Deep,
    Of {
        kind: KindPattern,
        key: NamePattern,
        nth: Option<u32>,
    },
}

impl SegmentPattern {
    fn of(segment: &Segment<'_>, key: NamePattern) -> Self {
        Self::Of { kind: KindPattern::of(segment.kind), key, nth: segment.nth }
    }

    fn parse(text: &str) -> Result<Self, PathError> {
        if text == "**" {
            return Ok(Self::Deep);
        }
        let (segment, key) = NamePattern::parse(text)?;
        let kind = if segment.kind == Some("*") { KindPattern::Any } else { KindPattern::of(segment.kind) };
        Ok(Self::Of { kind, key, nth: segment.nth })
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum KindPattern {
    None,
    Any,
    Is(String),
}

impl KindPattern {
    fn of(kind: Option<&str>) -> Self {
        kind.map_or(Self::None, |kind| Self::Is(kind.to_owned()))
    }

    fn matches(&self, kind: Option<&str>) -> bool {
        match (self, kind) {
            (Self::Any, _) | (Self::None, None) => true,
            (Self::Is(kind), Some(found)) => kind.eq_ignore_ascii_case(found),
            _ => false,
        }
    }
}

/// How much of a pattern that was not found has matched something.
#[derive(Clone, Debug, Default)]
struct Reached {
    /// The index of the last segment that was compared, and the names that it was compared with.
    depth: usize,
    names: BTreeSet<String>,
}

impl Reached {
    /// The maximum number of names that are kept.
    const MAX_NAMES: usize = 10_000;
}

impl PathPattern {
    /// Returns the pattern that only one path matches, in any case.
    pub fn literal(path: &Path) -> Self {
        let segment = |segment: Segment<'_>| SegmentPattern::of(&segment, NamePattern::literal(&segment.key));
        Self { text: path.to_string(), segments: path.segments().map(segment).collect(), ..Self::default() }
    }

    /// Appends a pattern of paths inside of what this pattern selects.
    #[must_use]
    pub fn joined(&self, inner: &Self) -> Self {
        let slash = if self.text.is_empty() || inner.text.is_empty() { "" } else { "/" };
        let text = format!("{}{slash}{}", self.text, inner.text);
        Self { text, segments: [&self.segments[..], &inner.segments[..]].concat(), ..Self::default() }
    }

    /// Returns the pattern as a path, if it has no wildcards.
    pub fn path(&self) -> Option<Path> {
        let is_literal = |segment: &SegmentPattern| match segment {
            SegmentPattern::Deep => false,
            SegmentPattern::Of { kind, key, .. } => *kind != KindPattern::Any && key.is_literal(),
        };
        self.segments.iter().all(is_literal).then(|| self.text.parse().ok())?
    }

    /// Returns whether anything in any file matched.
    pub fn is_found(&self) -> bool {
        self.is_found.load(Ordering::Relaxed)
    }

    /// Notes that something matched.
    pub fn mark_found(&self) {
        self.is_found.store(true, Ordering::Relaxed);
    }

    /// Returns the first segment that nothing matched, without its wildcards, and the names that were there instead.
    pub fn unmatched(&self) -> (String, Vec<String>) {
        let reached = self.reached.lock().unwrap_or_else(PoisonError::into_inner);
        let wanted = match self.segments.get(reached.depth) {
            Some(SegmentPattern::Of { key, .. }) => String::from_utf8_lossy(&key.text()).into_owned(),
            _ => String::new(),
        };
        (wanted, reached.names.iter().cloned().collect())
    }

    /// Adds what was learned about a longer pattern that ends with this one.
    pub fn learn_from(&self, other: &Self) {
        if other.is_found() {
            self.mark_found();
        }
        let reached = other.reached.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let before = other.segments.len().saturating_sub(self.segments.len());
        if let Some(depth) = reached.depth.checked_sub(before) {
            reached.names.iter().for_each(|name| self.learn(depth, name.as_bytes()));
        }
    }

    /// Adds what was learned about a longer pattern that begins with this one.
    pub fn learn_from_longer(&self, other: &Self) {
        let reached = other.reached.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if other.is_found() || reached.depth >= self.segments.len() {
            self.mark_found();
        }
        reached.names.iter().for_each(|name| self.learn(reached.depth, name.as_bytes()));
    }

    /// Keeps a name that the segment at index `depth` did not match, as a suggestion.
    pub fn learn(&self, depth: usize, name: &[u8]) {
        self.reach(depth, |names| names.extend([String::from_utf8_lossy(name).into_owned()]));
    }

    /// Notes that everything in front of the segment at index `depth` matched.
    fn reach(&self, depth: usize, note: impl FnOnce(&mut BTreeSet<String>)) {
        if self.is_found() {
            return;
        }
        let mut reached = self.reached.lock().unwrap_or_else(PoisonError::into_inner);
        if depth > reached.depth {
            *reached = Reached { depth, ..Reached::default() };
        }
        if depth == reached.depth && reached.names.len() < Reached::MAX_NAMES {
            note(&mut reached.names);
        }
    }
}

impl fmt::Display for PathPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Clone for PathPattern {
    /// Returns a copy that has not learned anything.
    fn clone(&self) -> Self {
        Self { text: self.text.clone(), segments: self.segments.clone(), ..Self::default() }
    }
}

impl FromStr for PathPattern {
    type Err = PathError;

    /// Parses a pattern. A separator at the end is ignored. The empty text selects the whole file.
    fn from_str(text: &str) -> Result<Self, PathError> {
        // After an odd number of backslashes, the separator is a part of the name.
        let is_separator = |name: &&str| name.bytes().rev().take_while(|&byte| byte == b'\\').count() % 2 == 0;
        let text = text.strip_suffix('/').filter(is_separator).unwrap_or(text);
        let (mut segments, mut rest) = (Vec::new(), (!text.is_empty()).then_some(text));
        while let Some(here) = rest {
            let (segment, behind) = split_at_unescaped(here, '/');
            segments.push(SegmentPattern::parse(segment).map_err(|error| error.behind(text.len() - here.len()))?);
            rest = behind;
        }
        Ok(Self { text: text.to_owned(), segments, ..Self::default() })
    }
}

/// What patterns select inside of a part.
#[derive(Clone, Debug)]
pub struct Selection<'p> {
    /// Patterns, each with the number of its segments that have matched on the way to the part.
    rest: Vec<(&'p PathPattern, usize)>,
}

impl PartialEq for Selection<'_> {
    fn eq(&self, other: &Self) -> bool {
        let same = |(left, right): (&(&PathPattern, usize), &(&PathPattern, usize))| {
            std::ptr::eq(left.0, right.0) && left.1 == right.1
        };
        self.rest.len() == other.rest.len() && self.rest.iter().zip(&other.rest).all(same)
    }
}

/// Returns whether an element of the list has exactly this key. [`is_called`] compares the names of members.
pub type HasExact<'s> = &'s mut dyn FnMut(&[u8]) -> bool;

impl<'p> Selection<'p> {
    /// Selects everything that any of the patterns selects.
    pub fn of(patterns: impl IntoIterator<Item = &'p PathPattern>) -> Self {
        Self { rest: patterns.into_iter().map(|pattern| (pattern, 0)).collect() }
    }

    /// Selects everything.
    pub fn all() -> Self {
        static ALL: PathPattern = PathPattern {
            text: String::new(),
            segments: Vec::new(),
            is_found: AtomicBool::new(true),
            reached: Mutex::new(Reached { depth: 0, names: BTreeSet::new() }),
        };
        Self { rest: vec![(&ALL, 0)] }
    }

    /// Returns whether the whole part is selected.
    pub fn is_all(&self) -> bool {
        self.rest.iter().any(|(pattern, at)| pattern.segments.len() == *at)
    }

    /// Returns whether nothing in the part is selected.
    pub const fn is_none(&self) -> bool {
        self.rest.is_empty()
    }

    /// Returns whether the numbers of elements with equal keys matter.
    pub fn has_numbers(&self) -> bool {
        self.next().any(|(_, _, segment)| matches!(segment, SegmentPattern::Of { nth: Some(_), .. }))
    }

    /// Returns whether a pattern names something in this part, rather than matching it with wildcards.
    pub(crate) fn has_names(&self) -> bool {
        self.next().any(|(_, _, segment)| matches!(segment, SegmentPattern::Of { key, .. } if key.is_literal()))
    }

    /// Returns the items of an array that are selected: the name of each in paths, and the range of its elements.
    pub(crate) fn items(&self, own: Option<&str>, array: &Array<'_>) -> Vec<(String, Range<usize>)> {
        let (columns, count) = (array.columns.max(1), array.elements.len());
        let is_grid = array.columns > 0 && !array.rows_are_items;
        let width = if is_grid { 1 } else { columns };
        let mut items = Vec::new();
        for (pattern, at, segment) in self.next() {
            let SegmentPattern::Of { kind, key, nth } = segment else { continue };
            let item = match nth {
                Some(nth) if kind.matches(own) && key.matches(array.item.as_bytes()) => {
                    Some((format!("{}#{nth}", array.item), *nth as usize))
                }
                None if is_grid && key.is_literal() && kind.matches(Some(array.item)) => cell(&key.text())
                    .filter(|(x, _)| *x < columns)
                    .map(|(x, y)| (format!("{}:{x},{y}", array.item), y.saturating_mul(columns).saturating_add(x))),
                _ => None,
            };
            let range = |start: usize| start..start.saturating_add(width);
            let item = item.map(|(name, number)| (name, range(number.saturating_mul(width))));
            if let Some((name, range)) =
                item.filter(|(_, range)| range.end <= count && pattern.segments.len() == at + 1)
            {
                pattern.mark_found();
                items.push((name, range));
            }
        }
        items
    }

    /// Returns the patterns.
    pub fn patterns(&self) -> impl Iterator<Item = &'p PathPattern> {
        self.rest.iter().map(|(pattern, _)| *pattern)
    }

    /// Returns the next segment of each pattern, and its index.
    fn next(&self) -> impl Iterator<Item = (&'p PathPattern, usize, &'p SegmentPattern)> {
        self.rest.iter().flat_map(|&(pattern, at)| {
            // `**` matches nothing as well, so the segment behind it can be the next one.
            let deep = pattern.segments[at..].iter().take_while(|next| matches!(next, SegmentPattern::Deep)).count();
            (at..=at + deep).filter_map(move |at| Some((pattern, at, pattern.segments.get(at)?)))
        })
    }

    /// Returns what is selected inside of an element or field. `has_exact` is called if its key matches only in another case.
    pub fn step(&self, segment: &Segment<'_>, has_exact: HasExact<'_>) -> Self {
        self.step_into(segment, false, has_exact)
    }

    /// Returns what is selected inside of a directory, or of a member of an archive, whose extension may be left out.
    pub fn enter(&self, name: &[u8], nth: Option<u32>, has_exact: HasExact<'_>) -> Self {
        self.step_into(&Segment { kind: None, key: Cow::Borrowed(name), nth }, true, has_exact)
    }

    pub(crate) fn step_into(&self, of: &Segment<'_>, is_member: bool, has_exact: HasExact<'_>) -> Self {
        let stem = if is_member { stem(&of.key) } else { &of.key };
        let mut rest = Vec::new();
        for (pattern, at, segment) in self.next() {
            let SegmentPattern::Of { kind, key, nth } = segment else {
                if is_member {
                    rest.push((pattern, at));
                    if pattern.segments.len() == at + 1 {
                        pattern.mark_found();
                        rest.push((pattern, at + 1));
                    }
                }
                continue;
            };
            if !kind.matches(of.kind) {
                continue;
            }
            if !(key.matches(&of.key) || key.is_literal() && key.matches(stem)) {
                pattern.learn(at, &of.key);
                continue;
            }
            let is_nth = nth.is_none_or(|nth| nth == of.nth.unwrap_or(0));
            let is_exact = || !key.is_literal() || [&*of.key, stem].contains(&&*key.text());
            if is_nth && (is_exact() || !has_exact(&key.text())) {
                match pattern.segments.len() == at + 1 {
                    true => pattern.mark_found(),
                    false => pattern.reach(at + 1, |_| {}),
                }
                rest.push((pattern, at + 1));
            }
        }
        let inside = Self { rest };
        if inside.is_all() {
            // The whole part is selected, so patterns of parts of it need no match of their own.
            inside.rest.iter().for_each(|(pattern, _)| pattern.mark_found());
        }
        inside
    }
}

/// Returns whether a member of an archive has exactly this name, with or without its extension.
pub fn is_called(member: &[u8], name: &[u8]) -> bool {
    member == name || stem(member) == name
}

/// Returns a name without its extension.
pub fn stem(name: &[u8]) -> &[u8] {
    name.iter().rposition(|byte| *byte == b'.').map_or(name, |dot| &name[..dot])
}

/// Parses the key of a cell of a grid: its column and row.
fn cell(key: &[u8]) -> Option<(usize, usize)> {
    let (x, y) = std::str::from_utf8(key).ok()?.split_once(',')?;
    Some((x.parse().ok()?, y.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns whether a pattern selects a path, whose first segments are those of archives.
    fn selects(pattern: &str, path: &str, nested: usize) -> bool {
        let (pattern, path): (PathPattern, Path) = (pattern.parse().unwrap(), path.parse().unwrap());
        let mut at = Selection::of([&pattern]);
        for (number, segment) in path.segments().enumerate() {
            at = match number < nested {
                true => at.enter(&segment.key, segment.nth, &mut |_| false),
                false => at.step(&segment, &mut |_| false),
            };
        }
        at.is_all()
    }

    #[test]
    fn patterns_select_paths() {
        for (pattern, path, expected) in [
            ("*/uPrice", "it_potion/uprice", true),
            ("it_?/uPrice", "it_12/uPrice", false),
            (r"a\*/b", "a*/b", true),
            (r"a\*/b", "ab/b", false),
            ("plane:*/object:*/x", "plane:Action/object:17#1/x", true),
            ("plane:*/object:*/x", "plane:Action/@object/x", false),
            ("plane:*/image_set#2", "plane:Action/image_set#2", true),
            ("plane:*/image_set", "plane:Action/image_set#2", true),
            ("plane:*/image_set#0", "plane:Action/image_set#2", false),
            ("*:act*/x/", "plane:Action/x", true),
            ("*/x", "plane:Action/x", false),
            ("@na*", "@name", true),
            (":", ":", true),
            ("", "x", false),
            (r"t\xb3o?\?", r"t\xb3o1?", true),
            (r"a\\/", r"a\\", true),
            (r"a\/", r"a\/", true),
            (r"a\,b", "a,b", true),
            ("M?ller", "Müller", true),
        ] {
            assert_eq!(selects(pattern, path, 0), expected, "{pattern} {path}");
        }
        for refused in ["a//b", "a\\b", "x#1a", "a:b:c"] {
            assert!(refused.parse::<PathPattern>().is_err(), "{refused}");
        }
    }

    #[test]
    fn two_stars_stand_for_archives_but_not_for_parts() {
        for (pattern, path, nested, expected) in [
            ("**/x.wdb/it_*", "x.wdb/it_a", 1, true),
            ("**/x.wdb/it_*", "a.bin/b.bin/x.wdb/it_a", 3, true),
            ("**/it_*", "a.bin/b.bin/x.wdb/it_a", 3, true),
            ("**/it_*", "a.bin/b.bin/x.wdb/it_a", 0, false),
            ("a.bin/**", "a.bin/b.bin", 2, true),
            ("a.bin/**/**/x.wdb", "a.bin/x.wdb", 2, true),
            ("**/price", "it_a/price", 0, false),
            ("a.bin/x", "a.bin/x.wdb", 2, true),
            ("a.bin/x*", "a.bin/x.wdb", 2, true),
            ("a/x.wdb", "a/x", 2, false),
            ("a.bin/x", "a.bin/x.wdb", 1, false),
        ] {
            assert_eq!(selects(pattern, path, nested), expected, "{pattern} {path}");
        }
    }

    #[test]
    fn exact_names_win() {
        let (pattern, names): (PathPattern, _) = ("Item".parse().unwrap(), [&b"ITEM"[..], b"Item", b"item"]);
        let all = Selection::of([&pattern]);
        let selected = |names: &[&[u8]]| {
            let is_exact = |key: &[u8]| names.contains(&key);
            names.iter().filter(|name| all.enter(name, None, &mut |key| is_exact(key)).is_all()).count()
        };
        assert_eq!((selected(&names), selected(&[b"ITEM", b"item"])), (1, 2));
    }

    #[test]
    fn what_was_not_found_is_learned_at_the_last_level() {
        let pattern: PathPattern = "it_*/uPrcie".parse().unwrap();
        let table = Selection::of([&pattern]);
        let segment = |name: &'static str| Segment { kind: None, key: name.as_bytes().into(), nth: None };
        assert!(table.step(&segment("m_1"), &mut |_| false).is_none());
        let record = table.step(&segment("it_1"), &mut |_| false);
        for name in ["uPrice", "sName"] {
            assert!(record.step(&segment(name), &mut |_| false).is_none());
        }
        assert_eq!(pattern.unmatched(), ("uPrcie".to_owned(), vec!["sName".to_owned(), "uPrice".to_owned()]));
    }
}
