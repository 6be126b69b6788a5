"""Waves of traction on a row of rolling elements: the cause of wiggles at short steps, and of smoothing.

In a step of c elements a particle comes from x + c dx. Rolling is therefore governed by A, displacements at
the centres of elements, and A', those at the centres shifted by c elements (van der Wekken, Vollebregt and
Vuik, "Occurrence and removal of wiggles in transient rolling contact simulation"). On an infinite row the
wave p_n = exp(i theta n) keeps its form. With all its aliases k = theta + 2 pi m, and in units of
2 (1 - nu) dx/G,

    A'(theta; c) = sum over m of sinc(k/2)^d exp(i k c)/|k|,      d = 1 constant, d = 2 linear elements.

In steady rolling (A - A') p = -w dq. The wave of theta = pi, two elements long, is its own mirror image: its
displacement is level at every centre, whatever the elements, so that A - A' is O(c^2) there (but for a
logarithm), and O(c) elsewhere. Short steps hardly see it and produce wiggles of this length.
Waves in three dimensions whose crests lie along y have the same symbol; tractions along y, in units of
2 dx/G.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.errors import InputError
from traction.outputs.result import Result
from traction.outputs.variable import Variable, figure

ELEMENTS = {"constant": 1, "linear": 2}  #: boxes, and hats that reach to the centres of the neighbours
#: t = exp(v) at even v: the integrand is as smooth in v near t = 0 as anywhere, whatever the phase
_SPACING = 0.25
_NODES = np.exp(np.arange(-40.0, 4.75, _SPACING))

MOST_WAVES = 10_000  #: of a search
LONGEST_WAVE, LONGEST_STEP = 1e-12, 1e6  #: wave number in rad per element, and step in elements


def influence(wave_number: ArrayLike, step: float = 0.0, elements: str = "constant") -> np.ndarray:
    """Return the symbol of A', the displacement of a wave of tractions at shifted element centres.

    The equation is at the top of the module; after van der Wekken, Vollebregt and Vuik.

    Parameters
    ----------
    wave_number
        theta, rad per element, between -pi and pi and not 0.
    step
        c, shift in elements; 0 for A itself.
    elements
        "constant" or "linear" tractions.

    Returns
    -------
    ndarray
        A'(theta; c) in units of 2 (1 - nu) dx/G, complex.

    Raises
    ------
    InputError
        If the wave number is 0 or beyond pi, or `elements` is unknown.

    Examples
    --------
    >>> print(f"{tr.rolling_waves.influence(np.pi).real:.4f}")
    0.3712
    """
    theta, c, d = _check_wave(wave_number, step, elements)
    order = d + 1
    phase = (-1) ** d * np.exp(2j * math.pi * c)
    part = theta / (2.0 * math.pi)
    ahead = phase * _sum_lerch(phase, order, 1.0 + part)
    behind = (-1) ** d * np.conj(phase) * _sum_lerch(np.conj(phase), order, 1.0 - part)
    aliases = theta ** (-d) / np.abs(theta) + (ahead + behind) / (2.0 * math.pi) ** order
    return np.asarray((2.0 * np.sin(0.5 * theta)) ** d * np.exp(1j * theta * c) * aliases)


def difference(wave_number: ArrayLike, step: float, elements: str = "constant") -> np.ndarray:
    """Return the symbol of A - A', which steady rolling inverts.

    Parameters
    ----------
    wave_number, step, elements
        As in `influence`.

    Returns
    -------
    ndarray
        A(theta) - A'(theta; c), complex; -i c for long waves. Waves for which it is smaller are amplified by
        the inverse.

    Raises
    ------
    InputError
        As `influence`.

    Examples
    --------
    >>> print(f"{abs(tr.rolling_waves.difference(np.pi, 0.1)):.4f}")
    0.0101
    """
    return np.asarray(influence(wave_number, 0.0, elements) - influence(wave_number, step, elements))


def growth(
    wave_number: ArrayLike,
    step: float,
    elements: str = "constant",
    *,
    interpolation_cell: float | None = None,
) -> np.ndarray:
    """Return the factor A'/A by which a sticking wave changes in a step; exact transport is exp(i theta c).

    Parameters
    ----------
    wave_number, step, elements
        As in `influence`.
    interpolation_cell
        c*: A' is interpolated between A and A'(c*), so that the factor is 1 - c/c* + c/c* A'(c*)/A.

    Returns
    -------
    ndarray
        Complex factor. A magnitude below 1 smooths; a phase other than theta c delays the wave. The shortest,
        theta = pi, stands still.

    Raises
    ------
    InputError
        As `influence`.

    Examples
    --------
    Of a wave of four elements, in steps of half of one:

    >>> print(abs(tr.rolling_waves.growth(np.pi / 2, 0.5)).round(2))
    0.86
    """
    if interpolation_cell is None:
        return np.asarray(influence(wave_number, step, elements) / influence(wave_number, 0.0, elements))
    far = checks.positive("interpolation_cell", interpolation_cell)
    share = checks.finite("step", step) / far
    return np.asarray(1.0 - share + share * growth(wave_number, far, elements))


@dataclass(frozen=True, repr=False)
class Wiggle(Result):
    """The wave that steps of a given length resolve least."""

    wavelength: float  #: in elements
    gain: float  #: amplification by the inverse of A - A', relative to long waves

    def _variables(self) -> Iterator[Variable]:
        yield figure("wavelength", self.wavelength, "1", "wavelength in elements")
        yield figure("gain", self.gain, "1", "gain over that of long waves")


def wiggle(step: float, elements: str = "constant", *, waves: int = 2000) -> Wiggle:
    """Return the wave that steps of a given length amplify most.

    Parameters
    ----------
    step
        c, rolled distance in elements, 0 < c <= 1.
    elements
        "constant" or "linear" tractions.
    waves
        Number of wave numbers that are tried, up to the shortest wave of two elements.

    Returns
    -------
    Wiggle
        Wavelength in elements and gain.

    Raises
    ------
    InputError
        If the step is not positive or longer than one element, or fewer than two waves are tried.

    Examples
    --------
    >>> tr.rolling_waves.wiggle(0.1).wavelength
    2.0
    """
    c = checks.positive("step", step)
    if c > 1.0:
        raise InputError(f"step = {c} must be at most 1: two elements at once do not see this wave at all.")
    theta = math.pi * np.arange(1, checks.count("waves", waves, 2, MOST_WAVES) + 1) / waves
    seen = np.abs(difference(theta, c, elements))
    least = int(np.argmin(seen))
    return Wiggle(2.0 * math.pi / float(theta[least]), c / float(seen[least]))


def _check_wave(wave_number: ArrayLike, step: float, elements: str) -> tuple[np.ndarray, float, int]:
    theta = checks.finite_points("wave_number", wave_number, "rad per element")
    wrong = (np.abs(theta) < LONGEST_WAVE) | (np.abs(theta) > math.pi * (1.0 + 1e-12))
    if wrong.any():
        raise InputError(
            f"wave_number = {float(theta[wrong].flat[0])} must lie between -pi and pi and not be 0: waves "
            "shorter than two elements look like longer ones, and an even load has no displacement."
        )
    checks.choice("elements", elements, tuple(ELEMENTS))
    c = checks.finite("step", step)
    if abs(c) > LONGEST_STEP:
        raise InputError(f"step = {c} elements must lie between -{LONGEST_STEP:g} and {LONGEST_STEP:g}.")
    return theta, c, ELEMENTS[elements]


def _sum_lerch(z: complex, order: int, start: np.ndarray) -> np.ndarray:
    """Sum of z^n/(n + start)^order over n >= 0, for |z| = 1, by its integral (DLMF 25.14.5)."""
    t = _NODES
    # where z = 1 but for rounding, 1 - z e^-t must not lose all its digits at small t
    below = -np.expm1(-t) if abs(z - 1.0) < 1e-12 else 1.0 - z * np.exp(-t)
    weight = _SPACING / math.factorial(order - 1) * t**order / below
    return np.asarray((weight * np.exp(-np.multiply.outer(start, t))).sum(axis=-1))
