//! Steps along the curve: their length, and what happens between their ends.

use super::curve::{Accuracy, Curve, Pair, Station};
use super::locate::{cross, locate};
use super::{ArcLengthOptions, Path, PathEnd, PathObserver, PathPoint, PointKind};
use crate::nlp::FollowedSystem;
use crate::solver::newton::{Newton, Solution};

/// |dp/ds| at a limit point, relative to the parameter scale.
const LEVEL: f64 = 1e-12;
/// Distance from a parameter asked for, before it is met exactly.
const MET: f64 = 1e-14;
/// Distance from the start, relative to the step, at which a path counts as closed.
const CLOSED: f64 = 1e-6;

/// A path under way.
pub(super) struct Walk<'a> {
    curve: Curve<'a>,
    options: &'a ArcLengthOptions,
    observe: PathObserver<'a>,
    name: String,
    start: Station,
    here: Station,
    /// Derivative of the tangent by the arc length, from the last step.
    bend: Option<Pair>,
    arc: f64,
    points: Vec<PathPoint>,
    limit_points: usize,
}

/// A step that must be tried again with another length.
struct Rejected {
    factor: f64,
    reason: String,
}

impl<'a> Walk<'a> {
    /// Starts at a solution; the error tells why there is no tangent.
    pub fn new(
        newton: &'a mut Newton,
        system: &'a mut dyn FollowedSystem,
        solution: Solution,
        parameter: f64,
        options: &'a ArcLengthOptions,
        observe: PathObserver<'a>,
    ) -> Result<Self, String> {
        let mut curve = Curve::new(newton, system, options);
        let at = Pair { x: solution.x, p: parameter };
        let axis = curve.parameter_axis(if options.increasing { 1.0 } else { -1.0 });
        let tangent = curve.tangent(&at, &axis).map_err(|reason| {
            format!(
                "the solutions nearby are not a function of {} (is it a limit point?): {reason}",
                curve.parameter_name()
            )
        })?;
        let iterations = solution.iterations.len().saturating_sub(1);
        let start = Station { at, tangent, iterations };
        let name = curve.parameter_name();
        let here = start.clone();
        let (bend, points) = (None, Vec::new());
        Ok(Self { curve, options, observe, name, start, here, bend, arc: 0.0, points, limit_points: 0 })
    }

    /// Goes on to the end of the path.
    pub fn run(mut self) -> Path {
        let mut rejected = 0;
        let end = self.go(&mut rejected);
        if let Some(last) = self.points.last() {
            self.curve.leave_at(last.parameter);
        }
        Path { points: self.points, rejected, end }
    }

    fn go(&mut self, rejected: &mut usize) -> PathEnd {
        let start = self.here.clone();
        let kind = if self.options.targets.contains(&start.at.p) { PointKind::Target } else { PointKind::Start };
        if let Err(end) = self.add(kind, &start) {
            return end;
        }
        let mut step = self.options.first_step.min(self.options.largest_step);
        let mut steps = 0;
        while steps < self.options.max_steps {
            match self.attempt(step) {
                Ok((next, factor)) => {
                    steps += 1;
                    let chord = self.curve.length(&next.at.plus(-1.0, &self.here.at));
                    let turned = next.tangent.plus(-1.0, &self.here.tangent);
                    self.bend = Some(turned.times(1.0 / chord));
                    step = (step * factor).min(self.options.largest_step);
                    if let Err(end) = self.pass(next) {
                        return end;
                    }
                }
                Err(Rejected { factor, reason }) => {
                    *rejected += 1;
                    step *= factor;
                    if step < self.options.smallest_step {
                        return self.stuck(reason);
                    }
                }
            }
        }
        PathEnd::StepLimit { name: self.name.clone(), steps, parameter: self.here.at.p }
    }

    fn stuck(&self, reason: String) -> PathEnd {
        PathEnd::Stuck { name: self.name.clone(), parameter: self.here.at.p, reason }
    }

