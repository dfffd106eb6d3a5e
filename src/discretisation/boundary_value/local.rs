//! The equations of one instant, with stresses as unknowns that are condensed away.
//!
//! With directions (w, a) for (q, v) and φ = ∂L/∂q · w + ∂L/∂v · a + ∂L/∂t the rate of momentum is ∂φ/∂v at w = v: two passes of
//! reverse accumulation instead of one for each coordinate.
//!
//! Stresses σ of elements whose energy is quadratic enter by Hellinger and Reissner's form, r_σ = ∂L/∂σ = b(q) + A σ = 0 with
//! constant A. Elimination leaves r(q, σ*(q)) with σ* = −A⁻¹b, as without them; but the second derivatives are taken at stresses
//! that follow from those of the last point along the tangent, σ* + S δq with S = −A⁻¹ ∂b/∂q. A rod that is bent in a Newton
//! step is stretched by it to second order, and the stretch would dominate everything if its stress were believed (Magisano,
//! Leonetti and Garcea 2017).

use std::collections::BTreeMap;

use nalgebra::{DMatrix, DVector};

use crate::discretisation::index::ServoProblem;
use crate::discretisation::transcription::At;
use crate::nlp::graph::{Expr, Graph, Program};
use crate::nlp::{EvalFailure, Nlp};

/// Numbers of unknowns of an instant.
#[derive(Debug, Clone, Copy)]
pub struct Sizes {
    pub coordinates: usize,
    pub multipliers: usize,
    pub controls: usize,
    pub stresses: usize,
}

impl Sizes {
    /// Coordinates, multipliers and controls.
    pub fn unknowns(self) -> usize {
        self.coordinates + self.multipliers + self.controls
    }

    /// First place among the variables of the program: of q, v, w, a, λ and u, σ, t.
    fn first(self, what: Variable) -> usize {
        let n = self.coordinates;
        match what {
            Variable::Place => 0,
            Variable::Rate => n,
            Variable::Direction => 2 * n,
            Variable::Acceleration => 3 * n,
            Variable::Force => 4 * n,
            Variable::Stress => 4 * n + self.multipliers + self.controls,
            Variable::Time => 4 * n + self.multipliers + self.controls + self.stresses,
        }
    }
}

#[derive(Debug, Clone, Copy)]
enum Variable {
    Place,
    Rate,
    Direction,
    Acceleration,
    Force,
    Stress,
    Time,
}

/// What a row is differentiated by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    /// Unknowns of the instant itself.
    Unknown,
    /// Velocities.
    Rate,
    /// Accelerations.
    Acceleration,
}

/// A derivative of a row that stays.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub row: usize,
    pub column: usize,
    pub by: By,
    /// Its place among the derivatives of the program.
    place: usize,
}

/// Stresses that depend on each other, and what they touch.
#[derive(Debug, Clone)]
pub(super) struct Part {
    stresses: Vec<usize>,
    /// Coordinates that strain it.
    pub columns: Vec<usize>,
    /// Rows it acts on.
    pub rows: Vec<usize>,
    /// Derivatives (place, i, j) of the stress rows by coordinates, and of the other rows by stresses.
    strained: Vec<(usize, usize, usize)>,
    acting: Vec<(usize, usize, usize)>,
    /// A⁻¹.
    inverse: DMatrix<f64>,
}

/// A term of a condition Bᵀ(q − q₀) = 0 in place of an output: the control becomes the force of a brake.
#[derive(Debug, Clone, Copy)]
pub struct Brake {
    /// The row it stands in.
    pub row: usize,
    /// The coordinate.
    pub column: usize,
    /// Its entry of B.
    pub share: f64,
    /// q₀.
    pub place: f64,
}

/// State of an instant.
#[derive(Debug, Clone, Copy)]
pub struct State<'a> {
    pub t: f64,
    pub v: &'a [f64],
    pub a: &'a [f64],
    /// Coordinates, multipliers, controls.
    pub x: &'a [f64],
}

/// Where an instant was differentiated last.
#[derive(Debug, Clone, Default)]
pub(super) struct Memory {
    q: Vec<f64>,
    stresses: Vec<f64>,
    /// S of each part.
    tangents: Vec<DMatrix<f64>>,
}

