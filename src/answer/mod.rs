//! Answers problems, on finer grids where need be: where the proof of an answer fails, the same question is asked again with more
//! time steps and with elements of higher order, or more of them.
//!
//! A finer grid is a list of settings such as `rod.beam.order=3`, read like those of the command line. They are stored with the
//! result, so that it is known, can be proved and can be asked again as it was computed.

mod extrapolation;
mod grids;

use std::io::{Error, ErrorKind};

use grids::Ladder;

use crate::problem::{Problem, Question, Source, load_with};
use crate::results::{Outcome, ProblemText, RunStatus, Timing, Verification, store};
use crate::tasks::cost::{self, Cost};
use crate::tasks::{GridUse, Observer};

/// Factor by which a grid that is chosen by its proof must at least reduce what the proof is off by.
const PROGRESS: f64 = 0.8;

impl Problem {
    /// Answers it. The outcome always has a status; what was found before a failure is in it.
    ///
    /// Where the proof fails on the stated grid, finer ones are tried, unless the task forbids it by `grid = "stated"`. If none
    /// helps, the answer is the one whose proof came nearest.
    pub fn solve(&self, observer: &mut dyn Observer) -> Outcome {
        let mut best = self.solve_as_stated(observer);
        if self.spec.task.grid() == GridUse::Adapt {
            best = self.solve_in_the_limit(best, observer);
        }
        let mut ladder = self.ladder();
        let mut before: Option<(Problem, Outcome)> = None;
        while best.report.status == RunStatus::NotVerified {
            let last = before.as_ref().map_or(&best, |(_, answer)| answer);
            let last_nearness = nearness(last);
            let due_to = last.report.verification.as_ref().and_then(|proof| proof.due_to);
            // A proof that does not settle says little of how near the answer is.
            let settled = last.report.verification.as_ref().is_some_and(|proof| !proof.unsettled);
            let Some(finer) = ladder.next(due_to) else { break };
            let settings = self.settings(finer);
            let Some(mut problem) = self.with(&settings).filter(Problem::is_affordable) else { continue };
            observer.note(&format!("not verified on this grid; once more with {}", settings.join(", ")));
            let (question, answer) =
                before.as_ref().map_or((&self.question, &best), |(p, answer)| (&p.question, answer));
            begin_at(&mut problem.question, question, answer);
            let mut next = problem.solve_as_stated(observer);
            next.report.adapted = settings;
            if next.report.status == RunStatus::Interrupted {
                return interrupted(best);
            }
            // Elements of higher order may have no answer by this method where two-node ones have one.
            let comparable = next.report.status.is_proved() || next.report.status == RunStatus::NotVerified;
            if !comparable && finer.higher {
                ladder = Ladder::of_low_order();
            }
            let progress = nearness(&next) < PROGRESS * last_nearness;
            if comparable {
                before = Some((problem, next.clone()));
            }
            best = better(best, next, comparable);
            if ladder.expects_progress() && settled && !progress {
                break;
            }
        }
        best
    }

    /// Answers it on the grid as it is stated.
    fn solve_as_stated(&self, observer: &mut dyn Observer) -> Outcome {
        self.with_text(self.question.task().run(observer))
    }

    /// The same without a proof.
    fn solve_without_proof(&self, observer: &mut dyn Observer) -> Outcome {
        self.with_text(self.question.task().answer(observer))
    }

    /// An answer with the text of the problem.
    fn with_text(&self, mut outcome: Outcome) -> Outcome {
        let Source { file, text, overrides } = &self.source;
        let name = std::path::Path::new(file).file_name();
        outcome.report.problem = ProblemText {
            file: name.map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
            sha256: store::sha256(text.as_bytes()),
            text: text.clone(),
            overrides: overrides.clone(),
        };
        outcome
    }

    /// The problem on the grid of an answer to it.
    pub fn as_answered(&self, answer: &Outcome) -> Option<Problem> {
        self.with(&answer.report.adapted)
    }

    /// The problem with further settings, if it still is one.
    fn with(&self, settings: &[String]) -> Option<Problem> {
        let kept = |name: &str| {
            let file = self.attachments.iter().find(|(other, _)| other == name);
            file.map(|(_, content)| content.clone()).ok_or_else(|| Error::from(ErrorKind::NotFound))
        };
        let overrides = [&self.source.overrides[..], settings].concat();
        load_with(&self.source.file, &self.source.text, &overrides, &kept).ok()
    }

    fn is_affordable(&self) -> bool {
        self.cost.seconds <= Cost::LONG && self.cost.bytes <= cost::limit()
    }
}

/// Begins the search for an answer at one to the same question on another grid, where it is a search.
fn begin_at(question: &mut Question, other: &Question, answer: &Outcome) {
    match (question, other) {
        (Question::OptimalControl(own), Question::OptimalControl(other)) => {
            own.begin_at(other, answer);
        }
        (Question::Tracking(own), Question::Tracking(other)) => own.begin_at(other, answer),
        _ => {}
    }
}

/// The largest deviation of a proof, relative to what is allowed; below 1 only if it is passed.
fn nearness(outcome: &Outcome) -> f64 {
    let of = |proof: &Verification| {
        let shares = proof.max_error.iter().map(|(name, error)| error / proof.tolerance.get(name).unwrap_or(&0.0));
        shares.fold(0.0, |worst: f64, share| if share.is_nan() { f64::INFINITY } else { worst.max(share) })
    };
    match outcome.report.status.is_proved() {
        true => 0.0,
        false => outcome.report.verification.as_ref().map_or(f64::INFINITY, of),
    }
}

/// The answer whose proof came nearer, the second only if it may be compared.
fn better(best: Outcome, next: Outcome, comparable: bool) -> Outcome {
    let (mut kept, left) = if comparable && nearness(&next) < nearness(&best) { (next, best) } else { (best, next) };
    kept.report.timings.insert(0, spent(&left));
    kept
}

/// The time of an answer that is not kept.
fn spent(outcome: &Outcome) -> Timing {
    Timing { phase: "other grids".into(), seconds: outcome.report.timings.iter().map(|timing| timing.seconds).sum() }
}

/// The answer that was found before the user had enough.
fn interrupted(mut best: Outcome) -> Outcome {
    best.report.status = RunStatus::Interrupted;
    let why = best.report.message.take().unwrap_or_default();
    best.report.message = Some(format!("interrupted on a finer grid; on the coarser one {why}"));
    best
}
