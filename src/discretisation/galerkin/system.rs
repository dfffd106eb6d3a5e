//! The space-time finite element equations over the whole domain as one sparse square system.

use super::strip::{BadInterval, Strip};
use super::time::TimeElements;
use crate::models::{Continuum, Matrix, Side, Vector};
use crate::nlp::{BlockMap, EvalFailure, ParametricSystem, Pattern, PatternBuilder, SquareSystem};

/// A coordinate of an end whose motion is prescribed, in weak form.
#[derive(Debug, Clone, PartialEq)]
pub struct Prescribed {
    /// Which end.
    pub side: Side,
    /// Which coordinate.
    pub coordinate: usize,
    /// ∫φ_k γ dt for k = 0 … steps.
    pub moments: Vec<f64>,
}

/// A force component at an end that is to be found: an actuator's, or the reaction of a support.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UnknownForce {
    /// Which end.
    pub side: Side,
    /// Which coordinate.
    pub coordinate: usize,
    /// Its value at rest, at the first instant.
    pub at_rest: f64,
}

/// What is known and unknown at the two ends.
#[derive(Debug, Clone, PartialEq)]
pub struct EndForces<const D: usize> {
    /// Inertia of the bodies at s = 0 and s = L.
    pub mass: [Vector<D>; 2],
    /// ∫φ_k F dt of the known forces at both ends, k = 0 … steps.
    pub known: [Vec<Vector<D>>; 2],
    /// Known forces at the first instant.
    pub known_at_rest: [Vector<D>; 2],
    /// Prescribed coordinates.
    pub prescribed: Vec<Prescribed>,
    /// Forces to be found; as many as prescribed coordinates.
    pub unknown: Vec<UnknownForce>,
}

/// Unknowns: x and v at the nodes (i, k), k ≥ 1, then the unknown end forces at the instants k ≥ 1. The parameter of
/// the family scales the manoeuvre: 0 is rest, 1 the prescribed motion.
#[derive(Debug)]
pub struct GalerkinSystem<'a, C, const D: usize> {
    strip: Strip<'a, C>,
    rest: Vec<Vector<D>>,
    ends: EndForces<D>,
    start: f64,
    parameter: f64,
    pattern: Pattern,
    map: BlockMap,
    /// Jacobian of the linear terms.
    linear: Vec<f64>,
    /// Linear terms of what is known at the first instant.
    known: Vec<f64>,
    first_strip_block: usize,
}

/// What a linear term multiplies.
enum Factor {
    Unknown(usize),
    Known(f64),
}

impl<'a, C: Continuum<D>, const D: usize> GalerkinSystem<'a, C, D> {
    /// `rest`: the equilibrium configuration at the first instant `start`, one entry per node.
    pub fn new(strip: Strip<'a, C>, rest: Vec<Vector<D>>, ends: EndForces<D>, start: f64) -> Self {
        let mut system = Self {
            strip,
            rest,
            ends,
            start,
            parameter: 1.0,
            pattern: PatternBuilder::new(0, 0).build().0,
            map: PatternBuilder::new(0, 0).build().1,
            linear: Vec::new(),
            known: Vec::new(),
            first_strip_block: 0,
        };
        system.prepare();
        system
    }

    /// Time elements.
    pub fn time(&self) -> TimeElements {
        self.strip.time
    }

    /// Number of nodes along s.
    pub fn nodes(&self) -> usize {
        self.rest.len()
    }

    /// Index of component c of x at node (i, k), k ≥ 1; that of v is D later. The rows of the momentum balance and of
    /// ẋ = v have the same numbers.
    pub fn index(&self, i: usize, k: usize, c: usize) -> usize {
        (i * self.strip.time.steps + k - 1) * 2 * D + c
    }

    /// Index of unknown force number f at instant k ≥ 1, and of the row of prescribed coordinate number f.
    pub fn force_index(&self, f: usize, k: usize) -> usize {
        self.nodes() * self.strip.time.steps * 2 * D + f * self.strip.time.steps + k - 1
    }

