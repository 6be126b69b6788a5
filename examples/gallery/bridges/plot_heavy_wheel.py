"""
How exact is a beam under a heavy wheel?
========================================

A wheel of 150 t/m without springs rolls over an undamped beam and vibrates on its contact: a hard case
for `tr.cross`, whose bridge is a beam and whose contact is a half plane. Here this model is compared with
the exact solution, an elastic strip in plane strain whose end sections are held. A load :math:`\\sin kx` on
its top deflects it at rest by

.. math:: S(k) = \\frac{2(1-\\nu^2)}{Ek}\\,\\frac{\\sinh kh\\cosh kh + kh}{\\sinh^2 kh - (kh)^2}
   = \\frac{1}{EI k^4} + \\frac{6(1-\\nu)}{5\\,Gh\\,k^2} + \\dots,

and it moves in waves :math:`u_x = U(z)\\cos kx`, :math:`u_z = W(z)\\sin kx`. **Between the supports the force
of the beam is within 1.1 % of the weight**; with the frequencies and amplitudes of the strip's top, within
0.4 %.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.linalg import eigh
from scipy.special import j1

import traction as tr

L, h, E, nu, rho, R, V, m = 20.0, 1.8, 7e9, 0.3, 7850.0, 8.0, 10.0, 150e3  # m, m, Pa, -, kg/m3, m, m/s, kg/m
G, lame, soft, weight = E / (2 * (1 + nu)), E * nu / ((1 + nu) * (1 - 2 * nu)), (1 - nu**2) / E, 9.81 * m
EI, a, fastest = E * h**3 / (12 * (1 - nu**2)), np.sqrt(4 * weight * R * soft / np.pi), 2 * np.pi * 300.0
start, steps = 2.0, 2000
x, dt = np.linspace(start, L - start, steps + 1), (L - 2 * start) / V / steps

# %%
# **The strip.** Quadratic elements over the depth give the waves of each k. Those below 300 Hz move, the
# others follow the force quasi-statically. Hertz's pressure of half width a excites the part
# :math:`2 J_1(ka)/(ka)` of a wave.
n, k = 16, np.pi / L * np.arange(1, 3001)
i, j = (2 * np.arange(n)[:, None, None] + one for one in np.indices((3, 3)))
KK, MM, CC = np.zeros((3, 2 * n + 1, 2 * n + 1))  # integrals over z of f' f', f f and f' f
np.add.at(KK, (i, j), np.array([[7, -8, 1], [-8, 16, -8], [1, -8, 7]]) * n / (3 * h))
np.add.at(MM, (i, j), np.array([[4, 2, -1], [2, 16, 2], [-1, 2, 4]]) * h / (30 * n))
np.add.at(CC, (i, j), np.array([[-3, -4, 1], [4, 0, -4], [-1, 4, 3]]) / 6)
waves = []
for one in k[:40]:
    UW = one * (G * CC - lame * CC.T)
    UU, WW = (lame + 2 * G) * one**2 * MM + G * KK, (lame + 2 * G) * KK + G * one**2 * MM
    mass = np.kron(np.eye(2), rho * L / 2 * MM)
    squares, shapes = eigh(L / 2 * np.block([[UU, UW], [UW.T, WW]]), mass, subset_by_index=(0, 5))
    waves += [(w, one, shape[2 * n + 1]) for w, shape in zip(np.sqrt(squares), shapes.T, strict=True)]
omega, number, top = np.array([wave for wave in waves if wave[0] < fastest]).T
ka, kh = k * a, np.minimum(k * h, 30.0)
part, ratio = 2 * j1(ka) / ka, (np.sinh(kh) * np.cosh(kh) + kh) / (np.sinh(kh) ** 2 - kh**2)
at_rest = np.sin(np.outer(x, k)) ** 2 @ (4 * soft / (L * k) * ratio * part**2) + soft / (2 * np.pi)
strip = omega, number, top * 2 * j1(number * a) / (number * a), at_rest

# %%
# **The beam**: Timoshenko's modes, and at rest bending, shear and the approach of a half plane. The third
# model has the bending waves and the approach of the strip's top instead.
S, J = 20 / (24 - 9 * nu) * G * h, rho * h**3 / 12
middle = rho * h * (EI * k**2 + S) + J * S * k**2
squares = 2 * S * EI * k**4 / (middle + np.sqrt(middle**2 - 4 * rho * h * J * S * EI * k**4))
turning = k * S / (EI * k**2 + S - J * squares)
slow = squares < fastest**2
amplitude = np.sqrt(2 / L / (rho * h + J * turning**2))


def resting(shear, length):
    """Drop of the wheel per force at rest."""
    arms = x * (L - x)
    local = 2 * soft / np.pi * (np.log(2 * length / a) + 0.5)
    return arms**2 / (3 * L * EI) + arms / (L * shear) + local


beam = np.sqrt(squares[slow]), k[slow], amplitude[slow], resting(S, h / 2 * np.exp(-0.5 / (1 - nu)))
first = np.array([np.argmax(number == one) for one in np.unique(number)])  # the bending wave of each k
tops = omega[first], number[first], np.abs(top[first]), resting(5 / (6 * (1 - nu)) * G * h, 0.2048 * h)


# %%
# **The ride.** Modes and wheel move exactly under a force that is linear within a step; the force at its end
# follows from z = w + residual compliance times F.
def ride(omega, k, top, at_rest):
    """Contact force over weight, from the velocities of a weight that rolls slowly."""
    loads, square = top * np.sin(np.outer(x, k)), omega**2
    residual = at_rest - (loads**2 / square).sum(axis=1)
    q, v = weight * loads[0] / square, weight * V * top * k * np.cos(k * x[0]) / square
    z, fall = at_rest[0] * weight, V * weight * (at_rest[1] - at_rest[0]) / (x[1] - x[0])
    c, s, F, forces = np.cos(omega * dt), np.sin(omega * dt) / omega, weight, [weight]
    for one, old, give in zip(loads[1:], loads[:-1], residual[1:], strict=True):
        g0, per = F * old / square, one / square
        free = c * (q - g0) + s * (v + g0 / dt)
        z0 = z + dt * fall + dt**2 * (9.81 / 2 - F / (3 * m))
        new = (z0 - one @ free) / (one @ (per - s * per / dt) + give + dt**2 / (6 * m))
        rate = (new * per - g0) / dt
        q, v = new * per + c * (q - g0) + s * (v - rate), rate - square * s * (q - g0) + c * (v - rate)
        z, fall, F = z0 - new * dt**2 / (6 * m), fall + dt * (9.81 - (F + new) / (2 * m)), new
        forces.append(F)
    return np.array(forces) / weight


forces = {name: ride(*model) for name, model in (("strip", strip), ("beam", beam), ("top", tops))}
off = {name: np.abs(force - forces["strip"]).max() for name, force in forces.items()}
figure, (left, right) = plt.subplots(1, 2, figsize=(12.5, 4.4), layout="constrained", width_ratios=(1, 1.7))
both, wide = [np.array([beam[row][:12], tops[row][:12]]) for row in (0, 2)], k[:12] * h
left.plot(wide, 100 * (both[0][0] / both[0][1] - 1), "o-", label="frequency")
left.plot(wide, 100 * ((both[1][0] / both[1][1]) ** 2 - 1), "s-", label="amplitude of the top, squared")
words = "wave number times height, kh", "beam relative to strip (%)", "Error of the beam's modes"
tr.view.style_axes(left, *words, legend=True)
for name, label in (("strip", "strip, exact"), ("beam", "beam and half plane, as in tr.cross")):
    right.plot(x, forces[name], lw=1.5, label=label)
words = "position of the wheel (m)", "contact force over weight", "Contact force, undamped"
tr.view.style_axes(right, *words, legend=True)
plt.show()

for name in ("beam", "top"):
    print(f"{name}: the force differs by at most {100 * off[name]:.2f} % of the weight")
assert 0.009 < off["beam"] < 0.012
assert off["top"] < 4e-3
