//! Opening a file of any kind.

#[cfg(feature = "wpd")]
mod wpd;
#[cfg(feature = "wwd")]
mod wwd;

#[cfg(feature = "wpd")]
use std::sync::Arc;

use worldview_core::{Error, ErrorKind, Finding, OffsetBase, Source};

use crate::asset::{Asset, Failed, Findings, Opened};
use crate::{Container, Format, OpenError};

/// How files are opened.
#[derive(Clone, Debug)]
pub struct Options {
    /// Whether to open as much as possible and report what is left out. Only a broken header or directory is an error then, and
    /// a member that is out of bounds is empty.
    pub lossy: bool,
    /// Whether to open WPD archives whose header was overwritten, by where the data of their first entry lies. Without it they
    /// are [`OpenError::Overwritten`].
    pub recover: bool,
    /// Whether to open only the headers of a level, as a catalog needs: `Asset::Outline`.
    pub outline: bool,
    /// How deeply nested archives are opened. With 0 only the outermost is opened, and the others are errors.
    pub max_depth: u32,
    /// The maximum size that a packed level may inflate to, in bytes; by default a limit that grows with the file.
    pub max_inflate: Option<u64>,
    /// A factor of the default of [`max_inflate`](Self::max_inflate).
    pub inflate_factor: f64,
    /// Field names for tables that have none, which take precedence over the built-in ones.
    #[cfg(feature = "wpd")]
    pub schemas: Option<Arc<crate::wpd::Schemas>>,
}

impl Default for Options {
    fn default() -> Self {
        Self::new()
    }
}

impl Options {
    /// Creates the default options: strict, with the default limits and the built-in field names.
    pub const fn new() -> Self {
        Self {
            lossy: false,
            recover: false,
            outline: false,
            #[cfg(feature = "wpd")]
            max_depth: crate::wpd::Nesting::MAX_DEPTH,
            #[cfg(not(feature = "wpd"))]
            max_depth: 0,
            max_inflate: None,
            inflate_factor: 1.0,
            #[cfg(feature = "wpd")]
            schemas: None,
        }
    }

    /// Returns what unpacks levels with this limit.
    #[cfg(feature = "wwd")]
    pub const fn unpacker(&self) -> crate::wwd::Unpacker {
        let unpacker = crate::wwd::Unpacker::new().times(self.inflate_factor);
        match self.max_inflate {
            Some(bytes) => unpacker.max_inflate(bytes),
            None => unpacker,
        }
    }

    /// Returns the format to open a file as: by its bytes, else by its name, else by whether it can be recovered.
    ///
    /// # Errors
    ///
    /// Returns an error if the format is unknown, or if the file is an archive with an overwritten header and recovery is off.
    pub fn format(&self, bytes: &[u8], file_name: &str) -> Result<Format, OpenError> {
        if let Some(format) = Format::sniff(bytes) {
            return Ok(format);
        }
        if bytes.is_empty() {
            return Err(OpenError::Empty);
        }
        // Other archives have the extensions of ours, too.
        let container = Container::of_file(file_name, bytes);
        if let Some(container) = container.filter(|container| !matches!(container, Container::FileList)) {
            return Err(OpenError::Container(container));
        }
        match promised(bytes, file_name) {
            // A file with the name of a known format is opened as that, so that the error says what is wrong with it.
            Some(Format::Wpd) if !self.recover => match overwritten(bytes) {
                Some(error) => Err(OpenError::Overwritten { error, is_known: true }),
                None => Ok(Format::Wpd),
            },
            Some(format) => Ok(format),
            None => match container {
                Some(container) => Err(OpenError::Container(container)),
                None => match overwritten(bytes) {
                    Some(_) if self.recover => Ok(Format::Wpd),
                    Some(error) => Err(OpenError::Overwritten { error, is_known: false }),
                    None => Err(OpenError::Unknown),
                },
            },
        }
    }
}

