//! Least squares with rows of a few neighbouring columns, by Givens rotations.

/// The triangle R of a matrix whose rows have at most `WIDTH` neighbouring columns each (Golub and Van Loan 2013, section 5.2.5),
/// with the right-hand sides rotated alike. Rows may come in any order; those in the order of their columns cost least.
pub struct Triangle {
    rows: Vec<[f64; WIDTH]>,
    right: Vec<f64>,
}

/// Columns of a row at most.
pub const WIDTH: usize = 8;

impl Triangle {
    /// For this many unknowns.
    pub fn new(unknowns: usize) -> Self {
        Self { rows: vec![[0.0; WIDTH]; unknowns], right: vec![0.0; unknowns] }
    }

    /// Adds the equation Σ row[i] x[column + i] = right.
    pub fn add(&mut self, mut column: usize, mut row: [f64; WIDTH], mut right: f64) {
        while column < self.rows.len() && row.iter().any(|entry| *entry != 0.0) {
            if row[0] != 0.0 {
                let own = &mut self.rows[column];
                let size = own[0].hypot(row[0]);
                let (cos, sin) = (own[0] / size, row[0] / size);
                for (own, entry) in own.iter_mut().zip(&mut row) {
                    (*own, *entry) = (cos * *own + sin * *entry, cos * *entry - sin * *own);
                }
                let rotated = &mut self.right[column];
                (*rotated, right) = (cos * *rotated + sin * right, cos * right - sin * *rotated);
            }
            row.rotate_left(1);
            row[WIDTH - 1] = 0.0;
            column += 1;
        }
    }

    /// The unknowns; none where the equations leave one of them open.
    pub fn solve(&self) -> Option<Vec<f64>> {
        let mut x = self.right.clone();
        for i in (0..x.len()).rev() {
            let row = &self.rows[i];
            let known: f64 = (1..WIDTH.min(x.len() - i)).map(|k| row[k] * x[i + k]).sum();
            x[i] = (x[i] - known) / row[0];
            if !x[i].is_finite() {
                return None;
            }
        }
        Some(x)
    }
}
