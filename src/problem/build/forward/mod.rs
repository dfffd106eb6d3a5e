//! Statics, simulation and modes: any mechanism of rods, bodies, joints, supports and loads.

mod bodies;
mod directed_joints;
mod drag;
mod driving;
mod exact_modes;
mod frames;
pub(super) mod geometry;
pub(super) mod instants;
mod joints;
mod loads;
mod motion_loads;
mod rods;
pub(super) mod scene;
mod sections;
mod settings;
mod spin;
mod springs;
mod supports;
mod trouble;
mod winches;

use nalgebra::Vector3;

use super::Check;
use super::functions::Names;
use crate::kernel::magnitude::LARGEST;
use crate::kernel::{EvalError, Profile};
use crate::mechanism::{Fluid, Frame, Mechanism};
use crate::tasks::forward::scalar_names;
use crate::tasks::{ForwardSystem, StaticsSpec};
use instants::Instants;
use scene::Scene;

/// The parts of a mechanism as the file states them.
pub(super) struct Parts<'a> {
    pub scene: Scene<'a>,
    /// All of them, if none is mistaken.
    pub mechanism: Option<Mechanism>,
}

impl<'s> Check<'s> {
    /// The system, if it can be put together; whether it is right is told by `found`.
    pub fn forward_system(&mut self) -> Option<ForwardSystem> {
        let before = self.found.errors();
        let task = self.task_name();
        let time = self.time(task == Some("simulate"));
        let gravity = self.gravity();
        self.settings();
        let names = self.scope();
        self.something_there();
        let spec = self.spec;
        let instants = Instants::new(task, &spec.task, time);
        let Parts { mut scene, mechanism } = self.parts_of(&names, &instants, gravity);
        self.frames_of_answers(&mut scene);
        let system = mechanism.map(|mut mechanism| {
            let histories = self.histories(&mut scene, &mut mechanism, &names, &instants);
            self.standing_supports(&mechanism, time.map_or(0.0, |grid| grid.start));
            let frames = told_frames(&mechanism, &scene.mentioned);
            ForwardSystem { title: spec.title.clone(), mechanism, histories, time, frames, expect: Vec::new() }
        });
        // Names of scalars follow from all parts, so those must be known.
        let whole = system.as_ref().filter(|_| self.found.errors() == before && self.all_sure() && task.is_some());
        let scalars = whole.map(|system| scalar_names(system, &spec.task, self.limit_points()));
        if let Some(system) = whole {
            self.trouble(system);
            self.exact_modes(system);
        }
        let expect = self.expectations(scalars.as_deref());
        system.map(|system| ForwardSystem { expect, ..system })
    }

