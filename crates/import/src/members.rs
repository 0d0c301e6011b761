//! Changes from a folder of exported archive members.

use std::collections::{HashMap, HashSet};

use worldview_core::Path;
use worldview_wpd::Archive;

use worldview_edit::{Change, Changes, EditError, EditErrorKind, Planned, Position, Result, Value};
use worldview_export::table::label;

/// How members are compared.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Whether members that are not among the files are removed.
    pub removes: bool,
}

impl Options {
    /// Sets whether members that are not among the files are removed.
    #[must_use]
    pub const fn removes(self, removes: bool) -> Self {
        Self { removes }
    }
}

/// Returns the changes that give an archive the bytes of files, by the names of its members with their extensions.
///
/// The names are those in the archive; file names of an export can differ, and its manifest has both (`name_bytes`). A file with
/// another name is a new member. Of an archive inside the archive, give the files to its own plan, whose changes are
/// relative to it.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use worldview_import::members::{Options, members};
/// use worldview_export::table::label;
/// use worldview_wpd::Archive;
///
/// # let file: &[u8] = include_bytes!("../../../samples/effects.bin");
/// let archive = Archive::parse(file)?;
/// let mut files: Vec<_> = archive.members().map(|member| (label(&member), member.data().to_vec())).collect();
/// files[1].1.push(0);
/// let plan = files.iter().map(|(name, data)| (name.as_bytes(), data.as_slice()));
/// let changes = members(&archive, plan, &Options::default())?.complete()?;
/// assert_eq!(changes.len(), 1);
/// assert_eq!(changes.iter().next().map(|change| change.path().as_str()), Some(files[1].0.as_str()));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// Returns an error, with the path of the member, if two files have one name, or if several members have the name of a file with
/// other bytes.
pub fn members<'f>(
    original: &Archive<'_>,
    files: impl IntoIterator<Item = (&'f [u8], &'f [u8])>,
    options: &Options,
) -> Result<Planned> {
    let labels: Vec<_> = original.members().map(|member| label(&member).into_bytes()).collect();
    let mut by_label: HashMap<&[u8], Vec<usize>> = HashMap::new();
    for (index, label) in labels.iter().enumerate() {
        by_label.entry(label).or_default().push(index);
    }
    let mut seen = HashSet::new();
    let mut changes = Changes::new();
    for (name, data) in files {
        let path = path(name, None);
        if !seen.insert(name) {
            return Err(EditError::new(
                &path,
                EditErrorKind::Malformed { line: None, why: "two files have this name".to_owned() },
            ));
        }
        let list = by_label.get(name).map_or(&[][..], Vec::as_slice);
        let found = |index: &usize| original.get(*index).map_or(&[][..], |member| member.data());
        match list {
            [] => {
                let data = Some(Value::Bytes(data.to_vec()));
                let (fields, position) = (Vec::new(), Position::Natural);
                changes.push(Change::Add { path, like: None, position, fields, data });
            }
            // An export of members with one name has other file names for all but the first.
            list if list.iter().any(|index| found(index) == data) => {}
            [index] => {
                let from = Some(Value::Bytes(found(index).to_vec()));
                changes.push(Change::Set { path, from, to: Value::Bytes(data.to_vec()) });
            }
            list => return Err(EditError::new(&path, EditErrorKind::Ambiguous { count: list.len() })),
        }
    }
    for (index, label) in
        labels.iter().enumerate().filter(|(_, label)| options.removes && !seen.contains(label.as_slice()))
    {
        let path_of = |index: usize, label: &[u8]| {
            let list = by_label.get(label).map_or(&[][..], Vec::as_slice);
            let nth = list.binary_search(&index).ok().filter(|_| list.len() > 1);
            path(label, nth.and_then(|nth| u32::try_from(nth).ok()))
        };
        let before = index.checked_sub(1).and_then(|before| Some((before, labels.get(before)?)));
        let was = before.map_or(Position::Natural, |(before, label)| Position::After(path_of(before, label)));
        let data = original.get(index).map(|member| Value::Bytes(member.data().to_vec()));
        changes.push(Change::Remove { path: path_of(index, label), fields: Vec::new(), data, was });
    }
    Ok(changes.into())
}

fn path(label: &[u8], nth: Option<u32>) -> Path {
    let mut path = Path::new();
    match nth {
        Some(nth) => path.push_nth(label, nth),
        None => path.push_name(label),
    }
    path
}
