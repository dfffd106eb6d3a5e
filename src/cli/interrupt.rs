//! Ctrl-C: the first asks the task to stop and keep what is complete, the second ends the program at once.

use std::sync::atomic::{AtomicUsize, Ordering};

static REQUESTS: AtomicUsize = AtomicUsize::new(0);

/// Start listening for Ctrl-C (and termination requests).
pub fn listen() {
    let handler = || {
        if REQUESTS.fetch_add(1, Ordering::Relaxed) > 0 {
            std::process::exit(super::Exit::Unsolved as i32);
        }
    };
    if let Err(error) = ctrlc::set_handler(handler) {
        super::complain(&format!("Ctrl-C will end the program at once ({error})"));
    }
}

/// Whether the user asked to stop.
pub fn requested() -> bool {
    REQUESTS.load(Ordering::Relaxed) > 0
}
