"""
When does bending change the contact?
=====================================

On a railway bridge it does not: the bridge is straight at the scale of a patch of a centimetre. A short
thin beam bends around its wheel. What counts is the radius of the wheel times the curvature of the beam
under it, :math:`\\rho = R\\,M/(EI)`: the relative curvature along the beam decreases to :math:`(1 -
\\rho)/R`, the patch becomes longer and the pressure lower.

Here a steel wheel stands on clamped beams 1 m long, of a material thirty times softer than steel. With
its position given, Newton's method takes at most six steps on all of them. The fixed-point iteration
proposed in the thesis *Using CONTACT in dynamical simulations* (H. de Looij, 2015), pressure and bending
in turn, multiplies its error in each iteration by the flexibility of the beam times the stiffness of the
contact: it converges on beams of 20 cm and more, and diverges on thinner ones, including all that bend
around the wheel.
"""

import warnings

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

warnings.simplefilter("ignore")  # of slopes over 0.1, which the thinnest beams have
SOFT, WIDTH, FORCE = tr.Material(7e9, 0.3), 0.05, 200.0
wheel = tr.Wheel(0.3, 10.0)


def bridge(thickness):
    """A beam of rectangular section."""
    return tr.Bridge(tr.Beam(1.0, 7e9 * WIDTH * thickness**3 / 12, 7800 * WIDTH * thickness), SOFT)


# %%
# The patch over the thickness, beside Hertz's ellipse for the relative curvature.
thicknesses = np.array([0.0095, 0.01, 0.0115, 0.0135, 0.017, 0.024, 0.04])
stands = [tr.rest(wheel, bridge(h), 0.5, FORCE) for h in thicknesses]
bends = np.array([0.3 * FORCE / 8 / (7e9 * WIDTH * h**3 / 12) for h in thicknesses])
hertz = [tr.hertz.ellipse(0.3 / (1 - b), 0.3, tr.Pair(tr.STEEL, SOFT), force=FORCE) for b in bends]
for h, bend, one, known in zip(thicknesses, bends, stands, hertz, strict=True):
    a, b = (1e3 * x for x in one.contacts[0].semi_axes)
    words = f"R c = {bend:.3f}, patch {a:.3f} x {b:.3f} mm, Hertz {1e3 * known.semi_axes[0]:.3f}"
    print(f"{1e3 * h:5.1f} mm: {words}")

# %%
# Newton's method on the beam of 10 mm, and the fixed point on three thick ones.
newton = tr.rest(wheel, bridge(0.01), 0.5, drop=float(stands[1].drops[0]))
turns = {}
for h in (0.3, 0.2, 0.16):
    drop = float(tr.rest(wheel, bridge(h), 0.5, FORCE).drops[0])
    given = {"method": "fixed-point", "max_iterations": 40, "on_failure": "return"}
    turns[h] = tr.rest(wheel, bridge(h), 0.5, drop=drop, **given)

figure, axes = plt.subplots(2, 2, figsize=(12.0, 8.2), layout="constrained")
tr.view.rest_plot(stands[1], axes[0, 0], around=0, title="A beam of 10 mm under its wheel")
tr.view.rest_patch_plot(stands[1], axes[0, 1], title="Pressure along the beam")
ax = axes[1, 0]
for k, (name, color) in enumerate((("along the beam", "#0072B2"), ("across", "#D55E00"))):
    ax.plot(bends, [1e3 * one.semi_axes[k] for one in hertz], color=color, lw=1.8, label=f"Hertz, {name}")
    ax.plot(bends, [1e3 * one.contacts[0].semi_axes[k] for one in stands], "o", color=color, ms=7)
ax.set_ylim(1.5, 2.3)
ax.legend(frameon=False, loc="upper left")
tr.view.style_axes(ax, "wheel radius x beam curvature", "semi-axis (mm)", "Size of the patch")
ax = axes[1, 1]
ax.semilogy(newton.residuals, "o-", color="#0072B2", lw=2.0, label="Newton, 10 mm")
for (h, run), color in zip(turns.items(), ("#009E73", "#CC79A7", "#D55E00"), strict=True):
    ax.semilogy(run.residuals, "s--", ms=3.5, color=color, label=f"fixed point, {1e3 * h:.0f} mm")
ax.legend(frameon=False, loc=(0.55, 0.42))
tr.view.style_axes(ax, "step", "difference of deflections (m)", "Convergence")
plt.show()

# %%
# Bending makes the patch of the beam of 10 mm a fifth longer, as Hertz says; Newton needs at most six
# steps. Each fixed-point iteration multiplies the error by the flexibility :math:`L^3/(192 EI)` times the
# stiffness of the contact.
for h, run in turns.items():
    expected = stands[-1].contacts[0].stiffness / (192 * 7e9 * WIDTH * h**3 / 12)
    observed = run.residuals[4] / run.residuals[3]
    print(
        f"{1e3 * h:.0f} mm: error times {observed:.3f} per iteration, flexibility x stiffness {expected:.3f}"
    )
    assert abs(observed / expected - 1) < 0.01
longer = stands[1].contacts[0].semi_axes[0] / stands[1].on_straight_bridge[0].semi_axes[0]
assert bends[1] > 0.2
assert abs(longer - 1.2) < 0.05
assert abs(stands[1].contacts[0].semi_axes[0] / hertz[1].semi_axes[0] - 1) < 0.01
assert max(newton.iterations, *(one.iterations for one in stands)) <= 6
assert [run.ok for run in turns.values()] == [True, True, False]
