"""The peers' half of the race of rods: Exudyn and PyElastica on the swinging rubber rod, Exudyn on the 45-degree bend.

`rods_peer.py REPETITIONS [quick]` prints one line per case: name, setting, largest error over all instants, least and
median CPU seconds. Only the call that solves is timed: not the imports, not the building of the model in Python, not the
compilation of PyElastica's kernels, which a short run before causes. `rods_peer.py scan` prints all settings tried.

The rod: 1 m, radius 5 mm, E = 5e6, ν = 0.5, ρ = 1100, hinged at the origin, horizontal at rest, g = 9.81, undamped. The
bend: E = 1e7, R = 100, unit square section, GA = 5e6, GJ = 8.3333e5, dead load 600 across its plane. The instants and the
expected values are those of benches/rods.rs, from which they are read.
"""

import math
import re
import statistics
import os
import sys
import time
from pathlib import Path

import numpy as np

SOURCE = (Path(__file__).resolve().parents[1] / "rods.rs").read_text()


def listed(name):
    """The numbers of a table in benches/rods.rs."""
    body = re.search(rf"const {name}: .*? = \[(.*?)\];", SOURCE, re.S).group(1)
    return [float(number) for number in re.findall(r"-?\d+\.\d+", body)]


TIPS = np.array(listed("TIPS")).reshape(-1, 2)
BEND = np.array(listed("BEND"))
RADIUS, YOUNG, DENSITY, GRAVITY = 0.005, 5e6, 1100.0, 9.81
AREA = math.pi * RADIUS**2
INERTIA = AREA * RADIUS**2 / 4
SHEAR = YOUNG / 3


def tip_error(tips):
    """Largest distance from the expected tips; infinite for a motion that was not finished or blew up."""
    tips = np.asarray(tips)
    if tips.shape != TIPS.shape or not np.isfinite(tips).all():
        return math.inf
    return float(np.max(np.hypot(*(tips - TIPS).T)))


# Exudyn


def exudyn_solve(system, exu, tip, steps, method, dense):
    """Solves the motion and returns the tips and the CPU seconds of the solver."""
    sensor = system.AddSensor(
        {"sensorType": "Node", "nodeNumber": tip, "storeInternal": True, "writeToFile": False,
         "outputVariableType": exu.OutputVariableType.Position, "name": "tip"})
    system.Assemble()
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps = steps
    settings.timeIntegration.endTime = 1.0
    settings.timeIntegration.verboseMode = 0
    settings.solution.file.write = False
    settings.solution.sensors.writePeriod = 0.05
    settings.solution.file.writeInitialValues = False
    # No damping by the integrator: the rod is undamped.
    settings.timeIntegration.generalizedAlpha.spectralRadius = 1.0
    settings.timeIntegration.newton.useModifiedNewton = True
    settings.linearSolver.solverType = exu.LinearSolverType.EXUdense if dense else exu.LinearSolverType.EigenSparse
    settings.parallel.numberOfThreads = 1
    import os
    if os.environ.get('RT'): settings.timeIntegration.newton.relativeTolerance=float(os.environ['RT'])
    kind = getattr(exu.DynamicSolverType, method)
    begun = time.process_time()
    try:
        system.SolveDynamic(settings, solverType=kind)
    except Exception:
        return [], time.process_time() - begun
    spent = time.process_time() - begun
    stored = system.GetSensorStoredData(sensor)
    # Explicit solvers write at the nearest step; only instants of the grid are compared.
    rows = [row for row in stored if row[0] > 0.01]
    return [row[1:3] for row in rows], spent


def exudyn_cable(elements, steps, method="GeneralizedAlpha", dense=True):
    import exudyn as exu
    from exudyn.utilities import MarkerNodeCoordinate, ObjectANCFCable2D, NodePoint2DSlope1
    from exudyn.utilities import CoordinateConstraint, LoadMassProportional, MarkerBodyMass, ObjectGround, NodePointGround
    container = exu.SystemContainer()
    system = container.AddSystem()
    length = 1.0 / elements
    nodes = [system.AddNode(NodePoint2DSlope1(referenceCoordinates=[i * length, 0, 1, 0])) for i in range(elements + 1)]
    for i in range(elements):
        cable = system.AddObject(ObjectANCFCable2D(
            length=length, massPerLength=DENSITY * AREA, bendingStiffness=YOUNG * INERTIA,
            axialStiffness=YOUNG * AREA, nodeNumbers=[nodes[i], nodes[i + 1]], useReducedOrderIntegration=1))
        marker = system.AddMarker(MarkerBodyMass(bodyNumber=cable))
        system.AddLoad(LoadMassProportional(markerNumber=marker, loadVector=[0, -GRAVITY, 0]))
    hold(system, nodes[0], 2)
    return exudyn_solve(system, exu, nodes[-1], steps, method, dense)


