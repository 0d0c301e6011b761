//! Names of parts in errors.

pub(crate) const HEADER: &str = "header of a REZ archive";
pub(crate) const SIGNATURE: &str = "signature of a REZ archive";
pub(crate) const DIRECTORY: &str = "directory";
pub(crate) const DIRECTORY_POS: &str = "offset of a directory";
pub(crate) const DEPTH: &str = "depth of a directory";
pub(crate) const ENTRY: &str = "entry";
pub(crate) const ENTRY_NAME: &str = "name of entry";
pub(crate) const DATA: &str = "data of entry";
pub(crate) const DATA_POS: &str = "data offset of entry";
pub(crate) const WALK: &str = "walk over overlapping directories";
pub(crate) const PID: &str = "header of a PID picture";
pub(crate) const PID_PALETTE: &str = "palette of a PID picture";
pub(crate) const PID_PIXELS: &str = "pixels of a PID picture";
pub(crate) const BMP: &str = "header of a BMP picture";
pub(crate) const BMP_PALETTE: &str = "palette of a BMP picture";
pub(crate) const BMP_PIXELS: &str = "pixels of a BMP picture";
pub(crate) const PCX: &str = "header of a PCX picture";
pub(crate) const PCX_PALETTE: &str = "palette of a PCX picture";
pub(crate) const PCX_PIXELS: &str = "pixels of a PCX picture";
