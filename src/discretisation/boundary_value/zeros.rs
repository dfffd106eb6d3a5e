//! The zero dynamics at rest: what the mechanism does while its outputs are held.
//!
//! Small motions exp(st) obey (K + s²M) x = 0 in x = (q, λ, u) with the rows of motion, joints and outputs (velocities do not
//! enter: damping is left out). Eigenvalues ν of (K + σ²M)⁻¹M are 1/(σ² − s²); the infinite s have ν = 0. Real pairs ±s let a
//! bounded motion begin before the path does and end after it, within a few 1/s. Imaginary pairs vibrate for ever.

use nalgebra::{Complex, DMatrix, DVector, Schur};

use super::local::{By, Local, Memory, State};
use crate::nlp::EvalFailure;

/// Shift σ, in units of the inverse duration of the motion: no eigenvalue but by accident.
const SHIFT: f64 = 0.12345;
const MAX_ITERATIONS: usize = 20_000;
/// Imaginary parts of squares this small relative to them are rounding.
const REAL: f64 = 1e-6;
/// Eigenvalues are moved by this share of themselves to find their vectors.
const NUDGE: f64 = 1e-7;

/// Coordinates that are told of a vibration.
const LEADING: usize = 3;

/// A motion proportional to exp(st) of the zero dynamics.
#[derive(Debug, Clone, PartialEq)]
pub struct Zero {
    /// |Re s|, 1/s: there is one that grows and one that decays.
    pub growth: f64,
    /// |Im s|, rad/s.
    pub frequency: f64,
    /// Of those that vibrate for ever: the coordinates with the most kinetic energy, and their shares of it.
    pub moving: Vec<(String, f64)>,
    /// How much of the paths' acceleration has its frequency: |∫ γ̈ exp(iωt) dt| / ∫ |γ̈| dt.
    pub excited: f64,
}

impl Zero {
    /// What vibrates for ever, in words.
    pub fn told(&self) -> String {
        let shares = self.moving.iter().map(|(name, share)| format!("{name} {:.0} %", 100.0 * share));
        let energy = match self.moving.is_empty() {
            true => String::new(),
            false => format!("; most of its energy: {}", shares.collect::<Vec<_>>().join(", ")),
        };
        format!(
            "while the outputs are held, the mechanism vibrates undamped at {:.2} rad/s ({:.3} Hz{energy}), and {:.1e} of the acceleration of the paths has this frequency",
            self.frequency,
            self.frequency / std::f64::consts::TAU,
            self.excited
        )
    }

    /// Whether it vibrates for ever.
    pub fn rings(&self) -> bool {
        self.growth == 0.0
    }
}

/// All zeros up to a size, the slowest first.
pub fn zeros(local: &mut Local, rest: &[f64], t: f64, duration: f64, largest: f64) -> Result<Vec<Zero>, EvalFailure> {
    let (stiffness, mass) = matrices(local, rest, t)?;
    let shift = (SHIFT / duration).powi(2);
    let Some(inverse) = (&stiffness + shift * &mass).lu().solve(&mass) else { return Ok(Vec::new()) };
    if inverse.iter().any(|value| !value.is_finite()) {
        return Ok(Vec::new());
    }
    let Some(schur) = Schur::try_new(inverse, f64::EPSILON, MAX_ITERATIONS) else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for value in schur.complex_eigenvalues().iter().filter(|value| value.norm() > 0.0 && value.im >= 0.0) {
        let square: Complex<f64> = Complex::new(shift, 0.0) - value.inv();
        let root = square.sqrt();
        if root.norm() > largest {
            continue;
        }
        let rings = square.im.abs() <= REAL * square.norm() && square.re < 0.0;
        let moving = if rings { leading(local, &stiffness, &mass, -square.re) } else { Vec::new() };
        let growth = if rings { 0.0 } else { root.re.abs() };
        found.push(Zero { growth, frequency: root.im.abs(), moving, excited: 0.0 });
    }
    found.sort_by(|a: &Zero, b: &Zero| a.growth.hypot(a.frequency).total_cmp(&b.growth.hypot(b.frequency)));
    Ok(found)
}

/// K and M at rest.
fn matrices(local: &mut Local, rest: &[f64], t: f64) -> Result<(DMatrix<f64>, DMatrix<f64>), EvalFailure> {
    let still = vec![0.0; local.sizes.coordinates];
    local.linearise(State { t, v: &still, a: &still, x: rest }, &mut Memory::default())?;
    let size = local.sizes.unknowns();
    let (mut stiffness, mut mass) = (DMatrix::zeros(size, size), DMatrix::zeros(size, size));
    for entry in &local.entries {
        match entry.by {
            By::Unknown => stiffness[(entry.row, entry.column)] += local.value(entry),
            By::Acceleration => mass[(entry.row, entry.column)] += local.value(entry),
            By::Rate => {}
        }
    }
    for (part, product) in local.parts.iter().zip(&local.condensed) {
        for (i, row) in part.rows.iter().enumerate() {
            for (j, column) in part.columns.iter().enumerate() {
                stiffness[(*row, *column)] += product[(i, j)];
            }
        }
    }
    Ok((stiffness, mass))
}

/// The coordinates with the most kinetic energy in the vibration of squared frequency ω², by inverse iteration; none where rounding
/// leaves no vector.
fn leading(local: &Local, stiffness: &DMatrix<f64>, mass: &DMatrix<f64>, square: f64) -> Vec<(String, f64)> {
    let lu = (stiffness - square * (1.0 + NUDGE) * mass).lu();
    let mut x = DVector::from_fn(mass.ncols(), |i, _| 1.0 + (i % 7) as f64);
    for _ in 0..3 {
        let Some(next) = lu.solve(&(mass * &x)) else { return Vec::new() };
        x = &next / next.amax();
    }
    let energy = |i: usize| x[i] * x[i] * mass[(i, i)];
    let all: f64 = (0..local.sizes.coordinates).map(energy).sum();
    if !(all > 0.0 && all.is_finite()) {
        return Vec::new();
    }
    let mut list: Vec<usize> = (0..local.sizes.coordinates).collect();
    list.sort_by(|a, b| energy(*b).total_cmp(&energy(*a)));
    list.truncate(LEADING);
    list.into_iter().map(|i| (local.unknown_names[i].clone(), energy(i) / all)).collect()
}
