//! The equations over all of space and time as one sparse square system.

use nalgebra::Vector6;

use super::attached::Attached;
use super::derivatives::clean;
use super::layout::{Fields, Numbers, name, tangent};
use super::net::{Condition, Net, Span};
use super::rotation::Turning;
use super::{SMALL, part_of_the_way};
use crate::discretisation::galerkin::space::{between, join};
use crate::discretisation::galerkin::{GAUSS, TimeElements};
use crate::geometry::Pose;
use crate::mechanism::{BadFunction, StrainError};
use crate::nlp::{BlockMap, EvalFailure, ParametricSystem, Pattern, PatternBuilder, SquareSystem};

/// What is known of the motion.
#[derive(Debug, Clone)]
pub struct Course {
    /// Time of the first instant, second.
    pub start: f64,
    /// Where guided frames are to be at the instants, guide by guide.
    pub targets: Vec<Vec<Pose>>,
    /// Equilibrium at the first instant, layer by layer.
    pub rest: Vec<Pose>,
    /// Forces there.
    pub forces: Vec<f64>,
}

/// Unknowns: places and rates of the layers and the forces at all instants but the first. The parameter of the family scales the
/// manoeuvre: 0 is rest, 1 the prescribed motion.
pub struct AtOnce<'n, 'a> {
    pub(super) net: &'n Net<'a>,
    pub(super) time: TimeElements,
    pub(super) numbers: Numbers,
    course: Course,
    pub(super) base: Vec<Pose>,
    attached: Vec<(usize, Vec<usize>)>,
    parameter: f64,
    /// Whether the motion is one in space, of rods that turn.
    in_space: bool,
    pattern: Pattern,
    map: BlockMap,
    /// Jacobian of the linear terms.
    linear: Vec<f64>,
    /// Linear terms of what is known at the first instant.
    known: Vec<f64>,
    /// Number of the first block that is not one linear term.
    first: usize,
}

impl<'n, 'a> AtOnce<'n, 'a> {
    /// `guess`: poses of layer i at instant k at `i * instants + k`, from which rotation vectors count.
    pub fn new(net: &'n Net<'a>, time: TimeElements, course: Course, mut guess: Vec<Pose>) -> Self {
        let numbers = Numbers { steps: time.steps, count: net.components.len(), nodes: net.nodes.len() };
        for (i, rest) in course.rest.iter().enumerate() {
            guess[i * (time.steps + 1)] = *rest;
        }
        let (pattern, map) = PatternBuilder::new(0, 0).build();
        let attached = net.attached();
        let [linear, known] = [Vec::new(), Vec::new()];
        let mut system = Self {
            net,
            time,
            numbers,
            course,
            base: guess,
            attached,
            parameter: 1.0,
            in_space: numbers.count == 6,
            pattern,
            map,
            linear,
            known,
            first: 0,
        };
        system.prepare();
        system
    }

    /// Where unknowns are.
    pub fn numbers(&self) -> &Numbers {
        &self.numbers
    }

    /// The motion that a vector of unknowns means.
    pub fn fields(&self, x: &[f64]) -> Fields {
        Fields::new(self.net, &self.numbers, &self.base, &self.course.forces, x)
    }

    pub(super) fn instants(k: usize) -> impl Iterator<Item = usize> + Clone {
        [k, k + 1].into_iter().filter(|instant| *instant > 0)
    }

