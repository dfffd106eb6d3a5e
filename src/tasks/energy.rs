//! Work and energy of a computed motion.

use super::inverse_dynamics::Motion;
use super::rest::chain;
use crate::discretisation::TimeGrid;
use crate::models::{Continuum, Rod, Side};
use crate::results::{EnergyBalance, Table};

/// Kinetic, strain and gravity energy at every instant and the work done on the rod by everything at its ends, with the
/// balance E(t) − E(0) = W(t). Its imbalance is an independent measure of the discretisation error.
pub fn energies<C: Continuum<D>, const D: usize>(
    rod: &Rod<C, D>,
    grid: TimeGrid,
    motion: &Motion<D>,
) -> (Table, EnergyBalance) {
    let chain = chain(rod, rod.elements);
    let last = motion.nodes - 1;
    let [mut kinetic, mut strain, mut gravity, mut work] = [const { Vec::new() }; 4];
    let mut actuator_work = 0.0;
    let mut load_work = 0.0;
    let mut before = [0.0; 2];
    for k in 0..motion.instants {
        let (q, v) = (motion.snapshot(k), motion.velocities(k));
        kinetic.push(v.iter().zip(&chain.mass).map(|(v, m)| 0.5 * v.component_mul(v).dot(m)).sum::<f64>());
        strain.push(chain.strain_energy(&q));
        gravity.push(-q.iter().zip(&chain.weight).map(|(q, w)| q.dot(w)).sum::<f64>());
        let mut power = [0.0; 2];
        for (end, (side, node)) in Side::BOTH.into_iter().zip([0, last]).enumerate() {
            power[0] += motion.forces[end][k].dot(&v[node]);
            let known = rod.end(side).known_force(grid.time(k)).unwrap_or(rod.end(side).weight);
            power[1] += (known - rod.end(side).weight).dot(&v[node]);
        }
        if k > 0 {
            actuator_work += 0.5 * grid.dt * (before[0] + power[0]);
            load_work += 0.5 * grid.dt * (before[1] + power[1]);
        }
        before = power;
        work.push(actuator_work + load_work);
    }
    let total = |k: usize| kinetic[k] + strain[k] + gravity[k];
    let change = |k: usize| total(k) - total(0);
    let instants = 0..motion.instants;
    let balance = EnergyBalance {
        actuator_work,
        energy_change: change(motion.instants - 1),
        max_imbalance: instants.clone().map(|k| (change(k) - work[k]).abs()).fold(0.0, f64::max),
        peak: instants.map(|k| change(k).abs()).fold(0.0, f64::max),
    };
    let columns = [("kinetic", kinetic), ("strain", strain), ("gravity", gravity), ("work", work)];
    let table = Table { t: grid.times(), columns: columns.map(|(name, values)| (name.to_owned(), values)).into() };
    (table, balance)
}
