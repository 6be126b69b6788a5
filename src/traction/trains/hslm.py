"""The trains HSLM-A of EN 1991-2, 6.4.6.1.1: power car, end coach, N coaches on shared bogies, mirror image.

The shared bogies follow from 17 + 3.525/2 + D on, every D; behind the last, the rear end coach and power car
have their inner axle D + 3.525/2 away. Public programs of bridge dynamics place the axles so; A1 is 401.05 m
long.
"""

from __future__ import annotations

import numpy as np

from traction import checks

#: name -> number of coaches N, their length D (m), axle spacing of a bogie d (m), force of an axle (kN)
TABLE = {
    "A1": (18, 18.0, 2.0, 170.0),
    "A2": (17, 19.0, 3.5, 200.0),
    "A3": (16, 20.0, 2.0, 180.0),
    "A4": (15, 21.0, 3.0, 190.0),
    "A5": (14, 22.0, 2.0, 170.0),
    "A6": (13, 23.0, 2.0, 180.0),
    "A7": (13, 24.0, 2.0, 190.0),
    "A8": (12, 25.0, 2.5, 190.0),
    "A9": (11, 26.0, 2.0, 210.0),
    "A10": (11, 27.0, 2.0, 210.0),
}
POWER_CAR = (0.0, 3.0, 14.0, 17.0)  #: axles, m
END_COACH = 20.525  #: first axle of the end coach, m
END = 3.525  #: m


def axle_force(name: str) -> float:
    """Force of every axle, N."""
    return 1e3 * TABLE[checks.choice("name", name, tuple(TABLE))][3]


def coach_length(name: str) -> float:
    """D, m, the spacing that meets resonance at the speed f D."""
    return TABLE[checks.choice("name", name, tuple(TABLE))][1]


def axle_places(name: str) -> np.ndarray:
    """Distance of each axle behind the first, m."""
    coaches, D, d, _ = TABLE[checks.choice("name", name, tuple(TABLE))]
    bogies = END_COACH + D - 0.5 * END + D * np.arange(coaches + 1)
    front = np.array([*POWER_CAR, END_COACH, END_COACH + d])
    last = bogies[-1] + D + 0.5 * END + END_COACH
    shared = np.sort(np.r_[bogies - 0.5 * d, bogies + 0.5 * d])
    return np.concatenate([front, shared, last - front[::-1]])
