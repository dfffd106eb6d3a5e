"""The peer's half of the race: CasADi and IPOPT on the same problems.

`peer.py FOLDER REPETITIONS` prints one line per problem for the file in FOLDER (`file`) and for the same problem stated
natively (`native`): kind, name, steps, variables, rows, objective, violation, iterations, status, then least and median
seconds of set-up and solving together and of solving alone.

The native problems restate those of tests/problems/cops with the same grids, starts and bounds.
"""

import math
import os
import statistics
import sys
import time

import casadi as ca
import numpy as np

INF = math.inf
OPTIONS = {"print_time": False, "ipopt": {"tol": 1e-8, "print_level": 0, "sb": "yes"}}
STEPS = [50, 100, 200, 400]


class Nlp:
    """Variables, rows and an objective, as a user of CasADi collects them."""

    def __init__(self, n):
        self.n = n
        self.w, self.start, self.lower, self.upper, self.rows = [], [], [], [], []
        self.equal = []
        self.objective = None
        self.maximised = False

    def quantity(self, name, start, lower=-INF, upper=INF, first=None, last=None):
        n = self.n
        x = ca.SX.sym(name, n + 1)
        values = np.array([start(i / n) for i in range(n + 1)], dtype=float)
        lows, ups = np.full(n + 1, lower), np.full(n + 1, upper)
        for place, fixed in ((0, first), (n, last)):
            if fixed is not None:
                values[place] = lows[place] = ups[place] = fixed
        self.w.append(x)
        self.start.append(values)
        self.lower.append(lows)
        self.upper.append(ups)
        return x

    def end_time(self):
        end = ca.SX.sym("end")
        self.w.append(end)
        self.start.append(np.array([1.0]))
        self.lower.append(np.array([0.0]))
        self.upper.append(np.array([INF]))
        return end, end / self.n

    def integrate(self, step, y, slope):
        self.rows.append(y[1:] - y[:-1] - 0.5 * step * (slope[:-1] + slope[1:]))
        self.equal.append(np.zeros(self.n))

    def solver(self):
        g = ca.vertcat(*self.rows)
        f = -self.objective if self.maximised else self.objective
        solver = ca.nlpsol("solver", "ipopt", {"x": ca.vertcat(*self.w), "f": f, "g": g}, OPTIONS)
        equal = np.concatenate(self.equal)
        bounds = {
            "x0": np.concatenate(self.start),
            "lbx": np.concatenate(self.lower),
            "ubx": np.concatenate(self.upper),
            "lbg": equal,
            "ubg": equal,
        }
        return solver, bounds, self.maximised


def steering(n):
    p = Nlp(n)
    half = math.pi / 2
    angle = p.quantity("angle", lambda s: 0.0, -half, half)
    distance = p.quantity("distance", lambda s: 0.0, first=0.0)
    height = p.quantity("height", lambda s: 5.0 * s, first=0.0, last=5.0)
    speed = p.quantity("speed", lambda s: 45.0 * s, first=0.0, last=45.0)
    climb = p.quantity("climb", lambda s: 0.0, first=0.0, last=0.0)
    end, step = p.end_time()
    p.integrate(step, distance, speed)
    p.integrate(step, height, climb)
    p.integrate(step, speed, 100.0 * ca.cos(angle))
    p.integrate(step, climb, 100.0 * ca.sin(angle))
    p.objective = end
    return p


def robot(n):
    p = Nlp(n)
    length, turn, pi = 5.0, 2.0 * math.pi / 3.0, math.pi
    reach = p.quantity("reach", lambda s: 4.5, 0.0, length, 4.5, 4.5)
    theta = p.quantity("theta", lambda s: turn * s * s, -pi, pi, 0.0, turn)
    phi = p.quantity("phi", lambda s: pi / 4, 0.0, pi, pi / 4, pi / 4)
    reach_rate = p.quantity("reach_rate", lambda s: 0.0, first=0.0, last=0.0)
    theta_rate = p.quantity("theta_rate", lambda s: 2.0 * turn * s, first=0.0, last=0.0)
    phi_rate = p.quantity("phi_rate", lambda s: 0.0, first=0.0, last=0.0)
    push, twist, lift = (p.quantity(name, lambda s: 0.0, -1.0, 1.0) for name in ("push", "twist", "lift"))
    end, step = p.end_time()
    tilting = ((length - reach) ** 3 + reach**3) / 3.0
    turning = tilting * ca.sin(phi) ** 2
    p.integrate(step, reach, reach_rate)
    p.integrate(step, theta, theta_rate)
    p.integrate(step, phi, phi_rate)
    p.integrate(step, reach_rate, push / length)
    p.integrate(step, theta_rate, twist / turning)
    p.integrate(step, phi_rate, lift / tilting)
    p.objective = end
    return p


