"""The peers' half of the race of rods: Exudyn and PyElastica on the swinging rubber rod.

`rods_peer.py REPETITIONS [NAME...]` prints one line per case: program, setting, largest tip error over the instants listed
in benches/rods.rs, least and median CPU seconds. Only the call that solves is timed: not the imports, not the building of
the model in Python, not the compilation of PyElastica's kernels, which a short run before causes.

The rod: 1 m, radius 5 mm, E = 5e6, Poisson's ratio 0.5, density 1100, hinged at the origin, horizontal at rest, g = 9.81,
undamped; so integrators are used without numerical damping. The settings are the cheapest found with an error of at most
1e-3: elements, steps and Exudyn's relative tolerance of Newton's method, whose default is 1e-8. Exudyn runs in its fast
variant without range checks where the processor allows that, with modified Newton and its sparse solver, which was level
with the dense one for the smallest model and faster for the others.
"""

import math
import re
import statistics
import sys
import time
from pathlib import Path

import numpy as np

sys.exudynFast = True

SOURCE = (Path(__file__).resolve().parents[1] / "rods.rs").read_text()
RADIUS, YOUNG, SHEAR, DENSITY, GRAVITY = 0.005, 5e6, 5e6 / 3, 1100.0, 9.81
AREA = math.pi * RADIUS**2
INERTIA = AREA * RADIUS**2 / 4


def listed(name):
    """The numbers of a table in benches/rods.rs."""
    body = re.search(rf"const {name}: .*? = \[(.*?)\n\];", SOURCE, re.S).group(1)
    return [float(number) for number in re.findall(r"-?\d+\.\d+", body)]


TIPS = np.array(listed("TIPS")).reshape(-1, 2)


def tip_error(tips):
    """Largest distance from the expected tips; infinite for a motion that was not finished or blew up."""
    tips = np.asarray(tips)
    if tips.shape != TIPS.shape or not np.isfinite(tips).all():
        return math.inf
    return float(np.max(np.hypot(*(tips - TIPS).T)))


def exudyn_model(kind, elements):
    """The system and the node of its tip."""
    import exudyn as exu
    import exudyn.utilities as items

    system = exu.SystemContainer().AddSystem()
    length = 1.0 / elements
    mass, rotary, axial, bending = DENSITY * AREA, DENSITY * INERTIA, YOUNG * AREA, YOUNG * INERTIA
    if kind == "cable":
        node = lambda x: items.NodePoint2DSlope1(referenceCoordinates=[x, 0, 1, 0])
        element = lambda a, b: items.ObjectANCFCable2D(
            length=length, massPerLength=mass, bendingStiffness=bending, axialStiffness=axial, nodeNumbers=[a, b],
            useReducedOrderIntegration=1)
    elif kind == "plane":
        node = lambda x: items.NodeRigidBody2D(referenceCoordinates=[x, 0, 0])
        element = lambda a, b: items.ObjectBeamGeometricallyExact2D(
            nodeNumbers=[a, b], length=length, massPerLength=mass, crossSectionInertia=rotary, bendingStiffness=bending,
            axialStiffness=axial, shearStiffness=SHEAR * AREA)
    else:
        section = exu.BeamSection()
        section.massPerLength = mass
        section.inertia = np.diag([2 * rotary, rotary, rotary])
        section.stiffnessMatrix = np.diag([axial, SHEAR * AREA, SHEAR * AREA, SHEAR * 2 * INERTIA, bending, bending])
        # Of the kinds of nodes the cheapest.
        node = lambda x: items.NodeRigidBodyRxyz(referenceCoordinates=[x, 0, 0, 0, 0, 0])
        element = lambda a, b: items.ObjectBeamGeometricallyExact(nodeNumbers=[a, b], length=length, sectionData=section)
    nodes = [system.AddNode(node(i * length)) for i in range(elements + 1)]
    for a, b in zip(nodes, nodes[1:]):
        marker = system.AddMarker(items.MarkerBodyMass(bodyNumber=system.AddObject(element(a, b))))
        system.AddLoad(items.LoadMassProportional(markerNumber=marker, loadVector=[0, -GRAVITY, 0]))
    ground = system.AddNode(items.NodePointGround(referenceCoordinates=[0, 0, 0]))
    fixed = system.AddMarker(items.MarkerNodeCoordinate(nodeNumber=ground, coordinate=0))
    for coordinate in range(3 if kind == "space" else 2):
        marker = system.AddMarker(items.MarkerNodeCoordinate(nodeNumber=nodes[0], coordinate=coordinate))
        system.AddObject(items.CoordinateConstraint(markerNumbers=[fixed, marker]))
    return system, nodes[-1]


