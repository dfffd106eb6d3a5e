//! Marching in time: one variational step after the other.

use nalgebra::Vector6;
use thiserror::Error;

use super::local_error::local_error;
use super::past::{ALIKE, Past};
use super::rigid_velocity::rigid_velocity;
use super::rope_velocity::rope_velocities;
use super::support_work::Impulses;
use crate::discretisation::assembly::{Anchor, Assembly, Attachment, NodeKind, TurningFrame, node_rotation};
use crate::discretisation::stepping::{State, Step, energy_of_momentum, momentum_of_velocity};
use crate::mechanism::Mechanism;
use crate::nlp::{EvalFailure, SquareSystem};
use crate::solver::linear::best_bordered_solver;
use crate::solver::{Newton, NewtonError, NewtonOptions, Reuse, Status};

/// Relative error that is left in the solution of each step unless another is asked for.
pub const ACCURACY: f64 = 1e-11;
/// Square of the last step of quadratic convergence over the error that is left after it.
const QUADRATIC: f64 = 1e-5;

/// Why a step could not be made.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum StepFailure {
    /// The equations of the step have no solution that Newton's method finds.
    #[error("the step from t = {t:.6} s to {end:.6} s could not be solved: {reason}")]
    NotConverged {
        /// Beginning, second.
        t: f64,
        /// End, second.
        end: f64,
        /// What stood in the way.
        reason: String,
    },
    /// The user asked to stop.
    #[error("interrupted at t = {t:.6} s")]
    Interrupted {
        /// Second.
        t: f64,
    },
    /// Something cannot be evaluated.
    #[error("{0}")]
    Evaluation(#[from] EvalFailure),
    /// The equations do not determine the motion.
    #[error("{0}")]
    Singular(Box<NewtonError>),
}

/// A motion in progress.
pub struct Marcher<'a> {
    step: Step<'a>,
    newton: Newton,
    x: Vec<f64>,
    past: Past,
    /// Where the last step began.
    before: Option<State>,
    /// Length of the step whose factors are at hand.
    factorised: Option<f64>,
    guess: Vec<f64>,
    steps: usize,
    /// Newton iterations so far.
    pub iterations: usize,
}

/// A state to return to.
pub struct Mark {
    state: State,
    /// Steps made up to it.
    steps: usize,
}

/// Energies and momenta at an instant.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Balance {
    /// Kinetic energy, joule.
    pub kinetic: f64,
    /// Strain energy, joule.
    pub strain: f64,
    /// Potential of weight, joule, 0 with all mass centres at the origin.
    pub gravity: f64,
    /// Linear momentum, N s.
    pub linear: [f64; 3],
    /// Angular momentum about the origin, N m s.
    pub angular: [f64; 3],
}

impl Balance {
    /// Kinetic and potential energy, joule.
    pub fn total(&self) -> f64 {
        self.kinetic + self.strain + self.gravity
    }
}

impl<'a> Marcher<'a> {
    /// A motion that begins in a state.
    pub fn new(assembly: &'a Assembly, from: State, h: f64) -> Self {
        let step = Step::new(assembly, from, h);
        let options = NewtonOptions {
            max_iterations: 25,
            min_alpha: 1e-3,
            reuse: Reuse::while_fast(),
            ..NewtonOptions::default()
        };
        let newton = Newton::new(best_bordered_solver(step.pattern(), &step.reels()), options);
        let size = step.size();
        let zeros = vec![0.0; assembly.layout.freedom_count()];
        let marcher = Self {
            step,
            newton,
            x: vec![0.0; size],
            past: Past::new(zeros.len()),
            before: None,
            factorised: None,
            guess: zeros,
            steps: 0,
            iterations: 0,
        };
        marcher.solved_to(ACCURACY)
    }

    /// The same with this relative error left in the solution of each step.
    pub fn solved_to(mut self, accuracy: f64) -> Self {
        let options = &mut self.newton.options;
        // Joints are kept to this part of the size of the mechanism.
        options.residual = if self.step.assembly.rows > 0 { 0.1 * accuracy } else { accuracy };
        options.step = (QUADRATIC * accuracy).sqrt();
        if let Reuse::WhileFast { error, .. } = &mut options.reuse {
            *error = accuracy;
        }
        self
    }

    /// The present state.
    pub fn state(&self) -> &State {
        &self.step.from
    }

    /// Sets the time, which may be off by rounding.
    pub fn arrive(&mut self, t: f64) {
        self.step.from.t = t;
    }

    /// The steps before.
    pub fn past(&self) -> &Past {
        &self.past
    }

