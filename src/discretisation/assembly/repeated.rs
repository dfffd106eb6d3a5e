//! Conditions of joints that repeat each other, as those of a closed loop of parallel hinges in space do.
//!
//! Rows of G that depend on the rows before them in the reference configuration are left out, if they still do in a
//! configuration nearby that all other rows allow, and hold there: then they follow from the others, and the mechanism
//! moves in the same way without them. At a dead centre rows depend on each other in one configuration only; they stay.

use nalgebra::{DMatrix, DVector, Vector3};

use super::{Anchor, Assembly, ConditionRow, Constraint, GroundTravel};
use crate::kernel::Function;

/// A row whose part perpendicular to the rows before it is smaller than this fraction of it depends on them.
const DEPENDENT: f64 = 1e-8;
/// Largest violation of a row that is left out, in a configuration away from the reference; of the size of the mechanism.
const HOLDS: f64 = 1e-8;
/// First distance from the reference configuration that is tried, of the size of the mechanism and radian.
const AWAY: f64 = 0.05;
/// Groups of more rows are left as they are: their dense matrices would take long.
const MOST_ROWS: usize = 600;

/// A row of G: its joint, and its place there.
type Place = (usize, usize);

/// Joints that share nodes which can move.
struct Group {
    places: Vec<Place>,
    /// Degrees of freedom of the nodes, and the length by which each is measured.
    freedoms: Vec<(usize, f64)>,
    /// Size of the mechanism, metre.
    size: f64,
}

impl Group {
    /// What a row is measured by: the size for ways, 1 for directions and angles.
    fn measure(&self, row: &ConditionRow) -> f64 {
        match row {
            ConditionRow::Coordinate(_)
            | ConditionRow::Across(_)
            | ConditionRow::Distance(_)
            | ConditionRow::Shear(_) => self.size,
            ConditionRow::Perpendicular(..)
            | ConditionRow::Angle(_)
            | ConditionRow::Turn(_)
            | ConditionRow::Rotation(_) => 1.0,
        }
    }
}

impl Assembly {
    /// Leaves out the rows that follow from others and returns them in the user's words.
    pub(super) fn leave_out_repeated(&mut self) -> Vec<String> {
        let mut dropped: Vec<Place> = self.loops().iter().flat_map(|group| self.repeated(group)).collect();
        dropped.sort_unstable();
        let mut names: Vec<String> =
            dropped.iter().map(|(joint, row)| self.constraints[*joint].row_name(*row)).collect();
        names.dedup();
        for (joint, row) in dropped.into_iter().rev() {
            self.constraints[joint].rows.remove(row);
        }
        self.rows = self.constraints.iter().map(|joint| joint.rows.len()).sum();
        names
    }

    /// Groups of joints that form loops, with the ground or each other; no row of the others can repeat one.
    fn loops(&self) -> Vec<Group> {
        let layout = &self.layout;
        let freedoms = |node: usize| layout.freedom(node)..layout.freedom(node) + layout.kind(node).freedoms();
        let held = |node: usize| freedoms(node).filter(|dof| self.fixed[*dof]).count();
        // Vertices are nodes, and the ground with all that is held completely.
        let ground = layout.nodes();
        let vertex = |node: Option<usize>| match node {
            Some(node) if held(node) < layout.kind(node).freedoms() => node,
            _ => ground,
        };
        let mut parent: Vec<usize> = (0..=ground).collect();
        let root = |parent: &[usize], mut v: usize| {
            while parent[v] != v {
                v = parent[v];
            }
            v
        };
        let joint_like = |joint: &Constraint| !joint.rows.iter().any(ConditionRow::is_of_shear);
        let ends = |joint: &Constraint| [0, 1].map(|side: usize| vertex(joint.sides[side].node()));
        let mut closed: Vec<usize> = Vec::new();
        // A node held in part is tied to the ground.
        let tied = (0..layout.nodes()).filter(|node| held(*node) > 0 && vertex(Some(*node)) != ground);
        let edges = (self.constraints.iter()).filter(|joint| joint_like(joint)).map(ends);
        for [a, b] in edges.chain(tied.map(|node| [node, ground])) {
            let (a, b) = (root(&parent, a), root(&parent, b));
            if a == b {
                closed.push(a);
            } else {
                parent[a.max(b)] = a.min(b);
            }
        }
        let mut roots: Vec<usize> = closed.into_iter().map(|v| root(&parent, v)).collect();
        roots.sort_unstable();
        roots.dedup();
        let size = self.size();
        let group = |of: usize| {
            let joints = self.constraints.iter().enumerate().filter(|(_, joint)| joint_like(joint));
            let joints: Vec<_> = joints.filter(|(_, joint)| root(&parent, ends(joint)[0]) == of).collect();
            let places = joints.iter().flat_map(|(index, joint)| (0..joint.rows.len()).map(move |row| (*index, row)));
            let mut nodes: Vec<usize> = joints.iter().flat_map(|(_, joint)| joint.nodes()).collect();
            nodes.sort_unstable();
            nodes.dedup();
            let measured = |dof: usize| {
                let (node, which) = layout.node_of_freedom(dof);
                (dof, if which < layout.kind(node).positions() { size } else { 1.0 })
            };
            let free = nodes.iter().flat_map(|node| freedoms(*node)).filter(|dof| !self.fixed[*dof]);
            Group { places: places.collect(), freedoms: free.map(measured).collect(), size }
        };
        roots.into_iter().map(group).collect()
    }

