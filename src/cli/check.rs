//! `lariat check`: what a problem file or model asks for and what it will cost, without solving it.

mod control;
mod forward;
mod hoist;
mod mobility;
mod motion;
mod numbers;
mod parts;
mod servo;
mod tracking;

use std::fmt::Write;
use std::path::Path;

use super::{CheckArgs, Exit, complain, model, read, say, tell};
use crate::mechanism::Mechanism;
use crate::plots::{Format, Kind, draw};
use crate::problem::{Diagnostics, Inspection, Problem, Question, inspect};
use crate::results::{Outcome, store};
use crate::tasks::inverse_dynamics::{Analysis, analyse, galerkin_substeps, guard, kinks};
use crate::tasks::{InverseDynamicsSpec, Method, Sweep, System, TaskError};

/// What is told of a problem file, and how the command ends.
#[derive(Debug)]
pub struct Explanation {
    /// How the command ends.
    pub exit: Exit,
    /// What is asked, for stdout.
    pub text: String,
    /// What stands in the way, for stderr, a line each.
    pub trouble: Vec<String>,
    /// Mistakes and warnings at their places in the file, for stderr.
    pub mistakes: Option<Diagnostics>,
}

impl Explanation {
    fn new(exit: Exit, text: String) -> Self {
        Self { exit, text, trouble: Vec::new(), mistakes: None }
    }

    /// There is nothing to explain.
    fn failed(trouble: String) -> Self {
        Self { exit: Exit::Unsolved, text: String::new(), trouble: vec![trouble], mistakes: None }
    }

    /// This and what follows.
    fn then(mut self, next: Self) -> Self {
        self.exit = self.exit.max(next.exit);
        self.text.push_str(&next.text);
        self.trouble.extend(next.trouble);
        self.mistakes = self.mistakes.or(next.mistakes);
        self
    }

    fn tell(&self) -> Exit {
        self.mistakes.iter().for_each(tell);
        self.trouble.iter().for_each(|line| complain(line));
        self.exit.max(say(&self.text))
    }
}

/// Run.
pub fn run(args: &CheckArgs) -> Exit {
    let mut exit = Exit::Success;
    let (for_problems, for_models) = model::divide(&args.files, &args.set);
    for file in &args.files {
        if model::is_model(file) {
            exit = exit.max(model::load(file, &for_models).map_or_else(|failed| failed, model::ModelFile::check));
            continue;
        }
        exit = exit.max(match read(file) {
            Ok(text) => explain_file(&file.display().to_string(), &text, &for_problems, args.out.as_deref()).tell(),
            Err(failed) => failed,
        });
    }
    exit
}

/// What a problem file asks, or its mistakes; a picture of what can be told before solving where there is a folder for it.
pub fn explain_file(name: &str, text: &str, overrides: &[String], out: Option<&Path>) -> Explanation {
    let Inspection { problem, mechanism } = inspect(name, text, overrides);
    match problem {
        Ok(problem) => explain_problem(name, problem, mechanism.as_ref(), out),
        Err(mistakes) => mobility::refused(name, mistakes, mechanism.as_ref()),
    }
}

/// What is asked, and what can move in the mechanism it is asked of.
fn explain_problem(name: &str, problem: Problem, mechanism: Option<&Mechanism>, out: Option<&Path>) -> Explanation {
    let Problem { question, warnings, cost, .. } = problem;
    let mut told = match &question {
        Question::InverseDynamics(system, spec) => inverse_dynamics(name, system, spec, out),
        Question::Hoist(system) => {
            inverse_dynamics(name, &system.system, &system.spec, out).then(hoist::explain(system))
        }
        Question::Servo(system) => servo::explain(name, system),
        Question::Tracking(system) => tracking::explain(name, system),
        Question::OptimalControl(system) => Explanation::new(Exit::Success, control::explain(name, system)),
        Question::Motion(system) => Explanation::new(Exit::Success, motion::explain(name, system)),
        Question::Resting(system) => Explanation::new(Exit::Success, motion::explain_rest(name, system)),
        forward => Explanation::new(Exit::Success, forward::explain(name, forward)),
    };
    // Statics, simulations and modes have told of the parts already.
    let forward = matches!(question, Question::Statics(..) | Question::Simulate(..) | Question::Modes(..));
    if let Some(mechanism) = mechanism.filter(|_| !forward) {
        told.text.push_str(&parts::stated(mechanism));
    }
    // Marches along rods tell it in more detail.
    if !matches!(question, Question::InverseDynamics(..) | Question::Hoist(_)) && told.exit == Exit::Success {
        told.text.push_str(&format!(
            "  expected cost: {cost}
"
        ));
    }
    told.mistakes = (!warnings.is_empty()).then_some(warnings);
    match mechanism {
        Some(mechanism) => told.then(mobility::explain(&question, mechanism)),
        None => told,
    }
}

