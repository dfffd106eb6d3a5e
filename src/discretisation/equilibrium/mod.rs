//! Equilibrium of an assembly as a square system in the coordinates of its free nodes.
//!
//! Rotations enter by all four components of their quaternions, with the equation |p|² = 1 beside the three moments, so
//! that unknowns simply add up and no rotation is singular. Elements see the normalised quaternion. Joints add their
//! multipliers as unknowns and their equations as rows.

mod directions;
mod drag;
mod following;
mod inertia;
mod springs;

use nalgebra::{Matrix3, SMatrix, Vector3};

use super::assembly::{Assembly, Forces, GRAVITY, GroundTravel, Instant, NodeKind, Order, Wrench};
use crate::geometry::{Quaternion, cross_matrix};
use crate::nlp::{EvalFailure, Pattern, PatternBuilder, SquareSystem};

const FIXED: usize = usize::MAX;

/// Equations of equilibrium with a load factor.
pub struct Equilibrium<'a> {
    /// The mechanism.
    pub assembly: &'a Assembly,
    /// When loads and support motions are evaluated.
    pub time: f64,
    factor: f64,
    springs: Option<springs::Springs>,
    grip: Option<springs::Grip>,
    pattern: Pattern,
    /// Unknown of each coordinate.
    unknown: Vec<usize>,
    /// Row of each degree of freedom.
    row: Vec<usize>,
    size: usize,
    /// Places in the pattern of each block of the stiffness, column by column of the *coordinates*.
    places: Vec<Vec<usize>>,
    norm_places: Vec<[usize; 4]>,
    joint_places: Vec<Vec<usize>>,
    q: Vec<f64>,
    forces: Forces,
    wrenches: Vec<Wrench>,
    motions: Vec<GroundTravel>,
    scales: Vec<f64>,
    /// Rates of coordinates that rest.
    still: Vec<f64>,
    /// Inertia forces that are in equilibrium with the others, by degree of freedom.
    inertia: Option<Vec<f64>>,
}

/// 2 Im(p̄ δp)/|p|²: the body rotation of a change of the four components.
fn rotation_of_change(p: Quaternion) -> SMatrix<f64, 3, 4> {
    let factor = 2.0 / p.norm_squared();
    let mut out = SMatrix::<f64, 3, 4>::zeros();
    out.fixed_view_mut::<3, 1>(0, 0).copy_from(&(p.im * -factor));
    let rest = Matrix3::from_diagonal_element(p.re) - cross_matrix(p.im);
    out.fixed_view_mut::<3, 3>(0, 1).copy_from(&(rest * factor));
    out
}

impl<'a> Equilibrium<'a> {
    /// The equations of a mechanism at a time.
    pub fn new(assembly: &'a Assembly, time: f64) -> Self {
        let layout = &assembly.layout;
        let mut unknown = vec![FIXED; layout.coordinate_count()];
        let mut row = vec![FIXED; layout.freedom_count()];
        let mut size = 0;
        let mut frames = Vec::new();
        for node in 0..layout.nodes() {
            let (kind, at, dof) = (layout.kind(node), layout.coordinate(node), layout.freedom(node));
            for c in 0..kind.coordinates().min(3) {
                if !assembly.fixed[dof + c] {
                    unknown[at + c] = size;
                    row[dof + c] = size;
                    size += 1;
                }
            }
            if kind == NodeKind::SpaceFrame && !assembly.fixed[dof + 3] {
                frames.push(node);
                for c in 0..4 {
                    unknown[at + 3 + c] = size + c;
                    if c < 3 {
                        row[dof + 3 + c] = size + c;
                    }
                }
                size += 4;
            }
        }
        let total = size + assembly.rows;
        let forces = assembly.forces();
        let mut entries = Entries { builder: PatternBuilder::new(total, total), wanted: Vec::new() };
        for &(r, c, _) in &forces.stiffness.list {
            let rows = &row[layout.freedom(r)..layout.freedom(r) + layout.kind(r).freedoms()];
            let cols = &unknown[layout.coordinate(c)..layout.coordinate(c) + layout.kind(c).coordinates()];
            entries.block(rows, cols);
        }
        let blocks = entries.wanted.len();
        for &node in &frames {
            let at = layout.coordinate(node) + 3;
            let norm_row = unknown[at + 3];
            entries.block(&[norm_row], &unknown[at..at + 4]);
        }
        let mut first = size;
        for joint in &assembly.constraints {
            for index in 0..joint.rows.len() {
                for side in &joint.sides {
                    let Some(node) = side.node() else {
                        entries.wanted.push(Vec::new());
                        entries.wanted.push(Vec::new());
                        continue;
                    };
                    let (kind, at, dof) = (layout.kind(node), layout.coordinate(node), layout.freedom(node));
                    entries.block(&[first + index], &unknown[at..at + kind.coordinates()]);
                    entries.block(&row[dof..dof + kind.freedoms()], &[first + index]);
                }
            }
            first += joint.rows.len();
        }
        let (pattern, mut lists) = entries.build();
        let joint_places = lists.split_off(blocks + frames.len());
        let norms = lists.split_off(blocks);
        let norm_places = norms.iter().map(|places| std::array::from_fn(|c| places[c])).collect();
        let mut equilibrium = Self {
            assembly,
            time,
            factor: 1.0,
            springs: None,
            grip: None,
            pattern,
            unknown,
            row,
            size,
            places: lists,
            norm_places,
            joint_places,
            q: assembly.reference.clone(),
            forces,
            wrenches: Vec::new(),
            motions: Vec::new(),
            scales: Vec::new(),
            still: vec![0.0; layout.coordinate_count()],
            inertia: None,
        };
        equilibrium.find_scales();
        equilibrium
    }

