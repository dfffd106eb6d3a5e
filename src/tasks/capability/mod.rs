//! What each way of solving takes: the one table from which refusals, `lariat capabilities` and the page of the guide are made.
//!
//! A part is taken unless [`Feature::ability`] says otherwise. What has no meaning is told apart from what is merely not built.

mod page;

use super::{InverseDynamicsSpec, Method, ModesMethod, Sweep, TaskSpec};
pub use page::page;

/// A way of solving: a task, with its method where it has several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// `[task.statics]`.
    Statics,
    /// `[task.simulate]`.
    Simulate,
    /// `[task.simulate]` with two step lengths.
    Multirate,
    /// `[task.modes]` by elements.
    Modes,
    /// `[task.modes]` by exact members.
    ExactModes,
    /// `[task.mobility]`.
    Mobility,
    /// `[task.inverse-dynamics]`, marched along the rods.
    SpaceMarch,
    /// The same along characteristic lines.
    Characteristics,
    /// By space-time elements, layer by layer.
    Layers,
    /// By space-time elements, all at once.
    Global,
    /// By servo constraints, instant by instant.
    Sequential,
    /// By a boundary value problem in time.
    BoundaryValue,
    /// By optimisation.
    Optimise,
    /// `[task.optimal-control]`.
    OptimalControl,
    /// The same with phases.
    Phases,
}

use Way::{
    BoundaryValue, Characteristics, ExactModes, Global, Layers, Mobility, Modes, Multirate, OptimalControl, Optimise,
    Phases, Sequential, Simulate, SpaceMarch, Statics,
};

/// Along rods, from end to end.
const ALONG: &[Way] = &[SpaceMarch, Characteristics, Layers, Global];
/// By finite elements in space and time.
const ELEMENTS: &[Way] = &[Layers, Global];
/// Where nothing is asked of the motion.
const STILL: &[Way] = &[Statics, Modes, ExactModes, Mobility];

/// Tasks that ask for no forces along a path.
const OTHERS: &[Way] = &[Statics, Simulate, Multirate, Modes, ExactModes, Mobility, OptimalControl, Phases];

impl Way {
    /// All, in the order of the table.
    pub const ALL: [Self; 15] = [
        Statics,
        Simulate,
        Multirate,
        Modes,
        ExactModes,
        Mobility,
        SpaceMarch,
        Characteristics,
        Layers,
        Global,
        Sequential,
        BoundaryValue,
        Optimise,
        OptimalControl,
        Phases,
    ];

    /// Task and method, as a person writes of them.
    pub fn name(self) -> &'static str {
        match self {
            Statics => "statics",
            Simulate => "simulate",
            Multirate => "simulate, two step lengths",
            Modes => "modes",
            ExactModes => "modes, exact members",
            Mobility => "mobility",
            SpaceMarch => "inverse-dynamics, space-march",
            Characteristics => "inverse-dynamics, characteristics",
            Layers => "inverse-dynamics, galerkin by layers",
            Global => "inverse-dynamics, galerkin at once",
            Sequential => "inverse-dynamics, sequential",
            BoundaryValue => "inverse-dynamics, boundary-value",
            Optimise => "inverse-dynamics, optimise",
            OptimalControl => "optimal-control",
            Phases => "optimal-control, phases",
        }
    }

    /// Whether rods are followed from end to end.
    pub fn is_along(self) -> bool {
        ALONG.contains(&self)
    }

    /// The ways that a task may be solved by: several where the data decide.
    pub fn of(task: &TaskSpec) -> Vec<Self> {
        match task {
            TaskSpec::Statics(_) => vec![Statics],
            TaskSpec::Simulate(spec) if spec.multirate.is_some() => vec![Multirate],
            TaskSpec::Simulate(_) => vec![Simulate],
            TaskSpec::Modes(spec) if spec.method == ModesMethod::Exact => vec![ExactModes],
            TaskSpec::Modes(_) => vec![Modes],
            TaskSpec::Mobility(_) => vec![Mobility],
            TaskSpec::OptimalControl(spec) if spec.phase.is_empty() => vec![OptimalControl],
            TaskSpec::OptimalControl(_) => vec![Phases],
            TaskSpec::InverseDynamics(InverseDynamicsSpec { method, sweep, .. }) => match (method, sweep) {
                (Method::Auto, Sweep::Auto) => vec![SpaceMarch, Global],
                (Method::SpaceMarch, _) => vec![SpaceMarch],
                (Method::Characteristics, _) => vec![Characteristics],
                (Method::Galerkin, Sweep::Auto) => vec![Layers, Global],
                (Method::Auto | Method::Galerkin, Sweep::Layers) => vec![Layers],
                (Method::Auto | Method::Galerkin, Sweep::Global) => vec![Global],
                (Method::Sequential, _) => vec![Sequential],
                (Method::BoundaryValue, _) => vec![BoundaryValue],
                (Method::Optimise, _) => vec![Optimise],
            },
        }
    }
}