    /// Node index of an end.
    pub fn end_node(&self, side: Side) -> usize {
        side.node(self.nodes() - 1)
    }

    /// The end forces this system was built with.
    pub fn ends(&self) -> &EndForces<D> {
        &self.ends
    }

    /// x at all instants of node i from the vector of unknowns.
    pub fn positions(&self, unknowns: &[f64], i: usize) -> Vec<Vector<D>> {
        std::iter::once(self.rest[i])
            .chain((1..=self.strip.time.steps).map(|k| Vector::from_fn(|c, _| unknowns[self.index(i, k, c)])))
            .collect()
    }

    /// v at all instants of node i from the vector of unknowns.
    pub fn velocities(&self, unknowns: &[f64], i: usize) -> Vec<Vector<D>> {
        std::iter::once(Vector::zeros())
            .chain((1..=self.strip.time.steps).map(|k| Vector::from_fn(|c, _| unknowns[self.index(i, k, c) + D])))
            .collect()
    }

    /// Pattern, and the linear terms once and for all.
    fn prepare(&mut self) {
        let steps = self.strip.time.steps;
        let size = self.force_index(self.ends.unknown.len(), 1);
        let mut terms = Vec::new();
        let mut known = vec![0.0; size];
        self.each_linear_term(&mut |row, factor, coefficient| match factor {
            Factor::Unknown(column) => terms.push((row, column, coefficient)),
            Factor::Known(value) => known[row] += coefficient * value,
        });
        let mut builder = PatternBuilder::new(size, size);
        // Every index comes from `index` and `force_index`, which stay below `size`.
        let mut add = |rows: &[usize], columns: &[usize]| {
            let added = builder.add(rows, columns);
            debug_assert!(added.is_ok());
        };
        for &(row, column, _) in &terms {
            add(&[row], &[column]);
        }
        let mut slots = Vec::with_capacity(4 * D);
        for e in 0..self.nodes() - 1 {
            for k in 0..steps {
                self.strip_slots(e, k, &mut slots);
                add(&slots, &slots);
            }
        }
        let (pattern, map) = builder.build();
        self.linear = vec![0.0; pattern.nnz()];
        for (block, &(_, _, coefficient)) in terms.iter().enumerate() {
            map.scatter(block, &[coefficient], &mut self.linear);
        }
        self.first_strip_block = terms.len();
        (self.pattern, self.map, self.known) = (pattern, map, known);
    }

    /// Positions the strip element (e, k) couples: nodes (e, k), (e, k+1), (e+1, k), (e+1, k+1) without instant 0.
    fn strip_slots(&self, e: usize, k: usize, out: &mut Vec<usize>) {
        out.clear();
        for i in [e, e + 1] {
            for l in [k, k + 1] {
                if l > 0 {
                    out.extend((0..D).map(|c| self.index(i, l, c)));
                }
            }
        }
    }

