//! Configurations that satisfy the joints and what is wished of them.
//!
//! Wishes and constraints are equations r(q) = 0, solved by Gauss-Newton steps of least length from a configuration nearby:
//! Δq = −Jᵀ(J Jᵀ + ε)⁻¹ r. What they leave open changes as little as possible.

use nalgebra::{DMatrix, DVector};
use thiserror::Error;

use super::view::View;
use super::{Multibody, MultibodyError, Row};
use crate::discretisation::transcription::{At, Mechanics};
use crate::geometry::Quaternion;
use crate::geometry::algebra::{imaginary, relative};
use crate::nlp::graph::{Expr, Graph, Program};
use crate::nlp::{EvalFailure, Nlp};

/// Violation at which a configuration is taken to satisfy its equations.
const TOLERANCE: f64 = 1e-11;
const MAX_ITERATIONS: usize = 60;
const MAX_HALVINGS: usize = 10;
/// Relative regularisation of J Jᵀ, so that equations which repeat each other do no harm.
const REGULARISATION: f64 = 1e-14;
/// Relative size of singular values that count.
const RANK: f64 = 1e-9;
/// Parts into which the way from one configuration to another is cut.
const PARTS: usize = 32;

/// Something wished of a configuration.
#[derive(Debug, Clone, PartialEq)]
pub enum Wish {
    /// The value of a coordinate, by its number.
    Coordinate(usize, f64),
    /// The value of a quantity, by its number in [`Multibody::quantity_names`].
    Quantity(usize, f64),
    /// The orientation of a frame, by its number in [`Multibody::oriented`].
    Orientation(usize, Quaternion),
    /// A rod in its reference shape, carried along, by its number in [`Multibody::rod_names`]; a string keeps its direction.
    Undeformed(usize),
}

impl Wish {
    /// Number of values the wish aims at.
    fn targets(&self) -> usize {
        match self {
            Wish::Coordinate(..) | Wish::Quantity(..) => 1,
            Wish::Orientation(..) => 4,
            Wish::Undeformed(_) => 0,
        }
    }
}

/// Why there is no such configuration.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ConfigurationError {
    /// The equations contradict each other, as far as the search shows.
    #[error("no configuration satisfies the joints and all that is wished: the {row} is missed by {by:.3e}")]
    Contradiction {
        /// The equation that is violated most.
        row: String,
        /// By how much.
        by: f64,
    },
    /// They have no value.
    #[error("the configuration cannot be evaluated: {0}")]
    Evaluation(#[from] EvalFailure),
}

/// A configuration that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Configuration {
    /// Coordinates.
    pub q: Vec<f64>,
    /// Whether the wishes and the joints leave nothing open.
    pub determined: bool,
}

/// The equations of some wishes; their inputs are the coordinates, what the wishes aim at, and the time.
struct Equations {
    program: Program,
    names: Vec<String>,
    coordinates: usize,
}

