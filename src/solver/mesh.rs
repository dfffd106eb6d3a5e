//! Mesh continuation: a program on a time grid, solved on coarse meshes first.
//!
//! A coarse mesh forgives a poor start and costs little. Its solution, interpolated together with its multipliers, is a
//! start on the next mesh that is near the solution there, so that the finest mesh needs a few iterations only.

mod layout;
#[cfg(test)]
mod tests;
mod transfer;

use thiserror::Error;

use super::constrained::{Iterate, IterationRecord, Options, Solution, SolveError, Status, solve};
use crate::nlp::Nlp;
pub use layout::{LayoutError, MeshLayout, MeshPlace, RowPlace, Weight};
use transfer::{Missing, centre, transfer};

/// A program that can be stated on any number of equal intervals.
pub trait OnMesh {
    /// The program on a mesh.
    fn program(&self, intervals: usize) -> Box<dyn Nlp>;

    /// The start on a mesh when no coarser solution is at hand.
    fn start(&self, intervals: usize) -> Vec<f64>;

    /// Where the variables and rows of the program lie.
    fn layout(&self, intervals: usize) -> MeshLayout;

    /// Takes note, before the program of a mesh is stated, of the solution on a coarser mesh, or that the mesh begins at its
    /// own start. Whether programs stated from then on differ from those before, because they depend on such a solution.
    fn follow(&self, _coarser: Option<(usize, &Iterate)>) -> bool {
        false
    }

    /// Corrects what was interpolated from the solution that is followed.
    fn settle(&self, _intervals: usize, _start: &mut Iterate) {}
}

/// How the meshes follow each other.
#[derive(Debug, Clone, PartialEq)]
pub struct MeshOptions {
    /// Number of intervals wanted.
    pub finest: usize,
    /// No mesh has fewer intervals, unless the finest has.
    pub coarsest: usize,
    /// Ratio of the numbers of intervals of successive meshes, at least 2.
    pub growth: usize,
    /// Largest scaled optimality error on meshes before the finest.
    pub coarse_tolerance: f64,
    /// Barrier parameter with which a mesh takes over from a coarser one.
    pub first_mu: f64,
    /// Largest number of iterations on all meshes together.
    pub max_iterations: usize,
    /// Options of each solve; those of the finest mesh in every respect, tolerance, barrier, limit and further starts aside.
    pub solve: Options,
}

impl MeshOptions {
    /// The defaults for a finest mesh.
    ///
    /// Interpolated solutions are good: steering, robot arm, rocket and hang glider of the COPS collection take 2, 3, 8 and
    /// 9 iterations from 200 to 400 intervals with a barrier parameter of 1e-7, but 4, 8, 21 and 12 with 1e-3. Tolerances
    /// below 1e-4 on coarse meshes lengthen these solves without shortening the next ones.
    pub fn to(finest: usize) -> Self {
        Self {
            finest,
            coarsest: 50,
            growth: 2,
            coarse_tolerance: 1e-4,
            first_mu: 1e-7,
            max_iterations: 3000,
            solve: Options::default(),
        }
    }

    /// Numbers of intervals, coarse to fine: the finest divided again and again.
    pub fn meshes(&self) -> Vec<usize> {
        let mut meshes = vec![self.finest];
        let mut next = self.finest.div_ceil(self.growth);
        while next >= self.coarsest.max(1) && meshes.last().is_some_and(|&last| next < last) {
            meshes.push(next);
            next = next.div_ceil(self.growth);
        }
        meshes.reverse();
        meshes
    }
}

/// One solve on one mesh.
#[derive(Debug, Clone, PartialEq)]
pub struct MeshRecord {
    /// Number of intervals.
    pub intervals: usize,
    /// Whether the start came from a coarser mesh.
    pub continued: bool,
    /// How the solve ended; `None` if it could not be begun.
    pub status: Option<Status>,
    /// Number of iterations.
    pub iterations: usize,
    /// Objective at its end; not a number if there is none.
    pub objective: f64,
}

/// The result of mesh continuation.
#[derive(Debug, Clone, PartialEq)]
pub struct MeshSolution {
    /// How the whole ended: solved or acceptable only if the finest mesh is.
    pub status: Status,
    /// The solution on the last mesh that was begun.
    pub solution: Solution,
    /// Number of intervals of that mesh.
    pub intervals: usize,
    /// All solves in order.
    pub meshes: Vec<MeshRecord>,
    /// Number of iterations on all meshes together.
    pub iterations: usize,
}

