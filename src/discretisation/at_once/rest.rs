//! The equilibrium that a motion begins in, on the layers of the finite elements.

use nalgebra::{Matrix6, Vector6};

use super::net::{COORDINATES, Condition, Net};
use super::{deformed, turned, unturned};
use crate::discretisation::chain::Moving;
use crate::geometry::Pose;
use crate::mechanism::Side;
use crate::nlp::{BlockMap, EvalFailure, ParametricSystem, Pattern, PatternBuilder, SquareSystem};

/// Unknowns: positions and rotation vectors of the layers from a first guess, then the forces. The parameter scales weight and
/// loads and leads guided frames from where the guess has them to where they are to be.
pub struct Resting<'n, 'a> {
    net: &'n Net<'a>,
    base: Vec<Pose>,
    /// Where guided frames are in the guess and where they are to be, per guide.
    targets: Vec<[Pose; 2]>,
    attached: Vec<(usize, Vec<usize>)>,
    t: f64,
    parameter: f64,
    pattern: Pattern,
    map: BlockMap,
}

impl<'n, 'a> Resting<'n, 'a> {
    /// Near a guess, with guided frames at `targets` at time t.
    pub fn new(net: &'n Net<'a>, guess: Vec<Pose>, targets: Vec<Pose>, t: f64) -> Self {
        let place = |(guide, target): (usize, Pose)| {
            let node = net.node_of(net.chain.guide_place(guide).section);
            [net.guided(guide, &guess[node]), target]
        };
        let targets = targets.into_iter().enumerate().map(place).collect();
        let count = net.components.len();
        let size = net.nodes.len() * count + net.forces.len();
        let mut builder = PatternBuilder::new(size, size);
        let mut add = |rows: &[usize], columns: &[usize]| {
            let added = builder.add(rows, columns);
            debug_assert!(added.is_ok());
        };
        let slots = |node: usize| node * count..(node + 1) * count;
        for span in &net.spans {
            let both: Vec<usize> = span.ends.iter().flat_map(|node| slots(*node)).collect();
            add(&both, &both);
        }
        let force = |f: usize| net.nodes.len() * count + f;
        let attached = net.attached();
        for (node, forces) in &attached {
            let rows: Vec<usize> = slots(*node).collect();
            let columns: Vec<usize> = slots(*node).chain(forces.iter().map(|f| force(*f))).collect();
            add(&rows, &columns);
        }
        for (row, condition) in net.conditions.iter().enumerate() {
            let columns: Vec<usize> = net.nodes_of_condition(*condition).into_iter().flat_map(slots).collect();
            add(&[force(row)], &columns);
        }
        let (pattern, map) = builder.build();
        Self { net, base: guess, targets, attached, t, parameter: 1.0, pattern, map }
    }

    /// Poses of the layers.
    pub fn poses(&self, x: &[f64]) -> Vec<Pose> {
        let count = self.net.components.len();
        let pose = |(i, base): (usize, &Pose)| deformed(base, self.net.components, &x[i * count..(i + 1) * count]);
        self.base.iter().enumerate().map(pose).collect()
    }

    /// The forces.
    pub fn forces(&self, x: &[f64]) -> Vec<f64> {
        x[self.net.nodes.len() * self.net.components.len()..].to_vec()
    }

    /// The guess.
    pub fn start(&self) -> Vec<f64> {
        let mut x: Vec<f64> = self.base.iter().flat_map(|pose| unturned(pose, self.net.components)).collect();
        x.resize(self.size(), 0.0);
        x
    }

    fn failed(&self, node: usize, reason: String) -> EvalFailure {
        EvalFailure { place: self.net.place_name(node), reason }
    }

    /// Known forces less those to be found, on a layer.
    fn acting(&self, node: usize, forces: &[usize], pose: &Pose, values: &[f64]) -> Result<Vector6<f64>, EvalFailure> {
        let known = self.net.known(node, self.t, &Moving::resting(*pose));
        let mut sum = known.map_err(|bad| self.failed(node, bad.error.to_string()))? * self.parameter;
        for &f in forces {
            sum += self.net.unit(self.net.forces[f], node, pose) * values[f];
        }
        Ok(sum)
    }

    fn target(&self, condition: Condition) -> Pose {
        match condition {
            Condition::Guide { guide, .. } => {
                super::part_of_the_way(&self.targets[guide][0], &self.targets[guide][1], self.parameter)
            }
            Condition::Joined { .. } => Pose::IDENTITY,
        }
    }
}

impl SquareSystem for Resting<'_, '_> {
    fn size(&self) -> usize {
        self.net.nodes.len() * self.net.components.len() + self.net.forces.len()
    }

    fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    fn residual(&mut self, x: &[f64], out: &mut [f64]) -> Result<(), EvalFailure> {
        let (net, poses, values) = (self.net, self.poses(x), self.forces(x));
        let count = net.components.len();
        out.fill(0.0);
        let mut add = |node: usize, value: &Vector6<f64>| {
            for (c, component) in net.components.iter().enumerate() {
                out[node * count + c] += value[*component];
            }
        };
        for span in &net.spans {
            let [left, right] = span.ends.map(|node| poses[node]);
            let found = span.strip.forces(&left, &right);
            let found = found.map_err(|cause| self.failed(span.ends[0], cause.to_string()))?;
            let weight = net.chain.mechanism.gravity * (0.5 * span.strip.length * span.strip.mass * self.parameter);
            let weight = Vector6::new(weight[0], weight[1], weight[2], 0.0, 0.0, 0.0);
            for (node, on) in span.ends.into_iter().zip(found.on) {
                let line = net.line(span, &poses[node], self.t);
                let line = line.map_err(|bad| self.failed(node, bad.error.to_string()))? * self.parameter;
                add(node, &(on - weight - line));
            }
        }
        for (node, forces) in &self.attached {
            add(*node, &-self.acting(*node, forces, &poses[*node], &values)?);
        }
        for (row, condition) in net.conditions.iter().enumerate() {
            let nodes: Vec<Pose> = net.nodes_of_condition(*condition).into_iter().map(|node| poses[node]).collect();
            out[net.nodes.len() * count + row] = net.condition(*condition, &nodes, &self.target(*condition)).0;
        }
        Ok(())
    }

    fn jacobian(&mut self, x: &[f64], values: &mut [f64]) -> Result<(), EvalFailure> {
        let (net, poses, forces) = (self.net, self.poses(x), self.forces(x));
        let (components, count) = (net.components, net.components.len());
        values.fill(0.0);
        let turn = |node: usize| turned(components, &x[node * count..(node + 1) * count]);
        let mut block = 0;
        for span in &net.spans {
            let [left, right] = span.ends.map(|node| poses[node]);
            let mut local = vec![0.0; 4 * count * count];
            for onto in Side::BOTH {
                for by in Side::BOTH {
                    let tangent = span.strip.tangent(&left, &right, onto, by) * turn(span.ends[by.index()]);
                    for (i, row) in components.iter().enumerate() {
                        for (j, column) in components.iter().enumerate() {
                            local[(onto.index() * count + i) * 2 * count + by.index() * count + j] =
                                tangent[(*row, *column)];
                        }
                    }
                }
            }
            self.map.scatter(block, &local, values);
            block += 1;
        }
        for (node, acting) in &self.attached {
            let columns = count + acting.len();
            let mut local = vec![0.0; count * columns];
            let mut by_pose = Matrix6::zeros();
            for c in components {
                let at = |h: f64| self.acting(*node, acting, &super::moved(&poses[*node], *c, h), &forces);
                let slope = (at(super::SMALL)? - at(-super::SMALL)?) / (2.0 * super::SMALL);
                by_pose.set_column(*c, &-slope);
            }
            let by_pose = by_pose * turn(*node);
            for (i, row) in components.iter().enumerate() {
                for (j, column) in components.iter().enumerate() {
                    local[i * columns + j] = by_pose[(*row, *column)];
                }
                for (j, f) in acting.iter().enumerate() {
                    local[i * columns + count + j] = -net.unit(net.forces[*f], *node, &poses[*node])[*row];
                }
            }
            self.map.scatter(block, &local, values);
            block += 1;
        }
        for condition in &net.conditions {
            let nodes = net.nodes_of_condition(*condition);
            let at: Vec<Pose> = nodes.iter().map(|node| poses[*node]).collect();
            let (_, slopes) = net.condition(*condition, &at, &self.target(*condition));
            let row = |(node, slope): (&usize, &nalgebra::RowVector6<f64>)| {
                let slope = slope * turn(*node);
                components.iter().map(move |c| slope[*c]).collect::<Vec<f64>>()
            };
            let local: Vec<f64> = nodes.iter().zip(&slopes).flat_map(row).collect();
            self.map.scatter(block, &local, values);
            block += 1;
        }
        Ok(())
    }

    fn row_name(&self, row: usize) -> String {
        let count = self.net.components.len();
        match row.checked_sub(self.net.nodes.len() * count) {
            Some(condition) => self.net.condition_name(self.net.conditions[condition]),
            None => {
                let coordinate = COORDINATES[self.net.components[row % count]];
                format!("balance of {coordinate} of {}", self.net.place_name(row / count))
            }
        }
    }

    fn unknown_name(&self, column: usize) -> String {
        let count = self.net.components.len();
        match column.checked_sub(self.net.nodes.len() * count) {
            Some(force) => self.net.force_name(self.net.forces[force]),
            None => {
                let coordinate = COORDINATES[self.net.components[column % count]];
                format!("{coordinate} of {}", self.net.place_name(column / count))
            }
        }
    }
}

impl ParametricSystem for Resting<'_, '_> {
    fn set_parameter(&mut self, parameter: f64) {
        self.parameter = parameter;
    }
}
