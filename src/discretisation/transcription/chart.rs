//! Local coordinates of configurations on a manifold: the null-space form of holonomic constraints.
//!
//! Groups of expressions y = A q + b, linear in the coordinates, lie on spheres or are rotation matrices. Near a reference
//! point such a group has as many local coordinates f as degrees of freedom:
//!
//! | manifold | chart |
//! |---|---|
//! | sphere of radius r in R^d | y = r ((4 − \|f\|²) e + 4 T f)/(4 + \|f\|²), e of unit length, T an orthonormal basis of the directions normal to it |
//! | rotations, the columns of R one after the other | R = R₀ R(p) with the unit quaternion p of this chart of its sphere about 1 |
//!
//! This is the stereographic projection. It leaves out a single point, opposite to e (a full turn away from R₀), so that a
//! search does not run into the end of the chart. The gnomonic one, y = r (e + T f)/√(1 + \|f\|²), ends a quarter turn away
//! from e, and searches that come near do not come back. The other coordinates are their own local coordinates. With
//! q = A⁻¹ (y − b) the null-space matrix is P = ∂q/∂f, and Pᵀ removes the forces of all constraints that the chart satisfies
//! (Leyendecker, Ober-Blöbaum, Marsden and Ortiz 2010).

use nalgebra::{DMatrix, DVector};
use thiserror::Error;

use super::frames;
use crate::nlp::graph::{Expr, Graph, Program};
use crate::nlp::{EvalFailure, Nlp};

/// Smallest pivot, relative to the largest, of groups that are independent.
const INDEPENDENT: f64 = 1e-10;
/// Entries of A⁻¹ below this, relative to the largest, are rounding errors of zeros.
const ZERO: f64 = 1e-13;

/// Where a group lies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Manifold {
    /// A sphere with this radius.
    Sphere(f64),
    /// Rotation matrices: nine entries, column after column.
    Rotation,
}

/// An expression that is linear in the coordinates.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Linear {
    /// Coordinates and their factors.
    pub terms: Vec<(usize, f64)>,
    /// What is added.
    pub constant: f64,
}

impl Linear {
    /// A coordinate itself.
    pub fn coordinate(number: usize) -> Self {
        Self { terms: vec![(number, 1.0)], constant: 0.0 }
    }

    /// The difference of two coordinates, the first less the second.
    pub fn difference(first: usize, second: usize) -> Self {
        Self { terms: vec![(first, 1.0), (second, -1.0)], constant: 0.0 }
    }
}

/// Expressions that lie on a manifold together.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// What messages call it.
    pub name: String,
    /// Where it lies.
    pub manifold: Manifold,
    /// Its expressions.
    pub entries: Vec<Linear>,
}

impl Group {
    /// Number of its local coordinates.
    pub fn freedoms(&self) -> usize {
        match self.manifold {
            Manifold::Sphere(_) => self.entries.len() - 1,
            Manifold::Rotation => 3,
        }
    }

    /// Numbers of a reference point.
    pub(super) fn numbers(&self) -> usize {
        match self.manifold {
            Manifold::Sphere(_) => self.entries.len() * self.entries.len(),
            Manifold::Rotation => 9,
        }
    }

    /// Whether a coordinate enters.
    pub(super) fn mentions(&self, coordinate: usize) -> bool {
        self.entries.iter().flat_map(|entry| &entry.terms).any(|(i, factor)| *i == coordinate && *factor != 0.0)
    }
}

/// Why groups make no chart.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ChartError {
    /// Too few or too many expressions.
    #[error("{name} has {given} expressions, {expected}")]
    Count {
        /// The group.
        name: String,
        /// How many there are.
        given: usize,
        /// How many are needed.
        expected: &'static str,
    },
    /// Not a radius.
    #[error("{name} has the radius {radius}, which is not positive and finite")]
    Radius {
        /// The group.
        name: String,
        /// Its radius.
        radius: f64,
    },
    /// A coordinate that does not exist, or a factor that is not finite.
    #[error("{name} has an expression that is not one of the {count} coordinates")]
    Expression {
        /// The group.
        name: String,
        /// Number of coordinates.
        count: usize,
    },
    /// Expressions follow from others.
    #[error("{name} has expressions that follow from its others and from those of the groups before it")]
    Dependent {
        /// The group.
        name: String,
    },
}

/// Local coordinates of a system: those of its groups in order, then the coordinates that are in none.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    groups: Vec<Group>,
    /// Coordinates that are their own local coordinates.
    free: Vec<usize>,
    /// q = Σ factor · z + constant, z the entries of all groups followed by the free coordinates.
    rows: Vec<Linear>,
    satisfied: Vec<usize>,
}

