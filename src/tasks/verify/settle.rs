//! What a simulation is off by itself: its step and its mesh are refined until that is small beside the deviation it tells.
//!
//! Two simulations of which one has half the step differ by Δ, the largest difference of a judged quantity over all instants. That
//! says more than the difference of their largest deviations, which may agree by chance. A method of order n whose last two
//! halvings changed Δ₁ and Δ₂ is off by Δ₂/(2ⁿ − 1) with 2ⁿ = Δ₁/Δ₂; no more than order 2 is believed, and order 1 where only
//! one halving is known (Richardson, *Phil. Trans. A* 210, 1911). A mesh is compared with the one of half its elements' length, at
//! the same step; with order 2 at least it is off by 4/3 of what changes. What the simulation is off by is added to
//! the deviation that is told. A proof that fails needs no more than the worst of its deviations, by which a finer grid is chosen.

use std::collections::BTreeMap;

use super::{Judged, Mesh, Proof, Proved, worse};
use crate::results::{Table, Verification};
use crate::tasks::{Observer, TaskError};

/// The simulation is refined until it is off by less than this share of the deviation it tells, or of the tolerance.
const SETTLED: [f64; 2] = [0.25, 0.025];
/// Where time does not allow that, it proves nothing if it is off by more than this.
const UNSETTLED: [f64; 2] = [0.5, 0.3];
/// Orders that are believed: Δ₁/Δ₂ from one to the other.
const RATES: [f64; 2] = [1.5, 4.0];
/// What a mesh is off by, in units of what its refinement changes.
const OF_MESH: f64 = 4.0 / 3.0;
/// Nodes times steps of all simulations, at most, unless the first of them take more: some seconds of work.
const BUDGET: usize = 10_000_000;
/// Steps for each of the grid, at most.
const FINEST: usize = 256;
/// Halvings of the elements, at most.
const MOST_HALVINGS: u32 = 4;

