//! Mechanisms of forward tasks as they are built from files.

use nalgebra::{Vector3, Vector6};

use super::super::{Problem, Question, load, load_with};
use crate::mechanism::{Frame, JointKind};
use crate::tasks::ForwardSystem;

/// A beam along x in the plane.
const BEAM: &str = r#"
[rod.beam]
model = "beam"
from = [0, 0]
to = [2, 0]
elements = 4
stiffness = { axial = 100, shear = 50, bending = 7 }
inertia = { mass = 3, rotary = 0.5 }
"#;

/// A rod along x in space.
const ROD: &str = r#"
[rod.arm]
model = "rod"
from = [0, 0, 0]
to = [2, 0, 0]
elements = 4
stiffness = { axial = 100, shear = [50, 60], bending = [7, 8], torsion = "9 + s" }
inertia = { mass = "3 - s", rotary = 0.5 }
"#;

fn problem(dimension: usize, text: &str) -> Problem {
    load("x.toml", &format!("dimension = {dimension}\n{text}"), &[]).unwrap_or_else(|found| panic!("{found}"))
}

fn system(dimension: usize, text: &str) -> ForwardSystem {
    match problem(dimension, text).question {
        Question::Statics(system, _) | Question::Simulate(system, _) | Question::Modes(system, _) => *system,
        other => panic!("{other:?}"),
    }
}

fn warnings(dimension: usize, text: &str) -> Vec<String> {
    problem(dimension, text).warnings.list.into_iter().map(|warning| warning.message).collect()
}

fn close(a: Vector3<f64>, b: [f64; 3]) -> bool {
    (a - Vector3::from(b)).norm() < 1e-14
}

#[test]
fn a_plane_beam_lies_in_the_plane_with_its_second_director_out_of_it() {
    let text = format!("{BEAM}\n[support.root]\nat = 'beam.start'\ntype = 'clamp'\n[task.statics]\n");
    let system = system(2, &text.replace("to = [2, 0]", "to = [0, 2]"));
    let rod = &system.mechanism.rods[0];
    assert_eq!((rod.length, rod.elements, rod.order), (2.0, 4, 1));
    let pose = (rod.reference)(0.5);
    assert!(close(pose.position, [0.0, 0.5, 0.0]));
    let director = |axis: Vector3<f64>| pose.orientation.rotate(axis);
    assert!(close(director(Vector3::z()), [0.0, 1.0, 0.0]), "d₃ is the tangent");
    assert!(close(director(Vector3::x()), [-1.0, 0.0, 0.0]), "d₁ = (−sin θ, cos θ)");
    assert!(close(director(Vector3::y()), [0.0, 0.0, 1.0]), "d₂ is the normal of the plane");
    let section = (rod.section)(1.0);
    assert_eq!([0, 2, 4].map(|i| section.stiffness[(i, i)]), [50.0, 100.0, 7.0]);
    assert_eq!((section.mass, section.inertia[(1, 1)]), (3.0, 0.5));
    assert!(section.check().is_ok(), "definite although nothing leaves the plane");
    let support = &system.mechanism.supports[0];
    assert_eq!(support.at, Frame::Section { rod: 0, boundary: 0 });
    let held = support.displacement.iter().map(Option::is_some).collect::<Vec<_>>();
    assert_eq!((held, support.rotation.is_some()), (vec![true, true, false], true));
}

#[test]
fn a_rod_in_space_has_all_its_constants() {
    let more = "damping = { axial = 1, shear = 2, bending = [3, 4], torsion = 5 }\n\
                offset = { mass = [0.1, 0.2], elastic = [0.3, 0.4], shear = [0.5, 0.7] }\n\
                prestrain = { strain = [0, 0, 's'], curvature = [1, 2, 3] }\nlaw = 'logarithmic'\nstiffening = 0.05\n\
                velocity = [0, 's', 0]\nspin = [1, 0, 0]\n";
    let text = format!("{ROD}{more}[time]\nend = 1\nsteps = 9\n[task.simulate]\n");
    let system = system(3, &text);
    let rod = &system.mechanism.rods[0];
    let section = (rod.section)(0.5);
    // Shear centre (0.2, 0.3) from the elastic centre: GJ + GA₁ s₂² + GA₂ s₁².
    let coupled = 9.5 + 50.0 * 0.09 + 60.0 * 0.04;
    let diagonal = section.stiffness.diagonal();
    assert!((diagonal - Vector6::new(50.0, 60.0, 100.0, 7.0, 8.0, coupled)).norm() < 1e-13, "{diagonal}");
    assert!((section.stiffness[(0, 5)] + 50.0 * 0.3).abs() < 1e-13);
    // Stress = 2 r · strain rate.
    assert_eq!([0, 2, 3, 4].map(|i| section.damping[(i, i)]), [4.0, 2.0, 6.0, 8.0]);
    assert_eq!((section.mass, section.mass_offset, section.elastic_offset), (2.5, [0.1, 0.2], [0.3, 0.4]));
    assert_eq!([0, 1, 2].map(|i| section.inertia[(i, i)]), [0.5, 0.5, 1.0]);
    assert_eq!(rod.law.stiffening, 0.05);
    assert!(!rod.law.is_linear());
    let prestrain = rod.prestrain.as_ref().unwrap()(0.25);
    assert_eq!(prestrain, Vector6::new(0.0, 0.0, 0.25, 1.0, 2.0, 3.0));
    let velocity = rod.velocity.as_ref().unwrap()(0.25);
    assert_eq!(velocity, Vector6::new(0.0, 0.25, 0.0, 1.0, 0.0, 0.0));
    // d₁ = z × d₃ = y for a rod along x.
    assert!(close((rod.reference)(0.0).orientation.rotate(Vector3::x()), [0.0, 1.0, 0.0]));
}

