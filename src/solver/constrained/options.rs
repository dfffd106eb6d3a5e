//! What a constrained solve may cost and when it may stop.

/// How inequalities are treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Method {
    /// Primal-dual barrier method.
    #[default]
    InteriorPoint,
    /// Sequential quadratic programming; without inequalities this is the Lagrange-Newton method.
    Sqp,
}

impl Method {
    /// All methods.
    pub const ALL: [Self; 2] = [Self::InteriorPoint, Self::Sqp];

    /// The name in problem files and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::InteriorPoint => "interior-point",
            Self::Sqp => "sqp",
        }
    }
}

/// How the barrier parameter μ of the interior-point method goes to zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BarrierUpdate {
    /// Each barrier problem is solved roughly before μ is lowered (Fiacco and McCormick).
    #[default]
    Monotone,
    /// μ follows the complementarity of the current point, and falls back to the monotone rule when that stops paying.
    Adaptive,
}

/// What is done about equations that outnumber their variables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DependentRows {
    /// The solve is tried, in the hope that the equations repeat each other; a note names them.
    #[default]
    Try,
    /// The program is refused.
    Refuse,
}

/// Options of [`super::Constrained`]; the defaults suit problems scaled to orders of magnitude around one.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// How inequalities are treated.
    pub method: Method,
    /// Largest scaled optimality error of a solution.
    pub tolerance: f64,
    /// Largest violation of an unscaled row of a solution.
    pub violation: f64,
    /// Largest scaled optimality error of an acceptable point.
    pub acceptable: f64,
    /// Number of consecutive acceptable points after which the solver stops.
    pub acceptable_iterations: usize,
    /// Largest number of iterations, those of feasibility restoration and of further starts included.
    pub max_iterations: usize,
    /// How the barrier parameter is lowered.
    pub barrier: BarrierUpdate,
    /// First barrier parameter.
    pub first_mu: f64,
    /// Whether the start is a solution of a neighbouring problem: it is then kept where it is, with its multipliers,
    /// instead of being pushed away from its bounds.
    pub warm: bool,
    /// Size of a variable that counts as having run away.
    pub divergence: f64,
    /// Whether objective and rows are divided by their largest derivative at the start where it exceeds 100.
    pub scale: bool,
    /// Whether rows are scaled where `scale` asks for it. Rows whose derivatives grow with the fineness of a mesh are better
    /// left alone: divided by their largest derivative, what drives them would drown in rounding errors.
    pub scale_rows: bool,
    /// Whether outcomes are explained: which rows repeat each other, and at an infeasible end which bounds or rows conflict
    /// and how far they would have to move.
    pub explain: bool,
    /// Whether derivatives are compared with differences along a random direction before the first step.
    pub test_derivatives: bool,
    /// What is done about equations that outnumber their variables.
    pub dependent_rows: DependentRows,
    /// Number of further starts, random changes of the given one, tried where the first ends at a local minimum of the
    /// violation. Only if all end so is the program called infeasible.
    pub retries: usize,
    /// Seed of all random numbers: the direction of the derivative test, further starts.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            method: Method::InteriorPoint,
            tolerance: 1e-8,
            violation: 1e-6,
            acceptable: 1e-6,
            acceptable_iterations: 15,
            max_iterations: 3000,
            barrier: BarrierUpdate::Monotone,
            first_mu: 0.1,
            warm: false,
            divergence: 1e20,
            scale: true,
            scale_rows: true,
            explain: true,
            test_derivatives: true,
            dependent_rows: DependentRows::Try,
            retries: 3,
            seed: 1,
        }
    }
}