/// Whether a way takes a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ability {
    /// It does.
    Takes,
    /// It has no meaning there, for this reason.
    Meaningless(&'static str),
    /// It has a meaning, but is not built.
    Missing(&'static str),
}

use Ability::{Meaningless, Missing};

impl Ability {
    /// Why not; nothing where it does.
    pub fn reason(self) -> &'static str {
        match self {
            Ability::Takes => "",
            Meaningless(why) | Missing(why) => why,
        }
    }
}

/// What a problem file may say and not every way takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Feature {
    /// Rods that resist stretch only.
    Strings,
    /// Rods that do not shear.
    Kirchhoff,
    /// Rods that keep their shape.
    RigidRods,
    /// Sections that change along a rod.
    Tapered,
    /// Rods that are curved or twisted without stress.
    Curved,
    /// Strains without stress besides those of the shape.
    Prestrained,
    /// Kelvin-Voigt damping of rods.
    Damped,
    /// Mass centres beside the axis.
    MassOffset,
    /// Elastic and shear centres beside the axis.
    ElasticOffset,
    /// Elements of order 2 and more.
    HigherOrder,
    /// Quadratures of elements other than the midpoint rule.
    OtherQuadrature,
    /// Velocities of rods and bodies at the beginning.
    MovingStart,
    /// Springs and dampers.
    Springs,
    /// Loads and gravity.
    Loads,
    /// Forces of a fluid along rods.
    Drag,
    /// Forces of a fluid on bodies, and loads by the motion of their frames.
    BodyDrag,
    /// Functions of time from files of samples.
    Samples,
    /// Ropes of changing length.
    Winches,
    /// A frame that turns steadily.
    Spin,
    /// Actuators on frames.
    Actuators,
    /// Actuators on joints.
    JointActuators,
    /// Servo paths of frames.
    Servos,
    /// Servo paths of joints, and of expressions.
    JointServos,
    /// A system stated by its Lagrangian.
    System,
    /// Rods, bodies and joints.
    Parts,
}

impl Feature {
    /// All, in the order of the table.
    pub const ALL: [Self; 25] = [
        Self::Parts,
        Self::Strings,
        Self::Kirchhoff,
        Self::RigidRods,
        Self::Tapered,
        Self::Curved,
        Self::Prestrained,
        Self::Damped,
        Self::MassOffset,
        Self::ElasticOffset,
        Self::HigherOrder,
        Self::OtherQuadrature,
        Self::MovingStart,
        Self::Springs,
        Self::Loads,
        Self::Drag,
        Self::BodyDrag,
        Self::Samples,
        Self::Winches,
        Self::Spin,
        Self::Actuators,
        Self::JointActuators,
        Self::Servos,
        Self::JointServos,
        Self::System,
    ];

