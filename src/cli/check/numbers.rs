//! Which effects matter in a mechanism, in words.

use std::fmt::Write;

use super::forward::digits;
use crate::mechanism::{Mechanism, NetNumbers, RodNumbers};
use crate::tasks::ForwardSystem;

/// An effect smaller than this part of bending is small.
const SMALL: f64 = 0.01;
/// One larger than this is large.
const LARGE: f64 = 0.1;

/// Masses and time scales of the net.
pub fn net(system: &ForwardSystem, numbers: &NetNumbers, out: &mut String) {
    if let Some(carried) = numbers.carried.filter(|carried| *carried > 0.0) {
        let word = match carried {
            _ if carried > 10.0 => "the rods are nearly massless",
            _ if carried < 0.1 => "they hardly load the rods",
            _ => "both matter",
        };
        let _ = writeln!(out, "  bodies and rigid parts have {carried:.3} times the mass of the flexible rods: {word}");
    }
    times(system, &numbers.rods, out);
}

/// The numbers of a rod and what they mean.
pub fn of_rod(mechanism: &Mechanism, of: &RodNumbers) -> String {
    let heavy = mechanism.gravity.norm() > 0.0;
    let size = |value: f64| format!("{value:.1e}");
    if of.slenderness.is_infinite() {
        let weight = if heavy {
            format!("; its own weight would stretch it by {} of its length", size(of.weight))
        } else {
            String::new()
        };
        return format!("only stretches{weight}");
    }
    let mut effects = vec![("stretch", of.stretch), ("shear", of.shear), ("rotary inertia", of.rotary)];
    if heavy {
        effects.push(("sag under its own weight", of.weight));
    }
    effects.retain(|(_, effect)| *effect > 0.0);
    let in_words = |keep: &dyn Fn(f64) -> bool| {
        let list: Vec<String> =
            effects.iter().filter(|(_, x)| keep(*x)).map(|(name, x)| format!("{name} {}", size(*x))).collect();
        list.join(", ")
    };
    let groups = [
        ("large: ", in_words(&|x| x > LARGE)),
        ("matters: ", in_words(&|x| (SMALL..=LARGE).contains(&x))),
        ("small: ", in_words(&|x| x < SMALL)),
    ];
    let told: Vec<String> =
        groups.iter().filter(|(_, list)| !list.is_empty()).map(|(word, list)| format!("{word}{list}")).collect();
    format!(
        "slenderness {}; against the bending of a cantilever, {}",
        digits((of.slenderness * 10.0).round() / 10.0),
        told.join("; ")
    )
}

/// Periods and transit times against each other and against the time grid.
fn times(system: &ForwardSystem, rods: &[Option<RodNumbers>], out: &mut String) {
    let all = |of: fn(&RodNumbers) -> Option<f64>| rods.iter().flatten().filter_map(of).collect::<Vec<f64>>();
    let (periods, transits) = (all(|rod| rod.period), all(|rod| rod.transit));
    let slowest = periods.iter().copied().fold(0.0, f64::max);
    let fastest = transits.iter().copied().fold(f64::INFINITY, f64::min);
    if slowest == 0.0 || !fastest.is_finite() {
        return;
    }
    let _ = writeln!(
        out,
        "  time scales: slowest rod alone swings in {slowest:.3e} s, fastest wave crosses its rod in {fastest:.3e} s, ratio {:.1e}",
        slowest / fastest
    );
    let Some(grid) = system.time else { return };
    let word = match (grid.dt / fastest, grid.dt / slowest) {
        (_, coarse) if coarse > 0.1 => "too long for the slowest one: raise time.steps",
        (waves, _) if waves > 1.0 => "follows vibrations, not the fastest waves",
        _ => "follows waves too",
    };
    let _ = writeln!(out, "  the time step of {:.3e} s {word}", grid.dt);
}
