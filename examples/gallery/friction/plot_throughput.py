"""
What limits the throughput of a batch
=====================================

A step of a batch is a product of one matrix with the tractions of all members, and a pass over
them. The larger the grid and the batch, the nearer its rate is to that of the product alone;
small batches pay for each call. Rates are measured on this machine, and read from the benchmark
of a GPU (``python benchmarks/bench_batches.py gpu``).
"""

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
# **On a GPU.** Rows of the benchmark on an H200, contacts per second with 1,024, 4,096 and 16,384
# members (:doc:`/reference/batches`), and what products in double precision alone would reach.
members = [1024, 4096, 16384]
measured = {
    (20, "float64"): [117829, 282190, 383147],
    (20, "mixed"): [84963, 245997, 484697],
    (32, "float64"): [69368, 98880, 114851],
    (32, "mixed"): [81748, 169181, 224087],
    (40, "float64"): [42192, 47648, 54053],
    (40, "mixed"): [76589, 118114, 141965],
}
products = {
    20: [394141, 960726, 1134818],
    32: [137280, 191565, 195318],
    40: [69393, 50829, 80657],
}
for across, limits in products.items():
    rates = measured[across, "float64"]
    assert all(rate < limit for rate, limit in zip(rates, limits, strict=True))
    print(f"{across} x {across}: {rates[-1] / limits[-1]:.0%} of the limit with {members[-1]:,} members")
assert measured[40, "mixed"][-1] > 2 * measured[40, "float64"][-1]

# %%
fig, (left, right) = plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
for across, rates in here.items():
    left.loglog(sizes, rates, "o-", label=f"{across} x {across}")
left.set(title="this processor, mixed precision", xlabel="members", ylabel="contacts per second")
styles = {"mixed": "o-", "float64": "s--"}
for (across, precision), rates in measured.items():
    colour = f"C{list(products).index(across)}"
    label = f"{across} x {across}, {precision}"
    right.loglog(members, rates, styles[precision], color=colour, label=label)
for number, limits in enumerate(products.values()):
    right.loglog(members, limits, ":", color=f"C{number}")
right.set(title="H200 (dotted: products alone, float64)", xlabel="members")
for axes in (left, right):
    axes.legend(fontsize="small")
    axes.grid(which="both", alpha=0.3)
plt.show()