#[test]
fn directors_follow_the_normal_and_the_twist() {
    let text = format!("{ROD}normal = [5, 0, 1]\ntwist = 'pi/4*s'\n[task.modes]\n");
    let rod = &system(3, &text).mechanism.rods[0];
    assert!(close((rod.reference)(0.0).orientation.rotate(Vector3::x()), [0.0, 0.0, 1.0]), "the part across the rod");
    let d1 = (rod.reference)(2.0).orientation.rotate(Vector3::x());
    // A right angle about x turns z to −y.
    assert!((d1 - Vector3::new(0.0, -1.0, 0.0)).norm() < 1e-9, "{d1}");
    let upright = ROD.replace("to = [2, 0, 0]", "to = [0, 0, 2]");
    let rod = &system(3, &format!("{upright}[task.modes]\n")).mechanism.rods[0];
    assert!(close((rod.reference)(1.0).orientation.rotate(Vector3::x()), [1.0, 0.0, 0.0]));
}

#[test]
fn curves_have_their_length_and_ends() {
    let straight = "from = [0, 0, 0]\nto = [2, 0, 0]\n";
    let with = |curve: &str| system(3, &format!("{}[task.modes]\n", ROD.replace(straight, curve)));
    let arc = with(
        "curve.arc = { from = [0, 0, 0], tangent = [0, 1, 0], centre = [0.4, 0, 0], angle = 1.5707963267948966 }\n",
    );
    let rod = &arc.mechanism.rods[0];
    assert!((rod.length - 0.2 * std::f64::consts::PI).abs() < 1e-15);
    assert!(close((rod.reference)(rod.length).position, [0.4, 0.4, 0.0]));
    // Without `from` the axis of a helix goes through the origin.
    let helix = with("curve.helix = { radius = 0.1, pitch = 0.3, turns = 2.5, axis = [0, 3, 0] }\n");
    let rod = &helix.mechanism.rods[0];
    assert!(close((rod.reference)(0.0).position, [0.1, 0.0, 0.0]));
    let end = (rod.reference)(rod.length).position;
    assert!((end - Vector3::new(-0.1, 0.75, 0.0)).norm() < 1e-14, "{end}");
    let path = with("curve.path = { x = 's', y = '0.5*s^2', z = 0, length = 1 }\n");
    // Length of a parabola: (√2 + asinh 1)/2.
    assert!((path.mechanism.rods[0].length - 1.147_793_574_696_319).abs() < 1e-10);
}

#[test]
fn bodies_are_placed_by_rods_and_joints_by_their_frames() {
    let text = format!(
        "{ROD}[body.tip]\nmass = 1\n[body.lid]\nmass = 2\ninertia = [1, 2, 3]\nposition = [2, 1, 0]\n\
         orientation = [0.7071067811865476, 0, 0, 0.7071067811865476]\nspin = [0, 0, 4]\nvelocity = [1, 0, 0]\n\
         [joint.a]\nbetween = ['tip', 'arm.end']\ntype = 'rigid'\n\
         [joint.b]\nbetween = ['lid', 'arm@0.5']\ntype.revolute = {{ axis = [0, 0, 5] }}\n\
         [joint.c]\nbetween = ['ground', 'lid']\ntype = 'spherical'\n\
         [joint.d]\nbetween = ['tip', 'lid']\ntype = 'spherical'\nat = [2, 0, 0]\n\
         [time]\nend = 1\nsteps = 9\n[task.simulate]\n"
    );
    let mechanism = system(3, &text).mechanism;
    let [lid, tip] = mechanism.bodies.as_slice() else { panic!("two bodies, by name") };
    assert!(close(tip.pose.position, [2.0, 0.0, 0.0]) && tip.inertia.amax() == 0.0);
    assert!(close(lid.pose.orientation.rotate(Vector3::x()), [0.0, 1.0, 0.0]));
    assert_eq!((lid.spin[2], lid.velocity[0], lid.inertia[(1, 1)]), (4.0, 1.0, 2.0));
    let [a, b, c, d] = mechanism.joints.as_slice() else { panic!("four joints") };
    assert_eq!((a.kind, a.between), (JointKind::Rigid, [Frame::Body(1), Frame::Section { rod: 0, boundary: 4 }]));
    assert!(close(a.at[0], [2.0, 0.0, 0.0]));
    assert_eq!(b.kind, JointKind::Revolute(Vector3::z()));
    assert!(close(b.at[0], [1.0, 0.0, 0.0]), "at the rod, not at the body");
    assert!(close(c.at[0], [2.0, 1.0, 0.0]) && close(d.at[0], [2.0, 0.0, 0.0]));
}

