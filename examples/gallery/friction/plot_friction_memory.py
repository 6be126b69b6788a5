"""
Why does falling friction need a memory?
========================================

A coefficient that follows the slip speed at once drops where slip begins. With a memory it follows over a
distance of slip: d mu/dt = -max(s, s0)/dc (mu - mu_s(s)) along the path of each particle. The longer the
distance dc, the later friction falls. Without memory, and at high speed, friction falls more steeply than the
elasticity of the bodies compensates: the solution need not be unique, and how it is approached is not
determined. A line contact, rolling to the right.
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

steel = tr.Pair(tr.STEEL, tr.STEEL)
load, speed, creepage = 5e6, 60.0, (0.003, 0.0, 0.0)
half = tr.hertz.line(0.46, steel, force=load).half_width
roller = tr.press(tr.Cylinder(0.46), tr.Grid.line(110, 2.2 * half / 110, length=0.1), steel, force=load)
x = roller.grid.x / half

# %%
# The same law with memories of different lengths, and with none.
distances = {"without memory": None, "dc = 1 µm": 1e-6, "dc = 5 µm": 5e-6, "dc = 25 µm": 25e-6}
laws = {
    name: tr.friction.exponential(0.1, (0.25, 0.3), memory=None if distance is None else (distance, 1e-3))
    for name, distance in distances.items()
}
contacts = {name: tr.roll_steady(roller, law, creepage=creepage, speed=speed) for name, law in laws.items()}

# %%
# The force while the same contact, on a coarser grid, begins to roll from rest.
coarse = tr.press(tr.Cylinder(0.46), tr.Grid.line(44, 2.2 * half / 44, length=0.1), steel, force=load)
steps, forces = 160, {}
for name, law in laws.items():
    t, forces[name] = tr.shift(coarse, law.static, displacement=(0.0, 0.0, 0.0)), [0.0]
    for _ in range(steps):
        t = tr.roll(t, law, distance=coarse.grid.dx, creepage=creepage, speed=speed)
        forces[name].append(-t.force[0] / load)
    print(f"{name:15s} {t.message}")
way = coarse.grid.dx / half * np.arange(steps + 1)

figure, axes = plt.subplots(1, 3, figsize=(14.0, 4.4), layout="constrained")
for name, t in contacts.items():
    inside = roller.contact[0]
    axes[0].plot(x[inside], t.coefficient[0, inside], label=name)
    axes[1].plot(x[inside], -t.traction[0, 0, inside] / 1e6)
    (line,) = axes[2].plot(way, forces[name])
    axes[2].axhline(-t.force[0] / load, color=line.get_color(), linestyle=":")
tr.view.style_axes(axes[0], "place x/a", "coefficient of friction", "Friction along the contact")
tr.view.style_axes(axes[1], "place x/a", "traction (MPa)", "Tractions")
tr.view.style_axes(axes[2], "distance rolled/a", "force over load", "From rest (dotted: steady)")
axes[0].legend()
plt.show()

# %%
# A shorter memory gives less force and a steeper fall.
for name, t in contacts.items():
    print(
        f"{name:15s} force {-t.force[0] / load:.3f} of the load, least coefficient "
        f"{t.coefficient[0, roller.contact[0]].min():.3f}, steepness {t.steepness:.3f}"
    )
assert np.all(np.diff([-t.force[0] for t in contacts.values()]) > 0.0)

# %%
# Rolling begins with stick, and friction falls when all begins to slide. A memory of 25 µm determines this
# transient, and the force rises to that of steady rolling. At this speed memories of 1 and 5 µm are too short
# to determine it, and without memory the law does not. There friction lags behind the law so that steps do
# not jump, as their message states, and the force has a maximum. All four end in steady rolling of their law.
for name, t in contacts.items():
    off = forces[name][-1] / (-t.force[0] / load) - 1.0
    print(f"{name:15s} largest force {max(forces[name]):.3f} of the load, at the end {off:+.2%} off steady")
    assert abs(off) < 0.015

# %%
# At ten times the speed, without memory, the fall is too steep, as the message of the result states.
fast = tr.roll_steady(roller, tr.friction.exponential(0.1, (0.25, 0.3)), creepage=creepage, speed=10 * speed)
print(f"at {10 * speed:g} m/s without memory: {fast.message}")
assert fast.other_solutions or fast.steepness < 1.0
