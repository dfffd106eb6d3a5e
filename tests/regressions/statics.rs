//! Buckling, stages, and statuses of equilibria that must not depend on the mesh.

use super::outcome;
use lariat::Outcome;

fn factor(found: &Outcome, name: &str) -> f64 {
    *found.report.scalars.get(name).unwrap_or_else(|| panic!("no {name}: {:?}", found.report.message))
}

fn close(found: f64, wanted: f64, tolerance: f64) {
    assert!((found - wanted).abs() <= tolerance * wanted.abs(), "{found} {wanted}");
}

/// A column of length 1, EA = 1e4, GA = 4e3, EI = 1, along a direction of the plane, under a unit force at its head.
fn column(foot: &str, head: &str, task: &str) -> String {
    format!(
        "dimension = 2\n[rod.c]\nmodel = \"beam\"\nfrom = [0, 0]\nto = [0, 1]\nelements = 8\norder = 4\nstiffness = {{ axial = 1e4, shear = 4e3, bending = 1.0 }}\n[support.foot]\nat = \"c.start\"\n{foot}\n{head}[load.push]\nat = \"c.end\"\nforce = [0, -1]\n[task.statics]\n{task}\n"
    )
}

/// P with P (1 − P/EA + P/GA) = EI k².
fn haringx(k: f64) -> f64 {
    let c = 1.0 / 4e3 - 1.0 / 1e4;
    ((1.0 + 4.0 * c * k * k).sqrt() - 1.0) / (2.0 * c)
}

/// K₀ + λK' of the unloaded state is singular near the critical load of a column that hardly shortens before.
#[test]
fn linear_buckling_starts_the_search() {
    let roller = "[support.head]\nat = \"c.end\"\nfixes = [\"x\"]\n";
    let found = outcome("column", &column("type = \"hinge\"", roller, "method = \"linear-buckling\"\ncount = 2"), &[]);
    assert_eq!(found.report.status, "solved", "{:?}", found.report.message);
    let pi = std::f64::consts::PI;
    close(factor(&found, "linear_buckling.1.factor"), haringx(pi), 2e-2);
    close(factor(&found, "linear_buckling.2.factor"), haringx(2.0 * pi), 2e-2);
    assert_eq!(found.modes.len(), 2);
}

/// The count of unstable directions goes up by one at each of the critical loads on the way.
#[test]
fn the_path_tells_how_unstable_each_point_is() {
    let roller = "[support.head]\nat = \"c.end\"\nfixes = [\"x\"]\n";
    let found =
        outcome("column", &column("type = \"hinge\"", roller, "method = \"arc-length\"\nfactors = [50.0]"), &[]);
    assert_eq!(found.report.status, "solved", "{:?}", found.report.message);
    let pi = std::f64::consts::PI;
    close(factor(&found, "branch_point.1.factor"), haringx(pi), 1e-7);
    close(factor(&found, "branch_point.2.factor"), haringx(2.0 * pi), 1e-7);
    let (factors, unstable) = (found.path.column("factor").unwrap(), found.path.column("unstable_directions").unwrap());
    for ((p, n), kind) in factors.iter().zip(unstable).zip(&found.path.kinds) {
        let below = [haringx(pi), haringx(2.0 * pi)].iter().filter(|critical| *critical < p).count();
        assert!(*n == below as f64 || kind == "branch-point", "{p} {n}");
    }
}

/// The elastica: with EA and GA large the cantilever at P stands at the tip angle α with K(sin α/2) = L sqrt(P/EI).
#[test]
fn the_buckled_branch_is_the_elastica() {
    let text = column("type = \"clamp\"", "", "branch = 1\nfactors = [3.0]")
        .replace("axial = 1e4, shear = 4e3", "axial = 1e6, shear = 1e6");
    let found = outcome("column", &text, &[]);
    assert_eq!(found.report.status, "solved", "{:?}", found.report.message);
    let angle = (factor(&found, "equilibrium.c.end.angle") - std::f64::consts::FRAC_PI_2).abs();
    // The complete elliptic integral by the arithmetic-geometric mean.
    let (mut a, mut g) = (1.0, (0.5 * angle).cos());
    for _ in 0..30 {
        (a, g) = (0.5 * (a + g), f64::sqrt(a * g));
    }
    close(std::f64::consts::FRAC_PI_2 / a, 3.0_f64.sqrt(), 1e-5);
    assert_eq!(factor(&found, "stability.unstable_directions"), 0.0);
    let other = outcome("column", &text.replace("branch = 1", "branch = -1"), &[]);
    let sum = factor(&found, "equilibrium.c.end.x") + factor(&other, "equilibrium.c.end.x");
    assert!(sum.abs() < 1e-7, "{sum}");
}

