//! The small programs of a transcription: an interval, a node with constraints, the ends.

use super::{At, ControlProblem, Rule};
use crate::nlp::graph::{Expr, Graph, Program};

/// Makes inputs in the order of their mention.
pub(super) struct Inputs<'g, 'p> {
    pub graph: &'g Graph,
    pub problem: &'p ControlProblem,
}

impl<'g> Inputs<'g, '_> {
    pub fn one(&self, name: &str) -> Expr<'g> {
        self.graph.variable(name, 0.0, f64::NEG_INFINITY, f64::INFINITY)
    }

    pub fn coordinates(&self, mark: &str) -> Vec<Expr<'g>> {
        self.problem.mechanics.coordinates().iter().map(|name| self.one(&format!("{name}{mark}"))).collect()
    }

    pub fn controls(&self) -> Vec<Expr<'g>> {
        self.problem.mechanics.controls().iter().map(|name| self.one(name)).collect()
    }

    /// The duration: an input where it is free.
    fn duration(&self) -> Expr<'g> {
        self.problem.duration.value().map_or_else(|| self.one("duration"), |value| self.graph.constant(value))
    }

    fn zeros(&self, count: usize) -> Vec<Expr<'g>> {
        vec![self.graph.constant(0.0); count]
    }

    /// A state without controls.
    fn state(&self, q: &[Expr<'g>], v: &[Expr<'g>], t: Expr<'g>) -> At<'g> {
        let u = self.zeros(self.problem.mechanics.controls().len());
        At { graph: self.graph, q: q.to_vec(), v: v.to_vec(), u, t }
    }

    /// Constraints at a configuration.
    fn constraints(&self, q: &[Expr<'g>]) -> Vec<(String, Expr<'g>)> {
        let at = self.state(q, &self.zeros(q.len()), self.graph.constant(0.0));
        self.problem.mechanics.constraints(&at)
    }

    /// The multipliers λ of the constraints.
    pub fn multipliers(&self) -> Vec<Expr<'g>> {
        constraint_names(self.problem).iter().map(|name| self.one(&format!("force of {name}"))).collect()
    }

    /// Gᵀλ.
    pub fn constraint_forces(&self, q: &[Expr<'g>], multipliers: &[Expr<'g>]) -> Vec<Expr<'g>> {
        let work = self.constraints(q).into_iter().zip(multipliers).map(|((_, g), multiplier)| g * *multiplier);
        let work: Vec<Expr<'g>> = work.collect();
        self.graph.gradient(self.graph.sum(work), q)
    }

    /// Rows G v.
    fn rates(&self, q: &[Expr<'g>], v: &[Expr<'g>]) {
        for (name, g) in self.constraints(q) {
            let slopes = self.graph.gradient(g, q);
            let rate = slopes.into_iter().zip(v).map(|(slope, v)| slope * *v);
            self.graph.subject_to(format!("rate of {name}"), self.graph.sum(rate.collect::<Vec<_>>()), 0.0, 0.0);
        }
    }

    fn rows(&self, names: &[String], mark: &str, values: impl IntoIterator<Item = Expr<'g>>) {
        for (name, value) in names.iter().zip(values) {
            self.graph.subject_to(format!("{mark}{name}"), value, 0.0, 0.0);
        }
    }
}

/// The action and what it is a function of.
pub(super) struct Action<'g> {
    h: Expr<'g>,
    pub middle: At<'g>,
    /// D₁L_d + f⁻ and D₂L_d + f⁺.
    pub sides: [Vec<Expr<'g>>; 2],
}

