//! Orientations in space as outputs of mechanisms.

use std::sync::Arc;

use super::super::Check;
use super::super::forward::instants::Instants;
use super::super::functions::Names;
use crate::discretisation::TimeGrid;
use crate::discretisation::index::Output;
use crate::discretisation::transcription::multibody::Multibody;
use crate::mechanism::ServoSpec;

impl Check<'_> {
    /// Orientations in space are outputs of `optimise` alone.
    pub(super) fn no_orientations(&mut self) {
        for (name, servo) in &self.spec.servo {
            let given = [("turn", servo.turn.is_some()), ("rotation", servo.rotation.is_some())];
            for (key, _) in given.into_iter().filter(|(_, given)| *given) {
                let message = format!(
                    "`servo.{name}.{key}` prescribes an orientation, which this method for mechanisms does not follow, expected x, y, z, an `angle` or a `path`"
                );
                self.error(
                    &["servo", name, key],
                    message,
                    "for space-march and galerkin of a rod in space, and for optimise",
                )
                .help("prescribe positions of several frames, or angles of joints, or set method = \"optimise\"");
            }
        }
    }

    /// The outputs of an orientation in space, with their names.
    pub(super) fn turn_outputs(
        &mut self,
        body: Option<&Arc<Multibody>>,
        name: &str,
        servo: &ServoSpec,
        grid: Option<TimeGrid>,
        names: &Names,
    ) -> Vec<Output> {
        let key = if servo.turn.is_some() { "turn" } else { "rotation" };
        if servo.turn.is_none() && servo.rotation.is_none() {
            return Vec::new();
        }
        let instants = Instants::new(Some("inverse-dynamics"), &self.spec.task, grid);
        let frame = body.and_then(|body| body.frames().iter().find(|(known, _)| *known == servo.at));
        let turns = self.turns(name, servo, frame.map(|(_, frame)| *frame), names, &instants);
        let failed = std::mem::take(&mut self.failed_paths);
        self.failures(failed);
        let outputs = body.zip(turns).map(|(body, turns)| body.turn_outputs(&servo.at, turns));
        match outputs {
            None => Vec::new(),
            Some(None) => {
                let message = format!(
                    "`servo.{name}.{key}` prescribes an orientation in space, but \"{}\" has none that can move, expected a frame of a body or of a rod that bends, in space",
                    servo.at
                );
                self.error(&["servo", name, key], message, "nothing to prescribe");
                Vec::new()
            }
            Some(Some(outputs)) => {
                let named = ["x", "y", "z"].into_iter().zip(outputs);
                named
                    .map(|(axis, (output, path))| Output { name: format!("{name}.turn_{axis}"), output, path })
                    .collect()
            }
        }
    }
}
