"""Coefficients of friction that are piecewise linear in what they depend on."""

from __future__ import annotations

import numpy as np

from traction import checks
from traction.errors import InputError


def check_points(
    name: str, places: object, coefficients: object, unit: str
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """At least two increasing places, called `name`, and the coefficients there."""
    found = checks.finite_array(name, places, unit=unit)
    values = checks.finite_array("coefficients", coefficients)
    if found.ndim != 1 or found.size < 2 or values.shape != found.shape:
        raise InputError(
            f"{name} and coefficients have shapes {found.shape} and {values.shape}; give lists of at least "
            "two numbers each."
        )
    if not (np.diff(found) > 0.0).all():
        raise InputError(f"{name} = {found.tolist()} {unit} must increase.")
    if (values < 0.0).any() or not (values > 0.0).any():
        raise InputError(f"coefficients = {values.tolist()} must not be negative, nor all zero.")
    return tuple(found.tolist()), tuple(values.tolist())
