//! Opening files.
#![expect(unsafe_code, reason = "exported functions, and texts and functions of the caller")]

use std::ffi::{c_char, c_void};
use std::path::{Path, PathBuf};
use std::ptr;

use formats::island::{Contents, Database, Library, Scope, WorldNames};
use formats::rez::{Directory, Picture};
use formats::wpd::Table;
use formats::wwd::{Level, Unpacked};
use formats::{Asset, At, Failure, File, Handle, Kind, Loader, Options};

use crate::error::{Answer, Fault, WvError, WvStatus};
use crate::ffi::{self, ErrorOut, Grown, OwnedOut, WvSpan, answer, answer_owned};

/// Opens as much as possible of a broken file. What is left out is reported by `wv_findings`.
pub const WV_LOSSY: u32 = 1;
/// Opens WPD archives whose header was overwritten.
pub const WV_RECOVER: u32 = 2;
/// Maps files of at least 1 MiB instead of reading them. The caller promises that nobody changes or shortens such a file
/// while it is open. If it is shortened, an access kills the process (SIGBUS).
pub const WV_MAP: u32 = 4;

/// How files are opened. Set `size` to `sizeof(WvOptions)` and everything else to 0 for the defaults.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WvOptions {
    /// Size of this structure, so that later versions can add members.
    pub size: usize,
    /// `WV_LOSSY`, `WV_RECOVER` and `WV_MAP`, combined with `|`.
    pub flags: u32,
    /// How deeply nested archives are opened; 0 for the default.
    pub max_depth: u32,
    /// Maximum size in bytes that a packed level may inflate to; 0 for a limit that grows with the file.
    pub max_inflate: u64,
}

/// The kind of a handle.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WvKind {
    /// A member of an archive that is in no known format. Only its bytes are known.
    Data = 0,
    /// A WWD level.
    Level = 1,
    /// A WDB table.
    Table = 2,
    /// A record of a table. It can be used as the table, too.
    Record = 3,
    /// A WPD archive.
    Archive = 4,
    /// A directory of a REZ archive; its root if the archive itself was opened.
    Directory = 5,
    /// A PID, RID, PCX or BMP picture.
    Picture = 6,
    /// A WORLD.WDB.
    Database = 7,
    /// A texture file of LEGO Island (`.tex`): its textures are those of `WV_GLOBAL_TEXTURES`.
    Textures = 8,
}

/// An opened file, or an opened part of one. It owns a share of the bytes.
#[derive(Debug)]
pub struct WvHandle {
    handle: Handle,
    path: String,
    name: String,
}

impl WvHandle {
    pub(crate) fn new(handle: Handle) -> Self {
        let mut names = handle.path_in_file();
        let path = names.join("/");
        let name = names.pop().unwrap_or_else(|| handle.part().file().name().to_owned());
        Self { handle, path, name }
    }

    pub(crate) const fn handle(&self) -> &Handle {
        &self.handle
    }

    /// Returns what is asked of the handle, or the error that it is of another kind.
    fn of_kind<T>(&self, kind: &'static str, found: Option<T>) -> Answer<T> {
        found.ok_or_else(|| Fault::kind(kind, self.handle.kind().name()))
    }

    pub(crate) fn level(&self) -> Answer<&Level<'_>> {
        self.of_kind("level", self.handle.level())
    }

    pub(crate) fn unpacked(&self) -> Answer<&Unpacked<'_>> {
        self.of_kind("level", self.handle.unpacked())
    }

    pub(crate) fn table(&self) -> Answer<&Table<'_>> {
        self.of_kind("table", self.handle.table())
    }

    pub(crate) fn directory(&self) -> Answer<Directory<'_, '_>> {
        self.of_kind("directory of a REZ archive", self.handle.directory())
    }

    pub(crate) fn picture(&self) -> Answer<&Picture<'_>> {
        self.of_kind("picture", self.handle.picture())
    }

    pub(crate) fn database(&self) -> Answer<&Database<'_>> {
        self.of_kind("database", self.handle.database())
    }

    pub(crate) fn contents(&self) -> Answer<&Contents<'_>> {
        self.of_kind("database", self.handle.contents())
    }

    /// Calls `look` with the index of names.
    pub(crate) fn with_names<T>(&self, look: impl FnOnce(&Library<'_, '_>) -> T) -> Answer<T> {
        self.of_kind("database", self.handle.with_names(look))
    }

    /// Calls `look` with the index of names, and with the names of the world that `scope` is in.
    pub(crate) fn with_scope<T>(
        &self,
        scope: Scope,
        look: impl for<'d, 'a> FnOnce(&Library<'d, 'a>, Option<&WorldNames<'a>>) -> T,
    ) -> Answer<T> {
        self.of_kind("database", self.handle.with_scope(scope, look))
    }
}

/// Returns the handle of the caller, or an error for NULL.
pub(crate) fn given(handle: Option<&WvHandle>) -> Answer<&WvHandle> {
    handle.ok_or_else(|| Fault::null("the handle"))
}

