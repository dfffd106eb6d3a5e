use nalgebra::{DVector, Vector3};

use super::*;

fn v(x: f64, y: f64, z: f64) -> Vector3<f64> {
    Vector3::new(x, y, z)
}

/// Two bodies and a point, with every kind of joint.
fn everything() -> Linkage {
    let mut linkage = Linkage::space();
    let (a, b) = (linkage.body("a"), linkage.body("b"));
    let p = linkage.point("p", v(0.5, 0.7, -0.2));
    let kinds = [
        JointKind::Rigid,
        JointKind::Spherical,
        JointKind::Revolute(v(0.0, 2.0, 1.0)),
        JointKind::Prismatic(v(1.0, 0.3, 0.0)),
        JointKind::Cylindrical(v(0.0, 0.0, 1.0)),
        JointKind::Planar(v(1.0, 1.0, 1.0)),
        JointKind::Universal([v(1.0, 0.0, 0.0), v(0.0, 0.0, 3.0)]),
    ];
    for (k, kind) in kinds.into_iter().enumerate() {
        let at = v(0.3 * k as f64, 1.0 - 0.2 * k as f64, 0.1);
        linkage.joint(format!("joint {k}"), [a, b], kind, at).unwrap();
        linkage.joint(format!("ground {k}"), [Link::GROUND, b], kind, at + v(0.0, 0.4, 0.0)).unwrap();
    }
    linkage.bar("bar", [(a, v(1.0, 0.0, 0.0)), (p, v(0.5, 0.7, -0.2))]).unwrap();
    linkage.support("hold", (a, v(0.0, 0.0, 1.0)), [true, false, true], true).unwrap();
    linkage.support("wall", (p, v(0.5, 0.7, -0.2)), [false, true, false], false).unwrap();
    linkage
}

/// Central differences of the values are the witness of the derivatives, away from the reference configuration as well.
#[test]
fn derivatives_agree_with_differences() {
    let linkage = everything();
    let closure = Closure::new(&linkage);
    assert_eq!((closure.rows(), closure.columns()), (2 * (6 + 3 + 5 + 5 + 4 + 3 + 4) + 1 + 5 + 1, 15));
    let way: Vec<f64> = (0..closure.columns()).map(|k| 0.3 * ((5 * k + 2) % 7) as f64 - 0.8).collect();
    for posture in [closure.reference().clone(), closure.moved(closure.reference(), &way)] {
        let (_, slopes) = closure.evaluate(&posture);
        for column in 0..closure.columns() {
            let h = 1e-5;
            let mut motion = vec![0.0; closure.columns()];
            motion[column] = h;
            let ahead = closure.evaluate(&closure.moved(&posture, &motion)).0;
            motion[column] = -h;
            let behind = closure.evaluate(&closure.moved(&posture, &motion)).0;
            let differences: DVector<f64> = (ahead - behind) / (2.0 * h);
            // Error of the differences: h² times a third derivative of order 1.
            assert!((differences - slopes.column(column)).amax() < 1e-9, "column {column}");
        }
    }
    // All conditions hold in the reference configuration.
    assert!(closure.evaluate(closure.reference()).0.amax() < 1e-15);
}

/// Rigid motions of all of a free linkage satisfy its conditions at first order, and a moved copy satisfies them exactly.
#[test]
fn conditions_are_invariant() {
    let mut linkage = Linkage::space();
    let (a, b) = (linkage.body("a"), linkage.body("b"));
    let p = linkage.point("p", v(0.5, 0.7, -0.2));
    linkage.joint("slide", [a, b], JointKind::Cylindrical(v(0.2, 1.0, 0.0)), v(1.0, 2.0, 3.0)).unwrap();
    linkage
        .joint("screw", [a, b], JointKind::Universal([v(0.0, 0.0, 1.0), v(0.0, 1.0, 0.0)]), v(0.0, 1.0, 0.0))
        .unwrap();
    linkage.bar("bar", [(b, v(0.0, 0.0, 0.0)), (p, v(0.5, 0.7, -0.2))]).unwrap();
    let closure = Closure::new(&linkage);
    assert_eq!(closure.free_parts(), [vec![0, 1, 2]]);
    let motions = closure.rigid_motions(closure.reference());
    let (_, slopes) = closure.evaluate(closure.reference());
    assert!((slopes * motions).amax() < 1e-14);
}

#[test]
fn counts() {
    let mut linkage = Linkage::space();
    let links = ["a", "b", "c"].map(|name| linkage.body(name));
    let hinge = JointKind::Revolute(Vector3::z());
    linkage.joint("1", [Link::GROUND, links[0]], hinge, v(0.0, 0.0, 0.0)).unwrap();
    linkage.joint("2", [links[0], links[1]], hinge, v(0.0, 1.0, 0.0)).unwrap();
    linkage.joint("3", [links[1], links[2]], hinge, v(2.0, 1.0, 0.0)).unwrap();
    assert_eq!((linkage.count(), linkage.count_in_other_dimension()), (3, Some(3)));
    linkage.joint("4", [links[2], Link::GROUND], JointKind::Prismatic(Vector3::x()), v(3.0, 0.0, 0.0)).unwrap();
    assert_eq!((linkage.count(), linkage.count_in_other_dimension()), (-2, Some(1)));
    linkage.joint("5", [links[2], Link::GROUND], JointKind::Prismatic(Vector3::z()), v(3.0, 0.0, 0.0)).unwrap();
    assert_eq!((linkage.count(), linkage.count_in_other_dimension()), (-7, None));
}

#[test]
fn impossible_joints_are_refused() {
    let mut linkage = Linkage::space();
    let (a, p) = (linkage.body("a"), linkage.point("p", Vector3::zeros()));
    let refused = linkage.joint("j", [a, p], JointKind::Revolute(Vector3::z()), Vector3::zeros());
    assert_eq!(refused, Err(LinkageError::Point { joint: "j".into(), link: "p".into() }));
    let refused = linkage.joint("j", [a, p], JointKind::Spherical, Vector3::x());
    assert_eq!(refused, Err(LinkageError::Away { joint: "j".into(), link: "p".into() }));
    let refused = linkage.joint("j", [Link::GROUND, a], JointKind::Revolute(Vector3::zeros()), Vector3::x());
    assert_eq!(refused, Err(LinkageError::NoDirection("j".into())));
    let mut plane = Linkage::plane();
    let b = plane.body("b");
    let refused = plane.joint("j", [Link::GROUND, b], JointKind::Cylindrical(Vector3::x()), Vector3::x());
    assert_eq!(refused, Err(LinkageError::Dimension { joint: "j".into(), dimension: 2 }));
    let axes = JointKind::Universal([Vector3::x(), v(1.0, 1.0, 0.0)]);
    let refused = linkage.joint("j", [Link::GROUND, a], axes, Vector3::x());
    assert_eq!(refused, Err(LinkageError::NotPerpendicular("j".into())));
    assert_eq!(linkage.bar("j", [(a, v(1.0, 0.0, 0.0)); 2]), Err(LinkageError::NoLength("j".into())));
    assert_eq!((linkage.joints(), linkage.conditions()), (0, 0));
}
