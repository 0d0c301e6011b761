//! The output tree: a folder for each input, files that are there whole or not at all.

use std::collections::{HashMap, HashSet};
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

    /// A folder for a part of an input, below that input's folder; the second of one name gets `~2` behind it.
    pub(crate) fn below(&mut self, folder: &Path, inside: &Path) -> PathBuf {
        if inside.as_os_str().is_empty() {
            return folder.into();
        }
        let source = folder.strip_prefix(&self.root).unwrap_or(folder).join(inside);
        self.folder(&source)
    }

    /// Writes a file: beside its place first, and under its name once it is complete.
    pub(crate) fn write(
        &mut self,
        path: &Path,
        fill: impl FnOnce(&mut (dyn Write + Send)) -> worldview_export::Result<()>,
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

/// A file name of our own for a member of an archive, whose name may hold anything.
///
/// Letters, digits and harmless signs stay; every other byte is written as `%` and two hexadecimal digits, so that two
/// names never become one; as is a letter of names that systems reserve, and a dot or blank at an end.
pub(crate) fn member_name(member: &worldview::wpd::Member<'_>) -> String {
    let mut raw = member.name().to_vec();
    if !member.extension().is_empty() {
        raw.push(b'.');
        raw.extend(member.extension());
    }
    file_name(&raw)
}

/// A file name of our own for any name, as [`member_name`] makes them.
pub(crate) fn file_name(raw: &[u8]) -> String {
    if raw.is_empty() {
        return "%".to_owned();
    }
    let last = raw.len() - 1;
    let mut name = String::with_capacity(raw.len());
    for (at, &byte) in raw.iter().enumerate() {
        let harmless = byte.is_ascii_alphanumeric() || b"_-+=@!#$&'()[]{}~,; ".contains(&byte) || byte == b'.';
        let at_an_end = (at == 0 && b". ~-".contains(&byte)) || (at == last && b". ".contains(&byte));
        if harmless && !at_an_end && !(at == 0 && is_reserved(raw)) {
            name.push(char::from(byte));
        } else {
            name.push_str(&format!("%{byte:02X}"));
        }
    }
    name
}

/// Whether Windows takes the name for a device, whatever stands behind its first dot.
fn is_reserved(raw: &[u8]) -> bool {
    let stem = raw.split(|&byte| byte == b'.').next().unwrap_or(raw).trim_ascii_end().to_ascii_uppercase();
    match stem.as_slice() {
        b"CON" | b"PRN" | b"AUX" | b"NUL" => true,
        [b'C', b'O', b'M', number] | [b'L', b'P', b'T', number] => number.is_ascii_digit(),
        _ => false,
    }
}

/// Gives each of several names in one folder another file, where systems take upper and lower case for the same.
#[derive(Debug, Default)]
pub(crate) struct Taken {
    /// The names that are taken, in lower case, with the next number to try for another of that name.
    names: HashMap<String, u64>,
}

impl Taken {
    /// The name, or with `~2` and so on behind its stem if it is taken.
    pub(crate) fn take(&mut self, name: String) -> String {
        let key = name.to_ascii_lowercase();
        let Some(&first) = self.names.get(&key) else {
            self.names.insert(key, 2);
            return name;
        };
        let (stem, extension) = match name.rsplit_once('.') {
            Some((stem, extension)) => (stem, format!(".{extension}")),
            None => (name.as_str(), String::new()),
        };
        for number in first.. {
            let other = format!("{stem}~{number}{extension}");
            let other_key = other.to_ascii_lowercase();
            if !self.names.contains_key(&other_key) {
                self.names.insert(key, number + 1);
                self.names.insert(other_key, 2);
                return other;
            }
        }
        name
    }
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
    fn names_of_members_stay_apart_and_inside() {
        for (raw, expected) in [
            (&b"r_quest.wdb"[..], "r_quest.wdb"),
            (b"..", "%2E%2E"),
            (b"../up", "%2E.%2Fup"),
            (b"a/b\\c:d", "a%2Fb%5Cc%3Ad"),
            (b"auto_hast ", "auto_hast%20"),
            (b"@sound", "@sound"),
            (b"con", "%63on"),
            (b"Com7.clb", "%43om7.clb"),
            (b"console", "console"),
            (b"100%", "100%25"),
            (b"\x01\xFF", "%01%FF"),
            (b"", "%"),
        ] {
            assert_eq!(file_name(raw), expected, "{}", raw.escape_ascii());
        }
    }

    #[test]
    fn names_that_differ_in_case_get_two_files() {
        let mut taken = Taken::default();
        let mut take = |name: &str| taken.take(name.to_owned());
        assert_eq!(
            [take("a.clb"), take("A.clb"), take("a~2.clb"), take("a.clb")].join(" "),
            "a.clb A~2.clb a~2~2.clb a~3.clb"
        );
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
