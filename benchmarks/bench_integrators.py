"""Time integration: cost of a compiled step beside a loop by hand, and of a half-space bounce in pairs.

The ball of tests/data/dynamics.json. A loop by hand is what one would write for this ball alone: numba, its
force and slope inlined, Newton's method to the same tolerance, all states kept. Both march from the same
start: in free flight, pressed so hard that it oscillates in contact, and on a spring that stiffens.
"""

import math
import time

import numba
import numpy as np
from pairs import pair_seconds
from rich.console import Console
from rich.table import Table

import traction as tr

PAIR = tr.Pair(tr.Material(math.inf, 0.3, density=910.0), tr.Material(1.5e8, 0.5))
MASS, STIFFNESS, GRAVITY = 5.0735045839393246, 88443327.742810663, 9.81
CONTACT_TIME = 0.00303496111457585438
TOL, MOST = 1e-12, 50
ACROSS, IN_CONTACT = 32, 100  #: elements across the largest contact, steps in a contact
HALF_SPACE = ("verlet", "rk4", "newmark", "generalized-alpha", "energy-conserving")
console = Console(width=130)


def hand_steps(accelerated, slope, energy_of):
    """A step of each method, as one would write it for one problem, from its acceleration and its slope."""

    @numba.njit
    def euler_forward(q, v, a, x, dt):
        q, v = q + dt * v, v + dt * a
        return q, v, accelerated(q), 0.0

    @numba.njit
    def symplectic_euler(q, v, a, x, dt):
        v = v + dt * a
        q = q + dt * v
        return q, v, accelerated(q), 0.0

    @numba.njit
    def verlet(q, v, a, x, dt):
        half = v + 0.5 * dt * a
        q = q + dt * half
        a = accelerated(q)
        return q, half + 0.5 * dt * a, a, 0.0

    @numba.njit
    def rk4(q, v, a, x, dt):
        h = 0.5 * dt
        v2 = v + h * a
        a2 = accelerated(q + h * v)
        v3 = v + h * a2
        a3 = accelerated(q + h * v2)
        v4 = v + dt * a3
        a4 = accelerated(q + dt * v3)
        q1 = q + dt / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4)
        return q1, v + dt / 6.0 * (a + 2.0 * a2 + 2.0 * a3 + a4), accelerated(q1), 0.0

    @numba.njit
    def euler_backward(q, v, a, x, dt):
        x = a
        place = q + dt * v
        for _ in range(MOST):
            force = accelerated(place + dt * dt * x)
            r = x - force
            if abs(r) <= TOL * max(abs(x), abs(force)):
                break
            x -= r / (1.0 - dt * dt * slope(place + dt * dt * x))
        return place + dt * dt * x, v + dt * x, x, 0.0

    def alpha(method):
        w = method.weights
        beta, gamma, alpha_m, alpha_f = w.beta, w.gamma, w.alpha_m, w.alpha_f

        @numba.njit
        def step(q, v, a, x, dt):
            place, speed = q + dt * v + (0.5 - beta) * dt * dt * x, v + (1.0 - gamma) * dt * x
            old = alpha_m * x - alpha_f * a
            force = a
            for _ in range(MOST):
                q1 = place + beta * dt * dt * x
                force = accelerated(q1)
                r = (1.0 - alpha_m) * x - (1.0 - alpha_f) * force + old
                if abs(r) <= TOL * max(abs(x), abs(force)):
                    break
                x -= r / (1.0 - alpha_m - (1.0 - alpha_f) * beta * dt * dt * slope(q1))
            return place + beta * dt * dt * x, speed + gamma * dt * x, force, x

        return step

    @numba.njit
    def energy_conserving(q, v, a, x, dt):
        before = energy_of(q)
        d = dt * v + 0.5 * dt * dt * a
        for _ in range(MOST):
            after = energy_of(q + d)
            work = before - after
            exact = abs(work) > 1e-7 * max(abs(before), abs(after))
            force = work / d if exact else accelerated(q + 0.5 * d)
            inertia = 2.0 * (d / dt - v) / dt
            r = inertia - force
            if abs(r) <= TOL * max(abs(inertia), abs(force)):
                break
            by_d = (accelerated(q + d) - force) / d if exact else 0.5 * slope(q + 0.5 * d)
            last, d = d, d - r / (2.0 / (dt * dt) - by_d)
            if d == last:  # rounding of the energies leaves a residual that no update lowers
                break
        q, v = q + d, 2.0 * d / dt - v
        return q, v, accelerated(q), 0.0

    def radau(method):
        AA, B, BA = method.tableau.aa, method.tableau.b, method.tableau.ba
        C, last_is_end = method.tableau.c, method.tableau.stiffly_accurate

        @numba.njit
        def step(q, v, a, x, dt):
            h2 = dt * dt
            x0 = x1 = x2 = a
            for _ in range(MOST):
                q0 = q + C[0] * dt * v + h2 * (AA[0, 0] * x0 + AA[0, 1] * x1 + AA[0, 2] * x2)
                q1 = q + C[1] * dt * v + h2 * (AA[1, 0] * x0 + AA[1, 1] * x1 + AA[1, 2] * x2)
                q2 = q + C[2] * dt * v + h2 * (AA[2, 0] * x0 + AA[2, 1] * x1 + AA[2, 2] * x2)
                f0, f1, f2 = accelerated(q0), accelerated(q1), accelerated(q2)
                r0, r1, r2 = x0 - f0, x1 - f1, x2 - f2
                size = max(abs(x0), abs(x1), abs(x2), abs(f0), abs(f1), abs(f2))
                if max(abs(r0), abs(r1), abs(r2)) <= TOL * size:
                    break
                k0, k1, k2 = h2 * slope(q0), h2 * slope(q1), h2 * slope(q2)
                j00, j01, j02 = 1.0 - k0 * AA[0, 0], -k0 * AA[0, 1], -k0 * AA[0, 2]
                j10, j11, j12 = -k1 * AA[1, 0], 1.0 - k1 * AA[1, 1], -k1 * AA[1, 2]
                j20, j21, j22 = -k2 * AA[2, 0], -k2 * AA[2, 1], 1.0 - k2 * AA[2, 2]
                c00, c01, c02 = j11 * j22 - j12 * j21, j12 * j20 - j10 * j22, j10 * j21 - j11 * j20
                det = j00 * c00 + j01 * c01 + j02 * c02
                x0 -= (c00 * r0 + (j02 * j21 - j01 * j22) * r1 + (j01 * j12 - j02 * j11) * r2) / det
                x1 -= (c01 * r0 + (j00 * j22 - j02 * j20) * r1 + (j02 * j10 - j00 * j12) * r2) / det
                x2 -= (c02 * r0 + (j01 * j20 - j00 * j21) * r1 + (j00 * j11 - j01 * j10) * r2) / det
            end = q + dt * v + h2 * (BA[0] * x0 + BA[1] * x1 + BA[2] * x2)
            speed = v + dt * (B[0] * x0 + B[1] * x1 + B[2] * x2)
            return end, speed, x2 if last_is_end else accelerated(end), 0.0

        return step

    return {
        "euler-forward": euler_forward,
        "euler-backward": euler_backward,
        "symplectic-euler": symplectic_euler,
        "rk4": rk4,
        "radau-ia": radau(tr.method("radau-ia")),
        "radau-iia": radau(tr.method("radau-iia")),
        "verlet": verlet,
        "newmark": alpha(tr.method("newmark")),
        "hht": alpha(tr.method("hht")),
        "generalized-alpha": alpha(tr.method("generalized-alpha")),
        "energy-conserving": energy_conserving,
    }


