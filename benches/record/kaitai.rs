//! Readers that Kaitai Struct makes of our own descriptions of the formats, in JavaScript and Python: processes of
//! their own, which time themselves.

use std::error::Error;
use std::path::Path;

use crate::measured::Measured;

pub(crate) fn measure(_root: &Path) -> Result<Vec<Measured>, Box<dyn Error>> {
    Ok(Vec::new())
}
