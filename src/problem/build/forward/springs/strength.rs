//! How strong springs are: numbers, matrices or expressions.

use nalgebra::Matrix6;

use super::super::super::Check;
use super::super::super::functions::Names;
use crate::kernel::{Expression, OneOrSeveral};
use crate::mechanism::{BushingSpec, NotPassive, SpringLaw, SpringSpec, passive};

/// Stiffness, damping and law.
type Strength = (Matrix6<f64>, Matrix6<f64>, SpringLaw);

fn diagonal(values: &[f64]) -> Matrix6<f64> {
    Matrix6::from_fn(|i, j| if i == j { values.get(i).copied().unwrap_or(0.0) } else { 0.0 })
}

impl Check<'_> {
    /// Stiffness, damping and law of a spring that measures some quantities.
    pub(super) fn strength(
        &mut self,
        name: &str,
        spring: &SpringSpec,
        measures: usize,
        dimension: usize,
        names: &Names,
    ) -> Option<Strength> {
        if let Some(bushing) = &spring.bushing {
            self.apart(name, "bushing", spring, &["stiffness", "damping", "rest", "force", "energy"]);
            let count = 3 * (dimension - 1);
            let stiffness = self.bushing_matrix(name, bushing, "stiffness", count);
            let damping = self.bushing_matrix(name, bushing, "damping", count);
            let (stiffness, damping) = (stiffness?, damping?);
            return self.acts(name, stiffness, damping).then_some((stiffness, damping, SpringLaw::Linear));
        }
        let law = match (&spring.force, &spring.energy) {
            (None, None) => SpringLaw::Linear,
            (Some(force), _) => {
                self.apart(name, "force", spring, &["stiffness", "damping", "energy"]);
                SpringLaw::Force(self.spring_formula(name, "force", force, &["x", "v"], measures, names)?)
            }
            (None, Some(energy)) => {
                self.apart(name, "energy", spring, &["stiffness"]);
                SpringLaw::Energy(self.spring_formula(name, "energy", energy, &["x"], measures, names)?)
            }
        };
        let stiffness = self.spring_values(name, "stiffness", spring.stiffness.as_ref(), measures, true);
        let damping = self.spring_values(name, "damping", spring.damping.as_ref(), measures, true);
        let [stiffness, damping] = [stiffness.ok()?, damping.ok()?].map(|found| diagonal(&found.unwrap_or_default()));
        let linear = matches!(law, SpringLaw::Linear);
        (!linear || self.acts(name, stiffness, damping)).then_some((stiffness, damping, law))
    }

    /// Refuses keys beside one that says the same in another way.
    fn apart(&mut self, name: &str, own: &str, spring: &SpringSpec, others: &[&str]) {
        let given = |key: &str| match key {
            "stiffness" => spring.stiffness.is_some(),
            "damping" => spring.damping.is_some(),
            "rest" => spring.rest.is_some(),
            "force" => spring.force.is_some(),
            _ => spring.energy.is_some(),
        };
        for key in others.iter().filter(|key| given(key)) {
            let message = format!("spring `{name}` has `{own}` and `{key}`, expected one of them");
            self.error(&["spring", name, key], message, format!("beside `{own}`"));
        }
    }

    fn acts(&mut self, name: &str, stiffness: Matrix6<f64>, damping: Matrix6<f64>) -> bool {
        let acts = stiffness.amax() > 0.0 || damping.amax() > 0.0;
        if !acts && self.sure(&["spring", name]) {
            let message = format!("spring `{name}` does nothing, expected a positive `stiffness` or `damping`");
            self.error(&["spring", name], message, "without effect");
        }
        acts
    }

    /// One number for each measured quantity, or one for all of them.
    pub(super) fn spring_values(
        &mut self,
        name: &str,
        key: &str,
        given: Option<&OneOrSeveral<f64>>,
        measures: usize,
        positive: bool,
    ) -> Result<Option<Vec<f64>>, ()> {
        let Some(given) = given else { return Ok(None) };
        let path = ["spring", name, key];
        let values = given.as_slice();
        if values.len() != measures && !(values.len() == 1 && positive) {
            if self.sure(&path) {
                let expected = match (measures, positive) {
                    (1, _) => "one number".to_owned(),
                    (_, true) => format!("one number or {measures}"),
                    _ => format!("{measures} numbers"),
                };
                let here = self.document.path_text(&path);
                let message = format!("`{here}` has {} values, expected {expected}", values.len());
                self.error(&path, message, "wrong number of values");
            }
            return Err(());
        }
        let mut right = true;
        for (i, value) in values.iter().enumerate().filter(|_| positive) {
            let index = i.to_string();
            let mut here = path.to_vec();
            here.extend(given.is_list().then_some(index.as_str()));
            right &= self.not_negative(&here, *value);
        }
        if !right {
            return Err(());
        }
        Ok(Some((0..measures).map(|i| values[i.min(values.len() - 1)]).collect()))
    }

    fn spring_formula(
        &mut self,
        name: &str,
        key: &str,
        source: &Expression,
        of: &[&str],
        measures: usize,
        names: &Names,
    ) -> Option<crate::kernel::Formula> {
        let path = ["spring", name, key];
        if measures > 1 {
            let message = format!(
                "`spring.{name}.{key}` is an expression of one elongation, but this joint has {measures} angles, expected `stiffness` and `damping`"
            );
            self.error(&path, message, "of one quantity only");
            return None;
        }
        let variables: Vec<String> = of.iter().map(|name| (*name).to_owned()).collect();
        if let Some(taken) = variables.iter().find(|variable| names.usable(variable).is_err()) {
            let message = format!(
                "`spring.{name}.{key}` is an expression of `{taken}`, which [let] defines as something else, expected another name there"
            );
            self.error(&path, message, "two meanings");
            return None;
        }
        let formula = self.formula(&path, source, names, &variables)?;
        if formula.depends_on_time() {
            let message =
                format!("`spring.{name}.{key}` depends on `t`, expected an expression of {}", of.join(" and "));
            self.error(&path, message, "depends on time")
                .help("a spring has one law; forces that are known functions of time are loads");
            return None;
        }
        if !(0..of.len()).any(|variable| formula.mentions(variable)) {
            let message =
                format!("`spring.{name}.{key}` does not depend on `x`, expected an expression of {}", of.join(" and "));
            self.error(&path, message, "no spring").help("x is the elongation beyond `rest`");
            return None;
        }
        // Where the mechanism begins.
        let start = vec![0.0; of.len()];
        if let Err(error) = formula.value(&start, 0.0) {
            self.failures(vec![(path.map(str::to_owned).to_vec(), error)]);
            return None;
        }
        Some(formula)
    }

    /// Stiffness or damping of a bushing, by its diagonal or as a whole matrix.
    fn bushing_matrix(&mut self, name: &str, bushing: &BushingSpec, what: &str, count: usize) -> Option<Matrix6<f64>> {
        let (values, rows) = match what {
            "stiffness" => (&bushing.stiffness, &bushing.stiffness_matrix),
            _ => (&bushing.damping, &bushing.damping_matrix),
        };
        let whole = format!("{what}-matrix");
        let path = |key| ["spring", name, "bushing", key];
        if values.is_some() && rows.is_some() {
            let message = format!("bushing `{name}` has `{what}` and `{whole}`, expected one of them");
            self.error(&path(&whole), message, "stated in two ways");
            return None;
        }
        if let Some(values) = values {
            if values.len() != count {
                let message = format!("bushing `{name}` has {} values of {what}, expected {count}", values.len());
                self.error(&path(what), message, "wrong number of values");
                return None;
            }
            let right: Vec<bool> = (0..count)
                .map(|i| self.not_negative(&["spring", name, "bushing", what, &i.to_string()], values[i]))
                .collect();
            return right.into_iter().all(|right| right).then(|| diagonal(values));
        }
        let Some(rows) = rows else { return Some(Matrix6::zeros()) };
        if rows.len() != count || rows.iter().any(|row| row.len() != count) {
            let message = format!("`{whole}` of bushing `{name}` is not {count} by {count}");
            self.error(&path(&whole), message, format!("expected {count} rows of {count} numbers"));
            return None;
        }
        let entry = |i: usize, j: usize| if i < count && j < count { rows[i][j] } else { 0.0 };
        let (fault, label) = match passive(&Matrix6::from_fn(entry)) {
            Ok(matrix) => return Some(matrix),
            Err(NotPassive::Unsymmetric) => ("is not symmetric", "must be symmetric"),
            Err(NotPassive::Negative) => ("has a negative eigenvalue", "must not be negative"),
        };
        let message = format!("`{whole}` of bushing `{name}` {fault}: it would make energy out of nothing");
        self.error(&path(&whole), message, label);
        None
    }
}
