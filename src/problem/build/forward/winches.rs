//! Winches: ropes over sheaves, and what drives them.

use super::super::Check;
use super::super::functions::Names;
use super::instants::Instants;
use super::rods::places;
use super::scene::Scene;
use crate::kernel::suggest::nearest;
use crate::kernel::{Expression, Function};
use crate::mechanism::{Frame, JointPart, LineLoad, Quadrature, WinchDrive, WinchPart, WinchSpec};

/// Lengths that differ by less than this part are the same.
const SAME: f64 = 1e-6;

impl Check<'_> {
    /// All winches. Their sheaves are joined to what carries them, and what is joined to the other ends of their ropes is held by
    /// points, as strings do not turn.
    pub(super) fn winches_of(
        &mut self,
        scene: &mut Scene<'_>,
        joints: &mut Vec<JointPart>,
        names: &Names,
        instants: &Instants,
    ) -> Vec<WinchPart> {
        let spec = self.spec;
        let mut winches: Vec<WinchPart> = Vec::new();
        let mut reeved: Vec<(usize, String)> = Vec::new();
        if let (Some(name), true) = (spec.winch.keys().next(), spec.spin.is_some()) {
            let message = format!(
                "winch `{name}` stands in a frame that turns, expected no [spin]: ropes of changing length are not built for it yet"
            );
            self.error(&["spin"], message, "not with winches");
        }
        for (name, winch) in &spec.winch {
            let at = self.frame_at(scene, &["winch", name, "at"], &winch.at, true);
            let rope = self.reeved_rope(scene, name, "rope", &winch.rope, at, &mut reeved);
            let counter = winch.counter.as_ref();
            let counter = counter.map(|counter| self.reeved_rope(scene, name, "counter", counter, at, &mut reeved));
            let right = self.drum(name, winch);
            let (Some(rope), Some(at), Some(radius)) = (rope, at, right) else { continue };
            if counter == Some(None) {
                continue;
            }
            let mut part = WinchPart {
                name: name.clone(),
                rope,
                counter: counter.flatten(),
                at,
                stored: winch.stored.unwrap_or(0.0),
                radius,
                inertia: winch.inertia.unwrap_or(0.0),
                drive: WinchDrive::Sought,
            };
            let Some(drive) = self.winch_drive(scene, winch, &part, names, instants) else { continue };
            part.drive = drive;
            let sheave = |rope: usize| Frame::Section { rod: rope, boundary: 0 };
            for (rope, _) in part.ropes() {
                let Some(place) = scene.position(sheave(rope)) else { continue };
                joints.push(JointPart::pinned(name, [at, sheave(rope)], place));
            }
            winches.push(part);
        }
        for joint in joints.iter_mut().filter(|joint| !joint.is_moving()) {
            let on_rope = |frame: &Frame| matches!(frame, Frame::Section { rod, .. } if reeved.iter().any(|(rope, _)| rope == rod));
            if joint.between.iter().any(on_rope) {
                *joint = JointPart::pinned(&joint.name, joint.between, joint.at[0]);
            }
        }
        winches
    }

    /// The string of this name, if it can run over a sheave.
    fn reeved_rope(
        &mut self,
        scene: &Scene<'_>,
        winch: &str,
        key: &str,
        name: &str,
        at: Option<Frame>,
        taken: &mut Vec<(usize, String)>,
    ) -> Option<usize> {
        let path = ["winch", winch, key];
        if !self.sure(&path) {
            return None;
        }
        let here = self.document.path_text(&path);
        let Some(index) = scene.rod(name) else {
            let known: Vec<&str> = scene.rods.iter().map(|rod| rod.name).collect();
            let message = format!("`{here}` is \"{name}\", expected the name of a rod with model = \"string\"");
            let error = self.error(&path, message, "no such rod");
            if let Some(meant) = nearest(name, known.iter().copied()) {
                error.help(format!("did you mean \"{meant}\"?"));
            }
            return None;
        };
        if let Some((_, other)) = taken.iter().find(|(rope, _)| *rope == index) {
            let message =
                format!("`{here}` is \"{name}\", which runs over winch `{other}` already, expected another rod");
            self.error(&path, message, "a rope runs over one sheave");
            return None;
        }
        taken.push((index, winch.to_owned()));
        if matches!(at, Some(Frame::Section { rod, .. }) if rod == index) {
            let message =
                format!("winch `{winch}` is at the end of its own rope, expected a body, another rod or \"ground\"");
            self.error(&["winch", winch, "at"], message, "carried by its own rope");
            return None;
        }
        let kind = scene.rods[index].kind?;
        if !kind.is_limp() {
            let message =
                format!("`{here}` is \"{name}\", a rod that resists bending, expected one with model = \"string\"");
            self.error(&path, message, "only strings run over sheaves");
            return None;
        }
        self.uniform_rope(scene, index, name).then_some(index)
    }

    /// A rope that runs over a sheave is straight, and the same all along.
    fn uniform_rope(&mut self, scene: &Scene<'_>, index: usize, name: &str) -> bool {
        let Some(part) = &scene.rods[index].part else { return false };
        let spec = &self.spec.rod[name];
        let refused = [
            (spec.damping.is_some(), "damping", "is not built for ropes of changing length yet"),
            (spec.drag.is_some(), "drag", "is not built for ropes of changing length yet"),
            (spec.velocity.is_some(), "velocity", "has no meaning: the rope begins with the velocities of its ends"),
            (spec.quadrature != Quadrature::Midpoint, "quadrature", "is for rods of constant length"),
            (!spec.grid.is_equal(), "grid", "must be \"equal\": the rope runs through its elements"),
        ];
        let refused: Vec<_> = refused.into_iter().filter(|(is, ..)| *is).collect();
        for (_, key, why) in &refused {
            let message = format!("`rod.{name}.{key}` {why}; rod `{name}` runs over a winch");
            self.error(&["rod", name, key], message, "not of a rope on a winch");
        }
        if !refused.is_empty() {
            return false;
        }
        let [from, to] = [0.0, part.length].map(|s| (part.reference)(s).position);
        if ((to - from).norm() - part.length).abs() > SAME * part.length {
            let message = format!("rod `{name}` is curved, expected a straight one: it hangs from a sheave");
            self.error(&["rod", name, "curve"], message, "not straight");
            return false;
        }
        let of = |s: f64| {
            let section = (part.section)(s);
            let natural = part.prestrain.as_ref().map_or(0.0, |prestrain| prestrain(s)[2]);
            (section.mass, section.stiffness[(2, 2)], natural)
        };
        let first = of(0.0);
        if places(part.length, part.elements).into_iter().any(|s| of(s) != first) {
            let message = format!(
                "rod `{name}` changes along its length, expected the same section all along: it runs over a winch"
            );
            self.error(&["rod", name], message, "not uniform");
            return false;
        }
        true
    }

    /// Radius, inertia and store, if they are right.
    #[allow(clippy::option_option)]
    fn drum(&mut self, name: &str, winch: &WinchSpec) -> Option<Option<f64>> {
        let path = |key| ["winch", name, key];
        let mut right = true;
        if let Some(radius) = winch.radius {
            right &= self.positive(&path("radius"), radius);
        }
        for (key, value) in [("inertia", winch.inertia), ("stored", winch.stored)] {
            if let Some(value) = value {
                right &= self.not_negative(&path(key), value);
            }
        }
        for (key, given) in [("torque", winch.torque.is_some()), ("inertia", winch.inertia.is_some())] {
            if given && winch.radius.is_none() && self.sure(&path("radius")) {
                let message = format!("winch `{name}` has `{key}` without `radius`, expected the radius of its drum");
                self.error(&path(key), message, "needs the radius").help("add `radius`, metre");
                right = false;
            }
        }
        if winch.stored.is_some_and(|stored| stored > 0.0) && winch.counter.is_some() {
            let message = format!(
                "winch `{name}` has `stored` and `counter`, expected one of them: what leaves one side of a sheave comes from the other"
            );
            self.error(&path("stored"), message, "from the drum or from the other side?");
            right = false;
        }
        right.then_some(winch.radius)
    }

    /// What drives a winch: one of three in forward tasks, none in inverse dynamics.
    fn winch_drive(
        &mut self,
        scene: &Scene<'_>,
        winch: &WinchSpec,
        part: &WinchPart,
        names: &Names,
        instants: &Instants,
    ) -> Option<WinchDrive> {
        let name = part.name.as_str();
        let keys = [("length", &winch.length), ("force", &winch.force), ("torque", &winch.torque)];
        let given: Vec<(&str, &Expression)> =
            keys.into_iter().filter_map(|(key, value)| Some((key, value.as_ref()?))).collect();
        if self.task_name() == Some("inverse-dynamics") {
            let Some((key, _)) = given.first() else { return Some(WinchDrive::Sought) };
            let message = format!(
                "`winch.{name}.{key}` is given, but inverse dynamics seeks what drives the winch, expected none"
            );
            self.error(&["winch", name, key], message, "is what is sought");
            return None;
        }
        // Other tasks refuse winches.
        if !matches!(self.task_name(), Some("simulate" | "statics")) {
            return Some(WinchDrive::Sought);
        }
        match given.as_slice() {
            [] => {
                let message = format!("winch `{name}` is not driven, expected one of `length`, `force`, `torque`");
                self.error(&["winch", name], message, "what drives it?").help("force = 0 lets the sheave run freely");
                None
            }
            [(key, source)] => {
                let path = ["winch", name, *key];
                let function = self.function(&path, source, names).filter(|_| names.whole)?;
                let is_length = *key == "length";
                if !self.evaluate_at(&path, &function, instants, is_length) {
                    return None;
                }
                if is_length {
                    return self.driven_length(scene, part, source, &function, names, instants);
                }
                let force = match part.radius.filter(|_| *key == "torque") {
                    Some(radius) => self.function(&path, &divided(source, radius), names)?,
                    None => function,
                };
                Some(WinchDrive::Force(force))
            }
            [_, (key, _), ..] => {
                let message = format!("winch `{name}` has `{}` and `{key}`, expected one of them", given[0].0);
                self.error(&["winch", name, key], message, "what drives it?");
                None
            }
        }
    }

    /// The length paid out since the reference configuration, if there is so much rope.
    fn driven_length(
        &mut self,
        scene: &Scene<'_>,
        part: &WinchPart,
        source: &Expression,
        length: &Function,
        names: &Names,
        instants: &Instants,
    ) -> Option<WinchDrive> {
        let path = ["winch", part.name.as_str(), "length"];
        let here = self.document.path_text(&path);
        let of_rod = |rod: usize| scene.rods[rod].part.as_ref().map(|rod| rod.length);
        let free = of_rod(part.rope)?;
        let most = free + part.counter.map_or(Some(part.stored), of_rod)?;
        let values = instants.times.iter().filter_map(|t| Some((*t, length.value(*t).ok()?)));
        let (mut shortest, mut longest) = ((0.0, f64::INFINITY), (0.0, f64::NEG_INFINITY));
        for (t, value) in values {
            shortest = if value < shortest.1 { (t, value) } else { shortest };
            longest = if value > longest.1 { (t, value) } else { longest };
        }
        if shortest.1 <= 0.0 {
            let message = format!("`{here}` is {} m at t = {} s, expected a positive length", shortest.1, shortest.0);
            self.error(&path, message, "no rope left");
            return None;
        }
        if longest.1 > most * (1.0 + 1e-9) {
            let rope = &scene.rods[part.rope].name;
            let message = match part.counter {
                None => format!(
                    "`{here}` is {} m at t = {} s, but there are {most} m of rope: {free} m of rod `{rope}` and {} m on the drum",
                    longest.1, longest.0, part.stored
                ),
                Some(counter) => format!(
                    "`{here}` is {} m at t = {} s, but there are {most} m of rope: {free} m of rod `{rope}` and {} m of rod `{}`",
                    longest.1,
                    longest.0,
                    most - free,
                    scene.rods[counter].name
                ),
            };
            self.error(&path, message, "the rope is too short")
                .help(format!("`winch.{}.stored` is the length on the drum at the beginning", part.name));
            return None;
        }
        let first = length.value(instants.first()).ok()?;
        if instants.from_reference && (first - free).abs() > SAME * free {
            let message = format!(
                "`{here}` starts at {first} m, but rod `{}` is {free} m long in the reference configuration, where the simulation begins: expect a jerk",
                scene.rods[part.rope].name
            );
            self.warn(&path, message, "starts elsewhere")
                .help("set task.simulate.start = \"equilibrium\" to begin at rest there");
        }
        let paid_out = match source {
            Expression::Number(value) => Expression::Number(value - free),
            Expression::Text(text) => Expression::Text(format!("({text}) - ({free:?})")),
        };
        Some(WinchDrive::Length(self.function(&path, &paid_out, names)?))
    }

    /// Ropes over winches carry no loads along them.
    pub(super) fn unloaded_ropes(&mut self, scene: &Scene<'_>, winches: &[WinchPart], loads: &[LineLoad]) {
        for winch in winches {
            for (rope, _) in winch.ropes() {
                if let Some(load) = loads.iter().find(|load| load.rod == rope) {
                    let message = format!(
                        "load `{}` acts along rod `{}`, which runs over winch `{}`: loads along ropes of changing length are not built yet",
                        load.name, scene.rods[rope].name, winch.name
                    );
                    self.error(&["load", &load.name, "along"], message, "not of a rope on a winch");
                }
            }
        }
    }
}

/// An expression over a number.
fn divided(expression: &Expression, number: f64) -> Expression {
    match expression {
        Expression::Number(value) => Expression::Number(value / number),
        Expression::Text(text) => Expression::Text(format!("({text})/({number:?})")),
    }
}
