//! What a run leaves behind: one serialisable record, the content of `result.json`.

use super::RunStatus;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::bandwidth::Bandwidth;
use super::campbell::Campbell;
use super::control::{Hamiltonian, Optima, Refined, Tracking, WorkBalance};
use super::mobility::Mobility;
use super::number;

/// Version of the layout of `result.json`; raised when a reader of an older one would misread it.
pub const SCHEMA_VERSION: u32 = 1;

/// The whole of `result.json`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Layout version, [`SCHEMA_VERSION`].
    pub schema: u32,
    /// Program name and version that wrote the result.
    pub program: String,
    /// Title of the problem.
    pub title: String,
    /// The problem file as it was read.
    pub problem: ProblemText,
    /// `solved`, `not-verified`, `interrupted`, … (words of the command line's contract).
    pub status: RunStatus,
    /// What to know about the status, in the user's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Task name, e.g. `inverse-dynamics`.
    pub task: String,
    /// Method used, e.g. `space-march`.
    pub method: String,
    /// Why this method (chosen by the user, or by `auto` and for which reason).
    pub method_reason: String,
    /// Settings of a finer grid than the stated one, on which alone the proof was passed; also the last of the overrides.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub adapted: Vec<String>,
    /// Grid: named numbers such as `time_steps`, `dt`, `elements`, `ds`, `substeps`.
    #[serde(with = "number::map")]
    pub grid: BTreeMap<String, f64>,
    /// Sizes: unknowns, equations, nodes.
    #[serde(with = "number::map")]
    pub sizes: BTreeMap<String, f64>,
    /// Iteration table of the nonlinear solver (empty for explicit sweeps); row 0 is the start.
    pub iterations: Vec<Iteration>,
    /// Seconds spent by phase, in order.
    pub timings: Vec<Timing>,
    /// Residual norms and error estimates by name.
    #[serde(with = "number::map")]
    pub residuals: BTreeMap<String, f64>,
    /// Why no point satisfies the constraints of a nonlinear program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conflicts: Option<Conflicts>,
    /// Local optima of optimal control, where several starts were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub optima: Option<Optima>,
    /// Meshes of optimal control on which the error was estimated, the last of them that of the result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refinement: Vec<Refined>,
    /// The Hamiltonian of optimal control, where nothing depends on time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hamiltonian: Option<Hamiltonian>,
    /// Work of controls and other forces in optimal control.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub work: Option<WorkBalance>,
    /// What the rod does to the frequencies of the path, where that limits the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bandwidth: Option<Bandwidth>,
    /// Frequencies over the rate of rotation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub campbell: Option<Campbell>,
    /// How well servo paths are followed where that is optimised.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tracking: Option<Tracking>,
    /// What can move in a mechanism.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mobility: Option<Mobility>,
    /// The forward simulation driven by the computed actuation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verification: Option<Verification>,
    /// Work and energy over the manoeuvre.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub energy: Option<EnergyBalance>,
    /// Interval of time in which the servo path moves (shaded in plots).
    #[serde(default, skip_serializing_if = "Option::is_none", with = "number::option_pair")]
    pub servo_interval: Option<[f64; 2]>,
    /// Scalars under the names `[expect]` uses.
    #[serde(with = "number::map")]
    pub scalars: BTreeMap<String, f64>,
    /// Bounds of columns of the tables, where there are any.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub limits: BTreeMap<String, Limits>,
    /// Unit of every column of the tables (`base.force_x` → `N`).
    pub units: BTreeMap<String, String>,
    /// Expectations of the problem file and how they fared.
    pub expectations: Vec<Expectation>,
    /// Things the user should know although the run succeeded.
    pub warnings: Vec<String>,
    /// The other files of the result.
    pub files: Vec<FileEntry>,
}

/// Bounds of a quantity over time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    /// Lower bound, if there is one.
    #[serde(default, with = "number::option", skip_serializing_if = "Option::is_none")]
    pub lower: Option<f64>,
    /// Upper bound, if there is one.
    #[serde(default, with = "number::option", skip_serializing_if = "Option::is_none")]
    pub upper: Option<f64>,
}

/// What prevents a nonlinear program from having a feasible point.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Conflicts {
    /// Rows violated where the total violation is smallest, worst first.
    pub violated: Vec<Violated>,
    /// Bounds that stand against all other constraints.
    pub bounds: Vec<Misplaced>,
}

/// A row that cannot be met.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Violated {
    /// Name of the row.
    pub row: String,
    /// Its value.
    #[serde(with = "number::scalar")]
    pub value: f64,
    /// The nearest value that its bounds allow.
    #[serde(with = "number::scalar")]
    pub allowed: f64,
}

/// A bound that no point satisfying the other constraints respects.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Misplaced {
    /// The variable or row with its bound, e.g. `end time ≤ 0.3`.
    pub bound: String,
    /// The bound.
    #[serde(with = "number::scalar")]
    pub value: f64,
    /// The nearest bound for which there is a feasible point.
    #[serde(with = "number::scalar")]
    pub needed: f64,
}

