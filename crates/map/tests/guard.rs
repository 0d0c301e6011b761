//! Mapped files that are shortened while they are read.
#![cfg(test)]
#![cfg(unix)]
#![allow(clippy::arithmetic_side_effects, reason = "a slip fails the test")]

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Barrier, Mutex, MutexGuard, PoisonError};
use std::thread;

use tempfile::TempDir;
use worldview_map::{Bytes, Loader, guard};

/// A multiple of every page size.
const PAGE: usize = 1 << 16;

/// Serializes the tests, which share one table.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    guard::install().unwrap();
    alone
}

fn load() -> Loader {
    #[expect(unsafe_code, reason = "mapping asks for a promise")]
    // SAFETY: violated on purpose. The files are shortened while they are mapped; the tests hold no reference across
    // the change and do not rely on any byte from before.
    let load = unsafe { Loader::mmap() };
    load.map_from(0)
}

/// Creates a folder with a file of `len` bytes of 0xAB.
fn file(len: usize) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("level.wwd");
    fs::write(&path, vec![0xAB; len]).unwrap();
    (folder, path)
}

fn set_len(path: &Path, len: usize) {
    File::options().write(true).open(path).unwrap().set_len(len as u64).unwrap();
}

fn assert_shrank(bytes: &Bytes<'_>) {
    let error = bytes.check().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnexpectedEof);
    assert_eq!(error.to_string(), "shrank while being read");
}

fn count(bytes: &[u8], wanted: u8) -> usize {
    bytes.iter().filter(|&&byte| byte == wanted).count()
}

#[test]
fn missing_pages_read_as_zeros_and_other_mappings_stay() {
    let _alone = alone();
    let (_one, shrinking) = file(8 * PAGE + 5);
    let (_two, other) = file(8 * PAGE);
    let (bytes, before) = (load().open(&shrinking).unwrap(), load().open(&other).unwrap());
    assert!(bytes.is_guarded() && before.is_guarded());
    let again = load().open(&shrinking).unwrap();
    assert_eq!((count(&bytes, 0xAB), bytes.shrank()), (8 * PAGE + 5, false));
    bytes.check().unwrap();

    set_len(&shrinking, 2 * PAGE + 100);
    assert!(!bytes.shrank(), "nobody has looked yet");
    assert_eq!(bytes.last(), Some(&0));
    assert_eq!(bytes.len(), 8 * PAGE + 5);
    assert!(bytes.shrank());
    assert_shrank(&bytes);
    assert_eq!((count(&bytes, 0xAB), count(&bytes, 0)), (2 * PAGE + 100, 6 * PAGE - 95));

    // The same file mapped twice: each mapping detects the change on its own.
    assert!(!again.shrank());
    assert_eq!(count(&again, 0xAB), 2 * PAGE + 100);
    assert!(again.shrank());

    assert_eq!((count(&before, 0xAB), before.shrank()), (8 * PAGE, false));
    before.check().unwrap();
    let after = load().open(&shrinking).unwrap();
    assert_eq!((after.len(), count(&after, 0xAB), after.shrank()), (2 * PAGE + 100, 2 * PAGE + 100, false));
    after.check().unwrap();
}

#[test]
fn a_file_that_is_empty_all_at_once() {
    let _alone = alone();
    let (_folder, path) = file(3 * PAGE);
    let bytes = load().open(&path).unwrap();
    set_len(&path, 0);
    assert_eq!(bytes.first(), Some(&0));
    assert!(bytes.shrank());
    assert_eq!(count(&bytes, 0), 3 * PAGE);
    // A mapping that missed a page stays marked, even if the file grows again.
    fs::write(&path, vec![0xCD; 3 * PAGE]).unwrap();
    assert_shrank(&bytes);
}

#[test]
fn bytes_gone_within_the_last_page_are_seen_by_the_length() {
    let _alone = alone();
    let (_folder, path) = file(1000);
    let bytes = load().open(&path).unwrap();
    set_len(&path, 999);
    assert_eq!(bytes.last(), Some(&0));
    assert!(!bytes.shrank());
    assert_shrank(&bytes);
}

