"""
Does a braked wheel lock where its load drops?
==============================================

A wheel brakes on a bridge with 90 % of what friction can transmit under its weight, on a rail with waves
of 0.3 m. On them the contact force N varies, and with it the friction limit :math:`\\mu N`: in every
trough the brake demands up to 19 % more. With a prescribed force the wheel would slide there at an
undetermined speed. A brake applies a torque, and the wheel has inertia: it slows down by a few
thousandths, so that the patch slips almost everywhere, and adheres again on the next crest.

The contact is solved on its grid and rolling is transient: tractions enter at the leading edge, and are
carried through the patch where it sticks.
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

bridge = tr.Bridge(tr.Beam(20.0, 2e11 * 0.0104, 7900.0, damping=0.02), tr.STEEL)
radius, speed, friction, weight = 0.46, 30.0, 0.3, 10e3 * 9.81
wheel = tr.Wheel(radius, 1000.0, suspension=tr.Suspension(1e6, 3e4, 9e3))

# %%
# Waves of 0.1 mm from trough to crest that begin at 8 m, and a brake that is applied there over 0.2 m.
x = np.linspace(0.0, 20.0, 4001)
waves = 5e-5 * np.sin(2.0 * np.pi * x / 0.3) * np.clip((x - 8.0) / 0.6, 0.0, 1.0)
rail = tr.Irregularity.sampled(x, waves)


def brake(t):
    """Force that the brake demands at the rim, N."""
    return -0.9 * friction * weight * np.clip((speed * t - 8.0) / 0.2, 0.0, 1.0)


moments = [9.06 / speed, 9.15 / speed, 9.26 / speed]
turns = tr.Drive(
    torque=lambda t: radius * brake(t), inertia=80.0, friction=friction, elements=18, keep=moments
)
run = tr.cross(
    bridge, [(wheel, 0.0)], speed, contact="half-space", irregularity=rail, dt=2e-4, t_end=9.3 / speed,
    drive=turns,
)  # fmt: skip
rolls = run.rolling()
asked, late = -brake(rolls.t), run.places[:, 0] > 8.4
low, high = run.contact_forces[late].min(), run.contact_forces[late].max()
print(rolls)
print(f"contact force {low / 1e3:.1f} to {high / 1e3:.1f} kN")
print(f"brake over bound up to {(asked / rolls.bound)[late].max():.3f}")
print(f"creepage {100 * rolls.creepage[late, 0].min():.3f} to {100 * rolls.creepage[late, 0].max():.3f} %")

# %%
# Force within its limits, creepage and stick over time; tractions at three moments of one wave.
figure = plt.figure(figsize=(11.5, 10.5), layout="constrained")
grid = figure.add_gridspec(4, 3, height_ratios=[1.1, 0.8, 0.8, 1.7])
axes = [figure.add_subplot(grid[k, :]) for k in range(3)]
axes[0].plot(rolls.t, -asked / 1e3, color="#D55E00", lw=1.4, label="demanded by the brake")
for ax, quantity in zip(axes, ("force", "creepage", "stick"), strict=True):
    tr.view.driving_plot(rolls, ax, quantity=quantity)
    ax.set_xlim(7.95 / speed, rolls.t[-1])
    for moment, letter in zip(moments, "abc", strict=True):
        ax.axvline(moment, color="#23272e", lw=0.9, ls=":")
        ax.text(moment, 1.01, letter, transform=ax.get_xaxis_transform(), ha="center", weight="bold")
axes[0].set_ylim(-42.0, 12.0)
axes[0].legend(fontsize=9.5, frameon=False, loc="upper center", ncols=3)
for number, (moment, letter) in enumerate(zip(moments, "abc", strict=True)):
    patch = rolls.at(moment)
    words = f"{letter}: N = {patch.normal.force / 1e3:.0f} kN"
    ax = tr.view.traction_map(patch, figure.add_subplot(grid[3, number]), title=words)
    if number != 1:
        ax.get_legend().remove()
    else:
        ax.get_legend().set_bbox_to_anchor((0.5, -0.22))
plt.show()

# %%
# The demand exceeds the friction limit in the troughs, and the wheel neither slides as a whole nor locks.
assert (asked / rolls.bound)[late].max() > 1.15
assert not rolls.sliding.any()
assert 0.002 < rolls.creepage[late, 0].max() < 0.006
