//! Prints a field of a table with one of the records that another field names in a second table:
//! `cargo run -p worldview --example join -- bestiary.wdb s5Food0 items.wdb uPurchasePrice`
use std::env::args;

use worldview::{Asset, Handle};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let [left, key, right, field] =
        args().skip(1).collect::<Vec<_>>().try_into().map_err(|_| "LEFT KEY RIGHT FIELD")?;
    let (left, right) = (Handle::open(left)?, Handle::open(right)?);
    let (Asset::Table(left), Asset::Table(right)) = (left.asset(), right.asset()) else {
        return Err("not tables".into());
    };
    for row in left {
        let name = row.get(&key).ok_or("no such key")?.to_string();
        let value = right.by_name(&name).and_then(|found| found.get(&field));
        let value = value.map_or("-".into(), |value| value.to_string());
        println!("{}\t{name}\t{value}", row.name().escape_ascii());
    }
    Ok(())
}
