//! The outputs of opened files.

#[cfg(feature = "game")]
use worldview_export::names::PartFolders;
use worldview_export::outputs::{self, InMemory, Made, Options, OutputKind, Sink};

use super::Handle;
use crate::{Asset, At};

impl Handle {
    /// Passes the outputs of some kinds to a sink. A directory has those of the files in it; a record, the headers of a level and data
    /// in no known format have none.
    ///
    /// Each kind needs its feature of the crate `export`: levels, REZ archives and pictures need `game`.
    ///
    /// ```
    /// # #[cfg(feature = "game")]
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/harbour.wwd");
    /// use worldview::Handle;
    /// use worldview::export::outputs::{Options, OutputKind};
    ///
    /// let (level, mut names) = (Handle::open(path)?, Vec::new());
    /// level.outputs_in_memory(&[OutputKind::Csv, OutputKind::Preview], &Options::default(), |made| {
    ///     names.extend(made.map(|(output, bytes)| (output.name, bytes.is_empty())));
    ///     true
    /// });
    /// let expected = ["preview.png", "objects.csv", "attributes.csv"];
    /// assert_eq!(names, expected.map(|name| (name.to_owned(), false)));
    /// # Ok(())
    /// # }
    /// # #[cfg(not(feature = "game"))]
    /// # fn main() {}
    /// ```
    pub fn outputs(&self, kinds: &[OutputKind], options: &Options<'_>, sink: &mut dyn Sink) {
        let inside = self.path_in_file().join("/");
        match (self.asset(), self.at()) {
            (_, At::Record(_)) => {}
            #[cfg(feature = "game")]
            (Asset::Level(level, file), _) => {
                let source = self.part().source();
                let (offset, length) = (source.base(), Some(source.len()));
                let from = outputs::Origin { inside, offset, length, ..outputs::Origin::default() };
                outputs::level(file, level, &from, kinds, options, sink);
            }
            #[cfg(feature = "wpd")]
            (Asset::Table(table), _) => outputs::table(table, &inside, kinds, options, sink),
            #[cfg(feature = "wpd")]
            (Asset::Archive(archive), _) if kinds.contains(&OutputKind::Members) => {
                outputs::archive(archive, &inside, &|_| true, sink);
            }
            #[cfg(feature = "game")]
            (Asset::Rez(_), _) => {
                let mut folders = PartFolders::default();
                if let Some(directory) = self.directory() {
                    outputs::directory(directory, &|_| true, kinds, options, &mut folders, sink);
                }
            }
            #[cfg(feature = "game")]
            (Asset::Picture(picture), _) if kinds.contains(&OutputKind::Png) => {
                let length = self.part().source().len();
                outputs::picture(*picture, None, length, options, &mut PartFolders::default(), sink);
            }
            #[cfg(feature = "island")]
            (Asset::Database(database), _) => {
                let all = &worldview_inspect::Everything;
                if let Some(contents) = self.contents() {
                    outputs::world((database, contents), &|_, _| true, all, kinds, options, sink);
                }
            }
            #[cfg(feature = "island")]
            (Asset::Textures(file), _) => outputs::textures(file, kinds, options, sink),
            _ => {}
        }
    }

    /// Makes the outputs of some kinds in memory, and passes each to `take`, which returns whether more are wanted.
    pub fn outputs_in_memory(&self, kinds: &[OutputKind], options: &Options<'_>, take: impl FnMut(Made<'_>) -> bool) {
        self.outputs(kinds, options, &mut InMemory::new(self.part().file().bytes().len() as u64, take));
    }
}
