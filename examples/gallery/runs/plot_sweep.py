"""
Which wheel may carry which load?
=================================

A steel wheel on a rail head of 300 mm radius is one scenario; wheel radius and load are two of its keys, and
a sweep runs all combinations. In free rolling, steel that flows at first comes to rest while
:math:`p_0 < 4.7 k` (Ponter, Hearle and Johnson 1985); above, it flows under every wheel that passes. With a
shear yield stress k = 320 MPa that is 1500 MPa: left, dashed, from Hertz's closed form. A wheel of 250 mm may
carry 100 kN, one of 400 mm 160 kN. Right, 100 kN on three rail heads: the head matters more than the wheel.

The same without a program::

    traction sweep wheel.toml --set "surface[0].radius_x=250:600:15 mm" --set "load.force=20:160:15 kN"
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

RAIL, LIMIT = 0.3, 1.5e9
steel = tr.Pair(tr.STEEL, tr.STEEL)
wheel = tr.Scenario.build(
    "press",
    title="A wheel on a rail",
    grid={"nx": 40, "ny": 40, "width_x": "22 mm", "width_y": "22 mm"},
    surface=[{"type": "paraboloid", "radius_x": "460 mm", "radius_y": RAIL}],
    load={"force": "100 kN"},
)

# %%
# All combinations of wheel and load; then wheels on rails worn flat, new, and at the gauge corner.
loads = tr.sweep(wheel, {"surface[0].radius_x": "250:600:15 mm", "load.force": "20:160:15 kN"})
heads = tr.sweep(
    wheel, {"surface[0].radius_x": "250:600:15 mm", "surface[0].radius_y": ["80 mm", "300 mm", "600 mm"]}
)
table = loads.table
hertz = np.array(
    [
        tr.hertz.ellipse(radius, RAIL, steel, force=force).peak_pressure
        for radius, force in zip(table["surface[0].radius_x"], table["load.force"], strict=True)
    ]
)
error = np.abs(table["largest pressure"] / hertz - 1.0).max()
print(f"{len(table)} variants, largest pressure within {100 * error:.2f} % of Hertz")

# %%
# The map of the first sweep with the limit of the closed form; the curves of the second.
figure, (left, right) = plt.subplots(1, 2, figsize=(13.0, 5.2), layout="constrained")
tr.view.sweep_plot(loads, "largest pressure", left, title="Wheel and load: the dashed line is the limit")
radius = np.unique(table["surface[0].radius_x"])
force = np.unique(table["load.force"])
shape = (radius.size, force.size)
lines = left.contour(
    1e3 * radius, 1e-3 * force, 1e-6 * hertz.reshape(shape).T, [1000.0, 1250.0, 1e-6 * LIMIT],
    colors="white", linewidths=[1.0, 1.0, 2.5], linestyles=["-", "-", "--"],
)  # fmt: skip
left.clabel(lines, fmt="%.0f MPa", fontsize=10)
left.set(xlabel="wheel radius (mm)", ylabel="load of the wheel (kN)")
tr.view.sweep_plot(heads, "largest pressure", right, title="100 kN on three rail heads", legend=False)
for line, words in zip(right.lines, ("gauge corner, 80 mm", "new, 300 mm", "worn, 600 mm"), strict=True):
    spot = (line.get_xdata()[6], line.get_ydata()[6])
    right.annotate(
        words, spot, xytext=(4, 9), textcoords="offset points", color=line.get_color(), fontsize=11
    )
right.axhline(1e-6 * LIMIT, color="#23272e", lw=2.0, ls="--")
right.annotate("limit", (550.0, 1e-6 * LIMIT), xytext=(0, 6), textcoords="offset points", fontsize=11)
right.set(xlabel="wheel radius (mm)")
plt.show()

# %%
# Every variant is done and agrees with Hertz; and the load goes with the third power of the pressure.
assert loads.ok
assert heads.ok
assert error < 0.01
pressure = table["largest pressure"].reshape(shape)
slope = np.polyfit(np.log(force), np.log(pressure[7]), 1)[0]
assert abs(3.0 * slope - 1.0) < 0.01

# %%
# The two wheels of the text are at the limit, and the rail heads change the pressure more than the wheels.
for wheel_radius, load in ((0.25, 100e3), (0.40, 160e3)):
    assert abs(tr.hertz.ellipse(wheel_radius, RAIL, steel, force=load).peak_pressure / LIMIT - 1.0) < 0.005
by_head = heads.table["largest pressure"].reshape(radius.size, 3)
assert (by_head[:, 0] / by_head[:, -1]).min() > (by_head[0] / by_head[-1]).max()