impl<'g> Action<'g> {
    pub fn new(inputs: &Inputs<'g, '_>, q: [&[Expr<'g>]; 2], u: &[Expr<'g>], h: Expr<'g>, t: Expr<'g>) -> Self {
        let (graph, mechanics) = (inputs.graph, &inputs.problem.mechanics);
        let pairs = || q[0].iter().zip(q[1]);
        let v: Vec<Expr<'g>> = pairs().map(|(a, b)| (*b - *a) / h).collect();
        let at = |q: &[Expr<'g>]| At { graph, q: q.to_vec(), v: v.clone(), u: u.to_vec(), t };
        let middle = at(&pairs().map(|(a, b)| 0.5 * (*a + *b)).collect::<Vec<_>>());
        let ends = q.map(at);
        let action = match inputs.problem.rule {
            Rule::Midpoint => h * mechanics.lagrangian(&middle),
            Rule::Trapezoidal => 0.5 * h * (mechanics.lagrangian(&ends[0]) + mechanics.lagrangian(&ends[1])),
        };
        let sides = [0, 1].map(|side| {
            let slopes = graph.gradient(action, q[side]).into_iter().zip(mechanics.forces(&ends[side]));
            slopes.map(|(slope, force)| slope + 0.5 * h * force).collect()
        });
        Self { h, middle, sides }
    }
}

/// Names of the constraints of the system.
pub(super) fn constraint_names(problem: &ControlProblem) -> Vec<String> {
    let graph = Graph::new();
    let inputs = Inputs { graph: &graph, problem };
    inputs.constraints(&inputs.coordinates("")).into_iter().map(|(name, _)| name).collect()
}

/// Number of forces the system has.
pub(super) fn force_count(problem: &ControlProblem) -> usize {
    let graph = Graph::new();
    let inputs = Inputs { graph: &graph, problem };
    let (q, v, u) = (inputs.coordinates(""), inputs.coordinates(" rate"), inputs.controls());
    problem.mechanics.forces(&At { graph: &graph, q, v, u, t: inputs.one("time") }).len()
}

/// Inputs q₀, q₁, u, T if it is free, and the share of the duration at the middle. Objective h C; rows D₁L_d + f⁻, D₂L_d + f⁺
/// and the path constraints.
pub(super) fn interval(problem: &ControlProblem, intervals: usize) -> Program {
    let graph = Graph::new();
    let inputs = Inputs { graph: &graph, problem };
    let (q0, q1, u) = (inputs.coordinates(" before"), inputs.coordinates(" after"), inputs.controls());
    let (duration, share) = (inputs.duration(), inputs.one("share"));
    let h = duration * (1.0 / intervals as f64);
    let Action { middle, sides: [before, after], .. } = Action::new(&inputs, [&q0, &q1], &u, h, duration * share);
    let names = problem.mechanics.coordinates();
    inputs.rows(&names, "motion before the interval of ", before);
    inputs.rows(&names, "motion after the interval of ", after);
    for path in &problem.path {
        graph.subject_to(path.name.clone(), (path.formula)(&middle), path.lower, path.upper);
    }
    let running = problem.cost.running.iter().map(|(weight, formula)| *weight * formula(&middle));
    graph.minimise(h * graph.sum(running.collect::<Vec<_>>()));
    graph.build()
}

/// Inputs q, λ and T if it is free. Rows −w h Gᵀλ, with the weight w of the node, 1 or ½, and g where it is asked for.
pub(super) fn node(problem: &ControlProblem, intervals: usize, weight: f64, with_constraints: bool) -> Program {
    let graph = Graph::new();
    let inputs = Inputs { graph: &graph, problem };
    let q = inputs.coordinates("");
    let multipliers = inputs.multipliers();
    let forces = inputs.constraint_forces(&q, &multipliers);
    let factor = inputs.duration() * (-weight / intervals as f64);
    inputs.rows(&problem.mechanics.coordinates(), "motion of ", forces.into_iter().map(|force| factor * force));
    if with_constraints {
        inputs.constraints(&q).into_iter().for_each(|(name, g)| graph.subject_to(name, g, 0.0, 0.0));
    }
    graph.build()
}

/// Inputs q, v and T if it is free, the time being a share of it. Rows sign · ∂L/∂v, and G v where it is asked for.
pub(super) fn momentum(problem: &ControlProblem, share: f64, sign: f64, with_constraints: bool) -> Program {
    let graph = Graph::new();
    let inputs = Inputs { graph: &graph, problem };
    let (q, v) = (inputs.coordinates(""), inputs.coordinates(" rate"));
    let lagrangian = problem.mechanics.lagrangian(&inputs.state(&q, &v, share * inputs.duration()));
    let momenta = graph.gradient(lagrangian, &v).into_iter().map(|p| sign * p);
    inputs.rows(&problem.mechanics.coordinates(), "momentum of ", momenta);
    if with_constraints {
        inputs.rates(&q, &v);
    }
    graph.build()
}

/// Inputs q, v and T if it is free. Objective: the cost of the end and of the duration.
pub(super) fn last(problem: &ControlProblem) -> Program {
    let graph = Graph::new();
    let inputs = Inputs { graph: &graph, problem };
    let (q, v, duration) = (inputs.coordinates(""), inputs.coordinates(" rate"), inputs.duration());
    let at = inputs.state(&q, &v, duration);
    let terms = problem.cost.last.iter().map(|(weight, formula)| *weight * formula(&at));
    let mut terms: Vec<Expr<'_>> = terms.collect();
    terms.push(problem.cost.time * duration);
    graph.minimise(graph.sum(terms));
    graph.build()
}

/// Inputs u, a bound w of its magnitude, a weight and T if it is free. Objective weight · h w; rows w − u ≥ 0 and w + u ≥ 0.
pub(super) fn magnitude(problem: &ControlProblem, intervals: usize) -> Program {
    let graph = Graph::new();
    let inputs = Inputs { graph: &graph, problem };
    let (u, w, weight) = (inputs.one("control"), inputs.one("magnitude"), inputs.one("weight"));
    graph.subject_to("above", w - u, 0.0, f64::INFINITY);
    graph.subject_to("below", w + u, 0.0, f64::INFINITY);
    graph.minimise(weight * w * inputs.duration() * (1.0 / intervals as f64));
    graph.build()
}

/// Power of a control: u ∂Q/∂u · v, joule per second. Forces that are linear in the controls add up from these.
pub(super) fn power<'g>(problem: &ControlProblem, at: &At<'g>, control: usize) -> Expr<'g> {
    let forces = problem.mechanics.forces(at).into_iter().zip(&at.v);
    let power = at.graph.sum(forces.map(|(force, v)| force * *v).collect::<Vec<_>>());
    at.u[control] * at.graph.gradient(power, &at.u[control..=control])[0]
}

