//! Random expressions.

use proptest::prelude::*;

use super::{compile, function};

/// An expression by its meaning, evaluated without the parser and the folding.
#[derive(Debug, Clone)]
enum Tree {
    Number(f64),
    Time,
    Negate(Box<Tree>),
    Operation(char, Box<Tree>, Box<Tree>),
    Power(Box<Tree>, u32),
    Call(&'static str, Vec<Tree>),
    Choice(Box<[Tree; 4]>),
}

impl Tree {
    /// `None` where something on the way is not finite.
    fn value(&self, t: f64) -> Option<f64> {
        let value = match self {
            Tree::Number(value) => *value,
            Tree::Time => t,
            Tree::Negate(x) => -x.value(t)?,
            Tree::Operation(operator, x, y) => {
                let (x, y) = (x.value(t)?, y.value(t)?);
                match operator {
                    '+' => x + y,
                    '-' => x - y,
                    '*' => x * y,
                    _ => x / y,
                }
            }
            Tree::Power(x, n) => {
                let x = x.value(t)?;
                (0..*n).fold(1.0, |product, _| product * x)
            }
            Tree::Call(name, arguments) => {
                let values = arguments.iter().map(|x| x.value(t)).collect::<Option<Vec<f64>>>()?;
                match *name {
                    "sin" => values[0].sin(),
                    "abs" => values[0].abs(),
                    "floor" => values[0].floor(),
                    "min" => values.into_iter().reduce(f64::min)?,
                    _ => values.into_iter().reduce(f64::max)?,
                }
            }
            Tree::Choice(parts) => {
                let [left, right, then, otherwise] = &**parts;
                return if left.value(t)? < right.value(t)? { then.value(t) } else { otherwise.value(t) };
            }
        };
        value.is_finite().then_some(value)
    }

    /// With no more parentheses than the precedence of the surroundings asks for.
    fn print(&self, surroundings: u32) -> String {
        let (precedence, text) = match self {
            Tree::Number(value) => (5, format!("{value:?}")),
            Tree::Time => (5, "t".into()),
            Tree::Negate(x) => (3, format!("-{}", x.print(3))),
            Tree::Operation(operator @ ('+' | '-'), x, y) => (1, format!("{} {operator} {}", x.print(1), y.print(2))),
            Tree::Operation(operator, x, y) => (2, format!("{}{operator}{}", x.print(2), y.print(3))),
            Tree::Power(x, n) => (4, format!("{}^{n}", x.print(5))),
            Tree::Call(name, arguments) => {
                let arguments: Vec<String> = arguments.iter().map(|x| x.print(0)).collect();
                (5, format!("{name}({})", arguments.join(", ")))
            }
            Tree::Choice(parts) => {
                let [left, right, then, otherwise] = parts.each_ref().map(|part| part.print(0));
                (5, format!("if({left} < {right}, {then}, {otherwise})"))
            }
        };
        if precedence < surroundings { format!("({text})") } else { text }
    }
}

fn tree() -> impl Strategy<Value = Tree> {
    let number = prop_oneof![(0u32..4).prop_map(f64::from), 0.0..10.0, 1e-9..1e-3, 1e15..1e20];
    let leaf = prop_oneof![number.prop_map(Tree::Number), Just(Tree::Time), Just(Tree::Time)];
    leaf.prop_recursive(6, 60, 4, |inner| {
        let one = inner.clone().prop_map(Box::new);
        let several = |least| prop::collection::vec(inner.clone(), least..4);
        prop_oneof![
            one.clone().prop_map(Tree::Negate),
            (prop::sample::select(vec!['+', '-', '*', '/']), one.clone(), one.clone())
                .prop_map(|(operator, x, y)| Tree::Operation(operator, x, y)),
            (one, 0u32..4).prop_map(|(x, n)| Tree::Power(x, n)),
            (prop::sample::select(vec!["sin", "abs", "floor"]), inner.clone())
                .prop_map(|(name, x)| Tree::Call(name, vec![x])),
            (prop::sample::select(vec!["min", "max"]), several(2)).prop_map(|(name, x)| Tree::Call(name, x)),
            [inner.clone(), inner.clone(), inner.clone(), inner.clone()]
                .prop_map(|parts| Tree::Choice(Box::new(parts))),
        ]
    })
}

/// Pieces of the language in any order.
fn fragments() -> impl Strategy<Value = String> {
    let pieces = [
        "t", "s", "pi", "1", "0", "2.5", ".5", "1e3", "1e", "+", "-", "*", "/", "^", "(", ")", ",", "<", ">=", " ",
        "if(", "sin(", "rest(t,", "min(", "clamp(", "ln(", "sqrt(", "atan2(", "mod(", "pow(", "φ", "²", ".", "=",
    ];
    prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..12).prop_map(|pieces| pieces.concat())
}

/// Nothing panics, spans are within the text, and what is returned is finite.
fn harmless(source: &str) {
    match compile(source) {
        Ok(f) => {
            for t in [-1.0, 0.0, 0.5, 1e300, f64::NAN, f64::INFINITY] {
                match f.jet(t) {
                    Ok(jet) => assert!(jet.value.is_finite() && jet.first.is_finite() && jet.second.is_finite()),
                    Err(error) => assert_eq!(source.get(error.span.clone()), Some(&*error.text)),
                }
                assert!(f.value(t).is_ok_and(f64::is_finite) || f.value(t).is_err());
            }
        }
        Err(error) => assert!(source.get(error.span.clone()).is_some(), "{error}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn printed_trees_keep_their_value(tree in tree(), t in -3.0..3.0) {
        let source = tree.print(0);
        prop_assert_eq!(function(&source).value(t).ok(), tree.value(t), "{}", source);
    }

    #[test]
    fn random_characters_are_harmless(source in ".{0,30}") {
        harmless(&source);
    }

    #[test]
    fn random_fragments_are_harmless(source in fragments()) {
        harmless(&source);
    }
}