def rocket(n):
    p = Nlp(n)
    largest, last_mass = 3.5, 0.6
    height = p.quantity("height", lambda s: 1.0, 1.0, INF, first=1.0)
    velocity = p.quantity("velocity", lambda s: s * (1.0 - s), 0.0, INF, first=0.0)
    mass = p.quantity("mass", lambda s: (last_mass - 1.0) * s + 1.0, last_mass, 1.0, 1.0, last_mass)
    thrust = p.quantity("thrust", lambda s: largest / 2.0, 0.0, largest)
    _, step = p.end_time()
    drag = 310.0 * velocity**2 * ca.exp(-500.0 * (height - 1.0))
    p.integrate(step, height, velocity)
    p.integrate(step, velocity, (thrust - drag) / mass - 1.0 / height**2)
    p.integrate(step, mass, -thrust / 0.5)
    p.objective, p.maximised = height[-1], True
    return p


def chain(n):
    p = Nlp(n)
    left, right, length, lowest = 1.0, 3.0, 4.0, 0.25
    rise = 4.0 * (right - left)
    height = p.quantity("height", lambda s: rise * s * (0.5 * s - lowest) + left, first=left, last=right)
    slope = p.quantity("slope", lambda s: rise * (s - lowest))
    p.integrate(1.0 / n, height, slope)
    stretch = ca.sqrt(1.0 + slope**2)
    weights = np.full(n + 1, 1.0 / n)
    weights[[0, -1]] *= 0.5
    p.rows.append(ca.dot(weights, stretch))
    p.equal.append(np.array([length]))
    p.objective = ca.dot(weights, height * stretch)
    return p


def glider(n):
    p = Nlp(n)
    forward, sink, largest = 13.23, -1.288, 1.4
    distance = p.quantity("distance", lambda s: forward * s, 0.0, INF, first=0.0)
    altitude = p.quantity("altitude", lambda s: 1000.0 - 100.0 * s, first=1000.0, last=900.0)
    vx = p.quantity("vx", lambda s: forward, 0.0, INF, forward, forward)
    vy = p.quantity("vy", lambda s: sink, first=sink, last=sink)
    lift = p.quantity("lift", lambda s: largest / 2.0, 0.0, largest)
    _, step = p.end_time()
    r = (distance / 100.0 - 2.5) ** 2
    w = vy - 2.5 * (1.0 - r) * ca.exp(-r)
    v2 = vx**2 + w**2
    v = ca.sqrt(v2)
    dragging = 0.5 * 1.13 * 14.0 * (0.034 + 0.069662 * lift**2) * v2
    lifting = 0.5 * 1.13 * 14.0 * lift * v2
    p.integrate(step, distance, vx)
    p.integrate(step, altitude, vy)
    p.integrate(step, vx, (-lifting * w / v - dragging * vx / v) / 100.0)
    p.integrate(step, vy, (lifting * vx / v - dragging * w / v) / 100.0 - 9.81)
    p.objective, p.maximised = distance[-1], True
    return p


PROBLEMS = [steering, robot, rocket, chain, glider]
MAXIMISED = [rocket, glider]


def from_file(path, maximised):
    builder = ca.NlpBuilder()
    builder.import_nl(path)
    nlp = {"x": ca.vertcat(*builder.x), "f": builder.f, "g": ca.vertcat(*builder.g)}
    solver = ca.nlpsol("solver", "ipopt", nlp, OPTIONS)
    bounds = {
        "x0": builder.x_init,
        "lbx": builder.x_lb,
        "ubx": builder.x_ub,
        "lbg": builder.g_lb,
        "ubg": builder.g_ub,
    }
    # The builder changes the sign of an objective that the file maximises.
    return solver, bounds, maximised


def violation(values, lower, upper):
    values, lower, upper = (np.array(a, dtype=float).ravel() for a in (values, lower, upper))
    return max(0.0, float(np.max(np.maximum(lower - values, values - upper), initial=0.0)))


def race(kind, name, n, prepare, repetitions):
    whole, alone = [], []
    for _ in range(repetitions):
        begun = time.perf_counter()
        solver, bounds, maximised = prepare()
        built = time.perf_counter()
        found = solver(**bounds)
        ended = time.perf_counter()
        whole.append(ended - begun)
        alone.append(ended - built)
    stats = solver.stats()
    objective = float(found["f"]) * (-1.0 if maximised else 1.0)
    off = violation(found["g"], bounds["lbg"], bounds["ubg"])
    sizes = f"{found['x'].numel()} {found['g'].numel()}"
    times = " ".join(f"{value:.6e}" for s in (whole, alone) for value in (min(s), statistics.median(s)))
    status = stats["return_status"]
    print(f"{kind} {name} {n} {sizes} {objective:.12e} {off:.3e} {stats['iter_count']} {status} {times}", flush=True)


def main():
    folder, repetitions = sys.argv[1], int(sys.argv[2])
    steps = [int(n) for n in sys.argv[3:]] or STEPS
    for build in PROBLEMS:
        for n in steps:
            name = build.__name__
            race("native", name, n, lambda: build(n).solver(), repetitions)
            path = os.path.join(folder, f"{name}-{n}.nl")
            race("file", name, n, lambda: from_file(path, build in MAXIMISED), repetitions)


if __name__ == "__main__":
    main()
