//! Discrete mechanics and optimal control: a cost, minimised over motions that obey a discrete action principle.
//!
//! With h = T/N, nodes q₀ … q_N, q_m = (q_k + q_{k+1})/2, v_m = (q_{k+1} − q_k)/h and controls u_k constant in each
//! interval the midpoint rule has L_d = h L(q_m, v_m) and forces f_k⁻ = h/2 Q(q_k, v_m, u_k), f_k⁺ = h/2 Q(q_{k+1}, v_m, u_k)
//! (Ober-Blöbaum, Junge and Marsden 2011). The rows of the program are the momenta of the nodes:
//!
//! | node | row |
//! |---|---|
//! | 0 | ∂L/∂v(q₀, v₀) + D₁L_d(q₀, q₁) + f₀⁻ − h/2 G(q₀)ᵀλ₀ = 0 |
//! | 1 … N−1 | D₂L_d(q_{k−1}, q_k) + D₁L_d(q_k, q_{k+1}) + f_{k−1}⁺ + f_k⁻ − h G(q_k)ᵀλ_k = 0 |
//! | N | −∂L/∂v(q_N, v_N) + D₂L_d(q_{N−1}, q_N) + f_{N−1}⁺ − h/2 G(q_N)ᵀλ_N = 0 |
//!
//! with holonomic constraints g(q_k) = 0, G = ∂g/∂q, at all nodes that are not given completely, and G(q) v = 0 at ends whose
//! velocities are not.
//!
//! With [`Reduction::NullSpace`] the unknowns of a node are local coordinates f of a [`Chart`], q_k = q(f_k), and the rows
//! are multiplied by Pᵀ, P = ∂q/∂f: constraints that the chart satisfies vanish together with their multipliers, and the
//! motions are the same. [`Rule::Galerkin`] has polynomials of higher degree in each interval instead of straight lines,
//! through further unknowns with rows of their own. Everything is written as expressions once for an interval; derivatives of any order follow from the
//! graph.

mod action;
mod audit;
mod chart;
mod checks;
mod continuous;
mod demand;
mod dependence;
mod families;
pub mod formulas;
mod forward;
mod frames;
mod hamiltonian;
mod interpolation;
pub mod multibody;
mod names;
mod parts;
mod phases;
mod places;
mod reach;
mod reference;
mod small;
mod trajectory;
mod whole;

use std::sync::Arc;

use crate::kernel::linear;
use crate::nlp::graph::{Expr, Graph};

pub use audit::{Audit, Overrun, audit};
pub use chart::{Chart, ChartError, Group, Linear, Manifold};
pub use checks::TranscriptionError;
pub use continuous::Continuous;
pub use demand::{Demand, Evaluator, RestWish, kinetic_energy, rest_program, values_along, values_at};
pub use forward::{Forward, ForwardError, SteppedMotion};
pub use phases::{Phase, PhaseError, PhasedProblem, PhasedTranscription, nearest_switch};
pub use places::Spot;
pub use reach::unreached;
pub use trajectory::{Balance, Trajectory};
pub use whole::Transcription;

/// What expressions of a system are functions of.
#[derive(Debug, Clone)]
pub struct At<'g> {
    /// Where the expressions live.
    pub graph: &'g Graph,
    /// Coordinates.
    pub q: Vec<Expr<'g>>,
    /// Velocities.
    pub v: Vec<Expr<'g>>,
    /// Controls.
    pub u: Vec<Expr<'g>>,
    /// Time, second.
    pub t: Expr<'g>,
}

/// A mechanical system by its energies and forces.
///
/// A point mass on a line, pushed by a force:
///
/// ```
/// use lariat::discretisation::transcription::{At, Mechanics};
/// use lariat::nlp::graph::Expr;
///
/// struct Point;
///
/// impl Mechanics for Point {
///     fn coordinates(&self) -> Vec<String> {
///         vec!["x".into()]
///     }
///     fn controls(&self) -> Vec<String> {
///         vec!["u".into()]
///     }
///     fn lagrangian<'g>(&self, at: &At<'g>) -> Expr<'g> {
///         0.5 * at.v[0].square()
///     }
///     fn forces<'g>(&self, at: &At<'g>) -> Vec<Expr<'g>> {
///         vec![at.u[0]]
///     }
/// }
/// ```
pub trait Mechanics: Send + Sync {
    /// Names of the coordinates.
    fn coordinates(&self) -> Vec<String>;

    /// Names of the controls.
    fn controls(&self) -> Vec<String>;

    /// The Lagrangian L(q, v), joule. Controls do not enter.
    fn lagrangian<'g>(&self, at: &At<'g>) -> Expr<'g>;

    /// Generalised forces Q(q, v, u, t), one for each coordinate.
    fn forces<'g>(&self, at: &At<'g>) -> Vec<Expr<'g>>;

    /// Holonomic constraints g(q) = 0 with their names.
    fn constraints<'g>(&self, _at: &At<'g>) -> Vec<(String, Expr<'g>)> {
        Vec::new()
    }

    /// Local coordinates on manifolds that constraints describe, for [`Reduction::NullSpace`].
    fn chart(&self) -> Option<Chart> {
        None
    }

    /// Names of the stresses that can be unknowns of their own, for [`ControlProblem::mixed`].
    fn stresses(&self) -> Vec<String> {
        Vec::new()
    }

    /// The Lagrangian with stresses σ in place of the energies of their strains, σ · ε(q) − W*(σ) with the complementary energy
    /// W* (Hellinger and Reissner): stationary in σ where these are the stresses of the strains, and there it is L.
    fn mixed_lagrangian<'g>(&self, at: &At<'g>, _stresses: &[Expr<'g>]) -> Expr<'g> {
        self.lagrangian(at)
    }
}

