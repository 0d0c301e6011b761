#[cfg(feature = "island")]
mod island;
#[cfg(feature = "rez")]
mod rez;
#[cfg(feature = "wpd")]
mod wpd;
#[cfg(feature = "wwd")]
mod wwd;

use std::fmt;

use worldview_core::{OffsetBase, Source};

#[cfg(all(feature = "rez", feature = "wwd"))]
pub(crate) use self::rez::is_level;
#[cfg(all(feature = "bulk", feature = "rez", feature = "wwd"))]
pub(crate) use self::rez::{affordable, unaffordable};
#[cfg(feature = "wpd")]
use self::wpd::overwritten;
use crate::asset::{Failed, Findings, Opened};
use crate::{Container, Format, OpenError};

/// Opens files of any kind, including everything nested in them, according to its options.
///
/// The `worldview` command opens its files with it, so a program sees exactly what the command sees.
///
/// ```
/// use worldview::{Asset, Findings, FindingCode as _, OpenError, Opener, Severity};
///
/// let mut file = include_bytes!("../../../samples/items.wdb").to_vec();
/// file[..8].copy_from_slice(b"garbage!"); // as a common extractor leaves the header
/// file.truncate(file.len() - 4); // cuts the last record
///
/// let mut scratch = Vec::new(); // for packed levels; reused for the next file
/// Opener::new().open(&file, "items.wdb", &mut scratch, &mut |opened| {
///     let failed = opened.unwrap_err();
///     assert!(matches!(failed.error, OpenError::Overwritten { is_known: true, .. }));
/// });
///
/// let opener = Opener::new().recover(true).lossy(true);
/// opener.open(&file, "items.wdb", &mut scratch, &mut |opened| match opened {
///     Ok(part) => {
///         let Asset::Table(table) = part.asset else { unreachable!("the sample is a table") };
///         let Findings::Archive(findings) = part.findings else { unreachable!("tables are archives") };
///         let fatal = findings.iter().filter(|finding| finding.kind.severity() == Severity::Fatal);
///         println!("{:?}: {} records", part.path_in_file(), table.len());
///         fatal.for_each(|finding| println!("  without {finding}"));
///     }
///     Err(failed) => eprintln!("{:?}: {}", failed.path_in_file(), failed.error),
/// });
/// ```
#[derive(Clone, Copy)]
pub struct Opener<'s> {
    #[cfg(feature = "wwd")]
    unpacker: crate::wwd::Unpacker,
    deepest: u32,
    #[cfg(feature = "wpd")]
    schemas: Option<&'s crate::wpd::Schemas>,
    tables: Option<&'s (dyn Fn(&str) -> bool + Sync)>,
    path: Option<&'s [u8]>,
    lossy: bool,
    recover: bool,
    outline: bool,
    nested: bool,
}

/// The callback for the parts of a file.
type Visit<'v> = &'v mut dyn FnMut(Result<Opened<'_, '_>, Failed<'_, '_>>);

impl Default for Opener<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'s> Opener<'s> {
    /// Creates a strict opener with the default limits and the built-in field names.
    pub const fn new() -> Self {
        Self {
            #[cfg(feature = "wwd")]
            unpacker: crate::wwd::Unpacker::new(),
            deepest: MAX_DEPTH,
            #[cfg(feature = "wpd")]
            schemas: None,
            tables: None,
            path: None,
            lossy: false,
            recover: false,
            outline: false,
            nested: true,
        }
    }

    /// Sets how levels are unpacked, including the limit on their inflated size.
    #[cfg(feature = "wwd")]
    #[must_use]
    pub const fn unpacker(self, unpacker: crate::wwd::Unpacker) -> Self {
        Self { unpacker, ..self }
    }

    /// Sets how deeply nested archives are opened. With 0 only the outermost is opened, and the others are errors.
    #[must_use]
    pub const fn max_depth(self, deepest: u32) -> Self {
        Self { deepest, ..self }
    }

