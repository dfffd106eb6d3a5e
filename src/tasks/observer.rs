//! How a task tells its progress and hears that it should stop.

use crate::results::Iteration;

/// Watches a task. All methods may be called often; they must be cheap.
pub trait Observer {
    /// A phase begins that will take about `steps` steps.
    fn phase(&mut self, _name: &str, _steps: usize) {}
    /// `done` steps of the phase are done.
    fn progress(&mut self, _done: usize) {}
    /// One row of the iteration table.
    fn iteration(&mut self, _row: &Iteration) {}
    /// Something worth telling.
    fn note(&mut self, _text: &str) {}
    /// Whether the user asked to stop.
    fn interrupted(&self) -> bool {
        false
    }
}

/// Tells nothing, never stops.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {}
