//! Closed forms by flatness of a crane, chains of masses and a flexible joint, computed independently with 14 digits. The crane
//! has the data of Blajer and Kolodziejczyk.

use super::*;

/// Every value of a table, relative to the largest of its column.
const DIGITS: f64 = 1e-11;

fn compare(outcome: &Outcome, columns: &[(&str, f64)], table: &[(f64, Vec<f64>)]) {
    for (place, (column, offset)) in columns.iter().enumerate() {
        let largest = table.iter().fold(0.0, |largest: f64, (_, row)| largest.max(row[place].abs()));
        for (t, row) in table {
            let error = (at(outcome, column, *t) - offset - row[place]).abs();
            assert!(error <= DIGITS * largest, "{column} at {t}: off by {error:.1e}");
        }
    }
}

/// F, Mn, s, l.
fn crane() -> Vec<(f64, Vec<f64>)> {
    vec![
        (0.0, vec![0.0, 98.1, 0.0, 4.0]),
        (0.25, vec![150.127388124987, 100.179357262011, 0.207350310118797, 4.00413405960352]),
        (0.5, vec![246.45549091837, 115.953263970494, 0.923162703192994, 4.06909422230641]),
        (0.75, vec![417.518284390438, 139.21837745469, 1.65813292407907, 4.1042979425804]),
        (1.0, vec![473.530461696773, 144.739775259621, 2.14158243260654, 3.83684950064703]),
        (1.25, vec![312.352857167221, 124.650721331965, 2.38834587176983, 3.21485727106461]),
        (1.5, vec![6.87007358508571, 92.5752122355563, 2.5, 2.5]),
        (1.75, vec![-275.226308204564, 81.9823420367646, 2.66920705371074, 2.07547727907414]),
        (2.0, vec![-454.221140470821, 88.5618580182416, 3.18534701282096, 1.80192175467569]),
        (2.25, vec![-497.261706765422, 81.4412609439131, 4.00387748311823, 1.37107255651024]),
        (2.5, vec![-308.431141318584, 82.7360233619621, 4.64624628213245, 1.07233595917409]),
        (2.75, vec![-91.5174405576815, 94.2971376625563, 4.94328447360363, 1.00263970045463]),
        (3.0, vec![0.0, 98.1, 5.0, 1.0]),
    ]
}

/// F, x₁, x₂.
fn two_masses() -> Vec<(f64, Vec<f64>)> {
    vec![
        (0.0, vec![0.0, 0.0, 0.0]),
        (0.5, vec![0.422673225402832, 0.0179382413625717, 0.00248228013515472]),
        (1.0, vec![0.86517333984375, 0.100837707519531, 0.0489273071289063]),
        (1.5, vec![0.792174339294434, 0.26731176674366, 0.21661801636219]),
        (2.0, vec![0.0, 0.5, 0.5]),
        (2.5, vec![-0.792174339294434, 0.73268823325634, 0.78338198363781]),
        (3.0, vec![-0.86517333984375, 0.899162292480469, 0.951072692871094]),
        (3.5, vec![-0.422673225402832, 0.982061758637428, 0.997517719864845]),
        (4.0, vec![0.0, 1.0, 1.0]),
    ]
}

/// F, x₁, x₂, x₃.
fn three_masses() -> Vec<(f64, Vec<f64>)> {
    vec![
        (0.0, vec![0.0, 0.0, 0.0, 0.0]),
        (0.5, vec![0.728883152338676, 0.0382898166761152, 0.00569796406052774, 0.000409882013627794]),
        (1.0, vec![1.22559914588928, 0.175073635578156, 0.0764844298362732, 0.024290144443512]),
        (1.5, vec![0.79700681346003, 0.361735374441196, 0.254837898661208, 0.175195739553601]),
        (2.0, vec![0.0, 0.5, 0.5, 0.5]),
        (2.5, vec![-0.79700681346003, 0.638264625558804, 0.745162101338792, 0.824804260446399]),
        (3.0, vec![-1.22559914588928, 0.824926364421844, 0.923515570163727, 0.975709855556488]),
        (3.5, vec![-0.728883152338676, 0.961710183323885, 0.994302035939472, 0.999590117986372]),
        (4.0, vec![0.0, 1.0, 1.0, 1.0]),
    ]
}

