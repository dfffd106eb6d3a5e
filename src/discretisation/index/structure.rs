//! Structural analysis (Pryce 2001): which derivatives of which equations determine which derivatives of which unknowns.
//!
//! σᵢⱼ is the highest derivative of yⱼ that occurs in fᵢ. A transversal of largest sum Σσ and the least offsets c, d ≥ 0 with
//! dⱼ − cᵢ ≥ σᵢⱼ, equal on the transversal, tell that f⁽ᶜ⁾ determines y⁽ᵈ⁾, as long as the matrix Jᵢⱼ = ∂fᵢ/∂yⱼ⁽ᵈʲ⁻ᶜⁱ⁾ is regular.

use nalgebra::DMatrix;

use super::ServoProblem;
use super::array::{Array, LARGEST, MOST};
use super::equations::{Equations, Kind};
use super::explain::ServoError;
use super::series::Series;
use super::stages::{REGULAR, When, open_names, smallest};
use crate::nlp::graph::Side;

/// Points at which derivatives are looked at, beside the reference configuration.
const POINTS: usize = 4;
/// How far, relative to the size of the coordinates.
const SPREAD: f64 = 0.1;
/// Derivatives this much smaller than the largest of their row at all points are rounding of zero.
const ZERO: f64 = 1e-13;

/// How the controls reach the outputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Realisation {
    /// They act on the accelerations of all outputs.
    Orthogonal,
    /// They act on those of some outputs.
    Mixed,
    /// They reach all outputs through the dynamics only.
    Tangent,
}

impl Realisation {
    /// As it is told.
    pub fn name(self) -> &'static str {
        match self {
            Self::Orthogonal => "orthogonal",
            Self::Mixed => "mixed",
            Self::Tangent => "tangent",
        }
    }
}

/// What the structure of the equations tells.
#[derive(Debug, Clone, PartialEq)]
pub struct IndexStructure {
    /// Highest derivative of an unknown (column) in an equation (row).
    sigma: Vec<Vec<Option<usize>>>,
    /// Offsets of the equations: how often each is differentiated.
    pub equations: Vec<usize>,
    /// Offsets of the unknowns: their derivatives that are determined algebraically.
    pub unknowns: Vec<usize>,
    /// Differentiation index of the system.
    pub index: usize,
    /// State variables of the internal dynamics: initial values that the servo paths leave open.
    pub freedoms: usize,
    /// For every servo output, the derivative of its path that the controls depend on.
    pub relative_degrees: Vec<usize>,
    /// Differentiations beyond the offsets, where the structure hides the index.
    pub hidden: usize,
}

impl IndexStructure {
    /// Analyses the equations of a problem about its reference configuration, at a time.
    pub fn new(problem: &ServoProblem, equations: &mut Equations, t: f64) -> Result<Self, ServoError> {
        let reference = &problem.reference;
        let [_, _, inputs] = equations.sizes();
        let outputs = equations.outputs();
        if outputs != inputs {
            return Err(ServoError::counts(equations));
        }
        let sigma = signature(equations, reference)?;
        let Some(places) = transversal(&sigma) else {
            return Err(ServoError::no_assignment(equations, &sigma));
        };
        let (c, d) = offsets(&sigma, &places);
        let relative_degrees = (0..equations.rows())
            .filter(|row| matches!(equations.kind(*row), Kind::Servo(_)))
            .map(|row| c[row])
            .collect();
        let most = c.iter().copied().max().unwrap_or(0);
        let index = most + usize::from(d.contains(&0));
        let freedoms = d.iter().sum::<usize>() - c.iter().sum::<usize>();
        let found = Self { sigma, equations: c, unknowns: d, index, freedoms, relative_degrees, hidden: 0 };
        match found.check(equations, reference) {
            Err(singular) => found.uncovered(problem, equations, t).ok_or(singular),
            Ok(()) => Ok(found),
        }
    }

    /// Where the matrix is singular: the structure with as many further differentiations as determine the unknowns.
    fn uncovered(&self, problem: &ServoProblem, equations: &mut Equations, t: f64) -> Option<Self> {
        if equations.unknowns() > LARGEST {
            return None;
        }
        let when = When { t, side: Side::After };
        for hidden in 1..=MOST {
            let mut found = Self { hidden, ..self.clone() };
            let (c, d) = found.orders();
            equations.set_degree(found.degree(0));
            let mut array = Array::new(problem, equations, (&c, &d), 1.0);
            let mut series = Series::zero(equations.unknowns(), found.degree(0) + 2);
            problem.reference.iter().enumerate().for_each(|(i, q)| series.of_mut(i)[0] = *q);
            if array.solve(equations, &mut series, when).is_err() {
                continue;
            }
            let fullness = array.fullness(equations, &series, when);
            if fullness.is_full() {
                // What an output needs may be hidden at rest: all are taken to need as much as the one that needs most.
                let degree = fullness.degrees.iter().copied().max().unwrap_or(0);
                found.relative_degrees = vec![degree; fullness.degrees.len()];
                found.index = degree + 1;
                found.freedoms = 0;
                return Some(found);
            }
        }
        None
    }

