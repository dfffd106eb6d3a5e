//! Small motions as changes of the unknowns.

use nalgebra::Vector3;

use super::{Equilibrium, FIXED};
use crate::discretisation::assembly::NodeKind;
use crate::geometry::Quaternion;
use crate::nlp::EvalFailure;

impl Equilibrium<'_> {
    /// The change of the unknowns that a small motion from the configuration with unknowns `x` makes; `motion` holds the
    /// degrees of freedom `free`. Multipliers do not change.
    pub fn change(&mut self, x: &[f64], free: &[usize], motion: &[f64]) -> Result<Vec<f64>, EvalFailure> {
        let q = self.configuration(x)?;
        let layout = &self.assembly.layout;
        let mut all = vec![0.0; layout.freedom_count()];
        free.iter().zip(motion).for_each(|(&dof, value)| all[dof] = *value);
        let mut out = vec![0.0; x.len()];
        for node in 0..layout.nodes() {
            let (kind, at, dof) = (layout.kind(node), layout.coordinate(node), layout.freedom(node));
            let mut by_coordinate = [0.0; 7];
            let additive = kind.coordinates().min(3);
            by_coordinate[..additive].copy_from_slice(&all[dof..dof + additive]);
            if kind == NodeKind::SpaceFrame {
                by_coordinate[3..].copy_from_slice(&self.turned(&q, node, &all[dof + 3..dof + 6]));
            }
            for (c, change) in by_coordinate.iter().enumerate().take(kind.coordinates()) {
                if self.unknown[at + c] != FIXED {
                    out[self.unknown[at + c]] = *change;
                }
            }
        }
        Ok(out)
    }

    /// The change ½ p (0; ξ) of the quaternion of a node by a body rotation ξ.
    pub(super) fn turned(&self, q: &[f64], node: usize, turn: &[f64]) -> [f64; 4] {
        let half = Vector3::from_column_slice(turn) * 0.5;
        (self.assembly.layout.orientation(q, node) * Quaternion { re: 0.0, im: half }).to_array()
    }
}
