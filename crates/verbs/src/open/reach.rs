//! How deep into files the paths of each verb may lead.

/// How deep into a file a path may lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Depth {
    /// To files, and to directories and members of archives.
    Members,
    /// Also to worlds, models, parts and global textures of WORLD.WDB.
    Worlds,
    /// To those, and to records.
    Records,
    /// To those, and to records and fields of tables.
    Outputs,
    /// To anything.
    Any,
}

impl Depth {
    /// Returns what a path may lead to.
    pub(super) const fn about(self) -> &'static str {
        match self {
            Self::Members => "files, and directories and members of archives",
            Self::Worlds => {
                "files, directories and members of archives, and worlds, models, parts and global textures of WORLD.WDB"
            }
            Self::Records => {
                "files, directories and members of archives, records, and worlds, models, parts and global textures of WORLD.WDB"
            }
            Self::Outputs => {
                "files, directories and members of archives, records and fields of tables, and worlds, models, parts and global \
                 textures of WORLD.WDB"
            }
            Self::Any => "everything",
        }
    }
}

/// The parts of files that a verb visits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reach {
    pub(super) verb: &'static str,
    pub(super) depth: Depth,
    /// Whether it also visits all archives and tables nested in a selected part.
    pub(super) nested: bool,
    /// Whether it also visits an archive if only members of it are selected.
    pub(super) containers: bool,
}

impl Reach {
    pub(crate) const INFO: Self = Self::named("info", Depth::Records);
    pub(crate) const SHOW: Self = Self::named("show", Depth::Any);
    pub(crate) const DIFF: Self = Self::named("diff", Depth::Any);
    pub(crate) const CHANGES: Self = Self::named("diff --format changes", Depth::Members);
    pub(crate) const LIST: Self = Self::nested("list", Depth::Members);
    pub(crate) const SCHEMA: Self = Self::nested("schema", Depth::Members);
    pub(crate) const CHECK: Self = Self::nested("check", Depth::Worlds);
    pub(crate) const REPAIR: Self = Self::named("repair", Depth::Members);
    pub(crate) const FIND: Self = Self { containers: true, ..Self::nested("find", Depth::Any) };
    pub(crate) const EXPORT: Self = Self { containers: true, ..Self::nested("export", Depth::Outputs) };
    /// The reach of `export` in a REZ archive, whose levels are opened on several threads.
    pub(crate) const EXPORT_REZ: Self = Self { nested: false, ..Self::EXPORT };

    const fn named(verb: &'static str, depth: Depth) -> Self {
        Self { verb, depth, nested: false, containers: false }
    }

    const fn nested(verb: &'static str, depth: Depth) -> Self {
        Self { nested: true, ..Self::named(verb, depth) }
    }
}
