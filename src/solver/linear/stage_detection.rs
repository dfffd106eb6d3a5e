//! Finds stages in the pattern of a symmetric matrix.
//!
//! Unknowns with very many couplings form the border. Breadth-first search from one end of the rest gives levels of which
//! only neighbours are coupled. Neighbouring levels are then joined until the multipliers of a group, which have no
//! curvature of their own, find variables to act on in the same group: its pivot block is structurally regular then.

use super::stages::Stages;
use super::symmetric::{diagonal_places, for_each_below};
use crate::nlp::Pattern;

/// Unknowns with more couplings than this multiple of the median, and [`BORDER_DEGREE`] more, belong to the border.
const BORDER_RATIO: usize = 6;
const BORDER_DEGREE: usize = 24;
/// A border wider than this is no border.
const BORDER_LIMIT: usize = 32;
/// Stages larger than this are better left to sparse elimination.
const STAGE_LIMIT: usize = 96;
/// Fewer stages than this are no chain.
const FEWEST_STAGES: usize = 4;
/// Groups are tried with at least so many unknowns.
const LEAST_SIZES: [usize; 2] = [1, 8];
/// What a stage costs beyond its operations, in multiply-adds.
const STAGE_OVERHEAD: f64 = 200.0;

impl Stages {
    /// Finds stages in a lower triangle; `None` if the matrix is no chain with a narrow border.
    pub fn detect(pattern: &Pattern) -> Option<Self> {
        diagonal_places(pattern).ok()?;
        let graph = Graph::new(pattern);
        let size = pattern.ncols();
        let border = graph.border()?;
        let narrow = graph.levels(&border)?;
        let first_multiplier = first_multiplier(pattern);
        let even = graph.even_levels(&narrow);
        let reversed = |levels: &[Vec<usize>]| -> Vec<Vec<usize>> { levels.iter().rev().cloned().collect() };
        let backwards = [reversed(&narrow), reversed(&even)];
        let mut best: Option<(f64, Stages)> = None;
        for levels in [&narrow, &even, &backwards[0], &backwards[1]] {
            for least in LEAST_SIZES {
                let Some(groups) = graph.join(levels, first_multiplier, least) else { continue };
                if groups.len() < FEWEST_STAGES {
                    continue;
                }
                let mut stage_of = vec![None; size];
                for (stage, group) in groups.iter().enumerate() {
                    group.iter().for_each(|&unknown| stage_of[unknown] = Some(stage));
                }
                let stages = Stages::new(stage_of);
                let layout = stages.layout(pattern);
                let cost = layout.flops() + STAGE_OVERHEAD * stages.len() as f64;
                if layout.largest_stage() <= STAGE_LIMIT && best.as_ref().is_none_or(|(least, _)| cost < *least) {
                    best = Some((cost, stages));
                }
            }
        }
        best.map(|(_, stages)| stages)
    }
}

/// Multipliers are coupled with variables only, never with each other: the last unknowns without couplings among them.
fn first_multiplier(pattern: &Pattern) -> usize {
    let mut first = 0;
    for_each_below(pattern, |_, column, _| first = first.max(column + 1));
    first
}

/// Couplings of a symmetric matrix, without the diagonal.
struct Graph {
    starts: Vec<usize>,
    neighbours: Vec<usize>,
}

impl Graph {
    fn new(pattern: &Pattern) -> Self {
        let size = pattern.ncols();
        let mut starts = vec![0; size + 1];
        for_each_below(pattern, |row, column, _| {
            starts[row + 1] += 1;
            starts[column + 1] += 1;
        });
        for index in 0..size {
            starts[index + 1] += starts[index];
        }
        let mut next = starts.clone();
        let mut neighbours = vec![0; 2 * (pattern.nnz() - size)];
        for_each_below(pattern, |row, column, _| {
            (neighbours[next[row]], neighbours[next[column]]) = (column, row);
            next[row] += 1;
            next[column] += 1;
        });
        Self { starts, neighbours }
    }

    fn size(&self) -> usize {
        self.starts.len() - 1
    }

    fn of(&self, unknown: usize) -> &[usize] {
        &self.neighbours[self.starts[unknown]..self.starts[unknown + 1]]
    }

    /// Whether each unknown belongs to the border.
    fn border(&self) -> Option<Vec<bool>> {
        let degrees: Vec<usize> = (0..self.size()).map(|unknown| self.of(unknown).len()).collect();
        let mut sorted = degrees.clone();
        sorted.sort_unstable();
        let limit = BORDER_RATIO * sorted.get(sorted.len() / 2)? + BORDER_DEGREE;
        let border: Vec<bool> = degrees.iter().map(|&degree| degree > limit).collect();
        (border.iter().filter(|&&member| member).count() <= BORDER_LIMIT).then_some(border)
    }

    /// Levels of all connected parts, one part after the other; `None` once a level is too wide.
    fn levels(&self, border: &[bool]) -> Option<Vec<Vec<usize>>> {
        let mut mark = vec![0; self.size()];
        border.iter().zip(&mut mark).filter(|(member, _)| **member).for_each(|(_, mark)| *mark = usize::MAX);
        let mut levels = Vec::new();
        let mut round = 0;
        for seed in 0..self.size() {
            if mark[seed] != 0 {
                continue;
            }
            let mut search = |root: usize| {
                round += 1;
                self.search(&[root], round, &mut mark)
            };
            // From a far end to an unknown farthest from it, as long as the distance grows (A. George and J. W. H. Liu,
            // "An implementation of a pseudoperipheral node finder", ACM TOMS 5, 1979).
            let mut part = search(seed);
            loop {
                let farthest = part.last()?.iter().copied().min_by_key(|&unknown| self.of(unknown).len())?;
                let other = search(farthest);
                let longer = other.len() > part.len();
                part = other;
                if !longer {
                    break;
                }
            }
            levels.append(&mut part);
        }
        levels.iter().all(|level| level.len() <= STAGE_LIMIT).then_some(levels)
    }

