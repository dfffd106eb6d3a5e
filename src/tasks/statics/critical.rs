//! Branch points along a path of equilibria: where the stiffness of some motion passes zero although the load goes on.
//!
//! The inertia of the stiffness tells at each point of the path in how many directions it is unstable. Between two points with k
//! and more than k of them the (k+1)-th eigenvalue μ, in increasing order, passes zero; [`super::zero`] finds where.

use super::soft::negative;
use super::zero::{Crossing, Sample, Sampler};
use crate::discretisation::equilibrium::Equilibrium;
use crate::solver::{PathPoint, PointKind};

/// Branch points closer than this, relative to the load factor, are one of higher multiplicity.
const TOGETHER: f64 = 1e-6;

/// A state in which motions out of the path meet no resistance.
#[derive(Debug, Clone)]
pub struct BranchPoint {
    /// Its place among the points of the path.
    pub place: usize,
    /// The load factor.
    pub parameter: f64,
    /// How far it may be off.
    pub doubt: f64,
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
}

/// Looks at each point of a path.
pub struct Watch<'a> {
    sampler: Sampler<'a>,
    last: Option<Known>,
    /// The limit point since then, and its place.
    limit: Option<(PathPoint, usize)>,
    /// Unstable directions of all points so far; none where energy does not decide.
    pub unstable: Vec<Option<usize>>,
    /// Branch points so far.
    pub found: Vec<BranchPoint>,
    /// Load factors between which the number of unstable directions changes, but it was not found where.
    pub missed: Vec<[f64; 2]>,
}

impl<'a> Watch<'a> {
    /// Of the equilibria of the same mechanism, loads and instant.
    pub fn new(equilibrium: Equilibrium<'a>) -> Self {
        let sampler = Sampler::new(equilibrium);
        Self { sampler, last: None, limit: None, unstable: Vec::new(), found: Vec::new(), missed: Vec::new() }
    }

    /// Forgets everything: the path begins anew.
    pub fn begin(&mut self) {
        (self.last, self.limit) = (None, None);
        self.unstable.clear();
        self.found.clear();
        self.missed.clear();
    }

    /// Takes in the next point of the path.
    pub fn see(&mut self, point: &PathPoint) {
        let place = self.unstable.len();
        // At a limit point itself one eigenvalue is zero but for rounding.
        if point.kind == PointKind::LimitPoint {
            self.unstable.push(self.last.as_ref().map(|last| last.unstable));
            self.limit = Some((point.clone(), place));
            return;
        }
        let Some(unstable) = self.sampler.at(point.parameter, |equilibrium| negative(equilibrium, &point.x)) else {
            self.unstable.push(None);
            return;
        };
        let mut now = Known { parameter: point.parameter, x: point.x.clone(), unstable };
        if let Some(last) = self.last.take() {
            now.unstable = match self.limit.take() {
                Some((limit, at)) => self.around_limit(&last, &limit, at, &now, place),
                None => self.between(&last, &now, place),
            };
        }
        self.unstable.push(Some(now.unstable));
        self.last = Some(now);
    }

    /// Branch points on either side of a limit point, where one eigenvalue passes zero with the load at its extreme; the number
    /// of unstable directions behind them.
    fn around_limit(&mut self, from: &Known, limit: &PathPoint, at: usize, to: &Known, place: usize) -> usize {
        let wanted = from.unstable.max(to.unstable) + 2;
        let there = match from.unstable.abs_diff(to.unstable) {
            1 => None,
            _ => self.sampler.known(limit.parameter, &limit.x, wanted),
        };
        let Some(there) = there else { return to.unstable };
        let values = &there.modes.values;
        let zero = (0..values.len()).min_by(|a, b| values[*a].abs().total_cmp(&values[*b].abs()));
        let others = values.iter().enumerate().filter(|(i, value)| Some(*i) != zero && **value < 0.0).count();
        let jumps = |before: usize| from.unstable.abs_diff(others + before) + to.unstable.abs_diff(others + 1 - before);
        let before = usize::from(jumps(1) < jumps(0));
        let side = |unstable: usize| Known { parameter: limit.parameter, x: limit.x.clone(), unstable };
        self.between(from, &side(others + before), at);
        self.between(&side(others + 1 - before), to, place)
    }

    /// Branch points on a stretch on which the load factor only grows or only falls; the number of unstable directions at its end,
    /// which the eigenvalues there confirm where it changes.
    fn between(&mut self, from: &Known, to: &Known, place: usize) -> usize {
        if from.unstable == to.unstable {
            return to.unstable;
        }
        let wanted = from.unstable.max(to.unstable) + 1;
        let ends = [from, to].map(|end| self.sampler.known(end.parameter, &end.x, wanted));
        let [Some(start), Some(end)] = ends else {
            self.missed.push([from.parameter, to.parameter]);
            return to.unstable;
        };
        let unstable = end.unstable();
        let (low, high) = (from.unstable.min(unstable), from.unstable.max(unstable));
        let mut found: Vec<BranchPoint> = Vec::new();
        for k in low..high {
            let Some(crossing) = self.sampler.crossing(&start, &end, k) else {
                self.missed.push([from.parameter, to.parameter]);
                continue;
            };
            let near = TOGETHER * crossing.parameter.abs() + crossing.doubt;
            let same = found.iter_mut().find(|other| (other.parameter - crossing.parameter).abs() <= near);
            match same {
                Some(other) => other.shapes.push(upright(crossing.shape)),
                None => found.push(branch_point(crossing, &start, place)),
            }
        }
        let way = |point: &BranchPoint| (point.parameter - from.parameter).abs();
        found.sort_by(|a, b| way(a).total_cmp(&way(b)));
        self.found.extend(found);
        unstable
    }
}

fn branch_point(crossing: Crossing, from: &Sample, place: usize) -> BranchPoint {
    let Crossing { parameter, doubt, x, shape } = crossing;
    BranchPoint { place, parameter, doubt, x, free: from.free.clone(), shapes: vec![upright(shape)] }
}

/// The shape with its largest component positive; of equal ones the first, whatever rounding makes of the others.
fn upright(mut shape: Vec<f64>) -> Vec<f64> {
    let larger = |m: f64, v: f64| if v.abs() > m.abs() * (1.0 + 1e-6) { v } else { m };
    if shape.iter().copied().fold(0.0, larger) < 0.0 {
        shape.iter_mut().for_each(|v| *v = -*v);
    }
    shape
}
