//! K − σM bordered by G: factorised for one shift after another, analysed once.

use super::pencil::{EigenError, Pencil, Start, dot};
use crate::nlp::Pattern;
use crate::solver::linear::{LinearError, LinearSolver, SparseLdl, SymmetricSolver};

/// Shifts smaller than this part of the least ratio of diagonal entries of K and M are lost in rounding of K − σM.
const LOST: f64 = 1e-14;

/// The shifted and bordered stiffness with its factors.
pub(super) struct Shifted<'a> {
    pub pencil: Pencil<'a>,
    ldl: SparseLdl,
    /// Lower triangles of K and M on the bordered pattern.
    stiffness: Vec<f64>,
    mass: Vec<f64>,
    values: Vec<f64>,
    softness: Vec<f64>,
    work: Vec<f64>,
    /// Largest ratio of diagonal entries of K and M: the size of the largest eigenvalues.
    high: f64,
    /// Decades above and below `high` between which eigenvalues are looked for. Rods may be so slender that bending lies
    /// twenty decades below the stiffest motion of a short element.
    decades: [i32; 2],
}

impl<'a> Shifted<'a> {
    pub fn new(pencil: Pencil<'a>) -> Result<Self, EigenError> {
        let (low, high) = ratios(&pencil)?;
        let lowest = (LOST * low / high).log10().floor() as i32;
        let (pattern, stiffness): (Pattern, _) = pencil.lower(|entry| pencil.stiffness[entry], 1.0);
        let (_, mass) = pencil.lower(|entry| pencil.mass[entry], 0.0);
        let mut ldl = SparseLdl::new();
        ldl.analyse(&pattern)?;
        let (size, rows) = (pencil.size(), pencil.rows());
        let mut softness = vec![0.0; size];
        // Between rounding, which grows as the shift shrinks, and the softness it gives to constraints. For rods that
        // cannot shear counts are right to 1e-7 of an eigenvalue with it, and wrong by up to 1e-4 with 1e-13.
        softness.resize(size + rows, -1e-8);
        let values = vec![0.0; stiffness.len()];
        Ok(Self {
            pencil,
            ldl,
            stiffness,
            mass,
            values,
            softness,
            work: vec![0.0; size + rows],
            high,
            decades: [lowest, 2],
        })
    }

