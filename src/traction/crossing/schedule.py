"""`Schedule`: the times of a crossing, with a step end wherever an axle passes an end of a segment."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from traction import checks
from traction.beams.beam import Beam
from traction.errors import InputError
from traction.trains.train import Train
from traction.trains.travel import Travel

MERGED = 1e-6  #: of a step, below which a passage counts as the step's end
MOST_STEPS = 20_000_000


@dataclass(frozen=True, eq=False)
class Schedule:
    """Times at which states are stored, and positions of the axles; `fine` times include every passage."""

    t: np.ndarray  #: kept, evenly spaced, s
    fine: np.ndarray  #: all ends of steps, s
    kept: np.ndarray  #: where `t` is in `fine`
    travel: Travel
    behind: np.ndarray  #: distance of the axles behind the first, m

    @property
    def step(self) -> float:
        """Time between stored times, s."""
        return float(self.t[1] - self.t[0])

    @property
    def motion(self) -> np.ndarray:
        """Speed and acceleration of the train at the kept times, (times, 2)."""
        return np.stack((self.travel.speed(self.t), self.travel.acceleration(self.t)), axis=1)

    @property
    def places(self) -> np.ndarray:
        """Positions of all axles at the stored times, from the start of the beam, m, (times, axles)."""
        return self.travel.place(self.t)[:, None] - self.behind

    def at(self, numbers: np.ndarray) -> Schedule:
        """The same with some of the stored times only."""
        t = self.t[numbers]
        return Schedule(t, t, np.arange(t.size), self.travel, self.behind)

    @property
    def middles(self) -> np.ndarray:
        """Positions of all axles at the middle of each step, m, (steps, axles)."""
        return self.travel.place(0.5 * (self.fine[1:] + self.fine[:-1]))[:, None] - self.behind

    def within(self, ends: np.ndarray) -> np.ndarray:
        """Which axles are on a beam with these ends of segments (m) in each step, (steps, axles)."""
        return np.asarray((self.middles >= ends[0]) & (self.middles <= ends[-1]))


def schedule(beam: Beam, train: Train, travel: Travel, dt: float, t_end: float | None) -> Schedule:
    """Times of a crossing: from the first axle's entry, every `dt`, until `t_end` or the last axle's exit.

    Axles that have not reached the beam at a given end are on rigid track until then.
    """
    behind = train.places
    end = _end(beam, behind, travel, t_end)
    _require_arrivals(behind, travel.time_at(behind), end, given=t_end is not None)
    steps = max(1, math.ceil(end / dt * (1.0 - 1e-12)))
    if steps > MOST_STEPS:
        raise InputError(
            f"dt = {dt:.3g} s makes {steps} steps until t = {end:.6g} s; at most {MOST_STEPS}. Lengthen it."
        )
    t = np.linspace(0.0, end, steps + 1)
    passages = travel.time_at((behind[:, None] + beam.ends).ravel())
    fine = with_passages(t, passages)
    return Schedule(t, fine, np.searchsorted(fine, t), travel, behind)


def _require_arrivals(behind: np.ndarray, arrivals: np.ndarray, end: float, *, given: bool) -> None:
    """Refuse a run in which no axle reaches the beam, and axles that do not if its end was not given."""
    late = np.flatnonzero(arrivals >= end)
    if not late.size or (given and late.size < behind.size):
        return
    k = int(late[0])
    when = f"at t = {arrivals[k]:.6g} s" if math.isfinite(arrivals[k]) else "never"
    raise InputError(
        f"loads[{k}], {behind[k]} m behind the first axle, reaches the beam {when}, but the run ends "
        f"at t_end = {end:.6g} s; give a later t_end, or leave it out."
    )


def with_passages(t: np.ndarray, passages: np.ndarray) -> np.ndarray:
    """Even times with the passages between them, except those that coincide with one of them or another."""
    h = t[1] - t[0]
    inside = np.sort(passages[(passages > 0.0) & (passages < t[-1])])
    off = np.abs(inside / h - np.round(inside / h)) > MERGED
    inside = inside[off]
    apart = np.diff(inside, prepend=-np.inf) > MERGED * h
    return np.sort(np.concatenate([t, inside[apart]]))


def _end(beam: Beam, behind: np.ndarray, travel: Travel, t_end: float | None) -> float:
    if t_end is not None:
        end = checks.positive("t_end", t_end, "s")
        if end > travel.t_end * (1.0 + 1e-9):
            raise InputError(f"t_end = {end} s must be at most {travel.t_end:.6g} s, where the travel ends.")
        return min(end, travel.t_end)
    out = float(travel.time_at(np.array([behind.max() + beam.length]))[0])
    return out if math.isfinite(out) else travel.t_end