    /// Sizes below which changes of unknowns do not matter.
    fn find_scales(&mut self) {
        let layout = &self.assembly.layout;
        let length = self.assembly.size();
        self.scales = vec![1.0; self.size + self.assembly.rows];
        for node in 0..layout.nodes() {
            let at = layout.coordinate(node);
            for c in 0..layout.kind(node).positions() {
                if self.unknown[at + c] != FIXED {
                    self.scales[self.unknown[at + c]] = length;
                }
            }
        }
        // Multipliers are forces: those that would move the mechanism by its size. What they change by must not make the
        // path of equilibria long, which is that of the configurations.
        let mut stiffest = 0.0_f64;
        let mut forces = self.assembly.forces();
        if self.assembly.evaluate(&self.q, Order::Hessian, |_| true, |_| None, &[], None, &mut forces).is_ok() {
            for node in 0..layout.nodes() {
                let size = layout.kind(node).freedoms();
                let start = self.assembly.diagonal_block(node);
                for c in 0..layout.kind(node).positions() {
                    stiffest = stiffest.max(forces.stiffness.values[start + c + size * c].abs());
                }
            }
        }
        let force = if stiffest > 0.0 { stiffest * length } else { 1.0 };
        self.scales[self.size..].fill(force);
    }

    /// Number of unknown coordinates; the multipliers of the joints follow.
    pub fn coordinates(&self) -> usize {
        self.size
    }

    /// Factor of gravity, loads and support displacements.
    pub fn factor(&self) -> f64 {
        self.factor
    }

    /// The unknowns of the reference configuration.
    pub fn start(&self) -> Vec<f64> {
        let mut x = vec![0.0; self.size + self.assembly.rows];
        for (value, &unknown) in self.assembly.reference.iter().zip(&self.unknown) {
            if unknown != FIXED {
                x[unknown] = *value;
            }
        }
        x
    }

    /// All coordinates for these unknowns, quaternions of unit length.
    pub fn configuration(&mut self, x: &[f64]) -> Result<Vec<f64>, EvalFailure> {
        self.place(x)?;
        let mut q = self.q.clone();
        let layout = &self.assembly.layout;
        for node in (0..layout.nodes()).filter(|&node| layout.kind(node) == NodeKind::SpaceFrame) {
            let at = layout.coordinate(node) + 3;
            let unit = layout.orientation(&q, node).normalised();
            q[at..at + 4].copy_from_slice(&unit.to_array());
        }
        Ok(q)
    }

    /// The factor of gravity and of centrifugal forces.
    fn weight_factor(&self) -> f64 {
        self.assembly.own_factor(GRAVITY, self.factor)
    }

    fn instant(&self) -> Instant {
        Instant { t: self.time, factor: self.factor }
    }

    fn place(&mut self, x: &[f64]) -> Result<(), EvalFailure> {
        self.assembly.prescribe(self.instant(), &mut self.q)?;
        for (value, &unknown) in self.q.iter_mut().zip(&self.unknown) {
            if unknown != FIXED {
                *value = x[unknown];
            }
        }
        let layout = &self.assembly.layout;
        for node in (0..layout.nodes()).filter(|&node| layout.kind(node) == NodeKind::SpaceFrame) {
            let norm = layout.orientation(&self.q, node).norm_squared();
            if !(norm > 1e-4 && norm < 1e4) {
                let place = format!("orientation of {}", self.assembly.names[node]);
                return Err(EvalFailure { place, reason: format!("quaternion of squared length {norm:.2e}") });
            }
        }
        Ok(())
    }

