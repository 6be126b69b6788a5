"""`BeamFields`: deflection, rotation, moment and shear force along a beam, of whatever knows them."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import ArrayLike


class BeamFields(ABC):
    """Fields along a beam; of several modes or times each is an array (modes or times, shape of x)."""

    @abstractmethod
    def _sample(self, quantity: str, x: ArrayLike) -> np.ndarray:
        """The "deflection", "rotation", "moment" or "shear" at places x (m)."""

    def deflection(self, x: ArrayLike) -> np.ndarray:
        """w (m), downwards, at places x (m)."""
        return self._sample("deflection", x)

    def rotation(self, x: ArrayLike) -> np.ndarray:
        """psi of the sections at places x (m); w' in the theory of Euler and Bernoulli."""
        return self._sample("rotation", x)

    def moment(self, x: ArrayLike) -> np.ndarray:
        """M = -EI psi' (N m), sagging positive, at places x (m)."""
        return self._sample("moment", x)

    def shear(self, x: ArrayLike) -> np.ndarray:
        """V = M' (N) at places x (m); at a point force the value to its right."""
        return self._sample("shear", x)
