"""The unit of cost: one pair is a real FFT and its inverse on the doubled grid, measured in the same run."""

import statistics
import time
from collections.abc import Callable

import numpy as np
import scipy.fft


def median_seconds(
    work: Callable[[], object], *, repeat: int, clock: Callable[[], float] = time.perf_counter
) -> float:
    """Median time of `work` after one call to warm up, s."""
    work()
    times = []
    for _ in range(repeat):
        began = clock()
        work()
        times.append(clock() - began)
    return statistics.median(times)


def pair_seconds(
    ny: int, nx: int, *, repeat: int = 15, clock: Callable[[], float] = time.perf_counter
) -> float:
    """Time of one pair for an ny by nx grid, one worker, float64, s."""
    field = np.random.default_rng(0).random(
        tuple(scipy.fft.next_fast_len(2 * n, real=True) for n in (ny, nx))
    )
    return median_seconds(
        lambda: scipy.fft.irfft2(scipy.fft.rfft2(field), s=field.shape), repeat=repeat, clock=clock
    )
