"""`RestoringFunction`: what brings a wheelset back to the middle, as straight pieces over its lateral shift.

A wheelset in pure rolling turns towards the middle: d yaw/d x = -g(y), with g = Delta r/(e r), Delta r the
rolling radius difference, e the distance of the contacts and r the mean radius. Sections between nodes are
straight, so that integrals of g are exact; nodes are added where g bends, and close in on jumps.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from traction.errors import InputError
from traction.wheelsets.geometry.track import Track
from traction.wheelsets.geometry.wheelset import Wheelset
from traction.wheelsets.kinematics.contact_functions import contact_functions

FIRST_STEP = 0.2e-3  #: of the nodes, m
STRAIGHT = 1e-8  #: deviation of the radius difference from a straight line that asks for another node, m
SHORTEST = 1e-9  #: section that is not divided, m: it stands for a jump
ROUNDS = 24  #: of dividing sections
SECTIONS = 120  #: fewest, of half a period
SAME = 1e-9  #: phases closer than this count as one, rad
HALVINGS = 80  #: for the middle of the motion
#: nodes and weights of Gauss-Legendre on (-1, 1)
NODES, WEIGHTS = np.polynomial.legendre.leggauss(6)


class PhaseSections(NamedTuple):
    """Sections of the phase of a motion, and in each of n nodes of a quadrature."""

    ends: np.ndarray  #: of the sections, rad, (n + 1,)
    phase: np.ndarray  #: at the nodes, rad, (n, 6)
    weight: np.ndarray  #: of the nodes, rad, (n, 6)
    g: np.ndarray  #: at the nodes, (n, 6)


@dataclass(frozen=True, eq=False)
class RestoringFunction:
    """Nodes y (m, increasing) and values g there; straight between them."""

    y: np.ndarray
    g: np.ndarray

    def integral(self, at: np.ndarray) -> np.ndarray:
        """Integral of g from the first node to the places `at`."""
        whole = np.concatenate([[0.0], np.cumsum(0.5 * (self.g[1:] + self.g[:-1]) * np.diff(self.y))])
        i = np.clip(np.searchsorted(self.y, at, side="right") - 1, 0, len(self.y) - 2)
        u, step = at - self.y[i], self.y[i + 1] - self.y[i]
        return whole[i] + u * (self.g[i] + 0.5 * u * (self.g[i + 1] - self.g[i]) / step)

    def has_middle(self, amplitude: float) -> bool:
        """Whether the wheelset oscillates with that amplitude within the nodes."""
        low, high = float(self.y[0]) + amplitude, float(self.y[-1]) - amplitude
        return self._turned(low, amplitude) <= 0.0 <= self._turned(high, amplitude)

    def middle(self, amplitude: float) -> float:
        """Middle c of the motion: the integral of g from c - amplitude to c + amplitude vanishes."""
        low, high = float(self.y[0]) + amplitude, float(self.y[-1]) - amplitude
        if not self.has_middle(amplitude):
            raise InputError(
                f"amplitude = {amplitude:.4g} m: the wheelset has no middle position between y = {low:.4g} "
                "and "
                f"{high:.4g} m about which it could oscillate; its wheels differ too much."
            )
        for _ in range(HALVINGS):
            c = 0.5 * (low + high)
            low, high = (low, c) if self._turned(c, amplitude) > 0.0 else (c, high)
        return 0.5 * (low + high)

    def _turned(self, c: float, amplitude: float) -> float:
        low, high = self.integral(np.array([c - amplitude, c + amplitude]))
        return float(high - low)

    def turn_to_end(self, amplitude: float, middle: float, phase: np.ndarray) -> np.ndarray:
        """Integral of g from y = middle + amplitude sin(phase) outwards, to the end of the motion there.

        Distances count from that end, where the integral vanishes, so that it keeps its digits there.
        """
        distance = 2.0 * amplitude * np.sin(0.5 * (0.5 * math.pi - np.abs(phase))) ** 2
        turned = np.empty_like(distance)
        for sign in (1.0, -1.0):
            end = middle + sign * amplitude
            inside = (sign * (end - self.y) > 0.0) & (sign * (end - self.y) <= 1.001 * amplitude)
            nodes = np.concatenate([[0.0], np.sort(sign * (end - self.y[inside])), [1.002 * amplitude]])
            g = sign * np.interp(end - sign * nodes, self.y, self.g)
            here = phase >= 0.0 if sign > 0.0 else phase < 0.0
            turned[here] = RestoringFunction(nodes, g).integral(distance[here])
        return turned

    def sections(self, amplitude: float, middle: float) -> PhaseSections:
        """Sections of the phase p of y = middle + amplitude sin p in which g is straight over y."""
        inside = np.arcsin(np.clip((self.y - middle) / amplitude, -1.0, 1.0))
        ends = np.unique(np.concatenate([np.linspace(-0.5 * math.pi, 0.5 * math.pi, SECTIONS + 1), inside]))
        ends = np.concatenate([[ends[0]], ends[1:-1][np.diff(ends)[1:] > SAME], [ends[-1]]])
        half = 0.5 * np.diff(ends)[:, None]
        phase = (0.5 * (ends[1:] + ends[:-1]))[:, None] + half * NODES
        g = np.interp(middle + amplitude * np.sin(phase), self.y, self.g)
        return PhaseSections(ends, phase, half * WEIGHTS, g)


def restoring_function(
    wheelset: Wheelset, track: Track, reach: float, *, roll: bool = True, exact: bool = False
) -> RestoringFunction:
    """Return g over lateral shifts from -reach to reach (m).

    Without `exact` it is the rolling radius difference itself (m); with it, divided by the distance of the
    contacts and the mean radius (1/m).
    """

    def value(y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        found = contact_functions(wheelset, track, y, roll=roll)
        scale = found.contact_distance * found.mean_radius if exact else np.ones(y.size)
        return found.radius_difference, found.radius_difference / scale

    return refined(value, reach)


def refined(value: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]], reach: float) -> RestoringFunction:
    """Sample a function on -reach to reach until straight sections describe it."""
    y = np.linspace(-reach, reach, 2 * max(4, math.ceil(reach / FIRST_STEP)) + 1)
    measure, g = value(y)
    suspect = np.ones(y.size - 1, dtype=bool)
    for _ in range(ROUNDS):
        suspect &= np.diff(y) > SHORTEST
        if not suspect.any():
            break
        middle = 0.5 * (y[:-1] + y[1:])[suspect]
        new_measure, new_g = value(middle)
        chord = 0.5 * (measure[:-1] + measure[1:])[suspect]
        bends = np.zeros(y.size - 1, dtype=bool)
        bends[suspect] = np.abs(new_measure - chord) > STRAIGHT
        place = np.flatnonzero(suspect) + 1
        y = np.insert(y, place, middle)
        measure, g = np.insert(measure, place, new_measure), np.insert(g, place, new_g)
        suspect = np.insert(bends, place - 1, bends[suspect])
    return RestoringFunction(y, g)
