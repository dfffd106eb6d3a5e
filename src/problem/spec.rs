//! The problem file as data: one concept one table.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::kernel::{Ends, Expression, Fit, Outside};
use crate::mechanism::{
    ActuatorSpec, BodySpec, CurrentSpec, JointSpec, LoadSpec, RodSpec, ServoSpec, SpinSpec, SpringSpec, SupportSpec,
    SystemSpec, WinchSpec,
};
use crate::tasks::TaskSpec;

/// A Lariat problem file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Lariat problem file")]
pub struct ProblemSpec {
    /// One line that says what the problem is.
    #[serde(default)]
    pub title: String,
    /// 2 for the plane, 3 for space.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 2, max = 3))]
    pub dimension: Option<usize>,
    /// Acceleration of gravity, m/s²; as many numbers as `dimension`; zero unless stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gravity: Option<Vec<f64>>,
    /// The time grid; inverse dynamics and simulations need one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<TimeSpec>,
    /// Named values and functions of `t` and `s` for use in expressions.
    #[serde(default, rename = "let", skip_serializing_if = "BTreeMap::is_empty")]
    pub lets: BTreeMap<String, LetSpec>,
    /// Functions of time from files of samples: `[table.tip]` is `tip(t)` in every expression.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub table: BTreeMap<String, SampleSpec>,
    /// Strings, beams and rods.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub rod: BTreeMap<String, RodSpec>,
    /// Rigid bodies and point masses.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub body: BTreeMap<String, BodySpec>,
    /// Joints.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub joint: BTreeMap<String, JointSpec>,
    /// Springs and dampers.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub spring: BTreeMap<String, SpringSpec>,
    /// Actuators: the unknown forces.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub actuator: BTreeMap<String, ActuatorSpec>,
    /// Servo paths: the prescribed motion.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub servo: BTreeMap<String, ServoSpec>,
    /// Known loads.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub load: BTreeMap<String, LoadSpec>,
    /// The current of the fluid in which rods and bodies have drag.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current: Option<CurrentSpec>,
    /// Supports.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub support: BTreeMap<String, SupportSpec>,
    /// Ropes of changing length.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub winch: BTreeMap<String, WinchSpec>,
    /// A steady rotation of everything; of statics and modes, and as the beginning of simulations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spin: Option<SpinSpec>,
    /// A system by its Lagrangian, instead of rods and bodies; for optimal control.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system: Option<SystemSpec>,
    /// What to compute.
    pub task: TaskSpec,
    /// Known answers: `"name of a scalar" = { value = …, rel = …, source = "…" }`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub expect: BTreeMap<String, ExpectSpec>,
}

/// One entry of `[let]`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum LetSpec {
    /// A value or an expression.
    Expression(Expression),
    /// A function of time from a file, as in `[table]`.
    Samples(SampleSpec),
}

/// `[table.NAME]`: a function of time from a file of comma-separated samples. Expressions call it as `NAME(t)`, of any argument;
/// with several columns as `NAME.COLUMN(t)`. A name alone is the function at the time `t`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SampleSpec {
    /// The file, relative to the problem file: a line of column names, then a row for each sample.
    pub file: String,
    /// The column of times, which must increase, second; `t`, or else the first, unless stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// The column of values; needed where the file has several and `columns` is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// Several columns of values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub columns: Option<Vec<String>>,
    /// Degree of the polynomials between the samples: 1, 3, 5 or 7, with degree − 1 continuous derivatives, or 0, which holds each
    /// value until the next sample; 7 unless stated.
    #[serde(default = "usual_degree", skip_serializing_if = "is_usual_degree")]
    #[schemars(range(min = 0, max = 7))]
    pub degree: usize,
    /// Root mean square deviation of the function from the samples, in the unit of the column, such as the noise of a
    /// measurement; 0 unless stated: through all samples.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[schemars(range(min = 0.0))]
    pub smoothing: f64,
    /// "rest": the derivatives up to degree − 1 vanish at the first and last sample; "free": they do not. Unless stated an end rests
    /// where its first two samples are equal, from the last equal one on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ends: Option<Ends>,
    /// Before the first and after the last sample: "constant" holds their values, "error" allows no argument there.
    #[serde(default, skip_serializing_if = "is_default")]
    pub outside: Outside,
}

fn usual_degree() -> usize {
    Fit::default().degree
}

fn is_usual_degree(degree: &usize) -> bool {
    *degree == usual_degree()
}

fn is_zero(x: &f64) -> bool {
    *x == 0.0
}

fn is_default(outside: &Outside) -> bool {
    *outside == Outside::default()
}

/// `[time]`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TimeSpec {
    /// First instant, second; 0 unless stated.
    #[serde(default)]
    pub start: f64,
    /// Last instant, second.
    pub end: f64,
    /// Number of equal time steps.
    #[schemars(range(min = 4))]
    pub steps: usize,
}

/// One entry of `[expect]`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExpectSpec {
    /// Expected value.
    pub value: f64,
    /// Allowed relative deviation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rel: Option<f64>,
    /// Allowed absolute deviation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub abs: Option<f64>,
    /// Where the value comes from.
    #[serde(default)]
    pub source: String,
}