#[test]
fn a_file_that_grows_or_is_replaced_is_whole() {
    let _alone = alone();
    let (_folder, path) = file(1000);
    let bytes = load().open(&path).unwrap();
    set_len(&path, 2 * PAGE);
    assert_eq!((bytes.len(), count(&bytes, 0xAB)), (1000, 1000));
    bytes.check().unwrap();
    let other = path.with_extension("new");
    fs::write(&other, b"another").unwrap();
    fs::rename(&other, &path).unwrap();
    assert_eq!((count(&bytes, 0xAB), load().open(&path).unwrap().len()), (1000, 7));
    bytes.check().unwrap();
    fs::remove_file(&path).unwrap();
    bytes.check().unwrap();
}

#[test]
fn a_file_that_is_renamed_and_shortened_is_seen_by_its_last_page() {
    let _alone = alone();
    let (_folder, path) = file(2 * PAGE + 5);
    let bytes = load().open(&path).unwrap();
    let renamed = path.with_extension("old");
    fs::rename(&path, &renamed).unwrap();
    fs::write(&path, vec![0xCD; 3 * PAGE]).unwrap();
    bytes.check().unwrap();
    set_len(&renamed, 2 * PAGE);
    assert_shrank(&bytes);
    assert_eq!((count(&bytes, 0xAB), bytes.len()), (2 * PAGE, 2 * PAGE + 5));
}

#[test]
fn a_file_that_is_read_is_a_copy() {
    let _alone = alone();
    let (_folder, path) = file(1000);
    let bytes = Loader::read().open(&path).unwrap();
    set_len(&path, 0);
    assert!(!bytes.is_guarded() && !bytes.shrank());
    assert_eq!(count(&bytes, 0xAB), 1000);
    bytes.check().unwrap();
}

#[test]
fn many_threads_run_into_the_same_end() {
    let _alone = alone();
    for round in 0..20 {
        let (_folder, path) = file(64 * PAGE);
        let bytes = load().open(&path).unwrap();
        let (_other, whole) = file(4 * PAGE);
        let start = Barrier::new(9);
        thread::scope(|scope| {
            for thread in 0..8 {
                let (bytes, start, whole) = (&bytes, &start, &whole);
                scope.spawn(move || {
                    // Mappings are created and dropped next to the one that breaks.
                    let mine = load().open(whole).unwrap();
                    start.wait();
                    // Threads access the pages from the end, from the start, or in strides.
                    let step = [1, 63, 5, 7][thread % 4];
                    let sum: usize = (0..64).map(|n| usize::from(bytes[(n * step % 64) * PAGE + thread])).sum();
                    assert!(sum <= 64 * 0xAB && sum.is_multiple_of(0xAB), "zeros or what was there: {sum}");
                    assert_eq!(bytes[63 * PAGE + thread], 0);
                    assert_eq!(count(&mine, 0xAB), 4 * PAGE);
                    mine.check().unwrap();
                });
            }
            set_len(&path, (round % 5) * PAGE);
            start.wait();
        });
        assert!(bytes.shrank());
        assert_eq!(count(&bytes, 0xAB), (round % 5) * PAGE);
    }
}

#[test]
fn places_in_the_table_are_used_again() {
    let _alone = alone();
    let (_folder, path) = file(4 * PAGE);
    for _ in 0..1000 {
        let bytes = load().open(&path).unwrap();
        assert!(bytes.is_guarded());
        set_len(&path, PAGE);
        assert!(!bytes.shrank(), "what the place knew of another mapping is forgotten");
        assert_eq!(bytes[3 * PAGE], 0);
        assert!(bytes.shrank());
        set_len(&path, 4 * PAGE);
    }
}

#[test]
fn a_thousand_mappings_are_guarded_without_open_files() {
    let _alone = alone();
    let (_folder, path) = file(2 * PAGE);
    let mut mappings: Vec<_> = (0..1000).map(|_| load().open(&path).unwrap()).collect();
    assert!(mappings.iter().all(Bytes::is_guarded));
    #[cfg(target_os = "linux")]
    assert!(fs::read_dir("/proc/self/fd").unwrap().count() < 50);
    // Places in the middle of the table are given to new mappings.
    mappings.drain(300..700).for_each(drop);
    mappings.extend((0..400).map(|_| load().open(&path).unwrap()));
    assert!(mappings.iter().all(|bytes| (count(bytes, 0xAB), bytes.shrank()) == (2 * PAGE, false)));
    set_len(&path, PAGE);
    assert!(mappings.iter().all(|bytes| (bytes[PAGE], bytes.shrank()) == (0, true)));
}

