//! Statuses and errors.
#![expect(unsafe_code, reason = "an exported function")]

use std::any::Any;
use std::ffi::{CStr, c_char};

use formats::{Error, ErrorKind, Failure, OffsetBase, OpenError};

/// What a function returns.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WvStatus {
    /// Success. Only then are results written.
    Ok = 0,
    /// The file cannot be read.
    Io = 1,
    /// The file is in no known format, or in one that must be unpacked by another program first.
    Unknown = 2,
    /// The data is broken.
    Broken = 3,
    /// The data would need more memory or work than a limit allows.
    Limit = 4,
    /// There is no member, record, field or other element with this path, name or index.
    NotFound = 5,
    /// The handle is not of the kind that the function is for.
    Kind = 6,
    /// The field holds values of another type.
    Type = 7,
    /// A required argument is NULL.
    Null = 8,
    /// An argument is not valid, such as a buffer of the wrong size, or an unknown option.
    Argument = 9,
    /// The library has a bug. The handle may still be freed.
    Panic = 10,
}

/// Returns what a status means, such as "the data is broken", a text that ends with NUL. It may be any number: "unknown status" if it is
/// none of `WvStatus`.
#[unsafe(no_mangle)]
pub extern "C" fn wv_status_text(status: i32) -> *const c_char {
    let text = TEXTS.iter().find(|(known, _)| *known as i32 == status).map_or(c"unknown status", |(_, text)| text);
    text.as_ptr()
}

const TEXTS: [(WvStatus, &CStr); 11] = [
    (WvStatus::Ok, c"success"),
    (WvStatus::Io, c"the file cannot be read"),
    (WvStatus::Unknown, c"the file is in no known format"),
    (WvStatus::Broken, c"the data is broken"),
    (WvStatus::Limit, c"the data is larger than a limit allows"),
    (WvStatus::NotFound, c"there is no such element"),
    (WvStatus::Kind, c"the handle is of another kind"),
    (WvStatus::Type, c"the field holds values of another type"),
    (WvStatus::Null, c"a required argument is NULL"),
    (WvStatus::Argument, c"an argument is not valid"),
    (WvStatus::Panic, c"bug in worldview"),
];

/// What an offset counts in.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WvSpace {
    /// There is no offset.
    None = 0,
    /// The file.
    File = 1,
    /// The unpacked contents of a packed level.
    Image = 2,
}

impl From<OffsetBase> for WvSpace {
    fn from(space: OffsetBase) -> Self {
        match space {
            OffsetBase::File => Self::File,
            OffsetBase::Image => Self::Image,
        }
    }
}

/// What went wrong, and where. It owns nothing, so there is nothing to free.
///
/// The texts end with NUL. Longer ones are cut.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WvError {
    /// The status that the function returned.
    pub status: WvStatus,
    /// What `offset` counts in.
    pub space: WvSpace,
    /// Offset of the part in bytes, or UINT64_MAX if there is none.
    pub offset: u64,
    /// Index of the part among those of its kind, or UINT32_MAX if there is none.
    pub index: u32,
    /// Index of the part that encloses it, or UINT32_MAX if there is none.
    pub within_index: u32,
    /// The part that is broken, in the words of the format, such as "object"; may be empty.
    pub part: [c_char; 80],
    /// The part that encloses it, such as "plane"; may be empty.
    pub within: [c_char; 32],
    /// The path inside the file that leads to the broken file, such as "pack.bin/items.wdb"; may be empty.
    pub path: [c_char; 256],
    /// A sentence with the part, the offset, and what was expected and found. It does not include the path.
    pub message: [c_char; 512],
}

/// An error on its way to the caller.
#[derive(Debug)]
pub(crate) struct Fault(Box<WvError>);

pub(crate) type Answer<T> = Result<T, Fault>;

impl Fault {
    pub(crate) fn new(status: WvStatus, message: &str) -> Self {
        Self(Box::new(WvError {
            status,
            space: WvSpace::None,
            offset: u64::MAX,
            index: u32::MAX,
            within_index: u32::MAX,
            part: text(""),
            within: text(""),
            path: text(""),
            message: text(message),
        }))
    }

