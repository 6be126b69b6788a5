"""Supports: how a beam is held at a place, by springs, rigid ones among them."""

from __future__ import annotations

import math
from dataclasses import dataclass

from traction import checks
from traction.errors import InputError


def _check_stiffness(name: str, value: object, unit: str) -> float:
    rigid = isinstance(value, float) and value == math.inf
    return math.inf if rigid else checks.at_least(name, value, 0.0, unit)


@dataclass(frozen=True)
class Support:
    """Springs against deflection (N/m) and rotation (N m); infinite stiffness holds rigidly."""

    deflection: float = 0.0
    rotation: float = 0.0

    def __post_init__(self) -> None:
        checks.keep(
            self,
            deflection=_check_stiffness("deflection", self.deflection, "N/m"),
            rotation=_check_stiffness("rotation", self.rotation, "N m"),
        )

    @property
    def stiffness(self) -> tuple[float, float]:
        """Of both springs."""
        return self.deflection, self.rotation


SUPPORTS = {
    "clamped": Support(math.inf, math.inf),
    "pinned": Support(math.inf, 0.0),
    "free": Support(0.0, 0.0),
    "guided": Support(0.0, math.inf),
}


def check_support(name: str, value: object) -> Support:
    """The support that a user named or gave."""
    if isinstance(value, Support):
        return value
    if isinstance(value, str) and value in SUPPORTS:
        return SUPPORTS[value]
    names = ", ".join(f'"{known}"' for known in SUPPORTS)
    raise InputError(
        f"{name} = {checks.shown(value)} is no support; give {names} or tr.Support(deflection=, rotation=)."
    )