    /// Derivatives of equations and unknowns that a derivative array has.
    pub(super) fn orders(&self) -> (Vec<usize>, Vec<usize>) {
        let more = |offsets: &[usize]| offsets.iter().map(|offset| offset + self.hidden).collect();
        (more(&self.equations), more(&self.unknowns))
    }

    /// Refuses a system whose Jacobian is singular at all points near a reference configuration.
    fn check(&self, equations: &mut Equations, reference: &[f64]) -> Result<(), ServoError> {
        let mut best: Option<(f64, Vec<f64>)> = None;
        for slopes in points(equations, reference)? {
            let found = smallest(&self.jacobian(equations, &slopes));
            if best.as_ref().is_none_or(|(least, _)| *least < found.0) {
                best = Some(found);
            }
        }
        match best {
            Some((smallest, open)) if smallest < REGULAR => {
                Err(ServoError::Singular { index: self.index, smallest, unknowns: open_names(equations, &open) })
            }
            _ => Ok(()),
        }
    }

    /// How the controls reach the outputs.
    pub fn realisation(&self) -> Realisation {
        let direct = self.relative_degrees.iter().filter(|degree| **degree <= 2).count();
        match direct {
            all if all == self.relative_degrees.len() => Realisation::Orthogonal,
            0 => Realisation::Tangent,
            _ => Realisation::Mixed,
        }
    }

    /// Largest offset of the unknowns.
    pub fn depth(&self) -> usize {
        self.unknowns.iter().copied().max().unwrap_or(0)
    }

    /// Degree of the series that all stages up to `extra` need.
    pub fn degree(&self, extra: usize) -> usize {
        let equations = self.equations.iter().copied().max().unwrap_or(0);
        self.depth().max(equations + 2) + extra + self.hidden + 2
    }

    /// The system's Jacobian from derivatives of the program at an instant.
    pub fn jacobian(&self, equations: &Equations, slopes: &DMatrix<f64>) -> DMatrix<f64> {
        DMatrix::from_fn(equations.rows(), equations.unknowns(), |i, j| match self.sigma[i][j] {
            Some(order) if self.unknowns[j] == self.equations[i] + order => equations.entry(slopes, i, j, order),
            _ => 0.0,
        })
    }
}

/// Derivatives of the program at the reference configuration and at random points beside it, with random velocities, forces
/// and controls.
fn points(equations: &mut Equations, reference: &[f64]) -> Result<Vec<DMatrix<f64>>, ServoError> {
    let [n, m, p] = equations.sizes();
    let size = reference.iter().fold(0.0, |size: f64, q| size.max(q.abs())).max(0.1);
    let mut state = 1u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64 - 0.5
    };
    let (mut found, mut last) = (Vec::new(), None);
    for point in 0..=POINTS {
        let mut series = Series::zero(n + m + p, 2);
        for (i, q) in reference.iter().enumerate() {
            let spread = if point == 0 { 0.0 } else { SPREAD * size };
            series.of_mut(i)[0] = q + spread * random();
            series.of_mut(i)[1] = random();
        }
        (n..n + m + p).for_each(|j| series.of_mut(j)[0] = random());
        match equations.slopes(&series, 0.1 + random().abs()) {
            Ok(slopes) => found.push(slopes),
            Err(failure) => last = Some(failure),
        }
    }
    match last.filter(|_| found.is_empty()) {
        Some(failure) => Err(ServoError::Evaluation { time: 0.0, failure }),
        None => Ok(found),
    }
}

/// Highest derivatives that occur: what is zero at all points counts as absent.
fn signature(equations: &mut Equations, reference: &[f64]) -> Result<Vec<Vec<Option<usize>>>, ServoError> {
    let n = equations.sizes()[0];
    let mut sigma = vec![vec![None; equations.unknowns()]; equations.rows()];
    for slopes in points(equations, reference)? {
        let largest = |row: usize| slopes.row(row).amax();
        for (i, row) in sigma.iter_mut().enumerate() {
            let scale = match equations.kind(i) {
                Kind::Motion(k) => largest(k).max(largest(n + k)),
                _ => largest(n + i),
            };
            for (j, entry) in row.iter_mut().enumerate() {
                let higher = (0..=2).rev().filter(|order| entry.is_none_or(|known| known < *order));
                let there = |order: &usize| equations.entry(&slopes, i, j, *order).abs() > ZERO * scale;
                if let Some(order) = higher.into_iter().find(there) {
                    *entry = Some(order);
                }
            }
        }
    }
    Ok(sigma)
}

