//! What happens when a mapped file shrinks.
//!
//! Touching a page behind the new end of a shortened file raises SIGBUS, and that kills the process. A program that
//! works through folders it does not own calls [`install`] once, at its start. From then on a missing page of a
//! mapping of this crate reads as zeros, [`Bytes::shrank`](crate::Bytes::shrank) tells so, and
//! [`Bytes::check`](crate::Bytes::check) makes it an error of that file. Every other SIGBUS goes where it went before.
//!
//! ```no_run
//! # fn main() -> std::io::Result<()> {
//! worldview_map::guard::install()?;
//! # #[expect(unsafe_code, reason = "mapping asks for a promise")]
//! # // SAFETY: never run.
//! # let load = unsafe { worldview_map::Loader::mmap() };
//! let file = load.open("level.wwd")?;
//! let sum: u64 = file.iter().map(|&byte| u64::from(byte)).sum();
//! file.check()?; // before anything that was made of the bytes is believed
//! println!("{sum}");
//! # Ok(())
//! # }
//! ```
//!
//! It is a net, not a licence: the bytes of a file that shrinks still change under a `&[u8]`, which is what
//! [`Loader::mmap`](crate::Loader::mmap) asks its caller to keep from happening.
//!
//! # Bounds
//!
//! - [`SLOTS`] mappings are guarded at a time, and only those made after [`install`]. Any other is
//!   [not guarded](crate::Bytes::is_guarded), and as deadly as before.
//! - A storage that fails to deliver a page raises the same signal and is told as a shortened file.
//! - System calls that are handed the mapped bytes raise no signal. They fail with `EFAULT` where a page is missing;
//!   [`Bytes::check`](crate::Bytes::check) then tells by the file's length that it was shortened.
//! - Outside Unix [`install`] does nothing. Windows refuses to shorten a mapped file.

use std::io;

/// How many mappings are guarded at a time.
pub const SLOTS: usize = 256;

/// Installs the handler of SIGBUS; does nothing when it is there already, and outside Unix.
///
/// A program calls this at its start, before it installs handlers of its own: whatever handles SIGBUS at the time of
/// this call is called for each signal that is not about a mapping of this crate, the default action included. A
/// library should leave it to the program.
///
/// # Errors
///
/// What `sigaction` says, which no known system does.
pub fn install() -> io::Result<()> {
    #[cfg(unix)]
    return signal::install();
    #[cfg(not(unix))]
    Ok(())
}

#[cfg(unix)]
pub(crate) use table::Registered;

/// The mapped ranges, where a signal handler can read them.
#[cfg(unix)]
mod table {
    use std::ops::Range;
    use std::sync::atomic::Ordering::SeqCst;
    use std::sync::atomic::{AtomicBool, AtomicUsize};

    /// One range. All accesses are sequentially consistent: nothing here is hot, and the order is then the one written.
    struct Slot {
        /// Counts up with every change. Its low two bits are the state, so a stamp never means two ranges.
        stamp: AtomicUsize,
        start: AtomicUsize,
        end: AtomicUsize,
        shrank: AtomicBool,
    }

    const STATE: usize = 3;
    const FREE: usize = 0;
    /// Added to the stamp of a free slot while its range is written, and again when it counts.
    const NEXT: usize = 1;
    const LIVE: usize = 2;

    static TABLE: [Slot; super::SLOTS] = [const { Slot::new() }; super::SLOTS];