/// The problem file, so that a result folder is complete in itself.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ProblemText {
    /// File name (not the path).
    pub file: String,
    /// Full text; empty where the file itself lies in the result folder.
    pub text: String,
    /// SHA-256 of the file, hexadecimal.
    pub sha256: String,
    /// `key=value` overrides from the command line, in order.
    pub overrides: Vec<String>,
}

/// One row of the iteration table.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Iteration {
    /// Iteration number.
    pub iter: usize,
    /// Objective (0 for square systems).
    #[serde(with = "number::scalar")]
    pub objective: f64,
    /// Primal infeasibility: largest residual.
    #[serde(with = "number::scalar")]
    pub inf_pr: f64,
    /// Dual infeasibility (0 for square systems).
    #[serde(with = "number::scalar")]
    pub inf_du: f64,
    /// Largest component of the step.
    #[serde(with = "number::scalar")]
    pub step: f64,
    /// Regularisation used.
    #[serde(with = "number::scalar")]
    pub reg: f64,
    /// Step length taken.
    #[serde(with = "number::scalar")]
    pub alpha: f64,
    /// Trial points of the line search.
    pub ls: usize,
    /// Barrier parameter (0 for methods without one).
    #[serde(default, with = "number::scalar", skip_serializing_if = "is_zero")]
    pub mu: f64,
    /// Whether the step only made the violation smaller (feasibility restoration).
    #[serde(default, skip_serializing_if = "is_false")]
    pub restoration: bool,
}

fn is_zero(value: &f64) -> bool {
    *value == 0.0
}

fn is_false(value: &bool) -> bool {
    !value
}

/// Seconds spent in one phase.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    /// Phase name: `solve`, `verify`, `plots`, …
    pub phase: String,
    /// Wall-clock seconds.
    #[serde(with = "number::scalar")]
    pub seconds: f64,
}

/// Outcome of the forward simulation driven by the computed actuation.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Verification {
    /// Whether every servo output stayed within its tolerance.
    pub passed: bool,
    /// Scheme of the simulation in words.
    pub scheme: String,
    /// Elements of the simulation.
    pub elements: usize,
    /// Time steps of the simulation.
    pub steps: usize,
    /// Steps that had to be halved because Newton did not converge.
    pub halved_steps: usize,
    /// The rod was already moving at the first instant: the simulation began with the computed state, not with rest.
    #[serde(default)]
    pub from_moving_state: bool,
    /// Segments in which a motion that is unstable under given forces was verified; 1 for the whole at once.
    #[serde(default)]
    pub segments: usize,
    /// Refining its step and its mesh still changed the simulation by too much, as far as time allowed.
    #[serde(default)]
    pub unsettled: bool,
    /// Largest deviation from the path over time, by servo output (`tip.x`), in the output's unit, with `own_error` added.
    #[serde(with = "number::map")]
    pub max_error: BTreeMap<String, f64>,
    /// What the simulation is off by itself, estimated from finer steps and a finer mesh.
    #[serde(default, with = "number::map")]
    pub own_error: BTreeMap<String, f64>,
    /// Tolerance by servo output.
    #[serde(with = "number::map")]
    pub tolerance: BTreeMap<String, f64>,
    /// Deviations of what the problem leaves open, where they are larger than what is allowed of the rest: told, not judged.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty", with = "number::map")]
    pub open: BTreeMap<String, f64>,
    /// What a failed proof is due to, where that could be found out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due_to: Option<ErrorParts>,
}

/// What the steps and the elements of a grid contribute to a deviation: the largest of each over all outputs, in units of
/// their tolerance.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct ErrorParts {
    /// By the time steps.
    #[serde(with = "number::scalar")]
    pub steps: f64,
    /// By the elements of the rods.
    #[serde(with = "number::scalar")]
    pub elements: f64,
}

/// Work-energy balance of the computed motion.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct EnergyBalance {
    /// Work done by the actuators over the whole time, in joules.
    #[serde(with = "number::scalar")]
    pub actuator_work: f64,
    /// Mechanical energy at the end minus that at the start.
    #[serde(with = "number::scalar")]
    pub energy_change: f64,
    /// Largest |E(t) − E(0) − W(t)| over time.
    #[serde(with = "number::scalar")]
    pub max_imbalance: f64,
    /// Largest mechanical energy above that at the start (scale for the imbalance).
    #[serde(with = "number::scalar")]
    pub peak: f64,
}

/// One `[expect]` entry and its outcome.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Expectation {
    /// Name of the scalar.
    pub name: String,
    /// Value expected.
    #[serde(with = "number::scalar")]
    pub expected: f64,
    /// Value found, if there is a scalar of that name.
    #[serde(default, with = "number::option", skip_serializing_if = "Option::is_none")]
    pub found: Option<f64>,
    /// Allowed absolute deviation.
    #[serde(with = "number::scalar")]
    pub allowed: f64,
    /// Whether it was met.
    pub met: bool,
    /// Where the expected value comes from.
    pub source: String,
}

/// A file of the result folder.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct FileEntry {
    /// File name inside the folder.
    pub name: String,
    /// SHA-256, hexadecimal.
    pub sha256: String,
}
