"""Heat: cost of flash temperatures, and of friction by temperature over that of constant friction."""

import statistics
from time import process_time

from rich.console import Console
from rich.table import Table

import traction as tr

STEEL = tr.Pair(tr.STEEL, tr.STEEL)
CREEPAGES = [(xi, eta, phi) for xi in (1e-3, 3e-3, 1e-2, 4e-2) for eta, phi in ((0.0, 0.0), (2e-3, 0.3))]
LAW, SPEED, MU, ASKED = tr.friction.thermal([50.0, 400.0], [0.35, 0.15]), 20.0, 0.35, 5.0


def best(work, repeats=5):
    """Shortest processor time, s, and the last result."""
    times = []
    for _ in range(repeats):
        began = process_time()
        found = work()
        times.append(process_time() - began)
    return min(times), found


def main():
    table = Table(
        "elements", "constant (ms)", "by temperature (ms)", "mean ratio", "asked", "temperature (ms)"
    )
    n = tr.press(tr.Paraboloid(0.625, 0.34), tr.Grid(40, 30, 0.4181e-3, 0.3716e-3), STEEL, force=80e3)
    for kind in ("covered", "classical"):
        constant, coupled, heat = [], [], []
        for creepage in CREEPAGES:
            given = {"creepage": creepage, "discretisation": kind}
            seconds, t = best(lambda given=given: tr.roll_steady(n, MU, **given))
            constant.append(seconds)
            coupled.append(best(lambda given=given: tr.roll_steady(n, LAW, speed=SPEED, **given))[0])
            heat.append(best(lambda t=t: tr.flash_temperature(t, SPEED))[0])
        ratio = statistics.mean(b / a for a, b in zip(constant, coupled, strict=True))
        table.add_row(
            kind,
            f"{1e3 * statistics.mean(constant):.1f}",
            f"{1e3 * statistics.mean(coupled):.1f}",
            f"{ratio:.1f}",
            f"<= {ASKED:g} {'met' if ratio <= ASKED else 'MISSED'}",
            f"{1e3 * statistics.mean(heat):.2f}",
        )
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
