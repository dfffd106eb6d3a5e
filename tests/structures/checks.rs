//! What must hold of a structure: its equilibrium does not depend on how it is stated.

use crate::linear;
use crate::structure::{Model, Structure};
use crate::vector::*;

/// What the program says of a problem file: its status, and values by name.
pub struct Solved {
    pub status: String,
    pub message: String,
    pub values: std::collections::BTreeMap<String, f64>,
}

/// Solves a problem file.
pub type Solve<'a> = dyn Fn(&str) -> Solved + 'a;

/// Largest difference of positions, in parts of the size, that counts as the same.
const SAME: f64 = 1e-7;
/// Loads of the comparison with the linear method.
const SMALL: f64 = 1e-3;
/// Largest difference from it, in parts of the largest displacement.
const LINEAR: f64 = 1e-6;

/// Positions and rotation vectors of both ends of each rod of the first statement, turned back to it.
fn ends(structure: &Structure, solved: &Solved) -> Vec<[(V, V); 2]> {
    let back = {
        let r = structure.turn;
        [0, 1, 2].map(|row| [0, 1, 2].map(|column: usize| r[column][row]))
    };
    let of = |(rod, end): (usize, usize)| {
        let value = |name: &str| {
            let key = format!("equilibrium.r{rod}.{}.{name}", ["start", "end"][end]);
            solved.values.get(&key).copied().unwrap_or(0.0)
        };
        let reference = structure.rods[rod].shape.at(end as f64).0;
        let moved = minus([value("x"), value("y"), value("z")], reference);
        (apply(&back, moved), apply(&back, [value("turn_x"), value("turn_y"), value("turn_z")]))
    };
    structure.ends.iter().map(|pair| pair.map(of)).collect()
}

fn apart(one: &[[(V, V); 2]], other: &[[(V, V); 2]], size: f64) -> f64 {
    let pairs = one.iter().flatten().zip(other.iter().flatten());
    pairs.map(|(a, b)| (norm(minus(a.0, b.0)) / size).max(norm(minus(a.1, b.1)))).fold(0.0, f64::max)
}

/// Everything that does not hold.
pub fn complaints(structure: &Structure, solve: &Solve<'_>) -> Vec<String> {
    let mut found = Vec::new();
    let solved = solve(&structure.text());
    if solved.status != "solved" {
        return vec![format!("{}: {}", solved.status, solved.message)];
    }
    let first = ends(structure, &solved);
    let by = match structure.space {
        true => rotation([0.3, -0.5, 0.8], 1.1),
        false => rotation([0.0, 0.0, 1.0], 1.1),
    };
    let far = scaled(if structure.space { [0.3, -0.2, 0.5] } else { [0.3, -0.2, 0.0] }, structure.size());
    let mut variants = vec![
        ("turned", structure.turned(&by, far)),
        ("reversed", structure.reversed(false)),
        ("all reversed", structure.reversed(true)),
        ("split", structure.split()),
    ];
    let fine = |rod: &crate::structure::Rod| match rod.model {
        Model::String => rod.elements == 1,
        Model::Kirchhoff => false,
        Model::Beam | Model::Rod => rod.order * rod.elements > 11 && rod.order > 3,
    };
    if structure.rods.iter().all(fine) {
        variants.push(("doubled", structure.finer(2)));
    }
    for (name, variant) in variants {
        let other = solve(&variant.text());
        if other.status != "solved" {
            found.push(format!("{name} is {}: {}", other.status, other.message));
            continue;
        }
        let off = apart(&first, &ends(&variant, &other), structure.size());
        if !(off <= SAME) {
            found.push(format!("{name} is off by {off:.1e}"));
        }
    }
    found.extend(against_linear(structure, solve));
    found
}

/// Small loads of both signs: half the difference of the displacements is that of the linear method but for third order.
fn against_linear(structure: &Structure, solve: &Solve<'_>) -> Option<String> {
    let exact = structure.rods.iter().all(|rod| rod.model == Model::Kirchhoff || rod.order > 2);
    if !linear::knows(structure) || !exact {
        return None;
    }
    // Elements of Kirchhoff rods have order 2 with even powers of their length: those of three meshes are extrapolated to order 6.
    let meshes: &[(usize, f64)] = match structure.rods.iter().any(|rod| rod.model == Model::Kirchhoff) {
        true => &[(1, 1.0 / 45.0), (2, -20.0 / 45.0), (4, 64.0 / 45.0)],
        false => &[(1, 1.0)],
    };
    let mut halves = vec![[[0.0; 3]; 2]; 2 * structure.rods.len()];
    for (times, weight) in meshes {
        for factor in [SMALL, -SMALL] {
            let side = structure.finer(*times).loaded(factor);
            let solved = solve(&side.text());
            if solved.status != "solved" {
                return Some(format!("small loads: {}: {}", solved.status, solved.message));
            }
            for (sum, (moved, turned)) in halves.iter_mut().zip(ends(&side, &solved).into_iter().flatten()) {
                let share = 0.5 * weight * factor.signum();
                *sum = [add(sum[0], scaled(moved, share)), add(sum[1], scaled(turned, share))];
            }
        }
    }
    let wanted = linear::displacements(&structure.loaded(SMALL));
    let (size, mut largest) = (structure.size(), 0.0_f64);
    let mut worst = 0.0_f64;
    for (half, w) in halves.iter().zip(wanted.iter().flatten()) {
        worst = worst.max(norm(minus(half[0], w.0)) / size);
        largest = largest.max(norm(w.0) / size);
        if structure.space {
            worst = worst.max(norm(minus(half[1], w.1)));
            largest = largest.max(norm(w.1));
        }
    }
    (!(worst <= LINEAR * largest)).then(|| format!("linear theory is off by {:.1e}", worst / largest))
}
