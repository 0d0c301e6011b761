//! Committed expected texts. `UPDATE_GOLDEN=1 cargo test` rewrites them.

use std::fs;
use std::path::Path;

/// Compares a text with the golden file `<name>` of `tests/golden`, or writes the file if `UPDATE_GOLDEN` is set. Returns an error
/// if the text differs, naming the first different line, or if the golden file cannot be read or written.
pub fn compare(name: &str, actual: &str) -> Result<(), String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../golden").join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        let folder = path.parent().unwrap_or(&path);
        return fs::create_dir_all(folder)
            .and_then(|()| fs::write(&path, actual))
            .map_err(|error| format!("{name}: {error}"));
    }
    let expected = fs::read_to_string(&path)
        .map_err(|error| format!("{name}: {error}; UPDATE_GOLDEN=1 writes the golden files anew"))?;
    difference(name, &expected, actual)
}

/// Compares a text with the expected one. Returns an error if the text differs, naming the first different line.
pub fn difference(name: &str, expected: &str, actual: &str) -> Result<(), String> {
    if expected == actual {
        return Ok(());
    }
    let (mut expected, mut actual) = (expected.lines(), actual.lines());
    for line in 1.. {
        match (expected.next(), actual.next()) {
            (None, None) => break,
            (expected, actual) if expected != actual => {
                let show = |line: Option<&str>| line.unwrap_or("(end)").to_owned();
                return Err(format!(
                    "{name}:{line}\n  expected {}\n  found    {}\nUPDATE_GOLDEN=1 writes the golden files anew",
                    show(expected),
                    show(actual)
                ));
            }
            _ => {}
        }
    }
    Err(format!("{name}: differs in its line ends"))
}
