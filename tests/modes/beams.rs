//! Straight beams: bending with and without shear, stretch and torsion.

use std::f64::consts::PI;

use lariat::material::Section;
use lariat::mechanism::{Frame, JointKind, Mechanism};

use crate::solve::*;
use crate::structures::*;

/// How the ends are held.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Ends {
    Cantilever,
    Free,
    Clamped,
    Propped,
}

fn beam(dimension: usize, ends: Ends, section: Section, elements: usize, order: usize) -> Mechanism {
    let mut mechanism = unit_rod(dimension, section, elements, order);
    if ends != Ends::Free {
        mechanism.supports.push(clamp(end(0, 0)));
    }
    match ends {
        Ends::Clamped => mechanism.supports.push(clamp(end(0, elements))),
        Ends::Propped => mechanism.supports.push(hinge(end(0, elements))),
        Ends::Cantilever | Ends::Free => {}
    }
    mechanism
}

/// Wave numbers of stretch and torsion of a rod of length 1.
fn waves(ends: Ends, count: usize) -> Vec<f64> {
    let wave = |n: usize| match ends {
        Ends::Cantilever => (n as f64 - 0.5) * PI,
        Ends::Free | Ends::Clamped | Ends::Propped => n as f64 * PI,
    };
    (1..=count).map(wave).collect()
}

/// Section B1: roots β L of beams without shear and rotary inertia, ω = β² √(EI/ρA) (16 digits).
#[test]
fn beams_without_shear() {
    let free = [4.730040744862704, 7.853204624095838, 10.99560783800167, 14.13716549125746];
    let table: [(Ends, bool, &[f64]); 5] = [
        (Ends::Cantilever, false, &[1.875104068711961, 4.694091132974175, 7.854757438237613, 10.99554073487547]),
        (Ends::Free, false, &free),
        (Ends::Clamped, false, &free),
        (Ends::Propped, false, &[3.926602312047919, 7.068582745628732]),
        // A point mass as heavy as the beam at its tip.
        (Ends::Cantilever, true, &[1.2479174096065, 4.0311394367150, 7.1341322409397]),
    ];
    for (ends, tip_mass, roots) in table {
        let rigid = if ends == Ends::Free { 3 } else { 0 };
        let roots_of = |stiff: f64| {
            let mut mechanism = beam(2, ends, round(stiff, stiff, 1.0, 1.0, 1.0, 0.0), 12, 6);
            if tip_mass {
                mechanism.bodies.push(body("mass", 1.0, [0.0; 3], v(1.0, 0.0, 0.0)));
                mechanism.joints.push(joint([end(0, 12), Frame::Body(0)], v(1.0, 0.0, 0.0), JointKind::Rigid));
            }
            let found = frequencies(&mechanism, rigid + roots.len());
            assert_eq!(&found[..rigid], &[0.0; 3][..rigid], "{ends:?}: rigid motions");
            found[rigid..].iter().map(|omega| omega.sqrt()).collect()
        };
        let found = stiff_limit(roots_of, 1e5);
        println!("{ends:?} {tip_mass}: {:.1e}", worst(&found, roots));
        assert_close(&found, roots, 1e-7, &format!("{ends:?}"));
    }
}

fn steel() -> Section {
    rectangle(0.05, 0.1, 210e9, 0.3, 7850.0, 5.0 / 6.0)
}

fn rubber() -> Section {
    rectangle(0.02, 0.02, 5e6, 0.5, 1100.0, 1.0)
}

fn unit() -> Section {
    rectangle(1.0, 0.1, 12000.0, 0.0, 10.0, 1.0)
}

