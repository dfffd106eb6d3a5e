//! Ctrl-C: the first asks the task to stop and keep what is complete, the second ends the program at once.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

static REQUESTS: AtomicUsize = AtomicUsize::new(0);
static SHIELDED: AtomicBool = AtomicBool::new(false);

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

/// Whether the user asked to stop.
pub fn requested() -> bool {
    REQUESTS.load(Ordering::SeqCst) > 0
}
