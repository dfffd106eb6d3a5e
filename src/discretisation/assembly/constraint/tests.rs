//! The condition of no shear against automatic differentiation, and its multiplier as a force.

use super::*;
use crate::discretisation::assembly::NodeKind;
use crate::geometry::Quaternion;
use crate::kernel::Real;
use crate::kernel::derivative::second_order;

/// g by its definition: sections at x + R(θ) r with angles θ + α.
fn shear<T: Real>(v: [T; 6], attached: [[f64; 3]; 2], rest: f64) -> T {
    let section = |x: &[T], [r1, r2, angle]: [f64; 3]| {
        let (sin, cos) = (x[2].sin(), x[2].cos());
        [x[0] + cos * r1 - sin * r2, x[1] + sin * r1 + cos * r2, x[2] + T::from(angle)]
    };
    let (a, b) = (section(&v[..3], attached[0]), section(&v[3..], attached[1]));
    let mean = (a[2] + b[2]) * 0.5;
    (b[1] - a[1]) * mean.cos() - (b[0] - a[0]) * mean.sin() - T::from(rest)
}

/// Value, gradient and Hessian to rounding, for sections in their nodes and beside them.
#[test]
fn no_shear_has_exact_derivatives() {
    let mut layout = Layout::new();
    for _ in 0..2 {
        layout.push(NodeKind::PlaneFrame);
    }
    let q = [0.3, -0.2, 0.7, 0.8, 0.5, 1.9];
    for attached in [[[0.0; 3]; 2], [[0.05, -0.1, 0.4], [-0.2, 0.15, -0.3]]] {
        let anchor = |node: usize| {
            let [x, y, angle] = attached[node];
            let offset = Vector3::new(x, y, 0.0);
            Anchor::Node(Attachment { node, offset, turn: Quaternion::IDENTITY, angle, plain: false })
        };
        let rest = 0.012;
        let row = Row::Shear { rest, middle: 0.5 };
        let constraint = Constraint { name: "rod".into(), sides: [anchor(0), anchor(1)], rows: vec![row] };
        let (value, gradient, hessian) = second_order(|v| shear(v, attached, rest), q);
        let still = Motion(Vector3::zeros());
        assert!((constraint.value(&layout, &q, &still, 0) - value).abs() < 1e-15);
        let derivative = constraint.derivative(&layout, &q, 0);
        let [aa, bb, ab] = constraint.curvature(&layout, &q, 0);
        let block = |r: usize, c: usize| match (r / 3, c / 3) {
            (0, 0) => aa[(r, c)],
            (1, 1) => bb[(r - 3, c - 3)],
            (0, 1) => ab[(r, c - 3)],
            _ => ab[(c, r - 3)],
        };
        for r in 0..6 {
            assert!((derivative[r / 3][r % 3] - gradient[r]).abs() < 1e-14, "gradient {r}");
            for c in 0..6 {
                assert!((block(r, c) - hessian[(r, c)]).abs() < 1e-14, "Hessian {r} {c}");
            }
        }
    }
}
