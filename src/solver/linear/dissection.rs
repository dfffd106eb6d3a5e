//! Geometric nested dissection of a rectangular grid of nodes.
//!
//! The grid is cut in two by a separator, both halves are cut again, and so on; nodes are eliminated halves first,
//! separators last. LU with row pivoting fills as the product AᵀA does, which couples nodes two grid lines apart (for
//! the 9-point stencil of bilinear elements), so separators are two nodes thick.

use std::ops::Range;

const SEPARATOR: usize = 2;
/// Boxes with no side longer than this are not cut further.
const LEAF: usize = 6;

/// Elimination order of the nodes of a grid of `ns_nodes` × `nt_nodes`; node (i, k) has the index i · `nt_nodes` + k.
pub fn order(ns_nodes: usize, nt_nodes: usize) -> Vec<usize> {
    let mut order = Vec::with_capacity(ns_nodes * nt_nodes);
    dissect(0..ns_nodes, 0..nt_nodes, nt_nodes, &mut order);
    order
}

/// Elimination order of the unknowns, from that of the nodes and the unknowns living on each node.
///
/// Unknowns that live on no node (multipliers, parameters) couple with everything and come last.
pub fn expand(node_order: &[usize], unknowns_of_node: &[Vec<usize>], unknowns: usize) -> Vec<usize> {
    let mut on_node = vec![false; unknowns];
    let mut order = Vec::with_capacity(unknowns);
    for &unknown in node_order.iter().filter_map(|&node| unknowns_of_node.get(node)).flatten() {
        if let Some(seen) = on_node.get_mut(unknown) {
            *seen = true;
        }
        order.push(unknown);
    }
    order.extend((0..unknowns).filter(|&unknown| !on_node[unknown]));
    order
}

fn dissect(s: Range<usize>, t: Range<usize>, nt_nodes: usize, order: &mut Vec<usize>) {
    if s.len().max(t.len()) <= LEAF {
        // Along the longer side, so that the front of each elimination step is the shorter one.
        if s.len() >= t.len() {
            order.extend(s.flat_map(|i| t.clone().map(move |k| i * nt_nodes + k)));
        } else {
            order.extend(t.flat_map(|k| s.clone().map(move |i| i * nt_nodes + k)));
        }
    } else if s.len() >= t.len() {
        let cut = (s.start + s.end - SEPARATOR) / 2;
        dissect(s.start..cut, t.clone(), nt_nodes, order);
        dissect(cut + SEPARATOR..s.end, t.clone(), nt_nodes, order);
        order.extend(t.flat_map(|k| (cut..cut + SEPARATOR).map(move |i| i * nt_nodes + k)));
    } else {
        let cut = (t.start + t.end - SEPARATOR) / 2;
        dissect(s.clone(), t.start..cut, nt_nodes, order);
        dissect(s.clone(), cut + SEPARATOR..t.end, nt_nodes, order);
        order.extend(s.flat_map(|i| (cut..cut + SEPARATOR).map(move |k| i * nt_nodes + k)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nlp::{Pattern, PatternBuilder};
    use crate::solver::linear::{FillEstimate, LinearError, LinearSolver, SparseLu};

    fn is_permutation(order: &[usize], size: usize) -> bool {
        let mut sorted = order.to_vec();
        sorted.sort_unstable();
        sorted == (0..size).collect::<Vec<_>>()
    }

    #[test]
    fn every_node_occurs_once() {
        for ns in 0..40 {
            for nt in 0..40 {
                assert!(is_permutation(&order(ns, nt), ns * nt), "{ns} x {nt}");
            }
        }
    }

    #[test]
    fn unknowns_without_a_node_come_last() {
        let unknowns = vec![vec![0, 1], vec![5], vec![3, 4]];
        assert_eq!(expand(&[2, 0, 1], &unknowns, 7), [3, 4, 0, 1, 5, 2, 6]);
        let short = expand(&[0, 1], &[vec![0], vec![0]], 1);
        let mut builder = PatternBuilder::new(1, 1);
        builder.add(&[0], &[0]).unwrap();
        let error = SparseLu::with_order(short).analyse(&builder.build().0).unwrap_err();
        assert_eq!(error, LinearError::WrongSize { operand: "elimination order", found: 2, expected: 1 });
    }

    #[test]
    fn separators_leave_no_coupling_of_the_product_pattern() {
        // The last nodes of a 20 x 9 grid are the first separator; nodes on both sides of it are 3 lines apart.
        let (ns, nt) = (20, 9);
        let order = order(ns, nt);
        let lines: Vec<usize> = order[ns * nt - 2 * nt..].iter().map(|node| node / nt).collect();
        assert!(lines.iter().all(|line| [9, 10].contains(line)), "{lines:?}");
        let side = |node: &usize| (node / nt) < 9;
        let split = order.iter().position(|node| !side(node)).unwrap();
        assert_eq!(split, 9 * nt);
        assert!(order[split..].iter().all(|node| !side(node)));
    }

    fn nine_point(ns: usize, nt: usize, per_node: usize) -> Pattern {
        let mut builder = PatternBuilder::new(ns * nt * per_node, ns * nt * per_node);
        for (i, k) in (0..ns - 1).flat_map(|i| (0..nt - 1).map(move |k| (i, k))) {
            let corners = [i * nt + k, i * nt + k + 1, (i + 1) * nt + k, (i + 1) * nt + k + 1];
            let slots: Vec<usize> = corners.iter().flat_map(|c| (0..per_node).map(move |u| c * per_node + u)).collect();
            builder.add(&slots, &slots).unwrap();
        }
        builder.build().0
    }

    fn fill(pattern: &Pattern, mut solver: SparseLu) -> FillEstimate {
        solver.analyse(pattern).unwrap();
        solver.fill().unwrap()
    }

    #[test]
    fn less_fill_than_natural_order_and_colamd() {
        let (ns, nt, per_node) = (40, 160, 6);
        let pattern = nine_point(ns, nt, per_node);
        let size = pattern.ncols();
        let unknowns: Vec<Vec<usize>> = (0..ns * nt).map(|n| (n * per_node..(n + 1) * per_node).collect()).collect();
        let dissection = expand(&order(ns, nt), &unknowns, size);
        assert!(is_permutation(&dissection, size));
        let dissected = fill(&pattern, SparseLu::with_order(dissection));
        let natural = fill(&pattern, SparseLu::with_order((0..size).collect()));
        let colamd = fill(&pattern, SparseLu::new());
        assert!(dissected.nnz < 0.5 * natural.nnz, "{dissected:?} against natural {natural:?}");
        assert!(dissected.flops < 0.2 * natural.flops, "{dissected:?} against natural {natural:?}");
        assert!(dissected.nnz < 0.95 * colamd.nnz, "{dissected:?} against COLAMD {colamd:?}");
    }
}
