//! Work of supports that move.
//!
//! Supports act by impulses R_k at the instants t_k, where they move with the velocity v_k: by the trapezoidal rule their
//! work up to t_n is Σ R_k·v_k, the last impulse by half. That one is not known before the next step and taken as its
//! predecessor, which is right to second order and makes up for itself in the next step.

use nalgebra::{Vector3, Vector6};

use super::march::{Marcher, ground_velocities, support_velocities};
use crate::discretisation::assembly::{Anchor, Assembly, ConditionRow};
use crate::nlp::EvalFailure;

/// Impulses of supports and joints about the beginning of the last step.
pub struct Impulses<'a> {
    /// Of the supports, by degree of freedom.
    pub support: &'a [f64],
    /// Along the equations of the joints.
    pub joints: &'a [f64],
    /// By how much they were shorter than in the middle of a motion: 2 at the first instant, where they act for half a
    /// step.
    pub share: f64,
}

/// Finds the work of moving supports.
pub struct SupportWork<'a> {
    assembly: &'a Assembly,
    held: Vec<Vector6<f64>>,
    grounds: Vec<Vector3<f64>>,
}

impl<'a> SupportWork<'a> {
    /// Of a mechanism, if any of its supports moves.
    pub fn new(assembly: &'a Assembly) -> Option<Self> {
        let moves = |side: &Anchor| match side {
            Anchor::Ground(_, displacement) => displacement.iter().flatten().any(|f| !f.is_constant()),
            Anchor::Node(_) => false,
        };
        let driven = assembly.prescribed.iter().any(|support| support.moves())
            || assembly.constraints.iter().flat_map(|joint| &joint.sides).any(moves);
        driven.then(|| Self {
            assembly,
            held: vec![Vector6::zeros(); assembly.layout.nodes()],
            grounds: vec![Vector3::zeros(); assembly.constraints.len()],
        })
    }

    /// Σ R·v with the velocities of an instant.
    fn product(&mut self, impulses: &Impulses<'_>, t: f64) -> Result<f64, EvalFailure> {
        self.held.fill(Vector6::zeros());
        support_velocities(self.assembly, t, &mut self.held)?;
        ground_velocities(self.assembly, t, &mut self.grounds)?;
        let layout = &self.assembly.layout;
        let mut sum = 0.0;
        for (node, held) in self.held.iter().enumerate() {
            let dof = layout.freedom(node);
            for c in (0..layout.kind(node).freedoms()).filter(|c| self.assembly.fixed[dof + c]) {
                sum += impulses.support[dof + c] * held[c];
            }
        }
        let mut lambda = impulses.joints.iter();
        for (joint, ground) in self.assembly.constraints.iter().zip(&self.grounds) {
            for row in &joint.rows {
                let Some(lambda) = lambda.next() else { continue };
                let ConditionRow::Coordinate(c) = row else { continue };
                // The equation is the second side less the first.
                for (side, sign) in joint.sides.iter().zip([1.0, -1.0]) {
                    if let Anchor::Ground(..) = side {
                        sum += sign * lambda * ground[*c];
                    }
                }
            }
        }
        Ok(sum)
    }

    /// Work of the impulses at the beginning of the last step, of length `h`, and of half of those expected at its end.
    pub fn last_step(&mut self, marcher: &Marcher<'_>) -> Result<[f64; 2], EvalFailure> {
        let (impulses, h, end) = (marcher.impulses(), marcher.last_step(), marcher.state().t);
        let whole = self.product(&impulses, end - h)?;
        let rest = self.product(&impulses, end)?;
        Ok([whole, 0.5 * impulses.share * rest])
    }
}
