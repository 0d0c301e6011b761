//! Changes from a folder of exported archive members, and which of its files are members.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap, HashSet};

use worldview_core::Path;
use worldview_edit::account::{Column, Entry};
use worldview_wpd::{Archive, TableOptions};

use worldview_edit::{
    Change, Changes, EditError, EditErrorKind, FileOptions, Format, LAYOUT, Planned, Position, Result, Value,
};
use worldview_export::table::label;

use crate::build::{MEMBER_ADDED, NOT_A_MEMBER};

/// How members are compared.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'o> {
    /// Whether members that are not among the files are removed.
    pub removes: bool,
    /// Whether every file that the archive does not have is added, and not only [tables and archives](not_a_member).
    pub adds_all: bool,
    /// How tables get their field names.
    pub tables: TableOptions<'o, 'o>,
}

impl<'o> Options<'o> {
    /// Sets whether members that are not among the files are removed.
    #[must_use]
    pub const fn removes(self, removes: bool) -> Self {
        Self { removes, ..self }
    }

    /// Sets whether every file that the archive does not have is added.
    #[must_use]
    pub const fn adds_all(self, adds_all: bool) -> Self {
        Self { adds_all, ..self }
    }

    /// Sets how tables get their field names.
    #[must_use]
    pub const fn tables(self, tables: TableOptions<'o, 'o>) -> Self {
        Self { tables, ..self }
    }
}

/// Whether there is something of a name.
pub type Has<'h> = &'h dyn Fn(&[u8]) -> bool;

/// Returns why a file in a folder is not a new member of an archive, or `None` if it is one.
///
/// Folders have files of other programs in them: hidden ones, backups, copies, lists. An archive that is there gets only tables and
/// archives, and a REZ archive files in a known format or with an extension that it has: `extensions` tells which. Without it, the
/// archive is made of the files in a folder, and `files` tells which there are.
pub fn not_a_member(
    format: Format,
    name: &[u8],
    data: &[u8],
    extensions: Option<Has<'_>>,
    files: Has<'_>,
) -> Option<&'static str> {
    let dot = name.iter().rposition(|byte| *byte == b'.').unwrap_or(name.len());
    let (stem, end) = name.split_at_checked(dot)?;
    let extension = end.strip_prefix(b".").unwrap_or(end);
    let text = String::from_utf8_lossy(extension).to_ascii_lowercase();
    if name.starts_with(b".") || matches!(&*name.to_ascii_lowercase(), b"thumbs.db" | b"desktop.ini") {
        return Some("is hidden, or a file of the system");
    }
    let is_backup =
        matches!(&*text, "old" | "orig" | "swp" | "tmp") || text.trim_end_matches(char::is_numeric) == "bak";
    if is_backup || name.ends_with(b"~") {
        return Some("is a backup");
    }
    // Systems put `- Copy` in any language, or a number, behind the name or before it.
    let is_there = |stem: &[u8]| extensions.is_some() || files(&[stem.trim_ascii(), end].concat());
    let is_mark = |at: &usize| stem.get(*at).is_some_and(|byte| b" (~".contains(byte));
    let halves = (0..stem.len()).filter(is_mark).filter_map(|at| stem.split_at_checked(at));
    if halves.into_iter().any(|(one, other)| is_there(one) || is_there(other)) {
        return Some("has the name of a copy");
    }
    let found = Format::sniff(data).or_else(|| Format::of_extension(&text).filter(|_| format == Format::Rez));
    let is_text = |byte: &u8| *byte >= b' ' || byte.is_ascii_whitespace();
    let Some(has) = extensions else {
        let is_list = format == Format::Wpd && !data.is_empty() && data.iter().all(is_text);
        return is_list.then_some("is a text");
    };
    let has = Format::of_extension(&text) == Some(Format::Wpd) || has(extension);
    match (format, found) {
        (Format::Wpd, Some(Format::Wpd)) if has => None,
        (Format::Wpd, _) => Some("is neither a table nor an archive"),
        (_, Some(_)) => None,
        _ if has => None,
        _ => Some("is not in a known format, and the archive has no such files"),
    }
}

/// Returns the entry of a file that is [no new member](not_a_member).
pub fn left_out(path: &Path, why: &str) -> Entry {
    let why = format!("{why}, so it is added only if it is named");
    Entry::new(Column::LeftOut, NOT_A_MEMBER, path, why)
}

