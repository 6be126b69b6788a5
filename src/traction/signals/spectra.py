"""Signals over time: amplitude spectra, dominant frequencies, low-pass filters."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.errors import InputError
from traction.outputs.result import Result
from traction.outputs.variable import Variable, axis, data, figure, number

SIDES = 4  #: times the length of the signal, to which it is filled up with zeros
ORDER = 4  #: of the filter in each direction
EVEN = 1e-6  #: of a step, by which steps may differ


@dataclass(frozen=True, eq=False, repr=False)
class Spectrum(Result):
    """Amplitudes over frequency: a sine of amplitude A over the whole signal shows as a peak of height A."""

    _rows, _drawn = ("frequency",), "amplitude"

    frequency: np.ndarray  #: Hz
    amplitude: np.ndarray  #: in units of the signal
    resolution: float  #: 1/duration, Hz
    unit: str = "unit of the signal"  #: of the amplitude

    def _headline(self) -> str:
        return f"{self.frequency.size} frequencies up to {self.frequency[-1]:g} Hz"

    def _variables(self) -> Iterator[Variable]:
        for k, peak in enumerate(self.dominant()):
            yield figure(f"dominant_{k + 1}", float(peak), "Hz", f"dominant frequency {k + 1}")
        yield number("resolution", self.resolution, "Hz", "resolution")
        yield axis("frequency", self.frequency, "Hz", "frequency")
        yield data("amplitude", self.amplitude, self.unit, "amplitude", "frequency")

    def dominant(self, n: int = 3) -> np.ndarray:
        """Frequencies (Hz) of the n highest peaks that lie at least two resolutions apart, highest first."""
        from scipy.signal import find_peaks

        distance = max(1, round(2.0 * self.resolution / (self.frequency[1] - self.frequency[0])))
        peaks, _ = find_peaks(self.amplitude, distance=distance)
        order = np.argsort(self.amplitude[peaks])[::-1][: checks.count("n", n)]
        return np.array([self._between(int(k)) for k in peaks[order]])

    def _between(self, k: int) -> float:
        """Place of a peak on the parabola through three samples."""
        before, here, after = self.amplitude[k - 1 : k + 2]
        bend = before - 2.0 * here + after
        shift = 0.5 * (before - after) / bend if bend else 0.0
        return float(self.frequency[k] + shift * (self.frequency[1] - self.frequency[0]))


def spectrum(t: ArrayLike, values: ArrayLike) -> Spectrum:
    """Amplitude spectrum of a signal at evenly spaced times t (s), its mean removed, under Hann's window."""
    times, signal = _even(t, values)
    n = signal.size
    window = 0.5 * (1.0 - np.cos(2.0 * math.pi * np.arange(n) / (n - 1)))
    content = np.fft.rfft((signal - signal.mean()) * window, SIDES * n)
    dt = times[1] - times[0]
    return Spectrum(
        np.fft.rfftfreq(SIDES * n, dt),
        2.0 * np.abs(content) / window.sum(),
        1.0 / float(times[-1] - times[0]),
    )


def low_pass(t: ArrayLike, values: ArrayLike, cutoff: float = 30.0) -> np.ndarray:
    """A signal without what is faster than `cutoff` (Hz): Butterworth's filter, forwards and backwards.

    Bridge codes judge accelerations up to 30 Hz (EN 1990, A2.4.4.2.1). The order is 4 each way; phases stay,
    and an amplitude at the cutoff is halved.
    """
    from scipy.signal import butter, sosfiltfilt

    times, signal = _even(t, values)
    rate = 1.0 / (times[1] - times[0])
    limit = checks.positive("cutoff", cutoff, "Hz")
    if limit >= 0.5 * rate:
        raise InputError(
            f"cutoff = {limit} Hz must be below {0.5 * rate:.6g} Hz, half the rate of the samples."
        )
    sections = butter(ORDER, limit, fs=rate, output="sos")
    return np.asarray(sosfiltfilt(sections, signal, padlen=min(signal.size - 1, round(3.0 * rate / limit))))


def _even(t: ArrayLike, values: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    times = checks.finite_array("t", t, unit="s").ravel()
    signal = checks.finite_array("values", values, times.shape)
    if times.size < 8:
        raise InputError(f"t has {times.size} times; a signal needs at least 8.")
    steps = np.diff(times)
    if not steps[0] > 0.0 or np.abs(steps - steps.mean()).max() > EVEN * steps.mean():
        raise InputError("t must rise in equal steps.")
    return times, signal
