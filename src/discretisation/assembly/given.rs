//! What is given over time: loads, forces of actuators, motions of supports.

use nalgebra::Vector3;

use super::{Assembly, Instant};
use crate::geometry::Quaternion;
use crate::kernel::EvalError;
use crate::nlp::EvalFailure;
use crate::terms::{Anchor, GroundTravel, NodeKind, Wrench};

impl Assembly {
    /// The factor of a load, of a moving support or of gravity where the common one is `factor`.
    pub fn own_factor(&self, name: &str, factor: f64) -> f64 {
        self.growth.get(name).map_or(factor, |[from, to]| from + factor * (to - from))
    }

    /// Loads at an instant, times the factor; then drives, whose size is the first component of their force.
    pub fn wrenches(&self, at: Instant, out: &mut Vec<Wrench>) -> Result<(), EvalFailure> {
        out.clear();
        for load in &self.loads {
            let failure = |error: EvalError| EvalFailure {
                place: format!("load `{}` at t = {} s", load.name, at.t),
                reason: error.to_string(),
            };
            let mut wrench = load.wrench(at.t).map_err(failure)?;
            let factor = self.own_factor(&load.name, at.factor);
            wrench.force *= factor;
            wrench.torque *= factor;
            out.push(wrench);
        }
        for drive in &self.drives {
            let failure = |error: EvalError| EvalFailure {
                place: format!("actuator `{}` at t = {} s", drive.name, at.t),
                reason: error.to_string(),
            };
            let size = drive.history.value(at.t).map_err(failure)? * at.factor;
            out.push(Wrench { force: Vector3::new(size, 0.0, 0.0), torque: Vector3::zeros() });
        }
        Ok(())
    }

    /// Writes the prescribed coordinates at an instant into `q`.
    pub fn prescribe(&self, at: Instant, q: &mut [f64]) -> Result<(), EvalFailure> {
        for support in &self.prescribed {
            let failure = |error: EvalError| EvalFailure {
                place: format!("motion of support `{}` at t = {} s", support.name, at.t),
                reason: error.to_string(),
            };
            let (kind, place) = (self.layout.kind(support.node), self.layout.coordinate(support.node));
            let factor = self.own_factor(&support.name, at.factor);
            for c in 0..kind.positions() {
                if let Some(displacement) = &support.displacement[c] {
                    q[place + c] = self.reference[place + c] + factor * displacement.value(at.t).map_err(failure)?;
                }
            }
            let Some(rotation) = &support.rotation else { continue };
            let mut turn = Vector3::zeros();
            for c in 0..3 {
                turn[c] = factor * rotation[c].value(at.t).map_err(failure)?;
            }
            match kind {
                NodeKind::PlaneFrame => q[place + 2] = self.reference[place + 2] + turn[2],
                NodeKind::SpaceFrame => {
                    let reference = self.layout.orientation(&self.reference, support.node);
                    // Continuous in the rotation vector, past any number of turns.
                    let turned = Quaternion::from_rotation_vector(turn) * reference;
                    q[place + 3..place + 7].copy_from_slice(&turned.to_array());
                }
                NodeKind::PlanePoint | NodeKind::SpacePoint => {}
            }
        }
        Ok(())
    }

    /// Displacements of the ground sides of the joints at an instant.
    pub fn motions(&self, at: Instant, out: &mut Vec<GroundTravel>) -> Result<(), EvalFailure> {
        out.clear();
        for joint in &self.constraints {
            let mut motion = Vector3::zeros();
            for side in &joint.sides {
                let Anchor::Ground(_, displacement) = side else { continue };
                for c in 0..3 {
                    if let Some(displacement) = &displacement[c] {
                        motion[c] = self.own_factor(&joint.name, at.factor)
                            * displacement.value(at.t).map_err(|error| EvalFailure {
                                place: format!("motion of support `{}` at t = {} s", joint.name, at.t),
                                reason: error.to_string(),
                            })?;
                    }
                }
            }
            out.push(GroundTravel(motion));
        }
        Ok(())
    }
}
