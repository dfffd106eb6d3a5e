//! Branch points along a path of equilibria: where the stiffness of some motion passes zero although the load goes on.
//!
//! Between two points of the path at which the stiffness has k and more than k negative eigenvalues the (k+1)-th of them, in
//! increasing order, passes zero. It is a continuous function of the load factor, which only grows or only falls between
//! two points of the path. Equilibria close to its zero enclose it; there the equations are nearly singular, so that the last
//! digits come from the cubic through four equilibria around it.
//!
//! On fine meshes of slender rods eigenvalues of the stiffness matrix are lost to rounding: their vectors span the soft motions, and
//! the energy of these, computed from strains, tells the values (Ritz).

use super::stability::{negative_directions, softest};
use crate::discretisation::equilibrium::Equilibrium;
use crate::discretisation::linearised::Linearised;
use crate::nlp::{ParametricSystem, SquareSystem};
use crate::solver::linear::best_general_solver;
use crate::solver::{Newton, NewtonOptions, PathPoint, PointKind, Status};

/// Distance of the equilibria around a branch point, relative to the load factor.
const NEAR: f64 = 2e-3;
/// Change of the load factor at which it is found.
const FOUND: f64 = 1e-12;
/// Branch points closer than this, relative to the load factor, are one of higher multiplicity.
const TOGETHER: f64 = 1e-6;
/// Soft motions beyond those wanted, which take up what rounding mixes into these.
const MORE: usize = 3;
/// Most equilibria by which one is enclosed.
const TRIALS: usize = 40;
/// Asymmetry of the stiffness of the loads above which they have no potential.
pub const NO_POTENTIAL: f64 = 1e-9;

/// A state in which motions out of the path meet no resistance.
#[derive(Debug, Clone)]
pub struct BranchPoint {
    /// Its place among the points of the path.
    pub place: usize,
    /// The load factor.
    pub parameter: f64,
    /// The unknowns.
    pub x: Vec<f64>,
    /// Degrees of freedom of the shapes.
    pub free: Vec<usize>,
    /// The motions that meet no resistance; the largest component of each is positive.
    pub shapes: Vec<Vec<f64>>,
}

/// An equilibrium of the path with the number of its unstable directions.
#[derive(Clone)]
struct Known {
    parameter: f64,
    x: Vec<f64>,
    unstable: usize,
    /// Its place among the points of the path.
    place: usize,
}

/// An equilibrium with the eigenvalue that passes zero.
#[derive(Clone)]
struct Sample {
    p: f64,
    x: Vec<f64>,
    value: f64,
}

/// Looks at each point of a path.
pub struct Watch<'a> {
    equilibrium: Equilibrium<'a>,
    newton: Newton,
    last: Option<Known>,
    /// The point before the last.
    earlier: Option<Known>,
    /// The limit point since then, and its place.
    limit: Option<(PathPoint, usize)>,
    /// Unstable directions of all points so far; none where the loads have no potential.
    pub unstable: Vec<Option<usize>>,
    /// Branch points so far.
    pub found: Vec<BranchPoint>,
}

impl<'a> Watch<'a> {
    /// Of the equilibria of the same mechanism, loads and instant.
    pub fn new(equilibrium: Equilibrium<'a>) -> Self {
        let options = NewtonOptions { residual: 1e-10, step: 1e-8, max_iterations: 12, ..NewtonOptions::default() };
        let newton = Newton::new(best_general_solver(equilibrium.pattern()), options);
        Self { equilibrium, newton, last: None, earlier: None, limit: None, unstable: Vec::new(), found: Vec::new() }
    }

    /// Forgets everything: the path begins anew.
    pub fn begin(&mut self) {
        (self.last, self.earlier, self.limit) = (None, None, None);
        self.unstable.clear();
        self.found.clear();
    }

