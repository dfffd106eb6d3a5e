//! Strings: the force is the tension times the direction, so n alone carries x on.

use nalgebra::Vector3;

use super::{CLOSE, MOST, SpaceError, SpaceMarch, SpaceSection, put, vector};
use crate::discretisation::march::SidewaysError;
use crate::mechanism::StrainError;

impl SpaceMarch<'_> {
    /// Advances n. The drag depends on the direction of n itself: the midpoint rule, iterated to rounding.
    pub(super) fn push_limp(&mut self, step: f64, section: &SpaceSection) {
        if !self.loading.resists() {
            self.push(step, section);
            return;
        }
        for (kept, n) in self.points.iter_mut().zip(&self.layer.n) {
            kept.copy_from_slice(n);
        }
        self.push(step, section);
        self.loading.find_velocities(&self.layer.x, &self.time);
        for k in 0..self.layer.len() {
            let (before, pushed) = (vector(&self.points, k), vector(&self.layer.n, k));
            let mut n = pushed;
            for _ in 0..MOST {
                let middle: Vector3<f64> = before + n;
                let next = pushed - self.loading.drag(k, middle / middle.norm()) * step;
                let change = (next - n).amax();
                n = next;
                if !(change > CLOSE * n.amax()) {
                    break;
                }
            }
            put(&mut self.layer.n, k, n);
        }
    }

    /// x' = ν(|n|) n/|n|; the slowest wave met. The transverse wave, √(N/(ν ρA)), is the slowest of a string that stretches
    /// little.
    pub(super) fn drift_limp(&mut self, step: f64, section: &SpaceSection, s: f64) -> Result<f64, SpaceError> {
        let layer = &mut self.layer;
        let mut slowest_square = f64::INFINITY;
        let mut elastic = section.relaxation(self.dt).map(|rule| rule.component(2));
        for index in 0..layer.len() {
            let n = vector(&layer.n, index);
            let tension = n.norm();
            if tension <= f64::MIN_POSITIVE {
                let cause = StrainError::Slack { tension };
                return Err(SidewaysError::Breakdown { s, index, cause }.into());
            }
            let stretch = section.stretch(elastic.as_mut().map_or(tension, |elastic| elastic.next(tension)));
            let per_tension = stretch / tension;
            let x = vector(&layer.x, index) + n * (step * per_tension);
            put(&mut layer.x, index, x);
            let square = (1.0 / per_tension).min(section.axial_stiffness(stretch));
            if !square.is_finite() {
                return Ok(f64::NAN);
            }
            slowest_square = slowest_square.min(square);
        }
        Ok((slowest_square / section.mass).sqrt())
    }
}