impl Chart {
    /// The chart of a system with so many coordinates. The numbers are those of the constraints, among all of the system,
    /// that hold wherever the groups lie on their manifolds; these and their multipliers are left out.
    pub fn new(coordinates: usize, groups: Vec<Group>, satisfied: Vec<usize>) -> Result<Self, ChartError> {
        groups.iter().try_for_each(|group| check(group, coordinates))?;
        let entries = || groups.iter().flat_map(|group| &group.entries);
        let stated = entries().count();
        let mut matrix = DMatrix::zeros(coordinates.max(stated), coordinates);
        for (row, entry) in entries().enumerate() {
            entry.terms.iter().for_each(|(i, factor)| matrix[(row, *i)] += factor);
        }
        let taken = pivots(&matrix, stated).map_err(|row| {
            let ends = groups.iter().scan(0, |end, group| {
                *end += group.entries.len();
                Some(*end)
            });
            let group = ends.take_while(|end| *end <= row).count();
            ChartError::Dependent { name: groups[group].name.clone() }
        })?;
        let free: Vec<usize> = (0..coordinates).filter(|i| !taken.contains(i)).collect();
        free.iter().enumerate().for_each(|(k, i)| matrix[(stated + k, *i)] = 1.0);
        let last = || ChartError::Dependent { name: groups.last().map_or(String::new(), |group| group.name.clone()) };
        let inverse = matrix.try_inverse().ok_or_else(last)?;
        let shift =
            DVector::from_iterator(coordinates, entries().map(|entry| -entry.constant).chain(free.iter().map(|_| 0.0)));
        let constants = &inverse * shift;
        let least = ZERO * inverse.amax();
        let row = |i: usize| Linear {
            terms: (0..coordinates).map(|k| (k, inverse[(i, k)])).filter(|(_, factor)| factor.abs() > least).collect(),
            constant: constants[i],
        };
        Ok(Self { rows: (0..coordinates).map(row).collect(), groups, free, satisfied })
    }

    /// Number of local coordinates.
    pub fn freedoms(&self) -> usize {
        self.turning() + self.free.len()
    }

    /// Number of local coordinates of the groups.
    pub(super) fn turning(&self) -> usize {
        self.groups.iter().map(Group::freedoms).sum()
    }

    /// The groups.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// Numbers of the constraints that hold by themselves.
    pub fn satisfied(&self) -> &[usize] {
        &self.satisfied
    }

    /// The coordinates that are their own local coordinates; these come last.
    pub(super) fn free(&self) -> &[usize] {
        &self.free
    }

    /// Place among the local coordinates of a coordinate that is one of them.
    pub(super) fn place(&self, coordinate: usize) -> Option<usize> {
        self.free.iter().position(|i| *i == coordinate).map(|k| self.turning() + k)
    }

    /// The groups that a coordinate follows from, by number.
    pub(super) fn behind(&self, coordinate: usize) -> Vec<usize> {
        let mut first = 0;
        let uses = |group: &Group| {
            let range = first..first + group.entries.len();
            first = range.end;
            self.rows[coordinate].terms.iter().any(|(k, _)| range.contains(k))
        };
        self.groups.iter().map(uses).enumerate().filter_map(|(g, uses)| uses.then_some(g)).collect()
    }

    /// Names of the local coordinates.
    pub(super) fn names(&self, coordinates: &[String]) -> Vec<String> {
        let of = |group: &Group| {
            let name = group.name.clone();
            (1..=group.freedoms()).map(move |i| format!("turn {i} of {name}"))
        };
        self.groups.iter().flat_map(of).chain(self.free.iter().map(|i| coordinates[*i].clone())).collect()
    }

    /// How many numbers a reference point has.
    pub(super) fn numbers(&self) -> usize {
        self.groups.iter().map(Group::numbers).sum()
    }

    /// The numbers of the reference point nearest to a configuration. Bases follow those of the point before, so that they
    /// turn as little as possible; a group that has no direction takes that of the point before.
    pub(super) fn reference(&self, q: &[f64], before: Option<&[f64]>) -> Vec<f64> {
        let mut numbers = Vec::with_capacity(self.numbers());
        for group in &self.groups {
            let value = |entry: &Linear| entry.constant + entry.terms.iter().map(|(i, a)| a * q[*i]).sum::<f64>();
            let y: Vec<f64> = group.entries.iter().map(value).collect();
            let before = before.map(|before| &before[numbers.len()..numbers.len() + group.numbers()]);
            numbers.extend(match group.manifold {
                Manifold::Sphere(_) => frames::sphere(&y, before),
                Manifold::Rotation => frames::rotation(&y, before),
            });
        }
        numbers
    }

