//! How a run ended: the one list of words that reports, exit codes and pictures go by.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How a run ended, and so what its answer is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RunStatus {
    /// The run has not ended.
    #[default]
    Unfinished,
    /// The answer was found and, where there is an actuation, proved by a forward simulation.
    Solved,
    /// An answer was found, but the forward simulation driven by it leaves it.
    NotVerified,
    /// The motion is the best there is and proved, but misses its path by more than the tolerance.
    PathMissed,
    /// The optimality conditions hold to the weaker tolerance of acceptable points only.
    Acceptable,
    /// The answer is an equilibrium that the mechanism would leave.
    Unstable,
    /// Something moves without resistance.
    Mechanism,
    /// The loads cannot grow as far as asked.
    LimitPoint,
    /// The user stopped it.
    Interrupted,
    /// What is asked is not possible.
    Infeasible,
    /// More conditions than unknowns.
    Overdetermined,
    /// The objective falls without bound.
    Unbounded,
    /// Values grow without bound.
    Diverging,
    /// Steps became too small.
    Stalled,
    /// No point with a smaller violation was found.
    RestorationFailed,
    /// A limit of iterations or steps came first.
    IterationLimit,
    /// An iteration did not converge.
    NotConverged,
    /// A time step has no solution.
    StepFailed,
    /// Equations do not determine the unknowns.
    Singular,
    /// Errors in the data would swamp the answer.
    IllConditioned,
    /// The question has no meaning as it is stated.
    IllPosed,
    /// The method cannot treat the mechanism.
    NotApplicable,
    /// The answer would take too much time or memory.
    TooLarge,
    /// A path has a kink or jump that no force can follow.
    NotSmooth,
    /// A formula has no value where it is needed.
    Undefined,
    /// A path or a load has no value at some instant.
    UndefinedPath,
    /// A function has no value where solving begins.
    UndefinedStart,
}

impl RunStatus {
    /// All of them.
    pub const ALL: [Self; 27] = [
        Self::Unfinished,
        Self::Solved,
        Self::NotVerified,
        Self::PathMissed,
        Self::Acceptable,
        Self::Unstable,
        Self::Mechanism,
        Self::LimitPoint,
        Self::Interrupted,
        Self::Infeasible,
        Self::Overdetermined,
        Self::Unbounded,
        Self::Diverging,
        Self::Stalled,
        Self::RestorationFailed,
        Self::IterationLimit,
        Self::NotConverged,
        Self::StepFailed,
        Self::Singular,
        Self::IllConditioned,
        Self::IllPosed,
        Self::NotApplicable,
        Self::TooLarge,
        Self::NotSmooth,
        Self::Undefined,
        Self::UndefinedPath,
        Self::UndefinedStart,
    ];

    /// The word for reports.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Unfinished => "unfinished",
            Self::Solved => "solved",
            Self::NotVerified => "not-verified",
            Self::PathMissed => "path-missed",
            Self::Acceptable => "acceptable",
            Self::Unstable => "unstable",
            Self::Mechanism => "mechanism",
            Self::LimitPoint => "limit-point",
            Self::Interrupted => "interrupted",
            Self::Infeasible => "infeasible",
            Self::Overdetermined => "overdetermined",
            Self::Unbounded => "unbounded",
            Self::Diverging => "diverging",
            Self::Stalled => "stalled",
            Self::RestorationFailed => "restoration-failed",
            Self::IterationLimit => "iteration-limit",
            Self::NotConverged => "not-converged",
            Self::StepFailed => "step-failed",
            Self::Singular => "singular",
            Self::IllConditioned => "ill-conditioned",
            Self::IllPosed => "ill-posed",
            Self::NotApplicable => "not-applicable",
            Self::TooLarge => "too-large",
            Self::NotSmooth => "not-smooth",
            Self::Undefined => "undefined",
            Self::UndefinedPath => "undefined-path",
            Self::UndefinedStart => "undefined-start",
        }
    }

    /// What it says about the answer, for the guide.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Unfinished => "the run has not ended; never the status of a stored result",
            Self::Solved => {
                "the answer was found and, where there is an actuation, proved by a forward simulation (the only one with exit code 0)"
            }
            Self::NotVerified => "an answer was found, but the forward simulation driven by it leaves it",
            Self::PathMissed => {
                "the best motion was found and proved, but it misses its path by more than `verify.tolerance`; the message says what limits it"
            }
            Self::Acceptable => {
                "an optimum to the weaker tolerance only: the search ended where it got no closer, so the last digits may be missing"
            }
            Self::Unstable => "the equilibrium found would not last",
            Self::Mechanism => "nothing resists some motion",
            Self::LimitPoint => "the load cannot be reached by growing it",
            Self::Interrupted => "stopped by Ctrl-C or `--time-limit`; what was complete is kept",
            Self::Infeasible => "what is asked is not possible, with the conditions that conflict where they are known",
            Self::Overdetermined => "there are more conditions than unknowns",
            Self::Unbounded => "the objective falls without bound",
            Self::Diverging => "values grow without bound",
            Self::Stalled => "the steps of the search became too small",
            Self::RestorationFailed => "no point with a smaller violation was found",
            Self::IterationLimit => "a limit of iterations or steps came first",
            Self::NotConverged => "an iteration did not converge",
            Self::StepFailed => "a time step has no solution",
            Self::Singular => "the equations do not determine the unknowns",
            Self::IllConditioned => "errors in the data would swamp the answer",
            Self::IllPosed => "the question has no meaning as it is stated",
            Self::NotApplicable => "the method cannot treat the mechanism",
            Self::TooLarge => "the answer would take too much time or memory",
            Self::NotSmooth => "a path has a kink or jump that no force can follow",
            Self::Undefined => "a formula has no value where it is needed",
            Self::UndefinedPath => "a path or a load has no value at some instant",
            Self::UndefinedStart => "a function has no value where solving begins",
        }
    }

    /// Whether the answer was found and, where that is possible, proved.
    pub fn is_solved(self) -> bool {
        self == Self::Solved
    }

    /// Whether what was found is proved, be it what was wished for or only the best there is.
    pub fn is_proved(self) -> bool {
        matches!(self, Self::Solved | Self::PathMissed)
    }
}

impl fmt::Display for RunStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl PartialEq<str> for RunStatus {
    fn eq(&self, word: &str) -> bool {
        self.as_str() == word
    }
}

impl PartialEq<&str> for RunStatus {
    fn eq(&self, word: &&str) -> bool {
        self.as_str() == *word
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words are the same in files and in messages, and all differ.
    #[test]
    fn words_are_stored_as_they_are_told() {
        for (i, status) in RunStatus::ALL.into_iter().enumerate() {
            assert_eq!(serde_json::to_value(status).unwrap(), status.as_str());
            assert!(RunStatus::ALL[..i].iter().all(|other| other.as_str() != status.as_str()));
        }
    }
}