impl Equations {
    fn new(body: &Multibody, wishes: &[Wish]) -> Self {
        let graph = Graph::new();
        let input = |name: String| graph.variable(name, 0.0, f64::NEG_INFINITY, f64::INFINITY);
        let names = body.coordinates();
        let q: Vec<Expr<'_>> = names.iter().map(|name| input(name.clone())).collect();
        let targets: Vec<Vec<Expr<'_>>> =
            wishes.iter().map(|wish| (0..wish.targets()).map(|i| input(format!("target {i}"))).collect()).collect();
        let zeros = |count: usize| vec![graph.constant(0.0); count];
        let t = graph.parameter("t");
        let at = At { graph: &graph, v: zeros(q.len()), u: zeros(body.controls.len()), t, q: q.clone() };
        let view = View::new(body, &at);
        let mut rows: Vec<(String, Expr<'_>)> = body.constraints(&at);
        for (wish, targets) in wishes.iter().zip(&targets) {
            match wish {
                Wish::Coordinate(index, _) => rows.push((names[*index].clone(), q[*index] - targets[0])),
                Wish::Quantity(index, _) => {
                    let (name, quantity) = &body.quantities[*index];
                    rows.push((name.clone(), quantity.value(&view) - targets[0]));
                }
                Wish::Orientation(index, _) => {
                    let (name, placed) = &body.orientations[*index];
                    let target = [targets[0], targets[1], targets[2], targets[3]];
                    let off = imaginary(relative(target, view.nodes().turn(placed)));
                    rows.extend(off.map(|part| (format!("orientation of {name}"), part)));
                }
                Wish::Undeformed(rod) => {
                    let of_rod = body.assembly.elements.iter().filter(|element| element.rod == Some(*rod));
                    for row in of_rod.flat_map(|element| view.deformation(element)) {
                        rows.push((format!("shape of {}", body.rods[*rod]), row));
                    }
                }
            }
        }
        rows.iter().for_each(|(name, row)| graph.subject_to(name.clone(), *row, 0.0, 0.0));
        let names = rows.into_iter().map(|(name, _)| name).collect();
        Self { program: graph.build(), names, coordinates: q.len() }
    }

    /// Targets end with the time.
    fn residual(&mut self, q: &[f64], targets: &[f64]) -> Result<DVector<f64>, EvalFailure> {
        let mut rows = vec![0.0; self.names.len()];
        self.program.constraints(&[q, targets].concat(), &mut rows)?;
        Ok(DVector::from_vec(rows))
    }

    /// Derivatives by the coordinates.
    fn jacobian(&mut self, q: &[f64], targets: &[f64]) -> Result<DMatrix<f64>, EvalFailure> {
        let mut values = vec![0.0; self.program.jacobian_pattern().nnz()];
        self.program.jacobian(&[q, targets].concat(), &mut values)?;
        let pattern = self.program.jacobian_pattern();
        let mut matrix = DMatrix::zeros(self.names.len(), self.coordinates);
        for column in 0..self.coordinates {
            for entry in pattern.column(column) {
                matrix[(pattern.row_idx()[entry], column)] = values[entry];
            }
        }
        Ok(matrix)
    }

    /// A configuration that satisfies the equations, from one nearby.
    fn solve(&mut self, from: &[f64], targets: &[f64]) -> Result<Vec<f64>, ConfigurationError> {
        let (q, rows) = self.approach(from, targets)?;
        // Rounding may be all that is left.
        if rows.amax() <= 1e3 * TOLERANCE {
            return Ok(q);
        }
        let worst = (0..rows.len()).max_by(|a, b| rows[*a].abs().total_cmp(&rows[*b].abs())).unwrap_or(0);
        Err(ConfigurationError::Contradiction { row: self.names[worst].clone(), by: rows[worst].abs() })
    }

    /// As near as steps come to satisfying the equations, and what is left of them.
    fn approach(&mut self, from: &[f64], targets: &[f64]) -> Result<(Vec<f64>, DVector<f64>), EvalFailure> {
        let mut q = from.to_vec();
        let mut rows = self.residual(&q, targets)?;
        for _ in 0..MAX_ITERATIONS {
            if rows.amax() <= TOLERANCE {
                break;
            }
            let jacobian = self.jacobian(&q, targets)?;
            let mut normal = &jacobian * jacobian.transpose();
            let shift = REGULARISATION * normal.diagonal().amax().max(f64::MIN_POSITIVE);
            (0..normal.nrows()).for_each(|i| normal[(i, i)] += shift);
            let Some(factor) = normal.cholesky() else { break };
            let step = jacobian.tr_mul(&factor.solve(&rows));
            let mut share = 1.0;
            let mut accepted = false;
            for _ in 0..MAX_HALVINGS {
                let trial: Vec<f64> = q.iter().zip(step.iter()).map(|(q, step)| q - share * step).collect();
                if let Ok(next) = self.residual(&trial, targets)
                    && (next.norm() < rows.norm() || next.amax() <= TOLERANCE)
                {
                    (q, rows, accepted) = (trial, next, true);
                    break;
                }
                share *= 0.5;
            }
            if !accepted {
                break;
            }
        }
        Ok((q, rows))
    }
}

/// Number of singular values that count.
fn rank(matrix: DMatrix<f64>) -> usize {
    let values = matrix.singular_values();
    let largest = values.iter().copied().fold(0.0, f64::max);
    values.iter().filter(|value| **value > RANK * largest).count()
}

impl Multibody {
    /// Expressions of a configuration at rest at a time, evaluated.
    pub(super) fn evaluate(
        &self,
        q: &[f64],
        t: f64,
        of: impl for<'g> FnOnce(&View<'_, 'g>) -> Vec<Expr<'g>>,
    ) -> Result<Vec<f64>, EvalFailure> {
        let graph = Graph::new();
        let coordinates = self.coordinates().into_iter();
        let list: Vec<Expr<'_>> =
            coordinates.map(|name| graph.variable(name, 0.0, f64::NEG_INFINITY, f64::INFINITY)).collect();
        let zeros = |count: usize| vec![graph.constant(0.0); count];
        let at = At { graph: &graph, v: zeros(q.len()), u: zeros(self.controls.len()), t: graph.constant(t), q: list };
        let found = of(&View::new(self, &at));
        found.iter().for_each(|value| graph.subject_to("value", *value, 0.0, 0.0));
        let mut values = vec![0.0; found.len()];
        graph.build().constraints(q, &mut values)?;
        Ok(values)
    }

    /// Refuses joints that repeat each other in the reference configuration, and those that leave nothing free.
    pub(super) fn check_rows(&self) -> Result<(), MultibodyError> {
        let mut equations = Equations::new(self, &[]);
        let matrix =
            equations.jacobian(&self.reference(), &[0.0]).map_err(|e| MultibodyError::Evaluation(e.to_string()))?;
        // Rows in order, each made perpendicular to those before it, twice against rounding.
        let mut basis: Vec<DVector<f64>> = Vec::new();
        for (index, row) in matrix.row_iter().enumerate() {
            let own: DVector<f64> = row.transpose();
            let mut left = own.clone();
            for _ in 0..2 {
                for known in &basis {
                    let part = known.dot(&left);
                    left.axpy(-part, known, 1.0);
                }
            }
            if !(left.norm() > RANK * own.norm()) {
                let (name, row) = &self.rows[index];
                return Err(MultibodyError::Redundant { row: name.clone(), part: row.part(&self.assembly) });
            }
            basis.push(left.normalize());
        }
        if self.rows.len() >= equations.coordinates { Err(MultibodyError::Rigid) } else { Ok(()) }
    }

