//! The internal dynamics: what the mechanism can still do while its outputs are held.
//!
//! Linearised at the first instant the equations are E ẋ = A x in x = (q, q̇, λ, u) with a singular matrix E. The eigenvalues of
//! (A − σE)⁻¹E are 1/(μ − σ) for the finite eigenvalues μ and zero for the infinite ones, so the largest of them, as many as
//! the structure leaves freedoms, are those of the internal dynamics.

use nalgebra::{Complex, DMatrix, Schur};

use super::equations::Equations;
use super::series::Series;
use super::structure::IndexStructure;

/// Shift σ in units of the inverse time scale; it is not an eigenvalue but by accident.
const SHIFT: f64 = 1.2345;
const MAX_ITERATIONS: usize = 20_000;

/// A motion proportional to exp(μt) of the internal dynamics.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mode {
    /// Rate of growth, 1/s; negative if it decays.
    pub growth: f64,
    /// Angular frequency, rad/s.
    pub frequency: f64,
}

/// Modes of the internal dynamics with coefficients frozen at an instant; `None` if they cannot be found.
pub(super) fn modes(
    equations: &mut Equations,
    structure: &IndexStructure,
    series: &Series,
    t: f64,
    time: f64,
) -> Option<Vec<Mode>> {
    let [n, m, p] = equations.sizes();
    let outputs = equations.outputs();
    let slopes = equations.slopes(series, t).ok()?;
    let size = 2 * n + m + p;
    let (mut mass, mut rest) = (DMatrix::zeros(size, size), DMatrix::zeros(size, size));
    for i in 0..n {
        mass[(i, i)] = 1.0;
        rest[(i, n + i)] = 1.0;
        for j in 0..n {
            // M v̇ + (∂p/∂q) v − ∂s/∂q q − ∂s/∂v v − … = 0.
            mass[(n + i, n + j)] = slopes[(i, n + j)];
            rest[(n + i, j)] = slopes[(n + i, j)];
            rest[(n + i, n + j)] = slopes[(n + i, n + j)] - slopes[(i, j)];
        }
        for j in 2 * n..size {
            rest[(n + i, j)] = slopes[(n + i, j)];
        }
    }
    for row in 0..m + outputs {
        for j in 0..n {
            rest[(2 * n + row, j)] = slopes[(2 * n + row, j)];
        }
    }
    let shift = SHIFT / time;
    let inverse = (rest - shift * &mass).lu().solve(&mass)?;
    let schur = Schur::try_new(inverse, f64::EPSILON, MAX_ITERATIONS)?;
    let mut found: Vec<Complex<f64>> = schur.complex_eigenvalues().iter().copied().collect();
    found.sort_by(|a, b| b.norm().total_cmp(&a.norm()));
    found.truncate(structure.freedoms);
    let mode = |value: Complex<f64>| {
        let eigenvalue = value.inv() + shift;
        Mode { growth: eigenvalue.re, frequency: eigenvalue.im.abs() }
    };
    Some(found.into_iter().map(mode).collect())
}
