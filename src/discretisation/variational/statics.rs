//! Equilibrium of a chain of elements with forces to be found at its ends.

use super::{BadElement, Chain};
use crate::models::{Continuum, Matrix, Side, Vector};
use crate::nlp::{BlockMap, EvalFailure, FollowedSystem, ParametricSystem, Pattern, PatternBuilder, SquareSystem};

/// Unknowns: the nodes, then the unknown end forces; equations: balance at the nodes, then the prescribed coordinates.
/// The parameter of the family scales gravity and loads.
#[derive(Debug)]
pub struct StaticSystem<'a, C, const D: usize> {
    chain: Chain<'a, C, D>,
    loads: [Vector<D>; 2],
    prescribed: Vec<(usize, usize, f64)>,
    unknown: Vec<(usize, usize)>,
    parameter: f64,
    pattern: Pattern,
    map: BlockMap,
}

impl<'a, C: Continuum<D>, const D: usize> StaticSystem<'a, C, D> {
    /// `loads`: known forces at the two ends apart from gravity; `prescribed`: (side, coordinate, value) held there;
    /// `unknown`: (side, coordinate) of the forces to be found, as many as prescribed coordinates.
    pub fn new(
        chain: Chain<'a, C, D>,
        loads: [Vector<D>; 2],
        prescribed: &[(Side, usize, f64)],
        unknown: &[(Side, usize)],
    ) -> Self {
        let last = chain.elements();
        let node = |side: Side| side.node(last);
        let prescribed: Vec<_> = prescribed.iter().map(|&(side, c, value)| (node(side), c, value)).collect();
        let unknown: Vec<_> = unknown.iter().map(|&(side, c)| (node(side), c)).collect();
        let nodes = (last + 1) * D;
        let size = nodes + unknown.len();
        let mut builder = PatternBuilder::new(size, size);
        let mut add = |rows: &[usize], columns: &[usize]| {
            let added = builder.add(rows, columns);
            debug_assert!(added.is_ok());
        };
        for e in 0..last {
            let slots: Vec<usize> = (e * D..(e + 2) * D).collect();
            add(&slots, &slots);
        }
        for (f, &(node, c)) in unknown.iter().enumerate() {
            add(&[node * D + c], &[nodes + f]);
        }
        for (f, &(node, c, _)) in prescribed.iter().enumerate() {
            add(&[nodes + f], &[node * D + c]);
        }
        let (pattern, map) = builder.build();
        Self { chain, loads, prescribed, unknown, parameter: 1.0, pattern, map }
    }

    /// The nodes from the vector of unknowns.
    pub fn nodes(&self, x: &[f64]) -> Vec<Vector<D>> {
        x.chunks_exact(D).take(self.chain.elements() + 1).map(Vector::from_column_slice).collect()
    }

    /// The forces found, in the order asked for.
    pub fn forces<'x>(&self, x: &'x [f64]) -> &'x [f64] {
        &x[(self.chain.elements() + 1) * D..]
    }

    fn failure(&self, bad: BadElement) -> EvalFailure {
        EvalFailure {
            place: format!("in element {} of {}", bad.element + 1, self.chain.elements()),
            reason: bad.cause.to_string(),
        }
    }
}

impl<C: Continuum<D>, const D: usize> SquareSystem for StaticSystem<'_, C, D> {
    fn size(&self) -> usize {
        self.pattern.nrows()
    }

    fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    fn residual(&mut self, x: &[f64], out: &mut [f64]) -> Result<(), EvalFailure> {
        let last = self.chain.elements();
        let nodes = self.nodes(x);
        let mut forces = vec![Vector::zeros(); last + 1];
        self.chain.internal_forces(&nodes, &mut forces).map_err(|bad| self.failure(bad))?;
        for (force, weight) in forces.iter_mut().zip(&self.chain.weight) {
            *force -= weight * self.parameter;
        }
        forces[0] -= self.loads[0] * self.parameter;
        forces[last] -= self.loads[1] * self.parameter;
        for (f, &(node, c)) in self.unknown.iter().enumerate() {
            forces[node][c] -= self.forces(x)[f];
        }
        for (row, force) in out.chunks_exact_mut(D).zip(&forces) {
            row.copy_from_slice(force.as_slice());
        }
        for (f, &(node, c, value)) in self.prescribed.iter().enumerate() {
            out[(last + 1) * D + f] = nodes[node][c] - value;
        }
        Ok(())
    }

    fn jacobian(&mut self, x: &[f64], values: &mut [f64]) -> Result<(), EvalFailure> {
        values.fill(0.0);
        let last = self.chain.elements();
        let nodes = self.nodes(x);
        let mut scratch = vec![Vector::zeros(); last + 1];
        let map = &self.map;
        let mut calls = 0;
        // The chain reports the four blocks of each element in turn.
        let mut sink = |row: usize, column: usize, block: &Matrix<D>| {
            let e = calls / 4;
            calls += 1;
            let places = map.block(e);
            for i in 0..D {
                for j in 0..D {
                    values[places[((row - e) * D + i) * 2 * D + (column - e) * D + j]] += block[(i, j)];
                }
            }
        };
        self.chain.internal_tangent(&nodes, &mut scratch, &mut sink).map_err(|bad| self.failure(bad))?;
        for f in 0..self.unknown.len() {
            map.scatter(last + f, &[-1.0], values);
        }
        for f in 0..self.prescribed.len() {
            map.scatter(last + self.unknown.len() + f, &[1.0], values);
        }
        Ok(())
    }

    fn row_name(&self, row: usize) -> String {
        match row.checked_sub((self.chain.elements() + 1) * D) {
            None => format!("equilibrium of node {}, component {}", row / D, row % D),
            Some(f) => format!("prescribed coordinate {} of node {}", self.prescribed[f].1, self.prescribed[f].0),
        }
    }

    fn unknown_name(&self, column: usize) -> String {
        match column.checked_sub((self.chain.elements() + 1) * D) {
            None => format!("position of node {}, component {}", column / D, column % D),
            Some(f) => format!("force at node {}, component {}", self.unknown[f].0, self.unknown[f].1),
        }
    }
}

impl<C: Continuum<D>, const D: usize> ParametricSystem for StaticSystem<'_, C, D> {
    fn set_parameter(&mut self, parameter: f64) {
        self.parameter = parameter;
    }
}

impl<C: Continuum<D>, const D: usize> FollowedSystem for StaticSystem<'_, C, D> {
    fn parameter_derivative(&mut self, _: &[f64], out: &mut [f64]) -> Result<(), EvalFailure> {
        out.fill(0.0);
        let last = self.chain.elements();
        for (node, (row, weight)) in out.chunks_exact_mut(D).zip(&self.chain.weight).enumerate() {
            for c in 0..D {
                row[c] = -weight[c];
                if node == 0 {
                    row[c] -= self.loads[0][c];
                }
                if node == last {
                    row[c] -= self.loads[1][c];
                }
            }
        }
        Ok(())
    }

    fn parameter_name(&self) -> String {
        "load factor".to_owned()
    }
}
