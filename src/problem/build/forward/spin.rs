//! `[spin]`: the steady rotation of the frame of the file.

use nalgebra::Vector3;

use super::super::Check;
use super::geometry::vector;
use crate::kernel::Function;
use crate::mechanism::{Frame, JointPart, JointRow, Mechanism, Spin, SpinSpec};
use crate::tasks::{Configuration, MotionStart};

/// More rates than this are hardly meant.
const MOST_RATES: usize = 1000;

impl Check<'_> {
    /// The rotation, if there is one and it is stated without a mistake.
    pub fn steady_spin(&mut self, gravity: Option<&[f64]>) -> Option<Spin> {
        let spec = self.spec.spin.as_ref()?;
        let dimension = self.dimension()?;
        let axis = self.axis(spec, dimension);
        let about = self.point_of_axis(spec);
        let rates = self.rates(spec);
        self.steady(axis, gravity);
        Some(Spin { axis: axis?, about: about?, rates: rates? })
    }

    fn axis(&mut self, spec: &SpinSpec, dimension: usize) -> Option<Vector3<f64>> {
        let Some(axis) = &spec.axis else { return Some(Vector3::z()) };
        let path = ["spin", "axis"];
        if dimension == 2 {
            self.error(&path, "`spin.axis` has no meaning in the plane, where it is z", "not in the plane")
                .help("remove it");
            return None;
        }
        if !self.length_of_vector(&path, axis.len()) {
            return None;
        }
        let axis = vector(axis);
        if !(axis.norm() > 0.0) {
            self.error(&path, "`spin.axis` is zero, expected a direction", "no direction");
            return None;
        }
        Some(axis.normalize())
    }

    fn point_of_axis(&mut self, spec: &SpinSpec) -> Option<Vector3<f64>> {
        let Some(about) = &spec.about else { return Some(Vector3::zeros()) };
        self.length_of_vector(&["spin", "about"], about.len()).then(|| vector(about))
    }

    /// One rate, or several for modes.
    fn rates(&mut self, spec: &SpinSpec) -> Option<Vec<f64>> {
        if !self.sure(&["spin"]) {
            return None;
        }
        match (spec.rate, &spec.rates) {
            (Some(rate), None) => Some(vec![rate]),
            (Some(_), Some(_)) => {
                let message = "`spin.rate` and `spin.rates` are given, expected one of them";
                self.error(&["spin", "rates"], message, "rate stated in two ways");
                None
            }
            (None, None) => {
                self.missing_key(&["spin", "rate"], "a number", "Rate of the rotation about the axis, rad/s.");
                None
            }
            (None, Some(rates)) => {
                let path = ["spin", "rates"];
                if let Some(task) = self.task_name().filter(|task| *task != "modes") {
                    let message = format!("`spin.rates` has no meaning in [task.{task}], expected `spin.rate`");
                    self.error(&path, message, "one rate is needed").help("several rates are for [task.modes]");
                    return None;
                }
                if rates.is_empty() || rates.len() > MOST_RATES {
                    let message = format!("`spin.rates` has {} numbers, expected from 1 to {MOST_RATES}", rates.len());
                    self.error(&path, message, "how many rates?");
                    return None;
                }
                let falls = rates.windows(2).position(|pair| pair[1] <= pair[0]);
                if let Some(i) = falls {
                    let message = format!(
                        "`spin.rates[{}]` is {}, expected a number larger than {} before it",
                        i + 1,
                        rates[i + 1],
                        rates[i]
                    );
                    self.error(&["spin", "rates", &(i + 1).to_string()], message, "rates must increase");
                    return None;
                }
                Some(rates.clone())
            }
        }
    }

    /// What does not rest in the turning frame has no equilibrium there.
    fn steady(&mut self, axis: Option<Vector3<f64>>, gravity: Option<&[f64]>) {
        let spec = self.spec;
        let equilibrium = MotionStart::Word(Configuration::Equilibrium);
        let begins = spec.task.simulate().is_none_or(|spec| spec.start == equilibrium);
        let about = spec.task.modes().is_some_and(|modes| modes.about == Configuration::Reference);
        if about && self.sure(&["task", "modes", "about"]) {
            let message = "`task.modes.about` is \"reference\", but with [spin] the mechanism vibrates about its equilibrium in the turning frame, expected \"equilibrium\"";
            self.error(&["task", "modes", "about"], message, "not with [spin]").help("remove it");
        }
        let gravity = gravity.unwrap_or_default();
        let g = Vector3::from_fn(|i, _| gravity.get(i).copied().unwrap_or(0.0));
        let askew = axis.is_some_and(|axis| axis.cross(&g).norm() > 1e-9 * g.norm());
        if begins && askew && self.sure(&["gravity"]) {
            let message = "`gravity` is not along the axis of [spin]: seen from the turning frame it turns, and there is no equilibrium, expected gravity along the axis or none";
            self.error(&["gravity"], message, "turns in the frame");
        }
        if let Some(statics) = spec.task.statics() {
            let negative = statics.factors.iter().position(|factor| *factor < 0.0);
            if let Some(i) = negative.filter(|_| self.sure(&["task", "statics", "factors"])) {
                let message = format!(
                    "`task.statics.factors[{i}]` is {}, expected zero or a positive number: centrifugal forces are never negative",
                    statics.factors[i]
                );
                self.error(&["task", "statics", "factors", &i.to_string()], message, "not with [spin]");
            }
        }
    }

    /// A motion that begins with everything turning needs supports that turn: one that stands still would stop its frame at once,
    /// by an impulse that is nobody's intention.
    pub(super) fn standing_supports(&mut self, mechanism: &Mechanism, start: f64) {
        let Some(spin) = mechanism.spin.as_ref().filter(|_| self.task_name() == Some("simulate")) else { return };
        let omega = spin.axis * spin.rates.first().copied().unwrap_or(0.0);
        let rate = |function: &Function| function.jet(start).map_or(f64::NAN, |jet| jet.first);
        for joint in mechanism.joints.iter().filter(|joint| joint.between.contains(&Frame::Ground)) {
            let Some(what) = held_back(joint, mechanism.dimension, spin.about, omega) else { continue };
            let message = format!(
                "joint `{}` holds to the ground, which does not turn, but [spin] begins the motion of everything with the rotation of the frame: {what}",
                joint.name
            );
            self.error(&["joint", &joint.name], message, "stands still in a turning mechanism").help(
                "hold it by a [support.*] that turns, put a joint that lets the rotation free on its axis, or leave [spin] out and give `velocity` and `spin` to what turns",
            );
        }
        for support in &mechanism.supports {
            let arm = mechanism.reference_pose(support.at).position - spin.about;
            let turning = omega.cross(&arm);
            let fast = |wanted: f64, given: f64, size: f64| (wanted - given).abs() > 1e-6 * size;
            let held = support.displacement.iter().enumerate().find(|(c, function)| {
                function.as_ref().is_some_and(|function| fast(turning[*c], rate(function), turning.norm().max(1e-12)))
            });
            let rotation = support.rotation.as_ref().filter(|rotation| {
                (0..3).any(|c| (mechanism.dimension == 3 || c == 2) && fast(omega[c], rate(&rotation[c]), omega.norm()))
            });
            let what = match (held, rotation) {
                (Some((c, _)), _) => format!("{} at {:.4} m/s", ["x", "y", "z"][c], turning[c]),
                (None, Some(_)) => format!("its rotation at {:.4} rad/s", omega.norm()),
                (None, None) => continue,
            };
            let frame = mechanism.frame_name(support.at);
            let message = format!(
                "support `{}` does not turn, but [spin] begins the motion of everything with the rotation of the frame, expected it to move {what}",
                support.name
            );
            self.error(&["support", &support.name], message, "stands still in a turning mechanism").help(format!(
                "let \"{frame}\" turn, for example by rotation = [0, 0, \"rate*t\"] and positions that go round, or leave [spin] out and give `velocity` and `spin` to the rods and bodies that turn"
            ));
        }
    }
}

