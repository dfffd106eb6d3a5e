//! What statics, simulations and modes are about.

use std::fmt::Write;

use nalgebra::Vector3;

use crate::discretisation::assembly::build;
use crate::kernel::Function;
use crate::mechanism::{Mechanism, NetNumbers, Survey, numbers, survey};
use crate::problem::Question;
use crate::tasks::modes::prospect;
use crate::tasks::{
    Configuration, ForwardSystem, ModesMethod, ModesSpec, MotionStart, SimulateSpec, StaticsMethod, StaticsSpec,
};

/// Factorisations per mode of the exact method, as measured on nets of up to 144 members (3 to 7).
const FACTORISATIONS: usize = 6;

/// Explains a forward problem; inverse dynamics has its own words.
pub fn explain(file: &str, question: &Question) -> String {
    let (system, task): (&ForwardSystem, String) = match question {
        Question::Statics(system, spec) => (system, statics(system, spec)),
        Question::Simulate(system, spec) => (system, simulate(system, spec)),
        Question::Modes(system, spec) => (system, modes(spec)),
        Question::Mobility(system) => (&system.system, "mobility".to_owned()),
        Question::InverseDynamics(..)
        | Question::Hoist(_)
        | Question::Servo(_)
        | Question::Tracking(_)
        | Question::Motion(_)
        | Question::Resting(_)
        | Question::OptimalControl(_) => {
            return String::new();
        }
    };
    let mut out = format!("{file}: {}\n", if system.title.is_empty() { "no title" } else { &system.title });
    let mechanism = &system.mechanism;
    let sizes = survey(mechanism);
    // Writing to a String cannot fail.
    let _ = writeln!(out, "  task {task}");
    if let Question::Mobility(_) = question {
        return out;
    }
    let numbers = numbers(mechanism);
    rods(mechanism, &sizes, &numbers, &mut out);
    spin(mechanism, &mut out);
    parts(mechanism, &mut out);
    super::numbers::net(system, &numbers, &mut out);
    let _ = writeln!(out, "  total mass {} kg", digits(sizes.mass));
    if let Question::Modes(system, spec) = question
        && spec.method == ModesMethod::Exact
    {
        exact(system, spec, &mut out);
        return out;
    }
    let unsheared = match sizes.unsheared {
        0 => String::new(),
        count => format!(", {count} conditions of no shear"),
    };
    let _ = writeln!(
        out,
        "  {} unknowns, {} held by supports, {} conditions of joints{unsheared}: {} degrees of freedom left",
        sizes.unknowns,
        sizes.held,
        sizes.joined,
        sizes.left()
    );
    if sizes.left() < 0 {
        let _ = writeln!(out, "  note: there are more conditions than unknowns, some must repeat others");
    }
    if let Some(repetition) = build(mechanism).repetition() {
        let _ = writeln!(out, "  note: {repetition}");
    }
    out
}

fn rods(mechanism: &Mechanism, sizes: &Survey, numbers: &NetNumbers, out: &mut String) {
    for ((rod, size), numbers) in mechanism.rods.iter().zip(&sizes.rods).zip(&numbers.rods) {
        let model = rod.kind.name(mechanism.dimension);
        let _ = writeln!(
            out,
            "  rod {}: {model}, length {} m, mass {} kg, {} elements of order {}, {} nodes, {} unknowns",
            rod.name,
            digits(rod.length),
            digits(size.mass),
            rod.elements,
            rod.order,
            size.nodes,
            size.unknowns
        );
        super::parts::inertia(mechanism, rod, out);
        let _ = match size.waves {
            None if rod.kind.is_rigid() => continue,
            Some([slow, fast]) => writeln!(
                out,
                "    waves run at {slow:.4} to {fast:.4} m/s; the slowest takes {:.4} s along the rod",
                rod.length / slow
            ),
            None => writeln!(out, "    no waves: the rod has no inertia"),
        };
        if let Some(numbers) = numbers {
            let _ = writeln!(out, "    {}", super::numbers::of_rod(mechanism, numbers));
        }
    }
}

