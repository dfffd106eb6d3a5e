//! A step in all primal and dual variables.

use super::point::Point;

/// Changes of v, λ and the bound multipliers.
#[derive(Debug, Clone, Default)]
pub(super) struct Direction {
    pub v: Vec<f64>,
    pub lambda: Vec<f64>,
    pub z_lower: Vec<f64>,
    pub z_upper: Vec<f64>,
}

impl Direction {
    pub fn zeros(len: usize, rows: usize) -> Self {
        Self { v: vec![0.0; len], lambda: vec![0.0; rows], z_lower: vec![0.0; len], z_upper: vec![0.0; len] }
    }

    /// ‖dv‖∞.
    pub fn length(&self) -> f64 {
        self.v.iter().fold(0.0, |longest, d| longest.max(d.abs()))
    }

    /// Largest |dv| / (1 + |v|).
    pub fn relative_length(&self, point: &Point) -> f64 {
        self.v.iter().zip(&point.v).fold(0.0, |longest, (d, v)| longest.max(d.abs() / (1.0 + v.abs())))
    }
}