    /// Rows of a group that follow from its other rows.
    fn repeated(&self, group: &Group) -> Vec<Place> {
        if group.places.len() > MOST_ROWS || self.moved_from_outside(group) {
            return Vec::new();
        }
        let here = self.matrix(group, &group.places, &self.reference);
        let (kept, base) = independent(&here);
        if kept.len() == group.places.len() {
            return Vec::new();
        }
        let of = |keep: bool| {
            let places = group.places.iter().enumerate().filter(|(i, _)| kept.contains(i) == keep);
            places.map(|(_, place)| *place).collect::<Vec<Place>>()
        };
        let (others, left_out) = (of(true), of(false));
        let Some(moved) = self.moved(group, &others, &base) else { return Vec::new() };
        let there = self.matrix(group, &group.places, &moved);
        let same_rank = independent(&there).0.len() == kept.len();
        let still_independent = independent(&self.matrix(group, &others, &moved)).0.len() == others.len();
        let holds = left_out.iter().all(|place| self.violation(group, *place, &moved).abs() <= HOLDS);
        if same_rank && still_independent && holds { left_out } else { Vec::new() }
    }

    /// Whether a support moves something in the group, in time or away from the reference configuration: what follows from
    /// what is then another question.
    fn moved_from_outside(&self, group: &Group) -> bool {
        let moves = |function: &Function| !function.is_constant() || function.value(0.0) != Ok(0.0);
        let joints = || group.places.iter().map(|(joint, _)| &self.constraints[*joint]);
        let grounds = joints().flat_map(|joint| &joint.sides).any(|side| match side {
            Anchor::Ground(_, displacement) => displacement.iter().flatten().any(moves),
            Anchor::Node(_) => false,
        });
        let moving = |node: usize| {
            self.prescribed.iter().filter(|support| support.node == node).any(|support| {
                support.displacement.iter().flatten().chain(support.rotation.iter().flatten()).any(moves)
            })
        };
        grounds || joints().any(|joint| joint.nodes().any(moving))
    }

    /// G of some rows by the degrees of freedom of a group, each measured by its length; rows of positions too.
    fn matrix(&self, group: &Group, places: &[Place], q: &[f64]) -> DMatrix<f64> {
        let mut matrix = DMatrix::zeros(places.len(), group.freedoms.len());
        for (r, (joint, row)) in places.iter().enumerate() {
            let joint = &self.constraints[*joint];
            let derivative = joint.derivative(&self.layout, q, *row);
            for (side, derivative) in joint.sides.iter().zip(&derivative) {
                let Some(node) = side.node() else { continue };
                let first = self.layout.freedom(node);
                for (c, (dof, length)) in group.freedoms.iter().enumerate() {
                    if (first..first + self.layout.kind(node).freedoms()).contains(dof) {
                        matrix[(r, c)] += derivative[dof - first] * length / group.measure(&joint.rows[*row]);
                    }
                }
            }
        }
        matrix
    }

    fn violation(&self, group: &Group, (joint, row): Place, q: &[f64]) -> f64 {
        let joint = &self.constraints[joint];
        joint.value(&self.layout, q, &GroundTravel(Vector3::zeros()), row) / group.measure(&joint.rows[row])
    }

    /// A configuration away from the reference that satisfies `places`, in a direction that all rows allow; the reference
    /// itself if nothing can move.
    fn moved(&self, group: &Group, places: &[Place], base: &[DVector<f64>]) -> Option<Vec<f64>> {
        // Some fixed direction without symmetries, less its part along the rows.
        let mut direction = DVector::from_fn(group.freedoms.len(), |i, _| (1.0 + 1.7 * i as f64).sin());
        for row in base {
            let along = row.dot(&direction);
            direction -= row * along;
        }
        let norm = direction.norm();
        if norm < 1e-9 * (group.freedoms.len() as f64).sqrt() {
            return Some(self.reference.clone());
        }
        (0..6).map(|halvings| AWAY * 0.5_f64.powi(halvings) / norm).find_map(|step| {
            let start = self.shifted(group, &self.reference, &(&direction * step));
            self.projected(group, places, start)
        })
    }

    fn shifted(&self, group: &Group, q: &[f64], by: &DVector<f64>) -> Vec<f64> {
        let mut v = vec![0.0; self.layout.freedom_count()];
        group.freedoms.iter().zip(by.iter()).for_each(|((dof, length), by)| v[*dof] = by * length);
        let mut out = q.to_vec();
        self.layout.retract(q, &v, &mut out);
        out
    }

    /// The nearest configuration that satisfies these rows, by Newton's method with steps of least length.
    fn projected(&self, group: &Group, places: &[Place], mut q: Vec<f64>) -> Option<Vec<f64>> {
        for _ in 0..20 {
            let violations =
                DVector::from_iterator(places.len(), places.iter().map(|place| self.violation(group, *place, &q)));
            if violations.amax() < 1e-13 {
                return Some(q);
            }
            let matrix = self.matrix(group, places, &q);
            let multipliers = (&matrix * matrix.transpose()).cholesky()?.solve(&violations);
            q = self.shifted(group, &q, &-(matrix.transpose() * multipliers));
        }
        let left = places.iter().map(|place| self.violation(group, *place, &q).abs()).fold(0.0, f64::max);
        (left < 1e-11).then_some(q)
    }
}

/// Which rows do not depend on those before them, and an orthonormal base of all.
fn independent(matrix: &DMatrix<f64>) -> (Vec<usize>, Vec<DVector<f64>>) {
    let (mut kept, mut base): (Vec<usize>, Vec<DVector<f64>>) = (Vec::new(), Vec::new());
    for (index, row) in matrix.row_iter().enumerate() {
        let mut rest = row.transpose();
        let size = rest.norm();
        // Twice is enough against rounding.
        for _ in 0..2 {
            for known in &base {
                let along = known.dot(&rest);
                rest -= known * along;
            }
        }
        let left = rest.norm();
        if left > DEPENDENT * size {
            kept.push(index);
            base.push(rest / left);
        }
    }
    (kept, base)
}
