//! What sections, supports, joints and actuators carry, against certified values, closed forms and the balance of forces.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use common::gallery;
use lariat::results::{Listing, Outcome};
use lariat::{Silent, problem};

fn solved(text: &str) -> Outcome {
    let problem = problem::load("carried.toml", text, &[]).unwrap_or_else(|found| panic!("{found}"));
    let outcome = lariat::solve_with(&problem, &mut Silent);
    assert!(outcome.report.status.is_solved(), "{:?}", outcome.report.message);
    outcome
}

fn scalar(outcome: &Outcome, name: &str) -> f64 {
    *outcome.report.scalars.get(name).unwrap_or_else(|| panic!("{name} among {:?}", outcome.report.scalars.keys()))
}

/// The value of a column at a place between sections, by the parabola through the three nearest.
fn at(profile: &Listing, name: &str, place: f64) -> f64 {
    let (s, values) = (profile.column("s").unwrap(), profile.column(name).unwrap());
    let mut rows: Vec<usize> = (0..s.len()).collect();
    rows.sort_by(|a, b| (s[*a] - place).abs().total_cmp(&(s[*b] - place).abs()));
    let rows = &rows[..3];
    let weight = |i: usize| -> f64 {
        rows.iter().filter(|j| **j != rows[i]).map(|j| (place - s[*j]) / (s[rows[i]] - s[*j])).product()
    };
    (0..3).map(|i| weight(i) * values[rows[i]]).sum()
}

/// P1 of the reference collection: the NREL 5-MW blade in wind, computed independently. Section loads and twist.
#[test]
fn the_sections_of_a_blade_in_wind_carry_the_certified_loads() {
    let outcome = gallery("nrel-blade-wind", &["task.statics.factors=[1.0]"]).solve(&mut Silent);
    assert!(outcome.report.status.is_solved(), "{:?}", outcome.report.message);
    assert_eq!(outcome.report.expectations.len(), 9);
    assert!(outcome.report.expectations.iter().all(|known| known.met), "{:?}", outcome.report.expectations);
    // The last state of the profile is the loaded one. The wind has a kink at 20 m, inside an element.
    let mut profile = outcome.profile.clone();
    let loaded: Vec<bool> = profile.column("factor").unwrap().iter().map(|factor| *factor == 1.0).collect();
    for (_, values) in &mut profile.columns {
        let mut row = loaded.iter();
        values.retain(|_| *row.next().unwrap());
    }
    let wanted = [
        ("shear_1", 188202.65, 4e-5),
        ("shear_2", -7033.20, 4e-5),
        ("axial", 5086.15, 4e-5),
        ("bending_1", 145326.2, 4e-5),
        ("bending_2", 3892116.3, 4e-5),
        ("torsion", 4570.8, 4e-5),
    ];
    for (name, value, allowed) in wanted {
        let found = at(&profile, name, 20.0);
        assert!((found - value).abs() <= allowed * value.abs(), "{name}: {found} {value}");
    }
}

