//! The condition of no shear against automatic differentiation, and its multiplier as a force.

use super::*;
use crate::geometry::Quaternion;
use crate::kernel::derivative::second_order;
use crate::scalar::Real;

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
        let section = |node: usize| {
            let [x, y, angle] = attached[node];
            let offset = Vector3::new(x, y, 0.0);
            Attachment { node, offset, turn: Quaternion::IDENTITY, angle, plain: false }
        };
        let rest = 0.012;
        let sections = [section(0), section(1)];
        let row = ConditionRow::Shear(Shear { sections, across: 0, length: 0.7, rest, middle: 0.5 });
        let constraint = Constraint { name: "rod".into(), sides: sections.map(Anchor::Node), rows: vec![row] };
        let (value, gradient, hessian) = second_order(|v| shear(v, attached, rest), q);
        let still = GroundTravel(Vector3::zeros());
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

/// A mechanism of two nodes of a kind in some configuration.
fn two_nodes(kind: NodeKind) -> (Layout, Vec<f64>) {
    let mut layout = Layout::new();
    let mut q = Vec::new();
    for (node, turn) in [Vector3::new(0.4, -0.8, 0.3), Vector3::new(-0.2, 0.5, 1.1)].into_iter().enumerate() {
        layout.push(kind);
        q.resize(q.len() + kind.coordinates(), 0.0);
        let position = Vector3::new(0.3 + 0.7 * node as f64, -0.2, 0.5 * node as f64);
        let orientation = match kind {
            NodeKind::PlaneFrame => crate::terms::plane_orientation(turn[2]),
            _ => Quaternion::from_rotation_vector(turn),
        };
        layout.set_pose(&mut q, node, &crate::geometry::Pose { position, orientation }, 0.0);
    }
    (layout, q)
}

