//! Inverse dynamics of rods in a row: some coordinates of frames on them are prescribed, as many forces are to be found.

use super::super::Check;
use super::super::forward::Parts;
use super::super::forward::instants::Instants;
use super::super::list;
use crate::discretisation::TimeGrid;
use crate::discretisation::chain::{DrivePoint, Guide, PosePath, RodChain, Route};
use crate::geometry::{Pose, Quaternion};
use crate::kernel::Function;
use crate::mechanism::{Frame, Mechanism, SupportPart};
use crate::tasks::inverse_dynamics::chain::coordinate_name;
use crate::tasks::inverse_dynamics::scalar_names;
use crate::tasks::{Channel, Method, Output, Sweep, System};

/// Where to go with end data that are not complete.
pub(super) const INCOMPLETE: &str = "complete the servo path and the actuator; where no end is complete, method = \"galerkin\" solves all of space and time at once, and method = \"optimise\" treats fewer actuators";

/// What the file says of a row of rods.
pub(super) struct Row {
    pub mechanism: Mechanism,
    pub servos: Vec<Guide>,
    pub drives: Vec<(Channel, DrivePoint)>,
    pub grid: TimeGrid,
}

impl Check<'_> {
    /// The system, if it can be put together; whether it is right is told by `found`.
    pub fn row_system(&mut self) -> Option<System> {
        let before = self.found.errors();
        let spec = self.spec;
        let grid = self.time(true);
        let gravity = self.gravity();
        self.inverse_task();
        self.no_search();
        if spec.rod.is_empty() {
            if self.sure(&["rod"]) {
                let message = "there is no rod, expected a table such as [rod.beam]";
                self.error(&["rod"], message, "no [rod.*] in this file")
                    .help("lariat new beam-quarter-turn writes a file to start from");
            }
            return None;
        }
        let names = self.scope();
        self.turned_by_strings();
        let instants = Instants::new(Some("inverse-dynamics"), &spec.task, grid);
        let Parts { mut scene, mechanism, .. } = self.parts_of(&names, &instants, gravity);
        let servos = self.row_servos(&mut scene, &names, &instants);
        let drives = self.row_drives(&mut scene);
        let tables =
            ["dimension", "rod", "body", "joint", "spring", "actuator", "servo", "load", "support", "let", "table"];
        let sure = tables.iter().all(|table| self.sure(&[table]));
        let whole = self.found.errors() == before && sure && names.whole;
        let grid = grid.unwrap_or_else(|| TimeGrid::new(0.0, 1.0, 4));
        let system = match (mechanism, servos, whole) {
            (Some(mechanism), Some(servos), true) => self.put_together(Row { mechanism, servos, drives, grid }),
            _ => None,
        };
        if let Some(system) = &system {
            self.method(system);
        }
        let scalars = system.as_ref().map(scalar_names);
        let expect = self.expectations(scalars.as_deref());
        system.map(|system| System { expect, ..system })
    }

    pub(super) fn put_together(&mut self, row: Row) -> Option<System> {
        let before = self.found.errors();
        self.contradictions(&row);
        if self.found.errors() == before {
            self.as_many(&row);
        }
        let route = self.route(&row)?;
        let Row { mechanism, servos, drives, grid } = row;
        let follows = drives.iter().any(|(_, drive)| drive.follows);
        let mixed = drives.iter().any(|(_, drive)| {
            let first = &drives[0].1;
            (drive.frame, drive.follows) != (first.frame, first.follows)
        });
        if mixed && follows {
            let name = self.spec.actuator.keys().next().map_or("", String::as_str);
            let message = "actuators that follow a frame stand beside others, expected all of them on one frame and all following it";
            self.error(&["actuator", name, "follows"], message, "not all follow the same frame");
        }
        let marched: Vec<usize> = route.legs.iter().map(|leg| leg.rod).collect();
        self.refuse_rods(&mechanism, &marched);
        self.unfit_sections(&mechanism, &route.legs);
        if self.found.errors() > before {
            return None;
        }
        self.path_starts(&mechanism, &servos, grid);
        let plane = mechanism.dimension == 2;
        let output = |(guide, component): (usize, usize)| Output {
            name: format!("{}.{}", servos[guide].name, coordinate_name(plane, component)),
            guide,
            coordinate: component,
        };
        let held = servos.iter().enumerate().flat_map(|(guide, servo)| servo.holds.iter().map(move |c| (guide, *c)));
        let outputs: Vec<Output> = held.map(output).collect();
        let guides: Vec<Guide> = servos.into_iter().chain(self.support_guides(&mechanism)).collect();
        let (channels, drives): (Vec<Channel>, Vec<DrivePoint>) = drives.into_iter().unzip();
        let chain = RodChain::new(mechanism, route, guides, drives);
        let (title, expect) = (self.spec.title.clone(), Vec::new());
        Some(System { title, chain, mechanism: None, channels, outputs, grid, expect })
    }

    /// The row of rods: from the frame of a whole path to the actuators, or with everything on it.
    fn route(&mut self, row: &Row) -> Option<Route> {
        let frames: Vec<Frame> = row.drives.iter().map(|(_, drive)| drive.frame).collect();
        let first = row.servos.first()?;
        let spec = self.spec.task.inverse_dynamics()?;
        let marched =
            matches!(spec.method, Method::SpaceMarch | Method::Characteristics) || spec.sweep == Sweep::Layers;
        let complete =
            row.servos.len() == 1 && first.holds.len() == self.motion_components() && row.mechanism.supports.is_empty();
        let found = Route::find(&row.mechanism, first.frame, &frames);
        let all = || {
            let held = row.mechanism.supports.iter().map(|support| support.at);
            let guided = row.servos.iter().map(|servo| servo.frame);
            let frames: Vec<Frame> = guided.chain(held).chain(frames.iter().copied()).collect();
            Route::through(&row.mechanism, &frames)
        };
        let route = match (complete, found) {
            (true, Ok(route)) => Ok(route),
            (true, Err(broken)) if marched => Err(broken),
            (true, Err(broken)) => all().map_err(|_| broken),
            (false, _) => all(),
        };
        match route {
            Ok(route) => Some(route),
            Err(broken) => {
                let names: Vec<&str> = row.drives.iter().map(|(channel, _)| channel.name.as_str()).collect();
                self.broken(&row.mechanism, &first.name, &names, &broken);
                None
            }
        }
    }

    /// Components of motion of a section.
    pub(super) fn motion_components(&self) -> usize {
        match (self.dimension() == Some(2), self.is_limp()) {
            (true, true) => 2,
            (false, true) | (true, false) => 3,
            (false, false) => 6,
        }
    }

    /// Whether there are as many unknown forces as prescribed motions.
    fn as_many(&mut self, row: &Row) {
        let plane = row.mechanism.dimension == 2;
        let servos: Vec<String> = row
            .servos
            .iter()
            .flat_map(|servo| servo.holds.iter().map(move |c| format!("{}.{}", servo.name, coordinate_name(plane, *c))))
            .collect();
        let channels: Vec<&str> = row.drives.iter().map(|(channel, _)| channel.name.as_str()).collect();
        let (inputs, outputs) = (channels.len(), servos.len());
        if inputs == outputs {
            return;
        }
        let message = format!(
            "{outputs} servo outputs ({}) but {inputs} actuator inputs ({}), expected as many inputs as outputs",
            list(&servos),
            list(&channels)
        );
        let help = if outputs > inputs {
            "give the actuator more components in `acts`, or prescribe fewer coordinates; method = \"optimise\" treats fewer actuators"
        } else {
            "prescribe more coordinates, or take components out of `acts`: they would be undetermined"
        };
        let name = self.spec.actuator.keys().next().map_or("", String::as_str);
        self.error(&["actuator", name, "acts"], message, "inputs and outputs do not match").help(help);
    }

    fn support_guides(&self, mechanism: &Mechanism) -> Vec<Guide> {
        let limp = self.is_limp();
        mechanism.supports.iter().map(|support| support_guide(mechanism, support, limp)).collect()
    }

    /// Coordinates of one frame that are prescribed twice, or held and driven.
    fn contradictions(&mut self, row: &Row) {
        let plane = row.mechanism.dimension == 2;
        let guides: Vec<Guide> = row.servos.iter().cloned().chain(self.support_guides(&row.mechanism)).collect();
        let all: Vec<(&Guide, usize)> =
            guides.iter().flat_map(|guide| guide.holds.iter().map(move |component| (guide, *component))).collect();
        for (later, (guide, component)) in all.iter().enumerate() {
            let key = coordinate_name(plane, *component);
            let frame = row.mechanism.frame_name(guide.frame);
            let fixes = if self.document.get(&["support", &guide.name, "fixes"]).is_some() { "fixes" } else { "type" };
            let turn = if self.document.get(&["servo", &guide.name, "turn"]).is_some() { "turn" } else { "rotation" };
            let path = match guide.is_support {
                true => ["support", guide.name.as_str(), fixes],
                false => ["servo", guide.name.as_str(), if *component > 2 && !plane { turn } else { key }],
            };
            let same = |(other, c): &&(&Guide, usize)| c == component && other.frame == guide.frame;
            if let Some((other, _)) = all[..later].iter().find(same) {
                let how = if other.is_support { "held by support" } else { "moved by servo" };
                let message =
                    format!("{key} at \"{frame}\" is prescribed twice: here and {how} `{}`, expected once", other.name);
                self.error(&path, message, "prescribed already")
                    .help("a coordinate is held, moved or actuated, not two of these");
            }
            let drive = row
                .drives
                .iter()
                .find(|(_, drive)| guide.is_support && (drive.component, drive.frame) == (*component, guide.frame));
            if let Some((channel, _)) = drive {
                let message = format!(
                    "{key} at \"{frame}\" is held, but actuator `{}` acts on it, expected one of them",
                    channel.name
                );
                self.error(&path, message, "contradiction")
                    .help("a coordinate is held, moved or actuated, not two of these");
            }
        }
    }

    /// A rod without gravity and loads rests in its reference shape, so a path that begins elsewhere is suspicious; it is
    /// solved all the same, with the rod where the path begins.
    fn path_starts(&mut self, mechanism: &Mechanism, servos: &[Guide], grid: TimeGrid) {
        let loaded = !mechanism.loads.is_empty() || !mechanism.line_loads.is_empty() || !mechanism.springs.is_empty();
        let loaded = loaded || mechanism.fluid.is_there();
        if mechanism.gravity != nalgebra::Vector3::zeros() || loaded || self.is_limp() {
            return;
        }
        let length: f64 = mechanism.rods.iter().map(|rod| rod.length).sum();
        for servo in servos {
            let Ok(start) = servo.path.at(grid.start) else { continue };
            let reference = servo.path.reference;
            let moved = (start.pose.position - reference.position).norm();
            let turned = (start.pose.orientation * reference.orientation.conjugate()).rotation_vector().norm();
            if start.velocity.norm() == 0.0 && moved.max(turned * length) > 1e-6 * length {
                let message = format!(
                    "servo `{}` starts {moved:.6} m and {turned:.6} rad away from \"{}\" in the reference configuration: the rod is taken to rest where the path starts",
                    servo.name,
                    mechanism.frame_name(servo.frame)
                );
                self.warn(&["servo", &servo.name], message, "starts elsewhere");
            }
        }
    }
}

/// What a support holds.
fn support_guide(mechanism: &Mechanism, support: &SupportPart, limp: bool) -> Guide {
    let mut reference = mechanism.reference_pose(support.at);
    if limp {
        reference = Pose { orientation: Quaternion::IDENTITY, ..reference };
    }
    let zero = || Function::constant(0.0);
    let position = std::array::from_fn(|c| support.displacement[c].clone().unwrap_or_else(zero));
    let mut holds: Vec<usize> = (0..mechanism.dimension).filter(|c| support.displacement[*c].is_some()).collect();
    if support.rotation.is_some() && !limp {
        holds.extend(if mechanism.dimension == 2 { 5..6 } else { 3..6 });
    }
    Guide {
        name: support.name.clone(),
        frame: support.at,
        path: PosePath {
            origin: reference.position,
            position,
            turns: support.rotation.iter().cloned().collect(),
            reference,
        },
        holds,
        is_support: true,
    }
}
