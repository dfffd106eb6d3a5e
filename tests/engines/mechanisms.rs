//! Random mechanisms as problem files: rods of all models with taper, curve, offset, prestrain and damping, bodies, all joints,
//! springs, loads; half of them in a fluid.

#[path = "../common/random.rs"]
mod random;

pub use random::Random;

/// Choices by chance.
trait Chance {
    fn below(&mut self, count: usize) -> usize;
    fn of<'a>(&mut self, list: &[&'a str]) -> &'a str;
    fn likely(&mut self) -> bool;
}

impl Chance for Random {
    /// A number from 0 to `count` − 1.
    fn below(&mut self, count: usize) -> usize {
        ((self.next() + 1.0) / 2.0 * count as f64) as usize % count
    }

    fn of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }

    fn likely(&mut self) -> bool {
        self.next() > -0.3
    }
}

/// A chain of a rod on the ground, a body, a second rod and a second body.
pub fn mechanism(seed: u64) -> String {
    let mut random = Random(seed);
    let space = seed % 2 == 1;
    // Half of them in a fluid.
    let fluid = (seed / 2).is_multiple_of(2);
    let mut text = match space {
        false => "dimension = 2\ngravity = [0.3, -9.81]\n".to_owned(),
        true => "dimension = 3\ngravity = [0.3, 0.2, -9.81]\n".to_owned(),
    };
    text += "time = { end = 1.0, steps = 10 }\n";
    let first = rod(&mut random, "first", 0.0, space, fluid);
    let second = rod(&mut random, "second", 1.5, space, fluid);
    text += &first.text;
    text += &second.text;
    let third = if space { ", 0.0" } else { "" };
    text += &format!("[body.hub]\nmass = 2.0\ninertia = {}\n", if space { "[0.1, 0.2, 0.15]" } else { "0.1" });
    if fluid {
        text += "drag = { linear = 0.8, quadratic = 1.5, rotary = 0.2 }\n";
    }
    text += &format!("position = [1.2, 0.1{third}]\n");
    text += &format!("[body.tip]\nmass = 0.7\ninertia = {}\n", if space { "[0.02, 0.03, 0.04]" } else { "0.02" });
    text += &format!("position = [2.6, -0.2{third}]\n");
    // The start of the first rod stands on the ground, or moves with a support.
    text += &match (first.turns, random.below(3)) {
        (true, 0) => "[support.wall]\nat = \"first.start\"\ntype = \"clamp\"\n".to_owned(),
        (true, 1) => {
            let others = if space { "\"y\", \"z\", \"rotation\"" } else { "\"y\", \"angle\"" };
            format!("[support.wall]\nat = \"first.start\"\nfixes = [{others}]\nx = \"0.1 - 0.1*cos(3*t)\"\n")
        }
        _ => "[support.wall]\nat = \"first.start\"\ntype = \"hinge\"\n".to_owned(),
    };
    text += &joint(&mut random, "a", "first.end", "hub", [1.0, 0.0], space, first.turns);
    text += &joint(&mut random, "b", "hub", "second.start", [1.5, 0.0], space, second.turns);
    text += &joint(&mut random, "c", "second.end", "tip", [2.5, 0.0], space, second.turns);
    let point = |x: f64, y: f64| format!("[{x}, {y}{third}]");
    text += "[spring.tie]\nbetween = [\"hub\", \"tip\"]\nstiffness = 30.0\ndamping = 2.0\nrest = 1.1\n";
    text += &format!("points = [{}, {}]\n", point(1.3, 0.3), point(2.5, 0.1));
    text += "[spring.mount]\nbetween = [\"hub\", \"tip\"]\n";
    text += &format!("points = [{}, {}]\n", point(1.2, 0.3), point(1.3, 0.2));
    text += match space {
        true => "bushing = { stiffness = [9.0, 7.0, 5.0, 2.0, 3.0, 4.0], damping = [0.5, 0.6, 0.7, 0.2, 0.3, 0.1] }\n",
        false => {
            "bushing = { stiffness-matrix = [[9.0, 1.0, 0.5], [1.0, 7.0, 0.2], [0.5, 0.2, 3.0]], damping = [0.5, 0.6, 0.2] }\n"
        }
    };
    text += "[spring.stop]\nbetween = [\"ground\", \"tip\"]\nforce = \"8*x + 20*x^3 + (0.4 + x^2)*v + v^3\"\n";
    text += &format!("points = [{}, {}]\n", point(2.0, 1.0), point(2.6, -0.2));
    text += "[spring.rubber]\nbetween = [\"ground\", \"hub\"]\nenergy = \"4*x^2 + x^4 + cosh(x)\"\ndamping = 0.3\n";
    text += &format!("points = [{}, {}]\n", point(1.0, 1.0), point(1.2, 0.2));
    text += &format!("[load.pull]\nat = \"tip\"\nforce = {}\n", vector(&["3*cos(t)", "-1", "0.5"], space));
    text += &format!("follows = {}\n", random.likely());
    text += &format!("[load.wind]\nalong = \"second\"\nforce = {}\n", vector(&["0.2*s", "1 + s*t", "-0.4"], space));
    if second.turns {
        let torque = if space { "[0.3, \"0.1*t\", -0.2]" } else { "\"0.3*t\"" };
        text += &format!("[load.twist]\nat = \"second.end\"\ntorque = {torque}\n");
    }
    if fluid {
        text += &format!(
            "[load.brake]\nat = \"tip\"\nforce = {}\n",
            vector(&["-0.4*tip.x_dot", "-tip.y_dot^3 + 0.1*tip.x_dot", "-tip.z_dot"], space)
        );
        text += &format!("[current]\nvelocity = {}\n", vector(&["0.4*cos(t)", "-0.3", "0.2"], space));
    }
    text += "[actuator.motor]\nat = \"hub\"\nacts = [\"force_x\"]\n";
    text + "[task.optimal-control]\nobjective = { effort = 1.0 }\nstart = {}\nend = { \"hub.x\" = 1.3 }\n"
}

