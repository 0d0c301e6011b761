//! The `worldview` command: makes the promise of mapping, and hands over to the library.

use std::process::ExitCode;

use worldview::Loader;

fn main() -> ExitCode {
    worldview_cli::process(|| {
        #[expect(unsafe_code, reason = "the promise of `Loader::mmap`, made once for the whole program")]
        // SAFETY: the user runs this command on files of theirs, and the help of --mmap says that they must not change
        // meanwhile and how to read them instead; --mmap never keeps the promise out of the program altogether. Files
        // that are shortened all the same are caught by the guard.
        unsafe {
            Loader::mmap()
        }
    })
}
