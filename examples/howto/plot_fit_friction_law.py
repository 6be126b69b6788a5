"""
Fit a friction law to measured creep data
=========================================

**Task**: given measured creep forces over creepage, with scatter, find the friction law and the
layer with which the full theory of rolling fits them.

Least squares in scipy need residuals and, to be quick, their derivatives with respect to the
parameters. ``t.change_with`` returns the first-order change of the forces with friction, by linear
solves at the solution: exact derivatives, without solving again. Derivatives with respect to the
creepage are ``t.tangent``.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import least_squares

import traction as tr

steel = tr.Pair(tr.STEEL, tr.STEEL)
load, speed = 80e3, 20.0
a, b = tr.hertz.ellipse(0.46, 0.30, steel, force=load).semi_axes
grid = tr.Grid(20, 20, 2.2 * a / 20, 2.2 * b / 20)
contact = tr.press(tr.Paraboloid(0.46, 0.30), grid, steel, force=load)

# %%
# **The model**: kinetic coefficient, drop, the slip speed at which half of it is left, and the
# compliance of a layer. Scaled, all are about 1.
scales = np.array([0.1, 0.1, 1.0, 5e-15])  # -, -, m/s, m/Pa


def friction_of(parameters):
    """Law and layer, as the solvers take them."""
    kinetic, drop, half, compliance = parameters * scales
    law = tr.friction.exponential(kinetic, (drop, half), memory=(3e-6, 1e-3))
    film = tr.Layer(shear_modulus=4e9, thickness=4e9 * compliance)
    return law, {"speed": speed, "layer": film}


def roll(parameters, xi):
    """Steady rolling at a creepage."""
    law, between = friction_of(parameters)
    return tr.roll_steady(contact, law, creepage=(xi, 0.0, 0.0), tol=1e-8, **between)


def curve(parameters):
    """Forces over load at all creepages."""
    return np.array([-roll(parameters, xi).force[0] / load for xi in creepages])


# %%
# **The data**: here synthetic, from known parameters, with 1 % of scatter.
creepages = np.array(
    [0.0004, 0.0008, 0.0015, 0.0025, 0.004, 0.006, 0.01, 0.02, 0.04, 0.1, 0.2]
)
true = np.array([1.4, 2.1, 0.9, 1.2])
rng = np.random.default_rng(7)
measured = curve(true) * (1.0 + 0.01 * rng.normal(size=creepages.size))


# %%
# **The fit**: residuals, and their Jacobian from the change of the forces with each parameter.
def residuals(parameters):
    """Model less measurement."""
    return curve(parameters) - measured


def change(t, parameters):
    """Change of the force over load to nearby parameters."""
    law, between = friction_of(parameters)
    return -t.change_with(law, **between)[0] / load


def jacobian(parameters):
    """Derivatives of the residuals by the parameters."""
    steps = 1e-6 * np.eye(parameters.size)
    solved = [roll(parameters, xi) for xi in creepages]
    return np.array([[change(t, parameters + h) / 1e-6 for h in steps] for t in solved])


start = np.array([2.0, 1.0, 2.0, 0.5])
fit = least_squares(residuals, start, jac=jacobian, bounds=(0.05, 10.0), xtol=1e-6)
spread = np.sqrt(
    np.diag(np.linalg.inv(fit.jac.T @ fit.jac)) * 2.0 * fit.cost / (creepages.size - 4)
)
names = ("kinetic coefficient", "drop", "half speed (m/s)", "compliance (m/Pa)")
for name, value, error, scale, known in zip(
    names, fit.x, spread, scales, true, strict=True
):
    print(
        f"{name:20s} {value * scale:.3g} +- {error * scale:.1g} (made with {known * scale:.3g})"
    )

fine = np.geomspace(2e-4, 0.2, 40)
rolled = [roll(fit.x, xi) for xi in fine]
figure, ax = plt.subplots(figsize=(7.5, 4.6), layout="constrained")
ax.semilogx(100 * creepages, measured, "o", color="0.4", label="measured")
ax.semilogx(100 * fine, [-t.force[0] / load for t in rolled], "C0", label="fitted")
tr.view.style_axes(
    ax, "creepage ξ (%)", "force over normal force", "A law fitted to measured creep forces"
)
ax.legend()
plt.show()

# %%
# The Jacobian agrees with finite differences, the fit is as good as the scatter allows, and where the
# curve falls its slope is negative.
step = np.array([0.0, 0.0, 1e-4, 0.0])
slopes = (curve(fit.x + step) - curve(fit.x - step)) / 2e-4
print(
    f"derivatives by the half speed: off by {np.abs(jacobian(fit.x)[:, 2] - slopes).max():.1e}"
)
assert np.abs(jacobian(fit.x)[:, 2] - slopes).max() < 1e-5 * np.abs(slopes).max()
assert np.abs(residuals(fit.x)).max() < 0.03 * measured.max()
assert np.all(np.abs(fit.x - true) < 4.0 * spread + 0.02)
assert rolled[-1].tangent[0, 0] > 0.0 > rolled[0].tangent[0, 0]
