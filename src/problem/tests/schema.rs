//! The schema and the types agree.

use std::collections::BTreeSet;

use serde_json::Value as Json;

use super::super::{ProblemSpec, read, schema_json};
use super::VALID;

/// Adds to [`VALID`] every table and key it does not use.
const REST: &str = r#"
[rod.tube]
model = "string"
from = [0.0, 0.0]
to = [1.0, 0.0]
elements = 40
section.tube = { outer = "2 + s", inner = 1.0, shear-factor = 1 }
material = { youngs = 1.0, poisson = 0.3, density = 1.0 }
velocity = ["s", 0]

[rod.round]
model = "rod"
elements = 40
order = 3
quadrature = "midpoint-in-space"
normal = [0, 1, 0]
twist = "0.1*s"
stiffening = 0.05
section.circle.radius = 1.0
damping = { axial = 1, shear = [1, 2], bending = 3, torsion = 4 }
offset = { mass = [1, 2], elastic = 0.1, shear = [0, 1] }
spin = [0, "s", 0]

[rod.round.curve.arc]
from = [0, 0, 0]
tangent = [0, 1, 0]
centre = [1, 0, 0]
angle = 0.5

[rod.square]
model = "rod"
elements = 40
section.rectangle = { width = 1, height = 2, shear-factor = 0.8 }
curve.helix = { radius = 1, pitch = 2, turns = 3, from = [1, 0, 0], axis = [0, 0, 1], outward = [1, 0, 0] }
prestrain = { strain = [0, 0, "s"], curvature = [1, 2, 3] }
damping.time = 0.1

[rod.direct]
model = "rod"
elements = 40
stiffness = { torsion = "1 + s", matrix = [[1, 2], [3, 4]] }
curve.path = { x = "s", y = 0, z = "s^2", length = 1, twist = "s" }

[rod.blade]
model = "rod"
from = [0, 0, 0]
to = [0, 0, 1]
elements = 40
table.file = "blade.csv"

[body.payload]
mass = 1
inertia = 2
position = [1, 0]
orientation = 0.5
velocity = [0, 1]
spin = 2

[body.top]
mass = 1
inertia = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
orientation = [1, 0, 0, 0]
spin = [0, 0, 1]

[joint.fixed]
between = ["payload", "beam.end"]
type = "rigid"
at = [1, 0]

[joint.turning]
between = ["payload", "ground"]
type.revolute = { axis = [0, 1, 0] }

[servo.space]
at = "beam.end"
z = 3
turn = { axis = [0, 0, 1], angle = "t" }

[load.ballast]
at = "beam.end"
force = ["t", 1]
torque = 2
follows = true

[load.wind]
along = "beam"
force = ["s*t", 1]
torque = [0, 0, "s"]

[support.base]
at = "beam.start"
fixes = ["x", "angle"]

[support.shaker]
at = "beam.end"
type = "hinge"
x = "t"
y = 0
z = 0
angle = "t"
rotation = ["t", 0, 0]

[winch.hoist]
rope = "round"
counter = "tube"
at = "payload"
length = "2 - t"
force = "t"
torque = 1.0
radius = 0.2
inertia = 0.1
stored = 3.0

[task.inverse-dynamics.verify]
tolerance = 1e-3
refine = 3

[expect.other]
value = 1
abs = 2
"#;

/// A system by its Lagrangian, and its task.
const CONTROL: &str = r#"
[system]
coordinates = ["q"]
controls = ["u"]
lagrangian = "q_dot^2/2"
forces = { q = "u" }
constraints = { rod = "q" }
spheres = { rod = { of = ["q"], radius = 1 } }
units = { q = "m" }

[task.optimal-control]
objective = { effort = 1, time = 2, fuel = 3, peak = 4, energy = 5, running = "q^2", end = "q", tracking = { q = { weight = 2, reference = "t" } } }
start = { q = 0 }
end = { q = [0, "free"] }
bounds = { u = [-1, 1] }
path = { rod = { value = "q", min = 0, max = 1 } }
free-end-time = [1, 2]
periodic = { q = "pi" }
guess = { q = "t", file = "a.csv", result = "b" }
starts = { count = 3, seed = 2, spread = 0.5 }
rule = { galerkin = { degree = 3 } }
constraints = "null-space"
mesh = { continue = false, coarsest = 10, tolerance = 1e-6, most = 400 }
max-iterations = 99

[[task.optimal-control.phase]]
name = "first"
steps = 5
duration = [0.5, 1.0]
until = "q - 1"
lagrangian = "q_dot^2"
forces = { q = "u" }
bounds = { q = [0, 1] }
"#;

/// Joints and springs of optimal control.
const MACHINE: &str = r#"
[joint.sliding]
between = ["a", "b"]
type.prismatic = { axis = [1, 0] }
[joint.rolling]
between = ["a", "b"]
type.cylindrical = { axis = [1, 0] }
[joint.level]
between = ["a", "b"]
type.planar = { normal = [1, 0] }
[joint.cardan]
between = ["a", "b"]
type.universal = { axes = [[1, 0], [0, 1]] }
[joint.link]
between = ["a", "b"]
type = "distance"
to = [1, 1]
[spring.pull]
between = ["a", "b"]
points = [[0, 0], [1, 0]]
at = "sliding"
stiffness = 1
damping = 1
rest = 1
force = "x"
energy = "x^2"
bushing = { stiffness = [1, 1, 1], damping = [1, 1, 1], stiffness-matrix = [[1]], damping-matrix = [[1]] }
[task.modes]
"#;

