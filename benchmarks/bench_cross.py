"""One wheel across the thesis' bridge (20 m at 30 m/s) in steps of 0.2 ms, by contact; real time and pairs.

Real time is that of the crossing over the median processor time of the whole call. The contact costs what a
crossing takes beyond one with Hertz's contact, per step, in pairs of transforms on the grid of the contact.
"""

from functools import partial
from time import process_time

from pairs import median_seconds, pair_seconds
from rich.console import Console
from rich.table import Table

import traction as tr

BRIDGE = tr.Bridge(tr.Beam(20.0, 2e11 * 0.0104, 7900.0), tr.STEEL)
WHEELS = {
    "mass of 76 t": tr.Wheel(0.46, 76e3),
    "wheel of 1 t under 9 t": tr.Wheel(0.46, 1e3, suspension=tr.Suspension(1e6, 1e4, 9e3)),
}
SPEED, STEP, ELEMENTS = 30.0, 2e-4, 32
CROSSING = 20.0 / SPEED
console = Console(width=110)


def crossing(wheel, contact):
    return tr.cross(BRIDGE, [(wheel, 0.0)], SPEED, contact=contact, dt=STEP)


def main():
    table = Table(
        "wheel", "contact", "seconds", "faster than real time", "contact per step, pairs", "closure"
    )
    for name, wheel in WHEELS.items():
        known = {}
        for contact, repeat in (("rigid", 9), ("hertz", 9), ("half-space", 5)):
            work = partial(crossing, wheel, contact)
            known[contact] = median_seconds(work, repeat=repeat, clock=process_time)
            run, pairs, closure = crossing(wheel, contact), "", ""
            if contact == "half-space":
                beyond = (known[contact] - known["hertz"]) / run.stats["steps"]
                pairs = f"{beyond / pair_seconds(ELEMENTS, ELEMENTS, clock=process_time):.1f}"
            if contact != "rigid":
                closure = f"{run.energies.closure:.1e}"
            seconds = known[contact]
            table.add_row(name, contact, f"{seconds:.4f}", f"{CROSSING / seconds:.2f}", pairs, closure)
    console.print(table)


if __name__ == "__main__":
    main()
