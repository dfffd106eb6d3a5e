//! From a well-formed problem file to a [`System`] ready to be solved, or to everything that contradicts itself in it.

mod bodies;
mod ends;
mod expectations;
mod functions;
mod mechanism;
mod rods;

use super::doubts::Doubts;
use super::load::{Reading, read_partly};
use super::{Diagnostics, Document, ProblemSpec, Severity};
use crate::discretisation::TimeGrid;
use crate::models::Mechanism;
use crate::tasks::{InverseDynamicsSpec, Method, Sweep, System, TaskSpec};

/// More space-time nodes than this are refused before anything is computed: their fields would fill 20 GB.
const MOST_NODES: f64 = 1e8;

/// A problem file that makes sense.
#[derive(Debug, Clone)]
pub struct Problem {
    /// The file as data.
    pub spec: ProblemSpec,
    /// Mechanism, grid and names.
    pub system: System,
    /// Things worth mentioning that do not forbid solving.
    pub warnings: Diagnostics,
}

/// Reads, checks and builds. The diagnostics hold every mistake, in the order of the file.
pub fn load(file: &str, text: &str, overrides: &[String]) -> Result<Problem, Diagnostics> {
    let Reading { spec, document, mut found, doubts } = read_partly(file, text, overrides);
    let Some(spec) = spec else { return Err(found) };
    let mut check = Check { document: &document, spec: &spec, doubts: &doubts, found: Diagnostics::of(&document) };
    let system = check.system();
    found.list.append(&mut check.found.list);
    found.sort();
    match system {
        Some(system) if found.errors() == 0 => Ok(Problem { spec, system, warnings: found }),
        _ => {
            found.list.retain(|diagnostic| diagnostic.severity == Severity::Error);
            Err(found)
        }
    }
}

/// The semantic checks: one method per concept, all mistakes collected in `found`.
///
/// Each check asks whether what it compares is [`Check::sure`]: of mistaken entries only stand-ins are there, and what
/// follows from these is no mistake of the user.
struct Check<'a> {
    document: &'a Document,
    spec: &'a ProblemSpec,
    doubts: &'a Doubts,
    found: Diagnostics,
}