def loop_of(step, accelerated):
    """The march of a hand-written step, all states kept."""

    @numba.njit
    def march(q, v, dt, steps):
        ts, qs, vs, accelerations = np.empty(steps), np.empty(steps), np.empty(steps), np.empty(steps)
        a = accelerated(q)
        x = a
        ts[0], qs[0], vs[0], accelerations[0] = 0.0, q, v, a
        for k in range(1, steps):
            q, v, a, x = step(q, v, a, x, dt)
            ts[k], qs[k], vs[k], accelerations[k] = k * dt, q, v, a
        return ts, qs, vs, accelerations

    return march


def hertz(g):
    """The ball with a gravity g (m/s2), all per mass: force, slope and energy."""
    k = STIFFNESS / MASS

    @numba.njit
    def force(q):
        d = -q
        return (k * d**1.5 if d > 0.0 else 0.0) - g

    @numba.njit
    def slope(q):
        d = -q
        return -1.5 * k * math.sqrt(d) if d > 0.0 else 0.0

    @numba.njit
    def energy(q):
        d = -q
        return (0.4 * k * d**2.5 if d > 0.0 else 0.0) + g * q

    return force, slope, energy


def duffing():
    """A spring that stiffens."""
    force = numba.njit(lambda q: -q - q**3)
    slope = numba.njit(lambda q: -1.0 - 3.0 * q**2)
    energy = numba.njit(lambda q: 0.5 * q**2 + 0.25 * q**4)
    return force, slope, energy


