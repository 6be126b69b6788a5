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

SIDES = 4  #: length after padding with zeros, relative to that of the signal
ORDER = 4  #: of the filter in each direction
EVEN = 1e-6  #: of a step, by which steps may differ


@dataclass(frozen=True, eq=False, repr=False)
class Spectrum(Result):
    """Amplitude spectrum: a sine of amplitude A over the whole signal is a peak of height A."""

    _rows, _drawn = ("frequency",), "amplitude"

    frequency: np.ndarray  #: frequencies, Hz
    amplitude: np.ndarray  #: amplitudes, in units of the signal
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
        """Return the frequencies (Hz) of the `n` highest peaks, at least two resolutions apart."""
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
    """Return the amplitude spectrum of a signal.

    Parameters
    ----------
    t
        Evenly spaced times, s.
    values
        Signal at these times.

    Returns
    -------
    Spectrum
        Amplitudes over frequency, with the mean removed, under a Hann window.

    Raises
    ------
    InputError
        If times are not evenly spaced, or fewer than 8.

    Examples
    --------
    >>> t = np.linspace(0.0, 1.0, 1001)
    >>> s = tr.spectrum(t, 2.0 * np.sin(2 * np.pi * 20.0 * t))
    >>> print(f"{s.dominant(1)[0]:.1f} Hz, amplitude {s.amplitude.max():.2f}")
    20.0 Hz, amplitude 2.00
    """
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
    """Return a signal low-pass filtered without phase shift.

    Butterworth filter of order 4, forwards and backwards. EN 1990, A2.4.4.2.1 limits deck accelerations up to
    30 Hz.

    Parameters
    ----------
    t, values
        As in `tr.spectrum`.
    cutoff
        Cut-off frequency, Hz; the amplitude there is halved.

    Returns
    -------
    ndarray
        Filtered signal.

    Raises
    ------
    InputError
        If the cut-off exceeds half the sampling rate, or times are not evenly spaced.

    Examples
    --------
    >>> t = np.linspace(0.0, 1.0, 1001)
    >>> slow = np.sin(2 * np.pi * 5.0 * t)
    >>> filtered = tr.low_pass(t, slow + np.sin(2 * np.pi * 100.0 * t), cutoff=30.0)
    >>> print(f"{abs(filtered - slow)[100:-100].max():.3f}")
    0.000
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
