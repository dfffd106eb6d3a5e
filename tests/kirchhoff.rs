//! Plane rods that cannot shear: elastica, frames, frequencies and motion, through problem files.
#![allow(clippy::unwrap_used, clippy::panic)]

use lariat::discretisation::assembly::{ConditionRow, GroundTravel, build};
use lariat::problem::{Question, load};
use lariat::results::Outcome;
use lariat::tasks::simulation::march::{Marcher, initial_state};
use lariat::tasks::{ForwardSystem, Silent, modes, simulation, statics};

/// A clamped rod of unit length and EI = 1, with more lines.
fn cantilever(model: &str, more: &str) -> String {
    format!(
        "dimension = 2\n[rod.r]\nmodel = \"{model}\"\nfrom = [0.0, 0.0]\nto = [1.0, 0.0]\nelements = 20\n\
         stiffness = {{ axial = 1e5, bending = 1.0 }}\ninertia = {{ mass = 1.0 }}\n\
         [support.s]\nat = \"r.start\"\ntype = \"clamp\"\n{more}"
    )
}

fn run(text: &str, overrides: &[String]) -> Outcome {
    let problem = load("rod", text, overrides).unwrap_or_else(|found| panic!("{found}"));
    let outcome = match &problem.question {
        Question::Statics(system, spec) => statics::run(system, spec, &mut Silent),
        Question::Simulate(system, spec) => simulation::run(system, spec, &mut Silent),
        Question::Modes(system, spec) => modes::run(system, spec, &mut Silent),
        _ => {
            panic!("not a forward task")
        }
    };
    assert_eq!(outcome.report.status, "solved", "{:?}", outcome.report.message);
    // The path of Lee's frame ends in an unstable state.
    let unexpected = outcome.report.warnings.iter().find(|warning| !warning.contains("unstable"));
    assert_eq!(unexpected, None);
    outcome
}

fn scalars<const N: usize>(outcome: &Outcome, names: [&str; N]) -> [f64; N] {
    names.map(|name| outcome.report.scalars[name])
}

/// Values for an inextensible rod from those with EA and 2 EA: the effect of stretch is linear in 1/EA but for terms of
/// the size (force / EA)² = 1e-8.
fn inextensible<const N: usize>(axial: f64, of: impl Fn(f64) -> [f64; N]) -> [f64; N] {
    let (soft, stiff) = (of(axial), of(2.0 * axial));
    std::array::from_fn(|k| 2.0 * stiff[k] - soft[k])
}

/// Errors on three grids: of second order, and beyond it by extrapolation within `tolerance` of what is expected.
fn second_order<const N: usize>(found: [[f64; N]; 3], expected: [f64; N], tolerance: f64) {
    for k in 0..N {
        let errors = found.map(|values| values[k] - expected[k]);
        for pair in errors.windows(2) {
            let ratio = pair[0] / pair[1];
            assert!((3.7..4.3).contains(&ratio), "value {k}: errors {errors:?}");
        }
        let extrapolated = (4.0 * found[2][k] - found[1][k]) / 3.0;
        assert!((extrapolated - expected[k]).abs() < tolerance, "value {k}: {extrapolated} not {}", expected[k]);
    }
}

const TIP: [&str; 3] = ["equilibrium.r.end.angle", "equilibrium.r.end.x", "equilibrium.r.end.y"];

/// Dead force across the tip, P L²/EI = 1 and 10: elliptic integrals of the inextensible elastica in 30-digit arithmetic.
#[test]
fn elastica_under_a_tip_force() {
    for (force, slope, across, shortening) in [
        (1.0, 0.46135194971188, 0.30172077379981, 0.056433236283377),
        (10.0, 1.4302855388039, 0.8106090248803, 0.55499559775375),
    ] {
        let text =
            cantilever("kirchhoff", &format!("[load.p]\nat = \"r.end\"\nforce = [0.0, {force}]\n[task.statics]\n"));
        let found = [20, 40, 80].map(|elements| {
            inextensible(5e4, |axial| {
                let set = [format!("rod.r.elements={elements}"), format!("rod.r.stiffness.axial={axial}")];
                scalars(&run(&text, &set), TIP)
            })
        });
        second_order(found, [slope, 1.0 - shortening, across], 1e-6);
    }
}