    /// Pattern, and the linear terms once and for all.
    fn prepare(&mut self) {
        let (numbers, net, steps) = (self.numbers, self.net, self.time.steps);
        let size = numbers.force(net.forces.len(), 1);
        let mut terms: Vec<(usize, usize, f64)> = Vec::new();
        let mut known = vec![0.0; size];
        self.each_linear_term(&mut |row, column, coefficient| match column {
            Ok(column) => terms.push((row, column, coefficient)),
            Err(value) => known[row] += coefficient * value,
        });
        let mut builder = PatternBuilder::new(size, size);
        // Every number comes from `Numbers`, which stay below `size`.
        let mut add = |rows: &[usize], columns: &[usize]| {
            let added = builder.add(rows, columns);
            debug_assert!(added.is_ok());
        };
        terms.iter().for_each(|(row, column, _)| add(&[*row], &[*column]));
        for span in &net.spans {
            for k in 0..steps {
                let slots: Vec<usize> = self.strip_slots(span.ends, k);
                add(&slots, &slots);
            }
        }
        for node in self.turning_nodes() {
            for k in 0..steps {
                let (rows, columns) = self.turning_slots(node, k);
                add(&rows, &columns);
            }
        }
        for (node, forces) in &self.attached {
            for k in 1..=steps {
                let (rows, columns) = self.attached_slots(*node, forces, k);
                add(&rows, &columns);
            }
        }
        for (row, condition) in net.conditions.iter().enumerate() {
            let nodes = net.nodes_of_condition(*condition);
            for k in 1..=steps {
                let columns: Vec<usize> = nodes.iter().flat_map(|node| numbers.places(*node, k)).collect();
                add(&[numbers.force(row, k)], &columns);
            }
        }
        let (pattern, map) = builder.build();
        self.linear = vec![0.0; pattern.nnz()];
        for (block, (_, _, coefficient)) in terms.iter().enumerate() {
            map.scatter(block, &[*coefficient], &mut self.linear);
        }
        self.first = terms.len();
        (self.pattern, self.map, self.known) = (pattern, map, known);
    }

    fn strip_slots(&self, ends: [usize; 2], k: usize) -> Vec<usize> {
        let of = |node: usize| Self::instants(k).flat_map(move |l| self.numbers.places(node, l));
        ends.into_iter().flat_map(of).collect()
    }

    /// Layers that turn.
    fn turning_nodes(&self) -> std::ops::Range<usize> {
        if self.net.components.iter().any(|component| *component > 2) { 0..self.net.nodes.len() } else { 0..0 }
    }

    /// Places of rotations among the components.
    pub(super) fn rotations(&self) -> impl Iterator<Item = (usize, usize)> + Clone + use<> {
        let components = self.net.components;
        components.iter().enumerate().filter(|(_, component)| **component > 2).map(|(c, component)| (c, component - 3))
    }

    fn turning_slots(&self, node: usize, k: usize) -> (Vec<usize>, Vec<usize>) {
        let numbers = &self.numbers;
        let rates = |l: usize| self.rotations().map(move |(c, _)| numbers.rate(node, l, c));
        let places = |l: usize| self.rotations().map(move |(c, _)| numbers.place(node, l, c));
        let rows = Self::instants(k).flat_map(rates).collect();
        (rows, Self::instants(k).flat_map(|l| places(l).chain(rates(l))).collect())
    }

    /// Instants whose hats feel what acts at instant k.
    fn felt(&self, k: usize) -> impl Iterator<Item = usize> + Clone + use<> {
        let last = self.time.steps;
        (k - 1..=(k + 1).min(last)).filter(|l| *l > 0)
    }

    fn attached_slots(&self, node: usize, forces: &[usize], k: usize) -> (Vec<usize>, Vec<usize>) {
        let numbers = self.numbers;
        let rows = self.felt(k).flat_map(|l| numbers.places(node, l)).collect();
        let around = Attached::around(k, self.time.steps).into_iter().filter(|l| *l > 0);
        let places = around.flat_map(|l| numbers.places(node, l));
        (rows, places.chain(forces.iter().map(|f| numbers.force(*f, k))).collect())
    }

    /// Entry of row l of M in column k.
    fn mass(&self, l: usize, k: usize) -> f64 {
        self.time.mass(l)[k + 1 - l]
    }

