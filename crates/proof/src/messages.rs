//! What every message of an error has to tell, looked for mechanically.

use std::collections::BTreeMap;

/// Looks whether a message names a part, an offset in decimal and in hexadecimal, the space that it counts in, and what
/// was expected and found there.
///
/// # Errors
///
/// What the message does not tell.
pub fn tells_all(message: &str) -> Result<(), String> {
    let missing = |what: &str| format!("{what}: {message}");
    let (part, rest) = message.split_once(" at offset ").ok_or_else(|| missing("no offset"))?;
    if part.is_empty() || part.ends_with(", ") || !part.is_ascii() {
        return Err(missing("no part"));
    }
    let (decimal, rest) = rest.split_once(" (0x").ok_or_else(|| missing("no offset in hexadecimal"))?;
    let (hexadecimal, rest) = rest.split_once(") of the ").ok_or_else(|| missing("no space"))?;
    let (decimal, hexadecimal) = (decimal.parse::<u64>(), u64::from_str_radix(hexadecimal, 16));
    if decimal.is_err() || decimal != hexadecimal {
        return Err(missing("two offsets"));
    }
    let (space, rest) = rest.split_once(": ").ok_or_else(|| missing("nothing behind the space"))?;
    if !["file", "unpacked image"].contains(&space) {
        return Err(missing("an unknown space"));
    }
    // What was wanted, and what is there instead.
    let pairs = [("expected ", "found "), ("need", "there"), ("would take ", "the limit is "), ("is packed", "call ")];
    let tells = |(wanted, found)| rest.split_once(wanted).is_some_and(|(_, rest): (_, &str)| rest.contains(found));
    if pairs.into_iter().any(tells) { Ok(()) } else { Err(missing("nothing expected")) }
}

/// The names of those that have the same message, message by message, where several have.
pub fn alike<'m>(messages: impl IntoIterator<Item = (&'m str, &'m str)>) -> Vec<Vec<&'m str>> {
    let mut names: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (name, message) in messages {
        names.entry(message).or_default().push(name);
    }
    names.into_values().filter(|names| names.len() > 1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_found() {
        assert_eq!(tells_all("plane 3, tile 1 at offset 16 (0x10) of the file: expected 1, found 2"), Ok(()));
        for message in [
            "tile: expected 1, found 2",
            " at offset 16 (0x10) of the file: expected 1, found 2",
            "plane 3,  at offset 16 (0x10) of the file: expected 1, found 2",
            "tile at offset 16 of the file: expected 1, found 2",
            "tile at offset 16 (0x16) of the file: expected 1, found 2",
            "tile at offset 16 (0x10): expected 1, found 2",
            "tile at offset 16 (0x10) of the disk: expected 1, found 2",
            "tile at offset 16 (0x10) of the file: is broken",
            "tile at offset 16 (0x10) of the file: found 1, expected 2",
        ] {
            assert!(tells_all(message).is_err(), "{message}");
        }
    }

    #[test]
    fn those_alike_are_found() {
        assert_eq!(alike([("a", "x"), ("b", "y"), ("c", "x")]), [["a", "c"]]);
    }
}
