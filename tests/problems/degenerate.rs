//! Small programs that break what solvers like to assume: regularity, feasibility, boundedness, defined values.

use lariat::nlp::graph::{Graph, Program};

/// What a solver should say.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Expected {
    /// A minimum with this objective.
    Optimum(f64),
    /// No point satisfies the constraints.
    Infeasible,
    /// The objective decreases without end.
    Unbounded,
    /// The functions are not defined at the start; a solver that recovers finds this minimum.
    Undefined(f64),
}

/// A program with what should come of it.
pub struct Degenerate {
    /// What is degenerate.
    pub name: &'static str,
    /// States the program.
    pub build: fn() -> Program,
    /// The verdict.
    pub expected: Expected,
    /// A minimiser, or a feasible point with an objective below −1e6 where there is none; empty if infeasible.
    pub witness: &'static [f64],
    /// Whether finite multipliers exist at the minimiser.
    pub multipliers: bool,
}

const NONE: f64 = f64::INFINITY;

fn stated(states: impl FnOnce(&Graph)) -> Program {
    let graph = Graph::new();
    states(&graph);
    graph.build()
}

/// One equation stated three times, once with another factor.
fn redundant_equations() -> Program {
    stated(|g| {
        let x = g.variable("x", 3.0, -NONE, NONE);
        let y = g.variable("y", -1.0, -NONE, NONE);
        g.subject_to("line", x + y, 2.0, 2.0);
        g.subject_to("line again", x + y, 2.0, 2.0);
        g.subject_to("line doubled", 2.0 * x + 2.0 * y, 4.0, 4.0);
        g.minimise((x - 1.0).square() + (y - 2.0).square());
    })
}

/// Two bounds and two rows meet in the origin of the plane.
fn dependent_active_set() -> Program {
    stated(|g| {
        let x = g.variable("x", 1.0, 0.0, NONE);
        let y = g.variable("y", 2.0, 0.0, NONE);
        g.subject_to("line", x + y, 0.0, NONE);
        g.subject_to("parabola", x + y + y.square(), 0.0, NONE);
        g.minimise((x + 1.0).square() + (y + 1.0).square());
    })
}

/// A linear objective on a half-plane.
fn unbounded_line() -> Program {
    stated(|g| {
        let x = g.variable("x", 0.0, -NONE, NONE);
        let y = g.variable("y", 0.0, 0.0, NONE);
        g.subject_to("strip", x - y, -1.0, 1.0);
        g.minimise(-x - y);
    })
}

/// An objective that decreases along a curve alone.
fn unbounded_curve() -> Program {
    stated(|g| {
        let x = g.variable("x", 1.0, -NONE, NONE);
        let y = g.variable("y", 1.0, -NONE, NONE);
        g.subject_to("parabola", y - x.square(), 0.0, 0.0);
        g.minimise(x.square() - 2.0 * y);
    })
}

/// A disk and a half-plane apart from it.
fn infeasible_disk() -> Program {
    stated(|g| {
        let x = g.variable("x", 0.0, -NONE, NONE);
        let y = g.variable("y", 0.0, -NONE, NONE);
        g.subject_to("disk", x.square() + y.square(), -NONE, 1.0);
        g.subject_to("half-plane", x + y, 3.0, NONE);
        g.minimise(x);
    })
}

/// Parallel lines.
fn inconsistent_equations() -> Program {
    stated(|g| {
        let x = g.variable("x", 0.0, -NONE, NONE);
        let y = g.variable("y", 0.0, -NONE, NONE);
        g.subject_to("first line", x + y, 1.0, 1.0);
        g.subject_to("second line", x + y, 2.0, 2.0);
        g.minimise(x.square() + y.square());
    })
}

/// An equation without a real root.
fn rootless_equation() -> Program {
    stated(|g| {
        let x = g.variable("x", 2.0, -NONE, NONE);
        g.subject_to("square", x.square() + 1.0, 0.0, 0.0);
        g.minimise(x);
    })
}

/// A lower bound above the upper one.
fn empty_interval() -> Program {
    stated(|g| {
        let x = g.variable("x", 0.5, 1.0, 0.0);
        let y = g.variable("y", 0.0, -1.0, 1.0);
        g.minimise(x.square() + y.square());
    })
}

/// A row that holds no variable and cannot be satisfied.
fn impossible_constant_row() -> Program {
    stated(|g| {
        let x = g.variable("x", 0.0, -1.0, 1.0);
        g.subject_to("one is zero", g.constant(1.0), 0.0, 0.0);
        g.minimise(x.square());
    })
}

