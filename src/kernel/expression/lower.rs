//! From the tree of a formula to the numbers of an algebra.

use super::Algebra;
use super::builtin::{Binary, Extremum, Unary};
use super::node::{Choice, Factor, Kind, Node, Rest, Variable};
use super::power::rest_coefficients;
use super::program::Program;
use super::token::Relation;

impl Program {
    /// The expression over an algebra, at an arc length and a time; each `[let]` is rebuilt once.
    pub(super) fn lower<A: Algebra>(
        &self,
        algebra: &A,
        named: &[A::Number],
        [place, time]: [A::Number; 2],
    ) -> A::Number {
        let lets = Vec::with_capacity(self.lets.len());
        let mut lowering = Lowering { algebra, named, place, time, positions: &self.positions, lets };
        for code in &self.lets {
            let number = lowering.node(&code.node);
            lowering.lets.push(number);
        }
        lowering.node(&self.body.node)
    }
}

struct Lowering<'a, A: Algebra> {
    algebra: &'a A,
    named: &'a [A::Number],
    place: A::Number,
    time: A::Number,
    /// From the position of a `[let]` in the scope to that in `lets`.
    positions: &'a [usize],
    lets: Vec<A::Number>,
}

impl<A: Algebra> Lowering<'_, A> {
    fn node(&self, node: &Node) -> A::Number {
        let a = self.algebra;
        match &node.kind {
            Kind::Number(value) => a.constant(*value),
            Kind::Variable(Variable::Time) => self.time,
            Kind::Variable(Variable::Named(index)) => self.named[*index],
            Kind::Variable(Variable::ArcLength) => self.place,
            Kind::Let(index) => self.lets[self.positions[*index]],
            Kind::Negate(x) => a.neg(self.node(x)),
            Kind::Sum(terms) => self.sum(terms),
            Kind::Product(factors) => self.product(factors),
            Kind::Power(nodes) => match &**nodes {
                [base, Node { kind: Kind::Number(exponent), .. }] => a.powf(self.node(base), *exponent),
                [base, exponent] => a.pow(self.node(base), self.node(exponent)),
            },
            Kind::Unary(function, x) => self.unary(*function, self.node(x)),
            Kind::Binary(function, nodes) => {
                let [x, y] = nodes.each_ref().map(|node| self.node(node));
                self.binary(*function, x, y)
            }
            Kind::Extremum(which, first, others) => others.iter().fold(self.node(first), |best, other| match which {
                Extremum::Min => a.min(best, self.node(other)),
                Extremum::Max => a.max(best, self.node(other)),
            }),
            Kind::Clamp(nodes) => self.clamp(nodes.each_ref().map(|node| self.node(node))),
            Kind::If(choice) => self.choice(choice),
            Kind::Rest(rest) => self.rest(rest),
            Kind::Table(table) => a.table(&table.spline, self.node(&table.argument)),
        }
    }

    /// From left to right, as values are computed.
    fn sum(&self, terms: &[Node]) -> A::Number {
        let sum = terms.iter().fold(None, |sum, term| {
            Some(match (sum, &term.kind) {
                (None, _) => self.node(term),
                (Some(sum), Kind::Negate(x)) => self.algebra.sub(sum, self.node(x)),
                (Some(sum), _) => self.algebra.add(sum, self.node(term)),
            })
        });
        sum.unwrap_or_else(|| self.algebra.constant(0.0))
    }

    /// From left to right, as values are computed.
    fn product(&self, factors: &[Factor]) -> A::Number {
        let product = factors.iter().fold(None, |product, factor| {
            let x = self.node(&factor.node);
            Some(match product {
                None => x,
                Some(product) if factor.divides => self.algebra.div(product, x),
                Some(product) => self.algebra.mul(product, x),
            })
        });
        product.unwrap_or_else(|| self.algebra.constant(1.0))
    }

    fn unary(&self, function: Unary, x: A::Number) -> A::Number {
        let a = self.algebra;
        let [zero, one] = [0.0, 1.0].map(|value| a.constant(value));
        match function {
            Unary::Sin => a.sin(x),
            Unary::Cos => a.cos(x),
            Unary::Tan => a.tan(x),
            Unary::Asin => a.asin(x),
            Unary::Acos => a.acos(x),
            Unary::Atan => a.atan(x),
            Unary::Sinh => a.sinh(x),
            Unary::Cosh => a.cosh(x),
            Unary::Tanh => a.tanh(x),
            Unary::Asinh => a.asinh(x),
            Unary::Acosh => a.acosh(x),
            Unary::Atanh => a.atanh(x),
            Unary::Erf => a.erf(x),
            Unary::Exp => a.exp(x),
            Unary::Ln => a.ln(x),
            Unary::Log10 => a.log10(x),
            Unary::Sqrt => a.sqrt(x),
            Unary::Abs => a.abs(x),
            Unary::Sign => a.if_less(x, zero, a.constant(-1.0), a.if_less(zero, x, one, zero)),
            Unary::Step => a.if_less(x, zero, zero, one),
            // The floor of a number is computed when the text is read, that of what varies is refused. What remains is
            // a constant without a value, and its floor has none either.
            Unary::Floor => x,
        }
    }

    fn binary(&self, function: Binary, x: A::Number, y: A::Number) -> A::Number {
        let a = self.algebra;
        match function {
            Binary::Atan2 => a.atan2(x, y),
            Binary::Hypot => a.sqrt(a.add(a.mul(x, x), a.mul(y, y))),
            // As for the floor: without a value, since an argument has none or y = 0, and then x/y has none either.
            Binary::Mod => a.div(x, y),
        }
    }

    /// Without a value where the bounds are in the wrong order.
    fn clamp(&self, [x, low, high]: [A::Number; 3]) -> A::Number {
        let a = self.algebra;
        a.if_at_most(low, high, a.max(low, a.min(x, high)), a.sqrt(a.sub(high, low)))
    }

    fn choice(&self, choice: &Choice) -> A::Number {
        let a = self.algebra;
        let [left, right, then, otherwise] =
            [&choice.left, &choice.right, &choice.then, &choice.otherwise].map(|node| self.node(node));
        match choice.relation {
            Relation::Less => a.if_less(left, right, then, otherwise),
            Relation::LessOrEqual => a.if_at_most(left, right, then, otherwise),
            Relation::Greater => a.if_less(right, left, then, otherwise),
            Relation::GreaterOrEqual => a.if_at_most(right, left, then, otherwise),
        }
    }

    /// With u = (x − start)/(end − start) held between 0 and 1, I_u up to u = 1/2 and 1 − I_{1−u} from there.
    fn rest(&self, rest: &Rest) -> A::Number {
        let a = self.algebra;
        let x = self.node(&rest.argument);
        let [start, end, length] = [rest.start, rest.end, rest.end - rest.start].map(|value| a.constant(value));
        let [zero, half, one] = [0.0, 0.5, 1.0].map(|value| a.constant(value));
        let fraction = |distance| a.max(zero, a.min(one, a.div(distance, length)));
        let (u, v) = (fraction(a.sub(x, start)), fraction(a.sub(end, x)));
        a.if_at_most(u, half, self.half_profile(u, rest.k), a.sub(one, self.half_profile(v, rest.k)))
    }

    /// uᵏ Σ_{j<k} C(k+j−1, j) (1−u)ʲ.
    fn half_profile(&self, u: A::Number, k: u32) -> A::Number {
        let a = self.algebra;
        let v = a.sub(a.constant(1.0), u);
        let sum = rest_coefficients(k).map(|coefficient| a.constant(coefficient));
        let sum = sum.reduce(|sum, coefficient| a.add(a.mul(sum, v), coefficient));
        a.mul(a.powf(u, f64::from(k)), sum.unwrap_or_else(|| a.constant(1.0)))
    }
}