    pub(crate) fn null(argument: &str) -> Self {
        Self::new(WvStatus::Null, &format!("{argument} is NULL"))
    }

    pub(crate) fn argument(message: &str) -> Self {
        Self::new(WvStatus::Argument, message)
    }

    pub(crate) fn kind(want: &str, found: &str) -> Self {
        Self::new(WvStatus::Kind, &format!("expected a {want}, found a {found}"))
    }

    pub(crate) fn index(what: &str, index: usize, len: usize) -> Self {
        Self::new(WvStatus::NotFound, &format!("there is no {what} {index}, there are {len}"))
    }

    pub(crate) fn not_found(message: &str) -> Self {
        Self::new(WvStatus::NotFound, message)
    }

    pub(crate) fn panic(payload: &(dyn Any + Send)) -> Self {
        let said = payload.downcast_ref::<&str>().copied();
        let said = said.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
        Self::new(WvStatus::Panic, &format!("bug in worldview: {}", said.unwrap_or("a panic")))
    }

    /// Returns why an output of a handle cannot be made.
    #[cfg(feature = "export")]
    pub(crate) fn output(handle: &formats::Handle, name: &str, error: &formats::export::Error) -> Self {
        use formats::export::Error as ExportError;

        let status = match error {
            ExportError::Format(error) => status_of(error),
            ExportError::Limit { .. } => WvStatus::Limit,
            _ => WvStatus::Broken,
        };
        let separator = if name.is_empty() { "" } else { ": " };
        let mut fault = Self::new(status, &format!("{name}{separator}{error}"));
        if let ExportError::Format(error) = error {
            fault = fault.at(error);
        }
        fault.0.path = text(&handle.path_in_file().join("/"));
        fault
    }

    pub(crate) const fn status(&self) -> WvStatus {
        self.0.status
    }

    pub(crate) const fn error(&self) -> &WvError {
        &self.0
    }

    fn at(mut self, error: &Error) -> Self {
        self.0.space = error.space().into();
        self.0.offset = error.at;
        self.0.index = error.index().unwrap_or(u32::MAX);
        self.0.part = text(error.what);
        if let Some((within, index)) = error.enclosing() {
            self.0.within = text(within);
            self.0.within_index = index;
        }
        self
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self::new(status_of(&error), &error.to_string()).at(&error)
    }
}

impl From<Failure> for Fault {
    fn from(failure: Failure) -> Self {
        let (status, message) = match &failure {
            Failure::Open(error, _) => (status(error), error.to_string()),
            Failure::Io(error) => (WvStatus::Io, formats::system_text(error)),
            other => (WvStatus::Broken, other.to_string()),
        };
        let mut fault = Self::new(status, &message);
        if let Some(error) = failure.error() {
            fault = fault.at(error);
        }
        fault.0.path = text(&failure.path_in_file().join("/"));
        fault
    }
}

const fn status_of(error: &Error) -> WvStatus {
    match error.kind {
        ErrorKind::Limit { .. } => WvStatus::Limit,
        _ => WvStatus::Broken,
    }
}

const fn status(error: &OpenError) -> WvStatus {
    match error {
        OpenError::Empty | OpenError::Unknown | OpenError::Container(_) => WvStatus::Unknown,
        OpenError::NotFound | OpenError::NoMembers(_) | OpenError::InsideRecord | OpenError::InsideData => {
            WvStatus::NotFound
        }
        OpenError::Format(error) => status_of(error),
        _ => WvStatus::Broken,
    }
}

/// Copies a text into an array that ends with NUL. A text that is too long is cut between two characters.
pub(crate) fn text<const N: usize>(text: &str) -> [c_char; N] {
    let mut out = [0; N];
    let end = (0..N.min(text.len() + 1)).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
    for (to, from) in out.iter_mut().zip(text.as_bytes().iter().take(end)) {
        *to = from.cast_signed() as c_char;
    }
    out
}
