use worldview_wpd::Member;

use worldview_inspect::utf8;

/// Returns a member's name and extension for display, with a dot between them; invalid bytes appear as `\xNN`.
pub fn label(member: &Member<'_>) -> String {
    utf8(&member.label()).into_owned()
}
