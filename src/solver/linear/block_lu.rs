//! LU of one small dense block, with row exchanges; loops of constant length that the compiler unrolls.

use nalgebra::SMatrix;

/// Triangular factors of a block.
#[derive(Debug, Clone, Copy)]
pub(super) struct BlockLu<const B: usize> {
    /// Unit lower and upper factor of the matrix with exchanged rows; the diagonal holds the reciprocals of the pivots.
    lu: SMatrix<f64, B, B>,
    /// Row exchanged with row k in step k.
    exchanged: [usize; B],
}

impl<const B: usize> BlockLu<B> {
    /// Memory for factors.
    pub fn zero() -> Self {
        Self { lu: SMatrix::zeros(), exchanged: [0; B] }
    }

    /// Factorises `matrix`; the error is the column without a usable pivot.
    ///
    /// A pivot is not usable when it is rounding error of the largest entry of its column, now or in the `original`
    /// block from which `matrix` arose by elimination.
    #[inline(always)]
    pub fn factor(&mut self, matrix: SMatrix<f64, B, B>, original: &SMatrix<f64, B, B>) -> Result<(), usize> {
        self.lu = matrix;
        let lu = &mut self.lu;
        let mut reference = [0.0f64; B];
        for (col, reference) in reference.iter_mut().enumerate() {
            for row in 0..B {
                *reference = reference.max(lu[(row, col)].abs()).max(original[(row, col)].abs());
            }
        }
        for step in 0..B {
            let (mut best, mut size) = (step, lu[(step, step)].abs());
            for row in step + 1..B {
                if lu[(row, step)].abs() > size {
                    (best, size) = (row, lu[(row, step)].abs());
                }
            }
            // NaN fails the comparison as well.
            let usable = size > 4.0 * f64::EPSILON * reference[step] && size < f64::INFINITY;
            if !usable {
                return Err(step);
            }
            self.exchanged[step] = best;
            if best != step {
                for col in 0..B {
                    (lu[(step, col)], lu[(best, col)]) = (lu[(best, col)], lu[(step, col)]);
                }
            }
            let inverse = 1.0 / lu[(step, step)];
            lu[(step, step)] = inverse;
            for row in step + 1..B {
                lu[(row, step)] *= inverse;
            }
            for col in step + 1..B {
                let factor = lu[(step, col)];
                for row in step + 1..B {
                    lu[(row, col)] -= lu[(row, step)] * factor;
                }
            }
        }
        Ok(())
    }

    /// `x = A⁻¹ x` for all columns of `x`.
    #[inline(always)]
    pub fn solve<const C: usize>(&self, x: &mut SMatrix<f64, B, C>) {
        let lu = &self.lu;
        for step in 0..B {
            let other = self.exchanged[step];
            if other != step {
                for col in 0..C {
                    (x[(step, col)], x[(other, col)]) = (x[(other, col)], x[(step, col)]);
                }
            }
        }
        for col in 0..C {
            for step in 0..B {
                let factor = x[(step, col)];
                for row in step + 1..B {
                    x[(row, col)] -= lu[(row, step)] * factor;
                }
            }
            for step in (0..B).rev() {
                let factor = x[(step, col)] * lu[(step, step)];
                x[(step, col)] = factor;
                for row in 0..step {
                    x[(row, col)] -= lu[(row, step)] * factor;
                }
            }
        }
    }
}

/// `target -= a b`.
#[inline(always)]
pub(super) fn subtract_product<const B: usize, const C: usize>(
    target: &mut SMatrix<f64, B, C>,
    a: &SMatrix<f64, B, B>,
    b: &SMatrix<f64, B, C>,
) {
    for col in 0..C {
        for inner in 0..B {
            let factor = b[(inner, col)];
            for row in 0..B {
                target[(row, col)] -= a[(row, inner)] * factor;
            }
        }
    }
}
