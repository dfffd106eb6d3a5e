//! A system by formulas: its Lagrangian, its forces and its constraints as a problem file states them.

use std::sync::Arc;

use crate::discretisation::transcription::multibody::Multibody;
use crate::discretisation::transcription::{self, At, Chart, ChartError, Group, Linear, Manifold, Mechanics};
use crate::kernel::Formula;
use crate::nlp::Nlp;
use crate::nlp::graph::{Expr, Graph};
use crate::tasks::velocity_name;

/// A system by formulas of its coordinates, velocities and controls, in this order.
#[derive(Debug, Clone)]
pub struct LagrangianSystem {
    /// Names of the coordinates.
    pub coordinates: Vec<String>,
    /// Names of the controls.
    pub controls: Vec<String>,
    /// L(q, v, t), joule.
    pub lagrangian: Formula,
    /// V(q, t), joule, that is taken off it and counts on the coarser grid of multirate motions.
    pub slow_potential: Option<Formula>,
    /// Generalised forces, one for each coordinate.
    pub forces: Vec<Formula>,
    /// Holonomic constraints g(q) = 0 with their names.
    pub constraints: Vec<(String, Formula)>,
    /// Groups of constant length, each of which is a constraint as well.
    pub spheres: Vec<Group>,
}

impl LagrangianSystem {
    /// The chart of spheres; without any there is none.
    pub fn spherical_chart(&self) -> Result<Option<Chart>, ChartError> {
        if self.spheres.is_empty() {
            return Ok(None);
        }
        let first = self.constraints.len();
        let satisfied = (first..first + self.spheres.len()).collect();
        Chart::new(self.coordinates.len(), self.spheres.clone(), satisfied).map(Some)
    }
}

/// A formula as a linear expression of the first `coordinates` of its variables; `None` if it is not one.
pub fn linear(formula: &Formula, coordinates: usize, variables: usize) -> Option<Linear> {
    let graph = Graph::new();
    let inputs: Vec<Expr<'_>> =
        (0..variables).map(|i| graph.variable(format!("x{i}"), 0.0, f64::NEG_INFINITY, f64::INFINITY)).collect();
    graph.subject_to("expression", formula.lower(&graph, &inputs, graph.constant(0.0)), 0.0, 0.0);
    let mut program = graph.build();
    if !program.is_linear(0) {
        return None;
    }
    let (origin, mut value) = (vec![0.0; variables], [0.0]);
    let mut factors = vec![0.0; program.jacobian_pattern().nnz()];
    program.constraints(&origin, &mut value).ok()?;
    program.jacobian(&origin, &mut factors).ok()?;
    let pattern = program.jacobian_pattern();
    let terms = (0..coordinates).flat_map(|i| pattern.column(i).map(move |entry| (i, entry)));
    Some(Linear { terms: terms.map(|(i, entry)| (i, factors[entry])).collect(), constant: value[0] })
}

/// Names of the variables of all formulas: coordinates, velocities, controls.
pub fn variable_names(coordinates: &[String], controls: &[String]) -> Vec<String> {
    let velocities = coordinates.iter().map(|name| velocity_name(name));
    coordinates.iter().cloned().chain(velocities).chain(controls.iter().cloned()).collect()
}

/// A formula of these variables as an expression of a system.
pub fn formula(formula: Formula) -> transcription::Formula {
    Arc::new(move |at| lower(&formula, at))
}

/// Names of the quantities of a mechanism that formulas may use besides its variables, and of their rates.
pub fn quantity_names(body: &Multibody) -> Vec<String> {
    let names = body.quantity_names();
    let rates = names.iter().map(|name| velocity_name(name));
    names.iter().cloned().chain(rates).collect()
}

/// A formula of the variables of a mechanism, its quantities and their rates as an expression of the system.
pub fn formula_of_parts(formula: Formula, body: Arc<Multibody>) -> transcription::Formula {
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
        let rest = lower(&self.lagrangian, at);
        self.slow_potential.as_ref().map_or(rest, |potential| rest - lower(potential, at))
    }

    fn forces<'g>(&self, at: &At<'g>) -> Vec<Expr<'g>> {
        self.forces.iter().map(|force| lower(force, at)).collect()
    }

    fn constraints<'g>(&self, at: &At<'g>) -> Vec<(String, Expr<'g>)> {
        let stated = self.constraints.iter().map(|(name, constraint)| (name.clone(), lower(constraint, at)));
        let length = |group: &Group| {
            let component = |entry: &Linear| {
                let terms = entry.terms.iter().map(|(i, factor)| *factor * at.q[*i]);
                at.graph.sum(terms.chain([at.graph.constant(entry.constant)])).square()
            };
            let square = at.graph.sum(group.entries.iter().map(component));
            let radius = if let Manifold::Sphere(radius) = group.manifold { radius } else { 1.0 };
            (group.name.clone(), 0.5 * (square - radius * radius))
        };
        stated.chain(self.spheres.iter().map(length)).collect()
    }

    fn chart(&self) -> Option<Chart> {
        self.spherical_chart().ok().flatten()
    }
}