    /// Takes in the next point of the path.
    pub fn see(&mut self, point: &PathPoint) {
        let place = self.unstable.len();
        let before = self.last.as_ref().map(|last| last.unstable);
        // At a limit point itself one eigenvalue is zero but for rounding.
        if point.kind == PointKind::LimitPoint {
            self.unstable.push(before);
            self.limit = Some((point.clone(), place));
            return;
        }
        let here = match self.linearised(point.parameter, &point.x) {
            Some(linearised) if linearised.asymmetry <= NO_POTENTIAL => negative_directions(&linearised),
            _ => None,
        };
        let Some(unstable) = here else {
            self.unstable.push(before);
            return;
        };
        let mut now = Known { parameter: point.parameter, x: point.x.clone(), unstable, place };
        if matches!(point.kind, PointKind::Target | PointKind::Bound) {
            now.unstable = self.count(&now, unstable).unwrap_or(unstable);
        }
        let Some(mut last) = self.last.take() else {
            self.unstable.push(Some(now.unstable));
            self.last = Some(now);
            return;
        };
        if self.limit.is_none() && now.unstable != last.unstable {
            // The pivots of one factorisation may tell too late.
            let most = now.unstable.max(last.unstable);
            now.unstable = self.count(&now, most).unwrap_or(now.unstable);
            let counted = self.count(&last, most).unwrap_or(last.unstable);
            if counted != last.unstable {
                last.unstable = counted;
                self.unstable[last.place] = Some(counted);
                if let Some(earlier) = self.earlier.take() {
                    self.between(&earlier, &last, last.place);
                }
            }
        }
        let sure = match self.limit.take() {
            Some((limit, at)) => self.around_limit(&last, &limit, at, &now, place),
            None => self.between(&last, &now, place),
        };
        if !sure {
            now.unstable = last.unstable;
        }
        self.unstable.push(Some(now.unstable));
        self.earlier = Some(last);
        self.last = Some(now);
    }

    /// Number of unstable directions of a point, about `near`.
    fn count(&mut self, known: &Known, near: usize) -> Option<usize> {
        let values = self.values(known.parameter, &known.x, near + 1)?;
        Some(values.iter().filter(|value| **value < 0.0).count())
    }

    /// Branch points on either side of a limit point, where one eigenvalue passes zero with the load at its extreme.
    fn around_limit(&mut self, from: &Known, limit: &PathPoint, at: usize, to: &Known, place: usize) -> bool {
        if from.unstable.abs_diff(to.unstable) == 1 {
            return true;
        }
        let wanted = from.unstable.max(to.unstable) + 2;
        let Some(values) = self.values(limit.parameter, &limit.x, wanted) else { return false };
        let zero = (0..values.len()).min_by(|a, b| values[*a].abs().total_cmp(&values[*b].abs()));
        let others = values.iter().enumerate().filter(|(i, value)| Some(*i) != zero && **value < 0.0).count();
        let jumps = |before: usize| from.unstable.abs_diff(others + before) + to.unstable.abs_diff(others + 1 - before);
        let before = usize::from(jumps(1) < jumps(0));
        let side = |unstable: usize| Known { parameter: limit.parameter, x: limit.x.clone(), unstable, place: at };
        let first = self.between(from, &side(others + before), at);
        first & self.between(&side(others + 1 - before), to, place)
    }

    /// Branch points on a stretch on which the load factor only grows or only falls; whether the counts at its ends hold.
    fn between(&mut self, from: &Known, to: &Known, place: usize) -> bool {
        let (low, high) = (from.unstable.min(to.unstable), from.unstable.max(to.unstable));
        let mut found: Vec<BranchPoint> = Vec::new();
        let mut sure = true;
        for k in low..high {
            let size = from.parameter.abs().max(to.parameter.abs());
            match self.locate(from, to, k + 1, place) {
                Some(point) => {
                    let known = |other: &BranchPoint| (other.parameter - point.parameter).abs() <= TOGETHER * size;
                    if !found.iter().any(known) {
                        found.push(point);
                    }
                }
                None => sure = false,
            }
        }
        let way = |point: &BranchPoint| (point.parameter - from.parameter).abs();
        found.sort_by(|a, b| way(a).total_cmp(&way(b)));
        self.found.extend(found);
        sure
    }

