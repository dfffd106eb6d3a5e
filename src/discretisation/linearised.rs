//! Small motions about a configuration: M ü + C u̇ + K u = 0 with G u = 0, in the free degrees of freedom.
//!
//! In a turning frame K holds the centrifugal forces (with those that stiffen by tension, and those that soften), and
//! C is joined by the skew matrix of the gyroscopic ones.

mod levels;

use nalgebra::{Matrix6, Vector6};

use super::assembly::{Assembly, Blocks, Order, Stream, TurningFrame, node_rotation, shape::MAX_NODES};
use super::equilibrium::{Entries, Equilibrium};
use crate::nlp::{EvalFailure, ParametricSystem, Pattern, PatternBuilder};

pub use levels::{Span, span};

/// Of strains whose stresses are kept apart this many times the stiffness of the softest strain stays in the matrix.
pub const KEPT: f64 = 1e3;

/// The matrices of small motions.
#[derive(Debug, Clone)]
pub struct Linearised {
    /// Degree of freedom of each unknown.
    pub free: Vec<usize>,
    /// Pattern of M, C and K.
    pub pattern: Pattern,
    /// Values of K + Σ α gᵀg over the rows g of G, which is K for all motions that the joints allow. Without the second
    /// part directions in which only joints resist, as across rods that cannot shear, would be lost to rounding.
    pub stiffness: Vec<f64>,
    /// Values of C, damping alone.
    pub damping: Vec<f64>,
    /// Values of the skew part of C in a turning frame; empty in one that rests.
    pub gyroscopic: Vec<f64>,
    /// Values of M.
    pub mass: Vec<f64>,
    /// Pattern of G, one row per equation of a joint, then one per strain that is kept apart.
    pub joints: Pattern,
    /// Values of G.
    pub joint_values: Vec<f64>,
    /// c of each row, which demands g·u = c s of its force s: zero of joints.
    pub compliance: Vec<f64>,
    /// Largest |K − Kᵀ| relative to the largest |K| among the part of K that the loads make: 0 where all of them have a
    /// potential.
    pub asymmetry: f64,
    /// Whether there is damping.
    pub damped: bool,
}

/// The lower triangle of a matrix, and where its values come from.
pub struct LowerTriangle {
    /// Its pattern.
    pub pattern: Pattern,
    /// For each entry the places (row, col) and (col, row) in the full pattern.
    places: Vec<[usize; 2]>,
}

impl LowerTriangle {
    /// Values of the symmetric part.
    pub fn values(&self, full: &[f64]) -> Vec<f64> {
        self.places.iter().map(|[a, b]| 0.5 * (full[*a] + full[*b])).collect()
    }
}

impl Linearised {
    /// The matrices about the configuration with these unknowns of an equilibrium.
    pub fn new(equilibrium: &mut Equilibrium<'_>, x: &[f64]) -> Result<Self, EvalFailure> {
        let q = equilibrium.configuration(x)?;
        let stiffness = equilibrium.tangent(x)?.stiffness.clone();
        let loads = equilibrium.load_stiffness(x)?.clone();
        let stream = equilibrium.stream(&q)?;
        Ok(Self::assembled(equilibrium.assembly, &q, stiffness, &loads, Some(&stream)))
    }

    /// The same with the stresses of strains that resist by more than `most` newton as unknowns of their own, so that rounding
    /// of large stiffnesses does not reach the motions that they do not resist.
    pub fn apart(equilibrium: &mut Equilibrium<'_>, x: &[f64], most: f64) -> Result<Self, EvalFailure> {
        let q = equilibrium.configuration(x)?;
        let (limited, rows) = levels::limited(equilibrium.assembly, &q, most);
        let mut soft = Equilibrium::new(&limited, equilibrium.time);
        soft.set_parameter(equilibrium.factor());
        let mut linearised = Self::new(&mut soft, x)?;
        linearised.add_strains(&limited, &q, &rows);
        Ok(linearised)
    }

    /// The same with the stresses apart of all strains that resist by more than [`KEPT`] times the softest.
    pub fn sharp(equilibrium: &mut Equilibrium<'_>, x: &[f64]) -> Result<Self, EvalFailure> {
        let q = equilibrium.configuration(x)?;
        match span(equilibrium.assembly, &q, |_| true).filter(|span| span.stiffest > KEPT * span.softest) {
            Some(span) => Self::apart(equilibrium, x, KEPT * span.softest),
            None => Self::new(equilibrium, x),
        }
    }

