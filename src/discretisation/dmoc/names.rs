//! What the variables and rows of a transcription are, in time and in words.

use crate::nlp::families::Names;

/// A variable or row of a transcription. `At` a share of the duration, with the number of the function of time of which it
/// is a sample; rows that hold at an instant have multipliers that shrink with the interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Spot {
    /// One for the whole, with its number.
    Global(usize),
    /// A sample of a function.
    At {
        /// Number of the function.
        function: usize,
        /// Share of the duration, 0 to 1.
        share: f64,
        /// Whether a row holds at an instant instead of over an interval.
        instant: bool,
    },
}

/// Names of all functions and globals, and which of them each variable and row is.
pub(super) struct Directory {
    pub variables: Vec<Spot>,
    pub rows: Vec<Spot>,
    pub variable_functions: Vec<String>,
    pub row_functions: Vec<String>,
    pub variable_globals: Vec<String>,
    pub row_globals: Vec<String>,
    /// Duration where it is given.
    pub duration: Option<f64>,
    /// First and last share of the duration of the members of each family.
    pub members: Vec<Vec<(f64, f64)>>,
}

impl Directory {
    fn instant(&self, share: f64) -> String {
        match self.duration {
            Some(duration) => format!("t = {:.6} s", share * duration),
            None => format!("{:.4} % of the duration", 100.0 * share),
        }
    }

    fn name(&self, spot: Spot, functions: &[String], globals: &[String]) -> String {
        match spot {
            Spot::Global(number) => globals.get(number).cloned().unwrap_or_default(),
            Spot::At { function, share, .. } => {
                let name = functions.get(function).map_or("", String::as_str);
                format!("{name} at {}", self.instant(share))
            }
        }
    }
}

impl Names for Directory {
    fn variable(&self, variable: usize) -> String {
        self.name(self.variables[variable], &self.variable_functions, &self.variable_globals)
    }

    fn row(&self, row: usize) -> String {
        self.name(self.rows[row], &self.row_functions, &self.row_globals)
    }

    fn place(&self, family: usize, member: usize) -> String {
        match self.members.get(family).and_then(|members| members.get(member)) {
            Some((from, to)) if from < to => format!("between {} and {}", self.instant(*from), self.instant(*to)),
            Some((from, _)) => format!("at {}", self.instant(*from)),
            None => String::new(),
        }
    }
}
