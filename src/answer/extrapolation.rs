//! Answers in the limit of many elements, where only few can be solved for.

use super::{better, interrupted};
use crate::problem::{Problem, key_text};
use crate::results::{Outcome, RunStatus};
use crate::tasks::Observer;

/// Meshes that are tried beyond the stated one.
const MESHES: usize = 3;

impl Problem {
    /// Answers it on meshes of one, two and three elements more, and in the limit of many elements by all of them, until the
    /// proof of that is passed. `stated` is the answer on the stated mesh, which is returned where nothing is nearer.
    pub(super) fn solve_in_the_limit(&self, stated: Outcome, observer: &mut dyn Observer) -> Outcome {
        let Some(elements) = self.elements_of_every_rod().filter(|_| self.question.task().has_limit()) else {
            return stated;
        };
        let mut best = stated.clone();
        let mut meshes = vec![(elements, stated)];
        for more in 1..=MESHES {
            let settings = self.settings_of(elements + more);
            let Some(problem) = self.with(&settings).filter(Problem::is_affordable) else { break };
            observer.note(&format!(
                "not verified on this mesh; extrapolated to many elements, with {}",
                settings.join(", ")
            ));
            let next = problem.solve_as_stated(observer);
            match next.report.status {
                RunStatus::Interrupted => return interrupted(best),
                RunStatus::Solved | RunStatus::NotVerified => meshes.push((elements + more, next)),
                _ => break,
            }
            let Some(mut limit) = problem.question.task().extrapolate(&meshes, observer) else { break };
            limit.report.adapted = settings;
            best = better(best, limit, true);
            if best.report.status.is_solved() {
                break;
            }
        }
        best
    }

    /// The number of elements of the rods that deform, if it is the same of all and they are of order 1.
    fn elements_of_every_rod(&self) -> Option<usize> {
        let mut rods = self.spec.rod.values().filter(|rod| !rod.rigid);
        let first = rods.next()?;
        (first.order == 1 && rods.all(|rod| (rod.elements, rod.order) == (first.elements, 1))).then_some(first.elements)
    }

    /// The settings of so many elements in each rod that deforms.
    fn settings_of(&self, elements: usize) -> Vec<String> {
        let rods = self.spec.rod.iter().filter(|(_, rod)| !rod.rigid);
        rods.map(|(name, _)| format!("rod.{}.elements={elements}", key_text(name))).collect()
    }
}
