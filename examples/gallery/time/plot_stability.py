"""
How large a step is stable, and what does it do to an oscillation?
==================================================================

The classical picture of linear stability (Hughes, *The Finite Element Method*, section 9.1): one step of a
method on q'' + omega^2 q = 0 is a matrix. Its spectral radius says whether the oscillation stays bounded,
its eigenvalues how much longer the period becomes and how much energy is lost. The thesis *Using CONTACT in
dynamical simulations* (H. de Looij, 2015) calls explicit methods like RK4 "never stable", and Newmark's
method explicit for beta = gamma = 0 only. RK4 is stable up to omega*dt = 2 sqrt 2; Newmark's method is
explicit for beta = 0, and stable for every step if 2 beta >= gamma >= 1/2.
"""

import math

import matplotlib.pyplot as plt

import traction as tr

# %%
# All methods with their default options.
results = [tr.stability(name) for name in tr.methods()]
limits = {result.method: result.limit for result in results}
for name, limit in limits.items():
    print(
        f"{name:<18}", f"stable up to omega dt = {limit:.4f}" if limit < math.inf else "stable for every step"
    )

# %%
# Circles mark the limits. Beyond them, and for forward Euler everywhere, oscillations grow. Some curves lie
# on each other: symplectic Euler on Verlet, the energy-conserving method on Newmark, Radau IA on IIA, and the
# period errors of forward and backward Euler.
tr.view.stability_plot(results)
plt.show()

# %%
# The limits are found by bisection on the spectral radius.
assert abs(limits["verlet"] - 2.0) < 1e-6
assert abs(limits["rk4"] - 2.0 * math.sqrt(2.0)) < 1e-6
assert limits["euler-forward"] == 0.0
assert all(math.isinf(limits[name]) for name in ("newmark", "hht", "generalized-alpha", "radau-iia"))