    /// All linear terms: row, the unknown or the known value that is multiplied, coefficient.
    fn each_linear_term(&self, visit: &mut dyn FnMut(usize, Result<usize, f64>, f64)) {
        let (numbers, net, dt) = (&self.numbers, self.net, self.time.dt);
        let rate = [[-0.5, 0.5], [-0.5, 0.5]];
        let mass = [[dt / 3.0, dt / 6.0], [dt / 6.0, dt / 3.0]];
        let velocity = |i: usize, l: usize, c: usize| if l == 0 { Err(0.0) } else { Ok(numbers.rate(i, l, c)) };
        for k in 0..self.time.steps {
            for (a, row) in [k, k + 1].into_iter().enumerate().filter(|(_, row)| *row > 0) {
                for (b, l) in [k, k + 1].into_iter().enumerate() {
                    for (c, component) in net.components.iter().enumerate() {
                        for span in &net.spans {
                            let inertia = |node: usize| match *component < 3 {
                                true => span.strip.mass,
                                false => net.nodes[node].unit,
                            };
                            for (i, j, share) in [(0, 0, 2.0), (0, 1, 1.0), (1, 0, 1.0), (1, 1, 2.0)] {
                                let coefficient = span.strip.length / 6.0 * share * inertia(span.ends[j]) * rate[a][b];
                                visit(numbers.place(span.ends[i], row, c), velocity(span.ends[j], l, c), coefficient);
                            }
                        }
                        if *component > 2 {
                            continue;
                        }
                        for (i, rest) in self.course.rest.iter().enumerate() {
                            let place =
                                if l == 0 { Err(rest.position[*component]) } else { Ok(numbers.place(i, l, c)) };
                            visit(numbers.rate(i, row, c), place, rate[a][b]);
                            visit(numbers.rate(i, row, c), velocity(i, l, c), -mass[a][b]);
                        }
                    }
                }
            }
        }
    }

    pub(super) fn failed(&self, node: usize, k: usize, reason: String) -> EvalFailure {
        let t = self.course.start + k as f64 * self.time.dt;
        EvalFailure { place: format!("{}, t = {t:.4}", self.net.place_name(node)), reason }
    }

    fn bad(&self, node: usize, k: usize) -> impl Fn(BadFunction) -> EvalFailure + '_ {
        move |bad| self.failed(node, k, bad.error.to_string())
    }

    fn on<'s>(&'s self, (node, forces): &'s (usize, Vec<usize>)) -> Attached<'s, 'a> {
        let (dt, start, part) = (self.time.dt, self.course.start, self.parameter);
        Attached { net: self.net, node: *node, forces, dt, start, part }
    }

    pub(super) fn turning<'f>(&'f self, fields: &'f Fields, node: usize, k: usize) -> Turning<'f> {
        let at = |l: usize| node * fields.instants + l;
        Turning {
            poses: [&fields.poses[at(k)], &fields.poses[at(k + 1)]],
            spin: [fields.spin[at(k)], fields.spin[at(k + 1)]],
            per_inertia: &self.net.nodes[node].per_inertia,
            dt: self.time.dt,
        }
    }

    fn target(&self, condition: Condition, k: usize) -> Pose {
        match condition {
            Condition::Guide { guide, .. } => {
                let rest = &self.course.rest[self.net.node_of(self.net.chain.guide_place(guide).section)];
                part_of_the_way(&self.net.guided(guide, rest), &self.course.targets[guide][k], self.parameter)
            }
            Condition::Joined { .. } => Pose::IDENTITY,
        }
    }

    /// ∫φ of the forces of a strip over a time element, with its layers at poses `[side][instant]`: on `[side][instant]`.
    pub(super) fn strip(&self, span: &Span, poses: [[Pose; 2]; 2]) -> Result<[[Vector6<f64>; 2]; 2], StrainError> {
        let mut out = [[Vector6::zeros(); 2]; 2];
        for u in GAUSS {
            let [left, right] = [0, 1].map(|side| between(&poses[side][0], &poses[side][1], u));
            let found = span.strip.forces(&left, &right)?;
            for (sum, on) in out.iter_mut().zip(found.on) {
                sum[0] += on * (0.5 * self.time.dt * (1.0 - u));
                sum[1] += on * (0.5 * self.time.dt * u);
            }
        }
        Ok(out)
    }

    pub(super) fn strip_poses(&self, fields: &Fields, span: &Span, k: usize) -> [[Pose; 2]; 2] {
        span.ends.map(|node| [*fields.pose(node, k), *fields.pose(node, k + 1)])
    }

    /// Stored energy, weight and loads along the rods.
    fn add_strips(&self, fields: &Fields, add: &mut dyn FnMut(usize, usize, Vector6<f64>)) -> Result<(), EvalFailure> {
        let (net, time) = (self.net, self.time);
        let loaded = !net.chain.mechanism.line_loads.is_empty();
        for span in &net.spans {
            for k in 0..time.steps {
                let found = self.strip(span, self.strip_poses(fields, span, k));
                let found = found.map_err(|cause| self.failed(span.ends[0], k, cause.to_string()))?;
                for (node, on) in span.ends.into_iter().zip(found) {
                    for (l, on) in [k, k + 1].into_iter().zip(on).filter(|(l, _)| *l > 0) {
                        add(node, l, on);
                    }
                }
            }
            let weight = net.chain.mechanism.gravity * (0.5 * span.strip.length * span.strip.mass);
            let weight = join(weight, nalgebra::Vector3::zeros());
            for node in span.ends {
                (1..=time.steps).for_each(|k| add(node, k, -weight * time.weight(k)));
                if !loaded {
                    continue;
                }
                let mut values = Vec::with_capacity(time.steps + 1);
                for k in 0..=time.steps {
                    let t = self.course.start + k as f64 * time.dt;
                    let at = |t: f64| net.line(span, fields.pose(node, k), t).map_err(self.bad(node, k));
                    let first = at(self.course.start)?;
                    values.push(first + (at(t)? - first) * self.parameter);
                }
                for k in 1..=time.steps {
                    let felt: Vector6<f64> = time.apply(time.mass(k), k, &values);
                    add(node, k, -felt);
                }
            }
        }
        Ok(())
    }
}

