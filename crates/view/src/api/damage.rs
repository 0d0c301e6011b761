//! How much of a place could not be read, which then is missing in what is shown.

use std::num::NonZeroUsize;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use worldview::Severity;

use crate::answer::{Answer, Failed};
use crate::files::Opened;
use crate::places::Place;
use crate::state::State;
use crate::work::CancelToken;

/// The maximum number of places in a question.
const MAX: usize = 100;

#[derive(Deserialize)]
pub(super) struct Body {
    places: Vec<Place>,
}

#[derive(Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub(super) struct Damage {
    /// How many parts could not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    unreadable: Option<NonZeroUsize>,
    /// Why nothing could be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// The damage of each of some places. Lists show files by their first bytes, and ask this for those on the screen.
pub(super) fn damage(state: &State, body: &Body, cancel: &CancelToken) -> Result<Answer, Failed> {
    if body.places.len() > MAX {
        return Err(Failed::invalid(format_args!("names more than {MAX} places")));
    }
    let of = |Place { at, path }: &Place| match state.open(at) {
        Ok(opened) => Damage { unreadable: NonZeroUsize::new(count(state, &opened, path)), error: None },
        Err(failed) => Damage { unreadable: None, error: Some(failed.message) },
    };
    let damages = body.places.iter().map(|place| cancel.check().map(|()| of(place)));
    Answer::json(&damages.collect::<Result<Vec<_>, _>>()?)
}

/// Returns how many parts of a place could not be read.
pub(super) fn count(state: &State, opened: &Arc<Opened>, path: &str) -> usize {
    if !path.is_empty()
        && let Ok(catalog) = state.catalog(opened)
        && let Some(item) = catalog.find(path)
    {
        return catalog.unreadable(item);
    }
    opened.handle.findings().iter().filter(|note| note.severity == Severity::Fatal).count()
}
