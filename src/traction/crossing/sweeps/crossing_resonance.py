"""`cross_resonance`: the largest response of a bridge to a train of wheels, over its speed."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
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
EXPECTED_MODES = 3  #: of which resonance speeds are reported


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class CrossingCurve(ResonanceCurve):
    """Resonance curve of one train of wheels, with their contact forces; result of `tr.cross_resonance`.

    `modes` is the size of the bridge's model. Neglected modes contribute to the deflection as in `tr.cross`.
    """

    force: np.ndarray  #: largest contact force of any wheel, N, (1, speeds)
    lost_contact: np.ndarray  #: whether a wheel lifted off, (1, speeds)

    def _responses(self) -> Iterator[tuple[str, str, str]]:
        yield from super()._responses()
        yield "force", "N", "largest contact force"
        yield "lost_contact", "1", "whether a wheel lifted off"


def cross_resonance(
    bridge: Bridge, train: Loads, speeds: ArrayLike, *, x: float | None = None, **options: object
) -> CrossingCurve:
    """Return the largest deflection, acceleration and contact force of a train of wheels over its speed.

    Parameters
    ----------
    bridge
        Beam and its material.
    train
        Train of wheels, as for `tr.cross`.
    speeds
        Constant speeds v, m/s.
    x
        Output position, m; midspan by default.
    **options
        Options of `tr.cross`.

    Returns
    -------
    CrossingCurve
        Peaks over speed, and the expected resonance speeds.

    Raises
    ------
    InputError
        If the train has no wheels, or an argument is out of range.

    Notes
    -----
    Expected resonance speeds v = f_n D/k follow from the spacing D of the train. Every run continues for 1.5
    periods
    of the first mode after the last axle.

    Examples
    --------
    >>> bridge = tr.Bridge(tr.Beam(20.0, 2.08e9, 7900.0, supports=("pinned", "pinned")), tr.STEEL)
    >>> wheel = tr.Wheel(0.46, 900.0, suspension=tr.Suspension(0.8e6, 30e3, mass=8e3))
    >>> curve = tr.cross_resonance(bridge, [(wheel, 0.0)], [20.0, 40.0], size=3)
    >>> print(np.round(curve.deflection[0] * 1e3, 2))
    [ 8.59 11.53]
    """
    began = time.perf_counter()
    check_bridge(bridge)
    beam, cars = bridge.beam, read_train(train)
    v, place = check_sweep(beam, speeds, x)
    if not cars.vehicles:
        raise InputError("the train has no wheels; use tr.resonance for forces.")
    if "t_end" in options:
        raise InputError("t_end is set by cross_resonance for each speed; omit it.")
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
    """Largest static deflection at x under the train, for all its positions."""
    loads = [load if isinstance(load, float) else float(np.mean(load(0.0))) for load, _ in cars.forces]
    loads += [gravity * mass for vehicle, _ in cars.vehicles for mass in vehicle.axle_masses]
    line, total = influence_line(beam, "deflection", x), np.zeros(STANDS)
    fronts = np.linspace(0.0, beam.length + cars.length, STANDS)
    for load, behind in zip(loads, cars.places, strict=True):
        at = fronts - behind
        on = (at >= 0.0) & (at <= beam.length)
        total[on] += load * line.at(at[on])
    return float(np.abs(total).max())
