"""Normal contact: cost in pairs beside other programs, iterations, memory; writes output/normal.png.

The other programs' figures were measured on another machine, also in pairs (CONTACT: gfortran -O3, MKL,
its own timers; the libraries at 512^2; residual 1e-6 of the approach, set-up excluded).
"""

import subprocess
import sys
from pathlib import Path

import numpy as np
from pairs import median_seconds, pair_seconds
from rich.console import Console
from rich.table import Table

import traction as tr

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from reference_cases import grid_of, reference_values, wheel_rail_profile

OUTPUT = Path(__file__).parent / "output"
UNIT = tr.Pair(tr.RIGID, tr.Material(1.0, 0.0))
STEEL = tr.Pair(tr.STEEL, tr.STEEL)
OTHERS = {  # pairs of the paraboloid at 512^2
    "tamaas 2.9": 260,
    "ContactMechanics 1.8": 300,
    "slippy 0.5": 98,
    "aspher 0.1.3": 23,
}
console = Console(width=110)


def wheel_on_rail(table):
    reference = reference_values()
    for name, given, others in (("norm_problm_1p", "approach", 70), ("norm_problm_1f", "force", 72)):
        case = reference["nonhertz_wheel_rail_profile"]["cases"][name]
        grid = grid_of(case["grid"])
        gap = wheel_rail_profile(reference).gap(grid)
        load = {"approach": case["totals"]["penetration"] * 1e-3} if given == "approach" else {"force": 1e4}
        seconds = median_seconds(lambda: tr.press(gap, grid, STEEL, **load), repeat=60)  # noqa: B023
        contact = tr.press(gap, grid, STEEL, **load)
        row(table, f"wheel/rail 71 x 81, {given} given", contact, seconds, grid, 35, f"CONTACT {others}")


