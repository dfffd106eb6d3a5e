//! The search for states of rest along paths.

use crate::discretisation::transcription::{ControlProblem, RestWish, rest_program};
use crate::solver::constrained::{Iterate, Options, Status, solve};

/// Iterations after which there is no rest to be found: where there is one, a few dozen do.
const PATIENCE: usize = 300;
/// Largest violation of a state of rest.
const NEAR: f64 = 1e-7;

/// A state of rest: coordinates, the controls that hold it, and all unknowns of the search.
pub(super) struct Rest {
    pub q: Vec<f64>,
    pub u: Vec<f64>,
    all: Vec<f64>,
}

impl Rest {
    /// How far it is from a configuration.
    pub fn away(&self, from: &[f64]) -> f64 {
        self.q.iter().zip(from).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    }
}

/// Searches for one rest after the other. Stresses as unknowns overcome stiff parts, and are near those of the rest before; without these a
/// search with them may end at another of the several equilibria that soft parts have.
pub(super) struct Rests<'a> {
    problem: &'a ControlProblem,
    mixed: ControlProblem,
    /// How far the next rest may be.
    near: f64,
    /// Unknowns of the last rest, with stresses among them.
    last: Option<Vec<f64>>,
    /// Asked whether to go on.
    go: &'a dyn Fn() -> bool,
}

impl<'a> Rests<'a> {
    pub fn new(problem: &'a ControlProblem, near: f64, go: &'a dyn Fn() -> bool) -> Self {
        Self { problem, mixed: ControlProblem { mixed: true, ..problem.clone() }, near, last: None, go }
    }

    /// The rest in balance nearest to a configuration, as far as that was found.
    pub fn next(&mut self, wish: &RestWish<'_>, time: f64, from: &[f64]) -> Result<Rest, String> {
        if let Some(last) = &self.last
            && let Ok(found) = self.sought(&self.mixed, wish, time, from, Some(last))
            && found.away(from) <= self.near
        {
            self.last = Some(found.all.clone());
            return Ok(found);
        }
        let plain = self.sought(self.problem, wish, time, from, None);
        let begun = plain.as_ref().map_or(from, |plain| &plain.q);
        let mixed = self.sought(&self.mixed, wish, time, begun, None);
        let agree = mixed.as_ref().is_ok_and(|mixed| mixed.away(begun) <= self.near);
        self.last = mixed.as_ref().ok().filter(|_| agree).map(|mixed| mixed.all.clone());
        match (plain, mixed) {
            (Ok(_), Ok(mixed)) if agree => Ok(mixed),
            (Err(_), Ok(found)) | (Ok(found), _) => Ok(found),
            (Err(reason), Err(_)) => Err(reason),
        }
    }

    /// The same with other bounds of the controls.
    pub fn within(&self, bounds: &[(f64, f64)], wish: &RestWish<'_>, time: f64, from: &[f64]) -> Result<Rest, String> {
        let bounded = ControlProblem { control_bounds: bounds.to_vec(), ..self.mixed.clone() };
        self.sought(&bounded, wish, time, from, self.last.as_deref())
    }

    /// A configuration that keeps the joints, in balance or not.
    pub fn unbalanced(&self, wish: &RestWish<'_>, time: f64, from: &[f64]) -> Result<Rest, String> {
        self.sought(self.problem, &RestWish { balanced: false, ..*wish }, time, from, None)
    }

    fn sought(
        &self,
        problem: &ControlProblem,
        wish: &RestWish<'_>,
        time: f64,
        from: &[f64],
        begin: Option<&[f64]>,
    ) -> Result<Rest, String> {
        let mut program = rest_program(problem, wish, time, from);
        let options = Options {
            violation: 1e-9,
            max_iterations: PATIENCE,
            test_derivatives: false,
            explain: false,
            scale_rows: false,
            ..Options::default()
        };
        let own = program.start();
        let start = Iterate::at(begin.filter(|begin| begin.len() == own.len()).unwrap_or(own));
        let found = solve(&mut program, &start, &options, &mut |_| (self.go)()).map_err(|error| error.to_string())?;
        // A search that stalls at a state of rest has found one, if not the nearest.
        let ends = matches!(found.status, Status::Infeasible | Status::RestorationFailed | Status::Diverging);
        let (coordinates, all) = (from.len(), found.iterate.x);
        match !ends && found.violation <= NEAR {
            true => {
                let u = all[coordinates..coordinates + problem.control_bounds.len()].to_vec();
                Ok(Rest { q: all[..coordinates].to_vec(), u, all })
            }
            false => Err(found.message.unwrap_or_else(|| found.status.name().to_owned())),
        }
    }
}