impl Proof<'_> {
    /// Simulates and judges. The table holds the judged quantities as they were simulated.
    pub fn run(&self, observer: &mut dyn Observer) -> Result<Proved, TaskError> {
        let (mut halvings, mut mesh) = (0, self.mesh(0)?);
        let mut refine = (self.refine / 2).max(1);
        let mut here = self.once(&mesh, refine, observer)?;
        let mut spent = self.work(&mesh, refine);
        let mut before: Option<Vec<f64>> = None;
        loop {
            let fine = self.once(&mesh, 2 * refine, observer)?;
            spent += self.work(&mesh, 2 * refine);
            let changed = self.apart(&here.outputs, &fine.outputs);
            let in_time = off_by(&changed, before.as_deref());
            let settled = self.is_small(&in_time, &fine.verification, SETTLED);
            if !settled && 2 * refine < FINEST && spent + self.work(&mesh, 4 * refine) <= BUDGET {
                observer.note(&format!("the step of the simulation matters: {} for each of the grid", 4 * refine));
                (before, here, refine) = (Some(changed), fine, 2 * refine);
                continue;
            }
            let finer = self.mesh(halvings + 1)?;
            // Without rods that deform there is no mesh.
            if finer.assembly.layout.nodes() == mesh.assembly.layout.nodes() {
                return Ok(self.concluded(fine, &in_time, 2 * refine, observer));
            }
            let other = self.once(&finer, refine, observer)?;
            spent += self.work(&finer, refine);
            let of_mesh = self.apart(&here.outputs, &other.outputs);
            let off: Vec<f64> = in_time.iter().zip(&of_mesh).map(|(t, s)| t + OF_MESH * s).collect();
            let last = halvings + 1 == MOST_HALVINGS || spent + self.work(&finer, 2 * refine) > BUDGET;
            if self.is_small(&off, &fine.verification, SETTLED) || !settled || last {
                return Ok(self.concluded(fine, &off, 2 * refine, observer));
            }
            observer.note("the mesh of the simulation matters: its elements are halved");
            (halvings, mesh, here, before) = (halvings + 1, finer, other, None);
        }
    }

    /// Nodes times steps of a simulation.
    fn work(&self, mesh: &Mesh, refine: usize) -> usize {
        mesh.assembly.layout.nodes().saturating_mul(self.steps()).saturating_mul(refine)
    }

    /// Largest difference of each judged quantity between two simulations, at the instants where it is judged.
    pub(super) fn apart(&self, one: &Table, other: &Table) -> Vec<f64> {
        let pairs = self.judged.iter().zip(one.columns.iter().zip(&other.columns));
        let of = pairs.map(|(judged, ((_, one), (_, other)))| {
            let differences = one.iter().zip(other).zip(&judged.wanted).filter(|(_, wanted)| !wanted.is_nan());
            differences.map(|((a, b), _)| (a - b).abs()).fold(0.0, worse)
        });
        of.collect()
    }

    /// Whether what the simulation is off by is less than a share of the deviation it tells, or of the tolerance. Where the proof
    /// fails, the worst of its deviations is what it tells, relative to the tolerances.
    fn is_small(&self, off: &[f64], found: &Verification, shares: [f64; 2]) -> bool {
        let of = |map: &BTreeMap<String, f64>, judged: &Judged| map.get(&judged.name).copied().unwrap_or(0.0);
        let excess = |judged: &Judged| of(&found.max_error, judged) / of(&found.tolerance, judged);
        let worst = self.judged.iter().filter(|judged| !judged.open).map(excess).fold(0.0, f64::max);
        let failed = if worst > 1.0 && worst.is_finite() { worst } else { 0.0 };
        self.judged.iter().zip(off).filter(|(judged, _)| !judged.open).all(|(judged, off)| {
            let allowed = of(&found.tolerance, judged);
            let told = of(&found.max_error, judged).max(failed * allowed);
            *off <= (shares[0] * told).max(shares[1] * allowed)
        })
    }

    /// The verdict, and what is to blame where it is bad.
    fn concluded(&self, fine: Proved, off: &[f64], refine: usize, observer: &mut dyn Observer) -> Proved {
        let mut proved = self.told(fine, off);
        if !proved.verification.passed && proved.verification.segments == 1 {
            proved.verification.due_to = self.parts(&proved.outputs, refine, observer);
        }
        proved
    }

    /// The deviation with what the simulation is off by.
    fn told(&self, mut proved: Proved, off: &[f64]) -> Proved {
        let found = &mut proved.verification;
        found.unsettled = !self.is_small(off, found, UNSETTLED);
        for (judged, off) in self.judged.iter().zip(off).filter(|(judged, _)| !judged.open) {
            if let Some(error) = found.max_error.get_mut(&judged.name) {
                *error += off;
                found.passed &= found.tolerance.get(&judged.name).is_some_and(|allowed| *error <= *allowed);
            }
            found.own_error.insert(judged.name.clone(), *off);
        }
        found.passed &= !found.unsettled;
        proved
    }
}

/// What the finer of two simulations is off by, from what this halving of the step changed and the one before.
fn off_by(changed: &[f64], before: Option<&[f64]>) -> Vec<f64> {
    let off = |(i, changed): (usize, &f64)| {
        let rate = before.map_or(2.0, |before| (before[i] / changed.max(f64::MIN_POSITIVE)).clamp(RATES[0], RATES[1]));
        changed / (rate - 1.0)
    };
    changed.iter().enumerate().map(off).collect()
}

#[cfg(test)]
mod tests {
    use super::off_by;

    /// Values u + a hⁿ: order 2 is met exactly, order 1 too, and where nothing converges no order is believed.
    #[test]
    fn what_is_left_follows_from_two_halvings() {
        for (order, wanted) in [(2, 1.0), (1, 1.0)] {
            let error = |h: f64| h.powi(order);
            let changed = |h: f64| vec![error(2.0 * h) - error(h)];
            let off = off_by(&changed(1.0), Some(&changed(2.0)));
            assert!((off[0] - wanted).abs() < 1e-14, "{off:?}");
        }
        // Of one halving order 1 is believed.
        assert_eq!(off_by(&[0.3], None), [0.3]);
        assert_eq!(off_by(&[0.3], Some(&[0.2])), [0.6]);
        assert_eq!(off_by(&[0.0], Some(&[0.0])), [0.0]);
    }
}
