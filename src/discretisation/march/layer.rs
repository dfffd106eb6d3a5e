//! All of time at one cross-section, and the data marching starts from.

use crate::models::Vector;

/// Configuration and stress at one s over all times, one contiguous array per component so that loops vectorise.
#[derive(Debug, Clone, PartialEq)]
pub struct Layer<const D: usize> {
    /// Configuration components over time.
    pub q: [Vec<f64>; D],
    /// Stress components over time, fixed frame.
    pub n: [Vec<f64>; D],
}

impl<const D: usize> Layer<D> {
    /// From values per time.
    pub fn new(q: &[Vector<D>], n: &[Vector<D>]) -> Self {
        let split = |v: &[Vector<D>]| std::array::from_fn(|c| v.iter().map(|x| x[c]).collect());
        Self { q: split(q), n: split(n) }
    }

    /// Number of times.
    pub fn len(&self) -> usize {
        self.q[0].len()
    }

    /// Whether there are no times.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Configuration at time index k.
    pub fn q_at(&self, k: usize) -> Vector<D> {
        Vector::from_fn(|c, _| self.q[c][k])
    }

    /// Stress at time index k.
    pub fn n_at(&self, k: usize) -> Vector<D> {
        Vector::from_fn(|c, _| self.n[c][k])
    }
}

/// Complete data at one end of a rod on a uniform time grid: what marching along s starts from.
#[derive(Debug, Clone, PartialEq)]
pub struct EndData<const D: usize> {
    /// Time step, second.
    pub dt: f64,
    /// Configuration.
    pub q: Vec<Vector<D>>,
    /// Velocity.
    pub v: Vec<Vector<D>>,
    /// Stress at the end cross-section.
    pub n: Vec<Vector<D>>,
}

/// How the rod is cut into layers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cut {
    /// Reference length, metre.
    pub length: f64,
    /// Layers that are reported: elements of the space grid.
    pub elements: usize,
    /// Steps per element.
    pub substeps: usize,
    /// +1 to march towards larger s, −1 towards smaller s.
    pub direction: f64,
}

impl Cut {
    /// Signed step along s.
    pub fn step(&self) -> f64 {
        self.direction * self.length / (self.elements * self.substeps) as f64
    }
}