    fn evaluate(&mut self, x: &[f64], order: Order) -> Result<(), EvalFailure> {
        self.place(x)?;
        let instant = self.instant();
        self.assembly.wrenches(instant, &mut self.wrenches)?;
        self.assembly.motions(instant, &mut self.motions)?;
        let loads = Some((self.wrenches.as_slice(), self.weight_factor()));
        self.assembly.evaluate(&self.q, order, |_| true, |_| None, &[], loads, &mut self.forces)?;
        self.add_drag(self.drag_factor(), order)?;
        self.add_springs(order);
        self.add_inertia();
        // Forces of the joints, Gᵀλ, belong to the potential λ·g.
        let layout = &self.assembly.layout;
        let mut index = self.size;
        for joint in &self.assembly.constraints {
            for row in 0..joint.rows.len() {
                let lambda = x[index];
                let derivative = joint.derivative(layout, &self.q, row);
                for (side, derivative) in joint.sides.iter().zip(&derivative) {
                    let Some(node) = side.node() else { continue };
                    for c in 0..layout.kind(node).freedoms() {
                        self.forces.gradient[layout.freedom(node) + c] += lambda * derivative[c];
                    }
                }
                if order == Order::Hessian {
                    self.forces.stiffness.add_curvature(joint, layout, &self.q, row, lambda);
                }
                index += 1;
            }
        }
        Ok(())
    }

    /// Forces on all degrees of freedom that the last evaluation left unbalanced; on held ones the reactions.
    pub fn unbalanced(&mut self, x: &[f64]) -> Result<Vec<f64>, EvalFailure> {
        self.evaluate(x, Order::Gradient)?;
        Ok(self.forces.gradient.iter().zip(&self.forces.other).map(|(a, b)| a + b).collect())
    }

    /// Stiffness of all degrees of freedom at an equilibrium, including loads and joints, as derivative of the forces
    /// in the frames of the nodes.
    pub fn tangent(&mut self, x: &[f64]) -> Result<&Forces, EvalFailure> {
        self.evaluate(x, Order::Hessian)?;
        self.complete_rotations();
        Ok(&self.forces)
    }

    /// Adds ½ G× to the rotations of each node: from second derivatives along exp(ξ/2) to derivatives of components.
    fn complete_rotations(&mut self) {
        let layout = &self.assembly.layout;
        for node in (0..layout.nodes()).filter(|&node| layout.kind(node) == NodeKind::SpaceFrame) {
            let dof = layout.freedom(node) + 3;
            let moment = Vector3::from_column_slice(&self.forces.gradient[dof..dof + 3]);
            let half = cross_matrix(moment * 0.5);
            let start = self.assembly.diagonal_block(node);
            for c in 0..3 {
                for r in 0..3 {
                    self.forces.stiffness.values[start + (3 + r) + 6 * (3 + c)] += half[(r, c)];
                }
            }
        }
    }
}

/// Collects blocks of entries, some of which are held and not wanted.
pub(super) struct Entries {
    pub builder: PatternBuilder,
    pub wanted: Vec<Vec<(usize, usize)>>,
}

impl Entries {
    /// Asks for the entries (rows × cols), column by column; held rows and columns are left out.
    pub fn block(&mut self, rows: &[usize], cols: &[usize]) {
        let list = cols.iter().flat_map(|&c| rows.iter().map(move |&r| (r, c))).collect();
        self.wanted.push(list);
        let free = |list: &[usize]| list.iter().copied().filter(|&i| i != FIXED).collect::<Vec<_>>();
        // Indices come from the layout and are within the matrix.
        let _ = self.builder.add(&free(rows), &free(cols));
    }

    /// The pattern, and for every block the place of each entry; `usize::MAX` for those left out.
    pub fn build(self) -> (Pattern, Vec<Vec<usize>>) {
        let (pattern, _) = self.builder.build();
        let place = |(row, col): &(usize, usize)| {
            if *row == FIXED || *col == FIXED {
                return FIXED;
            }
            let range = pattern.column(*col);
            let rows = &pattern.row_idx()[range.clone()];
            rows.binary_search(row).map_or(FIXED, |found| range.start + found)
        };
        let places = self.wanted.iter().map(|list| list.iter().map(place).collect()).collect();
        (pattern, places)
    }
}

