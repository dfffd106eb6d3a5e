//! A system by formulas: its Lagrangian, its forces and its constraints as a problem file states them.

use std::sync::Arc;

use crate::discretisation::dmoc::mechanism::Multibody;
use crate::discretisation::dmoc::{self, At, Mechanics};
use crate::kernel::Formula;
use crate::nlp::graph::Expr;

/// A system by formulas of its coordinates, velocities and controls, in this order.
#[derive(Debug, Clone)]
pub struct LagrangianSystem {
    /// Names of the coordinates.
    pub coordinates: Vec<String>,
    /// Names of the controls.
    pub controls: Vec<String>,
    /// L(q, v, t), joule.
    pub lagrangian: Formula,
    /// Generalised forces, one for each coordinate.
    pub forces: Vec<Formula>,
    /// Holonomic constraints g(q) = 0 with their names.
    pub constraints: Vec<(String, Formula)>,
}

/// Name of the velocity of a coordinate.
pub fn velocity_name(coordinate: &str) -> String {
    format!("{coordinate}_dot")
}

/// Names of the variables of all formulas: coordinates, velocities, controls.
pub fn variable_names(coordinates: &[String], controls: &[String]) -> Vec<String> {
    let velocities = coordinates.iter().map(|name| velocity_name(name));
    coordinates.iter().cloned().chain(velocities).chain(controls.iter().cloned()).collect()
}

/// A formula of these variables as an expression of a system.
pub fn formula(formula: Formula) -> dmoc::Formula {
    Arc::new(move |at| lower(&formula, at))
}

/// Names of the quantities of a mechanism that formulas may use besides its variables, and of their rates.
pub fn quantity_names(body: &Multibody) -> Vec<String> {
    let names = body.quantity_names();
    let rates = names.iter().map(|name| velocity_name(name));
    names.iter().cloned().chain(rates).collect()
}

/// A formula of the variables of a mechanism, its quantities and their rates as an expression of the system.
pub fn formula_of_parts(formula: Formula, body: Arc<Multibody>) -> dmoc::Formula {
    Arc::new(move |at| {
        let quantities = body.quantity_values(at);
        let rate = |quantity: &Expr<'_>| {
            let slopes = at.graph.gradient(*quantity, &at.q);
            at.graph.sum(slopes.into_iter().zip(&at.v).map(|(slope, v)| slope * *v).collect::<Vec<_>>())
        };
        let rates: Vec<_> = quantities.iter().map(rate).collect();
        let variables = at.q.iter().chain(&at.v).chain(&at.u).chain(&quantities).chain(&rates);
        formula.lower(at.graph, &variables.copied().collect::<Vec<_>>(), at.t)
    })
}

fn lower<'g>(formula: &Formula, at: &At<'g>) -> Expr<'g> {
    let variables: Vec<Expr<'g>> = at.q.iter().chain(&at.v).chain(&at.u).copied().collect();
    formula.lower(at.graph, &variables, at.t)
}

impl Mechanics for LagrangianSystem {
    fn coordinates(&self) -> Vec<String> {
        self.coordinates.clone()
    }

    fn controls(&self) -> Vec<String> {
        self.controls.clone()
    }

    fn lagrangian<'g>(&self, at: &At<'g>) -> Expr<'g> {
        lower(&self.lagrangian, at)
    }

    fn forces<'g>(&self, at: &At<'g>) -> Vec<Expr<'g>> {
        self.forces.iter().map(|force| lower(force, at)).collect()
    }

    fn constraints<'g>(&self, at: &At<'g>) -> Vec<(String, Expr<'g>)> {
        self.constraints.iter().map(|(name, constraint)| (name.clone(), lower(constraint, at))).collect()
    }
}
