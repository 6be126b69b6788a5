"""A beam on an obstacle: cost by number of elements, steps of the active set, elements for an accuracy."""

from functools import partial

from pairs import median_seconds
from rich.console import Console
from rich.table import Table

import traction as tr

console = Console(width=110)
SIZES = (2_500, 10_000, 40_000)


def beam(epsilon, length=8.0):
    shear = None if epsilon == 0.0 else epsilon**-2
    return tr.Beam(length, 1.0, 1.0, shear_stiffness=shear, supports=("clamped", "free"))


def growth():
    table = Table("epsilon", "space", "elements", "seconds", "over four times fewer", "steps, finest mesh")
    for epsilon in (0.0, 0.023, 0.23):
        for space in ("point", "constant", "linear", "dual"):
            before = None
            for n in SIZES:
                work = partial(tr.obstacle.solve, beam(epsilon), 1.0, 1.0, n, multiplier=space)
                seconds, steps = median_seconds(work, repeat=3), work().steps[-1]
                ratio = "" if before is None else f"{seconds / before:.1f}"
                table.add_row(f"{epsilon:g}", space, f"{n}", f"{seconds:.3f}", ratio, f"{steps}")
                before = seconds
    console.print(table)


def accuracy():
    table = Table("epsilon", "adaptive elements", "error of the force", "uniform elements for the same")
    for epsilon in (0.01, 0.023, 0.1, 0.23):
        exact, strip = tr.obstacle.exact(epsilon), beam(epsilon)
        contact = tr.obstacle.adapt(strip, 1.0, 1.0).contact
        error = abs(contact.excess_force - exact.excess_force)
        n = contact.elements
        while n < 30_000:
            if abs(tr.obstacle.solve(strip, 1.0, 1.0, n).excess_force - exact.excess_force) <= error:
                break
            n = int(1.3 * n)
        table.add_row(f"{epsilon:g}", f"{contact.elements}", f"{error:.1e}", f"{n}")
    console.print(table)


if __name__ == "__main__":
    growth()
    accuracy()
