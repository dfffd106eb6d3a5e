//! Derivatives of the forces of strips and of the definition of angular momentum by the places of layers.

use nalgebra::Matrix3;

use super::layout::Fields;
use super::net::Span;
use super::system::AtOnce;
use super::{SMALL, deformed};
use crate::discretisation::galerkin::GAUSS;
use crate::discretisation::galerkin::space::between;
use crate::geometry::Pose;
use crate::mechanism::Side;
use crate::nlp::EvalFailure;

impl AtOnce<'_, '_> {
    /// Derivatives of the forces of a strip by the places of its layers in a plane, where the tangents of strips are exact.
    pub(super) fn strip_tangents(&self, fields: &Fields, span: &Span, k: usize, local: &mut Vec<f64>) {
        let (components, count) = (self.net.components, self.numbers.count);
        let instants: Vec<usize> = Self::instants(k).collect();
        let width = 2 * instants.len() * count;
        local.clear();
        local.resize(width * width, 0.0);
        for u in GAUSS {
            let [left, right] = span.ends.map(|node| between(fields.pose(node, k), fields.pose(node, k + 1), u));
            let shape = |l: usize| if l == k { 1.0 - u } else { u };
            for onto in Side::BOTH {
                for by in Side::BOTH {
                    let tangent = span.strip.tangent(&left, &right, onto, by) * (0.5 * self.time.dt);
                    for (q, column) in instants.iter().enumerate() {
                        let tangent = tangent * shape(*column);
                        for (p, row) in instants.iter().enumerate() {
                            let (r, s) = (
                                (onto.index() * instants.len() + p) * count,
                                (by.index() * instants.len() + q) * count,
                            );
                            for (i, a) in components.iter().enumerate() {
                                for (j, b) in components.iter().enumerate() {
                                    local[(r + i) * width + s + j] += tangent[(*a, *b)] * shape(*row);
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    /// The same in space, by central differences: where no end is complete, disturbances grow so much that derivatives must be
    /// right to many digits.
    pub(super) fn strip_differences(
        &self,
        fields: &Fields,
        x: &[f64],
        span: &Span,
        k: usize,
        local: &mut Vec<f64>,
    ) -> Result<(), EvalFailure> {
        let instants: Vec<usize> = Self::instants(k).collect();
        let (components, count) = (self.net.components, self.numbers.count);
        let width = 2 * instants.len() * count;
        local.clear();
        local.resize(width * width, 0.0);
        let poses = self.strip_poses(fields, span, k);
        for side in 0..2 {
            for (q, instant) in instants.iter().enumerate() {
                for c in 0..count {
                    let at = |h: f64| {
                        let mut poses = poses;
                        poses[side][instant - k] = self.pose_near(x, span.ends[side], *instant, c, h);
                        let found = self.strip(span, poses);
                        found.map_err(|cause| self.failed(span.ends[side], k, cause.to_string()))
                    };
                    let (after, before) = (at(SMALL)?, at(-SMALL)?);
                    let column = (side * instants.len() + q) * count + c;
                    for onto in 0..2 {
                        for (p, row) in instants.iter().enumerate() {
                            let slope = (after[onto][row - k] - before[onto][row - k]) / (2.0 * SMALL);
                            for (i, component) in components.iter().enumerate() {
                                local[((onto * instants.len() + p) * count + i) * width + column] = slope[*component];
                            }
                        }
                    }
                }
            }
        }
        clean(local);
        Ok(())
    }

    /// Derivatives of ω − R J⁻¹Rᵀπ by the rotation vectors of both instants, `[row][column]`, by central differences.
    pub(super) fn turning_differences(
        &self,
        fields: &Fields,
        x: &[f64],
        node: usize,
        k: usize,
    ) -> [[Matrix3<f64>; 2]; 2] {
        let mut out = [[Matrix3::zeros(); 2]; 2];
        for (column, instant) in [k, k + 1].into_iter().enumerate().filter(|(_, instant)| *instant > 0) {
            for (c, axis) in self.rotations() {
                let at = |h: f64| {
                    let moved = self.pose_near(x, node, instant, c, h);
                    let mut turning = self.turning(fields, node, k);
                    turning.poses[column] = &moved;
                    turning.residual()
                };
                let (after, before) = (at(SMALL), at(-SMALL));
                for row in 0..2 {
                    out[row][column].set_column(axis, &((after[row] - before[row]) / (2.0 * SMALL)));
                }
            }
        }
        out
    }

    /// The pose of a layer with one of its unknowns changed.
    pub(super) fn pose_near(&self, x: &[f64], node: usize, k: usize, c: usize, by: f64) -> Pose {
        let first = self.numbers.place(node, k, 0);
        let mut values = x[first..first + self.numbers.count].to_vec();
        values[c] += by;
        deformed(&self.base[node * (self.time.steps + 1) + k], self.net.components, &values)
    }
}

/// Zeros in place of what rounding leaves of them in differences.
pub(super) fn clean(local: &mut [f64]) {
    let largest = local.iter().map(|value| value.abs()).fold(0.0, f64::max);
    local.iter_mut().filter(|value| value.abs() < 1e-8 * largest).for_each(|value| *value = 0.0);
}
