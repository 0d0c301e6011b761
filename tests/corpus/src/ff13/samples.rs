//! Two tables and two archives, all invented, as committed in `samples/`.

mod bestiary;
mod effects;
mod items;
mod pack;

/// Returns the name and bytes of each sample.
pub fn samples() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("items.wdb", items::table()),
        ("bestiary.wdb", bestiary::table()),
        ("wdbpack.bin", pack::archive()),
        ("effects.bin", effects::archive()),
    ]
}
