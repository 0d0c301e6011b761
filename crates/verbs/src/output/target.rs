//! Where an output goes that the user named: never over an input, and over another file only if that was asked for.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

use super::single::{Held, Single};
use crate::interrupt;
use crate::options::Replace;
use crate::report::Error;
use crate::table;

/// The target that the name of an output leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// Standard output.
    Standard,
    /// A device or a pipe, which is written through.
    Stream(PathBuf),
    /// A file, without links in its path.
    File(PathBuf),
}

impl Target {
    /// Finds what a name leads to: `named` itself, or a file in the folder that `named` is. A link is only followed if it is itself
    /// named; a folder that is missing in the named one is created. An existing file is only accepted if it may be replaced, and
    /// never if it is an input. Returns an error if the file is an input, may not be replaced, or cannot be found out about, and if
    /// the name leads out of the folder.
    pub(crate) fn of(name: &Path, named: &Path, inputs: &[&Path], replace: Replace) -> io::Result<Self> {
        if name.as_os_str() == "-" {
            return Ok(Self::Standard);
        }
        let is_named = name == named;
        let path = if is_named { resolved(name)? } else { below(named, name)? };
        let metadata = if is_named { fs::metadata(&path) } else { fs::symlink_metadata(&path) };
        let Ok(metadata) = metadata else { return Ok(Self::File(path)) };
        if metadata.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a folder"));
        }
        if is_named && !metadata.is_file() {
            return Ok(Self::Stream(path));
        }
        if let Some(input) = inputs.iter().find(|input| same_file::is_same_file(input, &path).unwrap_or(false)) {
            let why = format!("the output would replace the input {}", table::path(input));
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, why));
        }
        if metadata.permissions().readonly() {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the file there is read-only"));
        }
        match replace {
            Replace::Always => Ok(Self::File(path)),
            Replace::Never => {
                let why = "a file of this name exists; --overwrite always replaces it";
                Err(io::Error::new(io::ErrorKind::AlreadyExists, why))
            }
        }
    }

    /// Writes the output. A file gets its name when it is complete. Returns an error if the output cannot be written, or if `fill`
    /// fails.
    pub(crate) fn write(
        &self,
        standard: &mut dyn Write,
        fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        match self {
            Self::Standard => fill(standard).and_then(|()| standard.flush()),
            Self::Stream(path) => {
                let mut out = OpenOptions::new().write(true).open(path)?;
                fill(&mut out).and_then(|()| out.flush())
            }
            Self::File(path) => {
                let held = held(path, fill)?;
                // Whoever interrupts a run does not want its result.
                interrupt::check()?;
                held.release()
            }
        }
    }
}

/// Refuses `-`, which is standard output, as the name of an output folder.
pub(crate) fn check_folder(out: &Path) -> Result<(), Error> {
    let why = "`-` is standard output, and this needs a folder; `./-` is a folder of that name";
    if out.as_os_str() == "-" { Err(Error::refused("--out", &why)) } else { Ok(()) }
}

/// Writes a file that does not have its name yet.
pub(crate) fn held(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<Held> {
    let mut single = io::BufWriter::with_capacity(1 << 16, Single::new(path)?);
    fill(&mut single)?;
    Ok(single.into_inner().map_err(io::IntoInnerError::into_error)?.hold())
}

/// Writes a file in a folder, which is created if it is missing, in place of an existing one. The file gets its name when it is complete.
///
/// # Errors
///
/// Returns an error if the file cannot be written, or if the name leads out of the folder.
pub fn write_file(folder: &Path, name: &Path, bytes: &[u8]) -> io::Result<()> {
    let target = Target::of(&folder.join(name), folder, &[], Replace::Always)?;
    target.write(&mut io::sink(), |out| out.write_all(bytes))
}

/// Returns the path of a file in an output folder, whose folders in it are created.
fn below(folder: &Path, name: &Path) -> io::Result<PathBuf> {
    let below = name.strip_prefix(folder).ok();
    let is_name = |part| matches!(part, Component::Normal(_));
    let below = below.filter(|below| below.file_name().is_some() && below.components().all(is_name));
    let below = below.ok_or_else(|| io::Error::other("leads out of the output folder"))?;
    let mut path = resolved(folder)?;
    fs::create_dir_all(&path)?;
    for part in below.parent().into_iter().flat_map(Path::components) {
        path.push(part);
        enter(&path, make)?;
    }
    Ok(path.join(below.file_name().unwrap_or_default()))
}

/// Enters a folder inside an output folder. `make` returns whether it created it; otherwise it must exist. A link is an error,
/// because it could lead anywhere.
pub(super) fn enter(path: &Path, make: impl Fn(&Path) -> io::Result<bool>) -> io::Result<bool> {
    let is_new = make(path)?;
    if !is_new && !fs::symlink_metadata(path)?.is_dir() {
        let why = format!("{} is in the way: it is a link or a file, not a folder", table::path(path));
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, why));
    }
    Ok(is_new)
}

/// Creates a folder, and returns whether it is new.
pub(super) fn make(path: &Path) -> io::Result<bool> {
    interrupt::at_write();
    match fs::create_dir(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        made => Ok(made.is_ok()),
    }
}

/// Returns a path without links and `..`, of which the end may not exist yet. A link to a file that does not exist is followed.
fn resolved(name: &Path) -> io::Result<PathBuf> {
    let mut name = name.to_path_buf();
    // As many links as systems follow.
    for _ in 0..40 {
        let path = existing(&name)?;
        match fs::read_link(&path) {
            Ok(to) => name = path.parent().unwrap_or(Path::new("")).join(to),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("there are too many links"))
}

/// Returns a path without links in the part of it that exists, and without `..`.
pub(crate) fn existing(path: &Path) -> io::Result<PathBuf> {
    let path = std::path::absolute(path)?;
    let found = path.ancestors().find_map(|above| Some((above, above.canonicalize().ok()?)));
    let (above, mut real) = found.ok_or_else(|| io::Error::other("no part of the path exists"))?;
    for part in path.strip_prefix(above).unwrap_or(Path::new("")).components() {
        match part {
            Component::ParentDir => {
                real.pop();
            }
            Component::Normal(name) => real.push(name),
            _ => {}
        }
    }
    // What follows a `..` may exist again.
    if real.as_path() != path && real.symlink_metadata().is_ok_and(|metadata| !metadata.is_symlink()) {
        return real.canonicalize();
    }
    Ok(real)
}