/// Returns the options of the caller; the defaults for NULL.
///
/// # Safety
///
/// `options` must be NULL or point to as many bytes as its `size` says.
pub(crate) unsafe fn settings(options: *const WvOptions) -> Answer<(Options, Loader)> {
    let mut known = WvOptions { size: size_of::<WvOptions>(), flags: 0, max_depth: 0, max_inflate: 0 };
    if !options.is_null() {
        // SAFETY: the caller guarantees at least the first member.
        let size = unsafe { options.cast::<usize>().read_unaligned() };
        if !(size_of::<usize>()..=1024).contains(&size) {
            return Err(Fault::argument("the size of the options is not that of WvOptions"));
        }
        let len = size.min(size_of::<WvOptions>());
        // SAFETY: the caller guarantees `size` bytes, and every byte is valid in these integers.
        unsafe { ptr::copy_nonoverlapping(options.cast::<u8>(), (&raw mut known).cast::<u8>(), len) };
    }
    if known.flags & !(WV_LOSSY | WV_RECOVER | WV_MAP) != 0 {
        return Err(Fault::argument("the options have an unknown flag"));
    }
    let mut settings = Options { lossy: known.flags & WV_LOSSY != 0, ..Options::default() };
    settings.recover = known.flags & WV_RECOVER != 0;
    settings.max_inflate = (known.max_inflate > 0).then_some(known.max_inflate);
    if known.max_depth > 0 {
        settings.max_depth = known.max_depth;
    }
    let loader = if known.flags & WV_MAP == 0 {
        Loader::read()
    } else {
        // SAFETY: by setting the flag the caller promises that nobody changes the file while it is open.
        unsafe { Loader::mmap() }
    };
    Ok((settings, loader))
}

fn path_of(path: &[u8]) -> Answer<PathBuf> {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt as _;
        Ok(Path::new(std::ffi::OsStr::from_bytes(path)).to_owned())
    }
    #[cfg(not(unix))]
    std::str::from_utf8(path).map(PathBuf::from).map_err(|_| Fault::argument("the path is not UTF-8"))
}

/// Opens a file, or a part of it: the path may continue inside the file, as in "pack.bin/items.wdb" or
/// "CLAW.REZ/LEVEL1/WORLDS/WORLD.WWD". The path is UTF-8 on Windows, and bytes elsewhere.
///
/// `options` can be NULL. Free the result with `wv_free`. It is NULL if there is an error.
///
/// # Safety
///
/// The pointers must be valid: `path` a text that ends with NUL, `options` NULL or options of `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wv_open(
    path: *const c_char,
    options: *const WvOptions,
    out: OwnedOut<'_, WvHandle>,
    error: ErrorOut<'_>,
) -> WvStatus {
    answer_owned(out, error, || {
        // SAFETY: the caller guarantees a text.
        let path = path_of(unsafe { ffi::text(path, "the path") }?)?;
        // SAFETY: the caller guarantees NULL or options.
        let (options, loader) = unsafe { settings(options) }?;
        Ok(WvHandle::new(Handle::load(loader, &path, &options)?))
    })
}

/// Opens an entry of an archive by its index, with the options of the archive: a member of a WPD archive, or a directory or file of
/// a REZ directory. This does not read the archive again, so it is the fast way to open many files of an archive.
#[unsafe(no_mangle)]
pub extern "C" fn wv_open_entry(
    archive: Option<&WvHandle>,
    index: usize,
    out: OwnedOut<'_, WvHandle>,
    error: ErrorOut<'_>,
) -> WvStatus {
    answer_owned(out, error, || {
        let archive = given(archive)?.handle();
        if archive.kind() != Kind::Archive {
            return Err(Fault::kind("archive or directory", archive.kind().name()));
        }
        let entry = archive.entry(index).ok_or_else(|| Fault::index("entry", index, archive.entries().count()))?;
        Ok(WvHandle::new(entry?))
    })
}

/// Opens a part of an opened file by its path from there: "r_lamps.wdb" of an archive, "WORLDS/WORLD.WWD" of the directory
/// LEVEL1, or a record of a table, with the options of the archive. Names of members include their extension. Paths in REZ archives
/// ignore case.
///
/// # Safety
///
/// `path` must be a text that ends with NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wv_open_path(
    archive: Option<&WvHandle>,
    path: *const c_char,
    out: OwnedOut<'_, WvHandle>,
    error: ErrorOut<'_>,
) -> WvStatus {
    answer_owned(out, error, || {
        let archive = given(archive)?.handle();
        // SAFETY: the caller guarantees a text.
        let path = unsafe { ffi::text(path, "the path") }?;
        if !matches!(archive.kind(), Kind::Archive | Kind::Table) {
            return Err(Fault::kind("archive, directory or table", archive.kind().name()));
        }
        Ok(WvHandle::new(archive.path(path)?))
    })
}

/// A function that receives a part of a file: a handle, which it must free, or NULL and an error, which is only valid
/// during the call. It must return normally: no exception, no longjmp.
pub type WvVisit = Option<unsafe extern "C" fn(user: *mut c_void, handle: *mut WvHandle, error: *const WvError)>;

