//! What the viewer may show: the given files and folders, and nothing else.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, percent_encode};
use walkdir::{DirEntry, WalkDir};

use crate::answer::Failed;

/// Characters that names keep in addresses.
const NAME: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// Why what a link leads to is not shown.
pub(crate) const OUTSIDE: &str = "is a link that leads out of the given folder";

/// A file or folder that was given, and the name that addresses have for it.
#[derive(Debug)]
pub(crate) struct Root {
    /// The first part of the addresses, percent-encoded.
    pub(crate) at: String,
    /// What people see.
    pub(crate) name: String,
    /// The path without links, inside which everything has to be.
    pub(crate) path: PathBuf,
}

/// All files and folders that were given.
#[derive(Debug)]
pub(crate) struct Library {
    pub(crate) roots: Vec<Root>,
}

/// Where an address leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Location {
    /// The list of what was given.
    Overview,
    Folder(PathBuf),
    /// A file, and the names of the members that lead into it, joined by `/`.
    File(PathBuf, Vec<u8>),
}

impl Library {
    /// Takes the given paths, which must exist. Returns an error, with the path, if one does not exist.
    pub(crate) fn new(paths: impl IntoIterator<Item = PathBuf>) -> Result<Self, (PathBuf, std::io::Error)> {
        let mut roots: Vec<Root> = Vec::new();
        for given in paths {
            let path = given.canonicalize().map_err(|error| (given, error))?;
            let name = path.file_name().unwrap_or_else(|| path.as_os_str());
            let (bytes, shown) = (name.as_encoded_bytes(), name.to_string_lossy().into_owned());
            let taken = |at: &str| roots.iter().any(|root| root.at == at);
            let mut at = encode(bytes);
            for number in 2.. {
                if !taken(&at) {
                    break;
                }
                at = encode(&[bytes, format!(" ({number})").as_bytes()].concat());
            }
            roots.push(Root { at, name: shown, path });
        }
        name_apart(&mut roots);
        Ok(Self { roots })
    }

    /// Puts the name of what has an address in front of why it cannot be used.
    pub(crate) fn naming(&self, at: &str, failed: Failed) -> Failed {
        let (first, rest) = at.split_once('/').map_or((at, ""), |(first, rest)| (first, rest));
        let root = self.roots.iter().find(|root| root.at == first).map_or(first, |root| &root.name);
        let names = std::iter::once(root.into()).chain(rest.split('/').filter(|name| !name.is_empty()).map(shown));
        Failed { message: format!("{}: {}", names.collect::<Vec<Cow<'_, str>>>().join("/"), failed.message), ..failed }
    }

    /// Returns whether a path, without links, is inside what was given.
    pub(crate) fn contains(&self, path: &Path) -> bool {
        self.roots.iter().any(|root| path.starts_with(&root.path))
    }

    /// Returns the file that an address leads to or into, and the names inside it. Returns an error if it leads nowhere, to a
    /// folder, or outside of what was given.
    pub(crate) fn file(&self, at: &str) -> Result<(PathBuf, Vec<u8>), Failed> {
        match self.locate(at)? {
            Location::File(path, inside) => Ok((path, inside)),
            Location::Folder(_) | Location::Overview => Err(Failed::invalid("is a folder")),
        }
    }

    /// Returns where an address leads. Returns an error if it leads nowhere, or outside of what was given.
    pub(crate) fn locate(&self, at: &str) -> Result<Location, Failed> {
        if at.is_empty() {
            return Ok(Location::Overview);
        }
        let missing = || Failed::missing("there is nothing with this address");
        let (first, rest) = at.split_once('/').map_or((at, None), |(first, rest)| (first, Some(rest)));
        let root = self.roots.iter().find(|root| root.at == first).ok_or_else(missing)?;
        let mut names = rest.into_iter().flat_map(|rest| rest.split('/')).map(decode);
        let mut path = root.path.clone();
        while path.is_dir() {
            let Some(name) = names.next() else { return Ok(Location::Folder(path)) };
            path.push(file_name(&name).ok_or_else(missing)?);
            // A link may lead to another part of what was given, but not out of it.
            let real = path.canonicalize().map_err(|_| missing())?;
            if !real.starts_with(&root.path) {
                return Err(Failed::new(axum::http::StatusCode::FORBIDDEN, OUTSIDE));
            }
        }
        if !path.is_file() {
            return Err(missing());
        }
        let inside: Vec<_> = names.collect();
        Ok(Location::File(path, inside.join(&b'/')))
    }
}

/// Names roots that have the same name by the folders that they are in, too, as far up as they differ.
fn name_apart(roots: &mut [Root]) {
    let depth = |path: &Path| path.components().count();
    let deepest = roots.iter().map(|root| depth(&root.path)).max().unwrap_or_default();
    for length in 2..=deepest {
        let names: Vec<_> = roots.iter().map(|root| root.name.clone()).collect();
        for root in roots.iter_mut().filter(|root| names.iter().filter(|name| **name == root.name).count() > 1) {
            let last: PathBuf = root.path.components().skip(depth(&root.path).saturating_sub(length)).collect();
            root.name = last.to_string_lossy().into_owned();
        }
    }
}

/// Returns a name of an address as the name of a file in a folder; `None` for names that lead elsewhere.
fn file_name(name: &[u8]) -> Option<PathBuf> {
    let name = os_str(name)?;
    let path = Path::new(&*name);
    let mut parts = path.components();
    let is_name = matches!(parts.next(), Some(Component::Normal(first)) if first == &*name) && parts.next().is_none();
    is_name.then(|| path.to_owned())
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "other systems have names that are not bytes")]
fn os_str(name: &[u8]) -> Option<Cow<'_, OsStr>> {
    use std::os::unix::ffi::OsStrExt as _;
    Some(Cow::Borrowed(OsStr::from_bytes(name)))
}

