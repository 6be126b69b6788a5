"""
Which time integrator carries a train across a bridge best?
===========================================================

The thesis *Using CONTACT in dynamical simulations* (H. de Looij, 2015) compares integrators on a bouncing
ball and on a beam (sections 4 and 5), and leaves their combination to later work (section 6). This page
compares them on a wheel of 76 t in Hertzian contact that crosses its bridge of 20 m at 30 m/s, in ten
modes, by all methods, and by the march condensed to the contact, which is the default of ``tr.cross``.
"""

import math

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

bridge = tr.Bridge(tr.Beam(20.0, 2e11 * 0.0104, 7900.0), tr.STEEL)
steps = [4e-3, 2e-3, 1e-3, 5e-4]
found = tr.compare_methods(bridge, [(tr.Wheel(0.46, 76e3), 0.0)], 30.0, steps=steps, t_end=0.2)
print(found.table())
print(f"highest frequency {found.frequency:.0f} rad/s: 2/omega = {2e3 / found.frequency:.3g} ms")

# %%
# Accuracy over the step and over the cost; stability limits, declared by the theory of one oscillation
# (lines) and found by marching (dots); and the energy that a method adds or takes itself.
figure, ((accuracy, cost), (limits, energy)) = plt.subplots(2, 2, figsize=(13.0, 10.0), layout="constrained")


def style(name):
    known = {"color": "#c0392b", "ls": "-", "marker": "o"}
    return {"lw": 2.6 if name == "condensed" else 1.6, "ms": 6.0,
            **(known if name == "condensed" else tr.view.method_style(name))}  # fmt: skip


for name in [limit.method for limit in found.limits]:
    runs = [run for run in found.of(name) if math.isfinite(run.force_error)]
    if not runs:
        continue
    dt, errors = [1e3 * run.dt for run in runs], [run.deflection_error for run in runs]
    accuracy.loglog(dt, errors, label=name, **style(name))
    cost.loglog([run.evaluations for run in runs], errors, **style(name))
    if runs[-1].drift > 0.0:
        energy.loglog(dt, [run.drift for run in runs], **style(name))
for order, place in ((1, 1.2e-3), (2, 8e-6), (5, 1.0e-9)):
    near = np.array([0.5, 0.85])
    accuracy.loglog(near, place * (near / 0.5) ** order, color="#8a919c", lw=1.2)
    accuracy.annotate(f"  order {order}", (0.85, place * 1.7**order), color="#5c6470", va="center")
for ax, ticks in ((accuracy, [0.5, 1, 2, 4]), (energy, [0.5, 1, 2, 4]), (cost, [200, 500, 1000, 2000])):
    ax.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    ax.minorticks_off()
tr.view.style_axes(accuracy, "step (ms)", "largest error of the deflection at midspan", "Accuracy")
tr.view.style_axes(cost, "evaluations of the forces (condensed: iterations)", "", "Accuracy for its cost")
tr.view.style_axes(energy, "step (ms)", "energy added or taken / work", "Numerical energy")
energy.annotate("energy-conserving and condensed: none",
                (0.97, 0.04), xycoords="axes fraction", ha="right", color="#23272e")  # fmt: skip

# Every method on its line: pale where the theory says stable, a dot where marching stopped being so.
far = 20.0
for row, limit in enumerate(reversed(found.limits)):
    color, endless = style(limit.method)["color"], math.isinf(limit.declared)
    limits.plot([0.05, min(limit.declared, far)], [row, row], color=color, lw=7.0, alpha=0.35,
                solid_capstyle="butt")  # fmt: skip
    mark = ">" if endless else "o"
    limits.plot(far if endless else max(limit.found, 0.05), row, color=color, marker=mark, ms=9.0)
    words = "any step" if endless else f"{limit.found:.2f}, declared {limit.declared:.2f}"
    if limit.declared == 0.0:
        words = "never"
    limits.annotate(
        words, (far * 1.25 if endless else max(limit.found, 0.05) * 1.25, row), va="center", fontsize=9
    )
limits.set(xscale="log", xlim=(0.05, 80.0), yticks=range(len(found.limits)))
limits.set_yticklabels([limit.method for limit in reversed(found.limits)])
tr.view.style_axes(
    limits, "highest frequency x step", "", "Stability limits, declared (bars) and found (marks)"
)
figure.legend(*accuracy.get_legend_handles_labels(), loc="outside lower center", ncols=6, frameon=False)
plt.show()

# %%
# Limits are where theory puts them, and at equal steps the condensed march beats all others of second
# order.
declared = {limit.method: limit for limit in found.limits}
for name in ("verlet", "symplectic-euler", "rk4"):
    assert abs(declared[name].found / declared[name].declared - 1.0) < 0.05
assert declared["euler-forward"].found == 0.0
assert all(limit.found == limit.declared for limit in found.limits if math.isinf(limit.declared))
best = found.of("condensed")[-1]
assert all(best.force_error < 0.3 * found.of(name)[-1].force_error for name in ("verlet", "newmark", "hht"))
assert best.force_error < 3e-4
