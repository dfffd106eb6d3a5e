//! Curves against closed forms, and their frames by differentiating poses.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI, TAU};

use super::*;
use crate::kernel::{Expression, Scope};

type V = Vector3<f64>;

fn v(x: f64, y: f64, z: f64) -> V {
    V::new(x, y, z)
}

fn profile(text: &str) -> Profile {
    Profile::compile(&Expression::Text(text.to_owned()), &Scope::empty()).unwrap()
}

fn path(x: &str, y: &str, z: &str, range: f64) -> Result<Curve, CurveError> {
    Curve::path(&[x, y, z].map(profile), range, None)
}

/// x' and K = 2 p̄ p' by central differences of order 8 and step h: errors of about 1e-16/h and (κh)⁸.
fn strains(curve: &Curve, s: f64, h: f64) -> (V, V) {
    let stencil = [4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0];
    let (mut slope, mut rate) = (V::zeros(), Quaternion::new(0.0, 0.0, 0.0, 0.0));
    for (k, c) in stencil.into_iter().enumerate() {
        let step = (k + 1) as f64 * h;
        let (ahead, behind) = (curve.pose(s + step), curve.pose(s - step));
        slope += (ahead.position - behind.position) * (c / h);
        rate = rate + (ahead.orientation + behind.orientation * -1.0) * (c / h);
    }
    (slope, (curve.pose(s).orientation.conjugate() * rate).im * 2.0)
}

/// The tangent is of unit length and equals d₃, the quaternion is of unit length and continuous. Returns K at inner
/// points of the curve.
#[track_caller]
fn sound(curve: &Curve, tolerance: f64) -> Vec<V> {
    let length = curve.length();
    let h = 0.002 * length;
    let mut before = curve.pose(0.0).orientation;
    for k in 0..=1000 {
        let p = curve.pose(length * f64::from(k) / 1000.0).orientation;
        assert!((p.norm_squared() - 1.0).abs() < 1e-14);
        assert!(p.to_vector().dot(&before.to_vector()) > 0.9, "continuous at piece {k}");
        before = p;
    }
    (1..=19)
        .map(|k| {
            let s = 0.05 * f64::from(k) * length;
            let (slope, curvature) = strains(curve, s, h);
            let d3 = curve.pose(s).orientation.rotate(V::z());
            assert!((slope.norm() - 1.0).abs() < tolerance, "unit speed at {s}: {:e}", slope.norm() - 1.0);
            assert!((slope - d3).norm() < tolerance, "tangent at {s}: {:e}", (slope - d3).norm());
            curvature
        })
        .collect()
}

#[test]
fn straight_rods_and_their_directors() {
    let curve = Curve::straight(v(1.0, 2.0, 3.0), v(1.0, 2.0, 5.0), None).unwrap();
    assert_eq!(curve.length(), 2.0);
    assert_eq!(curve.pose(0.5).position, v(1.0, 2.0, 3.5));
    assert!((curve.pose(0.5).orientation.matrix() - Matrix3::identity()).norm() < 1e-15, "along z: d₁ = x");
    // In the plane d₁ = (−sin θ, cos θ), d₂ = z.
    let angle = 0.7_f64;
    let plane = Curve::straight(V::zeros(), v(angle.cos(), angle.sin(), 0.0) * 3.0, None).unwrap();
    let d = plane.pose(1.0).orientation.matrix();
    assert!((d.column(0) - v(-angle.sin(), angle.cos(), 0.0)).norm() < 1e-15);
    assert!((d.column(1) - V::z()).norm() < 1e-15);
    // A hint counts across the tangent only.
    let hinted = Curve::straight(V::zeros(), V::x(), Some(v(5.0, 0.0, 2.0))).unwrap();
    assert!((hinted.pose(0.3).orientation.rotate(V::x()) - V::z()).norm() < 1e-15);
    assert!(sound(&plane, 1e-12).iter().all(|k| k.norm() < 1e-12));
}