/// Returns the changes that give an archive the contents of files, by the names of its members with their extensions: of tables and
/// archives the fields that differ, if that is all, and of others all bytes.
///
/// The names are those in the archive; file names of an export can differ, and its manifest has both (`name_bytes`). If no member has
/// a name and exactly one has it in another case, it is meant, since Windows does not tell them apart. A file with another name is a
/// new member. Of an archive inside the archive, give the files to its own plan, whose changes are
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
/// Returns an error, with the path of the member, if two files have one name, if several members have the name of a file with
/// other bytes, or if several have it in another case.
pub fn members<'f>(
    original: &Archive<'_>,
    files: impl IntoIterator<Item = (&'f [u8], &'f [u8])>,
    options: &Options<'_>,
) -> Result<Planned> {
    let labels: Vec<_> = original.members().map(|member| label(&member).into_bytes()).collect();
    let mut by_label: HashMap<&[u8], Vec<usize>> = HashMap::new();
    for (index, label) in labels.iter().enumerate() {
        by_label.entry(label).or_default().push(index);
    }
    // Needed only for names that no member has.
    let folded = OnceCell::new();
    let mut seen = HashSet::new();
    let has = |extension: &[u8]| original.entries().iter().any(|entry| entry.extension.as_bytes() == extension);
    let mut planned = Planned::default();
    for (name, data) in files {
        let folded = || folded.get_or_init(|| by_case(&labels));
        let alike = if by_label.contains_key(name) { None } else { folded().get(&name.to_ascii_lowercase()) };
        let name = match alike.map_or(&[][..], Vec::as_slice) {
            [] => name,
            [one] => one,
            [one, other, ..] => {
                let [one, other] = [one, other].map(|name| String::from_utf8_lossy(name));
                let why = format!("several members have this name in another case, such as {one} and {other}");
                return Err(EditError::wrong(&path(name, None), why));
            }
        };
        let path = path(name, None);
        if !seen.insert(name) {
            return Err(EditError::wrong(&path, "two files have this name"));
        }
        let list = by_label.get(name).map_or(&[][..], Vec::as_slice);
        let found = |index: &usize| original.get(*index).map_or(&[][..], |member| member.data());
        match list {
            [] => {
                let why = not_a_member(Format::Wpd, name, data, Some(&has), &|_| false);
                if let Some(why) = why.filter(|_| !options.adds_all) {
                    planned.account.push(left_out(&path, why));
                    continue;
                }
                planned.account.push(Entry::new(Column::Done, MEMBER_ADDED, &path, "is a new member"));
                let data = Some(Value::Bytes(data.to_vec()));
                let (fields, position) = (Vec::new(), Position::Natural);
                planned.changes.push(Change::Add { path, like: None, position, fields, data });
            }
            // An export of members with one name has other file names for all but the first.
            list if list.iter().any(|index| found(index) == data) => {}
            [index] => planned.append(edits(name, [found(index), data], options).prefixed(&path)),
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
        planned.changes.push(Change::Remove { path: path_of(index, label), fields: Vec::new(), data, was });
    }
    Ok(planned)
}

/// Returns the different names of members by their names in lower case.
fn by_case(labels: &[Vec<u8>]) -> HashMap<Vec<u8>, Vec<&[u8]>> {
    let mut folded: HashMap<_, Vec<&[u8]>> = HashMap::new();
    for label in labels.iter().collect::<BTreeSet<_>>() {
        folded.entry(label.to_ascii_lowercase()).or_default().push(label);
    }
    folded
}

/// Returns the changes inside a member, or its new bytes if they do not say everything that differs.
fn edits(name: &[u8], [old, new]: [&[u8]; 2], options: &Options<'_>) -> Planned {
    let name = String::from_utf8_lossy(name);
    let [format, other] = [old, new].map(|bytes| Format::sniff(bytes).or(Format::of_file_name(&name)));
    let files = FileOptions { tables: options.tables.file_name(&name), ..FileOptions::default() };
    let inside =
        format.filter(|_| format == other).and_then(|format| worldview_edit::diff(format, old, new, &files).ok());
    inside.filter(|planned| planned.account.entries().all(|entry| entry.code == LAYOUT)).unwrap_or_else(|| {
        let [from, to] = [old, new].map(|bytes| Value::Bytes(bytes.to_vec()));
        Changes::from_iter([Change::Set { path: Path::new(), from: Some(from), to }]).into()
    })
}

fn path(label: &[u8], nth: Option<u32>) -> Path {
    let mut path = Path::new();
    match nth {
        Some(nth) => path.push_nth(label, nth),
        None => path.push_name(label),
    }
    path
}