/// Why mesh continuation could not be carried through.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum MeshError {
    /// The finest mesh has no interval.
    #[error("the finest mesh needs at least one interval")]
    NoInterval,
    /// The meshes would not become finer.
    #[error("the ratio of successive meshes is {0}, at least 2 is needed")]
    Growth(usize),
    /// The barrier parameter is not usable.
    #[error("the barrier parameter of continued meshes is {0}, it has to be positive")]
    Barrier(f64),
    /// The layout does not fit the program.
    #[error(transparent)]
    MeshLayout(#[from] LayoutError),
    /// The finest mesh could not be begun.
    #[error("on {intervals} intervals: {error}")]
    Solve {
        /// Number of intervals.
        intervals: usize,
        /// Why.
        error: SolveError,
    },
}

/// Called after each iteration with the number of intervals; returning false stops the continuation.
pub type MeshObserver<'a> = &'a mut dyn FnMut(usize, &IterationRecord) -> bool;

/// Solves a program on the finest mesh by way of coarser ones.
///
/// A mesh that fails from a coarser solution is tried from its own start; one that fails from there too, or that cannot be
/// begun, is passed over. Interruption and the limit on iterations end the whole, with the best iterate of the mesh they
/// fall on.
pub fn solve_on_meshes(
    problem: &dyn OnMesh,
    options: &MeshOptions,
    observe: MeshObserver,
) -> Result<MeshSolution, MeshError> {
    continue_on_meshes(problem, options, None, observe)
}

/// As [`solve_on_meshes`], but from a solution on a mesh, given with its number of intervals: only finer meshes are solved.
pub fn continue_on_meshes(
    problem: &dyn OnMesh,
    options: &MeshOptions,
    from: Option<(usize, &Iterate)>,
    observe: MeshObserver,
) -> Result<MeshSolution, MeshError> {
    if options.finest == 0 {
        return Err(MeshError::NoInterval);
    }
    if options.growth < 2 {
        return Err(MeshError::Growth(options.growth));
    }
    if !(options.first_mu > 0.0 && options.first_mu.is_finite()) {
        return Err(MeshError::Barrier(options.first_mu));
    }
    let mut run = Run { problem, options, observe, meshes: Vec::new(), iterations: 0 };
    let known = from.map(|(intervals, iterate)| Solved {
        intervals,
        layout: problem.layout(intervals),
        iterate: iterate.clone(),
    });
    let coarsest = known.as_ref().map_or(0, |known| known.intervals);
    let mut solved: Option<Solved> = known;
    let mut last = None;
    for intervals in options.meshes().into_iter().filter(|intervals| *intervals > coarsest) {
        let (layout, outcome) = run.mesh(intervals, solved.as_ref())?;
        let solution = match outcome {
            Ok(solution) => solution,
            Err(error) if intervals == options.finest => return Err(MeshError::Solve { intervals, error }),
            Err(_) => continue,
        };
        let end = run.end();
        if is_solved(solution.status) {
            solved = Some(Solved { intervals, layout, iterate: solution.iterate.clone() });
        }
        let status = if intervals == options.finest { solution.status } else { end.unwrap_or(solution.status) };
        last = Some((status, intervals, solution));
        if end.is_some() {
            break;
        }
    }
    let (status, intervals, solution) = last.ok_or(MeshError::NoInterval)?;
    Ok(MeshSolution { status, solution, intervals, meshes: run.meshes, iterations: run.iterations })
}

/// The solution on the last mesh that has one.
struct Solved {
    intervals: usize,
    layout: MeshLayout,
    iterate: Iterate,
}

/// A continuation in progress.
struct Run<'a> {
    problem: &'a dyn OnMesh,
    options: &'a MeshOptions,
    observe: MeshObserver<'a>,
    meshes: Vec<MeshRecord>,
    iterations: usize,
}

