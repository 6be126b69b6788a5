"""Inputs of the closed forms: points as arrays, and a pair of bodies or its modulus."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.errors import InputError
from traction.materials import Pair


def modulus(pair: Pair | float) -> float:
    """E* of a pair of bodies, or of a plain number."""
    if isinstance(pair, Pair):
        return pair.effective_modulus
    return checks.positive("pair", pair, "Pa", "give a tr.Pair, or its effective modulus E*.")


def known(pair: Pair | float) -> Pair | None:
    """The pair, if it is one and not a plain number."""
    return pair if isinstance(pair, Pair) else None


def depth(z: ArrayLike) -> np.ndarray:
    """Depths below the surface, m."""
    array = checks.finite_points("z", z)
    if array.size and array.min() < 0.0:
        raise InputError(f"z = {array.min()} m must not be negative: it is the depth below the surface.")
    return array
