//! What work costs, without a word of unsafe code.

use std::time::{Duration, Instant};

/// The time that this thread has been on a processor, as the kernel counts it.
pub(super) fn on_processor() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

/// A stop watch for the time on a processor; where there is no such thing, for the time on the wall.
pub(super) struct Watch {
    processor: Option<Duration>,
    wall: Instant,
}

impl Watch {
    pub(super) fn start() -> Self {
        Self { processor: on_processor(), wall: Instant::now() }
    }

    pub(super) fn read(&self) -> Duration {
        match (self.processor, on_processor()) {
            (Some(before), Some(after)) => after.saturating_sub(before),
            _ => self.wall.elapsed(),
        }
    }
}
