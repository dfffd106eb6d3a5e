//! Slow coordinates that vibrate too fast for the macro grid.
//!
//! A slow coordinate goes on a straight line through a macro step of length H. With a stiffness K that is evaluated at points of this line the discrete
//! potential of the step is ½ H (a q₀² + 2b q₀q₁ + a q₁²) K with 2a + 2b = 1, and an oscillator of frequency ω
//! obeys cos φ = (1 − a x)/(1 + b x), x = (ωH)²: it is stable as long as (a − b) x ≤ 2. For p micro steps
//!
//! | energies | a − b | largest ωH |
//! |---|---|---|
//! | at the middle of each micro step | (1 − 1/p²)/6 | √12 for many, no limit for p = 1 |
//! | at the ends of each micro step | (1 + 2/p²)/6 | √12 for many, 2 for p = 1 |
//! | at the middle of the macro step | 0 | no limit |
//! | at its ends | ½ | 2 |
//!
//! Of several coordinates the largest eigenvalue of Σ (a − b) K against the mass matrix decides. Fast coordinates stay where they are, unless
//! constraints make them follow the slow ones.

use nalgebra::{DMatrix, DVector};

use super::programs::{Places, inputs, is_separable, still};
use super::{Multirate, MultirateError, Quadrature};
use crate::discretisation::transcription::At;
use crate::nlp::graph::{Expr, Graph, Program};
use crate::nlp::{EvalFailure, Nlp};

/// Singular values and masses below this, relative to the largest, are zero.
const ZERO: f64 = 1e-10;

/// A vibration that the macro grid cannot follow.
#[derive(Debug, Clone, PartialEq)]
pub struct Stiff {
    /// Its frequency, rad/s; infinite where nothing has mass.
    pub frequency: f64,
    /// The largest frequency for which a macro step of this length is stable, rad/s.
    pub largest: f64,
    /// Share of each coordinate in its energy; zero for fast ones.
    pub shares: Vec<f64>,
}

/// Stiffnesses, masses and derivatives of constraints of a system in one configuration.
pub struct Stiffness {
    /// Entries (row, column, value) of the second derivatives of the potential in the Lagrangian.
    potential: Vec<(usize, usize, f64)>,
    /// Of the slow potential.
    slow: Vec<(usize, usize, f64)>,
    /// Of the constraints by the coordinates.
    constraints: Vec<(usize, usize, f64)>,
    /// Of the kinetic energy by the velocities.
    mass: Vec<(usize, usize, f64)>,
    rows: usize,
    coordinates: usize,
}

fn entries(program: &mut Program, x: &[f64], columns: usize) -> Result<Vec<(usize, usize, f64)>, EvalFailure> {
    let mut values = vec![0.0; program.jacobian_pattern().nnz()];
    program.jacobian(x, &mut values)?;
    let pattern = program.jacobian_pattern();
    let column = |col: usize| pattern.column(col).map(move |entry| (pattern.row_idx()[entry], col, entry));
    Ok((0..columns).flat_map(column).map(|(row, col, entry)| (row, col, values[entry])).collect())
}

impl Stiffness {
    /// At coordinates q and a time.
    pub fn new(system: &Multirate, q: &[f64], t: f64) -> Result<Self, MultirateError> {
        let names = system.mechanics.coordinates();
        let n = names.len();
        let graph = Graph::new();
        let places = inputs(&graph, &names, "");
        let at = still(system, &graph, places.clone(), graph.parameter("t"));
        let slopes = |potential: Expr<'_>| {
            graph.gradient(potential, &places).into_iter().for_each(|slope| graph.subject_to("slope", slope, 0.0, 0.0));
        };
        slopes(-system.mechanics.lagrangian(&at));
        slopes(system.slow_potential.as_ref().map_or(graph.constant(0.0), |potential| potential(&at)));
        let stated = system.mechanics.constraints(&at);
        let rows = stated.len();
        stated.into_iter().for_each(|(name, g)| graph.subject_to(name, g, 0.0, 0.0));
        let all = entries(&mut graph.build(), &[q, &[t]].concat(), n)?;
        let part = |from: usize, to: usize| {
            let inside = all.iter().filter(|(row, ..)| (from..to).contains(row));
            inside.map(|&(row, col, value)| (row - from, col, value)).collect::<Vec<_>>()
        };

