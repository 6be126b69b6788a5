"""Batches: contacts per second over the size of the batch, beside the single solver in the same run.

Members have random creepages, from none to full sliding with spin. Stops with an error where a certificate
exceeds 1e-6, or a batch is more than 1e-6 off the single solver. With a GPU:
``python benchmarks/bench_batches.py gpu``.
"""

import sys
from time import perf_counter

import numpy as np
from rich.console import Console
from rich.table import Table

import traction as tr

PAIR, FRICTION, LOAD = tr.Pair(tr.STEEL, tr.STEEL), 0.3, 80e3
WHEEL = tr.Paraboloid(0.46, 0.30)
REPEATS = {"cpu": 2, "gpu": 7}
SIZES = {"cpu": (64, 512), "gpu": (1024, 4096, 16384)}
ACROSS = {"cpu": (20,), "gpu": (20, 32, 40)}
SINGLES = 24
LARGEST_ERROR = 1e-6  #: of certificates, and of batches beside the single solver


def press(across):
    """The contact with so many elements across both axes."""
    a, b = tr.hertz.ellipse(0.46, 0.30, PAIR, force=LOAD).semi_axes
    grid = tr.Grid(across + 6, across + 6, 2.0 * a / across, 2.0 * b / across)
    return tr.press(WHEEL, grid, PAIR, force=LOAD)


def creepages(count, seed):
    """Random creepages and spin, (count, 3)."""
    rng = np.random.default_rng(seed)
    return rng.uniform(-1.0, 1.0, (count, 3)) * (4e-3, 4e-3, 0.8) * rng.uniform(0.0, 1.5, (count, 1))


def median_seconds(solve, repeats):
    """Median time of calls with fresh input after the first, and the last result."""
    times, result = [], None
    for seed in range(repeats + 1):
        began = perf_counter()
        result = solve(seed)
        times.append(perf_counter() - began)
    return float(np.median(times[1:])), result


def require_agreement(found, apart):
    """Stop where a member did not converge, or the batch is off the single solver."""
    if not (found.ok.all() and found.error.max() <= 1.01 * LARGEST_ERROR and apart <= LARGEST_ERROR):
        raise SystemExit(f"{found}\n{apart:.1e} off the single solver, {LARGEST_ERROR} allowed.")


def time_single(n, discretisation):
    """Seconds of one contact by the single solver."""
    rows = creepages(SINGLES, 0)
    tr.roll_steady(n, FRICTION, creepage=rows[0], discretisation=discretisation)
    began = perf_counter()
    for row in rows:
        tr.roll_steady(n, FRICTION, creepage=row, discretisation=discretisation)
    return (perf_counter() - began) / SINGLES


def compare_with_singles(n, batch, discretisation):
    """Largest difference of a force from that of the single solver, over mu Fn."""
    rows = creepages(16, 99)
    found = batch.roll_steady(n, FRICTION, rows, discretisation=discretisation).force
    single = [
        tr.roll_steady(n, FRICTION, creepage=row, discretisation=discretisation, tol=1e-8).force
        for row in rows
    ]
    return np.abs(found - single).max() / (FRICTION * n.force)


def add_rolling(table, device):
    """Rows of steady rolling."""
    for across in ACROSS[device]:
        n = press(across)
        for discretisation in ("classical", "covered"):
            single = time_single(n, discretisation)
            for precision in ("float64", "mixed"):
                batch = tr.Batch(n.grid, PAIR, device, precision)
                apart = compare_with_singles(n, batch, discretisation)
                for size in SIZES[device]:

                    def solve(seed, size=size, batch=batch, n=n, discretisation=discretisation):
                        return batch.roll_steady(
                            n, FRICTION, creepages(size, seed), discretisation=discretisation
                        )

                    seconds, found = median_seconds(solve, REPEATS[device])
                    require_agreement(found, apart)
                    table.add_row(
                        f"rolling, {discretisation}", f"{across} x {across}", precision, f"{size:,}",
                        f"{size / seconds:,.0f}", f"{single * size / seconds:.3g}",
                        f"{found.iterations.mean():.0f}", str(found.solved_singly),
                        f"{found.error.max():.1e}", f"{apart:.0e}",
                    )  # fmt: skip


def add_pressing(table, device):
    """Rows of pressed contacts."""
    across = 20 if device == "cpu" else 64
    grid = tr.Grid(across, across, 20e-3 / across, 20e-3 / across)
    batch, rng = tr.Batch(grid, PAIR, device), np.random.default_rng(0)
    began = perf_counter()
    singles = [tr.press(WHEEL, grid, PAIR, force=force) for force in np.linspace(20e3, 60e3, SINGLES)]
    single = (perf_counter() - began) / SINGLES
    found = batch.press(WHEEL, forces=np.linspace(20e3, 60e3, SINGLES))
    apart = max(abs(a / b.approach - 1.0) for a, b in zip(found.approach, singles, strict=True))
    for size in SIZES[device]:
        seconds, found = median_seconds(
            lambda _, size=size: batch.press(WHEEL, forces=rng.uniform(20e3, 60e3, size)), REPEATS[device]
        )
        require_agreement(found, apart)
        table.add_row(
            "pressing, force given", f"{across} x {across}", "float64", f"{size:,}", f"{size / seconds:,.0f}",
            f"{single * size / seconds:.3g}", f"{found.iterations.mean():.0f}", str(found.solved_singly),
            f"{found.error.max():.1e}", f"{apart:.0e}",
        )  # fmt: skip


def main():
    """Print the table for a device."""
    device = sys.argv[1] if len(sys.argv) > 1 else "cpu"
    table = Table(
        "contacts", "elements", "precision", "batch", "per second", "times the single solver", "steps",
        "solved singly", "largest error", "off the single solver", title=f"Batches on the {device}",
    )  # fmt: skip
    add_rolling(table, device)
    add_pressing(table, device)
    Console(width=170).print(table)


if __name__ == "__main__":
    main()