/// A clamped beam with a hanging body and a force at its end. The reaction and all loads make the rate of change of the momentum;
/// the joint carries the weight and the inertia of the body behind it.
#[test]
fn reactions_and_joint_forces_balance_loads_and_inertia() {
    let outcome = solved(
        r#"
        dimension = 2
        gravity = [0.0, -9.81]
        [time]
        end = 1.0
        steps = 2000
        [rod.beam]
        model = "beam"
        from = [0.0, 0.0]
        to = [1.0, 0.0]
        elements = 6
        stiffness = { axial = 4e3, shear = 2e3, bending = 20.0 }
        inertia = { mass = 0.6, rotary = 1e-3 }
        [body.bob]
        mass = 0.8
        inertia = 0.02
        position = [1.3, -0.2]
        [joint.pin]
        type = "revolute"
        between = ["beam.end", "bob"]
        at = [1.0, 0.0]
        [support.wall]
        at = "beam.start"
        type = "clamp"
        [load.push]
        at = "beam.end"
        force = ["3*sin(5*t)", 1.5]
        [task.simulate]
        "#,
    );
    let (loads, momentum) = (&outcome.loads, &outcome.momentum);
    assert!(loads.t.len() + 1 >= momentum.t.len() && (loads.t[1] - momentum.t[1]).abs() < 1e-12);
    let dt = 1.0 / 2000.0;
    let rate = |values: &[f64], k: usize| (values[k + 1] - values[k - 1]) / (2.0 * dt);
    let second = |values: &[f64], k: usize| (values[k + 1] - 2.0 * values[k] + values[k - 1]) / (dt * dt);
    let weight = -9.81 * (0.6 + 0.8);
    let mut largest = [0.0_f64; 3];
    for k in 2..loads.t.len() - 2 {
        let t = loads.t[k];
        let balance = |axis: &str, known: f64| {
            let reaction = loads.column(&format!("wall.force_{axis}")).unwrap()[k];
            reaction + known - rate(momentum.column(&format!("linear_{axis}")).unwrap(), k)
        };
        largest[0] = largest[0].max(balance("x", 3.0 * (5.0 * t).sin()).abs());
        largest[1] = largest[1].max(balance("y", 1.5 + weight).abs());
        for (axis, gravity) in [("x", 0.0), ("y", -9.81)] {
            let pin = loads.column(&format!("pin.force_{axis}")).unwrap()[k];
            let place = outcome.motion.column(&format!("bob.{axis}")).unwrap();
            largest[2] = largest[2].max((pin - 0.8 * (second(place, k) - gravity)).abs());
        }
    }
    // The forces are some 30 N; differences of the second order of 0.5 ms leave a few mN.
    assert!(largest.iter().all(|off| *off < 0.03), "{largest:?}");
    assert!(scalar(&outcome, "reaction.wall.force_y.max") > 10.0 && scalar(&outcome, "joint.pin.force_y.max") > 5.0);
    // Nothing turns the body about the pin.
    assert!(scalar(&outcome, "joint.pin.torque_z.max") < 1e-9);
}

/// A joint that lets nothing turn but slides carries the moment of a force beside it: F a, by statics.
#[test]
fn a_slider_carries_force_and_moment() {
    let outcome = solved(
        r#"
        dimension = 2
        [body.slide]
        mass = 1.0
        inertia = 0.1
        position = [0.5, 0.0]
        [joint.rail]
        type.prismatic = { axis = [1.0, 0.0] }
        between = ["ground", "slide"]
        at = [0.2, 0.0]
        [spring.hold]
        at = "rail"
        stiffness = 100.0
        [load.down]
        at = "slide"
        force = [2.0, -7.0]
        [task.statics]
        "#,
    );
    for (name, wanted) in [("force_x", 0.0), ("force_y", 7.0), ("torque_z", 7.0 * 0.3)] {
        let found = scalar(&outcome, &format!("joint.rail.{name}"));
        assert!((found - wanted).abs() < 1e-8, "{name}: {found} {wanted}");
    }
}