/// The 45 degree bend of radius 100: clamp at the origin with tangent y, centre (100, 0, 0).
#[test]
fn arcs_are_circles_without_twist() {
    let bend = Curve::arc(V::zeros(), V::y(), v(100.0, 0.0, 0.0), FRAC_PI_4, None).unwrap();
    assert!((bend.length() - 25.0 * PI).abs() < 1e-13);
    let end = v(100.0 * (1.0 - FRAC_PI_4.cos()), 100.0 * FRAC_PI_4.sin(), 0.0);
    assert!((bend.pose(bend.length()).position - end).norm() < 1e-12);
    // d₁ = z × y = −x; the rod turns to the right, by −1/R about d₂ = z.
    for curvature in sound(&bend, 1e-12) {
        assert!((curvature - v(0.0, -0.01, 0.0)).norm() < 1e-13);
    }
    // In space, with a hint, a turn and a half: radius 2, K across d₃ and constant.
    let (centre, radial, tangent) = (v(1.0, -2.0, 0.5), v(2.0, 1.0, 2.0) / 3.0, v(1.0, -2.0, 0.0) / 5.0_f64.sqrt());
    let arc = Curve::arc(centre + radial * 2.0, tangent * 7.0, centre, 3.0 * PI, Some(v(0.3, 0.1, 1.0))).unwrap();
    assert!((arc.length() - 6.0 * PI).abs() < 1e-14);
    let curvatures = sound(&arc, 1e-12);
    for curvature in &curvatures {
        assert!((curvature.norm() - 0.5).abs() < 1e-12 && curvature[2].abs() < 1e-12);
        assert!((curvature - curvatures[0]).norm() < 1e-12, "constant");
    }
    for k in 0..=20 {
        assert!(((arc.pose(0.3 * PI * f64::from(k)).position - centre).norm() - 2.0).abs() < 1e-14);
    }
    // After a full turn the frame is back and the quaternion has changed sign: it is continuous.
    let (start, turned) = (arc.pose(0.0).orientation, arc.pose(4.0 * PI).orientation);
    assert!((start + turned).to_vector().norm() < 1e-14);
}

fn spring() -> Helix {
    Helix { from: v(1.0, 0.0, 0.0), axis: V::z(), outward: None, radius: 1.5, pitch: 0.8, turns: 2.25 }
}

#[test]
fn helices_have_constant_curvature_and_torsion() {
    for pitch in [0.8, -0.8, 0.0] {
        let helix = Helix { pitch, ..spring() };
        let curve = Curve::helix(&helix, None).unwrap();
        let (r, h) = (1.5, pitch / TAU);
        let square = r * r + h * h;
        assert!((curve.length() - TAU * 2.25 * square.sqrt()).abs() < 1e-13);
        for k in 0..=50 {
            let angle = TAU * 2.25 * f64::from(k) / 50.0;
            let expected = v(1.0 - r + r * angle.cos(), r * angle.sin(), h * angle);
            let pose = curve.pose(angle * square.sqrt());
            assert!((pose.position - expected).norm() < 1e-13, "{angle}");
            assert!((pose.orientation.rotate(V::x()) + v(angle.cos(), angle.sin(), 0.0)).norm() < 1e-13, "inward");
        }
        for curvature in sound(&curve, 1e-12) {
            assert!((curvature - v(0.0, r / square, h / square)).norm() < 1e-12);
        }
    }
    // A hint turns the directors by a constant angle: K⁰ is still constant, with the same torsion.
    let hinted = Curve::helix(&spring(), Some(v(0.2, 0.5, 1.0))).unwrap();
    let curvatures = sound(&hinted, 1e-12);
    assert!(curvatures.iter().all(|k| (k - curvatures[0]).norm() < 1e-12 && k[0].abs() > 0.1));
    // Another axis and start.
    let tilted = Helix { axis: v(1.0, 2.0, -2.0), outward: Some(v(0.0, 3.0, 0.0)), ..spring() };
    let curve = Curve::helix(&tilted, None).unwrap();
    let along = v(1.0, 2.0, -2.0) / 3.0;
    let climb = (curve.pose(curve.length()).position - tilted.from).dot(&along);
    assert!((climb - 0.8 * 2.25).abs() < 1e-14);
}

/// A nearly straight arc: the closed form does not cancel. Position against the Taylor series in the angle.
#[test]
fn small_angles_do_not_cancel() {
    let radius = 1e7;
    let arc = Curve::arc(V::zeros(), V::x(), v(0.0, radius, 0.0), 1e-7, None).unwrap();
    let end = arc.pose(arc.length()).position;
    assert!((end[1] / (0.5e-7) - 1.0).abs() < 1e-9 && (end[0] - 1.0).abs() < 1e-14);
    // Both branches of (θ − sin θ)/θ³ meet: a jump would be seen in the tenth digit of a difference.
    let circle = Curve::arc(V::zeros(), V::x(), V::y(), 1.0, None).unwrap();
    for s in [0.499_999_999_f64, 0.5, 0.500_000_001] {
        assert!((circle.pose(s).position - v(s.sin(), 1.0 - s.cos(), 0.0)).norm() < 2e-16);
    }
}

