"""
Why does a slipping wheel shake its axle?
=========================================

A motor drives a wheel on a bridge through an elastic shaft, and turns 3 % faster than the wheel can roll.
With constant friction the wheel slides, and its oscillation decays. With friction that falls with the slip
speed it adheres to the rail, twists the shaft until friction cannot hold it, slips, springs back, and adheres
again. A mass on a moving belt does the same; the plot on the right compares the two limit cycles.
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

radius, speed, inertia, weight = 0.46, 10.0, 50.0, 80e3
shaft = tr.Shaft(4e6, damping=300.0)  # N m/rad, N m s/rad
bridge = tr.Bridge(tr.Beam(20.0, 2e11 * 0.0104, 7900.0, damping=0.02), tr.STEEL)
wheel = tr.Wheel(radius, weight / 9.81)
falling = tr.friction.exponential(0.15, (0.2, 0.5), memory=(2e-6, 1e-3))
faster = 0.03  # of the motor over the train, reached within 30 ms

runs = {}
for name, friction in (("constant, 0.35", 0.35), ("falling", falling)):
    drive = tr.Drive(
        creepage=(lambda t: -faster * np.clip(t / 0.03, 0.0, 1.0), 0.0, 0.0),
        inertia=inertia, shaft=shaft, friction=friction, elements=8, keep=2,
    )  # fmt: skip
    run = tr.cross(bridge, [(wheel, 0.0)], speed, contact="hertz", dt=2e-4, t_end=0.16, drive=drive)
    runs[name] = run.rolling()
    print(runs[name])

# %%
# The same as a mass on a belt: the wheel is a mass I/R^2 on a spring k/R^2, and the speed of the belt is the
# difference between motor and train.
belt = tr.belt_oscillator(
    inertia / radius**2, shaft.stiffness / radius**2, weight,
    tr.friction.exponential(0.15, (0.2, 0.5)), faster * speed, damping=shaft.damping / radius**2, t_end=0.5,
)  # fmt: skip

figure, axes = plt.subplots(1, 3, figsize=(12.5, 4.2), layout="constrained")
for name, rolls in runs.items():
    axes[0].plot(1e3 * rolls.t, -100.0 * rolls.creepage[:, 0], label=f"friction {name}")
    axes[1].plot(1e3 * rolls.t, rolls.shaft_torque / 1e3, label=f"friction {name}")
tr.view.style_axes(axes[0], "time t (ms)", "creepage -ξ (%)", "The wheel sticks and slips")
tr.view.style_axes(axes[1], "time t (ms)", "torque of the shaft (kN m)", "The shaft winds up and unwinds")
rolls = runs["falling"]
last = rolls.t > 0.09
axes[2].plot(
    -100.0 * rolls.creepage[last, 0], rolls.shaft_torque[last] / 1e3, color="C1", label="wheel on the bridge"
)
turn = belt.t > belt.cycle[0]
torque = (shaft.stiffness * belt.q[turn] + shaft.damping * belt.v[turn]) / radius
axes[2].plot(100.0 * (faster - belt.v[turn] / speed), torque / 1e3, "k--", lw=1.0, label="mass on a belt")
tr.view.style_axes(axes[2], "creepage -ξ (%)", "torque of the shaft (kN m)", "Limit cycles")
axes[0].set_ylim(-0.6, 9.0)
axes[1].set_ylim(-5.0, 27.0)
for ax, place in zip(axes, ("upper left", "upper left", "center"), strict=True):
    ax.legend(frameon=False, loc=place)
plt.show()

# %%
# The wheel creeps before it slips, so that its force stays below 0.35 of the weight; that of the mass
# reaches it.
free = 1.0 / shaft.period(inertia)
found = rolls.stick_slip_frequency
swing = {name: np.ptp(one.creepage[one.t > 0.135, 0]) for name, one in runs.items()}
for name, size in swing.items():
    print(f"creepage in the last cycle varies by {100.0 * size:.1f} %, friction {name}")
print(f"stick-slip at {found:.1f} Hz (mass on a belt {belt.frequency:.1f} Hz, shaft {free:.1f} Hz)")
largest = rolls.force[:, 0].max() / weight
print(f"largest force {largest:.3f} of the weight, friction at rest {falling.static}")
assert swing["falling"] > 3.0 * swing["constant, 0.35"]
assert abs(found / belt.frequency - 1.0) < 0.05
assert rolls.force[:, 0].max() < 0.345 * weight
