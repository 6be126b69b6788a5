"""Rolling with the force held, by short steps: how far single steps scatter, and how far their mean is off.

A line contact is shifted, then rolls with 0.657 of the friction bound. Theory knows no step: what the
creepage does within the last element rolled, about its linear trend, is an error of the discretisation.
"""

import numpy as np
from rich.console import Console
from rich.table import Table

import traction as tr

FRICTION, HALF_WIDTH, ROLLED = 0.3, 5e-3, 24  # -, m, elements
PAIR = tr.Pair(tr.STEEL, tr.STEEL)


def creepages(elements, step):
    """Of the steps within the last of the elements rolled; `step` in elements."""
    dx = 2.0 * HALF_WIDTH / elements
    grid = tr.Grid.line(elements + 6, dx, length=0.2)
    load = np.pi * HALF_WIDTH**2 * PAIR.effective_modulus / (4.0 * 0.5)  # N/m, Hertz: a^2 = 4 F R/(pi E*)
    normal = tr.press(tr.Cylinder(0.5), grid, PAIR, force=load)
    force = (-0.657 * FRICTION * load, None)
    t = tr.shift(normal, FRICTION, displacement=(None, 0.0, 0.0), force=force)
    found = []
    for _ in range(round(ROLLED / step)):
        t = tr.roll(t, FRICTION, distance=step * dx, creepage=(None, 0.0, 0.0), force=force)
        found.append(t.creepage[0])
    return np.array(found[-round(1.0 / step) :])


def main():
    """Print the table."""
    title = f"Creepage with the force held, last of {ROLLED} elements rolled (line contact, covered elements)"
    table = Table(
        "elements", "steps per element", "single steps, peak to peak", "mean, off whole steps", title=title
    )
    for elements in (12, 24, 70):
        whole = creepages(elements, 1.0).mean()
        for parts in (5, 20, 50):
            found = creepages(elements, 1.0 / parts)
            number = np.arange(parts)
            trend = np.polyval(np.polyfit(number, found, 1), number)
            scatter, mean = np.ptp(found - trend) / abs(found.mean()), found.mean() / whole - 1.0
            table.add_row(str(elements), str(parts), f"{100 * scatter:.2g} %", f"{100 * mean:.2g} %")
    Console(width=110).print(table)


if __name__ == "__main__":
    main()