/// What a joint with the ground would stop at once of the rotation ω about a point: the first of its conditions that changes with
/// time.
fn held_back(joint: &JointPart, dimension: usize, about: Vector3<f64>, omega: Vector3<f64>) -> Option<String> {
    let moving = joint.between.iter().position(|frame| *frame != Frame::Ground)?;
    let arm = joint.at[moving] - about;
    let (velocity, apart) = (omega.cross(&arm), joint.at[1] - joint.at[0]);
    let speed =
        |rate: f64| (rate.abs() > 1e-6 * (omega.norm() * arm.norm()).max(1e-12)).then(|| format!("{rate:.4} m/s"));
    let turn = |rate: f64| (rate.abs() > 1e-6 * omega.norm()).then(|| format!("{rate:.4} rad/s"));
    joint.kind.conditions(dimension).into_iter().find_map(|(word, row)| {
        let rate = match row {
            JointRow::Coordinate(axis) => speed(velocity[axis]),
            JointRow::Across(direction) => speed(velocity.dot(&direction)),
            JointRow::Length => speed(velocity.dot(&apart) / apart.norm()),
            JointRow::Perpendicular(u, v) => turn(omega.dot(&u.cross(&v))),
            JointRow::Angle => turn(omega[2]),
        };
        rate.map(|rate| format!("it would stop {word} at {rate}"))
    })
}