/// τ, q₁, q₂.
fn flexible_joint() -> Vec<(f64, Vec<f64>)> {
    vec![
        (0.0, vec![0.0, 0.0, 0.0]),
        (0.25, vec![1.68526926466458, 0.0139929296528384, 0.00389915651837698]),
        (0.5, vec![5.58630417256609, 0.117003140081402, 0.0768548343180517]),
        (0.75, vec![7.88389911549938, 0.40485399320013, 0.340262784419325]),
        (1.0, vec![6.80714737840425, 0.854765338631849, std::f64::consts::FRAC_PI_4]),
        (1.25, vec![4.59317281475473, 1.29115735210017, 1.23053354237557]),
        (1.5, vec![5.0754699898103, 1.55913564660828, 1.49394149247684]),
        (1.75, vec![8.21010755618977, 1.65528515770039, 1.56689717027652]),
        (2.0, vec![9.81, 1.6688963267949, std::f64::consts::FRAC_PI_2]),
    ]
}

#[test]
fn the_crane_has_its_forces_and_its_motion() {
    let text = gallery("crane-servo");
    assert_eq!(mechanism(text), (5, 0, vec![4, 4], "tangent"));
    compare(&solved(text), &[("force", 0.0), ("torque", 0.0), ("trolley", 0.0), ("rope", 0.0)], &crane());
}

/// In the angle of the rope the structure of the equations hides the index; what is found is the same.
#[test]
fn the_crane_in_three_coordinates_has_the_same_forces() {
    let text = r#"
[time]
end = 3.0
steps = 60
[let]
sigma = "rest(t, 0, 3, 5)"
[system]
coordinates = ["trolley", "rope", "angle"]
controls = ["force", "torque"]
lagrangian = "5*trolley_dot^2 + 5*rope_dot^2 + 50*((trolley_dot + rope_dot*sin(angle) + rope*angle_dot*cos(angle))^2 + (rope_dot*cos(angle) - rope*angle_dot*sin(angle))^2) + 981*rope*cos(angle)"
forces = { trolley = "force", rope = "-torque/0.1" }
[servo.load_x]
at = "trolley + rope*sin(angle)"
path = "5*sigma"
[servo.load_y]
at = "-rope*cos(angle)"
path = "-4 + 3*sigma"
[task.inverse-dynamics]
start = { rope = 4.0 }
"#;
    assert_eq!(mechanism(text), (5, 0, vec![4, 4], "tangent"));
    compare(&solved(text), &[("force", 0.0), ("torque", 0.0), ("trolley", 0.0), ("rope", 0.0)], &crane());
}

#[test]
fn three_masses_have_their_force_and_their_motion() {
    let text = gallery("mass-spring-chain");
    assert_eq!(mechanism(text), (7, 0, vec![6], "tangent"));
    let columns = [("push.force_x", 0.0), ("first.x", 0.0), ("second.x", 1.0), ("last.x", 2.0)];
    compare(&solved(text), &columns, &three_masses());
}

#[test]
fn a_flexible_joint_has_its_torque_and_its_motion() {
    let text = gallery("flexible-joint");
    assert_eq!(mechanism(text), (5, 0, vec![4], "tangent"));
    compare(&solved(text), &[("motor.torque", 0.0), ("motor.angle", 0.0), ("link.angle", 0.0)], &flexible_joint());
}

/// A chain of n masses by its Lagrangian, whose last mass follows a step that is `smooth` − 1 times differentiable.
pub fn chain(n: usize, smooth: usize) -> String {
    let names: Vec<String> = (1..=n).map(|i| format!("x{i}")).collect();
    let kinetic: Vec<String> = names.iter().map(|x| format!("{x}_dot^2/2")).collect();
    let springs: String = (1..n).map(|i| format!(" - 5*(x{i} - x{})^2", i + 1)).collect();
    format!(
        "[time]\nend = 4\nsteps = 160\n[system]\ncoordinates = {names:?}\ncontrols = [\"force\"]\nlagrangian = \"{}{springs}\"\nforces = {{ x1 = \"force\" }}\n[servo.last]\nat = \"x{n}\"\npath = \"rest(t, 0, 4, {smooth})\"\n[task.inverse-dynamics]\n",
        kinetic.join(" + ")
    )
}

