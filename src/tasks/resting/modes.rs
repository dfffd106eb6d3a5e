//! Vibrations of a system about its equilibrium: λ² M + λ D + K is singular.

use nalgebra::{Complex, DMatrix};

use super::Failure;
use super::linear::Linear;
use crate::results::{Report, RunStatus};

/// Damping and asymmetries below this, against the largest entries, are rounding.
const NOTHING: f64 = 1e-13;

/// Adds the lowest modes to a report.
pub(super) fn tell(linear: &Linear, count: usize, damped: bool, report: &mut Report) -> Result<(), Failure> {
    let [mass, rates, stiffness] =
        [&linear.mass, &linear.rates, &linear.stiffness].map(|matrix| linear.reduced(matrix));
    let Some(root) = mass.clone().cholesky() else {
        let message = "the kinetic energy does not grow with every velocity at the equilibrium, so that some motion has no inertia and no frequency";
        return Err(Failure { status: RunStatus::IllPosed, message: message.into() });
    };
    // Without damping the gyroscopic part, which is skew, remains.
    let rates = if damped { rates } else { (&rates - rates.transpose()) * 0.5 };
    let scaled = |matrix: &DMatrix<f64>| {
        let left = root.l().solve_lower_triangular(matrix).unwrap_or_else(|| matrix.clone());
        root.l().solve_lower_triangular(&left.transpose()).map_or(left, |both| both.transpose())
    };
    let (rates, stiffness) = (scaled(&rates), scaled(&stiffness));
    let found = roots(&rates, &stiffness);
    let mut zero = 0;
    let mut growing = 0;
    for (index, value) in found.iter().take(count).enumerate() {
        let (number, size) = (index + 1, value.norm());
        zero += usize::from(size == 0.0);
        growing += usize::from(value.re > 1e-9 * size);
        let scalars = &mut report.scalars;
        scalars.insert(format!("modes.{number}.omega"), value.im);
        scalars.insert(format!("modes.{number}.frequency"), value.im / std::f64::consts::TAU);
        scalars.insert(format!("modes.{number}.real"), value.re);
        scalars.insert(format!("modes.{number}.damping_ratio"), if value.re != 0.0 { -value.re / size } else { 0.0 });
    }
    report.scalars.insert("modes.zero".into(), zero as f64);
    if growing > 0 {
        report.warnings.push(format!(
            "{growing} of the modes grow: the equilibrium is unstable and small motions do not stay small"
        ));
    }
    Ok(())
}

/// Roots with imaginary parts that are not negative, the smallest first.
fn roots(rates: &DMatrix<f64>, stiffness: &DMatrix<f64>) -> Vec<Complex<f64>> {
    let n = stiffness.nrows();
    let size = stiffness.amax();
    let still = rates.amax() <= NOTHING * size.sqrt();
    let odd = (stiffness - stiffness.transpose()).amax();
    let mut found: Vec<Complex<f64>> = if still && odd <= NOTHING * size {
        let symmetric = (stiffness + stiffness.transpose()) * 0.5;
        let of = |square: &f64| match *square {
            square if square.abs() <= 1e-13 * size => Complex::new(0.0, 0.0),
            square if square > 0.0 => Complex::new(0.0, square.sqrt()),
            square => Complex::new((-square).sqrt(), 0.0),
        };
        symmetric.symmetric_eigenvalues().iter().map(of).collect()
    } else {
        let mut state = DMatrix::zeros(2 * n, 2 * n);
        state.view_mut((0, n), (n, n)).fill_with_identity();
        state.view_mut((n, 0), (n, n)).copy_from(&-stiffness);
        state.view_mut((n, n), (n, n)).copy_from(&-rates);
        let all = state.complex_eigenvalues();
        all.iter().copied().filter(|value| value.im >= 0.0).collect()
    };
    found.sort_by(|a, b| a.norm().total_cmp(&b.norm()).then(a.re.total_cmp(&b.re)));
    found
}
