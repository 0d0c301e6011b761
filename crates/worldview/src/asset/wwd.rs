//! Levels.

use worldview_core::AnyFinding;
#[cfg(feature = "inspect")]
use worldview_inspect::Root;
#[cfg(feature = "inspect")]
use worldview_wwd::LevelDescription;
use worldview_wwd::{Level, Outline, Unpacked, check};

use super::View;
use crate::Kind;

impl View for (&Level<'_>, &Unpacked<'_>) {
    fn kind(&self) -> Kind {
        Kind::Level
    }

    fn format(&self) -> Option<&'static str> {
        Some("wwd")
    }

    #[cfg(feature = "inspect")]
    fn describe(&self, then: &mut dyn FnMut(&Root<'_>)) {
        let (level, file) = *self;
        let described = LevelDescription::new(file, level);
        then(&Root::new("wwd", level.image(), &described).besides(file.trailing().len() as u64));
    }

    fn check(&self, report: &mut dyn FnMut(&AnyFinding<'_, '_>)) {
        let (level, file) = *self;
        check(file, level, &mut |finding| report(&finding.any()));
    }
}

/// The headers of a level, which are neither described nor checked.
impl View for Outline<'_> {
    fn kind(&self) -> Kind {
        Kind::Level
    }

    fn format(&self) -> Option<&'static str> {
        Some("wwd")
    }

    #[cfg(feature = "inspect")]
    fn describe(&self, _: &mut dyn FnMut(&Root<'_>)) {}

    fn check(&self, _: &mut dyn FnMut(&AnyFinding<'_, '_>)) {}
}
