//! Which parts are slow enough for the coarse grid.

use super::{MovingSystem, Scheme};
use crate::discretisation::multirate::Stiffness;
use crate::results::RunStatus;
use crate::tasks::forward::Failure;

/// What a coordinate belongs to: of a mechanism the rod or body, otherwise itself.
pub fn owner(coordinate: &str, of_mechanism: bool) -> &str {
    match of_mechanism {
        true => coordinate.split(['.', '@']).next().unwrap_or(coordinate),
        false => coordinate,
    }
}

/// The system with its stiff slow parts among the fast ones, and a sentence for each of these. Fails where nothing slow is left.
pub(super) fn settled(system: &MovingSystem) -> Result<(MovingSystem, Vec<String>), Failure> {
    let mut system = system.clone();
    let mut told = Vec::new();
    let Scheme::Multirate(rates) = &mut system.scheme else { return Ok((system, told)) };
    let (step, names) = (system.grid.dt, rates.mechanics.coordinates());
    let stiffness = Stiffness::new(rates, &system.start.0, system.grid.start).map_err(super::outcome::unstated)?;
    let mut first = None;
    while let Some(stiff) = stiffness.too_stiff(rates, step) {
        let of = |i: usize| owner(&names[i], system.multibody.is_some());
        let mut shares = std::collections::BTreeMap::new();
        stiff.shares.iter().enumerate().for_each(|(i, share)| *shares.entry(of(i)).or_insert(0.0) += share);
        let Some((part, _)) = shares.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)) else { break };
        let ratio = stiff.frequency / stiff.largest;
        let steps = (system.grid.steps as f64 * *first.get_or_insert(ratio)).ceil();
        told.push(format!(
            "`{part}` was taken for fast: it vibrates at up to {:.3e} rad/s, and slow parts with steps of {step:.3e} s must stay below {:.3e} rad/s",
            stiff.frequency, stiff.largest
        ));
        let mine: Vec<usize> = (0..names.len()).filter(|&i| of(i) == part).collect();
        if mine.iter().all(|&i| rates.fast[i]) {
            break;
        }
        mine.into_iter().for_each(|i| rates.fast[i] = true);
        if rates.fast.iter().all(|fast| *fast) {
            let message = format!(
                "no part is slow enough for steps of {step:.3e} s: {}; leave `multirate` out, or set time.steps to at least {steps}",
                told.join("; ")
            );
            return Err(Failure { status: RunStatus::IllPosed, message });
        }
    }
    Ok((system, told))
}
