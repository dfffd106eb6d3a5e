//! Small mechanisms, each with one kind of part, free in plane or space.

use lariat::discretisation::assembly::{Assembly, build};
use lariat::mechanism::{JointKind, JointPart, Mechanism};
use lariat::problem::{Question, load};
use nalgebra::Vector3;

/// A mechanism with its name.
pub struct Sample {
    pub name: String,
    pub mechanism: Mechanism,
}

impl Sample {
    pub fn assembly(&self) -> Assembly {
        build(&self.mechanism)
    }
}

fn read(name: &str, text: &str) -> Sample {
    let text = format!("{text}\n[time]\nend = 1.0\nsteps = 4\n[task.simulate]\n");
    let problem = load(name, &text, &[]).unwrap_or_else(|found| panic!("{name}: {found}\n{text}"));
    let Question::Simulate(system, _) = problem.question else { panic!("{name}: another question") };
    Sample { name: name.to_owned(), mechanism: system.mechanism }
}

/// A rod of two metres in four elements; `more` may replace its section.
fn rod(name: &str, dimension: usize, model: &str, more: &str) -> Sample {
    let place = |x: f64| if dimension == 2 { format!("[{x}, 0.0]") } else { format!("[{x}, 0.0, 0.0]") };
    let axis = match more.contains("curve") {
        true => String::new(),
        false => format!("from = {}\nto = {}\n", place(0.0), place(2.0)),
    };
    let section = match (model, dimension) {
        _ if more.contains("stiffness") || more.contains("section") => "",
        ("string", _) => "stiffness = { axial = 30.0 }\ninertia = { mass = 1.2 }\n",
        ("kirchhoff", _) => "stiffness = { axial = 30.0, bending = 1.5 }\ninertia = { mass = 1.2 }\n",
        (_, 2) => "stiffness = { axial = 30.0, shear = 9.0, bending = 1.5 }\ninertia = { mass = 1.2, rotary = 0.1 }\n",
        _ => {
            "stiffness = { axial = 30.0, shear = [9.0, 7.0], bending = [1.5, 1.1], torsion = 0.8 }\ninertia = { mass = 1.2, rotary = [0.1, 0.2, 0.3] }\n"
        }
    };
    let text = format!("dimension = {dimension}\n[rod.rod]\nmodel = \"{model}\"\nelements = 4\n{axis}{section}{more}");
    read(&format!("{name} in {dimension} dimensions"), &text)
}

/// Rods of all models with all that a section, a shape and an element can be.
pub fn rods() -> Vec<Sample> {
    let mut samples = Vec::new();
    for (model, dimension) in [("string", 2), ("string", 3), ("beam", 2), ("kirchhoff", 2), ("rod", 3)] {
        samples.push(rod(model, dimension, model, ""));
        samples.push(rod(&format!("{model}, logarithmic law"), dimension, model, "law = \"logarithmic\"\n"));
    }
    for (model, dimension) in [("beam", 2), ("rod", 3)] {
        let space = dimension == 3;
        let pick = |plane: &'static str, spatial: &'static str| if space { spatial } else { plane };
        let features = [
            (
                "taper",
                pick(
                    "stiffness = { axial = \"30 - 5*s\", shear = 9.0, bending = \"1.5 - 0.3*s\" }\ninertia = { mass = \"1 + s\", rotary = 0.1 }\n",
                    "stiffness = { axial = \"30 - 5*s\", shear = 9.0, bending = [\"1.5 - 0.3*s\", 1.1], torsion = 0.8 }\ninertia = { mass = \"1 + s\", rotary = 0.1 }\n",
                ),
            ),
            (
                "curve",
                pick(
                    "curve.arc = { from = [0.0, 0.0], tangent = [1.0, 0.0], centre = [0.0, 1.5], angle = 1.2 }\n",
                    "curve.arc = { from = [0.0, 0.0, 0.0], tangent = [1.0, 0.0, 0.0], centre = [0.0, 0.0, 1.5], angle = 1.2 }\n",
                ),
            ),
            (
                "prestrain",
                pick(
                    "prestrain = { strain = [0.1, -0.05], curvature = 0.4 }\n",
                    "prestrain = { strain = [0.1, 0.02, -0.05], curvature = [0.4, -0.2, 0.3] }\n",
                ),
            ),
            ("mass centre", pick("offset = { mass = 0.1 }\n", "offset = { mass = [0.1, -0.05] }\n")),
            ("elastic centre", pick("offset = { elastic = 0.1 }\n", "offset = { elastic = [0.1, -0.05] }\n")),
            ("stiffening", "stiffening = 2.0\n"),
            ("order 2", "order = 2\n"),
            ("order 3", "order = 3\n"),
            ("trapezoidal rule", "quadrature = \"trapezoidal\"\n"),
        ];
        for (name, more) in features {
            samples.push(rod(&format!("{model}, {name}"), dimension, model, more));
        }
    }
    samples
}