    /// Sets field names for tables that have none, which take precedence over the built-in ones.
    #[cfg(feature = "wpd")]
    #[must_use]
    pub const fn schemas(self, schemas: &'s crate::wpd::Schemas) -> Self {
        Self { schemas: Some(schemas), ..self }
    }

    /// Sets whether to open as much as possible and report what is left out. Only a broken header or directory is an
    /// error then, and a member that is out of bounds is empty.
    #[must_use]
    pub const fn lossy(self, lossy: bool) -> Self {
        Self { lossy, ..self }
    }

    /// Opens WPD archives whose header was overwritten, by where the data of their first entry lies. Without it they are
    /// [`OpenError::Overwritten`].
    #[must_use]
    pub const fn recover(self, recover: bool) -> Self {
        Self { recover, ..self }
    }

    /// Sets whether to open only the headers of a level, as a catalog needs: `Asset::Outline`.
    #[must_use]
    pub const fn outline(self, outline: bool) -> Self {
        Self { outline, ..self }
    }

    /// Sets whether to open what is nested in an archive, which is the default.
    #[must_use]
    pub const fn nested(self, nested: bool) -> Self {
        Self { nested, ..self }
    }

    /// Opens only tables whose name `wanted` accepts: that of the file, or that of the member with its extension.
    #[must_use]
    pub const fn tables(self, wanted: &'s (dyn Fn(&str) -> bool + Sync)) -> Self {
        Self { tables: Some(wanted), ..self }
    }

    /// Opens only the part that a path of member names leads to, down to a record.
    #[must_use]
    pub const fn select(self, path: &'s [u8]) -> Self {
        Self { path: Some(path), ..self }
    }

    /// Returns the format to open a file as: by its bytes, else by its name, else by whether it can be recovered.
    ///
    /// # Errors
    ///
    /// Returns an error if the format is unknown, or if the file is an archive with an overwritten header and recovery
    /// is off.
    pub fn format(&self, bytes: &[u8], file_name: &str) -> Result<Format, OpenError> {
        if let Some(format) = Format::sniff(bytes) {
            return Ok(format);
        }
        // Other archives have the extensions of ours, too.
        let container = Container::of_file(file_name, bytes);
        if let Some(container) = container.filter(|container| !matches!(container, Container::FileList)) {
            return Err(OpenError::Container(container));
        }
        let source = Source::new(bytes, OffsetBase::File);
        match promised(bytes, file_name) {
            // A file with the name of a known format is opened as that, so that the error says what is wrong with it.
            Some(Format::Wpd) if !self.recover => match overwritten(source) {
                Some(error) => Err(OpenError::Overwritten { error, is_known: true }),
                None => Ok(Format::Wpd),
            },
            Some(format) => Ok(format),
            None => match container {
                Some(container) => Err(OpenError::Container(container)),
                None if bytes.is_empty() => Err(OpenError::Empty),
                None => match overwritten(source) {
                    Some(_) if self.recover => Ok(Format::Wpd),
                    Some(error) => Err(OpenError::Overwritten { error, is_known: false }),
                    None => Err(OpenError::Unknown),
                },
            },
        }
    }

