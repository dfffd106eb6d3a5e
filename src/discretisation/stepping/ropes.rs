//! Ropes of changing length in a step: their kinetic energy depends on the configuration, and couples nodes.
//!
//! Their nodes are points, so with the half step u the middle is q₀ + u and the velocity 2u/h, and of L_d = h T(q₀ + u, 2u/h)
//!
//! −D₁L_d = ∂T/∂q̇ − h/2 ∂T/∂q,  D₂L_d = ∂T/∂q̇ + h/2 ∂T/∂q.

use nalgebra::Matrix6;

use super::{FIXED, Step};
use crate::discretisation::assembly::Assembly;

/// The unknowns that are lengths of winches.
pub(super) fn reels(assembly: &Assembly, unknown: &[usize]) -> Vec<usize> {
    let of_winch = assembly.winches.iter().map(|winch| unknown[assembly.layout.freedom(winch.node)]);
    of_winch.filter(|unknown| *unknown != FIXED).collect()
}

impl Step<'_> {
    /// Unknown lengths of winches, which stand in the equations of all nodes of their ropes.
    pub fn reels(&self) -> Vec<usize> {
        reels(self.assembly, &self.unknown)
    }

    /// Velocities of the degrees of freedom in the step, of points.
    fn point_rates(&self) -> Vec<f64> {
        self.half.iter().map(|half| 2.0 * half / self.h).collect()
    }

    /// Adds −D₁L_d.
    pub(super) fn add_rope_start(&self, out: &mut [f64]) {
        if !self.assembly.winches.is_empty() {
            self.assembly.add_rope_momenta(&self.middle, &self.point_rates(), 1.0, -0.5 * self.h, out);
        }
    }

    /// Adds D₂L_d.
    pub(super) fn add_rope_end(&self, out: &mut [f64]) {
        if !self.assembly.winches.is_empty() {
            self.assembly.add_rope_momenta(&self.middle, &self.point_rates(), 1.0, 0.5 * self.h, out);
        }
    }

    /// Adds those of a block of the stiffness.
    pub(super) fn add_rope_slopes(&self, start: usize, [rows, cols]: [usize; 2], block: &mut Matrix6<f64>) {
        let slopes = self.rope_slopes.get(start..start + rows * cols).unwrap_or_default();
        slopes.iter().enumerate().for_each(|(i, slope)| block[(i % rows, i / rows)] += slope);
    }

    /// The derivatives of −D₁L_d by the half steps.
    pub(super) fn find_rope_slopes(&mut self) {
        let assembly = self.assembly;
        if assembly.winches.is_empty() {
            return;
        }
        let mut slopes = std::mem::take(&mut self.rope_slopes);
        slopes.clear();
        slopes.resize(self.forces.stiffness.values.len(), 0.0);
        let (h, pattern) = (self.h, &self.forces.stiffness);
        let take = &mut |row: (usize, usize), col: (usize, usize), [vv, vq, qv, qq]: [f64; 4]| {
            let Some(start) = pattern.find(row.0, col.0) else { return };
            let place = start + row.1 + assembly.layout.kind(row.0).freedoms() * col.1;
            slopes[place] += 2.0 / h * vv + vq - qv - 0.5 * h * qq;
        };
        assembly.rope_slopes(&self.middle, &self.point_rates(), take);
        self.rope_slopes = slopes;
    }
}
