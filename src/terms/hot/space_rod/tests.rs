//! Derivatives against automatic ones, invariance under rigid motions, exactness for helices.

use super::super::super::shape::{gauss, lobatto, shape};
use super::*;
use crate::kernel::derivative::second_order;
use crate::scalar::Real;

fn element(order: usize, length: f64, geodesic: bool) -> SpaceRod {
    let nodes = lobatto(order);
    let mut stiffness = Matrix6::from_fn(|i, j| 0.05 * ((i + 2) * (j + 2)) as f64);
    stiffness += Matrix6::from_diagonal_element(3.0);
    let points = gauss(order).into_iter().map(|(at, weight)| {
        let shape = shape(&nodes, at);
        RodPoint {
            weight: weight * length,
            n: shape.n,
            dn: shape.dn.map(|slope| slope / length),
            stiffness,
            damping: Matrix6::zeros(),
            rest: Vector6::new(0.01, -0.02, 0.03, 0.2, -0.1, 0.15),
        }
    });
    let law = RodLaw { stiffening: 0.1, ..RodLaw::default() };
    SpaceRod { nodes: order + 1, geodesic: geodesic.then_some(length), law, points: points.collect() }
}

fn ends(count: usize) -> Vec<SpaceEnd> {
    (0..count)
        .map(|i| {
            let s = i as f64;
            SpaceEnd {
                position: Vector3::new(0.1 * s * s, 0.3 * (s * 1.3).sin(), 0.5 * s),
                orientation: Quaternion::from_rotation_vector(Vector3::new(
                    0.4 * s,
                    -0.2 + 0.3 * s * s,
                    0.1 - 0.25 * s,
                )),
            }
        })
        .collect()
}

type Four<T> = [T; 4];

fn product<T: Real>(a: Four<T>, b: Four<T>) -> Four<T> {
    [
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] + a[2] * b[0] + a[3] * b[1] - a[1] * b[3],
        a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1],
    ]
}

fn conjugate<T: Real>(a: Four<T>) -> Four<T> {
    [a[0], -a[1], -a[2], -a[3]]
}

/// The energy of an element by its definition, over any scalar.
fn energy<T: Real>(element: &SpaceRod, ends: &[SpaceEnd], v: &[T]) -> T {
    let zero = T::from(0.0);
    let mut total = zero;
    for point in &element.points {
        let (mut p, mut dp, mut dx) = ([zero; 4], [zero; 4], [zero; 3]);
        for (i, end) in ends.iter().enumerate() {
            let xi = [v[6 * i + 3], v[6 * i + 4], v[6 * i + 5]];
            let square = xi[0] * xi[0] + xi[1] * xi[1] + xi[2] * xi[2];
            // exp(ξ/2) to second order.
            let turn = [T::from(1.0) - square / 8.0, xi[0] / 2.0, xi[1] / 2.0, xi[2] / 2.0];
            let node = product(end.orientation.to_array().map(T::from), turn);
            for c in 0..4 {
                p[c] += node[c] * point.n[i];
                dp[c] += node[c] * point.dn[i];
            }
            for c in 0..3 {
                dx[c] += (v[6 * i + c] + end.position[c]) * point.dn[i];
            }
        }
        let nu = p.iter().fold(zero, |sum, x| sum + *x * *x);
        let gamma = product(product(conjugate(p), [zero, dx[0], dx[1], dx[2]]), p).map(|x| x / nu);
        let k = product(conjugate(p), dp).map(|x| x * 2.0 / nu);
        let mut k = [k[1], k[2], k[3]];
        if let Some(length) = element.geodesic {
            let z = (k[0] * k[0] + k[1] * k[1] + k[2] * k[2]).sqrt() * (length / 4.0);
            k = k.map(|k| k * z.atan() / z);
        }
        let strain = [gamma[1], gamma[2], gamma[3] - 1.0, k[0], k[1], k[2]];
        let strain: [T; 6] = std::array::from_fn(|c| strain[c] - point.rest[c]);
        total += element.law.energy(&point.stiffness, &strain) * point.weight;
    }
    total
}

fn check<const N: usize>(element: &SpaceRod) {
    let ends = ends(element.nodes);
    let (value, gradient, hessian) = second_order(|v: [_; N]| energy(element, &ends, &v), [0.0; N]);
    let mut local = Local::default();
    local.reset(N, Order::Hessian);
    element.evaluate(&ends, None, Order::Hessian, &mut local);
    assert!((local.energy - value).abs() < 1e-13 * value.abs());
    for row in 0..N {
        assert!((local.gradient[row] - gradient[row]).abs() < 1e-12 * gradient.norm());
        for col in 0..N {
            let error = local.hessian[row + N * col] - hessian[(row, col)];
            assert!(error.abs() < 1e-12 * hessian.norm(), "({row}, {col}): {error}");
        }
    }
}

#[test]
fn derivatives_are_those_of_the_energy() {
    check::<12>(&element(1, 0.7, true));
    check::<12>(&element(1, 0.7, false));
    check::<18>(&element(2, 1.1, false));
    check::<24>(&element(3, 1.4, false));
}

/// Energy and material forces do not change when all nodes are moved rigidly.
#[test]
fn energy_is_invariant_under_rigid_motions() {
    for (order, geodesic) in [(1, true), (2, false), (4, false)] {
        let element = element(order, 0.9, geodesic);
        let still = ends(order + 1);
        let mut local = Local::default();
        local.reset(6 * (order + 1), Order::Gradient);
        element.evaluate(&still, None, Order::Gradient, &mut local);
        let (energy, gradient) = (local.energy, local.gradient.clone());
        for k in 0..20 {
            let k = k as f64;
            let turn =
                Quaternion::from_rotation_vector(Vector3::new((3.0 * k).sin(), (5.0 * k).cos(), 2.0 * (7.0 * k).sin()));
            let shift = Vector3::new(k, -2.0 * k, 0.5 * k);
            let moved: Vec<_> = still
                .iter()
                .map(|end| SpaceEnd {
                    position: turn.rotate(end.position) + shift,
                    orientation: turn * end.orientation,
                })
                .collect();
            local.reset(6 * (order + 1), Order::Gradient);
            element.evaluate(&moved, None, Order::Gradient, &mut local);
            assert!((local.energy - energy).abs() < 1e-12 * energy);
            for i in 0..=order {
                let force = |g: &[f64]| Vector3::from_column_slice(&g[6 * i..6 * i + 3]);
                let moment = |g: &[f64]| Vector3::from_column_slice(&g[6 * i + 3..6 * i + 6]);
                let scale = 1e-12 * (1.0 + force(&gradient).norm() + moment(&gradient).norm()) * (1.0 + k);
                assert!((force(&local.gradient) - turn.rotate(force(&gradient))).norm() < scale);
                assert!((moment(&local.gradient) - moment(&gradient)).norm() < scale);
            }
        }
    }
}

/// The two-node element measures a constant curvature exactly: φ/ℓ for a relative rotation φ.
#[test]
fn curvature_of_two_nodes_is_the_rotation_between_them() {
    let element = element(1, 0.5, true);
    for psi in [Vector3::new(0.4, -1.0, 0.6), Vector3::new(1e-3, 0.0, 2e-3), Vector3::zeros()] {
        let start = Quaternion::from_rotation_vector(Vector3::new(0.3, 0.2, -0.7));
        let ends = [start, start.turned(psi)].map(|orientation| SpaceEnd { position: Vector3::zeros(), orientation });
        let strain = element.strain(0, &ends);
        assert!((strain.fixed_rows::<3>(3) - psi / 0.5).norm() < 1e-14);
    }
}
