"""`DensePath`: the steps of an impact with all that is known at their ends, and exact motion between them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from traction.impacts.kernels import collocation_step as places
from traction.impacts.kernels import path_values as kernels
from traction.impacts.kernels.collocation_step import StruckPoint
from traction.impacts.kernels.path_values import PathSteps
from traction.laws.kernels.law_values import REMEMBERED


@dataclass(frozen=True, eq=False)
class DensePath:
    """n steps between n + 1 times."""

    point: StruckPoint
    steps: PathSteps
    memories: np.ndarray  #: of the contact at the times, (n + 1, REMEMBERED)

    @classmethod
    def driven(cls, point: StruckPoint, speed: float, times: np.ndarray, cubics: np.ndarray) -> DensePath:
        """The motion under a force that is given."""
        n, modes = times.size, len(point.modes)
        states = np.zeros((n, places.STATE))
        states[0, places.V] = speed
        states[:, places.T] = times
        ends = np.ascontiguousarray(times, dtype=float)
        steps = PathSteps(ends, cubics, states, np.zeros((n, modes)), np.zeros((n, modes)))
        kernels.drive_path(point, steps)
        states[1:, places.F] = cubics.sum(axis=1)
        states[:-1, places.TOUCHING] = np.abs(cubics).sum(axis=1) > 0.0
        return cls(point, steps, np.zeros((n, REMEMBERED)))

    @property
    def times(self) -> np.ndarray:
        """Ends of the steps, s."""
        return self.steps.ends

    @property
    def cubics(self) -> np.ndarray:
        """Coefficients of the force in powers of (t - t_k)/h, (n, 4)."""
        return self.steps.cubics

    @property
    def states(self) -> np.ndarray:
        """At the times, (n + 1, STATE)."""
        return self.steps.states

    @property
    def touching(self) -> np.ndarray:
        """Whether a step is in contact."""
        return self.states[:-1, places.TOUCHING] > 0.0

    def sample(self, t: np.ndarray) -> np.ndarray:
        """Rows of striker's place and speed, structure's deflection and its rate, force, at times t (s)."""
        order = np.argsort(t, kind="stable")
        found = np.empty((t.size, kernels.COLUMNS))
        found[order] = kernels.sample_path(self.point, self.steps, np.ascontiguousarray(t[order]))
        return found

    def force(self, t: np.ndarray) -> np.ndarray:
        """Contact force (N) at times t."""
        k = self._step_at(t)
        h = np.diff(self.times)[k]
        s = np.where(h > 0.0, (t - self.times[k]) / np.where(h > 0.0, h, 1.0), 0.0)
        c = self.cubics[k].T
        return np.asarray(c[0] + s * (c[1] + s * (c[2] + s * c[3])))

    def modes(self, t: float) -> tuple[np.ndarray, np.ndarray]:
        """Places and speeds of the modes at a time."""
        k = int(self._step_at(np.array(t)))
        q, v = self.steps.q[k].copy(), self.steps.v[k].copy()
        h = float(self.times[k + 1] - self.times[k])
        kernels.move_modes_to(self.point.modes, self.cubics[k], h or 1.0, float(t - self.times[k]), q, v)
        return q, v

    def _step_at(self, t: np.ndarray) -> np.ndarray:
        """Numbers of the steps that hold times t."""
        return np.clip(np.searchsorted(self.times, t, "left") - 1, 0, len(self.cubics) - 1)
