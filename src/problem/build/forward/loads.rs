//! Loads: known forces and torques at frames and along rods.

use super::super::Check;
use super::super::functions::Names;
use super::super::values::LOADED_FRAME;
use super::instants::Instants;
use super::rods::places;
use super::scene::Scene;
use crate::kernel::suggest::nearest;
use crate::kernel::{Expression, Function, OneOrSeveral, Profile};
use crate::mechanism::{Frame, LineLoad, LoadPart, LoadSpec, MotionLoad, RodKind};

/// Where the components of a load go among the three of space: of a force, of a torque.
pub(super) struct Directions {
    pub force: &'static [usize],
    pub torque: &'static [usize],
}

impl Directions {
    /// In space, or in the frame where the load `follows`. In the plane the section frame has d₁ across, d₃ along the
    /// rod and d₂ out of the plane; a body has its own x and y in the plane.
    pub(super) fn new(dimension: usize, follows_section: bool, turns: bool) -> Self {
        let (force, torque): (&'static [usize], &'static [usize]) = match (dimension, follows_section) {
            (2, true) => (&[0, 2], &[1]),
            (2, false) => (&[0, 1], &[2]),
            _ => (&[0, 1, 2], &[0, 1, 2]),
        };
        Self { force, torque: if turns { torque } else { &[] } }
    }
}