impl SquareSystem for AtOnce<'_, '_> {
    fn size(&self) -> usize {
        self.pattern.nrows()
    }

    fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    fn residual(&mut self, x: &[f64], out: &mut [f64]) -> Result<(), EvalFailure> {
        self.pattern.multiply(&self.linear, x, out);
        out.iter_mut().zip(&self.known).for_each(|(r, known)| *r += known);
        let (net, numbers, fields) = (self.net, self.numbers, self.fields(x));
        let mut add = |node: usize, k: usize, value: Vector6<f64>| {
            for (row, component) in numbers.places(node, k).zip(net.components) {
                out[row] += value[*component];
            }
        };
        self.add_strips(&fields, &mut add)?;
        for attached in &self.attached {
            let here = self.on(attached);
            let values = (0..=self.time.steps).map(|k| here.at(&fields, k).map_err(self.bad(here.node, k)));
            let values = values.collect::<Result<Vec<Vector6<f64>>, EvalFailure>>()?;
            for k in 1..=self.time.steps {
                add(here.node, k, self.time.apply(self.time.mass(k), k, &values));
            }
        }
        for node in self.turning_nodes() {
            for k in 0..self.time.steps {
                let found = self.turning(&fields, node, k).residual();
                for (l, found) in [k, k + 1].into_iter().zip(found).filter(|(l, _)| *l > 0) {
                    for (c, axis) in self.rotations() {
                        out[numbers.rate(node, l, c)] += found[axis];
                    }
                }
            }
        }
        for (row, condition) in net.conditions.iter().enumerate() {
            let nodes = net.nodes_of_condition(*condition);
            for k in 1..=self.time.steps {
                let poses: Vec<Pose> = nodes.iter().map(|node| *fields.pose(*node, k)).collect();
                out[numbers.force(row, k)] = net.condition(*condition, &poses, &self.target(*condition, k)).0;
            }
        }
        Ok(())
    }

