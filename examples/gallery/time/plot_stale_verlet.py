"""
Why did Verlet's method become unstable in the thesis?
======================================================

The thesis *Using CONTACT in dynamical simulations* (H. de Looij, 2015, section 4.8, figure 5) finds that
Verlet's method, good with the Hertz force, "now is very unstable" with forces from a contact program. The
contact is not to blame. The listing SphereCONTACT.m computes ``a(k)`` at the position ``z(k-1)`` and then
steps with ``a(k-1)``: an acceleration that is one step old. With that index the Hertz ball of
SphereOnPlane.m (its step of 2 ms, its modulus and mass) rises to 1.79, 3.29 and 6.26 m. With the
acceleration of the present position it does not.

Other errors in the programs and the text of the thesis:

- E* = E/(2 (1 - nu)^2) is used where E* = E/(1 - nu^2) is derived: 3e8 instead of 2e8 Pa;
- the density 0.91e6 g/m3 enters as kg/m3: the ball weighs 5 t instead of 5 kg;
- RK4 reuses the stages of the step before; correct RK4 is stable up to omega*dt = 2 sqrt 2;
- the second HHT listing swaps beta and gamma;
- Newmark is called explicit only for beta = gamma = 0; it is for beta = 0, whatever gamma.
"""

import math

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

# %%
# The ball as the program has it: 5 t, and the wrong modulus.
radius, gravity, dt, t_end = 0.11, 9.81, 0.002, 5.4
modulus = 1.5e8 / (2.0 * (1.0 - 0.5) ** 2)
mass = 4.0 / 3.0 * math.pi * radius**3 * 0.91e6
stiffness = 4.0 / 3.0 * modulus * math.sqrt(radius)


def acceleration(z):
    """Hertz force over mass, less gravity."""
    return stiffness * max(0.0, -z) ** 1.5 / mass - gravity


def listed_verlet(age):
    """The loop of the listing; age = 1 steps with the acceleration of one step ago, age = 0 of now."""
    z, a = [1.0], [-gravity]
    for k in range(1, round(t_end / dt) + 1):
        a.append(acceleration(z[k - 1]))
        if k == 1:
            z.append(z[0] + 0.5 * a[0] * dt**2)
        else:
            z.append(2.0 * z[k - 1] - z[k - 2] + a[k - age] * dt**2)
    return np.array(z)


def tops(z):
    """Heights to which the ball rises."""
    inside = z[1:-1]
    return inside[(inside >= z[:-2]) & (inside > z[2:])]


# %%
# The library's Verlet on the same ball: the modulus is set by the pair, the mass is given.
stale, right = listed_verlet(age=1), listed_verlet(age=0)
pair = tr.Pair(tr.RIGID, tr.Material(modulus * (1.0 - 0.5**2), 0.5))
verlet = tr.bounce(
    radius, pair, 1.0, gravity, mass=mass, method="verlet", dt=dt, t_end=t_end, locate_events=False
)

# %%
# One index makes the difference.
t = dt * np.arange(len(stale))
figure, ax = plt.subplots(figsize=(9.0, 5.2), layout="constrained")
tr.view.height_plot({"tr.bounce, Verlet": verlet}, ax, title="Verlet's method with a stale acceleration")
ax.lines[-1].set_label("present acceleration: tr.bounce")
ax.plot(
    t[::45],
    right[::45],
    "o",
    color="#23272e",
    ms=4.5,
    label="present acceleration: loop with the right index",
)
ax.plot(t, stale, color="#D55E00", lw=2.0, label="acceleration one step old: as listed")
peaks = np.flatnonzero((stale[1:-1] >= stale[:-2]) & (stale[1:-1] > stale[2:])) + 1
for k in peaks[:3]:
    ax.annotate(f"{stale[k]:.2f} m", (t[k], stale[k]), xytext=(0, 6), textcoords="offset points", ha="center")
ax.set_ylim(-0.3, 7.0)
tr.view.style_axes(ax, "time (s)", "height (m)", "Verlet's method with a stale acceleration", legend=True)
plt.show()

# %%
# The heights to which the ball rises, with the stale and with the right index.
print("stale:", ", ".join(f"{top:.3f} m" for top in tops(stale)[:3]))
print("right:", ", ".join(f"{top:.3f} m" for top in tops(right)[:5]))
assert np.allclose(tops(stale)[:3], [1.79, 3.29, 6.26], atol=0.005)
assert np.abs(tops(right) - 1.0).max() < 0.01
assert modulus == 3e8
assert 5000.0 < mass < 5100.0