impl Run<'_> {
    /// Solves one mesh, from a coarser solution if there is one and from its own start if that fails.
    fn mesh(
        &mut self,
        intervals: usize,
        coarser: Option<&Solved>,
    ) -> Result<(MeshLayout, Result<Solution, SolveError>), MeshError> {
        self.problem.follow(coarser.map(|coarser| (coarser.intervals, &coarser.iterate)));
        let mut program = self.problem.program(intervals);
        let layout = checked(self.problem.layout(intervals), program.as_ref(), intervals)?;
        let mut continued = None;
        if let Some(coarser) = coarser {
            let start = transfer(&coarser.iterate, (&coarser.layout, coarser.intervals), (&layout, intervals));
            let mut start =
                start.map_err(|missing| no_family(missing, &layout, program.as_ref(), coarser.intervals))?;
            self.problem.settle(intervals, &mut start);
            centre(&mut start, program.bounds(), self.options.first_mu);
            let outcome = self.attempt(program.as_mut(), intervals, &start, true);
            if outcome.as_ref().is_ok_and(|solution| is_solved(solution.status)) || self.end().is_some() {
                return Ok((layout, outcome));
            }
            // What was found in terms of another program is no answer to the one that follows.
            if self.problem.follow(None) {
                program = self.problem.program(intervals);
            } else {
                continued = outcome.ok();
            }
        }
        let start = self.problem.start(intervals);
        let (given, expected) = (start.len(), layout.variables.len());
        if given != expected {
            return Err(LayoutError::Count { intervals, what: "starting values", given, expected }.into());
        }
        let own = self.attempt(program.as_mut(), intervals, &Iterate::at(&start), false);
        let outcome = match (own, continued) {
            (Ok(own), Some(continued)) => {
                let better = is_solved(own.status) || !(own.error > continued.error);
                Ok(if better { own } else { Solution { status: own.status, ..continued } })
            }
            (Err(_), Some(continued)) => Ok(continued),
            (own, None) => own,
        };
        Ok((layout, outcome))
    }

    fn attempt(
        &mut self,
        program: &mut dyn Nlp,
        intervals: usize,
        start: &Iterate,
        continued: bool,
    ) -> Result<Solution, SolveError> {
        let finest = intervals == self.options.finest;
        let mut options = self.options.solve.clone();
        options.max_iterations =
            options.max_iterations.min(self.options.max_iterations.saturating_sub(self.iterations));
        if !finest {
            options.tolerance = options.tolerance.max(self.options.coarse_tolerance);
            options.acceptable = options.acceptable.max(options.tolerance);
            options.explain = false;
        }
        // A mesh that fails has other meshes and its own start to fall back on; the limit must hold for all of them.
        options.retries = 0;
        if continued {
            options.warm = true;
            options.first_mu = self.options.first_mu;
        }
        let observe = &mut self.observe;
        let outcome = solve(program, start, &options, &mut |record| observe(intervals, record));
        let (status, iterations, objective) = match &outcome {
            Ok(solution) => (Some(solution.status), solution.iterations.len().saturating_sub(1), solution.objective),
            Err(_) => (None, 0, f64::NAN),
        };
        self.iterations += iterations;
        self.meshes.push(MeshRecord { intervals, continued, status, iterations, objective });
        outcome
    }

    /// Why no further solve may begin, if so.
    fn end(&self) -> Option<Status> {
        let interrupted = self.meshes.last().is_some_and(|mesh| mesh.status == Some(Status::Interrupted));
        if interrupted {
            Some(Status::Interrupted)
        } else {
            (self.iterations >= self.options.max_iterations).then_some(Status::IterationLimit)
        }
    }
}

fn is_solved(status: Status) -> bool {
    matches!(status, Status::Solved | Status::Acceptable)
}

/// The layout, if it has a place for everything.
fn checked(layout: MeshLayout, program: &dyn Nlp, intervals: usize) -> Result<MeshLayout, LayoutError> {
    let bounds = program.bounds();
    let sizes = [("variables", layout.variables.len(), bounds.variables()), ("rows", layout.rows.len(), bounds.rows())];
    for (what, given, expected) in sizes {
        if given != expected {
            return Err(LayoutError::Count { intervals, what, given, expected });
        }
    }
    let outside = |place: &MeshPlace| !(0.0..=1.0).contains(&place.time());
    if let Some(j) = layout.variables.iter().position(outside) {
        let (name, time) = (program.variable_name(j), layout.variables[j].time());
        return Err(LayoutError::Time { intervals, name, time });
    }
    if let Some(i) = layout.rows.iter().position(|row| outside(&row.place)) {
        let (name, time) = (program.row_name(i), layout.rows[i].place.time());
        return Err(LayoutError::Time { intervals, name, time });
    }
    Ok(layout)
}

fn no_family(missing: Missing, layout: &MeshLayout, program: &dyn Nlp, intervals: usize) -> LayoutError {
    let (name, family) = match missing {
        Missing::Variable(j) => (program.variable_name(j), layout.variables[j].family()),
        Missing::Row(i) => (program.row_name(i), layout.rows[i].place.family()),
    };
    LayoutError::Family { intervals, name, family }
}
