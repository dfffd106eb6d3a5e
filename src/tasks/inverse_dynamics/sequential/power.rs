//! Power of the actuators, outputs and paths as numbers.

use std::sync::Arc;

use crate::discretisation::index::{Output, ServoProblem};
use crate::discretisation::transcription::multibody::Multibody;
use crate::discretisation::transcription::{At, Formula, Mechanics, formulas};
use crate::nlp::graph::{Expr, Graph, Program};
use crate::nlp::{EvalFailure, Nlp};

/// The value of an output in a configuration at rest, at a time.
pub fn output_value(body: &Arc<Multibody>, output: &Formula, q: &[f64], t: f64) -> Result<f64, EvalFailure> {
    let outputs = vec![Output { name: String::new(), output: Arc::clone(output), path: formulas::nothing() }];
    let problem = ServoProblem { mechanics: body.clone(), outputs, reference: body.reference() };
    let values = Gauge::new(&problem).outputs(q, body.controls().len(), t)?;
    Ok(values.first().map_or(f64::NAN, |[value, _]| *value))
}

/// Evaluates what is told of an instant: the outputs, their paths, and the power of the controls.
pub struct Gauge {
    program: Program,
    outputs: usize,
    rows: Vec<f64>,
}

impl Gauge {
    /// For a problem.
    pub fn new(problem: &ServoProblem) -> Self {
        let graph = Graph::new();
        let input = |name: &String| graph.variable(name.clone(), 0.0, f64::NEG_INFINITY, f64::INFINITY);
        let (names, controls) = (problem.mechanics.coordinates(), problem.mechanics.controls());
        let q: Vec<Expr<'_>> = names.iter().map(input).collect();
        let v: Vec<Expr<'_>> = names.iter().map(input).collect();
        let u: Vec<Expr<'_>> = controls.iter().map(input).collect();
        let at = At { graph: &graph, q, v, u, t: graph.parameter("t") };
        problem.outputs.iter().for_each(|output| graph.subject_to("output", (output.output)(&at), 0.0, 0.0));
        problem.outputs.iter().for_each(|output| graph.subject_to("path", (output.path)(&at), 0.0, 0.0));
        let idle = At { u: vec![graph.constant(0.0); controls.len()], ..at.clone() };
        let forces = problem.mechanics.forces(&at).into_iter().zip(problem.mechanics.forces(&idle));
        let power = forces.zip(&at.v).map(|((with, without), v)| (with - without) * *v).collect::<Vec<_>>();
        graph.subject_to("power", graph.sum(power), 0.0, 0.0);
        let outputs = problem.outputs.len();
        Self { program: graph.build(), outputs, rows: vec![0.0; 2 * outputs + 1] }
    }

    fn evaluate(&mut self, q: &[f64], v: &[f64], u: &[f64], t: f64) -> Result<(), EvalFailure> {
        self.program.constraints(&[q, v, u, &[t]].concat(), &mut self.rows)
    }

    /// Outputs and the values that their paths want, in a configuration.
    pub fn outputs(&mut self, q: &[f64], controls: usize, t: f64) -> Result<Vec<[f64; 2]>, EvalFailure> {
        self.evaluate(q, &vec![0.0; q.len()], &vec![0.0; controls], t)?;
        Ok((0..self.outputs).map(|i| [self.rows[i], self.rows[self.outputs + i]]).collect())
    }

    /// Power of the controls, watt.
    pub fn power(&mut self, q: &[f64], v: &[f64], u: &[f64], t: f64) -> Result<f64, EvalFailure> {
        self.evaluate(q, v, u, t)?;
        Ok(self.rows[2 * self.outputs])
    }
}
