//! Modes: very unequal stiffness, false growth, loads close to critical, damping.

use lariat::Outcome;

use super::outcome;

fn solved(name: &str, text: &str, settings: &[&str]) -> Outcome {
    let found = outcome(name, text, settings);
    assert_eq!(found.report.status, "solved", "{name} {settings:?}: {:?}", found.report.message);
    found
}

fn omegas(found: &Outcome) -> Vec<f64> {
    found.modes.iter().map(|mode| mode.imaginary).collect()
}

fn grows(found: &Outcome) -> bool {
    found.report.warnings.iter().any(|warning| warning.contains("of the modes grow"))
}

/// Every mode carries its backward error, and none of these is doubtful.
fn assert_trusted(found: &Outcome) {
    for mode in &found.modes {
        let scalar = |what: &str| found.report.scalars.get(&format!("modes.{}.{what}", mode.number)).copied();
        assert!(scalar("backward_error").is_some_and(|error| error < 1e-10), "{:?}", found.report.scalars);
        assert!(scalar("error").is_none_or(|error| error < 1e-6), "{:?}", found.report.scalars);
    }
    assert!(found.report.warnings.is_empty(), "{:?}", found.report.warnings);
}

/// A frame of three members, that in the middle so many times stiffer.
fn frame(times: f64, task: &str) -> String {
    let rod = |name: &str, from: &str, to: &str, radius: f64, times: f64| {
        format!(
            "[rod.{name}]\nmodel = \"rod\"\nfrom = {from}\nto = {to}\nelements = 4\norder = 3\nsection.circle = {{ radius = {radius:?}, shear-factor = 1.0 }}\nmaterial = {{ youngs = {:e}, poisson = 0.3, density = 7850.0 }}\n",
            210e9 * times
        )
    };
    format!(
        "dimension = 3\n{}{}{}[joint.j]\nbetween = [\"a.end\", \"c.start\"]\ntype = \"rigid\"\n[joint.k]\nbetween = [\"c.end\", \"b.start\"]\ntype = \"rigid\"\n[support.s]\nat = \"a.start\"\ntype = \"clamp\"\n{task}",
        rod("a", "[0.0, 0.0, 0.0]", "[1.0, 0.0, 0.0]", 0.01, 1.0),
        rod("c", "[1.0, 0.0, 0.0]", "[1.0, 0.4, 0.1]", 0.01, times),
        rod("b", "[1.0, 0.4, 0.1]", "[0.2, 0.9, 0.3]", 0.006, 1.0),
    )
}

/// A member that is far stiffer than the others tends to a rigid one: the frequencies approach those of `rigid = true` as one over
/// the stiffness, and none of them is lost to rounding.
#[test]
fn a_very_stiff_member_is_a_rigid_one() {
    let rigid = omegas(&solved("rigid", &frame(1.0, "[task.modes]\ncount = 5\n"), &["rod.c.rigid=true"]));
    for (times, tolerance) in [(1e6, 2e-6), (1e7, 2e-7), (1e9, 1e-8), (1e12, 1e-8)] {
        let found = solved("stiff", &frame(times, "[task.modes]\ncount = 5\n"), &[]);
        assert_trusted(&found);
        assert_eq!(found.report.scalars["modes.zero"], 0.0);
        for (k, (stiff, rigid)) in omegas(&found).iter().zip(&rigid).enumerate() {
            assert!((stiff / rigid - 1.0).abs() < tolerance, "{times:e}, mode {}: {stiff} {rigid}", k + 1);
        }
    }
    // Where nothing holds the frame there are six motions of a rigid body, however stiff the member is.
    let free = frame(1e9, "[task.modes]\ncount = 8\n").replace("[support.s]\nat = \"a.start\"\ntype = \"clamp\"\n", "");
    let found = solved("free", &free, &[]);
    assert_trusted(&found);
    assert_eq!(found.report.scalars["modes.zero"], 6.0);
}

