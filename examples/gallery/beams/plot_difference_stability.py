"""
At which step do finite differences of a bridge become unstable?
================================================================

Figure 9 of the thesis *Using CONTACT in dynamical simulations* (H. de Looij, 2015): a load crosses its
bridge, divided into 100 cells, by Verlet's method. Von Neumann's analysis of a grid without ends limits
the step to :math:`\\frac{1}{2} \\Delta x^2 \\sqrt{\\rho/EI}` = 3.8977e-5 s (5.37). Between two clamps the
highest frequency is slightly lower, and the limit :math:`2/\\omega` is 3.89868e-5 s: a step of 3.898e-5 s,
above von Neumann's limit, is still stable, and the 3.899e-5 s of figure 9 is not. For its RK4 the thesis
reports a limit that shrinks with :math:`\\Delta x^4` (5.38). The limit of the classical RK4 is
:math:`2\\sqrt{2}/\\omega`, here 5.5136e-5 s: like that of Verlet's method it shrinks with
:math:`\\Delta x^2`, and it is 1.4 times as long.
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

L, EI, m, n = 20.0, 2e11 * 0.0104, 7900.0, 100  # m, N m2, kg/m; cells
force, speed = 76e3 * 9.81, 30.0  # N, m/s
dx = L / n
x = dx * np.arange(1, n)  # the nodes that move

# %%
# The beam :math:`m \ddot w + EI\,\partial^4 w/\partial x^4 = p` by fourth differences: 1, -4, 6, -4, 1 over
# :math:`\Delta x^4`. At a clamp the neighbouring node is mirrored, so that the first and the last row have 7
# in place of 6. The load is shared between the two nodes beside it.
fourth = sum(c * np.eye(n - 1, k=k) for c, k in ((1, -2), (-4, -1), (6, 0), (-4, 1), (1, 2)))
fourth[0, 0] = fourth[-1, -1] = 7
A = -EI / (m * dx**4) * fourth


def push(t):
    """Acceleration of the nodes by the load."""
    return force / (m * dx) * np.maximum(0.0, 1.0 - np.abs(x - speed * t) / dx)


def verlet(dt, t_end):
    """Deflections w of all steps by w'' = A w + push(t), stable or not."""
    w = np.zeros((round(t_end / dt) + 1, n - 1))
    for k in range(1, len(w) - 1):
        w[k + 1] = 2 * w[k] - w[k - 1] + dt**2 * (A @ w[k] + push(k * dt))
    return w


def rk4(dt, t_end):
    """Likewise, by the classical method of Runge and Kutta."""
    w, v = np.zeros((round(t_end / dt) + 1, n - 1)), np.zeros(n - 1)
    for k in range(len(w) - 1):
        u, t = w[k], k * dt
        a1 = A @ u + push(t)
        a2 = A @ (u + dt / 2 * v) + push(t + dt / 2)
        a3 = A @ (u + dt / 2 * v + dt**2 / 4 * a1) + push(t + dt / 2)
        a4 = A @ (u + dt * v + dt**2 / 2 * a2) + push(t + dt)
        w[k + 1] = u + dt * v + dt**2 / 6 * (a1 + a2 + a3)
        v = v + dt / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
    return w


# %%
# The highest frequency of the matrix sets both limits. `tr.Beam.differences` makes the same grid, and with it
# a step above the limit raises an error that states the limit.
omega = np.sqrt(-np.linalg.eigvalsh(A)[0])
limits = {"verlet": 2.0 / omega, "rk4": 2.0 * np.sqrt(2.0) / omega}
beam = tr.Beam(L, EI, m)
grid = beam.differences(n)
print(f"von Neumann: {grid.von_neumann_limit('verlet'):.4e} s")
for name, limit in limits.items():
    print(f"{name}: {limit:.5e} s; tr.Beam.differences: {grid.stability_limit(name):.5e} s")
try:
    tr.moving_load(beam, [(force, 0.0)], speed, model="differences", size=n, method="verlet", dt=3.899e-5)
except tr.InputError as error:
    print(error)

# %%
# The bridge as the instability begins, and how fast it grows above the limit.
figure, axes = plt.subplots(1, 3, figsize=(15.0, 4.8), layout="constrained")
for dt, colour, width in ((3.899e-5, "#c8553d", 0.9), (3.898e-5, "#1f4e79", 2.0)):
    w = verlet(dt, 0.0255)[-1]
    axes[0].plot(x, 1e3 * w, color=colour, lw=width, label=f"dt = {dt:.3e} s")
axes[0].plot(speed * 0.0255, 0.0, "v", color="#222222", ms=9, label="load", clip_on=False)
tr.view.style_axes(axes[0], "x (m)", "deflection (mm), downwards", "After 26 ms, Verlet's method")
axes[0].set_ylim(0.5, -0.62)
axes[0].legend(fontsize=9, frameon=False, ncols=3, loc="upper center", columnspacing=1.0)

growth = {}
for ax, method, t_end in ((axes[1], verlet, 0.1), (axes[2], rk4, 0.4)):
    limit = limits[method.__name__]
    shares = (0.999, 0.9999, 1.0001, 1.001)
    for share, colour in zip(shares, ("#588157", "#1f4e79", "#e09f3e", "#c8553d"), strict=True):
        with np.errstate(over="ignore", invalid="ignore"):
            size = np.abs(method(share * limit, t_end)).max(axis=1)
        growth[method, share] = size[-1]
        t, shown = share * limit * np.arange(size.size), (size > 0.0) & (size < 1e40)
        ax.semilogy(1e3 * t[shown], size[shown], color=colour, lw=1.6, label=f"{share:g} of the limit")
    ax.set_ylim(1e-6, 1e12)
    title = f"{method.__name__}, limit {limit:.5e} s"
    tr.view.style_axes(ax, "t (ms)", "largest deflection (m)", title, legend=True)
plt.show()

# %%
# 0.1 % below the limit the bridge deflects by millimetres; 0.1 % above it the deflection exceeds a thousand
# kilometres.
assert abs(limits["verlet"] / 3.89868e-5 - 1.0) < 1e-6
assert abs(limits["rk4"] / 5.5136e-5 - 1.0) < 1e-5
for name, limit in limits.items():
    assert abs(limit / grid.stability_limit(name) - 1.0) < 1e-9
assert max(growth[method, 0.999] for method in (verlet, rk4)) < 0.02
assert min(growth[method, 1.001] for method in (verlet, rk4)) > 1e6