    /// Rods, bodies, joints, supports and loads.
    pub(super) fn parts_of(&mut self, names: &Names, instants: &Instants, gravity: Option<Vec<f64>>) -> Parts<'s> {
        let spec = self.spec;
        let before = self.found.errors();
        let rods = spec.rod.iter().map(|(name, rod)| self.rod_part(name, rod, names)).collect();
        let bodies = spec.body.iter().map(|(name, body)| self.body_part(name, body)).collect();
        let mut scene = Scene { rods, bodies, mentioned: Vec::new() };
        let mut joints = self.joints(&mut scene);
        let winches = self.winches_of(&mut scene, &mut joints, names, instants);
        let supports = self.supports_of(&mut scene, names, instants);
        let (loads, line_loads, by_motion) = self.loads_of(&mut scene, names, instants);
        self.unloaded_ropes(&scene, &winches, &line_loads);
        let fluid = Fluid { loads: by_motion, ..self.fluid_of(&scene, names, instants) };
        let spin = self.steady_spin(gravity.as_deref());
        let rods = scene.rods.iter().map(|rod| rod.part.clone()).collect::<Option<Vec<_>>>();
        let bodies = scene.bodies.iter().map(|body| body.part.clone()).collect::<Option<Vec<_>>>();
        // Springs refer to joints, whatever may be wrong with rods and bodies.
        let joined = self.dimension().map(|dimension| Mechanism {
            joints,
            supports,
            loads,
            line_loads,
            fluid,
            winches,
            ..Mechanism::empty(dimension)
        });
        let springs = joined.as_ref().map(|joined| self.springs(&mut scene, joined, names)).unwrap_or_default();
        let mechanism = match (joined, gravity, rods, bodies) {
            (Some(joined), Some(gravity), Some(rods), Some(bodies)) => {
                let gravity = Vector3::from_fn(|i, _| gravity.get(i).copied().unwrap_or(0.0));
                Some(Mechanism { gravity, rods, bodies, springs, spin, ..joined })
            }
            _ => None,
        };
        if self.found.errors() == before && self.all_sure() {
            self.mechanism.clone_from(&mechanism);
        }
        Parts { scene, mechanism }
    }

    fn all_sure(&self) -> bool {
        let tables = [
            "dimension",
            "rod",
            "body",
            "joint",
            "spring",
            "actuator",
            "support",
            "winch",
            "load",
            "let",
            "table",
            "spin",
            "current",
            "task",
        ];
        tables.iter().all(|table| self.sure(&[table]))
    }

    /// A mechanism is made of rods and bodies.
    fn something_there(&mut self) {
        let spec = self.spec;
        if spec.rod.is_empty() && spec.body.is_empty() && self.sure(&["rod"]) && self.sure(&["body"]) {
            let message = "there is no rod and no body, expected a table such as [rod.beam]";
            self.error(&["rod"], message, "no [rod.*] and no [body.*] in this file")
                .help("lariat list names files to start from, lariat new writes one");
        }
    }

    /// Places of rods that known answers mention: `equilibrium.beam@0.5.x`.
    fn frames_of_answers(&mut self, scene: &mut Scene<'_>) {
        for name in self.spec.expect.keys() {
            let Some((before, after)) = name.split_once('@') else { continue };
            let rod = before.rsplit('.').next().unwrap_or(before);
            let fraction: String = after.chars().take_while(|c| c.is_ascii_digit() || "./".contains(*c)).collect();
            let frame = format!("{rod}@{}", fraction.trim_end_matches('.'));
            self.frame_at(scene, &["expect", name], &frame, false);
        }
    }

    /// How many limit points, branch points and loads of linear buckling known answers may refer to.
    fn limit_points(&self) -> usize {
        let number = |name: &String| {
            let (kind, rest) = name.split_once('.')?;
            let counted = ["limit_point", "branch_point", "linear_buckling"].contains(&kind);
            rest.split('.').next().filter(|_| counted)?.parse::<usize>().ok()
        };
        let mentioned = self.spec.expect.keys().filter_map(number).max().unwrap_or(1).min(1000);
        let counted = |spec: &StaticsSpec| match (spec.limit_points, spec.branch_points, spec.count) {
            (Some(most), None, None) => most.min(1000),
            _ => mentioned,
        };
        self.spec.task.statics().map_or(0, counted)
    }

    /// Tells expressions of s and t that cannot be evaluated somewhere.
    fn evaluate_along(&mut self, profiles: &[(Vec<String>, Profile)], places: &[f64], instants: &[f64]) -> bool {
        let first_failure = |profile: &Profile| -> Option<EvalError> {
            let along = |t: &f64| places.iter().find_map(|s| profile.value_within(*s, *t, LARGEST).err());
            instants.iter().find_map(along)
        };
        let failures: Vec<_> =
            profiles.iter().filter_map(|(path, p)| first_failure(p).map(|error| (path.clone(), error))).collect();
        let none = failures.is_empty();
        self.failures(failures);
        none
    }

    /// Compiles what stands at a key path as a function of `s` alone.
    fn along(&mut self, path: &[&str], source: &crate::kernel::Expression, names: &Names) -> Option<Profile> {
        let profile = self.profile(path, source, names)?;
        if names.whole && profile.varies_in_time() {
            let here = self.document.path_text(path);
            let message = format!("`{here}` depends on `t`, expected a number or a function of `s`");
            self.error(path, message, "must not depend on time");
            return None;
        }
        Some(profile)
    }
}

/// Bodies, rod ends and what else is mentioned.
pub(super) fn told_frames(mechanism: &Mechanism, mentioned: &[(String, Frame)]) -> Vec<(String, Frame)> {
    let ends = mechanism
        .rods
        .iter()
        .enumerate()
        .flat_map(|(rod, part)| [0, part.elements].map(|boundary| Frame::Section { rod, boundary }));
    let bodies = (0..mechanism.bodies.len()).map(Frame::Body);
    let mut told: Vec<(String, Frame)> = ends.chain(bodies).map(|frame| (mechanism.frame_name(frame), frame)).collect();
    for (name, frame) in mentioned {
        if !told.iter().any(|(_, other)| other == frame) {
            told.push((name.clone(), *frame));
        }
    }
    told
}