    /// The present state, to return to.
    pub fn mark(&self) -> Mark {
        Mark { state: self.step.from.clone(), steps: self.steps }
    }

    /// Goes back to an earlier state.
    pub fn return_to(&mut self, mark: &Mark) {
        self.step.from = mark.state.clone();
        self.steps = mark.steps;
        self.before = None;
        self.past.forget();
    }

    /// Takes the last step back; it can be done once.
    pub fn take_back(&mut self) {
        if let Some(before) = self.before.take() {
            self.step.from = before;
            self.steps -= 1;
            self.past.take_back();
        }
    }

    /// Makes a step of length h; the state is unchanged if it fails.
    pub fn advance(&mut self, h: f64) -> Result<(), StepFailure> {
        let last = self.step.h;
        self.step.begin(h)?;
        let free = self.x.len() - self.step.assembly.rows;
        self.past.go_on(h, self.step.assembly.rows == 0, &mut self.guess);
        self.step.guess((self.past.known() > 0).then_some(&self.guess), &mut self.x[..free]);
        // The forces of the joints stay as they were.
        self.x[free..].iter_mut().for_each(|impulse| *impulse *= h / last);
        let factorised = self.factorised.take();
        if let Reuse::WhileFast { alike, .. } = &mut self.newton.options.reuse {
            *alike = factorised.is_some_and(|before| h.max(before) <= ALIKE * h.min(before));
        }
        let start = std::mem::take(&mut self.x);
        let solved = self.newton.solve(&mut self.step, &start, &mut |_| true);
        self.x = start;
        let (t, end) = (self.step.from.t, self.step.from.t + h);
        let unsolved =
            |EvalFailure { place, reason }| StepFailure::NotConverged { t, end, reason: format!("{place}: {reason}") };
        let solution = match solved {
            Ok(solution) => solution,
            Err(NewtonError::Evaluation { source, .. }) => return Err(unsolved(source)),
            Err(error) => return Err(StepFailure::Singular(Box::new(error))),
        };
        let anew = solution.iterations.iter().any(|record| record.factorised);
        self.factorised = if anew { Some(h) } else { factorised };
        self.iterations += solution.iterations.len().saturating_sub(1);
        if solution.status != Status::Solved {
            let reason = solution.message.unwrap_or_else(|| "Newton's method did not converge".into());
            return Err(StepFailure::NotConverged { t, end, reason });
        }
        self.x.copy_from_slice(&solution.x);
        // Where the step leads to a configuration without forces, a shorter one may not.
        let state = self.step.finish(&self.x).map_err(unsolved)?;
        self.past.add(self.step.half_steps(), h);
        self.before = Some(std::mem::replace(&mut self.step.from, state));
        self.steps += 1;
        Ok(())
    }

    /// Error of the last step, in units of `size` for positions and in radians for rotations; `None` until three steps are known.
    pub fn local_error(&self, size: f64) -> Option<f64> {
        local_error(self.step.assembly, &self.past, size)
    }

    /// The mechanism.
    pub fn assembly(&self) -> &'a Assembly {
        self.step.assembly
    }

    /// Impulse of joints and supports on a degree of freedom about the beginning of the last step, N s or N m s.
    pub fn joint_impulse(&self, dof: usize) -> f64 {
        self.step.impulse()[dof] * self.share()
    }

    /// The configuration in the middle of the last step.
    pub fn middle(&self) -> &[f64] {
        self.step.middle()
    }

    /// The state at which the last step began.
    pub fn before(&self) -> Option<&State> {
        self.before.as_ref()
    }

    /// Mean force of supports on each degree of freedom about the beginning of the last step.
    pub fn support_force(&self) -> Vec<f64> {
        self.step.support_impulse().iter().map(|impulse| impulse / self.span()).collect()
    }

    /// Mean forces along the equations of the joints about the beginning of the last step.
    pub fn joint_forces(&self) -> Vec<f64> {
        let free = self.x.len() - self.step.assembly.rows;
        self.x[free..].iter().map(|impulse| impulse / self.span()).collect()
    }

    /// Time over which an impulse at the beginning of the last step acts: half of that step and half of the one before.
    fn span(&self) -> f64 {
        if self.steps == 1 { 0.5 * self.step.h } else { 0.5 * (self.step.h + self.past.length_before(self.step.h)) }
    }

    /// At the first instant an impulse acts for half a step only.
    fn share(&self) -> f64 {
        if self.steps == 1 { 2.0 } else { 1.0 }
    }

    /// Impulses of supports and joints about the beginning of the last step.
    pub fn impulses(&self) -> Impulses<'_> {
        let free = self.x.len() - self.step.assembly.rows;
        Impulses { support: self.step.support_impulse(), joints: &self.x[free..], share: self.share() }
    }

    /// Length of the last step, second.
    pub fn last_step(&self) -> f64 {
        self.step.h
    }

    /// Energy dissipated in the last step.
    pub fn dissipated(&self) -> f64 {
        self.step.dissipated()
    }

    /// Work of the loads in the last step.
    pub fn work(&self) -> f64 {
        self.step.work()
    }
}

