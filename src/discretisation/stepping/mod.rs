//! One step of the variational Lie-group integrator for assemblies.
//!
//! Discrete Lagrangian of a step from q₀ to q₁ of length h: L_d = h T(v) − h V(q_m) with the mid configuration
//! x_m = (x₀ + x₁)/2, p_m = (p₀ + p₁)/|p₀ + p₁|, velocities of mass centres (y₁ − y₀)/h and Ω = 2 Im(p̄₀p₁)/h. It is
//! invariant under rigid motions, so momenta are kept to rounding. Unknown are the half steps u = x_m − x₀ and η with
//! p_m = p₀ Cay(η), p₁ = p₀ Cay(η)²; then with f = Cay(η)², Π = JΩ and the moment G = ∂V/∂θ at p_m
//!
//! −D₁L_d = f₀Π + f × Π + h/2 (G + η × G),  D₂L_d = f₀Π − f × Π − h/2 (G − η × G)
//!
//! in the frames of q₀ and q₁. The step solves π₀ + Gᵀλ = −D₁L_d with the joints satisfied at q₁; π₁ = D₂L_d.

mod drag;
mod ending;
mod node;
mod numbering;
mod ropes;
mod velocities;
mod viscous;

use nalgebra::{Matrix6, Vector3, Vector6};

use super::assembly::{Assembly, Forces, GroundTravel, Instant, NodeKind, Order, Wrench};
use super::equilibrium::Entries;
use crate::nlp::{EvalFailure, Pattern, PatternBuilder, SquareSystem};
use node::NodeStep;
use numbering::{border, unknowns};

const FIXED: usize = usize::MAX;

/// Configuration and momenta of an assembly at an instant.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// Time, second.
    pub t: f64,
    /// Coordinates.
    pub q: Vec<f64>,
    /// Momenta conjugate to the degrees of freedom: in space for positions, in the frame of the node for rotations.
    pub momentum: Vec<f64>,
}

/// The equations of one step; used again for the next.
pub struct Step<'a> {
    /// The mechanism.
    pub assembly: &'a Assembly,
    /// The state at the beginning.
    pub from: State,
    /// Length of the step, second.
    pub h: f64,
    pattern: Pattern,
    unknown: Vec<usize>,
    free: usize,
    places: Vec<Vec<usize>>,
    joint_places: Vec<Vec<usize>>,
    /// Half steps of all degrees of freedom, given and unknown.
    half: Vec<f64>,
    middle: Vec<f64>,
    to: Vec<f64>,
    prescribed: Vec<f64>,
    nodes: Vec<NodeStep>,
    /// The unknowns of the last evaluation, and how far it went.
    at: Vec<f64>,
    known: Option<Order>,
    forces: Forces,
    /// Gradient at the beginning of the elements that act at the instants.
    early: Vec<f64>,
    acts_at_instants: bool,
    wrenches: Vec<Wrench>,
    /// Velocity of the current, and rates of all coordinates.
    current: Vector3<f64>,
    rates: Vec<f64>,
    /// ∂(−D₁L_d) of the ropes of changing length by the half steps, in the places of the stiffness; empty without such ropes.
    rope_slopes: Vec<f64>,
    motions: Vec<GroundTravel>,
    /// Gᵀ of the joints at the beginning.
    joint_start: Vec<super::assembly::RowDerivative>,
    /// First viscous point of each element; strains at the beginning, stresses of the rate.
    viscous_start: Vec<Option<usize>>,
    early_strain: Vec<Vector6<f64>>,
    viscous: Vec<Vector6<f64>>,
    impulse: Vec<f64>,
    support: Vec<f64>,
    /// Work of the loads in the last finished step.
    work: f64,
    scales: Vec<f64>,
}