    /// A range in the table, until this is dropped.
    pub(crate) struct Registered(&'static Slot);

    impl Registered {
        /// Puts a range into the table; `None` when the table is full or nobody would look at it.
        pub(crate) fn new(bytes: &[u8]) -> Option<Self> {
            let page = super::signal::page_size()?;
            let Range { start, end } = bytes.as_ptr_range();
            // The mapping goes on to the end of its last page.
            let end = end.addr().checked_next_multiple_of(page)?;
            let slot = TABLE.iter().find(|slot| slot.claim())?;
            slot.start.store(start.expose_provenance(), SeqCst);
            slot.end.store(end, SeqCst);
            slot.shrank.store(false, SeqCst);
            slot.stamp.fetch_add(NEXT, SeqCst);
            Some(Self(slot))
        }

        /// Whether a page of the range was missing.
        pub(crate) fn shrank(&self) -> bool {
            self.0.shrank.load(SeqCst)
        }
    }

    impl Drop for Registered {
        fn drop(&mut self) {
            // From live to the next free state, which no reader takes for the one it saw.
            self.0.stamp.fetch_add(LIVE, SeqCst);
        }
    }

    impl Slot {
        const fn new() -> Self {
            Self {
                stamp: AtomicUsize::new(FREE),
                start: AtomicUsize::new(0),
                end: AtomicUsize::new(0),
                shrank: AtomicBool::new(false),
            }
        }

        fn claim(&self) -> bool {
            let stamp = self.stamp.load(SeqCst);
            let claimed = stamp.wrapping_add(NEXT);
            stamp & STATE == FREE && self.stamp.compare_exchange(stamp, claimed, SeqCst, SeqCst).is_ok()
        }

        /// The range, if there is one and it was not changed while it was looked at.
        fn range(&self) -> Option<Range<usize>> {
            let stamp = self.stamp.load(SeqCst);
            let range = self.start.load(SeqCst)..self.end.load(SeqCst);
            (stamp & STATE == LIVE && self.stamp.load(SeqCst) == stamp).then_some(range)
        }
    }

    /// Hands `replace` the end of the range that holds an address, and marks that range when it succeeds.
    ///
    /// Called in a signal handler: atomics alone. A thread that touches a range borrows its mapping, so the slot of an
    /// address that is really touched stays as it is until the thread goes on.
    pub(super) fn repair(address: usize, replace: impl FnOnce(usize) -> bool) -> bool {
        let found = TABLE.iter().find_map(|slot| Some((slot, slot.range().filter(|range| range.contains(&address))?)));
        let Some((slot, range)) = found else { return false };
        let repaired = replace(range.end);
        if repaired {
            slot.shrank.store(true, SeqCst);
        }
        repaired
    }
}

#[cfg(unix)]
mod signal {
    use std::ffi::c_void;
    use std::io;
    use std::num::NonZeroUsize;
    use std::sync::atomic::AtomicUsize;
    use std::sync::atomic::Ordering::SeqCst;
    use std::sync::{Mutex, OnceLock, PoisonError};

    use nix::libc::{self, c_int, siginfo_t};
    use nix::sys::mman::{MapFlags, ProtFlags, mmap_anonymous};
    use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, raise, sigaction};
    use nix::unistd::{SysconfVar, sysconf};

    /// The size of a page; 0 until the handler is installed.
    static PAGE: AtomicUsize = AtomicUsize::new(0);
    /// What handled SIGBUS before.
    static PREVIOUS: OnceLock<SigAction> = OnceLock::new();
    static INSTALLING: Mutex<()> = Mutex::new(());

    /// The size of a page, once the handler is installed.
    pub(super) fn page_size() -> Option<usize> {
        Some(PAGE.load(SeqCst)).filter(|&page| page > 0)
    }

    pub(super) fn install() -> io::Result<()> {
        let _alone = INSTALLING.lock().unwrap_or_else(PoisonError::into_inner);
        if page_size().is_some() {
            return Ok(());
        }
        let page = sysconf(SysconfVar::PAGE_SIZE)?.and_then(|page| usize::try_from(page).ok());
        let page = page.filter(|page| page.is_power_of_two()).ok_or(io::ErrorKind::Unsupported)?;
        // What was there is known only once something else is, and must be known before our handler can ask for it: for
        // a moment there is the default.
        let previous = set(&default())?;
        let _ = PREVIOUS.set(previous);
        // On the stack for signals, as the handler of stack overflows that this one may have to call must be; and with
        // the mask and habits which that one asked for.
        let habits = previous.flags() & (SaFlags::SA_NODEFER | SaFlags::SA_RESTART);
        let flags = SaFlags::SA_SIGINFO | SaFlags::SA_ONSTACK | habits;
        set(&SigAction::new(SigHandler::SigAction(handle), flags, previous.mask()))?;
        PAGE.store(page, SeqCst);
        Ok(())
    }

