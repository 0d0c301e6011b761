//! Handles as JSON and text, in the shapes of `worldview show`.

use std::io::Write;

#[cfg(feature = "json")]
use crate::describe::{Array, List};
use crate::inspect::{Options, Result, text};
#[cfg(feature = "json")]
use crate::inspect::{Select, json};

use super::Handle;

/// Selects everything in a table, except for the bytes of its sections and the string pool, whose values are in the
/// records and arrays: what the command writes of a table, with its string arrays, unless it is asked for
/// everything.
#[cfg(feature = "json")]
struct Values;

#[cfg(feature = "json")]
impl Select for Values {
    fn list(&self, list: &List) -> bool {
        list.name != "strings"
    }

    fn array(&self, array: &Array<'_>) -> bool {
        array.name == "extra"
    }
}

impl Handle {
    /// Writes the contents as JSON, as `worldview show` does. A record is written as its table.
    ///
    /// Returns whether there are any: data in no known format has none.
    ///
    /// # Errors
    ///
    /// Returns an error if `out` does, or if overlapping parts exceed the work limit.
    #[cfg(feature = "json")]
    pub fn write_json(&self, options: &Options<'_>, out: impl Write) -> Result<bool> {
        let table = Options { encoding: options.encoding, full: true, select: &Values };
        let options = if self.is_table() && !options.full { &table } else { options };
        self.asset().describe(|root| json::write(root, options, out)).map_or(Ok(false), |done| done.map(|()| true))
    }

    /// Writes the contents as text, as `worldview show` does. A record is written as its table.
    ///
    /// Returns whether there are any: data in no known format has none.
    ///
    /// # Errors
    ///
    /// Returns an error if `out` does, or if overlapping parts exceed the work limit.
    pub fn write_text(&self, options: &Options<'_>, out: impl Write) -> Result<bool> {
        let options = Options { full: options.full || self.is_table(), ..*options };
        self.asset().describe(|root| text::write(root, &options, out)).map_or(Ok(false), |done| done.map(|()| true))
    }

    const fn is_table(&self) -> bool {
        #[cfg(feature = "wpd")]
        return matches!(self, Self::Table(_) | Self::Record(..));
        #[cfg(not(feature = "wpd"))]
        false
    }
}
