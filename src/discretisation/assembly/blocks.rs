//! A matrix over the degrees of freedom of all nodes, stored by pairs of nodes that meet in an element.

use std::collections::BTreeMap;

use crate::terms::{Constraint, Layout};

/// Dense blocks (node, node), each column by column.
#[derive(Debug, Clone, Default)]
pub struct Blocks {
    /// Row node, column node and first value of each block, sorted by column, then row.
    pub list: Vec<(usize, usize, usize)>,
    /// Values of all blocks.
    pub values: Vec<f64>,
    index: BTreeMap<(usize, usize), usize>,
}

impl Blocks {
    /// Blocks for all pairs of nodes within each group, and for every node with itself.
    pub fn new<'a>(layout: &Layout, groups: impl Iterator<Item = &'a [usize]>) -> Self {
        let mut index = BTreeMap::new();
        for node in 0..layout.nodes() {
            index.insert((node, node), 0);
        }
        for group in groups {
            for &a in group {
                for &b in group {
                    index.insert((b, a), 0);
                }
            }
        }
        let (mut list, mut size) = (Vec::with_capacity(index.len()), 0);
        for ((col, row), place) in &mut index {
            *place = list.len();
            list.push((*row, *col, size));
            size += layout.kind(*row).freedoms() * layout.kind(*col).freedoms();
        }
        Self { list, values: vec![0.0; size], index }
    }

    /// First value of a block.
    pub fn find(&self, row: usize, col: usize) -> Option<usize> {
        self.index.get(&(col, row)).map(|&place| self.list[place].2)
    }

    /// Adds λ ∂²g of one row of a joint.
    pub fn add_curvature(&mut self, joint: &Constraint, layout: &Layout, q: &[f64], row: usize, lambda: f64) {
        let [aa, bb, ab] = joint.curvature(layout, q, row);
        let nodes = [joint.sides[0].node(), joint.sides[1].node()];
        for (r, c, block) in [(0, 0, aa), (1, 1, bb), (0, 1, ab), (1, 0, ab.transpose())] {
            let (Some(row_node), Some(col_node)) = (nodes[r], nodes[c]) else { continue };
            let (rows, cols) = (layout.kind(row_node).freedoms(), layout.kind(col_node).freedoms());
            let Some(start) = self.find(row_node, col_node) else { continue };
            for j in 0..cols {
                for i in 0..rows {
                    self.values[start + i + rows * j] += lambda * block[(i, j)];
                }
            }
        }
    }
}
