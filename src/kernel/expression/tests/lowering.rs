//! Formulas rebuilt over plain numbers, whose values are known twice then.

use std::cell::RefCell;

use super::{close, formula, names, scope, text};
use crate::kernel::{Algebra, Formula};

/// Plain numbers that note which functions were asked for.
#[derive(Default)]
struct Plain {
    asked: RefCell<Vec<&'static str>>,
}

impl Plain {
    fn note(&self, name: &'static str, value: f64) -> f64 {
        self.asked.borrow_mut().push(name);
        value
    }
}

macro_rules! functions {
    ($($name:ident)*) => {
        $(fn $name(&self, x: f64) -> f64 {
            self.note(stringify!($name), x.$name())
        })*
    };
}

impl Algebra for &Plain {
    type Number = f64;

    functions!(sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp ln log10 sqrt abs);

    fn constant(&self, value: f64) -> f64 {
        value
    }
    fn erf(&self, x: f64) -> f64 {
        self.note("erf", crate::scalar::erf(x))
    }
    fn table(&self, spline: &std::sync::Arc<crate::kernel::Spline>, x: f64) -> f64 {
        self.note("table", spline.derivative(x, 0))
    }
    fn neg(&self, x: f64) -> f64 {
        self.note("neg", -x)
    }
    fn add(&self, x: f64, y: f64) -> f64 {
        self.note("add", x + y)
    }
    fn sub(&self, x: f64, y: f64) -> f64 {
        self.note("sub", x - y)
    }
    fn mul(&self, x: f64, y: f64) -> f64 {
        self.note("mul", x * y)
    }
    fn div(&self, x: f64, y: f64) -> f64 {
        self.note("div", x / y)
    }
    fn powf(&self, x: f64, p: f64) -> f64 {
        self.note("powf", x.powf(p))
    }
    fn pow(&self, x: f64, y: f64) -> f64 {
        self.note("pow", x.powf(y))
    }
    fn atan2(&self, y: f64, x: f64) -> f64 {
        self.note("atan2", y.atan2(x))
    }
    fn min(&self, x: f64, y: f64) -> f64 {
        self.note("min", x.min(y))
    }
    fn max(&self, x: f64, y: f64) -> f64 {
        self.note("max", x.max(y))
    }
    fn if_less(&self, x: f64, y: f64, then: f64, otherwise: f64) -> f64 {
        self.note("if_less", if x < y { then } else { otherwise })
    }
    fn if_at_most(&self, x: f64, y: f64, then: f64, otherwise: f64) -> f64 {
        self.note("if_at_most", if x <= y { then } else { otherwise })
    }
}

/// Every function of the language, and kinks on both sides and exactly.
#[test]
fn values_are_kept() {
    for source in [
        "x + 2*y - z/4 - (-x)",
        "-x^3 + x^-2 + y^0.5 + pow(y, z) + 2^x",
        "sin(x) + cos(y)*tan(z)",
        "asin(x/3) + acos(y/9)*atan(z)",
        "sinh(x) + cosh(y)*tanh(z)",
        "exp(x) + ln(y)*log(y) - log10(y)",
        "sqrt(y) + abs(x)",
        "sign(x) + 10*step(x) + 100*sign(z) + 1000*step(z)",
        "atan2(x, z) + atan2(y, x)",
        "hypot(x, y) + hypot(z, 0)",
        "min(x, y, z) + 10*max(z, x)",
        "clamp(x, -1, 1) + 10*clamp(y, z, z + 1) + 100*clamp(2, x, 9)",
        "if(x < z, 1, 2) + 10*if(x <= z, 1, 2) + 100*if(x > z, 1, 2) + 1000*if(x >= z, 1, 2)",
        "rest(x, -1, 2, 1) + 10*rest(z, -0.5, 1, 5) + 100*rest(y, 0, 1, 20) + rest(t, 0, 1, 3)",
        "if(x < 0, ln(-x), ln(x + 1)) + t*y",
    ] {
        let f = formula(source);
        for x in [-1.5, -1.0, 0.25, 1.0, 2.0] {
            for y in [0.3, 1.0, 4.0] {
                for z in [-0.5, 0.0, 0.25, 0.7, 1.0] {
                    let (at, t) = ([x, y, z], 0.6);
                    let expected = f.value(&at, t).unwrap_or_else(|error| panic!("{error}"));
                    close(f.lower(&Plain::default(), &at, t), expected, 1e-14, &format!("{source} at {at:?}"));
                }
            }
        }
    }
}

#[test]
fn definitions_are_rebuilt_once_and_only_if_needed() {
    let scope = scope(&[("a", "sin(t)"), ("b", "a*cos(a)"), ("unused", "exp(t)")]).unwrap();
    let f = Formula::compile(&text("a + b*(b + x) + a"), &scope, &names(&["x"])).unwrap();
    let plain = Plain::default();
    let (a, t) = (0.4f64.sin(), 0.4);
    let b = a * a.cos();
    close(f.lower(&plain, &[3.0], t), a + b * (b + 3.0) + a, 1e-15, "value");
    assert_eq!(*plain.asked.borrow(), ["sin", "cos", "mul", "add", "mul", "add", "add"]);
}

#[test]
fn exponents_that_are_numbers_are_fixed() {
    let asked = |source: &str| {
        let plain = Plain::default();
        formula(source).lower(&plain, &[2.0, 3.0, 4.0], 1.0);
        plain.asked.into_inner()
    };
    assert_eq!(asked("x^(1 + 1)"), ["powf"]);
    assert_eq!(asked("x^y"), ["pow"]);
    assert_eq!(asked("2^t"), ["pow"]);
    // Differences are differences, not sums with a negative.
    assert_eq!(asked("x - y - 2"), ["sub", "add"]);
}

/// Constants without a value fail where they are used, also inside the functions that are otherwise refused.
#[test]
fn what_has_no_value_has_none_afterwards() {
    for source in ["x + floor(1/0)", "mod(7, 0) + x", "mod(ln(-1), 2)*x", "clamp(x, 2, 1)", "x^(1/0)"] {
        let f = formula(source);
        let at = [1.5, 0.0, 0.0];
        assert!(f.value(&at, 0.0).is_err(), "{source}");
        assert!(!f.lower(&Plain::default(), &at, 0.0).is_finite(), "{source}");
    }
}
