//! WORLD.WDB and texture files.

use worldview_core::AnyFinding;
#[cfg(feature = "inspect")]
use worldview_inspect::Root;
#[cfg(feature = "inspect")]
use worldview_island::DatabaseDescription;
use worldview_island::{Contents, Database, TextureFile, check_textures};

use super::View;
use crate::Kind;

/// A WORLD.WDB: its directory, and the contents of its chunks and blobs.
#[derive(Clone, Copy, Debug)]
pub struct World<'v, 'a> {
    /// The directory.
    pub database: &'v Database<'a>,
    /// What it refers to.
    pub contents: &'v Contents<'a>,
}

impl View for World<'_, '_> {
    fn kind(&self) -> Kind {
        Kind::Database
    }

    fn format(&self) -> Option<&'static str> {
        Some("world")
    }

    #[cfg(feature = "inspect")]
    fn describe(&self, then: &mut dyn FnMut(&Root<'_>)) {
        let described = DatabaseDescription::new(self.database, self.contents);
        then(&Root::new("world", self.database.source(), &described));
    }

    fn check(&self, report: &mut dyn FnMut(&AnyFinding<'_, '_>)) {
        World::check(self, &|_| true, report);
    }
}

/// The directory of a WORLD.WDB. The contents are read as they are needed.
impl View for Database<'_> {
    fn kind(&self) -> Kind {
        Kind::Database
    }

    fn format(&self) -> Option<&'static str> {
        Some("world")
    }

    #[cfg(feature = "inspect")]
    fn describe(&self, then: &mut dyn FnMut(&Root<'_>)) {
        View::describe(&World { database: self, contents: &Contents::read(self) }, then);
    }

    fn check(&self, report: &mut dyn FnMut(&AnyFinding<'_, '_>)) {
        View::check(&World { database: self, contents: &Contents::read(self) }, report);
    }
}

impl View for TextureFile<'_> {
    fn kind(&self) -> Kind {
        Kind::Textures
    }

    fn format(&self) -> Option<&'static str> {
        Some("tex")
    }

    #[cfg(feature = "inspect")]
    fn describe(&self, then: &mut dyn FnMut(&Root<'_>)) {
        then(&Root::new("tex", self.source(), self));
    }

    fn check(&self, report: &mut dyn FnMut(&AnyFinding<'_, '_>)) {
        check_textures(self, &mut |finding| report(&finding.any()));
    }
}
