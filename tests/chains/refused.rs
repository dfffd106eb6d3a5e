//! What has no answer along a row of rods, in the words of the reader.

use crate::{PATH, ROD, UNIFORM, refused, task};

#[test]
fn loops_and_springs_between_rods_are_refused_with_the_reason() {
    let beam = |more: &str| refused(&format!("{PATH}{ROD}{UNIFORM}{more}{}", task("space-march")));
    let pinned = beam("[joint.pin]\nbetween = [\"ground\", \"beam@0.5\"]\nat = [0.5, 0.0]\ntype = \"revolute\"\n");
    assert!(pinned.contains("joint `pin` holds a place on the way"), "{pinned}");
    let hung = beam(
        "[body.bar]\nmass = 0.1\ninertia = 0.1\nposition = [0.75, 0.2]\n[joint.a]\nbetween = [\"beam.end\", \"bar\"]\nat = [1.0, 0.0]\ntype = \"revolute\"\n[joint.b]\nbetween = [\"beam@0.5\", \"bar\"]\nat = [0.5, 0.0]\ntype = \"revolute\"\n",
    );
    assert!(hung.contains("body `bar` hangs on several places of the way"), "{hung}");
    let spring = beam(
        "[spring.s]\nbetween = [\"beam.start\", \"beam.end\"]\npoints = [[0.0, 0.0], [1.0, 0.0]]\nstiffness = 1.0\n",
    );
    assert!(spring.contains("spring `s` connects two moving places"), "{spring}");
}
