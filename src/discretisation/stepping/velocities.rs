//! Velocities that joints allow, from momenta: M v + Gᵀμ = π with G v = −∂g/∂t.
//!
//! A step ends with momenta that joints and supports have not yet acted on. What they let through is the velocity at
//! that instant, exact to second order, as in the method RATTLE; without it the kinetic energy of parts with little
//! inertia across a constraint (thin rods that cannot shear) would mean nothing.

use std::collections::BTreeMap;

use nalgebra::{Vector3, Vector6};

use super::{FIXED, node};
use crate::discretisation::assembly::{Anchor, Assembly, ConditionRow};
use crate::discretisation::equilibrium::Entries;
use crate::nlp::{Pattern, PatternBuilder};

/// The linear system of the velocities.
pub struct Velocities<'a> {
    assembly: &'a Assembly,
    pattern: Pattern,
    unknown: Vec<usize>,
    free: usize,
    node_places: Vec<Vec<usize>>,
    /// Pairs of nodes that ropes of changing length couple, with the places of their blocks.
    rope_places: BTreeMap<(usize, usize), Vec<usize>>,
    joint_places: Vec<Vec<usize>>,
}

impl<'a> Velocities<'a> {
    /// The system of a mechanism.
    pub fn new(assembly: &'a Assembly) -> Self {
        let layout = &assembly.layout;
        let (unknown, free) = super::unknowns(assembly);
        let total = free + assembly.rows;
        let mut entries = Entries { builder: PatternBuilder::new(total, total), wanted: Vec::new() };
        let of = |node: usize| &unknown[layout.freedom(node)..layout.freedom(node) + layout.kind(node).freedoms()];
        for node in 0..layout.nodes() {
            entries.block(of(node), of(node));
        }
        let mut rope_places = BTreeMap::new();
        for element in assembly.winches.iter().flat_map(|winch| winch.elements.iter().flatten()) {
            let nodes = || assembly.elements[*element].ends.iter().map(|end| end.node);
            rope_places.extend(nodes().flat_map(|row| nodes().map(move |col| ((row, col), Vec::new()))));
        }
        for (row, col) in rope_places.keys() {
            entries.block(of(*row), of(*col));
        }
        super::border(assembly, of, free, &mut entries);
        let (pattern, mut node_places) = entries.build();
        let mut others = node_places.split_off(layout.nodes());
        let joint_places = others.split_off(rope_places.len());
        rope_places.values_mut().zip(others).for_each(|(places, found)| *places = found);
        Self { assembly, pattern, unknown, free, node_places, rope_places, joint_places }
    }

    /// Unknown rates of winches, which stand in the equations of all nodes of their ropes.
    pub fn reels(&self) -> Vec<usize> {
        super::ropes::reels(self.assembly, &self.unknown)
    }

    /// The pattern of the matrix.
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// Matrix and right-hand side for momenta, the velocities of the held coordinates and of the grounds of the joints.
    pub fn evaluate(
        &self,
        q: &[f64],
        momentum: &[f64],
        held: &[Vector6<f64>],
        grounds: &[Vector3<f64>],
        values: &mut [f64],
        rhs: &mut [f64],
    ) {
        let layout = &self.assembly.layout;
        values.fill(0.0);
        rhs.fill(0.0);
        for (node, places) in self.node_places.iter().enumerate() {
            let (dof, size) = (layout.freedom(node), layout.kind(node).freedoms());
            let mass = &self.assembly.masses[node];
            for c in 0..size {
                let unit = Vector6::from_fn(|i, _| if i == c { 1.0 } else { 0.0 });
                let column = node::momentum_of_velocity(layout, node, q, &unit, mass);
                for r in 0..size {
                    if places[r + size * c] != FIXED {
                        values[places[r + size * c]] += column[r];
                    } else if self.unknown[dof + r] != FIXED {
                        rhs[self.unknown[dof + r]] -= column[r] * held[node][c];
                    }
                }
                if self.unknown[dof + c] != FIXED {
                    rhs[self.unknown[dof + c]] += momentum[dof + c];
                }
            }
        }
        self.add_ropes(q, held, values, rhs);
        let mut lists = self.joint_places.iter();
        let mut index = self.free;
        for (joint, ground) in self.assembly.constraints.iter().zip(grounds) {
            for row in 0..joint.rows.len() {
                let derivative = joint.derivative(layout, q, row);
                for (side, (anchor, derivative)) in joint.sides.iter().zip(&derivative).enumerate() {
                    let (Some(across), Some(down)) = (lists.next(), lists.next()) else { continue };
                    let node = match (anchor, joint.rows[row]) {
                        (Anchor::Node(at), _) => at.node,
                        (Anchor::Ground(..), ConditionRow::Coordinate(c)) => {
                            rhs[index] += if side == 0 { ground[c] } else { -ground[c] };
                            continue;
                        }
                        (Anchor::Ground(..), _) => continue,
                    };
                    for (c, (across, down)) in across.iter().zip(down).enumerate() {
                        if *across != FIXED {
                            values[*across] += derivative[c];
                            values[*down] += derivative[c];
                        } else {
                            rhs[index] -= derivative[c] * held[node][c];
                        }
                    }
                }
                index += 1;
            }
        }
    }

    /// M of the ropes of changing length: ∂²T/∂q̇², which couples neighbouring nodes and the length.
    fn add_ropes(&self, q: &[f64], held: &[Vector6<f64>], values: &mut [f64], rhs: &mut [f64]) {
        let layout = &self.assembly.layout;
        let still = vec![0.0; layout.freedom_count()];
        let take = &mut |row: (usize, usize), col: (usize, usize), [mass, ..]: [f64; 4]| {
            let Some(places) = self.rope_places.get(&(row.0, col.0)) else { return };
            let unknown = self.unknown[layout.freedom(row.0) + row.1];
            match places[row.1 + layout.kind(row.0).freedoms() * col.1] {
                FIXED if unknown != FIXED => rhs[unknown] -= mass * held[col.0][col.1],
                FIXED => {}
                place => values[place] += mass,
            }
        };
        self.assembly.rope_slopes(q, &still, take);
    }

    /// The momenta M v of all degrees of freedom for a solution, and the kinetic energy ½ v·M v, joule.
    pub fn momenta(&self, q: &[f64], solution: &[f64], held: &[Vector6<f64>], out: &mut [f64]) -> f64 {
        let layout = &self.assembly.layout;
        let mut velocities = vec![0.0; layout.freedom_count()];
        for (node, held) in held.iter().enumerate() {
            let (dof, size) = (layout.freedom(node), layout.kind(node).freedoms());
            let mut v = *held;
            for c in (0..size).filter(|c| self.unknown[dof + c] != FIXED) {
                v[c] = solution[self.unknown[dof + c]];
            }
            let p = node::momentum_of_velocity(layout, node, q, &v, &self.assembly.masses[node]);
            out[dof..dof + size].copy_from_slice(&p.as_slice()[..size]);
            velocities[dof..dof + size].copy_from_slice(&v.as_slice()[..size]);
        }
        self.assembly.add_rope_momenta(q, &velocities, 1.0, 0.0, out);
        0.5 * velocities.iter().zip(out).map(|(v, p)| v * *p).sum::<f64>()
    }
}