/// A row that holds no variable and is satisfied.
fn constant_row() -> Program {
    stated(|g| {
        let x = g.variable("x", 1.0, -NONE, NONE);
        g.subject_to("zero is zero", g.constant(0.0), 0.0, 0.0);
        g.minimise((x - 4.0).square());
    })
}

/// The logarithm of a negative number at the start.
fn undefined_start() -> Program {
    stated(|g| {
        let x = g.variable("x", -1.0, -NONE, NONE);
        g.minimise(x - x.ln());
    })
}

/// The logarithm of zero at the start, on the bound.
fn infinite_start() -> Program {
    stated(|g| {
        let x = g.variable("x", 0.0, 0.0, NONE);
        let y = g.variable("y", 0.0, 0.0, NONE);
        g.subject_to("sum", x + y, 1.0, 1.0);
        g.minimise(-x.ln() - y.ln());
    })
}

/// A row that is not defined at the start, while the objective is.
fn undefined_row() -> Program {
    stated(|g| {
        let x = g.variable("x", -4.0, -NONE, NONE);
        g.subject_to("root", x.sqrt(), 2.0, NONE);
        g.minimise(x);
    })
}

/// The start is a maximiser without constraints: the gradient vanishes there.
fn start_at_maximum() -> Program {
    stated(|g| {
        let x = g.variable("x", 0.0, -NONE, NONE);
        g.minimise(x.powi(4) - 2.0 * x.square());
    })
}

/// The start is the maximiser on a circle: a first-order point with a multiplier.
fn start_at_maximum_on_circle() -> Program {
    stated(|g| {
        let x = g.variable("x", 1.0, -NONE, NONE);
        let y = g.variable("y", 0.0, -NONE, NONE);
        g.subject_to("circle", x.square() + y.square(), 1.0, 1.0);
        g.minimise(x);
    })
}

/// N. Maratos: full steps raise objective and violation, however near to the solution they begin.
fn maratos() -> Program {
    stated(|g| {
        let x = g.variable("x", 0.1_f64.cos(), -NONE, NONE);
        let y = g.variable("y", 0.1_f64.sin(), -NONE, NONE);
        let circle = x.square() + y.square();
        g.subject_to("circle", circle, 1.0, 1.0);
        g.minimise(2.0 * (circle - 1.0) - x);
    })
}

/// A. Wächter, L. Biegler (2000): linearised equations and bounds contradict each other from this start on, so that
/// interior point methods that keep to them stop at points that are not even feasible. The violation in the 1-norm has
/// a local minimum at (-1, 0, 0), where a solver may find the program locally infeasible.
fn waechter_biegler() -> Program {
    stated(|g| {
        let x1 = g.variable("x1", -2.0, -NONE, NONE);
        let x2 = g.variable("x2", 3.0, 0.0, NONE);
        let x3 = g.variable("x3", 1.0, 0.0, NONE);
        g.subject_to("parabola", x1.square() - x2 - 1.0, 0.0, 0.0);
        g.subject_to("line", x1 - x3 - 0.5, 0.0, 0.0);
        g.minimise(x1);
    })
}

/// Complementarity x ⟂ y: no feasible point satisfies the condition of Mangasarian and Fromovitz, multipliers are
/// unbounded.
fn complementarity() -> Program {
    stated(|g| {
        let x = g.variable("x", 2.0, 0.0, NONE);
        let y = g.variable("y", 1.0, 0.0, NONE);
        g.subject_to("complementarity", x * y, -NONE, 0.0);
        g.minimise((x - 2.0).square() + (y - 1.0).square());
    })
}

/// Complementarity with a solution that has no multipliers.
fn complementarity_without_multipliers() -> Program {
    stated(|g| {
        let x = g.variable("x", 1.0, 0.0, NONE);
        let y = g.variable("y", 1.0, 0.0, NONE);
        let z = g.variable("z", 1.0, -NONE, NONE);
        g.subject_to("first slope", 4.0 * x - z, 0.0, NONE);
        g.subject_to("second slope", 4.0 * y - z, 0.0, NONE);
        g.subject_to("complementarity", x * y, -NONE, 0.0);
        g.minimise(x + y - z);
    })
}

/// A disk of radius zero.
fn isolated_point() -> Program {
    stated(|g| {
        let x = g.variable("x", 1.0, -NONE, NONE);
        let y = g.variable("y", 1.0, -NONE, NONE);
        g.subject_to("disk", x.square() + y.square(), -NONE, 0.0);
        g.minimise(x + y);
    })
}