fn parts(mechanism: &Mechanism, out: &mut String) {
    for body in &mechanism.bodies {
        let place = point(mechanism, body.pose.position);
        let kind = if body.inertia.amax() > 0.0 { "rigid body" } else { "point mass" };
        let _ = writeln!(out, "  body {}: {kind}, mass {} kg, at {place}", body.name, digits(body.mass));
    }
    mechanism.joints.iter().for_each(|joint| super::parts::joint(mechanism, joint, out));
    mechanism.springs.iter().for_each(|spring| super::parts::spring(mechanism, spring, out));
    mechanism.winches.iter().for_each(|winch| super::parts::winch(mechanism, winch, out));
    for support in &mechanism.supports {
        let mut held = Vec::new();
        for (axis, motion) in ["x", "y", "z"].iter().zip(&support.displacement) {
            held.extend(motion.as_ref().map(|motion| how(axis, motion.is_constant())));
        }
        let rotation = if mechanism.dimension == 2 { "angle" } else { "rotation" };
        let fixed = |functions: &[Function; 3]| functions.iter().all(|f| f.is_constant());
        held.extend(support.rotation.as_ref().map(|functions| how(rotation, fixed(functions))));
        let _ =
            writeln!(out, "  support {}: {} of {}", support.name, held.join(", "), mechanism.frame_name(support.at));
    }
    for load in &mechanism.loads {
        let follows = if load.follows { ", turning with it" } else { "" };
        let _ = writeln!(out, "  load {} at {}{follows}", load.name, mechanism.frame_name(load.at));
    }
    for load in &mechanism.line_loads {
        let follows = if load.follows { ", turning with its sections" } else { "" };
        let _ = writeln!(out, "  load {} along rod {}{follows}", load.name, mechanism.rods[load.rod].name);
    }
    fluid(mechanism, out);
}

/// What the fluid resists, and how it moves.
fn fluid(mechanism: &Mechanism, out: &mut String) {
    let fluid = &mechanism.fluid;
    if !fluid.is_there() {
        return;
    }
    let rods = fluid.rods.iter().map(|drag| format!("rod {}", mechanism.rods[drag.rod].name));
    let bodies = fluid.bodies.iter().map(|drag| format!("body {}", mechanism.bodies[drag.body].name));
    let resisted: Vec<String> = rods.chain(bodies).collect();
    let current = match fluid.current.iter().all(Function::is_constant) {
        true => fluid.current_at(0.0).map_or(String::new(), |current| format!("{} m/s", point(mechanism, current))),
        false => "depends on time".to_owned(),
    };
    let _ = writeln!(out, "  drag of {}; current {current}", resisted.join(", "));
}

/// How the frame turns, or the mechanism as it begins to move.
fn spin(mechanism: &Mechanism, out: &mut String) {
    let Some(spin) = &mechanism.spin else { return };
    let axis = if mechanism.dimension == 2 { String::new() } else { format!(" {}", point(mechanism, spin.axis)) };
    let rates = match spin.rates.as_slice() {
        [first, .., last] => format!("{} rates from {first} to {last} rad/s", spin.rates.len()),
        [rate] => format!("{rate} rad/s"),
        [] => return,
    };
    let about = point(mechanism, spin.about);
    let _ = writeln!(out, "  spin about the axis{axis} through {about}: {rates}");
}

fn how(coordinate: &str, held: bool) -> String {
    format!("{} {coordinate}", if held { "holds" } else { "moves" })
}