    /// All linear terms of the equations: row, what is multiplied, coefficient.
    fn each_linear_term(&self, visit: &mut dyn FnMut(usize, Factor, f64)) {
        let TimeElements { dt, steps } = self.strip.time;
        let rate = [[-0.5, 0.5], [-0.5, 0.5]];
        let mass = [[dt / 3.0, dt / 6.0], [dt / 6.0, dt / 3.0]];
        let inertia = self.strip.model.inertia();
        let velocity = |j: usize, l: usize, c: usize| match l {
            0 => Factor::Known(0.0),
            _ => Factor::Unknown(self.index(j, l, c) + D),
        };
        let position = |j: usize, l: usize, c: usize| match l {
            0 => Factor::Known(self.rest[j][c]),
            _ => Factor::Unknown(self.index(j, l, c)),
        };
        for k in 0..steps {
            for (a, row_k) in [k, k + 1].into_iter().enumerate().filter(|&(_, row)| row > 0) {
                for (b, l) in [k, k + 1].into_iter().enumerate() {
                    for c in 0..D {
                        for e in 0..self.nodes() - 1 {
                            for (i, j, share) in [(0, 0, 2.0), (0, 1, 1.0), (1, 0, 1.0), (1, 1, 2.0)] {
                                let coefficient = self.strip.length / 6.0 * share * inertia[c] * rate[a][b];
                                visit(self.index(e + i, row_k, c), velocity(e + j, l, c), coefficient);
                            }
                        }
                        for i in 0..self.nodes() {
                            let row = self.index(i, row_k, c) + D;
                            visit(row, position(i, l, c), rate[a][b]);
                            visit(row, velocity(i, l, c), -mass[a][b]);
                        }
                        for side in Side::BOTH {
                            let body = self.ends.mass[side.index()][c];
                            if body != 0.0 {
                                let i = self.end_node(side);
                                visit(self.index(i, row_k, c), velocity(i, l, c), body * rate[a][b]);
                            }
                        }
                    }
                    for (f, force) in self.ends.unknown.iter().enumerate() {
                        let row = self.index(self.end_node(force.side), row_k, force.coordinate);
                        let factor = match l {
                            0 => Factor::Known(force.at_rest),
                            _ => Factor::Unknown(self.force_index(f, l)),
                        };
                        visit(row, factor, -mass[a][b]);
                    }
                    for (f, path) in self.ends.prescribed.iter().enumerate() {
                        let node = self.end_node(path.side);
                        visit(self.force_index(f, row_k), position(node, l, path.coordinate), mass[a][b]);
                    }
                }
            }
        }
    }

    /// Subtracts gravity, known end forces and prescribed paths from the residual.
    fn subtract_data(&self, out: &mut [f64]) {
        let time = self.strip.time;
        let gravity = self.strip.model.body_force() * self.strip.length;
        let blend = |at_rest: f64, full: f64| at_rest + self.parameter * (full - at_rest);
        for k in 1..=time.steps {
            for i in 0..self.nodes() {
                let share = if i == 0 || i + 1 == self.nodes() { 0.5 } else { 1.0 };
                for c in 0..D {
                    out[self.index(i, k, c)] -= gravity[c] * share * time.weight(k);
                }
            }
            for side in Side::BOTH {
                for c in 0..D {
                    let at_rest = self.ends.known_at_rest[side.index()][c] * time.weight(k);
                    let full = self.ends.known[side.index()][k][c];
                    out[self.index(self.end_node(side), k, c)] -= blend(at_rest, full);
                }
            }
            for (f, path) in self.ends.prescribed.iter().enumerate() {
                let at_rest = self.rest[self.end_node(path.side)][path.coordinate] * time.weight(k);
                out[self.force_index(f, k)] -= blend(at_rest, path.moments[k]);
            }
        }
    }

    fn failure(&self, e: usize, bad: BadInterval) -> EvalFailure {
        let s = (e as f64 + 0.5) * self.strip.length;
        let t = self.start + (bad.interval as f64 + 0.5) * self.strip.time.dt;
        EvalFailure { place: format!("at s = {s:.4}, t = {t:.4}"), reason: bad.cause.to_string() }
    }

    /// `names` of positions, velocities and end forces (or of the equations with the same numbers); `ends` tells side and
    /// coordinate of the latter.
    fn name(&self, index: usize, names: [&str; 3], ends: impl Fn(usize) -> (Side, usize)) -> String {
        let steps = self.strip.time.steps;
        let node_unknowns = self.nodes() * steps * 2 * D;
        let coordinates = self.strip.model.coordinates();
        if index < node_unknowns {
            let (node, c) = (index / (2 * D), index % (2 * D));
            let t = self.start + (node % steps + 1) as f64 * self.strip.time.dt;
            let s = (node / steps) as f64 * self.strip.length;
            format!("{} {} at s = {s:.4}, t = {t:.4}", names[c / D], coordinates[c % D])
        } else {
            let (f, k) = ((index - node_unknowns) / steps, (index - node_unknowns) % steps + 1);
            let t = self.start + k as f64 * self.strip.time.dt;
            let (side, c) = ends(f);
            format!("{} {} at the rod's {}, t = {t:.4}", names[2], coordinates[c], side.name())
        }
    }
}