/// Opens a file of any kind. `file_name` decides where the bytes do not, and some tables get their field names by it.
///
/// The image of a packed level is inflated into `image`, which can be reused for the next file, and so is the copy of an archive whose
/// entries are rebuilt. The `worldview` command opens its files with this function, so a program sees exactly what the
/// command sees.
///
/// ```
/// # #[cfg(feature = "wpd")]
/// # fn main() -> Result<(), worldview::OpenError> {
/// use worldview::{Asset, OpenError, Options, open};
///
/// let mut file = include_bytes!("../../../samples/items.wdb").to_vec();
/// file[..8].copy_from_slice(b"garbage!"); // as a common extractor leaves the header
/// file.truncate(file.len() - 4); // cuts the last record
///
/// let mut image = Vec::new();
/// let refused = open(&file, "items.wdb", &mut image, &Options::new()).unwrap_err();
/// assert!(matches!(refused, OpenError::Overwritten { is_known: true, .. }));
///
/// let options = Options { recover: true, lossy: true, ..Options::new() };
/// let opened = open(&file, "items.wdb", &mut image, &options)?;
/// let Asset::Table(table) = &opened.asset else { unreachable!("the sample is a table") };
/// println!("{} records", table.len());
/// opened.findings.each(&mut |finding| println!("without {finding}"));
/// # Ok(())
/// # }
/// # #[cfg(not(feature = "wpd"))]
/// # fn main() {}
/// ```
///
/// # Errors
///
/// Returns an error if the format is unknown, or if the file cannot be opened.
pub fn open<'a>(
    bytes: &'a [u8],
    file_name: &str,
    image: &'a mut Vec<u8>,
    options: &'a Options,
) -> Result<Opened<'a>, OpenError> {
    Ok(open_noting(bytes, file_name, image, options)?)
}

/// Opens a file as [`open`] does, for those who report findings: an error in a packed block explains more than the data that is missing
/// after it.
///
/// # Errors
///
/// Returns an error in the same cases as [`open`], and the findings before.
pub fn open_noting<'a>(
    bytes: &'a [u8],
    file_name: &str,
    image: &'a mut Vec<u8>,
    options: &'a Options,
) -> Result<Opened<'a>, Failed<'a>> {
    let form = Form::File(options.format(bytes, file_name)?);
    open_as(form, Source::new(bytes, OffsetBase::File), file_name, image, options)
}

#[cfg(feature = "wpd")]
pub(crate) use self::wpd::opened as archive;
#[cfg(feature = "wwd")]
pub(crate) use self::wwd::cause;

/// Converts a finding of something broken into the corresponding error.
fn as_error<K>(finding: &Finding<'_, K>, kind: ErrorKind) -> Error {
    let part = finding.place.part;
    let error = Error::new(kind, part.what, finding.at, finding.space);
    part.index.map_or(error, |index| error.with_index(index))
}

/// The form that bytes are opened as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// A file of its own.
    File(Format),
    /// An archive in an archive, whose header is never recovered.
    #[cfg(feature = "wpd")]
    Member,
    /// A picture.
    #[cfg(feature = "rez")]
    Picture(crate::rez::PictureKind),
    /// Data in no known format.
    Data,
}

#[cfg(feature = "rez")]
impl Form {
    /// Returns what a file of a REZ archive is opened as.
    pub(crate) fn of_file(file: &crate::rez::File<'_, '_>) -> Self {
        if cfg!(feature = "wwd") && (file.is_level() || Format::sniff(file.data()) == Some(Format::Wwd)) {
            return Self::File(Format::Wwd);
        }
        crate::rez::PictureKind::of_extension(file.extension()).map_or(Self::Data, Self::Picture)
    }
}

