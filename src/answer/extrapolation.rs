//! Answers in the limit of many elements, where only few can be solved for.

use std::collections::BTreeMap;

use super::{better, interrupted, spent};
use crate::problem::{Problem, key_text};
use crate::results::{Outcome, RunStatus};
use crate::tasks::{Observer, Piece};

/// Elements that are added to the stated ones, at most, over all pieces that are refined apart.
const MORE: usize = 3;
/// Meshes that are solved on, at most.
const MESHES: usize = 20;

impl Problem {
    /// Answers it on meshes of one, two and three elements more, and in the limit of many elements by all of them, until the
    /// proof of that is passed. `stated` is the answer on the stated mesh, which is returned where nothing is nearer.
    ///
    /// Pieces of a rod are refined apart, since every element counts where one follows the other: of two pieces the meshes of up
    /// to m more elements are those of n₁ + i and n₂ + j with i + j ≤ m. Rods beside each other are refined together.
    ///
    /// Elements of higher order have no such series; inside them are motions that the paths do not determine and that may grow at
    /// once, which rods do not have. As many elements of order 1 stand for them.
    pub(super) fn solve_in_the_limit(&self, stated: Outcome, observer: &mut dyn Observer) -> Outcome {
        let Some(pieces) = self.question.task().pieces().filter(|pieces| !pieces.is_empty()) else { return stated };
        let higher = pieces.iter().any(|piece| piece.order > 1);
        let asked = match stated.report.status {
            RunStatus::NotVerified => true,
            RunStatus::Unstable => higher,
            _ => false,
        };
        if !asked {
            return stated;
        }
        let family = Family::new(pieces);
        let mut best = stated.clone();
        let mut meshes = if higher { Vec::new() } else { vec![(family.stated.clone(), stated)] };
        // Meshes whose time is told already.
        let mut told = meshes.len();
        for more in meshes.len()..=MORE {
            let added = family.refined_by(more);
            if meshes.len() + added.len() > MESHES {
                break;
            }
            let mut finest: Option<(f64, usize, Vec<String>, Problem)> = None;
            for counts in added {
                let settings = self.settings_of(&family, &counts);
                let Some(problem) = self.with(&settings).filter(Problem::is_affordable) else { return best };
                observer.note(&format!(
                    "not verified on this mesh; extrapolated to many elements, with {}",
                    settings.join(", ")
                ));
                let next = problem.solve_without_proof(observer);
                match next.report.status {
                    RunStatus::Interrupted => return interrupted(best),
                    RunStatus::Solved => {}
                    _ => return explained(best, next, &settings),
                }
                let length = family.longest(&counts);
                if finest.as_ref().is_none_or(|(least, ..)| length < *least) {
                    finest = Some((length, meshes.len(), settings, problem));
                }
                meshes.push((counts, next));
            }
            let Some((_, finest, settings, problem)) = finest else { break };
            if meshes.len() == 1 {
                continue;
            }
            let Some(mut limit) = problem.question.task().extrapolate(&meshes, finest, observer) else { break };
            if limit.report.status == RunStatus::Interrupted {
                return interrupted(best);
            }
            limit.report.adapted = settings;
            let others = meshes.iter().enumerate().skip(told).filter(|(k, _)| *k != finest);
            limit.report.timings.splice(0..0, others.map(|(_, (_, answer))| spent(answer)));
            told = meshes.len();
            // What is unstable on the stated mesh is said to be so unless the limit is proved not to be.
            let comparable = limit.report.status.is_solved() || best.report.status != RunStatus::Unstable;
            best = better(best, limit, comparable);
            if best.report.status.is_solved() {
                break;
            }
        }
        best
    }

    /// The settings of a mesh of so many elements in the pieces of each group.
    fn settings_of(&self, family: &Family, counts: &[usize]) -> Vec<String> {
        let mut settings = Vec::new();
        for (name, pieces) in family.by_rod() {
            let key = format!("rod.{}", key_text(name));
            let mut at = Vec::new();
            for (piece, group) in &pieces {
                let count = counts[*group];
                let place = |k: usize| piece.from + (piece.to - piece.from) * k as f64 / count as f64;
                at.extend((0..count).map(place));
            }
            settings.push(format!("{key}.elements={}", at.len()));
            if pieces.iter().any(|(piece, _)| piece.order > 1) {
                settings.push(format!("{key}.order=1"));
            }
            let equal = pieces.len() == 1 && self.spec.rod.get(name).is_some_and(|rod| rod.grid.is_equal());
            if !equal {
                let at: Vec<String> = at[1..].iter().map(f64::to_string).collect();
                settings.push(format!("{key}.grid={{ at = [{}] }}", at.join(", ")));
            }
        }
        settings
    }
}

