//! Space-time finite elements of rods in a row, solved layer by layer from the end that follows the path.
//!
//! Unknown at each node are position, orientation, velocity v and angular momentum π per length in space; hats φ_k of the
//! instants 1 … N test ẋ = v, ω = R J⁻¹Rᵀπ and the balances of momentum and of angular momentum. Orientations are
//! interpolated along shortest rotations; the rest is as in the plane, to which all of it reduces for plane motions.

mod attached;
mod equations;

use nalgebra::{Matrix3, SMatrix, SVector, Vector3, Vector6};

use super::{SpaceMotion, function, unfit};
use crate::discretisation::Window;
use crate::discretisation::chain::{Leg, RodChain};
use crate::discretisation::galerkin::space::{SpaceStrip, between, join};
use crate::discretisation::galerkin::{GAUSS, TimeElements};
use crate::discretisation::march::space::turning::{exponential, logarithm};
use crate::discretisation::march::space::{SpaceSection, Unfit};
use crate::mechanism::{Pose, Quaternion, RodLoads, RodPart, Side, StrainError};
use crate::results::Iteration;
use crate::solver::linear::BlockTridiagonal;
use crate::tasks::capability::{Feature, Way};
use crate::tasks::{Observer, TaskError};

/// Iterations per layer before giving up.
const MAX_ITERATIONS: usize = 40;
/// A relative correction below this ends the iteration.
const SETTLED: f64 = 1e-10;

/// What the finite elements give.
pub struct Layered {
    /// On the user's grid, at all nodes.
    pub motion: SpaceMotion,
    /// Worst residual and step over all layers, per iteration.
    pub iterations: Vec<Iteration>,
    /// Unknowns in all.
    pub unknowns: usize,
    /// What each drive applies at the instants of the user's grid, where it does not follow from the driven section.
    pub applied: Option<Vec<Vec<f64>>>,
}

/// One layer of nodes at all instants.
#[derive(Clone)]
struct Field {
    poses: Vec<Pose>,
    v: Vec<Vector3<f64>>,
    spin: Vec<Vector3<f64>>,
    /// J⁻¹ of the section there.
    per_inertia: Matrix3<f64>,
}

impl Field {
    /// R J⁻¹Rᵀ at an orientation.
    fn mobility(&self, orientation: Quaternion) -> Matrix3<f64> {
        mobility(&self.per_inertia, orientation)
    }
}

/// R J⁻¹Rᵀ.
pub fn mobility(per_inertia: &Matrix3<f64>, orientation: Quaternion) -> Matrix3<f64> {
    let r = orientation.matrix();
    r * per_inertia * r.transpose()
}

/// M v = D x with v = 0 at the first instant.
pub fn velocity(time: TimeElements, poses: &[Pose]) -> Vec<Vector3<f64>> {
    let x: Vec<Vector3<f64>> = poses.iter().map(|pose| pose.position).collect();
    let mut v = vec![Vector3::zeros(); x.len()];
    for (k, v) in v.iter_mut().enumerate().skip(1) {
        *v = time.apply(time.rate(k), k, &x);
    }
    time.solve_mass(&mut v);
    v
}

/// The rotation in space from instant k to the next.
fn turn(poses: &[Pose], k: usize) -> Vector3<f64> {
    let [a, b] = [k, k + 1].map(|k| poses[k].orientation);
    a.rotate(logarithm(a, b))
}

/// ∫φ (ω − R J⁻¹Rᵀπ) = 0 for π, which is zero at the first instant.
pub fn momentum(time: TimeElements, poses: &[Pose], per_inertia: &Matrix3<f64>) -> Result<Vec<Vector3<f64>>, String> {
    let steps = time.steps;
    let mut matrix = BlockTridiagonal::<3>::new(steps);
    let mut rhs = vec![SVector::<f64, 3>::zeros(); steps];
    for k in 0..steps {
        let turn = turn(poses, k) * 0.5;
        for row in [k, k + 1].into_iter().filter(|row| *row > 0) {
            rhs[row - 1] += turn;
        }
        for u in GAUSS {
            let mobility = mobility(per_inertia, between(&poses[k], &poses[k + 1], u).orientation);
            for (row, test) in [(k, 1.0 - u), (k + 1, u)].into_iter().filter(|(row, _)| *row > 0) {
                for (column, trial) in [(k, 1.0 - u), (k + 1, u)].into_iter().filter(|(column, _)| *column > 0) {
                    *block(&mut matrix, row, column) += mobility * (0.5 * time.dt * test * trial);
                }
            }
        }
    }
    let solved = matrix.factor().and_then(|()| matrix.solve(&mut rhs));
    solved.map_err(|error| error.to_string())?;
    Ok(std::iter::once(Vector3::zeros()).chain(rhs).collect())
}

