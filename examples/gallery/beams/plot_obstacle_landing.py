"""
How does a beam land?
=====================

A clamped beam is released above a flat obstacle. Its tip falls, strikes, and the contact spreads from
there to where the static contact begins. At the end of every step the beam does not penetrate the
obstacle, and what strikes does not rebound: both dissipate energy, and neither can create any, whatever
the step. The beam comes to rest in the static solution.
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

beam = tr.Beam(
    6.0, 1.0, 1.0, shear_stiffness=0.23**-2, supports=("clamped", "free"), damping=tr.Rayleigh(0.4, 0.03)
)
landing = tr.land(beam, 1.0, 1.0, 80, t_end=40.0, samples=4000)
static = tr.obstacle.solve(beam, 1.0, 1.0, 80)

figure, axes = plt.subplots(2, 2, figsize=(12.0, 7.6), layout="constrained")
tr.view.landing_plot(landing, axes[0, 0], title="Shapes, from pale to dark")
tr.view.landing_energy_plot(landing, axes[0, 1], title="Where the energy goes")

early = landing.t < 8.0
steps = landing.contact[early]
places = landing.model.nodes
shown = np.ma.masked_less_equal(steps.T, 0.0)
image = axes[1, 0].pcolormesh(landing.t[early], places, shown, vmin=0.0, vmax=5.0, rasterized=True)
axes[1, 0].axhline(static.free_length, color="#D55E00", ls="--", lw=1.6, label="start of the static contact")
figure.colorbar(image, ax=axes[1, 0], label="contact force (N/m)", extend="max")
tr.view.style_axes(axes[1, 0], "time (s)", "x (m)", "Where it touches", grid=False, legend=True)

axes[1, 1].semilogy(landing.t, np.maximum(landing.distance_from_rest, 1e-12), color="#0072B2", lw=1.6)
tr.view.style_axes(axes[1, 1], "time (s)", "largest distance (m)", "Distance from the shape at rest")
plt.show()

# %%
others = [tr.land(beam, 1.0, 1.0, 80, t_end=10.0, dt=dt) for dt in (0.02, 0.1)]  # other steps
growth = max(np.diff(one.energy).max() for one in (landing, *others))
x = np.linspace(0.0, 6.0, 81)
off = np.abs(landing.deflection(x)[-1] - static.deflection(x)).max()
print(f"largest growth of the energy {max(growth, 0.0):.0e} J; ends {off:.1e} m from the static solution")
assert growth < 1e-11
assert landing.distance_from_rest[-1] < 1e-5
assert off < 5e-4