    /// Where the k-th eigenvalue passes zero, if it has opposite signs at the ends.
    fn locate(&mut self, from: &Known, to: &Known, k: usize, place: usize) -> Option<BranchPoint> {
        let end = |known: &Known, value: f64| Sample { p: known.parameter, x: known.x.clone(), value };
        let mut low = end(from, self.value(from.parameter, &from.x, k)?);
        let mut high = end(to, self.value(to.parameter, &to.x, k)?);
        if low.value * high.value >= 0.0 {
            return None;
        }
        let size = from.parameter.abs().max(to.parameter.abs());
        let (mut weight_low, mut weight_high) = (1.0, 1.0);
        let zero = |low: &Sample, high: &Sample, a: f64, b: f64| {
            let (a, b) = (a * low.value, b * high.value);
            low.p + (high.p - low.p) * (a / (a - b)).clamp(1e-3, 1.0 - 1e-3)
        };
        let mut p = zero(&low, &high, 1.0, 1.0);
        for _ in 0..TRIALS {
            let Some(sample) = self.sample(p, &line(&low, &high, p), k, distance(&low, &high)) else { break };
            let below = sample.value * low.value > 0.0;
            let exact = sample.value == 0.0;
            if below {
                (low, weight_low) = (sample, 1.0);
                weight_high *= 0.5;
            } else {
                (high, weight_high) = (sample, 1.0);
                weight_low *= 0.5;
            }
            let next = zero(&low, &high, weight_low, weight_high);
            let moved = (next - p).abs();
            if exact {
                break;
            }
            p = next;
            if moved <= NEAR * size || (high.p - low.p).abs() <= NEAR * size {
                p = zero(&low, &high, 1.0, 1.0);
                break;
            }
        }
        let (p, x, slope) = [NEAR, 0.1 * NEAR]
            .into_iter()
            .find_map(|near| self.refine(p, near * size, [&low, &high], k))
            .unwrap_or_else(|| (p, line(&low, &high, p), (high.value - low.value) / (high.p - low.p)));
        self.branch_point(p, x, (slope * size).abs(), k, place)
    }

    /// The zero of the eigenvalue on the cubic through four equilibria at distances `h`, its state and the slope there.
    fn refine(&mut self, p: f64, h: f64, ends: [&Sample; 2], k: usize) -> Option<(f64, Vec<f64>, f64)> {
        let reach = distance(ends[0], ends[1]);
        let mut around: Vec<Sample> = Vec::new();
        for share in [-1.0, 1.0, -2.0, 2.0] {
            let at = p + share * h;
            let guess = match around.as_slice() {
                [first, .., last] => line(first, last, at),
                _ => line(ends[0], ends[1], at),
            };
            around.push(self.sample(at, &guess, k, reach)?);
        }
        let mut last = (around[0].p, around[0].value);
        let mut here = (around[1].p, around[1].value);
        let slope = (here.1 - last.1) / (here.0 - last.0);
        for _ in 0..20 {
            if here.1 == last.1 {
                break;
            }
            let next = here.0 - here.1 * (here.0 - last.0) / (here.1 - last.1);
            if !((next - p).abs() <= 4.0 * h) {
                return None;
            }
            let done = (next - here.0).abs() <= FOUND * p.abs().max(h);
            last = here;
            here = (next, self.value(next, &cubic(&around, next), k)?);
            if done || here.1 == 0.0 {
                break;
            }
        }
        Some((here.0, cubic(&around, here.0), slope))
    }

    /// The state with the motions that meet no resistance there, if it is none of those found. `steepness` is the change of
    /// the eigenvalue over the size of the load factor.
    fn branch_point(&mut self, p: f64, x: Vec<f64>, steepness: f64, k: usize, place: usize) -> Option<BranchPoint> {
        let (free, values, motions) = self.ritz(p, &x, k)?;
        let zero = |i: usize| i + 1 == k || values[i].abs() <= TOGETHER * steepness;
        let mut shapes: Vec<Vec<f64>> = Vec::new();
        for (_, mut shape) in motions.into_iter().enumerate().filter(|(i, _)| zero(*i)) {
            let largest =
                shape.iter().copied().fold(0.0, |m: f64, v| if v.abs() > m.abs() * (1.0 + 1e-6) { v } else { m });
            if largest < 0.0 {
                shape.iter_mut().for_each(|v| *v = -*v);
            }
            shapes.push(shape);
        }
        Some(BranchPoint { place, parameter: p, x, free, shapes })
    }