/// The heavy elastica, q L³/EI = 10: shooting, 12 digits. The multiplier of the first element is its shear force.
#[test]
fn elastica_under_its_weight() {
    let text =
        cantilever("kirchhoff", "[task.statics]\n").replace("dimension = 2", "dimension = 2\ngravity = [0.0, -10.0]");
    let found = [20, 40, 80].map(|elements| {
        inextensible(5e4, |axial| {
            let set = [format!("rod.r.elements={elements}"), format!("rod.r.stiffness.axial={axial}")];
            let outcome = run(&text, &set);
            let [weight] = scalars(&outcome, ["reaction.s.force_y"]);
            assert!((weight - 10.0).abs() < 1e-8, "{weight}");
            scalars(&outcome, TIP)
        })
    });
    second_order(found, [-1.052643117197, 1.0 - 0.343646238761, -0.700199715514], 2e-6);
}

/// Lee's frame: both limit points of the inextensible elastica, P = 1.855874654 and −0.942128745 by shooting, 9 digits.
#[test]
fn lee_frame_of_inextensible_rods() {
    let text = include_str!("../problems/lee-frame.toml")
        .replace("\"beam\"\nfrom", "\"kirchhoff\"\nfrom")
        .replace("order = 3\n", "")
        .replace("shear = \"G*A\", ", "");
    let text = text.split("[expect]").next().unwrap();
    let names = ["limit_point.1.factor", "limit_point.2.factor"];
    let on = |elements: usize| {
        inextensible(6.0, |area| {
            let set = ["rod.column.elements", "rod.beam.elements"].map(|key| format!("{key}={elements}"));
            scalars(&run(text, &[set[0].clone(), set[1].clone(), format!("let.A={area}")]), names)
        })
    };
    // Grids on which the errors, 1e-2 and 2e-2 on the first, are of second order to a few per cent.
    second_order([15, 30, 60].map(on), [1.855874654, -0.942128745], 2e-5);
}

/// ω L² √(ρA/EI) = (βL)² of the clamped and of the free Euler-Bernoulli beam; rotary inertia is 1e-9 and changes the
/// frequencies by less than 1e-7 of them.
#[test]
fn euler_bernoulli_frequencies() {
    let roots = [
        (true, [1.875104068711961, 4.694091132974175, 7.854757438237613]),
        (false, [4.730040744862704, 7.853204624095838, 10.99560783800167]),
    ];
    for (clamped, roots) in roots {
        let text = cantilever("kirchhoff", "[task.modes]\ncount = 6\nabout = \"reference\"\n");
        let held = "[support.s]\nat = \"r.start\"\ntype = \"clamp\"\n";
        let (text, first) = if clamped { (text, 1) } else { (text.replace(held, ""), 4) };
        let found = [40, 80, 160].map(|elements| {
            let set = [&format!("rod.r.elements={elements}"), "rod.r.stiffness.axial=1e7", "rod.r.inertia.rotary=1e-9"];
            let outcome = run(&text, &set.map(str::to_owned));
            let [zero] = scalars(&outcome, ["modes.zero"]);
            assert_eq!(zero, if clamped { 0.0 } else { 3.0 });
            [0, 1, 2].map(|k| outcome.report.scalars[&format!("modes.{}.omega", first + k)])
        });
        second_order(found, roots.map(|root: f64| root * root), 3e-3);
    }
}

/// Without `rotary` the section is homogeneous, as a shape of one material is.
#[test]
fn rotary_inertia_of_a_homogeneous_section() {
    let task = "[support.s]\nat = \"r.start\"\ntype = \"clamp\"\n[task.modes]\ncount = 4\nabout = \"reference\"\n";
    let rod = "dimension = 2\n[rod.r]\nmodel = \"kirchhoff\"\nfrom = [0.0, 0.0]\nto = [1.0, 0.0]\nelements = 12\n";
    let shape = "section.rectangle = { width = 0.05, height = 0.1 }\nmaterial = { youngs = 2e7, density = 1000.0 }\n";
    // EA = 2e7·5e-3, EI = 2e7·0.05·0.1³/12, ρA = 5.
    let direct = "stiffness = { axial = 1e5, bending = 83.33333333333334 }\ninertia = { mass = 5.0 }\n";
    let names = ["modes.1.omega", "modes.2.omega", "modes.3.omega", "modes.4.omega"];
    let [by_shape, directly] = [shape, direct].map(|section| scalars(&run(&[rod, section, task].concat(), &[]), names));
    for (a, b) in by_shape.iter().zip(directly) {
        assert!((a / b - 1.0).abs() < 1e-9, "{a} {b}");
    }
}

