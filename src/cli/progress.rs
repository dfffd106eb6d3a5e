//! Progress on stderr: a bar on a terminal, plain lines otherwise.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::interrupt;
use crate::results::Iteration;
use crate::tasks::Observer;

/// How much to tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Nothing.
    Quiet,
    /// Phases, and progress when they take long.
    Normal,
    /// Every note.
    Verbose,
}

/// Tells a task's progress.
#[derive(Debug)]
pub struct Progress {
    level: Level,
    bar: Option<ProgressBar>,
    phase: String,
    steps: usize,
    begun: Instant,
    told: Instant,
    /// Rows of the iteration table told in this phase.
    rows: usize,
}

/// Plain lines come at most this often.
const INTERVAL: Duration = Duration::from_secs(2);

impl Progress {
    /// To stderr.
    pub fn new(level: Level) -> Self {
        let bar = (level != Level::Quiet && std::io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::new(0);
            bar.set_style(style(1));
            bar
        });
        let now = Instant::now();
        Self { level, bar, phase: String::new(), steps: 0, begun: now, told: now, rows: 0 }
    }

    /// Remove the bar.
    pub fn finish(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }

    fn line(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| put(text)),
            None => put(text),
        }
    }
}

/// A bar for a known number of steps, a sign of life for an unknown one.
fn style(steps: usize) -> ProgressStyle {
    let template = match steps {
        0 => "{spinner} {msg}  {elapsed}",
        _ => "{msg:32} [{bar:30}] {percent:>3} %  {elapsed} (about {eta} left)",
    };
    let style = ProgressStyle::with_template(template);
    style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> ")
}

/// One line on stderr; progress that nobody can read is no failure.
fn put(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

impl Observer for Progress {
    fn phase(&mut self, name: &str, steps: usize) {
        self.phase = name.to_owned();
        self.steps = steps;
        self.begun = Instant::now();
        self.told = self.begun;
        self.rows = 0;
        match &self.bar {
            Some(bar) => {
                bar.set_message(name.to_owned());
                bar.set_style(style(steps));
                bar.reset();
                bar.set_length(steps as u64);
            }
            None if self.level == Level::Verbose => self.line(&format!("{name} ...")),
            None => {}
        }
    }

    fn progress(&mut self, done: usize) {
        if let Some(bar) = &self.bar {
            bar.set_position(done as u64);
        } else if self.level != Level::Quiet && self.told.elapsed() >= INTERVAL && self.steps > 0 {
            self.told = Instant::now();
            let share = done as f64 / self.steps as f64;
            let left = self.begun.elapsed().as_secs_f64() * (1.0 - share) / share.max(1e-3);
            self.line(&format!("{}: {:.0} %, about {left:.0} s left", self.phase, 100.0 * share));
        }
    }

    fn iteration(&mut self, row: &Iteration) {
        if self.level == Level::Verbose {
            if self.rows.is_multiple_of(10) {
                self.line("iter    objective     inf_pr     inf_du      ||d||        reg    alpha  ls");
            }
            self.rows += 1;
            self.line(&format!(
                "{:>4}{}{:>12.4e} {:>10.2e} {:>10.2e} {:>10.2e} {:>10.2e} {:>8.2e} {:>3}",
                row.iter,
                if row.restoration { 'r' } else { ' ' },
                row.objective,
                row.inf_pr,
                row.inf_du,
                row.step,
                row.reg,
                row.alpha,
                row.ls
            ));
        } else if self.steps == 0 {
            let state = || format!("{}: iteration {}, violation {:.1e}", self.phase, row.iter, row.inf_pr);
            match &self.bar {
                Some(bar) => {
                    bar.set_message(state());
                    bar.tick();
                }
                None if self.level == Level::Normal && self.told.elapsed() >= INTERVAL => {
                    self.line(&state());
                    self.told = Instant::now();
                }
                None => {}
            }
        }
    }

    fn note(&mut self, text: &str) {
        if self.level == Level::Verbose {
            self.rows = 0;
            self.line(text);
        }
    }

    fn interrupted(&self) -> bool {
        interrupt::requested()
    }
}