/// A path imposed weakly: poses at the instants with ∫φ (x − γ) = 0 and ∫φ log(R R_γᵀ) = 0, of a motion of this size.
pub fn weakly(
    path: &dyn Fn(f64) -> Result<Pose, TaskError>,
    time: TimeElements,
    start: f64,
    size: f64,
) -> Result<Vec<Pose>, TaskError> {
    let mut failed = None;
    let instants = (0..=time.steps).map(|k| path(start + k as f64 * time.dt));
    let mut poses = instants.collect::<Result<Vec<Pose>, TaskError>>()?;
    // From the poses on the path the deviation is quadratic in the step; each pass makes it smaller by the angle of a step.
    for _ in 0..12 {
        let mut deviation = |t: f64| {
            let u = (t - start) / time.dt;
            let k = (u.floor().max(0.0) as usize).min(time.steps - 1);
            let here = between(&poses[k], &poses[k + 1], u - k as f64);
            let wanted = path(t).unwrap_or_else(|error| {
                failed = Some(error);
                here
            });
            let turn = wanted.orientation.rotate(logarithm(wanted.orientation, here.orientation));
            Ok(join(here.position - wanted.position, turn))
        };
        // Failures are kept aside: this function itself has none.
        let Ok(mut off) = time.project(start, Vector6::zeros(), &mut deviation) else { break };
        off[0] = Vector6::zeros();
        time.solve_mass(&mut off);
        let largest = off.iter().map(|v| v.amax()).fold(0.0, f64::max);
        for (pose, off) in poses.iter_mut().zip(&off) {
            pose.position -= off.fixed_rows::<3>(0);
            pose.orientation = exponential(-off.fixed_rows::<3>(3).into_owned()) * pose.orientation;
        }
        if largest < 1e-14 * (1.0 + size) {
            break;
        }
    }
    failed.map_or(Ok(poses), Err)
}

/// Stress at a layer from those in the middles of the strips of its rod, where it is known best: averaged inside, extrapolated at the ends.
pub fn at_layer(middle: &[Vector6<f64>], step: usize) -> Vector6<f64> {
    let last = middle.len() - 1;
    match step {
        _ if last == 0 => middle[0],
        0 => middle[0] * 1.5 - middle[1] * 0.5,
        _ if step > last => middle[last] * 1.5 - middle[last - 1] * 0.5,
        _ => (middle[step - 1] + middle[step]) * 0.5,
    }
}

/// Whether the sections of a rod are such as the finite elements can treat.
pub fn fits(rod: &RodPart) -> Result<(), TaskError> {
    let cannot = |reason: &str| TaskError::NotApplicable {
        method: "galerkin",
        reason: format!("cannot treat rod `{}`: {reason}; use \"space-march\"", rod.name),
    };
    if rod.kind.is_unsheared() {
        return Err(cannot(Feature::Kirchhoff.ability(Way::Layers).reason()));
    }
    if (0..=rod.elements).any(|boundary| (rod.section)(rod.boundary(boundary)).damping.amax() > 0.0) {
        return Err(cannot(Feature::Damped.ability(Way::Layers).reason()));
    }
    let eccentric = |boundary: usize| (rod.section)(rod.boundary(boundary)).mass_offset != [0.0; 2];
    if (0..=rod.elements).any(eccentric) {
        return Err(cannot(Feature::MassOffset.ability(Way::Layers).reason()));
    }
    Ok(())
}

/// What to say of sections without rotary inertia.
pub fn no_inertia() -> TaskError {
    TaskError::NotApplicable {
        method: "galerkin",
        reason: "needs rotary inertia about all axes of the sections; use \"space-march\"".into(),
    }
}