/// A rubber rod of 1 m falls from the horizontal about a hinge.
fn swinging(model: &str, stiffness: &str) -> String {
    let (area, moment) = (7.853981633974483e-5, 4.908738521234052e-10);
    format!(
        "dimension = 2\ngravity = [0.0, -9.81]\n[time]\nend = 0.4\nsteps = 400\n[rod.r]\nmodel = \"{model}\"\n\
         from = [0.0, 0.0]\nto = [1.0, 0.0]\nelements = 12\n\
         stiffness = {{ axial = {}, bending = {}{stiffness} }}\ninertia = {{ mass = {}, rotary = {} }}\n\
         [support.s]\nat = \"r.start\"\ntype = \"hinge\"\n[task.simulate]\n",
        5e6 * area,
        5e6 * moment,
        1100.0 * area,
        1100.0 * moment
    )
}

fn simulated(text: &str) -> ForwardSystem {
    match load("rod", text, &[]).unwrap_or_else(|found| panic!("{found}")).question {
        Question::Simulate(system, _) => *system,
        other => panic!("{other:?}"),
    }
}

/// γ₁ stays zero at every step, and the energy of the velocities that the rod allows is kept to second order.
#[test]
fn a_swinging_rod_does_not_shear() {
    let system = simulated(&swinging("kirchhoff", ""));
    let assembly = build(&system.mechanism);
    let state = initial_state(&system.mechanism, &assembly, assembly.reference.clone(), 0.0).unwrap();
    let mut marcher = Marcher::new(&assembly, state, 1e-3);
    let length = 1.0 / 12.0;
    let mut worst = 0.0_f64;
    for _ in 0..400 {
        marcher.advance(1e-3).unwrap();
        for constraint in &assembly.constraints {
            assert!(matches!(constraint.rows[..], [ConditionRow::Shear { .. }]));
            let still = GroundTravel(nalgebra::Vector3::zeros());
            worst = worst.max(constraint.value(&assembly.layout, &marcher.state().q, &still, 0).abs() / length);
        }
    }
    assert!(worst < 1e-10, "{worst:.1e}");
    let tip = assembly.sections[0].last().unwrap().1.position(&assembly.layout, &marcher.state().q);
    assert!(tip[1] < -0.8, "the rod has fallen: {tip}");
    let drifts = [400, 800].map(|steps| {
        let outcome = run(&swinging("kirchhoff", ""), &[format!("time.steps={steps}")]);
        scalars(&outcome, ["energy.total.drift"])[0]
    });
    // The weight falls by 0.5 m: 0.42 J.
    assert!(drifts[0] < 1e-3 && (3.0..5.0).contains(&(drifts[0] / drifts[1])), "{drifts:?}");
}

/// With more and more shear stiffness a shear-flexible beam comes to move like the rod, with 1/GA.
#[test]
fn the_rod_is_the_limit_of_shear_flexible_beams() {
    let tip = |text: &str| scalars(&run(text, &[]), ["motion.r.end.x.final", "motion.r.end.y.final"]);
    let rod = tip(&swinging("kirchhoff", ""));
    let apart = [2e2, 2e3, 2e4].map(|shear| {
        let beam = tip(&swinging("beam", &format!(", shear = {shear}")));
        (beam[0] - rod[0]).hypot(beam[1] - rod[1])
    });
    assert!(apart[2] < 1e-5, "{apart:?}");
    for pair in apart.windows(2) {
        assert!((8.0..12.5).contains(&(pair[0] / pair[1])), "{apart:?}");
    }
}

