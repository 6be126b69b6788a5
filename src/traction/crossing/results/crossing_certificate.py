"""`CrossingCertificate`: whether the time step of a crossing resolves its forces and its motion.

Each measure has a limit beyond which `tr.cross` and `tr.moving_load` warn, and one beyond which the result
is worthless. They are derived in the theory, "Time step of a crossing".
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from traction.quantities import significant

NOTICED = 0.01  #: of the largest energy of a mode, above which the kinetic energy of one counts
MOST_ROWS = 1000  #: times at which energies of modes are compared
ENOUGH = 20  #: steps in a period of a wheel on its contact, which the remedy asks for


class Limit(NamedTuple):
    """Limits of a measure and its words."""

    warn: float  #: beyond it the result is inaccurate
    worthless: float  #: beyond it the result is worthless
    words: str
    percent: bool  #: whether it is an error, else a number of steps of which at least so many are needed


LIMITS = {
    "energy_error": Limit(0.01, 0.3, "the energy balance error is {} of the work", True),
    "drift": Limit(0.01, 0.3, "the method has added or removed {} of the work", True),
    "force_roughness": Limit(
        0.1, 0.5, "a contact force departs by {} of its peak from the curve through its neighbours", True
    ),
    "samples_per_mode": Limit(6.0, 0.0, "a mode that moves has {} samples per period", False),
    "steps_per_span": Limit(8.0, 3.0, "an axle crosses a span in {} steps", False),
}


@dataclass(frozen=True)
class CrossingCertificate:
    """Measures of whether a time step is short enough; None for those that a crossing does not have."""

    dt: float  #: time step, s
    energy_error: float | None = None  #: energy balance error relative to the work, `Energies.closure`
    drift: float | None = None  #: energy added or removed by the method relative to the work
    #: largest distance of a contact force from the cubic through its four neighbours in time, relative to its
    #: peak
    force_roughness: float | None = None
    steps_per_contact_period: float | None = None  #: of the stiffest wheel on its contact at rest
    samples_per_mode: float | None = None  #: samples per period of the highest mode that moves noticeably
    steps_per_span: float | None = None  #: steps in which an axle crosses the shortest span
    change: float | None = None  #: largest relative change from step 2 dt to dt, with dt="auto"

    @property
    def holds(self) -> bool:
        """Whether all measures are within their limits."""
        return not any(True for _ in self._beyond("warn"))

    @property
    def ok(self) -> bool:
        """The same."""
        return self.holds

    @property
    def closure(self) -> float | None:
        """The energy balance error, as in `Energies.closure`."""
        return self.energy_error

    @property
    def usable(self) -> bool:
        """Whether no measure makes the result worthless."""
        return not any(True for _ in self._beyond("worthless"))

    @property
    def message(self) -> str:
        """The measures beyond their limits in words, with a time step to choose."""
        if self.holds:
            return "the time step resolves the crossing"
        return f'{self.finding}. Choose dt = {self.shorter:.2g} s or less, or dt="auto"'

    @property
    def finding(self) -> str:
        """The measures beyond their limits in words."""
        words = (_in_words(LIMITS[name], getattr(self, name)) for name in self._beyond("warn"))
        kind = "too long" if self.usable else "much too long, and the result worthless"
        return f"dt = {self.dt:.4g} s is {kind}: {'; '.join(words)}"

    def __str__(self) -> str:
        parts = [
            f"{name.replace('_', ' ')} {significant(value, 2)}"
            for name in (*LIMITS, "steps_per_contact_period", "change")
            if (value := getattr(self, name)) is not None
        ]
        return f"dt = {self.dt:.4g} s, {'holds' if self.holds else 'too long'}: {', '.join(parts)}"

    def _beyond(self, bound: str) -> Iterator[str]:
        """Names of the measures beyond a bound; one that is not finite is."""
        for name, limit in LIMITS.items():
            value = getattr(self, name)
            if value is None:
                continue
            at = getattr(limit, bound)
            if math.isnan(value) or (value > at if limit.percent else value < at):
                yield name

    @property
    def shorter(self) -> float:
        """A time step that brings the measures beyond their limits back, s.

        Energies err with its square; the roughness at a kink, such as the edge of a flat, in proportion.
        """
        steps, names = [0.5 * self.dt], list(self._beyond("warn"))
        for name in names:
            value, limit = getattr(self, name), LIMITS[name]
            if limit.percent and math.isfinite(value):
                share = limit.warn / value
                steps.append(self.dt * (share if name == "force_roughness" else math.sqrt(share)))
            elif value > 0.0:
                steps.append(self.dt * value / limit.warn)
        if self.steps_per_contact_period and "force_roughness" in names:
            steps.append(self.dt * self.steps_per_contact_period / ENOUGH)
        return min(steps)


def _in_words(limit: Limit, value: float) -> str:
    if not limit.percent:
        words, least = limit.words.format(significant(value, 2)), f"{limit.warn:g}"
        return f"{words}, at least {least} are needed"
    share = f"{significant(100.0 * value, 2)} %" if math.isfinite(value) else "an infinite share"
    return f"{limit.words.format(share)}, at most {100.0 * limit.warn:g} %"


def force_departure(forces: np.ndarray, smooth: np.ndarray) -> float | None:
    """Largest distance of forces (times, wheels) from the cubics through their neighbours in time, N.

    A force that oscillates with n steps per period and the amplitude A is 2.7 A away from it for n = 2,
    0.67 A for n = 4, 0.024 A for n = 10 and 0.0016 A for n = 20. `smooth`: where no kink is expected.
    """
    if len(forces) < 5:
        return None
    inner = (4.0 * (forces[1:-3] + forces[3:-1]) - forces[:-4] - forces[4:]) / 6.0
    return float(np.where(smooth[2:-2], np.abs(forces[2:-2] - inner), 0.0).max())


def force_roughness(forces: np.ndarray, smooth: np.ndarray) -> float | None:
    """The departure over the largest force."""
    far = force_departure(forces, smooth)
    return None if far is None else far / (float(forces.max()) or 1.0)


def away_from(ends: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Mask of the times whose neighbours on both sides do not see a wheel pass an end of the bridge.

    The slope of the track jumps there and so does the rate of the force. `places` are (times, wheels).
    """
    smooth = np.ones(places.shape, dtype=bool)
    for end in ends:
        passed = np.diff(places >= end, axis=0)  # between a time and the next
        for shift in range(-2, 3 + 1):
            rows = np.flatnonzero(passed.any(axis=1)) + shift
            rows = rows[(rows >= 0) & (rows < len(smooth))]
            smooth[rows] &= ~passed[rows - shift]
        smooth[:3] &= places[0] != end  # a wheel that stands on it at the start
    return smooth


def samples_per_mode(omega: np.ndarray, q: np.ndarray, p: np.ndarray, dt: float) -> float:
    """Samples per period of the highest mode whose kinetic energy is noticed beside the largest energy."""
    every = max(1, len(q) // MOST_ROWS)
    kinetic = 0.5 * p[::every] ** 2
    energy = float((kinetic + 0.5 * (omega * q[::every]) ** 2).max())
    noticed = omega[(kinetic.max(axis=0) > NOTICED * energy) & (omega > 0.0)]
    return 2.0 * math.pi / (float(noticed.max()) * dt) if noticed.size else math.inf
