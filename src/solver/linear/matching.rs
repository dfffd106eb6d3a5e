//! Structural rank: a largest set of entries with no two in one row or column.
//!
//! Whether it is complete is found by shortest augmenting paths in phases, in O(entries √columns) (J. E. Hopcroft and R. M. Karp,
//! "An n^5/2 algorithm for maximum matchings in bipartite graphs", SIAM J. Comput. 2, 1973). Where it is not, depth-first
//! augmenting paths column by column leave the last columns that depend on others without partner (I. S. Duff, "On algorithms for
//! obtaining a maximum transversal", ACM TOMS 7, 1981): names worth telling, but in time that may grow by the square.

use super::LinearError;
use crate::nlp::Pattern;

const FREE: usize = usize::MAX;
/// Of larger patterns any columns without partner are named.
const LARGE: usize = 20_000;

/// Fails if no matrix with this pattern is regular, naming a column and a row that remain without partner.
pub(super) fn require_full_structural_rank(pattern: &Pattern) -> Result<(), LinearError> {
    let column_of_row = maximum_matching(pattern);
    let mut matched = vec![false; pattern.ncols()];
    column_of_row.iter().filter(|&&col| col != FREE).for_each(|&col| matched[col] = true);
    let deficiency = matched.iter().filter(|&&matched| !matched).count();
    let column = matched.iter().position(|&matched| !matched);
    let row = column_of_row.iter().position(|&col| col == FREE);
    match (row, column) {
        (Some(row), Some(column)) => Err(LinearError::StructurallySingular { row, column, deficiency }),
        _ => Ok(()),
    }
}

/// Columns that together have entries in fewer rows than there are of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overdetermined {
    /// The columns, in order.
    pub columns: Vec<usize>,
    /// All rows with entries in them, in order.
    pub rows: Vec<usize>,
}

/// Finds a set of columns with entries in fewer rows than columns, if there is one.
///
/// All such sets lie in the columns reachable from unmatched ones by alternating paths (Dulmage and Mendelsohn); the set
/// belonging to the first unmatched column is returned.
pub fn overdetermined(pattern: &Pattern) -> Option<Overdetermined> {
    let column_of_row = maximum_matching(pattern);
    let mut reached = vec![false; pattern.ncols()];
    let mut matched = vec![false; pattern.ncols()];
    column_of_row.iter().filter(|&&col| col != FREE).for_each(|&col| matched[col] = true);
    let first = matched.iter().position(|&matched| !matched)?;
    let mut rows = vec![false; pattern.nrows()];
    let mut open = vec![first];
    reached[first] = true;
    while let Some(column) = open.pop() {
        for &row in &pattern.row_idx()[pattern.column(column)] {
            rows[row] = true;
            let next = column_of_row[row];
            if next != FREE && !std::mem::replace(&mut reached[next], true) {
                open.push(next);
            }
        }
    }
    let marked = |marks: Vec<bool>| marks.iter().enumerate().filter(|(_, mark)| **mark).map(|(i, _)| i).collect();
    Some(Overdetermined { columns: marked(reached), rows: marked(rows) })
}

/// For each row the column matched with it, or `FREE`; without gaps if the pattern has full structural rank.
pub(super) fn maximum_matching(pattern: &Pattern) -> Vec<usize> {
    let found = by_phases(pattern);
    let matched = found.iter().filter(|&&column| column != FREE).count();
    if matched == pattern.ncols() || pattern.ncols() > LARGE { found } else { column_by_column(pattern) }
}

/// A largest matching by phases: the columns are put on levels by their distance from those without partner, and along
/// rising levels as many disjoint augmenting paths are taken as there are.
fn by_phases(pattern: &Pattern) -> Vec<usize> {
    let (col_ptr, row_idx) = (pattern.col_ptr(), pattern.row_idx());
    let ncols = pattern.ncols();
    let mut column_of_row = vec![FREE; pattern.nrows()];
    let mut single: Vec<usize> = Vec::new();
    for column in 0..ncols {
        match row_idx[pattern.column(column)].iter().find(|&&row| column_of_row[row] == FREE) {
            Some(&row) => column_of_row[row] = column,
            None => single.push(column),
        }
    }
    let (mut level, mut next) = (vec![FREE; ncols], vec![0; ncols]);
    let mut path: Vec<(usize, usize)> = Vec::new();
    while !single.is_empty() {
        level.fill(FREE);
        single.iter().for_each(|&column| level[column] = 0);
        let mut open = single.clone();
        let mut at = 0;
        while let Some(&column) = open.get(at) {
            at += 1;
            for &row in &row_idx[pattern.column(column)] {
                let owner = column_of_row[row];
                if owner != FREE && level[owner] == FREE {
                    level[owner] = level[column] + 1;
                    open.push(owner);
                }
            }
        }
        next.copy_from_slice(&col_ptr[..ncols]);
        let before = single.len();
        single.retain(|&root| {
            path.clear();
            path.push((root, FREE));
            while let Some(top) = path.last_mut() {
                let column = top.0;
                let owner_above =
                    |row: usize| column_of_row[row] == FREE || level[column_of_row[row]] == level[column] + 1;
                let Some(entry) = (next[column]..col_ptr[column + 1]).find(|&entry| owner_above(row_idx[entry])) else {
                    next[column] = col_ptr[column + 1];
                    path.pop();
                    continue;
                };
                // Every entry leads on at most once in a phase.
                next[column] = entry + 1;
                top.1 = row_idx[entry];
                match column_of_row[top.1] {
                    FREE => {
                        path.iter().for_each(|&(column, row)| column_of_row[row] = column);
                        return false;
                    }
                    owner => path.push((owner, FREE)),
                }
            }
            true
        });
        if single.len() == before {
            break;
        }
    }
    column_of_row
}

