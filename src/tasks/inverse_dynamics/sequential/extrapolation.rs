//! The limit of many elements, from a few meshes of few.
//!
//! A rod that is cut into n elements of order 1 before time is has an index that grows by 2 with n, so that paths of finite
//! smoothness allow only a few. Its forces differ from those of the continuous rod by a series in h² = 1/n² (the midpoint rule is
//! symmetric), and the polynomial in 1/n² through those of several meshes gives them at h = 0 (Richardson 1911).

use super::ServoSystem;
use super::outcome::{judge, read_off, simulate};
use super::reverify::stored_states;
use crate::results::{Outcome, RunStatus};
use crate::tasks::Observer;

/// The answer at h = 0. `meshes` are the numbers of elements with the answers on them, the finest last, `system` is that of the
/// finest. The forces are proved like any other; the motion stays that of the finest mesh.
pub fn extrapolated(system: &ServoSystem, meshes: &[(usize, Outcome)], observer: &mut dyn Observer) -> Option<Outcome> {
    let (_, finest) = meshes.last()?;
    let states = stored_states(system, finest).ok()?;
    let weights = weights(&meshes.iter().map(|(elements, _)| *elements).collect::<Vec<_>>());
    let sum = |of: &dyn Fn(&Outcome) -> Option<f64>| -> Option<f64> {
        meshes.iter().zip(&weights).map(|((_, answer), weight)| Some(weight * of(answer)?)).sum()
    };
    let mut outcome = finest.clone();
    for (name, values) in &mut outcome.actuation.columns {
        for (k, value) in values.iter_mut().enumerate() {
            *value = sum(&|answer| answer.actuation.column(name)?.get(k).copied())?;
        }
    }
    let report = &mut outcome.report;
    (report.status, report.message, report.verification) = (RunStatus::Solved, None, None);
    let counts: Vec<String> = meshes.iter().map(|(elements, _)| elements.to_string()).collect();
    report.method_reason = format!(
        "forces extrapolated to many elements from meshes of {} in each rod; {}",
        counts.join(", "),
        report.method_reason
    );
    report.warnings.push(format!(
        "the forces are those of many elements, by extrapolation; the motion that is stored is that of {} elements in each rod",
        counts.last()?
    ));
    let work = "energy.actuator_work";
    if let Some(value) = sum(&|answer| answer.report.scalars.get(work).copied()) {
        report.scalars.insert(work.into(), value);
    }
    read_off(system, &mut outcome);
    simulate(system, &states, observer, &mut outcome);
    judge(system, &mut outcome);
    Some(outcome)
}

/// Weights of the polynomial in x = 1/n² through the values at these n, at x = 0 (Lagrange).
fn weights(elements: &[usize]) -> Vec<f64> {
    let x: Vec<f64> = elements.iter().map(|n| 1.0 / (*n as f64).powi(2)).collect();
    let weight = |i: usize| (0..x.len()).filter(|j| *j != i).map(|j| x[j] / (x[j] - x[i])).product();
    (0..x.len()).map(weight).collect()
}

#[cfg(test)]
mod tests {
    use super::weights;

    /// Three meshes reproduce the constant of a polynomial of degree 2 in 1/n².
    #[test]
    fn a_series_in_squares_is_extrapolated_exactly() {
        let meshes = [2, 3, 5];
        let value = |n: usize| {
            let x = 1.0 / (n * n) as f64;
            7.0 - 3.0 * x + 11.0 * x * x
        };
        let limit: f64 = weights(&meshes).iter().zip(meshes).map(|(weight, n)| weight * value(n)).sum();
        assert!((limit - 7.0).abs() < 1e-12, "{limit}");
    }
}
