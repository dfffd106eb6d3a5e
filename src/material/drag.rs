//! Coefficients of the force of a fluid; the force itself is in `src/terms/drag`.

/// Coefficients of drag, N s/m of velocity and N s²/m² of its square, of a point or per metre of a rod. With v = v_n + v_t, across
/// the unit tangent t of the axis and along it, v_t = (v·t) t,
///
/// f = −(c_n + c_n2 |v_n|) v_n − (c_t + c_t2 |v_t|) v_t (Morison's equation without the terms of acceleration).
///
/// Something without an axis has f = −(c_n + c_n2 |v|) v.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct DragLaw {
    /// c_n and c_n2.
    pub normal: [f64; 2],
    /// c_t and c_t2.
    pub tangential: [f64; 2],
}

impl DragLaw {
    /// Whether there is no force.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// The law times a number, such as the length of rod that it stands for.
    pub fn times(&self, factor: f64) -> Self {
        Self { normal: self.normal.map(|c| c * factor), tangential: self.tangential.map(|c| c * factor) }
    }

    /// The sum of two.
    pub fn plus(&self, other: &Self) -> Self {
        let sum = |a: [f64; 2], b: [f64; 2]| [a[0] + b[0], a[1] + b[1]];
        Self { normal: sum(self.normal, other.normal), tangential: sum(self.tangential, other.tangential) }
    }

    /// Whether a coefficient is negative, so that the fluid would push.
    pub fn pushes(&self) -> bool {
        self.normal.iter().chain(&self.tangential).any(|c| *c < 0.0)
    }
}
