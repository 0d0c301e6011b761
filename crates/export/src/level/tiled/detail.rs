/// How much of a tile's attribute is included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Detail {
    Nothing,
    Properties,
    Shapes,
}

impl Detail {
    /// Returns what is omitted, if anything.
    pub(super) const fn left_out(self) -> Option<&'static str> {
        match self {
            Self::Nothing => Some("attribute and shapes"),
            Self::Properties => Some("shapes"),
            Self::Shapes => None,
        }
    }
}