impl<'a> Step<'a> {
    /// Steps of a mechanism.
    pub fn new(assembly: &'a Assembly, from: State, h: f64) -> Self {
        let layout = &assembly.layout;
        let (unknown, free) = unknowns(assembly);
        let total = free + assembly.rows;
        let forces = assembly.forces();
        let of = |node: usize| &unknown[layout.freedom(node)..layout.freedom(node) + layout.kind(node).freedoms()];
        let mut entries = Entries { builder: PatternBuilder::new(total, total), wanted: Vec::new() };
        for &(row, col, _) in &forces.stiffness.list {
            entries.block(of(row), of(col));
        }
        let blocks = entries.wanted.len();
        border(assembly, of, free, &mut entries);
        let (pattern, mut places) = entries.build();
        let joint_places = places.split_off(blocks);
        let mut points = 0;
        let viscous_start = assembly
            .elements
            .iter()
            .map(|element| {
                element.damped.then(|| {
                    points += element.points();
                    points - element.points()
                })
            })
            .collect();
        let zeros = vec![0.0; layout.freedom_count()];
        let mut step = Self {
            assembly,
            h,
            pattern,
            unknown,
            free,
            places,
            joint_places,
            half: zeros.clone(),
            middle: from.q.clone(),
            to: from.q.clone(),
            prescribed: from.q.clone(),
            nodes: assembly.masses.iter().map(NodeStep::new).collect(),
            at: vec![0.0; total],
            known: None,
            forces,
            early: zeros.clone(),
            acts_at_instants: assembly.elements.iter().any(|element| element.at_instants),
            wrenches: Vec::new(),
            current: Vector3::zeros(),
            rates: vec![0.0; layout.coordinate_count()],
            rope_slopes: Vec::new(),
            motions: Vec::new(),
            joint_start: Vec::with_capacity(assembly.rows),
            viscous_start,
            early_strain: vec![Vector6::zeros(); points],
            viscous: vec![Vector6::zeros(); points],
            impulse: zeros.clone(),
            support: zeros,
            work: 0.0,
            scales: vec![1.0; total],
            from,
        };
        step.find_scales();
        step
    }

    fn find_scales(&mut self) {
        let layout = &self.assembly.layout;
        let length = self.assembly.size();
        for (dof, &unknown) in self.unknown.iter().enumerate() {
            let (node, which) = layout.node_of_freedom(dof);
            if unknown != FIXED && which < layout.kind(node).positions() {
                self.scales[unknown] = length;
            }
        }
        let mass = self.assembly.masses.iter().fold(0.0_f64, |m, node| m.max(node.mass));
        // Multipliers are impulses; a millionth of what moves the heaviest node by the size of the mechanism.
        let impulse = 1e-6 * mass * length / self.h;
        self.scales[self.free..].fill(if impulse > 0.0 { impulse } else { 1.0 });
    }

    /// Prepares a step of length `h` from a state; must be called before the step is solved.
    pub fn begin(&mut self, h: f64) -> Result<(), EvalFailure> {
        self.h = h;
        self.known = None;
        let layout = &self.assembly.layout;
        for (node, step) in self.nodes.iter_mut().enumerate() {
            step.begin(layout, node, &self.from.q);
        }
        let end = Instant { t: self.from.t + h, factor: 1.0 };
        let middle = Instant { t: self.from.t + 0.5 * h, factor: 1.0 };
        self.assembly.wrenches(middle, &mut self.wrenches)?;
        (self.current, _) = self.assembly.current(middle)?;
        self.assembly.motions(end, &mut self.motions)?;
        self.prescribed.copy_from_slice(&self.from.q);
        self.assembly.prescribe(end, &mut self.prescribed)?;
        for node in 0..layout.nodes() {
            let given = node::half_step(layout, node, &self.from.q, &self.prescribed);
            let dof = layout.freedom(node);
            for c in 0..layout.kind(node).freedoms() {
                if self.assembly.fixed[dof + c] {
                    self.half[dof + c] = given[c];
                }
            }
        }
        self.joint_start.clear();
        for joint in &self.assembly.constraints {
            for row in 0..joint.rows.len() {
                self.joint_start.push(joint.derivative(layout, &self.from.q, row));
            }
        }
        for (element, start) in self.assembly.elements.iter().zip(&self.viscous_start) {
            if let Some(start) = start {
                for point in 0..element.points() {
                    self.early_strain[start + point] = element.strain(layout, &self.from.q, point);
                }
            }
        }
        if self.acts_at_instants {
            let at_instants = |element: &super::assembly::Element| element.at_instants;
            let q = &self.from.q;
            self.assembly.evaluate(q, Order::Gradient, at_instants, |_| None, &[], None, &mut self.forces)?;
            self.early.copy_from_slice(&self.forces.gradient);
        }
        Ok(())
    }

    /// A first guess of the unknowns: these half steps, or those of the present velocities.
    pub fn guess(&self, half: Option<&Vec<f64>>, out: &mut [f64]) {
        out.fill(0.0);
        if let Some(half) = half {
            for (half, &unknown) in half.iter().zip(&self.unknown) {
                if unknown != FIXED {
                    out[unknown] = *half;
                }
            }
            return;
        }
        let layout = &self.assembly.layout;
        for node in 0..layout.nodes() {
            let v = node::velocity(layout, node, &self.from, &self.assembly.masses[node]);
            let turn = if layout.kind(node) == NodeKind::SpaceFrame { 0.25 } else { 0.5 };
            for c in 0..layout.kind(node).freedoms() {
                let unknown = self.unknown[layout.freedom(node) + c];
                if unknown != FIXED {
                    let share = if c < layout.kind(node).positions() { 0.5 } else { turn };
                    out[unknown] = v[c] * self.h * share;
                }
            }
        }
    }

