//! The table of capabilities against the reader of problem files: what it says is taken is read, what it does not is refused with
//! the reason it gives. The page of the guide is the table.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use lariat::problem::load;
use lariat::tasks::capability::{Ability, Feature, Way, page};

const BEAM: &str = r#"
dimension = 2
[rod.beam]
model = "beam"
from = [0.0, 0.0]
to = [1.0, 0.0]
elements = 4
stiffness = { axial = 100.0, shear = 40.0, bending = 1.0 }
inertia = { mass = 1.0, rotary = 0.05 }
"#;
const STRING: &str = r#"
dimension = 2
[rod.beam]
model = "string"
from = [0.0, 0.0]
to = [1.0, 0.0]
elements = 4
stiffness = { axial = 100.0 }
inertia = { mass = 1.0 }
"#;
const SYSTEM: &str = r#"
[system]
coordinates = ["x", "y"]
controls = ["u"]
lagrangian = "0.5*x_dot^2 + 0.5*y_dot^2 - 0.5*(x - y)^2"
forces = { x = "u" }
"#;
const SLOW: &str = r#"
[body.weight]
mass = 0.5
inertia = 0.02
position = [1.0, -0.2]
[joint.hang]
between = ["beam.end", "weight"]
type = "revolute"
at = [1.0, 0.0]
"#;
const TIME: &str = "[time]\nend = 1.0\nsteps = 20\n";
const CLAMP: &str = "[support.root]\nat = \"beam.start\"\ntype = \"clamp\"\n";
const PATH: &str = r#"
[servo.tip]
at = "beam.end"
x = "1 + 0.1*rest(t, 0.2, 0.8, 6)"
y = 0.0
"#;

/// What stands beside the rods in a file that is solved in some way; `limp` for strings.
fn around(way: Way, limp: bool, system: bool) -> String {
    let acts = if limp { "[\"force_x\", \"force_y\"]" } else { "[\"force_x\", \"force_y\", \"torque\"]" };
    let hand = format!("[actuator.base]\nat = \"beam.start\"\nacts = {acts}\n");
    let path = if limp { PATH.to_owned() } else { format!("{PATH}angle = 0.0\n") };
    let held = CLAMP.replace("clamp", if limp { "hinge" } else { "clamp" });
    let inverse = |method: &str| match system {
        true => format!(
            "{TIME}[servo.tip]\nat = \"x\"\npath = \"rest(t, 0.2, 0.8, 6)\"\n[task.inverse-dynamics]\n{method}\n"
        ),
        false => format!("{TIME}{hand}{path}[task.inverse-dynamics]\n{method}\n"),
    };
    let moved = |task: &str| match system {
        true => format!("{TIME}{task}"),
        false => format!("{TIME}{held}{task}"),
    };
    let driven = |rest: &str| {
        let (start, end) =
            if system { ("x = 0.0, y = 0.0", "x = 1.0, y = 0.5") } else { ("", "\"beam.start.x\" = 0.1") };
        let hand = if system { "" } else { hand.as_str() };
        format!(
            "{TIME}{hand}[task.optimal-control]\nobjective = {{ effort = 1.0 }}\nstart = {{ {start} }}\nend = {{ {end} }}\n{rest}"
        )
    };
    let begins = "[task.simulate]\nstart = { x = 0.0, y = 0.0, x_dot = 1.0, y_dot = 0.0 }\n";
    let still = |task: &str| if system { task.to_owned() } else { format!("{held}{task}") };
    match way {
        Way::Statics => still("[task.statics]\n"),
        Way::Simulate if system => moved(begins),
        Way::Simulate => moved("[task.simulate]\n"),
        Way::Multirate if system => moved(&format!("{begins}multirate = {{ fast = [\"x\"], micro = 4 }}\n")),
        Way::Multirate => moved(&format!("{SLOW}[task.simulate]\nmultirate = {{ fast = [\"beam\"], micro = 4 }}\n")),
        Way::Modes => still("[task.modes]\ncount = 2\n"),
        Way::ExactModes => still("[task.modes]\ncount = 2\nmethod = \"exact\"\n"),
        Way::Mobility => still("[task.mobility]\n"),
        Way::SpaceMarch => inverse("method = \"space-march\""),
        Way::Characteristics => inverse("method = \"characteristics\""),
        Way::Layers => inverse("method = \"galerkin\"\nsweep = \"layers\""),
        Way::Global => inverse("method = \"galerkin\"\nsweep = \"global\""),
        Way::Sequential => inverse("method = \"sequential\""),
        Way::BoundaryValue => inverse("method = \"boundary-value\""),
        Way::Optimise => inverse("method = \"optimise\"\neffort = 1e-4"),
        Way::OptimalControl => driven(""),
        Way::Phases => driven(
            "[[task.optimal-control.phase]]\nname = \"first\"\nduration = [0.1, 0.9]\n[[task.optimal-control.phase]]\nname = \"second\"\nduration = [0.1, 0.9]\n",
        ),
    }
}