/// Every kind of row, between nodes and from or to the ground: first and second derivatives against central differences
/// of the value along exp(ξ/2), whose own errors are about h² = 1e-8 and ε/h² = 1e-8.
#[test]
fn rows_have_the_derivatives_of_their_values() {
    let (u, v) = (Vector3::new(0.6, -0.3, 0.5), Vector3::new(0.1, 0.9, -0.4));
    let reference = [Vector3::new(0.3, 0.2, -0.4), Vector3::new(-0.6, 0.1, 0.2)].map(Quaternion::from_rotation_vector);
    let turn = ConditionRow::Turn(Turn { axis: u.normalize(), reference });
    let component = ConditionRow::Rotation(Turn { axis: u.normalize(), reference });
    let flat = Vector3::new(0.6, -0.3, 0.0);
    let plane = [
        ConditionRow::Across(flat),
        ConditionRow::Distance(0.4),
        ConditionRow::Angle(0.3),
        ConditionRow::Coordinate(1),
    ];
    let sections = [0, 1].map(|node| {
        let turn = Quaternion::from_rotation_vector(Vector3::new(0.2, -0.5, 0.3) * (1.0 - 2.0 * node as f64));
        Attachment { node, offset: Vector3::new(0.05, -0.1, 0.2), turn, angle: 0.0, plain: false }
    });
    let shear = |across| ConditionRow::Shear(Shear { sections, across, length: 0.8, rest: 0.01, middle: 0.4 });
    let space = [
        shear(0),
        shear(1),
        ConditionRow::Perpendicular(u, v),
        ConditionRow::Across(u),
        ConditionRow::Distance(0.4),
        turn,
        component,
        ConditionRow::Coordinate(2),
    ];
    let points = [ConditionRow::Across(u), ConditionRow::Distance(0.4)];
    let kinds: [(NodeKind, &[ConditionRow]); 3] =
        [(NodeKind::PlaneFrame, &plane), (NodeKind::SpaceFrame, &space), (NodeKind::SpacePoint, &points)];
    let still = GroundTravel(Vector3::zeros());
    for (kind, rows) in kinds {
        let (layout, q) = two_nodes(kind);
        let size = kind.freedoms();
        let anchor = |node: usize| {
            let away = Vector3::new(0.05, -0.1, if kind == NodeKind::SpaceFrame { 0.2 } else { 0.0 });
            let offset = if kind == NodeKind::SpacePoint { Vector3::zeros() } else { away };
            Anchor::Node(Attachment { node, offset, turn: Quaternion::IDENTITY, angle: 0.1, plain: false })
        };
        let ground = || Anchor::Ground(Vector3::new(-0.4, 0.6, 0.0), [None, None, None]);
        let sides = [[anchor(0), anchor(1)], [ground(), anchor(1)], [anchor(0), ground()]];
        for (row, sides) in rows.iter().flat_map(|row| sides.iter().map(move |sides| (row, sides))) {
            if row.is_of_shear() && sides.iter().any(|side| side.node().is_none()) {
                continue;
            }
            let constraint = Constraint { name: "joint".into(), sides: sides.clone(), rows: vec![*row] };
            let along = |steps: &[(usize, f64)]| {
                let mut move_by = vec![0.0; 2 * size];
                steps.iter().for_each(|(dof, step)| move_by[*dof] += step);
                let mut moved = q.clone();
                layout.retract(&q, &move_by, &mut moved);
                constraint.value(&layout, &moved, &still, 0)
            };
            let derivative = constraint.derivative(&layout, &q, 0);
            let [aa, bb, ab] = constraint.curvature(&layout, &q, 0);
            let h = 1e-4;
            // What stands in the places of the ground is not used.
            let moves = |dof: &usize| constraint.sides[dof / size].node().is_some();
            for i in (0..2 * size).filter(moves) {
                let slope = (along(&[(i, h)]) - along(&[(i, -h)])) / (2.0 * h);
                let found = derivative[i / size][i % size];
                assert!((found - slope).abs() < 1e-7, "{row:?} {kind:?}: gradient {i}: {found} {slope}");
                for j in (0..2 * size).filter(moves) {
                    let pair = |a: f64, b: f64| along(&[(i, a), (j, b)]);
                    let second = (pair(h, h) - pair(h, -h) - pair(-h, h) + pair(-h, -h)) / (4.0 * h * h);
                    let (r, c) = (i % size, j % size);
                    let found = match (i / size, j / size) {
                        (0, 0) => aa[(r, c)],
                        (1, 1) => bb[(r, c)],
                        (0, _) => ab[(r, c)],
                        _ => ab[(c, r)],
                    };
                    assert!((found - second).abs() < 1e-6, "{row:?} {kind:?}: Hessian {i} {j}: {found} {second}");
                }
            }
        }
    }
}

/// The angle about an axis is that of a rotation about it, past half a turn either way.
#[test]
fn angles_about_an_axis_run_past_half_a_turn() {
    let mut layout = Layout::new();
    layout.push(NodeKind::SpaceFrame);
    let (axis, reference) =
        (Vector3::new(0.6, 0.0, 0.8), Quaternion::from_rotation_vector(Vector3::new(0.3, 0.2, 1.0)));
    let attached = |node| Attachment { node, offset: axis, turn: Quaternion::IDENTITY, angle: 0.0, plain: false };
    let sides = [Anchor::Ground(axis, [None, None, None]), Anchor::Node(attached(0))];
    let turn = Turn { axis, reference: [Quaternion::IDENTITY, reference] };
    let constraint = Constraint { name: "hinge".into(), sides, rows: vec![ConditionRow::Turn(turn)] };
    for angle in [0.0, 0.4, 3.5, -6.0] {
        let turned = Quaternion::from_rotation_vector(axis * angle) * reference;
        let q = [&[0.0; 3][..], &turned.to_array()].concat();
        let found = constraint.value(&layout, &q, &GroundTravel(Vector3::zeros()), 0);
        assert!((found - angle).abs() < 1e-14, "{found} {angle}");
    }
}