PRESSED = 2000.0  #: gravity that keeps the ball in contact, m/s2
RESTING = -((MASS * PRESSED / STIFFNESS) ** (2.0 / 3.0))
#: functions, start, step, and how many steps forward Euler takes before it explodes
CASES = {
    "free fall": (hertz(GRAVITY), 1e4, CONTACT_TIME / 100.0, 1_000_000),
    "in contact": (hertz(PRESSED), 0.8 * RESTING, CONTACT_TIME / 100.0, 10_000),
    "Duffing": (duffing(), 1.0, 0.01, 10_000),
}
STEPS = (10_000, 100_000, 1_000_000)


def compiled_steps(table):
    for case, (functions, q0, dt, bounded) in CASES.items():
        force, slope, energy = functions
        hands = hand_steps(force, slope, energy)
        system = tr.SecondOrderSystem(
            1.0,
            numba.njit(lambda t, q: force(q)),  # noqa: B023
            q0,
            jacobian=numba.njit(lambda t, q, v: slope(q)),  # noqa: B023
            energy=energy,
        )
        for name in tr.methods():
            march = loop_of(hands[name], force)
            tr.integrate(system, name, dt, 110_000 * dt, on_failure="return")  # to compile
            history = tr.integrate(system, name, dt, 100 * dt)
            apart = np.abs(march(q0, 0.0, dt, 101)[1] - history.q).max()
            assert apart <= 1e-9 * np.abs(history.q).max(), (name, case, apart)
            row, met = [name, case], True
            for steps in STEPS:
                if name == "euler-forward" and steps > bounded:
                    row.append("")
                    continue
                ours, hand = both_seconds(
                    lambda: tr.integrate(system, name, dt, steps * dt),  # noqa: B023
                    lambda: march(q0, 0.0, dt, steps + 1),  # noqa: B023
                    max(5, min(100, 2_000_000 // steps)),
                )
                met = met and (ours <= 3.0 * hand or steps < 100_000)
                row.append(f"{1e9 * ours / steps:.1f} / {1e9 * hand / steps:.1f} = {ours / hand:.2f}")
            table.add_row(*row, "met" if met else "MISSED")


def both_seconds(ours, hand, repeat):
    """Least times (s) of the processor for two works, taken in turns: others may share it."""
    times = [[], []]
    for work in (ours, hand):
        work()
    for _ in range(repeat):
        for kept, work in zip(times, (ours, hand), strict=True):
            began = time.process_time()
            work()
            kept.append(time.process_time() - began)
    return min(times[0]), min(times[1])


def half_space_steps(table):
    """Cost of a step in contact: of whole bounces, over the steps of their contacts."""
    dt = CONTACT_TIME / IN_CONTACT
    ball = {"ball_radius": 0.11, "pair": PAIR, "contact": "half-space", "elements": ACROSS}
    once = {**ball, "height": 1e-6, "speed": 4.4294, "t_end": 1.02 * CONTACT_TIME}
    grid = tr.bounce(**{**once, "dt": dt, "t_end": dt}).body.law.grid
    for name in HALF_SPACE:
        given = {**once, "method": name}
        half_space_row(table, grid, f"{name}, located", {**given, "dt": dt})
        half_space_row(table, grid, f"{name}, not located", {**given, "dt": dt, "locate_events": False})
        half_space_row(table, grid, f'{name}, dt="auto"', given)
    half_space_row(table, grid, "all defaults, three bounces", {**ball, "height": 1.0})
    return grid


def half_space_row(table, grid, title, options):
    """Steps, forces and time of a bounce, in pairs; of the processor, which others may share."""
    pair = pair_seconds(*grid.shape, repeat=200, clock=time.process_time)
    times = []
    for _ in range(6):
        began = time.process_time()
        history = tr.bounce(**options)
        times.append(time.process_time() - began)
    steps = int((history.q < 0.0).sum())
    seconds = float(np.median(times[1:])) / steps
    cost = seconds / pair
    table.add_row(
        title,
        str(steps),
        f"{history.stats['force_evaluations'] / steps:.1f}",
        f"{1e6 * seconds:.0f}",
        f"{cost:.1f}",
        f"<= 25 {'met' if cost <= 25.0 else 'MISSED'}",
    )


def main():
    columns = [f"{steps:,} steps: ns ours / by hand" for steps in STEPS]
    table = Table("method", "problem", *columns, "asked <= 3", title="Compiled scalar march")
    compiled_steps(table)
    console.print(table)
    table = Table("march", "steps", "forces/step", "us/step", "pairs/step", "asked")
    grid = half_space_steps(table)
    table.title = (
        f"Half-space bounce, {ACROSS} elements across, {grid.nx} x {grid.ny}, Tc/{IN_CONTACT} or auto"
    )
    console.print(table)


if __name__ == "__main__":
    main()
