use super::*;
use crate::nlp::graph::{Expr, Graph};

struct Plain;

impl Names for Plain {
    fn variable(&self, variable: usize) -> String {
        format!("x{variable}")
    }

    fn row(&self, row: usize) -> String {
        format!("row {row}")
    }

    fn place(&self, family: usize, member: usize) -> String {
        format!("in member {member} of family {family}")
    }
}

const ANY: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);

fn term<'g>(a: Expr<'g>, b: Expr<'g>, c: Expr<'g>) -> [Expr<'g>; 3] {
    [(a * b * c).sin() + c * b.square(), a.exp() * b, a * b.square() + c * a]
}

/// Members share variables, one has the same variable twice, one a number.
const MEMBERS: [[Input; 3]; 4] = [
    [Input::Variable(0), Input::Variable(1), Input::Variable(2)],
    [Input::Variable(3), Input::Variable(1), Input::Number(0.7)],
    [Input::Variable(2), Input::Variable(2), Input::Variable(0)],
    [Input::Number(-0.3), Input::Variable(3), Input::Variable(3)],
];
const ROWS: [[usize; 2]; 4] = [[0, 1], [1, 2], [2, 0], [1, 1]];

fn family() -> Family {
    let g = Graph::new();
    let [a, b, c] = ["a", "b", "c"].map(|name| g.variable(name, 0.0, ANY.0, ANY.1));
    let [objective, first, second] = term(a, b, c);
    g.minimise(objective);
    g.subject_to("first", first, 0.0, 0.0);
    g.subject_to("second", second, 0.0, 0.0);
    let mut family = Family::new(g.build());
    MEMBERS.iter().zip(ROWS).for_each(|(inputs, rows)| family.add(*inputs, rows));
    family
}

/// Everything agrees with the same program written as one graph.
#[test]
fn families_are_the_sum_of_their_members() {
    let mut families = Families::new(Bounds::free(4, 3), vec![family()], Box::new(Plain)).unwrap();
    let g = Graph::new();
    let x: Vec<Expr<'_>> = (0..4).map(|i| g.variable(format!("x{i}"), 0.0, ANY.0, ANY.1)).collect();
    let (mut objective, mut rows) = (g.constant(0.0), vec![g.constant(0.0); 3]);
    for (inputs, targets) in MEMBERS.iter().zip(ROWS) {
        let [a, b, c] = inputs.map(|input| match input {
            Input::Variable(variable) => x[variable],
            Input::Number(number) => g.constant(number),
        });
        let [own, first, second] = term(a, b, c);
        objective = objective + own;
        rows[targets[0]] = rows[targets[0]] + first;
        rows[targets[1]] = rows[targets[1]] + second;
    }
    g.minimise(objective);
    rows.into_iter().for_each(|row| g.subject_to("row", row, 0.0, 0.0));
    let mut whole = g.build();
    let at = [0.3, -0.8, 1.1, 0.6];
    let dense = |pattern: &Pattern, values: &[f64]| {
        let mut matrix = nalgebra::DMatrix::zeros(pattern.nrows(), pattern.ncols());
        for col in 0..pattern.ncols() {
            pattern.column(col).for_each(|entry| matrix[(pattern.row_idx()[entry], col)] = values[entry]);
        }
        matrix
    };
    let measure = |nlp: &mut dyn Nlp| {
        let mut out = [vec![0.0; 4], vec![0.0; 3]];
        nlp.gradient(&at, &mut out[0]).unwrap();
        nlp.constraints(&at, &mut out[1]).unwrap();
        let (mut jacobian, mut hessian) =
            (vec![f64::NAN; nlp.jacobian_pattern().nnz()], vec![f64::NAN; nlp.hessian_pattern().nnz()]);
        nlp.jacobian(&at, &mut jacobian).unwrap();
        nlp.hessian(&at, 0.9, &[0.5, -1.5, 2.5], &mut hessian).unwrap();
        let matrices = [dense(nlp.jacobian_pattern(), &jacobian), dense(nlp.hessian_pattern(), &hessian)];
        (nlp.objective(&at).unwrap(), out, matrices)
    };
    let (ours, theirs) = (measure(&mut families), measure(&mut whole));
    assert!((ours.0 - theirs.0).abs() < 1e-14);
    for (ours, theirs) in ours.1.iter().flatten().zip(theirs.1.iter().flatten()) {
        assert!((ours - theirs).abs() < 1e-13);
    }
    for (ours, theirs) in ours.2.iter().zip(&theirs.2) {
        assert!((ours - theirs).amax() < 1e-13, "{ours} {theirs}");
    }
}

#[test]
fn what_does_not_fit_is_refused_and_failures_have_a_place() {
    let mut short = family();
    short.rows.pop();
    let error = Families::new(Bounds::free(4, 3), vec![short], Box::new(Plain)).err().unwrap();
    assert_eq!(error, FamilyError::Members { family: 0, inputs: 12, rows: 7, variables: 3, targets: 2 });
    let outside = Families::new(Bounds::free(3, 3), vec![family()], Box::new(Plain)).err().unwrap();
    assert!(matches!(outside, FamilyError::Outside(_)), "{outside}");
    let g = Graph::new();
    g.subject_to("root", g.variable("a", 1.0, ANY.0, ANY.1).sqrt(), 0.0, 0.0);
    let mut roots = Family::new(g.build());
    roots.add([Input::Variable(0)], [0]);
    roots.add([Input::Variable(1)], [0]);
    let mut families = Families::new(Bounds::free(2, 1), vec![roots], Box::new(Plain)).unwrap();
    let failure = families.constraints(&[1.0, -1.0], &mut [0.0]).unwrap_err();
    assert_eq!(failure.place, "root in member 1 of family 0");
}

/// A variable in the place of a parameter would lack its derivatives.
#[test]
fn variables_are_refused_as_parameters() {
    let g = Graph::new();
    let (x, p) = (g.variable("x", 0.0, ANY.0, ANY.1), g.parameter("p"));
    g.subject_to("product", x * p, 0.0, 0.0);
    let with = |input: Input| {
        let mut family = Family::new(g.build());
        family.add([Input::Variable(0), input], [0]);
        Families::new(Bounds::free(2, 1), vec![family], Box::new(Plain)).err()
    };
    assert_eq!(with(Input::Number(2.0)), None);
    assert_eq!(with(Input::Variable(1)), Some(FamilyError::Parameter { family: 0, name: "p".to_owned() }));
}
