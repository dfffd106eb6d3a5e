//! Small motions about a configuration: M ü + C u̇ + K u = 0 with G u = 0, in the free degrees of freedom.
//!
//! In a turning frame K holds the centrifugal forces (with those that stiffen by tension, and those that soften), and
//! C is joined by the skew matrix of the gyroscopic ones.

use nalgebra::Matrix6;

use super::assembly::{Assembly, Blocks, TurningFrame, node_rotation, shape::MAX_NODES};
use super::equilibrium::{Entries, Equilibrium};
use crate::nlp::{EvalFailure, Pattern, PatternBuilder};

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
    /// Pattern of G, one row per equation of a joint.
    pub joints: Pattern,
    /// Values of G.
    pub joint_values: Vec<f64>,
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
        let assembly = equilibrium.assembly;
        let q = equilibrium.configuration(x)?;
        let layout = &assembly.layout;
        let mut place = vec![usize::MAX; layout.freedom_count()];
        let free: Vec<usize> = (0..layout.freedom_count()).filter(|&dof| !assembly.fixed[dof]).collect();
        free.iter().enumerate().for_each(|(unknown, &dof)| place[dof] = unknown);
        let stiffness = equilibrium.tangent(x)?.stiffness.clone();
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
        mass_blocks(assembly, &q, &mut blocks);
        let mass = values(&blocks);
        let damped = damping_blocks(assembly, &q, &mut blocks);
        let damping = values(&blocks);
        let gyroscopic = match assembly.turning.filter(|frame| frame.omega.norm() > 0.0) {
            Some(frame) => {
                gyroscopic_blocks(assembly, &frame, &q, &mut blocks);
                values(&blocks)
            }
            None => Vec::new(),
        };
        let mut stiffness = values(&stiffness);
        let (joints, joint_values) = joint_matrix(assembly, &q, &place, free.len());
        let loads = values(equilibrium.load_stiffness(x)?);
        let largest = loads.iter().fold(0.0_f64, |m, k| m.max(k.abs()));
        let differences = lower_triangle(&pattern).places.into_iter().map(|[a, b]| (loads[a] - loads[b]).abs());
        let asymmetry = differences.fold(0.0_f64, f64::max) / if largest > 0.0 { largest } else { 1.0 };
        stiffen(&pattern, &mut stiffness, &joints, &joint_values);
        Ok(Self { free, pattern, stiffness, damping, gyroscopic, mass, joints, joint_values, asymmetry, damped })
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
        let alpha = significant.map(|(col, g)| diagonal[*col] / (g * g)).fold(f64::INFINITY, f64::min);
        if !alpha.is_finite() {
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
            let d = element.damping(point) * element.weight(point);
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
    let mut builder = PatternBuilder::new(assembly.rows, free);
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
                        let _ = builder.add(&[index], &[unknown]);
                        entries.push((index, unknown, derivative[c]));
                    }
                }
            }
            index += 1;
        }
    }
    let (pattern, _) = builder.build();
    let mut values = vec![0.0; pattern.nnz()];
    for (row, col, value) in entries {
        values[find(&pattern, row, col)] += value;
    }
    (pattern, values)
}
