"""
Why does a brake squeal, and a violin string sound?
===================================================

A mass on a spring rests on a moving belt. Where friction falls with the slip speed, it feeds energy into any
small oscillation: N mu'(V) is a negative damping. The oscillation grows until the mass sticks to the belt for
part of each cycle, longer on slower belts. Damping larger than -N mu'(V) prevents it.
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

mass, stiffness, load = 1.0, 1e3, 10.0  # kg, N/m, N
law = tr.friction.exponential(0.25, (0.15, 0.05))  # 0.4 at rest, 0.25 at high speed
natural = np.sqrt(stiffness / mass) / (2.0 * np.pi)

# %%
# From rest the belt first drags the mass along; within two cycles it reaches its limit cycle.
speeds = (0.02, 0.05, 0.1)
cycles = {V: tr.belt_oscillator(mass, stiffness, load, law, V, t_end=1.5) for V in speeds}
for V, h in cycles.items():
    print(
        f"{V:5.2f} m/s: {h.frequency:.3f} Hz ({natural:.3f} Hz free), amplitude {1e3 * h.amplitude:.2f} mm, "
        f"sticks {100 * h.stick_share:.0f} % of the time"
    )

# %%
# **The onset**: the equilibrium is unstable where c + N mu'(V) < 0. With a damping of 3 N s/m, friction
# falls fast enough below a belt speed of 0.14 m/s.
damping = 3.0
belts = np.linspace(0.01, 0.3, 200)
effective = damping + load * law.derivative(belts)
onset = float(np.interp(0.0, effective, belts))
quiet, loud = (
    tr.belt_oscillator(mass, stiffness, load, law, V, damping=damping, q0=3.5e-3, t_end=4.0)
    for V in (1.25 * onset, 0.75 * onset)
)

figure, axes = plt.subplots(1, 3, figsize=(12.5, 4.4), layout="constrained")
for V, h in cycles.items():
    last = h.t > h.cycle[0]
    axes[0].plot(1e3 * h.q[last], h.v[last], label=f"belt at {V:g} m/s")
tr.view.style_axes(axes[0], "position q (mm)", "velocity v (m/s)", "Limit cycles, flat in stick")
axes[0].set_xlim(-2.5, 13.0)
axes[0].legend(frameon=False)
axes[1].plot(belts, effective)
axes[1].axhline(0.0, color="0.6", lw=0.8)
axes[1].axvline(onset, color="C3", ls=":", label=f"onset at {onset:.3f} m/s")
tr.view.style_axes(
    axes[1], "belt speed V (m/s)", "damping c + N μ'(V) (N s/m)", "Damping of small oscillations"
)
axes[1].legend(frameon=False)
for h, name in ((loud, "25 % slower than the onset"), (quiet, "25 % faster")):
    axes[2].plot(h.t, 1e3 * h.q, lw=0.9, label=name)
tr.view.style_axes(axes[2], "time t (s)", "position q (mm)", "Growth and decay")
axes[2].set_ylim(-1.5, 9.5)
axes[2].legend(frameon=False)
plt.show()

# %%
print(f"onset at {onset:.4f} m/s; sticks {len(loud.sticks)} times below it, {len(quiet.sticks)} times above")
assert cycles[0.02].stick_share > cycles[0.05].stick_share > cycles[0.1].stick_share
assert len(loud.sticks) > 3
assert len(quiet.sticks) == 0
assert abs(quiet.q[-1] - quiet.oscillator.equilibrium) < 0.5 * abs(quiet.q[0] - quiet.oscillator.equilibrium)
