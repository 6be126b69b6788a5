"""Time integration: cost of a compiled step beside a loop by hand, and of a half-space bounce in pairs.

The ball of tests/data/dynamics.json. A loop by hand is what one would write for this ball alone: numba, its
force and slope inlined, Newton's method to the same tolerance, all states kept. Both march from the same
start: once with free flight, once pressed so hard that it oscillates in contact.
"""

import math
import time

import numba
import numpy as np
from pairs import median_seconds, pair_seconds
from rich.console import Console
from rich.table import Table

import traction as tr

PAIR = tr.Pair(tr.Material(math.inf, 0.3, density=910.0), tr.Material(1.5e8, 0.5))
MASS, STIFFNESS, GRAVITY = 5.0735045839393246, 88443327.742810663, 9.81
CONTACT_TIME = 0.00303496111457585438
STEPS = 500_000
TOL, MOST = 1e-12, 50
ACROSS, IN_CONTACT = 32, 100  #: elements across the largest contact, steps in a contact
HALF_SPACE = ("verlet", "rk4", "newmark", "generalized-alpha", "energy-conserving")
console = Console(width=110)


@numba.njit
def accelerated(q, g):
    d = -q
    return (STIFFNESS * d**1.5 if d > 0.0 else 0.0) / MASS - g


@numba.njit
def slope(q):
    d = -q
    return -1.5 * STIFFNESS * math.sqrt(d) / MASS if d > 0.0 else 0.0


@numba.njit
def energy_of(q, g):
    d = -q
    return (0.4 * STIFFNESS * d**2.5 if d > 0.0 else 0.0) / MASS + g * q


@numba.njit
def euler_forward(q, v, a, dt, g):
    q, v = q + dt * v, v + dt * a
    return q, v, accelerated(q, g)


@numba.njit
def symplectic_euler(q, v, a, dt, g):
    v = v + dt * a
    q = q + dt * v
    return q, v, accelerated(q, g)


@numba.njit
def verlet(q, v, a, dt, g):
    half = v + 0.5 * dt * a
    q = q + dt * half
    a = accelerated(q, g)
    return q, half + 0.5 * dt * a, a


@numba.njit
def rk4(q, v, a, dt, g):
    h = 0.5 * dt
    v2 = v + h * a
    a2 = accelerated(q + h * v, g)
    v3 = v + h * a2
    a3 = accelerated(q + h * v2, g)
    v4 = v + dt * a3
    a4 = accelerated(q + dt * v3, g)
    q1 = q + dt / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4)
    return q1, v + dt / 6.0 * (a + 2.0 * a2 + 2.0 * a3 + a4), accelerated(q1, g)


@numba.njit
def euler_backward(q, v, a, dt, g):
    x = a
    place = q + dt * v
    for _ in range(MOST):
        force = accelerated(place + dt * dt * x, g)
        r = x - force
        if abs(r) <= TOL * max(abs(x), abs(force)):
            break
        x -= r / (1.0 - dt * dt * slope(place + dt * dt * x))
    return place + dt * dt * x, v + dt * x, x


@numba.njit
def newmark(q, v, a, dt, g):
    x = a
    place, speed = q + dt * v + 0.25 * dt * dt * a, v + 0.5 * dt * a
    for _ in range(MOST):
        q1 = place + 0.25 * dt * dt * x
        force = accelerated(q1, g)
        r = x - force
        if abs(r) <= TOL * max(abs(x), abs(force)):
            break
        x -= r / (1.0 - 0.25 * dt * dt * slope(q1))
    return place + 0.25 * dt * dt * x, speed + 0.5 * dt * x, x


@numba.njit
def energy_conserving(q, v, a, dt, g):
    before = energy_of(q, g)
    d = dt * v + 0.5 * dt * dt * a
    for _ in range(MOST):
        after = energy_of(q + d, g)
        work = before - after
        exact = abs(work) > 1e-7 * max(abs(before), abs(after))
        force = work / d if exact else accelerated(q + 0.5 * d, g)
        inertia = 2.0 * (d / dt - v) / dt
        r = inertia - force
        if abs(r) <= TOL * max(abs(inertia), abs(force)):
            break
        by_d = (accelerated(q + d, g) - force) / d if exact else 0.5 * slope(q + 0.5 * d)
        d -= r / (2.0 / (dt * dt) - by_d)
    q, v = q + d, 2.0 * d / dt - v
    return q, v, accelerated(q, g)


