//! Answers problems, on finer grids where need be: where the proof of an answer fails, the same question is asked again with more
//! time steps and with elements of higher order, or more of them.
//!
//! A finer grid is a list of settings such as `rod.beam.order=3`, read like those of the command line. They are stored with the
//! result, so that it is known, can be proved and can be asked again as it was computed.

mod extrapolation;

use std::io::{Error, ErrorKind};

use crate::problem::{Problem, ProblemSpec, Question, Source, key_text, load_with};
use crate::results::{Outcome, ProblemText, RunStatus, Timing, Verification, store};
use crate::tasks::capability::{Ability, Feature, Way};
use crate::tasks::cost::{self, Cost};
use crate::tasks::{GridUse, Observer};

/// Order of elements that replace those of order 1.
const ORDER: usize = 3;
/// Two-node elements that stand for one of that order.
const PARTS: usize = 4;

/// How much finer than stated a grid is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Finer {
    /// Whether elements of order 1 become such of [`ORDER`].
    higher: bool,
    /// Elements for each of the stated ones.
    elements: usize,
    /// Time steps for each of the stated ones.
    steps: usize,
}

/// Grids that are tried in turn where elements may have a higher order: the error in space is the larger one as a rule.
const HIGHER: [Finer; 3] = [
    Finer { higher: true, elements: 1, steps: 1 },
    Finer { higher: true, elements: 1, steps: 2 },
    Finer { higher: true, elements: 4, steps: 2 },
];
/// Grids of mechanisms without rods that deform, and of systems.
const STEPS: [Finer; 3] = [
    Finer { higher: false, elements: 1, steps: 2 },
    Finer { higher: false, elements: 1, steps: 4 },
    Finer { higher: false, elements: 1, steps: 8 },
];
/// Grids that are tried where they may not, or where what is then asked has no answer: marches need steps in proportion.
const MORE: [Finer; 2] =
    [Finer { higher: false, elements: 2, steps: 2 }, Finer { higher: false, elements: 4, steps: 4 }];

impl Problem {
    /// Answers it. The outcome always has a status; what was found before a failure is in it.
    ///
    /// Where the proof fails on the stated grid, finer ones are tried, unless the task forbids it by `grid = "stated"`. If none
    /// helps, the answer is the one whose proof came nearest.
    pub fn solve(&self, observer: &mut dyn Observer) -> Outcome {
        let mut best = self.solve_as_stated(observer);
        if best.report.status == RunStatus::NotVerified && self.spec.task.grid() == GridUse::Adapt {
            best = self.solve_in_the_limit(best, observer);
        }
        let mut ladder = self.ladder();
        let mut before: Option<(Problem, Outcome)> = None;
        while best.report.status == RunStatus::NotVerified && !ladder.is_empty() {
            let finer = ladder.remove(0);
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
            let comparable = next.report.status.is_solved() || next.report.status == RunStatus::NotVerified;
            if !comparable && finer.higher {
                ladder = MORE.to_vec();
            }
            if comparable {
                before = Some((problem, next.clone()));
            }
            best = better(best, next, comparable);
        }
        best
    }

    /// Answers it on the grid as it is stated.
    fn solve_as_stated(&self, observer: &mut dyn Observer) -> Outcome {
        let mut outcome = self.question.task().run(observer);
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

    /// Grids to try; none where the task has no proof that could fail, or keeps its grid.
    fn ladder(&self) -> Vec<Finer> {
        let used = self.spec.task.grid();
        let takes = |way: &Way| Feature::HigherOrder.ability(*way) == Ability::Takes;
        let ways = Way::of(&self.spec.task);
        match ways.iter().any(takes) {
            _ if used == GridUse::Stated => Vec::new(),
            _ if self.spec.rod.values().all(|rod| rod.rigid) => STEPS.to_vec(),
            // Ends of optimal motions are judged by their velocities, which need finer steps as well.
            true if ways.iter().any(|way| matches!(way, Way::OptimalControl | Way::Phases)) => HIGHER[1..].to_vec(),
            true => HIGHER.to_vec(),
            false => MORE.to_vec(),
        }
    }

    /// The settings of a finer grid.
    fn settings(&self, finer: Finer) -> Vec<String> {
        let spec = &self.spec;
        let mut settings = Vec::new();
        for (name, rod) in spec.rod.iter().filter(|(_, rod)| !rod.rigid) {
            let key = format!("rod.{}", key_text(name));
            let has_orders = spec.dimension.and_then(|n| rod.model.kind(n)).is_some_and(|kind| kind.has_orders());
            let parts = match (finer.higher && rod.order == 1, has_orders) {
                (true, true) => {
                    settings.push(format!("{key}.order={ORDER}"));
                    finer.elements
                }
                (true, false) => PARTS * finer.elements,
                (false, _) => finer.elements,
            };
            if parts > 1 {
                settings.push(format!("{key}.elements={}", parts * rod.elements));
            }
        }
        if finer.steps > 1 {
            settings.extend(steps(spec, finer.steps));
        }
        settings
    }
}

/// Begins the search for an answer at one to the same question on another grid, where it is a search.
fn begin_at(question: &mut Question, other: &Question, answer: &Outcome) {
    if let (Question::OptimalControl(own), Question::OptimalControl(other)) = (question, other) {
        own.begin_at(other, answer);
    }
}

/// Settings of so many time steps for each.
fn steps(spec: &ProblemSpec, factor: usize) -> Vec<String> {
    let all = spec.time.iter().map(|time| format!("time.steps={}", factor * time.steps));
    let phases = spec.task.optimal_control().map_or(&[][..], |task| &task.phase);
    let phases = phases
        .iter()
        .enumerate()
        .filter_map(|(k, phase)| Some(format!("task.optimal-control.phase.{k}.steps={}", factor * phase.steps?)));
    all.chain(phases).collect()
}

/// The largest deviation of a proof, relative to what is allowed; below 1 only if it is passed.
fn nearness(outcome: &Outcome) -> f64 {
    let of = |proof: &Verification| {
        let shares = proof.max_error.iter().map(|(name, error)| error / proof.tolerance.get(name).unwrap_or(&0.0));
        shares.fold(0.0, |worst: f64, share| if share.is_nan() { f64::INFINITY } else { worst.max(share) })
    };
    match outcome.report.status.is_solved() {
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
