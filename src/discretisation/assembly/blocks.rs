//! A matrix over the degrees of freedom of all nodes, stored by pairs of nodes that meet in an element.

use std::collections::BTreeMap;

use super::layout::Layout;

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
}
