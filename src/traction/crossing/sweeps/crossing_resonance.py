"""`cross_resonance`: the largest response of a bridge to a train of wheels, over its speed."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from traction.crossing.choices import GRAVITY, SIZES
from traction.crossing.cross import cross
from traction.crossing.moving_load import Loads
from traction.crossing.sweeps.resonance import (
    EXPECTED_MODES,
    ResonanceCurve,
    check_sweep,
    end_of_crossing,
    expected_speeds,
    peaks_at,
    static_deflections,
)
from traction.errors import InputError
from traction.outputs.progress import Progress, telling
from traction.trains.bridge import Bridge, check_bridge
from traction.trains.train import read_train


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
    bridge: Bridge,
    train: Loads,
    speeds: ArrayLike,
    *,
    x: ArrayLike | None = None,
    progress: Progress | bool | None = None,
    **options: object,
) -> CrossingCurve:
    """Return the largest deflection, acceleration and contact force over speed, by `tr.cross`.

    The train has wheels; plain forces are swept by `tr.resonance`.

    Parameters
    ----------
    bridge
        Bridge that the train crosses.
    train
        `tr.Train` or pairs (wheel or vehicle, distance behind the first axle in m).
    speeds
        Constant speeds, m/s.
    x
        Output position or positions along the bridge, m; midspan unless given.
    progress
        Function called with the number of completed crossings and their total; True, False and the
        default are those of `tr.simulate`.
    options
        Those of `tr.cross`, but `t_end`: every run ends 1.5 periods of the first mode after the last axle.

    Returns
    -------
    CrossingCurve
        As `tr.resonance`, with contact forces; the expected speeds v = f_n D/k follow from the spacing D of
        the train.

    Raises
    ------
    InputError
        If the train has no wheels, speeds are not positive, or a place lies off the bridge.

    Examples
    --------
    >>> bridge = tr.Bridge(tr.Beam(20.0, 2e10, 1e4, supports=("pinned", "pinned")), tr.STEEL)
    >>> wheels = [(tr.Wheel(0.46, 8000.0), 0.0), (tr.Wheel(0.46, 8000.0), 6.0)]
    >>> tr.cross_resonance(bridge, wheels, [30.0, 60.0], size=3, dt=1e-3).force.shape
    (1, 2)
    """
    began = time.perf_counter()
    check_bridge(bridge)
    beam, cars = bridge.beam, read_train(train)
    v, places = check_sweep(beam, speeds, x)
    if not cars.vehicles:
        raise InputError("the train has no wheels; use tr.resonance for forces.")
    if "t_end" in options:
        raise InputError("t_end is set by cross_resonance for each speed; omit it.")
    given: dict[str, Any] = dict(options)
    peaks, wheels = np.empty((1, v.size, places.size, 2)), np.empty((2, 1, v.size))
    with telling(progress, "crossings") as told:
        for j, speed in enumerate(v.tolist()):
            end = end_of_crossing(beam, cars, speed)
            run = cross(bridge, cars, speed, t_end=end, progress=False, **given)
            peaks[0, j] = peaks_at(run, places)
            wheels[:, 0, j] = run.contact_forces.max(), float(run.lost_contact)
            if told is not None:
                told(j + 1, v.size)
    static = static_deflections(beam, [cars], places, given.get("gravity") or GRAVITY)
    at = slice(None) if np.ndim(0.0 if x is None else x) else 0
    return CrossingCurve(
        v, (cars.name or "train",), peaks[:, :, at, 0], peaks[:, :, at, 1], static[:, at],
        (expected_speeds(beam.frequencies(EXPECTED_MODES), cars.spacing, v.min(), v.max()),),
        float(places[0]) if at == 0 else places,
        int(given.get("size") or SIZES[given.get("model", "modes")]),
        {"crossings": v.size, "seconds": time.perf_counter() - began},
        force=wheels[0], lost_contact=wheels[1] > 0.0,
    )  # fmt: skip
