"""Batches: contacts per second over the size of the batch, beside the single solver in the same run.

Members have random creepages, from none to full sliding with spin. Stops with an error where a certificate
exceeds 1e-6, or a batch is more than 1e-6 off the single solver. "limit" is the rate at which products of
matrices alone would run. With a GPU ``python benchmarks/bench_batches.py gpu docs/reference/batches_gpu.csv``
writes the table that the documentation shows.
"""

import csv
import sys
from functools import partial
from pathlib import Path
from time import perf_counter

import numpy as np
from rich.console import Console
from rich.table import Table

import traction as tr
from traction.contact.batch.splitting import CYCLE

PAIR, FRICTION, LOAD = tr.Pair(tr.STEEL, tr.STEEL), 0.3, 80e3
UNLIKE = tr.Pair(tr.STEEL, tr.Material(70e9, 0.33))
WHEEL = tr.Paraboloid(0.46, 0.30)
REPEATS = {"cpu": 2, "gpu": 7}
SIZES = {"cpu": (64, 512), "gpu": (1024, 4096, 16384)}
ACROSS = {"cpu": (20,), "gpu": (20, 32, 40)}
SINGLES = 24
LARGEST_ERROR = 1e-6  #: of certificates, and of batches beside the single solver


def press(across, pair=PAIR):
    """The contact with so many elements across both axes."""
    a, b = tr.hertz.ellipse(0.46, 0.30, pair, force=LOAD).semi_axes
    grid = tr.Grid(across + 6, across + 6, 2.0 * a / across, 2.0 * b / across)
    return tr.press(WHEEL, grid, pair, force=LOAD)


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


def time_single(solve, inputs):
    """Seconds of one contact by the single solver, once its kernels are compiled."""
    for _ in range(2):
        began = perf_counter()
        for one in inputs:
            solve(one)
        seconds = perf_counter() - began
    return seconds / len(inputs)


def roll_alone(n, friction, creepage, **given):
    """One contact by the single solver."""
    return tr.roll_steady(n, friction, creepage=creepage, **given)


def compare_with_singles(n, batch, discretisation):
    """Largest difference of a force from that of the single solver, over mu Fn."""
    rows = creepages(16, 99)
    found = batch.roll_steady(n, FRICTION, rows, discretisation=discretisation).force
    single = [
        tr.roll_steady(n, FRICTION, creepage=row, discretisation=discretisation, tol=1e-8).force
        for row in rows
    ]
    return np.abs(found - single).max() / (FRICTION * n.force)


def limit_rolling(batch, size, steps):
    """Members per second if a batch computed nothing but the products of its steps."""
    split = next(reversed(batch._groups._kept.values())).splitting
    mixed = batch.precision == "mixed"
    room = split._make_room(size, mixed)
    z = split._make_tractions(size, float)[:, :, : split.wide].copy()

    def multiply_exactly():
        split.device.multiply(z, split.exact.resolvent, room.x[:, :, : split.wide])
        split._multiply_shares(room.x, split.exact, room.held, room.centred)

    def multiply_increments():
        split.device.multiply(z.astype(split.device.low), split.low.resolvent, room.dx[:, :, : split.wide])
        split._multiply_shares(room.dx, split.low, room.dheld, room.dcentred)

    exact = time_products(multiply_exactly, split.device)
    if not mixed:
        return size / (steps * exact)
    return size * CYCLE / (steps * (exact + (CYCLE - 1) * time_products(multiply_increments, split.device)))


def limit_pressing(batch, size, steps):
    """The same of pressed members."""
    pressing = batch._pressing
    z = pressing.xp.zeros((4, size, pressing.weight.size))
    x = z.copy()
    return size / (
        steps * time_products(lambda: pressing.device.multiply(z, pressing.resolvent, x), pressing.device)
    )


def time_products(multiply, device):
    """Median time of a call after the first."""
    times = []
    for _ in range(6):
        began = perf_counter()
        multiply()
        if device.arrays is not np:
            device.arrays.cuda.Device().synchronize()
        times.append(perf_counter() - began)
    return float(np.median(times[1:]))


def add_rows(rows, device, contacts, across, batch, solve, single, apart, limit):
    """Rows of one batch for all sizes."""
    for size in SIZES[device]:
        seconds, found = median_seconds(lambda seed, size=size: solve(size, seed), REPEATS[device])
        require_agreement(found, apart)
        steps = float(found.iterations.mean())
        rows.append(
            {
                "contacts": contacts,
                "elements": f"{across} x {across}",
                "precision": batch.precision,
                "batch": size,
                "per second": round(size / seconds),
                "limit of products": round(limit(batch, size, steps)) if limit else "",
                "times one by one": float(f"{single * size / seconds:.3g}"),
                "steps": round(steps, 1),
                "solved one by one": found.solved_singly,
                "largest error": float(f"{found.error.max():.1e}"),
                "off one by one": float(f"{apart:.0e}"),
            }
        )


