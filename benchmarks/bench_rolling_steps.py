"""Rolling with the force held, by short steps: how far single steps scatter, and how far their mean is off.

A line contact and a circular one are shifted, then roll with 0.3 to 0.8 of the friction bound. Theory knows
no step: what the creepage does within the last element rolled, about its linear trend, is an error of the
discretisation. The largest of all forces is printed.
"""

import numpy as np
from rich.console import Console
from rich.table import Table

import traction as tr

FRICTION, HALF_WIDTH, RADIUS, ROLLED = 0.3, 5e-3, 0.5, 24  # -, m, m, elements
SHARES = (0.3, 0.5, 0.657, 0.8)  # of the friction bound
PAIR = tr.Pair(tr.STEEL, tr.STEEL)


def press(shape, elements):
    """A Hertz contact of so many elements across."""
    dx, modulus = 2.0 * HALF_WIDTH / elements, PAIR.effective_modulus
    if shape == "line":  # a^2 = 4 F R / (pi E*)
        grid, load = (
            tr.Grid.line(elements + 6, dx, length=0.2),
            np.pi * HALF_WIDTH**2 * modulus / 4.0 / RADIUS,
        )
        return tr.press(tr.Cylinder(RADIUS), grid, PAIR, force=load, tol=1e-9)
    grid, load = tr.Grid(elements + 6, elements + 5, dx, dx), 4.0 * modulus * HALF_WIDTH**3 / 3.0 / RADIUS
    return tr.press(tr.Sphere(RADIUS), grid, PAIR, force=load, tol=1e-9)


def creepages(normal, share, step):
    """Of the steps within the last of the elements rolled; `step` in elements."""
    force = (-share * FRICTION * normal.force, None)
    t = tr.shift(normal, FRICTION, displacement=(None, 0.0, 0.0), force=force)
    found = []
    for _ in range(round(ROLLED / step)):
        t = tr.roll(t, FRICTION, distance=step * normal.grid.dx, creepage=(None, 0.0, 0.0), force=force)
        found.append(t.creepage[0])
    return np.array(found[-round(1.0 / step) :])


def scatter_and_mean(normal, share, parts):
    """Peak to peak of single steps about their trend, and how far their mean is off whole steps."""
    whole, found = creepages(normal, share, 1.0).mean(), creepages(normal, share, 1.0 / parts)
    number = np.arange(parts)
    trend = np.polyval(np.polyfit(number, found, 1), number)
    return np.ptp(found - trend) / abs(found.mean()), abs(found.mean() / whole - 1.0)


def main():
    """Print the table."""
    table = Table(
        *("contact", "elements", "steps per element", "single steps, peak to peak", "mean, off whole steps"),
        title=f"Creepage with the force held, last of {ROLLED} elements rolled (covered elements)",
    )
    for shape, elements in ((shape, elements) for shape in ("line", "circle") for elements in (12, 24, 70)):
        normal = press(shape, elements)
        for parts in (5, 20, 50):
            every = [scatter_and_mean(normal, share, parts) for share in SHARES]
            scatter, mean = np.max(every, axis=0)
            table.add_row(shape, str(elements), str(parts), f"{100 * scatter:.2g} %", f"{100 * mean:.2g} %")
    Console(width=110).print(table)


if __name__ == "__main__":
    main()
