//! Forces of actuators on the degrees of freedom. Their derivatives are automatic: there are few of them.

use super::{Assembly, Drive, Forces, Order, Wrench};
use crate::scalar::Rated;
use crate::terms::{ByFreedom, NodeKind, Nodes, Works};

impl Assembly {
    /// Subtracts the forces of the drives from those without potential, and their derivative from the stiffness.
    pub(super) fn add_drives(&self, q: &[f64], order: Order, sizes: &[Wrench], out: &mut Forces) {
        if order == Order::Energy {
            return;
        }
        for (drive, size) in self.drives.iter().zip(sizes).filter(|(_, size)| size.force[0] != 0.0) {
            let size = size.force[0];
            let other = &mut out.other;
            self.drive_forces(drive, q, size, &mut |dof, force| other[dof] -= force);
            if order == Order::Hessian {
                self.add_drive_stiffness(drive, q, size, out);
            }
        }
    }

    /// Forces of a drive of a size in a configuration, by degree of freedom.
    pub fn drive_forces(&self, drive: &Drive, q: &[f64], size: f64, take: &mut dyn FnMut(usize, f64)) {
        let mut receiver = ByFreedom { layout: &self.layout, take };
        let nodes = Nodes { layout: &self.layout, q };
        drive.effect.act(&mut Works { nodes, receiver: &mut receiver }, size);
    }

    fn add_drive_stiffness(&self, drive: &Drive, q: &[f64], size: f64, out: &mut Forces) {
        let layout = &self.layout;
        let mut moved: Vec<Rated<f64>> = q.iter().map(|q| Rated::new(*q, 0.0)).collect();
        let mut nodes: Vec<usize> = drive.effect.nodes().collect();
        nodes.dedup();
        for &node in &nodes {
            let (first, kind) = (layout.coordinate(node), layout.kind(node));
            for freedom in 0..kind.freedoms() {
                self.set_rates(&mut moved, node, freedom);
                let mut slopes = Vec::new();
                let mut take = |dof: usize, force: Rated<f64>| slopes.push((dof, force.rate));
                let mut receiver = ByFreedom { layout, take: &mut take };
                let at = Nodes { layout, q: &moved };
                drive.effect.act(&mut Works { nodes: at, receiver: &mut receiver }, Rated::new(size, 0.0));
                for (dof, slope) in slopes {
                    let (row, r) = layout.node_of_freedom(dof);
                    if let Some(start) = out.stiffness.find(row, node) {
                        out.stiffness.values[start + r + layout.kind(row).freedoms() * freedom] -= slope;
                    }
                }
                moved[first..first + kind.coordinates()].iter_mut().for_each(|x| x.rate = 0.0);
            }
        }
    }

    /// Rates of the coordinates of a node for a unit rate of one degree of freedom: ṗ = ½ p ξ for a rotation.
    fn set_rates(&self, q: &mut [Rated<f64>], node: usize, freedom: usize) {
        let first = self.layout.coordinate(node);
        if freedom < 3 || self.layout.kind(node) != NodeKind::SpaceFrame {
            q[first + freedom].rate = 1.0;
            return;
        }
        let p = [0, 1, 2, 3].map(|i| q[first + 3 + i].value);
        let xi = [0, 1, 2].map(|c| if c + 3 == freedom { 1.0 } else { 0.0 });
        let rate = crate::geometry::algebra::times_imaginary(p, xi);
        (0..4).for_each(|i| q[first + 3 + i].rate = 0.5 * rate[i]);
    }
}
