//! The Jacobian by elimination of the intermediate nodes of the linearised tape.
//!
//! Eliminating node j replaces each pair of edges i → j → k by an edge i → k whose derivative is the product. A node
//! with a single parent is eliminated at the price of its own edges, however many rows depend on it; so this is done
//! first, as long as such nodes appear. What remains is swept once from the rows down to the variables.

use super::products::{Buckets, ONE, Products, Slots, Term, sums};
use super::tape::{Derivatives, Edge};

/// Derivatives of some roots with respect to the variables.
#[derive(Debug, Clone)]
pub(super) struct Elimination {
    pub(super) products: Products,
    /// For each root, its derivatives by ascending variable.
    pub(super) gradients: Vec<Vec<Edge>>,
}

impl Elimination {
    /// Plans the derivatives of `roots`; the first `variables` nodes are the variables.
    pub(super) fn new(
        derivatives: &Derivatives,
        nodes: usize,
        variables: usize,
        roots: &[u32],
        slots: &mut Slots,
    ) -> Self {
        let mut products = Products::default();
        let mut graph = Condensed::new(derivatives, nodes, roots);
        loop {
            let heads = graph.heads(variables, roots);
            let before = graph.edges.len();
            graph = graph.sweep(&heads, &heads, variables, &mut products, slots);
            if graph.edges.len() == before {
                break;
            }
        }
        let mut is_root = vec![false; nodes];
        roots.iter().for_each(|&root| is_root[root as usize] = true);
        let swept = graph.sweep(&is_root, &vec![false; nodes], variables, &mut products, slots);
        let gradients = roots.iter().map(|&root| swept.gradient(root as usize, variables)).collect();
        Self { products, gradients }
    }
}

/// The linearised tape after some eliminations, as lists of edges per node.
struct Condensed {
    starts: Vec<u32>,
    edges: Vec<Edge>,
}

impl Condensed {
    /// The edges of all nodes that the roots depend on.
    fn new(derivatives: &Derivatives, nodes: usize, roots: &[u32]) -> Self {
        let mut used = vec![false; nodes];
        roots.iter().for_each(|&root| used[root as usize] = true);
        for node in (0..nodes).rev() {
            if used[node] {
                derivatives.edges(node).iter().for_each(|edge| used[edge.child as usize] = true);
            }
        }
        let mut graph = Self { starts: vec![0], edges: Vec::new() };
        for (node, used) in used.into_iter().enumerate() {
            if used {
                graph.edges.extend_from_slice(derivatives.edges(node));
            }
            graph.starts.push(graph.edges.len() as u32);
        }
        graph
    }

    fn edges(&self, node: usize) -> &[Edge] {
        &self.edges[self.starts[node] as usize..self.starts[node + 1] as usize]
    }

    /// Roots and the nodes with at least two parents.
    fn heads(&self, variables: usize, roots: &[u32]) -> Vec<bool> {
        const NONE: u32 = u32::MAX;
        let nodes = self.starts.len() - 1;
        let mut parent = vec![NONE; nodes];
        let mut heads = vec![false; nodes];
        for node in 0..nodes {
            for edge in self.edges(node) {
                let child = edge.child as usize;
                heads[child] |= parent[child] != NONE && parent[child] != node as u32;
                parent[child] = node as u32;
            }
        }
        heads[..variables].fill(false);
        roots.iter().for_each(|&root| heads[root as usize] = true);
        heads
    }

    /// Pushes the derivatives of the `sources` down to the variables, or to where they meet a `barrier`.
    fn sweep(
        &self,
        sources: &[bool],
        barriers: &[bool],
        variables: usize,
        products: &mut Products,
        slots: &mut Slots,
    ) -> Self {
        let nodes = sources.len();
        let mut buckets = Buckets::new(nodes);
        let mut terms = Vec::new();
        let mut reached: Vec<(u32, Edge)> = Vec::new();
        for node in (0..nodes).rev() {
            buckets.take(node as u32, &mut terms);
            let stops = node < variables || barriers[node];
            if sources[node] {
                let key = node as u32;
                if node < variables {
                    reached.push((key, Edge { child: key, slot: ONE }));
                }
                for edge in self.edges(node) {
                    buckets.push(edge.child, Term { key, left: ONE, right: edge.slot });
                }
            }
            sums(&terms, products, slots, |key, slot| {
                if stops {
                    reached.push((key, Edge { child: node as u32, slot }));
                } else {
                    for edge in self.edges(node) {
                        buckets.push(edge.child, Term { key, left: slot, right: edge.slot });
                    }
                }
            });
        }
        Self::collect(nodes, &reached)
    }

    /// Sorts edges by their source; the children of each source ascend because nodes were swept downwards.
    fn collect(nodes: usize, reached: &[(u32, Edge)]) -> Self {
        let mut starts = vec![0u32; nodes + 1];
        reached.iter().for_each(|&(source, _)| starts[source as usize + 1] += 1);
        for node in 0..nodes {
            starts[node + 1] += starts[node];
        }
        let mut next = starts.clone();
        let mut edges = vec![Edge { child: 0, slot: ONE }; reached.len()];
        for &(source, edge) in reached.iter().rev() {
            edges[next[source as usize] as usize] = edge;
            next[source as usize] += 1;
        }
        Self { starts, edges }
    }

    fn gradient(&self, root: usize, variables: usize) -> Vec<Edge> {
        self.edges(root).iter().filter(|edge| (edge.child as usize) < variables).copied().collect()
    }
}
