//! What a deviation is due to: the mechanism is simulated once more on its own mesh, with the fine steps of the proof.
//!
//! From the answer that simulation differs by the error of the time steps alone, from the proof by that of the elements.

use super::{Proof, worse};
use crate::results::{ErrorParts, Table, Verification};
use crate::tasks::Observer;

impl Proof<'_> {
    /// The parts of what the answer is off by from a proof with so many steps for each of the grid; none if the mechanism cannot
    /// be simulated on its own mesh.
    pub(super) fn parts(&self, proved: &Table, refine: usize, observer: &mut dyn Observer) -> Option<ErrorParts> {
        let mesh = self.meshed(self.mechanism.clone()).ok()?;
        let run = self.simulate(&mesh.transfer(), &[(0, mesh.start.clone())], refine, observer).ok()?;
        let own = self.table(&run);
        let answer = self.judged.iter().map(|judged| (judged.name.clone(), judged.wanted.clone()));
        let answer = Table { t: self.instants.clone(), columns: answer.collect() };
        let largest = |differences: Vec<f64>| {
            let judged = differences.iter().zip(self.judged).filter(|(_, judged)| !judged.open);
            let shares = judged.map(|(off, judged)| off / judged.allowed);
            shares.fold(0.0, worse)
        };
        let parts =
            ErrorParts { steps: largest(self.apart(&answer, &own)), elements: largest(self.apart(&own, proved)) };
        (parts.steps.is_finite() && parts.elements.is_finite()).then_some(parts)
    }
}

/// What helps where a proof on another mesh fails.
pub fn advice(proof: &Verification) -> String {
    /// A part of this many times the other is the one that matters.
    const MOSTLY: f64 = 3.0;
    match proof.due_to {
        Some(parts) if parts.steps > MOSTLY * parts.elements => {
            format!("the time steps alone are off by {:.1} tolerances: raise `time.steps`", parts.steps)
        }
        Some(parts) if parts.elements > MOSTLY * parts.steps => {
            format!(
                "the elements alone are off by {:.1} tolerances: raise the `elements` of the rods, or their `order`",
                parts.elements
            )
        }
        _ => "raise the `elements` of the rods, their `order`, or `time.steps`".to_owned(),
    }
}
