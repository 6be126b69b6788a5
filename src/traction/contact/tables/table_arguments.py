"""What creep-force tables are asked for: creepages and contacts, checked and as rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.contact.tables.spline_table import SplineTable
from traction.errors import InputError

MAY_BE_ZERO = ("load", "friction")


def check_rows(
    creepage: ArrayLike, a: ArrayLike, b: ArrayLike, load: ArrayLike, friction: ArrayLike
) -> tuple[np.ndarray, np.ndarray, tuple[int, ...]]:
    """Rows of creepages (m, 3) and of (a, b, load, friction), (m, 4), and their common shape."""
    motion = checks.finite_array("creepage", creepage)
    if motion.ndim == 0 or motion.shape[-1] != 3:
        raise InputError(f"creepage has shape {motion.shape}; its last axis is (xi, eta, spin).")
    sizes = [
        _check_sizes("a", a, " m"),
        _check_sizes("b", b, " m"),
        _check_sizes("load", load, " N"),
        _check_sizes("friction", friction, ""),
    ]
    try:
        shape = np.broadcast_shapes(motion.shape[:-1], *(one.shape for one in sizes))
    except ValueError as error:
        raise InputError(
            f"creepage {motion.shape} and a, b, load, friction {[one.shape for one in sizes]} do not "
            "broadcast to one shape."
        ) from error
    rows = np.broadcast_to(motion, (*shape, 3)).reshape(-1, 3)
    contacts = np.stack([np.broadcast_to(one, shape).ravel() for one in sizes], axis=1)
    return np.ascontiguousarray(rows), np.ascontiguousarray(contacts), shape


def _check_sizes(name: str, values: ArrayLike, unit: str) -> np.ndarray:
    """Finite numbers that are positive, or may be zero, in their own shape."""
    found = checks.finite_points(name, values, unit.strip())
    zero = name in MAY_BE_ZERO
    wrong = found < 0.0 if zero else found <= 0.0
    if wrong.any():
        limit = "zero or more" if zero else "positive"
        raise InputError(f"{name} = {float(found[wrong].flat[0])}{unit} must be {limit}.")
    if not zero and found.size and found.min() < checks.SMALLEST:  # a/b would overflow
        raise InputError(
            f"{name} = {float(found.min())}{unit} must be at least {checks.SMALLEST}; check the unit."
        )
    return found


def require_finite_forces(forces: np.ndarray, creepages: np.ndarray, contacts: np.ndarray) -> None:
    """Numbers of extreme sizes overflow in the reduced creepages."""
    wrong = ~np.isfinite(forces).all(axis=1)
    if wrong.any():
        k = int(np.flatnonzero(wrong)[0])
        a, b, load, friction = contacts[k].tolist()
        raise InputError(
            f"creepage = {creepages[k].tolist()} with a = {a:g} m, b = {b:g} m, load = {load:g} N and "
            f"friction = {friction:g}: the reduced creepage is beyond the range of numbers; check the units."
        )


def require_ratio(splines: SplineTable, ratio: np.ndarray) -> None:
    """All a/b have to be in the table."""
    low, high = splines.limits
    wrong = (ratio < low) | (ratio > high)
    if wrong.any():
        held = f"{splines.ratios[0]:.6g}"
        if splines.ratios.size > 1:
            held = f"from {held} to {splines.ratios[-1]:.6g}"
        raise InputError(
            f"a/b = {float(ratio[wrong][0]):.6g} is outside the table, whose a/b is {held}; "
            "make a table with ratios=(least, largest)."
        )
