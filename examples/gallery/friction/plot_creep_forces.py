"""
How much force does a rolling wheel carry before it slides?
===========================================================

Creep-force curves of a wheel on a rail: force against creepage, along and across the rolling direction.
Kalker's linear theory holds at the start, friction limits the force at the end, and between them the full
theory of rolling (`tr.roll_steady`) is the reference. FASTSIM (Kalker 1982) takes less than a fifth of its
time, and its forces differ by at most 6 % of the friction limit.
"""

from time import perf_counter

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

steel = tr.Pair(tr.STEEL, tr.STEEL)
friction, load = 0.3, 1e5
hertz = tr.hertz.ellipse(0.46, 0.3, steel, force=load)
a, b = hertz.semi_axes
grid = tr.Grid(36, 36, 2.0 * a / 30, 2.0 * b / 30)
wheel = tr.press(tr.Paraboloid(0.46, 0.3), grid, steel, force=load)
linear = tr.kalker_coefficients(a / b, steel.poisson_ratio)
limit = friction * load
creepages = np.linspace(0.0, 0.008, 17)


def forces(theory, axis):
    """Force along x or y over the creepage in that direction."""
    return [theory(np.insert(np.zeros(2), axis, c))[axis] for c in creepages]


# %%
# Each theory gives the force at a creepage (xi, eta, phi).
theories = {
    "full theory": lambda c: tr.roll_steady(wheel, friction, creepage=c).force,
    "FASTSIM": lambda c: tr.fastsim(hertz, friction, creepage=c).force,
    "FASTSIM, elliptic bound": lambda c: tr.fastsim(hertz, friction, creepage=c, bound="elliptic").force,
    "Kalker, linear": lambda c: linear.force(c, (a, b), steel.shear_modulus),
}
figure, axes = plt.subplots(1, 2, figsize=(11.0, 4.4), layout="constrained", sharey=True)
curves = [{name: forces(theory, axis) for name, theory in theories.items()} for axis in (0, 1)]
for axis, title, label in ((0, "Along the rolling direction", "ξ"), (1, "Across it", "η")):
    tr.view.creep_force_plot(
        creepages, curves[axis], axes[axis], limit=limit, x_label=f"creepage {label} (%)", title=title
    )
plt.show()

# %%
# How far FASTSIM is from the full theory.
error = {
    name: max(np.abs(np.subtract(c[name], c["full theory"])).max() for c in curves) / limit
    for name in list(theories)[1:3]
}
print(", ".join(f"{name}: at most {100 * value:.1f} % of the limit" for name, value in error.items()))
seconds = {}
for name in ("full theory", "FASTSIM"):
    began = perf_counter()
    forces(theories[name], 0)
    seconds[name] = (perf_counter() - began) / creepages.size
print(", ".join(f"{name}: {1e3 * value:.2f} ms for a force" for name, value in seconds.items()))
assert max(error.values()) < 0.06
assert seconds["FASTSIM"] < 0.2 * seconds["full theory"]
