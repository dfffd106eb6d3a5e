//! The small programs of a transcription: an interval, a node with constraints, the ends.

use super::action::Action;
use super::interpolation::Interpolation;
use super::{At, ControlProblem};
use crate::nlp::graph::{Expr, Graph, Program};

/// Makes inputs in the order of their mention.
pub(super) struct Inputs<'g, 'p> {
    pub graph: &'g Graph,
    pub problem: &'p ControlProblem,
}

/// A node of the mesh.
pub(super) struct Node<'g> {
    /// Its unknowns: the coordinates, or those of a chart.
    pub unknowns: Vec<Expr<'g>>,
    /// The coordinates.
    pub q: Vec<Expr<'g>>,
    /// Whether both differ.
    pub reduced: bool,
}

impl<'g> Node<'g> {
    /// A node whose coordinates are its unknowns.
    pub fn plain(q: Vec<Expr<'g>>) -> Self {
        Self { unknowns: q.clone(), q, reduced: false }
    }
}

/// When something happens.
pub(super) struct Times<'g> {
    duration: Expr<'g>,
    /// The instant at which the motion begins, unless that is zero.
    begins: Option<Expr<'g>>,
}

impl<'g> Times<'g> {
    /// The time since zero at a share of the duration.
    pub fn since_zero(&self, share: Expr<'g>) -> Expr<'g> {
        let own = self.duration * share;
        self.begins.map_or(own, |begins| begins + own)
    }

    /// A state whose time counts from the beginning.
    fn own(&self, at: &At<'g>) -> At<'g> {
        let t = self.begins.map_or(at.t, |begins| at.t - begins);
        At { t, ..at.clone() }
    }
}

impl<'g> Inputs<'g, '_> {
    /// Inputs: the coordinates, or local ones and the numbers of their reference point.
    fn node(&self, mark: &str) -> Node<'g> {
        let Some(chart) = self.problem.chart() else { return Node::plain(self.coordinates(mark)) };
        let names = chart.names(&self.problem.mechanics.coordinates());
        let unknowns: Vec<Expr<'g>> = names.iter().map(|name| self.one(&format!("{name}{mark}"))).collect();
        let numbers: Vec<Expr<'g>> =
            (0..chart.numbers()).map(|i| self.graph.parameter(format!("reference {i}{mark}"))).collect();
        let q = chart.configuration(self.graph, &unknowns, &numbers);
        Node { unknowns, q, reduced: true }
    }