RADAU = tr.method("radau-iia").tableau
RADAU_A, RADAU_AA, RADAU_C = RADAU.a, RADAU.aa, RADAU.c


@numba.njit
def radau_iia(q, v, a, dt, g):
    h2 = dt * dt
    x0 = x1 = x2 = a
    for _ in range(MOST):
        q0 = q + RADAU_C[0] * dt * v + h2 * (RADAU_AA[0, 0] * x0 + RADAU_AA[0, 1] * x1 + RADAU_AA[0, 2] * x2)
        q1 = q + RADAU_C[1] * dt * v + h2 * (RADAU_AA[1, 0] * x0 + RADAU_AA[1, 1] * x1 + RADAU_AA[1, 2] * x2)
        q2 = q + dt * v + h2 * (RADAU_AA[2, 0] * x0 + RADAU_AA[2, 1] * x1 + RADAU_AA[2, 2] * x2)
        f0, f1, f2 = accelerated(q0, g), accelerated(q1, g), accelerated(q2, g)
        r0, r1, r2 = x0 - f0, x1 - f1, x2 - f2
        size = max(abs(x0), abs(x1), abs(x2), abs(f0), abs(f1), abs(f2))
        if max(abs(r0), abs(r1), abs(r2)) <= TOL * size:
            break
        k0, k1, k2 = h2 * slope(q0), h2 * slope(q1), h2 * slope(q2)
        j00, j01, j02 = 1.0 - k0 * RADAU_AA[0, 0], -k0 * RADAU_AA[0, 1], -k0 * RADAU_AA[0, 2]
        j10, j11, j12 = -k1 * RADAU_AA[1, 0], 1.0 - k1 * RADAU_AA[1, 1], -k1 * RADAU_AA[1, 2]
        j20, j21, j22 = -k2 * RADAU_AA[2, 0], -k2 * RADAU_AA[2, 1], 1.0 - k2 * RADAU_AA[2, 2]
        c00, c01, c02 = j11 * j22 - j12 * j21, j12 * j20 - j10 * j22, j10 * j21 - j11 * j20
        det = j00 * c00 + j01 * c01 + j02 * c02
        x0 -= (c00 * r0 + (j02 * j21 - j01 * j22) * r1 + (j01 * j12 - j02 * j11) * r2) / det
        x1 -= (c01 * r0 + (j00 * j22 - j02 * j20) * r1 + (j02 * j10 - j00 * j12) * r2) / det
        x2 -= (c02 * r0 + (j01 * j20 - j00 * j21) * r1 + (j00 * j11 - j01 * j10) * r2) / det
    last = q + dt * v + h2 * (RADAU_AA[2, 0] * x0 + RADAU_AA[2, 1] * x1 + RADAU_AA[2, 2] * x2)
    return last, v + dt * (RADAU_A[2, 0] * x0 + RADAU_A[2, 1] * x1 + RADAU_A[2, 2] * x2), x2


HANDS = {
    "euler-forward": euler_forward,
    "euler-backward": euler_backward,
    "symplectic-euler": symplectic_euler,
    "rk4": rk4,
    "radau-iia": radau_iia,
    "verlet": verlet,
    "newmark": newmark,
    "energy-conserving": energy_conserving,
}


def loop_of(step):
    """The march of a hand-written step."""

    @numba.njit
    def march(q, v, dt, g, t, rows):
        a = accelerated(q, g)
        t[0], rows[0, 0], rows[0, 1], rows[0, 2] = 0.0, q, v, a
        for k in range(1, len(t)):
            q, v, a = step(q, v, a, dt, g)
            t[k], rows[k, 0], rows[k, 1], rows[k, 2] = k * dt, q, v, a

    return march


@numba.njit
def hertz_falling(t, q):
    d = -q
    return (STIFFNESS * d**1.5 if d > 0.0 else 0.0) - MASS * GRAVITY


@numba.njit
def hertz_pressed(t, q):
    d = -q
    return (STIFFNESS * d**1.5 if d > 0.0 else 0.0) - MASS * PRESSED


