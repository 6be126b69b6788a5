"""
What happens when a roller of another material begins to roll?
==============================================================

Pressed on steel, the surface of an aluminium roller contracts more than that of the steel below: the
bodies shear each other although no force acts (Spence 1975), and in rolling, the roller advances less
than its radius says. Bentall and Johnson (1967) found this creepage of a free roller in steady rolling.
Here the roller starts to roll, under no force: the tractions left by pressing leave the contact at the
trailing edge, and new ones build up from the leading edge. Pressure and tractions are solved together in
every step, and steps of one element and of a fifth agree.
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

aluminium = tr.Material.from_shear_modulus(26.7e9, 0.33)
pair = tr.Pair(aluminium, tr.STEEL)
radius, load, friction = 25e-3, 1e5, 0.05
half_width = tr.hertz.line(radius, pair, force=load).half_width
grid = tr.Grid.line(72, 2.0 * half_width / 56, length=0.1)
pressed = tr.press(tr.Cylinder(radius), grid, pair, force=load)

free = {"creepage": (None, 0.0, 0.0), "force": (0.0, None)}
steady = tr.roll_steady(pressed, friction, **free)
start = tr.shift(pressed, friction)

# %%
# Roll over a little more than one width of the contact, by steps of one element and of a fifth.
histories = {}
for step in (1.0, 0.2):
    t, creepage, shown = start, [], {0.0: start}
    for k in range(1, round(64 / step) + 1):
        t = tr.roll(t, friction, distance=step * grid.dx, **free)
        creepage.append(t.creepage[0])
        if round(k * step, 6) in (14.0, 64.0):
            shown[k * step * grid.dx / (2.0 * half_width)] = t
    histories[step] = np.array(creepage), shown

# %%
# Tractions on the way, within the bound of friction (dots), and the creepage.
figure, (left, right) = plt.subplots(1, 2, figsize=(11.5, 4.6), layout="constrained")
x = grid.x * 1e3
for sign in (1.0, -1.0):
    left.plot(x, sign * steady.bound[0] / 1e6, ":", color="0.4", lw=1.2)
colors = ("#999999", "#E69F00", "#0072B2")
for (way, t), color in zip(histories[0.2][1].items(), colors, strict=True):
    label = f"after {way:.2f} contact widths" if way else "pressed, at rest"
    left.plot(x, t.traction[0, 0] / 1e6, color=color, lw=2.0, label=label)
left.plot(x, steady.traction[0, 0] / 1e6, "--", color="k", lw=1.2, label="steady rolling")
left.set_ylim(-16.0, 26.0)
tr.view.style_axes(left, "x [mm], rolling to the right", "traction [MPa]", "No force pulls", legend=True)

for (step, (creepage, _)), mark in zip(histories.items(), ("o", "-"), strict=True):
    way = step * grid.dx * np.arange(1, creepage.size + 1) / (2.0 * half_width)
    label = "steps of one element" if step == 1.0 else "a fifth of an element"
    right.plot(way, 1e3 * creepage, mark, ms=4, lw=1.6, label=label)
right.axhline(1e3 * steady.creepage[0], color="k", ls="--", lw=1.2, label="steady rolling")
title = "Creepage of the free roller"
tr.view.style_axes(right, "contact widths rolled", "creepage [1/1000]", title, legend=True)
plt.show()

# %%
# The creepage ends at that of steady rolling, for both step lengths.
last = {step: creepage[-round(2 / step) :].mean() for step, (creepage, _) in histories.items()}
error = max(abs(creepage / steady.creepage[0] - 1.0) for creepage in last.values())
print(f"a free roller creeps by {1e3 * steady.creepage[0]:.3f} in 1000; reached within {100 * error:.2f} %")
assert error < 0.01
