//! Steps that adapt to a tolerance: each is made once whole and once in two halves, and the difference is its error.

use super::march::{Marcher, StepFailure};
use super::tally::Tally;
use crate::discretisation::assembly::{Assembly, Instant, NodeKind, Wrench};

/// Chooses step lengths.
pub struct Adaptive {
    tolerance: f64,
    next: f64,
    size: f64,
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

impl Adaptive {
    /// Errors of a step are to stay below `tolerance`, relative to the size of the mechanism (angles: in radians).
    pub fn new(tolerance: f64, dt: f64, assembly: &Assembly) -> Self {
        Self {
            tolerance,
            next: dt,
            size: assembly.size(),
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
        marcher: &mut Marcher<'_>,
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
            let whole = marcher.advance(h).map(|()| marcher.state().q.clone());
            marcher.return_to(before.clone());
            let halves = whole.and_then(|whole| {
                marcher.advance(0.5 * h)?;
                tally.step(marcher)?;
                marcher.advance(0.5 * h)?;
                tally.step(marcher)?;
                Ok(whole)
            });
            let error = match halves {
                // The error of the halves is a third of the difference at second order.
                Ok(whole) => (self.distance(marcher, &whole) / 3.0).max(self.jump(marcher, before.t, h)?),
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
                marcher.return_to(before);
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
            // Local errors are of third order.
            let factor = (0.9 / ratio.max(1e-6).cbrt()).clamp(0.2, 2.0);
            // A step cut short by the end says little against the length tried before.
            let cut = ratio <= 1.0 && h < self.next;
            self.next = if cut { self.next.max(h * factor) } else { h * factor };
            if stop() {
                let t = marcher.state().t;
                return Err(StepFailure::Interrupted { t });
            }
        }
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

    fn distance(&self, marcher: &Marcher<'_>, other: &[f64]) -> f64 {
        let layout = &marcher.assembly().layout;
        let q = &marcher.state().q;
        let mut worst = 0.0_f64;
        for node in 0..layout.nodes() {
            let far = (layout.position(q, node) - layout.position(other, node)).norm() / self.size;
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
}