@numba.njit
def hertz_jacobian(t, q, v):
    d = -q
    return -1.5 * STIFFNESS * math.sqrt(d) if d > 0.0 else 0.0


@numba.njit
def energy_falling(q):
    d = -q
    return (0.4 * STIFFNESS * d**2.5 if d > 0.0 else 0.0) + MASS * GRAVITY * q


@numba.njit
def energy_pressed(q):
    d = -q
    return (0.4 * STIFFNESS * d**2.5 if d > 0.0 else 0.0) + MASS * PRESSED * q


PRESSED = 2000.0  #: gravity that keeps the ball in contact, m/s2
RESTING = -((MASS * PRESSED / STIFFNESS) ** (2.0 / 3.0))
CASES = {
    "falling": (hertz_falling, energy_falling, 0.01, GRAVITY),
    "in contact": (hertz_pressed, energy_pressed, 0.8 * RESTING, PRESSED),
}


def compiled_steps(table):
    dt = CONTACT_TIME / 100.0
    for name in tr.methods():
        for case, (force, energy, q0, g) in CASES.items():
            system = tr.SecondOrderSystem(MASS, force, q0, 0.0, jacobian=hertz_jacobian, energy=energy)
            steps = (
                STEPS if name != "euler-forward" or case == "falling" else STEPS // 50
            )  # before it explodes
            ours = median_seconds(lambda: tr.integrate(system, name, dt, steps * dt), repeat=5)  # noqa: B023
            if name not in HANDS:
                table.add_row(name, case, f"{1e9 * ours / steps:.1f}", "", "", "")
                continue
            march = loop_of(HANDS[name])

            def by_hand():
                rows = np.empty((steps + 1, 3))  # noqa: B023
                t = np.empty(steps + 1)  # noqa: B023
                march(q0, 0.0, dt, g, t, rows)  # noqa: B023
                return rows

            history = tr.integrate(system, name, dt, 100 * dt)
            apart = np.abs(by_hand()[:101, 0] - history.q).max()
            assert apart <= 1e-9 * np.abs(history.q).max(), (name, case, apart)
            hand = median_seconds(by_hand, repeat=5)
            ratio = ours / hand
            table.add_row(
                name,
                case,
                f"{1e9 * ours / steps:.1f}",
                f"{1e9 * hand / steps:.1f}",
                f"{ratio:.2f}",
                f"<= 3 {'met' if ratio <= 3.0 else 'MISSED'}",
            )


def half_space_steps(table):
    """Cost of a step in contact: of a whole bounce, over the steps of its contact."""
    dt = CONTACT_TIME / IN_CONTACT
    start = {"ball_radius": 0.11, "pair": PAIR, "height": 1e-6, "speed": 4.4294, "contact": "half-space"}
    grid = tr.bounce(**start, elements=ACROSS, dt=dt, t_end=dt).body.law.grid
    pair = pair_seconds(*grid.shape, repeat=400)
    for name in HALF_SPACE:
        for locate in (True, False):
            options = {**start, "elements": ACROSS, "method": name, "dt": dt, "locate_events": locate}
            times, steps = [], 0
            for _ in range(5):
                began = time.perf_counter()
                history = tr.bounce(**options, t_end=1.02 * CONTACT_TIME)
                times.append(time.perf_counter() - began)
                steps = int((history.q < 0.0).sum())
            seconds = float(np.median(times[1:])) / steps
            cost = seconds / pair
            table.add_row(
                name,
                "located" if locate else "not",
                str(steps),
                f"{history.stats['force_evaluations'] / steps:.1f}",
                f"{1e6 * seconds:.0f}",
                f"{cost:.1f}",
                f"<= 25 {'met' if cost <= 25.0 else 'MISSED'}",
            )
    return grid


def main():
    table = Table(
        "method", "ball", "ns/step", "by hand", "ratio", "asked", title="Compiled scalar march, Hertz ball"
    )
    compiled_steps(table)
    console.print(table)
    table = Table("method", "events", "steps", "forces/step", "us/step", "pairs/step", "asked")
    grid = half_space_steps(table)
    table.title = f"Half-space bounce, {ACROSS} elements across, {grid.nx} x {grid.ny}, dt = Tc/{IN_CONTACT}"
    console.print(table)


if __name__ == "__main__":
    main()