    /// `stream` is the fluid around it.
    fn assembled(
        assembly: &Assembly,
        q: &[f64],
        stiffness: Blocks,
        loads: &Blocks,
        stream: Option<&Stream<'_>>,
    ) -> Self {
        let layout = &assembly.layout;
        let mut place = vec![usize::MAX; layout.freedom_count()];
        let free: Vec<usize> = (0..layout.freedom_count()).filter(|&dof| !assembly.fixed[dof]).collect();
        free.iter().enumerate().for_each(|(unknown, &dof)| place[dof] = unknown);
        let of = |node: usize| &place[layout.freedom(node)..layout.freedom(node) + layout.kind(node).freedoms()];
        let mut entries = Entries { builder: PatternBuilder::new(free.len(), free.len()), wanted: Vec::new() };
        for &(row, col, _) in &stiffness.list {
            entries.block(of(row), of(col));
        }
        let (pattern, places) = entries.build();
        let values = |blocks: &Blocks| {
            let mut values = vec![0.0; pattern.nnz()];
            for (&(row, col, start), places) in blocks.list.iter().zip(&places) {
                let count = layout.kind(row).freedoms() * layout.kind(col).freedoms();
                for (place, value) in places.iter().zip(&blocks.values[start..start + count]) {
                    if *place != usize::MAX {
                        values[*place] += value;
                    }
                }
            }
            values
        };
        let mut blocks = stiffness.clone();
        mass_blocks(assembly, q, &mut blocks);
        let mass = values(&blocks);
        let mut damped = damping_blocks(assembly, q, &mut blocks);
        if let Some(stream) = stream.filter(|stream| assembly.resists(stream)) {
            assembly.add_drag_damping(stream, &mut blocks);
            damped = true;
        }
        let damping = values(&blocks);
        let gyroscopic = match assembly.turning.filter(|frame| frame.omega.norm() > 0.0) {
            Some(frame) => {
                gyroscopic_blocks(assembly, &frame, q, &mut blocks);
                values(&blocks)
            }
            None => Vec::new(),
        };
        let mut stiffness = values(&stiffness);
        let (joints, joint_values) = joint_matrix(assembly, q, &place, free.len());
        let loads = values(loads);
        let largest = loads.iter().fold(0.0_f64, |m, k| m.max(k.abs()));
        let differences = lower_triangle(&pattern).places.into_iter().map(|[a, b]| (loads[a] - loads[b]).abs());
        let asymmetry = differences.fold(0.0_f64, f64::max) / if largest > 0.0 { largest } else { 1.0 };
        stiffen(&pattern, &mut stiffness, &joints, &joint_values);
        let compliance = vec![0.0; joints.nrows()];
        Self {
            free,
            pattern,
            stiffness,
            damping,
            gyroscopic,
            mass,
            joints,
            joint_values,
            compliance,
            asymmetry,
            damped,
        }
    }

    /// Adds the equations of strains that are kept apart.
    fn add_strains(&mut self, assembly: &Assembly, q: &[f64], rows: &[levels::Excess]) {
        let layout = &assembly.layout;
        let mut place = vec![usize::MAX; layout.freedom_count()];
        self.free.iter().enumerate().for_each(|(unknown, &dof)| place[dof] = unknown);
        let mut entries: Vec<(usize, usize, f64)> = Vec::new();
        for col in 0..self.joints.ncols() {
            let column = self.joints.column(col);
            entries.extend(column.map(|entry| (self.joints.row_idx()[entry], col, self.joint_values[entry])));
        }
        let mut b = [Matrix6::zeros(); MAX_NODES];
        let mut compliance = std::mem::take(&mut self.compliance);
        for excess in rows {
            let element = &assembly.elements[excess.element];
            element.strain_matrices(layout, q, excess.point, &mut b);
            let before = entries.len();
            for (end, b) in element.ends.iter().zip(&b) {
                let slope = b.tr_mul(&excess.row);
                let dof = layout.freedom(end.node);
                let freedoms = (0..layout.kind(end.node).freedoms()).filter(|&c| place[dof + c] != usize::MAX);
                entries.extend(freedoms.map(|c| (compliance.len(), place[dof + c], slope[c])));
            }
            // Strains of what is held on all sides are none.
            match entries[before..].iter().any(|(_, _, slope)| *slope != 0.0) {
                true => compliance.push(excess.compliance),
                false => entries.truncate(before),
            }
        }
        (self.joints, self.joint_values) = rows_of(compliance.len(), self.free.len(), &entries);
        self.compliance = compliance;
    }