    fn jacobian(&mut self, x: &[f64], values: &mut [f64]) -> Result<(), EvalFailure> {
        values.copy_from_slice(&self.linear);
        let (net, numbers, fields) = (self.net, self.numbers, self.fields(x));
        let (components, steps) = (net.components, self.time.steps);
        let turn = |node: usize, k: usize| tangent(net, &numbers, x, node, k);
        let mut block = self.first;
        let mut local = Vec::new();
        for span in &net.spans {
            for k in 0..steps {
                match self.in_space {
                    true => self.strip_differences(&fields, x, span, k, &mut local)?,
                    false => self.strip_tangents(&fields, span, k, &mut local),
                }
                self.map.scatter(block, &local, values);
                block += 1;
            }
        }
        let axes: Vec<usize> = self.rotations().map(|(_, axis)| axis).collect();
        for node in self.turning_nodes() {
            for k in 0..steps {
                let [by_turn, by_spin] = self.turning(&fields, node, k).derivatives();
                let first = if k == 0 { 1 } else { 0 };
                let by_turn = match self.in_space {
                    true => self.turning_differences(&fields, x, node, k),
                    false => by_turn,
                };
                local.clear();
                for row in first..2 {
                    for axis in &axes {
                        for column in first..2 {
                            local.extend(axes.iter().map(|other| by_turn[row][column][(*axis, *other)]));
                            let by_rate = by_spin[row][column] * net.nodes[node].unit;
                            local.extend(axes.iter().map(|other| by_rate[(*axis, *other)]));
                        }
                    }
                }
                if self.in_space {
                    clean(&mut local);
                }
                self.map.scatter(block, &local, values);
                block += 1;
            }
        }
        for attached in &self.attached {
            let here = self.on(attached);
            for k in 1..=steps {
                let (by_pose, units) = here.slopes(&fields, k).map_err(self.bad(here.node, k))?;
                let around = Attached::around(k, steps);
                local.clear();
                for l in self.felt(k) {
                    let weight = self.mass(l, k);
                    for row in components {
                        for (instant, slope) in around.iter().zip(&by_pose).filter(|(instant, _)| **instant > 0) {
                            let slope = slope.row(*row) * turn(here.node, *instant) * weight;
                            local.extend(components.iter().map(|c| slope[*c]));
                        }
                        local.extend(units.iter().map(|unit| unit[*row] * weight));
                    }
                }
                clean(&mut local);
                self.map.scatter(block, &local, values);
                block += 1;
            }
        }
        for condition in &net.conditions {
            let nodes = net.nodes_of_condition(*condition);
            for k in 1..=steps {
                let poses: Vec<Pose> = nodes.iter().map(|node| *fields.pose(*node, k)).collect();
                let (_, slopes) = net.condition(*condition, &poses, &self.target(*condition, k));
                local.clear();
                for (place, (node, slope)) in nodes.iter().zip(&slopes).enumerate() {
                    let turns = matches!(condition, Condition::Guide { component, .. } | Condition::Joined { component, .. } if *component > 2);
                    for (c, component) in components.iter().enumerate() {
                        local.push(match turns && self.in_space {
                            true => {
                                let at = |h: f64| {
                                    let mut poses = poses.clone();
                                    poses[place] = self.pose_near(x, *node, k, c, h);
                                    net.condition(*condition, &poses, &self.target(*condition, k)).0
                                };
                                (at(SMALL) - at(-SMALL)) / (2.0 * SMALL)
                            }
                            false => (slope * turn(*node, k))[*component],
                        });
                    }
                }
                self.map.scatter(block, &local, values);
                block += 1;
            }
        }
        Ok(())
    }

    fn row_name(&self, row: usize) -> String {
        name(self.net, &self.numbers, row, |k| self.course.start + k as f64 * self.time.dt, false)
    }

    fn unknown_name(&self, column: usize) -> String {
        name(self.net, &self.numbers, column, |k| self.course.start + k as f64 * self.time.dt, true)
    }
}

impl ParametricSystem for AtOnce<'_, '_> {
    fn set_parameter(&mut self, parameter: f64) {
        self.parameter = parameter;
    }
}
