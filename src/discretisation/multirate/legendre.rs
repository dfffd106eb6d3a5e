//! From velocities to momenta and back.

use super::Multirate;
use super::MultirateError;
use super::programs::still;
use crate::discretisation::transcription::At;
use crate::nlp::graph::{Expr, Graph, Program};
use crate::nlp::{EvalFailure, Nlp, Pattern, PatternBuilder, SquareSystem};

/// The equations p − ∂L/∂v(q, v, t) − Gᵀν = 0 and G v = 0 for velocities v that constraints allow, with G = ∂g/∂q, and
/// what is told of a state: energy and power of forces.
pub struct Legendre {
    program: Program,
    /// Rows: momenta ∂L/∂v, energy v · ∂L/∂v − L, potential −L(q, 0, t), power Q · v.
    told: Program,
    coordinates: usize,
    names: Vec<String>,
    constraints: Vec<String>,
    pattern: Pattern,
    /// Place in the values of the program of each value of the pattern.
    values: Vec<usize>,
    jacobian: Vec<f64>,
    x: Vec<f64>,
    rows: Vec<f64>,
    equations: Vec<f64>,
}

impl Legendre {
    /// Prepares the equations; the slow potential counts in the energy.
    pub fn new(system: &Multirate) -> Result<Self, MultirateError> {
        let names = system.mechanics.coordinates();
        let (program, constraints) = equations(system, &names);
        let size = names.len() + constraints.len();
        let mut builder = PatternBuilder::new(size, size);
        let mut found = Vec::new();
        let given = program.jacobian_pattern();
        for col in 0..size {
            for entry in given.column(col) {
                let block = builder.add(&[given.row_idx()[entry]], &[col]);
                found.push((
                    block.map_err(|error| EvalFailure { place: "momenta".into(), reason: error.to_string() })?,
                    entry,
                ));
            }
        }
        let (pattern, map) = builder.build();
        let mut values = vec![0; pattern.nnz()];
        found.into_iter().for_each(|(block, entry)| values[map.block(block)[0]] = entry);
        let told = told(system, &names);
        Ok(Self {
            coordinates: names.len(),
            jacobian: vec![0.0; given.nnz()],
            x: vec![0.0; program.bounds().variables()],
            rows: vec![0.0; told.bounds().rows()],
            equations: vec![0.0; program.bounds().rows()],
            program,
            told,
            names,
            constraints,
            pattern,
            values,
        })
    }

    /// The configuration and the momenta whose velocities are wanted.
    pub fn set(&mut self, q: &[f64], p: &[f64], t: f64) {
        let size = self.size();
        let known = q.iter().chain(p).chain(std::iter::once(&t));
        self.x[size..].iter_mut().zip(known).for_each(|(to, from)| *to = *from);
    }

    /// ∂L/∂v.
    pub fn momenta(&mut self, q: &[f64], v: &[f64], t: f64) -> Result<&[f64], EvalFailure> {
        self.tell(q, v, t)?;
        Ok(&self.rows[..self.coordinates])
    }

    /// Energy v · ∂L/∂v − L, its potential part −L(q, 0, t), joule, and power Q · v of forces, watt.
    pub fn energy(&mut self, q: &[f64], v: &[f64], t: f64) -> Result<Energy, EvalFailure> {
        self.tell(q, v, t)?;
        let told = &self.rows[self.coordinates..];
        Ok(Energy { total: told[0], potential: told[1], power: told[2] })
    }

    fn tell(&mut self, q: &[f64], v: &[f64], t: f64) -> Result<(), EvalFailure> {
        self.told.constraints(&[q, v, &[t]].concat(), &mut self.rows)
    }

    /// Largest violation of a constraint g and of its rate G v, with the names of the constraints.
    pub fn violation(&mut self, q: &[f64], v: &[f64], t: f64) -> Result<Option<Violation>, EvalFailure> {
        let size = self.size();
        self.x.fill(0.0);
        self.x[..v.len()].copy_from_slice(v);
        self.x[size..size + q.len()].copy_from_slice(q);
        self.x[size + 2 * q.len()] = t;
        self.program.constraints(&self.x, &mut self.equations)?;
        let (rates, values) = self.equations[self.coordinates..].split_at(self.constraints.len());
        let list = self.constraints.iter().zip(values.iter().zip(rates));
        let all = list.map(|(name, (value, rate))| Violation { name: name.clone(), value: *value, rate: *rate });
        Ok(all.max_by(|a, b| a.size().total_cmp(&b.size())))
    }
}

/// Energies of a state.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Energy {
    /// v · ∂L/∂v − L, joule.
    pub total: f64,
    /// −L(q, 0, t), joule; the rest is kinetic.
    pub potential: f64,
    /// Power of forces, watt.
    pub power: f64,
}

/// How far a state is from satisfying a constraint.
#[derive(Debug, Clone, PartialEq)]
pub struct Violation {
    /// Name of the constraint.
    pub name: String,
    /// Its value g.
    pub value: f64,
    /// Its rate G v.
    pub rate: f64,
}

impl Violation {
    /// The larger one of both.
    pub fn size(&self) -> f64 {
        self.value.abs().max(self.rate.abs())
    }
}

