//! Where a difference is in one of the files: members of archives have addresses of their own.

use worldview::wpd::{Archive, Member};
use worldview::{Asset, Handle, Path};
use worldview_export::table::label;

use crate::library;

/// The address of a member inside the compared part, and the path in the member.
pub(super) struct Place {
    /// Empty for the compared part itself.
    pub(super) inside: String,
    pub(super) path: Path,
}

/// Returns the place that a path of a difference names.
pub(super) fn of(handle: &Handle, path: &Path) -> Place {
    let mut place = Place { inside: String::new(), path: Path::new() };
    let mut parts = path.parts().peekable();
    match handle.asset() {
        Asset::Archive(archive) => {
            let mut archive = *archive;
            while let Some(member) = parts.peek().and_then(|part| member(&archive, part)) {
                parts.next();
                place.enter(&member.label());
                match member.archive() {
                    Ok(nested) if !nested.is_table() => archive = nested,
                    _ => break,
                }
            }
        }
        Asset::Rez(archive) => {
            let directory = handle.directory().unwrap_or_else(|| archive.root());
            let mut names: Vec<Vec<u8>> = directory.path().names().iter().map(|name| name.to_vec()).collect();
            while let Some(name) = parts.peek().and_then(plain) {
                names.push(name.clone());
                let joined = names.join(&b'/');
                let is_file = archive.by_path(&joined).is_some();
                if !is_file && archive.directory(&joined).is_none() {
                    break;
                }
                parts.next();
                place.enter(&name);
                if is_file {
                    // What is in a level or picture has paths of its own.
                    parts.next_if(|part| matches!(part.as_str(), "@level" | "@picture"));
                    break;
                }
            }
        }
        _ => {}
    }
    parts.for_each(|part| place.path.append(&part));
    place
}

impl Place {
    fn enter(&mut self, name: &[u8]) {
        self.inside = library::join(&self.inside, &library::encode(name));
    }
}

/// Returns the name of a member, if the part of a path is one. The second of several with one name has no address.
fn plain(part: &Path) -> Option<Vec<u8>> {
    let segment = part.segments().next()?;
    (segment.kind.is_none() && segment.nth.unwrap_or(0) == 0).then(|| segment.key.into_owned())
}

/// Returns the first member with the name that the part of a path is.
fn member<'a>(archive: &Archive<'a>, part: &Path) -> Option<Member<'a>> {
    let name = plain(part)?;
    let name = worldview_inspect::utf8(&name);
    archive.members().find(|member| label(member) == *name)
}