/// The state at rest, or with the initial velocities of bodies and rods, at time t; those in a turning frame are relative
/// to it.
pub fn initial_state(mechanism: &Mechanism, assembly: &Assembly, q: Vec<f64>, t: f64) -> Result<State, EvalFailure> {
    let layout = &assembly.layout;
    let mut velocities = vec![Vector6::zeros(); layout.nodes()];
    let of_node = |at: &Attachment, velocity: nalgebra::Vector3<f64>, spin: nalgebra::Vector3<f64>| {
        let mut out = Vector6::zeros();
        let rotation = node_rotation(layout, &q, at.node);
        let kind = layout.kind(at.node);
        let spin = match kind {
            NodeKind::SpaceFrame => at.turn.rotate(spin),
            _ => spin,
        };
        let x = velocity - rotation * spin.cross(&at.offset);
        for c in 0..kind.positions() {
            out[c] = x[c];
        }
        match kind {
            NodeKind::SpaceFrame => out.fixed_rows_mut::<3>(3).copy_from(&spin),
            NodeKind::PlaneFrame => out[2] = spin[2],
            NodeKind::PlanePoint | NodeKind::SpacePoint => {}
        }
        out
    };
    for (rod, sections) in mechanism.rods.iter().zip(&assembly.sections) {
        let Some(field) = &rod.velocity else { continue };
        if let (true, Some((_, at))) = (rod.kind.is_rigid(), sections.first()) {
            velocities[at.node] = rigid_velocity(rod, at, assembly, &q);
            continue;
        }
        for (s, at) in sections {
            let v = field(*s);
            // In the plane the rotation about z is that about d₂.
            let spin = if mechanism.dimension == 2 {
                nalgebra::Vector3::new(0.0, 0.0, v[4])
            } else {
                v.fixed_rows::<3>(3).into_owned()
            };
            velocities[at.node] = of_node(at, v.fixed_rows::<3>(0).into_owned(), spin);
        }
    }
    for (body, at) in mechanism.bodies.iter().zip(&assembly.bodies) {
        if body.velocity.norm() + body.spin.norm() > 0.0 {
            velocities[at.node] = of_node(at, body.velocity, body.spin);
        }
    }
    if let Some(frame) = &assembly.turning {
        for (node, v) in velocities.iter_mut().enumerate() {
            *v += turning_velocity(assembly, frame, &q, node);
        }
    }
    support_velocities(assembly, t, &mut velocities)?;
    rope_velocities(assembly, &q, &mut velocities);
    let mut momentum = vec![0.0; layout.freedom_count()];
    for (node, v) in velocities.iter().enumerate() {
        let p = momentum_of_velocity(layout, node, &q, v, &assembly.masses[node]);
        let dof = layout.freedom(node);
        for c in 0..layout.kind(node).freedoms() {
            momentum[dof + c] = p[c];
        }
    }
    if !assembly.winches.is_empty() {
        let mut rates = vec![0.0; layout.freedom_count()];
        for (node, v) in velocities.iter().enumerate() {
            let (dof, size) = (layout.freedom(node), layout.kind(node).freedoms());
            rates[dof..dof + size].copy_from_slice(&v.as_slice()[..size]);
        }
        assembly.add_rope_momenta(&q, &rates, 1.0, 0.0, &mut momentum);
    }
    Ok(State { t, q, momentum })
}

/// Velocity (ẋ, Ω or θ̇) of a node that rests in a turning frame.
fn turning_velocity(assembly: &Assembly, frame: &TurningFrame, q: &[f64], node: usize) -> Vector6<f64> {
    let layout = &assembly.layout;
    let kind = layout.kind(node);
    let velocity = frame.velocity_at(layout.position(q, node));
    let mut out = Vector6::zeros();
    for c in 0..kind.positions() {
        out[c] = velocity[c];
    }
    match kind {
        NodeKind::SpaceFrame => {
            let spin = node_rotation(layout, q, node).tr_mul(&frame.omega);
            out.fixed_rows_mut::<3>(3).copy_from(&spin);
        }
        NodeKind::PlaneFrame => out[2] = frame.omega[2],
        NodeKind::PlanePoint | NodeKind::SpacePoint => {}
    }
    out
}

