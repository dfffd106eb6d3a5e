//! Systems with slow and fast coordinates.

use std::sync::Arc;

use lariat::discretisation::multirate::{Multirate, Quadrature};
use lariat::discretisation::transcription::{At, Formula, Mechanics};
use lariat::nlp::graph::Expr;

pub const IMPLICIT: [Quadrature; 2] = [Quadrature::Midpoint, Quadrature::Midpoint];
pub const EXPLICIT: [Quadrature; 2] = [Quadrature::Affine(1.0), Quadrature::Affine(1.0)];
pub const IMPULSES: [Quadrature; 2] = [Quadrature::Affine(0.5), Quadrature::Affine(0.5)];
pub const EXPLICIT_SLOW: [Quadrature; 2] = [Quadrature::Affine(0.5), Quadrature::Midpoint];

pub type Start = (Vec<f64>, Vec<f64>);

fn names(letter: &str, count: usize) -> Vec<String> {
    (1..=count).map(|i| format!("{letter}{i}")).collect()
}

/// Chain of Fermi, Pasta and Ulam with stiff springs of frequency ω between pairs of masses and soft ones, quartic in their
/// extension, between the pairs (Hairer, Lubich and Wanner, section I.5): coordinates x0 of the pairs, x1 of the stiff springs.
pub struct Chain {
    pub springs: usize,
    pub omega: f64,
}

impl Mechanics for Chain {
    fn coordinates(&self) -> Vec<String> {
        [names("x0", self.springs), names("x1", self.springs)].concat()
    }
    fn controls(&self) -> Vec<String> {
        Vec::new()
    }
    fn lagrangian<'g>(&self, at: &At<'g>) -> Expr<'g> {
        let kinetic = at.v.iter().map(|v| 0.5 * v.square());
        let stiff = at.q[self.springs..].iter().map(|x| -0.5 * self.omega * self.omega * x.square());
        at.graph.sum(kinetic.chain(stiff).collect::<Vec<_>>())
    }
    fn forces<'g>(&self, at: &At<'g>) -> Vec<Expr<'g>> {
        vec![at.graph.constant(0.0); at.q.len()]
    }
}

pub fn chain(springs: usize, omega: f64, micro: usize, [slow, fast]: [Quadrature; 2]) -> (Multirate, Start) {
    let soft: Formula = Arc::new(move |at| {
        let (x0, x1) = at.q.split_at(springs);
        let first = (x0[0] - x1[0]).powi(4);
        let between = (1..springs).map(|i| (x0[i] - x1[i] - x0[i - 1] - x1[i - 1]).powi(4));
        let last = (x0[springs - 1] + x1[springs - 1]).powi(4);
        0.25 * at.graph.sum(between.chain([first, last]).collect::<Vec<_>>())
    });
    let (mut q, mut v) = (vec![0.0; 2 * springs], vec![0.0; 2 * springs]);
    (q[0], v[0], q[springs], v[springs]) = (1.0, 1.0, 1.0 / omega, 1.0);
    let system = Multirate {
        mechanics: Arc::new(Chain { springs, omega }),
        slow_potential: Some(soft),
        fast: (0..2 * springs).map(|i| i >= springs).collect(),
        micro,
        slow_quadrature: slow,
        fast_quadrature: fast,
    };
    (system, (q, v))
}

/// Point masses of 1 kg on rigid massless rods of 1 m, one below the other, in space.
pub struct Pendulum {
    pub masses: usize,
}

pub const GRAVITY: f64 = 9.81;

impl Mechanics for Pendulum {
    fn coordinates(&self) -> Vec<String> {
        (1..=self.masses).flat_map(|i| ["x", "y", "z"].map(|axis| format!("{axis}{i}"))).collect()
    }
    fn controls(&self) -> Vec<String> {
        Vec::new()
    }
    fn lagrangian<'g>(&self, at: &At<'g>) -> Expr<'g> {
        let kinetic = at.v.iter().map(|v| 0.5 * v.square());
        let weight = at.q.chunks(3).map(|x| -GRAVITY * x[2]);
        at.graph.sum(kinetic.chain(weight).collect::<Vec<_>>())
    }
    fn forces<'g>(&self, at: &At<'g>) -> Vec<Expr<'g>> {
        vec![at.graph.constant(0.0); at.q.len()]
    }
    fn constraints<'g>(&self, at: &At<'g>) -> Vec<(String, Expr<'g>)> {
        let rod = |i: usize| {
            let way =
                (0..3).map(|k| at.q[3 * i + k] - if i > 0 { at.q[3 * i - 3 + k] } else { at.graph.constant(0.0) });
            let square = at.graph.sum(way.map(|x| x.square()).collect::<Vec<_>>());
            (format!("rod {}", i + 1), 0.5 * (square - 1.0))
        };
        (0..self.masses).map(rod).collect()
    }
}

