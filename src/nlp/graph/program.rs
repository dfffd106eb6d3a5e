//! The finished program.

use super::arena::Arena;
use super::elimination::Elimination;
use super::failure::{derivative_reason, value_reason};
use super::products::{Products, SINK, Slots};
use super::pushing::Hessian;
use super::tape::{Derivatives, Edge, Tape};
use crate::nlp::{Bounds, EvalFailure, Nlp, Pattern, PatternBuilder};

/// A variable of a graph.
#[derive(Debug, Clone)]
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) node: u32,
    pub(super) start: f64,
    pub(super) lower: f64,
    pub(super) upper: f64,
    /// Whether it is a number that no derivative is taken by.
    pub(super) parameter: bool,
}

/// A row of a graph.
#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) name: String,
    pub(super) node: u32,
    pub(super) lower: f64,
    pub(super) upper: f64,
}

/// A nonlinear program made of expressions; see [`Graph`](super::Graph).
///
/// Values and local derivatives are kept for the last point, so asking for the objective, the rows and all derivatives
/// at one point evaluates the expressions once.
#[derive(Debug, Clone)]
pub struct Program {
    tape: Tape,
    derivatives: Derivatives,
    bounds: Bounds,
    start: Vec<f64>,
    parameters: Vec<bool>,
    variable_names: Vec<String>,
    row_names: Vec<String>,
    maximised: bool,
    /// Nodes of the rows and, last, of the objective.
    roots: Vec<u32>,
    linear: Vec<bool>,
    gradient: Vec<Edge>,
    gradient_products: Products,
    jacobian_pattern: Pattern,
    jacobian_slots: Vec<u32>,
    jacobian_products: Products,
    hessian_pattern: Pattern,
    hessian_slots: Vec<u32>,
    hessian_products: Products,
    /// First of the slots that hold the multipliers λ and, after them, σ.
    weights: usize,
    cache: Cache,
}

/// What is known at the last point.
#[derive(Debug, Clone)]
struct Cache {
    x: Vec<f64>,
    stage: Stage,
    values: Vec<f64>,
    matters: Vec<bool>,
    v: Vec<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Nothing,
    Values,
    Slopes,
    Curvatures,
}

impl Program {
    pub(super) fn new(arena: &Arena, variables: &[Variable], rows: &[Row], objective: u32, maximised: bool) -> Self {
        let mut roots: Vec<u32> = rows.iter().map(|row| row.node).chain([objective]).collect();
        let variable_nodes: Vec<u32> = variables.iter().map(|variable| variable.node).collect();
        let parameters: Vec<bool> = variables.iter().map(|variable| variable.parameter).collect();
        let tape = Tape::new(arena, &variable_nodes, &mut roots);
        let (n, m, nodes) = (variables.len(), rows.len(), tape.len());
        let mut slots = Slots::new();
        let derivatives = tape.derivatives(&parameters, &mut slots);

        let objective = Elimination::new(&derivatives, nodes, n, &roots[m..], &mut slots);
        let constraints = Elimination::new(&derivatives, nodes, n, &roots[..m], &mut slots);
        let entries = constraints.gradients.iter().enumerate();
        let entries = entries.flat_map(|(row, edges)| edges.iter().map(move |e| (row as u32, e.child, e.slot)));
        let (jacobian_pattern, jacobian_slots) = matrix(m, n, &entries.collect::<Vec<_>>());
        let linear = constraints.gradients.iter().map(|edges| edges.iter().all(|e| slots.is_steady(e.slot))).collect();

        let weights = slots.v.len();
        let weighted: Vec<(u32, u32)> = roots.iter().map(|&root| (root, slots.changing())).collect();
        let hessian = Hessian::new(&derivatives, nodes, n, weighted.into_iter(), &mut slots);
        let (hessian_pattern, hessian_slots) = matrix(n, n, &hessian.entries);

        let cache = Cache {
            x: vec![f64::NAN; n],
            stage: Stage::Nothing,
            values: tape.blank_values(),
            matters: vec![false; if tape.has_branches() { nodes } else { 0 }],
            v: slots.into_numbers(),
        };
        Self {
            derivatives,
            bounds: Bounds {
                x_lower: variables.iter().map(|variable| variable.lower).collect(),
                x_upper: variables.iter().map(|variable| variable.upper).collect(),
                c_lower: rows.iter().map(|row| row.lower).collect(),
                c_upper: rows.iter().map(|row| row.upper).collect(),
            },
            start: variables.iter().map(|variable| variable.start).collect(),
            parameters,
            variable_names: variables.iter().map(|variable| variable.name.clone()).collect(),
            row_names: rows.iter().map(|row| row.name.clone()).collect(),
            maximised,
            roots,
            linear,
            gradient: objective.gradients.into_iter().next().unwrap_or_default(),
            gradient_products: objective.products,
            jacobian_pattern,
            jacobian_slots,
            jacobian_products: constraints.products,
            hessian_pattern,
            hessian_slots,
            hessian_products: hessian.products,
            weights,
            cache,
            tape,
        }
    }