    /// Opens a file and hands it to `visit`, and after an archive all tables and archives in it, however deep.
    ///
    /// A part that cannot be opened is handed over as [`Failed`] and ends nothing else. `file_name` decides where the
    /// bytes do not, and some tables get their field names by it. `scratch` is what a packed level is inflated into,
    /// except by the lossy door, which takes memory of its own, and the copy of an archive whose entries are rebuilt.
    pub fn open(&self, bytes: &[u8], file_name: &str, scratch: &mut Vec<u8>, visit: Visit<'_>) {
        let whole = |error| Failed::new(error, Findings::None);
        match self.format(bytes, file_name) {
            #[cfg(feature = "wpd")]
            Ok(Format::Wpd) => self.archive(bytes, file_name, scratch, visit),
            #[cfg(feature = "rez")]
            Ok(Format::Rez) => self.rez(bytes, scratch, visit),
            Ok(format) if self.path.is_some() && is_enabled(format) => visit(Err(whole(OpenError::NoMembers(format)))),
            #[cfg(feature = "wwd")]
            Ok(Format::Wwd) => self.level(bytes, scratch, &mut |opened| visit(opened)),
            #[cfg(feature = "island")]
            Ok(Format::Island) => self.database(bytes, visit),
            #[cfg(feature = "island")]
            Ok(Format::Tex) => self.textures(bytes, visit),
            #[cfg(feature = "rez")]
            Ok(format) if rez::picture_kind(format).is_some() => self.picture(format, bytes, visit),
            Ok(format) => visit(Err(whole(OpenError::Disabled(format)))),
            Err(error) => visit(Err(whole(error))),
        }
    }

    /// Opens a file, or the part of it that [`select`](Self::select) leads to, and returns what `look` returns. What is
    /// nested in it is not opened.
    ///
    /// ```
    /// use worldview::{Asset, Opener};
    ///
    /// # fn main() -> Result<(), worldview::OpenError> {
    /// let file = include_bytes!("../../../samples/items.wdb");
    /// let records = Opener::new().look(file, "items.wdb", |opened| match opened.asset {
    ///     Asset::Table(table) => table.len(),
    ///     _ => 0,
    /// })?;
    /// assert_eq!(records, 40);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the file, or the part, cannot be opened.
    pub fn look<R>(
        &self,
        bytes: &[u8],
        file_name: &str,
        look: impl FnOnce(&Opened<'_, '_>) -> R,
    ) -> Result<R, OpenError> {
        let (mut look, mut looked) = (Some(look), None);
        self.nested(false).open(bytes, file_name, &mut Vec::new(), &mut |opened| {
            if let Some(look) = look.take() {
                looked = Some(opened.map(|opened| look(&opened)).map_err(|failed| failed.error));
            }
        });
        looked.unwrap_or(Err(OpenError::NotFound))
    }
}

impl fmt::Debug for Opener<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Opener")
            .field("max_depth", &self.deepest)
            .field("lossy", &self.lossy)
            .field("recover", &self.recover)
            .finish_non_exhaustive()
    }
}

/// How deeply nested archives are opened by default.
#[cfg(feature = "wpd")]
pub(crate) const MAX_DEPTH: u32 = crate::wpd::Nesting::MAX_DEPTH;
#[cfg(not(feature = "wpd"))]
pub(crate) const MAX_DEPTH: u32 = 0;

/// Returns whether the feature of a format is enabled.
#[allow(clippy::match_like_matches_macro, reason = "the features are not constants")]
const fn is_enabled(format: Format) -> bool {
    match format {
        Format::Wpd => cfg!(feature = "wpd"),
        Format::Wwd => cfg!(feature = "wwd"),
        Format::Rez | Format::Pcx | Format::Pid | Format::Rid => cfg!(feature = "rez"),
        Format::Island | Format::Tex => cfg!(feature = "island"),
        _ => false,
    }
}

/// Returns the format suggested by a file's name. For `.wdb`, which suggests two, the bytes decide.
fn promised(bytes: &[u8], file_name: &str) -> Option<Format> {
    let promised = Format::of_file(file_name, bytes)?;
    #[cfg(feature = "island")]
    let has_worlds = || island::has_worlds(bytes);
    #[cfg(not(feature = "island"))]
    let has_worlds = || false;
    let is_world = || file_name.eq_ignore_ascii_case("world.wdb") || has_worlds();
    Some(if promised == Format::Wpd && is_world() { Format::Island } else { promised })
}

/// No archive can be recovered.
#[cfg(not(feature = "wpd"))]
const fn overwritten(_: Source<'_>) -> Option<worldview_core::Error> {
    None
}

worldview_core::assert_send_sync!(Opener<'_>);
