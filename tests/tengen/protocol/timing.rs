//! Times by the clock of the machine, for the tests of [`clock`](super::clock): each is measured anew before it fails.

use std::process::Command;
use std::time::{Duration, Instant};

use super::engine::Program;

/// The fewest and the most attempts of a measurement, and the time after which none is added to the fewest.
const ATTEMPTS: std::ops::RangeInclusive<usize> = 5..=31;
const MEASUREMENT: Duration = Duration::from_millis(300);

/// The number of measurements, the last of which fails.
pub(super) const MEASUREMENTS: usize = 3;

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// Insists that the median time of five to 31 attempts is below a limit. The system holds up some attempts, and some
/// are lucky; half of them are neither. The limit is about twice the time that is expected, so that a time three times
/// as long is seen.
pub(super) fn median_below(milliseconds: u64, mut attempt: impl FnMut() -> Duration) {
    let limit = Duration::from_millis(milliseconds);
    let mut measure = || {
        let (mut times, began) = (Vec::new(), Instant::now());
        while times.len() < *ATTEMPTS.start() || times.len() < *ATTEMPTS.end() && began.elapsed() < MEASUREMENT {
            times.push(attempt());
        }
        times
    };
    let measured: Vec<_> =
        (0..MEASUREMENTS).map(|_| measure()).take_while(|times| median(times.clone()) >= limit).collect();
    assert!(measured.len() < MEASUREMENTS, "the median is not below {limit:?}: {measured:?}");
}

/// Insists that something takes, in the median, less than this many times as long as something else. Both are measured in
/// turn, so that whatever else runs delays both.
pub(super) fn median_ratio_below(
    factor: u32,
    mut attempt: impl FnMut() -> Duration,
    mut baseline: impl FnMut() -> Duration,
) {
    let mut measure = || {
        let (times, baselines): (Vec<_>, Vec<_>) = (0..15).map(|_| (attempt(), baseline())).unzip();
        (median(times), median(baselines))
    };
    let measured: Vec<_> =
        (0..MEASUREMENTS).map(|_| measure()).take_while(|&(time, baseline)| time >= factor * baseline).collect();
    assert!(measured.len() < MEASUREMENTS, "not below {factor} times as long: {measured:?}");
}

/// The time of some work.
pub(super) fn time_of(work: impl FnOnce()) -> Duration {
    let began = Instant::now();
    work();
    began.elapsed()
}

/// The time in which the system starts a program and sees it end: the program prints its version, and does nothing else.
pub(super) fn start_of(program: Program) -> Duration {
    time_of(|| assert!(Command::new(program.path()).arg("--version").output().unwrap().status.success()))
}
