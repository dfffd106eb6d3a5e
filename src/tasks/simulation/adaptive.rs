//! Steps that adapt to a tolerance: the bend of the velocities tells their error, at the beginning the difference of a step
//! made once whole and once in two halves.
//!
//! Equal steps share factors and are guessed best; so lengths change little by little only where errors ask for it.

use super::march::{Marcher, StepFailure};
use super::tally::Tally;
use crate::discretisation::assembly::{Assembly, Instant, NodeKind, Wrench};

/// Chooses step lengths.
pub struct Adaptive {
    tolerance: f64,
    span: f64,
    longest: f64,
    next: f64,
    /// Error over tolerance of the last steps, for steps of the length `next`.
    lasting: f64,
    size: f64,
    wrenches: [Vec<Wrench>; 3],
    /// The instant of the last of them.
    evaluated: Option<f64>,
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
/// Errors aimed at, as a part of the tolerance.
const SAFETY: f64 = 0.7;
/// Steps change by at least one of these factors, or not at all.
const LITTLE: [f64; 2] = [0.95, 1.2];
/// They change by no more than these at once.
const FACTORS: [f64; 2] = [0.2, 2.0];
/// Part of the last error that counts if the present one happens to be smaller.
const MEMORY: f64 = 0.5;

impl Adaptive {
    /// Errors of a step are to stay below `tolerance`, relative to the size of the mechanism (angles: in radians), and steps
    /// below `longest`; the motion is stored every `span`, second.
    pub fn new(tolerance: f64, span: f64, longest: f64, assembly: &Assembly) -> Self {
        Self {
            tolerance,
            span,
            longest,
            next: span,
            lasting: 0.0,
            size: assembly.size(),
            wrenches: [const { Vec::new() }; 3],
            evaluated: None,
            taken: 0,
            rejected: 0,
            smallest: f64::INFINITY,
            largest: 0.0,
        }
    }

    /// Makes a step towards `end`; tells whether it was the last one on the way.
    pub fn advance(
        &mut self,
        marcher: &mut Marcher<'_>,
        end: f64,
        tally: &mut Tally<'_>,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<bool, StepFailure> {
        let begin = marcher.state().t;
        let left = end - begin;
        loop {
            // What is left in equal parts, without a sliver at the end.
            let parts = (0.999 * left / self.next.min(self.longest)).ceil().max(1.0);
            let h = left / parts;
            self.smallest = self.smallest.min(h);
            let (error, reason) = match self.step(marcher, h, tally) {
                Ok(error) => (error, None),
                Err(StepFailure::NotConverged { reason, .. }) => (f64::INFINITY, Some(reason)),
                Err(other) => return Err(other),
            };
            let ratio = error / self.tolerance;
            self.choose(h, ratio);
            if ratio <= 1.0 {
                self.taken += 1;
                self.largest = self.largest.max(h);
                if parts == 1.0 {
                    // The sum of the steps may be off by rounding.
                    marcher.arrive(end);
                }
                return Ok(parts == 1.0);
            }
            tally.forget();
            self.rejected += 1;
            if h < SHORTEST * self.span {
                let reason =
                    reason.unwrap_or(format!("errors of {error:.1e} exceed the tolerance at the shortest step"));
                return Err(StepFailure::NotConverged { t: begin, end: begin + h, reason });
            }
            if stop() {
                return Err(StepFailure::Interrupted { t: begin });
            }
        }
    }

    /// The length of the next step after one of length h with such an error over tolerance.
    fn choose(&mut self, h: f64, ratio: f64) {
        let accepted = ratio <= 1.0;
        if accepted && h < 0.5 * self.next {
            // A step cut short by the end says little against the length tried before.
            return;
        }
        // Local errors are of third order.
        let [shortest, longest] = FACTORS;
        let memory = if accepted { MEMORY * self.lasting * (h / self.next).powi(3) } else { 0.0 };
        let lasting = ratio.max(memory).clamp(SAFETY / longest.powi(3), SAFETY / shortest.powi(3));
        let factor = (SAFETY / lasting).cbrt();
        let [less, more] = LITTLE;
        if !accepted || factor < less {
            self.next = h * factor;
        } else if factor > more {
            self.next = self.next.max(h * factor);
        }
        self.lasting = lasting * (self.next / h).powi(3);
    }

    /// Makes a step and tells its error; where that exceeds the tolerance, or the step cannot be made, all is as before.
    fn step(&mut self, marcher: &mut Marcher<'_>, h: f64, tally: &mut Tally<'_>) -> Result<f64, StepFailure> {
        let t = marcher.state().t;
        let jump = self.jump(marcher.assembly(), t, h)?;
        if jump > self.tolerance {
            return Ok(jump);
        }
        if marcher.past().known() < 2 {
            return self.twice(marcher, h, jump, tally);
        }
        marcher.advance(h)?;
        let error = marcher.local_error(self.size).unwrap_or(f64::INFINITY).max(jump);
        if error <= self.tolerance {
            tally.step(marcher)?;
        } else {
            marcher.take_back();
        }
        Ok(error)
    }

    /// Makes a step in two halves; their error is a third of the difference from a whole one at second order.
    fn twice(&self, marcher: &mut Marcher<'_>, h: f64, jump: f64, tally: &mut Tally<'_>) -> Result<f64, StepFailure> {
        let before = marcher.mark();
        let made = (|| {
            marcher.advance(h)?;
            let whole = marcher.state().q.clone();
            marcher.return_to(&before);
            for _ in 0..2 {
                marcher.advance(0.5 * h)?;
                tally.step(marcher)?;
            }
            Ok((self.distance(marcher, &whole) / 3.0).max(jump))
        })();
        if !made.as_ref().is_ok_and(|error| *error <= self.tolerance) {
            marcher.return_to(&before);
        }
        made
    }

    /// How far loads could move the whole by what the middle of the step does not tell of them: ½ |ΔF| h²/m with the
    /// second difference ΔF over the step. A load that is switched within a step is seen by it, a smooth one hardly counts.
    fn jump(&mut self, assembly: &Assembly, t: f64, h: f64) -> Result<f64, StepFailure> {
        if assembly.loads.is_empty() && assembly.drives.is_empty() {
            return Ok(0.0);
        }
        let known = self.evaluated.take() == Some(t);
        if known {
            self.wrenches.swap(0, 2);
        }
        for (place, t) in [t, t + 0.5 * h, t + h].into_iter().enumerate().skip(usize::from(known)) {
            assembly
                .wrenches(Instant { t, factor: 1.0 }, &mut self.wrenches[place])
                .map_err(StepFailure::Evaluation)?;
        }
        self.evaluated = Some(t + h);
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