def paraboloid(table):
    figures = []
    for n in (64, 128, 256, 512, 1024):
        grid = tr.Grid.around(1.0, 1.0, n, n)
        gap = tr.Sphere(1.0).gap(grid)
        force = 4.0 / 3.0 * 0.35**3
        seconds = median_seconds(lambda: tr.press(gap, grid, UNIT, force=force), repeat=max(5, 4000 // n))  # noqa: B023
        contact = tr.press(gap, grid, UNIT, force=force)
        others = ", ".join(f"{name} {pairs}" for name, pairs in OTHERS.items()) if n == 512 else ""
        asked = 15 if n >= 256 else None
        cost = row(table, f"paraboloid {n} x {n}, force given", contact, seconds, grid, asked, others)
        figures.append((n, seconds, cost, contact.iterations))
    return figures


def warm_restart(table):
    grid = tr.Grid.around(1.0, 1.0, 32, 32)
    gap = tr.Sphere(1.0).gap(grid)
    for a in (0.35, 0.6, 0.8):
        before = tr.press(gap, grid, UNIT, approach=a**2)
        again = {"approach": 1.01 * a**2, "start": before}
        seconds = median_seconds(lambda: tr.press(gap, grid, UNIT, **again), repeat=400)  # noqa: B023
        contact = tr.press(gap, grid, UNIT, **again)
        row(table, f"restart 32 x 32, contact radius {a} of half-width", contact, seconds, grid, 12, "")


def row(table, name, contact, seconds, grid, asked, others):
    cost = seconds / pair_seconds(*grid.shape)
    table.add_row(
        name,
        f"{1e3 * seconds:.3g}",
        str(contact.iterations),
        f"{cost:.1f}",
        "" if asked is None else f"<= {asked} {'met' if cost <= asked else 'MISSED'}",
        others,
    )
    return cost


BESIDE_CONTACT = 0.065, 0.24  #: seconds of the layers and of CONTACT on one machine


def stress_block():
    """Pressure and tractions of 71 x 81 elements at 57,510 points below them, in ten layers.

    The plain sum over elements took 10.6 s where CONTACT took 0.29 s, so 36.6 times as long. `BESIDE_CONTACT`
    was measured once on one machine, on the measured wheel/rail profile: CONTACT (gfortran -O3, MKL, one
    thread) by its own timer, the layers by ours.
    """
    grid, depths = tr.Grid(71, 81, 2e-4, 1.5e-4), np.linspace(0.2e-3, 9e-3, 10)
    x, y = grid.mesh()
    hertz = 1e9 * np.sqrt(np.maximum(0.0, 1.0 - (x / 6.5e-3) ** 2 - (y / 5.5e-3) ** 2))
    load = np.stack([-0.3 * hertz, 0.1 * hertz, hertz])
    block = np.stack([np.stack([x, y, 0.0 * x - z], axis=-1) for z in depths])
    scattered = block[4] + 1e-3 * grid.dx * np.random.default_rng(0).random(block[4].shape) * [1, 1, 0]
    layers = median_seconds(lambda: tr.subsurface_stress(block, grid, load, STEEL, body=2), repeat=9)
    one = median_seconds(lambda: tr.subsurface_stress(scattered, grid, load, STEEL, body=2), repeat=3)
    ratio = len(depths) * one / layers
    console.print(
        f"Stress at {block[..., 0].size} points: {1e3 * layers:.0f} ms, {ratio:.0f} times faster than "
        f"plain sums (asked: 110, three times CONTACT; {'met' if ratio >= 110 else 'MISSED'})"
    )
    ours, contact = BESIDE_CONTACT
    console.print(
        f"On the measured profile, not run here: {1e3 * ours:.0f} ms, CONTACT by its own timer beside it "
        f"{1e3 * contact:.0f} ms; this run took {layers / ours:.2f} times as long as ours there"
    )


MEMORY_PROBE = """
import pathlib
import traction as tr

def peak():  # of this process alone, MB; the resource module also counts its parent
    lines = pathlib.Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024

pair = tr.Pair(tr.RIGID, tr.Material(1.0, 0.0))
tr.press(tr.Sphere(1.0), tr.Grid.around(1.0, 1.0, 64, 64), pair, force=0.05)
before = peak()
tr.press(tr.Sphere(1.0), tr.Grid.around(1.0, 1.0, 1024, 1024), pair, force=4 / 3 * 0.35**3)
print(peak(), peak() - before)
"""


def memory():
    """Peak of a fresh process that solves 1024^2 once, and its rise over the loaded package, MB."""
    for _ in range(2):  # the first may have to compile
        answer = subprocess.run(
            [sys.executable, "-c", MEMORY_PROBE], capture_output=True, text=True, check=True
        )
    return tuple(float(word) for word in answer.stdout.split())


def plot(figures):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    n, seconds, _, iterations = (np.array(column) for column in zip(*figures, strict=True))
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.0, 3.6), layout="constrained")
    left.loglog(n, 1e3 * seconds, "o-", label="traction")
    sketch = np.array([2.6, 6.1, 28.0, 128.0, 795.0])
    others = {"tamaas": [20, 118, 645, 3279, 21562], "slippy": [7.4, 33, 178, 1222, 7305]}
    others |= {"aspher": [2.8, 10, 52, 287, 2604], "sketch with nested grids": sketch}
    for name, times in others.items():
        left.loglog(n, times, ".:", label=f"{name} (other machine)")
    left.set(xlabel="elements per side", ylabel="time, ms", title="Paraboloid, residual 1e-6")
    left.legend(fontsize=8)
    right.semilogx(n, iterations, "o-")
    right.set(xlabel="elements per side", ylabel="iterations on the finest grid", ylim=(0, 12))
    for axes in (left, right):
        axes.set_xticks(n, [str(k) for k in n])
        axes.minorticks_off()
    OUTPUT.mkdir(exist_ok=True)
    figure.savefig(OUTPUT / "normal.png", dpi=150)


def main():
    table = Table(
        "problem", "ms", "iterations", "pairs", "asked", "others, pairs", title="Normal contact, tol 1e-6"
    )
    wheel_on_rail(table)
    figures = paraboloid(table)
    warm_restart(table)
    console.print(table)
    stress_block()
    peak, rise = memory()
    console.print(
        f"peak memory at 1024 x 1024: {peak:.0f} MB in all, {rise:.0f} MB over the package (asked <= 300)"
    )
    plot(figures)
    console.print("figure: benchmarks/output/normal.png")


if __name__ == "__main__":
    main()
