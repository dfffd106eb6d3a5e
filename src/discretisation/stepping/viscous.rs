//! Damping in a step: stresses of the strain at its middle and the rate (strain₁ − strain₀)/h, D (strain₁ − strain₀)/h of rods.

use nalgebra::Matrix6;

use super::Step;
use crate::discretisation::assembly::shape::MAX_NODES;

impl Step<'_> {
    /// Viscous forces Bᵀσ at the middle of the damped elements whose elastic forces act at the instants.
    pub(super) fn add_viscous_forces(&mut self) {
        let layout = &self.assembly.layout;
        let mut strains = [Matrix6::zeros(); MAX_NODES];
        for (element, start) in self.assembly.elements.iter().zip(&self.viscous_start) {
            let (Some(start), true) = (start, element.at_instants) else { continue };
            for point in 0..element.points() {
                element.strain_matrices(layout, &self.middle, point, &mut strains);
                let stress = self.viscous[start + point] * element.weight(point);
                for (b, end) in strains.iter().zip(&element.ends) {
                    let force = b.tr_mul(&stress);
                    let dof = layout.freedom(end.node);
                    for c in 0..layout.kind(end.node).freedoms() {
                        self.forces.other[dof + c] += force[c];
                    }
                }
            }
        }
    }

    /// Adds Bᵀ D B₁ ∂q₁/∂(u, θ_m) / h of the damped elements to the stiffness.
    pub(super) fn add_viscous_stiffness(&mut self) {
        let layout = &self.assembly.layout;
        let zero = [Matrix6::zeros(); MAX_NODES];
        for (index, element) in self.assembly.elements.iter().enumerate() {
            let Some(first) = self.viscous_start[index] else { continue };
            let count = element.ends.len();
            let (mut middle, mut late) = (zero, zero);
            for point in 0..element.points() {
                element.strain_matrices(layout, &self.middle, point, &mut middle);
                element.strain_matrices(layout, &self.to, point, &mut late);
                let strain = element.strain(layout, &self.middle, point);
                let rate = (element.strain(layout, &self.to, point) - self.early_strain[first + point]) / self.h;
                let (by_strain, by_rate) = element.viscous_slopes(point, &strain, &rate);
                let weighted = by_rate * (element.weight(point) / self.h);
                for (j, col_end) in element.ends.iter().enumerate() {
                    let cols = layout.kind(col_end.node);
                    let mut moved = weighted * late[j] * self.nodes[col_end.node].end_of_middle(cols);
                    if let Some(slope) = by_strain {
                        moved += slope * middle[j] * element.weight(point);
                    }
                    for (i, row_end) in element.ends.iter().enumerate() {
                        let rows = layout.kind(row_end.node).freedoms();
                        let start = self.assembly.element_blocks(index)[count * j + i];
                        let block = middle[i].tr_mul(&moved);
                        for c in 0..cols.freedoms() {
                            for r in 0..rows {
                                self.forces.stiffness.values[start + r + rows * c] += block[(r, c)];
                            }
                        }
                    }
                }
            }
        }
    }

    /// Energy dissipated in the last finished step, also in the fluid, joule.
    pub fn dissipated(&self) -> f64 {
        let mut sum = 0.0;
        let layout = &self.assembly.layout;
        for (element, start) in self.assembly.elements.iter().zip(&self.viscous_start) {
            if let Some(start) = start {
                for point in 0..element.points() {
                    let change = element.strain(layout, &self.to, point) - self.early_strain[start + point];
                    sum += element.weight(point) * self.viscous[start + point].dot(&change);
                }
            }
        }
        sum + self.taken_by_fluid()
    }
}
