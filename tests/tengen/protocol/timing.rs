//! Times by the machine's clock for the tests of [`clock`](super::clock). Each is measured again before it fails.

use std::process::Command;
use std::time::{Duration, Instant};

use super::engine::Program;

/// The maximum number of attempts per measurement.
const ATTEMPTS: usize = 31;
/// After this time a measurement ends as soon as its median is decided.
const MEASUREMENT: Duration = Duration::from_millis(300);
/// This many attempts on one side of the limit decide the median of five.
const MAJORITY: usize = 3;

/// The number of measurements. The last one decides.
pub(super) const MEASUREMENTS: usize = 3;

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// Asserts that the median time of up to 31 attempts is below a limit. The system delays some attempts, and others are
/// lucky; the median ignores both. The limit is about twice the expected time, so that a time three times as long
/// fails.
pub(super) fn median_below(milliseconds: u64, mut attempt: impl FnMut() -> Duration) {
    let limit = Duration::from_millis(milliseconds);
    let mut measure = || {
        let (mut times, began) = (Vec::new(), Instant::now());
        let is_decided = |times: &[Duration]| {
            let below = times.iter().filter(|&&time| time < limit).count();
            below.max(times.len() - below) >= MAJORITY
        };
        while times.len() < ATTEMPTS && (began.elapsed() < MEASUREMENT || !is_decided(&times)) {
            times.push(attempt());
        }
        times
    };
    let measured: Vec<_> =
        (0..MEASUREMENTS).map(|_| measure()).take_while(|times| median(times.clone()) >= limit).collect();
    assert!(measured.len() < MEASUREMENTS, "the median is not below {limit:?}: {measured:?}");
}

/// Asserts that the median time of one thing is less than `factor` times that of another. Both are measured
/// alternately, so that other work on the machine delays both.
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

/// The time in which the system starts a program and sees it end. The program only prints its version.
pub(super) fn start_of(program: Program) -> Duration {
    time_of(|| assert!(Command::new(program.path()).arg("--version").output().unwrap().status.success()))
}
