//! Prints the changes between two files of one kind, and checks that applying them gives what the second file says, and that
//! undoing them gives what the first one says.
//!
//! ```text
//! cargo run --release -p worldview-edit --example changes -- LEFT RIGHT
//! ```

use std::error::Error;

use worldview_edit::{Changes, wpd, wwd};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1);
    let (Some(left), Some(right), None) = (arguments.next(), arguments.next(), arguments.next()) else {
        return Err("usage: changes LEFT RIGHT".into());
    };
    let (left, right) = (std::fs::read(left)?, std::fs::read(right)?);
    let is_archive = left.starts_with(b"WPD\0");
    let diff = |left: &[u8], right: &[u8]| if is_archive { wpd::diff(left, right) } else { wwd::diff(left, right) };
    let json = diff(&left, &right)?.changes.to_json()?;
    print!("{json}");
    let changes = Changes::from_json(json.as_bytes())?;
    let edited = if is_archive { wpd::apply(&left, &changes)? } else { wwd::apply(&left, &changes)? }.to_vec();
    let inverse = Changes::from_json(changes.invert()?.to_json()?.as_bytes())?;
    let back = if is_archive { wpd::apply(&edited, &inverse)? } else { wwd::apply(&edited, &inverse)? }.to_vec();
    for rest in [diff(&edited, &right)?, diff(&back, &left)?] {
        if !rest.changes.is_empty() {
            return Err(format!("{} changes are left", rest.changes.len()).into());
        }
    }
    Ok(())
}