/// A cantilever under a tip force: N = F cos θ, Q = F sin θ in the axes of the bent section, M the lever of the force to the
/// bent tip. By statics alone, whatever the rod.
#[test]
fn a_cantilever_carries_its_tip_force() {
    let outcome = solved(
        r#"
        dimension = 2
        [rod.beam]
        model = "beam"
        from = [0.0, 0.0]
        to = [2.0, 0.0]
        elements = 24
        order = 3
        stiffness = { axial = 1e4, shear = 5e3, bending = 10.0 }
        inertia = { mass = 1.0, rotary = 1e-3 }
        [support.wall]
        at = "beam.start"
        type = "clamp"
        [load.tip]
        at = "beam.end"
        force = [1.0, 5.0]
        [task.statics]
        factors = [0.5, 1.0]
        "#,
    );
    let [x, y, angle] = ["x", "y", "angle"].map(|c| scalar(&outcome, &format!("equilibrium.beam.end.{c}")));
    let checks = [
        ("section.beam.start.axial", 1.0),
        ("section.beam.start.shear", 5.0),
        ("section.beam.start.bending", 5.0 * x - y),
        ("section.beam.end.axial", angle.cos() + 5.0 * angle.sin()),
        ("section.beam.end.shear", 5.0 * angle.cos() - angle.sin()),
        ("section.beam.end.bending", 0.0),
        ("section.beam.bending.max", 5.0 * x - y),
        ("section.beam.bending.s", 0.0),
    ];
    for (name, wanted) in checks {
        let found = scalar(&outcome, name);
        assert!((found - wanted).abs() < 1e-4, "{name}: {found} {wanted}");
    }
    // Both load factors and the unloaded state are told, with the least and the largest of them.
    let profile = &outcome.profile;
    let tips: Vec<usize> = (0..profile.names.len()).filter(|row| profile.column("s").unwrap()[*row] == 2.0).collect();
    let moved = |column: &str| tips.iter().map(|row| profile.column(column).unwrap()[*row]).collect::<Vec<f64>>();
    assert_eq!(moved("factor"), [0.0, 0.5, 1.0]);
    assert!(
        (moved("displacement_y")[2] - y).abs() < 1e-12
            && moved("displacement_y_largest")[0] == moved("displacement_y")[2]
    );
    assert_eq!(outcome.loads.t, [0.0, 0.5, 1.0]);
    assert!((outcome.loads.column("wall.torque_z").unwrap()[2] + 5.0 * x - y).abs() < 1e-6);
}

/// A rope under its weight: the tension is the weight of what hangs below.
#[test]
fn a_hanging_rope_carries_what_is_below() {
    let outcome = solved(
        r#"
        dimension = 2
        gravity = [0.0, -10.0]
        [rod.rope]
        model = "string"
        from = [0.0, 0.0]
        to = [0.0, -4.0]
        elements = 16
        stiffness = { axial = 1e5 }
        inertia = { mass = 0.5 }
        [body.load]
        mass = 3.0
        [joint.tie]
        type = "rigid"
        between = ["rope.end", "load"]
        [support.hook]
        at = "rope.start"
        type = "hinge"
        [task.statics]
        "#,
    );
    let found = [scalar(&outcome, "section.rope.start.axial"), scalar(&outcome, "section.rope.end.axial")];
    // Two-node elements are joined by straight lines, continued to the ends.
    assert!((found[0] - 50.0).abs() < 1e-6 && (found[1] - 30.0).abs() < 1e-6, "{found:?}");
}

/// The march along a beam whose tip is turned: at s = 0 the section carries what the actuator does not hold, and the works of the
/// actuator's components add up to the work of all.
#[test]
fn actuators_of_a_march_do_what_the_sections_carry() {
    let problem = gallery("beam-quarter-turn", &["task.inverse-dynamics.profile=[2.5,3.1]"]);
    let outcome = problem.solve(&mut Silent);
    assert!(outcome.report.status.is_solved());
    let names = ["base.force_x", "base.force_y", "base.torque"];
    let works: f64 = names.iter().map(|name| scalar(&outcome, &format!("actuation.{name}.work"))).sum();
    let all = scalar(&outcome, "energy.actuator_work");
    let powers = names.map(|name| scalar(&outcome, &format!("actuation.{name}.power")));
    assert!((works - all).abs() < 1e-4 * powers.iter().copied().fold(0.0, f64::max), "{works} {all}");
    let profile = &outcome.profile;
    let mut instants = profile.column("t").unwrap().to_vec();
    instants.dedup();
    assert!(
        instants.len() == 2 && (instants[0] - 2.5).abs() < 0.02 && (instants[1] - 3.1).abs() < 0.02,
        "{instants:?}"
    );
    for row in (0..profile.names.len()).filter(|row| profile.column("s").unwrap()[*row] == 0.0) {
        let t = profile.column("t").unwrap()[row];
        let k = outcome.actuation.t.iter().position(|other| *other == t).unwrap();
        let [fx, fy, torque] = names.map(|name| outcome.actuation.column(name).unwrap()[k]);
        let of = |name: &str| profile.column(name).unwrap()[row];
        let [axial, shear] = [of("axial"), of("shear")];
        assert!((axial.hypot(shear) - fx.hypot(fy)).abs() < 1e-9 && (of("bending") + torque).abs() < 1e-9);
    }
    // The base of the quarter turn goes from (0, 0) to (1, −1) or so; its largest speed is found at its instants as well.
    let travel = scalar(&outcome, "actuation.base.force_x.travel");
    let base = outcome.motion.column("beam.start.x").unwrap();
    let [low, high] = base.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[l, h], x| [l.min(*x), h.max(*x)]);
    assert!((travel - (high - low)).abs() < 1e-3 * (high - low), "{travel} {low} {high}");
}

