//! Straight beams by exact dynamic stiffness against the roots of their frequency equations.

use std::f64::consts::PI;

use lariat::material::Section;
use lariat::mechanism::{Frame, JointKind, Mechanism, RodKind};

use crate::solve::*;
use crate::structures::*;

/// A plane beam of length 1 without shear: EI = ρA = 1 and no rotary inertia, too stiff along its axis to stretch.
fn slender(elements: usize) -> Mechanism {
    let mut mechanism = unit_rod(2, round(1e8, 1.0, 1.0, 1.0, 1.0, 0.0), elements, 1);
    mechanism.rods[0].kind = RodKind::Kirchhoff;
    mechanism
}

fn roots(mechanism: &Mechanism, rigid: usize, count: usize) -> Vec<f64> {
    let found = exact_frequencies(mechanism, rigid + count);
    assert!(found[..rigid].iter().all(|omega| *omega == 0.0), "{found:?}");
    found[rigid..].iter().map(|omega| omega.sqrt()).collect()
}

/// Section B1 (16 digits): βL of beams without shear.
#[test]
fn beams_without_shear() {
    let free = [4.730040744862704, 7.853204624095838, 10.99560783800167, 14.13716549125746, 17.27875965739948];
    let propped = [3.926602312047919, 7.068582745628732, 10.21017612281303, 13.35176877775409];
    let held = [1.875104068711961, 4.694091132974175, 7.854757438237613, 10.99554073487547, 14.13716839104647];
    let mut beam = slender(1);
    assert_close(&roots(&beam, 3, 5), &free, 1e-13, "free");
    beam.supports.push(clamp(end(0, 0)));
    assert_close(&roots(&beam, 0, 5), &held, 1e-13, "cantilever");
    let mut both = beam.clone();
    both.supports.push(hinge(end(0, 1)));
    assert_close(&roots(&both, 0, 4), &propped, 1e-13, "propped");
    both.supports[1] = clamp(end(0, 1));
    assert_close(&roots(&both, 0, 5), &free, 1e-13, "clamped");
    // Two hinges: sin βL = 0.
    both.supports = vec![hinge(end(0, 0)), hinge(end(0, 1))];
    assert_close(&roots(&both, 0, 6), &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0].map(|n| n * PI), 1e-13, "hinged");
    // Tip masses of half, once and twice the mass of the beam.
    for (mu, wanted) in [
        (0.5, [1.419964429768148, 4.111133386424435, 7.190335241960788, 10.29844544283039]),
        (1.0, [1.247917409606469, 4.03113943671496, 7.134132240939746, 10.25662107371403]),
        (2.0, [1.076195664079243, 3.982573287761904, 7.102650186049931, 10.2340150084698]),
    ] {
        let mut beam = beam.clone();
        beam.bodies.push(body("mass", mu, [0.0; 3], v(1.0, 0.0, 0.0)));
        beam.joints.push(joint([end(0, 1), Frame::Body(0)], v(1.0, 0.0, 0.0), JointKind::Rigid));
        assert_close(&roots(&beam, 0, 4), &wanted, 1e-13, "tip mass");
    }
}

/// Section B1 (13 digits): Timoshenko beams in the plane, by all modes up to the fourth of bending with those of stretch
/// among them: (n − ½)π c for a cantilever, nπ c otherwise.
#[test]
fn timoshenko_beams() {
    let steel = rectangle(0.05, 0.1, 210e9, 0.3, 7850.0, 5.0 / 6.0);
    let rubber = rectangle(0.02, 0.02, 5e6, 0.5, 1100.0, 1.0);
    let unit = rectangle(1.0, 0.1, 12000.0, 0.0, 10.0, 1.0);
    let table: [(Section, &str, [f64; 4]); 7] = [
        (steel, "cantilever", [520.8406417227, 3121.5777653984, 8210.226133092, 14893.086948451]),
        (steel, "free", [3226.328042872, 8392.2993642903, 15307.929421794, 23357.944487623]),
        (steel, "clamped", [3131.3328728543, 8024.8427533561, 14504.259002093, 22024.421527095]),
        (rubber, "cantilever", [1.3681832572216, 8.5584420580378, 23.892942836948, 46.620042667406]),
        (rubber, "free", [8.6962859612125, 23.908011883066, 46.687906351264, 76.783752490066]),
        (unit, "cantilever", [3.495807775144, 21.196274573835, 56.583726157929, 104.34497615974]),
        (unit, "free", [21.720805504168, 57.184477358917, 105.82259029274, 163.90126080231]),
    ];
    for (section, ends, bending) in table {
        let mut beam = unit_rod(2, section, 3, 1);
        if ends != "free" {
            beam.supports.push(clamp(end(0, 0)));
        }
        if ends == "clamped" {
            beam.supports.push(clamp(end(0, 3)));
        }
        let speed = (section.stiffness[(2, 2)] / section.mass).sqrt();
        let first = if ends == "cantilever" { 0.5 } else { 1.0 };
        let waves = (0..20).map(|n| (f64::from(n) + first) * PI * speed).filter(|wave| *wave < bending[3]);
        let rigid: &[f64] = if ends == "free" { &[0.0; 3] } else { &[] };
        let wanted = together(&[rigid, &waves.collect::<Vec<_>>(), &bending]);
        let found = exact_frequencies(&beam, wanted.len());
        println!("{ends}: {:.1e}", worst(&found, &wanted));
        assert_close(&found, &wanted, 1e-12, ends);
    }
}

