//! The expressions of a macro step: a micro step, the macro grid, and constraints at a node.

use super::{Multirate, Quadrature};
use crate::discretisation::transcription::At;
use crate::nlp::Nlp;
use crate::nlp::graph::{Expr, Graph, Program};

/// Numbers of slow and fast coordinates with their places among all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Places {
    pub slow: Vec<usize>,
    pub fast: Vec<usize>,
}

impl Places {
    pub fn new(fast: &[bool]) -> Self {
        let of = |wanted: bool| (0..fast.len()).filter(|&i| fast[i] == wanted).collect();
        Self { slow: of(false), fast: of(true) }
    }

    /// Slow and fast values in the order of the coordinates.
    fn join<'g>(&self, slow: &[Expr<'g>], fast: &[Expr<'g>], zero: Expr<'g>) -> Vec<Expr<'g>> {
        let mut all = vec![zero; slow.len() + fast.len()];
        self.slow.iter().zip(slow).for_each(|(&i, value)| all[i] = *value);
        self.fast.iter().zip(fast).for_each(|(&i, value)| all[i] = *value);
        all
    }

    fn pick<'g>(places: &[usize], all: &[Expr<'g>]) -> Vec<Expr<'g>> {
        places.iter().map(|&i| all[i]).collect()
    }
}

/// Constraints by where they hold, as places among all.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Grids {
    /// Without fast coordinates: macro nodes.
    pub slow: Vec<usize>,
    /// With fast coordinates: micro nodes.
    pub fast: Vec<usize>,
}

pub(super) fn inputs<'g>(graph: &'g Graph, names: &[String], mark: &str) -> Vec<Expr<'g>> {
    let one = |name: &String| graph.variable(format!("{name}{mark}"), 0.0, f64::NEG_INFINITY, f64::INFINITY);
    names.iter().map(one).collect()
}

fn numbers<'g>(graph: &'g Graph, names: &[String], mark: &str) -> Vec<Expr<'g>> {
    names.iter().map(|name| graph.parameter(format!("{name}{mark}"))).collect()
}

fn names(system: &Multirate, places: &[usize]) -> Vec<String> {
    let all = system.mechanics.coordinates();
    places.iter().map(|&i| all[i].clone()).collect()
}

/// a + share (b − a).
fn between<'g>(a: &[Expr<'g>], b: &[Expr<'g>], share: Expr<'g>) -> Vec<Expr<'g>> {
    a.iter().zip(b).map(|(a, b)| *a + share * (*b - *a)).collect()
}

fn rate<'g>(a: &[Expr<'g>], b: &[Expr<'g>], h: Expr<'g>) -> Vec<Expr<'g>> {
    a.iter().zip(b).map(|(a, b)| (*b - *a) / h).collect()
}

/// A step from one configuration to another with constant velocity.
struct Segment<'g> {
    graph: &'g Graph,
    ends: [Vec<Expr<'g>>; 2],
    v: Vec<Expr<'g>>,
    times: [Expr<'g>; 2],
    h: Expr<'g>,
}

impl<'g> Segment<'g> {
    fn at(&self, q: Vec<Expr<'g>>, t: Expr<'g>, controls: usize) -> At<'g> {
        At { graph: self.graph, q, v: self.v.clone(), u: vec![self.graph.constant(0.0); controls], t }
    }

    /// ∫ f dt by the quadrature.
    fn integral(&self, quadrature: Quadrature, controls: usize, f: &dyn Fn(&At<'g>) -> Expr<'g>) -> Expr<'g> {
        let [q0, q1] = &self.ends;
        match quadrature {
            Quadrature::Midpoint => {
                let middle = q0.iter().zip(q1).map(|(a, b)| 0.5 * (*a + *b)).collect();
                self.h * f(&self.at(middle, 0.5 * (self.times[0] + self.times[1]), controls))
            }
            Quadrature::Affine(alpha) => {
                let [from, to] = self.states(controls);
                // A weight of zero leaves an end out, so that it need not have a value there.
                let terms = [(alpha, from), (1.0 - alpha, to)].into_iter().filter(|(weight, _)| *weight != 0.0);
                self.h * self.graph.sum(terms.map(|(weight, at)| weight * f(&at)).collect::<Vec<_>>())
            }
        }
    }

    fn states(&self, controls: usize) -> [At<'g>; 2] {
        [0, 1].map(|end| self.at(self.ends[end].clone(), self.times[end], controls))
    }

    /// Impulses of generalised forces at both ends, by coordinate.
    fn impulses(&self, system: &Multirate, quadrature: Quadrature) -> [Vec<Expr<'g>>; 2] {
        let (shares, states) = (quadrature.shares(), self.states(system.mechanics.controls().len()));
        [0, 1].map(|end| {
            let weight = shares[end] * self.h;
            system.mechanics.forces(&states[end]).into_iter().map(|force| weight * force).collect()
        })
    }
}