/// Ropes over winches: from a drum, and over a sheave with a rope on the other side, in plane and space.
pub fn ropes() -> Vec<Sample> {
    let rope = |name: &str, to: &str, law: &str| {
        let from = if to.matches(',').count() == 1 { "[0.0, 0.0]" } else { "[0.0, 0.0, 0.0]" };
        format!(
            "[rod.{name}]\nmodel = \"string\"\nelements = 3\nfrom = {from}\nto = {to}\nlaw = \"{law}\"\nstiffness = {{ axial = 30.0 }}\ninertia = {{ mass = 1.2 }}\nprestrain = {{ strain = -0.1 }}\n"
        )
    };
    let winch = "[winch.hoist]\nrope = \"rope\"\nat = \"ground\"\n";
    let drum = format!("{winch}force = 0.0\nradius = 0.5\ninertia = 0.3\nstored = 2.0\n");
    let sheave = format!("{winch}counter = \"other\"\nforce = 0.0\n");
    let sample = |name: &str, dimension: usize, parts: String| read(name, &format!("dimension = {dimension}\n{parts}"));
    let both = |ends: [&str; 2]| rope("rope", ends[0], "quadratic") + &rope("other", ends[1], "logarithmic") + &sheave;
    vec![
        sample("rope of a drum in the plane", 2, rope("rope", "[1.0, -1.5]", "quadratic") + &drum),
        sample("rope of a drum in space", 3, rope("rope", "[1.0, -1.5, 0.5]", "logarithmic") + &drum),
        sample("ropes over a sheave in the plane", 2, both(["[1.0, -1.5]", "[-0.5, -1.0]"])),
        sample("ropes over a sheave in space", 3, both(["[1.0, -1.5, 0.5]", "[-0.5, -1.0, 0.3]"])),
    ]
}

/// Two free bodies with a joint of each kind between them.
pub fn joints() -> Vec<Sample> {
    let mut samples = Vec::new();
    for dimension in [2, 3] {
        for kind in JointKind::samples().into_iter().filter(|kind| dimension == 3 || !kind.is_spatial()) {
            let third = if dimension == 3 { ", 0.1" } else { "" };
            let inertia = if dimension == 3 { "[0.1, 0.2, 0.15]" } else { "0.1" };
            let body = |name: &str, x: f64| {
                format!("[body.{name}]\nmass = 1.0\ninertia = {inertia}\nposition = [{x}, 0.2{third}]\n")
            };
            let text = format!("dimension = {dimension}\n{}{}", body("a", 0.0), body("b", 1.0));
            let mut sample = read(&format!("{} in {dimension} dimensions", kind.words().0), &text);
            let kind = match dimension {
                2 => kind.turned(|_| Vector3::new(0.6, 0.8, 0.0)),
                _ => kind,
            };
            let at = Vector3::new(0.5, 0.1, if dimension == 3 { 0.2 } else { 0.0 });
            let shift = if kind.is_bar() { Vector3::x() * 0.4 } else { Vector3::zeros() };
            let between = [0, 1].map(lariat::mechanism::Frame::Body);
            sample.mechanism.joints.push(JointPart { name: "joint".into(), between, at: [at, at + shift], kind });
            samples.push(sample);
        }
    }
    samples
}