    /// The station one step further and the factor for the length of the next step.
    fn attempt(&mut self, step: f64) -> Result<(Station, f64), Rejected> {
        let curve = &mut self.curve;
        let from = &self.here;
        let halve = |reason| Rejected { factor: 0.5, reason };
        let mut guess = from.at.plus(step, &from.tangent);
        if let Some(bend) = &self.bend {
            guess = guess.plus(0.5 * step * step, bend);
        }
        let next = curve.station(guess, &from.tangent, &from.tangent, step, Accuracy::Foreseen).map_err(halve)?;
        if next.tangent.p == 0.0 {
            // Exactly on a limit point signs tell nothing.
            return Err(Rejected { factor: 0.9, reason: "the step ends on a limit point".into() });
        }
        // On an arc of constant curvature the chord bisects the angle between the tangents, so the second tangent is the
        // first reflected in the chord. Where it is not, the step has missed a bend, perhaps the way to another branch.
        let chord = next.at.plus(-1.0, &from.at);
        let share = 2.0 * curve.dot(&from.tangent, &chord) / curve.dot(&chord, &chord);
        let reflected = from.tangent.plus(-share, &chord);
        let opposite = reflected.times(-1.0);
        let turn = curve
            .angle(&from.tangent, &next.tangent)
            .max(2.0 * curve.angle(&from.tangent, &chord))
            .max(2.0 * curve.angle(&opposite, &next.tangent));
        if !(turn <= self.options.largest_turn) {
            return Err(halve(format!("the path turns by {turn:.2} rad within a step of {step:.1e}")));
        }
        let spare = self.options.usual_corrections as f64 - next.iterations as f64;
        let factor = (0.5 * spare).exp2().min(0.8 * self.options.largest_turn / turn).clamp(0.5, 2.0);
        Ok((next, factor))
    }

    /// Visits everything between here and the next station, in order, and moves there.
    fn pass(&mut self, next: Station) -> Result<(), PathEnd> {
        let mut from = self.here.clone();
        let closing = self.closing(&next);
        let to = closing.as_ref().unwrap_or(&next).clone();
        if from.tangent.p * to.tangent.p < 0.0 {
            let scale = self.options.parameter_scale;
            let level = |station: &Station| station.tangent.p / scale;
            let limit = locate(&mut self.curve, &from, &to, &level, LEVEL).map_err(|reason| self.stuck(reason))?;
            self.pass_monotone(&from, &limit)?;
            self.advance(&limit);
            self.add(PointKind::LimitPoint, &limit)?;
            self.limit_points += 1;
            if self.limit_points >= self.options.max_limit_points {
                let (name, count) = (self.name.clone(), self.limit_points);
                return Err(PathEnd::LimitPoints { name, count, parameter: limit.at.p });
            }
            from = limit;
        }
        self.pass_monotone(&from, &to)?;
        self.advance(&to);
        self.add(PointKind::Step, &to)?;
        match closing {
            Some(start) => Err(PathEnd::Closed { name: self.name.clone(), parameter: start.at.p }),
            None => Ok(()),
        }
    }

    /// Visits targets and bounds on a stretch on which the parameter only grows or only falls.
    fn pass_monotone(&mut self, from: &Station, to: &Station) -> Result<(), PathEnd> {
        let (first, last) = (from.at.p, to.at.p);
        let crossed =
            |value: f64| if last > first { first < value && value <= last } else { last <= value && value < first };
        let targets = self.options.targets.iter().filter(|target| crossed(**target));
        let mut events: Vec<_> = targets.map(|&target| (target, PointKind::Target)).collect();
        // A path that starts on a bound may leave the range at once.
        let [low, high] = self.options.range;
        let bound = if last > first { high } else { low };
        if (last > first && last >= high) || (last < first && last <= low) {
            events.push((bound, PointKind::Bound));
        }
        events.sort_by(|a, b| (a.0 - first).abs().total_cmp(&(b.0 - first).abs()));
        let mut last: Option<Station> = None;
        for (value, kind) in events {
            let station = match last.take().filter(|station| station.at.p == value) {
                Some(station) => station,
                None => self.meet(from, to, value).map_err(|reason| self.stuck(reason))?,
            };
            self.advance(&station);
            self.add(kind, &station)?;
            if kind == PointKind::Bound {
                return Err(PathEnd::Range { name: self.name.clone(), bound: value });
            }
            last = Some(station);
        }
        Ok(())
    }

