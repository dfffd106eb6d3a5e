//! How much marching along s amplifies errors in its data.
//!
//! About an equilibrium, a disturbance of frequency ω obeys d/ds (δq, δn) = S(ω) (δq, δn) with
//!
//! S = [ −W_pp⁻¹W_pq , W_pp⁻¹ ; −ω²A + W_qq − W_qp W_pp⁻¹ W_pq , W_qp W_pp⁻¹ ],
//!
//! so it grows like exp ∫ max Re λ(S) ds. For a shear-flexible beam the growth is largest near the cut-off √(GA/ρI).

use nalgebra::DMatrix;

use super::{Layer, Lowpass};
use crate::models::{Continuum, StrainError};

/// Largest growth of an error over the rod.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Growth {
    /// max over ω of ∫ max Re λ ds: errors grow by exp of this.
    pub exponent: f64,
    /// Angular frequency at which it is attained, rad/s.
    pub frequency: f64,
}

impl Growth {
    /// Decimal digits lost to the amplification of rounding errors.
    pub fn digits_lost(&self) -> f64 {
        self.exponent / std::f64::consts::LN_10
    }
}

/// Growth along a rod whose equilibrium is given by layers (equally spaced in s, the first time of each is used), for
/// all frequencies a grid with time step `dt` carries, through the optional filter.
pub fn growth<const D: usize, C: Continuum<D>>(
    model: &C,
    equilibrium: &[Layer<D>],
    length: f64,
    dt: f64,
    lowpass: Option<&Lowpass>,
) -> Result<Growth, StrainError> {
    let sections: Vec<_> = equilibrium
        .iter()
        .map(|layer| {
            let (q, n) = (layer.q_at(0), layer.n_at(0));
            let p = model.gradient(&q, &n)?;
            model.tangent(&q, &p)
        })
        .collect::<Result<_, _>>()?;
    let inertia = model.inertia();
    let nyquist = std::f64::consts::PI / dt;
    let mut worst = Growth { exponent: 0.0, frequency: 0.0 };
    for i in 0..=FREQUENCIES {
        // Logarithmic from π/(10⁴ dt) to π/dt: bending growth varies over decades of frequency.
        let omega = nyquist * 10f64.powf(-4.0 * (1.0 - i as f64 / FREQUENCIES as f64));
        // The grid's own second derivative: 2(1 − cos ω dt)/dt² instead of ω².
        let square = 2.0 * (1.0 - (omega * dt).cos()) / (dt * dt) * lowpass.map_or(1.0, |f| f.gain(omega));
        let mut exponent = 0.0;
        for tangent in &sections {
            let Some(compliance) = tangent.pp.try_inverse() else { continue };
            let coupling = compliance * tangent.pq;
            let lower =
                tangent.qq - tangent.pq.transpose() * coupling - nalgebra::SMatrix::from_diagonal(&(inertia * square));
            let mut matrix = DMatrix::zeros(2 * D, 2 * D);
            matrix.view_mut((0, 0), (D, D)).copy_from(&(-coupling));
            matrix.view_mut((0, D), (D, D)).copy_from(&compliance);
            matrix.view_mut((D, 0), (D, D)).copy_from(&lower);
            matrix.view_mut((D, D), (D, D)).copy_from(&coupling.transpose());
            exponent += largest_real_part(matrix) * length / sections.len() as f64;
        }
        if exponent > worst.exponent {
            worst = Growth { exponent, frequency: omega };
        }
    }
    Ok(worst)
}

/// Frequencies sampled over four decades.
const FREQUENCIES: usize = 200;

fn largest_real_part(matrix: DMatrix<f64>) -> f64 {
    matrix.complex_eigenvalues().iter().map(|z| z.re).fold(0.0, f64::max)
}