    /// Levels of even width from the same ends.
    ///
    /// Variables and multipliers are hardly coupled among themselves, so a search from one unknown meets them in turns, those
    /// of two neighbouring times at once. One that begins with both kinds meets one time after the other. What is coupled with
    /// nothing beyond its level then moves to the level before, next to the multipliers it belongs to.
    fn even_levels(&self, levels: &[Vec<usize>]) -> Vec<Vec<usize>> {
        let mut mark = vec![usize::MAX; self.size()];
        levels.iter().flatten().for_each(|&unknown| mark[unknown] = 0);
        let mut even: Vec<Vec<usize>> = Vec::new();
        for (level, members) in levels.iter().enumerate() {
            // A part that is not searched yet begins with a level of one.
            let Some(&root) = members.first().filter(|&&unknown| mark[unknown] == 0) else { continue };
            let second = levels.get(level + 1).into_iter().flatten().filter(|next| self.of(root).contains(next));
            let roots: Vec<usize> = std::iter::once(root).chain(second.copied()).collect();
            even.append(&mut self.search(&roots, 1, &mut mark));
        }
        let mut level_of = vec![usize::MAX; self.size()];
        for (level, members) in even.iter().enumerate() {
            members.iter().for_each(|&unknown| level_of[unknown] = level);
        }
        for level in 1..even.len() {
            let (before, after) = even.split_at_mut(level);
            let (Some(before), Some(members)) = (before.last_mut(), after.first_mut()) else { continue };
            members.retain(|&unknown| {
                let joined = |other: &usize| level_of[*other] != usize::MAX && level_of[*other] + 1 == level;
                let ahead = |other: &usize| level_of[*other] != usize::MAX && level_of[*other] > level;
                let moves = self.of(unknown).iter().any(joined) && !self.of(unknown).iter().any(ahead);
                if moves {
                    level_of[unknown] = level - 1;
                    before.push(unknown);
                }
                !moves
            });
        }
        even.retain(|members| !members.is_empty());
        even
    }

    /// Breadth-first levels from `roots` among unknowns marked with an earlier round.
    fn search(&self, roots: &[usize], round: usize, mark: &mut [usize]) -> Vec<Vec<usize>> {
        roots.iter().for_each(|&root| mark[root] = round);
        let mut levels = vec![roots.to_vec()];
        let mut front = roots.to_vec();
        while !front.is_empty() {
            let mut next = Vec::new();
            for &unknown in &front {
                for &neighbour in self.of(unknown) {
                    if mark[neighbour] < round {
                        mark[neighbour] = round;
                        next.push(neighbour);
                    }
                }
            }
            if !next.is_empty() {
                levels.push(next.clone());
            }
            front = next;
        }
        levels
    }

    /// Joins neighbouring levels to groups of at least `least` unknowns in which every multiplier has a variable of its
    /// own; `None` if a group grows too large.
    fn join(&self, levels: &[Vec<usize>], first_multiplier: usize, least: usize) -> Option<Vec<Vec<usize>>> {
        let mut groups = Vec::new();
        let mut group: Vec<usize> = Vec::new();
        let mut pairing = Pairing {
            graph: self,
            first_multiplier,
            group_of: vec![usize::MAX; self.size()],
            partner: vec![None; self.size()],
            visited: vec![0; self.size()],
            round: 0,
        };
        let mut waiting: Vec<usize> = Vec::new();
        for level in levels {
            for &unknown in level {
                pairing.group_of[unknown] = groups.len();
                if unknown >= first_multiplier {
                    waiting.push(unknown);
                }
            }
            group.extend_from_slice(level);
            if group.len() > STAGE_LIMIT {
                return None;
            }
            waiting.retain(|&multiplier| {
                pairing.round += 1;
                !pairing.pair(multiplier)
            });
            if waiting.is_empty() && group.len() >= least {
                groups.push(std::mem::take(&mut group));
            }
        }
        if !group.is_empty() {
            groups.push(group);
        }
        Some(groups)
    }
}

/// Pairs of multipliers and variables of one group, found by augmenting paths.
struct Pairing<'a> {
    graph: &'a Graph,
    first_multiplier: usize,
    group_of: Vec<usize>,
    partner: Vec<Option<usize>>,
    /// Round in which a variable was tried last.
    visited: Vec<usize>,
    round: usize,
}

impl Pairing<'_> {
    /// Finds a variable for the multiplier, moving others to other variables if need be.
    fn pair(&mut self, multiplier: usize) -> bool {
        let graph = self.graph;
        for &variable in graph.of(multiplier) {
            let suitable = variable < self.first_multiplier
                && self.group_of[variable] == self.group_of[multiplier]
                && self.visited[variable] != self.round;
            if !suitable {
                continue;
            }
            self.visited[variable] = self.round;
            if self.partner[variable].is_none_or(|other| self.pair(other)) {
                self.partner[variable] = Some(multiplier);
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests;
