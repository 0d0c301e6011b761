//! Keeps the process alive when a mapped file shrinks.
//!
//! Accessing a page past the new end of a shortened file raises SIGBUS, which kills the process. A program that
//! processes files it does not control calls [`install`] once at startup. From then on, a missing page of one of this
//! crate's mappings reads as zeros, [`Bytes::shrank`](crate::Bytes::shrank) returns true, and
//! [`Bytes::check`](crate::Bytes::check) returns an error for that file. Every other SIGBUS is handled as before.
//!
//! ```no_run
//! # fn main() -> std::io::Result<()> {
//! worldview_map::guard::install()?;
//! # #[expect(unsafe_code, reason = "mapping asks for a promise")]
//! # // SAFETY: never run.
//! # let load = unsafe { worldview_map::Loader::mmap() };
//! let file = load.open("level.wwd")?;
//! let sum: u64 = file.iter().map(|&byte| u64::from(byte)).sum();
//! file.check()?; // before relying on anything derived from the bytes
//! println!("{sum}");
//! # Ok(())
//! # }
//! ```
//!
//! This is a safety net, not a license: the bytes of a file that shrinks still change under a `&[u8]`, which the caller
//! of [`Loader::mmap`](crate::Loader::mmap) promises to prevent.
//!
//! # Limits
//!
//! - Mappings made before [`install`] are [not guarded](crate::Bytes::is_guarded): accessing their missing pages still
//!   kills the process.
//! - A storage device that fails to deliver a page raises the same signal and is reported as a shortened file.
//! - System calls that access the mapped bytes raise no signal. They fail with `EFAULT` if a page is missing;
//!   [`Bytes::check`](crate::Bytes::check) then detects the shortened file by its length.
//! - Outside Unix, [`install`] does nothing. Windows does not allow shortening a mapped file.

use std::io;

/// Installs the SIGBUS handler. Does nothing if it is already installed, or outside Unix.
///
/// Call this at startup, before the program installs handlers of its own. The handler that is in place at the time of
/// this call, including the default action, receives each signal that is not about a mapping of this crate. Libraries
/// should leave the call to the program.
///
/// # Errors
///
/// Returns an error if `sigaction` fails, which it does on no known system.
pub fn install() -> io::Result<()> {
    #[cfg(unix)]
    return signal::install();
    #[cfg(not(unix))]
    Ok(())
}

#[cfg(unix)]
pub(crate) use table::Registered;

/// The mapped ranges, readable from a signal handler.
#[cfg(unix)]
mod table {
    use std::iter;
    use std::ops::Range;
    use std::sync::OnceLock;
    use std::sync::atomic::Ordering::SeqCst;
    use std::sync::atomic::{AtomicBool, AtomicUsize};

    /// One range. All accesses are sequentially consistent: nothing here is hot, and it is the easiest order to reason
    /// about.
    struct Slot {
        /// Incremented with every change. The low two bits are the state, so the same stamp never stands for two
        /// ranges.
        stamp: AtomicUsize,
        start: AtomicUsize,
        end: AtomicUsize,
        shrank: AtomicBool,
    }

    const STATE: usize = 3;
    const FREE: usize = 0;
    /// Added to the stamp of a free slot while its range is written, and again when the range is valid.
    const NEXT: usize = 1;
    const LIVE: usize = 2;

    /// The table is a list of blocks, which are never freed. The handler only follows it; `OnceLock::get` is a single load.
    static TABLE: Block = Block::new();

    struct Block {
        slots: [Slot; SLOTS],
        /// Number of slots that are not free, so that full blocks are skipped.
        used: AtomicUsize,
        next: OnceLock<Box<Self>>,
    }

    const SLOTS: usize = 256;

    /// A range in the table. Dropping this removes it.
    pub(crate) struct Registered(&'static Block, &'static Slot);

    impl Registered {
        /// Adds a range to the table. Returns `None` if the handler is not installed.
        pub(crate) fn new(bytes: &[u8]) -> Option<Self> {
            let page = super::signal::page_size()?;
            let Range { start, end } = bytes.as_ptr_range();
            // The mapping extends to the end of its last page.
            let end = end.addr().checked_next_multiple_of(page)?;
            let mut block = &TABLE;
            let slot = loop {
                match block.claim() {
                    Some(slot) => break slot,
                    None => block = block.next.get_or_init(|| Box::new(Block::new())),
                }
            };
            slot.start.store(start.expose_provenance(), SeqCst);
            slot.end.store(end, SeqCst);
            slot.shrank.store(false, SeqCst);
            slot.stamp.fetch_add(NEXT, SeqCst);
            Some(Self(block, slot))
        }

        /// Returns whether a page of the range was missing.
        pub(crate) fn shrank(&self) -> bool {
            self.1.shrank.load(SeqCst)
        }
    }

    impl Drop for Registered {
        fn drop(&mut self) {
            // From live to the next free state, with a new stamp, so that no reader mistakes it for the old one.
            self.1.stamp.fetch_add(LIVE, SeqCst);
            self.0.used.fetch_sub(1, SeqCst);
        }
    }

    impl Block {
        const fn new() -> Self {
            Self { slots: [const { Slot::new() }; SLOTS], used: AtomicUsize::new(0), next: OnceLock::new() }
        }