/// The answer on the stated mesh, where one on a finer mesh is unstable: that it is not solved on more elements is the better advice.
fn explained(mut stated: Outcome, finer: Outcome, settings: &[String]) -> Outcome {
    if let (RunStatus::Unstable, Some(why)) = (finer.report.status, finer.report.message) {
        let message = stated.report.message.take().map_or_else(String::new, |message| format!("{message}. "));
        stated.report.message = Some(format!("{message}With {}, {why}", settings.join(", ")));
    }
    stated
}

/// Meshes of which each piece of a rod has equal elements.
struct Family {
    /// The pieces with their groups: those of a group have as many elements.
    pieces: Vec<(Piece, usize)>,
    /// Elements of a piece of each group on the stated mesh.
    stated: Vec<usize>,
}

impl Family {
    /// Pieces at the same place of their rods with as many elements are a group.
    fn new(pieces: Vec<Piece>) -> Self {
        let mut places: BTreeMap<String, usize> = BTreeMap::new();
        let mut groups: Vec<(usize, usize)> = Vec::new();
        let grouped = pieces.into_iter().map(|piece| {
            let place = places.entry(piece.rod.clone()).or_default();
            let key = (*place, piece.elements);
            *place += 1;
            let group = groups.iter().position(|other| *other == key).unwrap_or_else(|| {
                groups.push(key);
                groups.len() - 1
            });
            (piece, group)
        });
        let pieces = grouped.collect();
        Self { pieces, stated: groups.into_iter().map(|(_, elements)| elements).collect() }
    }

    /// The meshes of as many more elements in one piece of each group together, the first groups refined most first.
    fn refined_by(&self, more: usize) -> Vec<Vec<usize>> {
        let mut partial = vec![(Vec::new(), more)];
        for (group, stated) in self.stated.iter().enumerate() {
            let last = group + 1 == self.stated.len();
            let extended = partial.into_iter().flat_map(|(counts, left): (Vec<usize>, usize)| {
                let least = if last { left } else { 0 };
                (least..=left).rev().map(move |here| ([&counts[..], &[stated + here]].concat(), left - here))
            });
            partial = extended.collect();
        }
        partial.into_iter().map(|(counts, _)| counts).collect()
    }

    /// The longest element in units of its rod.
    fn longest(&self, counts: &[usize]) -> f64 {
        let length = |(piece, group): &(Piece, usize)| (piece.to - piece.from) / counts[*group] as f64;
        self.pieces.iter().map(length).fold(0.0, f64::max)
    }

    fn by_rod(&self) -> BTreeMap<&str, Vec<(&Piece, usize)>> {
        let mut rods: BTreeMap<&str, Vec<(&Piece, usize)>> = BTreeMap::new();
        for (piece, group) in &self.pieces {
            rods.entry(&piece.rod).or_default().push((piece, *group));
        }
        rods
    }
}

#[cfg(test)]
mod tests {
    use super::{Family, Piece};

    fn piece(rod: &str, [from, to]: [f64; 2], elements: usize) -> Piece {
        Piece { rod: rod.into(), from, to, elements, order: 1 }
    }

    #[test]
    fn pieces_of_a_rod_are_refined_apart_and_rods_together() {
        let two = Family::new(vec![piece("a", [0.0, 0.4], 1), piece("a", [0.4, 1.0], 1)]);
        assert_eq!(two.refined_by(1), [[2, 1], [1, 2]]);
        assert_eq!(two.refined_by(2), [[3, 1], [2, 2], [1, 3]]);
        let rods = Family::new(vec![piece("a", [0.0, 1.0], 2), piece("b", [0.0, 1.0], 2)]);
        assert_eq!(rods.refined_by(2), [[4]]);
    }
}