    /// The point to start from.
    pub fn start(&self) -> &[f64] {
        &self.start
    }

    /// Whether a variable is a number that no derivative is taken by; see [`Graph::parameter`](super::Graph::parameter).
    pub fn is_parameter(&self, variable: usize) -> bool {
        self.parameters.get(variable).copied().unwrap_or(false)
    }

    /// Whether the objective is the negative of an expression to maximise.
    pub fn is_maximised(&self) -> bool {
        self.maximised
    }

    /// Whether all derivatives of a row are constant; false for a row that does not exist.
    pub fn is_linear(&self, row: usize) -> bool {
        self.linear.get(row).copied().unwrap_or(false)
    }

    /// Number of nodes of the tape and of multiplications in a gradient, a Jacobian and a Hessian.
    pub fn work(&self) -> [usize; 4] {
        let products = [&self.gradient_products, &self.jacobian_products, &self.hessian_products];
        let [gradient, jacobian, hessian] = products.map(Products::len);
        [self.tape.len(), gradient, jacobian, hessian]
    }

    /// The expressions as a tape, with the nodes of the rows and, last, of the objective.
    pub(in crate::nlp) fn tape(&self) -> (&Tape, &[u32]) {
        (&self.tape, &self.roots)
    }

    /// The variables that the objective depends on, in ascending order.
    pub(in crate::nlp) fn gradient_variables(&self) -> impl Iterator<Item = usize> {
        self.gradient.iter().map(|edge| edge.child as usize)
    }

    fn rows(&self) -> usize {
        self.row_names.len()
    }

    /// Brings the cache to the stage asked for at x.
    fn prepare(&mut self, x: &[f64], stage: Stage) -> Result<(), EvalFailure> {
        if x.len() != self.start.len() {
            let reason = format!("{} numbers for {} variables", x.len(), self.start.len());
            return Err(EvalFailure { place: "the point".to_string(), reason });
        }
        let Cache { x: at, stage: done, values, matters, v } = &mut self.cache;
        if *done == Stage::Nothing || at != x {
            at.copy_from_slice(x);
            self.tape.forward(x, values);
            *done = Stage::Values;
        }
        if *done < Stage::Slopes && stage >= Stage::Slopes {
            if self.tape.has_branches() {
                matters.fill(false);
                self.roots.iter().for_each(|&root| matters[root as usize] = true);
                for node in (0..self.tape.len()).rev() {
                    if matters[node] {
                        self.tape.mark_operands(node, values, matters);
                    }
                }
            }
            self.tape.linearise(&self.derivatives, values, matters, v);
            *done = Stage::Slopes;
        }
        if *done < Stage::Curvatures && stage >= Stage::Curvatures {
            self.tape.bend(&self.derivatives, values, matters, v);
            *done = Stage::Curvatures;
        }
        Ok(())
    }

    /// The roots that contribute to the Lagrangian.
    fn weighted(&self) -> impl Iterator<Item = usize> {
        (0..self.roots.len()).filter(|&root| self.cache.v[self.weights + root] != 0.0)
    }

    fn place(&self, root: usize) -> String {
        self.row_names.get(root).cloned().unwrap_or_else(|| "objective".to_string())
    }

    /// Fails if the value of a root is not finite.
    fn check_value(&self, root: usize) -> Result<f64, EvalFailure> {
        let node = self.roots[root] as usize;
        let value = self.cache.values[node];
        if value.is_finite() {
            return Ok(value);
        }
        Err(EvalFailure { place: self.place(root), reason: value_reason(&self.tape, node, &self.cache.values) })
    }

