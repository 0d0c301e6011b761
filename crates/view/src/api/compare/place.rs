//! Where a difference is in one of the files: members of archives have addresses of their own.

use worldview::{Asset, Entry, Handle, Path};

use crate::library;

/// The address of a member inside the compared part, and the path in the member.
pub(super) struct Place {
    /// Empty for the compared part itself.
    pub(super) inside: String,
    pub(super) path: Path,
}

/// Returns the place that a path of a difference names.
pub(super) fn of(handle: &Handle, path: &Path) -> Place {
    let names: Vec<_> = path.parts().map_while(|part| name(&part)).collect();
    let found = handle.asset().follow(handle.at(), &names.join(&b'/'));
    let trail = found.unwrap_or_else(|(trail, _)| trail);
    let count = match (handle.asset(), trail.last()) {
        (Asset::Table(_), _) => 0,
        (_, Some(Entry::File(_) | Entry::Directory(_))) => names.len(),
        _ => trail.iter().filter(|entry| matches!(entry, Entry::Member(_))).count(),
    };
    let inside = names[..count].iter().fold(String::new(), |at, name| library::join(&at, &library::encode(name)));
    let (mut parts, mut path) = (path.parts().skip(count).peekable(), Path::new());
    if let Some(Entry::File(_)) = trail.last() {
        // What is in a level or picture has paths of its own.
        parts.next_if(|part| matches!(part.as_str(), "@level" | "@picture"));
    }
    parts.for_each(|part| path.append(&part));
    Place { inside, path }
}

/// Returns the name of a member, if the part of a path is one. The second of several with one name has no address.
fn name(part: &Path) -> Option<Vec<u8>> {
    let segment = part.segments().next()?;
    (segment.kind.is_none() && segment.nth.unwrap_or(0) == 0).then(|| segment.key.into_owned())
}
