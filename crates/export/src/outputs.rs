use worldview_format::Kind;

/// Returns the names of the outputs that files of a kind have.
///
/// ```
/// use worldview_export::outputs;
/// use worldview_format::Kind;
///
/// assert_eq!(outputs(Kind::Picture), ["png"]);
/// assert!(outputs(Kind::Data).is_empty());
/// ```
pub const fn outputs(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Archive => &["members"],
        Kind::Database => &["glb", "png", "bmp", "json", "text"],
        Kind::Level => &["tmx", "tmj", "preview", "png", "csv", "ndjson", "parquet", "arrow", "json", "text"],
        Kind::Picture => &["png"],
        Kind::Table => &["csv", "ndjson", "parquet", "arrow", "json", "text"],
        Kind::Textures => &["png", "bmp", "json", "text"],
        _ => &[],
    }
}