impl Check<'_> {
    pub fn loads_of(
        &mut self,
        scene: &mut Scene<'_>,
        names: &Names,
        instants: &Instants,
    ) -> (Vec<LoadPart>, Vec<LineLoad>, Vec<MotionLoad>) {
        let (mut loads, mut line_loads, mut by_motion) = (Vec::new(), Vec::new(), Vec::new());
        let spec = self.spec;
        for (name, load) in &spec.load {
            if load.force.is_none() && load.torque.is_none() && self.sure(&["load", name]) {
                let message = format!("load `{name}` applies nothing, expected `force` or `torque`");
                self.error(&["load", name], message, "no load");
            }
            match (&load.at, &load.along) {
                (Some(at), None) => {
                    let frame = self.frame_at(scene, &["load", name, "at"], at, false);
                    match self.motion_load(scene, name, load, frame, names) {
                        Some(load) => by_motion.extend(load),
                        None => loads.extend(self.point_load(scene, name, load, frame, names, instants)),
                    }
                }
                (None, Some(along)) => {
                    let rod = self.loaded_rod(scene, name, along);
                    line_loads.extend(self.line_load(scene, name, load, rod, names, instants));
                }
                (None, None) => self.missing_key(&["load", name, "at"], "a string", LOADED_FRAME),
                (Some(_), Some(_)) => {
                    let message = format!("load `{name}` has `at` and `along`, expected one of them");
                    self.error(&["load", name, "along"], message, "at a frame or along a rod?");
                }
            }
        }
        (loads, line_loads, by_motion)
    }

    fn point_load(
        &mut self,
        scene: &Scene<'_>,
        name: &str,
        load: &LoadSpec,
        frame: Option<Frame>,
        names: &Names,
        instants: &Instants,
    ) -> Option<LoadPart> {
        let turns = frame.and_then(|frame| scene.turns(frame)).unwrap_or(true);
        if load.follows && !turns {
            self.cannot_follow(name, load.at.as_deref().unwrap_or_default());
        }
        let is_section = matches!(frame, Some(Frame::Section { .. }));
        let directions = Directions::new(self.dimension()?, load.follows && is_section, turns);
        let mut functions: [[Function; 3]; 2] =
            std::array::from_fn(|_| std::array::from_fn(|_| Function::constant(0.0)));
        let mut right = true;
        for (kind, into, path, expression) in self.load_components(name, load, &directions) {
            let keys: Vec<&str> = path.iter().map(String::as_str).collect();
            match self.function(&keys, &expression, names).filter(|_| names.whole) {
                Some(function) if self.evaluate_at(&keys, &function, instants, false) => {
                    functions[kind][into] = function
                }
                _ => right = false,
            }
        }
        let [force, torque] = functions;
        let part = LoadPart { name: name.to_owned(), at: frame?, force, torque, follows: load.follows };
        right.then_some(part)
    }

    fn line_load(
        &mut self,
        scene: &Scene<'_>,
        name: &str,
        load: &LoadSpec,
        rod: Option<usize>,
        names: &Names,
        instants: &Instants,
    ) -> Option<LineLoad> {
        let turns = rod.and_then(|rod| scene.rods[rod].kind).is_none_or(RodKind::turns);
        if load.follows && !turns {
            self.cannot_follow(name, load.along.as_deref().unwrap_or_default());
        }
        let directions = Directions::new(self.dimension()?, load.follows, turns);
        let part = rod.and_then(|rod| scene.rods[rod].part.as_ref());
        let places = part.map_or(Vec::new(), |part| places(part.length, part.elements.min(200)));
        let mut profiles: [[Profile; 3]; 2] = std::array::from_fn(|_| std::array::from_fn(|_| Profile::constant(0.0)));
        let mut right = true;
        for (kind, into, path, expression) in self.load_components(name, load, &directions) {
            let keys: Vec<&str> = path.iter().map(String::as_str).collect();
            let Some(profile) = self.profile(&keys, &expression, names).filter(|_| names.whole) else {
                right = false;
                continue;
            };
            if let Some(task) = instants.frozen.filter(|_| profile.varies_in_time()) {
                self.frozen(&keys, task, instants.first());
            }
            right &= self.evaluate_along(&[(path.clone(), profile.clone())], &places, &instants.few());
            profiles[kind][into] = profile;
        }
        let [force, torque] = profiles;
        let load = LineLoad { name: name.to_owned(), rod: rod?, force, torque, follows: load.follows };
        right.then_some(load)
    }

    /// Components of force (0) and torque (1): which of the three of space they are, key path and expression.
    pub(super) fn load_components(
        &mut self,
        name: &str,
        load: &LoadSpec,
        directions: &Directions,
    ) -> Vec<(usize, usize, Vec<String>, Expression)> {
        let mut found = Vec::new();
        if let Some(force) = &load.force
            && self.length_of_vector(&["load", name, "force"], force.len())
        {
            for (i, (into, expression)) in directions.force.iter().zip(force).enumerate() {
                let path = ["load", name, "force", &i.to_string()].map(str::to_owned);
                found.push((0, *into, path.into(), expression.clone()));
            }
        }
        let path = ["load", name, "torque"];
        if let Some(torque) = &load.torque
            && self.number_of_values(&path, torque, directions.torque.len())
        {
            for (i, (into, expression)) in directions.torque.iter().zip(torque.as_slice()).enumerate() {
                let mut path: Vec<String> = path.map(str::to_owned).into();
                path.extend(matches!(torque, OneOrSeveral::Several(_)).then(|| i.to_string()));
                found.push((1, *into, path, expression.clone()));
            }
        }
        found
    }

    fn cannot_follow(&mut self, name: &str, frame: &str) {
        let message = format!("load `{name}` follows \"{frame}\", but a string has no orientation to follow");
        self.error(&["load", name, "follows"], message, "not for strings").help("remove it");
    }

    fn loaded_rod(&mut self, scene: &Scene<'_>, name: &str, along: &str) -> Option<usize> {
        let path = ["load", name, "along"];
        let found = scene.rod(along);
        if found.is_none() && self.sure(&path) && self.sure(&["rod", along]) {
            let rods: Vec<&str> = scene.rods.iter().map(|rod| rod.name).collect();
            let hint =
                nearest(along, rods.iter().copied()).map_or(String::new(), |near| format!("did you mean \"{near}\"? "));
            let message = format!("`load.{name}.along` is \"{along}\", expected the name of a rod");
            self.error(&path, message, "unknown rod").help(format!("{hint}Rods here: {}", super::super::list(&rods)));
        }
        found
    }
}