fn column_by_column(pattern: &Pattern) -> Vec<usize> {
    let (col_ptr, row_idx) = (pattern.col_ptr(), pattern.row_idx());
    let ncols = pattern.ncols();
    let mut column_of_row = vec![FREE; pattern.nrows()];
    // Entries before `lookahead` are known to lie in matched rows, for good: rows never become free again.
    let mut lookahead = col_ptr[..ncols].to_vec();
    let mut next = vec![0; ncols];
    let mut visited_by = vec![FREE; ncols];
    let mut path: Vec<(usize, usize)> = Vec::new();

    for root in 0..ncols {
        path.clear();
        path.push((root, FREE));
        visited_by[root] = root;
        next[root] = col_ptr[root];
        while let Some(&(col, _)) = path.last() {
            let end = col_ptr[col + 1];
            let free = (lookahead[col]..end).find(|&entry| column_of_row[row_idx[entry]] == FREE);
            lookahead[col] = free.map_or(end, |entry| entry + 1);
            if let Some(entry) = free {
                if let Some(top) = path.last_mut() {
                    top.1 = row_idx[entry];
                }
                path.iter().for_each(|&(col, row)| column_of_row[row] = col);
                break;
            }
            let onward = (next[col]..end).find(|&entry| visited_by[column_of_row[row_idx[entry]]] != root);
            next[col] = onward.map_or(end, |entry| entry + 1);
            match onward {
                Some(entry) => {
                    let row = row_idx[entry];
                    if let Some(top) = path.last_mut() {
                        top.1 = row;
                    }
                    let deeper = column_of_row[row];
                    visited_by[deeper] = root;
                    next[deeper] = col_ptr[deeper];
                    path.push((deeper, FREE));
                }
                None => {
                    path.pop();
                }
            }
        }
    }
    column_of_row
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nlp::PatternBuilder;
    use proptest::prelude::*;

    fn pattern(size: usize, entries: &[(usize, usize)]) -> Pattern {
        let mut builder = PatternBuilder::new(size, size);
        for &(row, col) in entries {
            builder.add(&[row], &[col]).unwrap();
        }
        builder.build().0
    }

    /// Largest matching by trying everything.
    fn brute_force(pattern: &Pattern, col: usize, used: u32) -> usize {
        if col == pattern.ncols() {
            return 0;
        }
        let rows = &pattern.row_idx()[pattern.column(col)];
        let matched = rows.iter().filter(|&&row| used & (1 << row) == 0);
        let best = matched.map(|&row| 1 + brute_force(pattern, col + 1, used | (1 << row))).max().unwrap_or(0);
        best.max(brute_force(pattern, col + 1, used))
    }

    proptest! {
        #[test]
        fn structural_rank_agrees_with_brute_force(entries in prop::collection::vec((0usize..6, 0usize..6), 0..16)) {
            let pattern = pattern(6, &entries);
            let rank = brute_force(&pattern, 0, 0);
            match require_full_structural_rank(&pattern) {
                Ok(()) => prop_assert_eq!(rank, 6),
                Err(LinearError::StructurallySingular { deficiency, .. }) => prop_assert_eq!(deficiency, 6 - rank),
                Err(other) => prop_assert!(false, "{}", other),
            }
        }
    }

    proptest! {
        #[test]
        fn both_ways_match_as_many(entries in prop::collection::vec((0usize..40, 0usize..40), 0..140)) {
            let pattern = pattern(40, &entries);
            let count = |found: Vec<usize>| found.into_iter().filter(|&column| column != FREE).count();
            let phases = by_phases(&pattern);
            for (row, &column) in phases.iter().enumerate().filter(|(_, column)| **column != FREE) {
                prop_assert!(pattern.row_idx()[pattern.column(column)].contains(&row));
                prop_assert_eq!(phases.iter().filter(|&&other| other == column).count(), 1);
            }
            prop_assert_eq!(count(phases), count(column_by_column(&pattern)));
        }
    }

    #[test]
    fn the_hopeless_row_and_column_are_named() {
        let error = require_full_structural_rank(&pattern(3, &[(0, 0), (1, 0), (0, 2), (1, 2), (1, 1), (0, 1)]));
        assert_eq!(error, Err(LinearError::StructurallySingular { row: 2, column: 2, deficiency: 1 }));
    }

    #[test]
    fn long_augmenting_paths_are_found() {
        let size = 2000;
        let mut entries: Vec<_> = (0..size - 1).flat_map(|col| [(col, col), (col + 1, col)]).collect();
        entries.push((0, size - 1));
        assert_eq!(require_full_structural_rank(&pattern(size, &entries)), Ok(()));
    }
}
