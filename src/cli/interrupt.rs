//! Ctrl-C and the limit of time: the first request asks the task to stop and keep what is complete, the second ends the program
//! at once.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

static REQUESTS: AtomicUsize = AtomicUsize::new(0);
static SHIELDED: AtomicBool = AtomicBool::new(false);
static LIMIT: OnceLock<(Instant, f64)> = OnceLock::new();

/// Seconds beyond the limit of time, and as a share of it, after which a task that has not stopped is ended.
const GRACE: (f64, f64) = (10.0, 0.5);

/// Run something short that must not be cut off, such as putting files into place.
pub fn shielded<T>(action: impl FnOnce() -> T) -> T {
    SHIELDED.store(true, Ordering::SeqCst);
    let result = action();
    SHIELDED.store(false, Ordering::SeqCst);
    result
}

/// Start listening for Ctrl-C (and termination requests).
pub fn listen() {
    let handler = || {
        if REQUESTS.fetch_add(1, Ordering::SeqCst) == 0 {
            super::complain("stopping at the next safe point; Ctrl-C again ends at once");
        } else if !SHIELDED.load(Ordering::SeqCst) {
            std::process::exit(super::Exit::Unsolved as i32);
        }
    };
    if let Err(error) = ctrlc::set_handler(handler) {
        super::complain(&format!("Ctrl-C will end the program at once ({error})"));
    }
}

/// Ask the task to stop after so many seconds, and end the program where it does not get to a safe point soon after.
pub fn limit(seconds: f64) {
    // Counted from the first call; there is one command in a run.
    let _ = LIMIT.set((Instant::now(), seconds));
    let patience = Duration::from_secs_f64(seconds + GRACE.0 + GRACE.1 * seconds);
    std::thread::spawn(move || {
        std::thread::sleep(patience);
        while SHIELDED.load(Ordering::SeqCst) {
            std::thread::sleep(Duration::from_millis(10));
        }
        super::complain(&format!(
            "the time limit of {seconds} s is over and no safe point was reached; nothing was written"
        ));
        std::process::exit(super::Exit::Unsolved as i32);
    });
}

/// The limit of time in seconds, once it is over.
pub fn overtime() -> Option<f64> {
    LIMIT.get().filter(|(begun, seconds)| begun.elapsed().as_secs_f64() >= *seconds).map(|(_, seconds)| *seconds)
}

/// Whether the task should stop: the user asked for it, or the time is over.
pub fn requested() -> bool {
    REQUESTS.load(Ordering::SeqCst) > 0 || overtime().is_some()
}
