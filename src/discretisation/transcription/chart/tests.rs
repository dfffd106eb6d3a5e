#![allow(clippy::unwrap_used)]

use super::*;

fn group(name: &str, manifold: Manifold, entries: Vec<Linear>) -> Group {
    Group { name: name.to_owned(), manifold, entries }
}

/// A free coordinate, a rod of length 2 that hangs on it and on a fixed height, another one on the first.
fn chain() -> Chart {
    let first = vec![Linear::difference(1, 0), Linear { terms: vec![(2, 1.0)], constant: -0.5 }, Linear::coordinate(3)];
    let second = (0..3).map(|i| Linear::difference(4 + i, 1 + i)).collect();
    let groups = vec![group("first", Manifold::Sphere(2.0), first), group("second", Manifold::Sphere(1.0), second)];
    Chart::new(7, groups, vec![0, 1]).unwrap()
}

fn lengths(q: &[f64]) -> [f64; 2] {
    let first = [q[1] - q[0], q[2] - 0.5, q[3]];
    let second = [q[4] - q[1], q[5] - q[2], q[6] - q[3]];
    [first, second].map(|rod| rod.iter().map(|x| x * x).sum::<f64>().sqrt())
}

fn wave(count: usize, phase: f64) -> Vec<f64> {
    (0..count).map(|i| (1.3 * i as f64 + phase).sin()).collect()
}

#[test]
fn charts_of_spheres_satisfy_their_constraints() {
    let chart = chain();
    assert_eq!((chart.freedoms(), chart.free().len(), chart.numbers()), (5, 1, 18));
    let free = chart.free()[0];
    let names: Vec<String> = (0..7).map(|i| format!("q{i}")).collect();
    assert_eq!(chart.names(&names)[..2], ["turn 1 of first", "turn 2 of first"]);
    assert_eq!(chart.names(&names)[4], format!("q{free}"));
    let mut evaluated = Evaluated::new(&chart);
    for phase in [0.1, 0.9, 2.3] {
        let numbers = chart.reference(&wave(7, phase), None);
        for size in [0.0, 0.5, 3.0, 40.0] {
            let f: Vec<f64> = wave(5, phase + 1.0).iter().map(|f| size * f).collect();
            let q = evaluated.configuration(&f, &numbers).unwrap().to_vec();
            let [first, second] = lengths(&q);
            assert!((first - 2.0).abs() < 1e-14 && (second - 1.0).abs() < 1e-14, "{first} {second}");
            assert_eq!(q[free], f[4]);
            // Columns of P are tangents: they do not change the lengths, and are independent.
            let tangents = evaluated.null_space(&f, &numbers).unwrap();
            let step = 1e-6;
            for column in tangents.column_iter() {
                let moved: Vec<f64> = q.iter().zip(&column).map(|(q, d)| q + step * d).collect();
                let change = lengths(&moved)[0] - first + lengths(&moved)[1] - second;
                assert!(change.abs() < 10.0 * step * step * (1.0 + column.norm_squared()), "{change}");
            }
            let singular = tangents.singular_values();
            assert!(singular.min() > 1e-4 * singular.max(), "{singular}");
        }
    }
}

#[test]
fn charts_of_rotations_are_rotations() {
    let entries = (0..9).map(Linear::coordinate).collect();
    let chart = Chart::new(9, vec![group("R", Manifold::Rotation, entries)], Vec::new()).unwrap();
    let mut evaluated = Evaluated::new(&chart);
    let numbers = chart.reference(&wave(9, 0.4), None);
    for size in [0.0, 0.7, 2.0, 9.0] {
        let f: Vec<f64> = wave(3, 0.2).iter().map(|f| size * f).collect();
        let q = evaluated.configuration(&f, &numbers).unwrap().to_vec();
        let r = nalgebra::Matrix3::from_column_slice(&q);
        assert!((r.transpose() * r - nalgebra::Matrix3::identity()).norm() < 1e-14);
        assert!((r.determinant() - 1.0).abs() < 1e-14);
        // R₀ᵀR turns about f by four times the angle whose tangent is |f|/2.
        let turned = nalgebra::Matrix3::from_column_slice(&numbers).transpose() * r;
        let vector = nalgebra::Vector3::from_column_slice(&f);
        let angle = 4.0 * (0.5 * vector.norm()).atan();
        let wanted = nalgebra::Rotation3::new(vector.try_normalize(0.0).unwrap_or_default() * angle);
        assert!((turned - wanted.matrix()).norm() < 1e-13, "{turned} {wanted}");
    }
}

/// Reference points are nearest to what they are made from, their bases orthonormal, and these turn no more than needed.
#[test]
fn reference_points_are_frames() {
    for d in [2, 3, 4, 6] {
        let entries = (0..d).map(Linear::coordinate).collect();
        let chart = Chart::new(d, vec![group("y", Manifold::Sphere(1.0), entries)], Vec::new()).unwrap();
        let mut before: Option<Vec<f64>> = None;
        for k in 0..100 {
            let y: Vec<f64> = wave(d, 0.02 * k as f64).iter().map(|y| 3.0 * y).collect();
            let numbers = chart.reference(&y, before.as_deref());
            let frame = DMatrix::from_column_slice(d, d, &numbers);
            assert!((frame.transpose() * &frame - DMatrix::identity(d, d)).norm() < 1e-13);
            let direction = DVector::from_column_slice(&y).normalize();
            assert!((frame.column(0) - direction).norm() < 1e-14);
            if let Some(before) = before {
                let change = (frame - DMatrix::from_column_slice(d, d, &before)).norm();
                assert!(change < 0.2, "{d}, {k}: {change}");
            }
            before = Some(numbers);
        }
        // Without a direction the last point is kept.
        let last = before.unwrap();
        let kept = chart.reference(&vec![0.0; d], Some(&last));
        assert!(last.iter().zip(&kept).all(|(a, b)| (a - b).abs() < 1e-14));
    }
    let rotation = frames::rotation(&[0.0; 9], None);
    assert_eq!(rotation, [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
    // A reflection becomes a rotation.
    let nearest = frames::rotation(&[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, -0.5], None);
    assert!((nalgebra::Matrix3::from_column_slice(&nearest).determinant() - 1.0).abs() < 1e-14);
}