    /// The configuration nearest to another, in steps, that satisfies wishes. The time goes from the first instant to the second.
    pub fn configure(
        &self,
        from: &[f64],
        wishes: &[Wish],
        times: [f64; 2],
    ) -> Result<Configuration, ConfigurationError> {
        let mut equations = Equations::new(self, wishes);
        let way = Way { wishes, begin: self.values(from, wishes, times[0])?, times };
        let mut q = from.to_vec();
        for part in 1..PARTS {
            // What lies on a straight line may be out of reach, and the end of the line within it.
            q = equations.approach(&q, &way.targets(part as f64 / PARTS as f64))?.0;
        }
        let targets = way.targets(1.0);
        let q = equations.solve(&q, &targets).or_else(|error| equations.solve(from, &targets).map_err(|_| error))?;
        let determined = rank(equations.jacobian(&q, &way.targets(1.0))?) == q.len();
        Ok(Configuration { q, determined })
    }

    /// Configurations from one to another at equal shares, along which all wishes of the last change evenly and the joints
    /// hold.
    pub fn way(
        &self,
        from: &[f64],
        wishes: &[Wish],
        times: [f64; 2],
        parts: usize,
    ) -> Result<Vec<Vec<f64>>, ConfigurationError> {
        let mut equations = Equations::new(self, wishes);
        let way = Way { wishes, begin: self.values(from, wishes, times[0])?, times };
        let mut found = vec![from.to_vec()];
        for part in 1..=parts {
            let q = equations.solve(&found[part - 1], &way.targets(part as f64 / parts as f64))?;
            found.push(q);
        }
        Ok(found)
    }

    /// Configurations at equal shares near the straight line between two, at which the joints hold if they can.
    pub fn straight_way(&self, from: &[f64], to: &[f64], times: [f64; 2], parts: usize) -> Vec<Vec<f64>> {
        let mut equations = Equations::new(self, &[]);
        let at = |part: usize| {
            let share = part as f64 / parts as f64;
            let mut q: Vec<f64> = from.iter().zip(to).map(|(a, b)| a + share * (b - a)).collect();
            self.normalise(&mut q);
            equations.solve(&q, &[times[0] + share * (times[1] - times[0])]).unwrap_or(q)
        };
        (0..=parts).map(at).collect()
    }

    /// What wishes aim at, as it is in a configuration.
    fn values(&self, q: &[f64], wishes: &[Wish], t: f64) -> Result<Vec<f64>, EvalFailure> {
        let quantities = self.quantities_at(q, t)?;
        let whole = self.whole(q, t);
        let of = |wish: &Wish| match wish {
            Wish::Coordinate(index, _) => vec![q[*index]],
            Wish::Quantity(index, _) => vec![quantities[*index]],
            Wish::Orientation(index, _) => {
                self.orientations[*index].1.pose(&self.assembly.layout, &whole).orientation.to_array().to_vec()
            }
            Wish::Undeformed(_) => Vec::new(),
        };
        Ok(wishes.iter().flat_map(of).collect())
    }

    /// Makes quaternions of unit length again, in place.
    pub fn normalise(&self, q: &mut [f64]) {
        for (_, row) in &self.rows {
            if let Row::Unit(node) = row {
                let Some(first) = self.places[self.assembly.layout.coordinate(*node) + 3] else { continue };
                let unit = Quaternion::from_slice(&q[first..]).normalised().to_array();
                q[first..first + 4].copy_from_slice(&unit);
            }
        }
    }
}

/// The way of the wishes from what they begin at.
struct Way<'a> {
    wishes: &'a [Wish],
    begin: Vec<f64>,
    times: [f64; 2],
}

/// The quaternion on the side of another.
fn beside(p: Quaternion, other: Quaternion) -> Quaternion {
    if p.to_vector().dot(&other.to_vector()) < 0.0 { p * -1.0 } else { p }
}

impl Way<'_> {
    /// What the wishes aim at after a share of the way, numbers on straight lines and orientations on great circles; then the
    /// time.
    fn targets(&self, share: f64) -> Vec<f64> {
        let mut targets = Vec::with_capacity(self.begin.len());
        let mut place = 0;
        for wish in self.wishes {
            let begin = &self.begin[place..place + wish.targets()];
            place += wish.targets();
            match wish {
                Wish::Coordinate(_, value) | Wish::Quantity(_, value) => {
                    targets.push(begin[0] + share * (value - begin[0]));
                }
                Wish::Orientation(_, goal) => {
                    let first = Quaternion::from_slice(begin);
                    let turn = first.conjugate() * beside(*goal, first);
                    targets
                        .extend((first * Quaternion::from_rotation_vector(turn.rotation_vector() * share)).to_array());
                }
                Wish::Undeformed(_) => {}
            }
        }
        targets.push(self.times[0] + share * (self.times[1] - self.times[0]));
        targets
    }
}