#[test]
fn supports_move_from_the_reference() {
    let text = format!(
        "{BEAM}[support.hand]\nat = 'beam.end'\nx = '2 + t'\ny = 1\nangle = '2*pi + t'\n\
         [support.mid]\nat = 'beam@1/2'\nfixes = ['y']\n[time]\nstart = 0.5\nend = 1\nsteps = 9\n[task.statics]\n"
    );
    let system = system(2, &text);
    let [hand, mid] = system.mechanism.supports.as_slice() else { panic!("two supports") };
    let value = |f: &crate::kernel::Function| f.value(0.5).unwrap();
    assert_eq!(hand.displacement[0].as_ref().map(value), Some(0.5));
    assert_eq!(hand.displacement[1].as_ref().map(value), Some(1.0));
    let rotation = hand.rotation.as_ref().unwrap().each_ref().map(value);
    assert!(rotation[0] == 0.0 && (rotation[2] - std::f64::consts::TAU - 0.5).abs() < 1e-14, "{rotation:?}");
    let moving = self::system(2, &text.replace("statics", "simulate"));
    let rotation = moving.mechanism.supports[0].rotation.as_ref().unwrap().each_ref().map(value);
    assert!((rotation[2] - 0.5).abs() < 1e-14, "a motion begins with the nearest whole turn: {rotation:?}");
    assert_eq!(mid.at, Frame::Section { rod: 0, boundary: 2 });
    assert_eq!((mid.displacement[1].as_ref().map(value), mid.rotation.is_some()), (Some(0.0), false));
    let names: Vec<&str> = system.frames.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["beam.start", "beam.end", "beam@1/2"]);
}

#[test]
fn loads_act_in_space_or_in_the_section() {
    let text = format!(
        "{BEAM}[load.dead]\nat = 'beam.end'\nforce = [1, 2]\ntorque = 3\n\
         [load.live]\nat = 'beam.end'\nforce = [1, 2]\ntorque = 3\nfollows = true\n\
         [load.wind]\nalong = 'beam'\nforce = ['s', 't']\ntorque = 's*t'\nfollows = true\n\
         [time]\nend = 1\nsteps = 9\n[task.simulate]\n"
    );
    let mechanism = system(2, &text).mechanism;
    let values = |functions: &[crate::kernel::Function; 3]| functions.each_ref().map(|f| f.value(0.0).unwrap());
    let [dead, live] = mechanism.loads.as_slice() else { panic!("two loads") };
    assert_eq!((values(&dead.force), values(&dead.torque)), ([1.0, 2.0, 0.0], [0.0, 0.0, 3.0]));
    // Across (d₁) and along (d₃) the beam, about the normal d₂.
    assert_eq!((values(&live.force), values(&live.torque)), ([1.0, 0.0, 2.0], [0.0, 3.0, 0.0]));
    let wind = &mechanism.line_loads[0];
    let at = |profiles: &[crate::kernel::Profile; 3]| profiles.each_ref().map(|p| p.value(0.5, 4.0).unwrap());
    assert_eq!((at(&wind.force), at(&wind.torque)), ([0.5, 0.0, 4.0], [0.0, 2.0, 0.0]));
}

#[test]
fn statics_needs_no_mass_and_names_frames_of_known_answers() {
    let light = BEAM.replace("inertia = { mass = 3, rotary = 0.5 }\n", "");
    let text = format!(
        "{light}[support.root]\nat = 'beam.start'\ntype = 'clamp'\n[task.statics]\n\
         [expect]\n'equilibrium.beam@0.25.angle' = {{ value = 1, rel = 1 }}\n'reaction.root.torque_z' = {{ value = 1, abs = 1 }}\n\
         'limit_point.3.beam@0.25.y' = {{ value = 1, abs = 1 }}\n"
    );
    let system = system(2, &text);
    assert_eq!((system.mechanism.rods[0].section)(0.0).mass, 0.0);
    assert!(system.frames.contains(&("beam@0.25".to_owned(), Frame::Section { rod: 0, boundary: 1 })));
    assert_eq!(system.expect.len(), 3);
}