/// Inputs q₀, q₁, u, the power w that a control spends, T if it is free and the share of the duration at the middle. Objective
/// weight · h w; rows w − P ≥ 0 with the power P of the control at the middle, and w ≥ 0: at the least cost w = max(P, 0).
pub(super) fn work(problem: &ControlProblem, intervals: usize, control: usize, weight: f64) -> Program {
    let graph = Graph::new();
    let inputs = Inputs { graph: &graph, problem };
    let (q0, q1, u, w) =
        (inputs.coordinates(" before"), inputs.coordinates(" after"), inputs.controls(), inputs.one("spent"));
    let (duration, share) = (inputs.duration(), inputs.one("share"));
    let h = duration * (1.0 / intervals as f64);
    let middle = middle(&graph, [&q0, &q1], &u, h, duration * share);
    graph.subject_to("above the power", w - power(problem, &middle, control), 0.0, f64::INFINITY);
    graph.subject_to("positive", w, 0.0, f64::INFINITY);
    graph.minimise(weight * w * h);
    graph.build()
}

/// The middle of an interval.
fn middle<'g>(graph: &'g Graph, q: [&[Expr<'g>]; 2], u: &[Expr<'g>], h: Expr<'g>, t: Expr<'g>) -> At<'g> {
    let pairs = || q[0].iter().zip(q[1]);
    At {
        graph,
        q: pairs().map(|(a, b)| 0.5 * (*a + *b)).collect(),
        v: pairs().map(|(a, b)| (*b - *a) / h).collect(),
        u: u.to_vec(),
        t,
    }
}

/// Inputs u and the largest magnitude p. Rows p − u ≥ 0 and p + u ≥ 0.
pub(super) fn peak(problem: &ControlProblem) -> Program {
    let graph = Graph::new();
    let inputs = Inputs { graph: &graph, problem };
    let (u, p) = (inputs.one("control"), inputs.one("peak"));
    graph.subject_to("above", p - u, 0.0, f64::INFINITY);
    graph.subject_to("below", p + u, 0.0, f64::INFINITY);
    graph.build()
}

/// Inputs a and b. Row b − a.
pub(super) fn difference(problem: &ControlProblem) -> Program {
    let graph = Graph::new();
    let inputs = Inputs { graph: &graph, problem };
    let (a, b) = (inputs.one("first"), inputs.one("last"));
    graph.subject_to("change over a period", b - a, 0.0, 0.0);
    graph.build()
}

/// Inputs p and its weight. Objective weight · p.
pub(super) fn weighted(problem: &ControlProblem) -> Program {
    let graph = Graph::new();
    let inputs = Inputs { graph: &graph, problem };
    graph.minimise(inputs.one("value") * inputs.one("weight"));
    graph.build()
}

