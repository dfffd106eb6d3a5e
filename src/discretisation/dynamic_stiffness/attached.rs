//! Parts of members and rigid bodies, attached to the unknowns of a net.

use nalgebra::{DMatrix, Matrix6, Vector3};

use super::elimination::Elimination;
use super::piece::{FAMILIES, Moved, Piece, coordinates};
use crate::discretisation::assembly::{Assembly, Attachment, NodeKind, node_rotation};

/// One part of a piece.
#[derive(Debug, Clone)]
pub(super) struct Part {
    /// Place of its piece.
    pub piece: usize,
    /// The unknowns that move its ends, in increasing order.
    pub unknowns: Vec<usize>,
    /// Coordinates of each family of motions for a unit of each unknown.
    pub coordinates: Vec<[[f64; 2]; FAMILIES]>,
}

/// Everything rigid at a node.
#[derive(Debug, Clone)]
pub(super) struct Body {
    /// The unknowns that move it, in increasing order.
    pub unknowns: Vec<usize>,
    /// Mass matrix over these.
    pub mass: DMatrix<f64>,
}

impl Part {
    pub fn new(
        assembly: &Assembly,
        elimination: &Elimination,
        index: usize,
        piece: &Piece,
        ends: [&Attachment; 2],
    ) -> Self {
        let mut unknowns: Vec<usize> =
            ends.iter().flat_map(|end| freedoms(assembly, elimination, end.node)).map(|(_, u, _)| u).collect();
        unknowns.sort_unstable();
        unknowns.dedup();
        let mut moved = vec![[Moved::default(); 2]; unknowns.len()];
        for (side, end) in ends.iter().enumerate() {
            let (layout, q) = (&assembly.layout, &assembly.reference);
            let positions = end.position_derivative(layout, q);
            let node = node_rotation(layout, q, end.node);
            for (which, unknown, factor) in freedoms(assembly, elimination, end.node) {
                let turn: Vector3<f64> = match (layout.kind(end.node), which) {
                    (NodeKind::SpaceFrame, 3..) => node.column(which - 3).into(),
                    (NodeKind::PlaneFrame, 2) => Vector3::z(),
                    _ => Vector3::zeros(),
                };
                let displacement = piece.directors.tr_mul(&positions.column(which)) * factor;
                let rotation = piece.directors.tr_mul(&turn) * factor;
                if let Ok(place) = unknowns.binary_search(&unknown) {
                    let moved = &mut moved[place][side];
                    for c in 0..3 {
                        moved.displacement[c] += displacement[c];
                        moved.rotation[c] += rotation[c];
                    }
                }
            }
        }
        let coordinates = moved.iter().map(|[a, b]| coordinates([a, b])).collect();
        Self { piece: index, unknowns, coordinates }
    }

    /// Coordinates of the families for a motion of all unknowns.
    pub fn coordinates_of(&self, x: &[f64]) -> [[f64; 2]; FAMILIES] {
        let mut sum = [[0.0; 2]; FAMILIES];
        for (unknown, coordinates) in self.unknowns.iter().zip(&self.coordinates) {
            for (sum, unit) in sum.iter_mut().zip(coordinates) {
                sum[0] += unit[0] * x[*unknown];
                sum[1] += unit[1] * x[*unknown];
            }
        }
        sum
    }
}

impl Body {
    pub fn new(assembly: &Assembly, elimination: &Elimination, node: usize, block: &Matrix6<f64>) -> Self {
        let all: Vec<_> = freedoms(assembly, elimination, node).collect();
        let mut unknowns: Vec<usize> = all.iter().map(|(_, unknown, _)| *unknown).collect();
        unknowns.sort_unstable();
        unknowns.dedup();
        let mut mass = DMatrix::zeros(unknowns.len(), unknowns.len());
        for (r, row, by_row) in &all {
            for (c, col, by_col) in &all {
                if let (Ok(i), Ok(j)) = (unknowns.binary_search(row), unknowns.binary_search(col)) {
                    mass[(i, j)] += by_row * by_col * block[(*r, *c)];
                }
            }
        }
        Self { unknowns, mass }
    }
}

/// The degrees of freedom of a node as combinations: which of the node, unknown, factor.
fn freedoms<'a>(
    assembly: &'a Assembly,
    elimination: &'a Elimination,
    node: usize,
) -> impl Iterator<Item = (usize, usize, f64)> + 'a {
    let first = assembly.layout.freedom(node);
    (0..assembly.layout.kind(node).freedoms()).flat_map(move |which| {
        elimination.of_freedom[first + which].iter().map(move |(unknown, factor)| (which, *unknown, *factor))
    })
}
