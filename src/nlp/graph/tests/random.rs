//! Random graphs with shared subexpressions.

use super::{gradient, hessian, jacobian};
use crate::kernel::derivative::{Hyper, second_order};
use crate::nlp::Nlp;
use crate::nlp::graph::{Expr, Graph};
use nalgebra::SMatrix;
use num_dual::DualNum;
use proptest::prelude::*;

const N: usize = 5;
type Dual = Hyper<N>;

/// One step of a straight-line program over what stands before it; operands count back from the end.
type Step = (u8, usize, usize);

/// The operations both scalars are asked for. Functions are bounded, so that chains of them stay in a fair range.
trait Scalar: Copy {
    fn step(self, kind: u8, other: Self) -> Self;
}

macro_rules! scalar {
    ($type:ty) => {
        fn step(self, kind: u8, other: Self) -> Self {
            match kind {
                0 => self + other,
                1 => self - other,
                2 => (self * other).sin(),
                3 => self / (other * other + 1.0),
                4 => (self + other * 2.0).cos(),
                5 => (self * self + 0.5).sqrt(),
                6 => (self * self + other * other + 0.5).ln(),
                7 => self.tanh() * other,
                8 => (self * 0.5 - 1.0).sin() * self.cos(),
                9 => self.atan() * 3.0,
                10 => -self,
                _ => (self - other) * 0.25,
            }
        }
    };
}

impl Scalar for Dual {
    scalar!(Dual);
}

impl Scalar for Expr<'_> {
    scalar!(Expr<'_>);
}

fn run<S: Scalar>(variables: [S; N], steps: &[Step]) -> Vec<S> {
    let mut all = variables.to_vec();
    for &(kind, back_a, back_b) in steps {
        let (a, b) = (all[all.len() - 1 - back_a % all.len()], all[all.len() - 1 - back_b % all.len()]);
        all.push(a.step(kind, b));
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn lagrangians_agree_with_dense_dual_numbers(
        steps in prop::collection::vec((0u8..12, 0usize..12, 0usize..12), 1..60),
        x in prop::array::uniform5(-1.5..1.5f64),
        lambda in prop::array::uniform3(-1.0..1.0f64),
        sigma in 0.0..2.0f64,
    ) {
        let g = Graph::new();
        let variables = std::array::from_fn(|i| g.variable(format!("x{i}"), 0.0, -2.0, 2.0));
        let all = run(variables, &steps);
        // Rows share nodes with each other and with the objective, and may be inner nodes or plain variables.
        let places = [all.len() - 1, all.len() / 2, all.len() - 1 - steps.len() / 3, all.len() * 2 / 3];
        for (i, &place) in places[..3].iter().enumerate() {
            g.subject_to(format!("row {i}"), all[place], 0.0, 0.0);
        }
        g.minimise(all[places[3]]);
        let mut program = g.build();

        let oracle = places.map(|place| second_order(|v| run(v, &steps)[place], x));
        let scale = oracle.iter().map(|(_, first, second)| first.amax().max(second.amax())).fold(1.0, f64::max);
        prop_assume!(scale < 1e6);
        let tolerance = 1e-10 * scale;
        let mut rows = [0.0; 3];
        program.constraints(&x, &mut rows).unwrap();
        let jacobian = jacobian(&mut program, &x);
        for i in 0..3 {
            prop_assert!((rows[i] - oracle[i].0).abs() < tolerance);
            prop_assert!((jacobian.row(i).transpose() - oracle[i].1).amax() < tolerance);
        }
        prop_assert!((program.objective(&x).unwrap() - oracle[3].0).abs() < tolerance);
        prop_assert!((gradient(&mut program, &x) - oracle[3].1).amax() < tolerance);
        let mut expected: SMatrix<f64, N, N> = oracle[3].2 * sigma;
        (0..3).for_each(|i| expected += oracle[i].2 * lambda[i]);
        prop_assert!((hessian(&mut program, &x, sigma, &lambda) - expected).amax() < tolerance);
    }
}
