//! Nets of rods that share nodes, with and without bodies at them.

use lariat::material::Section;
use lariat::mechanism::{Frame, JointKind, Mechanism};
use nalgebra::Vector3;

use crate::solve::*;
use crate::structures::*;

/// E = 210e9, ν = 0.3, ρ = 7850, shear factor 1, torsion G (I₁ + I₂), rotary and polar inertia included.
pub fn steel(radius: f64) -> Section {
    circle(radius, 210e9, 0.3, 7850.0)
}

/// Rods of a number of elements of one order.
pub struct Net {
    pub mechanism: Mechanism,
    elements: usize,
    order: usize,
}

impl Net {
    pub fn new([elements, order]: [usize; 2]) -> Self {
        Self { mechanism: empty(3), elements, order }
    }

    pub fn rod(&mut self, from: Vector3<f64>, to: Vector3<f64>, section: Section) {
        self.mechanism.rods.push(straight(from, to, section, self.elements, self.order));
    }

    pub fn start(&self, rod: usize) -> Frame {
        end(rod, 0)
    }

    pub fn finish(&self, rod: usize) -> Frame {
        end(rod, self.elements)
    }

    pub fn join(&mut self, a: Frame, b: Frame) {
        self.mechanism.joints.push(joint([a, b], Vector3::zeros(), JointKind::Rigid));
    }

    fn hertz(&self, count: usize) -> Vec<f64> {
        frequencies(&self.mechanism, count).iter().map(|omega| omega / std::f64::consts::TAU).collect()
    }

    fn exact_hertz(&self, count: usize) -> Vec<f64> {
        exact_frequencies(&self.mechanism, count).iter().map(|omega| omega / std::f64::consts::TAU).collect()
    }
}

/// (0, 0, 0) clamped, (1, 0, 0), (1, 0.7, 0) free; radius 10 mm.
fn l_frame(mesh: [usize; 2]) -> Net {
    let mut net = Net::new(mesh);
    net.rod(v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0), steel(0.01));
    net.rod(v(1.0, 0.0, 0.0), v(1.0, 0.7, 0.0), steel(0.01));
    net.join(net.finish(0), net.start(1));
    net.mechanism.supports.push(clamp(net.start(0)));
    net
}

/// (−1, 0, 0) clamped, (0, 0, 0), (0.8, 0, 0) of radius 10 mm; (0, 0, 0.6) of radius 6 mm; two free ends.
fn t_junction(mesh: [usize; 2]) -> Net {
    let mut net = Net::new(mesh);
    net.rod(v(-1.0, 0.0, 0.0), v(0.0, 0.0, 0.0), steel(0.01));
    net.rod(v(0.0, 0.0, 0.0), v(0.8, 0.0, 0.0), steel(0.01));
    net.rod(v(0.0, 0.0, 0.0), v(0.0, 0.0, 0.6), steel(0.006));
    net.join(net.finish(0), net.start(1));
    net.join(net.finish(0), net.start(2));
    net.mechanism.supports.push(clamp(net.start(0)));
    net
}

/// A deck of four rods v₁…v₅ = (−2…2, 0, 0), 0.06 (y) × 0.02 (z), a post of radius 12 mm from v₃ to v₆ = (0, 0, 1), stays
/// of radius 6 mm from v₂ and v₄ to v₆. With bodies: 2 kg at v₂ and v₄, 5 kg at v₃, 3 kg at v₆, to which the post and
/// the stays are attached beside the mass centres.
fn bridge(mesh: [usize; 2], bodies: bool) -> Net {
    let mut net = Net::new(mesh);
    let deck = rectangle(0.02, 0.06, 210e9, 0.3, 7850.0, 1.0);
    for x in [-2.0, -1.0, 0.0, 1.0] {
        net.rod(v(x, 0.0, 0.0), v(x + 1.0, 0.0, 0.0), deck);
    }
    let size = if bodies { 1.0 } else { 0.0 };
    let top = v(0.0, 0.0, 1.0);
    net.rod(v(0.0, 0.0, 0.05) * size, top - v(0.0, 0.0, 0.05) * size, steel(0.012));
    net.rod(v(-1.0, 0.0, 0.0), top + v(-0.05, 0.0, 0.0) * size, steel(0.006));
    net.rod(v(1.0, 0.0, 0.0), top + v(0.05, 0.02, 0.0) * size, steel(0.006));
    for deck in 0..3 {
        net.join(net.finish(deck), net.start(deck + 1));
    }
    for (at, member) in [(1, 5), (2, 4), (3, 6)] {
        net.join(net.start(at), net.start(member));
    }
    net.join(net.finish(4), net.finish(5));
    net.join(net.finish(4), net.finish(6));
    if bodies {
        net.mechanism.bodies.extend([
            body("v2", 2.0, [0.0; 3], v(-1.0, 0.0, 0.0)),
            body("v3", 5.0, [0.02, 0.03, 0.04], v(0.0, 0.0, 0.0)),
            body("v4", 2.0, [0.0; 3], v(1.0, 0.0, 0.0)),
            body("v6", 3.0, [0.01, 0.012, 0.015], top),
        ]);
        let at = [net.start(1), net.start(2), net.start(3), net.finish(4)];
        at.into_iter().enumerate().for_each(|(k, at)| net.join(Frame::Body(k), at));
    } else {
        net.mechanism.supports.extend([clamp(net.start(0)), clamp(net.finish(3))]);
    }
    net
}