/// Coefficients of the step of degree 2k − 1 as a polynomial in u: the integral of uᵏ⁻¹ (1 − u)ᵏ⁻¹, normalised.
fn step(k: usize) -> Vec<f64> {
    let binomial = |n: usize, r: usize| (0..r).fold(1.0, |c, i| c * (n - i) as f64 / (i + 1) as f64);
    let mut coefficients = vec![0.0; 2 * k];
    for j in 0..k {
        let sign = if j % 2 == 0 { 1.0 } else { -1.0 };
        coefficients[k + j] = sign * binomial(k - 1, j) / (k + j) as f64;
    }
    // ((k − 1)!)²/(2k − 1)!, which the alternating sum of the coefficients would give with fewer digits.
    let total = 1.0 / (k as f64 * binomial(2 * k - 1, k));
    coefficients.iter().map(|c| c / total).collect()
}

/// F = k [(1 + D) P_{n−1} − P_{n−2}] x_n, D = (m/k) d²/dt², P₀ = 1, P₁ = 1 + D, P_{j+1} = (2 + D) P_j − P_{j−1}.
fn chain_force(n: usize, smooth: usize, t: f64) -> f64 {
    // Polynomials in D by their coefficients.
    let shifted = |p: &[f64]| [&[0.0], p].concat();
    let sum = |a: &[f64], b: &[f64], factor: f64| {
        let term = |i: usize| a.get(i).unwrap_or(&0.0) + factor * b.get(i).unwrap_or(&0.0);
        (0..a.len().max(b.len())).map(term).collect::<Vec<f64>>()
    };
    let mut p = vec![vec![1.0], vec![1.0, 1.0]];
    for j in 1..n {
        let next = sum(&sum(&shifted(&p[j]), &p[j], 2.0), &p[j - 1], -1.0);
        p.push(next);
    }
    let force = sum(&sum(&p[n - 1], &shifted(&p[n - 1]), 1.0), &p[n - 2], -1.0);
    let mut path = step(smooth);
    let (duration, mut total) = (4.0, 0.0);
    for factor in force {
        let value = path.iter().rev().fold(0.0, |sum, c| sum * (t / duration) + c);
        total += 10.0 * factor * value;
        for _ in 0..2 {
            path = path.iter().enumerate().skip(1).map(|(i, c)| i as f64 * c / duration).collect();
        }
        path.iter_mut().for_each(|c| *c *= 0.1);
    }
    total
}

/// Index 2n + 1 for n = 2 … 6, forces to 1e-9 of the largest, verified; n = 2 and 3 are in the tables, too.
#[test]
fn chains_of_any_length_are_followed() {
    for n in 2..=6 {
        let smooth = 2 * n + 1;
        let text = chain(n, smooth);
        assert_eq!(mechanism(&text), (2 * n + 1, 0, vec![2 * n], "tangent"));
        let outcome = solved(&text);
        // The closed form is a polynomial about the start, which loses digits towards the middle; the force is odd about it.
        let times: Vec<f64> = (0..=40).map(|k| 0.025 * f64::from(k)).collect();
        let largest = times.iter().map(|t| chain_force(n, smooth, *t).abs()).fold(0.0, f64::max);
        for t in times {
            let error = (at(&outcome, "force", t) - chain_force(n, smooth, t)).abs();
            assert!(error <= 1e-9 * largest, "n = {n}, t = {t}: {error:.1e} of {largest}");
            let mirrored = (at(&outcome, "force", 4.0 - t) + at(&outcome, "force", t)).abs();
            assert!(mirrored <= 1e-9 * largest, "n = {n}, t = {t}: {mirrored:.1e}");
        }
    }
    compare(&solved(&chain(2, 5)), &[("force", 0.0), ("x1", 0.0), ("x2", 0.0)], &two_masses());
}

/// The step C⁴ of the chain of two is not smooth enough for longer chains: the fifth derivative jumps at both ends.
#[test]
fn paths_that_are_not_smooth_enough_are_refused() {
    // 70 u⁹ − … has the fifth derivative 126 · 5! / 4⁵ at the start.
    for n in 3..=6 {
        let told = refused(&chain(n, 5), "not-smooth");
        let index = format!("The system has index {}", 2 * n + 1);
        for part in ["servo output last", "derivative of order 5 jumps by 1.4766e1", "at t = 0.000000 s", &index] {
            assert!(told.contains(part), "{part} is not in: {told}");
        }
        assert!(
            told.contains(&format!("up to order {}", 2 * n))
                && told.contains(&format!("rest(t, start, end, {})", 2 * n + 1))
        );
    }
    // One derivative less than what is used only makes the force jump.
    let outcome = solved(&chain(2, 4));
    let warned = &outcome.report.warnings;
    assert!(warned.iter().any(|w| w.contains("the actuation jumps at t = 0.000000 s: derivative 4")), "{warned:?}");
}