def exudyn(kind, elements, steps, tolerance):
    """Tips and CPU seconds of the solver."""
    import exudyn as exu

    system, tip = exudyn_model(kind, elements)
    sensor = system.AddSensor(
        {"sensorType": "Node", "nodeNumber": tip, "storeInternal": True, "writeToFile": False,
         "outputVariableType": exu.OutputVariableType.Position, "name": "tip"})
    system.Assemble()
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps = steps
    settings.timeIntegration.endTime = 1.0
    settings.timeIntegration.verboseMode = 0
    settings.timeIntegration.generalizedAlpha.spectralRadius = 1.0
    settings.timeIntegration.newton.useModifiedNewton = True
    settings.timeIntegration.newton.relativeTolerance = tolerance
    settings.solution.file.write = False
    settings.solution.sensors.writePeriod = 0.05
    settings.linearSolver.solverType = exu.LinearSolverType.EigenSparse
    settings.parallel.numberOfThreads = 1
    begun = time.process_time()
    system.SolveDynamic(settings)
    spent = time.process_time() - begun
    return [row[1:3] for row in system.GetSensorStoredData(sensor) if row[0] > 0.01], spent


def elastica(elements, steps):
    """Tips and CPU seconds of the integration by the position Verlet scheme."""
    import elastica as ea

    class Simulator(ea.BaseSystemCollection, ea.Constraints, ea.Forcing, ea.CallBacks):
        pass

    class Hinge(ea.ConstraintBase):
        """The first node stays where it is; sections turn freely."""

        def __init__(self, position, director, **arguments):
            super().__init__(**arguments)
            self.position = np.array(position)

        def constrain_values(self, system, time):
            system.position_collection[..., 0] = self.position

        def constrain_rates(self, system, time):
            system.velocity_collection[..., 0] = 0.0

    class Keep(ea.CallBackBaseClass):
        def __init__(self, every, tips):
            super().__init__()
            self.every, self.tips = every, tips

        def make_callback(self, system, time, current_step):
            if current_step > 0 and current_step % self.every == 0:
                self.tips.append(system.position_collection[:2, -1].copy())

    simulator = Simulator()
    rod = ea.CosseratRod.straight_rod(
        elements, np.zeros(3), np.array([1.0, 0, 0]), np.array([0, 1.0, 0]), 1.0, RADIUS, DENSITY,
        youngs_modulus=YOUNG, shear_modulus=SHEAR)
    simulator.append(rod)
    simulator.constrain(rod).using(Hinge, constrained_position_idx=(0,), constrained_director_idx=(0,))
    simulator.add_forcing_to(rod).using(ea.GravityForces, acc_gravity=np.array([0, -GRAVITY, 0]))
    tips = []
    simulator.collect_diagnostics(rod).using(Keep, every=steps // len(TIPS), tips=tips)
    simulator.finalize()
    begun = time.process_time()
    ea.integrate(ea.PositionVerlet(), simulator, 1.0, steps, progress_bar=False)
    return tips[: len(TIPS)], time.process_time() - begun


# Cheapest settings found; PyElastica's step is near its limit of stability.
CASES = {
    "exudyn-cable-plane": (
        "Exudyn, ANCF cable in the plane", "9 elements, 240 steps, tolerance 1e-3", lambda: exudyn("cable", 9, 240, 1e-3)),
    "exudyn-beam-plane": (
        "Exudyn, exact beam in the plane", "48 elements, 280 steps, tolerance 1e-3", lambda: exudyn("plane", 48, 280, 1e-3)),
    "exudyn-beam-space": (
        "Exudyn, exact beam in space", "56 elements, 240 steps, tolerance 1e-2", lambda: exudyn("space", 56, 240, 1e-2)),
    "pyelastica-space": ("PyElastica in space", "140 elements, 13000 steps", lambda: elastica(140, 13000)),
}


def main():
    repetitions, names = int(sys.argv[1]), sys.argv[2:] or list(CASES)
    for name in names:
        title, setting, run = CASES[name]
        if name.startswith("pyelastica"):
            elastica(10, 1000)
        runs = [run() for _ in range(repetitions)]
        seconds = [spent for _, spent in runs]
        error = tip_error(runs[0][0])
        print(f"{title};{setting};{error:.3e};{min(seconds):.6e};{statistics.median(seconds):.6e}", flush=True)


if __name__ == "__main__":
    main()