/// Solves on the window's grid with `substeps` layers per element; waves need the time `transit` along the rods.
pub fn run(
    chain: &RodChain,
    substeps: usize,
    window: &Window,
    transit: f64,
    observer: &mut dyn Observer,
) -> Result<Layered, TaskError> {
    let steps = window.count() - 1;
    let time = TimeElements { dt: window.dt(), steps };
    let mut motion = SpaceMotion::resting(chain.sections(), window.grid.steps + 1);
    let mut iterations = Vec::new();
    let mut start: Option<(Vec<Pose>, Vec<Vector6<f64>>)> = None;
    observer.phase("galerkin, layer by layer", chain.elements() * substeps);
    let mut done = 0;
    for (index, leg) in chain.legs.iter().enumerate() {
        let matrix = BlockTridiagonal::new(steps).with_refinement(2);
        let rhs = vec![SVector::zeros(); steps];
        let (rod, loads) = (chain.rod(leg), chain.loads_along(leg));
        let mut sweep =
            Sweep { chain, leg: *leg, rod, loads, substeps, transit, time, window, matrix, rhs, iterations };
        fits(rod)?;
        let (poses, mut balance) = match start.take() {
            None => sweep.first_layer()?,
            Some((poses, balance)) => sweep.pass(&chain.legs[index - 1], &poses, balance),
        };
        let mut layers = vec![sweep.field(poses, 0)?];
        for step in 1..=rod.elements * substeps {
            if observer.interrupted() {
                return Err(TaskError::Interrupted);
            }
            let strip = sweep.strip(step);
            let guess = sweep.guess(&layers, &strip, &balance, step)?;
            let next = sweep.next_layer(&strip, &layers[step - 1], &balance, guess, step)?;
            balance = sweep.carry(&strip, &layers[step - 1], &next, step)?;
            if step % substeps == 0 {
                sweep.jump(step / substeps, &next.poses, &mut balance)?;
            }
            layers.push(next);
            done += 1;
            observer.progress(done);
        }
        sweep.record(&layers, &mut motion)?;
        iterations = sweep.iterations;
        start = layers.pop().map(|last| (last.poses, balance));
    }
    iterations.iter().for_each(|row| observer.iteration(row));
    if let Some((_, mut balance)) = start {
        // The force at the driven section is that with M f = balance, from rest on.
        time.solve_mass(&mut balance);
        for k in 0..motion.instants {
            motion.driven[k] = balance[window.index(k)];
        }
    }
    Ok(Layered { motion, iterations, unknowns: done * steps * 12, applied: None })
}

struct Sweep<'a> {
    chain: &'a RodChain,
    leg: Leg,
    rod: &'a RodPart,
    loads: RodLoads<'a>,
    substeps: usize,
    transit: f64,
    time: TimeElements,
    window: &'a Window,
    matrix: BlockTridiagonal<12>,
    rhs: Vec<SVector<f64, 12>>,
    iterations: Vec<Iteration>,
}

