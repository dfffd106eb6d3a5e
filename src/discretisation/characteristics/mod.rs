//! Integration along the characteristic lines of the quasi-linear system (Hartree's scheme on sideways layers).
//!
//! With v = q̇ and the waves W_pp w = c² A w, the equations n' = A v̇ + W_q − b and v' = d/dt p(q, n) combine to one
//! ordinary differential equation on each line dt/ds = ∓1/c:
//!
//! w·(dn ± c A dv)/ds = w·(W_q − b) ∓ (1/c) w·W_pq v.
//!
//! Each node of the next layer is where 2D such lines meet; their feet on the known layer are interpolated in time.
//! Coefficients are taken at the mean of foot and node, so the scheme is of order two. Because a foot may not lie more
//! than one time step away, |ds| ≤ c dt for the slowest wave, as for every sideways scheme.

mod feet;

pub use feet::between;
use feet::{Node, interpolate};
use rayon::prelude::*;

use super::march::{Cut, EndData, Layer, SidewaysError};
use crate::models::{Continuum, Matrix, StrainError, Vector};

/// Passes of the fixed-point iteration per node: the first gives the feet, the second the coefficients to first order,
/// the third both to second order.
const PASSES: usize = 3;

/// Integrate from the end with complete data to the other end; arguments and result as [`super::march::march`].
pub fn integrate<const D: usize, C: Continuum<D>>(
    model: &C,
    data: &EndData<D>,
    cut: Cut,
    sink: &mut dyn FnMut(usize, &Layer<D>) -> bool,
) -> Result<f64, SidewaysError> {
    let scheme = Scheme { model, step: cut.step(), dt: data.dt, inertia: model.inertia(), force: model.body_force() };
    let mut known: Vec<Node<D>> =
        data.q.iter().zip(&data.v).zip(&data.n).map(|((&q, &v), &n)| Node { q, v, n }).collect();
    let mut next = known.clone();
    let mut slowest = f64::INFINITY;
    let start = if cut.direction < 0.0 { cut.length } else { 0.0 };
    let mut layer = Layer::new(&data.q, &data.n);
    if !sink(0, &layer) {
        return Err(SidewaysError::Interrupted);
    }
    for element in 1..=cut.elements {
        for sub in 0..cut.substeps {
            let s = start + cut.step() * ((element - 1) * cut.substeps + sub + 1) as f64;
            // Nodes of a layer do not depend on each other, so threads do not change a digit.
            let speed = next
                .par_iter_mut()
                .enumerate()
                .with_min_len(64)
                .map(|(k, node)| {
                    let (found, speed) = scheme.meet(&known, k).map_err(|stop| match stop {
                        Stop::TooLong(slowest) => SidewaysError::StepLimit { slowest },
                        Stop::Strain(cause) => SidewaysError::Breakdown { s, index: k, cause },
                        Stop::NotFinite => SidewaysError::NotFinite { s, index: k },
                    })?;
                    *node = found;
                    Ok(speed)
                })
                .try_reduce(|| f64::INFINITY, |a, b| Ok(a.min(b)))?;
            slowest = slowest.min(speed);
            std::mem::swap(&mut known, &mut next);
        }
        for c in 0..D {
            for (k, node) in known.iter().enumerate() {
                layer.q[c][k] = node.q[c];
                layer.n[c][k] = node.n[c];
            }
        }
        if !sink(element, &layer) {
            return Err(SidewaysError::Interrupted);
        }
    }
    Ok(slowest)
}

enum Stop {
    TooLong(f64),
    Strain(StrainError),
    NotFinite,
}

impl From<StrainError> for Stop {
    fn from(cause: StrainError) -> Self {
        Stop::Strain(cause)
    }
}

struct Scheme<'a, C, const D: usize> {
    model: &'a C,
    step: f64,
    dt: f64,
    inertia: Vector<D>,
    force: Vector<D>,
}

