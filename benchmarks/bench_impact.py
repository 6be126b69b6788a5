"""Impacts: the classical case beside what was asked, growth with the modes, a sweep, and methods compared."""

import math
import time

import numpy as np
from pairs import median_seconds
from rich.console import Console
from rich.table import Table

import traction as tr

MODULUS, DENSITY, RADIUS = 2.2e6 * 9.80665e4, 7960.0, 0.01
PEAK = 4.977139717730011
BALL = tr.Striker(
    4.0 / 3.0 * math.pi * RADIUS**3 * DENSITY, 0.01, radius=RADIUS, pair=MODULUS / (2.0 * (1.0 - 0.3**2))
)
BEAM = tr.Beam(0.1535, MODULUS * 0.01**4 / 12.0, DENSITY * 0.01**2, supports=("pinned", "pinned"))
console = Console(width=120)


def classical():
    """Time over modes and tolerance."""
    table = Table(title="Classical case to 4 ms (asked: 200 modes at 1e-6 in at most 0.05 s)")
    for name in ("modes", "tol", "steps", "ms", "µs per step and 100 modes", "error of the peak"):
        table.add_column(name, justify="right")
    for modes, tol in (
        (20, 1e-9),
        (50, 1e-9),
        (100, 1e-9),
        (200, 1e-9),
        (400, 1e-9),
        (200, 1e-7),
        (200, 1e-11),
    ):
        history = tr.impact(BEAM, 0.07675, BALL, t_end=0.004, modes=modes, tol=tol)
        seconds = median_seconds(
            lambda m=modes, e=tol: tr.impact(BEAM, 0.07675, BALL, t_end=0.004, modes=m, tol=e).contacts,
            repeat=7,
        )
        steps, error = history.stats["steps"], abs(history.contacts[0].peak / PEAK - 1.0)
        each = 1e6 * seconds / steps / modes * 100.0
        table.add_row(
            str(modes), f"{tol:.0e}", str(steps), f"{1e3 * seconds:.1f}", f"{each:.0f}", f"{error:.1e}"
        )
    console.print(table)


def methods():
    """Cost of the approximate methods on the same 2000 times."""
    end = tr.impact(BEAM, 0.07675, BALL, t_end=0.004).contacts[0].end
    march = median_seconds(
        lambda: tr.impact(BEAM, 0.07675, BALL, method="small-increment", t_end=end, dt=end / 2000), repeat=7
    )
    console.print(f"small increments, 2000 times, 200 modes: {1e3 * march:.1f} ms")
    several = {}
    for n in (1, 2, 5):
        several[n] = median_seconds(
            lambda n=n: tr.impact(BEAM, 0.07675, BALL, method="picard", t_end=end, iterations=n), repeat=7
        )
    one = (several[5] - several[2]) / 3.0
    console.print(
        f"one iterate of Picard on the same times: {one / march:.2f} marches; three: {3 * one / march:.2f}"
    )


def sweep():
    """Many impacts over place and speed (asked: 10,000 in at most 60 s on two cores)."""
    place, speed = np.linspace(0.02, 0.1335, 100), np.geomspace(1e-3, 1.0, 100)
    tr.impact_sweep(BEAM, place[:2], BALL)
    began, cpu = time.perf_counter(), time.process_time()
    found = tr.impact_sweep(BEAM, place[:, None], BALL, speed=speed, workers=2)
    seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
    console.print(
        f"sweep of {found.peak.size} impacts, 40 modes, up to {found.contacts.max()} contacts: "
        f"{seconds:.1f} s, {cpu:.1f} s of processor"
    )


if __name__ == "__main__":
    classical()
    methods()
    sweep()