        let moving = Graph::new();
        let v = inputs(&moving, &names, " rate");
        let here = names.iter().map(|name| moving.parameter(name.clone())).collect();
        let u = vec![moving.constant(0.0); system.mechanics.controls().len()];
        let at = At { graph: &moving, q: here, v: v.clone(), u, t: moving.parameter("t") };
        let momenta = moving.gradient(system.mechanics.lagrangian(&at), &v);
        momenta.into_iter().for_each(|momentum| moving.subject_to("momentum", momentum, 0.0, 0.0));
        let mass = entries(&mut moving.build(), &[&vec![0.0; n], q, &[t]].concat(), n)?;
        Ok(Self {
            potential: part(0, n),
            slow: part(n, 2 * n),
            constraints: part(2 * n, 2 * n + rows),
            mass,
            rows,
            coordinates: n,
        })
    }

    /// The fastest vibration of slow coordinates, if it is too fast for macro steps of length `step`, second.
    pub fn too_stiff(&self, system: &Multirate, step: f64) -> Option<Stiff> {
        let slow: Vec<usize> = (0..self.coordinates).filter(|&i| !system.fast[i]).collect();
        if slow.is_empty() {
            return None;
        }
        let separable = is_separable(system, &Places::new(&system.fast));
        let (all, follow, held) = self.followed(&system.fast, &slow);
        let free = null_space(&held)?;
        let to_all = &follow * &free;
        let reduced = |entries: &[(usize, usize, f64)], weight: &dyn Fn(usize, usize) -> f64| {
            let mut dense = DMatrix::zeros(all.len(), all.len());
            let place = places_of(&all, self.coordinates);
            for &(row, col, value) in entries {
                if let (Some(r), Some(c)) = (place[row], place[col]) {
                    dense[(r, c)] += weight(row, col) * value;
                }
            }
            to_all.tr_mul(&(dense * &to_all))
        };
        let p = (system.micro as f64).powi(2);
        let on_ends = |ends: bool, quadrature: Quadrature| match (ends, quadrature) {
            (true, Quadrature::Midpoint) => 0.0,
            (true, Quadrature::Affine(_)) => 0.5,
            (false, Quadrature::Midpoint) => (1.0 - 1.0 / p) / 6.0,
            (false, Quadrature::Affine(_)) => (1.0 + 2.0 / p) / 6.0,
        };
        let (coarse, fine) = (on_ends(true, system.slow_quadrature), on_ends(false, system.fast_quadrature));
        let weight = |r: usize, c: usize| {
            if separable && !system.fast[r] && !system.fast[c] { coarse } else { fine }
        };
        let decisive = reduced(&self.potential, &weight) + reduced(&self.slow, &|_, _| coarse);
        let stiffness = reduced(&self.potential, &|_, _| 1.0) + reduced(&self.slow, &|_, _| 1.0);
        let (eigenvalue, mode) = largest(&reduced(&self.mass, &|_, _| 1.0), &decisive)?;
        if eigenvalue * step * step <= 2.0 {
            return None;
        }
        let pushed = &stiffness * &mode;
        let frequency = (mode.dot(&pushed) * if eigenvalue.is_finite() { 1.0 } else { f64::INFINITY }).sqrt();
        // Of √(2/(a − b))/H the mean over what the mode strains.
        let largest = (2.0 * mode.dot(&pushed) / mode.dot(&(&decisive * &mode))).sqrt() / step;
        let moved = &free * &mode;
        let mut shares = vec![0.0; self.coordinates];
        let forces = {
            let back = free.clone() * &pushed;
            moved.component_mul(&back)
        };
        slow.iter().zip(forces.iter()).for_each(|(&i, share)| shares[i] = share.abs());
        Some(Stiff { frequency, largest, shares })
    }

    /// Slow coordinates and those that constraints make follow them; how all of these move with the slow ones, by the
    /// smallest motion; and what constraints then still ask of the slow ones.
    fn followed(&self, fast: &[bool], slow: &[usize]) -> (Vec<usize>, DMatrix<f64>, DMatrix<f64>) {
        let mut shared = vec![false; self.rows];
        self.constraints.iter().filter(|(_, col, _)| !fast[*col]).for_each(|(row, ..)| shared[*row] = true);
        let mut follows = vec![false; self.coordinates];
        self.constraints
            .iter()
            .filter(|(row, col, _)| shared[*row] && fast[*col])
            .for_each(|(_, col, _)| follows[*col] = true);
        // Constraints of followers alone, such as the lengths of their quaternions.
        let mut counted = vec![true; self.rows];
        let outside = self.constraints.iter().filter(|(_, col, _)| fast[*col] && !follows[*col]);
        outside.for_each(|(row, ..)| counted[*row] = shared[*row]);
        let followers: Vec<usize> = (0..self.coordinates).filter(|&i| follows[i]).collect();
        let dense = |list: &[usize]| {
            let place = places_of(list, self.coordinates);
            let mut out = DMatrix::zeros(self.rows, list.len());
            for &(row, col, value) in self.constraints.iter().filter(|(row, ..)| counted[*row]) {
                if let Some(col) = place[col] {
                    out[(row, col)] += value;
                }
            }
            out
        };
        let (of_slow, of_followers) = (dense(slow), dense(&followers));
        let identity = DMatrix::identity(slow.len(), slow.len());
        let mut all = slow.to_vec();
        if followers.is_empty() {
            return (all, identity, of_slow);
        }
        let size = of_followers.amax().max(f64::MIN_POSITIVE);
        let inverse =
            of_followers.clone().pseudo_inverse(ZERO * size).unwrap_or_else(|_| of_followers.transpose() * 0.0);
        let follow = -(inverse * &of_slow);
        let left = &of_slow + &of_followers * &follow;
        all.extend(&followers);
        let mut motion = DMatrix::zeros(all.len(), slow.len());
        motion.rows_mut(0, slow.len()).copy_from(&identity);
        motion.rows_mut(slow.len(), followers.len()).copy_from(&follow);
        (all, motion, left)
    }
}

