"""
Stress under full sliding
=========================

**Task**: where is the material below a sliding contact stressed most, and how does friction move that
place to the surface?

Sliding needs no solver of its own: a large creepage makes everything slip.
``t.stress(points)`` includes pressure and tractions.
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

steel = tr.Pair(tr.STEEL, tr.STEEL)
hertz = tr.hertz.sphere(0.02, steel, force=1000.0)
a, p0 = hertz.radius, hertz.peak_pressure
contact = tr.press(
    tr.Sphere(0.02), tr.Grid.around(1.2 * a, 1.2 * a, 48, 48), steel, force=1000.0
)

# %%
# **Points**: an array whose last axis is (x, y, z), in m. Body 2 is the lower one, with
# z < 0 inside. A plane along the sliding direction:
x, z = np.meshgrid(np.linspace(-2.0, 2.0, 81) * a, -np.linspace(0.02, 1.2, 60) * a)
points = np.stack([x, np.zeros_like(x), z], axis=-1)

# %%
# **Slide** with three coefficients of friction. Forces are those on body 1, so the
# lower body is pulled the other way.
found = {}
for friction in (0.0, 0.25, 0.5):
    if friction == 0.0:
        found[friction] = contact.stress(points, body=2)
        continue
    sliding = tr.roll_steady(contact, friction, creepage=(0.1, 0.0, 0.0))
    assert not sliding.stick.any()  # all of it slips
    found[friction] = sliding.stress(points, body=2)

figure, axes = plt.subplots(1, 3, figsize=(15, 3.9), layout="constrained", sharey=True)
places = {}
for ax, (friction, stress) in zip(axes, found.items(), strict=True):
    mises = stress.von_mises / p0
    image = ax.contourf(
        x / a, z / a, mises, levels=np.linspace(0.0, 0.9, 19), cmap="viridis", extend="max"
    )
    k = np.unravel_index(mises.argmax(), mises.shape)
    places[friction] = (x[k] / a, -z[k] / a, mises[k])
    ax.plot(x[k] / a, z[k] / a, "w+", ms=12, mew=2)
    tr.view.style_axes(
        ax, "x / a", "z / a", f"μ = {friction:g}: {mises[k]:.2f} p₀", grid=False
    )
figure.colorbar(image, ax=axes, label="von Mises stress / peak pressure")
plt.show()

# %%
# Without friction the largest stress is half a contact radius deep; with 0.5 it is at
# the surface.
for friction, (place, depth, size) in places.items():
    print(f"μ = {friction:4g}: {size:.3f} p₀ at x = {place:+.2f} a, depth {depth:.2f} a")
assert 0.4 < places[0.0][1] < 0.55
assert places[0.5][1] < 0.05
assert places[0.5][2] > places[0.25][2] > places[0.0][2]
