//! Ropes over winches: their kinetic energy, momenta and masses at random states.

use nalgebra::Vector3;

use super::random::Random;
use super::samples::ropes;
use super::terms::disturbed;

/// ∂T/∂q̇ is M q̇ with the matrix of second derivatives, T = ½ q̇·M q̇; and seen from a frame that moves with −c it is
/// T + c·P + ½ m c² with the momentum P and the mass m of all rope.
#[test]
fn ropes_have_the_momenta_of_their_kinetic_energy_and_of_their_mass() {
    let mut random = Random(21);
    for sample in ropes() {
        let assembly = sample.assembly();
        let (layout, q) = (&assembly.layout, disturbed(&assembly, &mut random));
        let count = layout.freedom_count();
        let v: Vec<f64> = (0..count).map(|_| random.next()).collect();
        let kinetic = |v: &[f64]| {
            let mut p = vec![0.0; count];
            let energy = assembly.add_rope_momenta(&q, v, 1.0, 0.0, &mut p);
            (energy, p)
        };
        let (energy, p) = kinetic(&v);
        assert!(energy > 1e-3, "{}", sample.name);
        let mut by_matrix = vec![0.0; count];
        assembly.rope_slopes(&q, &v, &mut |row, col, [mass, ..]| {
            by_matrix[layout.freedom(row.0) + row.1] += mass * v[layout.freedom(col.0) + col.1];
        });
        assert!(p.iter().zip(&by_matrix).all(|(a, b)| (a - b).abs() < 1e-12), "{}", sample.name);
        let half: f64 = 0.5 * p.iter().zip(&v).map(|(p, v)| p * v).sum::<f64>();
        assert!((energy - half).abs() < 1e-12, "{}: {energy} {half}", sample.name);
        // ∂T/∂q by differences along a random direction of the freedoms.
        let along: Vec<f64> = (0..count).map(|_| random.next()).collect();
        let at = |step: f64| {
            let change: Vec<f64> = along.iter().map(|x| x * step).collect();
            let mut moved = q.clone();
            layout.retract(&q, &change, &mut moved);
            let mut unused = vec![0.0; count];
            assembly.add_rope_momenta(&moved, &v, 1.0, 0.0, &mut unused)
        };
        let mut slopes = vec![0.0; count];
        assembly.add_rope_momenta(&q, &v, 0.0, 1.0, &mut slopes);
        let known: f64 = slopes.iter().zip(&along).map(|(a, b)| a * b).sum();
        let found = (at(1e-5) - at(-1e-5)) / 2e-5;
        assert!((found - known).abs() < 1e-8, "{}: {found} {known}", sample.name);
        let c = Vector3::new(0.7, -0.4, if sample.mechanism.dimension == 3 { 0.9 } else { 0.0 });
        let (mut shifted, mut momentum) = (v.clone(), Vector3::zeros());
        for node in (0..layout.nodes()).filter(|node| !assembly.is_reel(*node)) {
            for axis in 0..layout.kind(node).positions() {
                shifted[layout.freedom(node) + axis] += c[axis];
                momentum[axis] += p[layout.freedom(node) + axis];
            }
        }
        let wanted = energy + c.dot(&momentum) + 0.5 * assembly.rope_mass() * c.norm_squared();
        assert!((kinetic(&shifted).0 - wanted).abs() < 1e-12, "{}", sample.name);
    }
}
