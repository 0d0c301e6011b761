//! The output tree: a folder for each input, files that are there whole or not at all.

use std::collections::HashSet;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::Builder;

/// The folder that is written to.
#[derive(Debug)]
pub(crate) struct OutputTree {
    root: PathBuf,
    taken: HashSet<String>,
    /// Files written.
    pub(crate) files: u64,
    /// Bytes written.
    pub(crate) bytes: u64,
}

impl OutputTree {
    pub(crate) fn new(root: &Path) -> Self {
        Self { root: root.into(), taken: HashSet::new(), files: 0, bytes: 0 }
    }

    /// The folder for an input, by its source path; the second input of one source path gets `~2` behind it, and so on.
    pub(crate) fn folder(&mut self, source: &Path) -> PathBuf {
        for number in 1_u32.. {
            let mut name = source.as_os_str().to_owned();
            if number > 1 {
                name.push(format!("~{number}"));
            }
            // Folders that differ in case alone are one folder on some systems.
            if self.taken.insert(name.to_string_lossy().to_lowercase()) {
                return self.root.join(name);
            }
        }
        self.root.join(source)
    }

    /// Writes a file: beside its place first, and under its name once it is complete.
    pub(crate) fn write(
        &mut self,
        path: &Path,
        fill: impl FnOnce(&mut dyn Write) -> worldview_export::Result<()>,
    ) -> worldview_export::Result<()> {
        let folder = path.parent().unwrap_or(&self.root);
        fs::create_dir_all(folder)?;
        let mut builder = Builder::new();
        builder.prefix(".worldview-").suffix(".tmp");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            // As for any new file, less what the umask takes; the default of temporary files is the owner alone.
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        // Dropped before it is renamed, the file is gone again.
        let file = builder.tempfile_in(folder)?;
        let mut out = BufWriter::with_capacity(1 << 17, file);
        fill(&mut out)?;
        let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        let written = file.as_file().metadata()?.len();
        file.persist(path).map_err(|error| error.error)?;
        self.files += 1;
        self.bytes += written;
        Ok(())
    }
}

/// A file name of our own made from a name in a file, which may hold anything: letters, digits, `-`, `_` and `.` stay.
///
/// Callers put a number before it, so it need not be unique, and no name that a system reserves can come out.
pub(crate) fn safe_name(name: &str) -> String {
    let safe: String = name
        .chars()
        .take(48)
        .map(|char| if char.is_ascii_alphanumeric() || matches!(char, '-' | '_' | '.') { char } else { '_' })
        .collect();
    safe.trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_from_files_cannot_leave_their_folder() {
        assert_eq!(safe_name("Background"), "Background");
        assert_eq!(safe_name("../../etc/passwd"), ".._.._etc_passwd");
        assert_eq!(safe_name("C:\\x\0y"), "C__x_y");
        assert_eq!(safe_name("dots..."), "dots");
        assert_eq!(safe_name(&"n".repeat(500)).len(), 48);
    }

    #[test]
    fn two_inputs_of_one_source_path_get_two_folders() {
        let mut tree = OutputTree::new(Path::new("out"));
        assert_eq!(tree.folder(Path::new("a/LEVEL.WWD")), Path::new("out/a/LEVEL.WWD"));
        assert_eq!(tree.folder(Path::new("a/level.wwd")), Path::new("out/a/level.wwd~2"));
        assert_eq!(tree.folder(Path::new("a/LEVEL.WWD")), Path::new("out/a/LEVEL.WWD~3"));
    }

    #[test]
    fn a_file_that_fails_while_it_is_written_leaves_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let mut tree = OutputTree::new(dir.path());
        let path = dir.path().join("level").join("map.tmx");
        let failed = tree.write(&path, |out| {
            out.write_all(b"half")?;
            Err(io::Error::other("the disk is full").into())
        });
        assert!(failed.is_err());
        assert_eq!(fs::read_dir(dir.path().join("level")).unwrap().count(), 0);
        tree.write(&path, |out| Ok(out.write_all(b"whole")?)).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"whole");
        assert_eq!((tree.files, tree.bytes), (1, 5));
    }
}