    /// The point of a monotone stretch at this parameter.
    fn meet(&mut self, from: &Station, to: &Station, parameter: f64) -> Result<Station, String> {
        if let Ok(station) = cross(&mut self.curve, from, to, parameter) {
            return Ok(station);
        }
        let size = self.options.parameter_scale.max(parameter.abs());
        let off = |station: &Station| (station.at.p - parameter) / size;
        let mut near = match [from, to].into_iter().find(|end| end.at.p == parameter) {
            Some(end) => end.clone(),
            None => locate(&mut self.curve, from, to, &off, MET)?,
        };
        // The last digits at fixed parameter; next to a limit point, where that is ill posed, they are left as they are.
        let mut exact = Pair { x: near.at.x.clone(), p: parameter };
        let axis = self.curve.parameter_axis(1.0);
        if let Ok(iterations) = self.curve.correct(&mut exact, &axis, 0.0, Accuracy::Squared) {
            let moved = self.curve.length(&exact.plus(-1.0, &near.at));
            if moved <= 1e-6 {
                near.at.x = exact.x;
                near.iterations += iterations;
            }
        }
        near.at.p = parameter;
        near.tangent = self.curve.tangent(&near.at, &near.tangent)?;
        Ok(near)
    }

    /// The start, if the stretch from here to the next station passes through it.
    fn closing(&mut self, next: &Station) -> Option<Station> {
        let step = self.curve.length(&next.at.plus(-1.0, &self.here.at));
        let to_start = self.start.at.plus(-1.0, &self.here.at);
        let ahead = self.curve.dot(&self.here.tangent, &to_start);
        let reach = self.curve.dot(&self.here.tangent, &next.at.plus(-1.0, &self.here.at));
        // The first steps lead away from the start.
        if !(self.arc > 2.0 * step && ahead > 0.0 && ahead <= reach) {
            return None;
        }
        // The cubic through both stations with their tangents must lead through the start, in its direction. Another
        // solution beside the path, such as a mirror image, is none of its points.
        let (here, share) = (&self.here, ahead / reach);
        let (a, b) = ((1.0 - share).powi(2), share * share);
        let there = here
            .at
            .times(a * (1.0 + 2.0 * share))
            .plus(b * (3.0 - 2.0 * share), &next.at)
            .plus(step * a * share, &here.tangent)
            .plus(-step * b * (1.0 - share), &next.tangent);
        let direction = here.tangent.times(1.0 - share).plus(share, &next.tangent);
        let beside = self.curve.length(&self.start.at.plus(-1.0, &there));
        let aligned = self.curve.dot(&self.start.tangent, &direction);
        let lengths = self.curve.length(&self.start.tangent) * self.curve.length(&direction);
        if !(beside <= 0.05 * step && aligned >= 0.9 * lengths) {
            return None;
        }
        let normal = self.here.tangent.clone();
        let station = self.curve.station(self.start.at.clone(), &normal, &normal, 0.0, Accuracy::Squared).ok()?;
        let distance = self.curve.length(&station.at.plus(-1.0, &self.start.at));
        (distance <= CLOSED * step).then(|| self.start.clone())
    }

    fn advance(&mut self, to: &Station) {
        self.arc += self.curve.length(&to.at.plus(-1.0, &self.here.at));
        self.here = to.clone();
    }

    fn add(&mut self, kind: PointKind, station: &Station) -> Result<(), PathEnd> {
        let point = PathPoint {
            kind,
            parameter: station.at.p,
            x: station.at.x.clone(),
            rate: station.tangent.p,
            arc: self.arc,
            iterations: station.iterations,
        };
        let wanted = (self.observe)(&point);
        self.points.push(point);
        if wanted { Ok(()) } else { Err(PathEnd::Interrupted { name: self.name.clone(), parameter: station.at.p }) }
    }
}
