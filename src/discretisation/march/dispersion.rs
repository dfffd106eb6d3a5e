//! How much marching along s amplifies errors in its data.
//!
//! About an equilibrium, a disturbance of frequency ω obeys d/ds (δq, δn) = S(ω) (δq, δn) with
//!
//! S = [ −W_pp⁻¹W_pq , W_pp⁻¹ ; −ω²A + W_qq − W_qp W_pp⁻¹ W_pq , W_qp W_pp⁻¹ ],
//!
//! so it grows like exp ∫ max Re λ(S) ds. For a shear-flexible beam the growth is largest near the cut-off √(GA/ρI).

use nalgebra::linalg::balancing::balance_parlett_reinsch;
use nalgebra::{Complex, DMatrix, Schur};

use super::Lowpass;
use super::space::{Disturbance, Oscillation};

/// Rounding moves double eigenvalues by √ε of their size: real parts below this share of the largest eigenvalue are none.
const ROUNDING: f64 = 1e-7;

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

/// Growth along sections of some length each, metre, with the matrix S(ω) that `matrix` gives for a section; none where its
/// entries are beyond what numbers hold.
pub fn growth_of<S>(
    sections: &[(S, f64)],
    dt: f64,
    lowpass: Option<&Lowpass>,
    matrix: &dyn Fn(&S, Oscillation) -> Disturbance,
) -> Option<Growth> {
    let frequencies = frequencies(dt);
    let exponent = |&omega: &f64| {
        // The grid's own second derivative: 2(1 − cos ω dt)/dt² instead of ω².
        let square = 2.0 * (1.0 - (omega * dt).cos()) / (dt * dt) * lowpass.map_or(1.0, |f| f.gain(omega));
        let at = Oscillation { omega, square };
        // Along a uniform rod all sections are alike.
        let mut last: Option<(Disturbance, f64)> = None;
        let mut sum = 0.0;
        for (section, length) in sections {
            let found = matrix(section, at);
            let rate = match &last {
                Some((alike, rate)) if *alike == found => *rate,
                _ => largest_real_part(&found)?,
            };
            sum += rate * length;
            last = Some((found, rate));
        }
        Some(sum)
    };
    let exponents = frequencies.iter().map(exponent).collect::<Option<Vec<f64>>>()?;
    exponents.iter().all(|exponent| exponent.is_finite()).then_some(Growth { frequencies, exponents })
}

/// Frequencies at which [`growth_of`] is sampled for a time step: logarithmic over four decades up to π/dt, because bending
/// growth varies over decades.
pub fn frequencies(dt: f64) -> Vec<f64> {
    const COUNT: usize = 160;
    let nyquist = std::f64::consts::PI / dt;
    (0..=COUNT).map(|i| nyquist * 10f64.powf(-4.0 * (1.0 - i as f64 / COUNT as f64))).collect()
}

/// The largest real part of the eigenvalues, after balancing (stiffness and inertia differ by orders of magnitude). The
/// QR iteration is bounded: where it does not settle, a shift of the diagonal by a trifle makes it. None of entries that are
/// not finite.
fn largest_real_part(matrix: &Disturbance) -> Option<f64> {
    let mut sizes = match &matrix.im {
        None => matrix.re.clone(),
        Some(im) => matrix.re.abs() + im.abs(),
    };
    // Balancing compares squares and never ends where these overflow.
    if !sizes.iter().all(|size| size.is_finite()) {
        return None;
    }
    let unit = sizes.amax();
    if unit == 0.0 {
        return Some(0.0);
    }
    sizes /= unit;
    let scales = balance_parlett_reinsch(&mut sizes);
    let balanced = |part: &DMatrix<f64>| {
        DMatrix::from_fn(part.nrows(), part.ncols(), |i, j| part[(i, j)] / unit * (scales[j] / scales[i]))
    };
    let (re, im) = (balanced(&matrix.re), matrix.im.as_ref().map(balanced));
    for trial in 0..5 {
        let shift = f64::from(trial) * 1e-9 * sizes.amax();
        let mut shifted = re.clone();
        for i in 0..shifted.nrows() {
            shifted[(i, i)] += shift * (1.0 + i as f64);
        }
        let values: Option<Vec<Complex<f64>>> = match &im {
            None => Schur::try_new(shifted, f64::EPSILON, 500)
                .map(|schur| schur.complex_eigenvalues().iter().copied().collect()),
            Some(im) => Schur::try_new(shifted.zip_map(im, Complex::new), f64::EPSILON, 500)
                .and_then(|schur| schur.eigenvalues())
                .map(|values| values.iter().copied().collect()),
        };
        if let Some(values) = values {
            let largest = values.iter().map(|z| z.norm()).fold(0.0, f64::max);
            let rate = values.iter().map(|z| z.re).fold(0.0, f64::max);
            return Some(if rate > ROUNDING * largest { unit * rate } else { 0.0 });
        }
    }
    // Gershgorin bounds what the iteration did not find.
    Some(unit * sizes.row_iter().map(|row| row.abs().sum()).fold(0.0, f64::max))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Eigenvalues ±√(ab) of [0, a; b, 0], whose squares have no value, and entries that have none themselves.
    #[test]
    fn growth_of_any_size_is_found_or_known_to_have_no_number() {
        let of = |a: f64, b: f64| {
            let matrix =
                |_: &(), _: Oscillation| Disturbance { re: DMatrix::from_row_slice(2, 2, &[0.0, a, b, 0.0]), im: None };
            growth_of(&[((), 2.0)], 0.1, None, &matrix)
        };
        for (a, b) in [(3.0, 12.0), (1e200, 1e100), (1e160, 1e180), (0.0, 0.0)] {
            let wanted = 2.0 * f64::sqrt(a) * f64::sqrt(b);
            let found = of(a, b).map_or(f64::NAN, |growth| growth.worst().0);
            assert!((found - wanted).abs() <= 1e-12 * wanted, "{a:e} {b:e}: {found} {wanted}");
        }
        // Waves ±i of two kinds at the same speed, coupled in one direction: a double pair that rounding splits, and no growth.
        let coupled = [[0.0, 0.3, 0.1, 0.7], [-0.3, 0.0, 0.2, 0.1], [0.0, 0.0, 0.0, 0.3], [0.0, 0.0, -0.3, 0.0]];
        let turn = nalgebra::Rotation3::from_euler_angles(0.3, -0.8, 1.1).matrix().fixed_resize::<4, 4>(0.0);
        let turn = turn + nalgebra::Matrix4::from_diagonal(&[0.0, 0.0, 0.0, 1.0].into());
        let matrix = turn * nalgebra::Matrix4::from_fn(|i, j| coupled[i][j]) * turn.transpose();
        let matrix =
            |_: &(), _: Oscillation| Disturbance { re: DMatrix::from_fn(4, 4, |i, j| matrix[(i, j)]), im: None };
        assert_eq!(growth_of(&[((), 1.0)], 0.1, None, &matrix).unwrap().worst().0, 0.0);
        assert_eq!(of(f64::INFINITY, 1.0), None);
        assert_eq!(of(f64::NAN, 1.0), None);
    }
}