    /// Pᵀ times forces, P = ∂q/∂f at a node.
    pub fn along(&self, node: &Node<'g>, forces: Vec<Expr<'g>>) -> Vec<Expr<'g>> {
        if !node.reduced {
            return forces;
        }
        let slopes: Vec<Vec<Expr<'g>>> = node.q.iter().map(|q| self.graph.gradient(*q, &node.unknowns)).collect();
        let one = |j: usize| self.graph.sum(slopes.iter().zip(&forces).map(|(slopes, force)| slopes[j] * *force));
        (0..node.unknowns.len()).map(one).collect()
    }

    /// Unknowns at the points of an interval between its ends, point after point.
    fn inner(&self) -> Vec<Expr<'g>> {
        let points = Interpolation::new(self.problem.rule).inner();
        (1..=points).flat_map(|point| self.coordinates(&format!(" at inner point {point}"))).collect()
    }

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
    pub fn duration(&self) -> Expr<'g> {
        self.problem.duration.value().map_or_else(|| self.one("duration"), |value| self.graph.constant(value))
    }

    /// The duration and the instant at which it begins: inputs where they are free.
    pub fn times(&self) -> Times<'g> {
        let duration = self.duration();
        let begins = match self.problem.begins.value() {
            Some(0.0) => None,
            Some(value) => Some(self.graph.constant(value)),
            None => Some(self.one("begins")),
        };
        Times { duration, begins }
    }

    fn zeros(&self, count: usize) -> Vec<Expr<'g>> {
        vec![self.graph.constant(0.0); count]
    }

    /// A state without controls.
    pub fn state(&self, q: &[Expr<'g>], v: &[Expr<'g>], t: Expr<'g>) -> At<'g> {
        let u = self.zeros(self.problem.mechanics.controls().len());
        At { graph: self.graph, q: q.to_vec(), v: v.to_vec(), u, t }
    }

    /// Constraints at a configuration and a time that have multipliers.
    fn kept(&self, q: &[Expr<'g>], t: Expr<'g>) -> Vec<(String, Expr<'g>)> {
        let chart = self.problem.chart();
        let satisfied = chart.as_ref().map_or(&[][..], |chart| chart.satisfied());
        let all = self.constraints(q, t).into_iter().enumerate();
        all.filter(|(i, _)| !satisfied.contains(i)).map(|(_, constraint)| constraint).collect()
    }

    /// Constraints at a configuration and a time.
    pub fn constraints(&self, q: &[Expr<'g>], t: Expr<'g>) -> Vec<(String, Expr<'g>)> {
        let at = self.state(q, &self.zeros(q.len()), t);
        self.problem.mechanics.constraints(&at)
    }

    /// The multipliers λ of constraints.
    fn multipliers(&self, names: &[String]) -> Vec<Expr<'g>> {
        names.iter().map(|name| self.one(&format!("force of {name}"))).collect()
    }

    /// Gᵀλ by the unknowns that the constraints depend on.
    pub fn constraint_forces(
        &self,
        constraints: Vec<(String, Expr<'g>)>,
        by: &[Expr<'g>],
        multipliers: &[Expr<'g>],
    ) -> Vec<Expr<'g>> {
        let work = constraints.into_iter().zip(multipliers).map(|((_, g), multiplier)| g * *multiplier);
        let work: Vec<Expr<'g>> = work.collect();
        self.graph.gradient(self.graph.sum(work), by)
    }

    /// Rows G v + ∂g/∂t: the derivative of g(q + s v, t + s) by an input s, which is to be zero.
    fn rates(&self, q: &[Expr<'g>], v: &[Expr<'g>], t: Expr<'g>) {
        let s = self.graph.parameter("shift");
        let shifted: Vec<Expr<'g>> = q.iter().zip(v).map(|(q, v)| *q + s * *v).collect();
        for (name, g) in self.constraints(&shifted, t + s) {
            let rate = self.graph.gradient(g, &[s]);
            self.graph.subject_to(format!("rate of {name}"), self.graph.sum(rate), 0.0, 0.0);
        }
    }

    fn rows(&self, names: &[String], mark: &str, values: impl IntoIterator<Item = Expr<'g>>) {
        for (name, value) in names.iter().zip(values) {
            self.graph.subject_to(format!("{mark}{name}"), value, 0.0, 0.0);
        }
    }
}

/// Names of the unknowns of a node: coordinates, or those of the chart.
pub(super) fn unknown_names(problem: &ControlProblem) -> Vec<String> {
    let names = problem.mechanics.coordinates();
    problem.chart().map_or_else(|| names.clone(), |chart| chart.names(&names))
}

/// Names of the constraints of the system.
pub(super) fn constraint_names(problem: &ControlProblem) -> Vec<String> {
    let graph = Graph::new();
    let inputs = Inputs { graph: &graph, problem };
    inputs.constraints(&inputs.coordinates(""), graph.constant(0.0)).into_iter().map(|(name, _)| name).collect()
}

/// Number of forces the system has.
pub(super) fn force_count(problem: &ControlProblem) -> usize {
    let graph = Graph::new();
    let inputs = Inputs { graph: &graph, problem };
    let (q, v, u) = (inputs.coordinates(""), inputs.coordinates(" rate"), inputs.controls());
    problem.mechanics.forces(&At { graph: &graph, q, v, u, t: inputs.one("time") }).len()
}

/// Names of the constraints that have multipliers.
pub(super) fn kept_names(problem: &ControlProblem) -> Vec<String> {
    let graph = Graph::new();
    let inputs = Inputs { graph: &graph, problem };
    inputs.kept(&inputs.coordinates(""), graph.constant(0.0)).into_iter().map(|(name, _)| name).collect()
}

/// Inputs: both nodes, points between them, u, stresses that are unknowns, T and the beginning if they are free, and the share of
/// the duration at the middle. Objective h C; rows D₁L_d + f⁻, D₂L_d + f⁺, the same of the points between, ∂L_d/∂σ of the stresses, and the path
/// constraints.
pub(super) fn interval(problem: &ControlProblem, intervals: usize) -> Program {
    let graph = Graph::new();
    let inputs = Inputs { graph: &graph, problem };
    let (q0, q1, between, u) = (inputs.node(" before"), inputs.node(" after"), inputs.inner(), inputs.controls());
    let stress_names = problem.stresses();
    let stresses: Vec<Expr<'_>> = stress_names.iter().map(|name| inputs.one(name)).collect();
    let (times, share) = (inputs.times(), graph.parameter("share"));
    let h = times.duration * (1.0 / intervals as f64);
    let Action { middle, samples, sides: [before, after], inner, strains, .. } =
        Action::mixed(&inputs, [&q0, &q1], [&between, &u, &stresses], h, times.since_zero(share));
    let middle = times.own(&middle);
    let samples: Vec<(f64, At<'_>)> = samples.into_iter().map(|(weight, at)| (weight, times.own(&at))).collect();
    let names = unknown_names(problem);
    inputs.rows(&names, "motion before the interval of ", before);
    inputs.rows(&names, "motion after the interval of ", after);
    for (i, motion) in inner.into_iter().enumerate() {
        graph.subject_to(format!("motion in the interval of {}", names[i % names.len()]), motion, 0.0, 0.0);
    }
    inputs.rows(&stress_names, "strain of ", strains);
    for path in &problem.path {
        graph.subject_to(path.name.clone(), (path.formula)(&middle), path.lower, path.upper);
    }
    let running = problem
        .cost
        .running
        .iter()
        .flat_map(|(weight, formula)| samples.iter().map(move |(share, at)| *share * *weight * formula(at)));
    graph.minimise(h * graph.sum(running.collect::<Vec<_>>()));
    graph.build()
}

/// Inputs: the node, λ, T and the beginning if they are free, and the share of T. Rows −w h Gᵀλ, with the weight w of the node, 1 or ½, and g where
/// it is asked for.
pub(super) fn node(problem: &ControlProblem, intervals: usize, weight: f64, with_constraints: bool) -> Program {
    let graph = Graph::new();
    let inputs = Inputs { graph: &graph, problem };
    let node = inputs.node("");
    let multipliers = inputs.multipliers(&kept_names(problem));
    let (times, share) = (inputs.times(), graph.parameter("share"));
    let kept = inputs.kept(&node.q, times.since_zero(share));
    let forces = inputs.constraint_forces(kept.clone(), &node.unknowns, &multipliers);
    let factor = times.duration * (-weight / intervals as f64);
    inputs.rows(&unknown_names(problem), "motion of ", forces.into_iter().map(|force| factor * force));
    if with_constraints {
        kept.into_iter().for_each(|(name, g)| graph.subject_to(name, g, 0.0, 0.0));
    }
    graph.build()
}

/// Inputs: the node. Rows: the coordinates of the list.
pub(super) fn limits(problem: &ControlProblem, coordinates: &[usize]) -> Program {
    let graph = Graph::new();
    let inputs = Inputs { graph: &graph, problem };
    let (node, names) = (inputs.node(""), problem.mechanics.coordinates());
    coordinates.iter().for_each(|&i| graph.subject_to(names[i].clone(), node.q[i], 0.0, 0.0));
    graph.build()
}

/// Inputs: the node, T if it is free, and the share of it. Rows: the servo constraints.
pub(super) fn servo(problem: &ControlProblem) -> Program {
    let graph = Graph::new();
    let inputs = Inputs { graph: &graph, problem };
    let (node, duration, share) = (inputs.node(""), inputs.duration(), graph.parameter("share"));
    let at = inputs.state(&node.q, &inputs.zeros(node.q.len()), duration * share);
    problem.servo.iter().for_each(|(name, formula)| graph.subject_to(name.clone(), formula(&at), 0.0, 0.0));
    graph.build()
}

/// Inputs: a control before and after a node, and T if it is free. Row: its rate of change.
pub(super) fn change(problem: &ControlProblem, intervals: usize) -> Program {
    let graph = Graph::new();
    let inputs = Inputs { graph: &graph, problem };
    let (before, after) = (inputs.one("before"), inputs.one("after"));
    let step = inputs.duration() * (1.0 / intervals as f64);
    graph.subject_to("rate", (after - before) / step, 0.0, 0.0);
    graph.build()
}

/// Inputs: the node, v, T and the beginning if they are free, the time being a share of T; 0 where G v is asked for. Rows sign · ∂L/∂v, and
/// G v where it is asked for.
pub(super) fn momentum(problem: &ControlProblem, share: f64, sign: f64, with_constraints: bool) -> Program {
    let graph = Graph::new();
    let inputs = Inputs { graph: &graph, problem };
    let (node, v) = (inputs.node(""), inputs.coordinates(" rate"));
    let t = inputs.times().since_zero(graph.constant(share));
    let lagrangian = problem.mechanics.lagrangian(&inputs.state(&node.q, &v, t));
    let momenta = graph.gradient(lagrangian, &v).into_iter().map(|p| sign * p);
    inputs.rows(&unknown_names(problem), "momentum of ", inputs.along(&node, momenta.collect()));
    if with_constraints {
        inputs.rates(&node.q, &v, t);
    }
    graph.build()
}

/// Inputs: the node, v and T if it is free. Objective: the cost of the start.
pub(super) fn first(problem: &ControlProblem) -> Program {
    let graph = Graph::new();
    let inputs = Inputs { graph: &graph, problem };
    let (node, v, duration) = (inputs.node(""), inputs.coordinates(" rate"), inputs.duration());
    let at = inputs.state(&node.q, &v, 0.0 * duration);
    let terms = problem.cost.first.iter().map(|(weight, formula)| *weight * formula(&at));
    graph.minimise(graph.sum(terms.collect::<Vec<_>>()));
    graph.build()
}

/// Inputs: a control in five steps in a row, a weight and T if it is free. Objective weight · h ũ² with what alternates of it, ũ.
pub(super) fn ripple(problem: &ControlProblem, intervals: usize) -> Program {
    let graph = Graph::new();
    let inputs = Inputs { graph: &graph, problem };
    let [a, b, c, d, e] = ["first", "second", "third", "fourth", "fifth"].map(|name| inputs.one(name));
    let weight = inputs.one("weight");
    let alternating = (a - 4.0 * b + 6.0 * c - 4.0 * d + e) * (1.0 / 16.0);
    graph.minimise(weight * alternating.square() * inputs.duration() * (1.0 / intervals as f64));
    graph.build()
}

/// Inputs: the node, v and T if it is free. Objective: the cost of the end and of the duration.
pub(super) fn last(problem: &ControlProblem) -> Program {
    let graph = Graph::new();
    let inputs = Inputs { graph: &graph, problem };
    let (node, v, duration) = (inputs.node(""), inputs.coordinates(" rate"), inputs.duration());
    let at = inputs.state(&node.q, &v, duration);
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

/// Inputs: both nodes, the points between, u, the power w that a control spends, T and the beginning if they are free and the share
/// of the duration at the middle. Objective weight · h w; rows w − P ≥ 0 with the power P of the control at the middle, and w ≥ 0: at the least cost
/// w = max(P, 0).
pub(super) fn work(problem: &ControlProblem, intervals: usize, control: usize, weight: f64) -> Program {
    let graph = Graph::new();
    let inputs = Inputs { graph: &graph, problem };
    let (q0, q1, between, u) = (inputs.node(" before"), inputs.node(" after"), inputs.inner(), inputs.controls());
    let w = inputs.one("spent");
    let (times, share) = (inputs.times(), graph.parameter("share"));
    let h = times.duration * (1.0 / intervals as f64);
    let Action { middle, .. } = Action::new(&inputs, [&q0, &q1], &between, &u, h, times.since_zero(share));
    graph.subject_to("above the power", w - power(problem, &middle, control), 0.0, f64::INFINITY);
    graph.subject_to("positive", w, 0.0, f64::INFINITY);
    graph.minimise(weight * w * h);
    graph.build()
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

/// One step of a motion. Inputs q₁, points between, λ₀, q₀, p₀, u, h, the time at the middle and the weight w of the
/// constraint forces. Rows p₀ + D₁L_d + f⁻ − w h G(q₀)ᵀλ₀, those of the points between and g(q₁), which are to be zero, then
/// p₁ = D₂L_d + f⁺.
pub(super) fn step(problem: &ControlProblem) -> Program {
    let graph = Graph::new();
    let inputs = Inputs { graph: &graph, problem };
    let (q1, between) = (inputs.coordinates(" after"), inputs.inner());
    let multipliers = inputs.multipliers(&constraint_names(problem));
    let (q0, p0, u) = (inputs.coordinates(" before"), inputs.coordinates(" momentum"), inputs.controls());
    let (h, t, weight) = (inputs.one("step"), inputs.one("time"), inputs.one("weight"));
    let pull = inputs.constraint_forces(inputs.constraints(&q0, t - 0.5 * h), &q0, &multipliers);
    let constraints = inputs.constraints(&q1, t + 0.5 * h);
    let nodes = [q0, q1].map(Node::plain);
    let Action { h, sides: [before, after], inner, .. } =
        Action::new(&inputs, [&nodes[0], &nodes[1]], &between, &u, h, t);
    let names = problem.mechanics.coordinates();
    let sums = p0.iter().zip(before).zip(pull).map(|((p, d), g)| *p + d - weight * h * g);
    inputs.rows(&names, "motion of ", sums.collect::<Vec<_>>());
    for (i, motion) in inner.into_iter().enumerate() {
        graph.subject_to(format!("motion in the interval of {}", names[i % names.len()]), motion, 0.0, 0.0);
    }
    constraints.into_iter().for_each(|(name, g)| graph.subject_to(name, g, 0.0, 0.0));
    inputs.rows(&names, "momentum of ", after);
    graph.build()
}

/// The end of a motion. Inputs v, λ, q, p, h, t and 0. Rows p − ∂L/∂v − h/2 Gᵀλ and G v, which are to be zero.
pub(super) fn arrival(problem: &ControlProblem) -> Program {
    let graph = Graph::new();
    let inputs = Inputs { graph: &graph, problem };
    let v = inputs.coordinates(" rate");
    let multipliers = inputs.multipliers(&constraint_names(problem));
    let (q, p) = (inputs.coordinates(""), inputs.coordinates(" momentum"));
    let (h, t) = (inputs.one("step"), inputs.one("time"));
    let momenta = graph.gradient(problem.mechanics.lagrangian(&inputs.state(&q, &v, t)), &v);
    let pull = inputs.constraint_forces(inputs.constraints(&q, t), &q, &multipliers);
    let sums = p.iter().zip(momenta).zip(pull).map(|((p, momentum), g)| *p - momentum - 0.5 * h * g);
    inputs.rows(&problem.mechanics.coordinates(), "momentum of ", sums.collect::<Vec<_>>());
    inputs.rates(&q, &v, t);
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

/// Inputs q, v, t and 0. Rows g, then G v + ∂g/∂t.
pub(super) fn constraints(problem: &ControlProblem) -> Program {
    let graph = Graph::new();
    let inputs = Inputs { graph: &graph, problem };
    let (q, v, t) = (inputs.coordinates(""), inputs.coordinates(" rate"), inputs.one("time"));
    inputs.constraints(&q, t).into_iter().for_each(|(name, g)| graph.subject_to(name, g, 0.0, 0.0));
    inputs.rates(&q, &v, t);
    graph.build()
}
