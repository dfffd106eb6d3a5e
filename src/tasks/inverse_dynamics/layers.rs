//! Space-time finite elements solved layer by layer: complete end data make the system block triangular in s.

use nalgebra::{SMatrix, SVector};

use super::TaskError;
use super::elements::{FieldLayer, Solved, assemble};
use super::sampling::end_data;
use crate::discretisation::Window;
use crate::discretisation::galerkin::{BadInterval, Strip, TimeElements};
use crate::discretisation::march::Sideways;
use crate::models::{BadFunction, Matrix, Rod, Side, Vector};
use crate::results::Iteration;
use crate::solver::linear::BlockTridiagonal;
use crate::tasks::Observer;
use crate::tasks::rest::{Rest, rest};

/// Newton iterations per layer before giving up.
const MAX_ITERATIONS: usize = 30;
/// A relative correction below this ends the iteration: the next would be about its square.
const SETTLED: f64 = 1e-8;

/// Solve on the window's grid; `B` must be 2 `D`: positions and velocities of one node.
pub fn run<C, const D: usize, const B: usize>(
    rod: &Rod<C, D>,
    side: Side,
    window: &Window,
    observer: &mut dyn Observer,
) -> Result<Solved<D>, TaskError>
where
    C: Sideways<D>,
{
    debug_assert_eq!(B, 2 * D);
    let steps = window.count() - 1;
    let time = TimeElements { dt: window.dt(), steps };
    let start = rest(rod, rod.elements, window.time(0))?;
    let strip = Strip { model: &rod.model, length: rod.length / rod.elements as f64, time };
    let mut sweep = Sweep::<C, D, B> {
        rod,
        strip,
        inertia: rod.model.inertia(),
        matrix: BlockTridiagonal::new(steps).with_refinement(2),
        rhs: vec![SVector::zeros(); steps],
        iterations: Vec::new(),
    };
    let mut layers = vec![sweep.first_layer(side, window, &start)?];
    let mut balance = sweep.end_balance(side, window, &layers[0])?;
    observer.phase("galerkin, layer by layer", rod.elements);
    for step in 1..=rod.elements {
        if observer.interrupted() {
            return Err(TaskError::Interrupted);
        }
        let node = if side == Side::End { rod.elements - step } else { step };
        let guess = sweep.guess(side, &layers, &start, node, window)?;
        let next = sweep.next_layer(side, &layers[step - 1], &balance, guess, node, window)?;
        balance = sweep.carry(side, &layers[step - 1], &next, node, window)?;
        layers.push(next);
        observer.progress(step);
    }
    let force = sweep.end_force(side.other(), window, &layers[rod.elements], balance, &start)?;
    if side == Side::End {
        layers.reverse();
    }
    let iterations = sweep.iterations;
    iterations.iter().for_each(|row| observer.iteration(row));
    let unknowns = rod.elements * steps * B;
    let mut motion = assemble(rod, &window.grid, window, &layers)?;
    let end = if side == Side::End { 0 } else { 1 };
    for k in 0..motion.instants {
        motion.forces[end][k] = force[window.index(k)];
    }
    Ok(Solved { motion, iterations, unknowns })
}

struct Sweep<'a, C, const D: usize, const B: usize> {
    rod: &'a Rod<C, D>,
    strip: Strip<'a, C>,
    inertia: Vector<D>,
    matrix: BlockTridiagonal<B>,
    rhs: Vec<SVector<f64, B>>,
    iterations: Vec<Iteration>,
}

