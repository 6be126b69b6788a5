"""`Device`: what a batch needs of a processor or a GPU; and the `Processor`, with compiled kernels."""

from __future__ import annotations

from types import ModuleType
from typing import Any, Protocol

import numpy as np

from traction.contact.batch.kernels import law_steps, member_moves, pressing_steps, splitting_steps

CHUNK_BYTES = 1 << 28  #: of the members that are solved at once


class Device(Protocol):
    """Arrays, products and kernels on one device; arrays of CuPy are typed as those of numpy."""

    arrays: ModuleType  #: numpy or cupy
    low: type  #: precision of increments
    block: int  #: pairs of elements come in multiples of it
    most_pressed: int  #: elements of a grid whose pressures are solved by dense matrices
    most_rolled: int  #: elements in contact, with friction, that are solved by dense matrices

    def take(self, array: np.ndarray) -> np.ndarray:
        """The array on the device."""

    def bring(self, array: np.ndarray) -> np.ndarray:
        """The array of the device, as one of numpy."""

    def fit_members(self, size: int) -> int:
        """Members to solve at once, where each takes so many bytes."""

    def friction_kernels(self, sectors: int) -> Any:
        """Functions with the names and arguments of `kernels.splitting_steps`, for so many sectors."""

    def law_kernels(self, sectors: int) -> Any:
        """Functions with the names and arguments of `kernels.law_steps`, for so many sectors."""

    def moving_kernels(self, sectors: int) -> Any:
        """Functions with the names and arguments of `kernels.member_moves`, for so many sectors."""

    def pressing_kernels(self) -> Any:
        """Functions with the names and arguments of `kernels.pressing_steps`."""

    def multiply(
        self, fields: np.ndarray, matrix: np.ndarray, result: np.ndarray, *, add: bool = False
    ) -> None:
        """Products (ns, members, n) of fields in sectors with transposed matrices; or add them to result."""


class Processor:
    """Arrays of numpy, and products and kernels of a batch, on the processor."""

    arrays: ModuleType = np
    low: type = np.float32  #: precision of increments
    most_pressed = 700  #: elements of a grid for which dense matrices are faster than `tr.press`
    most_rolled = 1_100  #: in contact, for which they are as fast as `tr.roll_steady` or faster
    block = 1  #: pairs of elements come in multiples of it

    def fit_members(self, size: int) -> int:
        """Members to solve at once, of so many bytes: enough for products of matrices, few for the cache."""
        return max(64, min(512, CHUNK_BYTES // size))

    def take(self, array: np.ndarray) -> np.ndarray:
        """An array of the device."""
        return np.ascontiguousarray(array)

    def bring(self, array: np.ndarray) -> np.ndarray:
        """An array of numpy."""
        return array

    def friction_kernels(self, sectors: int) -> ModuleType:
        """Kernels for so many sectors."""
        return splitting_steps

    def law_kernels(self, sectors: int) -> ModuleType:
        """Kernels of laws of friction."""
        return law_steps

    def moving_kernels(self, sectors: int) -> ModuleType:
        """Kernels that move members."""
        return member_moves

    def pressing_kernels(self) -> ModuleType:
        """Kernels of pressures."""
        return pressing_steps

    def multiply(
        self, fields: np.ndarray, matrix: np.ndarray, result: np.ndarray, *, add: bool = False
    ) -> None:
        """Products (ns, members, n) of fields in sectors with transposed matrices, or add them."""
        if add:
            result += fields @ matrix
        else:
            np.matmul(fields, matrix, out=result)