fn inverse_dynamics(file: &str, system: &System, spec: &InverseDynamicsSpec, out: Option<&Path>) -> Explanation {
    match analyse(system, spec) {
        Ok(analysis) => {
            let verdict = guard(system, &analysis);
            let solvable = if verdict.is_err() { Exit::Unsolved } else { Exit::Success };
            let told = Explanation::new(solvable, explain(file, system, &analysis, verdict));
            match out {
                Some(folder) => told.then(picture(file, system, &analysis, folder)),
                None => told,
            }
        }
        Err(error) => Explanation::failed(format!("{file}: {error}")),
    }
}

/// Writes bandwidth.png, where the rod is marched along.
fn picture(file: &str, system: &System, analysis: &Analysis, folder: &Path) -> Explanation {
    let found = analysis.conditioning.as_ref().and_then(|conditioning| conditioning.bandwidth(analysis.bandwidth));
    if found.is_none() {
        let reason = "no bandwidth to draw: the rod is not marched along, or its path does not move";
        return Explanation { exit: Exit::Success, ..Explanation::failed(format!("{file}: {reason}")) };
    }
    let mut outcome = Outcome::default();
    outcome.report.title.clone_from(&system.title);
    outcome.report.bandwidth = found;
    let drawn = draw(Kind::Bandwidth, Format::Png, &outcome).map_err(|error| error.to_string());
    let written = drawn.and_then(|bytes| {
        store::write_file(folder, "bandwidth.png", &bytes)
            .map_err(|error| format!("cannot write {}: {error}", folder.join("bandwidth.png").display()))
    });
    match written {
        Ok(()) => Explanation::new(Exit::Success, format!("  {}\n", folder.join("bandwidth.png").display())),
        Err(error) => Explanation { exit: Exit::Internal, ..Explanation::failed(error) },
    }
}

fn explain(file: &str, system: &System, analysis: &Analysis, verdict: Result<Option<String>, TaskError>) -> String {
    // Writing to a String cannot fail.
    let mut out = String::new();
    let grid = system.grid;
    let chain = &system.chain;
    let model = match (chain.is_limp(), chain.is_plane(), chain.legs.len()) {
        (true, true, 1) => "plane string",
        (true, true, _) => "plane strings in a row",
        (true, false, 1) => "string in space",
        (true, false, _) => "strings in a row in space",
        (false, true, 1) => "plane rod",
        (false, true, _) => "plane rods in a row",
        (false, false, 1) => "rod in space",
        (false, false, _) => "rods in a row in space",
    };
    let (name, elements, length) = (chain.name(), chain.elements(), chain.length());
    let coordinates = chain.components().len();
    let _ = writeln!(out, "{file}: {}", if system.title.is_empty() { "no title" } else { &system.title });
    let _ = writeln!(
        out,
        "  rod {name}: {model}, length {length} m, {elements} elements, {coordinates} coordinates per node"
    );
    let _ = writeln!(
        out,
        "  time {} s to {} s in {} steps of {:.6} s; {} space-time nodes",
        grid.start,
        grid.end(),
        grid.steps,
        grid.dt,
        (elements + 1) * (grid.steps + 1)
    );
    let outputs: Vec<&str> = system.outputs.iter().map(|o| o.name.as_str()).collect();
    let channels: Vec<&str> = system.channels.iter().map(|c| c.name.as_str()).collect();
    let _ = writeln!(out, "  {} servo outputs: {}", outputs.len(), outputs.join(", "));
    let _ = writeln!(out, "  {} actuator inputs: {}", channels.len(), channels.join(", "));
    for (body, section) in chain.bodies() {
        let _ = writeln!(out, "  body {body} on {section}");
    }
    let _ = writeln!(
        out,
        "  waves at rest run at {:.4} to {:.4} m/s; the slowest takes {:.4} s along the rod",
        analysis.speeds[0], analysis.speeds[1], analysis.transit
    );
    for (end, position) in &analysis.rest_ends {
        let position: Vec<String> = position.iter().map(|x| format!("{x:.6}")).collect();
        let _ = writeln!(out, "  at rest {end} is at ({})", position.join(", "));
    }
    if let Some([begin, end]) = analysis.activity.interval {
        let _ = writeln!(out, "  the path moves from {begin:.4} s to {end:.4} s");
        let (first, last) = (begin - analysis.transit, end + analysis.transit);
        if analysis.is_complete {
            let _ = writeln!(out, "  waves need time: expect actuation from about {first:.4} s to {last:.4} s");
        }
        if analysis.is_complete && first < grid.start {
            let _ =
                writeln!(out, "  note: actuation begins before the first instant; the rod will already be moving then");
        }
    }
    for kink in kinks(system) {
        let _ = writeln!(out, "  {kink}");
    }
    if let Some(conditioning) = &analysis.conditioning {
        let (_, worst) = conditioning.growth.worst();
        let (distortion, frequency) = conditioning.distortion;
        let _ = writeln!(
            out,
            "  disturbances grow by up to 10^{:.1} along the rod (worst at {worst:.4} rad/s)",
            conditioning.growth.digits()
        );
        let noise = match distortion {
            0.0 => "will not show in the answer".to_owned(),
            _ => format!("(above {frequency:.4} rad/s) will be about {distortion:.1e} of the answer"),
        };
        let _ = writeln!(out, "  kinks of the path and rounding errors {noise}");
        if let Some(advice) = bandwidth_advice(analysis, distortion, frequency) {
            let _ = writeln!(out, "  {advice}");
        }
        match verdict {
            Ok(None) => {}
            Ok(Some(warning)) => {
                let _ = writeln!(out, "  warning: {warning}");
            }
            Err(error) => {
                let _ = writeln!(out, "  NOT SOLVABLE as it stands: {error}");
            }
        }
    }
    let _ = writeln!(out, "  method {}: {}", method_name(analysis), analysis.reason);
    let _ = writeln!(out, "  expected cost: {}", cost(analysis, elements, length, coordinates, grid.steps, grid.dt));
    out
}

