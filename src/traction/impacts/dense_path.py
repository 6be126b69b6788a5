"""`Track`: the steps of an impact with all that is known at their ends, and exact motion between them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from traction.impacts.kernels import collocation_step as places
from traction.impacts.kernels import path_values as kernels
from traction.impacts.structures.point_response import PointResponse
from traction.laws.kernels.law_values import REMEMBERED

Arrays = tuple[np.ndarray, np.ndarray]


def point_structure(response: PointResponse, mass: float, gravity: float) -> Arrays:
    """Modes and body as the kernels take them."""
    body = np.array([mass, gravity, response.residual_flexibility, response.mobility])
    return response.table, body


@dataclass(frozen=True, eq=False)
class Track:
    """n steps between n + 1 times."""

    structure: Arrays
    states: np.ndarray  #: at the times, (n + 1, STATE)
    cubics: np.ndarray  #: coefficients of the force in powers of (t - t_k)/h, (n, 4)
    memories: np.ndarray  #: of the contact at the times, (n + 1, REMEMBERED)
    modal: Arrays  #: places and speeds of the modes at the times

    @classmethod
    def driven(cls, structure: Arrays, speed: float, times: np.ndarray, cubics: np.ndarray) -> Track:
        """The motion under a force that is given."""
        n, modes = times.size, structure[0].shape[0]
        states = np.zeros((n, places.STATE))
        states[0, places.V] = speed
        modal = (np.zeros((n, modes)), np.zeros((n, modes)))
        ends = np.ascontiguousarray(times, dtype=float)
        kernels.drive(structure, (ends, cubics), states, modal)
        states[:, places.T] = ends
        states[1:, places.F] = cubics.sum(axis=1)
        states[:-1, places.TOUCHING] = np.abs(cubics).sum(axis=1) > 0.0
        return cls(structure, states, cubics, np.zeros((n, REMEMBERED)), modal)

    @property
    def times(self) -> np.ndarray:
        """Ends of the steps, s."""
        return self.states[:, places.T]

    @property
    def touching(self) -> np.ndarray:
        """Whether a step is in contact."""
        return self.states[:-1, places.TOUCHING] > 0.0

    def sample(self, t: np.ndarray) -> np.ndarray:
        """Rows of striker's place and speed, structure's deflection and its rate, force, at times t (s)."""
        order = np.argsort(t, kind="stable")
        steps = (np.ascontiguousarray(self.times), self.cubics)
        found = np.empty((t.size, kernels.COLUMNS))
        sorted_times = np.ascontiguousarray(t[order])
        found[order] = kernels.sample(self.structure, steps, self.states, self.modal, sorted_times)
        return found

    def force(self, t: np.ndarray) -> np.ndarray:
        """Contact force (N) at times t."""
        k = np.clip(np.searchsorted(self.times, t, "left") - 1, 0, len(self.cubics) - 1)
        h = np.diff(self.times)[k]
        s = np.where(h > 0.0, (t - self.times[k]) / np.where(h > 0.0, h, 1.0), 0.0)
        c = self.cubics[k].T
        return np.asarray(c[0] + s * (c[1] + s * (c[2] + s * c[3])))

    def modes(self, t: float) -> Arrays:
        """Places and speeds of the modes at a time."""
        k = int(np.clip(np.searchsorted(self.times, t, "left") - 1, 0, len(self.cubics) - 1))
        q, v = self.modal[0][k].copy(), self.modal[1][k].copy()
        h = float(self.times[k + 1] - self.times[k])
        kernels.modal_at(self.structure[0], self.cubics[k], h or 1.0, float(t - self.times[k]), q, v)
        return q, v