/// The equations of an instant.
pub struct Local {
    program: Program,
    pub sizes: Sizes,
    inputs: Vec<f64>,
    rows: Vec<f64>,
    jacobian: Vec<f64>,
    pub(super) entries: Vec<Entry>,
    pub(super) parts: Vec<Part>,
    /// Products J S of the last point, part by part: rows × columns.
    pub(super) condensed: Vec<DMatrix<f64>>,
    pub row_names: Vec<String>,
    pub unknown_names: Vec<String>,
}

impl Local {
    pub fn new(problem: &ServoProblem) -> Result<Self, EvalFailure> {
        let graph = Graph::new();
        let mechanics = &problem.mechanics;
        let (names, controls, stresses) = (mechanics.coordinates(), mechanics.controls(), mechanics.stresses());
        let input = |name: String| graph.variable(name, 0.0, f64::NEG_INFINITY, f64::INFINITY);
        let list = |kind: &str| names.iter().map(|name| input(format!("{kind}{name}"))).collect::<Vec<Expr<'_>>>();
        let (q, v, w, a) = (list(""), list("velocity of "), list("direction of "), list("acceleration of "));
        // The number of constraints is known only once they are written.
        let zero = graph.constant(0.0);
        let still = At { graph: &graph, q: q.clone(), v: v.clone(), u: vec![zero; controls.len()], t: zero };
        let constraints: Vec<String> = mechanics.constraints(&still).into_iter().map(|(name, _)| name).collect();
        let multipliers: Vec<Expr<'_>> = constraints.iter().map(|name| input(format!("force of the {name}"))).collect();
        let u: Vec<Expr<'_>> = controls.iter().map(|name| input(name.clone())).collect();
        let sigma: Vec<Expr<'_>> = stresses.iter().map(|name| input(name.clone())).collect();
        let t = graph.parameter("t");
        let at = At { graph: &graph, q: q.clone(), v: v.clone(), u, t };
        let lagrangian = mechanics.mixed_lagrangian(&at, &sigma);
        let by: Vec<Expr<'_>> = q.iter().chain(&v).chain([&t]).copied().collect();
        let slopes = graph.gradient(lagrangian, &by);
        let one = graph.constant(1.0);
        let along = slopes.iter().zip(w.iter().chain(&a).chain([&one])).map(|(slope, along)| *slope * *along);
        let change = graph.sum(along.collect::<Vec<_>>());
        let rates = graph.gradient(change, &v);
        let joints = mechanics.constraints(&at);
        let reactions: Vec<Vec<Expr<'_>>> = joints.iter().map(|(_, g)| graph.gradient(*g, &q)).collect();
        let forces = mechanics.forces(&at);
        let mut row_names = Vec::new();
        for (i, name) in names.iter().enumerate() {
            let pulls = reactions.iter().zip(&multipliers).map(|(g, l)| g[i] * *l);
            let total = graph.sum([slopes[i], forces[i]].into_iter().chain(pulls).collect::<Vec<_>>());
            graph.subject_to(format!("equation of motion of {name}"), rates[i] - total, 0.0, 0.0);
            row_names.push(format!("equation of motion of {name}"));
        }
        for (name, g) in joints {
            graph.subject_to(name.clone(), g, 0.0, 0.0);
            row_names.push(name);
        }
        for output in &problem.outputs {
            let name = format!("servo output {}", output.name);
            graph.subject_to(name.clone(), (output.output)(&at) - (output.path)(&at), 0.0, 0.0);
            row_names.push(name);
        }
        for (name, row) in stresses.iter().zip(graph.gradient(lagrangian, &sigma)) {
            graph.subject_to(format!("strain of {name}"), row, 0.0, 0.0);
        }
        let program = graph.build();
        let sizes = Sizes {
            coordinates: names.len(),
            multipliers: constraints.len(),
            controls: controls.len(),
            stresses: stresses.len(),
        };
        let forces = constraints.iter().map(|name| format!("force of the {name}"));
        let mut local = Self {
            inputs: vec![0.0; program.bounds().variables()],
            rows: vec![0.0; program.bounds().rows()],
            jacobian: vec![0.0; program.jacobian_pattern().nnz()],
            program,
            sizes,
            entries: Vec::new(),
            parts: Vec::new(),
            condensed: Vec::new(),
            row_names,
            unknown_names: names.iter().cloned().chain(forces).chain(controls).collect(),
        };
        local.sort(&problem.reference)?;
        Ok(local)
    }