    /// The equilibrium at this load factor near a guess with its k-th eigenvalue; none if it is further away than `reach`.
    fn sample(&mut self, p: f64, guess: &[f64], k: usize, reach: f64) -> Option<Sample> {
        self.equilibrium.set_parameter(p);
        let solution = self.newton.solve(&mut self.equilibrium, guess, &mut |_| true).ok()?;
        let moved = solution.x.iter().zip(guess).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        if solution.status != Status::Solved || moved > reach {
            return None;
        }
        let value = self.value(p, &solution.x, k)?;
        Some(Sample { p, x: solution.x, value })
    }

    fn linearised(&mut self, p: f64, x: &[f64]) -> Option<Linearised> {
        self.equilibrium.set_parameter(p);
        Linearised::new(&mut self.equilibrium, x).ok()
    }

    /// Degrees of freedom, the lowest eigenvalues in increasing order, some more than `count` where there are, and their motions.
    /// Rotations weigh as motions of the size of the mechanism.
    fn ritz(&mut self, p: f64, x: &[f64], count: usize) -> Option<(Vec<usize>, Vec<f64>, Vec<Vec<f64>>)> {
        let linearised = self.linearised(p, x)?;
        let there = linearised.free.len().saturating_sub(linearised.joints.nrows());
        let assembly = self.equilibrium.assembly;
        let (layout, length) = (&assembly.layout, assembly.size());
        let weight = |dof: usize| {
            let (node, which) = layout.node_of_freedom(dof);
            if which < layout.kind(node).positions() { 1.0 } else { length * length }
        };
        let modes = softest(&linearised, (count + MORE).min(there), weight).ok()?;
        let energies = self.equilibrium.second_variation(x, &linearised.free, &modes.shapes).ok()?.symmetric_eigen();
        let mut order: Vec<usize> = (0..modes.shapes.len()).collect();
        order.sort_by(|a, b| energies.eigenvalues[*a].total_cmp(&energies.eigenvalues[*b]));
        let motion = |i: &usize| {
            let mut motion = vec![0.0; linearised.free.len()];
            for (share, shape) in energies.eigenvectors.column(*i).iter().zip(&modes.shapes) {
                motion.iter_mut().zip(shape).for_each(|(sum, part)| *sum += share * part);
            }
            motion
        };
        let values = order.iter().map(|i| energies.eigenvalues[*i]).collect();
        let motions = order.iter().map(motion).collect();
        Some((linearised.free.clone(), values, motions))
    }

    fn values(&mut self, p: f64, x: &[f64], count: usize) -> Option<Vec<f64>> {
        Some(self.ritz(p, x, count)?.1)
    }

    fn value(&mut self, p: f64, x: &[f64], k: usize) -> Option<f64> {
        self.values(p, x, k)?.get(k - 1).copied()
    }
}

/// The straight line through two states, at a load factor.
fn line(a: &Sample, b: &Sample, p: f64) -> Vec<f64> {
    let share = (p - a.p) / (b.p - a.p);
    a.x.iter().zip(&b.x).map(|(a, b)| a + share * (b - a)).collect()
}

/// Largest change of an unknown between two states.
fn distance(a: &Sample, b: &Sample) -> f64 {
    a.x.iter().zip(&b.x).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Lagrange's polynomial through states, at a load factor.
fn cubic(through: &[Sample], p: f64) -> Vec<f64> {
    let mut out = vec![0.0; through[0].x.len()];
    for (i, sample) in through.iter().enumerate() {
        let others = through.iter().enumerate().filter(|(j, _)| *j != i);
        let share: f64 = others.map(|(_, other)| (p - other.p) / (sample.p - other.p)).product();
        out.iter_mut().zip(&sample.x).for_each(|(out, x)| *out += share * x);
    }
    out
}
