"""
Has every time integrator the order it declares?
================================================

A pendulum swings from 2 rad: q'' = -sin q, smooth and nonlinear. The error at a fixed time falls with the
step as dt to the power of the order (Hairer, Norsett, Wanner, *Solving Ordinary Differential Equations I*,
section II.3). Section 3 of the thesis *Using CONTACT in dynamical simulations* (H. de Looij, 2015) states
these orders; here they are measured.
"""

import math

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

end = 3.0
pendulum = tr.SecondOrderSystem(
    1.0,
    lambda t, q: -math.sin(q),
    2.0,
    0.0,
    jacobian=lambda t, q, v: (-math.cos(q), 0.0),
    energy=lambda q: -math.cos(q),
)

# %%
# The reference takes steps so small that only rounding is left. Each method halves its step four times.
reference = tr.integrate(pendulum, "radau-iia", end / 640, end)
steps = 20 * 2 ** np.arange(5)


def error(method, n):
    """Distance from the reference in the plane of q and v."""
    history = tr.integrate(pendulum, method, end / n, end)
    return math.hypot(history.q[-1] - reference.q[-1], history.v[-1] - reference.v[-1])


errors, orders = {}, {}
for name in tr.methods():
    errors[name] = np.array([error(name, int(n)) for n in steps])
    seen = errors[name] > 1e-11  # below lie rounding and the tolerance of the equations
    orders[name] = float(np.polyfit(np.log(end / steps[seen])[-3:], np.log(errors[name][seen])[-3:], 1)[0])

# %%
# The slopes are measured on the three finest steps above rounding.
figure, ax = plt.subplots(figsize=(9.5, 6.4), layout="constrained")
for name, values in errors.items():
    label = f"{name}: {orders[name]:.2f} (declared {tr.method(name).order})"
    ax.loglog(end / steps, values, lw=1.8, ms=6, label=label, **tr.view.method_style(name))
tr.view.style_axes(ax, "step (s)", "error of (q, v) at t = 3 s", "Error of a pendulum: measured orders")
ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), fontsize=9.5, frameon=False, title="measured order")
plt.show()

# %%
# Within 0.05 of what each method declares.
worst = max(abs(orders[name] - tr.method(name).order) for name in orders)
print(f"largest distance between measured and declared order: {worst:.2f}")
assert worst < 0.05
