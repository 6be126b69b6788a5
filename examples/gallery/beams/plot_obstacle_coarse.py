"""
What do coarse elements make of the contact of a beam?
======================================================

The first comparison of Bosten, Denoël, Cosimo, Linn and Brüls, *The influence of beam kinematic
assumptions in a beam contact benchmark*: mortar elements of length h = 0.53, by the theories of Euler and
Bernoulli (left) and of Timoshenko with :math:`\\epsilon = 0.23` (right). By the first the contact begins
with a point force, which no density can represent: the element where it lies carries it as a density over
its length. By the second the force is a density, but in a layer of the length epsilon, shorter than the
elements. What is integrated over some elements, the force up to a point beyond the transition, is right
within 1 % in both.
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

h, elements, epsilon = 0.53, 15, 0.23
length = elements * h
theories = {
    "Euler-Bernoulli": (tr.Beam(length, 1.0, 1.0, supports=("clamped", "free")), 0.0),
    f"Timoshenko, ε = {epsilon}": (
        tr.Beam(length, 1.0, 1.0, shear_stiffness=epsilon**-2, supports=("clamped", "free")),
        epsilon,
    ),
}
colors = {"point": "#009E73", "constant": "#D55E00", "linear": "#0072B2"}

# %%
# Above the contact force, below its integral from the clamp on, where the spaces come together.
figure, axes = plt.subplots(2, 2, figsize=(12.0, 7.6), sharex=True, layout="constrained")
xi = np.linspace(1.5, 5.0, 3501)
integrals = {}
for column, (name, (beam, eps)) in enumerate(theories.items()):
    exact = tr.obstacle.exact(eps)
    force, total = axes[:, column]
    force.plot(xi, exact.contact_force(xi), color="#23272e", lw=3.0, alpha=0.4, label="closed form")
    known = exact.contact_force_integral(np.zeros_like(xi), xi)
    total.plot(xi, known, color="#23272e", lw=3.0, alpha=0.4, label="closed form")
    for space, color in colors.items():
        contact = tr.obstacle.solve(beam, 1.0, 1.0, elements, multiplier=space, fitted=False)
        if space != "point":
            force.plot(xi, contact.contact_force(xi), color=color, lw=1.5, label=space)
        found = contact.contact_force_integral(np.zeros_like(xi), xi)
        total.plot(xi, found, color=color, lw=1.5, label=space)
        integrals[name, space] = np.interp(4.5, xi, found) / np.interp(4.5, xi, known) - 1.0
    nodes = contact.nodes[(contact.nodes > 1.5) & (contact.nodes < 5.0)]
    force.plot(nodes, np.zeros_like(nodes), "k.", ms=6, clip_on=False, label="nodes")
    tr.view.style_axes(force, "", "contact force $\\rho$", f"{name}, h = {h}", legend=True)
    tr.view.style_axes(total, "ξ", "contact force up to ξ", "", legend=True)
plt.show()

# %%
for (name, space), error in integrals.items():
    print(f"{name:22} {space:9} force up to ξ = 4.5 differs by {100 * error:+.2f} %")
assert max(abs(error) for error in integrals.values()) < 0.01
