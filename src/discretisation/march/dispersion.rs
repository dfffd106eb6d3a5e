//! How much marching along s amplifies errors in its data.
//!
//! About an equilibrium, a disturbance of frequency ω obeys d/ds (δq, δn) = S(ω) (δq, δn) with
//!
//! S = [ −W_pp⁻¹W_pq , W_pp⁻¹ ; −ω²A + W_qq − W_qp W_pp⁻¹ W_pq , W_qp W_pp⁻¹ ],
//!
//! so it grows like exp ∫ max Re λ(S) ds. For a shear-flexible beam the growth is largest near the cut-off √(GA/ρI).

use nalgebra::linalg::balancing::balance_parlett_reinsch;
use nalgebra::{DMatrix, Schur};

use super::Lowpass;
use super::space::Oscillation;

/// Growth of disturbances over the rod, frequency by frequency.
#[derive(Debug, Clone, PartialEq)]
pub struct Growth {
    /// Angular frequencies a grid carries, rad/s, increasing.
    pub frequencies: Vec<f64>,
    /// ∫ max Re λ ds at each of them: disturbances grow by exp of this.
    pub exponents: Vec<f64>,
}

impl Growth {
    /// Largest exponent and the frequency at which it is attained.
    pub fn worst(&self) -> (f64, f64) {
        let pairs = self.exponents.iter().copied().zip(self.frequencies.iter().copied());
        pairs.fold((0.0, 0.0), |worst, pair| if pair.0 > worst.0 { pair } else { worst })
    }

    /// Decimal digits by which the worst disturbance grows.
    pub fn digits(&self) -> f64 {
        self.worst().0 / std::f64::consts::LN_10
    }

    /// What becomes of data with the given amplitudes (one per frequency). Amplified, a smooth path still decays with
    /// frequency, until its kinks and rounding errors, which decay slower than the growth, rise again. Returns the
    /// largest amplified amplitude beyond that valley relative to the largest before it, and the frequency of the valley.
    pub fn distortion(&self, amplitudes: &[f64]) -> (f64, f64) {
        let amplified: Vec<f64> = amplitudes.iter().zip(&self.exponents).map(|(a, e)| a * e.exp()).collect();
        let peak = (0..amplitudes.len()).max_by(|&i, &j| amplitudes[i].total_cmp(&amplitudes[j])).unwrap_or(0);
        // The spectrum of a manoeuvre of finite length has zeros: its envelope is the largest value just above.
        let envelope = |i: usize| {
            let above =
                self.frequencies.iter().zip(&amplified).skip(i).take_while(|(f, _)| **f <= 1.5 * self.frequencies[i]);
            above.map(|(_, a)| *a).fold(0.0, f64::max)
        };
        let largest = |part: &[f64]| part.iter().copied().fold(0.0, f64::max);
        // The deepest valley between two peaks; what does not rise again by a factor of three is no valley.
        let mut deepest = (3.0, 0.0, self.frequencies.last().copied().unwrap_or(0.0));
        for i in peak..amplified.len() {
            let (before, after, here) = (largest(&amplified[..=i]), largest(&amplified[i..]), envelope(i));
            let depth = before.min(after) / here;
            if depth > deepest.0 {
                // Where both are beyond what a number holds the share is too.
                deepest = (depth, (after / before).min(f64::MAX), self.frequencies[i]);
            }
        }
        (deepest.1, deepest.2)
    }
}

/// Growth along sections of some length each, metre, with the matrix S(ω) that `matrix` gives for a section.
pub fn growth_of<S>(
    sections: &[(S, f64)],
    dt: f64,
    lowpass: Option<&Lowpass>,
    matrix: &dyn Fn(&S, Oscillation) -> Option<DMatrix<f64>>,
) -> Growth {
    let frequencies = frequencies(dt);
    let exponent = |&omega: &f64| {
        // The grid's own second derivative: 2(1 − cos ω dt)/dt² instead of ω².
        let square = 2.0 * (1.0 - (omega * dt).cos()) / (dt * dt) * lowpass.map_or(1.0, |f| f.gain(omega));
        let at = Oscillation { omega, square };
        let matrices = sections.iter().filter_map(|(section, length)| Some((matrix(section, at)?, length)));
        matrices.map(|(matrix, length)| largest_real_part(matrix) * length).sum()
    };
    let exponents = frequencies.iter().map(exponent).collect();
    Growth { frequencies, exponents }
}

/// Frequencies at which [`growth_of`] is sampled for a time step: logarithmic over four decades up to π/dt, because bending
/// growth varies over decades.
pub fn frequencies(dt: f64) -> Vec<f64> {
    const COUNT: usize = 160;
    let nyquist = std::f64::consts::PI / dt;
    (0..=COUNT).map(|i| nyquist * 10f64.powf(-4.0 * (1.0 - i as f64 / COUNT as f64))).collect()
}

/// The largest real part of the eigenvalues, after balancing (stiffness and inertia differ by orders of magnitude). The
/// QR iteration is bounded: where it does not settle, a shift of the diagonal by a trifle makes it.
fn largest_real_part(mut matrix: DMatrix<f64>) -> f64 {
    balance_parlett_reinsch(&mut matrix);
    let size = matrix.amax();
    for trial in 0..5 {
        let shift = f64::from(trial) * 1e-9 * size;
        let mut shifted = matrix.clone();
        for i in 0..shifted.nrows() {
            shifted[(i, i)] += shift * (1.0 + i as f64);
        }
        if let Some(schur) = Schur::try_new(shifted, f64::EPSILON, 500) {
            return schur.complex_eigenvalues().iter().map(|z| z.re).fold(0.0, f64::max);
        }
    }
    // Gershgorin bounds what the iteration did not find.
    matrix.row_iter().map(|row| row.abs().sum()).fold(0.0, f64::max)
}
