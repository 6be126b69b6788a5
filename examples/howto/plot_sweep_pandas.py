"""
A sweep into pandas
===================

**Task**: run a scenario for many values of its keys and analyse the table of results with pandas.
"""

import matplotlib.pyplot as plt

import traction as tr

# %%
# **The scenario**: from a file by ``tr.load("wheel.toml")``, or built here.
wheel = tr.Scenario.build(
    "press",
    title="A wheel on a rail",
    grid={"nx": 32, "ny": 32, "width_x": "24 mm", "width_y": "24 mm"},
    surface=[{"type": "paraboloid", "radius_x": "460 mm", "radius_y": "300 mm"}],
    load={"force": "100 kN"},
)

# %%
# **The sweep**: any keys of the file, as lists or as ``first:last:count unit``. All
# combinations are run. In a terminal the same is ``traction sweep wheel.toml --set
# "load.force=40:120:5 kN" ...``.
sweep = tr.sweep(
    wheel,
    {"load.force": "40:120:5 kN", "surface[0].radius_y": ["80 mm", "300 mm", "600 mm"]},
)
print(f"{len(sweep.table)} variants, all done: {sweep.ok}")

# %%
# **Into pandas**, in SI units, which are in ``frame.attrs["units"]``. The varied keys come
# first, then how each variant ended, then the results.
frame = sweep.table.to_pandas()
force, crown = "load.force", "surface[0].radius_y"
pressure = next(name for name in frame.columns if "pressure" in name)
print(frame[[force, crown, pressure]].head().to_string())

# %%
# **A pivot table**: peak pressure (MPa) over load (kN) and crown radius (mm).
pivot = frame.pivot_table(index=force, columns=crown, values=pressure)
shown = pivot / 1e6
shown.index, shown.columns = pivot.index / 1e3, 1e3 * pivot.columns
print(shown.round(0).to_string())

# %%
# **Filter**: which combinations stay below 1500 MPa?
allowed = frame[frame[pressure] < 1.5e9].groupby(crown)[force].max()
for radius, load in allowed.items():
    print(f"crown {1e3 * radius:.0f} mm: up to {load / 1e3:.0f} kN of the loads tried")

figure, ax = plt.subplots(figsize=(7.5, 4.4), layout="constrained")
for radius, group in frame.groupby(crown):
    ax.plot(
        group[force] / 1e3,
        group[pressure] / 1e6,
        "o-",
        label=f"crown {1e3 * radius:.0f} mm",
    )
tr.view.style_axes(
    ax, "load (kN)", "peak pressure (MPa)", "A wheel of 460 mm radius", legend=True
)
plt.show()

# %%
# Pressure grows with the third root of the load, as Hertz has it.
ratio = pivot.iloc[-1] / pivot.iloc[0]
assert (abs(ratio / 3.0 ** (1 / 3) - 1.0) < 0.01).all()
assert sweep.ok
