//! Patterns that select parts and fields of files by their paths.

mod braces;
mod name;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

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
/// | `**` | any number of directories and archives, also none |
///
/// ASCII case is ignored; of several elements, one whose key is written exactly so wins. A pattern remembers whether it was found, and the
/// names where it was not, for all files that are searched for it.
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

#[derive(Clone, Debug, PartialEq, Eq)]
enum KindPattern {
    None,
    Any,
    Is(String),
}

impl KindPattern {
    fn matches(&self, kind: Option<&str>) -> bool {
        match (self, kind) {
            (Self::Any, _) | (Self::None, None) => true,
            (Self::Is(kind), Some(found)) => kind.eq_ignore_ascii_case(found),
            _ => false,
        }
    }
}

/// How far a pattern that was not found led.
#[derive(Clone, Debug, Default)]
struct Reached {
    /// The number of the last segment that was compared, and the names there.
    depth: usize,
    names: BTreeSet<String>,
}

impl Reached {
    /// How many names are kept.
    const MAX_NAMES: usize = 10_000;
}

impl PathPattern {
    /// Returns the pattern that only one path matches, apart from its case.
    pub fn literal(path: &Path) -> Self {
        let segment = |segment: Segment<'_>| SegmentPattern::Of {
            kind: segment.kind.map_or(KindPattern::None, |kind| KindPattern::Is(kind.to_owned())),
            key: NamePattern::literal(&segment.key),
            nth: segment.nth,
        };
        Self { text: path.to_string(), segments: path.segments().map(segment).collect(), ..Self::default() }
    }

    /// Returns the pattern of paths inside of those that this pattern selects.
    #[must_use]
    pub fn joined(&self, inner: &Self) -> Self {
        let slash = if self.text.is_empty() || inner.text.is_empty() { "" } else { "/" };
        let text = format!("{}{slash}{}", self.text, inner.text);
        Self { text, segments: [&self.segments[..], &inner.segments[..]].concat(), ..Self::default() }
    }

    /// Returns the number of segments.
    pub const fn len(&self) -> usize {
        self.segments.len()
    }

    /// Returns whether the pattern is empty, and so selects the whole file.
    pub const fn is_empty(&self) -> bool {
        self.segments.is_empty()
    }

    /// Returns the path that a pattern without wildcards is.
    pub fn path(&self) -> Option<Path> {
        let is_literal = |segment: &SegmentPattern| match segment {
            SegmentPattern::Deep => false,
            SegmentPattern::Of { kind, key, .. } => *kind != KindPattern::Any && key.is_literal(),
        };
        self.segments.iter().all(is_literal).then(|| self.text.parse().ok())?
    }

    /// Returns whether something with a matching path was found in any file.
    pub fn is_found(&self) -> bool {
        self.is_found.load(Ordering::Relaxed)
    }

    /// Notes that something with a matching path was found.
    pub fn mark_found(&self) {
        self.is_found.store(true, Ordering::Relaxed);
    }

    /// Returns the text of the segment that nothing matched, and the names that were there instead.
    pub fn unmatched(&self) -> (String, Vec<String>) {
        let reached = self.reached.lock().unwrap_or_else(PoisonError::into_inner);
        let wanted = match self.segments.get(reached.depth) {
            Some(SegmentPattern::Of { key, .. }) => String::from_utf8_lossy(&key.text()).into_owned(),
            _ => String::new(),
        };
        (wanted, reached.names.iter().cloned().collect())
    }

    /// Takes over whether a pattern that ends with this one was found, and how far it led.
    pub fn learn_from(&self, other: &Self) {
        if other.is_found() {
            self.mark_found();
        }
        let reached = other.reached.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let before = other.len().saturating_sub(self.len());
        if let Some(depth) = reached.depth.checked_sub(before) {
            reached.names.iter().for_each(|name| self.learn(depth, name.as_bytes()));
        }
    }

    /// Keeps a name that a segment did not match, to suggest it.
    pub fn learn(&self, depth: usize, name: &[u8]) {
        self.reach(depth, |names| names.extend([String::from_utf8_lossy(name).into_owned()]));
    }

    /// Notes that the pattern led to a segment.
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
    /// Returns a copy that was not searched for.
    fn clone(&self) -> Self {
        Self { text: self.text.clone(), segments: self.segments.clone(), ..Self::default() }
    }
}

impl FromStr for PathPattern {
    type Err = PathError;

    /// Parses a pattern. A separator at the end is ignored, and an empty text is the whole file.
    fn from_str(text: &str) -> Result<Self, PathError> {
        let text = text.strip_suffix('/').filter(|text| !text.ends_with('\\')).unwrap_or(text);
        let (mut segments, mut rest) = (Vec::new(), (!text.is_empty()).then_some(text));
        while let Some(here) = rest {
            let (segment, behind) = split_at_unescaped(here, '/');
            let at = text.len() - here.len();
            segments.push(segment_of(segment).map_err(|error| PathError::new(at + error.at, error.why))?);
            rest = behind;
        }
        Ok(Self { text: text.to_owned(), segments, ..Self::default() })
    }
}