    /// q as a function of the local coordinates near a reference point.
    pub(super) fn configuration<'g>(&self, graph: &'g Graph, f: &[Expr<'g>], numbers: &[Expr<'g>]) -> Vec<Expr<'g>> {
        let (mut f, mut numbers) = (f.iter().copied(), numbers.iter().copied());
        let mut z = Vec::new();
        for group in &self.groups {
            let own: Vec<Expr<'g>> = f.by_ref().take(group.freedoms()).collect();
            let at: Vec<Expr<'g>> = numbers.by_ref().take(group.numbers()).collect();
            z.extend(match group.manifold {
                Manifold::Sphere(radius) => frames::on_sphere(graph, radius, &own, &at),
                Manifold::Rotation => frames::rotated(graph, &own, &at),
            });
        }
        z.extend(f);
        let row = |row: &Linear| {
            let terms = row.terms.iter().map(|(k, factor)| *factor * z[*k]);
            graph.sum(terms.chain([graph.constant(row.constant)]))
        };
        self.rows.iter().map(row).collect()
    }

    /// Inputs f, then the numbers of the reference point; rows q.
    pub(super) fn program(&self) -> Program {
        let graph = Graph::new();
        let f: Vec<Expr<'_>> = (0..self.freedoms())
            .map(|i| graph.variable(format!("f{i}"), 0.0, f64::NEG_INFINITY, f64::INFINITY))
            .collect();
        let numbers: Vec<Expr<'_>> = (0..self.numbers()).map(|i| graph.parameter(format!("n{i}"))).collect();
        for (i, q) in self.configuration(&graph, &f, &numbers).into_iter().enumerate() {
            graph.subject_to(format!("q{i}"), q, 0.0, 0.0);
        }
        graph.build()
    }
}

/// A chart in numbers.
pub(super) struct Evaluated {
    program: Program,
    x: Vec<f64>,
    q: Vec<f64>,
    jacobian: Vec<f64>,
}

impl Evaluated {
    pub fn new(chart: &Chart) -> Self {
        let program = chart.program();
        let (q, jacobian) = (vec![0.0; program.bounds().rows()], vec![0.0; program.jacobian_pattern().nnz()]);
        Self { program, x: Vec::new(), q, jacobian }
    }

    /// The configuration.
    pub fn configuration(&mut self, f: &[f64], numbers: &[f64]) -> Result<&[f64], EvalFailure> {
        self.x.clear();
        self.x.extend(f.iter().chain(numbers));
        self.program.constraints(&self.x, &mut self.q)?;
        Ok(&self.q)
    }

    /// The null-space matrix P = ∂q/∂f.
    pub fn null_space(&mut self, f: &[f64], numbers: &[f64]) -> Result<DMatrix<f64>, EvalFailure> {
        self.configuration(f, numbers)?;
        self.program.jacobian(&self.x, &mut self.jacobian)?;
        let pattern = self.program.jacobian_pattern();
        let mut matrix = DMatrix::zeros(self.q.len(), f.len());
        for col in 0..f.len() {
            for entry in pattern.column(col) {
                matrix[(pattern.row_idx()[entry], col)] = self.jacobian[entry];
            }
        }
        Ok(matrix)
    }
}

fn check(group: &Group, coordinates: usize) -> Result<(), ChartError> {
    let (name, given) = (group.name.clone(), group.entries.len());
    match group.manifold {
        Manifold::Sphere(radius) if !(radius > 0.0 && radius.is_finite()) => {
            return Err(ChartError::Radius { name, radius });
        }
        Manifold::Sphere(_) if given < 2 => {
            return Err(ChartError::Count { name, given, expected: "at least two are needed" });
        }
        Manifold::Rotation if given != 9 => return Err(ChartError::Count { name, given, expected: "nine are needed" }),
        _ => {}
    }
    let wrong = |entry: &Linear| {
        !entry.constant.is_finite() || entry.terms.iter().any(|(i, factor)| *i >= coordinates || !factor.is_finite())
    };
    if group.entries.iter().any(wrong) {
        return Err(ChartError::Expression { name, count: coordinates });
    }
    Ok(())
}

/// Columns by which the first rows of a matrix can be solved; the first row that follows from those before it otherwise.
fn pivots(matrix: &DMatrix<f64>, rows: usize) -> Result<Vec<usize>, usize> {
    let mut left = matrix.rows(0, rows).into_owned();
    let mut taken = Vec::new();
    for row in 0..rows {
        let size = matrix.row(row).amax();
        // Of equal entries the last one is taken, so that of a difference the first coordinate stays free.
        let largest = (0..left.ncols()).max_by(|a, b| left[(row, *a)].abs().total_cmp(&left[(row, *b)].abs()));
        let column = largest.filter(|column| left[(row, *column)].abs() > INDEPENDENT * size).ok_or(row)?;
        for below in row + 1..rows {
            let factor = left[(below, column)] / left[(row, column)];
            for col in 0..left.ncols() {
                left[(below, col)] -= factor * left[(row, col)];
            }
            left[(below, column)] = 0.0;
        }
        taken.push(column);
    }
    Ok(taken)
}

#[cfg(test)]
mod tests;