/// Section B2: exact dynamic stiffness with the count of Wittrick and Williams, hertz (10 digits).
const L_FRAME: [f64; 10] = [
    6.3168527114,
    6.4553387761,
    17.2954534082,
    20.3555493609,
    74.0809600225,
    82.7238487081,
    152.6279777349,
    159.2673611037,
    235.7149240388,
    242.9406315261,
];
const T_JUNCTION: [f64; 10] = [
    4.2451925911,
    4.2906276636,
    16.3131423537,
    22.2409574143,
    26.8172176727,
    28.1021416195,
    77.7659298152,
    78.1736408035,
    120.8220738926,
    140.2289612022,
];
const BRIDGE: [f64; 10] = [
    9.7123286803,
    10.7181719102,
    17.1251925946,
    20.0143974873,
    25.1024587691,
    26.3430221126,
    28.0655826235,
    30.1723708254,
    54.0990063230,
    59.1362544818,
];
const BRIDGE_WITH_BODIES: [f64; 10] = [
    12.9149265503,
    16.3729848775,
    18.1374475827,
    25.3467414645,
    27.8465134857,
    28.3634695039,
    29.3062819784,
    51.1343454666,
    52.0751547434,
    56.5234411985,
];

/// Elements per rod and their order.
const MESH: [usize; 2] = [12, 3];

#[test]
fn first_ten_frequencies_of_nets() {
    let nets = [
        ("L-frame", l_frame(MESH), L_FRAME),
        ("T-junction", t_junction(MESH), T_JUNCTION),
        ("bridge", bridge(MESH, false), BRIDGE),
    ];
    for (name, net, wanted) in nets {
        let found = net.hertz(10);
        println!("{name}: {:.1e}", worst(&found, &wanted));
        assert_close(&found, &wanted, 1e-6, name);
    }
}

/// The bridge without supports has six motions without resistance.
#[test]
fn a_free_bridge_with_bodies() {
    let wanted = together(&[&[0.0; 6], &BRIDGE_WITH_BODIES]);
    let found = bridge(MESH, true).hertz(16);
    println!("free bridge: {:.1e}", worst(&found, &wanted));
    assert_close(&found, &wanted, 1e-6, "bridge");
}

/// By exact members all digits of the references come, whatever the number of elements; the six zeros are counted.
#[test]
fn exact_frequencies_of_nets() {
    for mesh in [[1, 1], [4, 1]] {
        let nets = [
            ("L-frame", l_frame(mesh), together(&[&L_FRAME])),
            ("T-junction", t_junction(mesh), together(&[&T_JUNCTION])),
            ("bridge", bridge(mesh, false), together(&[&BRIDGE])),
            ("free bridge", bridge(mesh, true), together(&[&[0.0; 6], &BRIDGE_WITH_BODIES])),
        ];
        for (name, net, wanted) in nets {
            let found = net.exact_hertz(wanted.len());
            println!("{name}: {:.1e}", worst(&found, &wanted));
            assert_close(&found, &wanted, 1e-9, name);
        }
    }
}

/// With 32 elements of order 2 per member the other method comes within 1e-5.
#[test]
fn elements_come_near_the_exact_frequencies() {
    let mesh = [32, 2];
    let nets = [
        ("L-frame", l_frame(mesh), together(&[&L_FRAME])),
        ("T-junction", t_junction(mesh), together(&[&T_JUNCTION])),
        ("bridge", bridge(mesh, false), together(&[&BRIDGE])),
        ("free bridge", bridge(mesh, true), together(&[&[0.0; 6], &BRIDGE_WITH_BODIES])),
    ];
    for (name, net, wanted) in nets {
        let found = net.hertz(wanted.len());
        println!("{name}: {:.1e}", worst(&found, &wanted));
        assert_close(&found, &wanted, 1e-5, name);
    }
}