/// A rod that hangs at rest: its clamp carries the weight and the moment of the equilibrium, not more.
#[test]
fn supports_carry_the_rod() {
    let gravity = "dimension = 2\ngravity = [0.0, -2.0]";
    let resting = cantilever("kirchhoff", "[task.statics]\n").replace("dimension = 2", gravity);
    let [weight, moment] = scalars(&run(&resting, &[]), ["reaction.s.force_y", "reaction.s.torque_z"]);
    assert!((weight - 2.0).abs() < 1e-8, "{weight}");
    let moving = cantilever("kirchhoff", "[time]\nend = 0.1\nsteps = 20\n[task.simulate]\nstart = \"equilibrium\"\n");
    let found = run(&moving.replace("dimension = 2", gravity), &[]);
    let [force, torque] = scalars(&found, ["reaction.s.force_y.max", "reaction.s.torque_z.max"]);
    assert!((force - weight).abs() < 1e-6 && (torque - moment.abs()).abs() < 1e-6, "{force} {torque} {moment}");
}

/// A rod in space with all its tip loads, clamped.
fn bent_in_space(model: &str, stiffness: &str, elements: usize) -> String {
    format!(
        "dimension = 3\n[rod.r]\nmodel = \"{model}\"\nfrom = [0.0, 0.0, 0.0]\nto = [1.0, 0.0, 0.0]\nelements = {elements}\n\
         stiffness = {{ axial = 1e4, bending = [1.0, 1.4], torsion = 0.8{stiffness} }}\n\
         inertia = {{ mass = 1.0, rotary = 1e-3 }}\n[support.s]\nat = \"r.start\"\ntype = \"clamp\"\n\
         [load.p]\nat = \"r.end\"\nforce = [0.0, 0.8, -1.5]\n"
    )
}

/// Statics, motion and frequencies in space: shear-flexible rods come to those of the rod that does not shear with 1/GA.
#[test]
fn in_space_the_rod_is_the_limit_of_shear_flexible_rods() {
    let questions = [
        ("[task.statics]\n", ["equilibrium.r.end.x", "equilibrium.r.end.y", "equilibrium.r.end.z"]),
        (
            "[time]\nend = 0.3\nsteps = 150\n[task.simulate]\n",
            ["motion.r.end.x.final", "motion.r.end.y.final", "motion.r.end.z.final"],
        ),
        ("[task.modes]\ncount = 3\n", ["modes.1.omega", "modes.2.omega", "modes.3.omega"]),
    ];
    for (task, names) in questions {
        let of = |model: &str, stiffness: &str| scalars(&run(&(bent_in_space(model, stiffness, 8) + task), &[]), names);
        let rod = of("kirchhoff", "");
        let apart = [2e3, 2e4, 2e5].map(|shear| {
            let sheared = of("rod", &format!(", shear = {shear}"));
            (0..3).map(|i| (sheared[i] - rod[i]).abs() / rod[i].abs().max(0.1)).fold(0.0, f64::max)
        });
        assert!(apart[2] < 2e-4, "{task}{apart:?}");
        for pair in apart.windows(2) {
            assert!((7.0..16.0).contains(&(pair[0] / pair[1])), "{task}{apart:?}");
        }
    }
}

/// The elastica under a tip force, stated in space and turned about the axis of the rod: as in the plane.
#[test]
fn a_plane_elastica_in_space() {
    let plane = cantilever("kirchhoff", "[load.p]\nat = \"r.end\"\nforce = [0.0, 1.0]\n[task.statics]\n");
    let [_, x, y] = scalars(&run(&plane, &[]), TIP);
    let (cos, sin) = (0.6, 0.8);
    let space = plane
        .replace("dimension = 2", "dimension = 3")
        .replace("0.0, 0.0]", "0.0, 0.0, 0.0]")
        .replace("to = [1.0, 0.0]", "to = [1.0, 0.0, 0.0]")
        .replace("bending = 1.0", "bending = 1.0, torsion = 0.7")
        .replace("[0.0, 1.0]", &format!("[0.0, {cos}, {sin}]"));
    let found = scalars(&run(&space, &[]), ["equilibrium.r.end.x", "equilibrium.r.end.y", "equilibrium.r.end.z"]);
    for (found, expected) in found.iter().zip([x, y * cos, y * sin]) {
        assert!((found - expected).abs() < 1e-9, "{found} {expected}");
    }
}