/// A stiffness that couples all displacements and rotations.
const WHOLE: &str = "[[5.0, 0.5, 0.2, 0.1, -0.3, 0.2], [0.5, 4.0, 0.1, 0.2, 0.3, -0.1], [0.2, 0.1, 6.0, -0.4, 0.1, 0.3], [0.1, 0.2, -0.4, 3.0, 0.2, 0.1], [-0.3, 0.3, 0.1, 0.2, 2.0, 0.3], [0.2, -0.1, 0.3, 0.1, 0.3, 2.5]]";

/// Springs between bodies and on joints, and bushings.
pub fn springs() -> Vec<Sample> {
    let bodies = |dimension: usize| {
        let third = if dimension == 3 { ", 0.1" } else { "" };
        format!(
            "dimension = {dimension}\n[body.a]\nmass = 1.0\ninertia = 0.1\nposition = [0.0, 0.2{third}]\n[body.b]\nmass = 1.0\ninertia = 0.1\nposition = [1.0, 0.2{third}]\n"
        )
    };
    let joint =
        |kind: &str, third: &str| format!("[joint.j]\nbetween = [\"a\", \"b\"]\n{kind}\nat = [0.5, 0.1{third}]\n");
    let on_joint = "[spring.s]\nat = \"j\"\nstiffness = 3.0\n";
    let between = |third: &str| {
        format!(
            "[spring.s]\nbetween = [\"a\", \"b\"]\npoints = [[0.1, 0.3{third}], [0.9, 0.0{third}]]\nstiffness = 3.0\nrest = 0.5\n"
        )
    };
    let bushing = |third: &str, matrix: &str| {
        format!(
            "[spring.s]\nbetween = [\"a\", \"b\"]\npoints = [[0.4, 0.3{third}], [0.6, 0.0{third}]]\nbushing = {{ stiffness-matrix = {matrix} }}\n"
        )
    };
    vec![
        read("spring between bodies in the plane", &(bodies(2) + &between(""))),
        read("spring between bodies in space", &(bodies(3) + &between(", 0.2"))),
        read("spring on a hinge in the plane", &(bodies(2) + &joint("type = \"revolute\"", "") + on_joint)),
        read(
            "spring on a hinge in space",
            &(bodies(3) + &joint("type.revolute = { axis = [1.0, 2.0, -2.0] }", ", 0.2") + on_joint),
        ),
        read(
            "spring on a slide in space",
            &(bodies(3) + &joint("type.prismatic = { axis = [1.0, 2.0, -2.0] }", ", 0.2") + on_joint),
        ),
        read(
            "spring on a spherical joint",
            &(bodies(3) + &joint("type = \"spherical\"", ", 0.2") + &on_joint.replace("3.0", "[3.0, 2.0, 5.0]")),
        ),
        read(
            "spring on a universal joint",
            &(bodies(3)
                + &joint("type.universal = { axes = [[1.0, 2.0, -2.0], [0.0, 1.0, 1.0]] }", ", 0.2")
                + &on_joint.replace("3.0", "[3.0, 2.0]")),
        ),
        read(
            "bushing in the plane",
            &(bodies(2) + &bushing("", "[[3.0, 0.5, 0.2], [0.5, 2.0, 0.1], [0.2, 0.1, 1.0]]")),
        ),
        read("bushing in space", &(bodies(3) + &bushing(", 0.2", WHOLE))),
        read(
            "spring by its energy",
            &(bodies(3) + &between(", 0.2").replace("stiffness = 3.0", "energy = \"1.5*x^2 + 2*x^4 + exp(x) - x\"")),
        ),
    ]
}

