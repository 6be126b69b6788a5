"""The unit of cost: one pair is a real FFT and its inverse on the doubled grid, measured in the same run."""

import os
import platform
import statistics
import time
from collections.abc import Callable
from pathlib import Path

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


def describe_machine() -> str:
    """Processor, cores, and the time of one pair for 64 x 64 and 512 x 512 elements."""
    cpus = Path("/proc/cpuinfo")
    lines = cpus.read_text().splitlines() if cpus.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    name = names[0] if names else platform.processor() or platform.machine()
    pairs = ", ".join(f"{n} x {n}: {1e3 * pair_seconds(n, n):.3g} ms" for n in (64, 512))
    return f"{name}, {os.cpu_count()} cores, Python {platform.python_version()}; one pair of {pairs}"


if __name__ == "__main__":
    print(describe_machine())
