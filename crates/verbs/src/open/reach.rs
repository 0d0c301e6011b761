//! How deep the paths of each verb lead.

/// How deep a path may lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Depth {
    /// To files, and to members and files of archives.
    Members,
    /// Also to records.
    Records,
    /// Also to worlds, models, parts and textures of WORLD.WDB.
    Worlds,
    /// To those, and to records and fields of tables.
    Outputs,
    /// To anything.
    Any,
}

impl Depth {
    /// Returns what a path may lead to.
    pub(super) const fn about(self) -> &'static str {
        match self {
            Self::Members => "files, and members of archives",
            Self::Records => "files, members of archives, and records",
            Self::Worlds => "files, members of archives, and worlds, models, parts and textures of WORLD.WDB",
            Self::Outputs => {
                "files, members of archives, records and fields of tables, and worlds, models, parts and textures of WORLD.WDB"
            }
            Self::Any => "everything",
        }
    }
}

/// What a verb sees of the files that it is given.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reach {
    pub(super) verb: &'static str,
    pub(super) depth: Depth,
    /// Whether it sees all archives and tables that are nested in what is selected.
    pub(super) nested: bool,
    /// Whether it sees an archive of which only members are selected.
    pub(super) containers: bool,
}

impl Reach {
    pub(crate) const INFO: Self = Self::named("info", Depth::Records);
    pub(crate) const SHOW: Self = Self::named("show", Depth::Any);
    pub(crate) const DIFF: Self = Self::named("diff", Depth::Any);
    pub(crate) const LIST: Self = Self::nested("list", Depth::Members);
    pub(crate) const SCHEMA: Self = Self::nested("schema", Depth::Members);
    pub(crate) const CHECK: Self = Self::nested("check", Depth::Worlds);
    pub(crate) const FIND: Self = Self { containers: true, ..Self::nested("find", Depth::Any) };
    pub(crate) const EXPORT: Self = Self { containers: true, ..Self::nested("export", Depth::Outputs) };
    /// The same for a REZ archive, in which levels are opened on several threads.
    pub(crate) const EXPORT_REZ: Self = Self { nested: false, ..Self::EXPORT };

    const fn named(verb: &'static str, depth: Depth) -> Self {
        Self { verb, depth, nested: false, containers: false }
    }

    const fn nested(verb: &'static str, depth: Depth) -> Self {
        Self { nested: true, ..Self::named(verb, depth) }
    }
}
