"""Batches on the processor: numpy arrays, compiled kernels."""

from __future__ import annotations

from types import ModuleType

import numpy as np

from traction.contact.batch.kernels import pressing_steps, splitting_steps

CHUNK_BYTES = 1 << 28  #: of the members that are solved at once


class Processor:
    """Arrays, products and kernels of a batch."""

    arrays: ModuleType = np
    low: type = np.float32  #: precision of increments
    most_pressed = 700  #: elements of a grid for which dense matrices are faster than `tr.press`
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
