//! The collection of W. Hock and K. Schittkowski, Test Examples for Nonlinear Programming Codes (1981): problems 1 to
//! 119 without 82, 94 and 115, which the collection never had.
//!
//! Starting points and bounds are those of 1981. Optima and solutions are in closed form where one is published. The
//! others agree with the digits published in 1981 or in K. Schittkowski, An Updated Set of 306 Test Problems for
//! Nonlinear Programming with Validated Optimal Solutions (2010), and are carried on to twelve digits; a note says where
//! a published optimum is off by more than 1e-6 of its value.

mod build;
mod from_001;
mod from_021;
mod from_041;
mod from_061;
mod from_081;
mod from_101;
mod from_110;
mod heat;
mod normal;

use lariat::nlp::graph::Program;

/// One problem of the collection with what is known of its solution.
pub struct HockSchittkowski {
    /// Number in the collection.
    pub number: usize,
    /// `HS` and the number.
    pub name: &'static str,
    /// The best objective known, f(x*).
    pub optimum: f64,
    /// Objectives, to six digits, of further first-order points at which a sound solver may stop.
    pub others: &'static [f64],
    /// A point x* with that objective.
    pub solution: Option<Vec<f64>>,
    /// Relative accuracy of the digits of x* and f*.
    pub digits: f64,
    /// The objective at the standard start, where it is published.
    pub at_start: Option<f64>,
    /// Whether x* satisfies first-order conditions with finite multipliers.
    pub multipliers: bool,
    /// States the program.
    pub build: fn() -> Program,
    /// What is peculiar.
    pub note: Option<&'static str>,
}

impl HockSchittkowski {
    fn new(number: usize, name: &'static str, build: fn() -> Program, optimum: f64, solution: &[f64]) -> Self {
        Self {
            number,
            name,
            optimum,
            others: &[],
            solution: (!solution.is_empty()).then(|| solution.to_vec()),
            digits: 1e-9,
            at_start: None,
            multipliers: true,
            build,
            note: None,
        }
    }

    fn start(mut self, objective: f64) -> Self {
        self.at_start = Some(objective);
        self
    }

    fn others(mut self, optima: &'static [f64]) -> Self {
        self.others = optima;
        self
    }

    fn digits(mut self, relative: f64) -> Self {
        self.digits = relative;
        self
    }

    fn no_multipliers(mut self) -> Self {
        self.multipliers = false;
        self
    }

    fn note(mut self, text: &'static str) -> Self {
        self.note = Some(text);
        self
    }
}

/// A program from what states it on a graph, as a plain function.
macro_rules! program {
    ($states:expr) => {
        || {
            let graph = Graph::new();
            $states(&graph);
            graph.build()
        }
    };
}
use program;

/// All problems in the order of their numbers.
pub fn all() -> Vec<HockSchittkowski> {
    let mut all = Vec::new();
    for part in [
        from_001::all(),
        from_021::all(),
        from_041::all(),
        from_061::all(),
        from_081::all(),
        from_101::all(),
        from_110::all(),
        heat::all(),
        normal::all(),
    ] {
        all.extend(part);
    }
    all.sort_by_key(|problem| problem.number);
    all
}