impl SquareSystem for Equilibrium<'_> {
    fn size(&self) -> usize {
        self.size + self.assembly.rows
    }

    fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    fn residual(&mut self, x: &[f64], out: &mut [f64]) -> Result<(), EvalFailure> {
        self.evaluate(x, Order::Gradient)?;
        let layout = &self.assembly.layout;
        for (dof, &row) in self.row.iter().enumerate() {
            if row != FIXED {
                out[row] = self.forces.gradient[dof] + self.forces.other[dof];
            }
        }
        if let Some(grip) = &self.grip {
            out.iter_mut().zip(&grip.forces).for_each(|(out, force)| *out -= grip.left * force);
        }
        for node in (0..layout.nodes()).filter(|&node| layout.kind(node) == NodeKind::SpaceFrame) {
            let row = self.unknown[layout.coordinate(node) + 6];
            if row != FIXED {
                out[row] = layout.orientation(&self.q, node).norm_squared() - 1.0;
            }
        }
        let mut index = self.size;
        for (joint, motion) in self.assembly.constraints.iter().zip(&self.motions) {
            for row in 0..joint.rows.len() {
                out[index] = joint.value(layout, &self.q, motion, row);
                index += 1;
            }
        }
        Ok(())
    }

    fn jacobian(&mut self, x: &[f64], values: &mut [f64]) -> Result<(), EvalFailure> {
        self.evaluate(x, Order::Hessian)?;
        self.complete_rotations();
        values.fill(0.0);
        let layout = &self.assembly.layout;
        for (&(row, col, start), places) in self.forces.stiffness.list.iter().zip(&self.places) {
            let rows = layout.kind(row).freedoms();
            let block = &self.forces.stiffness.values[start..];
            let additive = layout.kind(col).coordinates().min(3);
            for c in 0..additive {
                for r in 0..rows {
                    let place = places[r + rows * c];
                    if place != FIXED {
                        values[place] += block[r + rows * c];
                    }
                }
            }
            if layout.kind(col) == NodeKind::SpaceFrame {
                let turn = rotation_of_change(layout.orientation(&self.q, col));
                for r in 0..rows {
                    let by_turn = Vector3::from_fn(|k, _| block[r + rows * (3 + k)]);
                    let by_components = turn.tr_mul(&by_turn);
                    for c in 0..4 {
                        let place = places[r + rows * (3 + c)];
                        if place != FIXED {
                            values[place] += by_components[c];
                        }
                    }
                }
            }
        }
        let frames = (0..layout.nodes()).filter(|&node| {
            layout.kind(node) == NodeKind::SpaceFrame && self.unknown[layout.coordinate(node) + 6] != FIXED
        });
        for (node, places) in frames.zip(&self.norm_places) {
            let p = layout.orientation(&self.q, node).to_array();
            for c in 0..4 {
                values[places[c]] += 2.0 * p[c];
            }
        }
        let mut lists = self.joint_places.iter();
        for joint in &self.assembly.constraints {
            for row in 0..joint.rows.len() {
                let derivative = joint.derivative(layout, &self.q, row);
                for (side, derivative) in joint.sides.iter().zip(&derivative) {
                    let (Some(across), Some(down)) = (lists.next(), lists.next()) else { continue };
                    let Some(node) = side.node() else { continue };
                    let kind = layout.kind(node);
                    let mut by_coordinate = [0.0; 7];
                    by_coordinate[..3].copy_from_slice(&derivative.as_slice()[..3]);
                    if kind == NodeKind::SpaceFrame {
                        let turn = rotation_of_change(layout.orientation(&self.q, node));
                        for c in 0..4 {
                            by_coordinate[3 + c] = (0..3).map(|k| derivative[3 + k] * turn[(k, c)]).sum();
                        }
                    }
                    for (place, value) in across.iter().zip(by_coordinate) {
                        if *place != FIXED {
                            values[*place] += value;
                        }
                    }
                    for (place, value) in down.iter().zip(derivative.iter()) {
                        if *place != FIXED {
                            values[*place] += value;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn row_name(&self, row: usize) -> String {
        if row >= self.size {
            let mut first = self.size;
            for joint in &self.assembly.constraints {
                if row < first + joint.rows.len() {
                    return joint.row_name(row - first);
                }
                first += joint.rows.len();
            }
        }
        match self.row.iter().position(|&r| r == row) {
            Some(dof) => format!("equilibrium of {}", self.assembly.freedom_name(dof)),
            None => self.unknown_name(row),
        }
    }

    fn unknown_name(&self, col: usize) -> String {
        if col >= self.size {
            return format!("force of {}", self.row_name(col));
        }
        let layout = &self.assembly.layout;
        let Some(coordinate) = self.unknown.iter().position(|&u| u == col) else { return "an unknown".into() };
        let node = (0..layout.nodes()).rfind(|&node| layout.coordinate(node) <= coordinate).unwrap_or_default();
        let which = coordinate - layout.coordinate(node);
        let what = match (layout.kind(node), which) {
            (NodeKind::PlaneFrame, 2) => "angle",
            (_, 0) => "x",
            (_, 1) => "y",
            (_, 2) => "z",
            _ => "orientation",
        };
        format!("{what} of {}", self.assembly.names[node])
    }

    fn unknown_scale(&self, col: usize) -> f64 {
        self.scales[col]
    }
}
