//! Problems built in Rust instead of being read from a file.
//!
//! A builder fills the tables of a problem file, under the names they have there, and hands them to the one reader: what a
//! file may say can be built, and mistakes are told in the same words.

use toml::{Table, Value};

use super::{Diagnostics, Problem, load};

/// A value of a problem: a number, a text (an expression where a function is expected), a truth value, or a list of these.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting(Value);

impl From<f64> for Setting {
    fn from(value: f64) -> Self {
        Self(Value::Float(value))
    }
}

impl From<usize> for Setting {
    fn from(value: usize) -> Self {
        Self(Value::Integer(i64::try_from(value).unwrap_or(i64::MAX)))
    }
}

impl From<bool> for Setting {
    fn from(value: bool) -> Self {
        Self(Value::Boolean(value))
    }
}

impl From<&str> for Setting {
    fn from(value: &str) -> Self {
        Self(Value::String(value.to_owned()))
    }
}

impl From<String> for Setting {
    fn from(value: String) -> Self {
        Self(Value::String(value))
    }
}

impl<T: Into<Setting>, const N: usize> From<[T; N]> for Setting {
    fn from(values: [T; N]) -> Self {
        Self(Value::Array(values.into_iter().map(|value| value.into().0).collect()))
    }
}

impl<T: Into<Setting>> From<Vec<T>> for Setting {
    fn from(values: Vec<T>) -> Self {
        Self(Value::Array(values.into_iter().map(|value| value.into().0).collect()))
    }
}

impl From<Part> for Setting {
    fn from(part: Part) -> Self {
        Self(Value::Table(part.table))
    }
}

/// A table of a problem: a rod, a body, a joint, a load, a task, …
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Part {
    table: Table,
}

impl Part {
    /// An empty table.
    pub fn new() -> Self {
        Self::default()
    }

    /// A straight shear-flexible beam in the plane.
    pub fn beam(from: [f64; 2], to: [f64; 2], elements: usize) -> Self {
        Self::new().set("model", "beam").set("from", from).set("to", to).set("elements", elements)
    }

    /// A straight rod in space.
    pub fn rod(from: [f64; 3], to: [f64; 3], elements: usize) -> Self {
        Self::new().set("model", "rod").set("from", from).set("to", to).set("elements", elements)
    }

    /// What is at a frame: a support, a load, an actuator, a servo path.
    pub fn at(frame: &str) -> Self {
        Self::new().set("at", frame)
    }

    /// What is between two frames: a joint, a spring.
    pub fn between(frames: [&str; 2]) -> Self {
        Self::new().set("between", frames)
    }

    /// Sets an entry. Names with dots are those of tables within: `"stiffness.axial"`.
    pub fn set(mut self, key: &str, value: impl Into<Setting>) -> Self {
        put(&mut self.table, key, value.into().0);
        self
    }
}

fn put(table: &mut Table, key: &str, value: Value) {
    let Some((first, rest)) = key.split_once('.') else {
        table.insert(key.to_owned(), value);
        return;
    };
    let inner = table.entry(first.to_owned()).or_insert_with(|| Value::Table(Table::new()));
    if !inner.is_table() {
        *inner = Value::Table(Table::new());
    }
    if let Value::Table(inner) = inner {
        put(inner, rest, value);
    }
}

/// A mechanism, and what is asked of it.
///
/// ```
/// use lariat::{MechanismBuilder, Part};
///
/// // A cantilever under a tip force: u = F L³/3EI + F L/GA to first order.
/// let beam = Part::beam([0.0, 0.0], [1.0, 0.0], 10)
///     .set("stiffness.axial", 1e6)
///     .set("stiffness.shear", 1e5)
///     .set("stiffness.bending", 100.0)
///     .set("inertia.mass", 1.0)
///     .set("inertia.rotary", 1e-4);
/// let problem = MechanismBuilder::plane()
///     .rod("beam", beam)
///     .support("root", Part::at("beam.start").set("type", "clamp"))
///     .load("tip", Part::at("beam.end").set("force", [0.0, -1.0]))
///     .task("statics", Part::new())?;
/// let outcome = lariat::solve(&problem);
/// assert!(outcome.report.status.is_solved());
/// let sag = outcome.report.scalars["equilibrium.beam.end.y"];
/// assert!((sag + 1.0 / 300.0 + 1e-5).abs() < 2e-5);
/// # Ok::<(), lariat::Diagnostics>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct MechanismBuilder {
    tables: Table,
}

impl MechanismBuilder {
    /// In the plane.
    pub fn plane() -> Self {
        Self { tables: Table::new() }.set("dimension", 2)
    }

    /// In space.
    pub fn space() -> Self {
        Self { tables: Table::new() }.set("dimension", 3)
    }

    /// A system stated by its Lagrangian, as in `[system]`.
    pub fn system(part: Part) -> Self {
        Self { tables: Table::new() }.set("system", part)
    }

    /// Sets any entry of the problem: `"gravity"`, `"time.steps"`, `"let.sigma"`.
    pub fn set(mut self, key: &str, value: impl Into<Setting>) -> Self {
        put(&mut self.tables, key, value.into().0);
        self
    }

    fn part(mut self, kind: &str, name: &str, part: Part) -> Self {
        let of_kind = self.tables.entry(kind.to_owned()).or_insert_with(|| Value::Table(Table::new()));
        if let Value::Table(of_kind) = of_kind {
            of_kind.insert(name.to_owned(), Value::Table(part.table));
        }
        self
    }

    /// Adds a rod.
    pub fn rod(self, name: &str, part: Part) -> Self {
        self.part("rod", name, part)
    }

    /// Adds a rigid body.
    pub fn body(self, name: &str, part: Part) -> Self {
        self.part("body", name, part)
    }

    /// Adds a joint.
    pub fn joint(self, name: &str, part: Part) -> Self {
        self.part("joint", name, part)
    }

    /// Adds a spring.
    pub fn spring(self, name: &str, part: Part) -> Self {
        self.part("spring", name, part)
    }

    /// Adds a support.
    pub fn support(self, name: &str, part: Part) -> Self {
        self.part("support", name, part)
    }

    /// Adds a load.
    pub fn load(self, name: &str, part: Part) -> Self {
        self.part("load", name, part)
    }

    /// Adds an actuator.
    pub fn actuator(self, name: &str, part: Part) -> Self {
        self.part("actuator", name, part)
    }

    /// Adds a servo path.
    pub fn servo(self, name: &str, part: Part) -> Self {
        self.part("servo", name, part)
    }

    /// Time from 0 to `end` in equal steps.
    pub fn time(self, end: f64, steps: usize) -> Self {
        self.set("time.end", end).set("time.steps", steps)
    }

    /// The problem with a task: `"statics"`, `"simulate"`, `"modes"`, `"mobility"`, `"inverse-dynamics"` or
    /// `"optimal-control"`, and its settings. Tells everything that is wrong, by the names of the tables and entries.
    pub fn task(self, name: &str, settings: Part) -> Result<Problem, Diagnostics> {
        load("problem built in Rust", &self.part("task", name, settings).text(), &[])
    }

    /// The problem file that says the same.
    pub fn text(&self) -> String {
        // Tables of texts, numbers and lists can always be written.
        toml::to_string(&self.tables).unwrap_or_default()
    }
}
