"""
How hot does a sliding wheel become, and what is left of its friction?
======================================================================

Friction heats the surfaces of wheel and rail while they pass through the contact. At 30 m/s that takes
0.4 ms, in which heat penetrates a tenth of a millimetre: the patch is hottest towards its trailing edge, and
a warm band remains behind it. The contact is that of Ertz and Knothe (2002, Wear 253), semi-axes 5.88 and
10.54 mm under 100 kN; steel of 7850 kg/m3, 450 J/(kg K) and 50 W/(m K).
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

steel = tr.Pair(tr.STEEL, tr.STEEL)
V = 30.0  # rolling speed, m/s
grid = tr.Grid(96, 45, 0.2e-3, 0.5e-3, center=(-3e-3, 0.0))
wheel = tr.press(tr.Paraboloid(1 / 2.03, 1 / 0.843), grid, steel, force=100e3)
sliding = tr.roll_steady(wheel, 0.3, creepage=(-0.03333, 0.0, 0.0))  # 1 m/s of slip
hot = tr.flash_temperature(sliding, V)
print(f"{hot.largest:.1f} K, at a Peclet number of {hot.peclet[1]:.0f}")

# %%
# CONTACT prints 166.8 K for this case. It counts the heat of each element twice at that element, an error
# that vanishes with the square root of its length; whole cells reproduce it, digit for digit.
whole = tr.roll_steady(wheel, 0.3, creepage=(-0.03333, 0.0, 0.0), discretisation="classical")
printed = tr.flash_temperature(whole, V)
print(f"as CONTACT sums it: {printed.largest:.1f} K")
assert abs(printed.largest - 166.8) < 0.1
assert abs(hot.largest - 152.0) < 2.0

# %%
# **Friction that falls with the temperature**, from 0.35 below 50 K to 0.15 above 450 K: tractions and
# temperatures are then solved together. The creep curve falls after its maximum, as measured ones do.
law = tr.friction.thermal([50.0, 450.0], [0.35, 0.15])
creepages = np.array([0.0, 0.5, 1, 2, 3, 4, 6, 8, 12, 20, 30, 50, 80]) * 1e-3
cold = [tr.roll_steady(wheel, 0.35, creepage=(-xi, 0.0, 0.0)).force[0] for xi in creepages]
warm = [tr.roll_steady(wheel, law, creepage=(-xi, 0.0, 0.0), speed=V) for xi in creepages]
pull = [t.force[0] for t in warm]
field = warm[-3]  # at 3 % creepage
temperature = tr.flash_temperature(field, V)

figure, axes = plt.subplot_mosaic("tm;cc", figsize=(8.6, 7.4), layout="constrained")
x, y = 1e3 * wheel.grid.x, 1e3 * wheel.grid.y
for name, values, label in (
    ("t", np.asarray(hot), "temperature rise (K)"),
    ("m", np.where(wheel.contact, field.coefficient, np.nan), "coefficient of friction μ"),
):
    shades = axes[name].pcolormesh(
        x, y, values, cmap="inferno" if name == "t" else "viridis", shading="nearest"
    )
    axes[name].contour(x, y, wheel.contact, levels=[0.5], colors="0.7", linewidths=0.8)
    axes[name].set(xlabel="x (mm), rolling to the right", ylabel="y (mm)", aspect="equal")
    figure.colorbar(shades, ax=axes[name], label=label)
axes["t"].set_title("Slip of 1 m/s, μ = 0.3")
axes["m"].set_title("Temperature-dependent friction, 3 % creepage")
axes["c"].plot(100 * creepages, np.array(cold) / 1e3, "--", label="cold, μ = 0.35")
axes["c"].plot(100 * creepages, np.array(pull) / 1e3, "o-", label="heated by friction, 30 m/s")
tr.view.style_axes(axes["c"], "creepage -ξ (%)", "force on the wheel (kN)", "The creep curve falls")
axes["c"].legend(frameon=False)
plt.show()

# %%
top = int(np.argmax(pull))
print(f"maximum {pull[top] / 1e3:.1f} kN at {100 * creepages[top]:.1f} %, {pull[-1] / 1e3:.1f} kN at 8 %")
error = np.abs(law.coefficient(temperature.temperature) - field.coefficient)[wheel.contact].max()
print(f"coefficients agree with their own temperature within {error:.1e}")
assert pull[-1] < 0.8 * pull[top]
assert error < 1e-4
