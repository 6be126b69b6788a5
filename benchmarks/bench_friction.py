"""Friction: cost in pairs beside what was asked and what CONTACT takes, and growth with the grid.

CONTACT's figures were measured on another machine, also in pairs (gfortran -O3, MKL, its own timers). Ours
are processor times: a solve is long enough to be interrupted by other programs, a pair is not.
"""

import json
import statistics
import sys
from pathlib import Path
from time import process_time

import numpy as np
from pairs import median_seconds, pair_seconds
from rich.console import Console
from rich.table import Table

import traction as tr

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from reference_cases import MM, grid_of, reference_values, wheel_rail_profile

DATA = Path(__file__).parent.parent / "tests" / "data"
STEEL = tr.Pair(tr.STEEL, tr.STEEL)
MU = 0.3
GROWTH_CREEPAGES = (
    (1e-3, 2e-3, 0.5),
    (1e-3, 0.0, 0.0),
    (0.0, 0.0, 1.0),
    (5e-4, 5e-4, 0.0),
    (2e-3, -1e-3, 1.5),
)
console = Console(width=120)


def wheel_on_rail(table):
    """Cases 1s (shift) and 1c (steady rolling) of the reference program."""
    reference = reference_values()
    case = reference["nonhertz_wheel_rail_profile"]["cases"]["tang_problm_1s"]
    grid = grid_of(case["grid"])
    n = tr.press(wheel_rail_profile(reference), grid, STEEL, approach=case["totals"]["penetration"] * MM)
    shift = {"displacement": (0.0005 * MM, -0.001 * MM, 0.0008)}
    creepage = {"creepage": (0.0005, 0.0, 0.0003 / MM)}
    measured(table, "shift 1s, 71 x 81", n, lambda: tr.shift(n, MU, **shift), 150, 450)
    for kind, asked in (("classical", 480), ("covered", None)):
        measured(
            table,
            f"steady 1c, 71 x 81, {kind}",
            n,
            lambda kind=kind: tr.roll_steady(n, MU, **creepage, discretisation=kind),
            asked,
            2400,
        )


def force_table(table):
    """The 27 steady cases of a circular contact."""
    case = reference_values()["force_table_circ"]
    n = tr.press(
        tr.Sphere(0.5 / case["inputs"]["A1_curvature_x"] * MM), grid_of(case["grid"]), STEEL, force=1e5
    )
    for kind, mean_asked, most_asked in (("classical", 240, 600), ("covered", 240, 600)):
        times, results = [], []
        for xi, eta, phi, *_ in case["rows"]:
            given = {"creepage": (xi, eta, phi / MM), "discretisation": kind}
            times.append(
                median_seconds(
                    lambda given=given: tr.roll_steady(n, MU, **given), repeat=5, clock=process_time
                )
            )
            results.append(tr.roll_steady(n, MU, **given))
        pair = pair_seconds(*n.grid.shape, repeat=200, clock=process_time)
        products = statistics.mean(t.products for t in results)
        steps = statistics.mean(t.iterations for t in results)
        name = f"steady, 27 cases, 40 x 40, {kind}"
        row(table, f"{name}, mean", statistics.mean(times), steps, products, pair, mean_asked, 2400)
        hardest = int(np.argmax(times))
        worst = results[hardest]
        row(
            table,
            f"{name}, hardest",
            times[hardest],
            worst.iterations,
            worst.products,
            pair,
            most_asked,
            None,
        )


def growth(table):
    """Products and steps from 40 x 40 to 160 x 160, which should grow by less than 1.6."""
    figures = {}
    for kind in ("classical", "covered"):
        for n in (40, 80, 160):
            grid = tr.Grid(n, n, 10e-3 / (0.9 * n), 10e-3 / (0.9 * n))
            contact = tr.press(tr.Sphere(0.1898), grid, STEEL, force=1e5)
            works = [
                lambda contact=contact, given=given, kind=kind: tr.roll_steady(
                    contact, MU, creepage=given, discretisation=kind
                )
                for given in GROWTH_CREEPAGES
            ]
            measured(table, f"steady, {n} x {n}, {kind}", contact, works[0], None, None)
            figures[kind, n] = np.array([work().products for work in works])
    return {kind: figures[kind, 160] / figures[kind, 40] for kind in ("classical", "covered")}


def transient(table):
    """Steps of transient rolling with the force given, from a shift on; each beside its own pairs."""
    case = json.loads((DATA / "catt_to_cart.json").read_text())["inputs"]
    body = tr.Material.from_shear_modulus(case["G1"] * 1e6, case["nu1"])
    grid = tr.Grid(34, 33, 0.25e-3, 0.25e-3, center=(0.125e-3, 0.0))
    n = tr.press(lambda x, y: 2.963 * (x**2 + y**2), grid, tr.Pair(body, body), force=case["Fn"], tol=1e-9)
    given = {"creepage": (None, 0.0, 0.0), "force": (case["Fx_rel"] * case["mu"] * case["Fn"], None)}
    start = tr.shift(n, case["mu"], displacement=given["creepage"], force=given["force"])
    for scheme in ("covered", "world-fixed", "moving"):
        for part, steps in ((1.0, 24), (0.5, 24), (0.37, 24), (0.2, 40), (0.05, 40), (4.0, 6)):
            if part > 1.0 and scheme == "moving":
                continue  # it does not split steps
            for count in (3, steps):  # the first time warms up
                t, seconds, pairs, answers = start, [], [], []
                for _ in range(count):
                    began = process_time()
                    t = tr.roll(t, case["mu"], distance=part * grid.dx, scheme=scheme, **given)
                    seconds.append(process_time() - began)
                    pairs.append(pair_seconds(*grid.shape, repeat=15, clock=process_time))
                    answers.append(t)
            row(
                table,
                f"one step of {part:g} elements, 34 x 33, {scheme}",
                statistics.mean(seconds),
                statistics.mean(t.iterations for t in answers),
                statistics.mean(t.products for t in answers),
                statistics.mean(pairs),
                75 if part <= 1.0 else None,
                150 if part == 1.0 else None,
            )


def measured(table, name, contact, work, asked, others):
    seconds = median_seconds(work, repeat=15, clock=process_time)
    answer = work()
    pair = pair_seconds(*contact.grid.shape, repeat=60, clock=process_time)
    row(table, name, seconds, answer.iterations, answer.products, pair, asked, others)


def row(table, name, seconds, steps, products, pair, asked, others):
    cost = seconds / pair
    table.add_row(
        name,
        f"{1e3 * seconds:.3g}",
        f"{steps:.3g}",
        f"{products:.3g}",
        f"{cost:.0f}",
        "" if asked is None else f"<= {asked} {'met' if cost <= asked else 'MISSED'}",
        "" if others is None else f"CONTACT {others}",
    )


def main():
    table = Table(
        "problem", "ms", "steps", "products", "pairs", "asked", "others, pairs", title="Friction, tol 1e-6"
    )
    wheel_on_rail(table)
    force_table(table)
    transient(table)
    ratios = growth(table)
    console.print(table)
    for kind, ratio in ratios.items():
        each = ", ".join(f"{value:.2f}" for value in ratio)
        console.print(f"{kind}: products grow by {ratio.mean():.2f} from 40^2 to 160^2 ({each}; asked < 1.6)")


if __name__ == "__main__":
    main()
