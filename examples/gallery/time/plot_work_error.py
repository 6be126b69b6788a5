"""
Which method buys accuracy with the least work?
===============================================

One bounce of the ball of the thesis *Using CONTACT in dynamical simulations* (H. de Looij, 2015, section
4): the error of the contact time against the evaluations of force and stiffness, which dominate the cost
when each solves a contact problem. Exact is the energy integral, evaluated with 40 digits (Johnson,
*Contact Mechanics*, section 11.4, with gravity added). The force begins with the power 3/2 of the
penetration, so that high orders do not show in full. RK4 still needs the least work for an error of 1e-5,
with fixed steps and with steps by tolerance. Radau needs more than twice as much, since it solves for its
stages.
"""

import math

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

rubber = tr.Pair(tr.Material(math.inf, 0.3, density=910.0), tr.Material(1.5e8, 0.5))
ball = {"ball_radius": 0.11, "pair": rubber, "height": 1.0, "t_end": 0.46}
contact_time = 3.03496111457585438e-3


def work_and_error(**options):
    """Evaluations of force and stiffness, and the relative error of the contact time."""
    history = tr.bounce(**ball, **options)
    work = history.stats["force_evaluations"] + history.stats["jacobian_evaluations"]
    return work, abs(history.contacts[0].duration / contact_time - 1.0)


# %%
# Fixed steps of Tc/10 to Tc/320, and steps chosen by tolerance: low orders cannot pay for tight ones.
tightest = {1: -5, 2: -6, 4: -9, 5: -9}
fixed, auto = {}, {}
for name, method in tr.methods().items():
    counts = 10 * 2 ** np.arange(6)
    fixed[name] = np.array([work_and_error(method=name, dt=contact_time / n) for n in counts])
    tolerances = 10.0 ** np.arange(-3, tightest[method.order] - 1, -1)
    auto[name] = np.array([work_and_error(method=name, rtol=rtol) for rtol in tolerances])

# %%
# Down and to the left is better.
figure, axes = plt.subplots(1, 2, figsize=(13.0, 5.8), layout="constrained", sharex=True, sharey=True)
for ax, found, title in (
    (axes[0], fixed, "Fixed steps, contact located"),
    (axes[1], auto, 'Steps by tolerance, dt="auto"'),
):
    for name, values in found.items():
        ax.loglog(values[:, 0], values[:, 1], lw=1.7, ms=6, label=name, **tr.view.method_style(name))
    ax.axhline(1e-5, color="#8a8f98", lw=1.0, ls="--")
    tr.view.style_axes(ax, "evaluations of force and stiffness", "error of the contact time", title)
axes[1].set_ylabel("")
axes[1].legend(loc="center left", bbox_to_anchor=(1.0, 0.5), fontsize=9.5, frameon=False)
plt.show()


# %%
# Work for an error of 1e-5 (dashed), by interpolation; a dash where it is not reached.
def work_for(found, target=1e-5):
    """Evaluations for the target, or infinity."""
    work, error = found[np.argsort(found[:, 0])].T
    if error.min() > target:
        return math.inf
    return float(np.exp(np.interp(-math.log(target), -np.log(error), np.log(work))))


for name in fixed:
    works = {kind: work_for(found[name]) for kind, found in (("fixed", fixed), ("auto", auto))}
    words = [f"{kind} {work:4.0f}" if work < math.inf else f"{kind} -   " for kind, work in works.items()]
    print(f"{name:<18}", "  ".join(words))
assert work_for(fixed["rk4"]) == min(work_for(found) for found in fixed.values())
assert work_for(fixed["radau-iia"]) > 2.0 * work_for(fixed["rk4"])
assert work_for(auto["rk4"]) < min(work_for(auto[name]) for name in auto if name != "rk4")
