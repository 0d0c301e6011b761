//! Times and speeds as text.

/// Returns a duration in nanoseconds with three digits and a unit.
pub fn duration(ns: f64) -> String {
    let (value, unit) = match ns {
        ns if ns < 1e3 => (ns, "ns"),
        ns if ns < 1e6 => (ns / 1e3, "us"),
        ns if ns < 1e9 => (ns / 1e6, "ms"),
        ns => (ns / 1e9, "s"),
    };
    let digits = if value < 10.0 {
        2
    } else if value < 100.0 {
        1
    } else {
        0
    };
    format!("{value:.digits$} {unit}")
}

/// Returns gigabytes per second, for bytes that took so many nanoseconds.
#[expect(clippy::cast_precision_loss, reason = "exact enough for display")]
pub fn gigabytes(bytes: u64, ns: f64) -> f64 {
    bytes as f64 / ns
}