/// One step of a motion. Inputs q₁, λ₀, q₀, p₀, u, h, the time at the middle and the weight w of the constraint forces. Rows
/// p₀ + D₁L_d + f⁻ − w h G(q₀)ᵀλ₀ and g(q₁), which are to be zero, then p₁ = D₂L_d + f⁺.
pub(super) fn step(problem: &ControlProblem) -> Program {
    let graph = Graph::new();
    let inputs = Inputs { graph: &graph, problem };
    let q1 = inputs.coordinates(" after");
    let multipliers = inputs.multipliers();
    let (q0, p0, u) = (inputs.coordinates(" before"), inputs.coordinates(" momentum"), inputs.controls());
    let (h, t, weight) = (inputs.one("step"), inputs.one("time"), inputs.one("weight"));
    let Action { h, sides: [before, after], .. } = Action::new(&inputs, [&q0, &q1], &u, h, t);
    let pull = inputs.constraint_forces(&q0, &multipliers);
    let names = problem.mechanics.coordinates();
    let sums = p0.iter().zip(before).zip(pull).map(|((p, d), g)| *p + d - weight * h * g);
    inputs.rows(&names, "motion of ", sums.collect::<Vec<_>>());
    inputs.constraints(&q1).into_iter().for_each(|(name, g)| graph.subject_to(name, g, 0.0, 0.0));
    inputs.rows(&names, "momentum of ", after);
    graph.build()
}

/// The end of a motion. Inputs v, λ, q, p, h and t. Rows p − ∂L/∂v − h/2 Gᵀλ and G v, which are to be zero.
pub(super) fn arrival(problem: &ControlProblem) -> Program {
    let graph = Graph::new();
    let inputs = Inputs { graph: &graph, problem };
    let v = inputs.coordinates(" rate");
    let multipliers = inputs.multipliers();
    let (q, p) = (inputs.coordinates(""), inputs.coordinates(" momentum"));
    let (h, t) = (inputs.one("step"), inputs.one("time"));
    let momenta = graph.gradient(problem.mechanics.lagrangian(&inputs.state(&q, &v, t)), &v);
    let pull = inputs.constraint_forces(&q, &multipliers);
    let sums = p.iter().zip(momenta).zip(pull).map(|((p, momentum), g)| *p - momentum - 0.5 * h * g);
    inputs.rows(&problem.mechanics.coordinates(), "momentum of ", sums.collect::<Vec<_>>());
    inputs.rates(&q, &v);
    graph.build()
}

/// Inputs q, v, u and t. Rows: energy v · ∂L/∂v − L, power Q · v, the momenta ∂L/∂v, then the powers of the controls.
pub(super) fn energy(problem: &ControlProblem) -> Program {
    let graph = Graph::new();
    let inputs = Inputs { graph: &graph, problem };
    let (q, v, u, t) = (inputs.coordinates(""), inputs.coordinates(" rate"), inputs.controls(), inputs.one("time"));
    let at = At { graph: &graph, q, v: v.clone(), u, t };
    let lagrangian = problem.mechanics.lagrangian(&at);
    let momenta = graph.gradient(lagrangian, &v);
    let along = |list: Vec<Expr<'_>>, name: &str, less: Expr<'_>| {
        let product = graph.sum(list.iter().zip(&v).map(|(a, v)| *v * *a).collect::<Vec<_>>());
        graph.subject_to(name, product - less, 0.0, 0.0);
    };
    along(momenta.clone(), "energy", lagrangian);
    along(problem.mechanics.forces(&at), "power", graph.constant(0.0));
    inputs.rows(&problem.mechanics.coordinates(), "momentum of ", momenta);
    let powers = (0..at.u.len()).map(|control| power(problem, &at, control));
    inputs.rows(&problem.mechanics.controls(), "power of ", powers);
    graph.build()
}

/// Inputs q and v. Rows g, then G v.
pub(super) fn constraints(problem: &ControlProblem) -> Program {
    let graph = Graph::new();
    let inputs = Inputs { graph: &graph, problem };
    let (q, v) = (inputs.coordinates(""), inputs.coordinates(" rate"));
    inputs.constraints(&q).into_iter().for_each(|(name, g)| graph.subject_to(name, g, 0.0, 0.0));
    inputs.rates(&q, &v);
    graph.build()
}
