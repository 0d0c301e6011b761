use std::collections::HashSet;

use worldview_core::Budget;
use worldview_island::{Contents, Database, ModelRef, PartRef};

use super::report::Report;
use super::{blob, named};
use crate::Result;

/// A file, and what it holds.
pub(super) type File<'f, 'a> = (&'f Database<'a>, &'f Contents<'a>);

/// The walk over both files.
struct Walk<'f, 'l, 'r> {
    left: File<'f, 'l>,
    right: File<'f, 'r>,
    /// The pairs of blobs that were compared.
    seen: HashSet<(usize, usize)>,
    budget: Budget,
}

pub(super) fn compare(left: File<'_, '_>, right: File<'_, '_>, report: &mut Report<'_>) -> Result<()> {
    if left.0.source().bytes() == right.0.source().bytes() {
        return Ok(());
    }
    let both = left.0.source().len().saturating_add(right.0.source().len());
    let budget = Budget::for_bytes(both, "comparison of overlapping blobs");
    Walk { left, right, seen: HashSet::new(), budget }.worlds(report)?;
    let (left, right) = (left.1, right.1);
    report.within(format_args!("global textures"), |report| match (&left.textures, &right.textures) {
        (Ok(left), Ok(right)) => blob::textures(left, right, report),
        (left, right) => blob::unopened(left.as_ref().err(), right.as_ref().err(), report),
    })?;
    report.within(format_args!("global parts"), |report| match (&left.parts, &right.parts) {
        (Ok(left), Ok(right)) => blob::parts(left, right, report),
        (left, right) => blob::unopened(left.as_ref().err(), right.as_ref().err(), report),
    })
}

impl Walk<'_, '_, '_> {
    fn worlds(&mut self, report: &mut Report<'_>) -> Result<()> {
        let (left, right) = (self.left.0, self.right.0);
        let of_left: Vec<_> = left.worlds().map(|world| world.name).collect();
        let of_right: Vec<_> = right.worlds().map(|world| world.name).collect();
        named::compare("world", &of_left, &of_right, report, &mut |first, second, report| {
            let (Some(first), Some(second)) = (left.world(first), right.world(second)) else { return Ok(()) };
            self.parts(first.parts, second.parts, report)?;
            self.models(first.models, second.models, report)
        })
    }

    fn parts(&mut self, left: &[PartRef<'_>], right: &[PartRef<'_>], report: &mut Report<'_>) -> Result<()> {
        let of_left: Vec<_> = left.iter().map(|part| part.name).collect();
        let of_right: Vec<_> = right.iter().map(|part| part.name).collect();
        named::compare("part", &of_left, &of_right, report, &mut |first, second, report| {
            self.blobs(left[first].blob(), right[second].blob(), report)
        })
    }

    fn models(&mut self, left: &[ModelRef<'_>], right: &[ModelRef<'_>], report: &mut Report<'_>) -> Result<()> {
        let of_left: Vec<_> = left.iter().map(|model| model.name).collect();
        let of_right: Vec<_> = right.iter().map(|model| model.name).collect();
        named::compare("model", &of_left, &of_right, report, &mut |first, second, report| {
            let (first, second) = (&left[first], &right[second]);
            named::field("presenter", first.presenter, second.presenter, report);
            let (stands, other) = (first.placement, second.placement);
            report.floats("location", &stands.location.get(), &other.location.get());
            report.floats("direction", &stands.direction.get(), &other.direction.get());
            report.floats("up", &stands.up.get(), &other.up.get());
            report.value("visible", stands.visible, other.visible);
            self.blobs(first.blob(), second.blob(), report)
        })
    }

    /// The blobs that two references of one name lead to, unless they were compared already.
    fn blobs(&mut self, left: Option<usize>, right: Option<usize>, report: &mut Report<'_>) -> Result<()> {
        let (Some(first), Some(second)) = (left, right) else {
            let shown = |blob: Option<usize>| if blob.is_some() { "in the file" } else { "outside the file" };
            report.value("blob", shown(left), shown(right));
            return Ok(());
        };
        if !self.seen.insert((first, second)) {
            return Ok(());
        }
        let (left, right) = (self.left, self.right);
        let (Some(of_left), Some(of_right)) = (left.0.blobs().get(first), right.0.blobs().get(second)) else {
            return Ok(());
        };
        let (of_left, of_right) = (of_left.source, of_right.source);
        self.budget.spend(of_left.len().saturating_add(of_right.len()), of_left.base(), of_left.space())?;
        if of_left.bytes() == of_right.bytes() {
            // Nothing in a blob counts from elsewhere.
            return Ok(());
        }
        match (left.1.blobs.get(first), right.1.blobs.get(second)) {
            (Some(Ok(left)), Some(Ok(right))) => blob::compare(left, right, report),
            (Some(left), Some(right)) => blob::unopened(left.as_ref().err(), right.as_ref().err(), report),
            _ => Ok(()),
        }
    }
}
