use serde_json::Value;
use worldview_export::html::{Entry, Page};

/// A script element of a page: its opening tag and its contents.
#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) opening: String,
    pub(crate) text: String,
}

/// Returns the script elements of a page as a browser finds them: each ends at the first `</script`.
pub(crate) fn blocks(page: &str) -> Vec<Block> {
    let mut out = Vec::new();
    let mut rest = page;
    while let Some(start) = rest.find("<script") {
        let (opening, inside) = rest[start..].split_once('>').unwrap();
        let mut ends = inside.match_indices("</").map(|(end, _)| end);
        let is_end = |end: &usize| inside[end + 2..].get(..6).is_some_and(|tag| tag.eq_ignore_ascii_case("script"));
        let end = ends.find(is_end).unwrap();
        out.push(Block { opening: opening.into(), text: inside[..end].into() });
        rest = &inside[end..];
    }
    out
}

/// Returns the entries of a page.
pub(crate) fn entries(page: &str) -> Vec<Value> {
    let entries = blocks(page).into_iter().filter(|block| block.opening.contains("class=\"entry\""));
    entries.map(|block| serde_json::from_str(&block.text).unwrap()).collect()
}

/// Returns a page with these entries.
pub(crate) fn page(title: &str, entries: &[Entry<'_>], summary: &[(&str, String)]) -> String {
    let mut page = Page::new(Vec::new(), title).unwrap();
    for entry in entries {
        page.entry(entry).unwrap();
    }
    String::from_utf8(page.finish(summary).unwrap()).unwrap()
}

/// A minimal entry.
pub(crate) const PLAIN: Entry<'static> = Entry::new("table", "", "");
