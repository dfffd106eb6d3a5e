//! From a well-formed problem file to a [`System`] ready to be solved, or to everything that contradicts itself in it.

mod ends;
mod functions;
mod rods;

use super::load::read_partly;
use super::{Diagnostics, Document, ProblemSpec, Severity};
use crate::discretisation::TimeGrid;
use crate::tasks::inverse_dynamics::scalar_names;
use crate::tasks::{InverseDynamicsSpec, KnownAnswer, Method, System, TaskSpec};

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
    let (spec, document, mut found) = read_partly(file, text, overrides);
    let Some(spec) = spec else { return Err(found) };
    let mut check = Check { document: &document, spec: &spec, found: Diagnostics::of(&document) };
    let system = check.system();
    // Where the structure of a table is wrong, what its values seem to mean is not worth a second message.
    let sections: Vec<Option<String>> = found.list.iter().map(|mistake| section(mistake.path.as_deref())).collect();
    for diagnostic in check.found.list {
        let here = section(diagnostic.path.as_deref());
        if !sections.iter().any(|s| s.is_none() || *s == here) {
            found.push(diagnostic);
        }
    }
    found.sort();
    match system {
        Some(system) if found.errors() == 0 => Ok(Problem { spec, system, warnings: found }),
        _ => {
            found.list.retain(|diagnostic| diagnostic.severity == Severity::Error);
            Err(found)
        }
    }
}

/// The first two parts of a key path, `rod.beam`; `None` for what concerns the file as a whole.
fn section(path: Option<&str>) -> Option<String> {
    let mut parts = path?.split('.');
    let (first, second) = (parts.next()?, parts.next());
    match first {
        "time" | "gravity" | "dimension" | "title" => Some(first.to_owned()),
        _ => Some(format!("{first}.{}", second?)),
    }
}

/// The semantic checks: one method per concept, all mistakes collected in `found`.
struct Check<'a> {
    document: &'a Document,
    spec: &'a ProblemSpec,
    found: Diagnostics,
}

impl Check<'_> {
    fn system(&mut self) -> Option<System> {
        let grid = self.time();
        let gravity = self.gravity();
        self.task();
        let scope = self.scope();
        let rod = self.rod();
        let parts = rod.as_ref().and_then(|rod| self.ends(rod, scope.as_ref()));
        let (rod, gravity, grid) = (rod?, gravity?, grid?);
        let parts = parts?;
        self.evaluate(&parts, grid);
        let mut system = System {
            title: self.spec.title.clone(),
            mechanism: rods::mechanism(&rod, &gravity, &parts),
            bodies: parts.bodies.iter().map(|body| (body.name.clone(), body.side)).collect(),
            channels: parts.channels.clone(),
            outputs: parts.outputs.iter().map(|output| output.output.clone()).collect(),
            grid,
            expect: Vec::new(),
        };
        self.method(&system);
        self.expectations(&mut system);
        (self.found.errors() == 0).then_some(system)
    }

    fn error(&mut self, path: &[&str], message: impl Into<String>, label: impl Into<String>) -> Help<'_> {
        Help(self.found.error(self.document, path, message, label))
    }

    fn time(&mut self) -> Option<TimeGrid> {
        let time = self.spec.time;
        if time.end <= time.start {
            self.error(
                &["time", "end"],
                format!("`time.end` is {}, expected a time after `time.start` = {}", time.end, time.start),
                "not after the start",
            );
            return None;
        }
        Some(TimeGrid::new(time.start, time.end, time.steps))
    }

    fn gravity(&mut self) -> Option<Vec<f64>> {
        let dimension = self.spec.dimension;
        match &self.spec.gravity {
            None => Some(vec![0.0; dimension]),
            Some(gravity) if gravity.len() == dimension => Some(gravity.clone()),
            Some(gravity) => {
                let count = gravity.len();
                self.error(
                    &["gravity"],
                    format!(
                        "`gravity` has {count} components, expected {dimension} because `dimension` is {dimension}"
                    ),
                    "wrong length",
                );
                None
            }
        }
    }

    fn task(&mut self) {
        let TaskSpec::InverseDynamics(InverseDynamicsSpec { method, bandwidth, verify, .. }) = &self.spec.task;
        const TASK: [&str; 2] = ["task", "inverse-dynamics"];
        if let Some(bandwidth) = *bandwidth {
            self.positive(&[TASK[0], TASK[1], "bandwidth"], bandwidth);
            if !matches!(method, Method::Auto | Method::SpaceMarch) {
                self.error(
                    &[TASK[0], TASK[1], "bandwidth"],
                    format!("`bandwidth` = {bandwidth} has no effect on the chosen method"),
                    "only space-march is band-limited",
                )
                .help("remove it, or set method = \"space-march\"");
            }
        }
        self.positive(&[TASK[0], TASK[1], "verify", "tolerance"], verify.tolerance);
        if !(1..=64).contains(&verify.refine) {
            self.error(
                &[TASK[0], TASK[1], "verify", "refine"],
                format!("`verify.refine` is {}, expected a whole number from 1 to 64", verify.refine),
                "out of range",
            );
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
            crate::models::Mechanism::Beam(rod) => rod.marching_side().is_some(),
            crate::models::Mechanism::PlaneString(rod) => rod.marching_side().is_some(),
            crate::models::Mechanism::SpaceString(rod) => rod.marching_side().is_some(),
        };
        let (key, name) = match spec.method {
            _ if marchable => return,
            Method::SpaceMarch => ("method", "space-march"),
            Method::Characteristics => ("method", "characteristics"),
            Method::Auto | Method::Galerkin if spec.sweep == crate::tasks::Sweep::Layers => ("sweep", "layers"),
            Method::Auto | Method::Galerkin => return,
        };
        self.error(
            &["task", "inverse-dynamics", key],
            format!("\"{name}\" cannot be used here: it needs one end whose whole motion is prescribed and whose forces are known, and an actuator for every component at the other end"),
            "the end data are not complete",
        )
        .help("set method = \"galerkin\" and sweep = \"global\" (or leave both out), or complete the servo and actuator");
    }

    fn expectations(&mut self, system: &mut System) {
        let names = scalar_names(system);
        for (name, expect) in &self.spec.expect {
            let path = ["expect", name.as_str()];
            if !names.contains(name) {
                let near = crate::kernel::suggest::nearest(name, names.iter().map(String::as_str)).map(str::to_owned);
                let help = match near {
                    Some(near) => format!("did you mean \"{near}\"?"),
                    None => "names of scalars are listed in result.json under `scalars`".to_owned(),
                };
                self.error(&path, format!("`{name}` is not a scalar of this result"), "unknown scalar").help(help);
            }
            let mut allowed = 0.0_f64;
            for (key, given, scale) in [("rel", expect.rel, expect.value.abs()), ("abs", expect.abs, 1.0)] {
                if let Some(value) = given {
                    self.not_negative(&["expect", name, key], value);
                    allowed = allowed.max(value * scale);
                }
            }
            if expect.rel.is_none() && expect.abs.is_none() {
                self.error(
                    &path,
                    format!("`{name}` has no tolerance, expected `rel` or `abs`"),
                    "how near must the value be?",
                );
            }
            system.expect.push(KnownAnswer {
                name: name.clone(),
                value: expect.value,
                allowed,
                source: expect.source.clone(),
            });
        }
    }
}

/// A diagnostic to which help can be added.
struct Help<'a>(&'a mut super::Diagnostic);

impl Help<'_> {
    fn help(self, text: impl Into<String>) {
        self.0.help(text);
    }
}
