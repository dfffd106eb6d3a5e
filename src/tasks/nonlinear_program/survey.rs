//! What a program looks like before it is solved.

use super::{sense, start};
use crate::nlp::Nlp;
use crate::nlp::ampl::Model;
use crate::solver::constrained::{Constrained, Options, SolveError};

/// Sizes of a program.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Survey {
    /// Variables.
    pub variables: usize,
    /// Variables with equal bounds.
    pub fixed: usize,
    /// Variables with unequal bounds, one at least finite.
    pub bounded: usize,
    /// Rows.
    pub rows: usize,
    /// Rows with equal bounds.
    pub equations: usize,
    /// Rows whose derivatives are constant.
    pub linear: usize,
    /// Entries of the Jacobian of the rows.
    pub jacobian: usize,
    /// Entries of the lower triangle of the Hessian of the Lagrangian.
    pub hessian: usize,
    /// Whether the objective is maximised.
    pub maximised: bool,
    /// The objective at the start, if it can be evaluated there.
    pub objective: Option<f64>,
    /// The largest violation of a row at the start and the name of the row, if there is one.
    pub violation: Option<(f64, String)>,
}

impl Survey {
    /// Free variables minus equations.
    pub fn degrees_of_freedom(&self) -> i64 {
        (self.variables - self.fixed) as i64 - self.equations as i64
    }

    /// The sizes under the names of the report.
    pub fn named(&self) -> [(&'static str, f64); 9] {
        [
            ("variables", self.variables as f64),
            ("fixed_variables", self.fixed as f64),
            ("bounded_variables", self.bounded as f64),
            ("rows", self.rows as f64),
            ("equations", self.equations as f64),
            ("nonlinear_rows", (self.rows - self.linear) as f64),
            ("degrees_of_freedom", self.degrees_of_freedom() as f64),
            ("jacobian_entries", self.jacobian as f64),
            ("hessian_entries", self.hessian as f64),
        ]
    }
}

/// Counts and evaluates what there is.
pub fn survey(model: &mut Model) -> Survey {
    let sense = sense(model);
    let program = &mut model.program;
    let bounds = program.bounds().clone();
    let start = program.start().to_vec();
    let equal = |lower: &[f64], upper: &[f64]| lower.iter().zip(upper).filter(|(l, u)| l == u).count();
    let (fixed, equations) = (equal(&bounds.x_lower, &bounds.x_upper), equal(&bounds.c_lower, &bounds.c_upper));
    let limits = bounds.x_lower.iter().zip(&bounds.x_upper);
    let bounded = limits.filter(|(l, u)| l != u && (l.is_finite() || u.is_finite())).count();
    let mut rows = vec![0.0; bounds.rows()];
    let outside = |row: usize, value: f64| (bounds.c_lower[row] - value).max(value - bounds.c_upper[row]);
    let violation = program.constraints(&start, &mut rows).ok().and_then(|()| {
        let all = rows.iter().enumerate().map(|(row, value)| (outside(row, *value), row));
        let worst = all.filter(|(size, _)| *size > 0.0).max_by(|a, b| a.0.total_cmp(&b.0));
        worst.map(|(size, row)| (size, program.row_name(row)))
    });
    Survey {
        variables: bounds.variables(),
        fixed,
        bounded,
        rows: bounds.rows(),
        equations,
        linear: (0..bounds.rows()).filter(|&row| program.is_linear(row)).count(),
        jacobian: program.jacobian_pattern().nnz(),
        hessian: program.hessian_pattern().nnz(),
        maximised: program.is_maximised(),
        objective: program.objective(&start).ok().map(|objective| sense * objective),
        violation,
    }
}

/// Everything a solve checks before its first step: bounds, start, derivatives against differences, count of equations.
pub fn examine(model: &mut Model, options: &Options) -> Result<(), SolveError> {
    let start = start(model, options);
    Constrained::begin(&mut model.program, &start, options).map(|_| ())
}
