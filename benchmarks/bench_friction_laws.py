"""Friction that is not constant: its cost over that of constant friction, in 84 steady cases of CONTACT.

Each case is solved with its law or layer, then with friction that also falls with the temperature, beside a
constant coefficient without a layer at the same creepage. The criterion is the mean of
the ratios of the cases; the ratio of the mean times, in which cheap cases count less, is listed beside it.
"""

import json
import statistics
from pathlib import Path
from time import process_time

from rich.console import Console
from rich.table import Table

import traction as tr

CASES = Path(__file__).parent.parent / "tests" / "data" / "falling_friction.json"
BODY = tr.Material.from_shear_modulus(82e9, 0.28, 7850.0, specific_heat=450.0, conductivity=50.0)
SPEED, MEMORY, MU = 20.0, (3e-6, 1e-3), 0.35
HOT = [50.0, 400.0]  #: temperatures between which friction falls, K
LEFT = 3.0 / 7.0  #: of it above them
ASKED = {"law or layer": 2.5, "with temperature": 5.0}
REPEATS = 3


def read_friction(name, case):
    """Friction, the same with temperature, and the layer of a case."""
    p = case["parameters"]
    layer = tr.Layer(p["G3"], p["h3"], p.get("tau_c")) if "G3" in p else None
    if "mu" in p:
        return p["mu"], tr.friction.thermal(HOT, [p["mu"], LEFT * p["mu"]]), layer
    make = getattr(tr.friction, name.split("_")[0])
    law = make(p["mu_kin"], (p["m1"], p["h1"]), (p["m2"], p["h2"]), memory=MEMORY)
    return law, tr.friction.thermal(HOT, [1.0, LEFT], law=law), layer


def shortest(work):
    """Shortest processor time, s."""
    times = []
    for _ in range(REPEATS):
        began = process_time()
        work()
        times.append(process_time() - began)
    return min(times)


def measure(n, kind):
    """Processor times of constant friction, laws or layers, and both with temperature, s, of each case."""
    rows = []
    for name, case in json.loads(CASES.read_text())["cases"].items():
        friction, warm, layer = read_friction(name, case)
        for row in case["rows"]:
            given = {"creepage": row[:3], "discretisation": kind}
            between = {"speed": SPEED, "layer": layer}
            rows.append(
                (
                    shortest(lambda given=given: tr.roll_steady(n, MU, **given)),
                    shortest(lambda g=given, b=between, f=friction: tr.roll_steady(n, f, **b, **g)),
                    shortest(lambda g=given, b=between, f=warm: tr.roll_steady(n, f, **b, **g)),
                )
            )
    return rows


def main():
    grid = tr.Grid(40, 30, 0.4181e-3, 0.3716e-3)
    n = tr.press(tr.Paraboloid(1 / 1.6, 1 / 2.942), grid, tr.Pair(BODY, BODY), force=80e3)
    measured = {kind: measure(n, kind) for kind in ("classical", "covered")}
    table = Table(
        "elements", "constant (ms)", "friction", "ms", "mean ratio", "asked", "ratio of means", "largest"
    )
    for kind, rows in measured.items():
        constant = [row[0] for row in rows]
        for column, (name, asked) in enumerate(ASKED.items(), 1):
            ratios = [row[column] / row[0] for row in rows]
            seconds = statistics.mean(row[column] for row in rows)
            ratio = statistics.mean(ratios)
            table.add_row(
                kind,
                f"{1e3 * statistics.mean(constant):.1f}",
                name,
                f"{1e3 * seconds:.1f}",
                f"{ratio:.2f}",
                f"<= {asked:g} {'met' if ratio <= asked else 'MISSED'}",
                f"{seconds / statistics.mean(constant):.2f}",
                f"{max(ratios):.1f}",
            )
    console = Console(width=120)
    console.print(table)
    t = tr.roll_steady(n, MU, creepage=(1e-2, 0.0, 0.0))
    seconds = shortest(lambda: tr.flash_temperature(t, SPEED))
    console.print(f"flash temperatures of one of them: {1e3 * seconds:.2f} ms")


if __name__ == "__main__":
    main()
