"""Wheels across the thesis' bridge (20 m at 30 m/s) in steps of 0.2 ms, against real time, by contact.

Real time is that of the crossing over the median processor time of the whole call. A half space is tabulated
in the first crossing, "new table", and its table is there in later ones; "every step" solves it in each step,
and costs what a crossing takes beyond one with Hertz's contact, per step, in pairs of transforms on its grid.
A second table has Hertz contact on beam elements.
"""

from functools import partial
from time import process_time

import numpy as np
from pairs import median_seconds, pair_seconds
from rich.console import Console
from rich.table import Table

import traction as tr
from traction.laws import half_space_table

BRIDGE = tr.Bridge(tr.Beam(20.0, 2e11 * 0.0104, 7900.0), tr.STEEL)
CAR = tr.Wheel(0.46, 1e3, suspension=tr.Suspension(1e6, 1e4, 9e3))
TRAINS = {
    "mass of 76 t": [(tr.Wheel(0.46, 76e3), 0.0)],
    "wheel of 1 t under 9 t": [(CAR, 0.0)],
    "20 of them, 8 m apart": [(CAR, 8.0 * k) for k in range(20)],
}
CONTACTS = {
    "rigid": {"contact": "rigid"},
    "Hertz": {"contact": "hertz"},
    "half space, new table": {"contact": "half-space"},
    "half space, table": {"contact": "half-space"},
    "half space, every step": {"contact": "half-space", "solve": "every-step"},
}
SPEED, STEP, ELEMENTS, REPEAT = 30.0, 2e-4, 32, 5
console = Console(width=120)


def crossing(train, contact):
    if contact == "half space, new table":
        half_space_table.discard_tables()
    return tr.cross(BRIDGE, TRAINS[train], SPEED, dt=STEP, **CONTACTS[contact])


def main():
    columns = ("train", "contact", "seconds", "faster than real time", "contact per step, pairs", "closure")
    table = Table(*columns)
    for train in TRAINS:
        known, runs = {}, {}
        for contact in CONTACTS:
            if contact == "half space, every step" and len(TRAINS[train]) > 1:
                continue
            work = partial(crossing, train, contact)
            known[contact] = median_seconds(work, repeat=REPEAT, clock=process_time)
            run = runs[contact] = work()
            pairs = closure = ""
            if contact == "half space, every step":
                beyond = (known[contact] - known["Hertz"]) / run.stats["steps"]
                pairs = f"{beyond / pair_seconds(ELEMENTS, ELEMENTS, clock=process_time):.1f}"
            if contact != "rigid":
                closure = f"{run.energies.closure:.1e}"
            ratio = run.t[-1] / known[contact]
            table.add_row(train, contact, f"{known[contact]:.4f}", f"{ratio:.2f}", pairs, closure)
        if "half space, every step" in runs:
            one, other = (runs[f"half space, {name}"].contact_forces for name in ("table", "every step"))
            console.print(f"{train}: table and every step differ by {np.abs(one / other - 1.0).max():.1e}")
    console.print(table)
    console.print(elements_table())


def elements_table():
    """Milliseconds per step of Newmark's method with Hertz contact on elements."""
    table = Table(
        "elements", *(f"{name}, ms per step" for name in ("no damping", "ratio 0.02 (60 modes)", "shear"))
    )
    for size in (100, 200, 400):
        found = []
        for more in ({}, {"damping": 0.02}, {"shear_stiffness": 2.5e9, "rotary_inertia": 800.0}):
            beam = tr.Beam(20.0, 2e11 * 0.0104, 7900.0, supports=("pinned", "pinned"), **more)
            given = {"contact": "hertz", "model": "elements", "size": size, "dt": STEP, "t_end": 0.3}
            bridge = tr.Bridge(beam, tr.STEEL)
            work = partial(tr.cross, bridge, [(CAR, 0.0)], SPEED, **given)
            run = min((work() for _ in range(REPEAT)), key=lambda one: one.stats["seconds"])
            found.append(f"{1e3 * run.stats['seconds'] / run.stats['steps']:.3f}")
        table.add_row(str(size), *found)
    return table


if __name__ == "__main__":
    main()
