//! What one element contributes: energy, forces and stiffness in its own degrees of freedom.

/// How much of an element is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Order {
    /// The energy.
    Energy,
    /// Also the gradient.
    Gradient,
    /// Also the Hessian.
    Hessian,
}

/// Energy, gradient and Hessian of one element; the buffers are used for one element after the other.
#[derive(Debug, Clone, Default)]
pub struct Local {
    /// Degrees of freedom.
    pub size: usize,
    /// Energy, joule.
    pub energy: f64,
    /// Derivative of the energy by the degrees of freedom.
    pub gradient: Vec<f64>,
    /// Second derivative, column by column. For rotations it is the second derivative along exp(ξ/2), and symmetric.
    pub hessian: Vec<f64>,
    /// Smallest |P|² of the interpolated orientations; near 0 if neighbouring sections are turned apart too far.
    pub coherence: f64,
    scratch: Vec<f64>,
}

impl Local {
    /// Clears for an element of this size.
    pub fn reset(&mut self, size: usize, order: Order) {
        self.size = size;
        self.energy = 0.0;
        self.coherence = 1.0;
        self.gradient.clear();
        self.gradient.resize(if order >= Order::Gradient { size } else { 0 }, 0.0);
        self.hessian.clear();
        self.hessian.resize(if order >= Order::Hessian { size * size } else { 0 }, 0.0);
    }

    /// Adds to an entry of the Hessian.
    #[inline]
    pub fn add(&mut self, row: usize, col: usize, value: f64) {
        self.hessian[row + self.size * col] += value;
    }

    /// Adds a small matrix at (row, col) of the Hessian.
    #[inline]
    pub fn add_block<const R: usize, const C: usize>(
        &mut self,
        row: usize,
        col: usize,
        block: &nalgebra::SMatrix<f64, R, C>,
    ) {
        for c in 0..C {
            let start = row + self.size * (col + c);
            for r in 0..R {
                self.hessian[start + r] += block[(r, c)];
            }
        }
    }

    /// Copies what is above the diagonal of the Hessian below it.
    pub fn mirror(&mut self) {
        for col in 1..self.size {
            for row in 0..col {
                self.hessian[col + self.size * row] = self.hessian[row + self.size * col];
            }
        }
    }

    /// Adds a small vector at `row` of the gradient.
    #[inline]
    pub fn add_force<const R: usize>(&mut self, row: usize, force: &nalgebra::SVector<f64, R>) {
        for r in 0..R {
            self.gradient[row + r] += force[r];
        }
    }

    /// Replaces the R degrees of freedom v at `at` by v = T w: gradient Tᵀg, Hessian TᵀHT.
    pub fn transform<const R: usize>(&mut self, at: usize, t: &nalgebra::SMatrix<f64, R, R>) {
        let mut old = nalgebra::SVector::<f64, R>::zeros();
        if !self.gradient.is_empty() {
            for r in 0..R {
                old[r] = self.gradient[at + r];
            }
            let new = t.tr_mul(&old);
            self.gradient[at..at + R].copy_from_slice(new.as_slice());
        }
        if self.hessian.is_empty() {
            return;
        }
        for col in 0..self.size {
            let start = at + self.size * col;
            for r in 0..R {
                old[r] = self.hessian[start + r];
            }
            let new = t.tr_mul(&old);
            self.hessian[start..start + R].copy_from_slice(new.as_slice());
        }
        self.scratch.clear();
        self.scratch.extend_from_slice(&self.hessian[self.size * at..self.size * (at + R)]);
        for c in 0..R {
            for row in 0..self.size {
                let sum: f64 = (0..R).map(|k| self.scratch[row + self.size * k] * t[(k, c)]).sum();
                self.hessian[row + self.size * (at + c)] = sum;
            }
        }
    }
}
