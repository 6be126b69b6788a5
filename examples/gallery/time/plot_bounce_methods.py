"""
Which time integrators keep the energy of a bouncing ball?
==========================================================

A ball falls 1 m on rubber and should rise to 1 m after every bounce. Figures 2 to 4 of the thesis *Using
CONTACT in dynamical simulations* (H. de Looij, 2015, section 4.7) show its height, its energies, and
forward Euler gaining with every bounce. Here all methods take the same step, a fifteenth of the contact
time, not fitted to the contact (``locate_events=False``), as in the thesis; the free flight is exact, so
that all differences arise in the contact. The thesis says that explicit methods like RK4 "are never
stable" and that backward Euler damps when the step is too *small*. RK4 is stable up to omega*dt = 2.83 and
keeps the energy here to 0.1 %; backward Euler damps when the step is too *large*.
"""

import math

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

rubber = tr.Pair(tr.Material(math.inf, 0.3, density=910.0), tr.Material(1.5e8, 0.5))
ball = {"ball_radius": 0.11, "pair": rubber, "height": 1.0, "t_end": 4.4}
dt = tr.bounce(**ball).contacts[0].duration / 15.0

# %%
# All methods with their default options; of each the energy in flight after every contact.
histories = {name: tr.bounce(**ball, method=name, dt=dt, locate_events=False) for name in tr.methods()}


def change_after_contacts(history):
    """E/E0 - 1 in the flights after each contact."""
    leaves = np.flatnonzero((history.q[:-1] < 0.0) & (history.q[1:] >= 0.0)) + 1
    return history.energy[leaves] / history.energy[0] - 1.0


changes = {name: change_after_contacts(history) for name, history in histories.items()}
for name, change in changes.items():
    print(f"{name:<18}", " ".join(f"{value:+.1e}" for value in change[:5]))

# %%
# Of each method above its height (thesis, figures 2 and 4), below its energies, gravitational, kinetic
# and elastic, one on top of the other (figure 3), over the first four bounces. The dashes are the start.
figure = plt.figure(figsize=(15.0, 13.0), layout="constrained")
most = 6  #: methods in a row
names = list(histories)
rows = [names[:most], [*names[most:], *["."] * (2 * most - len(names))]]
pattern = []
for row in rows:
    pattern += [[f"{name} {what}" if name != "." else "." for name in row] for what in ("height", "energy")]
pattern.append(["change"] * most)
panels = figure.subplot_mosaic(pattern, height_ratios=[1.0, 1.0, 1.0, 1.0, 1.7])
energies = {"gravitational_energy": "#0072B2", "kinetic_energy": "#E69F00", "elastic_energy": "#009E73"}
start = histories["rk4"].energy[0]
for name, history in histories.items():
    t, shown = history.t, history.t <= 3.0
    height, energy = panels[f"{name} height"], panels[f"{name} energy"]
    fine = np.linspace(0.0, 3.0, 1500)
    height.plot(fine, history.at(fine), color=tr.view.method_style(name)["color"], lw=1.4)
    parts = [np.maximum(getattr(history, part)[shown], 0.0) / start for part in energies]
    energy.stackplot(t[shown], parts, colors=list(energies.values()), alpha=0.75, lw=0.0)
    for ax, limit in ((height, 2.2), (energy, 2.2)):
        ax.axhline(1.0, color="#23272e", lw=1.0, ls="--")
        ax.set(xlim=(0.0, 3.0), ylim=(0.0, limit), xticks=[0, 1, 2, 3], yticks=[0, 1, 2])
    first = name in (names[0], names[most])
    tr.view.style_axes(height, "", "height (m)" if first else "", name)
    tr.view.style_axes(energy, "time (s)", "E / E₀" if first else "", "")
swatches = [plt.Rectangle((0.0, 0.0), 1.0, 1.0, color=color, alpha=0.75) for color in energies.values()]
words = [part.removesuffix("_energy") for part in energies]
figure.legend(swatches, words, loc="upper left", bbox_to_anchor=(0.86, 0.6), frameon=False, title="energy")

# Change of the energy after the contacts 1 (small dots) to 5 (large dots).
ax = panels["change"]
for row, (name, change) in enumerate(changes.items()):
    sizes = 18.0 * np.arange(1, 6)[: len(change[:5])]
    color = tr.view.method_style(name)["color"]
    ax.plot(change[:5], np.full(len(change[:5]), row), color=color, lw=1.0, alpha=0.5)
    ax.scatter(change[:5], np.full(len(change[:5]), row), s=sizes, color=color, zorder=3)
ax.set_xscale("symlog", linthresh=1e-5, linscale=0.6)
ax.axvline(0.0, color="#23272e", lw=1.0)
ax.axvspan(0.0, 100.0, color="#D55E00", alpha=0.06, lw=0.0)
ax.axvspan(-2.0, 0.0, color="#0072B2", alpha=0.06, lw=0.0)
ax.set_xlim(-2.0, 100.0)
ax.set_yticks(range(len(changes)), list(changes))
ax.invert_yaxis()
ax.text(0.99, 0.03, "gains energy", color="#D55E00", transform=ax.transAxes, ha="right")
ax.text(0.01, 0.03, "loses energy", color="#0072B2", transform=ax.transAxes)
title = "Change of the energy after contacts 1 to 5, dt = contact time / 15"
tr.view.style_axes(ax, "E / E₀ - 1 (linear between the two marks beside 0)", "", title)
plt.show()

# %%
# Forward Euler has more than ten times the energy after three contacts; the energy-conserving method keeps
# it.
assert changes["euler-forward"][2] > 9.0
assert changes["euler-backward"][1] < -0.5
assert np.abs(changes["energy-conserving"]).max() < 1e-9
assert max(np.abs(changes[name]).max() for name in ("rk4", "radau-ia", "radau-iia")) < 2e-3
