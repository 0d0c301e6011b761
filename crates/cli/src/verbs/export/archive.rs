//! The export of tables, and of the members of archives.

use std::io;
use std::path::Path;

use serde::Serialize;
use sha2::{Digest as _, Sha256};
use worldview::Budget;
use worldview::wpd::{Archive, Table};
use worldview_export::{Result, hex, wdb};

use super::settle;
use crate::archives::Visit;
use crate::args::Kind;
use crate::describe::{MemberInfo, VERSION};
use crate::exit::Outcome;
use crate::output::{OutputTree, Taken, member_name};

/// The export of one table or archive.
pub(super) struct Job<'j, 'v, 'a> {
    pub(super) visit: &'j Visit<'v, 'a>,
    pub(super) folder: &'j Path,
    pub(super) tree: &'j mut OutputTree,
    pub(super) outcome: &'j mut Outcome,
}

#[derive(Serialize)]
struct Manifest<'m> {
    format: &'static str,
    version: u32,
    source: String,
    /// Where the archive lies in the outermost file, and how long it is.
    offset: u64,
    length: u64,
    recovered: bool,
    members: &'m [ManifestEntry],
}

#[derive(Serialize)]
struct ManifestEntry {
    #[serde(flatten)]
    member: MemberInfo,
    /// All 16 bytes of the name field, in hexadecimal: what the text cannot tell.
    name_bytes: String,
    /// All 8 bytes of the extension field, likewise.
    extension_bytes: String,
    file: String,
    sha256: String,
}

impl Job<'_, '_, '_> {
    pub(super) fn table(&mut self, table: &Table<'_>, kinds: impl Iterator<Item = Kind>) {
        let folder = self.folder;
        let all = wdb::Selection::default();
        let has_arrays = !table.string_arrays().is_empty();
        let mut put = |name: &str, fill: &mut dyn FnMut(&mut (dyn io::Write + Send)) -> Result<()>| {
            let path = folder.join(name);
            let written = self.tree.write(&path, fill);
            settle(self.visit.path, name, &path, written, self.outcome);
        };
        for kind in kinds {
            match kind {
                Kind::Csv => put("records.csv", &mut |out| wdb::csv::table(table, &all, out)),
                Kind::Ndjson => put("records.ndjson", &mut |out| wdb::json::records(table, &all, out)),
                Kind::Parquet => put("records.parquet", &mut |out| wdb::parquet::table(table, &all, out)),
                Kind::Arrow => put("records.arrow", &mut |out| wdb::arrow::table(table, &all, out)),
                Kind::Json => put("table.json", &mut |out| wdb::json::table(table, &all, out)),
                Kind::Text => put("table.txt", &mut |out| wdb::text::table(table, out)),
                _ => {}
            }
            if !has_arrays {
                continue;
            }
            match kind {
                Kind::Csv => put("arrays.csv", &mut |out| wdb::csv::arrays(table, out)),
                Kind::Ndjson => put("arrays.ndjson", &mut |out| wdb::json::arrays(table, out)),
                Kind::Parquet => put("arrays.parquet", &mut |out| wdb::parquet::arrays(table, out)),
                Kind::Arrow => put("arrays.arrow", &mut |out| wdb::arrow::arrays(table, out)),
                _ => {}
            }
        }
    }

    /// Writes every member as it is, and a manifest of them.
    pub(super) fn members(&mut self, archive: &Archive<'_>) {
        let source = archive.source();
        let folder = self.folder;
        // The names of our own files are taken: a nested table called so gets another.
        for own in ["members", "manifest.json"] {
            self.tree.below(folder, Path::new(own));
        }
        let mut taken = Taken::default();
        let mut entries = Vec::new();
        let mut directories = Budget::for_bytes(source.len(), "directories of nested archives");
        // Members may overlap: thousands of them over the same bytes would fill a disk.
        let mut budget = Budget::for_bytes(source.len(), "members that overlap");
        for member in archive.members() {
            let data = member.data();
            if let Err(error) = budget.spend(data.len() as u64, member.source().base(), source.space()) {
                self.outcome.input_failed(self.visit.path, &error);
                break;
            }
            let file = taken.take(member_name(&member));
            let name = format!("members/{file}");
            let path = folder.join(&name);
            let written = self.tree.write(&path, |out| Ok(out.write_all(data)?));
            let is_there = written.is_ok();
            settle(self.visit.path, &name, &path, written, self.outcome);
            if is_there {
                entries.push(ManifestEntry {
                    member: MemberInfo::of(&member, &mut directories),
                    name_bytes: hex(member.entry().name.raw()),
                    extension_bytes: hex(member.entry().extension.raw()),
                    file: name,
                    sha256: hex(&Sha256::digest(data)),
                });
            }
        }
        let manifest = Manifest {
            format: "wpd",
            version: VERSION,
            source: self.visit.path.display().to_string(),
            offset: source.base(),
            length: source.len(),
            recovered: archive.is_recovered(),
            members: &entries,
        };
        let path = folder.join("manifest.json");
        let written = self.tree.write(&path, |out| {
            serde_json::to_writer_pretty(&mut *out, &manifest).map_err(io::Error::from)?;
            Ok(out.write_all(b"\n")?)
        });
        settle(self.visit.path, "manifest.json", &path, written, self.outcome);
    }
}
