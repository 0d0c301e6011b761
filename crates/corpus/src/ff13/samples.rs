//! Two tables and two archives, all invented: what the other files in `samples/` hold.

mod bestiary;
mod effects;
mod items;
mod pack;

/// Name and bytes of each sample.
pub fn samples() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("items.wdb", items::table()),
        ("bestiary.wdb", bestiary::table()),
        ("wdbpack.bin", pack::archive()),
        ("effects.bin", effects::archive()),
    ]
}