    /// The configuration in the middle of the last finished step.
    pub fn middle(&self) -> &[f64] {
        &self.middle
    }

    /// The half steps of the last evaluation, of all degrees of freedom.
    pub fn half_steps(&self) -> &[f64] {
        &self.half
    }

    fn place(&mut self, x: &[f64]) -> Result<(), EvalFailure> {
        let layout = &self.assembly.layout;
        for (half, &unknown) in self.half.iter_mut().zip(&self.unknown) {
            if unknown != FIXED {
                *half = x[unknown];
            }
        }
        for (node, step) in self.nodes.iter_mut().enumerate() {
            let half = &self.half[layout.freedom(node)..layout.freedom(node) + layout.kind(node).freedoms()];
            step.place(layout.kind(node), half, self.h);
            if !(step.turn < 1.0) {
                let place = format!("{} at t = {:.6} s", self.assembly.names[node], self.from.t);
                return Err(EvalFailure { place, reason: "turns by more than half a turn in one time step".into() });
            }
            step.write(layout, node, &self.from.q, half, &mut self.middle, &mut self.to);
        }
        self.assembly.check_ropes(&self.to)?;
        for (element, start) in self.assembly.elements.iter().zip(&self.viscous_start) {
            if let Some(start) = start {
                for point in 0..element.points() {
                    let rate = (element.strain(layout, &self.to, point) - self.early_strain[start + point]) / self.h;
                    let middle = element.strain(layout, &self.middle, point);
                    self.viscous[start + point] = element.viscous(point, &middle, &rate);
                }
            }
        }
        Ok(())
    }

    /// Evaluates at x, unless that was the last thing done.
    fn evaluate(&mut self, x: &[f64], order: Order) -> Result<(), EvalFailure> {
        let before = self.known.filter(|_| self.at == x);
        if before.is_some_and(|known| known >= order) {
            return Ok(());
        }
        self.known = None;
        if before.is_none() {
            self.at.copy_from_slice(x);
            self.place(x)?;
        }
        let starts = &self.viscous_start;
        let elements = &self.assembly.elements;
        let viscous = |index: usize| starts[index].map(|start| start..start + elements[index].points());
        let loads = Some((self.wrenches.as_slice(), 1.0));
        let between = |element: &super::assembly::Element| !element.at_instants;
        let evaluated =
            self.assembly.evaluate(&self.middle, order, between, viscous, &self.viscous, loads, &mut self.forces);
        evaluated.map_err(|EvalFailure { place, reason }| {
            let place = format!("{place} at t = {:.6} s", self.from.t);
            EvalFailure { place, reason }
        })?;
        self.add_viscous_forces();
        self.add_drag();
        self.known = Some(order);
        Ok(())
    }

    /// −D₁L_d − π₀ of all degrees of freedom: what joints and supports must add.
    fn missing(&self, out: &mut [f64]) {
        let layout = &self.assembly.layout;
        for (node, step) in self.nodes.iter().enumerate() {
            let (dof, size) = (layout.freedom(node), layout.kind(node).freedoms());
            let g: Vector6<f64> = gather(&self.forces, dof, size);
            let start = step.start_momentum(layout.kind(node), &g, self.h);
            for c in 0..size {
                out[dof + c] = start[c] + 0.5 * self.h * self.early[dof + c] - self.from.momentum[dof + c];
            }
        }
        self.add_rope_start(out);
    }

    /// The impulses Gᵀλ of the joints on the degrees of freedom.
    fn take_joint_forces(&self, x: &[f64], mut take: impl FnMut(usize, f64)) {
        let layout = &self.assembly.layout;
        let mut start = self.joint_start.iter();
        let mut index = self.free;
        for joint in &self.assembly.constraints {
            for _ in &joint.rows {
                let Some(derivative) = start.next() else { continue };
                for (side, derivative) in joint.sides.iter().zip(derivative) {
                    let Some(node) = side.node() else { continue };
                    for c in 0..layout.kind(node).freedoms() {
                        take(layout.freedom(node) + c, x[index] * derivative[c]);
                    }
                }
                index += 1;
            }
        }
    }

    /// Impulse of supports and joints at the beginning of the last finished step, by degree of freedom, N s.
    pub fn impulse(&self) -> &[f64] {
        &self.impulse
    }

    /// As [`Self::impulse`], of the supports alone.
    pub fn support_impulse(&self) -> &[f64] {
        &self.support
    }

