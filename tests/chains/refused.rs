//! What has no answer along a row of rods, in the words of the reader.

use crate::{PATH, ROD, UNIFORM, refused, task};

#[test]
fn branches_joints_and_springs_between_rods_are_refused_with_the_reason() {
    let beam = |more: &str| refused(&format!("{PATH}{ROD}{UNIFORM}{more}{}", task("space-march")));
    let free = beam(
        "[body.pay]\nmass = 0.1\ninertia = 0.1\nposition = [1.2, 0.0]\n[joint.pin]\nbetween = [\"beam.end\", \"pay\"]\nat = [1.0, 0.0]\ntype = \"revolute\"\n",
    );
    assert!(free.contains("joint `pin` lets its frames move against each other"), "{free}");
    let side = ROD.replace("rod.beam", "rod.side").replace("from = [0.0, 0.0]", "from = [0.5, 0.0]");
    let side = side.replace("to = [1.0, 0.0]", "to = [0.5, 0.5]");
    let branch =
        beam(&format!("{side}{UNIFORM}[joint.fork]\nbetween = [\"beam@0.5\", \"side.start\"]\ntype = \"rigid\"\n"));
    assert!(branch.contains("rod `side` is not on the way from servo `tip` to the actuators"), "{branch}");
    let spring = beam(
        "[spring.s]\nbetween = [\"beam.start\", \"beam.end\"]\npoints = [[0.0, 0.0], [1.0, 0.0]]\nstiffness = 1.0\n",
    );
    assert!(spring.contains("spring `s` connects two moving places"), "{spring}");
}
