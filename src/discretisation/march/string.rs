//! Sideways Störmer-Verlet for strings: n kick, r drift.

use super::{Breakdown, Layer, Sideways, TimeDerivative};
use crate::material::AxialLaw;
use crate::models::{FlexibleString, StrainError};

impl<const D: usize, L: AxialLaw> Sideways<D> for FlexibleString<D, L> {
    /// n' = ρA (r̈ − g).
    fn kick(&self, step: f64, time: &mut TimeDerivative, layer: &mut Layer<D>) {
        let mass = step * self.mass;
        for (axis, gravity) in self.gravity.into_iter().enumerate() {
            let acceleration = time.second(&layer.q[axis]);
            for (n, a) in layer.n[axis].iter_mut().zip(acceleration) {
                *n += mass * (a - gravity);
            }
        }
    }

    /// r' = ν(|n|) n/|n|. The transverse wave, √(N/(ν ρA)), is the slowest of a string that stretches little.
    fn drift(&self, step: f64, _time: &mut TimeDerivative, layer: &mut Layer<D>) -> Result<f64, Breakdown> {
        let mut slowest_square = f64::INFINITY;
        for k in 0..layer.len() {
            let tension = layer.n.iter().map(|n| n[k] * n[k]).sum::<f64>().sqrt();
            if tension <= f64::MIN_POSITIVE {
                return Err(Breakdown { index: k, cause: StrainError::Slack { tension } });
            }
            let stretch = self.law.stretch(self.axial, tension);
            let per_tension = stretch / tension;
            for (q, n) in layer.q.iter_mut().zip(&layer.n) {
                q[k] += step * per_tension * n[k];
            }
            let square = (1.0 / per_tension).min(self.law.tangent(self.axial, stretch));
            if !square.is_finite() {
                return Ok(f64::NAN);
            }
            slowest_square = slowest_square.min(square);
        }
        Ok((slowest_square / self.mass).sqrt())
    }
}
