//! The mass matrix of a section, six by six, about the axis of the rod.

use nalgebra::{Matrix3, Matrix6, Vector3};

use super::super::super::Check;
use super::Owner;
use crate::geometry::cross_matrix;
use crate::material::InertiaSpec;

/// Mass (kg/m), inertia about the mass centre (kg m) and where that is, metre along d₁ and d₂.
#[derive(Clone, Copy)]
pub(super) struct SectionMass {
    pub mass: f64,
    pub inertia: Matrix3<f64>,
    pub offset: [f64; 2],
}

impl SectionMass {
    /// From ½ m |v + ω × c|² + ½ ω·Jω with c in the section: m I, −m [c]× and J − m [c]×² are the blocks of the matrix.
    fn of(matrix: &Matrix6<f64>) -> Self {
        let mass = matrix[(0, 0)];
        let offset = [matrix[(1, 5)] / mass, -matrix[(0, 5)] / mass];
        let c = cross_matrix(Vector3::new(offset[0], offset[1], 0.0));
        let inertia = matrix.fixed_view::<3, 3>(3, 3) + c * c * mass;
        Self { mass, inertia, offset }
    }

    fn matrix(&self) -> Matrix6<f64> {
        let c = cross_matrix(Vector3::new(self.offset[0], self.offset[1], 0.0));
        let mut out = Matrix6::zeros();
        out.fixed_view_mut::<3, 3>(0, 0).copy_from(&(Matrix3::identity() * self.mass));
        out.fixed_view_mut::<3, 3>(0, 3).copy_from(&(c * -self.mass));
        out.fixed_view_mut::<3, 3>(3, 0).copy_from(&(c * self.mass));
        out.fixed_view_mut::<3, 3>(3, 3).copy_from(&(self.inertia - c * c * self.mass));
        out
    }
}

impl Check<'_> {
    /// Mass, mass centre and inertia of a section by its mass matrix, which must be that of a rigid section.
    pub(super) fn mass_matrix(
        &mut self,
        owner: Owner<'_>,
        spec: &InertiaSpec,
        rows: &[Vec<f64>],
    ) -> Option<SectionMass> {
        let path = ["rod", owner.name, "inertia", "matrix"];
        let here = self.document.path_text(&path);
        let offset = owner.rod.offset.as_ref().is_some_and(|offset| offset.mass.is_some());
        if spec.mass.is_some() || spec.rotary.is_some() || offset {
            let message =
                format!("`{here}` stands beside `mass`, `rotary` or `offset.mass`, expected one or the other");
            self.error(&path, message, "inertia stated in two ways");
            return None;
        }
        if owner.kind.is_limp() || owner.plane {
            let message = format!("`{here}` is for model \"rod\", expected `mass` and `rotary`");
            self.error(&path, message, "only for rods in space");
            return None;
        }
        if !self.sure(&path) {
            return None;
        }
        if rows.len() != 6 || rows.iter().any(|row| row.len() != 6) {
            self.error(&path, format!("`{here}` is not six by six"), "expected six rows of six numbers");
            return None;
        }
        let matrix = Matrix6::from_fn(|i, j| rows[i][j]);
        let found = SectionMass::of(&matrix);
        /// How far rounding in a file may be off, against the size of an entry's row and column.
        const ROUNDED: f64 = 1e-6;
        let rigid = found.matrix();
        let size = |i: usize, j: usize| (matrix[(i, i)] * matrix[(j, j)]).abs().sqrt();
        let places = (0..36).map(|k| (k / 6, k % 6));
        let off = places.filter(|(i, j)| !((matrix[(*i, *j)] - rigid[(*i, *j)]).abs() <= ROUNDED * size(*i, *j)));
        if let Some((i, j)) = off.into_iter().next() {
            let message = format!(
                "`{here}` has {} in row {}, column {}, expected {}: a section of mass m with its centre at (c1, c2) has m in the first three places of the diagonal and m c1, m c2 where velocities meet angular velocities",
                matrix[(i, j)],
                i + 1,
                j + 1,
                rigid[(i, j)]
            );
            self.error(&path, message, "not the mass of a rigid section");
            return None;
        }
        let symmetric = (found.inertia + found.inertia.transpose()) * 0.5;
        let least = symmetric.symmetric_eigenvalues().min();
        let turns = owner.needs_mass && !owner.rigid;
        if !(found.mass > 0.0) || least < -ROUNDED * symmetric.amax() || (turns && !(least > 0.0)) {
            let message = format!(
                "`{here}` has mass {} kg/m and moments of inertia down to {least} kg m about the mass centre, expected positive ones",
                found.mass
            );
            self.error(&path, message, "must be positive definite");
            return None;
        }
        Some(SectionMass { inertia: symmetric, ..found })
    }
}
