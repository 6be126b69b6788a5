"""
Creep curves at several spins
=============================

**Task**: creep force over longitudinal creepage of a wheel on a rail, for several values of spin, with
the fast FASTSIM beside the full theory.

Press the wheel once; the normal contact serves every creepage. Creepages are those of
the wheel relative to the rail, so a force that drives the wheel belongs to a negative ξ
(see :doc:`/conventions`).
"""

import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

steel = tr.Pair(tr.STEEL, tr.STEEL)
radius, crown, load, friction = 0.46, 0.30, 80e3, 0.3

hertz = tr.hertz.ellipse(radius, crown, steel, force=load)
a, b = hertz.semi_axes
grid = tr.Grid(32, 32, 2 * a / 26, 2 * b / 26)  # 26 elements across, and a rim
wheel = tr.press(tr.Paraboloid(radius, crown), grid, steel, force=load)

creepages = np.linspace(0.0, 6e-3, 9)
spins = (0.0, 0.5, 1.0, 2.0)  # rad/m

# %%
# One call for each point. ``t.force`` has both components, ``t.moment`` the spin
# moment, ``t.tangent`` the derivatives.
curves = {
    spin: [tr.roll_steady(wheel, friction, creepage=(-xi, 0.0, spin)) for xi in creepages]
    for spin in spins
}

# %%
# FASTSIM takes the Hertzian ellipse and less than a millisecond per point.
fast = {
    spin: [tr.fastsim(hertz, friction, creepage=(-xi, 0.0, spin)).force for xi in creepages]
    for spin in spins
}

figure, axes = plt.subplots(1, 2, figsize=(11.5, 4.6), layout="constrained")
for k, (ax, name) in enumerate(zip(axes, ("longitudinal", "lateral"), strict=True)):
    for number, (spin, curve) in enumerate(curves.items()):
        color = f"C{number}"
        ax.plot(
            1e3 * creepages,
            [t.force[k] / 1e3 for t in curve],
            "o-",
            color=color,
            label=f"φ = {spin:g} rad/m",
        )
        ax.plot(
            1e3 * creepages,
            [force[k] / 1e3 for force in fast[spin]],
            "--",
            color=color,
            lw=1.0,
        )
    tr.view.style_axes(
        ax,
        "creepage -ξ (1/1000)",
        "force on the wheel (kN)",
        f"{name.capitalize()} (dashed: FASTSIM)",
    )
axes[0].legend(frameon=False)
plt.show()

# %%
# As a table, to go on with elsewhere:
rows = [
    (xi, spin, *t.force, t.moment)
    for spin, curve in curves.items()
    for xi, t in zip(creepages, curve, strict=True)
]
np.savetxt(
    Path(tempfile.mkdtemp()) / "creep.csv",
    rows,
    delimiter=",",
    header="creepage, spin (rad/m), Fx (N), Fy (N), Mz (N m)",
    fmt="%.6g",
)

# %%
# Spin costs longitudinal force, and FASTSIM follows the full theory.
limit = friction * load
longitudinal = {
    spin: np.array([t.force[0] for t in curve]) for spin, curve in curves.items()
}
worst = max(np.abs(np.array(fast[s])[:, 0] - longitudinal[s]).max() for s in spins) / limit
print(f"FASTSIM differs by at most {100 * worst:.1f} % of the friction limit")
assert (longitudinal[2.0][1:] < longitudinal[0.0][1:]).all()
assert worst < 0.1
