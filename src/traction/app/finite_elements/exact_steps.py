"""Oscillators under a load that varies evenly within a step, propagated by the matrix exponential: exact."""

from __future__ import annotations

import numpy as np
from scipy.linalg import expm


class ExactSteps:
    """q'' + C q' + K q = g for a batch of small systems; the state x is (q, q').

    The end of a step is P x + Q0 g0 + Q1 g1 with the loads g0 and g1 at its ends. Frequencies and damping are
    exact whatever the step, where Newmark's method has them too low by about (omega dt)^2/12.
    """

    def __init__(self, C: np.ndarray, K: np.ndarray, dt: float) -> None:
        """Matrices of shape (systems, d, d)."""
        n, d, _ = K.shape
        one = np.eye(d)
        rates = np.zeros((n, 4 * d, 4 * d))  # of q, q', g and of the change of g within the step
        rates[:, :d, d : 2 * d] = one
        rates[:, d : 2 * d, :d], rates[:, d : 2 * d, d : 2 * d] = -K, -C
        rates[:, d : 2 * d, 2 * d : 3 * d] = one
        rates[:, 2 * d : 3 * d, 3 * d :] = one / dt
        found = expm(rates * dt)[:, : 2 * d]
        self._P, self._Q1 = found[..., : 2 * d], found[..., 3 * d :]
        self._Q0 = found[..., 2 * d : 3 * d] - self._Q1
        self.per_load = self._Q1[:, :d]  #: q at the end of a step per load there

    def free(self, x: np.ndarray, load: np.ndarray) -> np.ndarray:
        """The end of the step without the load there; x is (systems, 2 d), load (systems, d)."""
        return np.asarray((self._P @ x[..., None])[..., 0] + (self._Q0 @ load[..., None])[..., 0])

    def loaded(self, free: np.ndarray, load: np.ndarray) -> np.ndarray:
        """The end of the step with the load there."""
        return np.asarray(free + (self._Q1 @ load[..., None])[..., 0])