pub(crate) fn open_as<'a>(
    form: Form,
    source: Source<'a>,
    name: &str,
    image: &'a mut Vec<u8>,
    options: &'a Options,
) -> Result<Opened<'a>, Failed<'a>> {
    match form {
        Form::Data => Ok(Asset::Data(source).into()),
        #[cfg(feature = "wpd")]
        Form::Member => wpd::member(source, name, options),
        #[cfg(feature = "wpd")]
        Form::File(Format::Wpd) => wpd::file(source, name, image, options),
        #[cfg(feature = "wwd")]
        Form::File(Format::Wwd) => wwd::level(source.bytes(), image, options, options.unpacker()),
        #[cfg(feature = "rez")]
        Form::File(Format::Rez) => noting(options, Findings::Rez, |note| match note {
            Some(note) => crate::rez::Rez::parse_lossy(source, note).map(Asset::Rez),
            None => crate::rez::Rez::parse(source).map(Asset::Rez),
        }),
        #[cfg(feature = "rez")]
        Form::Picture(kind) => Ok(Asset::Picture(crate::rez::Picture::parse(kind, source)?).into()),
        #[cfg(feature = "island")]
        Form::File(Format::Island) => noting(options, Findings::Database, |note| match note {
            Some(note) => crate::island::Database::parse_lossy(source, note).map(Asset::Database),
            None => crate::island::Database::parse(source).map(Asset::Database),
        }),
        #[cfg(feature = "island")]
        Form::File(Format::Tex) => noting(options, Findings::Database, |note| match note {
            Some(note) => crate::island::TextureFile::parse_lossy(source, note).map(Asset::Textures),
            None => crate::island::TextureFile::parse(source).map(Asset::Textures),
        }),
        Form::File(format) => {
            #[cfg(feature = "rez")]
            if let Some(kind) = picture_kind(format) {
                return open_as(Form::Picture(kind), source, name, image, options);
            }
            Err(OpenError::Disabled(format).into())
        }
    }
}

/// Opens a level of an archive, whose image may have not more than `limit` bytes.
#[cfg(all(feature = "rez", feature = "wwd"))]
pub(crate) fn level_within<'a>(
    bytes: &'a [u8],
    image: &'a mut Vec<u8>,
    options: &Options,
    limit: u64,
) -> Result<Opened<'a>, Failed<'a>> {
    wwd::level(bytes, image, options, options.unpacker().max_inflate(limit))
}

/// Where lossy opening reports what it leaves out; `None` to open strictly.
type Note<'n, F> = Option<&'n mut dyn FnMut(F)>;

/// Opens a view as the options say, and collects its findings.
fn noting<'a, F>(
    options: &Options,
    findings: fn(Vec<F>) -> Findings<'a>,
    open: impl FnOnce(Note<'_, F>) -> Result<Asset<'a>, Error>,
) -> Result<Opened<'a>, Failed<'a>> {
    let mut list = Vec::new();
    let opened = if options.lossy { open(Some(&mut |finding| list.push(finding))) } else { open(None) };
    with_findings(opened, findings(list))
}

fn with_findings<'a>(
    opened: Result<Asset<'a>, impl Into<OpenError>>,
    findings: Findings<'a>,
) -> Result<Opened<'a>, Failed<'a>> {
    match opened {
        Ok(asset) => Ok(Opened { findings, ..asset.into() }),
        Err(error) => Err(Failed { error: error.into(), findings }),
    }
}

/// Returns the kind of picture that a format is.
#[cfg(feature = "rez")]
const fn picture_kind(format: Format) -> Option<crate::rez::PictureKind> {
    match format {
        Format::Pid => Some(crate::rez::PictureKind::Pid),
        Format::Pcx => Some(crate::rez::PictureKind::Pcx),
        Format::Rid => Some(crate::rez::PictureKind::Rid),
        _ => None,
    }
}

/// Returns the format suggested by a file's name. For `.wdb`, which suggests two, the bytes decide.
fn promised(bytes: &[u8], file_name: &str) -> Option<Format> {
    let promised = Format::of_file(file_name, bytes)?;
    let is_world = || file_name.eq_ignore_ascii_case("world.wdb") || has_worlds(bytes);
    Some(if promised == Format::Wpd && is_world() { Format::Island } else { promised })
}

/// Returns whether a file is a WORLD.WDB with worlds. One whose blobs share too many bytes is, too, and is refused as such.
#[cfg(feature = "island")]
fn has_worlds(bytes: &[u8]) -> bool {
    match crate::island::Database::parse(bytes) {
        Ok(database) => database.worlds().len() > 0,
        Err(error) => matches!(error.kind, worldview_core::ErrorKind::Limit { .. }),
    }
}

#[cfg(not(feature = "island"))]
const fn has_worlds(_: &[u8]) -> bool {
    false
}

/// Returns what is wrong with the header of an archive, if the archive can be opened without it.
fn overwritten(bytes: &[u8]) -> Option<Error> {
    #[cfg(feature = "wpd")]
    return wpd::overwritten(Source::new(bytes, OffsetBase::File));
    #[cfg(not(feature = "wpd"))]
    None
}

worldview_core::assert_send_sync!(Options);