fn places_of(list: &[usize], count: usize) -> Vec<Option<usize>> {
    let mut places = vec![None; count];
    list.iter().enumerate().for_each(|(place, &i)| places[i] = Some(place));
    places
}

/// An orthonormal basis of what the rows of a matrix take to zero; none if that is nothing.
fn null_space(rows: &DMatrix<f64>) -> Option<DMatrix<f64>> {
    let size = rows.amax();
    let mut scaled = rows.clone();
    for mut row in scaled.row_iter_mut() {
        let norm = row.norm();
        row.scale_mut(if norm > 1e-9 * size { norm.recip() } else { 0.0 });
    }
    let squares = scaled.tr_mul(&scaled).symmetric_eigen();
    let most = squares.eigenvalues.amax().max(f64::MIN_POSITIVE);
    let free: Vec<usize> = (0..squares.eigenvalues.len()).filter(|&i| squares.eigenvalues[i] <= ZERO * most).collect();
    (!free.is_empty()).then(|| squares.eigenvectors.select_columns(&free))
}

/// The largest λ with K x = λ M x, and x with xᵀ M x = 1; infinite, with xᵀx = 1, where stiffness meets no mass.
fn largest(mass: &DMatrix<f64>, stiffness: &DMatrix<f64>) -> Option<(f64, DVector<f64>)> {
    let masses = mass.clone().symmetric_eigen();
    let most = masses.eigenvalues.amax();
    let (heavy, light): (Vec<usize>, Vec<usize>) =
        (0..masses.eigenvalues.len()).partition(|&i| masses.eigenvalues[i] > ZERO * most);
    if let Some(direction) = light.iter().map(|&i| masses.eigenvectors.column(i)).find(|x| {
        let x = x.into_owned();
        x.dot(&(stiffness * &x)) > 1e-6 * stiffness.amax()
    }) {
        return Some((f64::INFINITY, direction.into_owned()));
    }
    let mut basis = masses.eigenvectors.select_columns(&heavy);
    for (mut column, &i) in basis.column_iter_mut().zip(&heavy) {
        column.scale_mut(masses.eigenvalues[i].sqrt().recip());
    }
    let modes = basis.tr_mul(&(stiffness * &basis)).symmetric_eigen();
    let place = modes.eigenvalues.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1))?.0;
    Some((modes.eigenvalues[place], basis * modes.eigenvectors.column(place)))
}
