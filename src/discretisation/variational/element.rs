//! The two-node element with midpoint quadrature, which does not lock.

use crate::models::{Continuum, Matrix, StrainError, Vector};

/// Internal forces of an element of length `a` on its two nodes, from the energy a W(q̄, p) with
/// q̄ = (q_L + q_R)/2 and p = (q_R − q_L)/a: f_L = a/2 W_q − n, f_R = a/2 W_q + n.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ElementForces<const D: usize> {
    /// Force on the node of smaller s.
    pub left: Vector<D>,
    /// Force on the node of larger s.
    pub right: Vector<D>,
}

/// Derivatives of [`ElementForces`] with respect to (q_L, q_R); the matrix is symmetric.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ElementTangent<const D: usize> {
    /// The forces.
    pub forces: ElementForces<D>,
    /// ∂f_L/∂q_L.
    pub ll: Matrix<D>,
    /// ∂f_L/∂q_R, the transpose of ∂f_R/∂q_L.
    pub lr: Matrix<D>,
    /// ∂f_R/∂q_R.
    pub rr: Matrix<D>,
}

/// Internal forces.
pub fn forces<const D: usize, C: Continuum<D>>(
    model: &C,
    length: f64,
    left: &Vector<D>,
    right: &Vector<D>,
) -> Result<ElementForces<D>, StrainError> {
    let stress = model.stress(&((left + right) * 0.5), &((right - left) / length))?;
    let half = stress.w_q * (0.5 * length);
    Ok(ElementForces { left: half - stress.n, right: half + stress.n })
}

/// Internal forces and their derivatives.
pub fn tangent<const D: usize, C: Continuum<D>>(
    model: &C,
    length: f64,
    left: &Vector<D>,
    right: &Vector<D>,
) -> Result<ElementTangent<D>, StrainError> {
    let at = model.tangent(&((left + right) * 0.5), &((right - left) / length))?;
    let half = at.stress.w_q * (0.5 * length);
    let (qq, pp) = (at.qq * (0.25 * length), at.pp / length);
    let (pq, qp) = (at.pq * 0.5, at.pq.transpose() * 0.5);
    Ok(ElementTangent {
        forces: ElementForces { left: half - at.stress.n, right: half + at.stress.n },
        ll: qq - qp - pq + pp,
        lr: qq + qp - pq - pp,
        rr: qq + qp + pq + pp,
    })
}
