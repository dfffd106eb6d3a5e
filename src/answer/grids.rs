//! Finer grids than the stated one: which are tried, and the settings they are made of.

use crate::problem::{Problem, ProblemSpec, key_text};
use crate::results::ErrorParts;
use crate::tasks::GridUse;
use crate::tasks::capability::{Ability, Feature, Way};

/// Order of elements that replace those of order 1.
const ORDER: usize = 3;
/// Two-node elements that stand for one of that order.
const PARTS: usize = 4;
/// Grids that are tried where each is chosen by what the proof before it was off by.
const MOST_GRIDS: usize = 4;
/// Share of the tolerance that steps and elements may each be off by.
const SHARE: f64 = 0.3;
/// Steps of the next grid for each of the one before, at most.
const MOST_STEPS: usize = 4;
/// Steps and elements for each of the stated ones, at most.
const FINEST: usize = 16;
/// Share of the tolerance from which on elements of higher order are also halved, or halved twice.
const MANY: f64 = 5.0;

/// How much finer than stated a grid is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Finer {
    /// Whether elements of order 1 become such of [`ORDER`].
    pub higher: bool,
    /// Elements for each of the stated ones.
    pub elements: usize,
    /// Time steps for each of the stated ones.
    pub steps: usize,
}

/// The stated grid.
const STATED: Finer = Finer { higher: false, elements: 1, steps: 1 };
/// Grids that are tried in turn where elements may have a higher order: the error in space is the larger one as a rule.
const HIGHER: [Finer; 3] = [
    Finer { higher: true, elements: 1, steps: 1 },
    Finer { higher: true, elements: 1, steps: 2 },
    Finer { higher: true, elements: 4, steps: 2 },
];
/// Grids of mechanisms without rods that deform, and of systems.
const STEPS: [Finer; 3] = [
    Finer { higher: false, elements: 1, steps: 2 },
    Finer { higher: false, elements: 1, steps: 4 },
    Finer { higher: false, elements: 1, steps: 8 },
];
/// Grids that are tried where they may not, or where what is then asked has no answer: marches need steps in proportion.
const MORE: [Finer; 2] =
    [Finer { higher: false, elements: 2, steps: 2 }, Finer { higher: false, elements: 4, steps: 4 }];

/// Grids to try, one after the other.
#[derive(Debug)]
pub enum Ladder {
    /// These.
    Listed(std::vec::IntoIter<Finer>),
    /// Such as are needed where steps and elements are each off by what the proof measured.
    Measured {
        /// The grid before.
        now: Finer,
        /// How many are left.
        left: usize,
    },
}

impl Ladder {
    /// Grids with elements of order 1.
    pub fn of_low_order() -> Self {
        Self::Listed(MORE.to_vec().into_iter())
    }

    /// Whether a grid that brings the proof no nearer ends the search: one that was chosen by what the proof before it was off by.
    pub fn expects_progress(&self) -> bool {
        matches!(self, Self::Measured { .. })
    }

    /// The next grid, from what the proof of the answer on the last one was off by; none if there is none left.
    pub fn next(&mut self, parts: Option<ErrorParts>) -> Option<Finer> {
        match self {
            Self::Listed(grids) => grids.next(),
            Self::Measured { left: 0, .. } => None,
            Self::Measured { now, left } => {
                *left -= 1;
                *now = finer(*now, parts);
                Some(*now).filter(|now| now.steps.max(now.elements) <= FINEST)
            }
        }
    }
}

/// The grid whose steps, of order 2, and whose elements are expected to be off by little. Without a measure both are refined.
fn finer(now: Finer, parts: Option<ErrorParts>) -> Finer {
    let parts = parts.unwrap_or(ErrorParts { steps: 1.0, elements: if now.higher { 0.0 } else { 1.0 } });
    let mut next = now;
    if parts.elements > SHARE {
        let many = parts.elements > MANY;
        next.elements *= match now.higher {
            true if many => 4,
            true => 2,
            false => 1,
        };
        next.higher = true;
    }
    let factor = (parts.steps / SHARE).sqrt().ceil().clamp(1.0, MOST_STEPS as f64) as usize;
    next.steps *= factor.next_power_of_two();
    // Both are small, and their sum is not.
    if next == now {
        next.steps *= 2;
    }
    next
}

