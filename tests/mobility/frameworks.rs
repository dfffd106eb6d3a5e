//! Bar frameworks: flexes and self-stresses.

use std::time::Instant;

use lariat::discretisation::linkage::{Link, Linkage};
use lariat::tasks::mobility::{Mobility, analyse};
use nalgebra::Vector3;

use super::catalogue::v;

pub fn framework(mut linkage: Linkage, points: &[Vector3<f64>], bars: &[(usize, usize)]) -> Linkage {
    let links: Vec<Link> = points.iter().enumerate().map(|(k, at)| linkage.point(format!("p{k}"), *at)).collect();
    for (a, b) in bars {
        linkage.bar_of_points(format!("bar{a}_{b}"), [links[*a], links[*b]]).unwrap();
    }
    linkage
}

fn plane(points: &[(f64, f64)], bars: &[(usize, usize)]) -> Mobility {
    let points: Vec<_> = points.iter().map(|(x, y)| v(*x, *y, 0.0)).collect();
    let linkage = framework(Linkage::plane(), &points, bars);
    assert!(linkage.is_framework());
    let found = analyse(&linkage).unwrap();
    assert_eq!(found.rigid_motions, 3);
    found
}

pub fn space(points: &[Vector3<f64>], bars: &[(usize, usize)]) -> Mobility {
    let found = analyse(&framework(Linkage::space(), points, bars)).unwrap();
    assert_eq!(found.rigid_motions, 6);
    found
}

/// Maxwell's count without the motions as a whole, flexes, self-stresses, finite flexes.
fn told(found: &Mobility) -> (i64, usize, usize, usize) {
    (found.count - found.rigid_motions as i64, found.flexes(), found.redundant(), found.finite_flexes())
}

const K33: [(usize, usize); 9] = [(0, 1), (0, 3), (0, 5), (2, 1), (2, 3), (2, 5), (4, 1), (4, 3), (4, 5)];
const PRISM: [(usize, usize); 9] = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3), (1, 4), (2, 5)];

