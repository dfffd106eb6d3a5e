//! Steps that adapt to a tolerance: each is made in two halves and once whole, and the difference is its error.
//!
//! Whole steps have a solver of their own: the matrices of steps of h and h/2 have little in common, and each is used for
//! many steps of the same length.

use super::march::{Marcher, StepFailure};
use super::tally::Tally;
use crate::discretisation::assembly::{Assembly, Instant, NodeKind, Wrench};
use crate::discretisation::stepping::State;

/// Chooses step lengths.
pub struct Adaptive<'a> {
    tolerance: f64,
    next: f64,
    /// Error of the last step over the tolerance, at most 1.
    last_ratio: f64,
    size: f64,
    /// Makes the whole steps.
    whole: Option<Marcher<'a>>,
    wrenches: [Vec<Wrench>; 3],
    /// Steps accepted.
    pub taken: usize,
    /// Steps tried again.
    pub rejected: usize,
    /// Shortest step tried, second.
    pub smallest: f64,
    /// Longest step accepted, second.
    pub largest: f64,
}

/// Steps shorter than this fraction of the output step are not tried.
const SHORTEST: f64 = 1e-7;
/// Steps are chosen shorter by this factor than errors ask for.
const SAFETY: f64 = 0.85;
/// Steps are made longer by this factor at least.
const LITTLE: f64 = 1.2;

impl<'a> Adaptive<'a> {
    /// Errors of a step are to stay below `tolerance`, relative to the size of the mechanism (angles: in radians).
    pub fn new(tolerance: f64, dt: f64, assembly: &Assembly) -> Self {
        Self {
            tolerance,
            next: dt,
            last_ratio: 0.0,
            size: assembly.size(),
            whole: None,
            wrenches: [const { Vec::new() }; 3],
            taken: 0,
            rejected: 0,
            smallest: f64::INFINITY,
            largest: 0.0,
        }
    }

    /// Goes on to `end` in as many steps as it takes.
    pub fn advance_to(
        &mut self,
        marcher: &mut Marcher<'a>,
        end: f64,
        tally: &mut Tally<'_>,
        stop: &dyn Fn() -> bool,
    ) -> Result<(), StepFailure> {
        let span = end - marcher.state().t;
        loop {
            let left = end - marcher.state().t;
            // No sliver at the end.
            let h = if self.next >= 0.999 * left { left } else { self.next.min(0.5 * left).max(self.next * 0.5) };
            let before = marcher.state().clone();
            self.smallest = self.smallest.min(h);
            let made = self.twice(marcher, &before, h, tally);
            let error = match made {
                Ok(error) => error.max(self.jump(marcher, before.t, h)?),
                Err(StepFailure::NotConverged { t, end, reason }) => {
                    if h < SHORTEST * span {
                        return Err(StepFailure::NotConverged { t, end, reason });
                    }
                    f64::INFINITY
                }
                Err(other) => return Err(other),
            };
            let ratio = error / self.tolerance;
            if ratio > 1.0 {
                // Of steps that failed nobody knows how many were made.
                match ratio.is_finite() {
                    true => marcher.take_back(2, before),
                    false => marcher.return_to(before),
                }
                tally.forget();
                self.rejected += 1;
                if h < SHORTEST * span {
                    let reason = format!("errors of {error:.1e} exceed the tolerance at the shortest step");
                    let t = marcher.state().t;
                    return Err(StepFailure::NotConverged { t, end: t + h, reason });
                }
            } else {
                tally.keep();
                self.taken += 1;
                self.largest = self.largest.max(h);
                if h == left {
                    // The sum of the halves may be off by rounding.
                    marcher.arrive(end);
                    return Ok(());
                }
            }
            // Local errors are of third order. One that happens to be small says little against the one before.
            let lasting = ratio.max(0.2 * self.last_ratio).max(1e-6);
            let factor = (SAFETY / lasting.cbrt()).clamp(0.2, 2.0);
            self.last_ratio = ratio.min(1.0);
            // A step cut short by the end says little against the length tried before, and equal steps cost least.
            let cut = ratio <= 1.0 && h < self.next;
            if cut {
                self.next = self.next.max(h * factor);
            } else if ratio > 1.0 || !(1.0..LITTLE).contains(&factor) {
                self.next = h * factor;
            }
            if stop() {
                let t = marcher.state().t;
                return Err(StepFailure::Interrupted { t });
            }
        }
    }

    /// Makes a step in two halves and tells their error: a third of the difference from a whole one at second order.
    fn twice(
        &mut self,
        marcher: &mut Marcher<'a>,
        before: &State,
        h: f64,
        tally: &mut Tally<'_>,
    ) -> Result<f64, StepFailure> {
        for _ in 0..2 {
            marcher.advance(0.5 * h)?;
            tally.step(marcher)?;
        }
        let whole = self.whole.get_or_insert_with(|| Marcher::new(marcher.assembly(), before.clone(), h));
        whole.advance_beside(before, marcher, h)?;
        let iterations = std::mem::take(&mut whole.iterations);
        marcher.iterations += iterations;
        let q = &whole.state().q;
        Ok(distance(marcher.assembly(), self.size, &marcher.state().q, q) / 3.0)
    }

    /// How far loads could move the whole by what the middle of the step does not tell of them: ½ |ΔF| h²/m with the
    /// second difference ΔF over the step. A load that is switched within a step is seen by it, a smooth one hardly counts.
    fn jump(&mut self, marcher: &Marcher<'_>, t: f64, h: f64) -> Result<f64, StepFailure> {
        let assembly = marcher.assembly();
        if assembly.loads.is_empty() && assembly.drives.is_empty() {
            return Ok(0.0);
        }
        for (place, t) in [t, t + 0.5 * h, t + h].into_iter().enumerate() {
            assembly
                .wrenches(Instant { t, factor: 1.0 }, &mut self.wrenches[place])
                .map_err(StepFailure::Evaluation)?;
        }
        let [before, middle, after] = &self.wrenches;
        let mut force = 0.0;
        for ((before, middle), after) in before.iter().zip(middle).zip(after) {
            force += (before.force - middle.force * 2.0 + after.force).norm();
            force += (before.torque - middle.torque * 2.0 + after.torque).norm() / self.size;
        }
        let mass: f64 = assembly.masses.iter().map(|node| node.mass).sum();
        Ok(if mass > 0.0 { 0.5 * force * h * h / (mass * self.size) } else { 0.0 })
    }
}

/// How far two configurations are apart, relative to `size` for positions and in radians for rotations.
fn distance(assembly: &Assembly, size: f64, q: &[f64], other: &[f64]) -> f64 {
    let layout = &assembly.layout;
    let mut worst = 0.0_f64;
    for node in 0..layout.nodes() {
        let far = (layout.position(q, node) - layout.position(other, node)).norm() / size;
        let turned = match layout.kind(node) {
            NodeKind::PlaneFrame => (layout.angle(q, node) - layout.angle(other, node)).abs(),
            NodeKind::SpaceFrame => {
                let relative = layout.orientation(q, node).conjugate() * layout.orientation(other, node);
                2.0 * relative.im.norm()
            }
            NodeKind::PlanePoint | NodeKind::SpacePoint => 0.0,
        };
        worst = worst.max(far).max(turned);
    }
    worst
}
