//! What paths select inside of archives.

use worldview::rez::{Directory, File};
use worldview::wpd::{Archive, Member};
use worldview::{Asset, Entry, Segment};
use worldview_inspect::{Selection, is_called};

/// Returns what is selected inside the part that entries lead to.
pub(crate) fn enter<'p>(selection: &Selection<'p>, whole: &Asset<'_>, path: &[Entry<'_, '_>]) -> Selection<'p> {
    if selection.is_all() {
        return selection.clone();
    }
    match path.last() {
        Some(Entry::File(file)) => return opened(enter_file(selection, *file)),
        Some(Entry::Directory(directory)) => return enter_directory(selection, *directory),
        _ => {}
    }
    let (mut inside, mut holder) =
        (selection.clone(), if let Asset::Archive(archive) = whole { Some(*archive) } else { None });
    for entry in path {
        if let (Entry::Member(member), false) = (entry, inside.is_all()) {
            inside = enter_member(&inside, holder.as_ref(), member);
            holder = member.archive().ok();
        }
    }
    inside
}

/// Returns what is selected inside a file of a REZ archive.
pub(super) fn enter_file<'p>(selection: &Selection<'p>, file: File<'_, '_>) -> Selection<'p> {
    enter_entry(enter_directory(selection, file.parent()), file.parent(), &file.file_name())
}

/// Returns what is selected inside a directory of a REZ archive.
fn enter_directory<'p>(selection: &Selection<'p>, directory: Directory<'_, '_>) -> Selection<'p> {
    match directory.parent() {
        Some(parent) => enter_entry(enter_directory(selection, parent), parent, directory.name()),
        None => selection.clone(),
    }
}

fn enter_entry<'p>(selection: Selection<'p>, directory: Directory<'_, '_>, name: &[u8]) -> Selection<'p> {
    if selection.is_all() {
        return selection;
    }
    selection.enter(name, None, &mut |key| {
        directory.directories().any(|directory| is_called(directory.name(), key))
            || directory.files().any(|file| is_called(&file.file_name(), key))
    })
}

/// Returns what is selected inside a level or picture of a REZ archive. In paths that `find` and `diff` print, it is the `@level` or
/// `@picture` of its file.
fn opened(file: Selection<'_>) -> Selection<'_> {
    let step =
        |kind, key: &'static [u8]| file.step(&Segment { kind: Some(kind), key: key.into(), nth: None }, &mut |_| false);
    // A pattern for any kind of element means the elements of the level itself.
    let found =
        [&b"level"[..], b"picture"].into_iter().find(|key| step(":", key).is_none() && !step("@", key).is_none());
    found.map_or_else(|| file.clone(), |key| step("@", key))
}

/// Returns what is selected inside a member of an archive.
pub(super) fn enter_member<'p>(
    selection: &Selection<'p>,
    holder: Option<&Archive<'_>>,
    member: &Member<'_>,
) -> Selection<'p> {
    let nth = if selection.has_numbers() { holder.and_then(|holder| nth(holder, member)) } else { None };
    let is_one_called = |holder: &Archive<'_>, key: &[u8]| holder.members().any(|other| is_called(&other.label(), key));
    selection.enter(&member.label(), nth, &mut |key| holder.is_some_and(|holder| is_one_called(holder, key)))
}

/// Returns how many earlier members have the same name as a member; `None` if the name is unique.
fn nth(holder: &Archive<'_>, member: &Member<'_>) -> Option<u32> {
    /// Maximum number of members that are compared in an unsorted archive.
    const MOST: usize = 10_000;
    let is_same = |other: &Member<'_>| other.name() == member.name() && other.extension() == member.extension();
    let index = member.index();
    let (before, behind) = match holder.is_sorted() {
        true => {
            let before = (0..index).rev().map_while(|index| holder.get(index)).take_while(is_same).count();
            (before, holder.get(index + 1).is_some_and(|next| is_same(&next)))
        }
        false if holder.len() > MOST => return None,
        false => {
            let before = holder.members().take(index).filter(is_same).count();
            (before, holder.members().skip(index + 1).any(|other| is_same(&other)))
        }
    };
    (before > 0 || behind).then(|| u32::try_from(before).unwrap_or(u32::MAX))
}

/// Returns whether a part is inside another part that is selected.
pub(super) fn is_within(
    selection: &Selection<'_>,
    whole: &Asset<'_>,
    parents: &[Entry<'_, '_>],
    path: &[Entry<'_, '_>],
) -> bool {
    match path.last() {
        Some(Entry::File(file)) => enter_directory(selection, file.parent()).is_all(),
        _ => enter(selection, whole, parents).is_all(),
    }
}

/// Returns the path of a member in nested archives, or of a file in directories.
pub(crate) fn path_of<N: AsRef<[u8]>>(names: impl IntoIterator<Item = N>) -> worldview::Path {
    let mut path = worldview::Path::new();
    names.into_iter().for_each(|name| path.push_name(name.as_ref()));
    path
}

/// Returns the names of a path, separated by `/`.
pub(crate) fn names_of(path: &worldview::Path) -> Vec<u8> {
    path.segments().map(|segment| segment.key.into_owned()).collect::<Vec<_>>().join(&b'/')
}

/// Returns the path of a part inside the file, as users write it.
pub(crate) fn place_of(whole: &Asset<'_>, trail: &[Entry<'_, '_>]) -> worldview::Path {
    match trail.last() {
        Some(Entry::File(file)) => return path_of(file.path().names()),
        Some(Entry::Directory(directory)) => return path_of(directory.path().names()),
        _ => {}
    }
    let mut inside = worldview::Path::new();
    let mut holder = if let Asset::Archive(archive) = whole { Some(*archive) } else { None };
    for entry in trail {
        let Entry::Member(member) = entry else { continue };
        match holder.and_then(|holder| nth(&holder, member)) {
            Some(nth) => inside.push_nth(&member.label(), nth),
            None => inside.push_name(&member.label()),
        }
        holder = member.archive().ok();
    }
    inside
}
