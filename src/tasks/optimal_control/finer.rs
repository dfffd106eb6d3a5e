//! Where a search on a finer grid begins: at the answer on a coarser one.

use super::ControlSystem;
use crate::discretisation::transcription::Guess;
use crate::results::Outcome;

impl ControlSystem {
    /// Begins the search at an answer to the same problem on another grid. Where that answer does not tell all coordinates and
    /// controls, the search begins where it did, and the result is false.
    pub fn begin_at(&mut self, other: &ControlSystem, answer: &Outcome) -> bool {
        let Some(found) = other.stored(answer) else { return false };
        let q = match (&other.multibody, &self.multibody) {
            (Some(from), Some(to)) => {
                // Velocities do not matter to a guess; those at the nodes follow from the positions.
                let still = vec![0.0; found.q.first().map_or(0, Vec::len)];
                let states = found.q.iter().zip(&found.times).map(|(q, t)| from.shape(q, &still, *t));
                to.carried(states.zip(&found.times))
            }
            _ => Some(found.q.clone()),
        };
        let steps: Vec<usize> = other.legs().into_iter().map(|(_, steps)| steps).collect();
        let Some(q) = q.filter(|_| steps.iter().sum::<usize>() == found.u.len()) else { return false };
        let mut first = 0;
        let mut guesses = steps.into_iter().map(|steps| {
            let (from, to) = (first, first + steps);
            first = to;
            Guess::along(q[from..=to].to_vec(), found.u[from..to].to_vec(), found.times[to] - found.times[from])
        });
        match &mut self.phases {
            Some(phases) => phases.begin_at(guesses),
            None => self.problem.guess = guesses.next().unwrap_or_else(|| self.problem.guess.clone()),
        }
        // An answer is a better start than motions on coarser grids.
        self.options.continued = false;
        true
    }

    /// Coordinates and controls that an answer stores; none where some are missing.
    fn stored(&self, answer: &Outcome) -> Option<Stored> {
        let steps = answer.steps();
        let count = steps.t.len().checked_sub(1).filter(|count| *count > 0 && answer.motion.t.len() == count + 1)?;
        let u = steps.rows(&self.controls())?.into_iter().take(count).collect();
        Some(Stored { times: steps.t.clone(), q: answer.motion.rows(&self.coordinates())?, u })
    }
}

/// A motion with its controls.
struct Stored {
    /// Instants, second.
    times: Vec<f64>,
    /// Coordinates at the instants.
    q: Vec<Vec<f64>>,
    /// Controls of the steps between them.
    u: Vec<Vec<f64>>,
}
