"""Default time steps of crossings."""

from __future__ import annotations

import math

import numpy as np

from traction.beams.beam import Beam
from traction.beams.discrete.discrete_beam import DiscreteBeam
from traction.crossing.bridge_models.modal_bridge import frequencies_of
from traction.trains.irregularity import Irregularity
from traction.trains.train import HarmonicAxle, Train
from traction.trains.travel import Travel

PER_WAVE = 16  #: steps while an axle passes the shortest wave of the modes
PER_PERIOD = 20  #: steps in the period of the tenth mode, or of the last
PER_FLAW = 80  #: steps while a wheel passes the shortest wave or flaw of rail and treads
PER_FORCE = 40  #: steps in the period of a harmonic force
PER_RUN = 20_000  #: steps at least: the largest of the samples then has seven digits or more
TRIAL = 2.0  #: times the step that resolves contacts and flaws, that a search begins with
FEWEST = 50  #: steps of a run with which a search begins
SHOWN_MODES = 10
ELASTIC = 1.0  #: rad that the highest mode turns in a step of wheels in elastic contact, and
RIGID = 0.5  #: in rigid contact: peak accelerations to 0.1 and 0.05 %
MOST_TURN = {ELASTIC: 1.1, RIGID: 0.8}  #: rad, up to which a mode is resolved with these defaults
MOST_PER_CROSSING = 20_000  #: steps of wheels while one axle crosses; more only if
MOST_NUMBERS = 42_000_000  #: coordinates of modes and vehicles in all steps are fewer: about 3 GB
PER_CROSSING = 10_000  #: steps of an implicit method while one axle crosses
OF_LIMIT = 0.9  #: of the stability limit, the step of an explicit method


def default_step(beam: Beam, cars: Train, size: int, way: Travel, t_end: float | None) -> float:
    """Step of exactly propagated modes, s; see `moving_load`."""
    return min(resolving_step(beam, cars, size, way, t_end), _end(beam, cars, way, t_end) / PER_RUN)


def flaw_step(irregularity: Irregularity | None, cars: Train, way: Travel, t_end: float | None) -> float:
    """Step that resolves the shortest wave or flaw of rail and treads, s."""
    treads = [None if wheel is None else wheel.irregularity for wheel in cars.wheels]
    shortest = min((one.shortest for one in (irregularity, *treads) if one is not None), default=math.inf)
    return shortest / (PER_FLAW * fastest(way, t_end))


def trial_step(beam: Beam, cars: Train, size: int, way: Travel, t_end: float | None) -> float:
    """First step of a search for one that is short enough, s."""
    return min(resolving_step(beam, cars, size, way, t_end), _end(beam, cars, way, t_end) / FEWEST)


def condensed_step(
    beam: Beam,
    cars: Train,
    size: int,
    way: Travel,
    t_end: float | None,
    turn: float = ELASTIC,
    beside: int = 0,
) -> float:
    """Step of wheels on modes, s: the highest turns by `turn` (rad), unless that takes too many steps.

    `beside` is the count of numbers that a step stores beside coordinates.
    """
    even, omega = default_step(beam, cars, size, way, t_end), float(frequencies_of(beam, size)[-1])
    if omega == 0.0:
        return even
    numbers = size + beside + sum(len(vehicle.mass) for vehicle, _ in cars.vehicles)
    many = _end(beam, cars, way, t_end) * numbers / MOST_NUMBERS
    shortest = min(many, beam.length / fastest(way, t_end) / MOST_PER_CROSSING)
    return min(max(turn / omega, shortest), even)


def capped_notices(beam: Beam, size: int, step: float, turn: float = ELASTIC) -> list[str]:
    """Notice of a default step (s) of wheels, as short as memory allows, that is too long for some modes."""
    omega = frequencies_of(beam, size)
    resolved = int((omega * step <= MOST_TURN[turn]).sum())
    if resolved == size:
        return []
    above = omega[resolved] / (2.0 * math.pi)
    return [
        f"the default dt = {step:.3g} s, as short as memory allows for so long a run, advances mode "
        f"{size} by {omega[-1] * step:.2g} rad per step: accelerations include modes from {above:.4g} Hz on, "
        f"which it does not resolve. Choose size = {max(resolved, 1)}, an earlier t_end, or a shorter dt."
    ]


def _end(beam: Beam, cars: Train, way: Travel, t_end: float | None) -> float:
    """End of the run, s."""
    end = float(way.time_at(np.array([cars.places.max() + beam.length]))[0]) if t_end is None else t_end
    return min(end, way.t_end)


def discrete_step(discrete: DiscreteBeam, method: str, way: Travel, t_end: float | None) -> float:
    """Step of forces on nodes, s: 10,000 steps per crossing, or 0.9 of the stability limit if shorter."""
    even = discrete.beam.length / fastest(way, t_end) / PER_CROSSING
    limit = discrete.stability_limit(method)
    return min(even, OF_LIMIT * limit) if limit > 0.0 else even


def resolving_step(beam: Beam, cars: Train, size: int, way: Travel, t_end: float | None) -> float:
    """Step that resolves waves of the modes, periods of the lowest ten and of harmonic forces, s."""
    omega = frequencies_of(beam, size)
    speed = fastest(way, t_end)
    wave = 2.0 * beam.length / size
    seen = float(omega[min(size, SHOWN_MODES) - 1])
    period = 2.0 * math.pi / seen if seen > 0.0 else math.inf
    shortest = min(wave / (PER_WAVE * speed), period / PER_PERIOD)
    waves = [force.frequency for force, _ in cars.forces if isinstance(force, HarmonicAxle)]
    return min([shortest, *(1.0 / (PER_FORCE * frequency) for frequency in waves)])


def fastest(way: Travel, t_end: float | None) -> float:
    """Highest speed until `t_end`, m/s."""
    if way.steady:
        return float(way.speed(np.zeros(1))[0])
    end = way.t_end if t_end is None else min(t_end, way.t_end)
    return float(way.speed(np.linspace(0.0, end, 1001)).max())