/// A cantilever whose shear is 1e10 times its bending stiffness: frequencies (λ²/ℓ²) √(EI/ρA), λ = 1.8751, 4.6941, 7.8548.
#[test]
fn beams_that_hardly_shear_keep_their_frequencies() {
    for shear in [1e6, 1e8, 1e10, 1e13] {
        let text = format!(
            "dimension = 3\n[rod.r]\nmodel = \"rod\"\nfrom = [0.0, 0.0, 0.0]\nto = [1.0, 0.0, 0.0]\nelements = 8\norder = 4\nstiffness = {{ axial = {shear:e}, shear = {shear:e}, bending = [1.0, 4.0], torsion = 1e4 }}\ninertia = {{ mass = 1.0, rotary = [1e-9, 1e-9, 2e-9] }}\n[support.s]\nat = \"r.start\"\ntype = \"clamp\"\n[task.modes]\ncount = 4\n"
        );
        let found = solved("slender", &text, &[]);
        assert_trusted(&found);
        let one = [1.875_104_068_711_961_2_f64, 4.694_091_132_974_175, 7.854_757_438_237_613].map(|root| root * root);
        let wanted = [one[0], 2.0 * one[0], one[1], 2.0 * one[1]];
        for (found, wanted) in omegas(&found).iter().zip(wanted) {
            assert!((found / wanted - 1.0).abs() < 1e-6 + 100.0 / shear, "{shear:e}: {found} {wanted}");
        }
    }
}

fn beck(load: f64) -> String {
    format!(
        "dimension = 2\n[rod.r]\nmodel = \"beam\"\nfrom = [0.0, 0.0]\nto = [1.0, 0.0]\nelements = 6\norder = 4\nstiffness = {{ axial = 1e8, shear = 1e8, bending = 1.0 }}\ninertia = {{ mass = 1.0, rotary = 1e-8 }}\n[support.root]\nat = \"r.start\"\ntype = \"clamp\"\n[load.tip]\nat = \"r.end\"\nforce = [0.0, {:?}]\nfollows = true\n[task.modes]\ncount = 4\n",
        -load
    )
}

/// Beck's column flutters from P = 20.05 EI/ℓ² on (M. Beck, ZAMP 3, 1952: 20.05095) and not below.
#[test]
fn becks_column_flutters_at_its_load_and_not_before() {
    for load in [1.0, 10.0, 12.0, 14.0, 16.0, 18.0, 19.0, 20.0, 20.04] {
        let found = solved("beck", &beck(load), &[]);
        assert!(!grows(&found), "P = {load}: {:?}", found.report.warnings);
        assert!(found.modes.iter().all(|mode| mode.real == 0.0), "P = {load}");
    }
    for load in [20.06, 20.5, 22.0] {
        assert!(grows(&solved("beck", &beck(load), &[])), "P = {load}");
    }
}

/// A slender blade that turns is conservative at every rate (first flap frequency at 1 rad/s 3.6816: A. D. Wright et al.,
/// J. Appl. Mech. 49, 1982).
#[test]
fn turning_beams_do_not_grow() {
    let text = "dimension = 3\n[spin]\naxis = [0.0, 0.0, 1.0]\nrate = 1.0\n[rod.r]\nmodel = \"rod\"\nfrom = [0.0, 0.0, 0.0]\nto = [1.0, 0.0, 0.0]\nnormal = [0.0, 1.0, 0.0]\nelements = 6\norder = 4\nstiffness = { axial = 1e8, shear = 1e8, bending = [1.0, 1e4], torsion = 1e4 }\ninertia = { mass = 1.0, rotary = [1e-9, 1e-9, 2e-9] }\n[support.root]\nat = \"r.start\"\ntype = \"clamp\"\n[task.modes]\ncount = 3\n";
    for (rate, first) in [(1.0, 3.6816), (3.0, 4.7973), (6.0, 7.3604), (12.0, 13.1702)] {
        let found = solved("blade", text, &[&format!("spin.rate={rate:?}")]);
        assert!(!grows(&found), "{rate}: {:?}", found.report.warnings);
        assert!(found.modes.iter().all(|mode| mode.real == 0.0), "{rate}");
        assert!((found.modes[0].imaginary - first).abs() < 1e-4, "{rate}: {}", found.modes[0].imaginary);
    }
}

/// Overdamped bending accumulates at −1/τ and hid the oscillations. Each mode of Kelvin and Voigt obeys λ² + τω²λ + ω² = 0.
#[test]
fn damped_modes_oscillate_unless_asked_otherwise() {
    let text = "dimension = 3\n[rod.a]\nmodel = \"rod\"\nfrom = [0.0, 0.0, 0.0]\nto = [1.0, 0.0, 0.0]\nelements = 8\norder = 4\nstiffness = { axial = 1e6, shear = 1e6, bending = [1.0, 0.5], torsion = 0.4 }\ninertia = { mass = 1.0, rotary = [1e-6, 1e-6, 1e-3] }\ndamping = { bending = [0.01, 0.02], torsion = 0.004 }\n[support.s]\nat = \"a.start\"\ntype = \"clamp\"\n[task.modes]\ncount = 6\n";
    let found = solved("damped", text, &[]);
    let undamped = omegas(&solved("undamped", text, &["task.modes.damped=false", "task.modes.count=8"]));
    for mode in &found.modes {
        assert!(mode.imaginary > 0.0, "{:?}", omegas(&found));
        let size = mode.real.hypot(mode.imaginary);
        // Damping in proportion leaves |λ| = ω but for the little shear.
        let nearest = undamped.iter().map(|omega| (omega / size - 1.0).abs()).fold(f64::INFINITY, f64::min);
        assert!(nearest < 1e-3, "{} {}: {undamped:?}", mode.real, mode.imaginary);
    }
    let all = solved("damped", text, &["task.modes.oscillating=false"]);
    assert!(all.modes.iter().any(|mode| mode.imaginary == 0.0 && mode.real < 0.0));
}