fn vector(components: &[&str], space: bool) -> String {
    let count = if space { 3 } else { 2 };
    let list: Vec<String> = components[..count].iter().map(|component| format!("\"{component}\"")).collect();
    format!("[{}]", list.join(", "))
}

struct Made {
    text: String,
    /// Whether its sections have an orientation.
    turns: bool,
}

/// A rod of length 1 from (x, 0).
fn rod(random: &mut Random, name: &str, x: f64, space: bool, fluid: bool) -> Made {
    let model = random.of(if space {
        &["rod", "rod", "kirchhoff", "string"]
    } else {
        &["beam", "beam", "kirchhoff", "string"]
    });
    let (string, sheared) = (model == "string", matches!(model, "rod" | "beam"));
    let mut text = format!("[rod.{name}]\nmodel = \"{model}\"\n");
    let third = if space { ", 0.0" } else { "" };
    let curved = !string && random.likely();
    text += &if curved {
        // An arc whose chord is the straight rod: centre below, angle 2 asin(½/r).
        let (radius, angle) = (1.3_f64, 2.0 * (0.5_f64 / 1.3).asin());
        let depth = (radius * radius - 0.25).sqrt();
        let tangent = [depth / radius, 0.5 / radius];
        let centre = format!("[{}, {}{third}]", x + 0.5, -depth);
        let tangent = format!("tangent = [{}, {}{third}]", tangent[0], tangent[1]);
        format!("curve.arc = {{ from = [{x}, 0.0{third}], {tangent}, centre = {centre}, angle = {angle} }}\n")
    } else {
        format!("from = [{x}, 0.0{third}]\nto = [{}, 0.0{third}]\n", x + 1.0)
    };
    let order = if sheared { 1 + random.below(3) } else { 1 };
    text += &format!("elements = {}\n", 1 + random.below(3));
    if order > 1 {
        text += &format!("order = {order}\n");
    }
    let taper = if random.likely() { "(1 - 0.4*s)" } else { "1" };
    text += &match (model, space) {
        ("string", _) => format!("stiffness = {{ axial = \"90*{taper}\" }}\ninertia = {{ mass = \"0.8*{taper}\" }}\n"),
        ("kirchhoff", true) => format!(
            "stiffness = {{ axial = \"200*{taper}\", bending = [\"3*{taper}^2\", 5.0], torsion = \"2*{taper}\" }}\ninertia = {{ mass = \"0.8*{taper}\", rotary = [0.01, 0.02, 0.03] }}\n"
        ),
        (_, true) => format!(
            "stiffness = {{ axial = \"200*{taper}\", shear = [\"90*{taper}\", 70.0], bending = [\"3*{taper}^2\", 5.0], torsion = \"2*{taper}\" }}\ninertia = {{ mass = \"0.8*{taper}\", rotary = [0.01, 0.02, 0.03] }}\n"
        ),
        ("kirchhoff", _) => format!(
            "stiffness = {{ axial = \"200*{taper}\", bending = \"3*{taper}^2\" }}\ninertia = {{ mass = \"0.8*{taper}\", rotary = 0.01 }}\n"
        ),
        _ => format!(
            "stiffness = {{ axial = \"200*{taper}\", shear = \"90*{taper}\", bending = \"3*{taper}^2\" }}\ninertia = {{ mass = \"0.8*{taper}\", rotary = 0.01 }}\n"
        ),
    };
    if sheared && random.likely() {
        text += if space {
            "offset = { mass = [0.02, -0.01], elastic = [0.01, 0.02] }\n"
        } else {
            "offset = { mass = 0.02, elastic = 0.01 }\n"
        };
    }
    if random.likely() {
        text += match (model, space) {
            ("string", _) => "prestrain = { strain = 0.05 }\n",
            ("kirchhoff", true) => "prestrain = { strain = 0.02, curvature = [0.3, 0.2, -0.1] }\n",
            (_, true) => "prestrain = { strain = [0.01, 0.0, 0.02], curvature = [0.3, 0.2, -0.1] }\n",
            ("kirchhoff", _) => "prestrain = { curvature = 0.3 }\n",
            _ => "prestrain = { strain = [0.01, 0.02], curvature = 0.3 }\n",
        };
    }
    if random.likely() {
        text += "damping = { time = 0.02 }\n";
    }
    if fluid {
        text += "drag = { normal = 0.5, tangential = 0.1, normal-quadratic = \"1 + s\", tangential-quadratic = 0.4 }\n";
    }
    Made { text, turns: !string }
}

