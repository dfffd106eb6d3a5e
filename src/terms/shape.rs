//! Lagrange polynomials on Lobatto points on [0, 1].

pub use crate::kernel::gauss;
use crate::kernel::legendre;

/// Highest polynomial order of an element.
pub const MAX_ORDER: usize = 6;
/// Most nodes of an element.
pub const MAX_NODES: usize = MAX_ORDER + 1;

/// Values and slopes of all shape functions at one point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shape {
    /// N_i.
    pub n: [f64; MAX_NODES],
    /// dN_i/dξ.
    pub dn: [f64; MAX_NODES],
}

/// The order + 1 Lobatto points on [0, 1]: both ends and the zeros of the derivative of Legendre's polynomial.
pub fn lobatto(order: usize) -> Vec<f64> {
    let inner = |i: usize| {
        let mut x = (std::f64::consts::PI * i as f64 / order as f64).cos();
        for _ in 0..100 {
            let (p, slope) = legendre(order, x);
            // (1 − x²) P'' = 2 x P' − n (n + 1) P.
            let second = (2.0 * x * slope - (order * (order + 1)) as f64 * p) / (1.0 - x * x);
            let step = slope / second;
            x -= step;
            if step.abs() < 1e-16 {
                break;
            }
        }
        0.5 * (1.0 - x)
    };
    (0..=order)
        .map(|i| match i {
            0 => 0.0,
            _ if i == order => 1.0,
            _ => inner(i),
        })
        .collect()
}

/// The shape functions of these nodes at a point.
pub fn shape(nodes: &[f64], at: f64) -> Shape {
    let mut shape = Shape { n: [0.0; MAX_NODES], dn: [0.0; MAX_NODES] };
    for (i, xi) in nodes.iter().enumerate() {
        let others = || nodes.iter().enumerate().filter(move |(j, _)| *j != i);
        shape.n[i] = others().map(|(_, xj)| (at - xj) / (xi - xj)).product();
        shape.dn[i] = others()
            .map(|(k, xk)| {
                let rest = others().filter(|(j, _)| *j != k).map(|(_, xj)| (at - xj) / (xi - xj));
                rest.product::<f64>() / (xi - xk)
            })
            .sum();
    }
    shape
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The weights ∫N_i of Lobatto points integrate exactly up to 2 order − 1.
    #[test]
    fn lobatto_points_integrate_to_their_degree() {
        for order in 1..=MAX_ORDER {
            let nodes = lobatto(order);
            assert!(nodes.windows(2).all(|pair| pair[0] < pair[1]), "{nodes:?}");
            let weight = |i: usize| gauss(order + 1).iter().map(|(x, w)| w * shape(&nodes, *x).n[i]).sum::<f64>();
            for k in 0..2 * order {
                let sum: f64 = nodes.iter().enumerate().map(|(i, x)| weight(i) * x.powi(k as i32)).sum();
                assert!((sum - 1.0 / (k as f64 + 1.0)).abs() < 1e-14, "order {order}, degree {k}: {sum}");
            }
        }
    }

    #[test]
    fn slopes_are_those_of_the_polynomials() {
        let nodes = lobatto(4);
        let cubic = |x: f64| 1.0 - 2.0 * x + 3.0 * x.powi(3);
        let at = shape(&nodes, 0.3);
        let value: f64 = nodes.iter().enumerate().map(|(i, x)| at.n[i] * cubic(*x)).sum();
        let slope: f64 = nodes.iter().enumerate().map(|(i, x)| at.dn[i] * cubic(*x)).sum();
        assert!((value - cubic(0.3)).abs() < 1e-14 && (slope - (-2.0 + 9.0 * 0.09)).abs() < 1e-13);
    }
}