/// A mass that only a damper holds stays where it is put: one root is zero, the other c/m, and the beam beside it keeps its modes.
#[test]
fn dampers_without_stiffness_have_their_root() {
    let text = "dimension = 2\n[body.cart]\nmass = 2.0\ninertia = 1.0\nposition = [0.0, 0.0]\n[joint.rail]\nbetween = [\"ground\", \"cart\"]\ntype.prismatic = { axis = [1.0, 0.0] }\nat = [0.0, 0.0]\n[spring.d]\nat = \"rail\"\nstiffness = 0.0\ndamping = 3.0\n[rod.r]\nmodel = \"beam\"\nfrom = [5.0, 0.0]\nto = [6.0, 0.0]\nelements = 4\norder = 3\nstiffness = { axial = 1e4, shear = 1e4, bending = 1.0 }\ninertia = { mass = 1.0, rotary = 1e-4 }\n[support.s]\nat = \"r.start\"\ntype = \"clamp\"\n[task.modes]\ncount = 3\noscillating = false\n";
    let found = solved("damper", text, &[]);
    assert_eq!(found.report.scalars["modes.zero"], 1.0);
    assert!((found.modes[1].real + 1.5).abs() < 1e-10, "{:?}", found.modes[1].real);
    assert!((found.modes[2].imaginary - 3.51).abs() < 0.01, "{:?}", found.modes[2].imaginary);
}

/// Lateral-torsional buckling close to its critical moments: the frequency falls with the root of what is left of the moment.
#[test]
fn modes_close_to_a_critical_load_are_found() {
    let text = |moment: f64| include_str!("near-critical.toml").replace("2.2214701591550745", &format!("{moment:?}"));
    let critical = 2.221_470_159_155_074_5 / (1.0 + 1.3e-5);
    let mut last = f64::INFINITY;
    for below in [1e-2, 1e-3, 1e-4, 1.3e-5] {
        let found = solved("fork", &text(critical * (1.0 - below)), &[]);
        assert!(found.modes[0].imaginary < last, "{below:e}: {:?}", omegas(&found));
        last = found.modes[0].imaginary;
    }
    // The file itself is within 1.3e-5 of the critical moment.
    solved("fork", &text(2.221_470_159_155_074_5), &[]);
}

/// A string that turns about its end lags or leads without resistance, and flaps as √(n (2n − 1)) Ω, n = 1, 2, … to the mesh: its shapes
/// are Legendre polynomials of odd degree. Nothing of it is doubtful.
#[test]
fn turning_strings_have_no_doubtful_modes() {
    let text = "dimension = 3\n[spin]\nrate = 5.0\naxis = [0.0, 0.0, 1.0]\n[rod.r]\nmodel = \"string\"\nfrom = [0.0, 0.0, 0.0]\nto = [1.0, 0.0, 0.0]\nelements = 32\nstiffness = { axial = 2e6 }\ninertia = { mass = 1.0 }\n[support.root]\nat = \"r.start\"\ntype = \"hinge\"\n[task.modes]\ncount = 6\nabout = \"equilibrium\"\n";
    for setting in ["rod.r.stiffness.axial=2e3", "rod.r.stiffness.axial=2e6"] {
        let found = solved("string", text, &[setting]);
        assert!(found.report.warnings.is_empty(), "{:?}", found.report.warnings);
        assert_eq!(found.report.scalars["modes.zero"], 1.0);
        assert!(found.report.scalars["modes.1.backward_error"] < 1e-7, "{:?}", found.report.scalars);
    }
    let found = omegas(&solved("string", text, &[]));
    for wanted in [5.0, 5.0 * 6f64.sqrt(), 5.0 * 15f64.sqrt()] {
        assert!(found.iter().any(|omega| (omega / wanted - 1.0).abs() < 2e-2), "{wanted}: {found:?}");
    }
}
