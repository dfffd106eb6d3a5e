"""The peer's half of the race in optimal control: CasADi and IPOPT on the same transcriptions.

`control_peer.py REPETITIONS NAME:STEPS...` prints one line per problem: name, steps, form, variables, rows, objective,
violation, iterations, status, then least processor seconds of set-up and solving together and of solving alone.

The functions of one interval and of one node are stated once with SX symbols and mapped over all intervals. CasADi then
solves the program in two forms, `map` (calls of the mapped functions) and `expand` (one SX expression of the whole); each
problem is run in both, and the faster one counts.

The problems restate those of tests/optimal_control with the same grids, starts and bounds.
"""

import math
import sys
import time

import casadi as ca
import numpy as np

INF = math.inf
PI = math.pi
GRAVITY = 9.81
OPTIONS = {"print_time": False, "ipopt": {"tol": 1e-8, "print_level": 0, "sb": "yes"}}
EFFORT = staticmethod(lambda q, v, u: 0.5 * ca.sumsqr(u))


class Problem:
    """Rest to rest along a straight line with the least effort, unless told otherwise."""

    duration = 1.0
    free_duration = False
    constraints = None
    cost = EFFORT
    start_velocity = end_velocity = None
    coordinate_bounds = None
    control_bounds = None

    def forces(self, q, v, u):
        return u

    def guess(self, share):
        return [a + share * (b - a) for a, b in zip(self.start, self.end)]


class DoubleIntegrator(Problem):
    start, end, controls = [0.0], [1.0], 1

    def lagrangian(self, q, v):
        return 0.5 * v[0] ** 2


class Pendulum(Problem):
    start, end, controls = [0.0], [PI], 1

    def __init__(self, duration, torque):
        self.duration = duration
        self.control_bounds = [(-torque, torque)]

    def lagrangian(self, q, v):
        return 0.5 * v[0] ** 2 + GRAVITY * ca.cos(q[0])


class CartPole(Problem):
    controls = 1

    def __init__(self, mass, length, duration, end, bounded):
        self.mass, self.length, self.duration = mass, length, duration
        self.start, self.end = [0.0, 0.0], end
        if bounded:
            self.control_bounds = [(-20.0, 20.0)]
            self.coordinate_bounds = [(-2.0, 2.0), (-INF, INF)]

    def lagrangian(self, q, v):
        m, l, c = self.mass, self.length, ca.cos(q[1])
        moving = 0.5 * (1.0 + m) * v[0] ** 2 + m * l * v[0] * v[1] * c + 0.5 * m * l * l * v[1] ** 2
        return moving + m * GRAVITY * l * c

    def forces(self, q, v, u):
        return ca.vertcat(u[0], 0.0)


class Arm(Problem):
    start, end, controls, duration = [0.0, 0.0], [PI / 2, PI], 2, 2.0

    def lagrangian(self, q, v):
        return 7 / 6 * v[0] ** 2 + 1.5 * ca.cos(q[1] - q[0]) * v[0] * v[1] + 2 / 3 * v[1] ** 2

    def forces(self, q, v, u):
        return ca.vertcat(u[0] - u[1], u[1])


class Robot(Problem):
    start, end, controls = [4.5, 0.0, PI / 4], [4.5, 2 * PI / 3, PI / 4], 3
    duration, free_duration, cost = 9.0, True, None
    coordinate_bounds = [(0.0, 5.0), (-PI, PI), (0.0, PI)]
    control_bounds = [(-1.0, 1.0)] * 3

    def lagrangian(self, q, v):
        inertia = ((5.0 - q[0]) ** 3 + q[0] ** 3) / 3.0
        return 0.5 * (5.0 * v[0] ** 2 + inertia * ca.sin(q[2]) ** 2 * v[1] ** 2 + inertia * v[2] ** 2)


