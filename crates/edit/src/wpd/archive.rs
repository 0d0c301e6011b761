use worldview_core::Path;
use worldview_wpd::{Archive, TableOptions};

use super::layout::{Data, Draft};
use super::members::{Edit, Names, joined, label};
use super::table;
use crate::tree::Tree;
use crate::{EditError, Patches, Result};

/// Applies the changes of a tree to an archive or table; `path` is where it lies, for errors.
pub(super) fn apply<'a>(
    archive: &Archive<'a>,
    tree: &Tree<'_>,
    path: &Path,
    depth: u32,
    options: TableOptions<'_>,
) -> Result<Patches<'a>> {
    if tree.children.is_empty() {
        return Ok(Patches::new(archive.source().bytes()));
    }
    if archive.is_table() {
        return table::apply(archive, tree, path, options);
    }
    let mut edit = Edit { names: Names::of(archive, None), draft: Draft::new(*archive), archive, path };
    for (name, node) in tree.in_order() {
        let place = edit.place(name, node)?;
        if let Some(change) = node.change {
            edit.member(change, name, place)?;
        }
        if node.children.is_empty() {
            continue;
        }
        let member = edit.found(&place, name)?;
        let inner = joined(path, name);
        let too_deep = || EditError::unsupported(&inner, "the archives are nested too deeply");
        let depth = depth.checked_sub(1).ok_or_else(too_deep)?;
        let why = "this member is not an archive, so there is nothing to edit inside it";
        let nested = member.archive().map_err(|_| EditError::unsupported(&inner, why))?;
        let label = label(&member);
        let label = String::from_utf8_lossy(&label);
        let patches = apply(&nested, node, &inner, depth, options.file_name(&label))?;
        edit.draft.put(member.index(), Data::Edited(patches));
    }
    edit.draft.finish(path)
}