#[test]
fn squares() {
    let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
    let sides = [(0, 1), (1, 2), (2, 3), (3, 0)];
    assert_eq!(told(&plane(&corners, &sides)), (1, 1, 0, 1));
    assert_eq!(told(&plane(&corners, &[(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)])), (0, 0, 0, 0));
    // Both diagonals: one state of self-stress.
    let braced = plane(&corners, &[(0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (1, 3)]);
    assert_eq!(told(&braced), (-1, 0, 1, 0));
    assert_eq!(braced.overlaps[0].joints.len(), 6);
}

/// Generic, and with all joints on a circle, where it shakes (Bolker and Roth 1980) but does not move.
#[test]
fn k33() {
    let generic = [(0.0, 0.0), (1.3, 0.1), (2.1, 0.9), (1.7, 2.2), (0.4, 1.9), (-0.6, 0.8)];
    assert_eq!(told(&plane(&generic, &K33)), (0, 0, 0, 0));
    let angles = [0.1_f64, 1.0, 2.3, 3.0, 4.1, 5.2];
    let circle: Vec<_> = angles.iter().map(|angle| (angle.cos(), angle.sin())).collect();
    let shaky = plane(&circle, &K33);
    assert_eq!(told(&shaky), (0, 1, 1, 0), "{shaky:?}");
    // What only shakes is rigid: one cluster.
    assert_eq!(shaky.clusters.len(), 1);
    assert_eq!(shaky.clusters[0].links.len(), 6);
}

/// Three parallel struts between two triangles: with equal triangles and struts they move, with other triangles they only shake.
#[test]
fn prisms() {
    let triangle = [(0.0, 0.0), (1.0, 0.0), (0.4, 0.8)];
    let above = |heights: [f64; 3]| -> Vec<(f64, f64)> {
        triangle.into_iter().chain(triangle.into_iter().zip(heights).map(|((x, y), h)| (x, y + h))).collect()
    };
    assert_eq!(told(&plane(&above([2.0, 2.0, 2.0]), &PRISM)), (0, 1, 1, 1));
    assert_eq!(told(&plane(&above([2.0, 2.4, 1.9]), &PRISM)), (0, 1, 1, 0));
    let mut skew = above([2.0, 2.4, 1.9]);
    skew[5].0 += 0.3;
    assert_eq!(told(&plane(&skew, &PRISM)), (0, 0, 0, 0));
}

#[test]
fn frameworks_of_space() {
    let octahedron =
        [v(1.0, 0.0, 0.0), v(-1.0, 0.0, 0.0), v(0.0, 1.0, 0.0), v(0.0, -1.0, 0.0), v(0.0, 0.0, 1.0), v(0.0, 0.0, -1.0)];
    let edges: Vec<_> = (0..6).flat_map(|a| (a + 1..6).map(move |b| (a, b))).filter(|(a, b)| a / 2 != b / 2).collect();
    assert_eq!(told(&space(&octahedron, &edges)), (0, 0, 0, 0));
    let cube: Vec<_> = (0..8).map(|k| v((k & 1) as f64, (k >> 1 & 1) as f64, (k >> 2) as f64)).collect();
    let edges: Vec<_> = (0..8_usize).flat_map(|a| [1, 2, 4].map(|bit| (a, a | bit))).filter(|(a, b)| a != b).collect();
    assert_eq!(edges.len(), 12);
    assert_eq!(told(&space(&cube, &edges)), (6, 6, 0, 6));
    let (points, bars) = double_banana();
    assert_eq!(told(&space(&points, &bars)), (0, 1, 1, 1));
}

/// Two pairs of tetrahedra without their common edge, hinged at its ends: each is rigid, together they turn about that edge.
pub fn double_banana() -> (Vec<Vector3<f64>>, Vec<(usize, usize)>) {
    let points = vec![
        v(0.0, 0.0, 1.0),
        v(0.0, 0.0, -1.0),
        v(1.0, 0.6, 0.1),
        v(1.3, -0.5, -0.2),
        v(2.0, 0.1, 0.3),
        v(-1.0, 0.5, 0.0),
        v(-1.2, -0.6, 0.2),
        v(-2.0, 0.2, -0.3),
    ];
    let mut bars = Vec::new();
    for banana in [[2, 3, 4], [5, 6, 7]] {
        for k in 0..3 {
            bars.extend([(0, banana[k]), (1, banana[k]), (banana[k], banana[(k + 1) % 3])]);
        }
    }
    (points, bars)
}

/// A grid of 8 × 20 points with a diagonal in each cell but those of the last column: 320 freedoms, 418 bars.
#[test]
fn large_frameworks() {
    let (rows, columns) = (8, 20);
    let points: Vec<_> = (0..rows * columns)
        .map(|k| {
            let (i, j) = (k / columns, k % columns);
            v(
                j as f64 + 0.1 * ((k * k * 37) % 101) as f64 / 101.0,
                i as f64 + 0.1 * ((k * k * 53) % 103) as f64 / 103.0,
                0.0,
            )
        })
        .collect();
    let mut bars = Vec::new();
    for k in 0..rows * columns {
        let (i, j) = (k / columns, k % columns);
        bars.extend((j + 1 < columns).then_some((k, k + 1)));
        bars.extend((i + 1 < rows).then_some((k, k + columns)));
        // The last column of cells has no diagonals.
        bars.extend((i + 1 < rows && j + 2 < columns).then_some((k, k + columns + 1)));
    }
    let clock = Instant::now();
    let found = analyse(&framework(Linkage::plane(), &points, &bars)).unwrap();
    // The braced part of 152 points is rigid: 144 + 133 + 126 bars less 304 − 3. Beside it 8 points have 16 freedoms and 15 bars.
    assert_eq!((found.flexes(), found.redundant(), found.finite_flexes()), (1, 403 - 301, 1));
    let sizes: Vec<usize> = found.clusters.iter().map(|cluster| cluster.links.len()).collect();
    assert_eq!(sizes, [rows * (columns - 1)], "{:?}", found.clusters.last());
    assert!(clock.elapsed().as_secs_f64() < 60.0, "{:?}", clock.elapsed());
}