    /// The matrices of motions that deform something: without stresses, where all strains resist by 1 newton, with the masses
    /// of [`Self::measure`].
    pub fn levelled(assembly: &Assembly, q: &[f64]) -> Result<Self, EvalFailure> {
        let levelled = levels::levelled(assembly, q);
        let mut forces = levelled.forces();
        levelled.evaluate(q, Order::Hessian, |_| true, |_| None, &[], None, &mut forces)?;
        let mut none = forces.stiffness.clone();
        none.values.fill(0.0);
        let mut linearised = Self::assembled(&levelled, q, forces.stiffness, &none, None);
        linearised.mass = linearised.measure(assembly);
        Ok(linearised)
    }

    /// Values of a mass matrix that measures motions: 1 for every displacement and the squared size of the mechanism, m², for
    /// every turn.
    pub fn measure(&self, assembly: &Assembly) -> Vec<f64> {
        let size = assembly.size();
        let mut mass = vec![0.0; self.pattern.nnz()];
        for (unknown, &dof) in self.free.iter().enumerate() {
            let (node, which) = assembly.layout.node_of_freedom(dof);
            let turns = which >= assembly.layout.kind(node).positions();
            mass[find(&self.pattern, unknown, unknown)] = if turns { size * size } else { 1.0 };
        }
        mass
    }

    /// Whether nothing is stressed at a configuration.
    pub fn unstressed(assembly: &Assembly, q: &[f64]) -> bool {
        levels::unstressed(assembly, q)
    }

    /// The symmetric part of values on the pattern.
    pub fn symmetric(&self, values: &[f64]) -> Vec<f64> {
        let mut out = values.to_vec();
        for [a, b] in self.lower().places {
            let mean = 0.5 * (values[a] + values[b]);
            (out[a], out[b]) = (mean, mean);
        }
        out
    }

    /// Pattern and values of G, if there are joints.
    pub fn constraints(&self) -> Option<(&Pattern, &[f64])> {
        (self.joints.nrows() > 0).then_some((&self.joints, self.joint_values.as_slice()))
    }

    /// The lower triangle of the pattern.
    pub fn lower(&self) -> LowerTriangle {
        lower_triangle(&self.pattern)
    }
}

/// Place of an entry of a pattern that holds it.
fn find(pattern: &Pattern, row: usize, col: usize) -> usize {
    let range = pattern.column(col);
    let rows = &pattern.row_idx()[range.clone()];
    rows.binary_search(&row).map_or(range.start, |found| range.start + found)
}

/// Adds α gᵀg for each row g of the joints, with α of the size of the stiffnesses beside it.
fn stiffen(pattern: &Pattern, stiffness: &mut [f64], joints: &Pattern, joint_values: &[f64]) {
    let diagonal: Vec<f64> = (0..pattern.ncols()).map(|col| stiffness[find(pattern, col, col)].abs()).collect();
    let largest = diagonal.iter().fold(0.0_f64, |m, k| m.max(*k));
    let mut rows: Vec<Vec<(usize, f64)>> = vec![Vec::new(); joints.nrows()];
    for col in 0..joints.ncols() {
        for entry in joints.column(col) {
            rows[joints.row_idx()[entry]].push((col, joint_values[entry]));
        }
    }
    for row in rows {
        let size = row.iter().fold(0.0_f64, |m, (_, g)| m.max(g.abs()));
        let significant = row.iter().filter(|(col, g)| g.abs() > 1e-6 * size && diagonal[*col] > 1e-12 * largest);
        // Not beyond the stiffest of them: sections that cannot shear resist turns, over short levers, and no displacement.
        let stiffest = significant.clone().map(|(col, _)| diagonal[*col] / (size * size)).fold(0.0, f64::max);
        let alpha = significant.map(|(col, g)| diagonal[*col] / (g * g)).fold(f64::INFINITY, f64::min).min(stiffest);
        if !(alpha > 0.0) {
            continue;
        }
        for (i, a) in &row {
            for (j, b) in &row {
                // Nodes that a joint couples are neighbours in the pattern.
                stiffness[find(pattern, *i, *j)] += alpha * a * b;
            }
        }
    }
}

