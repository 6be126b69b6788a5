"""
3. Time: let it bounce
======================

A steel ball falls from half a metre on a block of hard rubber. The contact force is
that of step 1, at every moment of the contact; what is added is Newton's law.
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

rubber = tr.Material(youngs_modulus=50e6, poisson_ratio=0.49)
pair = tr.Pair(tr.STEEL, rubber)

# %%
# :func:`~traction.bouncing.bounce.bounce` drops a ball: by default with Hertz's force,
# and with steps chosen so that the energy is right. The ball's mass follows from its
# density. Nothing is lost here, so the ball rises to where it was dropped.
ball = tr.bounce(ball_radius=0.02, pair=pair, height=0.5, t_end=1.5)
first = ball.contacts[0]
print(f"first contact: {1e3 * first.duration:.2f} ms long, {1e3 * first.depth:.2f} mm deep")
print(f"largest force {ball.contact_force.max():.0f} N")
print(f"energy changes by {100 * np.ptp(ball.energy) / ball.energy[0]:.4f} %")

# %%
# The contact time follows from Hertz's law and the mass: :math:`2.94\,\delta/v`, with
# the depth δ and the speed v, for a fall without gravity during the contact (Johnson,
# *Contact Mechanics*, section 11.4).
speed = np.sqrt(2 * 9.81 * 0.5)
print(f"2.94 depth/speed = {1e3 * 2.94 * first.depth / speed:.2f} ms")

# %%
# Real balls lose energy. A coefficient of restitution of 0.8 makes each rebound 0.8
# times as fast as the impact.
damped = tr.bounce(ball_radius=0.02, pair=pair, height=0.5, t_end=1.5, restitution=0.8)

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.4), layout="constrained")
tr.view.height_plot(
    {"elastic": ball, "restitution 0.8": damped}, left, title="Height of the ball"
)
tr.view.energy_plot(damped, right, title="Energy, restitution 0.8")
plt.show()

# %%
# **Any system.** The ball is one case of
# :func:`~traction.integrators.integrate.integrate`, which takes masses, forces and, if
# bodies may touch, gaps. A mass on a spring that hits a stop:
stop = 2e-3
system = tr.SecondOrderSystem(
    mass=1.0,
    force=lambda t, q: -1e4 * q - 1e8 * max(0.0, q - stop) ** 1.5,
    q0=0.0,
    v0=0.5,
    gap=lambda t, q: stop - q,
)
history = tr.integrate(system, method="radau-iia", dt="auto", t_end=0.1)
print(f"first hit after {1e3 * history.contacts[0].start:.2f} ms")

# %%
# Eleven methods are there. Which of them to take is the subject of the :doc:`gallery
# </gallery/index>`; the default is a good one.
print(", ".join(tr.methods()))
assert abs(first.duration / (2.94 * first.depth / speed) - 1.0) < 0.02
assert abs(damped.contacts[1].depth / damped.contacts[0].depth - 0.8**0.8) < 0.05
assert np.ptp(ball.energy) < 1e-4 * ball.energy[0]

# %%
# **Next**: something that bends, in :doc:`step_4_beam`.