/// A stiff rod is turned faster and faster about its end, up to ω = 3 rad/s: then its section at s carries ρA ω² (L² − s²)/2. With
/// long steps its nodes go round on a wider circle than the rod, as if it were stretched by (ω h)²/8, here 4500 N: no stress of it.
#[test]
fn a_rod_that_turns_carries_its_inertia_whatever_the_step() {
    let outcome = solved(
        r#"
        dimension = 2
        [time]
        end = 3.0
        steps = 150
        [rod.arm]
        model = "beam"
        from = [0.0, 0.0]
        to = [1.0, 0.0]
        elements = 8
        order = 2
        stiffness = { axial = 1e7, shear = 4e6, bending = 1e3 }
        inertia = { mass = 2.0, rotary = 1e-3 }
        [support.shaft]
        at = "arm.start"
        fixes = ["x", "y"]
        angle = "0.3*ln((1 + exp((t - 1)/0.1))/(1 + exp(-10)))"
        [task.simulate]
        "#,
    );
    let field = &outcome.rods[0];
    for (i, s) in field.s.iter().enumerate() {
        let wanted = 9.0 * (1.0 - s * s);
        for k in 130..150 {
            let at = |name: &str| field.field(name).unwrap()[i * field.t.len() + k];
            let axial = at("force_x") * at("angle").cos() + at("force_y") * at("angle").sin();
            assert!((axial - wanted).abs() < 0.3, "s = {s}, t = {}: {axial} {wanted}", field.t[k]);
        }
    }
    let largest = scalar(&outcome, "section.arm.axial.max");
    assert!((largest - 9.0).abs() < 0.5 && scalar(&outcome, "section.arm.axial.s") < 0.2, "{largest}");
}

/// A shaft under a torque about its axis is twisted by T L/GJ, however its bearing is turned.
#[test]
fn a_shaft_is_twisted_by_its_torque_and_not_by_its_bearing() {
    for rotation in ["[0.0, 0.0, 0.0]", "[0.7, 0.4, -0.3]"] {
        let outcome = solved(&format!(
            r#"
            dimension = 3
            [rod.shaft]
            model = "rod"
            from = [0.0, 0.0, 0.0]
            to = [3.0, 0.0, 0.0]
            elements = 6
            stiffness = {{ axial = 1e4, shear = 5e3, bending = 80.0, torsion = 50.0 }}
            inertia = {{ mass = 1.0, rotary = 1e-3 }}
            [support.bearing]
            at = "shaft.start"
            fixes = ["x", "y", "z"]
            rotation = {rotation}
            [load.wrench]
            at = "shaft.end"
            torque = [0.0, 0.0, 2.0]
            follows = true
            [task.statics]
            "#
        ));
        let found = ["twist", "torsion"].map(|what| scalar(&outcome, &format!("section.shaft.end.{what}")));
        assert!((found[0] - 0.12).abs() < 1e-9 && (found[1] - 2.0).abs() < 1e-9, "{rotation}: {found:?}");
        assert_eq!(scalar(&outcome, "section.shaft.twist.s"), 3.0);
    }
}
