"""Friction of the members of a batch: numbers, fields, functions of place and laws, and a layer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.contact.batch.member_parts import require_usual_sizes
from traction.contact.friction.friction_input import Friction, check_friction, find_limit
from traction.contact.friction.varying_friction import VaryingFriction
from traction.contact.normal.press import NormalContact
from traction.contact.stick_slip.interface import Interface
from traction.errors import InputError
from traction.friction_laws.friction_law import FrictionLaw
from traction.friction_laws.inclined_friction import InclinedFriction
from traction.friction_laws.layer import Layer
from traction.friction_laws.thermal_friction import ThermalFriction
from traction.friction_laws.track_friction import TrackFriction
from traction.grid import Grid

LAWS = FrictionLaw | ThermalFriction | TrackFriction | InclinedFriction
#: coefficient of friction of members: numbers, one for all or one for each, (K,); coefficients per cell of
#: the grid, (ny, nx) or (K, ny, nx); a function of x and y (m); a law; or a sequence of these
MemberFrictionInput = ArrayLike | Friction | Sequence[Friction]


@dataclass(frozen=True, eq=False)
class MemberFriction:
    """Friction of members, one row each; or one row that is meant for all of them."""

    largest: np.ndarray  #: largest coefficient mu, (rows,)
    given: tuple[Friction, ...]  #: by the user; () where all are numbers
    between: tuple[Interface | None, ...]  #: laws, fields and layers; () where there are none
    speed: np.ndarray | None  #: m/s, (rows,)
    layer: Layer | None

    @property
    def rows(self) -> int:
        """Number of rows."""
        return int(self.largest.size)

    @property
    def compliance(self) -> float:
        """Shear of the layer per traction, m/Pa."""
        return 0.0 if self.layer is None else self.layer.compliance

    @property
    def reference(self) -> np.ndarray:
        """Coefficients at rest, (rows,), as the results of single solvers state them."""
        if not self.between:
            return self.largest
        pairs = zip(self.largest, self.between, strict=True)
        return np.array([mu if one is None else one.reference_coefficient for mu, one in pairs])

    def repeat(self, count: int) -> MemberFriction:
        """The same with a row for each of so many members."""
        if self.rows == count:
            return self
        speed = None if self.speed is None else np.repeat(self.speed, count)
        return MemberFriction(
            np.repeat(self.largest, count), count * self.given, count * self.between, speed, self.layer
        )

    def of_single(self, k: int) -> tuple[Friction, float | None]:
        """Friction and speed of a member, as the single solvers take them."""
        speed = None if self.speed is None else float(self.speed[k])
        return self.given[k] if self.given else float(self.largest[k]), speed

    def interface(self, k: int) -> Interface | None:
        """Law, field and layer of a member."""
        return self.between[k] if self.between else None

    def is_plain(self) -> np.ndarray:
        """Which members have one coefficient of friction, on an elastic layer or on none, (rows,)."""
        return ~self._ask(lambda one: not one.is_constant or one.factor is not None)

    def is_law(self) -> np.ndarray:
        """Which members have a coefficient that depends on the slip speed, (rows,)."""
        return self._ask(lambda one: not one.law.is_constant)

    def follows_slip(self) -> np.ndarray:
        """Which members have bounds that depend on their slip, (rows,)."""
        return self._ask(lambda one: not one.is_constant)

    def _ask(self, question: Callable[[Interface], bool]) -> np.ndarray:
        """Which members have an interface of which something is true, (rows,)."""
        between = self.between or self.rows * (None,)
        return np.array([one is not None and question(one) for one in between])

    def is_hot(self) -> np.ndarray:
        """Which members have friction by temperature, (rows,)."""
        if not self.given:
            return np.zeros(self.rows, dtype=bool)
        varying = (VaryingFriction.of(one) for one in self.given)
        return np.array([one is not None and one.thermal is not None for one in varying])

    def find_limits(self, contacts: Sequence[NormalContact], which: np.ndarray) -> np.ndarray:
        """Largest tangential force of each member, N."""
        limits = self.largest * np.array([n.force for n in contacts])[which]
        for k, one in enumerate(self.between):
            if one is not None:
                limits[k] = find_limit(contacts[which[k]], float(self.largest[k]), one)
        return limits


def check_member_friction(
    grid: Grid, friction: object, speed: object, layer: object, position: object = 0.0
) -> MemberFriction:
    """Friction from what a user gave: single values are meant for all members."""
    film = None if layer is None else checks.instance("layer", layer, Layer, "make it by tr.Layer(...).")
    speeds, place = _check_speeds(speed), checks.finite("position", position, "m")
    rows = _divide_rows(grid, friction)
    if not len(rows):
        raise InputError("friction is empty: give one coefficient for all members, or one for each.")
    count = max(len(rows), 1 if speeds is None else speeds.size)
    if speeds is not None and speeds.size not in (1, count):
        raise InputError(f"speed has {speeds.size} rows, expected {count} or 1: one for each member.")
    if len(rows) not in (1, count):
        raise InputError(f"friction has {len(rows)} rows, expected {count} or 1: one for each member.")
    each = None if speeds is None else np.broadcast_to(speeds, count).copy()
    if isinstance(rows, np.ndarray):
        if (rows < 0.0).any():
            raise InputError(
                f"friction = {float(rows.min())} must not be negative: it is the coefficient mu, 0.3 for dry "
                "steel."
            )
        require_usual_sizes("friction", rows)
        numbers = np.broadcast_to(rows, count).copy()
        if film is None:
            return MemberFriction(numbers, (), (), each, None)
        rows = numbers.tolist()
    every = list(rows) * (count // len(rows))
    found: dict[tuple[int, float | None], tuple[float, Interface | None]] = {}
    pairs = list[tuple[float, Interface | None]]()
    for k, one in enumerate(every):
        V = None if each is None else float(each[k])
        key = (id(one), V)  # `every` keeps what the ids are of
        if key not in found:
            try:
                found[key] = check_friction(one, film, V, grid, place, warms=True)
            except InputError as refusal:
                if len(every) == 1:
                    raise
                raise InputError(f"friction[{k}]: {refusal}") from refusal
        pairs.append(found[key])
    largest = np.array([mu for mu, _ in pairs])
    return MemberFriction(largest, tuple(every), tuple(one for _, one in pairs), each, film)


def _divide_rows(grid: Grid, friction: object) -> np.ndarray | Sequence[object]:
    """Numbers of members, (rows,), or what else each has."""
    if isinstance(friction, LAWS) or callable(friction):
        return [friction]
    if isinstance(friction, list | tuple) and any(isinstance(one, LAWS) or callable(one) for one in friction):
        return friction
    values = np.atleast_1d(checks.finite_array("friction", friction))
    if values.ndim == 1:
        return values
    if values.shape == grid.shape:
        return [values]
    if values.ndim == 3 and values.shape[1:] == grid.shape:
        return list(values)
    ny, nx = grid.shape
    raise InputError(
        f"friction has shape {values.shape}, expected (K,): one coefficient for each member; or one per cell "
        f"of the grid, ({ny}, {nx}) for all members, or (K, {ny}, {nx})."
    )


def _check_speeds(speed: object) -> np.ndarray | None:
    if speed is None:
        return None
    values = np.atleast_1d(checks.finite_array("speed", speed, unit="m/s"))
    if values.ndim != 1:
        raise InputError(f"speed has shape {values.shape}, expected (K,): one for each member.")
    for value in values:
        checks.positive("speed", float(value), "m/s", "it is the speed of rolling.")
    return values