/// Section B1, Timoshenko beams, rad/s (13 digits), with the speed √(E/ρ) of their axial waves.
fn timoshenko() -> [(&'static str, Section, f64, Ends, [f64; 4]); 7] {
    let (c_steel, c_rubber, c_unit) = ((210e9_f64 / 7850.0).sqrt(), (5e6_f64 / 1100.0).sqrt(), 1200.0_f64.sqrt());
    let (cantilever, free, clamped) = (Ends::Cantilever, Ends::Free, Ends::Clamped);
    [
        ("steel", steel(), c_steel, cantilever, [520.8406417227, 3121.5777653984, 8210.226133092, 14893.086948451]),
        ("steel", steel(), c_steel, free, [3226.328042872, 8392.2993642903, 15307.929421794, 23357.944487623]),
        ("steel", steel(), c_steel, clamped, [3131.3328728543, 8024.8427533561, 14504.259002093, 22024.421527095]),
        (
            "rubber",
            rubber(),
            c_rubber,
            cantilever,
            [1.3681832572216, 8.5584420580378, 23.892942836948, 46.620042667406],
        ),
        ("rubber", rubber(), c_rubber, free, [8.6962859612125, 23.908011883066, 46.687906351264, 76.783752490066]),
        ("unit", unit(), c_unit, cantilever, [3.495807775144, 21.196274573835, 56.583726157929, 104.34497615974]),
        ("unit", unit(), c_unit, free, [21.720805504168, 57.184477358917, 105.82259029274, 163.90126080231]),
    ]
}

/// All modes up to the fourth of bending: those of bending, those of stretch in between, and rigid motions.
#[test]
fn timoshenko_beams_in_the_plane() {
    for (name, section, speed, ends, bending) in timoshenko() {
        let axial: Vec<f64> = waves(ends, 9).iter().map(|k| k * speed).filter(|w| *w < bending[3]).collect();
        let rigid: &[f64] = if ends == Ends::Free { &[0.0; 3] } else { &[] };
        let wanted = together(&[rigid, &axial, &bending]);
        let found = frequencies(&beam(2, ends, section, 12, 6), wanted.len());
        println!("{name} {ends:?}: {:.1e}", worst(&found, &wanted));
        assert_close(&found, &wanted, 1e-9, &format!("{name}, {ends:?}"));
    }
}

/// In space a square section bends in two planes with the same frequencies, and twists with the speed √(G/ρ).
#[test]
fn timoshenko_beams_in_space() {
    for (name, section, speed, ends, bending) in timoshenko().into_iter().filter(|row| row.0 == "rubber") {
        let twist_speed = (5e6_f64 / 3.0 / 1100.0).sqrt();
        let below = |speed: f64| waves(ends, 9).into_iter().map(move |k| k * speed).filter(|w| *w < bending[3]);
        let (axial, twist): (Vec<f64>, Vec<f64>) = (below(speed).collect(), below(twist_speed).collect());
        let rigid: &[f64] = if ends == Ends::Free { &[0.0; 6] } else { &[] };
        let wanted = together(&[rigid, &axial, &twist, &bending, &bending]);
        let found = frequencies(&beam(3, ends, section, 12, 6), wanted.len());
        println!("{name} {ends:?}: {:.1e}", worst(&found, &wanted));
        assert_close(&found, &wanted, 1e-9, &format!("{name}, {ends:?}"));
    }
}

/// Frequencies converge with order 2p for elements of order p.
#[test]
fn frequencies_converge_with_twice_the_order() {
    let (_, section, _, ends, bending) = timoshenko()[5];
    for dimension in [2, 3] {
        // Out of the plane the unit section is ten times as stiff; its frequencies lie above the second.
        for (order, meshes) in [(1, [16, 32, 64]), (2, [4, 8, 16]), (3, [2, 4, 8])] {
            let errors = meshes.map(|elements| {
                let found = frequencies(&beam(dimension, ends, section, elements, order), 4);
                let nearest = |w: f64| found.iter().map(|f| (f / w - 1.0).abs()).fold(f64::INFINITY, f64::min);
                nearest(bending[1])
            });
            let measured = orders(&errors);
            println!("{dimension}D order {order}: {errors:?} {measured:.2?}");
            assert!((measured[1] - 2.0 * order as f64).abs() < 0.15 * order as f64, "{errors:?}: {measured:?}");
        }
    }
}

/// Section B1: stretch and torsion of a rod with an end mass (a disc) as heavy as itself, x tan x = 1. Bending is so
/// stiff that it takes no part.
#[test]
fn stretch_and_torsion_with_an_end_mass() {
    let roots = [0.86033358901938, 3.4256184594817, 6.4372981791719];
    let section = round(1.0, 1e7, 1e5, 1.44, 1.0, 0.5);
    let mut mechanism = cantilever(3, section, 8, 4);
    mechanism.bodies.push(body("disc", 1.0, [1.0, 0.0, 0.0], v(1.0, 0.0, 0.0)));
    mechanism.joints.push(joint([end(0, 8), Frame::Body(0)], v(1.0, 0.0, 0.0), JointKind::Rigid));
    let wanted = together(&[&roots, &roots.map(|x| 1.2 * x)]);
    let found = frequencies(&mechanism, 6);
    println!("{:.1e}", worst(&found, &wanted));
    assert_close(&found, &wanted, 1e-9, "end mass");
}
