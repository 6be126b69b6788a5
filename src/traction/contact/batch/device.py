"""`Device`: what a batch needs of a processor or a GPU."""

from __future__ import annotations

from types import ModuleType
from typing import Any, Protocol

import numpy as np


class Device(Protocol):
    """Arrays, products and kernels on one device; arrays of CuPy are typed as those of numpy."""

    arrays: ModuleType  #: numpy or cupy
    low: type  #: precision of increments
    block: int  #: pairs of elements come in multiples of it
    most_pressed: int  #: elements of a grid whose pressures are solved by dense matrices

    def take(self, array: np.ndarray) -> np.ndarray:
        """The array on the device."""

    def bring(self, array: np.ndarray) -> np.ndarray:
        """The array of the device, as one of numpy."""

    def fit_members(self, size: int) -> int:
        """Members to solve at once, where each takes so many bytes."""

    def friction_kernels(self, sectors: int) -> Any:
        """Functions with the names and arguments of `kernels.splitting_steps`, for so many sectors."""

    def pressing_kernels(self) -> Any:
        """Functions with the names and arguments of `kernels.pressing_steps`."""

    def multiply(
        self, fields: np.ndarray, matrix: np.ndarray, result: np.ndarray, *, add: bool = False
    ) -> None:
        """Products (ns, members, n) of fields in sectors with transposed matrices; or add them to result."""
