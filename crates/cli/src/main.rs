//! The `worldview` command: chooses the allocator, makes the safety promise for memory mapping and calls the library.

use std::process::ExitCode;

use worldview::Loader;

#[cfg(feature = "dist")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    worldview_cli::process(|| {
        #[expect(unsafe_code, reason = "the promise of `Loader::mmap`, made once for the whole program")]
        // SAFETY: Users run this command on their own files. The help of --mmap says that mapped files must not change
        // during the run, and how to avoid mapping; with --mmap never, this code does not run. Files that are truncated
        // nevertheless are handled by the guard.
        unsafe {
            Loader::mmap()
        }
    })
}