#[cfg(not(unix))]
fn os_str(name: &[u8]) -> Option<Cow<'_, OsStr>> {
    std::str::from_utf8(name).ok().map(|name| Cow::Borrowed(OsStr::new(name)))
}

/// Returns a name as it is in addresses.
pub(crate) fn encode(name: &[u8]) -> String {
    percent_encode(name, NAME).to_string()
}

/// Returns the name that an address has for a file.
pub(crate) fn encode_os(name: &OsStr) -> String {
    encode(name.as_encoded_bytes())
}

/// Returns a name of an address as people see it.
pub(crate) fn shown(name: &str) -> Cow<'_, str> {
    percent_decode_str(name).decode_utf8_lossy()
}

fn decode(name: &str) -> Vec<u8> {
    percent_decode_str(name).collect()
}

/// Returns the address of something inside the place with address `at`.
pub(crate) fn join(at: &str, name: &str) -> String {
    if at.is_empty() { name.to_owned() } else { format!("{at}/{name}") }
}

/// Returns the address of a path in the folder with address `at`, if it is in it.
pub(crate) fn below(at: &str, folder: &Path, path: &Path) -> Option<String> {
    let names = path.strip_prefix(folder).ok()?.components();
    Some(names.fold(at.to_owned(), |at, name| join(&at, &encode_os(name.as_os_str()))))
}

/// Lists everything in a folder, at any depth: in each folder first the files, then the folders, by name. Links are not followed. A
/// file has nothing in it.
pub(crate) fn walk(folder: &Path) -> impl Iterator<Item = walkdir::Result<DirEntry>> {
    let by_kind = |one: &DirEntry, other: &DirEntry| {
        (one.file_type().is_dir(), one.file_name()).cmp(&(other.file_type().is_dir(), other.file_name()))
    };
    WalkDir::new(folder).min_depth(1).sort_by(by_kind).into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lead_elsewhere_are_no_file_names() {
        for name in [&b".."[..], b".", b"", b"a/b", b"/etc", b"a/.."] {
            assert_eq!(file_name(name), None, "{}", name.escape_ascii());
        }
        assert_eq!(file_name(b"..."), Some("...".into()));
        assert_eq!(decode(&encode(b"a/b \xFF%\0")), b"a/b \xFF%\0");
    }
}