/// An expression of a system.
pub type Formula = Arc<dyn for<'g> Fn(&At<'g>) -> Expr<'g> + Send + Sync>;

/// What is known of a quantity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Given {
    /// Its value.
    Fixed(f64),
    /// Bounds, which may be infinite.
    Between(f64, f64),
}

impl Given {
    /// Nothing is known.
    pub const FREE: Self = Self::Between(f64::NEG_INFINITY, f64::INFINITY);

    /// The value, if it is given.
    pub fn value(self) -> Option<f64> {
        match self {
            Self::Fixed(value) => Some(value),
            Self::Between(..) => None,
        }
    }

    /// Lower and upper bound.
    pub fn bounds(self) -> (f64, f64) {
        match self {
            Self::Fixed(value) => (value, value),
            Self::Between(lower, upper) => (lower, upper),
        }
    }
}

/// What is known of the state at the start or at the end.
#[derive(Debug, Clone, PartialEq)]
pub struct End {
    /// Coordinates.
    pub position: Vec<Given>,
    /// Velocities.
    pub velocity: Vec<Given>,
}

impl End {
    /// At rest in a configuration.
    pub fn at_rest(q: &[f64]) -> Self {
        let position = q.iter().map(|q| Given::Fixed(*q)).collect();
        Self { position, velocity: vec![Given::Fixed(0.0); q.len()] }
    }

    /// Moving through a configuration with a velocity.
    pub fn moving(q: &[f64], v: &[f64]) -> Self {
        let fixed = |values: &[f64]| values.iter().map(|value| Given::Fixed(*value)).collect();
        Self { position: fixed(q), velocity: fixed(v) }
    }

    fn given_position(&self) -> Option<Vec<f64>> {
        self.position.iter().map(|given| given.value()).collect()
    }

    fn given_velocity(&self) -> Option<Vec<f64>> {
        self.velocity.iter().map(|given| given.value()).collect()
    }
}

/// How the action of an interval is approximated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Rule {
    /// L_d = h L((q₀ + q₁)/2, (q₁ − q₀)/h).
    #[default]
    Midpoint,
    /// L_d = h/2 (L(q₀, (q₁ − q₀)/h) + L(q₁, (q₁ − q₀)/h)).
    Trapezoidal,
    /// L_d = h Σ w_b L(q(c_b), v(c_b)) with as many Gauss points as the degree of the polynomial q through Lobatto points of
    /// the interval; motions have the order 2 · degree. For systems without constraints.
    Galerkin {
        /// Degree of the polynomials, 1 to 6.
        degree: usize,
    },
}

impl Rule {
    /// What messages and reports call it.
    pub fn name(self) -> String {
        match self {
            Self::Midpoint => "midpoint rule".to_owned(),
            Self::Trapezoidal => "trapezoidal rule".to_owned(),
            Self::Galerkin { degree } => format!("Galerkin rule of degree {degree}"),
        }
    }

    /// Order of the motions.
    pub fn order(self) -> usize {
        match self {
            Self::Midpoint | Self::Trapezoidal => 2,
            Self::Galerkin { degree } => 2 * degree,
        }
    }
}

/// How holonomic constraints are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reduction {
    /// By rows and multipliers.
    #[default]
    Multipliers,
    /// By the chart of the system, as far as it satisfies them; by rows and multipliers otherwise.
    NullSpace,
}

/// A constraint along the way.
#[derive(Clone)]
pub struct PathConstraint {
    /// What messages call it.
    pub name: String,
    /// Its expression, taken at the middle of each interval.
    pub formula: Formula,
    /// Lower bound.
    pub lower: f64,
    /// Upper bound.
    pub upper: f64,
}

/// What is minimised: a weighted sum.
#[derive(Clone, Default)]
pub struct Cost {
    /// Integrals of expressions.
    pub running: Vec<(f64, Formula)>,
    /// Weight of the duration T.
    pub time: f64,
    /// Weights of ∫|u| by control.
    pub fuel: Vec<(usize, f64)>,
    /// Weights of max|u| by control.
    pub peak: Vec<(usize, f64)>,
    /// Weights of the energy that a control spends: the integral of its power u ∂Q/∂u · v where that is positive.
    pub energy: Vec<(usize, f64)>,
    /// Expressions of the state at the start.
    pub first: Vec<(f64, Formula)>,
    /// Expressions of the state at the end.
    pub last: Vec<(f64, Formula)>,
    /// Weights of ∫ ũ² by control, ũ_k = (u_{k−2} − 4u_{k−1} + 6u_k − 4u_{k+1} + u_{k+2})/16. The forces of two steps meet in the row of
    /// motion of the node between them, so that a control that alternates from step to step, ũ_k = u_k, moves nothing and nothing
    /// but this determines it; of a smooth control ũ = h⁴u⁗/16 vanishes with the step.
    pub ripple: Vec<(usize, f64)>,
}

