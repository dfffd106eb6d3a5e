//! Sideways Störmer-Verlet for the plane beam: (n, θ) kick, (r, m) drift.

use super::{Breakdown, Layer, Sideways, TimeDerivative};
use crate::material::AxialLaw;
use crate::models::{Beam, StrainError};

impl<L: AxialLaw> Sideways<3> for Beam<L> {
    /// n' = ρA (r̈ − g), θ' = m / EI.
    fn kick(&self, step: f64, time: &mut TimeDerivative, layer: &mut Layer<3>) {
        let mass = step * self.section.mass;
        for (axis, gravity) in self.gravity.into_iter().enumerate() {
            let acceleration = time.second(&layer.q[axis]);
            for (n, a) in layer.n[axis].iter_mut().zip(acceleration) {
                *n += mass * (a - gravity);
            }
        }
        let compliance = step / self.section.bending;
        for (theta, m) in layer.q[2].iter_mut().zip(&layer.n[2]) {
            *theta += compliance * m;
        }
    }

    /// r' = γ₃ d₃ + γ₁ d₁ with γ from the inverse law, m' = ρI θ̈ − (γ₃ N₁ − γ₁ N₃).
    fn drift(&self, step: f64, time: &mut TimeDerivative, layer: &mut Layer<3>) -> Result<f64, Breakdown> {
        let section = &self.section;
        let per_shear = 1.0 / section.shear;
        let rotary = section.rotary;
        let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
        let spin = time.second(&layer.q[2]);
        let [x, y, theta] = &mut layer.q;
        let [nx, ny, m] = &mut layer.n;
        let count = spin.len();
        let (x, y, theta) = (&mut x[..count], &mut y[..count], &theta[..count]);
        let (nx, ny, m) = (&nx[..count], &ny[..count], &mut m[..count]);
        for k in 0..count {
            let (sin, cos) = theta[k].sin_cos();
            let n3 = cos * nx[k] + sin * ny[k];
            let n1 = cos * ny[k] - sin * nx[k];
            let g3 = self.law.stretch(section.axial, n3);
            let g1 = n1 * per_shear;
            least = least.min(g3);
            most = most.max(g3);
            x[k] += step * (g3 * cos - g1 * sin);
            y[k] += step * (g3 * sin + g1 * cos);
            m[k] += step * (rotary * spin[k] - (g3 * n1 - g1 * n3));
        }
        if !(least > 0.0) {
            return Err(self.collapse(layer));
        }
        // The tangent is taken at the extremes of the stretch: laws are monotone between them.
        let tangent = self.law.tangent(section.axial, least).min(self.law.tangent(section.axial, most));
        let finite = most.is_finite() && layer.n[2].iter().all(|m| m.is_finite());
        let axial_or_shear = (tangent.min(section.shear) / section.mass).sqrt();
        Ok(if finite { axial_or_shear.min((section.bending / section.rotary).sqrt()) } else { f64::NAN })
    }
}

impl<L: AxialLaw> Beam<L> {
    /// The instant at which the stretch is least.
    fn collapse(&self, layer: &Layer<3>) -> Breakdown {
        let stretch = |k: usize| {
            let (sin, cos) = layer.q[2][k].sin_cos();
            self.law.stretch(self.section.axial, cos * layer.n[0][k] + sin * layer.n[1][k])
        };
        let index = (0..layer.len()).min_by(|&a, &b| stretch(a).total_cmp(&stretch(b))).unwrap_or(0);
        Breakdown { index, cause: StrainError::Collapsed { stretch: stretch(index) } }
    }
}
