//! Second derivative of the potential along small motions, without the loss of digits of the stiffness matrix.
//!
//! In vᵀKw the stiffnesses of stretching and shearing short elements cancel where a slender rod bends, and with them all
//! digits on fine meshes. With the strains Γ of the motion q ⊕ (a v + b w) as hyper-dual numbers it is
//!
//! ```text
//! Σ weight (∂Γ/∂a · C ∂Γ/∂b + stress · ∂²Γ/∂a∂b) + vᵀ K_loads w + Σ λ ∂²g/∂a∂b,
//! ```
//!
//! where nothing cancels but what the loads and the stiffness have in common.

use nalgebra::{DMatrix, Matrix6};
use num_dual::HyperDual64;

use super::Equilibrium;
use crate::discretisation::assembly::{NodeKind, shape::MAX_NODES};
use crate::nlp::EvalFailure;
use crate::terms::Nodes;

impl Equilibrium<'_> {
    /// vᵢᵀKvⱼ for motions in the degrees of freedom `free`.
    pub fn second_variation(
        &mut self,
        x: &[f64],
        free: &[usize],
        motions: &[Vec<f64>],
    ) -> Result<DMatrix<f64>, EvalFailure> {
        let loads = self.load_stiffness(x)?.clone();
        let changes = self.changes_of_all(x, free, motions)?;
        let q = self.configuration(x)?;
        let layout = &self.assembly.layout;
        let mut out = DMatrix::zeros(motions.len(), motions.len());
        for (i, (first, all)) in changes.iter().enumerate() {
            for (j, (second, other)) in changes.iter().enumerate().skip(i) {
                let moved: Vec<HyperDual64> =
                    (0..q.len()).map(|c| HyperDual64::new(q[c], first[c], second[c], 0.0)).collect();
                let nodes = Nodes { layout, q: &moved };
                let elements = self.assembly.elements.iter().map(|element| element.energy_over(&nodes).eps1eps2);
                let mut sum: f64 = elements.sum();
                for &(row, col, start) in &loads.list {
                    let (rows, cols) = (layout.kind(row).freedoms(), layout.kind(col).freedoms());
                    let (at, to) = (layout.freedom(row), layout.freedom(col));
                    for c in 0..cols {
                        for r in 0..rows {
                            // Forces without potential have no energy; what of them is symmetric counts.
                            let product = all[at + r] * other[to + c] + other[at + r] * all[to + c];
                            sum += 0.5 * loads.values[start + r + rows * c] * product;
                        }
                    }
                }
                let mut multipliers = x[self.size..].iter();
                for joint in &self.assembly.constraints {
                    for row in 0..joint.rows.len() {
                        let lambda = multipliers.next().copied().unwrap_or(0.0);
                        sum += lambda * joint.value_over(&nodes, nodes.zero(), row).eps1eps2;
                    }
                }
                out[(i, j)] = sum;
                out[(j, i)] = sum;
            }
        }
        Ok(out)
    }

    /// Energy of the strains that a motion makes, Σ weight ∂Γ·C ∂Γ.
    pub fn strain_energy_of(&mut self, x: &[f64], free: &[usize], motion: &[f64]) -> Result<f64, EvalFailure> {
        let q = self.configuration(x)?;
        let layout = &self.assembly.layout;
        let mut all = vec![0.0; layout.freedom_count()];
        free.iter().zip(motion).for_each(|(&dof, value)| all[dof] = *value);
        let mut b = [Matrix6::zeros(); MAX_NODES];
        let mut energy = 0.0;
        for element in &self.assembly.elements {
            for point in 0..element.points() {
                element.strain_matrices(layout, &q, point, &mut b);
                let mut strain = [0.0; 6];
                for (end, b) in element.ends.iter().zip(&b) {
                    let dof = layout.freedom(end.node);
                    for c in 0..layout.kind(end.node).freedoms() {
                        for r in 0..6 {
                            strain[r] += b[(r, c)] * all[dof + c];
                        }
                    }
                }
                let stiffness = element.stiffness(point);
                let weight = element.weight(point);
                for r in 0..6 {
                    for c in 0..6 {
                        energy += weight * strain[r] * stiffness[(r, c)] * strain[c];
                    }
                }
            }
        }
        Ok(energy)
    }

    /// Each motion as change of all coordinates and in all degrees of freedom.
    fn changes_of_all(
        &mut self,
        x: &[f64],
        free: &[usize],
        motions: &[Vec<f64>],
    ) -> Result<Vec<(Vec<f64>, Vec<f64>)>, EvalFailure> {
        let q = self.configuration(x)?;
        let layout = &self.assembly.layout;
        let of = |motion: &Vec<f64>| {
            let mut all = vec![0.0; layout.freedom_count()];
            free.iter().zip(motion).for_each(|(&dof, value)| all[dof] = *value);
            let mut change = vec![0.0; q.len()];
            for node in 0..layout.nodes() {
                let (kind, at, dof) = (layout.kind(node), layout.coordinate(node), layout.freedom(node));
                let additive = kind.coordinates().min(3);
                change[at..at + additive].copy_from_slice(&all[dof..dof + additive]);
                if kind == NodeKind::SpaceFrame {
                    change[at + 3..at + 7].copy_from_slice(&self.turned(&q, node, &all[dof + 3..dof + 6]));
                }
            }
            (change, all)
        };
        Ok(motions.iter().map(of).collect())
    }
}