fn lower_triangle(pattern: &Pattern) -> LowerTriangle {
    let mut builder = PatternBuilder::new(pattern.ncols(), pattern.ncols());
    let mut places = Vec::new();
    for col in 0..pattern.ncols() {
        let rows: Vec<usize> =
            pattern.column(col).map(|entry| pattern.row_idx()[entry]).filter(|&row| row >= col).collect();
        for &row in &rows {
            places.push([find(pattern, row, col), find(pattern, col, row)]);
        }
        // Indices are those of the full pattern.
        let _ = builder.add(&rows, &[col]);
    }
    LowerTriangle { pattern: builder.build().0, places }
}

fn mass_blocks(assembly: &Assembly, q: &[f64], blocks: &mut Blocks) {
    blocks.values.fill(0.0);
    let layout = &assembly.layout;
    for (node, mass) in assembly.masses.iter().enumerate() {
        let kind = layout.kind(node);
        let block = mass.matrix(kind, &node_rotation(layout, q, node));
        let size = kind.freedoms();
        let start = assembly.diagonal_block(node);
        for c in 0..size {
            for r in 0..size {
                blocks.values[start + r + size * c] += block[(r, c)];
            }
        }
    }
}

fn gyroscopic_blocks(assembly: &Assembly, frame: &TurningFrame, q: &[f64], blocks: &mut Blocks) {
    blocks.values.fill(0.0);
    for (node, mass) in assembly.masses.iter().enumerate() {
        let block = frame.gyroscopic(&assembly.layout, q, node, mass);
        let size = assembly.layout.kind(node).freedoms();
        let start = assembly.diagonal_block(node);
        for c in 0..size {
            for r in 0..size {
                blocks.values[start + r + size * c] += block[(r, c)];
            }
        }
    }
}

/// Σ weight Bᵀ D B; false if nothing is damped.
fn damping_blocks(assembly: &Assembly, q: &[f64], blocks: &mut Blocks) -> bool {
    blocks.values.fill(0.0);
    let layout = &assembly.layout;
    let mut b = [Matrix6::zeros(); MAX_NODES];
    let mut any = false;
    for (index, element) in assembly.elements.iter().enumerate().filter(|(_, element)| element.damped) {
        any = true;
        let count = element.ends.len();
        for point in 0..element.points() {
            element.strain_matrices(layout, q, point, &mut b);
            let strain = element.strain(layout, q, point);
            let (_, by_rate) = element.viscous_slopes(point, &strain, &Vector6::zeros());
            let d = by_rate * element.weight(point);
            for (j, col_end) in element.ends.iter().enumerate() {
                let db = d * b[j];
                for (i, row_end) in element.ends.iter().enumerate() {
                    let (rows, cols) = (layout.kind(row_end.node).freedoms(), layout.kind(col_end.node).freedoms());
                    let start = assembly.element_blocks(index)[count * j + i];
                    let block = b[i].tr_mul(&db);
                    for c in 0..cols {
                        for r in 0..rows {
                            blocks.values[start + r + rows * c] += block[(r, c)];
                        }
                    }
                }
            }
        }
    }
    any
}

fn joint_matrix(assembly: &Assembly, q: &[f64], place: &[usize], free: usize) -> (Pattern, Vec<f64>) {
    let layout = &assembly.layout;
    let mut entries = Vec::new();
    let mut index = 0;
    for joint in &assembly.constraints {
        for row in 0..joint.rows.len() {
            let derivative = joint.derivative(layout, q, row);
            for (side, derivative) in joint.sides.iter().zip(&derivative) {
                let Some(node) = side.node() else { continue };
                for c in 0..layout.kind(node).freedoms() {
                    let unknown = place[layout.freedom(node) + c];
                    if unknown != usize::MAX {
                        entries.push((index, unknown, derivative[c]));
                    }
                }
            }
            index += 1;
        }
    }
    rows_of(assembly.rows, free, &entries)
}

/// A matrix of entries (row, column, value), which add up.
fn rows_of(rows: usize, columns: usize, entries: &[(usize, usize, f64)]) -> (Pattern, Vec<f64>) {
    let mut builder = PatternBuilder::new(rows, columns);
    for &(row, col, _) in entries {
        // Indices are within the matrix by construction.
        let _ = builder.add(&[row], &[col]);
    }
    let (pattern, _) = builder.build();
    let mut values = vec![0.0; pattern.nnz()];
    for &(row, col, value) in entries {
        values[find(&pattern, row, col)] += value;
    }
    (pattern, values)
}
