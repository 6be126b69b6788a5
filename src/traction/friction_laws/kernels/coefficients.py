"""Coefficients of friction in compiled code, with their derivatives by the slip speed, and their memory.

Units: speeds in m/s, distances in m, times in s; coefficients are pure numbers, derivatives in s/m.
"""

import math
from typing import NamedTuple

import numpy as np

from traction.compiled import kernel

LINEAR, RATIONAL, EXPONENTIAL, TABULATED = 0, 1, 2, 3  #: forms
LN2 = math.log(2.0)


class CompiledFriction(NamedTuple):
    """A law of friction as kernels take it."""

    form: int
    kinetic: float  #: mu at high speed
    first: float  #: m1
    first_speed: float  #: h1, m/s
    second: float  #: m2
    second_speed: float  #: h2, m/s
    #: rows (mu, d mu/du) at equal steps of u = ln(1 + s/first_speed), whose number per unit is `second_speed`
    table: np.ndarray


@kernel
def friction_coefficient(law, speed):
    """Coefficient of friction of steady sliding at a slip speed, and its derivative by it.

    At the corner of a linear law the derivative is that to its right.
    """
    if law.form == TABULATED:
        return interpolate_table(law.table, law.first_speed, law.second_speed, speed)
    mu, slope = law.kinetic, 0.0
    for term in range(2):
        m, h = (law.first, law.first_speed) if term == 0 else (law.second, law.second_speed)
        if m == 0.0:
            continue
        if law.form == LINEAR:
            if speed < 2.0 * h:
                mu += m * (1.0 - speed / (2.0 * h))
                slope -= m / (2.0 * h)
        elif law.form == EXPONENTIAL:
            part = m * math.exp(-LN2 * speed / h)
            mu += part
            slope -= part * LN2 / h
        elif term == 0:
            part = 1.0 / (1.0 + speed / h)
            mu += m * part
            slope -= m * part * part / h
        else:
            part = 1.0 / (1.0 + (speed / h) ** 2)
            mu += m * part
            slope -= m * part * part * 2.0 * speed / (h * h)
    return mu, slope


@kernel
def interpolate_table(table, scale, density, speed):
    """Cubic interpolation of a table in u = ln(1 + s/scale); constant beyond its end."""
    place = math.log1p(speed / scale) * density
    last = len(table) - 1
    if not place < last:
        return table[last, 0], 0.0
    k = int(place)
    t, step = place - k, 1.0 / density
    left, right = table[k, 1] * step, table[k + 1, 1] * step
    rise = table[k + 1, 0] - table[k, 0]
    b, c = 3.0 * rise - 2.0 * left - right, left + right - 2.0 * rise
    mu = table[k, 0] + t * (left + t * (b + t * c))
    return mu, (left + t * (2.0 * b + 3.0 * t * c)) * density / (scale + speed)


@kernel
def fill_coefficients(law, speeds, mu, slope):
    """Coefficients and their derivatives at many speeds, (n,)."""
    for i in range(speeds.size):
        mu[i], slope[i] = friction_coefficient(law, speeds[i])


@kernel
def keep_of_memory(distance, background, exact, speed, time):
    """Share of an earlier coefficient that is left after a time at a slip speed, and its derivative by it.

    d mu/dt = -max(s, s0)/dc (mu - mu_s): exp(-max(s, s0) dt/dc) where it is `exact` for a constant speed,
    else a step of implicit Euler, dc/(dc + max(s, s0) dt), as CONTACT takes it.
    """
    if distance <= 0.0:
        return 0.0, 0.0
    way = max(speed, background) * time / distance
    share = math.exp(-way) if exact else 1.0 / (1.0 + way)
    if speed <= background:
        return share, 0.0
    return share, -(share if exact else share * share) * time / distance