/// A push to the side, on and off again: the column is left on its buckled branch.
#[test]
fn an_imperfection_comes_and_goes_in_stages() {
    let task = "[[task.statics.stage]]\nloads = { side = 1.0 }\n[[task.statics.stage]]\nloads = { push = 3.0 }\n[[task.statics.stage]]\nloads = { side = 0.0 }\n";
    let text = column("type = \"clamp\"", "", "")
        .replace("[task.statics]\n", "[load.side]\nat = \"c.end\"\nforce = [0.05, 0]\n")
        + task;
    let found = outcome("column", &text, &[]);
    assert_eq!(found.report.status, "solved", "{:?}", found.report.message);
    let switched = outcome("column", &column("type = \"clamp\"", "", "branch = 1\nfactors = [3.0]"), &[]);
    let [a, b] = [&found, &switched].map(|outcome| factor(outcome, "equilibrium.c.end.x").abs());
    close(a, b, 1e-7);
    assert!(found.path.column("stage").is_some_and(|stages| stages.contains(&3.0)));
    let unnamed = lariat::problem::load("column", &text.replace("push = 3.0", "side = 1.0"), &[]);
    assert!(unnamed.is_err_and(|error| error.to_string().contains("in none of the stages")));
}

/// On fine meshes rounding of the stiffness exceeds that of bending; that is no mechanism.
#[test]
fn statuses_do_not_depend_on_the_mesh() {
    let text = |elements: usize| {
        format!(
            "dimension = 3\n[rod.r]\nmodel = \"rod\"\nfrom = [0, 0, 0]\nto = [0, 0, 60]\nnormal = [1, 0, 0]\nelements = {elements}\norder = 6\nstiffness = {{ axial = 1e9, shear = 1e13, bending = 1e8, torsion = 1e7 }}\n[support.s]\nat = \"r.start\"\ntype = \"clamp\"\n[load.f]\nat = \"r.end\"\nforce = [1e3, 1e3, 0]\n[task.statics]\n"
        )
    };
    for elements in [12, 60] {
        let found = outcome("blade", &text(elements), &[]);
        assert_eq!(found.report.status, "solved", "{elements}: {:?}", found.report.message);
        assert_eq!(factor(&found, "stability.indifferent_directions"), 0.0, "{elements}");
        assert_eq!(factor(&found, "stability.unstable_directions"), 0.0, "{elements}");
    }
    // What is not held is said to be so on any mesh.
    for elements in [4, 60] {
        let loose = text(elements).replace("type = \"clamp\"", "type = \"hinge\"");
        assert_eq!(outcome("blade", &loose, &[]).report.status, "mechanism", "{elements}");
    }
}

/// Close to its critical load a frame is stable or unstable, not undecided.
#[test]
fn stability_is_decided_next_to_a_critical_load() {
    let frame = include_str!("../../problems/right-angle-frame.toml");
    let text = &frame[..frame.find("[task.statics]").unwrap()];
    for (share, unstable) in [(1.0 - 1e-5, 0.0), (1.0 + 1e-5, 1.0)] {
        let force = 0.6804274094 * share;
        let text = text.replace("force = [-1.0", &format!("force = [{:?}", -force)) + "[task.statics]\n";
        let found = outcome("frame", &text, &[]);
        assert_eq!(factor(&found, "stability.unstable_directions"), unstable, "{:?}", found.report.warnings);
        assert_eq!(factor(&found, "stability.indifferent_directions"), 0.0);
    }
}

/// A rod that would have a negative length without stress.
#[test]
fn prestrain_leaves_some_length() {
    let text = |strain: &str| {
        format!(
            "dimension = 2\n[rod.r]\nmodel = \"beam\"\nfrom = [0, 0]\nto = [1, 0]\nelements = 4\nstiffness = {{ axial = 1e3, shear = 1e3, bending = 1.0 }}\nprestrain.strain = [0.0, {strain}]\n[support.s]\nat = \"r.start\"\ntype = \"clamp\"\n[task.statics]\n"
        )
    };
    for strain in ["-1.5", "-1.0", "\"-2*s\""] {
        let refused = lariat::problem::load("rod", &text(strain), &[]);
        let message = refused.err().map(|error| error.to_string()).unwrap_or_default();
        assert!(message.contains("expected more than -1"), "{strain}: {message}");
    }
    assert!(lariat::problem::load("rod", &text("-0.3"), &[]).is_ok());
}
