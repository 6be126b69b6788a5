"""
Does the half-space solver bounce like Hertz?
=============================================

Figures 5 and 6 of the thesis *Using CONTACT in dynamical simulations* (H. de Looij, 2015, section 4.8)
compare a ball whose contact force comes from a half-space program with one under the Hertz force; there
Verlet's method is unstable (see "Why did Verlet's method become unstable in the thesis?") and the
penetration "slightly off". Here the two solutions coincide, with 32 elements across the largest contact. The
half space also computes the surface around the ball, and takes bodies of any shape.
"""

import math

import matplotlib.pyplot as plt

import traction as tr

rubber = tr.Pair(tr.Material(math.inf, 0.3, density=910.0), tr.Material(1.5e8, 0.5))
ball = {"ball_radius": 0.11, "pair": rubber, "height": 1.0, "t_end": 1.4}

# %%
# Two falls: closed force, and a contact problem solved at every evaluation of the force.
hertz = tr.bounce(**ball)
solved = tr.bounce(**ball, contact="half-space", elements=32)
first = hertz.contacts[0], solved.contacts[0]
period = [history.contacts[1].peak_time - history.contacts[0].peak_time for history in (hertz, solved)]
print(f"half space: {solved.stats['force_evaluations']} forces in {solved.stats['seconds']:.2f} s")

# %%
# Left: force and penetration over the first contact. Right: the surfaces while the ball goes down.
figure = plt.figure(figsize=(13.0, 8.0), layout="constrained")
left, right = figure.subfigures(1, 2)
tr.view.contact_plot({"Hertz": hertz, "half space, 32 x 32": solved}, left.subplots(2, 1, sharex=True))
touch, duration = first[1].start, first[1].duration
for ax, part in zip(right.subplots(3, 1), (0.06, 0.25, 0.5), strict=True):
    title = f"{1e3 * part * duration:.2f} ms after the touch"
    tr.view.surface_plot(solved, touch + part * duration, ax, legend=part == 0.06, title=title)
plt.show()

# %%
# Penetration, contact time and period agree within 0.02 %.
errors = {
    "penetration": first[1].depth / first[0].depth - 1.0,
    "contact time": first[1].duration / first[0].duration - 1.0,
    "period": period[1] / period[0] - 1.0,
}
print(", ".join(f"{name} {error:+.1e}" for name, error in errors.items()))
assert max(abs(error) for error in errors.values()) < 2e-4