impl<C, const D: usize, const B: usize> Sweep<'_, C, D, B>
where
    C: Sideways<D>,
{
    /// The servo path imposed weakly: M x = ∫φ γ, and M v = D x.
    fn first_layer(&self, side: Side, window: &Window, start: &Rest<D>) -> Result<FieldLayer<D>, TaskError> {
        let end = self.rod.end(side);
        let time = self.strip.time;
        let mut x = vec![Vector::<D>::zeros(); time.steps + 1];
        for c in 0..D {
            let Some(path) = &end.path[c] else { continue };
            let mut moments = time.project(window.time(0), 0.0, &mut |t| path.value(t)).map_err(|error| {
                TaskError::function(self.rod, side, BadFunction { coordinate: c, is_load: false, error })
            })?;
            moments[0] = start.q[side.node(self.rod.elements)][c];
            time.solve_mass(&mut moments);
            for (x, value) in x.iter_mut().zip(moments) {
                x[c] = value;
            }
        }
        let v = self.velocity(&x);
        Ok(FieldLayer { x, v })
    }

    /// M v = D x with v = 0 at the first instant.
    fn velocity(&self, x: &[Vector<D>]) -> Vec<Vector<D>> {
        let time = self.strip.time;
        let mut v = vec![Vector::zeros(); x.len()];
        for (k, v) in v.iter_mut().enumerate().skip(1) {
            *v = time.apply(time.rate(k), k, x);
        }
        time.solve_mass(&mut v);
        v
    }

    /// Terms of the balance of a layer that its own motion and half an element of gravity give, for one strip.
    fn own_terms(&self, layer: &FieldLayer<D>, k: usize) -> Vector<D> {
        let time = self.strip.time;
        let rate: Vector<D> = time.apply(time.rate(k), k, &layer.v);
        rate.component_mul(&self.inertia) * (self.strip.length / 3.0)
            - self.rod.model.body_force() * (0.5 * self.strip.length * time.weight(k))
    }

    /// Balance of the marching end before any strip is joined: body inertia and known forces.
    fn end_balance(&self, side: Side, window: &Window, layer: &FieldLayer<D>) -> Result<Vec<Vector<D>>, TaskError> {
        let end = self.rod.end(side);
        let time = self.strip.time;
        let mut balance = vec![Vector::<D>::zeros(); time.steps + 1];
        for c in 0..D {
            let load = time.project(window.time(0), 0.0, &mut |t| end.load[c].value(t)).map_err(|error| {
                TaskError::function(self.rod, side, BadFunction { coordinate: c, is_load: true, error })
            })?;
            for (k, balance) in balance.iter_mut().enumerate() {
                balance[c] -= load[k] + end.weight[c] * time.weight(k);
            }
        }
        for (k, balance) in balance.iter_mut().enumerate().skip(1) {
            let rate: Vector<D> = time.apply(time.rate(k), k, &layer.v);
            *balance += rate.component_mul(&end.mass);
        }
        Ok(balance)
    }

    /// A first guess of the next layer: along the gradient at the marching end, then by extrapolation.
    fn guess(
        &self,
        side: Side,
        layers: &[FieldLayer<D>],
        start: &Rest<D>,
        node: usize,
        window: &Window,
    ) -> Result<FieldLayer<D>, TaskError> {
        let mut x: Vec<Vector<D>> = match layers {
            [.., before, last] => last.x.iter().zip(&before.x).map(|(a, b)| a * 2.0 - b).collect(),
            _ => {
                let data = end_data(self.rod, side, window)?;
                let step = -side.sign() * self.strip.length;
                let mut x = Vec::with_capacity(data.q.len());
                for (j, (q, n)) in layers[0].x.iter().zip(&data.n).enumerate() {
                    let p = self.rod.model.gradient(q, n).map_err(|cause| TaskError::Breakdown {
                        rod: self.rod.name.clone(),
                        s: if side == Side::End { self.rod.length } else { 0.0 },
                        t: window.time(j),
                        cause,
                    })?;
                    x.push(q + p * step);
                }
                x
            }
        };
        x[0] = start.q[node];
        let v = self.velocity(&x);
        Ok(FieldLayer { x, v })
    }

    /// Newton for the layer beyond `known`: balance of `known` with the strip between them, and D x = M v.
    fn next_layer(
        &mut self,
        side: Side,
        known: &FieldLayer<D>,
        balance: &[Vector<D>],
        mut next: FieldLayer<D>,
        node: usize,
        window: &Window,
    ) -> Result<FieldLayer<D>, TaskError> {
        let time = self.strip.time;
        for iteration in 0..MAX_ITERATIONS {
            let residual = self.assemble(side, known, balance, &next, node, window)?;
            self.matrix.factor().and_then(|()| self.matrix.solve(&mut self.rhs)).map_err(|error| {
                TaskError::NotConverged {
                    phase: format!("the layer at s = {:.4}", self.s(node)),
                    rod: self.rod.name.clone(),
                    reason: error.to_string(),
                }
            })?;
            let mut step = 0.0_f64;
            for (k, correction) in self.rhs.iter().enumerate() {
                let (dx, dv) = (correction.fixed_rows::<D>(0), correction.fixed_rows::<D>(D));
                next.x[k + 1] += dx;
                next.v[k + 1] += dv;
                step = step.max(dx.amax() / self.rod.length);
            }
            self.log(iteration, residual, step);
            if !step.is_finite() {
                break;
            }
            if step < SETTLED {
                return Ok(next);
            }
        }
        Err(TaskError::NotConverged {
            phase: format!("Newton for the layer at s = {:.4}", self.s(node)),
            rod: self.rod.name.clone(),
            reason: format!(
                "{MAX_ITERATIONS} iterations were not enough with dt = {:.3e}; refine the grid or smooth the path",
                time.dt
            ),
        })
    }

    fn s(&self, node: usize) -> f64 {
        node as f64 * self.strip.length
    }

    /// Fill matrix and right-hand side; returns the largest residual.
    fn assemble(
        &mut self,
        side: Side,
        known: &FieldLayer<D>,
        balance: &[Vector<D>],
        next: &FieldLayer<D>,
        node: usize,
        window: &Window,
    ) -> Result<f64, TaskError> {
        let time = self.strip.time;
        let mut forces = [vec![Vector::<D>::zeros(); time.steps + 1], vec![Vector::<D>::zeros(); time.steps + 1]];
        let [left, right] = &mut forces;
        let ordered = order(side, &known.x, &next.x);
        let (rod, s) = (self.rod, self.s(node));
        let bad = |bad: BadInterval| TaskError::Breakdown {
            rod: rod.name.clone(),
            s,
            t: window.time(bad.interval),
            cause: bad.cause,
        };
        self.strip.forces(ordered, [left, right]).map_err(bad)?;
        let onto_known = if side == Side::End { &forces[1] } else { &forces[0] };
        let coupling = self.strip.length / 6.0;
        let mut largest = 0.0_f64;
        self.matrix.clear();
        for k in 1..=time.steps {
            let (rate, mass) = (time.rate(k), time.mass(k));
            let momentum = (time.apply(rate, k, &next.v) as Vector<D>).component_mul(&self.inertia) * coupling
                + self.own_terms(known, k)
                + balance[k]
                + onto_known[k];
            let kinematic: Vector<D> = time.apply(rate, k, &next.x) - time.apply(mass, k, &next.v);
            largest = largest.max(momentum.amax()).max(kinematic.amax());
            self.rhs[k - 1].fixed_rows_mut::<D>(0).copy_from(&-momentum);
            self.rhs[k - 1].fixed_rows_mut::<D>(D).copy_from(&-kinematic);
            for (column, place) in [(0, k.checked_sub(2)), (1, Some(k - 1)), (2, Some(k))] {
                if place.is_none() || (column == 2 && k == time.steps) {
                    continue;
                }
                let block = block_of(&mut self.matrix, k - 1, column);
                for c in 0..D {
                    block[(c, D + c)] += coupling * self.inertia[c] * rate[column];
                    block[(D + c, c)] += rate[column];
                    block[(D + c, D + c)] -= mass[column];
                }
            }
        }
        let (force_side, other) = (side, side.other());
        let matrix = &mut self.matrix;
        let mut sink = |_: usize, _: Side, row: usize, _: Side, column: usize, block: &Matrix<D>| {
            if row > 0 && column > 0 {
                let place = block_of(matrix, row - 1, column + 1 - row);
                let mut corner = place.fixed_view_mut::<D, D>(0, 0);
                corner += block;
            }
        };
        self.strip.tangents(ordered, &[(force_side, other)], &mut sink).map_err(bad)?;
        Ok(largest)
    }

    /// The balance the next layer starts from: what the strip behind it and the inertia of the known layer contribute.
    fn carry(
        &self,
        side: Side,
        known: &FieldLayer<D>,
        next: &FieldLayer<D>,
        node: usize,
        window: &Window,
    ) -> Result<Vec<Vector<D>>, TaskError> {
        let time = self.strip.time;
        let mut forces = [vec![Vector::<D>::zeros(); time.steps + 1], vec![Vector::<D>::zeros(); time.steps + 1]];
        let [left, right] = &mut forces;
        self.strip.forces(order(side, &known.x, &next.x), [left, right]).map_err(|bad| TaskError::Breakdown {
            rod: self.rod.name.clone(),
            s: self.s(node),
            t: window.time(bad.interval),
            cause: bad.cause,
        })?;
        let mut balance = std::mem::take(if side == Side::End { &mut forces[0] } else { &mut forces[1] });
        for (k, balance) in balance.iter_mut().enumerate().skip(1) {
            let rate: Vector<D> = time.apply(time.rate(k), k, &known.v);
            *balance += rate.component_mul(&self.inertia) * (self.strip.length / 6.0) + self.own_terms(next, k);
        }
        Ok(balance)
    }

    /// The force at the far end: M f = balance of the last layer, from its value at rest on.
    fn end_force(
        &self,
        side: Side,
        window: &Window,
        layer: &FieldLayer<D>,
        balance: Vec<Vector<D>>,
        start: &Rest<D>,
    ) -> Result<Vec<Vector<D>>, TaskError> {
        let mut force = self.end_balance(side, window, layer)?;
        force.iter_mut().zip(balance).for_each(|(f, b)| *f += b);
        force[0] = start.forces[side.index()];
        self.strip.time.solve_mass(&mut force);
        Ok(force)
    }

    fn log(&mut self, iteration: usize, residual: f64, step: f64) {
        if self.iterations.len() <= iteration {
            self.iterations.push(Iteration { iter: iteration, alpha: 1.0, ls: 1, ..Iteration::default() });
        }
        let row = &mut self.iterations[iteration];
        row.inf_pr = row.inf_pr.max(residual);
        row.step = row.step.max(step);
    }
}

/// (layer of smaller s, layer of larger s) when `known` lies towards `side`.
fn order<'v, const D: usize>(side: Side, known: &'v [Vector<D>], next: &'v [Vector<D>]) -> [&'v [Vector<D>]; 2] {
    if side == Side::End { [next, known] } else { [known, next] }
}

/// Block of row `row` in column `row` − 1, `row` or `row` + 1 for `column` 0, 1 or 2.
fn block_of<const B: usize>(matrix: &mut BlockTridiagonal<B>, row: usize, column: usize) -> &mut SMatrix<f64, B, B> {
    match column {
        0 => matrix.lower(row),
        1 => matrix.diagonal(row),
        _ => matrix.upper(row),
    }
}
