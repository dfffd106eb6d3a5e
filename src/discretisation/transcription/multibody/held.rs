//! What supports hold, where and when.

use num_dual::{Dual64, DualNum};

use crate::discretisation::assembly::{Assembly, Prescribed};
use crate::geometry::Quaternion;
use crate::geometry::algebra::{Turn, followed};
use crate::kernel::Function;
use crate::nlp::graph::{Expr, Graph};

/// Which nodes supports hold completely.
pub(super) fn held_nodes(assembly: &Assembly) -> Vec<bool> {
    let layout = &assembly.layout;
    let freedoms = |node: usize| layout.freedom(node)..layout.freedom(node) + layout.kind(node).freedoms();
    (0..layout.nodes()).map(|node| freedoms(node).all(|dof| assembly.fixed[dof])).collect()
}

/// A value with its rate.
pub(super) type Moved<'g> = (Expr<'g>, Expr<'g>);

/// A function of time and its rate. The time may be a number or any expression.
pub(super) fn moved<'g>(graph: &'g Graph, function: &Function, t: Expr<'g>) -> Moved<'g> {
    if let Some(time) = t.number() {
        // Where the function has no value the expression has none either, and says so when it is evaluated.
        let jet = function.eval(Dual64::from_re(time).derivative()).unwrap_or(Dual64::new(f64::NAN, f64::NAN));
        return (graph.constant(jet.re), graph.constant(jet.eps));
    }
    let value = function.lower(graph, t);
    (value, graph.gradient(value, &[t])[0])
}

/// The orientation exp(ψ) ∘ p of a support with a rotation vector ψ(t) in space, and its rate.
pub(super) fn turned<'g>(
    graph: &'g Graph,
    rotation: &[Function; 3],
    reference: Quaternion,
    t: Expr<'g>,
) -> (Turn<Expr<'g>>, Turn<Expr<'g>>) {
    if let Some(time) = t.number() {
        let at = Dual64::from_re(time).derivative();
        let psi = [0, 1, 2].map(|c| rotation[c].eval(at).unwrap_or(Dual64::new(f64::NAN, f64::NAN)));
        let turn = followed(exponential(psi), reference);
        return (turn.map(|x| graph.constant(x.re)), turn.map(|x| graph.constant(x.eps)));
    }
    let psi = [0, 1, 2].map(|c| rotation[c].lower(graph, t));
    // (cos √x, sin √x/√x · ψ/2) with x = |ψ|²/4, by series where x is small.
    let x = (psi[0].square() + psi[1].square() + psi[2].square()) * 0.25;
    let small = x.less_than(graph.constant(SMALL));
    let root = small.choose(graph.constant(1.0), x).sqrt();
    let series = |c: [f64; 5]| (0..4).rev().fold(graph.constant(c[4]), |sum, k| sum * x + c[k]);
    let cosine = small.choose(series(COSINE), root.cos());
    let sine = small.choose(series(SINE), root.sin() / root) * 0.5;
    let turn = followed([cosine, sine * psi[0], sine * psi[1], sine * psi[2]], reference);
    (turn, turn.map(|x| graph.gradient(x, &[t])[0]))
}

/// Below this the series are exact to rounding.
const SMALL: f64 = 1e-3;
/// cos √x.
const COSINE: [f64; 5] = [1.0, -1.0 / 2.0, 1.0 / 24.0, -1.0 / 720.0, 1.0 / 40320.0];
/// sin √x/√x.
const SINE: [f64; 5] = [1.0, -1.0 / 6.0, 1.0 / 120.0, -1.0 / 5040.0, 1.0 / 362_880.0];

fn exponential(psi: [Dual64; 3]) -> Turn<Dual64> {
    let x = (psi[0] * psi[0] + psi[1] * psi[1] + psi[2] * psi[2]) * 0.25;
    let series = |c: [f64; 5]| (0..4).rev().fold(Dual64::from_re(c[4]), |sum, k| sum * x + c[k]);
    let (cosine, sine) = match x.re < SMALL {
        true => (series(COSINE), series(SINE)),
        false => (x.sqrt().cos(), x.sqrt().sin() / x.sqrt()),
    };
    [cosine, sine * psi[0] * 0.5, sine * psi[1] * 0.5, sine * psi[2] * 0.5]
}

/// Orientation of a supported node in the reference configuration; space.
pub(super) fn reference_turn(assembly: &Assembly, support: &Prescribed) -> Quaternion {
    assembly.layout.orientation(&assembly.reference, support.node)
}

/// Displacement of the ground side of a joint over time, and its rate.
pub(super) fn ground<'g>(graph: &'g Graph, displacement: &[Option<Function>; 3], t: Expr<'g>) -> [Moved<'g>; 3] {
    let zero = graph.constant(0.0);
    [0, 1, 2].map(|c| displacement[c].as_ref().map_or((zero, zero), |function| moved(graph, function, t)))
}

#[cfg(test)]
mod tests {
    use nalgebra::Vector3;

    use super::*;
    use crate::kernel::{Expression, Scope};
    use crate::nlp::Nlp;

    /// Orientation and rate as expressions of the time and at a number, through zero rotation; the quaternion is the witness.
    #[test]
    fn supports_turn_as_their_rotation_vectors_say() {
        let function = |text: &str| Function::compile(&Expression::Text(text.into()), &Scope::empty()).unwrap();
        let rotation = [function("0.5*t"), function("t^2 - t"), function("0.2*sin(3*t)")];
        let reference = Quaternion::from_rotation_vector(Vector3::new(0.3, -0.2, 0.9));
        let graph = Graph::new();
        let t = graph.variable("t", 0.0, -9.0, 9.0);
        let (turn, rate) = turned(&graph, &rotation, reference, t);
        turn.into_iter().chain(rate).for_each(|row| graph.subject_to("row", row, 0.0, 0.0));
        let mut program = graph.build();
        for time in [0.0, 0.02, 0.4, 1.7] {
            let mut rows = [0.0; 8];
            program.constraints(&[time], &mut rows).unwrap();
            let at = |t: f64| {
                let psi = Vector3::from_fn(|c, _| rotation[c].value(t).unwrap());
                (Quaternion::from_rotation_vector(psi) * reference).to_array()
            };
            let fixed = Graph::new();
            let (value, slope) = turned(&fixed, &rotation, reference, fixed.constant(time));
            for c in 0..4 {
                let difference = (at(time + 1e-5)[c] - at(time - 1e-5)[c]) / 2e-5;
                assert!((rows[c] - at(time)[c]).abs() < 1e-14 && (rows[4 + c] - difference).abs() < 1e-8, "{time}");
                assert!((value[c].number().unwrap() - rows[c]).abs() < 1e-14);
                assert!((slope[c].number().unwrap() - rows[4 + c]).abs() < 1e-13);
            }
        }
    }
}