/// Held coordinates have the velocity of their support.
pub fn support_velocities(assembly: &Assembly, t: f64, velocities: &mut [Vector6<f64>]) -> Result<(), EvalFailure> {
    for support in &assembly.prescribed {
        let kind = assembly.layout.kind(support.node);
        let failure = |error: crate::kernel::EvalError| EvalFailure {
            place: format!("motion of support `{}` at t = {t} s", support.name),
            reason: error.to_string(),
        };
        for c in 0..kind.positions() {
            if let Some(displacement) = &support.displacement[c] {
                velocities[support.node][c] = displacement.jet(t).map_err(failure)?.first;
            }
        }
        let Some(rotation) = &support.rotation else { continue };
        let (mut psi, mut rate) = (nalgebra::Vector3::zeros(), nalgebra::Vector3::zeros());
        for c in 0..3 {
            let jet = rotation[c].jet(t).map_err(failure)?;
            (psi[c], rate[c]) = (jet.value, jet.first);
        }
        match kind {
            NodeKind::PlaneFrame => velocities[support.node][2] = rate[2],
            NodeKind::SpaceFrame => {
                // The material angular velocity of exp(ψ) R₀ is R₀ᵀ (ψ̇ − a ψ × ψ̇ + b ψ × (ψ × ψ̇)).
                let angle = psi.norm();
                let (a, b) = if angle < 1e-4 {
                    (0.5, 1.0 / 6.0)
                } else {
                    ((1.0 - angle.cos()) / angle.powi(2), (angle - angle.sin()) / angle.powi(3))
                };
                let across = psi.cross(&rate);
                let spin = rate - across * a + psi.cross(&across) * b;
                let p = assembly.layout.orientation(&assembly.reference, support.node);
                velocities[support.node].fixed_rows_mut::<3>(3).copy_from(&p.to_material(spin));
            }
            NodeKind::PlanePoint | NodeKind::SpacePoint => {}
        }
    }
    Ok(())
}

/// Velocities of the grounds of joints, one for each constraint.
pub fn ground_velocities(
    assembly: &Assembly,
    t: f64,
    grounds: &mut [nalgebra::Vector3<f64>],
) -> Result<(), EvalFailure> {
    for (joint, ground) in assembly.constraints.iter().zip(grounds) {
        let motions = joint.sides.iter().filter_map(|side| match side {
            Anchor::Ground(_, displacement) => Some(displacement),
            Anchor::Node(_) => None,
        });
        for (c, displacement) in motions.flat_map(|motion| motion.iter().enumerate()) {
            let Some(displacement) = displacement else { continue };
            let failure = |error: crate::kernel::EvalError| EvalFailure {
                place: format!("motion of support `{}` at t = {t} s", joint.name),
                reason: error.to_string(),
            };
            ground[c] = displacement.jet(t).map_err(failure)?.first;
        }
    }
    Ok(())
}

/// Energies and momenta of a configuration with momenta.
pub fn balance(assembly: &Assembly, q: &[f64], momentum: &[f64]) -> Result<Balance, EvalFailure> {
    let layout = &assembly.layout;
    let (strain, gravity) = (assembly.strain_energy(q)?, assembly.rope_weight(q));
    let mut out = Balance { strain, gravity, ..Balance::default() };
    for (node, mass) in assembly.masses.iter().enumerate().filter(|(node, _)| !assembly.is_reel(*node)) {
        out.kinetic += energy_of_momentum(layout, node, q, momentum, mass);
        let rotation = node_rotation(layout, q, node);
        let x = layout.position(q, node);
        out.gravity -= mass.mass * assembly.gravity.dot(&(x + rotation * mass.centre));
        let dof = layout.freedom(node);
        let kind = layout.kind(node);
        let linear = nalgebra::Vector3::from_fn(|c, _| if c < kind.positions() { momentum[dof + c] } else { 0.0 });
        let spin = match kind {
            NodeKind::SpaceFrame => rotation * nalgebra::Vector3::from_column_slice(&momentum[dof + 3..dof + 6]),
            NodeKind::PlaneFrame => nalgebra::Vector3::new(0.0, 0.0, momentum[dof + 2]),
            NodeKind::PlanePoint | NodeKind::SpacePoint => nalgebra::Vector3::zeros(),
        };
        let angular = x.cross(&linear) + spin;
        for c in 0..3 {
            out.linear[c] += linear[c];
            out.angular[c] += angular[c];
        }
    }
    Ok(out)
}
