"""`cross_resonance`: the largest response of a bridge to a train of wheels, over its speed."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from traction.beams.beam import Beam
from traction.beams.exact.statics import influence_line
from traction.crossing.choices import GRAVITY, SIZES
from traction.crossing.cross import cross
from traction.crossing.moving_load import Loads
from traction.crossing.sweeps.resonance import AFTER, ResonanceCurve, check_sweep, expected_speeds
from traction.errors import InputError
from traction.trains.bridge import Bridge, check_bridge
from traction.trains.train import Train, read_train

STANDS = 801  #: of the train at rest
EXPECTED_MODES = 3  #: of which resonance speeds are told


@dataclass(frozen=True, eq=False, kw_only=True)
class CrossingCurve(ResonanceCurve):
    """A resonance curve of one train of wheels, with their forces; `modes` is the size of the bridge's model.

    Modes left out take part in the deflection as in `tr.cross`.
    """

    force: np.ndarray  #: largest contact force of any wheel, N, (1, speeds)
    lost_contact: np.ndarray  #: whether a wheel lifted off, (1, speeds)


def cross_resonance(
    bridge: Bridge, train: Loads, speeds: ArrayLike, *, x: float | None = None, **options: object
) -> CrossingCurve:
    """Largest deflection, acceleration and contact force over constant `speeds` (m/s), by `tr.cross`.

    Deflection and acceleration are those at x (m, midspan unless given); every run goes on for 1.5 periods
    of the first mode behind the last axle. `options` are those of `tr.cross`. The expected speeds v = f_n D/k
    come from the spacing D of the train.
    """
    began = time.perf_counter()
    check_bridge(bridge)
    beam, cars = bridge.beam, read_train(train)
    v, place = check_sweep(beam, speeds, x)
    if not cars.vehicles:
        raise InputError("the train has no wheels; use tr.resonance for forces.")
    if "t_end" in options:
        raise InputError("t_end is set by cross_resonance for each speed; leave it out.")
    first, peaks = float(beam.frequencies(1)[0]), np.empty((4, v.size))
    given: dict[str, Any] = dict(options)
    for j, speed in enumerate(v.tolist()):
        end = (beam.length + cars.places.max()) / speed + AFTER * 2.0 * math.pi / first
        run = cross(bridge, cars, speed, t_end=end, **given)
        peaks[:, j] = (
            abs(run.largest("deflection", place).value),
            abs(run.largest("acceleration", place).value),
            run.contact_forces.max(),
            float(run.lost_contact),
        )
    static = _at_rest(beam, cars, place, given.get("gravity") or GRAVITY)
    return CrossingCurve(
        v, (cars.name or "train",), peaks[:1], peaks[1:2], np.array([static]),
        (expected_speeds(beam.frequencies(EXPECTED_MODES), cars.spacing, v.min(), v.max()),),
        place, int(given.get("size") or SIZES[given.get("model", "modes")]),
        {"crossings": v.size, "seconds": time.perf_counter() - began},
        force=peaks[2:3], lost_contact=peaks[3:4] > 0.0,
    )  # fmt: skip


def _at_rest(beam: Beam, cars: Train, x: float, gravity: float) -> float:
    """Largest deflection at x under the train at rest, wherever it stands."""
    loads = [load if isinstance(load, float) else float(np.mean(load(0.0))) for load, _ in cars.forces]
    loads += [gravity * mass for vehicle, _ in cars.vehicles for mass in vehicle.axle_masses]
    line, total = influence_line(beam, "deflection", x), np.zeros(STANDS)
    fronts = np.linspace(0.0, beam.length + cars.length, STANDS)
    for load, behind in zip(loads, cars.places, strict=True):
        at = fronts - behind
        on = (at >= 0.0) & (at <= beam.length)
        total[on] += load * line.at(at[on])
    return float(np.abs(total).max())
