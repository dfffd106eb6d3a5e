//! Small disturbances of a rod about an equilibrium, and how they change along it.

use nalgebra::{DMatrix, Matrix3, Matrix6};

use super::{SpaceSection, SpaceState};
use crate::geometry::cross_matrix;

/// A frequency as a grid sees it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Oscillation {
    /// ω, rad/s.
    pub omega: f64,
    /// ω² of the second differences in time, filtered.
    pub square: f64,
}

/// A matrix, complex if it has an imaginary part.
#[derive(Debug, Clone, PartialEq)]
pub struct Disturbance {
    /// Real part.
    pub re: DMatrix<f64>,
    /// Imaginary part.
    pub im: Option<DMatrix<f64>>,
}

impl Disturbance {
    /// Rows and columns that are chosen.
    pub fn of(&self, chosen: &[usize]) -> Self {
        let part = |matrix: &DMatrix<f64>| matrix.select_rows(chosen).select_columns(chosen);
        Self { re: part(&self.re), im: self.im.as_ref().map(part) }
    }
}

/// The matrix of small disturbances of frequency ω about an equilibrium. Of a damped section it is complex, because F acts on
/// δσ/(1 + iωτ).
pub fn disturbances(section: &SpaceSection, state: &SpaceState, at: Oscillation) -> Disturbance {
    let p = state.pose.orientation;
    let tangent = section.tangent(p.to_material(state.n), p.to_material(state.m));
    let Some(times) = section.retardation_times() else {
        return Disturbance { re: disturbed(section, state, at.square, &tangent), im: None };
    };
    let share = |part: fn(f64) -> f64| Matrix6::from_diagonal(&times.map(|time| part(at.omega * time)));
    let re = disturbed(section, state, at.square, &(tangent * share(|x| 1.0 / (1.0 + x * x))));
    let none = disturbed(section, state, at.square, &Matrix6::zeros());
    let im = disturbed(section, state, at.square, &(tangent * share(|x| -x / (1.0 + x * x)))) - none;
    Disturbance { re, im: Some(im) }
}

/// d/ds (δx, δφ, δn, δm) = S (δx, δφ, δn, δm), all in space, δφ the rotation, F the tangent of the strains; `square` is ω² as
/// the grid sees it, c the mass centre:
///
/// δx' = δφ × x' + R F_ΓN Rᵀ(δn − δφ × n) + R F_ΓM Rᵀ(δm − δφ × m), δφ' = R F_KN Rᵀ(…) + R F_KM Rᵀ(…),
/// δn' = −ω² ρA (δx + δφ × Rc), δm' = −ω² (R J Rᵀδφ + ρA Rc × δx) − δx' × n − x' × δn.
fn disturbed(section: &SpaceSection, state: &SpaceState, square: f64, tangent: &Matrix6<f64>) -> DMatrix<f64> {
    let r = state.pose.orientation.matrix();
    let (n, m) = (state.n, state.m);
    let (force, moment) = (r.tr_mul(&n), r.tr_mul(&m));
    let dx = r * section.strains(force, moment).0;
    let block = |row, column| r * tangent.fixed_view::<3, 3>(row, column) * r.transpose();
    let mut out = DMatrix::zeros(12, 12);
    let mut put = |row: usize, column: usize, block: Matrix3<f64>| {
        out.view_mut((3 * row, 3 * column), (3, 3)).copy_from(&block);
    };
    // δφ × a = −[a]× δφ.
    let by_turn = block(0, 0) * cross_matrix(n) + block(0, 3) * cross_matrix(m) - cross_matrix(dx);
    put(0, 1, by_turn);
    put(0, 2, block(0, 0));
    put(0, 3, block(0, 3));
    put(1, 1, block(3, 0) * cross_matrix(n) + block(3, 3) * cross_matrix(m));
    put(1, 2, block(3, 0));
    put(1, 3, block(3, 3));
    let lever = cross_matrix(r * section.arm) * (square * section.mass);
    put(2, 0, Matrix3::from_diagonal_element(-square * section.mass));
    put(2, 1, lever);
    // −δx' × n = [n]× δx'.
    put(3, 0, -lever);
    put(3, 1, cross_matrix(n) * by_turn - r * section.inertia * r.transpose() * square);
    put(3, 2, cross_matrix(n) * block(0, 0) - cross_matrix(dx));
    put(3, 3, cross_matrix(n) * block(0, 3));
    out
}