/// On hinges a Timoshenko beam has the frequencies of (GA k² − λρA)(EI k² + GA − λρI) = GA² k², k = nπ, and √(GA/ρI), at
/// which its sections turn all alike: below, at and above this cut-off. The ends may slide along the beam.
#[test]
fn a_short_beam_through_its_cut_off() {
    let section = round(3e3, 40.0, 1.0, 1.0, 1.0, 0.05);
    let mut beam = unit_rod(2, section, 2, 1);
    beam.supports.push(roller(end(0, 0), [false, true, false]));
    beam.supports.push(roller(end(0, 2), [false, true, false]));
    let (ga, rotary) = (40.0, 0.05);
    let of = |n: f64| {
        let k2 = (n * PI).powi(2);
        let (b, c) = (ga * k2 * rotary + k2 + ga, ga * k2 * k2);
        let root = (b * b - 4.0 * rotary * c).sqrt();
        [2.0 * c / (b + root), (b + root) / (2.0 * rotary)].map(f64::sqrt)
    };
    let bending: Vec<f64> = (1..60).flat_map(|n| of(f64::from(n))).collect();
    let stretch: Vec<f64> = (0..40).map(|n| f64::from(n) * PI * 3e3_f64.sqrt()).collect();
    let wanted = together(&[&bending, &stretch, &[(ga / rotary).sqrt()]]);
    let found = exact_frequencies(&beam, 60);
    println!("{:.1e}", worst(&found, &wanted[..60]));
    assert_close(&found, &wanted[..60], 1e-12, "cut-off");
}

/// Section B1: stretch and torsion with an end mass, x tan x = 1/μ, of a rod that hardly bends.
#[test]
fn stretch_and_torsion_with_an_end_mass() {
    for (mu, x) in [
        (0.5, [1.0768739863118037, 3.6435971674254006, 6.578333732722339]),
        (1.0, [0.8603335890193798, 3.425618459481728, 6.437298179171947]),
    ] {
        let mut rod = unit_rod(3, round(1.0, 1e9, 1e7, 1.44, 1.0, 0.5), 1, 1);
        rod.supports.push(clamp(end(0, 0)));
        rod.bodies.push(body("disc", mu, [mu, 0.0, 0.0], v(1.0, 0.0, 0.0)));
        rod.joints.push(joint([end(0, 1), Frame::Body(0)], v(1.0, 0.0, 0.0), JointKind::Rigid));
        let wanted = together(&[&x, &x.map(|x| 1.2 * x)]);
        assert_close(&exact_frequencies(&rod, 6), &wanted, 1e-12, "end mass");
    }
}

/// A hundred and twenty modes of a round cantilever: those of stretch and torsion in closed form, those of bending twice.
#[test]
fn many_modes() {
    let mut rod = unit_rod(3, circle(0.05, 210e9, 0.3, 7850.0), 1, 1);
    rod.supports.push(clamp(end(0, 0)));
    let found = exact_frequencies(&rod, 120);
    let mut rest = found.clone();
    for speed in [(210e9_f64 / 7850.0).sqrt(), (210e9_f64 / 2.6 / 7850.0).sqrt()] {
        let waves = (0..).map(|n| (f64::from(n) + 0.5) * PI * speed).take_while(|wave| *wave < found[119]);
        for wave in waves {
            let before = rest.len();
            rest.retain(|omega| (omega / wave - 1.0).abs() > 1e-12);
            assert_eq!(rest.len(), before - 1, "{wave}");
        }
    }
    for pair in rest.chunks_exact(2) {
        assert!((pair[0] / pair[1] - 1.0).abs() < 1e-13, "{pair:?}");
    }
}