        fn claim(&self) -> Option<&Slot> {
            let is_full = self.used.load(SeqCst) >= SLOTS;
            let slot = self.slots.iter().find(|slot| !is_full && slot.claim())?;
            self.used.fetch_add(1, SeqCst);
            Some(slot)
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

        /// Returns the range, if there is one and it did not change while being read.
        fn range(&self) -> Option<Range<usize>> {
            let stamp = self.stamp.load(SeqCst);
            let range = self.start.load(SeqCst)..self.end.load(SeqCst);
            (stamp & STATE == LIVE && self.stamp.load(SeqCst) == stamp).then_some(range)
        }
    }

    /// Calls `replace` with the end of the range that contains `address`, and marks that range if `replace` succeeds.
    ///
    /// This runs in a signal handler, so it uses only atomics. A thread that accesses a range borrows its mapping, so
    /// the slot of a faulting address does not change until the thread resumes.
    pub(super) fn repair(address: usize, replace: impl FnOnce(usize) -> bool) -> bool {
        let blocks = iter::successors(Some(&TABLE), |block| block.next.get().map(|next| &**next));
        let mut slots = blocks.flat_map(|block| &block.slots);
        let found = slots.find_map(|slot| Some((slot, slot.range().filter(|range| range.contains(&address))?)));
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

    /// The page size, or 0 until the handler is installed.
    static PAGE: AtomicUsize = AtomicUsize::new(0);
    /// The previous SIGBUS action.
    static PREVIOUS: OnceLock<SigAction> = OnceLock::new();
    static INSTALLING: Mutex<()> = Mutex::new(());

    /// Returns the page size, once the handler is installed.
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
        // The previous action is only known after setting another, and our handler needs it from its first call. So set
        // the default action for a moment.
        let previous = set(&default())?;
        let _ = PREVIOUS.set(previous);
        // Runs on the signal stack, as required by the stack overflow handler that this one may call, and with the mask
        // and the flags that the previous handler requested.
        let kept = previous.flags() & (SaFlags::SA_NODEFER | SaFlags::SA_RESTART);
        let flags = SaFlags::SA_SIGINFO | SaFlags::SA_ONSTACK | kept;
        set(&SigAction::new(SigHandler::SigAction(handle), flags, previous.mask()))?;
        PAGE.store(page, SeqCst);
        Ok(())
    }

    /// Returns the default action, with no flags and an empty mask.
    fn default() -> SigAction {
        SigAction::new(SigHandler::SigDfl, SaFlags::empty(), SigSet::empty())
    }

    /// Sets the SIGBUS action and returns the previous one.
    fn set(action: &SigAction) -> nix::Result<SigAction> {
        #[expect(unsafe_code, reason = "the only call that installs a handler")]
        // SAFETY: the handler is `handle`, which is async-signal-safe, or the default.
        unsafe {
            sigaction(Signal::SIGBUS, action)
        }
    }

    /// Handles SIGBUS. Everything it calls is async-signal-safe: atomics, and bare system calls that leave `errno`
    /// alone if they succeed, as all do unless the process is about to end.
    extern "C" fn handle(signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
        #[expect(unsafe_code, reason = "the kernel's pointer")]
        // SAFETY: the handler is installed with SA_SIGINFO, so the kernel passes null or a structure that is valid for
        // the duration of the call.
        let details = unsafe { info.as_ref() };
        let missing = details.filter(|info| is_missing_page(info)).is_some_and(|info| {
            #[expect(unsafe_code, reason = "a field of a union")]
            // SAFETY: the signal is SIGBUS, for which the kernel sets the address.
            let address = unsafe { info.si_addr() }.addr();
            super::table::repair(address, |end| zeros(address, end))
        });
        if !missing {
            forward(signal, info, context, details.is_some_and(is_of_the_hardware));
        }
    }

    /// Returns whether the signal can be about a missing page of a file. On Linux this excludes signals that were sent,
    /// memory errors and unaligned addresses.
    fn is_missing_page(info: &siginfo_t) -> bool {
        !cfg!(any(target_os = "linux", target_os = "android")) || info.si_code == libc::BUS_ADRERR
    }

    /// Returns whether the faulting instruction will raise the signal again. Only Linux reports this reliably.
    fn is_of_the_hardware(info: &siginfo_t) -> bool {
        cfg!(any(target_os = "linux", target_os = "android")) && info.si_code > 0
    }

    /// Maps zero pages from the page of `address` up to `end`. Threads that do so at the same time replace zeros by
    /// zeros.
    fn zeros(address: usize, end: usize) -> bool {
        let Some(page) = page_size() else { return false };
        let start = address & !page.wrapping_sub(1);
        let (Some(at), Some(len)) = (NonZeroUsize::new(start), NonZeroUsize::new(end.wrapping_sub(start))) else {
            return false;
        };
        let flags = MapFlags::MAP_FIXED | MapFlags::MAP_PRIVATE;
        #[expect(unsafe_code, reason = "the only way to give the faulting instruction something to read")]
        // SAFETY: `start..end` are whole pages inside one registered range. It is a read-only mapping made by this
        // crate, and the faulting thread borrows its `Mmap`, so only missing bytes of that file are replaced. When the
        // `Mmap` is dropped it unmaps the whole range, including these pages.
        let mapped = unsafe { mmap_anonymous(Some(at), len, ProtFlags::PROT_READ, flags) };
        mapped.is_ok()
    }

    /// Forwards the signal to the previous action.
    fn forward(signal: c_int, info: *mut siginfo_t, context: *mut c_void, again: bool) {
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
                    // Sent to this thread; it is delivered after the handler returns.
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
