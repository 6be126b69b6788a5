"""
What limits the throughput of a batch
=====================================

A step of a batch is a product of one matrix with the tractions of all members, and a pass over
them. The larger the grid and the batch, the nearer its rate is to that of the product alone;
small batches pay for each call. Rates are measured on this machine, and read from the benchmark
of a GPU (``python benchmarks/bench_batches.py gpu``).
"""

import csv
from pathlib import Path
from time import perf_counter

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

pair, load, friction = tr.Pair(tr.STEEL, tr.STEEL), 80e3, 0.3
a, b = tr.hertz.ellipse(0.46, 0.30, pair, force=load).semi_axes


def press(across):
    """The contact with so many elements across each axis."""
    grid = tr.Grid(across + 6, across + 6, 2 * a / across, 2 * b / across)
    return tr.press(tr.Paraboloid(0.46, 0.30), grid, pair, force=load)


def count_per_second(contact, size):
    """Members per second of the second call, which finds its matrices ready."""
    batch, rng = tr.Batch(contact.grid, pair, precision="mixed"), np.random.default_rng(size)
    for _ in range(2):
        creepages = rng.uniform(-1, 1, (size, 3)) * (4e-3, 4e-3, 0.8)
        began = perf_counter()
        found = batch.roll_steady(contact, friction, creepages)
        seconds = perf_counter() - began
    assert found.ok.all()
    return size / seconds


# %%
# **On this processor.** Members per second over the size of the batch, for covered elements.
sizes, grids = [8, 32, 128, 256], [10, 14]
here = {across: [count_per_second(press(across), size) for size in sizes] for across in grids}
for across, rates in here.items():
    found = (f"{rate:.0f} ({n})" for n, rate in zip(sizes, rates, strict=True))
    print(f"{across} x {across}, contacts per second (members): " + ", ".join(found))

# %%
# **On a GPU.** The stored rows of the benchmark, with the limit of the products alone.
stored = Path(__file__).parents[3] / "docs" / "reference" / "batches_gpu.csv"
with stored.open(encoding="utf-8") as file:
    rows = [row for row in csv.DictReader(file) if row["contacts"] == "rolling, covered elements"]
for row in rows:
    if row["batch"] == "16384":
        share = float(row["per second"]) / float(row["limit of products"])
        print(
            f"{row['elements']}, {row['precision']}: {int(row['per second']):,}/s, {share:.0%} of the limit"
        )

assert all(float(row["per second"]) < float(row["limit of products"]) for row in rows)

# %%
fig, (left, right) = plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
for across, rates in here.items():
    left.loglog(sizes, rates, "o-", label=f"{across} x {across}")
left.set(title="this processor, mixed precision", xlabel="members", ylabel="contacts per second")
colours = {"20 x 20": "C0", "32 x 32": "C1", "40 x 40": "C2"}
for elements, colour in colours.items():
    for precision, style in (("mixed", "o-"), ("float64", "s--")):
        chosen = [r for r in rows if r["elements"] == elements and r["precision"] == precision]
        members, rates = ([float(r[key]) for r in chosen] for key in ("batch", "per second"))
        right.loglog(members, rates, style, color=colour, label=f"{elements}, {precision}")
    limits = [float(r["limit of products"]) for r in chosen]
    right.loglog(members, limits, ":", color=colour)
right.set(title="H200 (dotted: products alone, float64)", xlabel="members")
for axes in (left, right):
    axes.legend(fontsize="small")
    axes.grid(which="both", alpha=0.3)
plt.show()