/// Masses on a horizontal line that turns with 1 rad/s; `slow` tells which masses are slow.
pub fn pendulum(slow: &[bool], micro: usize, [s, f]: [Quadrature; 2]) -> (Multirate, Start) {
    let masses = slow.len();
    let place =
        |axis: usize| (0..3 * masses).map(move |i| if i % 3 == axis { (i / 3 + 1) as f64 } else { 0.0 }).collect();
    let system = Multirate {
        mechanics: Arc::new(Pendulum { masses }),
        slow_potential: None,
        fast: (0..3 * masses).map(|i| !slow[i / 3]).collect(),
        micro,
        slow_quadrature: s,
        fast_quadrature: f,
    };
    (system, (place(0), place(1)))
}

/// Bodies in the plane that attract each other, G = 1.
pub struct Bodies {
    pub masses: Vec<f64>,
    /// Pairs whose attraction counts here.
    pub pairs: Vec<(usize, usize)>,
}

fn attraction<'g>(at: &At<'g>, masses: &[f64], pairs: &[(usize, usize)]) -> Expr<'g> {
    let pair = |&(a, b): &(usize, usize)| {
        let [x, y] = [0, 1].map(|k| at.q[2 * a + k] - at.q[2 * b + k]);
        -masses[a] * masses[b] / (x.square() + y.square()).sqrt()
    };
    at.graph.sum(pairs.iter().map(pair).collect::<Vec<_>>())
}

impl Mechanics for Bodies {
    fn coordinates(&self) -> Vec<String> {
        (1..=self.masses.len()).flat_map(|i| ["x", "y"].map(|axis| format!("{axis}{i}"))).collect()
    }
    fn controls(&self) -> Vec<String> {
        Vec::new()
    }
    fn lagrangian<'g>(&self, at: &At<'g>) -> Expr<'g> {
        let kinetic = at.v.iter().enumerate().map(|(i, v)| 0.5 * self.masses[i / 2] * v.square());
        let kinetic = at.graph.sum(kinetic.collect::<Vec<_>>());
        kinetic - attraction(at, &self.masses, &self.pairs)
    }
    fn forces<'g>(&self, at: &At<'g>) -> Vec<Expr<'g>> {
        vec![at.graph.constant(0.0); at.q.len()]
    }
}

/// Sun, planet, outer planet and a satellite of the planet (seed of Hairer, Lubich and Wanner 2003): planet and satellite are
/// fast, and their attraction is the fast potential.
pub fn solar(micro: usize, [slow, fast]: [Quadrature; 2]) -> (Multirate, Start) {
    let masses = vec![1.0, 0.01, 0.01, 0.0001];
    let others: Vec<(usize, usize)> = vec![(0, 1), (0, 2), (0, 3), (1, 2), (2, 3)];
    let weights = masses.clone();
    let system = Multirate {
        mechanics: Arc::new(Bodies { masses, pairs: vec![(1, 3)] }),
        slow_potential: Some(Arc::new(move |at| attraction(at, &weights, &others))),
        fast: vec![false, false, true, true, false, false, true, true],
        micro,
        slow_quadrature: slow,
        fast_quadrature: fast,
    };
    (system, (vec![0.0, 0.0, 1.0, 0.0, 4.0, 0.0, 1.01, 0.0], vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.5, 0.0, 0.0]))
}

/// A cart with a pendulum: kinetic energy couples both, the cart is damped and pushed, the pendulum's joint is damped.
pub struct Cart;

impl Mechanics for Cart {
    fn coordinates(&self) -> Vec<String> {
        vec!["x".into(), "theta".into()]
    }
    fn controls(&self) -> Vec<String> {
        Vec::new()
    }
    fn lagrangian<'g>(&self, at: &At<'g>) -> Expr<'g> {
        let ([theta], [x, turn]) = ([at.q[1]], [at.v[0], at.v[1]]);
        x.square() + 0.25 * turn.square() + 0.5 * x * turn * theta.cos() + 4.0 * theta.cos() - 0.5 * at.q[0].square()
    }
    fn forces<'g>(&self, at: &At<'g>) -> Vec<Expr<'g>> {
        vec![(3.0 * at.t).sin() - 0.3 * at.v[0], -0.2 * at.v[1] - 0.1 * at.v[0]]
    }
}

pub fn cart(micro: usize, [slow, fast]: [Quadrature; 2]) -> (Multirate, Start) {
    let system = Multirate {
        mechanics: Arc::new(Cart),
        slow_potential: Some(Arc::new(|at| 0.2 * (at.q[0] - at.q[1]).powi(4))),
        fast: vec![false, true],
        micro,
        slow_quadrature: slow,
        fast_quadrature: fast,
    };
    (system, (vec![0.3, 1.2], vec![0.5, -1.0]))
}
