"""
Why does a slipping wheel not grip again at once?
=================================================

The torque of a driven wheel on a bridge exceeds the friction limit for a moment, then returns. With constant
friction the wheel speeds up a little and adheres again. With friction that falls with the slip speed (0.35 at
rest, 0.15 at high speed, with a memory of 2 um) it runs away: it continues to slip at the original torque,
and adheres again only once the torque is below the remaining friction. This is why traction control has to
reduce the torque.
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

radius, speed, inertia, weight = 0.46, 8.0, 30.0, 80e3
bridge = tr.Bridge(tr.Beam(20.0, 2e11 * 0.0104, 7900.0, damping=0.02), tr.STEEL)
wheel = tr.Wheel(radius, weight / 9.81)
falling = tr.friction.exponential(0.15, (0.2, 0.5), memory=(2e-6, 1e-3))


def pull(t):
    """Force that the torque demands at the rim, N: a pulse of 15 ms, and later a pause."""
    knots = np.array([0.0, 1.0, 1.02, 1.03, 1.045, 1.05, 1.065, 1.07, 1.2])
    share = np.array([0.0, 0.0, 0.27, 0.38, 0.38, 0.27, 0.27, 0.06, 0.06])
    return weight * np.interp(t, knots, share)


runs = {}
for name, friction in (("constant, 0.35", 0.35), ("falling", falling)):
    drive = tr.Drive(
        torque=lambda t: radius * pull(t), inertia=inertia, friction=friction, elements=10, keep=2
    )
    run = tr.cross(bridge, [(wheel, 0.0)], speed, contact="hertz", dt=1e-3, t_end=1.115, drive=drive)
    runs[name] = run.rolling()
    print(runs[name])

figure, axes = plt.subplots(1, 2, figsize=(11.0, 4.4), layout="constrained")
t = next(iter(runs.values())).t
axes[0].plot(1e3 * t, pull(t) / 1e3, color="0.5", ls=":", label="demanded by the torque")
for name, rolls in runs.items():
    axes[0].plot(1e3 * t, rolls.force[:, 0] / 1e3, label=f"friction {name}")
    axes[1].plot(1e3 * t, -100.0 * rolls.creepage[:, 0], label=f"friction {name}")
tr.view.style_axes(axes[0], "time t (ms)", "force on the wheel (kN)", "Force of the rail on the wheel")
tr.view.style_axes(axes[1], "time t (ms)", "creepage -ξ (%)", "The wheel runs away, and grips again")
for ax in axes:
    ax.set_xlim(1000.0, 1115.0)
    ax.legend(frameon=False)
plt.show()

# %%
# At 1.06 s the torque is below the friction limit again: one wheel adheres, the other still slips.
back = int(np.searchsorted(t, 1.06))
held, slips = (-100.0 * rolls.creepage[back, 0] for rolls in runs.values())
print(f"creepage at 1.06 s: {held:.2f} % with constant friction, {slips:.1f} % with falling friction")
assert held < 1.0 < 5.0 < slips
assert all(-rolls.creepage[-1, 0] < 0.01 for rolls in runs.values())