    /// Sorts the derivatives of the program by what they are of, and inverts A.
    fn sort(&mut self, reference: &[f64]) -> Result<(), EvalFailure> {
        let sizes = self.sizes;
        self.inputs[..sizes.coordinates].copy_from_slice(reference);
        self.program.jacobian(&self.inputs, &mut self.jacobian)?;
        let pattern = self.program.jacobian_pattern();
        let (outer, n) = (sizes.unknowns(), sizes.coordinates);
        let [rate, direction, acceleration, force, stress, time] = [
            Variable::Rate,
            Variable::Direction,
            Variable::Acceleration,
            Variable::Force,
            Variable::Stress,
            Variable::Time,
        ]
        .map(|what| sizes.first(what));
        let mut root: Vec<usize> = (0..sizes.stresses).collect();
        let (mut strained, mut acting, mut own) = (Vec::new(), Vec::new(), Vec::new());
        for col in 0..time {
            for place in pattern.column(col) {
                let row = pattern.row_idx()[place];
                let entry = |column: usize, by: By| Entry { row, column, by, place };
                match (row.checked_sub(outer), col) {
                    (None, col) if col < rate => self.entries.push(entry(col, By::Unknown)),
                    (None, col) if col < direction => self.entries.push(entry(col - rate, By::Rate)),
                    (None, col) if col < acceleration => self.entries.push(entry(col - direction, By::Rate)),
                    (None, col) if col < force => self.entries.push(entry(col - acceleration, By::Acceleration)),
                    (None, col) if col < stress => self.entries.push(entry(n + col - force, By::Unknown)),
                    (None, col) => acting.push((place, row, col - stress)),
                    (Some(row), col) if col < rate => strained.push((place, row, col)),
                    (Some(row), col) if col >= stress => {
                        own.push((place, row, col - stress));
                        join(&mut root, row, col - stress);
                    }
                    // Strains depend on places alone.
                    (Some(_), _) => {}
                }
            }
        }
        let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for stress in 0..sizes.stresses {
            let group = find(&root, stress);
            groups.entry(group).or_default().push(stress);
        }
        for stresses in groups.into_values() {
            let place_of = |list: &[usize], what: usize| list.iter().position(|other| *other == what);
            let sorted = |mut list: Vec<usize>| {
                list.sort_unstable();
                list.dedup();
                list
            };
            let in_part = |stress: &usize| stresses.contains(stress);
            let strained: Vec<_> = strained.iter().filter(|(_, row, _)| in_part(row)).collect();
            let acting: Vec<_> = acting.iter().filter(|(_, _, stress)| in_part(stress)).collect();
            let columns = sorted(strained.iter().map(|(_, _, column)| *column).collect());
            let rows = sorted(acting.iter().map(|(_, row, _)| *row).collect());
            let mut matrix = DMatrix::zeros(stresses.len(), stresses.len());
            for (place, row, column) in &own {
                if let (Some(i), Some(j)) = (place_of(&stresses, *row), place_of(&stresses, *column)) {
                    matrix[(i, j)] += self.jacobian[*place];
                }
            }
            let Some(inverse) = matrix.try_inverse() else {
                let place = self.program.row_name(outer + stresses[0]);
                return Err(EvalFailure { place, reason: "its compliance is singular".into() });
            };
            let numbered = |list: Vec<&(usize, usize, usize)>, rows: &[usize], columns: &[usize]| {
                let numbers = list.into_iter().filter_map(|(place, row, column)| {
                    Some((*place, place_of(rows, *row)?, place_of(columns, *column)?))
                });
                numbers.collect::<Vec<_>>()
            };
            let strained = numbered(strained, &stresses, &columns);
            let acting = numbered(acting, &rows, &stresses);
            self.condensed.push(DMatrix::zeros(rows.len(), columns.len()));
            self.parts.push(Part { stresses, columns, rows, strained, acting, inverse });
        }
        Ok(())
    }

    fn write(&mut self, state: State<'_>) {
        let (sizes, n) = (self.sizes, self.sizes.coordinates);
        let mut put = |what: Variable, values: &[f64]| {
            let first = sizes.first(what);
            self.inputs[first..first + values.len()].copy_from_slice(values);
        };
        put(Variable::Place, &state.x[..n]);
        put(Variable::Rate, state.v);
        put(Variable::Direction, state.v);
        put(Variable::Acceleration, state.a);
        put(Variable::Force, &state.x[n..]);
        put(Variable::Time, &[state.t]);
    }

