"""Beams step by step: Newmark's method on elements beside openseespy, and growth with their number.

The thesis bridge under one axle at 30 m/s. openseespy gets its fastest setting: all loads as time series, one
call for all steps, a profile matrix that is factored once, no record. It shares the axle linearly to the
nodes, which costs it 2e-4 of the deflection.
"""

import numpy as np
from pairs import median_seconds
from rich.console import Console
from rich.table import Table

import traction as tr
from traction.beams.discrete.discrete_march import march_beam

LENGTH, MODULUS, SECOND_MOMENT = 20.0, 2e11, 0.0104
MASS, FORCE, SPEED = 7900.0, 76e3 * 9.81, 30.0
ELEMENTS, STEPS = 100, 20_000
PEAK_TIME, PEAK = 0.37827648, 0.0150010948
MANY_STEPS = 200
console = Console(width=110)


def bridge(**options):
    return tr.Beam(LENGTH, MODULUS * SECOND_MOMENT, MASS, **options)


def crossing(model, steps, dt, method="newmark", **options):
    t = dt * np.arange(steps + 1)
    places = SPEED * t[:, None]
    return march_beam(model, t, places, np.full_like(places, FORCE), method, **options)


def opensees_crossing(ops, steps, dt):
    """Hat functions in time share the axle to the nodes, as it passes from one to the next."""
    ops.wipe()
    ops.model("basic", "-ndm", 2, "-ndf", 3)
    for i in range(ELEMENTS + 1):
        ops.node(i + 1, LENGTH * i / ELEMENTS, 0.0)
        ends = i in (0, ELEMENTS)
        ops.fix(i + 1, 1, int(ends), int(ends))
    ops.geomTransf("Linear", 1)
    for i in range(ELEMENTS):
        ops.element(
            "elasticBeamColumn", i + 1, i + 1, i + 2, 1.0, MODULUS, SECOND_MOMENT, 1, "-mass", MASS, "-cMass"
        )
    apart = LENGTH / ELEMENTS / SPEED
    for i in range(1, ELEMENTS):
        hat = ((i - 1) * apart, i * apart, (i + 1) * apart)
        ops.timeSeries("Path", i, "-time", *hat, "-values", 0.0, 1.0, 0.0)
        ops.pattern("Plain", i, i)
        ops.load(i + 1, 0.0, -FORCE, 0.0)
    ops.constraints("Plain")
    ops.numberer("Plain")
    ops.system("ProfileSPD")
    ops.algorithm("Linear", "-factorOnce")
    ops.integrator("Newmark", 0.5, 0.25)
    ops.analysis("Transient")
    assert ops.analyze(steps, dt) == 0
    return -ops.nodeDisp(ELEMENTS // 2 + 1, 2)


def beside_opensees(table):
    model, dt = bridge().elements(ELEMENTS), LENGTH / SPEED / STEPS
    midspan = model.sampler("deflection", [0.5 * LENGTH])
    ours = {}
    for name in ("newmark", "hht", "generalized-alpha"):
        peak = crossing(model, STEPS, dt, name, observe=midspan)[0].max()
        ours[name] = median_seconds(lambda: crossing(model, STEPS, dt, name, observe=midspan), repeat=7)  # noqa: B023
        table.add_row(f"{name}, midspan kept", f"{ours[name]:.3f}", "", f"{peak / PEAK - 1.0:+.1e}", "")
    seconds = median_seconds(lambda: crossing(model, STEPS, dt), repeat=7)
    table.add_row("newmark, all states kept", f"{seconds:.3f}", "", "", "")
    try:
        import openseespy.opensees as ops
    except (ImportError, RuntimeError):
        table.add_row("openseespy", "not installed", "", "", "")
        return
    reached = opensees_crossing(ops, round(PEAK_TIME / dt), dt)
    theirs = median_seconds(lambda: opensees_crossing(ops, STEPS, dt), repeat=3)
    ratio = theirs / ours["newmark"]
    met = f">= 20 {'met' if ratio >= 20.0 else 'MISSED'}"
    table.add_row("openseespy", f"{theirs:.3f}", f"{ratio:.0f}", f"{reached / PEAK - 1.0:+.1e}", met)


def growth(table):
    """Bridges in a row, each of 100 elements."""
    costs = []
    for n in (100, 1_000, 10_000, 100_000):
        beam = tr.Beam.spans([bridge(supports=("pinned", "pinned"))] * (n // 100))
        model = beam.elements(n)
        midspan = model.sampler("deflection", [0.5 * LENGTH])
        steps = MANY_STEPS * (10 if n <= 1_000 else 1)
        seconds = median_seconds(lambda: crossing(model, steps, 1e-4, observe=midspan), repeat=5)  # noqa: B023
        costs.append(1e9 * seconds / steps / n)
        ratio = costs[-1] / costs[0]
        asked = "" if n == 100 else f"<= 2 {'met' if ratio <= 2.0 else 'MISSED'}"
        table.add_row(str(n), f"{costs[-1]:.1f}", f"{ratio:.2f}", asked)


def main():
    table = Table("method", "seconds", "ratio", "midspan", "asked")
    table.title = f"{STEPS} steps on {ELEMENTS} Euler-Bernoulli elements, the thesis bridge at 30 m/s"
    beside_opensees(table)
    console.print(table)
    table = Table(
        "elements", "ns per step and element", "over 100", "asked", title="Newmark's method, spans of 20 m"
    )
    growth(table)
    console.print(table)


if __name__ == "__main__":
    main()
