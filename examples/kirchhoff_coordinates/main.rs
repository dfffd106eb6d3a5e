//! A plane Kirchhoff rod in three sets of coordinates: one motion, three amounts of work.
//!
//! After H. Lang, H. Laube and S. Leyendecker, "Various multibody dynamic models for the description of plane Kirchhoff
//! rods": a clamped rod falls from the horizontal,
//!
//! * in redundant absolute coordinates with multipliers (index 1),
//! * in joint coordinates, which are its strains, with a full mass matrix,
//! * in mixed coordinates, whose state are the strains and whose linear system is banded.
//!
//! Run with `cargo run --release --example kirchhoff_coordinates`.

mod coordinates;
mod elimination;
mod rod;

use std::time::Instant;

use coordinates::{Absolute, Formulation, Joint, Mixed, integrate};
use rod::Rod;

const END: f64 = 0.5;

fn main() -> Result<(), String> {
    motions()?;
    work()
}

/// The rod in all coordinates.
fn formulations(rod: Rod) -> [(&'static str, Box<dyn Formulation>); 3] {
    [
        ("absolute", Box::new(Absolute::new(rod))),
        ("joint", Box::new(Joint::new(rod))),
        ("mixed", Box::new(Mixed::new(rod))),
    ]
}

fn motions() -> Result<(), String> {
    let rod = Rod::rubber(16);
    println!("Tip of a clamped rubber rod after {END} s of fall, {} segments, Runge-Kutta of order 4:", rod.segments);
    println!("{:>9} {:>6} {:>20} {:>20} {:>12} {:>12}", "", "steps", "x / m", "y / m", "drift / J", "off shape");
    for steps in [1000, 2000, 4000] {
        for (name, mut of) in formulations(rod) {
            let [p, v] = of.absolute(&of.start());
            let first = rod.energy(&p, &v);
            let end = integrate(of.as_mut(), END, steps, |_| {}).ok_or(format!("{name} coordinates: singular"))?;
            let [p, v] = of.absolute(&end);
            let [x, y] = rod.x(&p, rod.segments);
            let (drift, off) = (rod.energy(&p, &v) - first, rod.violation(&p));
            println!("{name:>9} {steps:>6} {x:>20.14} {y:>20.14} {drift:>12.1e} {off:>12.1e}");
        }
    }
    println!();
    Ok(())
}

fn work() -> Result<(), String> {
    println!("Linear algebra of one evaluation (four per step):");
    println!(
        "{:>9} {:>9} {:>9} {:>10} {:>16} {:>12}",
        "", "segments", "unknowns", "bandwidth", "multiplications", "time / µs"
    );
    for segments in [8, 16, 32, 64] {
        for (name, mut of) in formulations(Rod::rubber(segments)) {
            let steps = 4000 / segments;
            let clock = Instant::now();
            // So short that the fastest waves are resolved on the finest rod.
            integrate(of.as_mut(), 1e-5 * steps as f64, steps, |_| {})
                .ok_or(format!("{name} coordinates: singular"))?;
            let evaluations = 4 * steps;
            let time = 1e6 * clock.elapsed().as_secs_f64() / evaluations as f64;
            let (unknowns, band) = of.sizes();
            let band = band.map_or("full".to_owned(), |width| width.to_string());
            let products = of.work() / evaluations as u64;
            println!("{name:>9} {segments:>9} {unknowns:>9} {band:>10} {products:>16} {time:>12.1}");
        }
    }
    println!("The study has bandwidths 6 and 16; the best order within segments makes 10 of the latter.");
    Ok(())
}