/// Whether energies and forces of slow coordinates do not depend on fast ones: they count on the macro grid then.
pub(super) fn is_separable(system: &Multirate, places: &Places) -> bool {
    let graph = Graph::new();
    let all = system.mechanics.coordinates();
    let (q, v) = (inputs(&graph, &all, ""), inputs(&graph, &all, " rate"));
    let u = vec![graph.constant(0.0); system.mechanics.controls().len()];
    let at = At { graph: &graph, q: q.clone(), v: v.clone(), u, t: graph.parameter("t") };
    let lagrangian = system.mechanics.lagrangian(&at);
    let slow: Vec<Expr<'_>> = [&q, &v].into_iter().flat_map(|list| Places::pick(&places.slow, list)).collect();
    graph.gradient(lagrangian, &slow).into_iter().for_each(|slope| graph.subject_to("slope", slope, 0.0, 0.0));
    let forces = system.mechanics.forces(&at);
    places.slow.iter().for_each(|&i| graph.subject_to("force", forces[i], 0.0, 0.0));
    let program = graph.build();
    let fast = places.fast.iter().flat_map(|&i| [i, all.len() + i]);
    fast.into_iter().all(|col| program.jacobian_pattern().column(col).is_empty())
}

/// Which constraints hold where, and their names.
pub(super) fn grids(system: &Multirate, places: &Places) -> (Grids, Vec<String>) {
    let graph = Graph::new();
    let all = system.mechanics.coordinates();
    let q = inputs(&graph, &all, "");
    let stated = system.mechanics.constraints(&still(system, &graph, q, graph.constant(0.0)));
    stated.iter().for_each(|(name, g)| graph.subject_to(name.clone(), *g, 0.0, 0.0));
    let program = graph.build();
    let pattern = program.jacobian_pattern();
    let mut is_fast = vec![false; stated.len()];
    for &i in &places.fast {
        pattern.column(i).for_each(|entry| is_fast[pattern.row_idx()[entry]] = true);
    }
    let of = |wanted: bool| (0..stated.len()).filter(|&i| is_fast[i] == wanted).collect();
    (Grids { slow: of(false), fast: of(true) }, stated.into_iter().map(|(name, _)| name).collect())
}

/// A configuration at a time as constraints take it.
pub(super) fn still<'g>(system: &Multirate, graph: &'g Graph, q: Vec<Expr<'g>>, t: Expr<'g>) -> At<'g> {
    let zero = graph.constant(0.0);
    At { graph, v: vec![zero; q.len()], q, u: vec![zero; system.mechanics.controls().len()], t }
}

/// A micro step. Variables: slow coordinates b at the end of the macro step, fast ones at both micro nodes. Parameters: slow
/// ones a at its beginning, h, H, shares and times of the micro nodes. Rows: derivatives of the action, with impulses of
/// forces, by the fast coordinates of both nodes and, unless `separable`, by a and b.
pub(super) fn micro(system: &Multirate, places: &Places, separable: bool) -> Program {
    let graph = Graph::new();
    let (slow, fast) = (names(system, &places.slow), names(system, &places.fast));
    let (b, f0, f1) =
        (inputs(&graph, &slow, " after"), inputs(&graph, &fast, " before"), inputs(&graph, &fast, " after"));
    let a = numbers(&graph, &slow, " before");
    let [h, whole, share0, share1, t0, t1] =
        ["h", "H", "share before", "share after", "t before", "t after"].map(|name| graph.parameter(name));
    let zero = graph.constant(0.0);
    let segment = Segment {
        graph: &graph,
        ends: [places.join(&between(&a, &b, share0), &f0, zero), places.join(&between(&a, &b, share1), &f1, zero)],
        v: places.join(&rate(&a, &b, whole), &rate(&f0, &f1, h), zero),
        times: [t0, t1],
        h,
    };
    let controls = system.mechanics.controls().len();
    let action = segment.integral(system.fast_quadrature, controls, &|at| system.mechanics.lagrangian(at));
    let impulses = segment.impulses(system, system.fast_quadrature);
    for (mark, by, side) in [("motion before of ", &f0, 0), ("motion after of ", &f1, 1)] {
        let slopes = graph.gradient(action, by).into_iter().zip(Places::pick(&places.fast, &impulses[side]));
        for ((slope, impulse), name) in slopes.zip(&fast) {
            graph.subject_to(format!("{mark}{name}"), slope + impulse, 0.0, 0.0);
        }
    }
    if !separable {
        let one = graph.constant(1.0);
        let ends = [(&a, one - share0, one - share1, " before"), (&b, share0, share1, " after")];
        for (by, first, second, mark) in ends {
            let slopes = graph.gradient(action, by).into_iter().zip(&places.slow).zip(&slow);
            for ((slope, &i), name) in slopes {
                let impulse = first * impulses[0][i] + second * impulses[1][i];
                graph.subject_to(format!("motion{mark} of {name}"), slope + impulse, 0.0, 0.0);
            }
        }
    }
    graph.build()
}