fn inputs<'g>(graph: &'g Graph, names: &[String], mark: &str) -> Vec<Expr<'g>> {
    let one = |name: &String| graph.variable(format!("{name}{mark}"), 0.0, f64::NEG_INFINITY, f64::INFINITY);
    names.iter().map(one).collect()
}

/// Variables v and ν; parameters q, p, t and 0. Rows: momenta, rates, then g.
fn equations(system: &Multirate, names: &[String]) -> (Program, Vec<String>) {
    let graph = Graph::new();
    let v = inputs(&graph, names, " rate");
    let count = {
        let graph = Graph::new();
        let q = inputs(&graph, names, "");
        system.mechanics.constraints(&still(system, &graph, q, graph.constant(0.0))).len()
    };
    let nu = inputs(&graph, &(0..count).map(|i| format!("impulse {i}")).collect::<Vec<_>>(), "");
    let numbers = |mark: &str| names.iter().map(|name| graph.parameter(format!("{name}{mark}"))).collect::<Vec<_>>();
    let (q, p) = (numbers(""), numbers(" momentum"));
    let (t, shift) = (graph.parameter("t"), graph.parameter("shift"));
    let u = vec![graph.constant(0.0); system.mechanics.controls().len()];
    let lagrangian = system.mechanics.lagrangian(&At { graph: &graph, q: q.clone(), v: v.clone(), u, t });
    let constraints = system.mechanics.constraints(&still(system, &graph, q.clone(), t));
    let work = graph.sum(constraints.iter().zip(&nu).map(|((_, g), nu)| *g * *nu).collect::<Vec<_>>());
    let pull = graph.gradient(work, &q);
    for (((p, momentum), pull), name) in p.iter().zip(graph.gradient(lagrangian, &v)).zip(pull).zip(names) {
        graph.subject_to(format!("momentum of {name}"), *p - momentum - pull, 0.0, 0.0);
    }
    // G v + ∂g/∂t is the derivative of g(q + shift v, t + shift) by the shift, which is zero.
    let shifted = q.iter().zip(&v).map(|(q, v)| *q + shift * *v).collect();
    for (name, g) in system.mechanics.constraints(&still(system, &graph, shifted, t + shift)) {
        graph.subject_to(format!("rate of {name}"), graph.gradient(g, &[shift])[0], 0.0, 0.0);
    }
    constraints.iter().for_each(|(name, g)| graph.subject_to(name.clone(), *g, 0.0, 0.0));
    (graph.build(), constraints.into_iter().map(|(name, _)| name).collect())
}

/// Variables q, v and t. Rows: momenta, energy, potential, power.
fn told(system: &Multirate, names: &[String]) -> Program {
    let graph = Graph::new();
    let (q, v, t) = (inputs(&graph, names, ""), inputs(&graph, names, " rate"), graph.parameter("t"));
    let u = vec![graph.constant(0.0); system.mechanics.controls().len()];
    let at = At { graph: &graph, q, v: v.clone(), u, t };
    let lagrangian = system.mechanics.lagrangian(&at);
    let momenta = graph.gradient(lagrangian, &v);
    let twice = graph.sum(momenta.iter().zip(&v).map(|(p, v)| *p * *v).collect::<Vec<_>>());
    let potential = system.slow_potential.as_ref().map_or(graph.constant(0.0), |potential| potential(&at));
    let power = graph.sum(system.mechanics.forces(&at).into_iter().zip(&v).map(|(q, v)| q * *v).collect::<Vec<_>>());
    momenta.into_iter().zip(names).for_each(|(p, name)| graph.subject_to(format!("momentum of {name}"), p, 0.0, 0.0));
    graph.subject_to("energy", twice - lagrangian + potential, 0.0, 0.0);
    let still = At { v: vec![graph.constant(0.0); v.len()], ..at.clone() };
    graph.subject_to("potential", potential - system.mechanics.lagrangian(&still), 0.0, 0.0);
    graph.subject_to("power", power, 0.0, 0.0);
    graph.build()
}

impl SquareSystem for Legendre {
    fn size(&self) -> usize {
        self.coordinates + self.constraints.len()
    }

    fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    fn residual(&mut self, x: &[f64], out: &mut [f64]) -> Result<(), EvalFailure> {
        self.x[..x.len()].copy_from_slice(x);
        self.program.constraints(&self.x, &mut self.equations)?;
        out.copy_from_slice(&self.equations[..out.len()]);
        Ok(())
    }

    fn jacobian(&mut self, x: &[f64], values: &mut [f64]) -> Result<(), EvalFailure> {
        self.x[..x.len()].copy_from_slice(x);
        self.program.jacobian(&self.x, &mut self.jacobian)?;
        values.iter_mut().zip(&self.values).for_each(|(value, &place)| *value = self.jacobian[place]);
        Ok(())
    }

    fn row_name(&self, row: usize) -> String {
        match row.checked_sub(self.coordinates) {
            Some(constraint) => format!("rate of {}", self.constraints[constraint]),
            None => format!("momentum of {}", self.names[row]),
        }
    }

    fn unknown_name(&self, col: usize) -> String {
        match col.checked_sub(self.coordinates) {
            Some(constraint) => format!("impulse of {}", self.constraints[constraint]),
            None => format!("velocity of {}", self.names[col]),
        }
    }
}