fn statics(system: &ForwardSystem, spec: &StaticsSpec) -> String {
    let method = match spec.method {
        StaticsMethod::Auto if spec.needs_arc_length() => "auto: along the arc length of the path",
        StaticsMethod::Auto => "auto",
        StaticsMethod::LoadSteps => "load steps",
        StaticsMethod::ArcLength => "along the arc length of the path",
        StaticsMethod::LinearBuckling => {
            return format!(
                "statics (linear buckling): {} critical load factor(s) of the unloaded state",
                spec.count.unwrap_or(1)
            );
        }
    };
    let factors: Vec<String> = spec.factors.iter().map(f64::to_string).collect();
    let mut limit = spec.limit_points.map_or(String::new(), |n| format!(", up to limit point {n}"));
    limit.push_str(&spec.branch_points.map_or(String::new(), |n| format!(", up to branch point {n}")));
    limit.push_str(&spec.branch.map_or(String::new(), |n| format!(", over to the branch at branch point {}", n.abs())));
    if !spec.stage.is_empty() {
        limit.push_str(&format!(", the last of {} stages", spec.stage.len()));
    }
    let when = if system.mechanism.loads.is_empty() {
        String::new()
    } else {
        format!(", loads of t = {}", system.first_instant())
    };
    format!("statics ({method}): load factors {}{limit}{when}", factors.join(", "))
}

fn simulate(system: &ForwardSystem, spec: &SimulateSpec) -> String {
    let start = match spec.start {
        MotionStart::Word(word) => configuration(word),
        MotionStart::State(_) => "the stated one",
    };
    let grid = system.time.map_or(String::new(), |grid| {
        format!(" from {} s to {} s in {} steps of {:.6} s", grid.start, grid.end(), grid.steps, grid.dt)
    });
    let steps = spec.tolerance.map_or(String::new(), |tolerance| format!(", steps adapted to {tolerance:e}"));
    format!("simulate{grid}, beginning at {start}{steps}")
}

fn modes(spec: &ModesSpec) -> String {
    let method = match spec.method {
        ModesMethod::Elements => "",
        ModesMethod::Exact => ", by exact dynamic stiffness",
    };
    let loads = match spec.factors.as_slice() {
        [] => String::new(),
        factors => format!(", at {} load factors", factors.len()),
    };
    format!("modes: {}, about {}{method}{loads}", spec.count, configuration(spec.about))
}

/// Size and cost of exact members; the modes are counted for that, not computed.
fn exact(system: &ForwardSystem, spec: &ModesSpec, out: &mut String) {
    let found = match prospect(system, spec) {
        Ok(found) => found,
        Err(reason) => {
            let _ = writeln!(out, "  note: {reason}");
            return;
        }
    };
    let _ = writeln!(
        out,
        "  {} straight members in {} parts, none of which vibrates between held ends below {} rad/s: {} unknowns",
        found.members,
        found.parts,
        digits(found.highest),
        found.unknowns
    );
    let _ = writeln!(
        out,
        "  {} modes lie below that frequency, {} of them at zero; each takes about {FACTORISATIONS} sparse factorisations of {} unknowns",
        found.below, found.still, found.unknowns
    );
    let _ = writeln!(out, "  elements only say where frames are; their number does not change the frequencies");
}

fn configuration(configuration: Configuration) -> &'static str {
    match configuration {
        Configuration::Reference => "the reference configuration",
        Configuration::Equilibrium => "the equilibrium",
    }
}

pub(super) fn point(mechanism: &Mechanism, point: Vector3<f64>) -> String {
    let coordinates: Vec<String> = point.iter().take(mechanism.dimension).map(|x| digits(*x)).collect();
    format!("({})", coordinates.join(", "))
}

/// Six digits, without the zeros at the end.
pub(super) fn digits(value: f64) -> String {
    if value == 0.0 || !(1e-4..1e9).contains(&value.abs()) {
        return if value == 0.0 { "0".to_owned() } else { format!("{value:.5e}") };
    }
    let decimals = (5 - value.abs().log10().floor() as i64).clamp(0, 9) as usize;
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::digits;

    #[test]
    fn numbers_are_short() {
        let shown = [0.0, 1.0, 78.53981634, -0.25, 7850.0, 1e-7, 123456789.0, 0.002].map(digits);
        assert_eq!(shown, ["0", "1", "78.5398", "-0.25", "7850", "1.00000e-7", "123456789", "0.002"]);
    }
}
