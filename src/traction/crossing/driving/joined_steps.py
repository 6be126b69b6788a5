"""Steps of a march joined to parts of one element of way, over which a wheel is rolled at once."""

from __future__ import annotations

import numpy as np

from traction.crossing.driving.driven_wheel import LEAST, STILL

CHANGE = 0.02  #: of the load, and of the largest demands: joined steps change them by less


def join_steps(ways: np.ndarray, loads: np.ndarray, demands: np.ndarray, stops: np.ndarray) -> np.ndarray:
    """Numbers of the times between which a wheel is rolled, the first, the last and the `stops` among them.

    `ways` (times) are in elements, `loads` (times) contact forces over that at rest, `demands` (times, ...)
    of the drive. Steps are joined while they make up one element at most, the wheel touches, and neither load
    nor demand changes by more than `CHANGE`; steps in which the train stands are joined with each other.
    """
    scale = np.maximum(np.abs(demands).max(axis=0), np.finfo(float).tiny)
    states = np.column_stack((loads, demands / scale))
    still, in_air = np.diff(ways) < STILL, loads <= LEAST
    kept, fixed = [0], set(stops.tolist())
    for n in range(1, len(ways) - 1):
        at, ahead = kept[-1], n + 1
        joins = (
            n not in fixed
            and ways[ahead] - ways[at] <= 1.0
            and not (in_air[at] or in_air[n] or in_air[ahead])
            and still[n] == still[n - 1]
            and bool((np.abs(states[ahead] - states[at]) <= CHANGE).all())
        )
        if not joins:
            kept.append(n)
    return np.unique([*kept, len(ways) - 1])
