//! Inverse dynamics of discrete mechanisms: bodies, joints, springs and rods of few elements, or a system by its Lagrangian.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::super::control::Allowed;
use super::super::functions::Names;
use super::super::{Check, list};
use crate::discretisation::TimeGrid;
use crate::discretisation::index::{Output, ServoProblem};
use crate::discretisation::transcription::multibody::Multibody;
use crate::discretisation::transcription::{Formula, formulas};
use crate::kernel::Expression;
use crate::kernel::magnitude::LARGEST;
use crate::kernel::suggest::nearest;
use crate::material::LawSpec;
use crate::mechanism::{Frame, RodSpec, ServoSpec};
use crate::tasks::inverse_dynamics::sequential::{Sample, ServoSystem, Solving, output_value};
use crate::tasks::optimal_control::formula;
use crate::tasks::{Configuration, InverseDynamicsSpec, Method, MotionStart};

const TASK: [&str; 2] = ["task", "inverse-dynamics"];
/// Elements of a rod, times their order, with which every instant can be solved in turn.
const FEW: usize = 3;
/// Share of a time step by which an instant may miss that of the grid.
const ON_GRID: f64 = 1e-6;

impl Check<'_> {
    /// Whether inverse dynamics is asked of a discrete mechanism: by its method, or because it is more than one rod with what
    /// its ends carry.
    pub(in crate::problem::build) fn is_sequential(&self) -> bool {
        let Some(task) = self.spec.task.inverse_dynamics() else { return false };
        match task.method {
            Method::Sequential | Method::BoundaryValue => true,
            Method::Auto => self.spec.system.is_some() || self.is_machine() || self.is_on_rail(),
            _ => self.spec.system.is_some(),
        }
    }

    /// How it is solved: cut into more than a few elements, rods have an index that no path is smooth enough for.
    pub(in crate::problem::build) fn solving(&self) -> Solving {
        let method = self.spec.task.inverse_dynamics().map(|task| task.method);
        let many = self.spec.rod.values().any(|rod| !rod.rigid && rod.elements * rod.order > FEW);
        match method {
            Some(Method::BoundaryValue) => Solving::Bounded,
            Some(Method::Auto) if many => Solving::Bounded,
            Some(Method::Auto) => Solving::Either,
            _ => Solving::Instants,
        }
    }

    /// Whether a string is driven where a support holds it as well, as by a trolley on a rail.
    fn is_on_rail(&self) -> bool {
        let spec = self.spec;
        let components = |servo: &ServoSpec| {
            [&servo.x, &servo.y, &servo.z, &servo.angle].into_iter().filter(|path| path.is_some()).count()
        };
        let outputs: usize = spec.servo.values().map(components).sum();
        let inputs: usize = spec.actuator.values().map(|actuator| actuator.acts.len()).sum();
        let held = |at: &String| spec.support.values().any(|support| support.at == *at);
        spec.rod.values().all(|rod| rod.model.is_string())
            && inputs == outputs
            && spec.actuator.values().any(|actuator| held(&actuator.at))
    }

    /// Whether there are parts or places that only mechanisms of several parts have.
    fn is_machine(&self) -> bool {
        let spec = self.spec;
        let is_joint = |at: &String| spec.joint.contains_key(at) && !spec.body.contains_key(at);
        let moving = spec.joint.values().any(|joint| !joint.r#type.is_rigid());
        let bodies_only = spec.rod.is_empty() && !spec.body.is_empty();
        if self.is_row_of_rods() {
            return false;
        }
        bodies_only
            || !spec.spring.is_empty()
            || spec.rod.len() > 1
            || spec.rod.values().any(|rod| rod.rigid)
            || (moving && spec.body.values().any(|body| body.position.is_some()))
            || spec.actuator.values().any(|actuator| is_joint(&actuator.at))
            || spec.servo.values().any(|servo| servo.path.is_some() || is_joint(&servo.at))
    }

    /// Whether rods that bend are joined rigidly, one whole pose is prescribed and as many components of force and torque act
    /// on a frame: such rods are marched along.
    fn is_row_of_rods(&self) -> bool {
        let spec = self.spec;
        let bends = |rod: &RodSpec| !rod.model.is_string() && !rod.rigid;
        let rigid = spec.joint.values().all(|joint| joint.r#type.is_rigid());
        let grounded = spec
            .spring
            .values()
            .all(|spring| spring.between.as_ref().is_some_and(|between| between.iter().any(|frame| frame == "ground")));
        let plane = self.dimension() == Some(2);
        // A march takes damping of one retardation time, with the quadratic law.
        let marchable = |rod: &RodSpec| {
            rod.law == LawSpec::Quadratic && rod.damping.as_ref().is_some_and(|damping| damping.time.is_some())
        };
        let whole = |servo: &ServoSpec| {
            let turns = match plane {
                true => servo.angle.is_some(),
                false => servo.z.is_some() && (servo.turn.is_some() || servo.rotation.is_some()),
            };
            servo.x.is_some() && servo.y.is_some() && turns
        };
        let components: usize = spec.actuator.values().map(|actuator| actuator.acts.len()).sum();
        let on_joint = spec.actuator.values().any(|actuator| spec.joint.contains_key(&actuator.at));
        spec.rod.values().any(bends)
            && !spec.rod.values().any(|rod| rod.model.is_string() || (rod.damping.is_some() && !marchable(rod)))
            && rigid
            && self.is_one_row()
            && grounded
            && spec.support.is_empty()
            && spec.servo.len() == 1
            && spec.servo.values().all(whole)
            && components == if plane { 3 } else { 6 }
            && !on_joint
    }

    /// Whether the rods that deform stand in one row: no more than two of them meet, and none at an inner place of another.
    fn is_one_row(&self) -> bool {
        let spec = self.spec;
        // Frames that are joined have the same root.
        let mut root: BTreeMap<&str, &str> = BTreeMap::new();
        fn find<'a>(root: &BTreeMap<&'a str, &'a str>, mut frame: &'a str) -> &'a str {
            while let Some(next) = root.get(frame) {
                frame = next;
            }
            frame
        }
        let ends: BTreeMap<&String, [String; 2]> =
            spec.rod.keys().map(|name| (name, [format!("{name}.start"), format!("{name}.end")])).collect();
        let rigid = spec.rod.iter().filter(|(_, rod)| rod.rigid).filter_map(|(name, _)| ends.get(name));
        let joined = spec.joint.values().map(|joint| &joint.between);
        for [a, b] in joined.chain(rigid) {
            let (a, b) = (find(&root, a), find(&root, b));
            if a != b {
                root.insert(a, b);
            }
        }
        let mut meeting: BTreeMap<&str, usize> = BTreeMap::new();
        let deforming = spec.rod.iter().filter(|(_, rod)| !rod.rigid).filter_map(|(name, _)| ends.get(name));
        for end in deforming.flatten() {
            *meeting.entry(find(&root, end)).or_default() += 1;
        }
        let inner = |frame: &String| {
            let place = frame.split_once('@').is_some();
            place
                && spec.joint.values().any(|joint| {
                    let rod_end = |other: &String| other.ends_with(".start") || other.ends_with(".end");
                    joint.between.contains(frame) && joint.between.iter().any(rod_end)
                })
        };
        let simple = spec.rod.values().all(|rod| rod.order == 1);
        simple
            && meeting.values().filter(|count| **count == 1).count() == 2
            && meeting.values().all(|count| *count <= 2)
            && !spec.joint.values().any(|joint| joint.between.iter().any(inner))
    }

    /// The system, if it can be put together; whether it is right is told by `found`.
    pub(in crate::problem::build) fn servo_system(&mut self) -> Option<ServoSystem> {
        let before = self.found.errors();
        let mut system = self.servo_parts()?;
        let scalars = system.scalar_names();
        system.expect = self.expectations(Some(&scalars));
        if self.found.errors() == before && self.scope().whole {
            self.determined(&system);
        }
        Some(system)
    }

    /// Mechanism, outputs and paths, but for known answers.
    pub(super) fn servo_parts(&mut self) -> Option<ServoSystem> {
        let spec = self.spec;
        let task = spec.task.inverse_dynamics()?;
        self.refuse_mixtures();
        let grid = self.time(true);
        self.inverse_task();
        self.no_sweep(task);
        if !matches!(task.method, Method::Auto | Method::Sequential | Method::BoundaryValue | Method::Optimise) {
            let message = "`task.inverse-dynamics.method` is one for a rod, but there is a [system], expected \"sequential\", \"boundary-value\" or \"optimise\"";
            self.error(&[TASK[0], TASK[1], "method"], message, "not for a system").help("leave it out");
        }
        if task.method != Method::Optimise {
            self.no_orientations();
        }
        let names = self.scope();
        let Some(known) = self.known_system(&names) else {
            self.expectations(None);
            return None;
        };
        self.parts.clone_from(&known.multibody);
        let (coordinates, controls) = (known.coordinates, known.controls);
        let outputs = self.servo_outputs(known.multibody.as_ref(), (&coordinates, &controls), grid, &names);
        let reference = self.search_start(task, &coordinates, known.multibody.as_ref(), &names);
        let (mechanics, grid) = (known.mechanics?, grid?);
        let (outputs, reference) = (outputs?, reference?);
        let mut units = known.units;
        for output in &outputs {
            if let Some(unit) = self.output_unit(&output.name, &units) {
                units.insert(output.name.clone(), unit);
            }
        }
        let solving = self.solving();
        let one_rod = if spec.rod.len() == 1 && spec.system.is_none() { spec.rod.iter().next() } else { None };
        let guided = known.multibody.as_ref().and_then(|body| self.guided(body));
        let mut system = ServoSystem {
            title: spec.title.clone(),
            problem: ServoProblem { mechanics, outputs, reference },
            grid,
            units,
            multibody: known.multibody,
            guided,
            reason: match (task.method, solving) {
                (Method::Auto, Solving::Bounded) => {
                    "auto: the actuators move the outputs through rods that deform".to_owned()
                }
                (Method::Auto, _) => "auto: a discrete mechanism, followed instant by instant".to_owned(),
                _ => String::new(),
            },
            solving,
            rod: one_rod.map(|(name, rod)| (name.clone(), rod.elements)),
            verify: task.verify.clone(),
            profile: task.profile.clone(),
            samples: Vec::new(),
            expect: Vec::new(),
        };
        system.samples = self.samples(&system);
        Some(system)
    }

    /// Settings of other methods.
    fn no_sweep(&mut self, task: &InverseDynamicsSpec) {
        if task.sweep != crate::tasks::Sweep::Auto {
            let message = "`task.inverse-dynamics.sweep` has no effect here: only the finite elements of galerkin are swept, expected method \"galerkin\"";
            self.error(&[TASK[0], TASK[1], "sweep"], message, "not used by this method").help("remove it");
        }
    }

    /// All outputs with their paths.
    fn servo_outputs(
        &mut self,
        body: Option<&Arc<Multibody>>,
        (coordinates, controls): (&[String], &[String]),
        grid: Option<TimeGrid>,
        names: &Names,
    ) -> Option<Vec<Output>> {
        let before = self.found.errors();
        let spec = self.spec;
        if spec.servo.is_empty() && self.sure(&["servo"]) {
            let message = "there is no servo path, expected a table such as [servo.load]: which motion is wanted?";
            self.error(&["servo"], message, "no [servo.*] in this file")
                .help("for example at = \"payload\", x = \"1 + 0.2*rest(t, 2, 4, 6)\"");
        }
        let mut outputs: Vec<Output> = Vec::new();
        for (name, servo) in &spec.servo {
            let given = [("x", &servo.x), ("y", &servo.y), ("z", &servo.z), ("angle", &servo.angle)];
            let turns = servo.turn.is_some() || servo.rotation.is_some();
            let none = given.iter().all(|(_, path)| path.is_none()) && servo.path.is_none() && !turns;
            if none && self.sure(&["servo", name]) {
                let message = format!("servo `{name}` prescribes nothing, expected `x`, `y`, `z`, `angle` or `path`");
                self.error(&["servo", name], message, "no path");
            }
            for (key, path) in given {
                let Some(path) = path else { continue };
                let output = self.frame_output(body, coordinates, name, servo, key);
                let path = self.output_path(&["servo", name, key], path, (body, output.as_ref()), grid, names);
                let (Some(output), Some(path)) = (output, path) else { continue };
                outputs.push(Output { name: format!("{name}.{key}"), output, path });
            }
            outputs.extend(self.turn_outputs(body, name, servo, grid, names));
            let Some(path) = &servo.path else { continue };
            let source = Expression::Text(servo.at.clone());
            let at = ["servo", name.as_str(), "at"];
            let output = self.formula_of(&at, &source, (coordinates, controls), Allowed::Coordinates, names);
            let output = output.map(|output| self.lowered(output));
            let path = self.output_path(&["servo", name, "path"], path, (body, output.as_ref()), grid, names);
            let (Some(output), Some(path)) = (output, path) else { continue };
            outputs.push(Output { name: name.clone(), output, path });
        }
        (self.found.errors() == before && self.sure(&["servo"])).then_some(outputs)
    }

    /// Degrees of freedom of frames that the outputs are, if all of them are such.
    fn guided(&self, body: &Multibody) -> Option<Vec<(Frame, usize)>> {
        let of = |servo: &ServoSpec| -> Option<Vec<(Frame, usize)>> {
            let given = [("x", &servo.x), ("y", &servo.y), ("z", &servo.z), ("angle", &servo.angle)];
            let given = given.into_iter().filter(|(_, path)| path.is_some());
            let freedoms = given.map(|(key, _)| body.freedom_of(&format!("{}.{key}", servo.at)));
            let turns = servo.turn.is_some() || servo.rotation.is_some();
            freedoms.collect::<Option<Vec<_>>>().filter(|_| servo.path.is_none() && !turns)
        };
        let all: Option<Vec<Vec<(Frame, usize)>>> = self.spec.servo.values().map(of).collect();
        all.map(|list| list.concat())
    }

    /// A coordinate of a frame, or the angle of a joint.
    fn frame_output(
        &mut self,
        body: Option<&Arc<Multibody>>,
        coordinates: &[String],
        name: &str,
        servo: &ServoSpec,
        key: &str,
    ) -> Option<Formula> {
        let wanted = format!("{}.{key}", servo.at);
        let Some(body) = body else {
            let message = format!("[servo.{name}] prescribes `{key}` of a frame, but a [system] has none");
            self.error(&["servo", name, key], message, "expected `path`")
                .help(format!("state the output in `at`, an expression of {}, and its `path`", list(coordinates)));
            return None;
        };
        if let Some(place) = coordinates.iter().position(|known| *known == wanted) {
            return Some(formulas::coordinate(place));
        }
        let quantities = body.quantity_names();
        if let Some(place) = quantities.iter().position(|known| *known == wanted) {
            return Some(formulas::quantity(body.clone(), place));
        }
        let known: Vec<String> = coordinates.iter().chain(&quantities).cloned().collect();
        let near = nearest(&wanted, known.iter().map(String::as_str)).map(|near| format!("did you mean `{near}`? "));
        let message = format!("`servo.{name}.{key}`: \"{}\" has no coordinate `{key}` that can move", servo.at);
        self.error(&["servo", name, key], message, "nothing to prescribe").help(format!(
            "{}There are {}",
            near.unwrap_or_default(),
            list(&known)
        ));
        None
    }

    /// The path of an output, which may be relative to the loaded equilibrium.
    fn output_path(
        &mut self,
        path: &[&str],
        source: &Expression,
        (body, output): (Option<&Arc<Multibody>>, Option<&Formula>),
        grid: Option<TimeGrid>,
        names: &Names,
    ) -> Option<Formula> {
        let own = self.names_of_path(path, source, names, |check| {
            let body = body.ok_or("a [system] has no frames that could be held")?;
            let loaded = check.loaded(body.mechanism())?;
            let output = output.ok_or("the output has mistakes")?;
            let (q, t) = (body.coordinates_of(loaded.coordinates()), grid.map_or(0.0, |grid| grid.start));
            output_value(body, output, &q, t).map_err(|failure| failure.to_string())
        })?;
        self.servo_path(path, source, grid, own.as_ref().unwrap_or(names))
    }

    /// A path, which must have values on the whole grid.
    fn servo_path(
        &mut self,
        path: &[&str],
        source: &Expression,
        grid: Option<TimeGrid>,
        names: &Names,
    ) -> Option<Formula> {
        let function = self.function(path, source, names)?;
        let compiled = self.formula(path, source, names, &[])?;
        let failure = grid.filter(|_| names.whole).and_then(|grid| {
            let instants = (0..=2 * grid.steps).map(|k| grid.start + 0.5 * k as f64 * grid.dt);
            instants.into_iter().find_map(|t| function.value_within(t, LARGEST).err())
        });
        if let Some(error) = failure {
            self.failures(vec![(path.iter().map(|key| (*key).to_owned()).collect(), error)]);
            return None;
        }
        Some(formula(compiled))
    }

    /// Where the search for the first configuration begins.
    fn search_start(
        &mut self,
        task: &InverseDynamicsSpec,
        coordinates: &[String],
        body: Option<&Arc<Multibody>>,
        names: &Names,
    ) -> Option<Vec<f64>> {
        let before = self.found.errors();
        let mut reference = body.map_or_else(|| vec![0.0; coordinates.len()], |body| body.reference());
        let loaded = match (&task.start, body) {
            (Some(MotionStart::Word(Configuration::Equilibrium)), None) => {
                Some(Err("a [system] has no frames that could be held".to_owned()))
            }
            (Some(MotionStart::Word(Configuration::Equilibrium)), Some(body)) => Some(self.loaded(body.mechanism())),
            (None, Some(body)) if self.loaded.is_some() || body.mechanism().is_bent_at_rest() => {
                self.loaded(body.mechanism()).ok().map(Ok)
            }
            _ => None,
        };
        match loaded {
            Some(Ok(loaded)) => reference = body.map_or(reference, |body| body.coordinates_of(loaded.coordinates())),
            Some(Err(reason)) => {
                let path = [TASK[0], TASK[1], "start"];
                let message = format!("`task.inverse-dynamics.start` is \"equilibrium\", but {reason}");
                self.error(&path, message, "no such equilibrium")
                    .help("state coordinates near it, or start = \"reference\"");
            }
            None => {}
        }
        let none = BTreeMap::new();
        let stated = if let Some(MotionStart::State(stated)) = &task.start { stated } else { &none };
        for (name, source) in stated {
            let path = [TASK[0], TASK[1], "start", name.as_str()];
            let place = self.known_name(&path, name, coordinates, "coordinate");
            let value = self.fixed_number(&path, source, names);
            if let (Some(place), Some(value)) = (place, value) {
                reference[place] = value;
            }
        }
        (self.found.errors() == before && self.sure(&TASK)).then_some(reference)
    }

    /// Unit of an output, from its name or from that of the coordinate it is.
    fn output_unit(&self, name: &str, units: &std::collections::BTreeMap<String, String>) -> Option<String> {
        match name.rsplit_once('.') {
            Some((_, "angle" | "turn_x" | "turn_y" | "turn_z")) => Some("rad".to_owned()),
            Some((_, "x" | "y" | "z")) => Some("m".to_owned()),
            _ => self.spec.servo.get(name).and_then(|servo| units.get(servo.at.trim()).cloned()),
        }
    }

    /// Values at instants that known answers ask for: `actuation.motor.torque.at(0.5)`.
    fn samples(&mut self, system: &ServoSystem) -> Vec<Sample> {
        let (grid, motion) = (system.grid, system.motion_columns());
        let controls = system.problem.mechanics.controls();
        let mut found = Vec::new();
        for name in self.spec.expect.keys() {
            let Some((before, time)) = name.strip_suffix(')').and_then(|name| name.rsplit_once(".at(")) else {
                continue;
            };
            let Some((table, column)) = before.split_once('.') else { continue };
            let actuation = table == "actuation";
            let known = if actuation { &controls } else { &motion };
            if !(actuation || table == "motion") || !known.iter().any(|known| known == column) {
                continue;
            }
            let Ok(time) = time.trim().parse::<f64>() else { continue };
            let instant = ((time - grid.start) / grid.dt).round();
            let on_grid = (grid.start + instant * grid.dt - time).abs() <= ON_GRID * grid.dt;
            if !on_grid || instant < 0.0 || instant > grid.steps as f64 {
                let message = format!(
                    "`{name}`: t = {time} is not an instant of the grid from {} to {} in steps of {}",
                    grid.start,
                    grid.end(),
                    grid.dt
                );
                self.found.error_at_key(self.document, &["expect", name], message, "between two instants");
            }
            let instant = instant.clamp(0.0, grid.steps as f64) as usize;
            found.push(Sample { name: name.clone(), actuation, column: column.to_owned(), instant });
        }
        found
    }

    /// Tells why the paths do not determine the actuation, if that shows in the structure of the equations.
    fn determined(&mut self, system: &ServoSystem) {
        let Err(error) = system.determined() else { return };
        let table = if self.spec.system.is_some() { "servo" } else { "actuator" };
        let names: Vec<&String> = match table {
            "servo" => self.spec.servo.keys().collect(),
            _ => self.spec.actuator.keys().collect(),
        };
        let first = names.first().map_or("", |name| name.as_str());
        self.error(&[table, first], error.to_string(), "inputs and outputs do not match");
    }
}