impl Check<'_> {
    /// The system, if it can be put together; whether it is right is told by `found`.
    fn system(&mut self) -> Option<System> {
        let grid = self.time();
        let gravity = self.gravity();
        self.task();
        let scope = self.scope();
        let (outline, rod) = self.rod();
        let parts = self.ends(&outline, &scope);
        if let Some(grid) = grid.filter(|_| scope.whole) {
            self.evaluate(&parts, grid);
        }
        if let (Some(rod), Some(grid), true) = (&rod, grid, parts.whole && scope.whole) {
            self.path_starts(rod, &parts, grid);
        }
        let system = rod.filter(|_| parts.whole).map(|rod| System {
            title: self.spec.title.clone(),
            // Mistakes in gravity and time do not change which methods and scalars there are.
            mechanism: mechanism::mechanism(&rod, &gravity.unwrap_or_else(|| vec![0.0; rod.spec.from.len()]), &parts),
            bodies: parts.bodies.iter().map(|body| (body.name.clone(), body.side)).collect(),
            channels: parts.channels.clone(),
            outputs: parts.outputs.iter().map(|output| output.output.clone()).collect(),
            grid: grid.unwrap_or_else(|| TimeGrid::new(0.0, 1.0, 4)),
            expect: Vec::new(),
        });
        let counted = parts.whole && outline.coordinates.is_some() && self.count(&parts);
        if let Some(system) = system.as_ref().filter(|_| counted) {
            self.method(system);
        }
        let expect = self.expectations(system.as_ref());
        system.map(|system| System { expect, ..system })
    }

    /// Adds an error, unless the entry is known to be mistaken already.
    fn error(&mut self, path: &[&str], message: impl Into<String>, label: impl Into<String>) -> Help<'_> {
        if self.doubts.cover(&self.document.path_text(path)) {
            return Help(None);
        }
        Help(Some(self.found.error(self.document, path, message, label)))
    }

    /// Whether an entry, the tables around it and everything in it are as the user wrote them.
    fn sure(&self, path: &[&str]) -> bool {
        !self.doubts.touch(&self.document.path_text(path))
    }

    /// Dimension of space, if it is known.
    fn dimension(&self) -> Option<usize> {
        self.sure(&["dimension"]).then_some(self.spec.dimension)
    }

    fn time(&mut self) -> Option<TimeGrid> {
        let time = self.spec.time;
        if !self.sure(&["time", "start"]) || !self.sure(&["time", "end"]) {
            return None;
        }
        if time.end <= time.start {
            self.error(
                &["time", "end"],
                format!("`time.end` is {}, expected a time after `time.start` = {}", time.end, time.start),
                "not after the start",
            );
            return None;
        }
        let elements = self.spec.rod.values().map(|rod| rod.elements).max().unwrap_or(1);
        let nodes = (elements as f64 + 1.0) * (time.steps as f64 + 1.0);
        if nodes > MOST_NODES {
            let message = format!(
                "`time.steps` is {}, which with {elements} elements makes {nodes:.1e} nodes, expected at most {MOST_NODES:.0e}",
                time.steps
            );
            self.error(&["time", "steps"], message, "too many nodes");
            return None;
        }
        self.sure(&["time"]).then(|| TimeGrid::new(time.start, time.end, time.steps))
    }

    fn gravity(&mut self) -> Option<Vec<f64>> {
        let dimension = self.dimension()?;
        match &self.spec.gravity {
            None => Some(vec![0.0; dimension]),
            Some(gravity) => self.length_of_vector(&["gravity"], gravity.len()).then(|| gravity.clone()),
        }
    }

    /// Whether a vector has as many components as space.
    fn length_of_vector(&mut self, path: &[&str], count: usize) -> bool {
        let Some(dimension) = self.dimension().filter(|_| self.sure(path)) else { return false };
        if count != dimension {
            let here = self.document.path_text(path);
            let components = if count == 1 { "component" } else { "components" };
            let message =
                format!("`{here}` has {count} {components}, expected {dimension} because `dimension` is {dimension}");
            self.error(path, message, "wrong length");
        }
        count == dimension
    }

    fn task(&mut self) {
        let TaskSpec::InverseDynamics(InverseDynamicsSpec { method, bandwidth, verify, .. }) = &self.spec.task;
        const TASK: [&str; 2] = ["task", "inverse-dynamics"];
        let path = [TASK[0], TASK[1], "bandwidth"];
        if let Some(bandwidth) = *bandwidth
            && self.positive(&path, bandwidth)
            && self.sure(&[TASK[0], TASK[1], "method"])
        {
            let method = match method {
                Method::Auto | Method::SpaceMarch => None,
                Method::Characteristics => Some("characteristics"),
                Method::Galerkin => Some("galerkin"),
            };
            if let Some(method) = method {
                let here = self.document.path_text(&path);
                let message = format!("`{here}` is {bandwidth}, but method \"{method}\" has no bandwidth");
                self.error(&path, message, "only space-march is band-limited")
                    .help("remove it, or set method = \"space-march\"");
            }
        }
        self.positive(&[TASK[0], TASK[1], "verify", "tolerance"], verify.tolerance);
        if !(1..=64).contains(&verify.refine) {
            let path = [TASK[0], TASK[1], "verify", "refine"];
            let here = self.document.path_text(&path);
            let message = format!("`{here}` is {}, expected a whole number from 1 to 64", verify.refine);
            self.error(&path, message, "out of range");
        }
    }

    fn positive(&mut self, path: &[&str], value: f64) -> bool {
        if value > 0.0 {
            return true;
        }
        let name = self.document.path_text(path);
        self.error(path, format!("`{name}` is {value}, expected a positive number"), "must be positive");
        false
    }

    fn not_negative(&mut self, path: &[&str], value: f64) -> bool {
        if value >= 0.0 {
            return true;
        }
        let name = self.document.path_text(path);
        self.error(path, format!("`{name}` is {value}, expected zero or a positive number"), "must not be negative");
        false
    }

    /// Whether the chosen method fits the end data.
    fn method(&mut self, system: &System) {
        let TaskSpec::InverseDynamics(spec) = &self.spec.task;
        let marchable = match &system.mechanism {
            Mechanism::Beam(rod) => rod.marching_side().is_some(),
            Mechanism::PlaneString(rod) => rod.marching_side().is_some(),
            Mechanism::SpaceString(rod) => rod.marching_side().is_some(),
        };
        let sure = self.sure(&["task"]);
        if !sure {
            return;
        }
        // A setting without effect would be a silent misunderstanding.
        let by_elements = spec.method == Method::Galerkin || (spec.method == Method::Auto && !marchable);
        if spec.sweep != Sweep::Auto && !by_elements {
            self.error(
                &["task", "inverse-dynamics", "sweep"],
                "`task.inverse-dynamics.sweep` has no effect here: only the finite elements of galerkin are swept, expected method \"galerkin\"",
                "not used by this method",
            )
            .help("set method = \"galerkin\", or remove sweep");
        }
        if let (Some(bandwidth), Method::Auto, false) = (spec.bandwidth, spec.method, marchable) {
            self.error(
                &["task", "inverse-dynamics", "bandwidth"],
                format!("`task.inverse-dynamics.bandwidth` is {bandwidth}, but with these end data \"auto\" means galerkin, which has no bandwidth"),
                "only space-march is band-limited",
            )
            .help("remove it, or complete the data at one end");
        }
        let (key, name) = match spec.method {
            _ if marchable => return,
            Method::SpaceMarch => ("method", "space-march"),
            Method::Characteristics => ("method", "characteristics"),
            Method::Auto | Method::Galerkin if spec.sweep == Sweep::Layers => ("sweep", "layers"),
            Method::Auto | Method::Galerkin => return,
        };
        self.error(
            &["task", "inverse-dynamics", key],
            format!("{key} \"{name}\" cannot be used here: it needs one end whose whole motion is prescribed and whose forces are known, and an actuator for every component at the other end"),
            "the end data are not complete",
        )
        .help("set method = \"galerkin\" and sweep = \"global\" (or leave both out), or complete the servo and actuator");
    }
}

/// A diagnostic to which help can be added.
struct Help<'a>(Option<&'a mut super::Diagnostic>);

impl Help<'_> {
    fn help(self, text: impl Into<String>) {
        if let Some(diagnostic) = self.0 {
            diagnostic.help(text);
        }
    }
}
