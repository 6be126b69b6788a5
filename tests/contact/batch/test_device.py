"""Kernels of a GPU, which threads share."""

from typing import NamedTuple

import numpy as np

from traction.contact.batch.device import CudaKernels


class Elements(NamedTuple):
    """Tables and a number, as kernels take them."""

    weight: np.ndarray
    tau: float


class Interrupted(CudaKernels):
    """Kernels of which another thread uses others while their tables are being kept."""

    def __init__(self, other):
        self.__dict__.update(_ordered=(None, ()), other=other)

    def __setattr__(self, name, value):
        self.__dict__[name] = value
        other, self.__dict__["other"] = self.other, None
        if other is not None:
            self._order(other)


def test_threads_that_share_kernels_receive_their_own_tables():
    mine, other = Elements(np.ones(3), 0.1), Elements(np.ones(5), 0.2)
    kernels = Interrupted(other)
    tables, count, tau = kernels._order(mine)
    assert tables is mine.weight
    assert (count, tau) == (3, 0.1)