#[test]
fn system_calls_fail_instead() {
    let _alone = alone();
    let (folder, path) = file(2 * PAGE);
    let bytes = load().open(&path).unwrap();
    set_len(&path, 0);
    let error = fs::write(folder.path().join("copy"), &*bytes).unwrap_err();
    assert_eq!(error.raw_os_error(), Some(libc::EFAULT));
    assert_shrank(&bytes);
}

/// Tests that run in a process of their own because they may kill it.
mod children {
    use std::env;
    use std::os::fd::AsRawFd;
    use std::os::unix::process::ExitStatusExt;
    use std::process::{Command, ExitStatus};

    use super::*;

    const ASKED: &str = "WORLDVIEW_GUARD_CHILD";

    /// Runs the test `child` of this binary in a new process, whose current directory has its file.
    fn run(case: &str) -> ExitStatus {
        let (folder, _) = file(2 * PAGE);
        let mut command = Command::new(env::current_exe().unwrap());
        command.args(["--exact", "children::child", "--nocapture"]).env(ASKED, case).current_dir(&folder);
        command.output().unwrap().status
    }

    #[test]
    fn any_other_signal_goes_where_it_went_before() {
        for (case, signal, code) in [
            // The handler of std restores the default action if the signal is not a stack overflow,
            ("std", Some(libc::SIGBUS), None),
            ("default", Some(libc::SIGBUS), None),
            ("ignored", Some(libc::SIGBUS), None),
            ("handler", None, Some(41)),
            ("handler with information", None, Some(42)),
            ("handler once", Some(libc::SIGBUS), None),
            // and ignores the first signal that was sent.
            ("sent to std", None, Some(43)),
            ("sent to default", Some(libc::SIGBUS), None),
            ("sent to ignored", None, Some(43)),
            ("sent to handler", None, Some(41)),
            ("sent to handler with information", None, Some(42)),
        ] {
            for guarded in ["", "plain "] {
                let status = run(&format!("{guarded}{case}"));
                assert_eq!((status.signal(), status.code()), (signal, code), "{guarded}{case}");
            }
        }
    }

    #[test]
    fn only_what_was_mapped_later_and_still_is_has_a_guard() {
        for (case, signal, code) in [
            ("late", None, Some(43)),
            ("late over ignored", None, Some(43)),
            ("early", Some(libc::SIGBUS), None),
            ("dropped", Some(libc::SIGBUS), None),
            ("plain late", Some(libc::SIGBUS), None),
        ] {
            let status = run(case);
            assert_eq!((status.signal(), status.code()), (signal, code), "{case}");
        }
    }

    #[test]
    fn without_a_guard_the_length_counts_while_the_path_leads_to_the_file() {
        for case in ["elsewhere", "renamed"] {
            assert_eq!(run(case).code(), Some(43), "{case}");
        }
    }

    extern "C" fn leave(_: libc::c_int) {
        exit(41)
    }

    extern "C" fn leave_if_asked(_: libc::c_int, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
        exit(if info.is_null() { 1 } else { 42 })
    }

    extern "C" fn stay(_: libc::c_int) {}

    fn exit(code: i32) {
        #[expect(unsafe_code, reason = "the one way out that is allowed in a handler")]
        // SAFETY: takes no pointer, and is async-signal-safe.
        unsafe {
            libc::_exit(code)
        }
    }

    fn handle(handler: libc::sighandler_t, flags: libc::c_int) {
        #[expect(unsafe_code, reason = "a plain structure of C")]
        // SAFETY: zeros are valid for all of its fields.
        let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
        action.sa_sigaction = handler;
        action.sa_flags = flags;
        #[expect(unsafe_code, reason = "what the guard will find")]
        // SAFETY: both pointers are to complete structures or null; the handlers above are async-signal-safe.
        let status = unsafe { libc::sigaction(libc::SIGBUS, &raw const action, std::ptr::null_mut()) };
        assert_eq!(status, 0);
    }