/// A joint of a random type; strings have no orientation and get those that need none.
fn joint(random: &mut Random, name: &str, a: &str, b: &str, at: [f64; 2], space: bool, turns: bool) -> String {
    let kinds: &[&str] = match (space, turns) {
        (false, false) => &["type = \"revolute\"", "type = \"distance\""],
        (true, false) => &["type = \"spherical\"", "type = \"distance\""],
        (false, true) => &[
            "type = \"rigid\"",
            "type = \"revolute\"",
            "type.prismatic = { axis = [1.0, 0.3] }",
            "type = \"distance\"",
        ],
        (true, true) => &[
            "type = \"rigid\"",
            "type = \"spherical\"",
            "type.revolute = { axis = [0.0, 0.3, 1.0] }",
            "type.prismatic = { axis = [1.0, 0.3, 0.2] }",
            "type.cylindrical = { axis = [1.0, 0.2, 0.0] }",
            "type.planar = { normal = [0.0, 0.2, 1.0] }",
            "type.universal = { axes = [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] }",
            "type = \"distance\"",
        ],
    };
    let kind = random.of(kinds);
    let third = if space { ", 0.0" } else { "" };
    let place = if kind.contains("distance") {
        // Between the frames themselves, which do not coincide.
        String::new()
    } else {
        format!("at = [{}, {}{third}]\n", at[0], at[1])
    };
    let mut text = format!("[joint.{name}]\nbetween = [\"{a}\", \"{b}\"]\n{kind}\n{place}");
    // Joints that turn get a spring on what they let free.
    if turns && (kind.contains("spherical") || kind.contains("universal") || kind.contains("revolute")) {
        text += &format!("[spring.turn{name}]\nat = \"{name}\"\nstiffness = 2.0\ndamping = 0.3\n");
    }
    text
}