class Quaternion(Problem):
    controls, duration = 3, 2.0
    inertia = (1.0, 2.0, 2.5)

    def guess(self, share):
        half = 0.5 * PI * share
        return [math.cos(half)] + 3 * [math.sin(half) / math.sqrt(3.0)]

    def lagrangian(self, q, v):
        rate = 2.0 * (q[0] * v[1:4] - v[0] * q[1:4] - ca.cross(q[1:4], v[1:4]))
        return 0.5 * sum(j * rate[i] ** 2 for i, j in enumerate(self.inertia))

    def forces(self, q, v, u):
        return 2.0 * ca.vertcat(-ca.dot(q[1:4], u), q[0] * u + ca.cross(q[1:4], u))

    def constraints(self, q):
        return 0.5 * (ca.sumsqr(q) - 1.0)


class Directors(Problem):
    controls, duration = 3, 2.0

    def guess(self, share):
        axis = np.ones(3) / math.sqrt(3.0)
        across = np.cross(np.eye(3), axis).T
        turned = math.cos(PI * share) * np.eye(3) + (1.0 - math.cos(PI * share)) * np.outer(axis, axis)
        turned = turned - math.sin(PI * share) * across.T
        return list(turned.T.ravel())

    def lagrangian(self, q, v):
        return 0.5 * sum((2.75 - Quaternion.inertia[i // 3]) * v[i] ** 2 for i in range(9))

    def forces(self, q, v, u):
        d = [q[0:3], q[3:6], q[6:9]]
        return ca.vertcat(*[0.5 * (u[k] * d[j] - u[j] * d[k]) for j, k in ((1, 2), (2, 0), (0, 1))])

    def constraints(self, q):
        d = [q[0:3], q[3:6], q[6:9]]
        lengths = [0.5 * (ca.dot(d[i], d[i]) - 1.0) for i in range(3)]
        return ca.vertcat(*lengths, *[ca.dot(d[i], d[j]) for i, j in ((0, 1), (1, 2), (2, 0))])


class Satellite(Problem):
    start, end, duration = [1.0, 0.0], [1.5, 4 * PI], 2.6
    start_velocity, end_velocity = [0.0, 2 * PI], [0.0, 2 * PI * 1.5**-1.5]
    coordinate_bounds = [(0.5, 3.0), (-INF, INF)]

    def __init__(self, controls):
        self.controls = controls

    def lagrangian(self, q, v):
        return 0.5 * (v[0] ** 2 + q[0] ** 2 * v[1] ** 2) + 4 * PI**2 / q[0]

    def forces(self, q, v, u):
        return ca.vertcat(u[0], q[0] * u[1]) if self.controls == 2 else ca.vertcat(0.0, q[0] * u[0])


class Chain(Problem):
    controls, duration = 1, 3.0

    def __init__(self, rods):
        self.rods = rods
        self.start, self.end = [0.0] * (rods + 1), [1.0] + [0.0] * rods

    def lagrangian(self, q, v):
        l = m = 1.0 / self.rods
        total, vx, vy, y = 0.5 * v[0] ** 2, v[0], 0.0, 0.0
        for rod in range(1, self.rods + 1):
            s, c, w = ca.sin(q[rod]), ca.cos(q[rod]), v[rod]
            total += 0.5 * m * ((vx + 0.5 * l * c * w) ** 2 + (vy + 0.5 * l * s * w) ** 2) + m * l * l / 24.0 * w**2
            total -= m * GRAVITY * (y - 0.5 * l * c)
            vx, vy, y = vx + l * c * w, vy + l * s * w, y - l * c
        return total

    def forces(self, q, v, u):
        return ca.vertcat(u[0], ca.SX.zeros(self.rods))


class SphericalPendulum(Problem):
    controls, duration = 6, 1.5

    def guess(self, share):
        def along(a, b):
            a, b = a * share, b * share
            return np.array([math.sin(a), math.cos(a) * math.sin(b), -math.cos(a) * math.cos(b)])

        first, second = along(0.5, 1.2), along(-0.3, 2.0)
        return [*first, *(first + second)]

    def lagrangian(self, q, v):
        return 0.5 * ca.sumsqr(v) - GRAVITY * (q[2] + q[5])

    def forces(self, q, v, u):
        x, r = q[0:3], q[3:6] - q[0:3]
        second = ca.cross(u[3:6], r)
        return ca.vertcat(ca.cross(u[0:3] - u[3:6], x) - second, second)

    def constraints(self, q):
        return 0.5 * ca.vertcat(ca.sumsqr(q[0:3]) - 1.0, ca.sumsqr(q[3:6] - q[0:3]) - 1.0)


class Beam(Problem):
    controls, duration, elements = 3, 2.0, 8

    def guess(self, share):
        x, angle = 0.5 * share, 0.5 * PI * share
        nodes = np.linspace(0.0, 1.0, self.elements + 1)
        return [value for s in nodes for value in (x + s * math.cos(angle), x + s * math.sin(angle), angle)]

    def lagrangian(self, q, v):
        l, total = 1.0 / self.elements, 0.0
        for node in range(self.elements + 1):
            share = 0.5 * l if node in (0, self.elements) else l
            mass, inertia = (1.0, 0.1) if node == 0 else (0.0, 0.0)
            x, y, w = v[3 * node], v[3 * node + 1], v[3 * node + 2]
            total += 0.5 * (share + mass) * (x**2 + y**2) + 0.5 * (0.05 * share + inertia) * w**2
        for element in range(self.elements):
            a, b = q[3 * element : 3 * element + 3], q[3 * element + 3 : 3 * element + 6]
            slope, angle = (b - a) / l, 0.5 * (a[2] + b[2])
            axial = slope[0] * ca.cos(angle) + slope[1] * ca.sin(angle) - 1.0
            shear = slope[1] * ca.cos(angle) - slope[0] * ca.sin(angle)
            total -= 0.5 * l * (100.0 * axial**2 + 40.0 * shear**2 + slope[2] ** 2)
        return total

    def forces(self, q, v, u):
        return ca.vertcat(u, ca.SX.zeros(q.numel() - 3))


PROBLEMS = {
    "p01": DoubleIntegrator,
    "p02a": lambda: Pendulum(3.0, 5.0),
    "p02b": lambda: Pendulum(4.0, 3.0),
    "p02c": lambda: Pendulum(4.0, 4.0),
    "p03": lambda: CartPole(0.3, 0.5, 2.0, [1.0, PI], True),
    "p04a": Arm,
    "p05c": Robot,
    "p06a": Quaternion,
    "p06c": Directors,
    "p07a": lambda: Satellite(1),
    "p07b": lambda: Satellite(2),
    "p08a": lambda: CartPole(0.5, 1.0, 3.0, [2.0, 0.0], False),
    "p09a_n4": lambda: Chain(4),
    "p09a_n10": lambda: Chain(10),
    "p09a_n20": lambda: Chain(20),
    "p10a": SphericalPendulum,
    "p11a": Beam,
}


def transcribe(p, n, expand):
    """The solver with its bounds and start."""
    nodes = np.array([p.guess(k / n) for k in range(n + 1)]).T
    nq, nu = nodes.shape[0], p.controls
    q0, q1, u, h = ca.SX.sym("q0", nq), ca.SX.sym("q1", nq), ca.SX.sym("u", nu), ca.SX.sym("h")
    middle, v = 0.5 * (q0 + q1), (q1 - q0) / h
    action = h * p.lagrangian(middle, v)
    before = ca.gradient(action, q0) + 0.5 * h * p.forces(q0, v, u)
    after = ca.gradient(action, q1) + 0.5 * h * p.forces(q1, v, u)
    cost = h * p.cost(middle, v, u) if p.cost else ca.SX(0)
    interval = ca.Function("interval", [q0, q1, u, h], [before, after, cost])
    velocity = ca.SX.sym("velocity", nq)
    momentum = ca.Function("momentum", [q0, velocity], [ca.gradient(p.lagrangian(q0, velocity), velocity)])

    q, controls = ca.MX.sym("q", nq, n + 1), ca.MX.sym("u", nu, n)
    bounds = p.coordinate_bounds or [(-INF, INF)] * nq
    lower, upper = (np.repeat(np.array([[b[side]] for b in bounds]), n + 1, axis=1) for side in (0, 1))
    for node in (0, n):
        lower[:, node] = upper[:, node] = nodes[:, node]
    limits = p.control_bounds or [(-INF, INF)] * nu
    unknowns = [ca.vec(q), ca.vec(controls)]
    starts = [nodes.T.ravel(), np.zeros(nu * n)]
    lows = [lower.T.ravel(), np.tile([low for low, _ in limits], n)]
    ups = [upper.T.ravel(), np.tile([up for _, up in limits], n)]
    if p.free_duration:
        duration = ca.MX.sym("duration")
        unknowns.append(duration)
        starts.append([p.duration])
        lows.append([0.1])
        ups.append([100.0])
    else:
        duration = ca.MX(p.duration)
    step = duration / n
    befores, afters, costs = interval.map(n)(q[:, :-1], q[:, 1:], controls, step)
    zero = np.zeros(nq)
    first = momentum(nodes[:, 0], zero if p.start_velocity is None else p.start_velocity)
    last = momentum(nodes[:, n], zero if p.end_velocity is None else p.end_velocity)
    motion = ca.horzcat(befores, -last) + ca.horzcat(first, afters)
    rows = []
    if p.constraints:
        g = p.constraints(q0)
        force = ca.SX.sym("force", g.numel())
        pull = ca.gradient(ca.dot(g, force), q0)
        node = ca.Function("node", [q0, force, h], [h * pull, g]).map(n + 1)
        forces = ca.MX.sym("forces", g.numel(), n + 1)
        unknowns.append(ca.vec(forces))
        starts.append(np.zeros(g.numel() * (n + 1)))
        lows.append(np.full(g.numel() * (n + 1), -INF))
        ups.append(np.full(g.numel() * (n + 1), INF))
        weights = np.ones(n + 1)
        weights[[0, n]] = 0.5
        pulls, gaps = node(q, forces, ca.MX(ca.DM(weights).T) * step)
        motion = motion - pulls
        rows.append(ca.vec(gaps[:, 1:n]))
    rows.insert(0, ca.vec(motion))
    nlp = {"x": ca.vertcat(*unknowns), "f": ca.sum2(costs) if p.cost else duration, "g": ca.vertcat(*rows)}
    solver = ca.nlpsol("solver", "ipopt", nlp, {**OPTIONS, "expand": expand})
    given = {
        "x0": np.concatenate(starts),
        "lbx": np.concatenate(lows),
        "ubx": np.concatenate(ups),
        "lbg": 0.0,
        "ubg": 0.0,
    }
    return solver, given


def race(name, n, repetitions):
    """The faster form, by set-up and solve together."""
    best = None
    for expand in (True, False):
        for _ in range(repetitions):
            begun = time.process_time()
            solver, given = transcribe(PROBLEMS[name](), n, expand)
            built = time.process_time()
            found = solver(**given)
            ended = time.process_time()
            times = (ended - begun, ended - built)
            if best is None or times < best[0]:
                best = (times, "expand" if expand else "map", found, solver.stats())
    times, form, found, stats = best
    rows = np.array(found["g"]).ravel()
    print(
        f"{name} {n} {form} {found['x'].numel()} {rows.size} {float(found['f']):.12e} {np.max(np.abs(rows)):.3e} "
        f"{stats['iter_count']} {stats['return_status']} {times[0]:.6e} {times[1]:.6e}",
        flush=True,
    )


def main():
    for argument in sys.argv[2:]:
        name, steps = argument.split(":")
        race(name, int(steps), int(sys.argv[1]))


if __name__ == "__main__":
    main()
