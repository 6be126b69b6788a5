"""A body that strikes rigid ground: force, depth and duration of the contact from its energy."""

from __future__ import annotations

import math
from typing import NamedTuple, TypeVar

import numpy as np

from traction.laws.kernels.law_values import (
    POWER,
    REMEMBERED,
    CompiledLaw,
    contact_energies,
    contact_force,
    power_response,
)

Number = TypeVar("Number", float, np.ndarray)


class RigidStrike(NamedTuple):
    """An elastic contact on rigid ground."""

    force: float  #: largest, N
    depth: float  #: deepest approach, m
    duration: float  #: s


def power_depth(coefficient: float, exponent: float, mass: Number, speed: Number) -> Number:
    """Largest approach (m) on rigid ground under F = k delta^n: all energy is in the contact."""
    return (0.5 * (exponent + 1.0) * mass * speed**2 / coefficient) ** (1.0 / (exponent + 1.0))


def power_time(exponent: float) -> float:
    """Time of a contact on rigid ground over depth/speed; 2.943 for Hertz."""
    p = 1.0 / (exponent + 1.0)
    return 2.0 * math.sqrt(math.pi) * math.gamma(1.0 + p) / math.gamma(0.5 + p)


def strike_rigid_ground(law: CompiledLaw, mass: float, speed: float) -> RigidStrike:
    """Strike on rigid ground, for a power law in closed form, otherwise by the energy integral.

    t = int d(delta)/sqrt(v^2 - 2 U(delta)/m), whose singularity delta = D sin^2 removes.
    """
    if law.kind == POWER:
        depth = power_depth(law.coefficient, law.exponent, mass, speed)
        force = power_response.py_func(law.coefficient, law.exponent, depth)[0]
        return RigidStrike(force, depth, power_time(law.exponent) * depth / speed)
    depth = _depth_of(law, 0.5 * mass * speed**2)
    nodes, weights = np.polynomial.legendre.leggauss(40)
    angle = 0.25 * np.pi * (nodes + 1.0)
    depths = depth * np.sin(angle) ** 2
    speeds = np.sqrt(np.maximum(speed**2 - 2.0 * _stored(law, depths) / mass, 1e-300))
    half = 0.25 * np.pi * float((weights * depth * np.sin(2.0 * angle) / speeds).sum())
    force = float(contact_force(law, np.zeros(REMEMBERED), depth, 0.0)[0])
    return RigidStrike(force, depth, 2.0 * half)


def _depth_of(law: CompiledLaw, energy: float) -> float:
    """Approach (m) at which the contact stores an energy (J), by bisection."""
    low, high = 0.0, 1e-12
    for _ in range(400):
        if _stored(law, np.array([high]))[0] >= energy:
            break
        high *= 2.0
    for _ in range(200):
        middle = 0.5 * (low + high)
        if _stored(law, np.array([middle]))[0] < energy:
            low = middle
        else:
            high = middle
        if high - low <= 1e-15 * high:
            break
    return high


def _stored(law: CompiledLaw, depths: np.ndarray) -> np.ndarray:
    """Energies (J) at depths (m) on the way in."""
    return np.asarray(contact_energies(law, np.zeros((depths.size, REMEMBERED)), depths))