    /// Replaces the stresses of the inputs by those of the strains, and leaves all rows at these.
    fn relax(&mut self) -> Result<(), EvalFailure> {
        self.program.constraints(&self.inputs, &mut self.rows)?;
        if self.parts.is_empty() {
            return Ok(());
        }
        let (outer, first) = (self.sizes.unknowns(), self.sizes.first(Variable::Stress));
        for part in &self.parts {
            let left = DVector::from_iterator(part.stresses.len(), part.stresses.iter().map(|i| self.rows[outer + i]));
            for (stress, change) in part.stresses.iter().zip((&part.inverse * left).iter()) {
                self.inputs[first + stress] -= change;
            }
        }
        self.program.constraints(&self.inputs, &mut self.rows)
    }

    /// Writes the rows of an instant.
    pub fn residual(&mut self, state: State<'_>, out: &mut [f64]) -> Result<(), EvalFailure> {
        self.write(state);
        self.relax()?;
        out.copy_from_slice(&self.rows[..self.sizes.unknowns()]);
        Ok(())
    }

    /// Differentiates the rows of an instant at stresses that follow from what is remembered, and remembers this instant.
    pub(super) fn linearise(&mut self, state: State<'_>, memory: &mut Memory) -> Result<(), EvalFailure> {
        self.write(state);
        self.relax()?;
        let (n, first) = (self.sizes.coordinates, self.sizes.first(Variable::Stress));
        let exact = self.inputs[first..first + self.sizes.stresses].to_vec();
        if memory.q.len() == n {
            for (part, tangent) in self.parts.iter().zip(&memory.tangents) {
                let moved = part.columns.iter().map(|column| state.x[*column] - memory.q[*column]);
                let change = tangent * DVector::from_iterator(part.columns.len(), moved);
                for (stress, change) in part.stresses.iter().zip(change.iter()) {
                    self.inputs[first + stress] = memory.stresses[*stress] + change;
                }
            }
        }
        self.program.jacobian(&self.inputs, &mut self.jacobian)?;
        memory.q = state.x[..n].to_vec();
        memory.stresses = exact;
        memory.tangents.resize(self.parts.len(), DMatrix::zeros(0, 0));
        for ((part, condensed), kept) in self.parts.iter().zip(&mut self.condensed).zip(&mut memory.tangents) {
            let mut strains = DMatrix::zeros(part.stresses.len(), part.columns.len());
            for (place, i, j) in &part.strained {
                strains[(*i, *j)] += self.jacobian[*place];
            }
            let tangent = -(&part.inverse * strains);
            let mut acting = DMatrix::zeros(part.rows.len(), part.stresses.len());
            for (place, i, j) in &part.acting {
                acting[(*i, *j)] += self.jacobian[*place];
            }
            condensed.copy_from(&(acting * &tangent));
            *kept = tangent;
        }
        Ok(())
    }

    /// Brakes on what the controls move, where it is.
    pub fn brakes(&mut self, t: f64, x: &[f64]) -> Result<Vec<Brake>, EvalFailure> {
        let n = self.sizes.coordinates;
        let still = vec![0.0; n];
        self.linearise(State { t, v: &still, a: &still, x }, &mut Memory::default())?;
        let first = n + self.sizes.multipliers;
        let drives = self.entries.iter().filter(|entry| entry.by == By::Unknown && entry.column >= first);
        let brake = |entry: &Entry| Brake {
            row: entry.column,
            column: entry.row,
            share: self.value(entry),
            place: x[entry.row],
        };
        Ok(drives.map(brake).collect())
    }

    /// A derivative of the last instant that was differentiated.
    pub(super) fn value(&self, entry: &Entry) -> f64 {
        self.jacobian[entry.place]
    }
}

fn find(root: &[usize], mut item: usize) -> usize {
    while root[item] != item {
        item = root[item];
    }
    item
}

fn join(root: &mut [usize], a: usize, b: usize) {
    let (a, b) = (find(root, a), find(root, b));
    root[a.max(b)] = a.min(b);
}