    /// Factorises K − σM; returns the number of eigenvalues below σ, by Sylvester's law of inertia. `None` where rounding
    /// leaves nothing of the matrix: each constraint should have given a negative pivot.
    pub fn factor(&mut self, sigma: f64) -> Result<Option<usize>, EigenError> {
        for ((value, k), m) in self.values.iter_mut().zip(&self.stiffness).zip(&self.mass) {
            *value = k - sigma * m;
        }
        match self.ldl.factor_shifted(&self.values, &self.softness) {
            Ok(inertia) => Ok(inertia.negative.checked_sub(self.pencil.rows())),
            Err(LinearError::Singular { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// out = M v.
    pub fn mass(&self, v: &[f64], out: &mut [f64]) {
        self.pencil.pattern.multiply(self.pencil.mass, v, out);
    }

    /// out = (K − σM)⁻¹ b with the last factorised σ.
    pub fn solve(&mut self, b: &[f64], out: &mut [f64]) -> Result<(), EigenError> {
        let size = self.pencil.size();
        self.work[..size].copy_from_slice(b);
        self.work[size..].fill(0.0);
        self.ldl.solve(&mut self.work)?;
        out.copy_from_slice(&self.work[..size]);
        Ok(())
    }

    /// Replaces `out` by (K − σM)⁻¹ b; returns the forces of the constraints.
    pub fn solve_with_forces(&mut self, b: &[f64], out: &mut [f64]) -> Result<Vec<f64>, EigenError> {
        self.solve(b, out)?;
        Ok(self.work[self.pencil.size()..].to_vec())
    }

    /// Whether systems with the last factorised matrix can be solved to some digits, also for the motions that they make
    /// largest, which a few solves bring forth.
    fn solves(&mut self) -> bool {
        let size = self.pencil.size();
        let mut start = Start::new();
        let mut v: Vec<f64> = (0..size).map(|_| start.next()).collect();
        let mut mv = vec![0.0; size];
        for _ in 0..4 {
            self.mass(&v, &mut mv);
            let norm = dot(&v, &mv).abs().sqrt().max(f64::MIN_POSITIVE);
            mv.iter_mut().for_each(|mv| *mv /= norm);
            if self.solve(&mv, &mut v).is_err() || !v.iter().all(|v| v.is_finite()) {
                return false;
            }
        }
        true
    }

    /// The lowest power of ten (times the largest ratio) below which at least `count` eigenvalues lie, by bisection of
    /// the decades; `None` if they do below all of them that rounding does not blur.
    fn decade_of(&mut self, count: usize) -> Result<Option<f64>, EigenError> {
        let [mut low, mut up] = self.decades;
        let at = |high: f64, decade: i32| high * 10f64.powi(decade);
        let mut lowest = self.factor(at(self.high, low))?;
        while lowest.is_none() && low + 2 < up {
            low += 2;
            lowest = self.factor(at(self.high, low))?;
        }
        if lowest.is_none_or(|lowest| lowest >= count) {
            return Ok(None);
        }
        while up - low > 1 {
            let middle = low + (up - low) / 2;
            match self.factor(at(self.high, middle))?.is_some_and(|found| found >= count) {
                true => up = middle,
                false => low = middle,
            }
        }
        Ok(Some(at(self.high, up)))
    }

    /// A shift below all eigenvalues, and the size of the `count` lowest.
    ///
    /// The inverse keeps digits of eigenvalues near the shift: it follows the lowest one, and where motions meet no
    /// resistance it lies between the lowest of the others and the highest wanted.
    pub fn choose_shift(&mut self, count: usize) -> Result<(f64, f64), EigenError> {
        let there = self.pencil.motions();
        let size = match self.decade_of(count)? {
            Some(size) => size,
            // Only motions without resistance are wanted: the next one tells the scale.
            None => {
                let least = self.high * 10f64.powi(self.decades[0] + 1);
                let free = self.factor(least)?.unwrap_or(count).max(count);
                self.decade_of((free + 1).min(there))?.unwrap_or(self.high)
            }
        };
        let mut least = 1e-12;
        let mut free = self.factor(least * size)?;
        while free.is_none() && least < 1e-4 {
            least *= 10.0;
            free = self.factor(least * size)?;
        }
        let free = free.unwrap_or(1);
        let lowest = self.decade_of((free + 1).min(there))?.unwrap_or(size).min(size);
        let mut sigma = -0.1 * if free == 0 { lowest } else { (lowest * size).sqrt() };
        for _ in 0..60 {
            if self.factor(sigma)? == Some(0) && self.solves() {
                break;
            }
            sigma *= 4.0;
        }
        Ok((sigma, size.max(10.0 * sigma.abs())))
    }
}

/// Least and largest ratio of diagonal entries of K and M.
fn ratios(pencil: &Pencil<'_>) -> Result<(f64, f64), EigenError> {
    let (mut low, mut high, mut massive) = (f64::INFINITY, 0.0_f64, false);
    for col in 0..pencil.size() {
        let range = pencil.pattern.column(col);
        if let Ok(place) = pencil.pattern.row_idx()[range.clone()].binary_search(&col) {
            let (k, m) = (pencil.stiffness[range.start + place], pencil.mass[range.start + place]);
            if m > 0.0 {
                massive = true;
                high = high.max(k.abs() / m);
                if k != 0.0 {
                    low = low.min(k.abs() / m);
                }
            }
        }
    }
    match (massive, high > 0.0) {
        (false, _) => Err(EigenError::NoMass),
        (true, true) => Ok((low, high)),
        (true, false) => Ok((1.0, 1.0)),
    }
}

/// Vectors of M-norm 1, orthogonal in the M-product, with their products with M.
#[derive(Default)]
pub(super) struct Basis {
    pub v: Vec<Vec<f64>>,
    pub mv: Vec<Vec<f64>>,
}

impl Basis {
    /// Takes the parts along all members out of w; adds them to `parts` where wanted.
    pub fn orthogonalise(&self, w: &mut [f64], mut parts: Option<&mut [f64]>) {
        for (k, (v, mv)) in self.v.iter().zip(&self.mv).enumerate() {
            let along = dot(mv, w);
            w.iter_mut().zip(v).for_each(|(w, v)| *w -= along * v);
            if let Some(parts) = parts.as_deref_mut() {
                parts[k] += along;
            }
        }
    }

    /// Takes in what of w is new, scaled to norm 1; returns that norm, 0 if nothing but rounding is left.
    ///
    /// Orthogonalised until the norm no longer drops, so that members stay orthogonal to rounding.
    pub fn admit(
        &mut self,
        shifted: &Shifted<'_>,
        others: &Basis,
        mut w: Vec<f64>,
        mut parts: Option<&mut [f64]>,
    ) -> f64 {
        let mut mw = vec![0.0; w.len()];
        let mut norm = |w: &[f64]| {
            shifted.mass(w, &mut mw);
            dot(w, &mw).max(0.0).sqrt()
        };
        let first = norm(&w);
        let mut now = first;
        for _ in 0..5 {
            let before = now;
            others.orthogonalise(&mut w, None);
            self.orthogonalise(&mut w, parts.as_deref_mut());
            now = norm(&w);
            if !(now > 1e-14 * first) {
                return 0.0;
            }
            if now > 0.7 * before {
                break;
            }
        }
        w.iter_mut().for_each(|w| *w /= now);
        mw.iter_mut().for_each(|mw| *mw /= now);
        self.v.push(w);
        self.mv.push(mw);
        now
    }
}