    /// In the user's words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Parts => "rods, bodies, joints, supports",
            Self::Strings => "strings",
            Self::Kirchhoff => "Kirchhoff rods",
            Self::RigidRods => "rigid rods",
            Self::Tapered => "sections that change along a rod",
            Self::Curved => "curved and twisted rods",
            Self::Prestrained => "prestrain",
            Self::Damped => "damping of rods",
            Self::MassOffset => "mass centre beside the axis",
            Self::ElasticOffset => "elastic or shear centre beside the axis",
            Self::HigherOrder => "elements of order 2 and more",
            Self::OtherQuadrature => "quadratures other than midpoint",
            Self::MovingStart => "initial velocities",
            Self::Springs => "springs and dampers",
            Self::Loads => "gravity and loads",
            Self::Drag => "drag of rods, [current]",
            Self::BodyDrag => "drag of bodies, loads by velocities",
            Self::Samples => "functions of time from files",
            Self::Winches => "[winch], ropes of changing length",
            Self::Spin => "[spin], a turning frame",
            Self::Actuators => "actuators on frames",
            Self::JointActuators => "actuators on joints",
            Self::Servos => "servo paths of frames",
            Self::JointServos => "servo paths of joints, expressions",
            Self::System => "[system], stated by its Lagrangian",
        }
    }

    /// Ways that do not take it, with the reason.
    fn exceptions(self) -> &'static [(&'static [Way], Ability)] {
        const UNIFORM: Ability = Meaningless("exact members are straight, uniform and unstressed");
        const CENTRED: Ability = Missing("exact members have mass and stiffness on their axis");
        const FORCES: Ability = Meaningless("no forces are sought or driven here; put known ones into [load.*]");
        const PATHS: Ability = Meaningless("servo paths ask for unknown forces; a [support.*] prescribes a motion");
        const RESISTED: Ability = Missing("the frequencies of exact members are real; damped = false leaves it out");
        const BEGINS: Ability = Meaningless("the path says how the motion begins");
        match self {
            Self::Parts | Self::Samples => &[],
            Self::Strings => &[(&[ExactModes], Meaningless("a string resists across only under tension"))],
            Self::Kirchhoff => &[
                (&[Characteristics], Meaningless("without shear the waves of a rod have no speed")),
                (ELEMENTS, Missing("the space-time elements are those of rods that shear")),
            ],
            Self::RigidRods => &[(&[ExactModes], Missing("exact members deform; state it as a body"))],
            Self::Tapered | Self::Curved | Self::Prestrained => &[(&[ExactModes], UNIFORM)],
            Self::Damped => &[
                (&[ExactModes], Missing("the frequencies of exact members are real; damped = false leaves it out")),
                (&[Characteristics], Meaningless("damped waves have no characteristic lines; use \"space-march\"")),
                (ELEMENTS, Missing("the space-time elements are not damped; use \"space-march\"")),
            ],
            Self::MassOffset => {
                &[(&[ExactModes], CENTRED), (ELEMENTS, Missing("the space-time elements have their mass on the axis"))]
            }
            Self::ElasticOffset => &[(&[ExactModes], CENTRED)],
            Self::HigherOrder => &[
                (&[SpaceMarch, Characteristics], Meaningless("a march has no elements; `elements` is its grid")),
                (ELEMENTS, Missing("the space-time elements are of order 1")),
            ],
            Self::OtherQuadrature => &[(ALONG, Missing("the midpoint rule is the one that is marched"))],
            Self::MovingStart => &[
                (ALONG, BEGINS),
                (&[Sequential, BoundaryValue, Optimise], BEGINS),
                (
                    &[Multirate],
                    Meaningless("`task.simulate.start` says how the motion begins, coordinate by coordinate"),
                ),
                (
                    &[OptimalControl, Phases],
                    Meaningless("`task.optimal-control.start` says how the motion begins, coordinate by coordinate"),
                ),
            ],
            Self::Springs => &[(&[ExactModes], Missing("exact members are joined rigidly or by joints"))],
            Self::Loads => {
                &[(&[ExactModes], Missing("loads change the frequencies; about = \"reference\" leaves them out"))]
            }
            Self::Drag => &[
                (&[ExactModes], RESISTED),
                (&[Characteristics], Missing("the waves are those of rods without a fluid; use \"space-march\"")),
                (&[Global], Missing("rods whose data are complete at no end have no drag yet")),
            ],
            Self::BodyDrag => &[(&[ExactModes], RESISTED)],
            Self::Winches => &[
                (&[Modes, ExactModes], Missing("the frequencies are those of ropes of constant length")),
                (&[Mobility], Missing("what can move is counted for ropes of constant length")),
                (&[Multirate], Missing("two step lengths are of ropes of constant length")),
                (
                    &[Characteristics, Layers, Global],
                    Missing("ropes are marched along as material and cut at the sheave; use \"space-march\""),
                ),
                (
                    &[Sequential, BoundaryValue, Optimise, OptimalControl, Phases],
                    Missing("motions and controls are sought for ropes of constant length"),
                ),
            ],
            Self::Spin => &[
                (&[ExactModes], Missing("exact members stand still")),
                (&[Multirate], Missing("two step lengths are of frames that stand still")),
                (&[Mobility], Meaningless("what can move does not depend on how it moves")),
                (ALONG, Missing("paths are stated in a frame that stands still")),
                (
                    &[Sequential, BoundaryValue, Optimise, OptimalControl, Phases],
                    Missing("motions are stated in a frame that stands still"),
                ),
            ],
            Self::Actuators => &[(STILL, FORCES)],
            Self::JointActuators => {
                &[(STILL, FORCES), (ALONG, Missing("the march ends where actuators hold the rod itself"))]
            }
            Self::Servos => &[(OTHERS, PATHS)],
            Self::JointServos => {
                &[(OTHERS, PATHS), (ALONG, Missing("a march begins at a frame whose whole motion is prescribed"))]
            }
            Self::System => &[
                (
                    &[Mobility],
                    Meaningless(
                        "mobility counts what joints between parts leave free; a system states its coordinates and constraints itself",
                    ),
                ),
                (&[ExactModes], Meaningless("exact members are rods, and a system has none")),
                (ALONG, Meaningless("a system has no rods to march along")),
            ],
        }
    }

    /// Whether a way takes it.
    pub fn ability(self, way: Way) -> Ability {
        let of =
            |feature: Self| feature.exceptions().iter().find(|(ways, _)| ways.contains(&way)).map(|(_, found)| *found);
        // What is said of parts needs parts.
        let parts = || of(Self::Parts).filter(|_| self != Self::System);
        of(self).or_else(parts).unwrap_or(Ability::Takes)
    }

    /// The tasks that take it, in words, with their methods where only some do.
    pub fn takers(self) -> String {
        let mut tasks: Vec<(&str, Vec<&str>, bool)> = Vec::new();
        for way in Way::ALL {
            let (task, method) = way.name().split_once(", ").unwrap_or((way.name(), "one method"));
            let takes = self.ability(way) == Ability::Takes;
            if tasks.last().is_none_or(|(last, ..)| *last != task) {
                tasks.push((task, Vec::new(), true));
            }
            if let Some((_, methods, all)) = tasks.last_mut() {
                methods.extend(takes.then_some(method));
                *all &= takes;
            }
        }
        let some = tasks.into_iter().filter(|(_, methods, _)| !methods.is_empty());
        let words = some.map(|(task, methods, all)| match all || methods == ["one method"] {
            true => task.to_owned(),
            false => format!("{task} ({})", methods.join(", ").replace("one method, ", "")),
        });
        words.collect::<Vec<_>>().join(", ")
    }
}
