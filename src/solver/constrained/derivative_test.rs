//! Derivatives against differences along one random direction.
//!
//! A difference quotient is believed only where two step lengths agree on it, so kinks and rounding raise no false
//! alarm; a derivative is called wrong only if it is off by more than a percent.

use thiserror::Error;

use crate::nlp::{EvalFailure, Nlp};

/// A derivative that contradicts differences.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("{what}: the derivative by {variable} is given as {given:.6e}, but differences give {differences:.6e}")]
pub struct WrongDerivative {
    /// Objective, row, or gradient of the Lagrangian.
    pub what: String,
    /// The variable, or `a random direction` if no single variable could be made responsible.
    pub variable: String,
    /// The derivative of the program.
    pub given: f64,
    /// The difference quotient.
    pub differences: f64,
}

/// Step lengths relative to the size of the variables.
const STEPS: [f64; 2] = [1e-5, 2e-6];
/// Relative error of a derivative that is called wrong.
const WRONG: f64 = 1e-2;
/// Relative difference of two quotients that agree.
const AGREE: f64 = 1e-3;

/// Compares gradient, Jacobian and Hessian at x with differences; points that cannot be evaluated prove nothing.
pub fn test_derivatives(nlp: &mut dyn Nlp, x: &[f64], seed: u64) -> Result<(), WrongDerivative> {
    let mut random = Random(seed);
    let direction: Vec<f64> = x.iter().map(|x| random.sign() * (0.5 + random.share()) * x.abs().max(1.0)).collect();
    let lambda: Vec<f64> = (0..nlp.bounds().rows()).map(|_| 2.0 * random.share() - 1.0).collect();
    if let Some(place) = first_wrong(nlp, x, &direction, &lambda) {
        return Err(blame(nlp, x, &lambda, place));
    }
    Ok(())
}

/// Finds the variable responsible for a wrong entry, if one is.
fn blame(nlp: &mut dyn Nlp, x: &[f64], lambda: &[f64], found: Found) -> WrongDerivative {
    let mut direction = vec![0.0; x.len()];
    for variable in 0..x.len() {
        direction[variable] = x[variable].abs().max(1.0);
        let single = first_wrong(nlp, x, &direction, lambda).filter(|single| single.place == found.place);
        if let Some(single) = single {
            let size = direction[variable];
            return WrongDerivative {
                what: found.place.describe(nlp),
                variable: nlp.variable_name(variable),
                given: single.given / size,
                differences: single.differences / size,
            };
        }
        direction[variable] = 0.0;
    }
    WrongDerivative {
        what: found.place.describe(nlp),
        variable: "a random direction".to_owned(),
        given: found.given,
        differences: found.differences,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Objective,
    Row(usize),
    Slope(usize),
}

impl Place {
    fn describe(self, nlp: &dyn Nlp) -> String {
        match self {
            Self::Objective => "objective".to_owned(),
            Self::Row(row) => nlp.row_name(row),
            Self::Slope(i) => format!("derivative of the Lagrangian by {}", nlp.variable_name(i)),
        }
    }
}

struct Found {
    place: Place,
    given: f64,
    differences: f64,
}

fn first_wrong(nlp: &mut dyn Nlp, x: &[f64], direction: &[f64], lambda: &[f64]) -> Option<Found> {
    let given = along(nlp, x, direction, lambda).ok()?;
    let mut quotients = |step: f64| -> Option<Vec<f64>> {
        let shifted = |sign: f64| -> Vec<f64> { x.iter().zip(direction).map(|(x, d)| x + sign * step * d).collect() };
        let ahead = values(nlp, &shifted(1.0), lambda).ok()?;
        let behind = values(nlp, &shifted(-1.0), lambda).ok()?;
        Some(ahead.iter().zip(&behind).map(|(a, b)| (a - b) / (2.0 * step)).collect())
    };
    let coarse = quotients(STEPS[0])?;
    let differs = |given: f64, quotient: f64| (given - quotient).abs() > WRONG * quotient.abs().max(given.abs());
    if !given.iter().zip(&coarse).any(|(given, coarse)| differs(*given, *coarse)) {
        return None;
    }
    let fine = quotients(STEPS[1])?;
    let (rows, magnitude) = (lambda.len(), values(nlp, x, lambda).ok()?);
    for (i, &given) in given.iter().enumerate() {
        let (coarse, fine) = (coarse[i], fine[i]);
        // Rounding of the values spoils quotients below this.
        let noise = 1e2 * f64::EPSILON * magnitude[i].abs().max(1.0) / STEPS[1];
        let believed = (coarse - fine).abs() <= AGREE * coarse.abs().max(fine.abs()) + noise;
        if believed && differs(given, fine) && (given - fine).abs() > 10.0 * noise {
            let place = match i {
                0 => Place::Objective,
                _ if i <= rows => Place::Row(i - 1),
                _ => Place::Slope(i - 1 - rows),
            };
            return Some(Found { place, given, differences: fine });
        }
    }
    None
}

/// Objective, rows and gradient of the Lagrangian in one list.
fn values(nlp: &mut dyn Nlp, x: &[f64], lambda: &[f64]) -> Result<Vec<f64>, EvalFailure> {
    let mut out = vec![0.0; 1 + lambda.len() + x.len()];
    out[0] = nlp.objective(x)?;
    let (rows, slope) = out[1..].split_at_mut(lambda.len());
    nlp.constraints(x, rows)?;
    nlp.gradient(x, slope)?;
    let mut jacobian = vec![0.0; nlp.jacobian_pattern().nnz()];
    nlp.jacobian(x, &mut jacobian)?;
    nlp.jacobian_pattern().add_transposed(&jacobian, lambda, slope);
    Ok(out)
}

/// Derivatives of [`values`] along a direction, from the derivatives of the program.
fn along(nlp: &mut dyn Nlp, x: &[f64], direction: &[f64], lambda: &[f64]) -> Result<Vec<f64>, EvalFailure> {
    let mut out = vec![0.0; 1 + lambda.len() + x.len()];
    let mut gradient = vec![0.0; x.len()];
    nlp.gradient(x, &mut gradient)?;
    out[0] = gradient.iter().zip(direction).map(|(g, d)| g * d).sum();
    let (rows, slope) = out[1..].split_at_mut(lambda.len());
    let mut jacobian = vec![0.0; nlp.jacobian_pattern().nnz()];
    nlp.jacobian(x, &mut jacobian)?;
    nlp.jacobian_pattern().multiply(&jacobian, direction, rows);
    let mut hessian = vec![0.0; nlp.hessian_pattern().nnz()];
    nlp.hessian(x, 1.0, lambda, &mut hessian)?;
    nlp.hessian_pattern().multiply_symmetric(&hessian, direction, slope);
    Ok(out)
}

/// SplitMix64: the same numbers in every run.
pub(super) struct Random(pub u64);

impl Random {
    /// A number in [0, 1).
    pub fn share(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ (bits >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn sign(&mut self) -> f64 {
        if self.share() < 0.5 { -1.0 } else { 1.0 }
    }
}