/// The rotation-minimising frame of a helix turns by −τs against the frame with constant K.
#[test]
fn path_of_a_helix_agrees_with_the_closed_form() {
    let h = 0.8 / TAU;
    let c = 1.5_f64.hypot(h);
    let [x, y, z] = [format!("1.5*cos(s/{c:?}) - 0.5"), format!("1.5*sin(s/{c:?})"), format!("{h:?}*s/{c:?}")];
    let closed = Curve::helix(&spring(), None).unwrap();
    let untwisted = closed.clone().twisted(&profile(&format!("-{:?}*s", h / (c * c)))).unwrap();
    let found = Curve::path(&[x, y, z].map(|text| profile(&text)), closed.length(), Some(-V::x())).unwrap();
    assert_eq!(found.length(), closed.length(), "given by arc length");
    for k in 0..=100 {
        let s = closed.length() * f64::from(k) / 100.0;
        let (a, b) = (found.pose(s), untwisted.pose(s));
        assert!((a.position - b.position).norm() < 1e-13, "{s}");
        assert!((a.orientation.matrix() - b.orientation.matrix()).norm() < 1e-12, "{s}");
    }
    for curvature in sound(&found, 1e-11) {
        assert!((curvature.norm() - 1.5 / (c * c)).abs() < 1e-11 && curvature[2].abs() < 1e-11);
    }
}

/// The parabola y = x², not given by arc length: σ = x/2 √(1 + 4x²) + asinh(2x)/4.
#[test]
fn paths_are_reparametrised_by_arc_length() {
    let arc = |x: f64| 0.5 * x * (1.0 + 4.0 * x * x).sqrt() + 0.25 * (2.0 * x).asinh();
    let curve = path("3*s - 1", "(3*s - 1)^2", "0", 1.0).unwrap();
    assert!((curve.length() - (arc(2.0) + arc(1.0))).abs() < 1e-13);
    for k in 0..=40 {
        let x = -1.0 + 3.0 * f64::from(k) / 40.0;
        let pose = curve.pose(arc(x) + arc(1.0));
        assert!((pose.position - v(x, x * x, 0.0)).norm() < 1e-13, "{x}");
        let tangent = v(1.0, 2.0 * x, 0.0) / (1.0 + 4.0 * x * x).sqrt();
        let d = pose.orientation.matrix();
        assert!((d.column(2) - tangent).norm() < 1e-12, "{x}");
        assert!((d.column(1) - V::z()).norm() < 1e-14, "in the plane d₂ = z");
        assert!((d.column(0) - v(-tangent[1], tangent[0], 0.0)).norm() < 1e-12);
    }
    // κ = 2/(1 + 4x²)^(3/2) about d₂.
    let (s, h) = (arc(0.4) + arc(1.0), 0.01);
    let (_, curvature) = strains(&curve, s, h);
    assert!((curvature - v(0.0, 2.0 / (1.0 + 4.0 * 0.16_f64).powf(1.5), 0.0)).norm() < 1e-11);
}

/// A space curve of varying curvature and torsion: no twist, orthonormal, continuous.
#[test]
fn general_paths_have_frames_without_twist() {
    let curve = path("3*cos(s/2) + 0.3*s", "2*sin(s/2)*exp(-s/10)", "s^2/14", 6.0).unwrap();
    for curvature in sound(&curve, 1e-10) {
        assert!(curvature[2].abs() < 1e-10, "{curvature}");
    }
}

/// Straight, then a quarter circle: the curvature jumps inside a piece, the frame does not mind.
#[test]
fn curvature_may_jump() {
    let curve =
        path("if(s < 1.1, s, 1.1 + sin(s - 1.1))", "if(s < 1.1, 0, 1 - cos(s - 1.1))", "0", 1.1 + FRAC_PI_2).unwrap();
    let arc = Curve::arc(v(1.1, 0.0, 0.0), V::x(), v(1.1, 1.0, 0.0), FRAC_PI_2, None).unwrap();
    assert!((curve.length() - 1.1 - FRAC_PI_2).abs() < 1e-12);
    for k in 0..=20 {
        let s = FRAC_PI_2 * f64::from(k) / 20.0;
        let (a, b) = (curve.pose(1.1 + s), arc.pose(s));
        assert!((a.position - b.position).norm() < 1e-12);
        assert!((a.orientation.matrix() - b.orientation.matrix()).norm() < 1e-12);
    }
}