    /// The failure of derivatives of which some root among `roots` must be the cause.
    fn derivative_failure(&self, mut roots: impl Iterator<Item = usize>, of: &str) -> EvalFailure {
        let Cache { values, v, stage, .. } = &self.cache;
        let broken = |node: usize| {
            let slots = self.derivatives.slots_of(node, *stage == Stage::Curvatures);
            slots.into_iter().any(|slot| !v[slot as usize].is_finite())
        };
        let found = roots.find_map(|root| {
            let reason = derivative_reason(&self.tape, self.roots[root] as usize, values, broken)?;
            Some(EvalFailure { place: self.place(root), reason })
        });
        let overflow = || EvalFailure { place: of.to_string(), reason: "the derivative overflows".to_string() };
        found.unwrap_or_else(overflow)
    }
}

/// The pattern of entries (row, column, slot) and their slots in its order.
fn matrix(rows: usize, cols: usize, entries: &[(u32, u32, u32)]) -> (Pattern, Vec<u32>) {
    let mut builder = PatternBuilder::new(rows, cols);
    let added = entries.iter().filter(|&&(row, col, _)| builder.add(&[row as usize], &[col as usize]).is_ok());
    let added: Vec<u32> = added.map(|&(.., slot)| slot).collect();
    let (pattern, map) = builder.build();
    let mut slots = vec![SINK; pattern.nnz()];
    for (block, slot) in added.into_iter().enumerate() {
        map.block(block).iter().for_each(|&place| slots[place] = slot);
    }
    (pattern, slots)
}

impl Nlp for Program {
    fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    fn jacobian_pattern(&self) -> &Pattern {
        &self.jacobian_pattern
    }

    fn hessian_pattern(&self) -> &Pattern {
        &self.hessian_pattern
    }

    fn objective(&mut self, x: &[f64]) -> Result<f64, EvalFailure> {
        self.prepare(x, Stage::Values)?;
        self.check_value(self.rows())
    }

    fn gradient(&mut self, x: &[f64], out: &mut [f64]) -> Result<(), EvalFailure> {
        self.prepare(x, Stage::Slopes)?;
        let objective = self.rows();
        self.check_value(objective)?;
        self.gradient_products.run(&mut self.cache.v);
        out.fill(0.0);
        for edge in &self.gradient {
            if let Some(out) = out.get_mut(edge.child as usize) {
                *out = self.cache.v[edge.slot as usize];
            }
        }
        if out.iter().all(|value| value.is_finite()) {
            return Ok(());
        }
        Err(self.derivative_failure(std::iter::once(objective), "objective"))
    }

    fn constraints(&mut self, x: &[f64], out: &mut [f64]) -> Result<(), EvalFailure> {
        self.prepare(x, Stage::Values)?;
        for (row, out) in (0..self.rows()).zip(out) {
            *out = self.check_value(row)?;
        }
        Ok(())
    }

    fn jacobian(&mut self, x: &[f64], values: &mut [f64]) -> Result<(), EvalFailure> {
        self.prepare(x, Stage::Slopes)?;
        for row in 0..self.rows() {
            self.check_value(row)?;
        }
        self.jacobian_products.run(&mut self.cache.v);
        let mut broken = None;
        for (entry, (value, &slot)) in values.iter_mut().zip(&self.jacobian_slots).enumerate() {
            *value = self.cache.v[slot as usize];
            if !value.is_finite() && broken.is_none() {
                broken = Some(entry);
            }
        }
        match broken {
            None => Ok(()),
            Some(entry) => {
                let row = self.jacobian_pattern.row_idx()[entry];
                Err(self.derivative_failure(std::iter::once(row), &self.place(row)))
            }
        }
    }

    fn hessian(&mut self, x: &[f64], sigma: f64, lambda: &[f64], values: &mut [f64]) -> Result<(), EvalFailure> {
        self.prepare(x, Stage::Curvatures)?;
        let rows = self.rows();
        for row in 0..rows {
            self.cache.v[self.weights + row] = lambda.get(row).copied().unwrap_or(0.0);
        }
        self.cache.v[self.weights + rows] = sigma;
        for root in self.weighted() {
            self.check_value(root)?;
        }
        self.hessian_products.run(&mut self.cache.v);
        let mut finite = true;
        for (value, &slot) in values.iter_mut().zip(&self.hessian_slots) {
            *value = self.cache.v[slot as usize];
            finite &= value.is_finite();
        }
        if finite { Ok(()) } else { Err(self.derivative_failure(0..self.roots.len(), "the Lagrangian")) }
    }

    fn variable_name(&self, variable: usize) -> String {
        self.variable_names.get(variable).cloned().unwrap_or_else(|| format!("x[{}]", variable + 1))
    }

    fn row_name(&self, row: usize) -> String {
        self.row_names.get(row).cloned().unwrap_or_else(|| format!("c[{}]", row + 1))
    }
}