/// A file that states a feature, and entries to set in it.
fn sample(feature: Feature, way: Way) -> (String, Vec<String>) {
    let beam = |more: &str| format!("{BEAM}{}{more}", around(way, false, false));
    let set = |entries: &[&str]| (beam(""), entries.iter().map(|entry| (*entry).to_owned()).collect());
    // What hangs on the beam by a hinge.
    let pendulum = "[body.bob]\nmass = 0.1\ninertia = 0.01\nposition = [1.0, -0.1]\n[joint.pin]\nbetween = [\"beam.end\", \"bob\"]\ntype = \"revolute\"\nat = [1.0, 0.0]\n";
    match feature {
        Feature::Parts => (beam(""), Vec::new()),
        Feature::Strings => (format!("{STRING}{}", around(way, true, false)), Vec::new()),
        Feature::Kirchhoff => {
            let text = beam("").replace("model = \"beam\"", "model = \"kirchhoff\"").replace("shear = 40.0, ", "");
            (text.replace(", rotary = 0.05", ""), Vec::new())
        }
        Feature::RigidRods => {
            // Beside a rod that deforms, so that there is something to march along.
            let arm =
                BEAM.replace("dimension = 2", "").replace("rod.beam", "rod.arm").replace("[1.0, 0.0]", "[2.0, 0.0]");
            let arm = arm
                .replace("from = [0.0, 0.0]", "from = [1.0, 0.0]\nrigid = true")
                .replace("stiffness = { axial = 100.0, shear = 40.0, bending = 1.0 }\n", "");
            let joint = "[joint.weld]\nbetween = [\"beam.end\", \"arm.start\"]\ntype = \"rigid\"\n";
            (beam(&format!("{arm}{joint}")), Vec::new())
        }
        Feature::Tapered => set(&["rod.beam.stiffness.bending=\"1 + s\""]),
        Feature::Curved => {
            let text = beam("").replace(
                "from = [0.0, 0.0]\nto = [1.0, 0.0]\n",
                "curve.arc = { from = [0.0, 0.0], tangent = [1.0, 0.0], centre = [0.0, 5.0], angle = 0.2 }\n",
            );
            let text = text
                .replace("x = \"1 + 0.1", "x = \"0.9933466539753061 + 0.1")
                .replace("y = 0.0", "y = 0.09966711079379188");
            (text.replace("angle = 0.0", "angle = 0.2"), Vec::new())
        }
        Feature::Prestrained => set(&["rod.beam.prestrain.curvature=0.1"]),
        Feature::Damped => set(&["rod.beam.damping.bending=0.01"]),
        Feature::MassOffset => set(&["rod.beam.offset.mass=0.01"]),
        Feature::ElasticOffset => set(&["rod.beam.offset.elastic=0.01"]),
        Feature::HigherOrder => set(&["rod.beam.order=2"]),
        Feature::OtherQuadrature => set(&["rod.beam.quadrature=\"trapezoidal\""]),
        Feature::MovingStart => (
            beam(
                "[body.bob]\nmass = 0.1\ninertia = 0.01\nposition = [1.0, 0.0]\nvelocity = [0.0, 0.0]\n[joint.grip]\nbetween = [\"beam.end\", \"bob\"]\ntype = \"rigid\"\n",
            ),
            Vec::new(),
        ),
        Feature::Springs => (
            beam(
                "[spring.soft]\nbetween = [\"ground\", \"beam.end\"]\npoints = [[1.0, 1.0], [1.0, 0.0]]\nstiffness = 1.0\n",
            ),
            Vec::new(),
        ),
        Feature::Loads => (beam("[load.push]\nat = \"beam.end\"\nforce = [0.0, 0.01]\n"), Vec::new()),
        Feature::Drag => set(&["rod.beam.drag.normal=0.1"]),
        Feature::BodyDrag => (
            beam(
                "[body.bob]\nmass = 0.1\ninertia = 0.01\nposition = [1.0, 0.0]\ndrag = { linear = 0.1 }\n[joint.grip]\nbetween = [\"beam.end\", \"bob\"]\ntype = \"rigid\"\n",
            ),
            Vec::new(),
        ),
        Feature::Samples => {
            (beam("[table.gust]\nfile = \"tests/data/beam_kv_010.csv\"\ncolumn = \"Fx\"\n"), Vec::new())
        }
        Feature::Winches => {
            let text = STRING.replace("to = [1.0, 0.0]", "to = [0.0, -1.0]");
            let weight = "gravity = [0.0, -9.81]\n";
            let load =
                "[body.ballast]\nmass = 1.0\n[joint.hook]\nbetween = [\"ballast\", \"beam.end\"]\ntype = \"rigid\"\n";
            let drive = "force = 9.81\n";
            let winch = "[winch.hoist]\nrope = \"beam\"\nat = \"trolley\"\nstored = 0.5\n";
            let trolley = "[body.trolley]\nmass = 1.0\nposition = [0.0, 0.0]\n[support.rail]\nat = \"trolley\"\nfixes = [\"y\"]\n";
            let sought = way == Way::SpaceMarch;
            let around = around(way, true, false).replace(&CLAMP.replace("clamp", "hinge"), "");
            let around = match sought {
                true => around
                    .replace("acts = [\"force_x\", \"force_y\"]", "acts = [\"force_x\"]")
                    .replace("beam.start", "trolley")
                    .replace("1 + 0.1*rest", "0.1*rest")
                    .replace("y = 0.0", "y = -1.0"),
                false => around,
            };
            let drive = if sought { "" } else { drive };
            (format!("{weight}{text}{load}{trolley}{winch}{drive}{around}"), Vec::new())
        }
        // A motion begins with everything turning: its supports must let it.
        Feature::Spin if way == Way::Simulate => (beam("[spin]\nrate = 1.0\n").replace("clamp", "hinge"), Vec::new()),
        Feature::Spin => (beam("[spin]\nrate = 1.0\n"), Vec::new()),
        Feature::Actuators => {
            let has = around(way, false, false).contains("[actuator");
            let more = "[actuator.hand]\nat = \"beam.end\"\nacts = [\"force_x\"]\n";
            (beam(if has { "" } else { more }), Vec::new())
        }
        // As many outputs as inputs.
        Feature::JointActuators if matches!(way, Way::Sequential | Way::BoundaryValue) => {
            sample(Feature::JointServos, way)
        }
        Feature::JointActuators => {
            (beam(&format!("{pendulum}[actuator.motor]\nat = \"pin\"\nacts = [\"torque\"]\n")), Vec::new())
        }
        Feature::Servos => {
            let has = around(way, false, false).contains("[servo");
            (beam(if has { "" } else { "[servo.hand]\nat = \"beam.end\"\nx = 1.0\n" }), Vec::new())
        }
        Feature::JointServos => {
            let moving = "[actuator.motor]\nat = \"pin\"\nacts = [\"torque\"]\n[servo.pin]\nat = \"pin\"\nangle = \"0.1*rest(t, 0.2, 0.8, 6)\"\n";
            (beam(&format!("{pendulum}{moving}")), Vec::new())
        }
        Feature::System => (format!("{SYSTEM}{}", around(way, false, true)), Vec::new()),
    }
}

#[test]
fn what_the_table_says_is_what_the_reader_does() {
    let mut wrong = Vec::new();
    for feature in Feature::ALL {
        for way in Way::ALL {
            let (text, settings) = sample(feature, way);
            let read = load("sample.toml", &text, &settings);
            let told =
                read.as_ref().err().map(|found| found.list.iter().map(|one| one.message.clone()).collect::<Vec<_>>());
            let told = told.map(|messages| messages.join("\n"));
            let agrees = match (feature.ability(way), &told) {
                (Ability::Takes, None) => true,
                (Ability::Takes, Some(_)) | (_, None) => false,
                (ability, Some(told)) => told.contains(ability.reason()),
            };
            if !agrees {
                wrong.push(format!("{}, {}: {:?}\n    {told:?}", feature.name(), way.name(), feature.ability(way)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Written anew with `LARIAT_BLESS=1`.
#[test]
fn the_page_of_the_guide_is_the_table() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/capabilities.md");
    if std::env::var_os("LARIAT_BLESS").is_some() {
        std::fs::write(file, page()).unwrap();
    }
    assert_eq!(std::fs::read_to_string(file).unwrap_or_default(), page());
}
