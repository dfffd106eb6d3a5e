//! The Hessian of the Lagrangian by edge pushing.
//!
//! Nodes are visited from the last to the first. The Lagrangian is then a function of the nodes not yet visited, with
//! first derivatives a_j (adjoints) and second derivatives w_jp. Visiting j replaces it by its operands c:
//! w_cp += d_c w_jp,  w_cc' += d_c d_c' w_jj + a_j ∂²j/∂c∂c',  a_c += d_c a_j  with d_c = ∂j/∂c.
//! Only the plan is made here; its numbers are found by executing the products.

use super::products::{Buckets, ONE, Products, SINK, Slots, Term, sums};
use super::tape::Derivatives;

/// Key of the adjoint among the second derivatives with respect to other nodes.
const ADJOINT: u32 = u32::MAX;

/// The plan of a Hessian.
#[derive(Debug, Clone)]
pub(super) struct Hessian {
    pub(super) products: Products,
    /// Entries (row, column, slot) of the lower triangle.
    pub(super) entries: Vec<(u32, u32, u32)>,
}

impl Hessian {
    /// Plans the second derivatives of Σ weight × root; `roots` holds nodes and the slots of their weights.
    pub(super) fn new(
        derivatives: &Derivatives,
        nodes: usize,
        variables: usize,
        roots: impl Iterator<Item = (u32, u32)>,
        slots: &mut Slots,
    ) -> Self {
        let mut push = Pushing { buckets: Buckets::new(nodes), curved: curved(derivatives, nodes) };
        let mut products = Products::default();
        let mut entries = Vec::new();
        for (root, weight) in roots {
            push.adjoint(root, ONE, weight);
        }
        let mut bent = derivatives.bent().peekable();
        let (mut terms, mut second) = (Vec::new(), Vec::new());
        for node in (0..nodes).rev() {
            push.buckets.take(node as u32, &mut terms);
            let mut adjoint = None;
            second.clear();
            sums(&terms, &mut products, slots, |key, slot| match key {
                ADJOINT => adjoint = Some(slot),
                other => second.push((other, slot)),
            });
            if node < variables {
                entries.extend(second.iter().map(|&(other, slot)| (node as u32, other, slot)));
                continue;
            }
            let edges = derivatives.edges(node);
            for &(other, slot) in &second {
                if other as usize != node {
                    for edge in edges {
                        push.second(edge.child, other, slot, edge.slot, edge.child == other);
                    }
                    continue;
                }
                for (e, edge) in edges.iter().enumerate() {
                    let half = products.add([(slot, edge.slot)].into_iter(), slots);
                    for (f, with) in edges[..=e].iter().enumerate() {
                        push.second(edge.child, with.child, half, with.slot, e != f && edge.child == with.child);
                    }
                }
            }
            let bends = bent.next_if(|&(bent, _)| bent == node);
            let Some(adjoint) = adjoint else { continue };
            for (i, (e, f, slot)) in bends.into_iter().flat_map(|(_, bends)| bends).enumerate() {
                if slot != SINK {
                    push.second(e.child, f.child, adjoint, slot, i == 1 && e.child == f.child);
                }
            }
            for edge in edges {
                push.adjoint(edge.child, adjoint, edge.slot);
            }
        }
        Self { products, entries }
    }
}

/// Which nodes bend or have operands that do, directly or not: only their adjoints are needed.
fn curved(derivatives: &Derivatives, nodes: usize) -> Vec<bool> {
    let mut curved = vec![false; nodes];
    derivatives.bent().for_each(|(node, _)| curved[node] = true);
    for node in 0..nodes {
        curved[node] |= derivatives.edges(node).iter().any(|edge| curved[edge.child as usize]);
    }
    curved
}

struct Pushing {
    buckets: Buckets,
    curved: Vec<bool>,
}

impl Pushing {
    /// Adds left × right to the adjoint of a node.
    fn adjoint(&mut self, node: u32, left: u32, right: u32) {
        if self.curved[node as usize] {
            self.buckets.push(node, Term { key: ADJOINT, left, right });
        }
    }

    /// Adds left × right to the second derivative with respect to two nodes: twice where a mixed derivative falls on
    /// the diagonal, since it stands for itself and its mirror image.
    fn second(&mut self, one: u32, other: u32, left: u32, right: u32, twice: bool) {
        let term = Term { key: one.min(other), left, right };
        for _ in 0..if twice { 2 } else { 1 } {
            self.buckets.push(one.max(other), term);
        }
    }
}