fn segment_of(text: &str) -> Result<SegmentPattern, PathError> {
    if text == "**" {
        return Ok(SegmentPattern::Deep);
    }
    let path: Path = text.parse()?;
    let segment = path.segments().next().ok_or(PathError::new(0, "a segment is empty; write `:` for an empty name"))?;
    let kind = match segment.kind {
        None => KindPattern::None,
        Some("*") => KindPattern::Any,
        Some(kind) => KindPattern::Is(kind.to_owned()),
    };
    Ok(SegmentPattern::Of { kind, key: NamePattern::of_key(text)?, nth: segment.nth })
}

/// The patterns that select something inside of a part, from where they have led.
#[derive(Clone, Debug)]
pub struct Selection<'p> {
    /// Patterns, and the number of segments that were matched.
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

/// Returns whether an element of the same list is called exactly so.
pub type HasExact<'s> = &'s mut dyn FnMut(&[u8]) -> bool;

impl<'p> Selection<'p> {
    /// Selects what one of the patterns does; nothing if there are none.
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

    /// Returns whether the part is selected, and so everything in it.
    pub fn is_all(&self) -> bool {
        self.rest.iter().any(|(pattern, at)| pattern.segments.len() == *at)
    }

    /// Returns whether nothing in the part is selected.
    pub const fn is_none(&self) -> bool {
        self.rest.is_empty()
    }

    /// Returns whether a selection of elements depends on their numbers.
    pub fn has_numbers(&self) -> bool {
        self.next().any(|(_, _, segment)| matches!(segment, SegmentPattern::Of { nth: Some(_), .. }))
    }

    /// Returns whether items of an array are selected, by their numbers.
    pub(crate) fn has_item(&self, of: Option<&str>, item: &[u8]) -> bool {
        let mut found = false;
        for (pattern, at, segment) in self.next() {
            if let SegmentPattern::Of { kind, key, nth: Some(_) } = segment
                && pattern.segments.len() == at + 1
                && kind.matches(of)
                && key.matches(item)
            {
                pattern.mark_found();
                found = true;
            }
        }
        found
    }

    /// Returns whether all patterns are paths without wildcards.
    pub fn is_literal(&self) -> bool {
        self.rest.iter().all(|(pattern, _)| pattern.path().is_some())
    }

    /// Returns the patterns.
    pub fn patterns(&self) -> impl Iterator<Item = &'p PathPattern> {
        self.rest.iter().map(|(pattern, _)| *pattern)
    }

    fn next(&self) -> impl Iterator<Item = (&'p PathPattern, usize, &'p SegmentPattern)> {
        self.rest.iter().flat_map(|&(pattern, at)| {
            // `**` may stand for nothing, or more than one in a row.
            let deep = pattern.segments[at..].iter().take_while(|next| matches!(next, SegmentPattern::Deep)).count();
            (at..=at + deep).filter_map(move |at| Some((pattern, at, pattern.segments.get(at)?)))
        })
    }

    /// Returns what is selected inside of an element or field. `has_exact` is asked if its key matches only without regard to case.
    pub fn step(&self, segment: &Segment<'_>, has_exact: HasExact<'_>) -> Self {
        self.step_named(segment, None, has_exact, false)
    }

    /// Returns what is selected inside of a directory, an archive or what is in it, which a name without its extension, `stem`, means as well.
    pub fn enter(&self, name: &[u8], nth: Option<u32>, stem: Option<&[u8]>, has_exact: HasExact<'_>) -> Self {
        self.step_named(&Segment { kind: None, key: Cow::Borrowed(name), nth }, stem, has_exact, true)
    }

    fn step_named(&self, of: &Segment<'_>, stem: Option<&[u8]>, has_exact: HasExact<'_>, is_nested: bool) -> Self {
        let mut rest = Vec::new();
        for (pattern, at, segment) in self.next() {
            let SegmentPattern::Of { kind, key, nth } = segment else {
                if is_nested {
                    rest.push((pattern, at));
                    if pattern.segments.len() == at + 1 {
                        pattern.mark_found();
                        rest.push((pattern, at + 1));
                    }
                }
                continue;
            };
            let is_kind = kind.matches(of.kind);
            let is_key = key.matches(&of.key) || stem.is_some_and(|stem| key.is_literal() && key.matches(stem));
            if !is_kind || !is_key {
                if is_kind {
                    pattern.learn(at, &of.key);
                }
                continue;
            }
            let is_nth = nth.is_none_or(|nth| nth == of.nth.unwrap_or(0));
            let is_exact =
                || !key.is_literal() || *key.text() == *of.key || stem.is_some_and(|stem| *key.text() == *stem);
            if is_nth && (is_exact() || !has_exact(&key.text())) {
                match pattern.segments.len() == at + 1 {
                    true => pattern.mark_found(),
                    false => pattern.reach(at + 1, |_| {}),
                }
                rest.push((pattern, at + 1));
            }
        }
        Self { rest }
    }
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
                true => at.enter(&segment.key, segment.nth, None, &mut |_| false),
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
            names.iter().filter(|name| all.enter(name, None, None, &mut |key| is_exact(key)).is_all()).count()
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
