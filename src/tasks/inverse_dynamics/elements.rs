//! What the finite element methods share: their solution, and the motion on the user's grid recovered from it.

use super::{Motion, TaskError};
use crate::discretisation::{TimeGrid, Window};
use crate::models::{Continuum, Rod, Vector};
use crate::results::Iteration;

/// The finite element solution and how it was found.
#[derive(Debug)]
pub struct Solved<const D: usize> {
    /// The answer.
    pub motion: Motion<D>,
    /// Worst residual and step over all layers, per Newton iteration.
    pub iterations: Vec<Iteration>,
    /// Unknowns in all.
    pub unknowns: usize,
}

/// Positions and velocities of one layer at all instants.
#[derive(Debug, Clone)]
pub struct FieldLayer<const D: usize> {
    /// Positions.
    pub x: Vec<Vector<D>>,
    /// Velocities.
    pub v: Vec<Vector<D>>,
}

/// The user's grid from the layers of the window, stresses recovered from the elements.
pub fn assemble<C: Continuum<D>, const D: usize>(
    rod: &Rod<C, D>,
    grid: &TimeGrid,
    window: &Window,
    layers: &[FieldLayer<D>],
) -> Result<Motion<D>, TaskError> {
    let mut motion = Motion::zeros(rod.elements + 1, grid.steps + 1);
    let ds = rod.length / rod.elements as f64;
    for k in 0..motion.instants {
        let j = window.index(k);
        for (i, layer) in layers.iter().enumerate() {
            let place = motion.at(i, k);
            motion.q[place] = layer.x[j];
            motion.v[place] = layer.v[j];
        }
        // Stress is known best at the element midpoints: averaged inside, extrapolated at the ends.
        let mut middle = Vec::with_capacity(rod.elements);
        for (e, pair) in layers.windows(2).enumerate() {
            let (q, p) = ((pair[0].x[j] + pair[1].x[j]) * 0.5, (pair[1].x[j] - pair[0].x[j]) / ds);
            // A state without waves is no state of this rod: a string in compression, for instance.
            let stress = rod.model.waves(&q, &p).and_then(|_| rod.model.stress(&q, &p));
            let s = (e as f64 + 0.5) * ds;
            let broken = |cause| TaskError::Breakdown { rod: rod.name.clone(), s, t: grid.time(k), cause };
            middle.push(stress.map_err(broken)?.n);
        }
        let last = middle.len() - 1;
        for i in 0..=rod.elements {
            let place = motion.at(i, k);
            motion.n[place] = match i {
                _ if last == 0 => middle[0],
                0 => middle[0] * 1.5 - middle[1] * 0.5,
                _ if i > last => middle[last] * 1.5 - middle[last - 1] * 0.5,
                _ => (middle[i - 1] + middle[i]) * 0.5,
            };
        }
    }
    Ok(motion)
}