def add_rolling(rows, device):
    """Rows of steady rolling."""
    for across in ACROSS[device]:
        n = press(across)
        for discretisation in ("classical", "covered"):
            alone = partial(roll_alone, n, FRICTION, discretisation=discretisation)
            single = time_single(alone, creepages(SINGLES, 0))
            for precision in ("float64", "mixed"):
                batch = tr.Batch(n.grid, PAIR, device, precision)
                apart = compare_with_singles(n, batch, discretisation)

                def solve(size, seed, batch=batch, n=n, kind=discretisation):
                    return batch.roll_steady(n, FRICTION, creepages(size, seed), discretisation=kind)

                words = {"classical": "rolling, whole cells", "covered": "rolling, covered elements"}
                add_rows(
                    rows, device, words[discretisation], across, batch, solve, single, apart, limit_rolling
                )


def add_interfaces(rows, device):
    """Rows of rolling with laws of friction, layers and unlike bodies."""
    across = ACROSS[device][0]
    law, film = (0.15, (0.15, 0.5)), tr.Layer(4e9, 2e-5)
    cases = {
        "falling law": (tr.friction.exponential(*law), {"speed": 20.0}, PAIR),
        "law with memory": (tr.friction.exponential(*law, memory=(1e-4, 1e-2)), {"speed": 20.0}, PAIR),
        "elastic layer": (FRICTION, {"layer": film}, PAIR),
        "unlike bodies": (FRICTION, {}, UNLIKE),
    }
    for name, (friction, settings, pair) in cases.items():
        n = press(across, pair)
        batch = tr.Batch(n.grid, pair, device)
        for words, kind in (("whole cells", "classical"), ("covered elements", "covered")):
            if pair is UNLIKE and kind == "covered":
                continue  # solved one by one
            given = {**settings, "discretisation": kind}
            single = time_single(partial(roll_alone, n, friction, **given), creepages(SINGLES, 0))
            some = creepages(16, 99)
            alone = [tr.roll_steady(n, friction, creepage=row, tol=1e-8, **given).force for row in some]
            found = batch.roll_steady(n, friction, some, **given).force
            apart = np.abs(found - alone).max() / (FRICTION * n.force)

            def solve(size, seed, batch=batch, n=n, friction=friction, given=given):
                return batch.roll_steady(n, friction, creepages(size, seed), **given)

            add_rows(rows, device, f"{name}, {words}", across, batch, solve, single, apart, None)


def add_shifting(rows, device):
    """Rows of shifted contacts, half of them by a force along x."""
    across = ACROSS[device][0]
    n = press(across)
    batch = tr.Batch(n.grid, PAIR, device)

    def choose(size, seed):
        rng = np.random.default_rng(seed)
        moved = rng.uniform(-1.0, 1.0, (size, 3)) * (2e-5, 2e-5, 2e-3)
        pulled = np.full((size, 2), np.nan)
        pulled[::2, 0] = rng.uniform(-0.9, 0.9, pulled[::2].shape[0]) * FRICTION * n.force
        moved[::2, 1:] *= 0.2
        return moved, pulled

    def shift_alone(moved_and_pulled):
        m, p = moved_and_pulled
        given = np.isnan(p[0])
        displacement, force = (m[0] if given else None, m[1], m[2]), (None if given else p[0], None)
        return tr.shift(n, FRICTION, displacement=displacement, force=force, tol=1e-8).force

    moved, pulled = choose(SINGLES, 0)
    pairs = list(zip(moved, pulled, strict=True))
    single, alone = time_single(shift_alone, pairs), [shift_alone(one) for one in pairs]
    found = batch.shift(n, FRICTION, moved, pulled).force
    apart = np.abs(found - alone).max() / (FRICTION * n.force)
    add_rows(
        rows, device, "shift, half by force", across, batch,
        lambda size, seed: batch.shift(n, FRICTION, *choose(size, seed)), single, apart, limit_rolling,
    )  # fmt: skip


def add_pressing(rows, device):
    """Rows of pressed contacts."""
    across = 20 if device == "cpu" else 64
    grid = tr.Grid(across, across, 20e-3 / across, 20e-3 / across)
    batch, loads = tr.Batch(grid, PAIR, device), np.linspace(60e3, 120e3, SINGLES)
    single = time_single(lambda force: tr.press(WHEEL, grid, PAIR, force=force), loads)
    singles = [tr.press(WHEEL, grid, PAIR, force=force) for force in loads]
    found = batch.press(WHEEL, forces=loads)
    apart = max(abs(a / b.approach - 1.0) for a, b in zip(found.approach, singles, strict=True))

    def solve(size, seed):
        return batch.press(WHEEL, forces=np.random.default_rng(seed).uniform(60e3, 120e3, size))

    add_rows(rows, device, "pressing, force given", across, batch, solve, single, apart, limit_pressing)


def main():
    """Print the table for a device, and write it where a path is given."""
    device = sys.argv[1] if len(sys.argv) > 1 else "cpu"
    rows = []
    for add in (add_rolling, add_interfaces, add_shifting, add_pressing):
        add(rows, device)
    table = Table(*rows[0], title=f"Batches on the {device}")
    for row in rows:
        table.add_row(*(f"{v:,}" if isinstance(v, int) else str(v) for v in row.values()))
    Console(width=170).print(table)
    if len(sys.argv) > 2:
        with Path(sys.argv[2]).open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            writer.writerows(rows)


if __name__ == "__main__":
    main()