impl Sweep<'_> {
    /// Arc length of the layer after so many steps.
    fn s(&self, step: usize) -> f64 {
        self.leg.layer(self.rod, self.substeps, step)
    }

    /// The strip between that layer and the one before.
    fn strip(&self, step: usize) -> SpaceStrip {
        let (a, b) = (self.s(step - 1), self.s(step));
        SpaceStrip::new(self.rod, a.min(b), a.max(b))
    }

    fn per_inertia(&self, step: usize) -> Result<Matrix3<f64>, TaskError> {
        if self.rod.kind.is_limp() {
            return Ok(Matrix3::identity());
        }
        let section = (self.rod.section)(self.s(step));
        section.inertia.try_inverse().ok_or_else(no_inertia)
    }

    fn breakdown(&self, cause: StrainError, step: usize, instant: usize) -> TaskError {
        TaskError::Breakdown { rod: self.rod.name.clone(), s: self.s(step), t: self.window.time(instant), cause }
    }

    fn not_converged(&self, step: usize, reason: String) -> TaskError {
        let phase = format!("Newton for the layer at s = {:.4}", self.s(step));
        TaskError::NotConverged { phase, rod: self.rod.name.clone(), reason }
    }

    /// A layer with the velocities and momenta of its poses.
    fn field(&self, poses: Vec<Pose>, step: usize) -> Result<Field, TaskError> {
        let (v, per_inertia) = (velocity(self.time, &poses), self.per_inertia(step)?);
        let spin = momentum(self.time, &poses, &per_inertia).map_err(|reason| self.not_converged(0, reason))?;
        Ok(Field { poses, v, spin, per_inertia })
    }

    /// The path imposed weakly, and the balance of this end before any strip is joined: what its bodies need less what acts on
    /// them.
    fn first_layer(&self) -> Result<(Vec<Pose>, Vec<Vector6<f64>>), TaskError> {
        let (chain, time, window) = (self.chain, self.time, self.window);
        let servo = |t: f64| chain.servo(t).map_err(|bad| function(chain, bad)).map(|jet| jet.pose);
        let poses = weakly(&servo, time, window.time(0), self.rod.length)?;
        let mut balance = vec![Vector6::zeros(); poses.len()];
        self.jump(0, &poses, &mut balance)?;
        Ok((poses, balance))
    }

    /// The rotation in space from instant k to the next.
    fn turn(field: &Field, k: usize) -> Vector3<f64> {
        turn(&field.poses, k)
    }

    /// (left, right) of a strip when `known` lies towards the end that follows the path.
    fn ordered<T>(&self, known: T, next: T) -> [T; 2] {
        if self.leg.side == Side::End { [next, known] } else { [known, next] }
    }

    /// A first guess of the next layer: along the strains that the balance of the first instant gives, then by extrapolation.
    /// At the first instant it is the equilibrium.
    fn guess(
        &self,
        layers: &[Field],
        strip: &SpaceStrip,
        balance: &[Vector6<f64>],
        step: usize,
    ) -> Result<Field, TaskError> {
        let sense = self.leg.sense();
        let mut next = match layers {
            [.., before, last] => {
                let go_on = |(a, b): (&Pose, &Pose)| Pose {
                    position: b.position * 2.0 - a.position,
                    orientation: b.orientation * (a.orientation.conjugate() * b.orientation),
                };
                let add = |a: &[Vector3<f64>], b: &[Vector3<f64>]| -> Vec<_> {
                    a.iter().zip(b).map(|(a, b)| b * 2.0 - a).collect()
                };
                Field {
                    poses: before.poses.iter().zip(&last.poses).map(go_on).collect(),
                    v: add(&before.v, &last.v),
                    spin: add(&before.spin, &last.spin),
                    per_inertia: self.per_inertia(step)?,
                }
            }
            _ => {
                let section = SpaceSection::at(self.rod, self.s(0), self.chain.is_plane())
                    .map_err(|why: Unfit| unfit(&self.rod.name, why))?;
                let along = sense * strip.length;
                let mut applied = balance.to_vec();
                self.time.solve_mass(&mut applied);
                let mut poses = layers[0].poses.clone();
                for (pose, applied) in poses.iter_mut().zip(&applied) {
                    let p = pose.orientation;
                    let [n, m] = [0, 3].map(|row| p.to_material(applied.fixed_rows::<3>(row) * sense));
                    let (gamma, bend) = section.strains(n, m);
                    pose.position += p.rotate(gamma) * along;
                    pose.orientation = p.turned((strip.rest.fixed_rows::<3>(3) + bend) * along);
                }
                self.field(poses, step)?
            }
        };
        let line = self.line(strip, &layers[step - 1], step)?[0];
        let acting = balance[0] - line;
        next.poses[0] = self.rest(&layers[step - 1].poses[0], strip, &acting, next.poses[0], step)?;
        (next.v[0], next.spin[0]) = (Vector3::zeros(), Vector3::zeros());
        Ok(next)
    }

    /// The pose beyond `known` that is in equilibrium with it.
    fn rest(
        &self,
        known: &Pose,
        strip: &SpaceStrip,
        balance: &Vector6<f64>,
        guess: Pose,
        step: usize,
    ) -> Result<Pose, TaskError> {
        let side = self.leg.side;
        let weight = self.weight(strip);
        let mut pose = guess;
        for _ in 0..MAX_ITERATIONS {
            let [left, right] = self.ordered(*known, pose);
            let forces = strip.forces(&left, &right).map_err(|cause| self.breakdown(cause, step, 0))?;
            let residual = forces.on[side.index()] - weight + balance;
            let tangent = strip.tangent(&left, &right, side, side.other());
            let Some(correction) = tangent.lu().solve(&-residual) else { break };
            pose.position += correction.fixed_rows::<3>(0);
            pose.orientation =
                (exponential(correction.fixed_rows::<3>(3).into_owned()) * pose.orientation).normalised();
            if correction.amax() < 1e-14 * (1.0 + self.rod.length) {
                return Ok(pose);
            }
            if !correction.amax().is_finite() {
                break;
            }
        }
        let [left, right] = self.ordered(*known, pose);
        match strip.forces(&left, &right) {
            // Rounding may keep the last digits moving.
            Ok(forces) if (forces.on[side.index()] - weight + balance).amax() < 1e-9 * strip.stiffness.amax() => {
                Ok(pose)
            }
            _ => Err(self.not_converged(step, "no equilibrium was found at the first instant".into())),
        }
    }

    /// Iterates for the layer beyond `known`.
    fn next_layer(
        &mut self,
        strip: &SpaceStrip,
        known: &Field,
        balance: &[Vector6<f64>],
        mut next: Field,
        step: usize,
    ) -> Result<Field, TaskError> {
        let length = self.rod.length;
        let line = self.line(strip, known, step)?;
        let balance: Vec<Vector6<f64>> = balance.iter().zip(&line).map(|(balance, line)| balance - line).collect();
        for iteration in 0..MAX_ITERATIONS {
            let residual = self.assemble(strip, known, &balance, &next, step)?;
            let solved = self.matrix.factor().and_then(|()| self.matrix.solve(&mut self.rhs));
            solved.map_err(|error| self.not_converged(step, error.to_string()))?;
            let mut largest = 0.0_f64;
            for (k, correction) in self.rhs.iter().enumerate() {
                let part = |c: usize| correction.fixed_rows::<3>(c).into_owned();
                let pose = &mut next.poses[k + 1];
                pose.position += part(0);
                pose.orientation = (exponential(part(3)) * pose.orientation).normalised();
                next.v[k + 1] += part(6);
                next.spin[k + 1] += part(9);
                largest = largest.max(part(0).amax() / length).max(part(3).amax());
            }
            self.log(iteration, residual, largest);
            if !largest.is_finite() {
                break;
            }
            if largest < SETTLED {
                return Ok(next);
            }
        }
        let dt = self.time.dt;
        let reason = format!(
            "{MAX_ITERATIONS} iterations were not enough with dt = {dt:.3e}; refine the grid or smooth the path"
        );
        Err(self.not_converged(step, reason))
    }

    /// Weight of half a strip.
    fn weight(&self, strip: &SpaceStrip) -> Vector6<f64> {
        join(self.chain.mechanism.gravity * (0.5 * strip.length * strip.mass), Vector3::zeros())
    }

    /// Copies the layers on boundaries of elements to the answer on the user's grid.
    fn record(&self, layers: &[Field], motion: &mut SpaceMotion) -> Result<(), TaskError> {
        let strips: Vec<SpaceStrip> = (1..layers.len()).map(|step| self.strip(step)).collect();
        for k in 0..motion.instants {
            let j = self.window.index(k);
            let mut middle = Vec::with_capacity(strips.len());
            for (step, (strip, pair)) in strips.iter().zip(layers.windows(2)).enumerate() {
                let [left, right] = self.ordered(&pair[0].poses[j], &pair[1].poses[j]);
                let stress = strip.taut(left, right).and_then(|()| strip.forces(left, right));
                middle.push(stress.map_err(|cause| self.breakdown(cause, step, j))?.stress);
            }
            for (step, layer) in layers.iter().enumerate().step_by(self.substeps) {
                let section = self.leg.first + self.leg.boundary(step / self.substeps, self.rod.elements);
                let place = motion.at(section, k);
                let pose = layer.poses[j];
                motion.poses[place] = pose;
                motion.v[place] = join(layer.v[j], layer.mobility(pose.orientation) * layer.spin[j]);
                motion.n[place] = at_layer(&middle, step);
            }
        }
        Ok(())
    }

    fn log(&mut self, iteration: usize, residual: f64, step: f64) {
        if self.iterations.len() <= iteration {
            self.iterations.push(Iteration { iter: iteration, alpha: 1.0, ls: 1, ..Iteration::default() });
        }
        let row = &mut self.iterations[iteration];
        row.inf_pr = row.inf_pr.max(residual);
        row.step = row.step.max(step);
    }
}

/// Block of instant `row` by instant `column`, which are neighbours or the same; instant 0 is known.
fn block<const B: usize>(matrix: &mut BlockTridiagonal<B>, row: usize, column: usize) -> &mut SMatrix<f64, B, B> {
    match column + 1 - row {
        0 => matrix.lower(row - 1),
        1 => matrix.diagonal(row - 1),
        _ => matrix.upper(row - 1),
    }
}