impl<C: Continuum<D>, const D: usize> Scheme<'_, C, D> {
    /// The node of the next layer at time index k, and the slowest wave met.
    fn meet(&self, known: &[Node<D>], k: usize) -> Result<(Node<D>, f64), Stop> {
        let old = known[k];
        let p_old = self.model.gradient(&old.q, &old.n)?;
        if at_rest(known, k) {
            return self.rest(&old, &p_old);
        }
        let mut node = old;
        let mut shifts = self.first_shifts(&old, &p_old)?;
        let mut slowest = f64::INFINITY;
        for _ in 0..PASSES {
            // Rows of w·n ± c w·A v = right-hand side, one matrix per sign.
            let mut rows = [Matrix::<D>::zeros(); 2];
            let mut impedance = [Matrix::<D>::zeros(); 2];
            let mut right = [Vector::<D>::zeros(); 2];
            for (side, sign) in [1.0, -1.0].into_iter().enumerate() {
                for mode in 0..D {
                    let foot = interpolate(known, k, shifts[side][mode]);
                    let mean = (foot + node) * 0.5;
                    let at = self.model.characteristic(&mean.q, &mean.v, &mean.n)?;
                    let (c, w) = (at.waves.speeds[mode], at.waves.modes.column(mode).into_owned());
                    slowest = slowest.min(c);
                    shifts[side][mode] = self.shift(sign, c)?;
                    let momentum = w.component_mul(&self.inertia) * (sign * c);
                    let source = w.dot(&(at.w_q - self.force)) - sign / c * w.dot(&at.coupling);
                    right[side][mode] = w.dot(&foot.n) + momentum.dot(&foot.v) + self.step * source;
                    rows[side].set_row(mode, &w.transpose());
                    impedance[side].set_row(mode, &momentum.transpose());
                }
            }
            let (n, v) = solve(rows, impedance, right).ok_or(Stop::NotFinite)?;
            let p = self.model.gradient(&node.q, &n)?;
            let q = old.q + (p_old + p) * (0.5 * self.step);
            node = Node { q, v, n };
        }
        let finite = node.q.iter().chain(&node.n).chain(&node.v).all(|x| x.is_finite());
        if finite { Ok((node, slowest)) } else { Err(Stop::NotFinite) }
    }

    /// What [`Scheme::meet`] comes to where all feet are equal and nothing moves: n' = W_q − b at the mean state.
    fn rest(&self, old: &Node<D>, p_old: &Vector<D>) -> Result<(Node<D>, f64), Stop> {
        let mut node = *old;
        let mut slowest = f64::INFINITY;
        for _ in 0..PASSES {
            let mean = (*old + node) * 0.5;
            let at = self.model.characteristic(&mean.q, &mean.v, &mean.n)?;
            slowest = slowest.min(at.waves.slowest());
            let n = old.n + (at.w_q - self.force) * self.step;
            let p = self.model.gradient(&node.q, &n)?;
            node = Node { q: old.q + (p_old + p) * (0.5 * self.step), v: old.v, n };
        }
        self.shift(1.0, slowest)?;
        Ok((node, slowest))
    }

    fn first_shifts(&self, old: &Node<D>, p: &Vector<D>) -> Result<[[f64; D]; 2], Stop> {
        let waves = self.model.waves(&old.q, p)?;
        let mut shifts = [[0.0; D]; 2];
        for (shift, sign) in shifts.iter_mut().zip([1.0, -1.0]) {
            for (s, c) in shift.iter_mut().zip(waves.speeds) {
                *s = self.shift(sign, c)?;
            }
        }
        Ok(shifts)
    }

    /// The line dt/ds = ∓1/c through the new node has its foot at t ± ds/c; in units of the time step.
    fn shift(&self, sign: f64, speed: f64) -> Result<f64, Stop> {
        let shift = sign * self.step / (speed * self.dt);
        if shift.abs() <= 1.0 + 1e-9 { Ok(shift.clamp(-1.0, 1.0)) } else { Err(Stop::TooLong(speed)) }
    }
}

/// Whether the nodes that interpolation around index k can reach are all the same and do not move.
fn at_rest<const D: usize>(known: &[Node<D>], k: usize) -> bool {
    let reach = &known[k.saturating_sub(2)..(k + 3).min(known.len())];
    known[k].v == Vector::<D>::zeros() && reach.iter().all(|node| *node == known[k])
}

/// Solve W₊ n + E₊ v = r₊, W₋ n + E₋ v = r₋ by eliminating n.
pub fn solve<const D: usize>(
    [w_plus, w_minus]: [Matrix<D>; 2],
    [e_plus, e_minus]: [Matrix<D>; 2],
    [r_plus, r_minus]: [Vector<D>; 2],
) -> Option<(Vector<D>, Vector<D>)> {
    let inverse = w_plus.try_inverse()?;
    let transfer = w_minus * inverse;
    let v = (e_minus - transfer * e_plus).try_inverse()? * (r_minus - transfer * r_plus);
    Some((inverse * (r_plus - e_plus * v), v))
}