    /// Work of the loads in the last finished step, joule; dead loads that are constant count too.
    pub fn work(&self) -> f64 {
        self.work
    }
}

#[inline]
fn gather(forces: &Forces, dof: usize, size: usize) -> Vector6<f64> {
    let mut g = Vector6::zeros();
    for c in 0..size {
        g[c] = forces.gradient[dof + c] + forces.other[dof + c];
    }
    g
}

impl SquareSystem for Step<'_> {
    fn size(&self) -> usize {
        self.free + self.assembly.rows
    }

    fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    fn residual(&mut self, x: &[f64], out: &mut [f64]) -> Result<(), EvalFailure> {
        self.evaluate(x, Order::Gradient)?;
        let layout = &self.assembly.layout;
        let mut missing = std::mem::take(&mut self.impulse);
        self.missing(&mut missing);
        for (value, &unknown) in missing.iter().zip(&self.unknown) {
            if unknown != FIXED {
                out[unknown] = *value;
            }
        }
        self.impulse = missing;
        let mut index = self.free;
        for (joint, motion) in self.assembly.constraints.iter().zip(&self.motions) {
            for row in 0..joint.rows.len() {
                out[index] = joint.value(layout, &self.to, motion, row);
                index += 1;
            }
        }
        self.take_joint_forces(x, |dof, force| {
            if self.unknown[dof] != FIXED {
                out[self.unknown[dof]] -= force;
            }
        });
        Ok(())
    }

    fn jacobian(&mut self, x: &[f64], values: &mut [f64]) -> Result<(), EvalFailure> {
        self.evaluate(x, Order::Hessian)?;
        // What follows changes the stiffness.
        self.known = Some(Order::Gradient);
        self.add_viscous_stiffness();
        self.add_drag_stiffness();
        self.find_rope_slopes();
        values.fill(0.0);
        let layout = &self.assembly.layout;
        for (&(row, col, start), places) in self.forces.stiffness.list.iter().zip(&self.places) {
            let (rows, cols) = (layout.kind(row), layout.kind(col));
            let (nr, nc) = (rows.freedoms(), cols.freedoms());
            let mut block = Matrix6::zeros();
            for c in 0..nc {
                for r in 0..nr {
                    block[(r, c)] = self.forces.stiffness.values[start + r + nr * c];
                }
            }
            let g = (row == col).then(|| gather(&self.forces, layout.freedom(row), nr));
            let potential = (row == col).then(|| {
                let dof = layout.freedom(row);
                Vector6::from_fn(|c, _| if c < nr { self.forces.gradient[dof + c] } else { 0.0 })
            });
            let both = g.zip(potential);
            node::transform(&self.nodes[row], &self.nodes[col], rows, cols, &mut block, both, self.h);
            self.add_rope_slopes(start, [nr, nc], &mut block);
            for c in 0..nc {
                for r in 0..nr {
                    let place = places[r + nr * c];
                    if place != FIXED {
                        values[place] += block[(r, c)];
                    }
                }
            }
        }
        let mut lists = self.joint_places.iter();
        let mut early = self.joint_start.iter();
        for joint in &self.assembly.constraints {
            for row in 0..joint.rows.len() {
                let late = joint.derivative(layout, &self.to, row);
                let Some(early) = early.next() else { continue };
                for side in 0..2 {
                    let (Some(across), Some(down)) = (lists.next(), lists.next()) else { continue };
                    let Some(node) = joint.sides[side].node() else { continue };
                    let late = self.nodes[node].end_derivative(layout.kind(node), &late[side]);
                    for (c, place) in across.iter().enumerate().filter(|(_, place)| **place != FIXED) {
                        values[*place] += late[c];
                    }
                    for (c, place) in down.iter().enumerate().filter(|(_, place)| **place != FIXED) {
                        values[*place] -= early[side][c];
                    }
                }
            }
        }
        Ok(())
    }

    fn row_name(&self, row: usize) -> String {
        let mut first = self.free;
        for joint in &self.assembly.constraints {
            if (first..first + joint.rows.len()).contains(&row) {
                return joint.row_name(row - first);
            }
            first += joint.rows.len();
        }
        match self.unknown.iter().position(|&unknown| unknown == row) {
            Some(dof) => format!("motion of {}", self.assembly.freedom_name(dof)),
            None => "motion".to_owned(),
        }
    }

    fn unknown_name(&self, col: usize) -> String {
        if col >= self.free {
            return format!("force of {}", self.row_name(col));
        }
        self.row_name(col)
    }

    fn unknown_scale(&self, col: usize) -> f64 {
        self.scales[col]
    }
}

pub use node::{energy_of_momentum, momentum_of_velocity, velocity_of};
pub use velocities::Velocities;