impl Problem {
    /// Grids to try; none where the task has no proof that could fail, or keeps its grid.
    pub(super) fn ladder(&self) -> Ladder {
        let used = self.spec.task.grid();
        let takes = |way: &Way| Feature::HigherOrder.ability(*way) == Ability::Takes;
        let ways = Way::of(&self.spec.task);
        let searched = |way: &Way| matches!(way, Way::OptimalControl | Way::Phases | Way::Optimise);
        let listed = |grids: &[Finer]| Ladder::Listed(Vec::from(grids).into_iter());
        match ways.iter().any(takes) {
            _ if used == GridUse::Stated => listed(&[]),
            _ if self.spec.rod.values().all(|rod| rod.rigid) => listed(&STEPS),
            true if ways.iter().any(searched) => Ladder::Measured { now: STATED, left: MOST_GRIDS },
            true => listed(&HIGHER),
            false => listed(&MORE),
        }
    }

    /// The settings of a finer grid.
    pub(super) fn settings(&self, finer: Finer) -> Vec<String> {
        let spec = &self.spec;
        let mut settings = Vec::new();
        for (name, rod) in spec.rod.iter().filter(|(_, rod)| !rod.rigid) {
            let key = format!("rod.{}", key_text(name));
            let has_orders = spec.dimension.and_then(|n| rod.model.kind(n)).is_some_and(|kind| kind.has_orders());
            let parts = match (finer.higher && rod.order == 1, has_orders) {
                (true, true) => {
                    settings.push(format!("{key}.order={ORDER}"));
                    finer.elements
                }
                (true, false) => PARTS * finer.elements,
                (false, _) => finer.elements,
            };
            if parts > 1 {
                settings.push(format!("{key}.elements={}", parts * rod.elements));
            }
        }
        if finer.steps > 1 {
            settings.extend(steps(spec, finer.steps));
        }
        settings
    }
}

/// Settings of so many time steps for each.
fn steps(spec: &ProblemSpec, factor: usize) -> Vec<String> {
    let all = spec.time.iter().map(|time| format!("time.steps={}", factor * time.steps));
    let phases = spec.task.optimal_control().map_or(&[][..], |task| &task.phase);
    let phases = phases
        .iter()
        .enumerate()
        .filter_map(|(k, phase)| Some(format!("task.optimal-control.phase.{k}.steps={}", factor * phase.steps?)));
    all.chain(phases).collect()
}

#[cfg(test)]
mod tests {
    use super::{Finer, Ladder, MOST_GRIDS, STATED, finer};
    use crate::results::ErrorParts;

    /// Steps of order 2 that are off by 4 tolerances are divided by 4, elements that do not matter are kept.
    #[test]
    fn what_is_to_blame_is_refined() {
        let next = finer(STATED, Some(ErrorParts { steps: 4.0, elements: 0.1 }));
        assert_eq!(next, Finer { higher: false, elements: 1, steps: 4 });
        let next = finer(next, Some(ErrorParts { steps: 0.2, elements: 2.0 }));
        assert_eq!(next, Finer { higher: true, elements: 1, steps: 4 });
        let next = finer(next, Some(ErrorParts { steps: 0.2, elements: 2.0 }));
        assert_eq!(next, Finer { higher: true, elements: 2, steps: 4 });
        let next = finer(next, Some(ErrorParts { steps: 0.2, elements: 0.2 }));
        assert_eq!(next, Finer { higher: true, elements: 2, steps: 8 });
    }

    #[test]
    fn ladders_end() {
        let mut ladder = Ladder::Measured { now: STATED, left: MOST_GRIDS };
        assert_eq!(std::iter::from_fn(|| ladder.next(None)).count(), MOST_GRIDS);
        let mut listed = Ladder::of_low_order();
        assert_eq!(std::iter::from_fn(|| listed.next(None)).count(), 2);
    }
}
