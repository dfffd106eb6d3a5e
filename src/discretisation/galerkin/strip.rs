//! One layer of space-time elements: the stored energy between two neighbouring layers of nodes.

use super::time::{GAUSS, TimeElements};
use crate::discretisation::variational::element;
use crate::models::{Continuum, Matrix, Side, StrainError, Vector};

/// The strip between the layers s and s + `length`.
#[derive(Debug, Clone, Copy)]
pub struct Strip<'a, C> {
    /// The continuum.
    pub model: &'a C,
    /// Width in s, metre.
    pub length: f64,
    /// Time elements.
    pub time: TimeElements,
}

/// The time element at which the energy has no meaning.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BadInterval {
    /// Index of the time element.
    pub interval: usize,
    /// What is wrong there.
    pub cause: StrainError,
}

/// Receives (time element, force layer, row k, position layer, column l, block).
pub type TangentSink<'s, const D: usize> = &'s mut dyn FnMut(usize, Side, usize, Side, usize, &Matrix<D>);

impl<C> Strip<'_, C> {
    /// Adds ∫φ_k f dt to `left[k]` and `right[k]`, where f are the internal forces on the two layers.
    pub fn forces<const D: usize>(
        &self,
        [x_left, x_right]: [&[Vector<D>]; 2],
        [left, right]: [&mut [Vector<D>]; 2],
    ) -> Result<(), BadInterval>
    where
        C: Continuum<D>,
    {
        for k in 0..self.time.steps {
            for u in GAUSS {
                let at = |x: &[Vector<D>]| x[k] * (1.0 - u) + x[k + 1] * u;
                let f = element::forces(self.model, self.length, &at(x_left), &at(x_right))
                    .map_err(|cause| BadInterval { interval: k, cause })?;
                for (row, shape) in [(k, 1.0 - u), (k + 1, u)] {
                    let weight = 0.5 * self.time.dt * shape;
                    left[row] += f.left * weight;
                    right[row] += f.right * weight;
                }
            }
        }
        Ok(())
    }

    /// Derivatives of [`Strip::forces`]: blocks of one place add up. Only the requested pairs (force layer, position layer) are computed.
    pub fn tangents<const D: usize>(
        &self,
        [x_left, x_right]: [&[Vector<D>]; 2],
        pairs: &[(Side, Side)],
        sink: TangentSink<'_, D>,
    ) -> Result<(), BadInterval>
    where
        C: Continuum<D>,
    {
        for k in 0..self.time.steps {
            for u in GAUSS {
                let at = |x: &[Vector<D>]| x[k] * (1.0 - u) + x[k + 1] * u;
                let tangent = element::tangent(self.model, self.length, &at(x_left), &at(x_right))
                    .map_err(|cause| BadInterval { interval: k, cause })?;
                let shapes = [(k, 1.0 - u), (k + 1, u)];
                for &(force, position) in pairs {
                    let block = match (force, position) {
                        (Side::Start, Side::Start) => tangent.ll,
                        (Side::Start, Side::End) => tangent.lr,
                        (Side::End, Side::Start) => tangent.lr.transpose(),
                        (Side::End, Side::End) => tangent.rr,
                    };
                    for (row, test) in shapes {
                        for (column, trial) in shapes {
                            let weighted = block * (0.5 * self.time.dt * test * trial);
                            sink(k, force, row, position, column, &weighted);
                        }
                    }
                }
            }
        }
        Ok(())
    }
}