#[test]
fn twist_turns_the_directors_about_the_tangent() {
    let straight = Curve::straight(V::zeros(), v(2.0, 0.0, 0.0), None).unwrap();
    // A kink at s = 0.7, and several turns: the quaternion stays continuous.
    let twisted = straight.twisted(&profile("9*s + 3*max(s - 0.7, 0)")).unwrap();
    for s in [0.0, 0.3, 0.7, 1.234, 2.0_f64] {
        let angle = 9.0 * s + 3.0 * (s - 0.7).max(0.0);
        // d₁ = y, d₂ = z at no twist.
        let d1 = twisted.pose(s).orientation.rotate(V::x());
        let error = (d1 - v(0.0, angle.cos(), angle.sin())).norm();
        assert!(error < 1e-12, "{s}: {error:e}");
    }
    sound(&twisted, 1e-12);
    let (_, curvature) = strains(&twisted, 1.5, 0.02);
    assert!((curvature - v(0.0, 0.0, 12.0)).norm() < 1e-9, "{curvature}");
}

#[test]
fn impossible_curves_are_refused_in_words() {
    let message = |result: Result<Curve, CurveError>| result.unwrap_err().to_string();
    let nan = v(0.0, f64::NAN, 0.0);
    assert_eq!(message(Curve::straight(V::x(), V::x(), None)), "the rod has no length: its points coincide");
    assert_eq!(message(Curve::straight(V::x(), nan, None)), "a point of the rod is not finite");
    assert!(message(Curve::straight(V::zeros(), V::x(), Some(v(-2.0, 0.0, 0.0)))).contains("parallel to the tangent"));
    assert!(
        message(Curve::straight(V::zeros(), V::x(), Some(V::zeros()))).starts_with("the normal is the zero vector")
    );
    assert!(message(Curve::arc(V::x(), V::y(), V::x(), 1.0, None)).contains("centre of the arc is its start"));
    // The direction to the centre is −x; the tangent (−1, 1) makes 45 degrees with it.
    let slanted = message(Curve::arc(V::x(), v(-1.0, 1.0, 0.0), V::zeros(), 1.0, None));
    assert!(slanted.contains("an angle of 45.000000 degrees"), "{slanted}");
    assert!(
        message(Curve::arc(V::x(), V::y(), V::zeros(), -1.0, None)).contains("the angle of the arc (radian) is -1")
    );
    assert!(message(Curve::helix(&Helix { radius: 0.0, ..spring() }, None)).contains("radius of the helix"));
    assert!(
        message(Curve::helix(&Helix { axis: V::zeros(), ..spring() }, None)).contains("axis of the helix is the zero")
    );
    let outward = Some(v(0.0, 0.0, 2.0));
    assert!(message(Curve::helix(&Helix { outward, ..spring() }, None)).contains("parallel to its axis"));

    assert_eq!(message(path("2", "1", "0", 1.0)), "the rod has no length: its points coincide");
    assert!(message(path("s", "0", "0", -1.0)).contains("the length of the path (metre) is -1"));
    assert!(message(path("s^2", "s^3", "0", 1.0)).starts_with("the path has no tangent at s = 0:"));
    let evaluation = "the y of the curve: division by zero in `1/(s - 0.5)` at s = 0.5";
    assert_eq!(message(path("s", "1/(s - 0.5)", "0", 1.0)), evaluation);
    assert!(message(path("s", "sqrt(s)", "0", 1.0)).contains("no finite first derivative in `sqrt(s)` at s = 0"));
    assert!(message(path("s", "0", "t*s", 1.0)).starts_with("the z of the curve depends on t"));
    let corner = |x: &str, y: &str| match path(x, y, "0", 1.0).unwrap_err() {
        CurveError::Corner { s } => s,
        other => panic!("{other}"),
    };
    assert!((corner("s", "abs(s - 0.3)") - 0.3).abs() < 1e-9, "a corner");
    assert!((corner("s", "abs(s - 0.5)") - 0.5).abs() < 1e-9, "a corner at the end of a piece");
    assert!((corner("s", "step(s - 0.3)") - 0.3).abs() < 1e-9, "a jump");
    let straight = Curve::straight(V::zeros(), V::x(), None).unwrap();
    match straight.clone().twisted(&profile("step(s - 0.3)")).unwrap_err() {
        CurveError::TwistJumps { s } => assert!((s - 0.3).abs() < 1e-9),
        other => panic!("{other}"),
    }
    assert!(message(straight.clone().twisted(&profile("1/s"))).starts_with("the twist of the curve: division by zero"));
    assert!(message(straight.twisted(&profile("t"))).starts_with("the twist of the curve depends on t"));
}
