"""Method "picard" (Wei, Krishnaprasad and Dayawansa 1993): f <- F(v0 t - (1/m) int int f - w[f]), repeated.

It starts from the half sine of the energy method; the first iterate is in closed form, the others take the
force straight between equally spaced times, with every mode moved exactly. The errors are those of the whole
history against the modal method, over the peak: they may grow before they fall.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from traction.impacts.dense_path import Arrays, Track
from traction.impacts.kernels.collocation_step import MOBILITY, RESIDUAL, P, Z
from traction.impacts.kernels.half_sines import yielding
from traction.impacts.methods.energy_method import HalfSine
from traction.laws.kernels.law_values import REMEMBERED, CompiledLaw, contact_force


@dataclass(frozen=True, eq=False)
class Iterates:
    """Forces (N) at times (s): the start, then each iterate; and their errors."""

    t: np.ndarray
    forces: np.ndarray  #: (iterates + 1, times)
    errors: np.ndarray  #: largest difference from the modal method over its peak
    track: Track  #: under the last

    @property
    def growing(self) -> tuple[int, ...]:
        """Iterates whose error is larger than that of the one before, by more than rounding."""
        return tuple(int(k) + 1 for k in np.flatnonzero(self.errors[1:] > 1.01 * self.errors[:-1]))

    def words(self) -> str:
        """What became of the errors."""
        shown = ", ".join(f"{error:.2g}" for error in self.errors)
        if not self.growing:
            return f"errors over the peak: {shown}"
        grown = ", ".join(map(str, self.growing))
        return f"errors over the peak: {shown}; they grow in iterate {grown}"


def iterate(
    structure: Arrays,
    law: CompiledLaw,
    speed: float,
    start: HalfSine,
    exact: np.ndarray,
    t: np.ndarray,
    n: int,
) -> Iterates:
    """n iterates on equally spaced times t; `exact` is the force there by the modal method."""
    forces = [start.force(t)]
    free = speed * t - start.amplitude * yielding(structure, start.duration, t)
    forces.append(_law(law, free))
    for _ in range(n - 1):
        track = straight(structure, speed, t, forces[-1])
        forces.append(_law(law, approach(track, forces[-1])))
    found = np.array(forces[: n + 1])
    errors = np.abs(found - exact).max(axis=1) / exact.max()
    return Iterates(t, found, errors, straight(structure, speed, t, found[-1]))


def straight(structure: Arrays, speed: float, t: np.ndarray, force: np.ndarray) -> Track:
    """The motion under a force that is straight between its values at times t."""
    cubics = np.zeros((t.size - 1, 4))
    cubics[:, 0], cubics[:, 1] = force[:-1], np.diff(force)
    return Track.driven(structure, speed, t, cubics)


def approach(track: Track, force: np.ndarray) -> np.ndarray:
    """z - w at the times of a track, m."""
    modes, body = track.structure
    deflection = track.modal[0] @ modes[:, 2] + body[RESIDUAL] * force + body[MOBILITY] * track.states[:, P]
    return np.asarray(track.states[:, Z] - deflection)


def _law(law: CompiledLaw, approaches: np.ndarray) -> np.ndarray:
    memory = np.zeros(REMEMBERED)
    return np.array([contact_force(law, memory, float(d), 0.0)[0] for d in approaches])
