"""Contact as a force law: cost of one evaluation in pairs, over a whole bounce of a ball.

The approach rises and falls as d sin(pi t/T); each step asks the law twice, once at the new approach and once
very near it, as an implicit time step does. Force, stiffness and energy come together.
"""

import math
import time

import numpy as np
from pairs import pair_seconds
from rich.console import Console
from rich.table import Table

import traction as tr
from traction.laws.half_space_law import HalfSpaceLaw

UNIT = tr.Pair(tr.RIGID, tr.Material(1.0, 0.0))
STEEL = tr.Pair(tr.STEEL, tr.STEEL)
NEAR = 1e-3  #: relative distance of the second evaluation of a step from the first
REPEAT = 7
console = Console(width=110)


def sphere(n, radius, center=(0.0, 0.0)):
    """A ball whose largest contact has a radius of so many elements, on n x n; its centre is in elements."""
    size = 1.0 / radius
    ball = tr.Sphere(1.0, center=(center[0] * size, center[1] * size))
    return ball, tr.Grid(n, n, size, size), UNIT, 1.0


def ellipse(n):
    """A contact off the centre, 0.8 n elements across in both directions."""
    hertz = tr.hertz.ellipse(0.46, 0.15, STEEL, force=1e5)
    a, b = hertz.semi_axes
    grid = tr.Grid.around(1.25 * a, 1.25 * b, n, n)
    surface = tr.Paraboloid(0.46, 0.15, center=(0.3 * grid.dx, 0.4 * grid.dy))
    return surface, grid, STEEL, hertz.approach


def line(n):
    """A roller whose contact is 0.8 n strips wide."""
    hertz = tr.hertz.line(0.5, STEEL, force=1e6, length=0.5)
    return tr.Cylinder(0.5), tr.Grid.line(n, 2.5 * hertz.half_width / n, length=0.5), STEEL, hertz.approach


CASES = {
    "sphere, 16 across, 20 x 20": sphere(20, 8),
    "sphere, 32 across, 40 x 40": sphere(40, 16),
    "the same off centre, 40 x 40": sphere(40, 16, (0.3, 0.2)),
    "ellipse, 32 across, 40 x 40": ellipse(40),
    "sphere, 64 across, 80 x 80": sphere(80, 32),
    "line, 102 across, 128 x 1": line(128),
}


def approaches(largest, steps):
    """What the law is asked in one contact, m: (far, near) per step."""
    for k in range(1, steps):
        approach = largest * math.sin(math.pi * k / steps)
        yield approach, approach * (1.0 + NEAR)


def measure(case, steps):
    """Median over runs of the mean time of a far and a near evaluation, s; and iterations of both, mean."""
    surface, grid, pair, largest = case
    seconds = np.empty((REPEAT, 2))
    for run in range(REPEAT):
        law = HalfSpaceLaw(surface, grid, pair)
        times = []
        for pairing in approaches(largest, steps):
            for approach in pairing:
                began = time.perf_counter()
                law.response(approach)
                times.append(time.perf_counter() - began)
        seconds[run] = np.reshape(times, (-1, 2)).mean(axis=0)
    return *np.median(seconds, axis=0), law.iterations / law.evaluations


def main():
    table = Table(
        "contact", "steps", "us, far", "near", "iterations", "pairs, far", "near", "mean", "asked",
        title="One evaluation of the law: force, stiffness and energy",
    )  # fmt: skip
    for name, case in CASES.items():
        pair = pair_seconds(*case[1].shape, repeat=400)
        measure(case, 10)  # compiles, and makes the tables
        for steps in (40, 100):
            far, near, iterations = measure(case, steps)
            mean = 0.5 * (far + near) / pair
            asked = f"<= 8 {'met' if mean <= 8.0 else 'MISSED'}" if "40 x 40" in name else ""
            numbers = (f"{1e6 * far:.0f}", f"{1e6 * near:.0f}", f"{iterations:.1f}")
            costs = (f"{far / pair:.1f}", f"{near / pair:.1f}", f"{mean:.1f}")
            table.add_row(name, str(steps), *numbers, *costs, asked)
    console.print(table)


if __name__ == "__main__":
    main()
