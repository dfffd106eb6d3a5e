//! The proof: a forward simulation driven by the computed actuation and nothing else.

use super::rest::{chain, rest};
use super::simulate::{EndDrive, State, simulate};
use super::{Observer, System, TaskError, VerifySpec};
use crate::discretisation::TimeGrid;
use crate::discretisation::sideways::Sideways;
use crate::models::{Rod, Side, Vector};
use crate::results::{Table, Verification};

/// Drive the rod by the actuation table on a grid `spec.refine` times finer than the system's in space and time, and
/// compare with the servo paths. It starts from the equilibrium of the problem, or from `initial` (any number of nodes) if the rod
/// is already moving then.
pub fn verify<C: Sideways<D>, const D: usize>(
    system: &System,
    rod: &Rod<C, D>,
    actuation: &Table,
    initial: Option<&State<D>>,
    spec: &VerifySpec,
    observer: &mut dyn Observer,
) -> Result<(Verification, Table), TaskError> {
    let (grid, channels, outputs) = (system.grid, &system.channels, &system.outputs);
    let elements = rod.elements * spec.refine;
    let fine = TimeGrid { start: grid.start, dt: grid.dt / spec.refine as f64, steps: grid.steps * spec.refine };
    let chain = chain(rod, elements);
    let state = match initial {
        Some(state) => State { q: resample(&state.q, elements), v: resample(&state.v, elements) },
        None => {
            let rest = rest(rod, elements, grid.start)?;
            State { v: vec![Vector::zeros(); rest.q.len()], q: rest.q }
        }
    };
    let columns: Vec<(usize, usize, &[f64])> = channels
        .iter()
        .filter_map(|channel| {
            let column = actuation.column(&channel.name)?;
            Some((if channel.side == Side::Start { 0 } else { 1 }, channel.coordinate, column))
        })
        .collect();
    // Loads were evaluated on the whole interval before; a failure here would be one between two instants.
    let mut failure = None;
    let mut force = |t: f64| {
        let mut forces = [Vector::zeros(); 2];
        for (force, side) in forces.iter_mut().zip(Side::BOTH) {
            match rod.end(side).known_force(t) {
                Ok(known) => *force = known - rod.end(side).weight,
                Err(bad) => failure = Some(TaskError::function(rod, side, bad)),
            }
        }
        for &(end, coordinate, column) in &columns {
            forces[end][coordinate] += cubic(column, (t - grid.start) / grid.dt);
        }
        forces
    };
    let held = [Side::Start, Side::End].map(|side| rod.end(side).held.map(|h| h.is_some()));
    let mut table = Table {
        t: grid.times(),
        columns: outputs.iter().map(|o| (o.name.clone(), vec![0.0; grid.steps + 1])).collect(),
    };
    observer.phase("forward simulation", fine.steps);
    let count = simulate(&chain, fine, state, EndDrive { force: &mut force, held }, observer, &mut |k, q| {
        if k % spec.refine == 0 {
            for (output, (_, column)) in outputs.iter().zip(&mut table.columns) {
                let node = if output.side == Side::Start { 0 } else { elements };
                column[k / spec.refine] = q[node][output.coordinate];
            }
        }
    })?;
    if let Some(error) = failure {
        return Err(error);
    }
    let mut verification = Verification {
        passed: true,
        scheme: format!(
            "variational midpoint in time, midpoint-quadrature elements in space, {} times finer{}",
            spec.refine,
            if initial.is_some() { ", from the computed initial state" } else { ", from rest" }
        ),
        elements,
        steps: fine.steps,
        halved_steps: count.halved,
        from_moving_state: initial.is_some(),
        ..Verification::default()
    };
    for (output, (name, column)) in outputs.iter().zip(&table.columns) {
        let end = rod.end(output.side);
        let mut worst = 0.0_f64;
        for (k, found) in column.iter().enumerate() {
            let wanted = end
                .prescribed(output.coordinate, grid.time(k))
                .map_err(|bad| TaskError::function(rod, output.side, bad))?;
            let deviation = (found - wanted.unwrap_or_default().value).abs();
            worst = if deviation.is_nan() { f64::NAN } else { worst.max(deviation) };
        }
        let is_angle = rod.model.coordinates()[output.coordinate] == "angle";
        let tolerance = spec.tolerance * if is_angle { 1.0 } else { rod.length };
        verification.passed &= worst <= tolerance;
        verification.max_error.insert(name.clone(), worst);
        verification.tolerance.insert(name.clone(), tolerance);
    }
    Ok((verification, table))
}

/// Cubic through the four samples around position `u` (in sample steps); the interpolation error is of fourth order, below
/// that of the simulation.
fn cubic(samples: &[f64], u: f64) -> f64 {
    let last = samples.len() - 1;
    let base = (u.floor().max(0.0) as usize).saturating_sub(1).min(last.saturating_sub(3));
    let points = &samples[base..=(base + 3).min(last)];
    let x = u - base as f64;
    let weight = |i: usize| {
        (0..points.len()).filter(|&j| j != i).map(|j| (x - j as f64) / (i as f64 - j as f64)).product::<f64>()
    };
    points.iter().enumerate().map(|(i, value)| value * weight(i)).sum()
}

/// Nodal values on `elements` equal elements from those on another number, by the same cubic.
fn resample<const D: usize>(values: &[Vector<D>], elements: usize) -> Vec<Vector<D>> {
    let ratio = (values.len() - 1) as f64 / elements as f64;
    let components: Vec<Vec<f64>> = (0..D).map(|c| values.iter().map(|v| v[c]).collect()).collect();
    (0..=elements).map(|i| Vector::from_fn(|c, _| cubic(&components[c], i as f64 * ratio))).collect()
}

#[cfg(test)]
mod tests {
    use super::cubic;

    #[test]
    fn cubic_reproduces_cubics_up_to_the_ends() {
        let f = |u: f64| 1.0 + u - 0.5 * u * u + 0.1 * u * u * u;
        let samples: Vec<f64> = (0..8).map(|k| f(k as f64)).collect();
        for u in [0.0, 0.3, 1.5, 3.99, 6.5, 7.0] {
            assert!((cubic(&samples, u) - f(u)).abs() < 1e-12);
        }
        assert_eq!(cubic(&[2.0, 4.0], 0.5), 3.0);
    }
}
