"""
On which interval is Picard's iteration a contraction?
======================================================

Theorem 4.2 of Wei, Krishnaprasad and Dayawansa, *Modeling of impact on a flexible beam* (1993), proves
that the Hertz equation :math:`f = P f` has one solution on a short interval :math:`[0, \\delta]`, since P
is a contraction there. The paper gives no numbers; here they are, for a steel ball that strikes the
middle of a simply supported beam. With the bound M of the beam's response, forces up to N and :math:`c =
v_0/K + M N/K`, the proof needs

1. :math:`(c\\,\\delta)^{3/2} \\leq N`: P maps forces up to N to forces up to N;
2. :math:`\\rho = 2(\\delta^2/mK + M\\delta/K)\\sqrt{c\\,\\delta} < 1`: P brings any two of them closer.

(The paper bounds P f by t, which compares newtons with seconds; N in its place makes it free of units.
With the bracket cut off at zero, its second condition is not needed.) N may be chosen: the best one makes
the interval longest.
"""

import math

import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import brentq

import traction as tr

modulus, density, radius, speed = 2.2e6 * 9.80665e4, 7960.0, 0.01, 0.01
steel = tr.Pair(tr.Material(modulus, 0.3), tr.Material(modulus, 0.3))
length, EI, mass_per_length = 0.1535, modulus * 0.01**4 / 12, density * 0.01**2
beam = tr.Beam(length, EI, mass_per_length, supports=("pinned", "pinned"))
m = 4 / 3 * math.pi * radius**3 * density
K = tr.PowerLaw.hertz(radius, steel).coefficient ** (-2 / 3)  # approach = K f^(2/3)

# %%
# The response of the middle of the beam to an impulse, a sum over odd modes, is never larger than M.
k = np.arange(1, 400, 2)
omega = (k * math.pi / length) ** 2 * math.sqrt(EI / mass_per_length)
weights = 2.0 / (mass_per_length * length * omega)
M = weights.sum()


def rho(delta, N):
    """Factor by which P brings two forces closer, at most."""
    return 2.0 * (delta**2 / (m * K) + M * delta / K) * np.sqrt((speed + M * N) / K * delta)


def longest(N):
    """Largest interval on which both conditions hold."""
    return min(N ** (2 / 3) / ((speed + M * N) / K), brentq(lambda d: rho(d, N) - 1.0, 1e-12, 1e-2))


bounds = np.geomspace(0.05, 50.0, 400)
intervals = np.array([longest(N) for N in bounds])
N, delta = bounds[intervals.argmax()], intervals.max()
contact = tr.impact(beam, length / 2, tr.Striker(m, speed, radius=radius, pair=steel)).contacts[0]
duration = contact.end - contact.start
print(f"longest interval {1e6 * delta:.2f} µs, for N = {N:.2f} N; the contact lasts {1e6 * duration:.1f} µs")

# %%
# Picard's iteration on four fifths of it, where the factor is well below one, from zero force, on 2000
# times: the measured errors beside their bound :math:`\rho^n/(1-\rho)\,|P f_0 - f_0|`.
short = 0.8 * delta
t = np.linspace(0.0, short, 2001)
kernel = t / m + np.sin(np.outer(t, omega)) @ weights


def picard(f):
    """Right-hand side of the Hertz equation, by the trapezoidal rule."""
    product = np.convolve(f, kernel)[: t.size] - 0.5 * (f[0] * kernel + f * kernel[0])
    return (np.maximum(0.0, speed * t - product * (t[1] - t[0])) / K) ** 1.5


iterates = [np.zeros_like(t)]
for _ in range(9):
    iterates.append(picard(iterates[-1]))
errors = np.array([np.abs(f - iterates[-1]).max() for f in iterates[:7]])
factor = rho(short, N)
bound = factor ** np.arange(7) / (1.0 - factor) * np.abs(iterates[1]).max()

figure, (left, right) = plt.subplots(1, 2, figsize=(12.0, 4.4), layout="constrained")
left.loglog(bounds, 1e6 * intervals, lw=2.0)
left.plot(N, 1e6 * delta, "o", ms=8, label=f"{1e6 * delta:.1f} µs")
left.axhline(1e6 * duration, color="0.5", ls="--", lw=1.0, label="contact time")
tr.view.style_axes(
    left, "bound of the force N (N)", "interval δ (µs)", "Interval of the theorem", legend=True
)
right.semilogy(errors, "o-", label="measured")
right.semilogy(bound, "--", label="bound of the theorem")
tr.view.style_axes(right, "iterate", "largest error (N)", "Picard's iteration on it", legend=True)
plt.show()

# %%
# The proof is cautious: the iteration converges much faster than its bound, and the interval is a tenth
# of the contact. "Does Picard's iteration converge quickly?" shows what happens beyond it.
observed = (errors[1:] / errors[:-1]).max()
print(f"factor {factor:.3f} by the theorem, at most {observed:.4f} measured")
print(f"the interval is {100 * delta / duration:.0f} % of the contact")
assert abs(1e6 * delta - 16.07) < 0.02
assert observed < factor < 1.0
assert (errors <= bound).all()