/// Three consistent equations in two unknowns.
fn more_equations_than_variables() -> Program {
    stated(|g| {
        let x = g.variable("x", 3.0, -NONE, NONE);
        let y = g.variable("y", 0.0, -NONE, NONE);
        g.subject_to("sum", x + y, 2.0, 2.0);
        g.subject_to("difference", x - y, 0.0, 0.0);
        g.subject_to("product", x * y, 1.0, 1.0);
        g.minimise(x.square() + y.square());
    })
}

/// Two consistent equations in the same single unknown, beside another variable.
fn structurally_singular() -> Program {
    stated(|g| {
        let x = g.variable("x", 2.0, -NONE, NONE);
        let y = g.variable("y", 0.0, -NONE, NONE);
        g.subject_to("line", x, 1.0, 1.0);
        g.subject_to("parabola", x.square(), 1.0, 1.0);
        g.minimise((y - 2.0).square() + x);
    })
}

/// A variable that occurs nowhere.
fn idle_variable() -> Program {
    stated(|g| {
        let x = g.variable("x", 1.0, -NONE, NONE);
        g.variable("idle", 5.0, -NONE, NONE);
        g.minimise((x - 3.0).square());
    })
}

/// Equal bounds leave nothing to choose.
fn all_fixed() -> Program {
    stated(|g| {
        let x = g.variable("x", 3.0, 3.0, 3.0);
        let y = g.variable("y", 4.0, 4.0, 4.0);
        g.subject_to("circle", x.square() + y.square(), 25.0, 25.0);
        g.minimise(x * y);
    })
}

/// All programs.
pub fn all() -> Vec<Degenerate> {
    use Expected::{Infeasible, Optimum, Unbounded, Undefined};
    let regular = |name, build: fn() -> Program, expected, witness: &'static [f64]| Degenerate {
        name,
        build,
        expected,
        witness,
        multipliers: true,
    };
    let irregular = |name, build: fn() -> Program, expected, witness: &'static [f64]| Degenerate {
        name,
        build,
        expected,
        witness,
        multipliers: false,
    };
    vec![
        regular("redundant equations", redundant_equations, Optimum(0.5), &[0.5, 1.5]),
        regular("dependent active set", dependent_active_set, Optimum(2.0), &[0.0, 0.0]),
        regular("unbounded line", unbounded_line, Unbounded, &[1e6, 1e6]),
        regular("unbounded curve", unbounded_curve, Unbounded, &[2e3, 4e6]),
        regular("infeasible disk", infeasible_disk, Infeasible, &[]),
        regular("inconsistent equations", inconsistent_equations, Infeasible, &[]),
        regular("rootless equation", rootless_equation, Infeasible, &[]),
        regular("empty interval", empty_interval, Infeasible, &[]),
        regular("impossible constant row", impossible_constant_row, Infeasible, &[]),
        regular("constant row", constant_row, Optimum(0.0), &[4.0]),
        regular("undefined start", undefined_start, Undefined(1.0), &[1.0]),
        regular("infinite start", infinite_start, Undefined(2.0 * std::f64::consts::LN_2), &[0.5, 0.5]),
        regular("undefined row", undefined_row, Undefined(4.0), &[4.0]),
        regular("start at a maximum", start_at_maximum, Optimum(-1.0), &[1.0]),
        regular("start at a maximum on a circle", start_at_maximum_on_circle, Optimum(-1.0), &[-1.0, 0.0]),
        regular("Maratos", maratos, Optimum(-1.0), &[1.0, 0.0]),
        regular("Wächter and Biegler", waechter_biegler, Optimum(1.0), &[1.0, 0.0, 0.5]),
        regular("complementarity", complementarity, Optimum(1.0), &[2.0, 0.0]),
        irregular(
            "complementarity without multipliers",
            complementarity_without_multipliers,
            Optimum(0.0),
            &[0.0, 0.0, 0.0],
        ),
        irregular("isolated point", isolated_point, Optimum(0.0), &[0.0, 0.0]),
        regular("more equations than variables", more_equations_than_variables, Optimum(2.0), &[1.0, 1.0]),
        regular("structurally singular Jacobian", structurally_singular, Optimum(1.0), &[1.0, 2.0]),
        regular("idle variable", idle_variable, Optimum(0.0), &[3.0, 5.0]),
        regular("all variables fixed", all_fixed, Optimum(12.0), &[3.0, 4.0]),
    ]
}
