//! The state that a motion begins in where it stands still: on the mesh of the simulation all forces are in equilibrium with the
//! inertia of the accelerations with which it sets off.

use crate::discretisation::equilibrium::Equilibrium;
use crate::discretisation::remesh::{Shape, Transfer};
use crate::discretisation::stepping::State;
use crate::mechanism::Frame;
use crate::nlp::SquareSystem;
use crate::solver::linear::best_general_solver;
use crate::solver::{Newton, NewtonOptions, Status};
use crate::terms::NodeKind;

/// How a motion begins that stands still at its first instant.
#[derive(Debug, Clone)]
pub struct Rest {
    /// Degrees of freedom of frames that are held where they are.
    pub held: Vec<(Frame, usize)>,
    /// Accelerations in the places of velocities; none where it sets off from an equilibrium.
    pub accelerations: Option<Shape>,
}

/// The state near another in which loads and actuators of its instant are in equilibrium with inertia forces M a, with degrees of
/// freedom of frames held where they are; none if Newton's method does not lead there.
pub fn settled(
    transfer: &Transfer<'_>,
    near: &State,
    held: &[(Frame, usize)],
    inertia: Option<Vec<f64>>,
) -> Option<State> {
    let mut assembly = transfer.assembly.clone();
    assembly.reference.clone_from(&near.q);
    for (frame, freedom) in held {
        let Some(at) = assembly.frame(*frame) else { continue };
        let first = assembly.layout.freedom(at.node);
        // Rotations in space are held together.
        let rotation = assembly.layout.kind(at.node) == NodeKind::SpaceFrame && *freedom > 2;
        let places = if rotation { first + 3..first + 6 } else { first + freedom..first + freedom + 1 };
        assembly.fixed[places].fill(true);
    }
    let mut equilibrium = Equilibrium::new(&assembly, near.t);
    if let Some(inertia) = inertia {
        equilibrium.accelerate(inertia);
    }
    let start = equilibrium.start();
    let mut newton = Newton::new(best_general_solver(equilibrium.pattern()), NewtonOptions::default());
    let solved = newton.solve(&mut equilibrium, &start, &mut |_| true).ok()?;
    if solved.status != Status::Solved {
        return None;
    }
    let q = equilibrium.configuration(&solved.x).ok()?;
    // Another equilibrium far away is not where the motion begins.
    let far = q.iter().zip(&near.q).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    let near_enough = far <= 0.1 * assembly.size();
    near_enough.then(|| State { t: near.t, q, momentum: vec![0.0; near.momentum.len()] })
}