def hold(system, node, coordinates):
    """Holds the first coordinates of a node at their reference values."""
    from exudyn.utilities import CoordinateConstraint, MarkerNodeCoordinate, NodePointGround
    ground = system.AddNode(NodePointGround(referenceCoordinates=[0, 0, 0]))
    fixed = system.AddMarker(MarkerNodeCoordinate(nodeNumber=ground, coordinate=0))
    for c in range(coordinates):
        marker = system.AddMarker(MarkerNodeCoordinate(nodeNumber=node, coordinate=c))
        system.AddObject(CoordinateConstraint(markerNumbers=[fixed, marker]))


def exudyn_plane(elements, steps, method="GeneralizedAlpha", dense=True):
    import exudyn as exu
    from exudyn.utilities import LoadMassProportional, MarkerBodyMass, NodeRigidBody2D, ObjectBeamGeometricallyExact2D
    container = exu.SystemContainer()
    system = container.AddSystem()
    length = 1.0 / elements
    nodes = [system.AddNode(NodeRigidBody2D(referenceCoordinates=[i * length, 0, 0])) for i in range(elements + 1)]
    for i in range(elements):
        beam = system.AddObject(ObjectBeamGeometricallyExact2D(
            nodeNumbers=[nodes[i], nodes[i + 1]], length=length, massPerLength=DENSITY * AREA,
            crossSectionInertia=DENSITY * INERTIA, bendingStiffness=YOUNG * INERTIA,
            axialStiffness=YOUNG * AREA, shearStiffness=SHEAR * AREA))
        marker = system.AddMarker(MarkerBodyMass(bodyNumber=beam))
        system.AddLoad(LoadMassProportional(markerNumber=marker, loadVector=[0, -GRAVITY, 0]))
    hold(system, nodes[0], 2)
    return exudyn_solve(system, exu, nodes[-1], steps, method, dense)


def section(exu, mass, inertia, axial, shear, bending, torsion):
    data = exu.BeamSection()
    data.massPerLength = mass
    data.inertia = np.diag([2 * inertia, inertia, inertia])
    data.stiffnessMatrix = np.diag([axial, shear, shear, torsion, bending, bending])
    return data


def exudyn_space(elements, steps, method="GeneralizedAlpha", dense=True):
    import exudyn as exu
    from exudyn.utilities import LoadMassProportional, MarkerBodyMass, NodeRigidBodyEP, ObjectBeamGeometricallyExact
    container = exu.SystemContainer()
    system = container.AddSystem()
    length = 1.0 / elements
    nodes = [system.AddNode(NODE(exu)(i*length)) for i in range(elements + 1)]
    data = section(exu, DENSITY * AREA, DENSITY * INERTIA, YOUNG * AREA, SHEAR * AREA, YOUNG * INERTIA, SHEAR * 2 * INERTIA)
    for i in range(elements):
        beam = system.AddObject(ObjectBeamGeometricallyExact(
            nodeNumbers=[nodes[i], nodes[i + 1]], length=length, sectionData=data))
        marker = system.AddMarker(MarkerBodyMass(bodyNumber=beam))
        system.AddLoad(LoadMassProportional(markerNumber=marker, loadVector=[0, -GRAVITY, 0]))
    hold(system, nodes[0], 3)
    return exudyn_solve(system, exu, nodes[-1], steps, method, dense)


def NODE(exu):
    import exudyn.utilities as u, os
    k=os.environ.get('NK','EP')
    if k=='EP': return lambda x: u.NodeRigidBodyEP(referenceCoordinates=[x, 0, 0, 1, 0, 0, 0])
    if k=='LG': return lambda x: u.NodeRigidBodyRotVecLG(referenceCoordinates=[x, 0, 0, 0, 0, 0])
    return lambda x: u.NodeRigidBodyRxyz(referenceCoordinates=[x, 0, 0, 0, 0, 0])
# PyElastica


def elastica_space(elements, steps, method="PositionVerlet", dense=None):
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
    simulator.collect_diagnostics(rod).using(Keep, every=steps // 20, tips=tips)
    simulator.finalize()
    stepper = getattr(ea, method)()
    begun = time.process_time()
    with np.errstate(all="ignore"):
        ea.integrate(stepper, simulator, 1.0, steps, progress_bar=False)
    return tips[:20], time.process_time() - begun


def show(name, run, elements, steps, **options):
    tips, spent = run(elements, steps, **options)
    print(f"{name} {elements} x {steps} {options} n={len(tips)} error {tip_error(tips):.2e} {1e3 * spent:.1f} ms", flush=True)


if __name__ == "__main__":
    exec(open(sys.argv[1]).read())
