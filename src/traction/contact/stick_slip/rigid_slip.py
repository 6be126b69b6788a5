"""The rigid part of the slip, given or unknown: two directions and a rotation."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from traction import checks
from traction.errors import InputError

AXES = ("x", "y")
#: the three numbers of a rigid slip, in the words of the caller
PARTS = {"creepage": ("xi", "eta", "spin"), "displacement": ("dx", "dy", "rotation")}

#: numbers along x and y, and a rotation where there is one; None where it is not given
Parts = Sequence[float | None] | np.ndarray


@dataclass(frozen=True, eq=False)
class RigidSlip:
    """Prescribed rigid slip: per direction the shift (or creepage) or the force, and always the rotation."""

    shift: tuple[float | None, float | None, float]  #: x, y (m, or - for creepage), rotation (rad, or rad/m)
    force: tuple[float | None, float | None]  #: N

    @property
    def unknown(self) -> tuple[int, ...]:
        """Directions whose force is given."""
        return tuple(k for k in (0, 1) if self.shift[k] is None)

    def complete(self, found: Iterable[float]) -> tuple[float, float, float]:
        """The shift completed by the values found in the unknown directions."""
        rest = iter(found)
        x, y, turn = (float(next(rest) if part is None else part) for part in self.shift)
        return x, y, turn


def check_rigid_slip(what: str, shift: object, force: object, limit: float) -> RigidSlip:
    """Check the input; errors name the quantity, and `limit` is mu Fn, N."""
    fx, fy = _check_pair("force", force)
    if shift is None:
        shift = (None if fx is not None else 0.0, None if fy is not None else 0.0, 0.0)
    try:
        sx, sy, turn = cast("Iterable[object]", shift)
    except (TypeError, ValueError):
        parts = ", ".join(PARTS[what])
        raise InputError(f"{what} = {checks.shown(shift)} must be three numbers ({parts}).") from None
    given = []
    for axis, s, f in zip(AXES, (sx, sy), (fx, fy), strict=True):
        if (s is None) == (f is None):
            state = "both" if s is not None else "neither"
            raise InputError(
                f"give either {what} or force per direction, the other as None; along {axis} {state} given."
            )
        given.append(None if s is None else checks.finite(f"{what} along {axis}", s))
    if turn is None:
        raise InputError(f"the {PARTS[what][2]} of {what} must be a number; a moment cannot be prescribed.")
    clean = (given[0], given[1], checks.finite(f"{PARTS[what][2]} of {what}", turn))
    rigid = RigidSlip(clean, (fx, fy))
    check_rigid_force(rigid, what, limit)
    return rigid


def check_rigid_force(rigid: RigidSlip, what: str, limit: float) -> None:
    """Raise an error for a given force that is not below a limit (N); `what` is the name of the motion."""
    fx, fy = rigid.force
    size = float(np.hypot(fx or 0.0, fy or 0.0))
    if size >= limit and (fx is not None or fy is not None):
        raise InputError(
            f"{describe_force(rigid)} must be smaller in size than mu Fn = {limit:.6g} N, above which the "
            f"bodies slide; give the {what} instead."
        )


def describe_force(rigid: RigidSlip) -> str:
    """The given force in words, with its signs."""
    fx, fy = rigid.force
    if fx is None or fy is None:
        return f"force = {fy if fx is None else fx:.6g} N"
    return f"force = ({fx:.6g}, {fy:.6g}) N, of magnitude {math.hypot(fx, fy):.6g} N,"


def _check_pair(name: str, value: object) -> tuple[float | None, float | None]:
    if value is None:
        return None, None
    try:
        x, y = cast("Iterable[object]", value)
    except (TypeError, ValueError):
        raise InputError(
            f"{name} = {checks.shown(value)} must be two numbers (x, y), None where not given."
        ) from None
    return tuple(
        None if part is None else checks.finite(f"{name} along {axis}", part, "N")
        for axis, part in zip(AXES, (x, y), strict=True)
    )  # type: ignore[return-value]