impl<C: Continuum<D>, const D: usize> SquareSystem for GalerkinSystem<'_, C, D> {
    fn size(&self) -> usize {
        self.pattern.nrows()
    }

    fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    fn residual(&mut self, x: &[f64], out: &mut [f64]) -> Result<(), EvalFailure> {
        self.pattern.multiply(&self.linear, x, out);
        out.iter_mut().zip(&self.known).for_each(|(r, known)| *r += known);
        self.subtract_data(out);
        let steps = self.strip.time.steps;
        let mut left_positions = self.positions(x, 0);
        let mut forces = [vec![Vector::zeros(); steps + 1], vec![Vector::zeros(); steps + 1]];
        for e in 0..self.nodes() - 1 {
            let right_positions = self.positions(x, e + 1);
            forces.iter_mut().for_each(|f| f.fill(Vector::zeros()));
            let [left, right] = &mut forces;
            self.strip
                .forces([&left_positions, &right_positions], [left, right])
                .map_err(|bad| self.failure(e, bad))?;
            for (i, force) in [(e, &forces[0]), (e + 1, &forces[1])] {
                for k in 1..=steps {
                    for c in 0..D {
                        out[self.index(i, k, c)] += force[k][c];
                    }
                }
            }
            left_positions = right_positions;
        }
        Ok(())
    }

    fn jacobian(&mut self, x: &[f64], values: &mut [f64]) -> Result<(), EvalFailure> {
        values.copy_from_slice(&self.linear);
        let steps = self.strip.time.steps;
        const PAIRS: [(Side, Side); 4] =
            [(Side::Start, Side::Start), (Side::Start, Side::End), (Side::End, Side::Start), (Side::End, Side::End)];
        let mut left_positions = self.positions(x, 0);
        for e in 0..self.nodes() - 1 {
            let right_positions = self.positions(x, e + 1);
            let (map, first) = (&self.map, self.first_strip_block + e * steps);
            // Blocks of one time element arrive together; their place follows from the smaller instant.
            let mut sink = |element: usize, force: Side, row: usize, at: Side, column: usize, block: &Matrix<D>| {
                let places = map.block(first + element);
                let instants = if element == 0 { 1 } else { 2 };
                let slot = |side: Side, l: usize| (side.index() * instants + l + instants - element - 2) * D;
                if row == 0 || column == 0 {
                    return;
                }
                let (r, s) = (slot(force, row), slot(at, column));
                for i in 0..D {
                    for j in 0..D {
                        values[places[(r + i) * 2 * instants * D + s + j]] += block[(i, j)];
                    }
                }
            };
            self.strip
                .tangents([&left_positions, &right_positions], &PAIRS, &mut sink)
                .map_err(|bad| self.failure(e, bad))?;
            left_positions = right_positions;
        }
        Ok(())
    }

    fn row_name(&self, row: usize) -> String {
        let path = |f: usize| (self.ends.prescribed[f].side, self.ends.prescribed[f].coordinate);
        self.name(row, ["momentum balance of", "velocity relation of", "prescribed path of"], path)
    }

    fn unknown_name(&self, column: usize) -> String {
        let force = |f: usize| (self.ends.unknown[f].side, self.ends.unknown[f].coordinate);
        self.name(column, ["position", "velocity", "force on"], force)
    }
}

impl<C: Continuum<D>, const D: usize> ParametricSystem for GalerkinSystem<'_, C, D> {
    fn set_parameter(&mut self, parameter: f64) {
        self.parameter = parameter;
    }
}