    /// The default action: no flags, nothing masked.
    fn default() -> SigAction {
        SigAction::new(SigHandler::SigDfl, SaFlags::empty(), SigSet::empty())
    }

    /// Sets what handles SIGBUS, and answers what did.
    fn set(action: &SigAction) -> nix::Result<SigAction> {
        #[expect(unsafe_code, reason = "the only call that installs a handler")]
        // SAFETY: the handler is `handle`, safe to call in a signal, or the default.
        unsafe {
            sigaction(Signal::SIGBUS, action)
        }
    }

    /// Handles SIGBUS. Everything it calls is safe in a signal: atomics, and bare system calls that leave `errno` alone
    /// when they succeed, as all do unless the process is about to end.
    extern "C" fn handle(signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
        #[expect(unsafe_code, reason = "the kernel's pointer")]
        // SAFETY: the handler is installed with SA_SIGINFO, so the kernel hands it a structure that is valid for the
        // call, or nothing.
        let told = unsafe { info.as_ref() };
        let missing = told.filter(|info| is_missing_page(info)).is_some_and(|info| {
            #[expect(unsafe_code, reason = "a field of a union")]
            // SAFETY: the signal is SIGBUS, for which the kernel fills in the address.
            let address = unsafe { info.si_addr() }.addr();
            super::table::repair(address, |end| zeros(address, end))
        });
        if !missing {
            pass_on(signal, info, context, told.is_some_and(is_of_the_hardware));
        }
    }

    /// Whether the signal can be about a page that is not in the file: on Linux neither one that was sent, nor a broken
    /// memory cell, nor an address that is not aligned.
    fn is_missing_page(info: &siginfo_t) -> bool {
        !cfg!(any(target_os = "linux", target_os = "android")) || info.si_code == libc::BUS_ADRERR
    }

    /// Whether the instruction that raised the signal will raise it again. Only Linux says so plainly.
    fn is_of_the_hardware(info: &siginfo_t) -> bool {
        cfg!(any(target_os = "linux", target_os = "android")) && info.si_code > 0
    }

    /// Puts pages of zeros from that of the address up to `end`. Threads that do so at once put zeros over zeros.
    fn zeros(address: usize, end: usize) -> bool {
        let Some(page) = page_size() else { return false };
        let start = address & !page.wrapping_sub(1);
        let (Some(at), Some(len)) = (NonZeroUsize::new(start), NonZeroUsize::new(end.wrapping_sub(start))) else {
            return false;
        };
        let flags = MapFlags::MAP_FIXED | MapFlags::MAP_PRIVATE;
        #[expect(unsafe_code, reason = "the only way to give the faulting instruction something to read")]
        // SAFETY: `start..end` are whole pages inside one registered range, which is a read-only mapping that this
        // crate made and whose `Mmap` is borrowed by the faulting thread, so nothing but that file's missing bytes is
        // replaced. `Mmap` unmaps the whole range when it is dropped, these pages as well.
        let mapped = unsafe { mmap_anonymous(Some(at), len, ProtFlags::PROT_READ, flags) };
        mapped.is_ok()
    }

    /// Does what would have been done without this handler.
    fn pass_on(signal: c_int, info: *mut siginfo_t, context: *mut c_void, again: bool) {
        let previous = PREVIOUS.get().copied().unwrap_or_else(default);
        let forget = || {
            if previous.flags().contains(SaFlags::SA_RESETHAND) {
                let _ = set(&default());
            }
        };
        match previous.handler() {
            // A fault cannot be ignored.
            SigHandler::SigIgn if !again => {}
            SigHandler::SigDfl | SigHandler::SigIgn => {
                let _ = set(&default());
                if !again {
                    // To this thread; it waits until the handler has returned.
                    let _ = raise(Signal::SIGBUS);
                }
            }
            SigHandler::SigAction(handler) => {
                forget();
                handler(signal, info, context);
            }
            SigHandler::Handler(handler) => {
                forget();
                handler(signal);
            }
        }
    }
}