/// Forces and torques on bodies and sections, fixed and following, at points and along rods.
pub fn loads() -> Vec<Sample> {
    let mut samples = Vec::new();
    for dimension in [2, 3] {
        let space = dimension == 3;
        let pick = |plane: &'static str, spatial: &'static str| if space { spatial } else { plane };
        let body = pick(
            "[body.a]\nmass = 1.0\ninertia = 0.1\nposition = [0.0, 0.2]\n",
            "[body.a]\nmass = 1.0\ninertia = [0.1, 0.2, 0.15]\nposition = [0.0, 0.2, 0.1]\n",
        );
        let rod = pick(
            "[rod.r]\nmodel = \"beam\"\nfrom = [0.0, 0.0]\nto = [1.0, 0.5]\nelements = 2\norder = 2\nstiffness = { axial = 30.0, shear = 9.0, bending = 1.5 }\ninertia = { mass = 1.2, rotary = 0.1 }\n",
            "[rod.r]\nmodel = \"rod\"\nfrom = [0.0, 0.0, 0.0]\nto = [1.0, 0.5, 0.3]\nelements = 2\norder = 2\nstiffness = { axial = 30.0, shear = 9.0, bending = [1.5, 1.1], torsion = 0.8 }\ninertia = { mass = 1.2, rotary = 0.1 }\n",
        );
        let force = pick("force = [\"1 + t\", -2.0]", "force = [\"1 + t\", -2.0, 0.7]");
        let torque = pick("torque = \"0.4 - t\"", "torque = [0.3, -0.6, \"0.4 - t\"]");
        for (name, part, place) in
            [("body", body, "at = \"a\""), ("section", rod, "at = \"r@0.5\""), ("line", rod, "along = \"r\"")]
        {
            for follower in [false, true] {
                let text = format!(
                    "dimension = {dimension}\n{part}[load.l]\n{place}\n{force}\n{torque}\nfollows = {follower}\n"
                );
                samples.push(read(&format!("load on a {name} in {dimension} dimensions, follower {follower}"), &text));
            }
        }
    }
    samples
}

/// Rods of all models and bodies in a fluid; bodies beside the node that they share with a rod.
pub fn drags() -> Vec<Sample> {
    let drag = "drag = { normal = 0.5, tangential = 0.1, normal-quadratic = \"1 + s\", tangential-quadratic = 0.3 }\n";
    let mut samples = Vec::new();
    for (model, dimension) in [("string", 2), ("string", 3), ("beam", 2), ("kirchhoff", 2), ("rod", 3)] {
        samples.push(rod(&format!("{model} in a fluid"), dimension, model, drag));
    }
    for (model, dimension) in [("beam", 2), ("rod", 3)] {
        samples.push(rod(&format!("{model} of order 3 in a fluid"), dimension, model, &format!("order = 3\n{drag}")));
        samples.push(rod(&format!("rigid {model} in a fluid"), dimension, model, &format!("rigid = true\n{drag}")));
        let place = if dimension == 2 { "[2.3, 0.4]" } else { "[2.3, 0.4, 0.2]" };
        let text = format!(
            "{drag}[body.float]\nmass = 1.0\ninertia = 0.1\nposition = {place}\ndrag = {{ linear = 0.4, quadratic = 0.7, rotary = 0.2 }}\n[joint.weld]\nbetween = [\"float\", \"rod.end\"]\ntype = \"rigid\"\n"
        );
        samples.push(rod(&format!("{model} with a float"), dimension, model, &text));
        let (force, torque) = match dimension {
            2 => (
                "[\"-0.3*rod.end.x_dot - rod.end.y_dot^3\", \"0.2*rod.end.angle_dot*rod.end.x_dot\"]",
                "\"-0.4*rod.end.angle_dot\"",
            ),
            _ => (
                "[\"-0.3*rod.end.x_dot - rod.end.y_dot^3\", \"rod.end.spin_x*rod.end.z_dot\", \"-rod.end.z_dot\"]",
                "[\"-rod.end.spin_x\", \"rod.end.x_dot*rod.end.spin_z\", \"-rod.end.spin_z^3\"]",
            ),
        };
        let text = format!("[load.brake]\nat = \"rod.end\"\nforce = {force}\ntorque = {torque}\n");
        samples.push(rod(&format!("{model} with a load by its motion"), dimension, model, &text));
    }
    samples
}