    /// Not a test by itself: the code that the processes above run.
    #[test]
    fn child() {
        let Ok(case) = env::var(ASKED) else { return };
        // No core files from tests. The CPU limit stops a handler that does nothing and faults forever.
        for (resource, most) in [(libc::RLIMIT_CORE, 0), (libc::RLIMIT_CPU, 5)] {
            #[expect(unsafe_code, reason = "bounds of a process that may misbehave")]
            // SAFETY: the structure outlives the call.
            let status = unsafe { libc::setrlimit(resource, &libc::rlimit { rlim_cur: most, rlim_max: most }) };
            assert_eq!(status, 0);
        }
        let (case, plain) = case.strip_prefix("plain ").map_or((&*case, false), |case| (case, true));
        match case.trim_start_matches("sent to ") {
            "default" => handle(libc::SIG_DFL, 0),
            "ignored" | "late over ignored" => handle(libc::SIG_IGN, 0),
            "handler" => handle(leave as extern "C" fn(_) as libc::sighandler_t, 0),
            "handler with information" => {
                handle(leave_if_asked as extern "C" fn(_, _, _) as libc::sighandler_t, libc::SA_SIGINFO);
            }
            "handler once" => handle(stay as extern "C" fn(_) as libc::sighandler_t, libc::SA_RESETHAND),
            _ => {}
        }
        let path = Path::new("level.wwd");
        let early = load().open(path).unwrap();
        if !plain {
            guard::install().unwrap();
            guard::install().unwrap();
        }
        let late = load().open(path).unwrap();
        assert_eq!((early.is_guarded(), late.is_guarded()), (false, !plain));
        #[expect(unsafe_code, reason = "a mapping that the guard knows nothing of")]
        // SAFETY: violated on purpose, as in `load`.
        let foreign = unsafe { memmap2::Mmap::map(&File::open(path).unwrap()) }.unwrap();
        set_len(path, 0);
        let byte = match case {
            "late" | "late over ignored" => late[PAGE],
            "early" => early[PAGE],
            "dropped" => dropped(late, path),
            "elsewhere" => {
                env::set_current_dir("/").unwrap();
                assert_shrank(&early);
                0
            }
            "renamed" => {
                fs::rename(path, "renamed").unwrap();
                early.check().unwrap();
                assert_shrank(&late);
                0
            }
            sent if sent.starts_with("sent") => send(),
            _ => foreign[PAGE],
        };
        exit(43 + i32::from(byte));
    }

    fn send() -> u8 {
        #[expect(unsafe_code, reason = "a signal to this thread")]
        // SAFETY: takes no pointer.
        let status = unsafe { libc::raise(libc::SIGBUS) };
        u8::from(status != 0)
    }

    /// Checks that a dropped range is forgotten: a new mapping at its address is not guarded.
    fn dropped(bytes: Bytes<'_>, path: &Path) -> u8 {
        let at = bytes.as_ptr();
        drop(bytes);
        let file = File::open(path).unwrap();
        #[expect(unsafe_code, reason = "a mapping that the guard knows nothing of")]
        // SAFETY: the pages were unmapped by the drop above, and this test is the only one in its process.
        let there = unsafe {
            libc::mmap(at as *mut _, PAGE, libc::PROT_READ, libc::MAP_SHARED | libc::MAP_FIXED, file.as_raw_fd(), 0)
        };
        #[expect(unsafe_code, reason = "raises the signal")]
        // SAFETY: mapped just now, and never unmapped.
        unsafe {
            there.cast::<u8>().read_volatile()
        }
    }
}

/// Files in sysfs report a page and deliver a few bytes, like a file that shrinks after its length was read.
#[test]
#[cfg(target_os = "linux")]
fn a_file_that_says_more_than_it_delivers_has_shrunk() {
    let path = Path::new("/sys/devices/system/cpu/possible");
    let said = fs::metadata(path).map_or(0, |metadata| metadata.len());
    if said == 0 {
        eprintln!("no such file here");
        return;
    }
    let mut scratch = Vec::new();
    for error in [Loader::read().open(path).err(), Loader::read().open_in(path, &mut scratch).err()] {
        let error: io::Error = error.unwrap();
        assert_eq!(error.kind(), ErrorKind::UnexpectedEof);
        assert_eq!(error.to_string(), "shrank while being read");
    }
    // A file that reports no length is read to its end.
    assert!(Loader::read().open("/proc/self/status").unwrap().starts_with(b"Name:"));
}