/// For every row a column, each once, such that the sum of σ is largest; `None` if there is none without an empty place.
/// The Hungarian method with potentials.
fn transversal(sigma: &[Vec<Option<usize>>]) -> Option<Vec<usize>> {
    const EMPTY: f64 = 1e6;
    let n = sigma.len();
    let cost = |i: usize, j: usize| sigma[i][j].map_or(EMPTY, |order| -(order as f64));
    let (mut u, mut v) = (vec![0.0; n + 1], vec![0.0; n + 1]);
    // Row of each column; both from 1, 0 is none.
    let (mut row_of, mut way) = (vec![0usize; n + 1], vec![0usize; n + 1]);
    for i in 1..=n {
        row_of[0] = i;
        let mut j0 = 0;
        let (mut least, mut used) = (vec![f64::INFINITY; n + 1], vec![false; n + 1]);
        loop {
            used[j0] = true;
            let (i0, mut delta, mut j1) = (row_of[j0], f64::INFINITY, 0);
            for j in (1..=n).filter(|j| !used[*j]).collect::<Vec<_>>() {
                let reduced = cost(i0 - 1, j - 1) - u[i0] - v[j];
                if reduced < least[j] {
                    (least[j], way[j]) = (reduced, j0);
                }
                if least[j] < delta {
                    (delta, j1) = (least[j], j);
                }
            }
            for j in 0..=n {
                if used[j] {
                    u[row_of[j]] += delta;
                    v[j] -= delta;
                } else {
                    least[j] -= delta;
                }
            }
            j0 = j1;
            if row_of[j0] == 0 {
                break;
            }
        }
        while j0 != 0 {
            let j1 = way[j0];
            row_of[j0] = row_of[j1];
            j0 = j1;
        }
    }
    let mut places = vec![0; n];
    (1..=n).for_each(|j| places[row_of[j] - 1] = j - 1);
    places.iter().enumerate().all(|(i, j)| sigma[i][*j].is_some()).then_some(places)
}

/// The least offsets: dⱼ = max (σᵢⱼ + cᵢ) and cᵢ = d − σ on the transversal, repeated until nothing changes.
fn offsets(sigma: &[Vec<Option<usize>>], places: &[usize]) -> (Vec<usize>, Vec<usize>) {
    let n = sigma.len();
    let mut c = vec![0; n];
    loop {
        let column = |j: usize| (0..n).filter_map(|i| sigma[i][j].map(|order| order + c[i])).max().unwrap_or(0);
        let d: Vec<usize> = (0..n).map(column).collect();
        let next: Vec<usize> = (0..n).map(|i| d[places[i]] - sigma[i][places[i]].unwrap_or(0)).collect();
        if next == c {
            return (c, d);
        }
        c = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pendulum of Pryce (2001), example 1: x'' + xλ, y'' + yλ − g, x² + y² − L²: offsets c = (0, 0, 2), d = (2, 2, 0).
    #[test]
    fn the_pendulum_has_its_published_offsets() {
        let sigma = vec![vec![Some(2), None, Some(0)], vec![None, Some(2), Some(0)], vec![Some(0), Some(0), None]];
        let places = transversal(&sigma).unwrap();
        let total: usize = places.iter().enumerate().map(|(i, j)| sigma[i][*j].unwrap()).sum();
        assert_eq!(total, 2);
        assert_eq!(offsets(&sigma, &places), (vec![0, 0, 2], vec![2, 2, 0]));
    }

    /// All permutations of small random matrices give no larger sum.
    #[test]
    fn transversals_are_largest() {
        fn permutations(n: usize) -> Vec<Vec<usize>> {
            if n == 0 {
                return vec![Vec::new()];
            }
            let longer = |short: Vec<usize>| {
                (0..n).map(move |at| {
                    let mut next = short.clone();
                    next.insert(at, n - 1);
                    next
                })
            };
            permutations(n - 1).into_iter().flat_map(longer).collect()
        }
        let mut state = 7u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % below
        };
        for _ in 0..200 {
            let n = 4;
            let sigma: Vec<Vec<Option<usize>>> =
                (0..n).map(|_| (0..n).map(|_| random(5).checked_sub(2).map(|x| x as usize)).collect()).collect();
            let sum = |places: &[usize]| places.iter().enumerate().map(|(i, j)| sigma[i][*j]).sum::<Option<usize>>();
            let best = permutations(n).iter().filter_map(|places| sum(places)).max();
            assert_eq!(transversal(&sigma).and_then(|places| sum(&places)), best);
        }
    }
}