#[test]
fn what_has_no_effect_or_no_hold_is_warned_of() {
    let held = "[support.root]\nat = 'beam.start'\ntype = 'clamp'\n";
    assert_eq!(warnings(2, &format!("{BEAM}{held}[task.statics]\n")), [""; 0]);
    let frozen =
        format!("{BEAM}{held}[load.a]\nat = 'beam.end'\nforce = ['t', 0]\n[time]\nstart = 2\nend = 3\nsteps = 9\n");
    let expected = ["`load.a.force[0]` depends on `t`: statics takes its value at t = 2"];
    assert_eq!(warnings(2, &format!("{frozen}[task.statics]\n")), expected);
    assert_eq!(warnings(2, &format!("{frozen}[task.simulate]\n")), [""; 0]);
    let along = format!("{BEAM}{held}[load.a]\nalong = 'beam'\nforce = [0, 's*t']\n[task.modes]\n");
    assert_eq!(warnings(2, &along), ["`load.a.force[1]` depends on `t`: modes takes its value at t = 0"]);

    let free = warnings(2, &format!("{BEAM}[body.b]\nmass = 1\nposition = [0, 0]\n[task.statics]\n"));
    assert_eq!(free.len(), 2, "{free:?}");
    assert!(free[0].starts_with("rod `beam` is held by nothing"), "{free:?}");
    assert!(free[1].starts_with("body `b` is joined to nothing and held by nothing"), "{free:?}");
    let joined = format!("{BEAM}{held}[body.b]\nmass = 1\n[joint.j]\nbetween = ['b', 'beam.end']\ntype = 'rigid'\n");
    assert_eq!(warnings(2, &format!("{joined}[task.statics]\n")), [""; 0]);
    let arm = format!("{joined}at = [2, 0.5]\n[task.statics]\n");
    assert!(
        warnings(2, &arm)[0].starts_with("joint `j` is 0.500000 m away from \"beam.end\""),
        "{:?}",
        warnings(2, &arm)
    );

    let moving = BEAM.replace("elements = 4", "elements = 4\nvelocity = [0, 's']");
    let said = warnings(2, &format!("{moving}{held}[task.statics]\n"));
    assert!(said.len() == 1 && said[0].starts_with("`rod.beam.velocity` has no effect in [task.statics]"), "{said:?}");
    let jump = format!("{BEAM}[support.root]\nat = 'beam.start'\nx = '0.1 + t'\n[time]\nend = 1\nsteps = 9\n");
    let said = warnings(2, &format!("{jump}[task.simulate]\n"));
    assert!(said.len() == 1 && said[0].starts_with("`support.root.x` starts 0.100000 away"), "{said:?}");
    assert_eq!(warnings(2, &format!("{jump}[task.simulate]\nstart = 'equilibrium'\n")), [""; 0]);
}

#[test]
fn tables_are_read_beside_the_file_and_kept() {
    let table = "s, axial, shear_1, bending_2, mass, inertia_2\n0, 8, 4, 3, 2, 1\n2, 4, 2, 1, 1, 0.5\n";
    let rod = BEAM.replace("stiffness = { axial = 100, shear = 50, bending = 7 }\n", "");
    let rod = rod.replace("inertia = { mass = 3, rotary = 0.5 }\n", "table.file = 'data/beam.csv'\n");
    let text = format!("dimension = 2\n{rod}[task.modes]\n");
    let read = |name: &str| match name {
        "data/beam.csv" => Ok(table.as_bytes().to_vec()),
        _ => Err(std::io::Error::from(std::io::ErrorKind::NotFound)),
    };
    let problem = load_with("x.toml", &text, &[], &read).unwrap_or_else(|found| panic!("{found}"));
    assert_eq!(problem.attachments, [("data/beam.csv".to_owned(), table.as_bytes().to_vec())]);
    let Question::Modes(system, _) = problem.question else { panic!("modes") };
    let section = (system.mechanism.rods[0].section)(1.0);
    assert_eq!((section.stiffness[(4, 4)], section.mass), (2.0, 1.5));
    assert!(section.check().is_ok());
}

#[test]
fn moments_that_no_body_has_are_told() {
    let body = |inertia: &str| {
        format!(
            "[body.a]\nmass = 1\nposition = [0, 0, 0]\ninertia = {inertia}\n[time]\nend = 1\nsteps = 10\n[task.simulate]\n"
        )
    };
    assert!(warnings(3, &body("[1, 2, 3]")).is_empty());
    for impossible in ["[1, 1, 3]", "[[2, 1, 0], [1, 2, 0], [0, 0, 0.5]]"] {
        let told = warnings(3, &body(impossible));
        assert!(told.len() == 1 && told[0].contains("no body has one above the sum of the others"), "{told:?}");
    }
}
