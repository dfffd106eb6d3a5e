//! Motions: momenta at the start, energies that grow by themselves, warnings about rounding, two step lengths.

use lariat::problem::load;

use super::outcome;

type V = [f64; 3];

fn cross(a: V, b: V) -> V {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn sum(parts: &[(f64, V)]) -> V {
    std::array::from_fn(|c| parts.iter().map(|(factor, v)| factor * v[c]).sum())
}

fn dot(a: V, b: V) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Linear and angular momentum about the origin and kinetic energy of a straight rod with the velocity v₀ + v₁ s and the spin of
/// its sections, by ∫ ds in closed form.
fn momenta(ends: [V; 2], normal: V, mass: f64, rotary: V, [v0, v1]: [V; 2], spin: V) -> (V, V, f64) {
    let way = sum(&[(1.0, ends[1]), (-1.0, ends[0])]);
    let l = dot(way, way).sqrt();
    let d3 = sum(&[(1.0 / l, way)]);
    let across = sum(&[(1.0, normal), (-dot(normal, d3), d3)]);
    let d1 = sum(&[(1.0 / dot(across, across).sqrt(), across)]);
    let d2 = cross(d3, d1);
    let linear = sum(&[(mass * l, v0), (mass * l * l / 2.0, v1)]);
    let turning = std::array::from_fn::<f64, 3, _>(|c| rotary[c] * spin[c] * l);
    let about_start = cross(d3, sum(&[(mass * l * l / 2.0, v0), (mass * l.powi(3) / 3.0, v1)]));
    let own = sum(&[(turning[0], d1), (turning[1], d2), (turning[2], d3)]);
    let angular = sum(&[(1.0, cross(ends[0], linear)), (1.0, about_start), (1.0, own)]);
    let kinetic = mass * (dot(v0, v0) * l + dot(v0, v1) * l * l + dot(v1, v1) * l.powi(3) / 3.0) / 2.0;
    (linear, angular, kinetic + dot(turning, spin) / 2.0)
}

/// Two rigid rods on a ball joint, thrown: they begin with the momenta of their velocities to rounding. Momenta were off by 2e-9 to
/// 8e-7, and the energy, which the steps keep to 4e-6 of it, was warned about because nothing is exchanged in a free flight.
#[test]
fn rigid_rods_begin_with_the_momenta_stated() {
    let a = momenta(
        [[0.0; 3], [1.0, 0.2, 0.1]],
        [0.1482249341209795, -0.9211120906089438, 0.359974840008093],
        2.0,
        [0.002, 0.004, 0.006],
        [[0.5, 0.2, -1.0], [-0.7807200583588265, 2.8301102115507457, 2.146980160486773]],
        [3.070373635363146, -1.9497120730606166, 0.8783100656536798],
    );
    let b = momenta(
        [[1.0, 0.2, 0.1], [1.3, 1.1, -0.4]],
        [0.9147860241922283, -0.3804060694660751, -0.13585931052359823],
        1.0,
        [0.001, 0.002, 0.003],
        [[-0.30000000000000004, 3.1, 1.2000000000000002], [-1.5852581740085334, 1.305506731536439, 1.3987572123604706]],
        [1.2680202315535838, -2.136828897185981, -2.7975144247209407],
    );
    for steps in ["400", "80"] {
        let settings =
            [format!("time.steps={steps}"), format!("task.simulate.every={}", if steps == "80" { 8 } else { 40 })];
        let found = outcome("rods", include_str!("rigid-rods.toml"), &settings.each_ref().map(String::as_str));
        assert_eq!(found.report.status, "solved", "{:?}", found.report.message);
        assert!(found.report.warnings.is_empty(), "{:?}", found.report.warnings);
        for (c, axis) in ["x", "y", "z"].into_iter().enumerate() {
            for (kind, wanted) in [("linear", a.0[c] + b.0[c]), ("angular", a.1[c] + b.1[c])] {
                for when in ["initial", "final"] {
                    let value = found.report.scalars[&format!("momentum.{kind}_{axis}.{when}")];
                    assert!((value - wanted).abs() < 1e-12, "{kind} {axis} {when}: {value} {wanted}");
                }
            }
        }
        let energy = found.report.scalars["energy.total.initial"];
        assert!((energy - a.2 - b.2).abs() < 1e-12, "{energy} {}", a.2 + b.2);
    }
}

/// One rigid rod in free flight keeps its energy to the error of the steps, and nothing is exchanged: no reason for a warning. A
/// structure at rest has energies made of rounding.
#[test]
fn nothing_is_warned_about_that_is_rounding() {
    let thrown = "dimension = 3\n[rod.a]\nmodel = \"rod\"\nfrom = [0.0, 0.0, 0.0]\nto = [1.0, 0.0, 0.0]\nnormal = [0, 0, 1]\nelements = 2\nrigid = true\nstiffness = { axial = 1e4, shear = 5e3, bending = 10.0, torsion = 8.0 }\ninertia = { mass = 2.0, rotary = [0.002, 0.004, 0.006] }\nvelocity = [1.0, \"3*s\", \"-2*s\"]\nspin = [3.0, 2.0, 0.5]\n[time]\nend = 1.0\nsteps = 100\n[task.simulate]\n";
    let still = "dimension = 2\n[rod.a]\nmodel = \"beam\"\nfrom = [0.0, 0.0]\nto = [0.3, 0.7]\nelements = 4\norder = 2\nstiffness = { axial = 1e4, shear = 5e3, bending = 10.0 }\ninertia = { mass = 2.0, rotary = 0.002 }\n[support.s]\nat = \"a.start\"\ntype = \"clamp\"\n[time]\nend = 1.0\nsteps = 100\n[task.simulate]\n";
    for text in [thrown, still] {
        let found = outcome("motion", text, &[]);
        assert_eq!(found.report.status, "solved", "{:?}", found.report.message);
        assert!(found.report.warnings.is_empty(), "{:?}", found.report.warnings);
    }
}

/// A beam of 10 m is spun up to 6 rad/s: with steps of 5 ms its waves grow from t = 16 s on, from 7 to 20 kJ before a step fails.
/// The growth is seen, and shorter steps end it: the beam turns with the energy of a rigid one, m L³/6 ω² = 7200 J, and little strain.
#[test]
fn energy_that_grows_by_itself_is_seen_and_ended() {
    let found = outcome("spin-up", include_str!("spin-up.toml"), &[]);
    assert_eq!(found.report.status, "solved", "{:?}", found.report.message);
    let parts = found.report.grid["parts_of_steps"];
    assert!((2.0..=8.0).contains(&parts), "{parts}");
    assert!(found.report.warnings.iter().any(|warning| warning.contains("the energy grows by itself")));
    let energy = found.report.scalars["energy.total.final"];
    assert!((energy - 7200.0).abs() < 15.0, "{energy}");
    assert!(found.report.scalars["energy.imbalance"] < 5.0);
}

/// Long adaptive steps on the same beam made waves that only short ones resolve: a quarter of all steps was rejected, to the end of the motion.
#[test]
fn adaptive_steps_do_not_feed_waves() {
    let settings = ["task.simulate.tolerance=1e-6", "time.steps=20", "task.simulate.every=1"];
    let found = outcome("spin-up", include_str!("spin-up.toml"), &settings);
    assert_eq!(found.report.status, "solved", "{:?}", found.report.message);
    let [taken, rejected] = ["adaptive_steps", "rejected_steps"].map(|name| found.report.grid[name]);
    assert!(rejected < 0.01 * taken && taken < 5e4, "{rejected} of {taken} steps rejected");
    let energy = found.report.scalars["energy.total.final"];
    assert!((energy - 7200.0).abs() < 15.0, "{energy}");
}

/// A slow oscillator on the micro grid of a fast one is stable up to ωH = √(12/(1 − 1/p²)), for p = 4 and H = 0.1 s at 35.777 rad/s:
/// below it stays slow, above it is taken for fast, by name, and its amplitude stays.
#[test]
fn stiff_slow_coordinates_are_taken_for_fast() {
    let run = |frequency: f64| {
        let text = format!(
            "[time]\nend = 10.0\nsteps = 100\n[system]\ncoordinates = [\"x\", \"y\"]\nlagrangian = \"x_dot^2/2 + y_dot^2/2 - 1e4/2*y^2 - {frequency}^2/2*x^2 - 0.01*x*y\"\n[task.simulate]\nstart = {{ x = 1.0 }}\nmultirate = {{ fast = [\"y\"], micro = 4 }}\n"
        );
        outcome("oscillators", &text, &[])
    };
    let slow = run(35.7);
    assert_eq!((slow.report.status.to_string(), slow.report.sizes["fast_coordinates"]), ("solved".to_owned(), 1.0));
    // Both would be fast then, and nothing is left for the coarse grid.
    let stiff = run(35.9);
    assert_eq!(stiff.report.status, "ill-posed");
    let message = stiff.report.message.unwrap();
    assert!(message.contains("`x`") && message.contains("3.590e1") && message.contains("3.578e1"), "{message}");
}

/// A turbine whose steel shaft is left on the coarse grid, on which it vibrates at ωH of about 20: the motion grew to 1e14 J.
#[test]
fn a_turbine_keeps_its_energy_with_two_step_lengths() {
    let blades = ["one", "two", "three"].map(|blade| format!("rod.{blade}.elements=2"));
    let settings = [&blades[..], &["time.end=0.5".to_owned(), "time.steps=200".to_owned()]].concat();
    let name = "problems/turbine-multirate.toml";
    let problem =
        load(name, include_str!("turbine-multirate.toml"), &settings).unwrap_or_else(|found| panic!("{found}"));
    let found = lariat::solve(&problem);
    assert_eq!(found.report.status, "solved", "{:?}", found.report.message);
    assert!(found.report.warnings.iter().any(|warning| warning.contains("`shaft` was taken for fast")));
    assert!(!found.report.warnings.iter().any(|warning| warning.contains("`generator`")));
    // The blades weigh 53 t and sag by centimetres.
    let peak = found.report.energy.map(|energy| energy.peak).unwrap_or(f64::NAN);
    assert!(peak < 1e6, "{peak}");
}

/// A hinge with the ground lets a mechanism begin to turn if it lies on the axis of the rotation, along it; otherwise it would stop it.
#[test]
fn hinges_off_the_axis_are_refused_where_the_mechanism_begins_to_turn() {
    let text = |axis: &str, at: &str| {
        format!(
            "dimension = 3\n[spin]\nrate = 2.0\n[time]\nend = 0.1\nsteps = 10\n[body.b]\nmass = 1.0\ninertia = 0.1\nposition = [0.5, 0.0, 0.0]\n[joint.j]\nbetween = [\"ground\", \"b\"]\ntype.revolute = {{ axis = {axis} }}\nat = {at}\n[task.simulate]\n"
        )
    };
    let refused = |axis: &str, at: &str| load("spin", &text(axis, at), &[]).err().map(|found| found.to_string());
    assert_eq!(refused("[0, 0, 1]", "[0, 0, 0.3]"), None);
    let off = refused("[0, 0, 1]", "[0.5, 0, 0]").unwrap();
    assert!(off.contains("joint `j`") && off.contains("y at 1.0000 m/s"), "{off}");
    let askew = refused("[0, 1, 0]", "[0, 0, 0]").unwrap();
    assert!(askew.contains("joint `j`") && askew.contains("axis at"), "{askew}");
}

/// A rigid rod and a body that fly freely, whatever the units: nothing is exchanged but rounding errors, and nothing is to be warned of.
#[test]
fn free_flight_gives_no_warnings() {
    for (mass, length) in [(1.0, 1.0), (1e-9, 1e-3), (1e12, 1e4)] {
        let inertia = 0.1 * mass * length * length;
        let text = format!(
            "dimension = 3\n[time]\nend = 2.0\nsteps = 200\n[body.b]\nmass = {mass:e}\ninertia = [{inertia:e}, {:e}, {:e}]\nposition = [0, 0, 0]\nvelocity = [{length:e}, 0, 0]\nspin = [0.3, 2.0, 0.1]\n[rod.r]\nmodel = \"rod\"\nrigid = true\nfrom = [0, {length:e}, 0]\nto = [{length:e}, {length:e}, 0]\nelements = 4\nstiffness = {{ axial = 1.0, shear = 1.0, bending = 1.0, torsion = 1.0 }}\ninertia = {{ mass = {:e}, rotary = {:e} }}\nvelocity = [0, 0, {length:e}]\n[task.simulate]\n",
            2.0 * inertia,
            2.5 * inertia,
            mass / length,
            1e-3 * mass * length,
        );
        let found = outcome("flight", &text, &[]);
        assert_eq!(found.report.status, "solved", "{:?}", found.report.message);
        assert!(found.report.warnings.is_empty(), "{mass:e}: {:?}", found.report.warnings);
    }
}
