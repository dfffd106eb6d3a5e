//! Equilibria along the paths: where the motion begins and ends, and where the search for it begins.

use crate::discretisation::boundary_value::{Brake, Differences, Horizon, Local};
use crate::nlp::SquareSystem;
use crate::solver::linear::best_general_solver;
use crate::solver::{Globalisation, Newton, NewtonOptions, Status};

/// Factor by which inertia counts less from one try to the next, as a factor of the time that it holds back for.
const SOFTER: f64 = 4.0;
/// Tries after which there is no equilibrium to be found: the time has then grown by 4³⁰.
const MOST: usize = 30;

/// Newton's method as rods want it: soft unknowns move stiff ones.
pub(super) fn options() -> NewtonOptions {
    NewtonOptions { globalisation: Globalisation::Watchdog, max_iterations: 40, ..NewtonOptions::default() }
}

fn attempt(newton: &mut Newton, horizon: &mut Horizon<'_>, start: &[f64]) -> Result<Vec<f64>, String> {
    let found = newton.solve(horizon, start, &mut |_| true).map_err(|error| error.to_string())?;
    match found.status {
        Status::Solved => Ok(found.x),
        _ => Err(found.message.unwrap_or_else(|| "Newton's method does not converge".to_owned())),
    }
}

/// The equilibrium at a time, near a configuration.
///
/// Where it is not found at once, brakes hold what the controls move, and inertia leads to the equilibrium under these, holding
/// the mechanism back for times from `tau` on: a rope without tension, which nothing keeps straight, is loaded first.
pub(super) fn rest(local: &mut Local, t: f64, start: &[f64], tau: f64, size: f64) -> Result<Vec<f64>, String> {
    let reason = match still(local, t, start, size, &[]) {
        Ok(found) => return Ok(found),
        Err(reason) => reason,
    };
    let brakes = local.brakes(t, start).map_err(|failure| failure.to_string())?;
    let braked = braked(local, t, start, tau, size, &brakes).ok_or(reason)?;
    still(local, t, &braked, size, &[])
}

/// The equilibrium under brakes.
fn braked(local: &mut Local, t: f64, start: &[f64], tau: f64, size: f64, brakes: &[Brake]) -> Option<Vec<f64>> {
    let n = local.sizes.coordinates;
    let (mut x, mut tau) = (start.to_vec(), tau);
    for _ in 0..MOST {
        let ends = [x[..n].to_vec(), Vec::new()];
        let mut horizon = Horizon::new(local, vec![t], Differences::held_back(tau), ends, size, brakes.to_vec());
        let mut newton = Newton::new(best_general_solver(horizon.pattern()), options());
        match attempt(&mut newton, &mut horizon, &x) {
            Ok(found) => {
                x = found;
                tau *= SOFTER;
                if let Ok(found) = still(local, t, &x, size, brakes) {
                    return Some(found);
                }
            }
            Err(_) => tau /= SOFTER * SOFTER,
        }
    }
    None
}

fn still(local: &mut Local, t: f64, start: &[f64], size: f64, brakes: &[Brake]) -> Result<Vec<f64>, String> {
    let ends = [Vec::new(), Vec::new()];
    let mut horizon = Horizon::new(local, vec![t], Differences::still(), ends, size, brakes.to_vec());
    let mut newton = Newton::new(best_general_solver(horizon.pattern()), options());
    attempt(&mut newton, &mut horizon, start)
}

/// Equilibria at all times from that at the first on, one after the other: coordinates, multipliers and controls. Else when
/// there is none, and why.
pub(super) fn along(
    local: &mut Local,
    times: &[f64],
    first: &[f64],
    size: f64,
    go_on: &mut dyn FnMut(usize) -> bool,
) -> Result<Vec<f64>, (f64, Option<String>)> {
    let block = local.sizes.unknowns();
    let mut all = Vec::with_capacity(times.len() * block);
    let start = times.first().copied().unwrap_or(0.0);
    let ends = [Vec::new(), Vec::new()];
    let mut horizon = Horizon::new(local, vec![start], Differences::still(), ends, size, Vec::new());
    let mut newton = Newton::new(best_general_solver(horizon.pattern()), options());
    let [mut before, mut here] = [first.to_vec(), first.to_vec()];
    for (k, t) in times.iter().enumerate() {
        if !go_on(k) {
            return Err((*t, None));
        }
        horizon.times[0] = *t;
        let guess: Vec<f64> = here.iter().zip(&before).map(|(here, before)| 2.0 * here - before).collect();
        let found = match attempt(&mut newton, &mut horizon, &guess) {
            Ok(found) => found,
            Err(_) => {
                horizon.forget();
                attempt(&mut newton, &mut horizon, &here).map_err(|reason| (*t, Some(reason)))?
            }
        };
        all.extend_from_slice(&found);
        before = std::mem::replace(&mut here, found);
    }
    Ok(all)
}