/// The macro grid. Variables: slow coordinates b and fast ones at the end. Parameters: slow coordinates a and fast ones at the
/// beginning, H and times of the macro nodes. Rows: derivatives of the slow potential and, if `separable`, of the energies of
/// slow coordinates with impulses of forces on them, by a, b and the fast coordinates at the beginning and at the end.
pub(super) fn whole(system: &Multirate, places: &Places, separable: bool) -> Program {
    let graph = Graph::new();
    let (slow, fast) = (names(system, &places.slow), names(system, &places.fast));
    let (b, f1) = (inputs(&graph, &slow, " after"), inputs(&graph, &fast, " after"));
    let (a, f0) = (numbers(&graph, &slow, " before"), numbers(&graph, &fast, " before"));
    let [h, t0, t1] = ["H", "t before", "t after"].map(|name| graph.parameter(name));
    let zero = graph.constant(0.0);
    let segment = Segment {
        graph: &graph,
        ends: [places.join(&a, &f0, zero), places.join(&b, &f1, zero)],
        v: places.join(&rate(&a, &b, h), &rate(&f0, &f1, h), zero),
        times: [t0, t1],
        h,
    };
    let controls = system.mechanics.controls().len();
    let potential = system
        .slow_potential
        .as_ref()
        .map_or(zero, |potential| -segment.integral(system.slow_quadrature, controls, &|at| potential(at)));
    let action = match separable {
        true => potential + segment.integral(system.slow_quadrature, controls, &|at| system.mechanics.lagrangian(at)),
        false => potential,
    };
    let impulses = segment.impulses(system, system.slow_quadrature);
    for (mark, by, side) in [("motion before of ", &a, 0), ("motion after of ", &b, 1)] {
        let slopes = graph.gradient(action, by).into_iter().zip(Places::pick(&places.slow, &impulses[side]));
        for ((slope, impulse), name) in slopes.zip(&slow) {
            let sum = if separable { slope + impulse } else { slope };
            graph.subject_to(format!("{mark}{name}"), sum, 0.0, 0.0);
        }
    }
    for (mark, by) in [("motion before of ", &f0), ("motion after of ", &f1)] {
        for (slope, name) in graph.gradient(potential, by).into_iter().zip(&fast) {
            graph.subject_to(format!("{mark}{name}"), slope, 0.0, 0.0);
        }
    }
    graph.build()
}

/// Constraints at a node. Variables: slow and fast coordinates there, and impulses μ; parameter: the time. Rows: (∂g/∂q^s)ᵀμ, (∂g/∂q^f)ᵀμ and g, for
/// the constraints that are wanted.
pub(super) fn constraints(system: &Multirate, places: &Places, wanted: &[usize]) -> Program {
    let graph = Graph::new();
    let (s, f) = (inputs(&graph, &names(system, &places.slow), ""), inputs(&graph, &names(system, &places.fast), ""));
    let mu = (0..wanted.len()).map(|i| format!("impulse {i}")).collect::<Vec<_>>();
    let mu = inputs(&graph, &mu, "");
    let t = graph.parameter("t");
    let all = system.mechanics.constraints(&still(system, &graph, places.join(&s, &f, graph.constant(0.0)), t));
    let kept: Vec<(String, Expr<'_>)> = wanted.iter().map(|&i| all[i].clone()).collect();
    let work = graph.sum(kept.iter().zip(&mu).map(|((_, g), mu)| *g * *mu).collect::<Vec<_>>());
    let by: Vec<Expr<'_>> = s.into_iter().chain(f).collect();
    graph.gradient(work, &by).into_iter().for_each(|slope| graph.subject_to("impulse", slope, 0.0, 0.0));
    kept.into_iter().for_each(|(name, g)| graph.subject_to(name, g, 0.0, 0.0));
    graph.build()
}