/// What to do about the frequencies of the path, where there is something to do.
fn bandwidth_advice(analysis: &Analysis, distortion: f64, frequency: f64) -> Option<String> {
    match (analysis.bandwidth, distortion) {
        (Some(corner), _) => Some(format!(
            "recommended: keep the path below {:.4} rad/s, well under the corner of the filter at {corner:.4} rad/s",
            0.5 * corner
        )),
        (None, distortion) if distortion > 0.0 => Some(format!(
            "recommended: a path without content above {frequency:.4} rad/s (smoother or slower), or bandwidth = {frequency:.1}"
        )),
        _ => None,
    }
}

fn method_name(analysis: &Analysis) -> &'static str {
    match (analysis.method, analysis.sweep) {
        (Method::Galerkin, Sweep::Global) => "galerkin (global sparse Newton)",
        (Method::Galerkin, _) => "galerkin (layer by layer)",
        (Method::Characteristics, _) => "characteristics",
        _ => "space-march",
    }
}

/// Rough cost from measured times per node (see benches/) on one core of an ordinary machine.
fn cost(analysis: &Analysis, elements: usize, length: f64, coordinates: usize, steps: usize, dt: f64) -> String {
    let substeps = (length / elements as f64 / (0.9 * analysis.speeds[0] * dt)).ceil().max(1.0);
    // Two marches, the second with half the steps in space and time.
    let marched = 5.0 * elements as f64 * substeps * steps as f64;
    let nodes = (elements * steps) as f64;
    // Frames of space have six coordinates.
    let in_space = coordinates == 6;
    let layered = nodes * galerkin_substeps(length / elements as f64, analysis.speeds[0] * dt) as f64;
    let (what, seconds) = match (analysis.method, analysis.sweep) {
        (Method::Galerkin, Sweep::Global) => {
            let unknowns = layered * 2.0 * coordinates as f64;
            (format!("{unknowns:.1e} unknowns in a sparse Newton"), 6.0 * 1.3e-6 * unknowns.powf(1.25))
        }
        (Method::Galerkin, _) => {
            (format!("{layered:.1e} nodes, a few Newton iterations each"), layered * if in_space { 5e-5 } else { 5e-6 })
        }
        (Method::Characteristics, _) => (format!("{marched:.1e} nodes on two grids"), marched * 1.5e-6),
        _ => (format!("{marched:.1e} nodes on two grids"), marched * if in_space { 2e-7 } else { 3e-8 }),
    };
    // The verifying simulation is twice as fine in space and time.
    let verify = 4.0 * nodes * if in_space { 4e-6 } else { 8e-7 };
    format!("{what}, about {:.2} s with verification", seconds + verify)
}
