"""
Two thousand creep forces at once
=================================

Multibody programs need creep forces at thousands of creepages. The members of a batch share the
contact, and with it their matrices: one product advances all of them. Here is the lateral force
of a wheel over lateral creepage and spin, 41 x 49 members on 20 elements across.
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

pair, load, friction = tr.Pair(tr.STEEL, tr.STEEL), 80e3, 0.3
a, b = tr.hertz.ellipse(0.46, 0.30, pair, force=load).semi_axes
grid = tr.Grid(26, 26, 2 * a / 20, 2 * b / 20)
contact = tr.press(tr.Paraboloid(0.46, 0.30), grid, pair, force=load)

# %%
# **All members in one call.** Rows of creepages are (ξ, η, φ) of the wheel relative to the rail.
eta, spin = np.linspace(-4e-3, 4e-3, 41), np.linspace(-1.2, 1.2, 49)
lateral, turning = (field.ravel() for field in np.meshgrid(eta, spin))
creepages = np.column_stack((0 * lateral, lateral, turning))
batch = tr.Batch(grid, pair, precision="mixed")
found = batch.roll_steady(contact, friction, creepages)
print(found)

# %%
# Every member has a certificate of its own, computed from its tractions in double precision. A
# few of them beside :func:`traction.roll_steady`:
for k in (0, 700, 1500):
    single = tr.roll_steady(contact, friction, creepage=creepages[k])
    apart = np.abs(found.force[k] - single.force).max() / (friction * load)
    print(f"eta {creepages[k, 1]:+.4f}, spin {creepages[k, 2]:+.2f} rad/m: {apart:.0e} of mu Fn apart")
    assert apart < 1e-6
assert found.ok.all()

# %%
# Spin alone pushes the wheel sideways, most where part of the contact still sticks; lateral
# creepage saturates at the friction bound. The figure turned by 180° is its own negative.
share = found.force[:, 1].reshape(spin.size, eta.size) / (friction * load)
assert np.allclose(share, -share[::-1, ::-1], atol=1e-5)
alone = share[:, eta.size // 2]
most = np.abs(alone).argmax()
print(f"spin alone: {abs(alone[most]):.2f} mu Fn at most, at {abs(spin[most]):.2f} rad/m")

fig, (left, right) = plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained", width_ratios=(1.15, 1))
filled = left.contourf(1e3 * eta, spin, share, levels=np.linspace(-1, 1, 21), cmap="RdBu_r")
left.contour(1e3 * eta, spin, share, levels=[0.0], colors="black", linewidths=0.8)
fig.colorbar(filled, ax=left, label=r"lateral force $F_y/\mu F_n$")
left.set(xlabel=r"lateral creepage $\eta$ (10$^{-3}$)", ylabel=r"spin $\varphi$ (rad/m)")
for value in (0.0, 0.4, 0.8, 1.2):
    row = np.abs(spin - value).argmin()
    right.plot(1e3 * eta, share[row], label=f"{spin[row]:.1f}")
right.axhline(0.0, color="grey", linewidth=0.6)
right.set(xlabel=r"lateral creepage $\eta$ (10$^{-3}$)", ylabel=r"lateral force $F_y/\mu F_n$")
right.legend(title="spin (rad/m)")
plt.show()