/// Opens a file and everything nested in it, and passes each part to `visit`: an archive first, then what is in it. Parts
/// in no known format are not passed.
///
/// The function itself only fails if the file cannot be read or an argument is not valid.
///
/// # Safety
///
/// The pointers must be valid, and `visit` must accept what it is given.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wv_open_all(
    path: *const c_char,
    options: *const WvOptions,
    visit: WvVisit,
    user: *mut c_void,
    error: ErrorOut<'_>,
) -> WvStatus {
    answer((), error, || {
        // SAFETY: the caller guarantees a text.
        let path = path_of(unsafe { ffi::text(path, "the path") }?)?;
        // SAFETY: the caller guarantees NULL or options.
        let (options, loader) = unsafe { settings(options) }?;
        let visit = visit.ok_or_else(|| Fault::null("the function"))?;
        let file = File::load(loader, &path).map_err(Failure::from)?;
        let pass = |opened: Result<Handle, Failure>| match opened.map_err(Fault::from) {
            Ok(handle) => {
                let handle = Box::into_raw(Box::new(WvHandle::new(handle)));
                // SAFETY: the caller guarantees that the function accepts a handle, which it frees.
                unsafe { visit(user, handle, ptr::null()) };
            }
            // SAFETY: the caller guarantees that the function accepts an error.
            Err(fault) => unsafe { visit(user, ptr::null_mut(), fault.error()) },
        };
        match Handle::of(&file, b"", &options) {
            Ok(whole) => {
                pass(Ok(whole.clone()));
                whole.walk().for_each(pass);
            }
            failed => pass(failed),
        }
        Ok(())
    })
}

/// Frees a handle. NULL is allowed. Everything that was asked from the handle becomes invalid, except for objects with a
/// `free` function of their own.
#[unsafe(no_mangle)]
pub extern "C" fn wv_free(handle: Option<Box<WvHandle>>) {
    ffi::free(handle);
}

/// Returns another handle of the same opened file, for another owner. NULL if `handle` is NULL. Nothing is copied.
#[unsafe(no_mangle)]
pub extern "C" fn wv_share(handle: Option<&WvHandle>) -> Option<Box<WvHandle>> {
    handle.map(|handle| Box::new(WvHandle::new(handle.handle.clone())))
}

/// Where an opened part is in its file.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WvPart {
    /// Size of this structure. The caller sets it.
    pub size: usize,
    /// What it is.
    pub kind: WvKind,
    /// Index of the record, for `WV_KIND_RECORD`.
    pub record: usize,
    /// Name of the part: that of the file, or that of the member.
    pub name: WvSpan,
    /// Names of the members that lead to the part, joined by `/`; empty if the part is the whole file.
    pub path: WvSpan,
    /// The bytes of the part: those of the whole archive for a directory.
    pub data: WvSpan,
    /// Offset of these bytes in the file.
    pub offset: usize,
}

/// Returns what a handle is, and where it is in its file.
#[unsafe(no_mangle)]
pub extern "C" fn wv_part(handle: Option<&WvHandle>, out: Grown<'_, WvPart>, error: ErrorOut<'_>) -> WvStatus {
    answer(out, error, || {
        let given = given(handle)?;
        let (kind, record) = match (given.handle().asset(), given.handle().at()) {
            (_, At::Record(row)) => (WvKind::Record, row),
            (Asset::Level(..), _) => (WvKind::Level, usize::MAX),
            (Asset::Table(_), _) => (WvKind::Table, usize::MAX),
            (Asset::Archive(_), _) => (WvKind::Archive, usize::MAX),
            (Asset::Rez(_), _) => (WvKind::Directory, usize::MAX),
            (Asset::Picture(_), _) => (WvKind::Picture, usize::MAX),
            (Asset::Database(_), _) => (WvKind::Database, usize::MAX),
            (Asset::Textures(_), _) => (WvKind::Textures, usize::MAX),
            _ => (WvKind::Data, usize::MAX),
        };
        let part = given.handle().part();
        Ok(WvPart {
            size: size_of::<WvPart>(),
            kind,
            record,
            name: given.name.as_str().into(),
            path: given.path.as_str().into(),
            data: part.bytes().into(),
            offset: part.offset(),
        })
    })
}

/// Returns the version of the library, a text that ends with NUL.
#[unsafe(no_mangle)]
pub extern "C" fn wv_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// Returns the version of the library as a number, to compare with `WV_VERSION_NUMBER`.
#[unsafe(no_mangle)]
pub const extern "C" fn wv_version_number() -> u32 {
    const {
        let (major, minor) = (number(env!("CARGO_PKG_VERSION_MAJOR")), number(env!("CARGO_PKG_VERSION_MINOR")));
        (major * 1000 + minor) * 1000 + number(env!("CARGO_PKG_VERSION_PATCH"))
    }
}

/// Parses a part of a version; `parse` cannot be called in constants.
const fn number(digits: &str) -> u32 {
    let (mut number, mut rest) = (0, digits.as_bytes());
    while let [digit, behind @ ..] = rest {
        number = number * 10 + (*digit - b'0') as u32;
        rest = behind;
    }
    number
}
