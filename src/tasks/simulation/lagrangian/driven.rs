//! A system whose controls are given functions of time.

use std::sync::Arc;

use crate::discretisation::transcription::{At, Chart, Formula, Mechanics};
use crate::nlp::graph::Expr;

/// A system without controls: those of another one are expressions of time.
pub struct Driven {
    /// The system.
    pub mechanics: Arc<dyn Mechanics>,
    /// Its controls.
    pub controls: Vec<Formula>,
}

impl Driven {
    /// With controls in place of those that are missing.
    fn driven<'g>(&self, at: &At<'g>) -> At<'g> {
        let still = At { u: vec![at.graph.constant(0.0); self.controls.len()], ..at.clone() };
        At { u: self.controls.iter().map(|control| control(&still)).collect(), ..still }
    }
}

impl Mechanics for Driven {
    fn coordinates(&self) -> Vec<String> {
        self.mechanics.coordinates()
    }

    fn controls(&self) -> Vec<String> {
        Vec::new()
    }

    fn lagrangian<'g>(&self, at: &At<'g>) -> Expr<'g> {
        self.mechanics.lagrangian(&self.driven(at))
    }

    fn forces<'g>(&self, at: &At<'g>) -> Vec<Expr<'g>> {
        self.mechanics.forces(&self.driven(at))
    }

    fn constraints<'g>(&self, at: &At<'g>) -> Vec<(String, Expr<'g>)> {
        self.mechanics.constraints(&self.driven(at))
    }

    fn chart(&self) -> Option<Chart> {
        self.mechanics.chart()
    }
}