/// An optimal-control problem.
#[derive(Clone)]
pub struct ControlProblem {
    /// The system.
    pub mechanics: Arc<dyn Mechanics>,
    /// Duration T, second: fixed, or free between positive bounds.
    pub duration: Given,
    /// Instant at which it begins, second: zero unless it continues another motion. The system is asked for its forces at the time
    /// since zero; costs, constraints along the way and servo constraints count from the beginning.
    pub begins: Given,
    /// Where it begins.
    pub start: End,
    /// Where it ends.
    pub end: End,
    /// Coordinates that have the same velocity at the end as at the start, and a value larger by the number.
    pub periodic: Vec<(usize, f64)>,
    /// Bounds of the coordinates at the nodes.
    pub coordinate_bounds: Vec<(f64, f64)>,
    /// Bounds of the controls.
    pub control_bounds: Vec<(f64, f64)>,
    /// What is minimised.
    pub cost: Cost,
    /// Constraints along the way.
    pub path: Vec<PathConstraint>,
    /// Largest rates of controls: from one interval to the next a control changes by at most its rate times the step.
    pub rates: Vec<(usize, f64)>,
    /// Expressions of coordinates and time, with their names, that vanish at all nodes between start and end.
    pub servo: Vec<(String, Formula)>,
    /// The action of an interval.
    pub rule: Rule,
    /// How holonomic constraints are kept.
    pub reduction: Reduction,
    /// Whether the stresses of the system are unknowns of each interval, with their strains as rows: the same motions. A search
    /// that passes through configurations a little off then meets errors of strains instead of the forces that stiff parts
    /// answer them with, and takes longer steps. Of the midpoint rule only.
    pub mixed: bool,
    /// Where the search begins.
    pub guess: Guess,
}

impl ControlProblem {
    /// A motion from one state to another in a fixed time, without bounds and cost, guessed on a straight line.
    pub fn new(mechanics: Arc<dyn Mechanics>, duration: f64, start: End, end: End) -> Self {
        let (coordinates, controls) = (mechanics.coordinates().len(), mechanics.controls().len());
        // Where an end leaves a coordinate open, the guess stays at zero.
        let known = |end: &End| end.position.iter().map(|given| given.value().unwrap_or(0.0)).collect();
        let guess = Guess::straight(known(&start), known(&end), controls, duration);
        Self {
            mechanics,
            duration: Given::Fixed(duration),
            begins: Given::Fixed(0.0),
            start,
            end,
            periodic: Vec::new(),
            coordinate_bounds: vec![Given::FREE.bounds(); coordinates],
            control_bounds: vec![Given::FREE.bounds(); controls],
            cost: Cost::default(),
            path: Vec::new(),
            rates: Vec::new(),
            servo: Vec::new(),
            rule: Rule::default(),
            reduction: Reduction::default(),
            mixed: false,
            guess,
        }
    }

    /// Names of the stresses that are unknowns.
    fn stresses(&self) -> Vec<String> {
        if self.mixed && self.rule == Rule::Midpoint { self.mechanics.stresses() } else { Vec::new() }
    }

    /// The chart whose local coordinates are the unknowns, if it is so.
    fn chart(&self) -> Option<Chart> {
        match self.reduction {
            Reduction::Multipliers => None,
            Reduction::NullSpace => self.mechanics.chart(),
        }
    }
}

/// Where the search begins.
#[derive(Clone)]
pub struct Guess {
    /// Coordinates at a share of the duration, 0 to 1.
    pub position: Arc<dyn Fn(f64) -> Vec<f64> + Send + Sync>,
    /// Controls at a share of the duration.
    pub control: Arc<dyn Fn(f64) -> Vec<f64> + Send + Sync>,
    /// Duration, second.
    pub duration: f64,
}

impl std::fmt::Debug for Guess {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Guess").field("duration", &self.duration).finish_non_exhaustive()
    }
}

impl Guess {
    /// A straight line from one configuration to another, without controls.
    pub fn straight(from: Vec<f64>, to: Vec<f64>, controls: usize, duration: f64) -> Self {
        let line = move |share: f64| from.iter().zip(&to).map(|(a, b)| a + share * (b - a)).collect();
        Self { position: Arc::new(line), control: Arc::new(move |_| vec![0.0; controls]), duration }
    }

    /// Along a motion that is known: coordinates at equal distances of time, and controls of the steps between them.
    pub fn along(q: Vec<Vec<f64>>, u: Vec<Vec<f64>>, duration: f64) -> Self {
        let held = move |share: f64| {
            let step = ((share * u.len() as f64) as usize).min(u.len().saturating_sub(1));
            u.get(step).cloned().unwrap_or_default()
        };
        Self { position: Arc::new(move |share| linear(&q, share)), control: Arc::new(held), duration }
    }
}
