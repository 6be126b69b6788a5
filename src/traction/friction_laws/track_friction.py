"""`TrackFriction`: friction that varies along the track, as on a leaf, a sanded or a wet section."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.errors import InputError
from traction.friction_laws.friction_law import FrictionLaw
from traction.friction_laws.inclined_friction import InclinedFriction
from traction.friction_laws.thermal_friction import ThermalFriction

Base = FrictionLaw | ThermalFriction | InclinedFriction


@dataclass(frozen=True)
class TrackFriction:
    """Friction that is piecewise linear along the track; made by `tr.friction.along_track`.

    It belongs to the rail: a contact that rolls finds at each place what lies there.
    """

    places: tuple[float, ...]  #: along the track, m, in order; two equal ones are a step between them
    values: tuple[float, ...]  #: mu at these, or factors of a law; constant outside
    law: Base | None = None  #: whose coefficients the values multiply; None where they are coefficients

    def __post_init__(self) -> None:
        places = checks.finite_array("places", self.places, unit="m")
        values = checks.finite_array("values", self.values)
        if places.ndim != 1 or places.size < 2 or values.shape != places.shape:
            raise InputError(
                f"places and values have shapes {places.shape} and {values.shape}; give lists of at least "
                "two numbers each."
            )
        steps = np.diff(places)
        if (steps < 0.0).any() or ((steps[:-1] == 0.0) & (steps[1:] == 0.0)).any():
            raise InputError(
                f"places = {places.tolist()} m must increase; two equal places are a step from one value to "
                "the other."
            )
        if not (values > 0.0).all():
            raise InputError(
                f"values = {values.tolist()} must be positive; take a small one, as 1e-3, where there is "
                "hardly any friction."
            )
        for value in values.tolist():
            checks.positive("values", value)
        if self.law is not None and not isinstance(self.law, Base):
            raise InputError(
                f"law = {checks.shown(self.law)} must be a law of tr.friction, whose coefficients the values "
                "multiply; omit it where the values are coefficients themselves."
            )
        checks.keep(self, places=tuple(places.tolist()), values=tuple(values.tolist()))

    @property
    def largest(self) -> float:
        """Largest coefficient along the track, at any slip speed or temperature of a law."""
        law = self.law
        if law is None:
            return max(self.values)
        return max(self.values) * (
            max(law.coefficients) if isinstance(law, InclinedFriction) else law.largest
        )

    def value(self, place: ArrayLike) -> np.ndarray:
        """Return the values at a `place` (m) along the track; at a step, that behind it."""
        given = checks.finite_points("place", place, "m")
        places, values = np.array(self.places), np.array(self.values)
        k = np.clip(np.searchsorted(places, given, side="right"), 1, places.size - 1)
        length = places[k] - places[k - 1]
        behind = np.where(given >= places[k], 1.0, 0.0)
        part = np.divide(given - places[k - 1], length, out=behind, where=length > 0.0)
        part = np.clip(part, 0.0, 1.0)
        return np.asarray((1.0 - part) * values[k - 1] + part * values[k])

    def mean(self, place: np.ndarray, width: float) -> np.ndarray:
        """Return the exact means over lengths of `width` (m) around each `place` (m)."""
        return np.asarray((self._integral(place + 0.5 * width) - self._integral(place - 0.5 * width)) / width)

    @cached_property
    def _sums(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Places, values, and the integral of the values up to each place."""
        places, values = np.array(self.places), np.array(self.values)
        parts = np.diff(places) * 0.5 * (values[1:] + values[:-1])
        return places, values, np.concatenate(([0.0], np.cumsum(parts)))

    def _integral(self, place: np.ndarray) -> np.ndarray:
        """Integral of the values from the first place, m."""
        places, values, sums = self._sums
        k = np.clip(np.searchsorted(places, place, side="right"), 1, places.size - 1)
        way, length = np.clip(place, places[0], places[-1]) - places[k - 1], places[k] - places[k - 1]
        slope = np.divide(values[k] - values[k - 1], length, out=np.zeros(way.shape), where=length > 0.0)
        found = sums[k - 1] + way * (values[k - 1] + 0.5 * slope * way)
        before, behind = np.minimum(0.0, place - places[0]), np.maximum(0.0, place - places[-1])
        inside = np.where(place > places[-1], sums[-1], found)
        return np.asarray(inside + values[0] * before + values[-1] * behind)
