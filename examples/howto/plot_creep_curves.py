"""
Creep curves at several spins
=============================

**Task**: creep force over longitudinal creepage of a wheel on a rail, for several values of
spin, with the fast FASTSIM beside the full theory.

Creepages are those of the wheel relative to the rail, so a force that drives the wheel belongs
to a negative ξ (see :doc:`/conventions`).
"""

import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

steel = tr.Pair(tr.STEEL, tr.STEEL)
load, friction = 80e3, 0.3
wheel = tr.Paraboloid(0.46, 0.30)  # rolling radius and crown of the rail

# %%
# **The grid**: 26 elements across the Hertzian ellipse, and a rim.
hertz = tr.hertz.ellipse(0.46, 0.30, steel, force=load)
a, b = hertz.semi_axes
grid = tr.Grid(32, 32, 2 * a / 26, 2 * b / 26)

# %%
# **One point**: press, then roll. ``t.force`` has both components on the wheel, ``t.moment`` the
# spin moment, ``t.tangent`` the derivatives by the creepages.
contact = tr.press(wheel, grid, steel, force=load)
t = tr.roll_steady(contact, friction, creepage=(-1e-3, 0.0, 0.5))
print(f"Fx {t.force[0] / 1e3:.2f} kN, Fy {t.force[1] / 1e3:.2f} kN, Mz {t.moment:.1f} N m")

# %%
# **All combinations** in one call.
creepages = np.linspace(0.0, 6e-3, 9)
spins = np.array([0.0, 0.5, 1.0, 2.0])  # rad/m
table = tr.creep_table(
    gap=wheel,
    grid=grid,
    pair=steel,
    friction=friction,
    load=load,
    longitudinal=-creepages,
    spin=spins,
)
forces = [
    table[name][0, :, 0, :] for name in ("force_x", "force_y")
]  # over creepage and spin

# %%
# **FASTSIM** assumes the Hertzian ellipse, and takes a fraction of the time.
fast = np.array(
    [
        [tr.fastsim(hertz, friction, creepage=(-xi, 0.0, phi)).force for phi in spins]
        for xi in creepages
    ]
)

figure, axes = plt.subplots(1, 2, figsize=(11.5, 4.6), layout="constrained")
for k, (ax, name) in enumerate(zip(axes, ("Longitudinal", "Lateral"), strict=True)):
    for j, spin in enumerate(spins):
        label = f"φ = {spin:g} rad/m"
        ax.plot(1e3 * creepages, forces[k][:, j] / 1e3, "o-", color=f"C{j}", label=label)
        ax.plot(1e3 * creepages, fast[:, j, k] / 1e3, "--", color=f"C{j}", lw=1.0)
    title = f"{name} (dashed: FASTSIM)"
    tr.view.style_axes(ax, "creepage -ξ (1/1000)", "force on the wheel (kN)", title)
axes[0].legend(frameon=False)
plt.show()

# %%
# **Take it elsewhere**: as a table of pandas, or to ``.csv``, ``.nc`` or ``.mat``.
table.save(Path(tempfile.mkdtemp()) / "creep.csv")
frame = table.to_pandas()
print(
    frame[["longitudinal", "spin", "force_x", "force_y", "moment"]]
    .iloc[4:8]
    .round(4)
    .to_string()
)

# %%
# Spin costs longitudinal force, and FASTSIM follows the full theory.
worst = np.abs(fast[:, :, 0] - forces[0]).max() / (friction * load)
print(f"FASTSIM differs by at most {100 * worst:.1f} % of the friction limit")
assert (forces[0][1:, 3] < forces[0][1:, 0]).all()
assert worst < 0.1
assert abs(table["force_x"].max() / (friction * load) - 1.0) < 0.1