/// A system in motion.
const MOTION: &str = r#"
[system]
coordinates = ["q", "r"]
lagrangian = "q_dot^2/2 + r_dot^2/2"
slow-potential = "q^4"
[task.simulate]
start = { q = 1 }
rule.galerkin = { degree = 2 }
controls = { u = "t" }
observe = { q = "q^2" }
multirate = { fast = ["q"], slow = ["r"], micro = 4, scheme = "explicit", weight = 0.5 }
"#;

/// A blade that turns, a fluid, and a function from a file.
const SPIN: &str = r#"
[spin]
axis = [0, 0, 1]
about = [0, 0, 0]
rate = 1
rates = [0, 1]
[rod.blade]
model = "rod"
elements = 2
grid = "stations"
table = { file = "x.csv", factors = { mass = 2 } }
drag = { normal = 1, tangential = "s", normal-quadratic = 2, tangential-quadratic = 3 }
[body.top]
mass = 1
drag = { linear = 1, quadratic = 2, rotary = 3 }
[current]
velocity = [1, "t"]
[table.wind]
file = "y.csv"
time = "t"
column = "x"
columns = ["x"]
degree = 5
smoothing = 1e-3
ends = "rest"
outside = "error"
[task.modes]
orders = [1, 3]
"#;

/// Tasks with all their keys.
const TASKS: [&str; 8] = [
    "[task.statics]\nmethod = \"arc-length\"\nfactors = [0.5, 1]\nrange = [0, 2]\nlimit-points = 2\nbranch-points = 2\nbranch = -1\nmax-steps = 9\n[[task.statics.stage]]\nloads = { wind = 0.5 }\n",
    "[task.simulate]\nstart = \"equilibrium\"\ntolerance = 1e-6\naccuracy = 1e-9\nevery = 2\nprofile = [0.5]\n",
    "[task.modes]\ncount = 3\nabout = \"reference\"\ndamped = true\n",
    "[task.mobility]\n",
    CONTROL,
    MACHINE,
    MOTION,
    SPIN,
];

fn keys(value: &Json, into: &mut BTreeSet<String>) {
    match value {
        Json::Object(map) => map.iter().for_each(|(key, value)| {
            into.insert(key.clone());
            keys(value, into);
        }),
        Json::Array(items) => items.iter().for_each(|item| keys(item, into)),
        _ => {}
    }
}

fn properties(schema: &Json, into: &mut BTreeSet<String>) {
    match schema {
        Json::Object(map) => map.iter().for_each(|(key, value)| {
            if let (true, Some(named)) = (key == "properties", value.as_object()) {
                into.extend(named.keys().cloned());
            }
            properties(value, into);
        }),
        Json::Array(items) => items.iter().for_each(|item| properties(item, into)),
        _ => {}
    }
}

#[test]
fn every_field_of_the_types_is_in_the_schema() {
    let text = format!("{VALID}{REST}").replace(
        "method = ",
        "bandwidth = 1e3\nfollowing = \"best\"\neffort = 1e-6\ntrade-off = [1e-3]\nrates = { u = 1.0 }\nmethod = ",
    );
    let (spec, _) = read("x.toml", &text, &[]).unwrap_or_else(|d| panic!("{d}"));
    let mut used = BTreeSet::new();
    keys(&serde_json::to_value(&spec).unwrap(), &mut used);
    for task in TASKS {
        let (spec, _) = read("x.toml", &format!("dimension = 2\n{task}"), &[]).unwrap_or_else(|d| panic!("{d}"));
        keys(&serde_json::to_value(&spec).unwrap(), &mut used);
        let again = toml::from_str::<ProblemSpec>(&toml::to_string(&spec).unwrap()).unwrap();
        assert_eq!(again, spec);
    }
    let names = ["beam", "round", "square", "payload", "fixed", "tip", "space", "ballast", "base", "other"];
    let names = [names, ["direct", "blade", "top", "turning", "wind", "shaker", "tube", "hoist", "", ""]].concat();
    let names: Vec<&str> = names.into_iter().filter(|name| !name.is_empty() && *name != "tube").collect();
    let lets_and_scalars = ["phi", "tau", "sigma", "actuation.base.torque.max", "q", "u"];
    let mechanism = ["sliding", "rolling", "level", "cardan", "link", "pull"];
    for name in names.iter().chain(&lets_and_scalars).chain(&mechanism) {
        assert!(used.remove(*name), "{name}");
    }
    let mut known = BTreeSet::new();
    properties(&serde_json::from_str(&schema_json()).unwrap(), &mut known);
    let unknown: Vec<&String> = used.difference(&known).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
    let unused: Vec<&String> = known.difference(&used).collect();
    assert!(unused.is_empty(), "{unused:?} are not tried here");
    assert_eq!(toml::from_str::<ProblemSpec>(&text).unwrap(), spec);
}

#[test]
fn names_are_restricted_where_frames_refer_to_them() {
    let schema: Json = serde_json::from_str(&schema_json()).unwrap();
    let restricted = |key: &str| schema["properties"][key].get("propertyNames").is_some();
    for key in ["rod", "body", "joint", "actuator", "servo", "load", "support"] {
        assert!(restricted(key), "{key}");
    }
    for key in ["let", "expect", "time", "task"] {
        assert!(!restricted(key), "{key}");
    }
    assert_eq!(schema["properties"]["rod"]["propertyNames"]["pattern"], "^[A-Za-z][A-Za-z0-9_-]*$");
}
