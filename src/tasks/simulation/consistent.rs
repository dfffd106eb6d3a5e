//! Momenta as the joints and supports let them through.

use nalgebra::{Vector3, Vector6};

use super::march::{ground_velocities, support_velocities};
use crate::discretisation::assembly::Assembly;
use crate::discretisation::stepping::{State, Velocities};
use crate::nlp::EvalFailure;
use crate::solver::linear::{LinearSolver, best_bordered_solver};

/// Finds the momenta that belong to velocities which joints allow.
pub struct Consistent<'a> {
    assembly: &'a Assembly,
    system: Velocities<'a>,
    solver: Box<dyn LinearSolver>,
    values: Vec<f64>,
    solution: Vec<f64>,
    held: Vec<Vector6<f64>>,
    grounds: Vec<Vector3<f64>>,
}

impl<'a> Consistent<'a> {
    /// For a mechanism.
    pub fn new(assembly: &'a Assembly) -> Self {
        let system = Velocities::new(assembly);
        let solver = best_bordered_solver(system.pattern(), &system.reels());
        let (entries, unknowns) = (system.pattern().nnz(), system.pattern().ncols());
        Self {
            assembly,
            system,
            solver,
            values: vec![0.0; entries],
            solution: vec![0.0; unknowns],
            held: vec![Vector6::zeros(); assembly.layout.nodes()],
            grounds: vec![Vector3::zeros(); assembly.constraints.len()],
        }
    }

    /// The momenta of a state after joints and supports have acted, and the kinetic energy, joule, where they are determined.
    pub fn momenta(&mut self, state: &State, out: &mut [f64]) -> Result<Option<f64>, EvalFailure> {
        let t = state.t;
        self.held.fill(Vector6::zeros());
        support_velocities(self.assembly, t, &mut self.held)?;
        ground_velocities(self.assembly, t, &mut self.grounds)?;
        let Self { system, solver, values, solution, held, grounds, .. } = self;
        system.evaluate(&state.q, &state.momentum, held, grounds, values, solution);
        let solved =
            solver.analyse(system.pattern()).and_then(|()| solver.factor(values)).and_then(|_| solver.solve(solution));
        match solved {
            Ok(_) => Ok(Some(system.momenta(&state.q, solution, held, out))),
            // What is singular here is singular in the step, which names it.
            Err(_) => {
                out.copy_from_slice(&state.momentum);
                Ok(None)
            }
        }
    }
}
